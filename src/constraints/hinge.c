/// A hinge: both anchors are at one point, both axes have one direction, and limits bound the
/// angle.
#include "constraints/constraint_class.h"
#include "constraints/constraint_table.h"
#include "constraints/joint_rotation.h"

static double coordinate(const mo_constraint *c, const mo_constraint_place *at) {
  mo_joint_frames frames = mo_joint_frames_at(c, at);
  mo_vec3 rate;
  return mo_hinge_angle(frames.relative, c->last_coordinate, &rate);
}

static mo_constraint_failure evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_joint_frames frames = mo_joint_frames_at(c, at);
  mo_vec3 swing_rates[2], rate;
  out = mo_put_point(&anchors, out);
  mo_swing_error(frames.relative, out, swing_rates);
  mo_put_limits(c, mo_hinge_angle(frames.relative, c->last_coordinate, &rate), out + 2);
  return NULL;
}

static mo_constraint_failure jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_joint_frames frames = mo_joint_frames_at(c, at);
  double swing[2];
  mo_vec3 swing_rates[2], rate;
  mo_swing_error(frames.relative, swing, swing_rates);
  mo_twist_angle(frames.relative, &rate);
  out = mo_put_point_rows(&anchors, out);
  out = mo_put_row(out, 1.0, mo_angular_row(&frames, swing_rates[0]));
  out = mo_put_row(out, 1.0, mo_angular_row(&frames, swing_rates[1]));
  mo_put_limit_rows(c, mo_angular_row(&frames, rate), out);
  return NULL;
}

static void substep_form(const mo_constraint *c, mo_substep_joint *joint) {
  (void)c;
  joint->point = MO_SUBSTEP_POINT_BALL;
  joint->angle = MO_SUBSTEP_ANGLE_HINGE;
}

const mo_constraint_class mo_hinge_class = {.name = "hinge",
                                            .has_axes = true,
                                            .limits = MO_COORDINATE_ANGLE,
                                            .dimension = 5,
                                            .makes_rows = true,
                                            .evaluate = evaluate,
                                            .jacobian = jacobian,
                                            .coordinate = coordinate,
                                            .substep_form = substep_form,
                                            .drawing = MO_DRAW_ANCHORS | MO_DRAW_AXES};
