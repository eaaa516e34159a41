#include "constraints/substep_joint_form.h"

#include "constraints/constraint_class.h"

bool mo_constraint_has_substep_form(const mo_constraint *c) {
  return c->class->substep_form && !c->has_stabilization && c->compliance == 0.0;
}

// --- impulses --------------------------------------------------------------------------------

// A rod. Soft-step has its impulse with a sign, a constraint with limits has it as two rows.
static bool is_rod(const mo_constraint *c, const mo_substep_joint *joint) {
  return joint->point == MO_SUBSTEP_POINT_DISTANCE && c->lower == c->upper;
}

static const double *get(const double *from, double *to, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    to[i] = from[i];
  }
  return from + count;
}

// Reads the limits' impulses of a joint from the rows `from` of its constraint.
static void get_limits(const mo_constraint *c, const double *from, mo_substep_joint *joint,
                       mo_substep_coordinate *coordinate) {
  double lower = 0.0, upper = 0.0;
  if (c->lower > -INFINITY) {
    lower = *from++;
  }
  if (c->upper < INFINITY) {
    upper = *from;
  }
  if (is_rod(c, joint)) {
    joint->start_impulses[MO_SUBSTEP_POINT_IMPULSE] = lower - upper;
  } else if (joint->coordinate_count > 0) {
    coordinate->start_impulses[MO_SUBSTEP_LOWER_IMPULSE] = lower;
    coordinate->start_impulses[MO_SUBSTEP_UPPER_IMPULSE] = upper;
  }
}

static void put_limits(const mo_constraint *c, const mo_substep_joint *joint,
                       const mo_substep_coordinate *coordinate, double *to) {
  double lower = 0.0, upper = 0.0;
  if (is_rod(c, joint)) {
    lower = mo_max(joint->impulses[MO_SUBSTEP_POINT_IMPULSE], 0.0);
    upper = mo_max(-joint->impulses[MO_SUBSTEP_POINT_IMPULSE], 0.0);
  } else if (joint->coordinate_count > 0) {
    lower = coordinate->impulses[MO_SUBSTEP_LOWER_IMPULSE];
    upper = coordinate->impulses[MO_SUBSTEP_UPPER_IMPULSE];
  }
  if (c->lower > -INFINITY) {
    *to++ = lower;
  }
  if (c->upper < INFINITY) {
    *to = upper;
  }
}

// The number of rows of a constraint for its point and for its angles. A distance with limits has
// only the rows of the limits.
static uint32_t point_rows(const mo_constraint *c, mo_substep_point_lock lock) {
  switch (lock) {
  case MO_SUBSTEP_POINT_FREE:
    return 0;
  case MO_SUBSTEP_POINT_BALL:
    return 3;
  case MO_SUBSTEP_POINT_LINE:
    return 2;
  case MO_SUBSTEP_POINT_DISTANCE:
    return mo_limit_count(c) > 0 ? 0 : 1;
  }
  return 0;
}

static uint32_t angle_rows(mo_substep_angle_lock lock) {
  return lock == MO_SUBSTEP_ANGLE_FREE ? 0 : lock == MO_SUBSTEP_ANGLE_HINGE ? 2 : 3;
}

// --- the form --------------------------------------------------------------------------------

static mo_substep_coordinate_kind kind_of(const mo_constraint *c, const mo_substep_joint *joint) {
  if (joint->point == MO_SUBSTEP_POINT_DISTANCE) {
    return MO_SUBSTEP_LENGTH;
  }
  return c->class->limits == MO_COORDINATE_ANGLE ? MO_SUBSTEP_TURN : MO_SUBSTEP_TRAVEL;
}

// The impulses from which the joint starts if soft-step has not solved it before: those of the
// rows.
static void start_from_rows(const mo_constraint *c, mo_quat orientation_a, mo_substep_joint *joint,
                            mo_substep_coordinate *coordinate) {
  double *angle = joint->start_impulses + MO_SUBSTEP_ANGLE_IMPULSE;
  const double *from = get(c->impulses, joint->start_impulses, point_rows(c, joint->point));
  from = get(from, angle, angle_rows(joint->angle));
  if (joint->angle == MO_SUBSTEP_ANGLE_FIXED) {
    mo_quat frame = mo_quat_mul(orientation_a, c->frame_a);
    mo_put_vec3(angle, 1.0, mo_quat_rotate(frame, mo_get_vec3(angle)));
  }
  get_limits(c, from, joint, coordinate);
}

mo_substep_joint mo_constraint_substep_joint(const mo_constraint *c, mo_quat orientation_a,
                                             mo_vec3 center_a, mo_vec3 center_b,
                                             mo_substep_coordinate *coordinates) {
  mo_substep_joint joint = {.slot_a = c->slot_a,
                            .slot_b = c->slot_b,
                            .arm_a = mo_sub(c->anchor_a, center_a),
                            .arm_b = mo_sub(c->anchor_b, center_b),
                            .frame_a = c->frame_a,
                            .frame_b = c->frame_b};
  c->class->substep_form(c, &joint);
  if (mo_limit_count(c) > 0 && !is_rod(c, &joint)) {
    joint.coordinate_count = 1;
    *coordinates = (mo_substep_coordinate){.kind = kind_of(c, &joint),
                                           .lower = c->lower,
                                           .upper = c->upper,
                                           .value = c->last_coordinate};
  }
  if (!c->has_substep_impulses) {
    start_from_rows(c, orientation_a, &joint, coordinates);
    return joint;
  }
  const double *from = get(c->substep_impulses, joint.start_impulses, MO_SUBSTEP_LOCK_IMPULSES);
  const double *steady = get(c->steady_impulses, joint.steady_impulses, MO_SUBSTEP_LOCK_IMPULSES);
  if (joint.coordinate_count > 0) {
    get(from, &coordinates->start_impulses[MO_SUBSTEP_LOWER_IMPULSE], 2);
    get(steady, coordinates->steady_impulses, MO_SUBSTEP_STEADY_LIMITS);
  }
  return joint;
}

void mo_constraint_take_substep_impulses(mo_constraint *c, const mo_substep_joint *joint,
                                         const mo_substep_coordinate *coordinates,
                                         const mo_quat *orientation_a) {
  const double *angle = joint->impulses + MO_SUBSTEP_ANGLE_IMPULSE;
  double turned[3];
  if (joint->angle == MO_SUBSTEP_ANGLE_FIXED) {
    mo_quat frame = mo_quat_mul(*orientation_a, c->frame_a);
    mo_put_vec3(turned, 1.0, mo_quat_rotate_inverse(frame, mo_get_vec3(angle)));
    angle = turned;
  }
  uint32_t points = point_rows(c, joint->point), angles = angle_rows(joint->angle);
  get(joint->impulses, c->impulses, points);
  get(angle, c->impulses + points, angles);
  put_limits(c, joint, coordinates, c->impulses + points + angles);
  get(joint->start_impulses, c->substep_impulses, MO_SUBSTEP_LOCK_IMPULSES);
  get(joint->steady_impulses, c->steady_impulses, MO_SUBSTEP_LOCK_IMPULSES);
  if (joint->coordinate_count > 0) {
    get(&coordinates->start_impulses[MO_SUBSTEP_LOWER_IMPULSE],
        c->substep_impulses + MO_SUBSTEP_LOCK_IMPULSES, 2);
    get(coordinates->steady_impulses, c->steady_impulses + MO_SUBSTEP_LOCK_IMPULSES,
        MO_SUBSTEP_STEADY_LIMITS);
  }
  c->has_substep_impulses = true;
  c->is_active = true;
}
