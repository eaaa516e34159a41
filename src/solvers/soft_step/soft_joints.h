/// Joints of soft-step: those of the form constraints/soft_joint.h four at a time, everything else
/// row by row.
///
/// The impulses of a substep start from those of the one before, all joints first, so that each
/// joint sees what the others will push. Arms turn with the bodies: Jacobians are made anew once
/// per substep, where the poses are new, and serve its relax pass and the solve pass of the next.
#pragma once

#include "constraints/soft_joint.h"
#include "solvers/soft_step/soft_rows.h"
#include "solvers/soft_step/soft_step.h"

/// All joints of a step.
struct mo_soft_joints {
  mo_soft_joint *joints; ///< in the order of their creation
  uint32_t count;
  mo_soft_rows *rows;                  ///< constraints without that form; or null
  struct mo_soft_joint_groups *groups; ///< set by prepare, in the arena of the step
};

/// Colours the joints and makes their data of the step. False without memory.
bool mo_soft_joints_prepare(mo_soft_joints *joints, mo_soft_step *step);
/// One pass: with bias, after the warm start of this substep; or without (relax), after the bodies
/// have moved. Each is called once per substep, in turn.
void mo_soft_joints_solve(mo_soft_joints *joints, mo_soft_step *step, bool with_bias);
/// Writes the impulses of the step back.
void mo_soft_joints_store(mo_soft_joints *joints, const mo_soft_step *step);
