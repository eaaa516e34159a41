/// Where bodies in rows touch bodies of soft-step: both solve one island. Private to src/step.
///
/// A body of soft-step that is near a body in rows, but not in rows itself, is at the boundary. The
/// rows solve its contacts with them, with its true mass and with what soft-step's contacts did to
/// it in the last step as forces (an overlapping Schwarz method in time: Toselli and Widlund 2005).
/// What the rows do to it then acts on it as a force in soft-step, whose result it keeps. So every
/// impulse acts on both of its bodies, and rest is a fixed point.
#pragma once

#include "step/stages.h"

/// Finds the bodies at the boundary, and makes them take part in the rows.
/// @return false without memory
bool mo_boundary_find(mo_world *world, mo_solver_choice *choice);
/// Whether a pair has a body in rows and one of soft-step that is not at the boundary, because it
/// came near since.
bool mo_boundary_misses(const mo_world *world, const mo_solver_choice *choice, const mo_pair *pair);
/// Lists the constraints that soft-step solves although a body of theirs is at the boundary.
/// @param[out] skipped per constraint slot; null: none
/// @return false without memory
bool mo_boundary_skip_constraints(mo_world *world, const mo_solver_choice *choice,
                                  uint8_t **skipped);
/// Adds to the free velocities of the bodies at the boundary what soft-step's contacts did to them
/// in the last step.
void mo_boundary_add_loads(const mo_world *world, double dt, const mo_solver_choice *choice,
                           mo_row_set *rows);
/// What the rows do to the bodies at the boundary, as forces over the step.
/// @param[out] pushes per slot; null: nothing
/// @return false without memory
bool mo_boundary_find_pushes(mo_world *world, double dt, const mo_solver_choice *choice,
                             const mo_row_set *rows, const mo_wrench **pushes);
