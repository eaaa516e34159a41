/// The world: the only place that knows everything. Private to src/world.
#pragma once

#include "collision/broad_phase.h"
#include "constraints/contact.h"
#include "dynamics/body.h"
#include "memory/arena.h"
#include "memory/id_pool.h"

#define MO_ERROR_TEXT_BYTES 256

/// What the last step left for read-outs.
typedef struct mo_step_record {
  mo_row_problem problem; ///< the certificate's input
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

  // Contacts, sorted by pair. `fresh_contacts` is where a step builds the next list before it takes
  // the place of the old.
  mo_contact *contacts;
  uint32_t contacts_capacity;
  uint32_t contacts_count;
  mo_contact *fresh_contacts;
  uint32_t fresh_contacts_capacity;
  mo_broad_phase broad_phase;

  mo_arena step_arena;          ///< working memory, reset by each step
  mo_arena problem_arena;       ///< holds last_step.problem
  mo_arena spare_problem_arena; ///< where a step builds the next problem; swapped by its commit
  mo_arena query_arena;         ///< reset by each query
  mo_step_record last_step;

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

/// Builds the contact list of a step, or returns MO_ERROR_OUT_OF_MEMORY.
///
/// Runs broad and narrow phase on the present poses; fills world->fresh_contacts with what is in
/// reach within dt seconds and carries impulses over from world->contacts. Of the world's state it
/// changes nothing; it works in the step arena and the broad phase.
/// @param free_velocities per slot: velocities before the contact solve, for the reach of
/// speculative contacts
mo_result mo_world_find_contacts(mo_world *world, const mo_velocity *free_velocities, double dt,
                                 uint32_t *contact_count, uint32_t *pair_count);
/// Drops the contacts of a body.
void mo_world_forget_contacts(mo_world *world, uint32_t slot);
