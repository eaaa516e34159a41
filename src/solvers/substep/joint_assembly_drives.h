/// Driven coordinates of joints that are solved together: motors, springs and friction with the
/// limits of the same coordinate. Private to the assemblies.
///
/// One by one they would be solved with the mass of their own two bodies, though each turns all
/// that hangs on it: a row of motors without a bound of force then throws its links about. So the
/// law of a coordinate (coordinate_law.h) is a row of the assembly where it holds the rate, and a
/// known impulse elsewhere, in rounds until all laws are met.
#pragma once

#include "solvers/substep/joint_assemblies.h"

/// The speed at which a limit has to be approached, as a bias of its row: within the substep h if
/// it is still open.
static inline double mo_limit_bias(double gap, double bias_rate, double h) {
  return gap > 0.0 ? gap / h : gap * bias_rate;
}

/// Starts a step.
void mo_assembly_drives_begin(mo_assembly *assembly);
/// Takes over the rows of coordinates from their joints.
void mo_assembly_drives_refresh(mo_assembly *assembly);
/// Sets the laws for a pass.
void mo_assembly_drives_aim(mo_assembly *assembly, const mo_substep_solver *step,
                            const mo_joint_softness *softness);
/// Chooses the pieces of the laws, by the present rates and impulses. Returns whether they differ
/// from those before.
/// @param may_hold whether laws that do not hold their rates may begin to do so
bool mo_assembly_drives_choose(mo_assembly *assembly, const mo_substep_solver *step, bool may_hold);
/// Gives the bodies the impulses of laws that do not hold their rates.
void mo_assembly_drives_push(mo_assembly *assembly, const mo_substep_solver *step);
/// Adds the softening of laws to the matrix.
void mo_assembly_drives_soften(mo_assembly *assembly);
/// The bias of a coordinate's row, whose impulse has a present value.
static inline double mo_assembly_drive_bias(const mo_assembly_drive *drive, double impulse) {
  return drive->piece.is_held ? drive->piece.softening * impulse - drive->piece.speed : 0.0;
}
