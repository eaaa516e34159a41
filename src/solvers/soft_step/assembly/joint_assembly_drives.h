/// Driven coordinates of joints that are solved together: motors, springs and friction with the
/// limits of the same coordinate. Private to the assemblies.
///
/// One by one they would be solved with the mass of their own two bodies, though each turns all
/// that hangs on it: a row of motors without a bound of force then throws its links about. So the
/// law of a coordinate (coordinate_law.h) is a row of the assembly where it holds the rate, and a
/// known impulse elsewhere, in rounds until all laws are met.
#pragma once

#include "solvers/soft_step/assembly/joint_assemblies.h"

/// The speed at which a limit has to be approached, as a bias of its row: within the substep h if
/// it is still open.
static inline double mo_limit_bias(double gap, double bias_rate, double h) {
  return gap > 0.0 ? gap / h : gap * bias_rate;
}

/// Starts a step.
/// @param coordinates of the step's joints
void mo_assembly_drives_begin(mo_assembly *assembly, const mo_substep_settings *settings,
                              const mo_substep_coordinate *coordinates);
/// Takes over the rows of coordinates from their joints.
void mo_assembly_drives_refresh(mo_assembly *assembly);
/// Sets the laws for a pass.
void mo_assembly_drives_aim(mo_assembly *assembly, const mo_substep_solver *step,
                            const mo_joint_softness *softness);
/// Takes the pieces of the laws on which they will be if the impulses are about those of the pass
/// before.
void mo_assembly_drives_guess(mo_assembly *assembly, const mo_solver_body *bodies);
/// Gives the bodies the impulses of laws that do not hold their rates.
void mo_assembly_drives_push(mo_assembly *assembly, mo_solver_body *bodies);
/// Finds the pieces that fit the rates and impulses. Returns the number of laws on another one.
uint32_t mo_assembly_drives_check(mo_assembly *assembly, const mo_solver_body *bodies);
/// Lets the first `count` of these take the piece that fits.
void mo_assembly_drives_exchange(mo_assembly *assembly, uint32_t count);
/// Adds the softening of laws to the matrix.
void mo_assembly_drives_soften(mo_assembly *assembly);
/// The bias of a coordinate's row, whose impulse has a present value.
static inline double mo_assembly_drive_bias(const mo_assembly_drive *drive, double impulse) {
  return drive->piece.is_held ? drive->piece.softening * impulse - drive->piece.speed : 0.0;
}
