/// A universal joint (Cardan's): both anchors are at one point, and the arms of its cross, an axis
/// of A and an axis of B, stay perpendicular. It transmits the turning of one shaft to another at
/// an angle, unevenly: omega_B / omega_A = cos b / (1 - sin^2 b sin^2 a) for the angle b between
/// the shafts and the angle a by which A has turned (Schmidt, Universal Joint and Driveshaft
/// Design, 2006, chapter 1).
#include "constraints/constraint_class.h"
#include "constraints/constraint_table.h"

// The arms of the cross in the world.
typedef struct cross_arms {
  mo_vec3 a, b;
} cross_arms;

static cross_arms arms_at(const mo_constraint *c, const mo_constraint_place *at) {
  mo_vec3 x = {1.0, 0.0, 0.0};
  return (cross_arms){
      .a = mo_quat_rotate(mo_quat_mul(at->a.orientation, c->frame_a), x),
      .b = mo_quat_rotate(mo_quat_mul(at->b.orientation, c->frame_b), x),
  };
}

static mo_constraint_failure evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  cross_arms arms = arms_at(c, at);
  out = mo_put_point(&anchors, out);
  out[0] = mo_dot(arms.a, arms.b);
  return NULL;
}

static mo_constraint_failure jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  cross_arms arms = arms_at(c, at);
  mo_vec3 normal = mo_cross(arms.a, arms.b);
  out = mo_put_point_rows(&anchors, out);
  mo_put_row(out, 1.0, (mo_jacobian_row){.angular_a = normal, .angular_b = mo_neg(normal)});
  return NULL;
}

const mo_constraint_class mo_universal_class = {.name = "universal",
                                                .has_axes = true,
                                                .dimension = 4,
                                                .makes_rows = true,
                                                .evaluate = evaluate,
                                                .jacobian = jacobian,
                                                .turns_rows = true,
                                                .drawing = MO_DRAW_ANCHORS | MO_DRAW_AXES};
