/// A pulley: a rope runs from A over a point of the world, then over another one to B. Its length
/// on A's side plus `ratio` times that on B's side is at most what it was: it pulls only. The ratio
/// is the number of falls of rope on B's side for each on A's, so B is pulled `ratio` times as
/// hard.
#include "constraints/constraint_class.h"
#include "constraints/constraint_table.h"

static mo_constraint_refusal check(const mo_constraint_def *def) {
  if (!(def->ratio > 0.0 && mo_is_finite(def->ratio))) {
    return (mo_constraint_refusal){"ratio", "must be finite, above 0 for a pulley", def->ratio};
  }
  if (def->has_length && !(def->length >= 0.0 && mo_is_finite(def->length))) {
    return (mo_constraint_refusal){"length", "must be finite, 0 m or more", def->length};
  }
  return (mo_constraint_refusal){0};
}

// The two sides of the rope, from the points of the world to the bodies.
typedef struct rope_sides {
  mo_vec3 a, b;         // m
  mo_vec3 arm_a, arm_b; // of the anchors, from the centres of mass
} rope_sides;

static rope_sides sides_at(const mo_constraint *c, const mo_constraint_place *at) {
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_vec3 a = mo_add(at->a.center_of_mass, anchors.arm_a);
  mo_vec3 b = mo_add(at->b.center_of_mass, anchors.arm_b);
  return (rope_sides){.a = mo_sub(a, c->ground_anchor_a),
                      .b = mo_sub(b, c->ground_anchor_b),
                      .arm_a = anchors.arm_a,
                      .arm_b = anchors.arm_b};
}

static double coordinate(const mo_constraint *c, const mo_constraint_place *at) {
  rope_sides sides = sides_at(c, at);
  return mo_length(sides.a) + c->ratio * mo_length(sides.b);
}

static void init(mo_constraint *c, const mo_constraint_def *def, const mo_constraint_place *at) {
  c->upper = def->has_length ? def->length : coordinate(c, at);
}

static mo_constraint_failure evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_put_limits(c, coordinate(c, at), out);
  return NULL;
}

static mo_constraint_failure jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  rope_sides sides = sides_at(c, at);
  mo_vec3 a = mo_normalize(sides.a), b = mo_scale(c->ratio, mo_normalize(sides.b));
  mo_put_limit_rows(c,
                    (mo_jacobian_row){.linear_a = a,
                                      .angular_a = mo_cross(sides.arm_a, a),
                                      .linear_b = b,
                                      .angular_b = mo_cross(sides.arm_b, b)},
                    out);
  return NULL;
}

const mo_constraint_class mo_pulley_class = {.name = "pulley",
                                             .leaves_contacts = true,
                                             .check = check,
                                             .init = init,
                                             .makes_rows = true,
                                             .evaluate = evaluate,
                                             .jacobian = jacobian,
                                             .coordinate = coordinate,
                                             .drawing = MO_DRAW_ANCHORS};
