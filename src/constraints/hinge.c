/// A hinge: both anchors are at one point, both axes have one direction, and the
/// angle is its coordinate.
#include "constraints/constraint_class.h"
#include "constraints/constraint_table.h"
#include "constraints/joint_rotation.h"

static void coordinates(const mo_constraint *c, const mo_constraint_place *at, mo_coordinate *out) {
  mo_joint_frames frames = mo_joint_frames_at(c, at);
  mo_vec3 rate;
  double angle = mo_hinge_angle(frames.relative, c->last_values[0], &rate);
  mo_set_coordinate(&out[0], angle, mo_angular_row(&frames, rate));
}

static mo_constraint_failure evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_joint_frames frames = mo_joint_frames_at(c, at);
  mo_vec3 swing_rates[2];
  mo_swing_error(frames.relative, mo_put_point(&anchors, out), swing_rates);
  return NULL;
}

static mo_constraint_failure jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_joint_frames frames = mo_joint_frames_at(c, at);
  double swing[2];
  mo_vec3 swing_rates[2];
  mo_swing_error(frames.relative, swing, swing_rates);
  out = mo_put_point_rows(&anchors, out);
  out = mo_put_row(out, 1.0, mo_angular_row(&frames, swing_rates[0]));
  mo_put_row(out, 1.0, mo_angular_row(&frames, swing_rates[1]));
  return NULL;
}

static void substep_form(const mo_constraint *c, mo_substep_joint *joint) {
  (void)c;
  joint->point = MO_SUBSTEP_POINT_BALL;
  joint->angle = MO_SUBSTEP_ANGLE_HINGE;
}

const mo_constraint_class mo_hinge_class = {.name = "hinge",
                                            .has_axes = true,
                                            .coordinate_count = 1,
                                            .coordinate_kinds = {MO_COORDINATE_ANGLE},
                                            .dimension = 5,
                                            .makes_rows = true,
                                            .evaluate = evaluate,
                                            .jacobian = jacobian,
                                            .coordinates = coordinates,
                                            .substep_form = substep_form,
                                            .substep_coordinate_count = 1,
                                            .substep_kinds = {MO_SUBSTEP_TURN},
                                            .drawing = MO_DRAW_ANCHORS | MO_DRAW_AXES};
