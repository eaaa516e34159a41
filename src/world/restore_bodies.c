#include "world/restore.h"

#include "dynamics/locks.h"
#include "memory/array.h"
#include "world/body_measures.h"
#include "world/state_fields.h"

#include <math.h>

// --- ids -------------------------------------------------------------------------------------

mo_body_id mo_restore_body_id(mo_restore *r, uint32_t slot, uint32_t generation) {
  bool fits = slot < r->world->ids.slot_count && generation <= MO_ID_MAX_GENERATION;
  if (!mo_restore_expect(r, fits, "they name a body that cannot be")) {
    return MO_NULL_BODY_ID;
  }
  return mo_body_id_load((uint64_t)r->world->tag << 48 | (uint64_t)generation << 32 | (slot + 1));
}

uint32_t mo_restore_indices(mo_restore *r, uint32_t *indices, uint32_t room, uint32_t limit) {
  uint32_t count = mo_read_count(&r->in, sizeof *indices);
  if (!mo_restore_expect(r, count <= room, "a list is too long")) {
    return 0;
  }
  mo_read_records(&r->in, &mo_state_words, indices, count);
  for (uint32_t i = 0; i < count; i++) {
    mo_restore_expect(r, indices[i] < limit, "a list names what is not there");
  }
  return mo_restore_is_good(r) ? count : 0;
}

// The free slots are not alive, and each is in the list once.
static void check_free_slots(mo_restore *r, const mo_id_pool *ids) {
  uint8_t *is_free = MO_ARENA_TAKE(&r->arena, uint8_t, ids->slot_count);
  if (!mo_restore_got(r, is_free != NULL)) {
    return;
  }
  for (uint32_t i = 0; i < ids->free_slots_count; i++) {
    uint32_t slot = ids->free_slots[i];
    mo_restore_expect(r, !ids->alive[slot] && !is_free[slot], "ids are both free and in use");
    is_free[slot] = 1;
  }
}

void mo_restore_ids(mo_restore *r, mo_id_pool *ids) {
  uint32_t count = mo_read_count(&r->in, sizeof(uint16_t) + sizeof(uint8_t));
  mo_restore_expect(r, count <= MO_ID_MAX_SLOTS, "there are too many ids");
  if (!mo_restore_is_good(r) ||
      !mo_restore_got(r, MO_RESERVE(ids, generation, count) && MO_RESERVE(ids, alive, count) &&
                             MO_RESERVE(ids, free_slots, count))) {
    return;
  }
  mo_read_records(&r->in, &mo_state_halves, ids->generation, count);
  mo_read_records(&r->in, &mo_state_bytes, ids->alive, count);
  ids->free_slots_count = mo_restore_indices(r, ids->free_slots, count, count);
  for (uint32_t slot = 0; slot < count; slot++) {
    mo_restore_expect(r, ids->alive[slot] <= 1, "an id is neither free nor in use");
    ids->alive[slot] = ids->alive[slot] != 0 && mo_restore_is_good(r);
    ids->alive_count += ids->alive[slot];
  }
  ids->slot_count = count;
  check_free_slots(r, ids);
}

// --- checks of a body ------------------------------------------------------------------------

static bool is_in(double x, double lower, double upper) {
  return x >= lower && x <= upper && mo_is_finite(x);
}

static bool is_rule(mo_combine rule) {
  return rule > MO_COMBINE_DEFAULT && rule <= MO_COMBINE_GEOMETRIC_MEAN;
}

static bool is_good_mass(const mo_mass *mass) {
  return is_in(mass->mass, 0.0, INFINITY) && mo_are_finite(&mass->inertia.cx.x, 9) &&
         mo_v3_is_finite(mass->center_of_mass);
}

static bool is_good_surface(const mo_body *b) {
  return is_in(b->friction, 0.0, INFINITY) && is_in(b->restitution, 0.0, 1.0) &&
         is_rule(b->friction_combine) && is_rule(b->restitution_combine) &&
         is_in(b->rolling_friction, 0.0, INFINITY) && is_in(b->spinning_friction, 0.0, INFINITY) &&
         mo_v3_is_finite(b->surface_velocity);
}

static bool is_good_target(const mo_body *b) {
  const mo_target *t = &b->target;
  return (unsigned)t->state <= MO_TARGET_REACHED &&
         (t->state == MO_TARGET_NONE ||
          (b->type == MO_BODY_KINEMATIC && mo_are_finite(&t->pose.position.x, 7) &&
           t->time == t->time));
}

static bool is_good_body(const mo_body *b) {
  return (unsigned)b->type <= MO_BODY_DYNAMIC && is_good_mass(&b->mass) && is_good_surface(b) &&
         (b->type != MO_BODY_DYNAMIC || mo_is_positive(b->mass.mass)) &&
         is_in(b->linear_damping, 0.0, INFINITY) && is_in(b->angular_damping, 0.0, INFINITY) &&
         mo_is_finite(b->gravity_scale) && mo_is_positive(b->density) &&
         (unsigned)b->solver <= MO_SOLVER_AUTO && mo_v3_is_finite(b->force) &&
         mo_v3_is_finite(b->torque) && mo_v3_is_finite(b->last_linear_velocity) &&
         mo_v3_is_finite(b->last_angular_velocity) && b->locks < 1u << 6 && is_good_target(b);
}

// --- activity and motion ---------------------------------------------------------------------

static void restore_activity(mo_restore *r, uint32_t slot, bool *has_center) {
  mo_world *world = r->world;
  mo_island_sets *islands = &world->islands;
  mo_body_activity from = {0};
  mo_read_records(&r->in, &mo_state_activity, &from, 1);
  bool fits = from.still_time >= 0.0f && mo_is_finite((double)from.energy_tank) &&
              from.displacement >= 0.0 && from.was_awake <= 1 && from.loose <= 1 &&
              !(from.is_awake &&
                (world->bodies[slot].type == MO_BODY_STATIC || !world->bodies[slot].is_enabled));
  if (!mo_restore_expect(r, fits, "the activity of a body is damaged")) {
    return;
  }
  *has_center = from.has_center;
  world->displacements[slot] = from.displacement;
  world->box_limits[slot] = from.box_limit;
  world->still_times[slot] = from.still_time;
  world->energy_tanks[slot] = from.energy_tank;
  world->was_awake[slot] = from.was_awake;
  islands->names[slot] = from.island;
  islands->next[slot] = from.next;
  islands->loose[slot] = from.loose;
  if (from.is_awake) {
    world->awake_places[slot] = world->awake_count;
    world->awake[world->awake_count++] = slot;
  }
}

static void restore_center(mo_restore *r, uint32_t slot, bool has_center) {
  mo_motion *motion = &r->world->motions[slot];
  motion->center_of_mass = motion->position;
  mo_read_records(&r->in, &mo_state_center, motion, has_center);
  mo_restore_expect(r, mo_motion_is_finite(motion), "a motion has numbers that cannot be");
}

static void restore_still_place(mo_restore *r, uint32_t slot) {
  mo_still_place *place = &r->world->still_places[slot];
  *place = (mo_still_place){mo_v3_zero(), mo_quat_identity()};
  if (r->world->still_times[slot] > 0.0f) {
    mo_read_records(&r->in, &mo_state_numbers, place, sizeof *place / sizeof(double));
    mo_restore_expect(r, mo_are_finite((const double *)place, sizeof *place / sizeof(double)),
                      "a resting place is damaged");
  }
}

// --- bodies ----------------------------------------------------------------------------------

// What follows from the fields of a body.
static void complete(mo_world *world, uint32_t slot) {
  mo_body *body = &world->bodies[slot];
  mo_body_measure(body);
  mo_body_apply_locks(body, &world->motions[slot]);
  body->needs_double = mo_body_needs_double(body);
  world->solver_override_count += mo_body_may_override(body);
  world->target_count += body->target.state != MO_TARGET_NONE;
  mo_world_note_mass_bounds(world, body);
  mo_world_count_surface(world, slot, true);
}

// The records of the bodies themselves. How many shapes each has is kept apart until they are
// there.
static void read_bodies(mo_restore *r, uint32_t *shape_counts) {
  mo_world *world = r->world;
  for (uint32_t slot = 0, count; (count = mo_id_pool_run(&world->ids, &slot)); slot += count) {
    mo_read_records(&r->in, &mo_state_body, &world->bodies[slot], count);
    for (uint32_t i = slot; i < slot + count; i++) {
      mo_body *body = &world->bodies[i];
      shape_counts[i] = body->shape_count;
      body->shape_count = 0;
      mo_restore_expect(r, is_good_body(body), "a body has numbers that cannot be");
    }
  }
}

static void read_motions(mo_restore *r) {
  mo_world *world = r->world;
  for (uint32_t slot = 0, count; (count = mo_id_pool_run(&world->ids, &slot)); slot += count) {
    mo_read_records(&r->in, &mo_state_motion, &world->motions[slot], count);
  }
}

static void restore_motions(mo_restore *r, bool *has_center) {
  const mo_id_pool *ids = &r->world->ids;
  for (uint32_t slot = 0; mo_restore_is_good(r) && slot < ids->slot_count; slot++) {
    if (ids->alive[slot]) {
      restore_activity(r, slot, &has_center[slot]);
    }
  }
  read_motions(r);
  for (uint32_t slot = 0; mo_restore_is_good(r) && slot < ids->slot_count; slot++) {
    if (ids->alive[slot]) {
      restore_center(r, slot, has_center[slot]);
    }
  }
  for (uint32_t slot = 0; mo_restore_is_good(r) && slot < ids->slot_count; slot++) {
    if (ids->alive[slot]) {
      restore_still_place(r, slot);
    }
  }
}

static void restore_all(mo_restore *r) {
  mo_world *world = r->world;
  uint32_t slots = world->ids.slot_count;
  uint32_t *shape_counts = MO_ARENA_TAKE(&r->arena, uint32_t, slots);
  bool *has_center = MO_ARENA_TAKE(&r->arena, bool, slots);
  if (!mo_restore_got(r, shape_counts && has_center)) {
    return;
  }
  read_bodies(r, shape_counts);
  restore_motions(r, has_center);
  if (mo_restore_is_good(r)) {
    mo_restore_shapes(r, shape_counts);
  }
  for (uint32_t slot = 0; mo_restore_is_good(r) && slot < slots; slot++) {
    if (world->ids.alive[slot]) {
      complete(world, slot);
    }
  }
}

// The members of the island that a slot names: a ring, all with that name. Returns their number, 0
// if they are no ring.
static uint32_t count_ring(const mo_world *world, uint32_t name) {
  const mo_island_sets *islands = &world->islands;
  uint32_t count = 0, member = name;
  do {
    member = islands->next[member];
    count++;
    if (member >= world->ids.slot_count || !world->ids.alive[member] ||
        islands->names[member] != name || count > world->ids.alive_count) {
      return 0;
    }
  } while (member != name);
  return count;
}

// Islands are rings of bodies; here they get the other direction and their sizes.
static void complete_islands(mo_restore *r) {
  mo_world *world = r->world;
  mo_island_sets *islands = &world->islands;
  uint32_t members = 0;
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    if (world->ids.alive[slot] && islands->names[slot] == slot) {
      uint32_t count = count_ring(world, slot);
      mo_restore_expect(r, count > 0, "an island is damaged");
      islands->sizes[slot] = count;
      members += count;
    }
  }
  mo_restore_expect(r, members == world->ids.alive_count, "a body is in no island");
  for (uint32_t slot = 0; mo_restore_is_good(r) && slot < world->ids.slot_count; slot++) {
    if (world->ids.alive[slot]) {
      islands->before[islands->next[slot]] = slot;
    }
  }
}

void mo_restore_bodies(mo_restore *r) {
  mo_world *world = r->world;
  mo_restore_ids(r, &world->ids);
  uint32_t slots = world->ids.slot_count;
  if (!mo_restore_is_good(r) ||
      !mo_restore_got(r,
                      mo_world_reserve_slots(world, slots) &&
                          mo_broad_phase_restore(&world->broad_phase, r->prelude.proxy_generations,
                                                 r->prelude.proxy_count))) {
    world->ids.slot_count = 0; // there are no bodies that could be freed
    return;
  }
  for (uint32_t slot = 0; slot < slots; slot++) {
    world->awake_places[slot] = MO_NOT_AWAKE;
    mo_contact_store_begin_body(&world->pairs.records, slot);
  }
  restore_all(r);
  if (mo_restore_is_good(r)) {
    complete_islands(r);
  }
}
