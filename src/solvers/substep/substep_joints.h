/// Joints of soft-step: those of the form constraints/substep_joint.h four at a time, everything
/// else row by row.
///
/// The impulses of a substep start from those of the one before, all joints first, so that each
/// joint sees what the others will push. Arms turn with the bodies: Jacobians are made anew once
/// per substep, where the poses are new, and serve its relax pass and the solve pass of the next.
#pragma once

#include "constraints/substep_joint.h"
#include "solvers/substep/substep_rows.h"
#include "solvers/substep/substep_solver.h"

/// All joints of a step.
struct mo_substep_joints {
  mo_substep_joint *joints; ///< in the order of their creation
  uint32_t count;
  mo_substep_coordinate *coordinates; ///< of all joints
  mo_substep_rows *rows;              ///< constraints without that form; or null
  mo_arena *arena;                    ///< of what stays for as long as the joints are the same
  /// Colours and data, in that arena. Null: prepare makes them. They hold the impulses from step to
  /// step, so they are to be made anew when a joint came or went, a body of one began or ceased to
  /// be moved, was put elsewhere or got another centre of mass, when `substeps` changed, and after
  /// a step whose impulses are not to stay.
  struct mo_substep_joint_groups *groups;
};

/// Colours the joints, if need be, and makes their data of the step. False without memory.
bool mo_substep_joints_prepare(mo_substep_joints *joints, mo_substep_solver *step);
/// One pass: with bias, after the warm start of this substep; or without (relax), after the bodies
/// have moved. Each is called once per substep, in turn.
void mo_substep_joints_solve(mo_substep_joints *joints, mo_substep_solver *step, bool with_bias);
/// Writes the impulses of the step back. The values of turns are the caller's to follow.
void mo_substep_joints_store(mo_substep_joints *joints, const mo_substep_solver *step);
