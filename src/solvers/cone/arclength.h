/// Pseudo-arclength continuation of the central path (Keller 1977). It follows the path through its
/// folds, where every method that only decreases tau ends.
#pragma once

#include "solvers/cone/cone_methods.h"
#include "solvers/cone/interior_point.h"
#include "solvers/cone/smoothed_map.h"

/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_interior_trail_create(mo_interior_trail *trail, uint32_t row_count, mo_arena *arena);

/// Follows the path from the last point of the trail that Newton's method moves onto it. Updates
/// `state->run`.
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_cone_continue(mo_cone_state *state, const mo_interior_trail *trail, mo_arena *arena);
