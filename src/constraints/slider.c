/// A slider: B's anchor is on the axis of A, both frames have one orientation, and the
/// displacement along the axis is its coordinate.
#include "constraints/constraint_class.h"
#include "constraints/constraint_table.h"

static void coordinates(const mo_constraint *c, const mo_constraint_place *at, mo_coordinate *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_joint_frames frames = mo_joint_frames_at(c, at);
  mo_vec3 x = mo_joint_axis(&frames, 1.0, 0.0, 0.0);
  mo_set_coordinate(&out[0], mo_dot(anchors.offset, x), mo_offset_row(&anchors, x, true));
}

static mo_constraint_failure evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_joint_frames frames = mo_joint_frames_at(c, at);
  *out++ = mo_dot(anchors.offset, mo_joint_axis(&frames, 0.0, 1.0, 0.0));
  *out++ = mo_dot(anchors.offset, mo_joint_axis(&frames, 0.0, 0.0, 1.0));
  mo_put_rotation(&frames, out);
  return NULL;
}

static mo_constraint_failure jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_joint_frames frames = mo_joint_frames_at(c, at);
  out = mo_put_row(out, 1.0, mo_offset_row(&anchors, mo_joint_axis(&frames, 0.0, 1.0, 0.0), true));
  out = mo_put_row(out, 1.0, mo_offset_row(&anchors, mo_joint_axis(&frames, 0.0, 0.0, 1.0), true));
  mo_put_rotation_rows(&frames, out);
  return NULL;
}

static void substep_form(const mo_constraint *c, mo_substep_joint *joint) {
  (void)c;
  joint->point = MO_SUBSTEP_POINT_LINE;
  joint->angle = MO_SUBSTEP_ANGLE_FIXED;
}

const mo_constraint_class mo_slider_class = {.name = "slider",
                                             .has_axes = true,
                                             .coordinate_count = 1,
                                             .coordinate_kinds = {MO_COORDINATE_LENGTH},
                                             .dimension = 5,
                                             .makes_rows = true,
                                             .evaluate = evaluate,
                                             .jacobian = jacobian,
                                             .coordinates = coordinates,
                                             .substep_form = substep_form,
                                             .substep_coordinate_count = 1,
                                             .substep_kinds = {MO_SUBSTEP_TRAVEL},
                                             .drawing = MO_DRAW_ANCHORS | MO_DRAW_AXES};
