/// The world: the only place that knows everything. Private to src/world.
#pragma once

#include "collision/broad/broad_phase.h"
#include "constraints/constraint.h"
#include "constraints/contact.h"
#include "dynamics/body.h"
#include "memory/arena.h"
#include "memory/id_pool.h"
#include "solvers/by_island.h"
#include "solvers/substep/substep_joints.h"
#include "world/island_sets.h"
#include "world/joined_pairs.h"
#include "world/kept_step.h"
#include "world/pair_store.h"
#include "world/profile.h"

#define MO_ERROR_TEXT_BYTES 256

/// Stands for the place of a body that is not among the awake ones.
#define MO_NOT_AWAKE UINT32_MAX

/// What soft-step's part of the last step left: enough to write its contact problem down when
/// somebody asks. In the world's problem_arena.
typedef struct mo_fast_record {
  mo_motion *start;             ///< per solver body: at the start of the step
  const mo_solver_mass *masses; ///< per solver body
  const uint32_t *slots;        ///< per solver body
  const uint32_t *indices;      ///< per slot: solver body, 0: none
  const mo_row_problem *rows;   ///< of constraints without a fast form, solved; null: none had
  uint32_t body_count;          ///< with index 0, which is nobody
  uint32_t slot_count;          ///< at the step
  uint32_t substeps;
} mo_fast_record;

/// Constraints as soft-step solves them, from step to step.
typedef struct mo_joint_store {
  bool is_made;             ///< else the next step lists them anew: mo_world_forget_joints
  mo_substep_joints joints; ///< those that impulses of the awake bodies of soft-step reach
  uint32_t *slots;          ///< per joint: the slot of its constraint
  uint8_t *is_joint;        ///< per constraint slot
  bool has_rows;            ///< some constraint in reach has no fast form
  mo_arena arena;           ///< of all that
} mo_joint_store;

/// What the last step left for read-outs.
typedef struct mo_step_record {
  mo_fast_record fast;
  bool has_problem;          ///< `problem` is complete; else soft-step's part is to be written down
  mo_row_problem problem;    ///< the certificate's input
  const uint32_t *row_slots; ///< per body of the problem: its slot (of the world itself: 0)
  mo_by_island by_island;    ///< how its islands were solved
  mo_friction_law friction_law;
  mo_stats stats;
  double dt; ///< s, 0 before the first step
} mo_step_record;

/// Fields of the world that several stages of a step write, as they were before it.
typedef struct mo_world_before {
  mo_pair_counts pairs;
  uint32_t awake_count;
  bool has_woken, has_fallen_asleep, has_activity_changed, has_dead_pairs, has_stale_pairs;
  mo_kept_step kept;
  mo_step_record last_step; ///< which a function of the user may have asked to be completed
} mo_world_before;

struct mo_world {
  uint16_t tag; ///< in its ids and nowhere else: no result depends on it
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
  mo_body_id *body_ids;
  uint32_t body_ids_capacity;
  uint32_t *moved;
  uint32_t moved_capacity;
  uint32_t moved_count;

  // Activity by slot.
  uint32_t *awake; ///< slots of the awake bodies, ascending, unless awake_is_stale
  uint32_t awake_capacity;
  uint32_t awake_count;
  bool awake_is_stale;    ///< some came or went since
  uint32_t *awake_places; ///< per slot: index in `awake`, or MO_NOT_AWAKE
  uint32_t awake_places_capacity;
  float *still_times; ///< per slot: s that the body has been slow enough to sleep
  uint32_t still_times_capacity;
  uint32_t *constraint_counts; ///< per slot: constraints on the body
  uint32_t constraint_counts_capacity;
  double *displacements; ///< per slot: m, bound of the way of any of its points since its creation
  uint32_t displacements_capacity;
  float *step_displacements; ///< per slot: the same of the last step alone
  uint32_t step_displacements_capacity;
  double *box_limits; ///< per slot: travel up to which its boxes in the broad phase hold
  uint32_t box_limits_capacity;
  mo_island_sets islands;
  bool has_woken;            ///< pairs of woken bodies are still among the sleeping ones
  bool has_fallen_asleep;    ///< and the other way round
  bool has_activity_changed; ///< since sleep events were told
  mo_sleep_event *sleep_events;
  uint32_t sleep_events_capacity;
  uint32_t sleep_events_count;
  uint8_t *was_awake; ///< per slot, at the last step: what sleep events are told from
  uint32_t was_awake_capacity;

  // Constraints by slot.
  mo_id_pool constraint_ids;
  mo_constraint *constraints;
  uint32_t constraints_capacity;
  uint32_t breaking_count;      ///< those that are to end with this step
  mo_broken_constraint *broken; ///< those that ended by breaking, in the last step and since
  uint32_t broken_capacity;
  uint32_t broken_count;

  mo_joint_store joints;

  // Pairs of shapes that are near each other.
  mo_broad_phase broad_phase;
  mo_pair_store pairs;
  bool has_dead_pairs;  ///< bodies went whose pairs are in the store
  bool has_stale_pairs; ///< pairs that may no longer be are in the store
  mo_joined_pairs joined;
  uint32_t solver_override_count; ///< bodies that may ask for a solver other than the world's

  // Manifolds of the row solvers, sorted by pair; those without points are of bodies that went.
  // `fresh_contacts` is where a step builds the next list before it takes the place of the old.
  mo_contact *contacts;
  uint32_t contacts_capacity;
  uint32_t contacts_count;
  mo_contact *fresh_contacts;
  uint32_t fresh_contacts_capacity;

  // Potentials by slot; each owns its list of bodies.
  mo_id_pool potential_ids;
  mo_potential_def *potentials;
  uint32_t potentials_capacity;

  mo_journal journal;           ///< of the running step (transaction.h)
  mo_world_before before;       ///< likewise
  mo_arena step_arena;          ///< working memory, reset by each step
  mo_arena problem_arena;       ///< holds last_step.problem
  mo_arena spare_problem_arena; ///< where a step builds the next problem; swapped by its commit
  mo_arena trial_arena;         ///< reset by each trial of joints within a step
  mo_arena query_arena;         ///< reset by each query
  double *problem_record;       ///< what mo_world_record_problem handed out; or null
  mo_exact_workspace exact;     ///< of the exact solvers; nothing in it reaches a result
  mo_step_record last_step;
  mo_kept_step kept; ///< of last_step.problem
  mo_profiler profiler;

  // What mo_world_cast_ray_all found.
  mo_ray_hit *ray_hits;
  uint32_t ray_hits_capacity;
  uint32_t ray_hits_count;

  bool is_locked; ///< a callback of the user is running: the world can be read, not changed

  mo_result last_result;
  char last_error[MO_ERROR_TEXT_BYTES];
};

/// Rewrites the bulk arrays of a slot from its motion.
void mo_world_publish_slot(mo_world *world, uint32_t slot);

/// The tag of the next world: 1, 2, ... 65535, 1, ... by a counter of the process.
uint16_t mo_next_world_tag(void);
/// The potential in a slot, or null; the others are in moreau.h.
mo_potential_id mo_world_potential_in_slot(const mo_world *world, uint32_t slot);

/// Records why a call is refused, as "function: argument what, got value", and returns `result`.
mo_result mo_world_refuse(mo_world *world, mo_result result, const char *function,
                          const char *argument, const char *must, double got);
/// The same without a value.
mo_result mo_world_refuse_text(mo_world *world, mo_result result, const char *function,
                               const char *text);
/// The same for vectors.
mo_result mo_world_refuse_vec3(mo_world *world, mo_result result, const char *function,
                               const char *argument, const char *must, mo_vec3 got);

/// The same for an id that is not alive, or by MO_ERROR_INVALID_ARGUMENT of another world.
/// @param slot MO_NO_SLOT: the id is null
mo_result mo_world_refuse_id(mo_world *world, mo_result result, const char *function,
                             const char *argument, uint32_t slot, uint16_t generation);

/// The same for a constraint whose function failed: MO_ERROR_CONSTRAINT_FAILED.
mo_result mo_world_refuse_constraint(mo_world *world, const char *function, uint32_t slot,
                                     mo_constraint_failure failure);
/// The same for a potential: MO_ERROR_POTENTIAL_FAILED.
mo_result mo_world_refuse_potential(mo_world *world, const char *function, uint32_t slot,
                                    const char *failure);

/// The solver that a body asks for: its own, or that of the world.
static inline mo_solver mo_world_body_solver(const mo_world *world, const mo_body *body) {
  mo_solver asked = body->has_solver ? body->solver : world->settings.solver;
  return asked == MO_SOLVER_SOFT_STEP && body->needs_double ? MO_SOLVER_BLOCK_PGS : asked;
}

/// By what the impulses of the last step are to be multiplied to begin this one: forces persist
/// from step to step, impulses grow with the step. 0 for steps of very different length, which have
/// nothing to say to each other.
double mo_world_warm_start_scale(const mo_world *world, double dt);

// --- activity (activity.c) -------------------------------------------------------------------

/// Room for one more slot in all arrays of activity. False without memory.
bool mo_world_reserve_activity(mo_world *world, uint32_t slot_count);
/// A body begins (awake, unless it is static) or ends.
void mo_world_begin_activity(mo_world *world, uint32_t slot);
void mo_world_end_activity(mo_world *world, uint32_t slot);
/// Makes a body one of another type: its pairs are found anew, its island without it. False without
/// memory, with nothing changed.
bool mo_world_change_type(mo_world *world, uint32_t slot, mo_body_type type);
/// Wakes all bodies.
void mo_world_wake_all(mo_world *world);
/// Wakes the island of a body that can move. Cannot fail: what needs memory waits for the step.
void mo_world_wake_slot(mo_world *world, uint32_t slot);
/// Room in the journal of the step for waking the island of a body, to be asked for before that is
/// done in a step. False without memory.
bool mo_world_reserve_wake(mo_world *world, uint32_t slot);
/// Two bodies touch in a step: wakes those that sleep and can move. False without memory.
/// @param[out] has_woken whether one slept
bool mo_world_wake_pair(mo_world *world, uint32_t slot_a, uint32_t slot_b, bool *has_woken);
/// Wakes the bodies that touch one, which need not be able to move.
void mo_world_wake_touching(mo_world *world, uint32_t slot);
/// m: added to a body's travel, no contact of before holds.
#define MO_OUT_OF_REACH 1.0
/// Bound of the way of any point of a body between two motions, m.
double mo_world_displacement_between(const mo_body *body, const mo_motion *from,
                                     const mo_motion *to);
static inline bool mo_world_is_awake(const mo_world *world, uint32_t slot) {
  return world->awake_places[slot] != MO_NOT_AWAKE;
}
/// Whether impulses of contacts move a body: it is dynamic.
static inline bool mo_world_is_dynamic(const mo_world *world, uint32_t slot) {
  return world->bodies[slot].type == MO_BODY_DYNAMIC;
}
/// Whether the pair of two bodies is looked at in a step.
static inline bool mo_world_is_active_pair(const mo_world *world, const mo_pair *pair) {
  return mo_world_is_awake(world, pair->slot_a) || mo_world_is_awake(world, pair->slot_b);
}

// --- proxies and pairs (proxies.c) -----------------------------------------------------------

/// Room for the shapes of a body of that type in the broad phase. False without memory.
bool mo_world_reserve_proxies(mo_world *world, mo_body_type type, uint32_t count);
/// Enters the shapes of a body into the broad phase, for which there must be room.
void mo_world_add_proxies(mo_world *world, uint32_t slot);
void mo_world_remove_proxies(mo_world *world, uint32_t slot);
/// A body was put somewhere else.
void mo_world_move_proxies(mo_world *world, uint32_t slot);
/// What a body may touch changed: its pairs are looked for anew.
void mo_world_touch_proxies(mo_world *world, uint32_t slot);
/// The broad phase takes a body for one of another type. False without memory.
bool mo_world_set_proxy_kinds(mo_world *world, uint32_t slot, mo_body_type type);
/// Sees to it that the boxes of a body reach `reach` metres beyond its shapes where `motion` has
/// it.
/// @return m: how far any point of it may move until the boxes need be looked at again
double mo_world_cover_body(mo_world *world, uint32_t slot, const mo_motion *motion, double reach);

// --- contacts (contacts.c) -------------------------------------------------------------------

/// What a body may touch changed: the next step drops those of its contacts that may no longer be.
void mo_world_recheck_contacts(mo_world *world, uint32_t slot);
/// A body goes: the next step drops its contacts, or mo_world_drop_dead_pairs.
void mo_world_end_contacts(mo_world *world, uint32_t slot);
/// Drops the contacts of bodies that went: they name slots and proxies that are about to be taken
/// again. Not in a step, which drops them all by itself.
void mo_world_drop_dead_pairs(mo_world *world);
/// Drops the contacts of a body, to be found anew.
void mo_world_drop_pairs_of(mo_world *world, uint32_t slot);
/// Room in the notes of a step for dropping one contact. False without memory.
bool mo_world_reserve_drop(mo_world *world);
/// Drops a contact: the broad phase may find it anew.
void mo_world_drop_contact(mo_world *world, uint32_t contact);
/// Finds the contacts that came since the last step, brings those of woken bodies back, and so
/// makes world->pairs complete. False without memory.
bool mo_world_complete_pairs(mo_world *world);
/// Friction or restitution of a body changed: its contacts have those of both bodies mixed anew.
void mo_world_mix_materials(mo_world *world, uint32_t slot);
/// Drops the manifolds that the row solvers have of a body. Not in a step.
void mo_world_forget_contacts(mo_world *world, uint32_t slot);
/// Part of the commit of a step: the first `count` of world->fresh_contacts become those of the
/// world.
void mo_world_take_fresh_contacts(mo_world *world, uint32_t count);

/// m of overlap that is left alone by soft-step or the row solvers.
double mo_world_linear_slop(const mo_world *world, bool fast);
/// m/s of approach below which nothing bounces, in a step of dt.
double mo_world_restitution_threshold(const mo_world *world, double dt);

/// A contact or constraint links two bodies: one island, if both are dynamic.
static inline void mo_world_link(mo_world *world, uint32_t slot_a, uint32_t slot_b) {
  if (mo_world_is_dynamic(world, slot_a) && mo_world_is_dynamic(world, slot_b)) {
    mo_island_sets_join(&world->islands, slot_a, slot_b);
  }
}
/// Joints came, went or hold bodies that are others now: soft-step begins anew with them
/// (substep_joints.h says when), from the impulses that the constraints have.
static inline void mo_world_forget_joints(mo_world *world) { world->joints.is_made = false; }
/// A constraint's bodies at given motions.
mo_constraint_place mo_world_constraint_place(const mo_world *world, const mo_motion *motions,
                                              double time, const mo_constraint *constraint);
/// Destroys the constraints of a body.
void mo_world_forget_constraints(mo_world *world, uint32_t slot);

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
