/// Solves joints that are more than a ball. Private to soft-step's joints.
#pragma once

#include "solvers/soft_step/joints/joint_pair.h"

/// Applies their impulses to the velocities of their bodies.
void mo_joint_frame_push(const mo_joint_lanes *lanes, mo_joint_pair *pair);
/// Solves for their impulses: angles come first, then points, then drives and limits.
void mo_joint_frame_solve(mo_joint_lanes *lanes, const mo_softness_lanes *softness,
                          mo_joint_pair *pair, bool moves_springs);
