/// A slider: B's anchor is on the axis of A, both frames have one orientation, and limits bound the
/// displacement along the axis.
#include "constraints/constraint_class.h"
#include "constraints/constraint_table.h"

static double coordinate(const mo_constraint *c, const mo_constraint_place *at) {
  mo_joint_frames frames = mo_joint_frames_at(c, at);
  return mo_dot(mo_anchors_at(c, at).offset, mo_joint_axis(&frames, 1.0, 0.0, 0.0));
}

static mo_constraint_failure evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_joint_frames frames = mo_joint_frames_at(c, at);
  *out++ = mo_dot(anchors.offset, mo_joint_axis(&frames, 0.0, 1.0, 0.0));
  *out++ = mo_dot(anchors.offset, mo_joint_axis(&frames, 0.0, 0.0, 1.0));
  mo_put_limits(c, coordinate(c, at), mo_put_rotation(&frames, out));
  return NULL;
}

static mo_constraint_failure jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_joint_frames frames = mo_joint_frames_at(c, at);
  mo_vec3 x = mo_joint_axis(&frames, 1.0, 0.0, 0.0);
  out = mo_put_row(out, 1.0, mo_offset_row(&anchors, mo_joint_axis(&frames, 0.0, 1.0, 0.0), true));
  out = mo_put_row(out, 1.0, mo_offset_row(&anchors, mo_joint_axis(&frames, 0.0, 0.0, 1.0), true));
  out = mo_put_rotation_rows(&frames, out);
  mo_put_limit_rows(c, mo_offset_row(&anchors, x, true), out);
  return NULL;
}

static void substep_form(const mo_constraint *c, mo_substep_joint *joint) {
  (void)c;
  joint->point = MO_SUBSTEP_POINT_LINE;
  joint->angle = MO_SUBSTEP_ANGLE_FIXED;
}

const mo_constraint_class mo_slider_class = {.name = "slider",
                                             .has_axes = true,
                                             .limits = MO_COORDINATE_LENGTH,
                                             .dimension = 5,
                                             .makes_rows = true,
                                             .evaluate = evaluate,
                                             .jacobian = jacobian,
                                             .coordinate = coordinate,
                                             .substep_form = substep_form,
                                             .drawing = MO_DRAW_ANCHORS | MO_DRAW_AXES};
