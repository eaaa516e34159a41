/// Constraints of a world as rows, at its present poses or at trial poses. Private to src.
#pragma once

#include "world/world.h"

/// Stands for the first row of a constraint that has none.
#define MO_NO_ROWS UINT32_MAX
/// Stands for the first row of a constraint none of whose bodies is in the problem.
#define MO_OUTSIDE_PROBLEM (UINT32_MAX - 1)

/// The state at which constraints are evaluated, and how.
typedef struct mo_constraint_pass {
  const mo_motion *motions; ///< per body slot
  double time;
  const uint32_t *row_bodies; ///< per body slot: index in the problem
  mo_constraint_settings settings;
  const uint8_t *skipped; ///< per constraint slot: left out; null: none is left out
  /// Per constraint slot: its first row, as the step decided which constraints are active. Rows
  /// that are evaluated again then keep their numbers. Null: this pass decides, and asks the
  /// constraints.
  const uint32_t *decided;
} mo_constraint_pass;

/// Whether a constraint's impulses can move a body of a problem, that is, a dynamic one.
/// @param row_bodies per body slot: index in the problem, 0: none
bool mo_world_constraint_moves(const mo_world *world, const uint32_t *row_bodies,
                               const mo_constraint *constraint);

/// The rows of all constraints, active or not. There are never more blocks than rows.
uint32_t mo_world_constraint_row_count(const mo_world *world);

/// Room for the pairs of these rows, and of `more` others; null without memory.
mo_row_pair *mo_world_take_row_pairs(const mo_world *world, mo_arena *arena, uint32_t more);

/// Appends the rows of all active constraints whose impulses can move a body, in slot order, to a
/// problem with room for them. It calls functions of users, and changes nothing in the world. A
/// row's `gap` is C, so a problem made at trial poses serves a projection of positions. Whether a
/// constraint is active is decided once per step: with `decided`, blocks and rows keep the numbers
/// that they got then.
/// @param[out] first_rows per constraint slot: its first row, MO_NO_ROWS or MO_OUTSIDE_PROBLEM
/// @return MO_OK, or MO_ERROR_CONSTRAINT_FAILED with its text
mo_result mo_world_append_constraint_rows(mo_world *world, const mo_constraint_pass *pass,
                                          mo_row_problem *problem, uint32_t *first_rows);

/// Evaluates C of the constraints that have rows at other motions, in the order of the rows.
/// @param[out] errors per row of the problem; those of contacts are not written
mo_result mo_world_evaluate_constraints(mo_world *world, const mo_constraint_pass *pass,
                                        const uint32_t *first_rows, double *errors);

/// Part of the commit of a step: counts the turns of a hinge at the new poses.
void mo_world_follow_coordinate(const mo_world *world, mo_constraint *constraint, double dt);

/// Part of the commit of a step: keeps the solved impulses for read-outs and the next warm start,
/// with `turn_impulses` (per row, or null) added, and counts the turns of hinges at the new poses.
void mo_world_take_constraint_impulses(mo_world *world, const mo_row_problem *problem,
                                       const double *turn_impulses, const uint32_t *first_rows);

/// Solves a problem of rows by itself, exactly, with what is left of the work of the step.
/// @param tolerance m/s
/// @param[out] velocities per body of the problem
mo_result mo_world_solve_rows(mo_world *world, mo_row_problem *problem, double tolerance,
                              mo_arena *arena, mo_velocity *velocities);
