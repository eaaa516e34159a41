/// The stages of a step, and what they hand on to each other. Private to src.
///
///   choice of solvers -> free motions -> contacts -> rows -> joints in the flow -> solution
///     -> ends -> projection of joints -> continuous collision
///
/// for the bodies that are solved by rows; fast/fast_stage.h has those of soft-step. A stage takes
/// what it reads as const, and what it writes by a pointer. All of them read the world; what they
/// write into it before the commit, and who takes it back, is in the table of transaction.h.
#pragma once

#include "dynamics/integrator.h"
#include "world/world.h"

// --- what stages hand on -----------------------------------------------------------------------

/// Which way of a step has which body.
typedef struct mo_solver_choice {
  uint8_t *in_rows;   ///< per slot: awake, and solved by rows; null: none is
  uint8_t *row_alive; ///< per slot: in_rows, or there but not dynamic; null: none is in rows
  bool has_fast;      ///< some awake body is soft-step's
} mo_solver_choice;

/// Where the bodies in rows would be at the end of the step without constraints.
typedef struct mo_free_motions {
  mo_motion *flow;         ///< per slot: the integrator's end of the step
  mo_velocity *velocities; ///< per slot: the velocities of that
} mo_free_motions;

/// The contacts of the bodies in rows: those of world->fresh_contacts.
typedef struct mo_row_contacts {
  uint32_t count;
  uint8_t *is_solved;    ///< per contact: it has rows; else its bodies sleep
  bool has_woken_others; ///< bodies that slept when solvers were chosen take part after all
} mo_row_contacts;

/// The row problem, and what its bodies and blocks are.
typedef struct mo_row_set {
  mo_row_problem problem;
  uint32_t *row_bodies;            ///< per slot: index in the problem
  const uint32_t *row_slots;       ///< per body of the problem: its slot
  uint32_t *constraint_rows;       ///< per constraint slot: its first row, or MO_NO_ROWS
  uint32_t constraint_block_count; ///< their blocks come first in the problem
  bool is_kept;                    ///< `problem` is that of the last step, but for its `bodies`
  mo_kept_step kept;               ///< to go on with in the next step
} mo_row_set;

/// What the solvers made of the row problem.
typedef struct mo_row_solution {
  mo_velocity *velocities;        ///< per body of the problem
  mo_velocity *pseudo_velocities; ///< the same, for positions only
  mo_by_island by_island;         ///< how the islands were solved
  double cured_gain;              ///< J that impacts would have created with all their restitution
  double *turn_impulses;          ///< per row: what turned joints took on top, N s; null: nothing
} mo_row_solution;

/// Where a body's pose at the end of a step comes from.
typedef enum mo_placed {
  MO_PLACED_BY_CORRECTION,   ///< the flow's, and what constraints changed about the velocity
  MO_PLACED_BY_FLOW,         ///< the flow's, which knew of the joints
  MO_PLACED_BY_END_VELOCITY, ///< that of the start, moved by the velocity at the end
} mo_placed;

/// Where the bodies in rows end.
typedef struct mo_row_ends {
  uint8_t *placed;    ///< per body of the problem: a mo_placed
  mo_motion *motions; ///< per slot
} mo_row_ends;

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

// --- the stages --------------------------------------------------------------------------------

/// Separates the awake bodies: what solver each group of bodies that could touch or are joined asks
/// for. Contacts of soft-step whose bodies go over to the rows leave its colours.
mo_result mo_step_choose_solvers(mo_world *world, double dt, mo_solver_choice *choice);
/// Velocities and poses after this step's forces, without constraints.
mo_result mo_step_find_free_motions(mo_world *world, double dt, const mo_solver_choice *choice,
                                    mo_free_motions *free);
/// Goes on with the rows of the last step, if it kept them and they still hold: rows->is_kept. Else
/// there are contacts to find and rows to make.
mo_result mo_step_take_up_rows(mo_world *world, double dt, const mo_solver_choice *choice,
                               const mo_free_motions *free, mo_row_set *rows,
                               mo_row_solution *solution);
/// Finds the contacts in world->fresh_contacts: what is in reach within the step, with the impulses
/// of the last one, and what sleeps as it is.
mo_result mo_step_find_contacts(mo_world *world, double dt, const mo_solver_choice *choice,
                                const mo_free_motions *free, mo_row_contacts *contacts);
/// The row problem of all constraints.
mo_result mo_step_make_rows(mo_world *world, double dt, const mo_solver_choice *choice,
                            const mo_free_motions *free, const mo_row_contacts *contacts,
                            mo_row_set *rows);
/// Takes joints along in the flow, as far as the integrator does that and no contact, limit or
/// softness is in their way: poses at the end of the step, and rows to match. Says how each body is
/// placed.
mo_result mo_step_flow_joints(mo_world *world, double dt, const mo_solver_choice *choice,
                              mo_free_motions *free, mo_row_set *rows, mo_row_ends *ends);
/// Impulses and velocities that obey the constraints, and pseudo-velocities that mend positions.
/// Keeps rows where nothing moves.
mo_result mo_step_solve(mo_world *world, double dt, const mo_solver_choice *choice,
                        const mo_free_motions *free, const mo_row_contacts *contacts,
                        mo_row_set *rows, mo_row_solution *solution);
/// Poses at the end of the step. MO_ERROR_NOT_FINITE where one overflows.
mo_result mo_step_integrate_poses(mo_world *world, double dt, const mo_solver_choice *choice,
                                  const mo_free_motions *free, const mo_row_set *rows,
                                  const mo_row_solution *solution, mo_row_ends *ends);
/// Closes what joints in islands of the exact solvers leave open at the end of the step, and turns
/// velocities along.
mo_result mo_step_project_joints(mo_world *world, double dt, const mo_row_set *rows,
                                 mo_row_solution *solution, mo_row_ends *ends);
/// Whether all bodies that are solved by rows end the step with finite numbers: MO_OK or
/// MO_ERROR_NOT_FINITE.
mo_result mo_step_check_motions(const mo_world *world, double dt, const mo_solver_choice *choice,
                                const mo_row_ends *ends);
/// Stops bodies that would pass through what they meet in the step: at static bodies, and bullets
/// at all (continuous.c). Changes the ends of both ways of the step.
mo_result mo_step_stop_fast_bodies(mo_world *world, double dt, const mo_solver_choice *choice,
                                   const mo_free_motions *free, mo_row_ends *ends,
                                   mo_fast_stage *fast);

// --- parts that several stages have -------------------------------------------------------------

/// Mean acceleration over a step of dt between two velocities.
static inline mo_vec3 mo_step_rate_of_change(mo_vec3 before, mo_vec3 after, double dt) {
  return mo_scale(1.0 / dt, mo_sub(after, before));
}
static inline bool mo_step_is_in_rows(const mo_solver_choice *choice, uint32_t slot) {
  return choice->in_rows && choice->in_rows[slot];
}

/// The flow of this step, for its integrator.
mo_flow mo_step_flow(mo_world *world, double dt, const mo_solver_choice *choice, mo_arena *arena);
/// The bodies of the row problem: `row_bodies`, `row_slots` and problem.bodies.
mo_result mo_step_make_row_bodies(mo_world *world, const mo_solver_choice *choice,
                                  const mo_free_motions *free, mo_row_set *rows);
/// What the rows of this step's contacts depend on.
mo_contact_settings mo_step_contact_settings(const mo_world *world, double dt);
/// Whether the rows made may serve the next step: nothing moves, and all are contacts.
bool mo_step_may_keep_rows(const mo_world *world, double dt, const mo_solver_choice *choice,
                           const mo_row_contacts *contacts, const mo_row_set *rows,
                           const mo_row_solution *solution);
/// Keeps rows for the first time, packed in the world's spare_problem_arena.
void mo_step_keep_rows(mo_world *world, double dt, const mo_free_motions *free,
                       const mo_row_contacts *contacts, const mo_row_solution *solution,
                       mo_row_set *rows);
/// Moves the gaps of kept rows on.
/// @param room per body of the problem, zero, and zero again afterwards
mo_result mo_step_refresh_rows(mo_world *world, double dt, mo_row_set *rows, mo_velocity *room);
/// Part of the commit of a step with kept rows.
void mo_step_commit_kept_rows(mo_world *world, mo_row_set *rows);
/// Moves a body's end of the step by dt seconds of a pseudo-velocity. Its velocity stays, turned
/// along where the inertia would make it another one in the body's frame.
void mo_step_displace(const mo_world *world, double dt, uint32_t slot, mo_velocity pseudo,
                      mo_row_ends *ends);
/// Turns velocities along with the joints in islands that an exact solver worked on and that
/// nothing but rigid joints pushed: J v = 0 at the end of the step, at no cost of energy to second
/// order and never for more energy than before. Islands that were carried get the velocity of that
/// first: what pulls a heavy body back to where its joints close is not for nothing.
/// @param end the rows of all constraints at the end of the step
/// @param carried per body: by how much, per second; zero for those of other islands
mo_result mo_step_turn_velocities(mo_world *world, double dt, const mo_row_set *rows,
                                  const mo_row_problem *end, const mo_velocity *carried,
                                  mo_row_solution *solution, mo_row_ends *ends);
/// Gives free islands of `partition`, of the problem `end`, the angular momentum back that moving
/// their bodies since `before` (per slot) took. Linear momentum stays, and J v of what holds the
/// island together. Those that were `carried` (per body, zero for others) get their centre of mass
/// and linear momentum back, too.
void mo_step_restore_momentum(const mo_world *world, const mo_row_set *rows,
                              const mo_row_problem *end, const mo_island_partition *partition,
                              const mo_motion *before, const mo_velocity *carried,
                              mo_row_ends *ends);
