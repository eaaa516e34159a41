/// Which bodies contacts touch, and which they reach through joints. Private to soft-step.
///
/// A body moves by what it is linked to, and by nothing else. So the work that contacts make for
/// joints, closing them and keeping the carry of their bodies, is for those that a contact reaches:
/// else a ball that rolls far away would change how a pendulum swings.
#pragma once

#include "solvers/soft_step/substep.h"

struct mo_substep_joint_groups;

/// Sets step->touched for a step with joints and contacts, whose contacts are laid out. Returns
/// false without memory.
bool mo_touched_bodies_find(mo_substep_solver *step, const struct mo_substep_joint_groups *joints);
