/// A wheel B on a chassis A: its anchor moves along an axis of A, the suspension, and it turns
/// about an axle, which `steering` turns about the axis of the suspension. Coordinates are the
/// travel of the suspension, with its spring and limits, and the spin, with its motor.
#include "constraints/constraint_class.h"
#include "constraints/constraint_table.h"
#include "constraints/joint_rotation.h"

// frame_a has the axis of the suspension as x; frame_c and frame_d are the axle in A, straight
// ahead, and in B.
static void init(mo_constraint *c, const mo_constraint_def *def, const mo_constraint_place *at) {
  mo_vec3 axle = mo_quat_rotate(at->b.orientation, mo_normalize(def->axis_b));
  mo_vec3 axle_a = mo_quat_rotate_inverse(at->a.orientation, axle);
  mo_constraint_set_frames(at->a.orientation, at->b.orientation, axle_a, axle, &c->frame_c,
                           &c->frame_d);
}

static mo_joint_frames axle_frames(const mo_constraint *c, const mo_constraint_place *at) {
  mo_vec3 axis = mo_quat_rotate(c->frame_a, mo_v3(c->steering, 0.0, 0.0));
  mo_quat steered = mo_quat_mul(mo_quat_exp(axis), c->frame_c);
  return mo_joint_frames_between(&at->a, &at->b, steered, c->frame_d);
}

static void coordinates(const mo_constraint *c, const mo_constraint_place *at, mo_coordinate *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_joint_frames suspension = mo_joint_frames_at(c, at), axle = axle_frames(c, at);
  mo_vec3 axis = mo_joint_axis(&suspension, 1.0, 0.0, 0.0), rate;
  double spin = mo_hinge_angle(axle.relative, c->last_values[1], &rate);
  mo_set_coordinate(&out[0], mo_dot(anchors.offset, axis), mo_offset_row(&anchors, axis, true));
  mo_set_coordinate(&out[1], spin, mo_angular_row(&axle, rate));
}

static mo_constraint_failure evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_joint_frames suspension = mo_joint_frames_at(c, at), axle = axle_frames(c, at);
  mo_vec3 rates[2];
  out[0] = mo_dot(anchors.offset, mo_joint_axis(&suspension, 0.0, 1.0, 0.0));
  out[1] = mo_dot(anchors.offset, mo_joint_axis(&suspension, 0.0, 0.0, 1.0));
  mo_swing_error(axle.relative, out + 2, rates);
  return NULL;
}

static mo_constraint_failure jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_joint_frames suspension = mo_joint_frames_at(c, at), axle = axle_frames(c, at);
  double swing[2];
  mo_vec3 rates[2];
  mo_swing_error(axle.relative, swing, rates);
  for (int i = 1; i <= 2; i++) {
    mo_vec3 axis = mo_joint_axis(&suspension, 0.0, i == 1, i == 2);
    out = mo_put_row(out, 1.0, mo_offset_row(&anchors, axis, true));
  }
  out = mo_put_row(out, 1.0, mo_angular_row(&axle, rates[0]));
  mo_put_row(out, 1.0, mo_angular_row(&axle, rates[1]));
  return NULL;
}

const mo_constraint_class mo_wheel_class = {
    .name = "wheel",
    .has_axes = true,
    .coordinate_count = 2,
    .coordinate_kinds = {MO_COORDINATE_LENGTH, MO_COORDINATE_ANGLE},
    .init = init,
    .dimension = 4,
    .makes_rows = true,
    .evaluate = evaluate,
    .jacobian = jacobian,
    .coordinates = coordinates,
    .drawing = MO_DRAW_ANCHORS | MO_DRAW_AXES};
