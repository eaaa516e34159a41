/// The joints of a step of soft-step.
#pragma once

#include "constraints/substep_joint.h"
#include "solvers/soft_step/joints/substep_rows.h"
#include "solvers/soft_step/substep.h"

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

/// Whether a joint has a drive.
static inline bool mo_substep_joint_is_driven(const mo_substep_joints *joints, uint32_t index) {
  const mo_substep_joint *joint = &joints->joints[index];
  bool is_driven = false;
  for (uint32_t i = 0; i < joint->coordinate_count; i++) {
    is_driven =
        is_driven || mo_substep_is_driven(&joints->coordinates[joint->first_coordinate + i]);
  }
  return is_driven;
}
