/// Which bodies of the solver 'auto' need an exact solver. Private to src/step.
#pragma once

#include "world/world.h"

/// Finds the awake bodies that leave their solver to the engine (MO_SOLVER_AUTO), and that carry,
/// or weigh on others with, many times the mass of who carries them. Of bodies that joints link
/// either all are chosen or none.
/// @param[out] chosen per slot, in the step's arena; null: none
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_step_find_overloaded(mo_world *world, uint8_t **chosen);
