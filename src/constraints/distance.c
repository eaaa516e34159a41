/// The distance of the anchors, in metres: fixed (C = |d| - length), or within limits (an elastic
/// rod).
///
/// If the fixed distance is 0 it has no direction, and one row could hold only one of three
/// coordinates. The anchors are then held at one point by the rows of a ball joint.
#include "constraints/constraint_class.h"
#include "constraints/constraint_table.h"
#include "constraints/drives.h"

// m: a shorter distance counts as 0; it is the round-off of positions far from the origin.
#define NO_DISTANCE 1e-9

static bool is_coincidence(const mo_constraint *c) {
  return !mo_constraint_is_driven(c) && c->length == 0.0;
}

static void coordinates(const mo_constraint *c, const mo_constraint_place *at, mo_coordinate *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_vec3 direction = mo_normalize(anchors.offset);
  if (mo_length_squared(direction) == 0.0) {
    direction = mo_v3(1.0, 0.0, 0.0); // coincident points may separate in any direction
  }
  mo_set_coordinate(&out[0], mo_length(anchors.offset), mo_offset_row(&anchors, direction, false));
}

// --- definition ------------------------------------------------------------------------------

static mo_constraint_refusal check(const mo_constraint_def *def) {
  if (def->drives[0].upper < 0.0) {
    return (mo_constraint_refusal){"upper", "must be 0 m or more for a distance",
                                   def->drives[0].upper};
  }
  if (def->has_length && !(def->length >= 0.0 && mo_is_finite(def->length))) {
    return (mo_constraint_refusal){"length", "must be finite, 0 m or more", def->length};
  }
  return (mo_constraint_refusal){0};
}

static void init(mo_constraint *c, const mo_constraint_def *def, const mo_constraint_place *at) {
  c->length = def->has_length ? def->length : mo_length(mo_anchors_at(c, at).offset);
  c->length = c->length < NO_DISTANCE * at->metre ? 0.0 : c->length;
}

// Limits and drives take the place of the fixed distance.
static uint32_t own_rows(const mo_constraint *c) {
  return mo_drive_row_count(c) > 0 ? 0 : c->length == 0.0 ? 3 : 1;
}

// --- rows ------------------------------------------------------------------------------------

static mo_constraint_failure evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  if (is_coincidence(c)) {
    return mo_ball_class.evaluate(c, at, out);
  }
  if (!mo_constraint_is_driven(c)) {
    out[0] = mo_length(mo_anchors_at(c, at).offset) - c->length;
  }
  return NULL;
}

static mo_constraint_failure jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  if (is_coincidence(c)) {
    return mo_ball_class.jacobian(c, at, out);
  }
  if (!mo_constraint_is_driven(c)) {
    mo_coordinate distance;
    coordinates(c, at, &distance);
    for (int i = 0; i < MO_JACOBIAN_COLUMNS; i++) {
      out[i] = distance.jacobian[i];
    }
  }
  return NULL;
}

static void substep_form(const mo_constraint *c, mo_substep_joint *joint) {
  joint->point = is_coincidence(c) ? MO_SUBSTEP_POINT_BALL : MO_SUBSTEP_POINT_DISTANCE;
  // Equal limits are a fixed length.
  joint->length = mo_constraint_is_driven(c) ? c->coordinates[0].drive.lower : c->length;
}

const mo_constraint_class mo_distance_class = {.name = "distance",
                                               .coordinate_count = 1,
                                               .coordinate_kinds = {MO_COORDINATE_LENGTH},
                                               .own_rows = own_rows,
                                               .check = check,
                                               .init = init,
                                               .dimension = 3,
                                               .makes_rows = true,
                                               .evaluate = evaluate,
                                               .jacobian = jacobian,
                                               .coordinates = coordinates,
                                               .substep_form = substep_form,
                                               .substep_coordinate_count = 1,
                                               .substep_kinds = {MO_SUBSTEP_LENGTH},
                                               .drawing = MO_DRAW_ANCHORS | MO_DRAW_LINE};
