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
  if (!(def->drives[0].upper > 0.0)) {
    return (mo_constraint_refusal){
        "upper", "must be above 0 m for a pulley, the length of its rope", def->drives[0].upper};
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

static void coordinates(const mo_constraint *c, const mo_constraint_place *at, mo_coordinate *out) {
  rope_sides sides = sides_at(c, at);
  mo_vec3 a = mo_normalize(sides.a), b = mo_scale(c->ratio, mo_normalize(sides.b));
  mo_set_coordinate(&out[0], mo_length(sides.a) + c->ratio * mo_length(sides.b),
                    (mo_jacobian_row){.linear_a = a,
                                      .angular_a = mo_cross(sides.arm_a, a),
                                      .linear_b = b,
                                      .angular_b = mo_cross(sides.arm_b, b)});
}

const mo_constraint_class mo_pulley_class = {.name = "pulley",
                                             .coordinate_count = 1,
                                             .coordinate_kinds = {MO_COORDINATE_LENGTH},
                                             .starts_taut = true,
                                             .leaves_contacts = true,
                                             .check = check,
                                             .makes_rows = true,
                                             .coordinates = coordinates,
                                             .drawing = MO_DRAW_ANCHORS};
