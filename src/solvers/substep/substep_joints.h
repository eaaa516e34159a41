/// Joints of soft-step: those of the form of constraints/substep_joint.h four at a time, all other
/// constraints row by row.
///
/// The impulses of a substep start from those of the one before, of all joints first, so that each
/// joint sees what the others will apply. Arms turn with the bodies. Jacobians are updated once per
/// substep, when the poses are new, for its relax pass and the solve pass of the next.
#pragma once

#include "constraints/substep_joint.h"
#include "solvers/substep/substep_rows.h"
#include "solvers/substep/substep_solver.h"

/// Most joints at a body of a tree that is solved as one: each pair of them has a block, and the
/// time of the factorisation grows with the cube of their number.
#define MO_MOST_JOINTS_AT_BODY 12u

/// All joints of a step.
struct mo_substep_joints {
  mo_substep_joint *joints; ///< in the order of their creation
  uint32_t count;
  mo_substep_coordinate *coordinates; ///< of all joints
  mo_substep_rows *rows;              ///< constraints without that form; or null
  mo_arena *arena;                    ///< holds what stays as long as the joints are the same
  /// Colours and data, in that arena; null: prepare makes them. They hold the impulses from step to
  /// step. They must be made again when a joint is created or destroyed, when a body of one becomes
  /// or ceases to be dynamic, is moved by the user or gets another centre of mass, when `substeps`
  /// changes, and after a step whose impulses are not kept.
  struct mo_substep_joint_groups *groups;
  /// Per joint: nobody looks at its impulses after every step; null: somebody looks at all.
  const uint8_t *quiet;
  /// The store leaves the impulses of quiet balls in the data until mo_substep_joints_take.
  bool keeps_quiet;
};

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
