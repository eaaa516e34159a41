/// Which joints are solved together: the search for them. Private to the assemblies.
#pragma once

#include "solvers/substep/substep_joints.h"
#include "solvers/substep/substep_solver.h"

/// A joint as an edge between bodies, and whether impulses move these.
typedef struct mo_joint_edge {
  uint32_t a, b; ///< of the step's bodies
  bool moves_a, moves_b;
} mo_joint_edge;

/// The joints that are solved together, by island.
typedef struct mo_assembly_choice {
  const uint32_t *firsts;      ///< per island, and one more: the first of its joints in `order`
  const uint32_t *order;       ///< joints of the step by island, then by creation
  const uint32_t *at_body;     ///< per body: joints with locks at it
  const uint8_t *learns_loads; ///< per joint of the step: whether it learns the loads on it
} mo_assembly_choice;

mo_joint_edge mo_joint_edge_of(const mo_substep_joint *joint, const mo_substep_solver *step);
/// The rows of the lock of its points.
uint32_t mo_point_row_count(const mo_substep_joint *joint);
/// The rows of all of its locks.
uint32_t mo_lock_row_count(const mo_substep_joint *joint);
/// Finds the joints that are solved together, in the step's arena. Islands are as many as bodies.
/// Returns false without memory.
bool mo_assembly_choose(mo_assembly_choice *choice, const mo_substep_joints *joints,
                        const mo_substep_solver *step);
