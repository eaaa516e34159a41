/// The world: the only place that knows everything. Private to src/world.
#pragma once

#include "collision/broad_phase.h"
#include "constraints/constraint.h"
#include "constraints/contact.h"
#include "dynamics/body.h"
#include "memory/arena.h"
#include "memory/id_pool.h"
#include "solvers/by_island.h"

#define MO_ERROR_TEXT_BYTES 256

/// What the last step left for read-outs.
typedef struct mo_step_record {
  mo_row_problem problem;    ///< the certificate's input
  const uint32_t *row_slots; ///< per body of the problem: its slot (of the world itself: 0)
  mo_by_island by_island;    ///< how its islands were solved
  mo_friction_law friction_law;
  mo_stats stats;
  double dt; ///< s, 0 before the first step
} mo_step_record;

struct mo_world {
  mo_world_def settings;
  double time;
  uint64_t step_count;
  uint64_t next_serial;

  // Bodies by slot. Cold records, hot motion and the arrays that users read.
  mo_id_pool ids;
  mo_body *bodies;
  uint32_t bodies_capacity;
  mo_motion *motions;
  uint32_t motions_capacity;
  float *transforms;
  uint32_t transforms_capacity;
  double *transforms64;
  uint32_t transforms64_capacity;
  double *velocities;
  uint32_t velocities_capacity;
  uint32_t *body_ids;
  uint32_t body_ids_capacity;
  uint32_t *moved;
  uint32_t moved_capacity;
  uint32_t moved_count;

  // Constraints by slot.
  mo_id_pool constraint_ids;
  mo_constraint *constraints;
  uint32_t constraints_capacity;

  // Contacts, sorted by pair. `fresh_contacts` is where a step builds the next list before it takes
  // the place of the old.
  mo_contact *contacts;
  uint32_t contacts_capacity;
  uint32_t contacts_count;
  mo_contact *fresh_contacts;
  uint32_t fresh_contacts_capacity;
  mo_broad_phase broad_phase;

  // Potentials by slot; each owns its list of bodies.
  mo_id_pool potential_ids;
  mo_potential_def *potentials;
  uint32_t potentials_capacity;

  mo_arena step_arena;          ///< working memory, reset by each step
  mo_arena problem_arena;       ///< holds last_step.problem
  mo_arena spare_problem_arena; ///< where a step builds the next problem; swapped by its commit
  mo_arena trial_arena;         ///< reset by each trial of joints within a step
  mo_arena query_arena;         ///< reset by each query
  mo_exact_workspace exact;     ///< of the exact solvers; nothing in it reaches a result
  mo_step_record last_step;

  bool is_locked; ///< a callback of the user is running: the world can be read, not changed

  mo_result last_result;
  char last_error[MO_ERROR_TEXT_BYTES];
};

/// Rewrites the bulk arrays of a slot from its motion.
void mo_world_publish_slot(mo_world *world, uint32_t slot);

/// Records why a call is refused, as "function: argument what, got value", and returns `result`.
mo_result mo_world_refuse(mo_world *world, mo_result result, const char *function,
                          const char *argument, const char *must, double got);
/// The same without a value.
mo_result mo_world_refuse_text(mo_world *world, mo_result result, const char *function,
                               const char *text);
/// The same for vectors.
mo_result mo_world_refuse_vec3(mo_world *world, mo_result result, const char *function,
                               const char *argument, const char *must, mo_vec3 got);

/// The same for a constraint whose function failed: MO_ERROR_CONSTRAINT_FAILED.
mo_result mo_world_refuse_constraint(mo_world *world, const char *function, uint32_t slot,
                                     mo_constraint_failure failure);
/// The same for a potential: MO_ERROR_POTENTIAL_FAILED.
mo_result mo_world_refuse_potential(mo_world *world, const char *function, uint32_t slot,
                                    const char *failure);

/// The solver that a body asks for: its own, or that of the world.
static inline mo_solver mo_world_body_solver(const mo_world *world, const mo_body *body) {
  return body->has_solver ? body->solver : world->settings.solver;
}

/// By what the impulses of the last step are to be multiplied to begin this one: forces persist
/// from step to step, impulses grow with the step. 0 for steps of very different length, which have
/// nothing to say to each other.
double mo_world_warm_start_scale(const mo_world *world, double dt);

/// Builds the contact list of a step, or returns MO_ERROR_OUT_OF_MEMORY.
///
/// Runs broad and narrow phase on the present poses; fills world->fresh_contacts with what is in
/// reach within dt seconds and carries impulses over from world->contacts. Of the world's state it
/// changes nothing; it works in the step arena and the broad phase.
/// @param free_velocities per slot: velocities before the contact solve, for the reach of
/// speculative contacts
mo_result mo_world_find_contacts(mo_world *world, const mo_velocity *free_velocities, double dt,
                                 uint32_t *contact_count, uint32_t *pair_count);
/// Destroys the constraints of a body.
void mo_world_forget_constraints(mo_world *world, uint32_t slot);
/// Drops the contacts of a body.
void mo_world_forget_contacts(mo_world *world, uint32_t slot);

/// Forces and torques on every dynamic body in a state of the world that may be one on trial: those
/// that the user applied, the world's gravity and all potentials.
/// @param motions per slot
/// @param time s
/// @param[out] wrenches per slot
/// @return MO_OK or MO_ERROR_POTENTIAL_FAILED, with the reason recorded for mo_world_step
mo_result mo_world_evaluate_forces(mo_world *world, const mo_motion *motions, double time,
                                   mo_wrench *wrenches);
/// Energy of a potential at present, J. False where it failed or is not finite.
bool mo_world_potential_energy(mo_world *world, uint32_t potential_slot, double *energy);
/// Destroys all potentials and gives their memory back.
void mo_world_free_potentials(mo_world *world);
