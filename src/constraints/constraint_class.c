#include "constraints/constraint_class.h"

#include "constraints/joint_rotation.h"

double *mo_put_row(double *out, double sign, mo_jacobian_row row) {
  out = mo_put_vec3(out, sign, row.linear_a);
  out = mo_put_vec3(out, sign, row.angular_a);
  out = mo_put_vec3(out, sign, row.linear_b);
  return mo_put_vec3(out, sign, row.angular_b);
}

mo_anchors mo_anchors_at(const mo_constraint *constraint, const mo_constraint_place *at) {
  mo_vec3 a = mo_add(at->a.position, mo_quat_rotate(at->a.orientation, constraint->anchor_a));
  mo_vec3 b = mo_add(at->b.position, mo_quat_rotate(at->b.orientation, constraint->anchor_b));
  return (mo_anchors){.arm_a = mo_sub(a, at->a.center_of_mass),
                      .arm_b = mo_sub(b, at->b.center_of_mass),
                      .offset = mo_sub(b, a)};
}

mo_jacobian_row mo_offset_row(const mo_anchors *anchors, mo_vec3 direction, bool turns) {
  mo_vec3 arm_a = turns ? mo_add(anchors->arm_a, anchors->offset) : anchors->arm_a;
  return (mo_jacobian_row){.linear_a = mo_neg(direction),
                           .angular_a = mo_neg(mo_cross(arm_a, direction)),
                           .linear_b = direction,
                           .angular_b = mo_cross(anchors->arm_b, direction)};
}

double *mo_put_point(const mo_anchors *anchors, double *out) {
  return mo_put_vec3(out, 1.0, anchors->offset);
}

double *mo_put_point_rows(const mo_anchors *anchors, double *out) {
  out = mo_put_row(out, 1.0, mo_offset_row(anchors, mo_v3(1.0, 0.0, 0.0), false));
  out = mo_put_row(out, 1.0, mo_offset_row(anchors, mo_v3(0.0, 1.0, 0.0), false));
  return mo_put_row(out, 1.0, mo_offset_row(anchors, mo_v3(0.0, 0.0, 1.0), false));
}

mo_joint_frames mo_joint_frames_at(const mo_constraint *constraint, const mo_constraint_place *at) {
  mo_quat a = mo_quat_mul(at->a.orientation, constraint->frame_a);
  mo_quat b = mo_quat_mul(at->b.orientation, constraint->frame_b);
  return (mo_joint_frames){a, mo_quat_mul(mo_quat_conjugate(a), b)};
}

mo_vec3 mo_joint_axis(const mo_joint_frames *frames, double x, double y, double z) {
  return mo_quat_rotate(frames->a, mo_v3(x, y, z));
}

mo_jacobian_row mo_angular_row(const mo_joint_frames *frames, mo_vec3 rate) {
  mo_vec3 world = mo_quat_rotate(frames->a, rate);
  return (mo_jacobian_row){.angular_a = mo_neg(world), .angular_b = world};
}

double *mo_put_rotation(const mo_joint_frames *frames, double *out) {
  mo_vec3 rates[3];
  return mo_put_vec3(out, 1.0, mo_rotation_error(frames->relative, rates));
}

double *mo_put_rotation_rows(const mo_joint_frames *frames, double *out) {
  mo_vec3 rates[3];
  mo_rotation_error(frames->relative, rates);
  for (int i = 0; i < 3; i++) {
    out = mo_put_row(out, 1.0, mo_angular_row(frames, rates[i]));
  }
  return out;
}
