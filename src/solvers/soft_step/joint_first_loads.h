/// The loads with which the joints of an island begin that has a new one.
///
/// Sweeps hand a load on from joint to joint, and find what hangs on the upper end of a long chain
/// only after many steps, in which it falls. So before the first sweep over an island with a new
/// joint all of its locks are solved as one system, once: for the impulses by which none of them is
/// pulled apart by what acts on the bodies in a substep, forces, contacts and the impulses of the
/// older joints. From there on sweeps are enough.
#pragma once

#include "solvers/soft_step/joint_groups.h"

/// Notes at the start of a step how fast the joints of such islands part. Returns false without
/// memory.
bool mo_first_loads_begin(const mo_substep_joints *joints, const mo_substep_solver *step);
/// Gives the joints their loads, after the warm start of the first substep; once.
void mo_first_loads_bear(const mo_substep_joints *joints, const mo_substep_solver *step);
