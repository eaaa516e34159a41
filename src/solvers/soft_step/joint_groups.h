/// How soft-step's joints lie in memory: colour by colour, in each by kind, four at a time. Private
/// to its joints.
#pragma once

#include "solvers/soft_step/assembly/joint_assemblies.h"

/// Colours: one bit each in the mask of a body. The last colour takes the joints that fit into no
/// other, one per four lanes.
#define MO_JOINT_COLOURS 32u
#define MO_JOINT_OVERFLOW (MO_JOINT_COLOURS - 1u)

struct mo_substep_joint_groups {
  mo_joint_lanes *lanes; ///< by colour, then by kind
  uint32_t lane_count;
  uint32_t colour_firsts[MO_JOINT_COLOURS + 1]; ///< of `lanes`
  mo_assemblies assemblies;
  mo_assemblies starting; ///< islands with new joints, until these have their loads; in the arena
                          ///< of the step, as the next
  double *start_rates;    ///< MO_NODE_SIZE per joint of these: at the start of the step
  mo_joint_softness soft, rigid;
  float closing_speed; ///< m/s: joints that part more slowly stay as contacts leave them
  bool is_begun;       ///< a step has begun with them that is not stored yet
};

/// Colours the joints and makes their lanes and assemblies, in the joints' arena. Returns false
/// without memory.
bool mo_joint_groups_make(mo_substep_joints *joints, const mo_substep_solver *step);
