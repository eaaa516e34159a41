/// The distance of the anchors, in metres: fixed (C = |d| - length), or within limits (an elastic
/// rod).
///
/// A rope is a distance of at most its length.
///
/// If the fixed distance is 0 it has no direction, and one row could hold only one of three
/// coordinates. The anchors are then held at one point by the rows of a ball joint.
#include "constraints/constraint_class.h"
#include "constraints/constraint_table.h"

// m: a shorter distance counts as 0; it is the round-off of positions far from the origin.
#define NO_DISTANCE 1e-9

static bool is_coincidence(const mo_constraint *c) {
  return mo_limit_count(c) == 0 && c->length == 0.0;
}

static double coordinate(const mo_constraint *c, const mo_constraint_place *at) {
  return mo_length(mo_anchors_at(c, at).offset);
}

// --- definition ------------------------------------------------------------------------------

static mo_constraint_refusal check(const mo_constraint_def *def) {
  if (def->upper < 0.0) {
    return (mo_constraint_refusal){"upper", "must be 0 m or more for a distance", def->upper};
  }
  if (def->has_length && !(def->length >= 0.0 && mo_is_finite(def->length))) {
    return (mo_constraint_refusal){"length", "must be finite, 0 m or more", def->length};
  }
  return (mo_constraint_refusal){0};
}

static mo_constraint_refusal check_rope(const mo_constraint_def *def) {
  return def->upper < INFINITY || def->lower > -INFINITY
             ? (mo_constraint_refusal){def->upper < INFINITY ? "upper" : "lower",
                                       "must be infinite for a rope, whose limit is its length",
                                       def->upper < INFINITY ? def->upper : def->lower}
             : check(def);
}

static void init(mo_constraint *c, const mo_constraint_def *def, const mo_constraint_place *at) {
  c->length = def->has_length ? def->length : coordinate(c, at);
  c->length = c->length < NO_DISTANCE ? 0.0 : c->length;
  c->base_dimension = mo_limit_count(c) > 0 ? 0 : is_coincidence(c) ? 3 : 1;
}

// A rope of no length is a coincidence of both points.
static void init_rope(mo_constraint *c, const mo_constraint_def *def,
                      const mo_constraint_place *at) {
  init(c, def, at);
  if (!is_coincidence(c)) {
    c->upper = c->length;
    c->base_dimension = 0;
  }
}

// --- rows ------------------------------------------------------------------------------------

static mo_constraint_failure evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  if (is_coincidence(c)) {
    return mo_ball_class.evaluate(c, at, out);
  }
  double distance = coordinate(c, at);
  if (mo_limit_count(c) > 0) {
    mo_put_limits(c, distance, out);
  } else {
    out[0] = distance - c->length;
  }
  return NULL;
}

static mo_constraint_failure jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  if (is_coincidence(c)) {
    return mo_ball_class.jacobian(c, at, out);
  }
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_vec3 direction = mo_normalize(anchors.offset);
  if (mo_length_squared(direction) == 0.0) {
    direction = mo_v3(1.0, 0.0, 0.0); // coincident points may separate in any direction
  }
  mo_jacobian_row row = mo_offset_row(&anchors, direction, false);
  if (mo_limit_count(c) > 0) {
    mo_put_limit_rows(c, row, out);
  } else {
    mo_put_row(out, 1.0, row);
  }
  return NULL;
}

static void substep_form(const mo_constraint *c, mo_substep_joint *joint) {
  joint->point = is_coincidence(c) ? MO_SUBSTEP_POINT_BALL : MO_SUBSTEP_POINT_DISTANCE;
  joint->length = mo_limit_count(c) == 0 ? c->length : c->lower; // equal limits are a fixed length
}

const mo_constraint_class mo_distance_class = {.name = "distance",
                                               .limits = MO_COORDINATE_LENGTH,
                                               .check = check,
                                               .init = init,
                                               .makes_rows = true,
                                               .evaluate = evaluate,
                                               .jacobian = jacobian,
                                               .coordinate = coordinate,
                                               .substep_form = substep_form,
                                               .drawing = MO_DRAW_ANCHORS | MO_DRAW_LINE};

const mo_constraint_class mo_rope_class = {.name = "rope",
                                           .limits = MO_COORDINATE_LENGTH,
                                           .check = check_rope,
                                           .init = init_rope,
                                           .makes_rows = true,
                                           .evaluate = evaluate,
                                           .jacobian = jacobian,
                                           .coordinate = coordinate,
                                           .substep_form = substep_form,
                                           .drawing = MO_DRAW_ANCHORS | MO_DRAW_LINE};
