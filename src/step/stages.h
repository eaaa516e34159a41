/// The stages of a step. Private to src/world.
///
///   forces -> free velocities -> broad and narrow phase -> rows -> solver -> positions -> poses
///
/// A step is a transaction: transaction.h says what each stage writes, and what becomes of it where
/// the step is refused.
#pragma once

#include "dynamics/integrator.h"
#include "world/world.h"

/// Where a body's pose at the end of a step comes from.
typedef enum mo_placed {
  MO_PLACED_BY_CORRECTION,   ///< the flow's, and what constraints changed about the velocity
  MO_PLACED_BY_FLOW,         ///< the flow's, which knew of the joints
  MO_PLACED_BY_END_VELOCITY, ///< that of the start, moved by the velocity at the end
} mo_placed;

/// What soft-step's part of a step works on.
typedef struct mo_fast_stage {
  mo_substep_solver step;
  uint32_t *indices;      ///< per slot: its mo_solver_body, 0: none
  uint32_t *slots;        ///< per mo_solver_body
  mo_motion *start;       ///< per mo_solver_body
  mo_solver_mass *masses; ///< per mo_solver_body
  mo_velocity *free;      ///< per awake body that the solver does not move: with this step's forces
  mo_motion *end;         ///< per awake body
  uint32_t *row_firsts;   ///< per constraint slot: its first row of soft-step's, or MO_NO_ROWS
} mo_fast_stage;

/// What the stages of one step hand on to each other; in the world's arenas.
typedef struct mo_step {
  mo_world *world;
  double dt;
  uint8_t *in_rows; ///< per slot: awake, and solved by rows; null: none is
  bool has_fast;    ///< some awake body is soft-step's
  mo_fast_stage fast;
  mo_motion *flow;              ///< per slot: the integrator's end of the step, without constraints
  mo_velocity *free_velocities; ///< per slot: the velocities of that
  uint32_t *row_bodies;         ///< per slot: index in the problem
  const uint32_t *row_slots;    ///< per body of the problem: its slot
  uint8_t *row_alive; ///< per slot: in_rows, or there but not dynamic; null: none is in rows
  uint32_t contact_count;
  bool has_woken_others;      ///< bodies that slept when solvers were chosen take part after all
  uint8_t *contact_is_solved; ///< per fresh contact: it has rows; else its bodies sleep
  uint32_t *constraint_rows;  ///< per constraint slot: its first row, or MO_NO_ROWS
  uint32_t constraint_block_count; ///< their blocks come first in the problem
  mo_row_problem problem;
  mo_kept_step kept;              ///< to go on with in the next step
  bool has_kept_rows;             ///< `problem` is that of the last step, but for its `bodies`
  uint8_t *placed;                ///< per body of the problem: a mo_placed
  mo_velocity *velocities;        ///< per body of the problem, solved
  mo_velocity *pseudo_velocities; ///< the same, for positions only
  mo_motion *motions;             ///< per slot, at the end of the step
  double *turn_impulses;          ///< per row: what turned joints took on top, N s; null: nothing
  mo_by_island by_island;         ///< how the islands were solved
  float *sleep_room;              ///< that the commit works with: 2 per slot
  double cured_gain;              ///< J that impacts would have created with all their restitution
} mo_step;

/// Parts the awake bodies: what solver each group of bodies that could touch or are joined asks
/// for.
mo_result mo_step_choose_solvers(mo_step *step);
/// Mean acceleration over a step of dt between two velocities.
static inline mo_vec3 mo_step_rate_of_change(mo_vec3 before, mo_vec3 after, double dt) {
  return mo_scale(1.0 / dt, mo_sub(after, before));
}
static inline bool mo_step_is_in_rows(const mo_step *step, uint32_t slot) {
  return step->in_rows && step->in_rows[slot];
}

static inline void mo_step_begin(const mo_step *step, mo_profile_stage stage) {
  mo_profile_begin(&step->world->profiler, stage);
}
static inline void mo_step_end(const mo_step *step, mo_profile_stage stage) {
  mo_profile_end(&step->world->profiler, stage);
}

/// The flow of this step, for its integrator.
mo_flow mo_step_flow(mo_step *step, mo_arena *arena);
/// Velocities after this step's forces, without constraints.
mo_result mo_step_find_free_velocities(mo_step *step);
/// Contacts of the bodies that are solved by rows, in world->fresh_contacts: what is in reach
/// within the step, with the impulses of the last one, and what sleeps as it is.
mo_result mo_step_find_contacts(mo_step *step);
/// The bodies of the row problem: `row_bodies`, `row_slots` and problem.bodies.
mo_result mo_step_make_row_bodies(mo_step *step);
/// What the rows of this step's contacts depend on.
mo_contact_settings mo_step_contact_settings(const mo_step *step);
/// The row problem of all constraints.
mo_result mo_step_make_rows(mo_step *step);
/// Takes joints along in the flow, as far as the integrator does that and no contact, limit or
/// softness is in their way: poses at the end of the step, and rows to match. Says how each body is
/// placed.
mo_result mo_step_flow_joints(mo_step *step);
/// Goes on with the rows of the last step, if it kept them and they still hold: has_kept_rows. Else
/// there are contacts to find and rows to make.
mo_result mo_step_take_up_rows(mo_step *step);
/// Whether the rows made may serve the next step: nothing moves, and all are contacts.
bool mo_step_may_keep_rows(const mo_step *step);
/// Keeps rows once more, or for the first time: then they are packed in the world's
/// spare_problem_arena.
void mo_step_keep_rows(mo_step *step);
/// Moves the gaps of kept rows on.
mo_result mo_step_refresh_rows(mo_step *step);
/// Marks the bodies that kept contacts push in `placed`.
void mo_step_place_kept_bodies(mo_step *step);
/// Part of the commit of a step that has_kept_rows.
void mo_step_commit_kept_rows(mo_step *step);
/// Impulses and velocities that obey the constraints, and pseudo-velocities that mend positions.
mo_result mo_step_solve(mo_step *step);
/// Poses at the end of the step. MO_ERROR_NOT_FINITE where one overflows.
mo_result mo_step_integrate_poses(mo_step *step);
/// Whether all bodies that are solved by rows end the step with finite numbers: MO_OK or
/// MO_ERROR_NOT_FINITE.
mo_result mo_step_check_motions(const mo_step *step);
/// Moves a body's end of the step by dt seconds of a pseudo-velocity. Its velocity stays, turned
/// along where the inertia would make it another one in the body's frame.
void mo_step_displace(mo_step *step, uint32_t slot, mo_velocity pseudo);
/// Turns velocities along with the joints in islands that an exact solver worked on and that
/// nothing but rigid joints pushed: J v = 0 at the end of the step, at no cost of energy to second
/// order and never for more energy than before. Islands that were carried get the velocity of that
/// first: what pulls a heavy body back to where its joints close is not for nothing.
/// @param end the rows of all constraints at the end of the step
/// @param carried per body: by how much, per second; zero for those of other islands
mo_result mo_step_turn_velocities(mo_step *step, const mo_row_problem *end,
                                  const mo_velocity *carried);
/// Gives free islands of `partition`, of the problem `rows`, the angular momentum back that moving
/// their bodies since `before` (per slot) took. Linear momentum stays, and J v of what holds the
/// island together. Those that were `carried` (per body, zero for others) get their centre of mass
/// and linear momentum back, too.
void mo_step_restore_momentum(mo_step *step, const mo_row_problem *rows,
                              const mo_island_partition *partition, const mo_motion *before,
                              const mo_velocity *carried);
/// Closes what joints in islands of the exact solvers leave open at the end of the step.
mo_result mo_step_project_joints(mo_step *step);
/// Stops bodies that would pass through what they meet on their way (fast_bodies.c): at static
/// bodies, and bullets at all.
mo_result mo_step_stop_fast_bodies(mo_step *step);
