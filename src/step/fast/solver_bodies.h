/// Bodies of soft-step between the world and the solver. Private to src/world.
#pragma once

#include "step/fast/fast_step.h"

/// Numbers the awake bodies that the solver moves, what something holds or touches, and fills them
/// in; of the others it finds the velocities with this step's forces.
/// @return MO_OK, MO_ERROR_OUT_OF_MEMORY or MO_ERROR_POTENTIAL_FAILED
mo_result mo_solver_bodies_gather(mo_fast_step *step);
/// Numbers the bodies that the solver moves, those that something holds or touches, from 1 on:
/// `indices` by slot and `slots` by number, and `body_count`, one more than there are. Of many
/// bodies neighbours get numbers near each other. False without memory.
bool mo_solver_bodies_number(mo_fast_step *step);
/// Motions at the end of the step of all awake bodies of soft-step.
/// @return MO_OK, MO_ERROR_OUT_OF_MEMORY or MO_ERROR_NOT_FINITE
mo_result mo_solver_bodies_move(mo_fast_step *step);
