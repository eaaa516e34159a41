/// The world: all data of the engine. Private to src/world, src/step and src/report.
#pragma once

#include "collision/broad/broad_phase.h"
#include "constraints/constraint.h"
#include "constraints/contact.h"
#include "dynamics/body.h"
#include "memory/arena.h"
#include "memory/byte_stream.h"
#include "memory/id_pool.h"
#include "solvers/by_island.h"
#include "solvers/soft_step/joints/joint_data.h"
#include "world/island_sets.h"
#include "world/joined_pairs.h"
#include "world/pair_store.h"
#include "world/profile.h"
#include "world/touches.h"

#define MO_ERROR_TEXT_BYTES 256

/// Stands for the index of a body that is not in the list of awake ones.
#define MO_NOT_AWAKE UINT32_MAX

/// What the soft-step part of the last step keeps, from which its contact problem can be written on
/// request. In the world's problem_arena.
typedef struct mo_soft_record {
  mo_motion *start;             ///< per solver body: at the start of the step
  const mo_solver_mass *masses; ///< per solver body
  const uint32_t *slots;        ///< per solver body
  const uint32_t *indices;      ///< per slot: solver body, 0: none
  /// Solved rows of constraints without a soft form; null if there are none.
  const mo_row_problem *rows;
  uint32_t body_count; ///< index 0 included, which is no body
  uint32_t slot_count; ///< in that step
  uint32_t substeps;
} mo_soft_record;

/// Constraints in soft-step's form, kept from step to step.
typedef struct mo_joint_store {
  bool is_made;    ///< false: the next step lists them again (mo_world_forget_joints)
  bool is_fresh;   ///< they were listed in this step
  bool is_ahead;   ///< constraints of quiet ones lack the impulses of the last step
  bool is_watched; ///< the user may hold the address of impulses, which are kept there then
  mo_substep_joints joints; ///< those on awake bodies of soft-step
  uint32_t *slots;          ///< per joint: the slot of its constraint
  uint32_t *driven;         ///< those with springs, motors or friction
  uint32_t driven_count;
  uint8_t *is_quiet; ///< per joint: its constraint is written only when someone asks
                     ///< (joint_impulses.c)
  uint32_t *busy;    ///< the others
  uint32_t busy_count;
  uint8_t *is_joint; ///< per constraint slot
  bool has_rows;     ///< some constraint on these bodies has no soft form
  uint32_t substeps; ///< of the last step: their impulses are those of one substep
  mo_arena arena;    ///< of all of these
} mo_joint_store;

/// What the user's contact function answered about a contact (step/contact_function.h).
typedef struct mo_contact_answer {
  uint64_t step; ///< mo_contact_rule.step when it was given
  double friction, restitution;
  mo_vec3 surface_velocity; ///< m/s, world, of B against A
  bool is_refused;
  uint32_t removed; ///< bits of points
} mo_contact_answer;

typedef struct mo_contact_rule {
  mo_contact_function *function; ///< null: there is none
  void *user;
  uint64_t step;              ///< counts the steps that were tried
  mo_contact_answer *answers; ///< per contact
  uint32_t answers_capacity;
} mo_contact_rule;

/// Data of the last step for read-outs.
typedef struct mo_step_record {
  mo_soft_record soft;
  bool has_problem;          ///< `problem` is complete; false: soft-step's part is missing
  mo_row_problem problem;    ///< the certificate's input
  const uint32_t *row_slots; ///< per body of the problem: its slot (0 for the world)
  mo_by_island by_island;    ///< how its islands were solved
  mo_friction_law friction_law;
  mo_stats stats;
  double dt; ///< s; 0 before the first step
} mo_step_record;

/// Fields of the world that several stages of a step write, as they were before the step.
typedef struct mo_world_before {
  mo_pair_counts pairs;
  uint32_t awake_count;
  bool has_woken, has_fallen_asleep, has_activity_changed, has_dead_pairs, has_stale_pairs;
  mo_step_record last_step; ///< a function of the user may have had it completed
} mo_world_before;

/// A shape by its content.
typedef struct mo_known_shape {
  uint64_t content;
  mo_shape *shape;
} mo_known_shape;

/// Where a body is: its centre of mass, m, and its orientation.
typedef struct mo_still_place {
  mo_vec3 center_of_mass;
  mo_quat orientation;
} mo_still_place;

/// Bounds of the masses of the dynamic bodies, those that were destroyed included: no state, but a
/// quick way to see that no two bodies differ much.
typedef struct mo_mass_bounds {
  double heaviest;        ///< kg; 0: there was no body
  double largest_inverse; ///< 1/kg
} mo_mass_bounds;

struct mo_world {
  uint16_t tag; ///< it is in the world's ids and nowhere else; no result depends on it
  mo_world_def settings;
  double time;
  uint64_t step_count;
  uint64_t next_serial;

  // Bodies by slot: cold records, hot motion, and the arrays that users read.
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
  bool awake_is_stale;    ///< bodies were added or removed since
  uint32_t *awake_places; ///< per slot: index in `awake`, or MO_NOT_AWAKE
  uint32_t awake_places_capacity;
  float *still_times; ///< per slot: s for which the body has been slow enough to sleep
  uint32_t still_times_capacity;
  mo_still_place *still_places; ///< per slot: where the body was at its start or later (sleep.c)
  uint32_t still_places_capacity;
  /// Per slot that names an island: J, energy that was taken from it and may come back
  /// (step/soft_step/joint_energy.h).
  float *energy_tanks;
  uint32_t energy_tanks_capacity;
  uint32_t *constraint_counts; ///< per slot: number of constraints on the body that act
  uint32_t constraint_counts_capacity;
  double *displacements; ///< per slot: m, bound of the displacement of its points so far
  uint32_t displacements_capacity;
  float *step_displacements; ///< per slot: the same for the last step
  uint32_t step_displacements_capacity;
  /// Per slot: displacement up to which its boxes in the broad phase are valid; 0: they have to be
  /// checked. Of a fast body of soft-step they hold its path in the next step, too.
  double *box_limits;
  uint32_t box_limits_capacity;
  mo_island_sets islands;
  bool has_woken;            ///< pairs of woken bodies are still among the sleeping ones
  bool has_fallen_asleep;    ///< pairs of sleeping bodies are still among the awake ones
  bool has_activity_changed; ///< since the last sleep events
  mo_sleep_event *sleep_events;
  uint32_t sleep_events_capacity;
  uint32_t sleep_events_count;
  uint8_t *was_awake; ///< per slot, by the last sleep event of its body; true before the first
  uint32_t was_awake_capacity;

  // Constraints by slot.
  mo_id_pool constraint_ids;
  mo_constraint *constraints;
  uint32_t constraints_capacity;
  uint32_t breakable_count;     ///< number of constraints that a load can break
  uint32_t arriving_count;      ///< number of those whose motors arrive within a step
  uint32_t breaking_count;      ///< number of constraints that end with this step
  mo_broken_constraint *broken; ///< constraints that broke in the last step and since
  uint32_t broken_capacity;
  uint32_t broken_count;

  mo_joint_store joints;

  // Pairs of shapes that are near each other.
  mo_broad_phase broad_phase;
  mo_pair_store pairs;
  bool has_dead_pairs;  ///< the store has pairs of bodies that were destroyed
  bool has_stale_pairs; ///< the store has pairs that may no longer be allowed
  mo_joined_pairs joined;
  uint32_t solver_override_count; ///< bodies that may ask for another solver than the world's
  uint32_t surface_count; ///< bodies with rolling or spinning friction or a surface velocity
  uint32_t target_count;  ///< kinematic bodies whose target is ahead or was just reached
  mo_mass_bounds mass_bounds;

  // Manifolds of the row solvers, sorted by pair; those without points belong to bodies that were
  // destroyed. A step builds the next list in `fresh_contacts`, which then replaces this one.
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
  mo_world_before *before;      ///< likewise, in step_arena
  mo_arena step_arena;          ///< working memory of a running step (memory/scratch.h)
  mo_arena problem_arena;       ///< holds last_step.problem
  mo_arena spare_problem_arena; ///< where a step builds the next problem; its commit swaps the two
  mo_arena trial_arena;         ///< reset by each trial of joints within a step
  mo_arena query_arena;         ///< reset by each query
  mo_arena vehicle_arena;       ///< reset by each update of a vehicle, in which queries run
  double *problem_record;       ///< the result of mo_world_record_problem; or null
  mo_exact_workspace exact;     ///< of the exact solvers; no result depends on it
  mo_step_record last_step;
  double running_dt; ///< s, of the running step
  mo_profiler profiler;

  // The result of the last query that gave a list, behind those of queries that are running.
  mo_query_hit *query_hits;
  uint32_t query_hits_capacity;
  uint32_t query_hits_count; ///< of the running ones

  mo_contact_rule contact_rule;

  // Events of the last step (touches.h), and what they are made of.
  uint32_t watched; ///< bits of MO_WATCH_CONTACTS and MO_WATCH_SENSORS
  mo_touches contact_touches, sensor_touches;
  uint64_t *touch_order; ///< memory for sorting
  uint32_t touch_order_capacity;
  mo_contact_event *contact_events;
  uint32_t contact_events_count, contact_events_capacity;
  mo_contact_point *event_points;
  uint32_t event_points_count, event_points_capacity;
  mo_sensor_event *sensor_events;
  uint32_t sensor_events_count, sensor_events_capacity;

  /// Shapes that snapshots without assets name, ascending by content; the world has references.
  mo_known_shape *assets;
  uint32_t assets_count, assets_capacity;
  mo_byte_writer *snapshot; ///< the bytes of the last one; null: there was none

  bool is_locked; ///< a callback of the user is running: the world can be read, not changed

  mo_result last_result;
  char last_error[MO_ERROR_TEXT_BYTES];
};

/// Makes room for slots of bodies below `slots` in all arrays by slot. Returns false without
/// memory.
bool mo_world_reserve_slots(mo_world *world, uint32_t slots);
/// Writes the arrays that users read of a slot, from its id and motion.
void mo_world_publish_slot(mo_world *world, uint32_t slot);
/// The same without the id, for a motion that changed.
void mo_world_publish_motion(mo_world *world, uint32_t slot);

/// The tag of the next world: 1, 2, ... 65535, 1, ..., counted in the process.
uint16_t mo_next_world_tag(void);
/// mo_world_create with a tag that another world has already, so that the ids of both are equal.
mo_world *mo_world_create_tagged(const mo_world_def *def, uint16_t tag, mo_result *result);
/// Frees a world and leaves the working memory of steps to others, which mo_world_destroy frees
/// too.
void mo_world_free(mo_world *world);
/// The potential in a slot, or null. moreau.h has this for the other kinds.
mo_potential_id mo_world_potential_in_slot(const mo_world *world, uint32_t slot);

/// Records why a call is refused, as "function: argument must, got value", and returns `result`.
mo_result mo_world_refuse(mo_world *world, mo_result result, const char *function,
                          const char *argument, const char *must, double got);
/// The same without a value.
mo_result mo_world_refuse_text(mo_world *world, mo_result result, const char *function,
                               const char *text);
/// The same for vectors.
mo_result mo_world_refuse_vec3(mo_world *world, mo_result result, const char *function,
                               const char *argument, const char *must, mo_vec3 got);

/// The same for an id that is not alive, or with MO_ERROR_INVALID_ARGUMENT for one of another
/// world.
/// @param slot MO_NO_SLOT: the id is null
mo_result mo_world_refuse_id(mo_world *world, mo_result result, const char *function,
                             const char *argument, uint32_t slot, uint16_t generation);

/// The same for a constraint whose function failed, with MO_ERROR_CONSTRAINT_FAILED.
mo_result mo_world_refuse_constraint(mo_world *world, const char *function, uint32_t slot,
                                     mo_constraint_failure failure);
/// The same for a potential, with MO_ERROR_POTENTIAL_FAILED.
mo_result mo_world_refuse_potential(mo_world *world, const char *function, uint32_t slot,
                                    const char *failure);
/// The same for a step in which the motion of a body overflows, with MO_ERROR_NOT_FINITE.
mo_result mo_world_refuse_motion(mo_world *world, uint32_t slot);
/// The same for one in which the velocity to the target of a body does.
mo_result mo_world_refuse_target(mo_world *world, uint32_t slot);

/// Whether bodies that ask for this solver are those of soft-step, if nothing else decides.
static inline bool mo_is_substep_solver(mo_solver solver) {
  return solver == MO_SOLVER_SOFT_STEP || solver == MO_SOLVER_AUTO;
}
/// The solver that a body asks for: its own, or that of the world. MO_SOLVER_AUTO is
/// MO_SOLVER_SOFT_STEP here; a step chooses which bodies it gives to MO_SOLVER_EXACT.
static inline mo_solver mo_world_body_solver(const mo_world *world, const mo_body *body) {
  mo_solver asked = body->has_solver ? body->solver : world->settings.solver;
  if (!mo_is_substep_solver(asked)) {
    return asked;
  }
  return body->needs_double ? MO_SOLVER_BLOCK_PGS : MO_SOLVER_SOFT_STEP;
}

/// Factor from the impulses of the last step to the first ones of this step: forces persist from
/// step to step, and impulses are proportional to its length. 0 for steps of very different
/// lengths, whose impulses do not help.
double mo_world_warm_start_scale(const mo_world *world, double dt);

// --- activity (activity.c) -------------------------------------------------------------------

/// Makes room for one more slot in all arrays of activity. Returns false without memory.
bool mo_world_reserve_activity(mo_world *world, uint32_t slot_count);
/// Starts (awake, unless it is static) or ends the activity of a body.
void mo_world_begin_activity(mo_world *world, uint32_t slot);
void mo_world_end_activity(mo_world *world, uint32_t slot);
/// Lets a body take part in the world, or take part in nothing.
void mo_world_change_enabled(mo_world *world, uint32_t slot, bool is_enabled);
/// Changes the type of a body. Its pairs are found again, and it leaves its island. Returns false
/// without memory, with nothing changed.
bool mo_world_change_type(mo_world *world, uint32_t slot, mo_body_type type);
/// Wakes all bodies.
void mo_world_wake_all(mo_world *world);
/// Wakes the island of a body that can move. Cannot fail: work that needs memory is left to the
/// step.
void mo_world_wake_slot(mo_world *world, uint32_t slot);
/// Makes room in the journal for waking the island of a body; in a step this comes first. Returns
/// false without memory.
bool mo_world_reserve_wake(mo_world *world, uint32_t slot);
/// Wakes the bodies of a pair that touch in a step, if they can move. Returns false without memory.
/// @param[out] has_woken whether one of them slept
bool mo_world_wake_pair(mo_world *world, uint32_t slot_a, uint32_t slot_b, bool *has_woken);
/// Wakes the bodies that touch a body, which need not be able to move.
void mo_world_wake_touching(mo_world *world, uint32_t slot);
/// Wakes the bodies that constraints join to a body, which need not be able to move.
void mo_world_wake_joined(mo_world *world, uint32_t slot);
/// A metre in the unit in which this world has its lengths (mo_world_def.length_unit). Constants in
/// m and m/s are multiplied by it. All equations of mechanics are homogeneous in length, so that a
/// world in which all lengths, and with them gravity, speeds and constants, are k times as large
/// moves as before, k times as far (similarity by dimensional analysis, Buckingham 1914). With a
/// power of 2 it does to the bit.
static inline double mo_world_metre(const mo_world *world) {
  return 1.0 / world->settings.length_unit;
}
/// m: a displacement after which no old contact of the body is valid.
#define MO_OUT_OF_REACH 1.0
/// Bound of the displacement of any point of a body between two motions, m.
double mo_world_displacement_between(const mo_body *body, const mo_motion *from,
                                     const mo_motion *to);
static inline bool mo_world_is_awake(const mo_world *world, uint32_t slot) {
  return world->awake_places[slot] != MO_NOT_AWAKE;
}
/// Whether impulses of contacts move a body: it is dynamic.
static inline bool mo_world_is_dynamic(const mo_world *world, uint32_t slot) {
  return world->bodies[slot].type == MO_BODY_DYNAMIC;
}
/// Whether a constraint holds a body: joints hand on to it what acts on others.
static inline bool mo_world_is_in_joints(const mo_world *world, uint32_t slot) {
  return world->constraint_counts[slot] > 0;
}
/// Whether a step updates the pair.
static inline bool mo_world_is_active_pair(const mo_world *world, const mo_pair *pair) {
  return mo_world_is_awake(world, pair->slot_a) || mo_world_is_awake(world, pair->slot_b);
}

/// Counts a body that begins or ends, or whose surface begins or ends to be changed, among those
/// with rolling or spinning friction or a surface velocity.
void mo_world_count_surface(mo_world *world, uint32_t slot, bool begins);
/// The velocity of the surface of body B against that of A, besides the motion of the bodies: m/s,
/// world.
static inline mo_vec3 mo_world_surface_velocity(const mo_world *world, uint32_t slot_a,
                                                uint32_t slot_b) {
  return mo_sub(
      mo_body_surface_velocity(&world->bodies[slot_b], world->motions[slot_b].orientation),
      mo_body_surface_velocity(&world->bodies[slot_a], world->motions[slot_a].orientation));
}
static inline mo_combine mo_combine_or_default(mo_combine rule) {
  return rule == MO_COMBINE_DEFAULT ? MO_COMBINE_GEOMETRIC_MEAN : rule;
}

// --- targets of kinematic bodies (targets.c) -------------------------------------------------

/// Ends the move of a body to its target.
void mo_world_end_target(mo_world *world, uint32_t slot);
/// Part of a step, before its stages: gives bodies with a target the velocities that lead there.
/// @return MO_OK; MO_ERROR_NOT_FINITE with the text of the refusal, for a velocity that overflows;
/// MO_ERROR_OUT_OF_MEMORY without room for the notes
mo_result mo_world_aim_at_targets(mo_world *world, double dt);
/// Part of the commit of a step: the body ends it at its target, or is nearer to it.
void mo_world_follow_target(mo_world *world, uint32_t slot, double dt);

// --- proxies and pairs (proxies.c) -----------------------------------------------------------

/// Makes room for the shapes of a body of that type in the broad phase. Returns false without
/// memory.
bool mo_world_reserve_proxies(mo_world *world, mo_body_type type, const mo_placed_shape *shapes,
                              uint32_t count);
/// The kind of a shape of a body in the broad phase, if the body has that type.
mo_tree_kind mo_world_proxy_kind(const mo_body *body, uint32_t shape, mo_body_type type);
/// Adds a shape of a body to the broad phase; there must be room.
void mo_world_add_proxy(mo_world *world, uint32_t slot, uint32_t shape);
/// Adds all shapes of a body, likewise.
void mo_world_add_proxies(mo_world *world, uint32_t slot);
void mo_world_remove_proxies(mo_world *world, uint32_t slot);
/// The smallest box around the shapes of a body, m, world; its position if it has none.
mo_bounds mo_world_body_bounds(const mo_world *world, uint32_t slot);
/// Updates the broad phase after the user moved a body.
void mo_world_move_proxies(mo_world *world, uint32_t slot);
/// Makes the broad phase search the pairs of a body again, because what it may touch changed.
void mo_world_touch_proxies(mo_world *world, uint32_t slot);
/// Changes the type of a body in the broad phase. Returns false without memory.
bool mo_world_set_proxy_kinds(mo_world *world, uint32_t slot, mo_body_type type);
/// Enlarges the boxes of a body, if needed, to `reach` metres beyond its shapes at `motion` and
/// along the path `ahead` from there, m.
/// @return m: how far any point of it may move before the boxes must be checked again
double mo_world_cover_body(mo_world *world, uint32_t slot, const mo_motion *motion, double reach,
                           mo_vec3 ahead);

/// What changes a velocity or the number of joints calls this: the boxes of a fast body may not
/// hold its path any more.
static inline void mo_world_forget_path(mo_world *world, uint32_t slot) {
  world->box_limits[slot] = 0.0;
}

// --- contacts (contacts.c) -------------------------------------------------------------------

/// Makes the next step drop the contacts of a body that are no longer allowed.
void mo_world_recheck_contacts(mo_world *world, uint32_t slot);
/// Marks the contacts of a body that is destroyed. The next step drops them, or
/// mo_world_drop_dead_pairs.
void mo_world_end_contacts(mo_world *world, uint32_t slot);
/// Drops the contacts of destroyed bodies, whose slots and proxies are about to be reused. Not for
/// use in a step, which drops them itself.
void mo_world_drop_dead_pairs(mo_world *world);
/// Drops the contacts of a body; the broad phase finds them again.
void mo_world_drop_pairs_of(mo_world *world, uint32_t slot);
/// Makes room in the journal of a step for dropping one contact. Returns false without memory.
bool mo_world_reserve_drop(mo_world *world);
/// Drops a contact; the broad phase may find it again.
void mo_world_drop_contact(mo_world *world, uint32_t contact);
/// Drops one part of a contact with a mesh (contact_store.h), or all parts of a contact, if it has
/// any. Returns false without memory for the notes.
bool mo_world_drop_part(mo_world *world, uint32_t part);
bool mo_world_drop_parts(mo_world *world, uint32_t contact);
/// Completes world->pairs: adds the contacts that are new since the last step and those of woken
/// bodies, and drops stale ones. Returns false without memory.
bool mo_world_complete_pairs(mo_world *world);
/// Mixes the materials of a body's contacts again, after its friction or restitution changed.
void mo_world_mix_materials(mo_world *world, uint32_t slot);
/// Drops the manifolds of a body in the row solvers. Must not be called in a step.
void mo_world_forget_contacts(mo_world *world, uint32_t slot);
/// Part of the commit of a step: the first `count` of world->fresh_contacts become the world's
/// contacts.
void mo_world_take_fresh_contacts(mo_world *world, uint32_t count);

/// m: overlap that soft-step or the row solvers do not correct.
double mo_world_linear_slop(const mo_world *world, bool soft);
/// Substeps that soft-step makes of a step of dt seconds: those of the settings up to a 60th of a
/// second, of longer steps in proportion.
uint32_t mo_world_substeps(const mo_world *world, double dt);
/// m/s: approach speed below which nothing bounces, in a step of dt.
double mo_world_restitution_threshold(const mo_world *world, double dt);

/// Joins the islands of two bodies that a contact or constraint links, if both are dynamic.
static inline void mo_world_link(mo_world *world, uint32_t slot_a, uint32_t slot_b) {
  if (mo_world_is_dynamic(world, slot_a) && mo_world_is_dynamic(world, slot_b)) {
    mo_island_sets_join(&world->islands, slot_a, slot_b);
  }
}
/// The slots of a constraint's dynamic bodies, each once; none if one of its bodies is not enabled,
/// since it has no effect then. Returns their number.
uint32_t mo_world_dynamic_slots(const mo_world *world, const mo_constraint *constraint,
                                uint32_t slots[MO_ROW_SIDES]);
/// The same for the constraint in a slot: none if there is no such constraint.
static inline uint32_t mo_world_joined_slots(const mo_world *world, uint32_t constraint,
                                             uint32_t slots[MO_ROW_SIDES]) {
  return world->constraint_ids.alive[constraint]
             ? mo_world_dynamic_slots(world, &world->constraints[constraint], slots)
             : 0;
}
/// Joins the islands of these bodies.
void mo_world_link_constraint(mo_world *world, const mo_constraint *constraint);
/// Makes soft-step build its joints again (substep_joints.h says when), from the impulses of the
/// constraints.
void mo_world_forget_joints(mo_world *world);
/// Gives constraints the impulses of the last step that they lack. Whoever reads or changes
/// impulses of constraints calls this first: for balls they stay with soft-step's joints from step
/// to step, because constraints are large and in no cache.
void mo_world_settle_joints(const mo_world *world);
/// The same after every step from now on, until a constraint is created or destroyed: somebody gets
/// the address of impulses, which is valid as long.
void mo_world_watch_joints(const mo_world *world);
/// The bodies of a constraint at given motions.
mo_constraint_place mo_world_constraint_place(const mo_world *world, const mo_motion *motions,
                                              double time, const mo_constraint *constraint);
/// Destroys the constraints of a body.
void mo_world_forget_constraints(mo_world *world, uint32_t slot);

/// Forces and torques on every dynamic body in a state of the world, which may be a trial state:
/// applied ones, the world's gravity and all potentials.
/// @param motions per slot
/// @param time s
/// @param[out] wrenches per slot
/// @return MO_OK, MO_ERROR_OUT_OF_MEMORY, or MO_ERROR_POTENTIAL_FAILED with the reason recorded for
/// mo_world_step
mo_result mo_world_evaluate_forces(mo_world *world, const mo_motion *motions, double time,
                                   mo_wrench *wrenches);
/// Energy of a potential at present, J. Returns false if it failed or is not finite.
bool mo_world_potential_energy(mo_world *world, uint32_t potential_slot, double *energy);
/// Whether a definition has a type, numbers and a region as mo_potential_create asks for.
bool mo_world_is_good_potential(mo_world *world, const mo_potential_def *def);
/// Destroys all potentials and frees their memory.
void mo_world_free_potentials(mo_world *world);
