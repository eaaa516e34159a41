#include "constraints/substep_joint_form.h"

#include "constraints/constraint_class.h"
#include "constraints/drives.h"

uint32_t mo_constraint_substep_coordinates(const mo_constraint *c) {
  return mo_constraint_is_driven(c) ? c->class->substep_coordinate_count : 0;
}

// Whether all coordinates that have limits or drives are such that soft-step has a form for them.
static bool has_coordinates_of_form(const mo_constraint *c) {
  for (uint32_t row = c->base_dimension; row < c->dimension; row++) {
    if (mo_drive_at(c, row - c->base_dimension).coordinate >= c->class->substep_coordinate_count) {
      return false;
    }
  }
  return true;
}

bool mo_constraint_has_substep_form(const mo_constraint *c) {
  return c->class->substep_form && !c->has_stabilization && c->compliance == 0.0 &&
         (!c->class->has_form || c->class->has_form(c)) && has_coordinates_of_form(c);
}

// --- impulses --------------------------------------------------------------------------------

// A rod: a distance between equal limits. Soft-step has its impulse with a sign, a constraint with
// limits has it as two rows.
static bool is_rod(const mo_constraint *c, const mo_substep_joint *joint) {
  return joint->point == MO_SUBSTEP_POINT_DISTANCE && c->base_dimension == 0 &&
         c->coordinates[0].drive.lower == c->coordinates[0].drive.upper && c->dimension == 2;
}

static const double *get(const double *from, double *to, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    to[i] = from[i];
  }
  return from + count;
}

// Where the impulse of a row is in a coordinate for soft-step.
static int impulse_place(mo_drive_role role) {
  static const int places[MO_DRIVE_ROLES] = {
      [MO_DRIVE_LOWER] = MO_SUBSTEP_LOWER_IMPULSE,
      [MO_DRIVE_UPPER] = MO_SUBSTEP_UPPER_IMPULSE,
      [MO_DRIVE_SPRING] = MO_SUBSTEP_DRIVE_IMPULSE + MO_SUBSTEP_SPRING,
      [MO_DRIVE_MOTOR] = MO_SUBSTEP_DRIVE_IMPULSE + MO_SUBSTEP_MOTOR,
      [MO_DRIVE_FRICTION] = MO_SUBSTEP_DRIVE_IMPULSE + MO_SUBSTEP_FRICTION};
  return places[role];
}

// Reads the impulses of a joint's coordinates from the rows `from` of its constraint.
static void get_coordinates(const mo_constraint *c, const double *from, mo_substep_joint *joint,
                            mo_substep_coordinate *coordinates) {
  if (is_rod(c, joint)) {
    joint->start_impulses[MO_SUBSTEP_POINT_IMPULSE] = from[0] - from[1];
    return;
  }
  for (uint32_t i = 0; i < joint->coordinate_count; i++) {
    for (int role = 0; c->roles[i] >> role; role++) {
      if (mo_drive_has(c, i, (mo_drive_role)role)) {
        coordinates[i].start_impulses[impulse_place((mo_drive_role)role)] = *from++;
      }
    }
  }
}

static void put_coordinates(const mo_constraint *c, const mo_substep_joint *joint,
                            const mo_substep_coordinate *coordinates, double *to) {
  if (is_rod(c, joint)) {
    to[0] = mo_max(joint->impulses[MO_SUBSTEP_POINT_IMPULSE], 0.0);
    to[1] = mo_max(-joint->impulses[MO_SUBSTEP_POINT_IMPULSE], 0.0);
    return;
  }
  for (uint32_t i = 0; i < joint->coordinate_count; i++) {
    for (int role = 0; c->roles[i] >> role; role++) {
      if (mo_drive_has(c, i, (mo_drive_role)role)) {
        *to++ = coordinates[i].impulses[impulse_place((mo_drive_role)role)];
      }
    }
  }
}

// The number of rows of a constraint for its point and for its angles. A distance with limits or
// drives has only their rows.
static uint32_t point_rows(const mo_constraint *c, mo_substep_point_lock lock) {
  switch (lock) {
  case MO_SUBSTEP_POINT_FREE:
    return 0;
  case MO_SUBSTEP_POINT_BALL:
    return 3;
  case MO_SUBSTEP_POINT_LINE:
    return 2;
  case MO_SUBSTEP_POINT_DISTANCE:
    return c->base_dimension;
  }
  return 0;
}

static uint32_t angle_rows(mo_substep_angle_lock lock) {
  return lock == MO_SUBSTEP_ANGLE_FREE ? 0 : lock == MO_SUBSTEP_ANGLE_HINGE ? 2 : 3;
}

// --- the form --------------------------------------------------------------------------------

// The impulses from which the joint starts if soft-step has not solved it before: those of the
// rows.
static void start_from_rows(const mo_constraint *c, mo_quat orientation_a, mo_substep_joint *joint,
                            mo_substep_coordinate *coordinates) {
  double *angle = joint->start_impulses + MO_SUBSTEP_ANGLE_IMPULSE;
  const double *from = get(c->impulses, joint->start_impulses, point_rows(c, joint->point));
  from = get(from, angle, angle_rows(joint->angle));
  if (joint->angle == MO_SUBSTEP_ANGLE_FIXED) {
    mo_quat frame = mo_quat_mul(orientation_a, c->frame_a);
    mo_put_vec3(angle, 1.0, mo_quat_rotate(frame, mo_get_vec3(angle)));
  }
  get_coordinates(c, from, joint, coordinates);
}

static mo_substep_drive drive_of(const mo_constraint *c, uint32_t i, mo_drive_role role,
                                 const mo_drive_moment *now) {
  if (!mo_drive_has(c, i, role)) {
    return (mo_substep_drive){0};
  }
  mo_drive_law law = mo_drive_law_of(&c->coordinates[i], role, now);
  return (mo_substep_drive){.max_force = law.max_force,
                            .is_rigid = law.is_rigid,
                            .arrives = law.arrives,
                            .speed = law.speed,
                            .rest = law.rest,
                            .stiffness = law.stiffness,
                            .damping = law.damping};
}

// Only a motor that arrives asks for more than the value of its coordinate.
static void find_moments(const mo_constraint *c, const mo_constraint_place *at,
                         const mo_row_body bodies[MO_ROW_SIDES],
                         const mo_constraint_settings *settings, mo_drive_moment *out) {
  mo_coordinate coordinates[MO_CONSTRAINT_COORDINATES];
  bool arrives = mo_constraint_arrives(c);
  if (arrives) {
    mo_constraint_coordinates(c, at, coordinates);
  }
  for (uint32_t i = 0; i < c->class->coordinate_count; i++) {
    double value = c->last_values[i];
    out[i] = arrives
                 ? mo_drive_moment_of(c, at, i, value, coordinates[i].jacobian, bodies, settings)
                 : (mo_drive_moment){.value = value, .dt = settings->dt};
  }
}

void mo_constraint_refresh_drives(const mo_constraint *c, const mo_constraint_place *at,
                                  const mo_row_body bodies[MO_ROW_SIDES],
                                  const mo_constraint_settings *settings,
                                  mo_substep_coordinate *coordinates) {
  mo_drive_moment moments[MO_CONSTRAINT_COORDINATES];
  find_moments(c, at, bodies, settings, moments);
  for (uint32_t i = 0; i < mo_constraint_substep_coordinates(c); i++) {
    coordinates[i].drives[MO_SUBSTEP_SPRING] = drive_of(c, i, MO_DRIVE_SPRING, &moments[i]);
    coordinates[i].drives[MO_SUBSTEP_MOTOR] = drive_of(c, i, MO_DRIVE_MOTOR, &moments[i]);
    coordinates[i].drives[MO_SUBSTEP_FRICTION] = drive_of(c, i, MO_DRIVE_FRICTION, &moments[i]);
  }
}

static uint32_t make_coordinates(const mo_constraint *c, const mo_constraint_place *at,
                                 const mo_row_body bodies[MO_ROW_SIDES],
                                 const mo_constraint_settings *settings,
                                 mo_substep_coordinate *coordinates) {
  uint32_t count = mo_constraint_substep_coordinates(c);
  for (uint32_t i = 0; i < count; i++) {
    coordinates[i] = (mo_substep_coordinate){.kind = c->class->substep_kinds[i],
                                             .lower = c->coordinates[i].drive.lower,
                                             .upper = c->coordinates[i].drive.upper,
                                             .value = c->last_values[i]};
  }
  mo_constraint_refresh_drives(c, at, bodies, settings, coordinates);
  return count;
}

mo_substep_joint mo_constraint_substep_joint(const mo_constraint *c, const mo_constraint_place *at,
                                             const mo_row_body bodies[MO_ROW_SIDES],
                                             const mo_constraint_settings *settings,
                                             mo_vec3 center_a, mo_vec3 center_b,
                                             mo_substep_coordinate *coordinates) {
  mo_substep_joint joint = {.slot_a = c->slot_a,
                            .slot_b = c->slot_b,
                            .is_new = !c->has_substep_impulses && !c->is_active,
                            .arm_a = mo_sub(c->anchor_a, center_a),
                            .arm_b = mo_sub(c->anchor_b, center_b),
                            .frame_a = c->frame_a,
                            .frame_b = c->frame_b};
  c->class->substep_form(c, &joint);
  if (!is_rod(c, &joint)) {
    joint.coordinate_count = make_coordinates(c, at, bodies, settings, coordinates);
  }
  if (!c->has_substep_impulses) {
    start_from_rows(c, at->a.orientation, &joint, coordinates);
    return joint;
  }
  const double *from = get(c->substep_impulses, joint.start_impulses, MO_SUBSTEP_LOCK_IMPULSES);
  const double *steady = get(c->steady_impulses, joint.steady_impulses, MO_SUBSTEP_LOCK_IMPULSES);
  for (uint32_t i = 0; i < joint.coordinate_count; i++) {
    from = get(from, coordinates[i].start_impulses, MO_SUBSTEP_COORDINATE_IMPULSES);
    steady = get(steady, coordinates[i].steady_impulses, MO_SUBSTEP_STEADY_LIMITS);
  }
  return joint;
}

// The same of a ball that has no more than its point.
static void take_point_impulses(mo_constraint *c, const mo_substep_joint *joint) {
  mo_put_vec3(c->impulses, 1.0, mo_get_vec3(joint->impulses));
  mo_put_vec3(c->substep_impulses, 1.0, mo_get_vec3(joint->start_impulses));
  mo_put_vec3(c->steady_impulses, 1.0, mo_get_vec3(joint->steady_impulses));
  c->has_substep_impulses = true;
  c->is_active = true;
}

void mo_constraint_take_substep_impulses(mo_constraint *c, const mo_substep_joint *joint,
                                         const mo_substep_coordinate *coordinates,
                                         const mo_quat *orientation_a) {
  if (mo_substep_joint_is_ball(joint)) {
    take_point_impulses(c, joint);
    return;
  }
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
  put_coordinates(c, joint, coordinates, c->impulses + points + angles);
  get(joint->start_impulses, c->substep_impulses, MO_SUBSTEP_LOCK_IMPULSES);
  get(joint->steady_impulses, c->steady_impulses, MO_SUBSTEP_LOCK_IMPULSES);
  double *to = c->substep_impulses + MO_SUBSTEP_LOCK_IMPULSES;
  double *steady = c->steady_impulses + MO_SUBSTEP_LOCK_IMPULSES;
  for (uint32_t i = 0; i < joint->coordinate_count; i++) {
    get(coordinates[i].start_impulses, to, MO_SUBSTEP_COORDINATE_IMPULSES);
    get(coordinates[i].steady_impulses, steady, MO_SUBSTEP_STEADY_LIMITS);
    to += MO_SUBSTEP_COORDINATE_IMPULSES;
    steady += MO_SUBSTEP_STEADY_LIMITS;
  }
  c->has_substep_impulses = true;
  c->is_active = true;
}
