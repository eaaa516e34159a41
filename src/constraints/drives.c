#include "constraints/drives.h"

#include "constraints/arrival.h"
#include "constraints/constraint_class.h"
#include "constraints/effective_mass.h"

mo_coordinate_drive mo_coordinate_drive_default(void) {
  return (mo_coordinate_drive){
      .lower = -INFINITY, .upper = INFINITY, .spring_rest = (double)NAN, .max_force = INFINITY};
}

// --- springs ---------------------------------------------------------------------------------

bool mo_spring_is_elastic(const mo_spring *spring) {
  return spring->hertz > 0.0 || spring->stiffness > 0.0 || spring->damping_coefficient > 0.0;
}

double mo_spring_stiffness(const mo_spring *spring, double mass) {
  double omega = 2.0 * MO_PI * spring->hertz;
  return spring->hertz > 0.0 ? mass * omega * omega : spring->stiffness;
}

double mo_spring_damping(const mo_spring *spring, double mass) {
  return spring->damping_coefficient > 0.0
             ? spring->damping_coefficient
             : 2.0 * spring->damping * sqrt(mass * mo_spring_stiffness(spring, mass));
}

// --- rows ------------------------------------------------------------------------------------

uint8_t mo_drive_roles(const mo_coordinate_drive *drive) {
  const bool has[MO_DRIVE_ROLES] = {
      [MO_DRIVE_LOWER] = drive->lower > -INFINITY,
      [MO_DRIVE_UPPER] =
          drive->upper<INFINITY, [MO_DRIVE_SPRING] = mo_spring_is_elastic(&drive->spring),
                       [MO_DRIVE_MOTOR] = drive->motor != MO_MOTOR_NONE,
                       [MO_DRIVE_FRICTION] = drive->friction> 0.0};
  uint8_t roles = 0;
  for (int role = 0; role < MO_DRIVE_ROLES && !drive->locked; role++) {
    roles = (uint8_t)(roles | has[role] << role);
  }
  return roles;
}

uint32_t mo_drive_row_count(const mo_constraint *c) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->class->coordinate_count; i++) {
    for (int role = 0; role < MO_DRIVE_ROLES; role++) {
      count += mo_drive_has(c, i, (mo_drive_role)role);
    }
  }
  return count;
}

mo_drive_place mo_drive_at(const mo_constraint *c, uint32_t row) {
  for (uint32_t i = 0; i < c->class->coordinate_count; i++) {
    for (int role = 0; role < MO_DRIVE_ROLES; role++) {
      if (mo_drive_has(c, i, (mo_drive_role)role) && row-- == 0) {
        return (mo_drive_place){i, (mo_drive_role)role};
      }
    }
  }
  return (mo_drive_place){0, MO_DRIVE_ROLES};
}

void mo_drives_set_bounds(mo_constraint *c) {
  for (uint32_t row = c->base_dimension; row < c->dimension; row++) {
    mo_drive_place place = mo_drive_at(c, row - c->base_dimension);
    if (place.role == MO_DRIVE_LOWER || place.role == MO_DRIVE_UPPER) {
      c->bounds[row] = mo_row_bounds_unilateral();
      continue;
    }
    double most = mo_drive_law_of(&c->coordinates[place.coordinate], place.role,
                                  &(mo_drive_moment){.dt = 1.0})
                      .max_force;
    mo_row_bounds_box(-most, most, &c->bounds[row]);
  }
}

static double error_of(const mo_coordinate_drive *drive, mo_drive_role role, double value) {
  switch (role) {
  case MO_DRIVE_LOWER:
    return value - drive->lower;
  case MO_DRIVE_UPPER:
    return drive->upper - value;
  case MO_DRIVE_SPRING:
    return value - drive->spring_rest;
  case MO_DRIVE_MOTOR:
    return value - drive->target_position;
  case MO_DRIVE_FRICTION:
  case MO_DRIVE_ROLES:
    break;
  }
  return 0.0;
}

void mo_drives_evaluate(const mo_constraint *c, const mo_constraint_place *at, double *out) {
  mo_coordinate coordinates[MO_CONSTRAINT_COORDINATES];
  if (c->dimension == c->base_dimension) {
    return;
  }
  mo_constraint_coordinates(c, at, coordinates);
  for (uint32_t row = 0; row < c->dimension - c->base_dimension; row++) {
    mo_drive_place place = mo_drive_at(c, row);
    out[row] = error_of(&c->coordinates[place.coordinate].drive, place.role,
                        coordinates[place.coordinate].value);
  }
}

void mo_drives_jacobian(const mo_constraint *c, const mo_constraint_place *at, double *out) {
  mo_coordinate coordinates[MO_CONSTRAINT_COORDINATES];
  if (c->dimension == c->base_dimension) {
    return;
  }
  mo_constraint_coordinates(c, at, coordinates);
  uint32_t columns = mo_jacobian_columns(c);
  for (uint32_t row = 0; row < c->dimension - c->base_dimension; row++) {
    mo_drive_place place = mo_drive_at(c, row);
    double sign = place.role == MO_DRIVE_UPPER ? -1.0 : 1.0;
    for (uint32_t k = 0; k < columns; k++) {
      out[columns * row + k] = sign * coordinates[place.coordinate].jacobian[k];
    }
  }
}

// --- laws ------------------------------------------------------------------------------------

static bool is_arriving(const mo_coordinate_drive *drive) {
  return drive->motor == MO_MOTOR_POSITION && drive->max_force > 0.0 &&
         !mo_spring_is_elastic(&drive->gains);
}

// The mass to brake is that at the end of the step: two bodies that fold about a hinge are the
// harder to turn against each other the further they are unfolded. That it changes later is no
// matter, because what a force takes of the energy is the same.
static double mass_ahead(const mo_constraint *c, const mo_constraint_place *at, uint32_t coordinate,
                         const mo_row_body bodies[MO_ROW_SIDES], double dt) {
  mo_constraint_place ahead;
  mo_row_body bodies_ahead[MO_ROW_SIDES];
  mo_constraint_place_ahead(at, bodies, dt, &ahead, bodies_ahead);
  return mo_constraint_held_mass(c, &ahead, coordinate, bodies_ahead);
}

mo_drive_moment mo_drive_moment_of(const mo_constraint *c, const mo_constraint_place *at,
                                   uint32_t coordinate, double value, const double *row,
                                   const mo_row_body bodies[MO_ROW_SIDES],
                                   const mo_constraint_settings *settings) {
  const mo_coordinate_drive *drive = &c->coordinates[coordinate].drive;
  bool needs_mass = is_arriving(drive) && drive->max_force < INFINITY;
  double mass = needs_mass ? mass_ahead(c, at, coordinate, bodies, settings->dt) : 0.0;
  return (mo_drive_moment){.value = value,
                           .rate = mo_constraint_rate(c, at, row),
                           .mass = mass,
                           .dt = settings->dt,
                           .substeps = settings->substeps};
}

// The speed of a motor to a position without gains: it arrives at the end of the step, but from
// further away is no faster, relative to target_velocity, than max_force can brake before it is
// there. Else it would overshoot for ever. What it brakes is the mass with the joint's locks held:
// the body of a door turns much more easily about its own centre than about the hinge.
static double arriving_speed(const mo_coordinate_drive *drive, const mo_drive_moment *now) {
  double behind = drive->target_position - now->value - now->dt * drive->target_velocity;
  double sign = behind < 0.0 ? -1.0 : 1.0;
  mo_arrival arrival = {.way = fabs(behind),
                        .rate = sign * (now->rate - drive->target_velocity),
                        .deceleration = drive->max_force / now->mass,
                        .dt = now->dt,
                        .substeps = now->substeps};
  double speed = drive->target_velocity + sign * mo_arriving_speed(&arrival);
  return mo_is_finite(speed) ? speed : 0.0;
}

// A rigid motor asks for no speed with which its coordinate would be beyond a limit at the end of
// the step, and from beyond one it asks for the way back. So motor and limit, which are solved as
// two rows, are one problem in which the limit outranks the motor, whatever the force of the motor.
static double speed_within_limits(const mo_coordinate_drive *drive, const mo_drive_moment *now,
                                  double speed) {
  return now->dt > 0.0 ? mo_clamp(speed, (drive->lower - now->value) / now->dt,
                                  (drive->upper - now->value) / now->dt)
                       : speed;
}

static mo_drive_law motor_law(const mo_joint_coordinate *coordinate, const mo_drive_moment *now) {
  const mo_coordinate_drive *drive = &coordinate->drive;
  bool has_place = drive->motor == MO_MOTOR_POSITION;
  if (!has_place || !mo_spring_is_elastic(&drive->gains)) {
    double speed = has_place ? arriving_speed(drive, now) : drive->target_velocity;
    return (mo_drive_law){.is_rigid = true,
                          .arrives = has_place,
                          .speed = speed_within_limits(drive, now, speed),
                          .max_force = drive->max_force};
  }
  return (mo_drive_law){.rest = drive->target_position,
                        .speed = drive->target_velocity,
                        .stiffness = mo_spring_stiffness(&drive->gains, coordinate->mass),
                        .damping = mo_spring_damping(&drive->gains, coordinate->mass),
                        .max_force = drive->max_force};
}

mo_drive_law mo_drive_law_of(const mo_joint_coordinate *coordinate, mo_drive_role role,
                             const mo_drive_moment *now) {
  const mo_coordinate_drive *drive = &coordinate->drive;
  switch (role) {
  case MO_DRIVE_SPRING:
    return (mo_drive_law){.rest = drive->spring_rest,
                          .stiffness = mo_spring_stiffness(&drive->spring, coordinate->mass),
                          .damping = mo_spring_damping(&drive->spring, coordinate->mass),
                          .max_force = INFINITY};
  case MO_DRIVE_MOTOR:
    return motor_law(coordinate, now);
  case MO_DRIVE_FRICTION:
    return (mo_drive_law){.is_rigid = true, .max_force = drive->friction};
  case MO_DRIVE_LOWER:
  case MO_DRIVE_UPPER:
  case MO_DRIVE_ROLES:
    break;
  }
  return (mo_drive_law){0};
}

// With w the rate, the impulse of a spring by implicit Euler is
//   -dt (stiffness (C + dt w) + damping (w - speed)),
// which is w + bias + softening impulse = 0 with the values below.
void mo_drive_apply_law(const mo_constraint *c, uint32_t row, const mo_drive_moment *now,
                        mo_row *to, mo_row_block *block) {
  mo_drive_place place = mo_drive_at(c, row - c->base_dimension);
  const mo_joint_coordinate *coordinate = &c->coordinates[place.coordinate];
  double dt = now->dt;
  mo_drive_law law = mo_drive_law_of(coordinate, place.role, now);
  double firmness = law.damping + law.stiffness * dt;
  if (law.is_rigid) {
    to->bias = -law.speed;
  } else if (firmness > 0.0) {
    to->bias = (law.stiffness * to->gap - law.damping * law.speed) / firmness;
    to->softening = 1.0 / (dt * firmness);
  } else { // bodies that no force moves have no effective mass
    to->softening = 1.0;
  }
  to->plastic_bias = to->bias;
  block->lower = -law.max_force * dt;
  block->upper = law.max_force * dt;
  block->arrives = law.arrives;
  block->holds_position = false;
}

bool mo_constraint_arrives(const mo_constraint *c) {
  const mo_pose_motor *pose = &c->pose_motor;
  bool has_target = pose->has_position || pose->has_orientation;
  bool is_one = c->class->apply_law && has_target && !mo_spring_is_elastic(&pose->gains);
  for (uint32_t i = 0; i < c->class->coordinate_count; i++) {
    const mo_coordinate_drive *drive = &c->coordinates[i].drive;
    is_one = is_one || (mo_drive_has(c, i, MO_DRIVE_MOTOR) && is_arriving(drive));
  }
  return is_one;
}

bool mo_constraint_is_elastic(const mo_constraint *c) {
  bool is_one = c->class->apply_law && mo_spring_is_elastic(&c->pose_motor.gains);
  for (uint32_t i = 0; i < c->class->coordinate_count; i++) {
    const mo_coordinate_drive *drive = &c->coordinates[i].drive;
    is_one = is_one || mo_spring_is_elastic(&drive->spring) ||
             (drive->motor == MO_MOTOR_POSITION && mo_spring_is_elastic(&drive->gains));
  }
  return is_one;
}

double mo_drives_energy(const mo_constraint *c, const mo_constraint_place *at) {
  mo_coordinate coordinates[MO_CONSTRAINT_COORDINATES];
  double energy = 0.0;
  if (c->dimension == c->base_dimension) {
    return 0.0;
  }
  mo_constraint_coordinates(c, at, coordinates);
  for (uint32_t i = 0; i < c->class->coordinate_count; i++) {
    const mo_joint_coordinate *coordinate = &c->coordinates[i];
    double stretch = coordinates[i].value - coordinate->drive.spring_rest;
    if (mo_drive_has(c, i, MO_DRIVE_SPRING)) {
      energy += 0.5 * mo_spring_stiffness(&coordinate->drive.spring, coordinate->mass) * stretch *
                stretch;
    }
  }
  return energy;
}

// --- checks ----------------------------------------------------------------------------------

static bool is_above(double x, double least) { return x >= least && mo_is_finite(x); }

static mo_constraint_refusal check_spring(const mo_spring *spring, const char *const names[4]) {
  const double numbers[4] = {spring->hertz, spring->damping, spring->stiffness,
                             spring->damping_coefficient};
  for (int i = 0; i < 4; i++) {
    if (!is_above(numbers[i], 0.0)) {
      return (mo_constraint_refusal){names[i], "must be finite, 0 or more", numbers[i]};
    }
  }
  if (spring->hertz > 0.0 && spring->stiffness > 0.0) {
    return (mo_constraint_refusal){names[2], "must be 0 where hertz is given", spring->stiffness};
  }
  if (spring->damping > 0.0 && spring->damping_coefficient > 0.0) {
    return (mo_constraint_refusal){names[3], "must be 0 where the damping ratio is given",
                                   spring->damping_coefficient};
  }
  return (mo_constraint_refusal){0};
}

mo_constraint_refusal mo_spring_check(const mo_spring *gains) {
  static const char *const names[4] = {"gains.hertz", "gains.damping", "gains.stiffness",
                                       "gains.damping_coefficient"};
  return check_spring(gains, names);
}

static mo_constraint_refusal check_limits(const mo_coordinate_drive *drive,
                                          mo_coordinate_kind kind) {
  if (!(drive->lower < INFINITY && drive->lower <= drive->upper)) {
    return (mo_constraint_refusal){
        "lower",
        kind == MO_COORDINATE_ANGLE
            ? "must be an angle in rad and at most upper; one of both is not"
            : "must be a length in m and at most upper; one of both is not",
        drive->lower};
  }
  return drive->upper > -INFINITY
             ? (mo_constraint_refusal){0}
             : (mo_constraint_refusal){"upper", "must be more than -Infinity", drive->upper};
}

static mo_constraint_refusal check_motor(const mo_coordinate_drive *drive) {
  if ((unsigned)drive->motor > MO_MOTOR_POSITION) {
    return (mo_constraint_refusal){"motor", "must be one of mo_motor_mode", drive->motor};
  }
  if (!mo_is_finite(drive->target_velocity)) {
    return (mo_constraint_refusal){"target_velocity", "must be finite", drive->target_velocity};
  }
  if (!mo_is_finite(drive->target_position)) {
    return (mo_constraint_refusal){"target_position", "must be finite", drive->target_position};
  }
  if (!(drive->max_force >= 0.0)) {
    return (mo_constraint_refusal){"max_force", "must be 0 or more", drive->max_force};
  }
  return mo_spring_check(&drive->gains);
}

static bool is_idle(const mo_coordinate_drive *drive) {
  return drive->lower == -INFINITY && drive->upper == INFINITY &&
         !mo_spring_is_elastic(&drive->spring) && drive->motor == MO_MOTOR_NONE &&
         drive->friction == 0.0;
}

// A drive where the type has no coordinate.
static mo_constraint_refusal refuse_drive(const mo_coordinate_drive *drive) {
  static const char *const must =
      "must be infinite: this type of constraint has no coordinate to limit";
  if (drive->lower != -INFINITY) {
    return (mo_constraint_refusal){"lower", must, drive->lower};
  }
  if (drive->upper != INFINITY) {
    return (mo_constraint_refusal){"upper", must, drive->upper};
  }
  return (mo_constraint_refusal){"drives",
                                 "must be the default: this type of constraint has no "
                                 "such coordinate; see number",
                                 0.0};
}

mo_constraint_refusal mo_drive_check(const mo_coordinate_drive *drive, mo_coordinate_kind kind) {
  static const char *const names[4] = {"spring.hertz", "spring.damping", "spring.stiffness",
                                       "spring.damping_coefficient"};
  if (kind == MO_COORDINATE_NONE) {
    return is_idle(drive) ? (mo_constraint_refusal){0} : refuse_drive(drive);
  }
  mo_constraint_refusal refusal = check_limits(drive, kind);
  refusal = refusal.argument ? refusal : check_spring(&drive->spring, names);
  refusal = refusal.argument ? refusal : check_motor(drive);
  if (refusal.argument) {
    return refusal;
  }
  bool rests_at_creation = drive->spring_rest != drive->spring_rest;
  if (!mo_is_finite(drive->spring_rest) && !rests_at_creation) {
    return (mo_constraint_refusal){"spring_rest", "must be finite", drive->spring_rest};
  }
  return is_above(drive->friction, 0.0)
             ? (mo_constraint_refusal){0}
             : (mo_constraint_refusal){"friction", "must be finite, 0 or more", drive->friction};
}
