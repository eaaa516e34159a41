/// A joint of six degrees of freedom: each of the translations of B's anchor along the axes of A's
/// frame, and each of the turns about them, is locked, free, or has limits and drives.
///
/// Turns are split as swing and twist, so that those joints that have a name have the same rows
/// here. One axis is the main one: the only one that may turn (a hinge), the only locked one (which
/// then does not twist), or x. About it the twist is measured, with its full turns; about the
/// others the components of the rotation vector that swings it, up to pi.
#include "constraints/constraint_class.h"
#include "constraints/constraint_table.h"
#include "constraints/joint_rotation.h"

#define TURNS 3 // the first coordinate that is an angle

static bool is_locked(const mo_constraint *c, int coordinate) {
  return c->coordinates[coordinate].drive.locked;
}

static int locked_count(const mo_constraint *c, int first) {
  return is_locked(c, first) + is_locked(c, first + 1) + is_locked(c, first + 2);
}

// Of three axes the one that differs from the other two in whether it is locked; else x.
static int odd_axis(const mo_constraint *c, int first) {
  int count = locked_count(c, first);
  for (int i = 0; i < 3; i++) {
    if ((count == 1 && is_locked(c, first + i)) || (count == 2 && !is_locked(c, first + i))) {
      return i;
    }
  }
  return 0;
}

static uint32_t own_rows(const mo_constraint *c) {
  return (uint32_t)(locked_count(c, 0) + locked_count(c, TURNS));
}

// --- coordinates -----------------------------------------------------------------------------

static double component(mo_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static mo_vec3 unit(int axis) { return mo_v3(axis == 0, axis == 1, axis == 2); }

// A vector whose components along the axes main, main + 1, main + 2 are those of `v`.
static mo_vec3 turned_axes(mo_vec3 v, int main) {
  return mo_v3(component(v, (3 - main) % 3), component(v, (4 - main) % 3),
               component(v, (5 - main) % 3));
}

// The turns about x, y and z, and their rates in A's frame.
static void turns_of(const mo_constraint *c, const mo_joint_frames *frames, double values[3],
                     mo_vec3 rates[3]) {
  int main = odd_axis(c, TURNS);
  mo_vec3 v = {frames->relative.x, frames->relative.y, frames->relative.z};
  mo_quat q = {component(v, main), component(v, (main + 1) % 3), component(v, (main + 2) % 3),
               frames->relative.w};
  double swing[2];
  mo_vec3 twist_rate, swing_rates[2];
  values[main] = mo_hinge_angle(q, c->last_values[TURNS + main], &twist_rate);
  mo_swing_error(q, swing, swing_rates);
  rates[main] = turned_axes(twist_rate, main);
  for (int i = 0; i < 2; i++) {
    int axis = (main + 1 + i) % 3;
    values[axis] = swing[i];
    rates[axis] = turned_axes(swing_rates[i], main);
  }
}

static void coordinates(const mo_constraint *c, const mo_constraint_place *at, mo_coordinate *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_joint_frames frames = mo_joint_frames_at(c, at);
  double values[3];
  mo_vec3 rates[3];
  turns_of(c, &frames, values, rates);
  for (int i = 0; i < 3; i++) {
    mo_vec3 axis = mo_quat_rotate(frames.a, unit(i));
    mo_set_coordinate(&out[i], mo_dot(anchors.offset, axis), mo_offset_row(&anchors, axis, true));
    mo_set_coordinate(&out[TURNS + i], values[i], mo_angular_row(&frames, rates[i]));
  }
}

// --- rows of the locks -----------------------------------------------------------------------
//
// They are ordered from the axis after the odd one on, as soft-step has them.

// Writes the locked of three coordinates, or of their rows.
static double *put_locked(const mo_constraint *c, const mo_coordinate *all, int first, bool rows,
                          double *out) {
  int odd = odd_axis(c, first);
  for (int k = 1; k <= 3; k++) {
    int i = first + (odd + k) % 3;
    if (!is_locked(c, i)) {
      continue;
    }
    for (int j = 0; rows && j < MO_JACOBIAN_COLUMNS; j++) {
      *out++ = all[i].jacobian[j];
    }
    if (!rows) {
      *out++ = all[i].value;
    }
  }
  return out;
}

// Where all three are locked, they have the rows of a ball joint and of a fixed one.
static mo_constraint_failure evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_coordinate all[MO_CONSTRAINT_COORDINATES];
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_joint_frames frames = mo_joint_frames_at(c, at);
  coordinates(c, at, all);
  out = locked_count(c, 0) == 3 ? mo_put_point(&anchors, out) : put_locked(c, all, 0, false, out);
  if (locked_count(c, TURNS) == 3) {
    mo_put_rotation(&frames, out);
  } else {
    put_locked(c, all, TURNS, false, out);
  }
  return NULL;
}

static mo_constraint_failure jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_coordinate all[MO_CONSTRAINT_COORDINATES];
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_joint_frames frames = mo_joint_frames_at(c, at);
  coordinates(c, at, all);
  out =
      locked_count(c, 0) == 3 ? mo_put_point_rows(&anchors, out) : put_locked(c, all, 0, true, out);
  if (locked_count(c, TURNS) == 3) {
    mo_put_rotation_rows(&frames, out);
  } else {
    put_locked(c, all, TURNS, true, out);
  }
  return NULL;
}

// --- soft-step -------------------------------------------------------------------------------

// The axis of the form: that along which the point may move, and about which B may turn.
static int form_axis(const mo_constraint *c) {
  return locked_count(c, 0) == 2 ? odd_axis(c, 0) : odd_axis(c, TURNS);
}

// Soft-step has forms for points that are held or free to move along one axis, and for frames that
// are held or free to turn about the same one.
static bool has_form(const mo_constraint *c) {
  int points = locked_count(c, 0), turns = locked_count(c, TURNS);
  bool is_form = points != 1 && turns != 1;
  return is_form && (points != 2 || turns != 2 || odd_axis(c, 0) == odd_axis(c, TURNS));
}

static void substep_form(const mo_constraint *c, mo_substep_joint *joint) {
  static const mo_substep_point_lock points[4] = {MO_SUBSTEP_POINT_FREE, MO_SUBSTEP_POINT_FREE,
                                                  MO_SUBSTEP_POINT_LINE, MO_SUBSTEP_POINT_BALL};
  static const mo_substep_angle_lock angles[4] = {MO_SUBSTEP_ANGLE_FREE, MO_SUBSTEP_ANGLE_FREE,
                                                  MO_SUBSTEP_ANGLE_HINGE, MO_SUBSTEP_ANGLE_FIXED};
  static const mo_quat axes[3] = {{0.0, 0.0, 0.0, 1.0},
                                  {0.5, 0.5, 0.5, 0.5}, // x to y, y to z, z to x
                                  {-0.5, -0.5, -0.5, 0.5}};
  joint->point = points[locked_count(c, 0)];
  joint->angle = angles[locked_count(c, TURNS)];
  joint->frame_a = mo_quat_mul(c->frame_a, axes[form_axis(c)]);
  joint->frame_b = mo_quat_mul(c->frame_b, axes[form_axis(c)]);
}

const mo_constraint_class mo_six_dof_class = {
    .name = "sixDof",
    .coordinate_count = 6,
    .coordinate_kinds = {MO_COORDINATE_LENGTH, MO_COORDINATE_LENGTH, MO_COORDINATE_LENGTH,
                         MO_COORDINATE_ANGLE, MO_COORDINATE_ANGLE, MO_COORDINATE_ANGLE},
    .may_lock = true,
    .own_rows = own_rows,
    .dimension = 6,
    .makes_rows = true,
    .evaluate = evaluate,
    .jacobian = jacobian,
    .turns_rows = true,
    .coordinates = coordinates,
    .has_form = has_form,
    .substep_form = substep_form,
    .drawing = MO_DRAW_ANCHORS | MO_DRAW_FRAMES};
