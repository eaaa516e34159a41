/// Which joints are solved together: the search for them. Private to the assemblies.
#pragma once

#include "solvers/soft_step/joints/joint_data.h"
#include "solvers/soft_step/substep.h"

/// A joint as an edge between bodies, and whether impulses move these.
typedef struct mo_joint_edge {
  uint32_t a, b; ///< of the step's bodies
  bool moves_a, moves_b;
} mo_joint_edge;

/// Joints by island.
typedef struct mo_island_joints {
  uint32_t *firsts; ///< per island, and one more: the first of its joints in `order`
  uint32_t *order;  ///< joints of the step by island, then by creation
} mo_island_joints;

/// What a joint knows of the loads that rest on it (joint_store.c).
typedef enum mo_load_memory {
  MO_FORGETS_LOADS,
  MO_LEARNS_LOADS,
  MO_KEEPS_LOADS, ///< those that it begins with
} mo_load_memory;

/// The joints that are solved together.
typedef struct mo_assembly_choice {
  mo_island_joints together; ///< in every substep
  mo_island_joints at_first; ///< to find the loads with which new ones begin
  const uint32_t *at_body;   ///< per body: joints with locks at it
  const uint8_t *memories;   ///< per joint of the step: mo_load_memory
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
