/// The joints of a step of soft-step.
#pragma once

#include "constraints/substep_joint.h"
#include "solvers/soft_step/joints/substep_rows.h"
#include "solvers/soft_step/substep.h"

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
