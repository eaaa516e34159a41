/// Which bodies of a tree of joints are light between heavier ones.
///
/// Joints that are solved one by one pass an impulse on from body to body. A body that is lighter
/// than what pulls at it from two sides takes up only a part of it in a sweep, by the ratio of the
/// masses, however the sweeps are ordered.
#pragma once

#include "memory/arena.h"

#include <stdint.h>

/// A joint between bodies 1 to body_count - 1; 0 stands for what no impulse moves.
typedef struct mo_joint_link {
  uint32_t a, b;
  double held_mass; ///< kg, for which 0 counts
} mo_joint_link;

/// What pulls at a body: the heaviest body behind each of its joints, kg.
typedef struct mo_joint_load {
  double heaviest, second; ///< over the body's joints, 0 for none
  uint32_t heaviest_link;  ///< its joint
} mo_joint_load;

/// Finds the loads of all bodies in time linear in their number. Those of bodies in loops of joints
/// leave the loops out.
/// @param masses kg, per body
/// @return one per body, in the arena; null without memory
mo_joint_load *mo_joint_loads(const mo_joint_link *links, uint32_t link_count, const double *masses,
                              uint32_t body_count, mo_arena *arena);
