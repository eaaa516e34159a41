/// Which bodies of the solver 'auto' need an exact solver. Private to src/step.
#pragma once

#include "step/stages.h"

/// Finds the awake bodies that leave their solver to the engine (MO_SOLVER_AUTO), and that carry
/// many times their mass with a heavier body among it, or weigh on such a one, or that joints which
/// are no tree link to a motor that is to arrive within a step. Of bodies that joints link either
/// all are chosen or none.
/// @param[out] choice its `chosen` and `laid`
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_step_find_overloaded(mo_world *world, mo_solver_choice *choice);

/// Whether a body leaves the choice of its solver to the engine, and takes part in the step.
static inline bool mo_overload_is_open(const mo_world *world, uint32_t slot) {
  const mo_body *body = &world->bodies[slot];
  mo_solver asked = body->has_solver ? body->solver : world->settings.solver;
  return asked == MO_SOLVER_AUTO && body->type == MO_BODY_DYNAMIC && !body->needs_double &&
         mo_world_is_awake(world, slot);
}

/// Adds all bodies that joints link, directly or over others, to one that is chosen, to a joint
/// between very unequal masses or, where soft-step cannot solve it with all that hangs on it, to a
/// motor that is to arrive within a step; and takes away those that joints link to a body that did
/// not leave the choice to the engine: no joint has its bodies in two solvers.
/// @param some_are_chosen else only joints themselves can be a reason
/// @param[in,out] chosen per slot
/// @return false without memory
bool mo_overload_choose_by_joints(mo_world *world, bool some_are_chosen, uint8_t *chosen);
