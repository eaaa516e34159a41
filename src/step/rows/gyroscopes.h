/// Gyroscopes among the bodies in joints. Private to joint_flow.c.
#pragma once

#include "step/stages.h"

typedef struct mo_gyroscopes {
  uint8_t *are;     ///< per body of the problem: whether it is one
  bool any;         ///< some body is one
  double most_turn; ///< rad: the largest turn of one of them in the step
} mo_gyroscopes;

/// Finds the bodies whose spin is more than the joints make of it: it hardly moves their anchors,
/// and has more energy than that motion, and than the body's way in its island. Their angular
/// momentum carries them, and a method of first order lets them fall. Returns false without memory.
bool mo_gyroscopes_find(const mo_world *world, double dt, const mo_row_set *rows, mo_arena *arena,
                        mo_gyroscopes *found);
