/// Moves bodies between the world and soft-step's solver. Private to src.
#pragma once

#include "step/fast/fast_step.h"

/// Numbers and gathers the awake bodies that have a contact or constraint, which the solver moves.
/// For the others it computes the velocities with this step's forces.
/// @return MO_OK, MO_ERROR_OUT_OF_MEMORY or MO_ERROR_POTENTIAL_FAILED
mo_result mo_solver_bodies_gather(mo_fast_step *step);
/// Numbers the bodies that the solver moves from 1 on. Writes `indices` by slot, `slots` by number,
/// and `body_count`, which is one more than there are. If there are many, neighbours get near
/// numbers. Returns false without memory.
bool mo_solver_bodies_number(mo_fast_step *step);
/// Computes the motions of soft-step's awake bodies at the end of the step.
/// @return MO_OK, MO_ERROR_OUT_OF_MEMORY or MO_ERROR_NOT_FINITE
mo_result mo_solver_bodies_move(mo_fast_step *step);
