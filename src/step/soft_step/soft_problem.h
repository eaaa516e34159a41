/// The problem of soft-step's last step in the form of the row solvers. Private to src.
#pragma once

#include "world/world.h"

/// A contact of soft-step as a contact of the row solvers, for bodies at `a` and `b`, with the
/// impulses of the last step.
mo_contact mo_substep_contact_to_rows(const mo_world *world, const mo_substep_contact *soft,
                                      const mo_motion *a, const mo_motion *b);

/// A body of soft-step as one of the row solvers: what forces and damping alone make of its
/// velocities in a step, and how far impulses that are spread over the step move it.
/// @param start at the start of the step
mo_row_body mo_soft_body_to_rows(const mo_body *body, const mo_motion *start,
                                 const mo_solver_mass *mass, double dt, uint32_t substeps);

/// Makes world->last_step.problem complete. Contacts of bodies that were destroyed since are
/// missing. It calls no function of a user, so read-outs may use it.
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_world_complete_problem(mo_world *world);

/// Counts the islands that soft-step solved in the last step, as the partition of the complete
/// problem would, without making the rows of its contacts.
/// @param arena memory for this call
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_world_count_substep_islands(mo_world *world, mo_arena *arena, uint32_t *count);
