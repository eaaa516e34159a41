/// Joints of soft-step: those of the form of constraints/substep_joint.h four at a time, all other
/// constraints row by row.
///
/// The impulses of a substep start from those of the one before, of all joints first, so that each
/// joint sees what the others will apply. Arms turn with the bodies. Jacobians are updated once per
/// substep, when the poses are new, for its relax pass and the solve pass of the next.
#pragma once

#include "solvers/soft_step/joints/joint_data.h"

/// Colours the joints if needed, and makes their data of the step. Returns false without memory.
bool mo_substep_joints_prepare(mo_substep_joints *joints, mo_substep_solver *step);
/// One pass: with bias, after the warm start of this substep; or without bias (relax), after the
/// bodies have moved. The two alternate, once per substep each.
void mo_substep_joints_solve(mo_substep_joints *joints, mo_substep_solver *step, bool with_bias);
/// A pass with bias over those that part, after that over the contacts, of those that contacts
/// reach (step->touched). Notes their bodies in step->stirred.
void mo_substep_joints_close(mo_substep_joints *joints, const mo_substep_solver *step);
/// Writes the impulses that the last store left in the data to their joints, also while a step runs
/// or after one that failed.
/// @param substeps of the step of that store
void mo_substep_joints_take(const mo_substep_joints *joints, uint32_t substeps);
/// Writes the impulses of the step back. The caller updates the values of turns.
void mo_substep_joints_store(mo_substep_joints *joints, const mo_substep_solver *step);
