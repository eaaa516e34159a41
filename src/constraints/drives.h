/// Limits, springs, motors and friction of the coordinates of joints: what turns a coordinate, a
/// number with a row of a Jacobian, into rows with laws and bounds.
///
/// A class declares coordinates (`coordinate_kinds`) and evaluates them (`coordinates`). All else
/// is here: each coordinate may have a lower and an upper limit, a spring, a motor and friction,
/// each of which is one row behind the class's own `base_dimension` rows, in the order of
/// mo_drive_role and coordinate by coordinate. So a joint has limits and motors as soon as its
/// class has coordinates: a wheel has two (suspension and spin), a joint of six degrees of freedom
/// six.
///
/// In soft-step a turn about the axis, a displacement along it and a length have a form of their
/// own (substep_joint_form.h). Coordinates of other kinds are solved by their rows.
#pragma once

#include "constraints/constraint.h"

/// The rows that a coordinate may have.
typedef enum mo_drive_role {
  MO_DRIVE_LOWER,    ///< C = value - lower >= 0
  MO_DRIVE_UPPER,    ///< C = upper - value >= 0
  MO_DRIVE_SPRING,   ///< C = value - spring_rest
  MO_DRIVE_MOTOR,    ///< C = value - target_position, or 0 for a motor to a velocity
  MO_DRIVE_FRICTION, ///< C = 0
  MO_DRIVE_ROLES,
} mo_drive_role;

/// A force along a coordinate: -stiffness (value - rest) - damping (rate - speed), or what gives
/// the rate `speed` if it is rigid, of at most max_force.
typedef struct mo_drive_law {
  bool is_rigid;
  bool arrives;            ///< rigid: `speed` is what brings it to its target within the step
  double speed, max_force; ///< m/s or rad/s; N or N m, may be infinite
  double rest, stiffness, damping; ///< zeros where it is rigid
} mo_drive_law;

/// The rows that a drive has, as bits.
uint8_t mo_drive_roles(const mo_coordinate_drive *drive);
/// Whether a coordinate has the row of a role.
static inline bool mo_drive_has(const mo_constraint *constraint, uint32_t coordinate,
                                mo_drive_role role) {
  return constraint->roles[coordinate] >> role & 1u;
}
/// The number of rows of all coordinates.
uint32_t mo_drive_row_count(const mo_constraint *constraint);

/// A coordinate at the start of a step.
typedef struct mo_drive_moment {
  double value, rate; ///< m or rad; per second
  double
      mass;  ///< kg or kg m^2: with the joint's locks held; of motors that arrive by bounded force
  double dt; ///< s, of the step
  uint32_t substeps; ///< as of mo_constraint_settings
} mo_drive_moment;

/// The moment of a coordinate with a value and a row of the Jacobian.
/// @param bodies A, B, C and D; read if the constraint arrives
mo_drive_moment mo_drive_moment_of(const mo_constraint *constraint, const mo_constraint_place *at,
                                   uint32_t coordinate, double value, const double *row,
                                   const mo_row_body bodies[MO_ROW_SIDES],
                                   const mo_constraint_settings *settings);

/// Whether a spring has any stiffness or damping.
bool mo_spring_is_elastic(const mo_spring *spring);

/// The law of a spring, a motor or friction for a step.
mo_drive_law mo_drive_law_of(const mo_joint_coordinate *coordinate, mo_drive_role role,
                             const mo_drive_moment *now);

/// Calls for each row of the coordinates, in order: returns the role and coordinate of row `row`
/// behind the class's own rows.
typedef struct mo_drive_place {
  uint32_t coordinate;
  mo_drive_role role;
} mo_drive_place;
mo_drive_place mo_drive_at(const mo_constraint *constraint, uint32_t row);

/// Sets bounds of the rows of the coordinates, in N and N m where the row is a drive.
void mo_drives_set_bounds(mo_constraint *constraint);
/// Writes C of these rows.
void mo_drives_evaluate(const mo_constraint *constraint, const mo_constraint_place *at,
                        double *out);
/// Writes their rows of the Jacobian.
void mo_drives_jacobian(const mo_constraint *constraint, const mo_constraint_place *at,
                        double *out);
/// Turns the row of a drive into its law for a step: bias, softening and bounds of the impulse.
/// @param now its coordinate at the start of the step
void mo_drive_apply_law(const mo_constraint *constraint, uint32_t row, const mo_drive_moment *now,
                        mo_row *to, mo_row_block *block);

/// Whether it has a motor to a position, or a pose, without gains: it is to arrive within a step.
bool mo_constraint_arrives(const mo_constraint *constraint);
/// Whether a spring, or a motor with gains, pulls at its bodies.
bool mo_constraint_is_elastic(const mo_constraint *constraint);
/// Elastic energy of the springs of a joint, and of motors with gains, J.
double mo_drives_energy(const mo_constraint *constraint, const mo_constraint_place *at);

/// N/m and N s/m of a spring, or N m/rad and N m s/rad; zeros of none.
/// @param mass kg or kg m^2, effective
double mo_spring_stiffness(const mo_spring *spring, double mass);
double mo_spring_damping(const mo_spring *spring, double mass);
/// What is wrong with gains of a motor.
mo_constraint_refusal mo_spring_check(const mo_spring *gains);

/// What is wrong with a motor to a pose, and setting one that is right (motor.c).
mo_constraint_refusal mo_pose_motor_check(const mo_pose_motor *motor);
void mo_constraint_set_pose(mo_constraint *constraint, const mo_pose_motor *motor);

/// What is wrong with the drives of a definition; `argument` is that of mo_coordinate_drive.
mo_constraint_refusal mo_drive_check(const mo_coordinate_drive *drive, mo_coordinate_kind kind);
