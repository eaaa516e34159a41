/// A fixed joint: both anchors are at one point, and both frames have one orientation.
#include "constraints/constraint_class.h"
#include "constraints/constraint_table.h"

static mo_constraint_failure evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_joint_frames frames = mo_joint_frames_at(c, at);
  mo_put_rotation(&frames, mo_put_point(&anchors, out));
  return NULL;
}

static mo_constraint_failure jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_joint_frames frames = mo_joint_frames_at(c, at);
  mo_put_rotation_rows(&frames, mo_put_point_rows(&anchors, out));
  return NULL;
}

static void substep_form(const mo_constraint *c, mo_substep_joint *joint) {
  (void)c;
  joint->point = MO_SUBSTEP_POINT_BALL;
  joint->angle = MO_SUBSTEP_ANGLE_FIXED;
}

const mo_constraint_class mo_fixed_class = {.name = "fixed",
                                            .dimension = 6,
                                            .makes_rows = true,
                                            .evaluate = evaluate,
                                            .jacobian = jacobian,
                                            .substep_form = substep_form,
                                            .drawing = MO_DRAW_ANCHORS | MO_DRAW_FRAMES};
