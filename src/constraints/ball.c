/// A ball joint: both anchors are at one point. Its coordinates are those of swing and twist: the
/// angle between the axes of A and B, and the angle by which B is turned about the axis of A before
/// the axes are swung apart the short way.
#include "constraints/constraint_class.h"
#include "constraints/constraint_table.h"
#include "constraints/joint_rotation.h"

static void coordinates(const mo_constraint *c, const mo_constraint_place *at, mo_coordinate *out) {
  mo_joint_frames frames = mo_joint_frames_at(c, at);
  mo_vec3 swing_rates[2], twist_rate;
  double swing[2];
  mo_swing_error(frames.relative, swing, swing_rates);
  double angle = mo_length(mo_v3(0.0, swing[0], swing[1]));
  // Axes in one direction may part in any.
  mo_vec3 turn =
      angle > 0.0 ? mo_v3(0.0, swing[0] / angle, swing[1] / angle) : mo_v3(0.0, 1.0, 0.0);
  mo_set_coordinate(&out[0], angle, mo_angular_row(&frames, turn));
  double twist = mo_hinge_angle(frames.relative, c->last_values[1], &twist_rate);
  mo_set_coordinate(&out[1], twist, mo_angular_row(&frames, twist_rate));
}

static mo_constraint_failure evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_put_point(&anchors, out);
  return NULL;
}

static mo_constraint_failure jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_put_point_rows(&anchors, out);
  return NULL;
}

static void substep_form(const mo_constraint *c, mo_substep_joint *joint) {
  (void)c;
  joint->point = MO_SUBSTEP_POINT_BALL;
}

// rad: the axis about which a swing turns goes round as fast as the swing is narrow, faster than
// substeps can follow in a narrower cone, which is solved by its rows.
#define LEAST_CONE 0.05

static bool has_form(const mo_constraint *c) {
  return !mo_constraint_is_driven(c) || (c->coordinates[0].drive.lower == -INFINITY &&
                                         c->coordinates[0].drive.upper >= LEAST_CONE);
}

const mo_constraint_class mo_ball_class = {
    .name = "ball",
    .has_axes = true,
    .coordinate_count = 2,
    .coordinate_kinds = {MO_COORDINATE_ANGLE, MO_COORDINATE_ANGLE},
    .coordinates = coordinates,
    .follows_if_driven = true,
    .dimension = 3,
    .makes_rows = true,
    .evaluate = evaluate,
    .jacobian = jacobian,
    .turns_rows = true,
    .substep_form = substep_form,
    .has_form = has_form,
    .substep_coordinate_count = 2,
    .substep_kinds = {MO_SUBSTEP_SWING, MO_SUBSTEP_TWIST},
    .drawing = MO_DRAW_ANCHORS | MO_DRAW_CONE};
