#include "step/fast/fast_contacts.h"

#include "collision/narrow/feature.h"
#include "memory/array.h"
#include "parallel/parallel.h"

// A manifold holds while the bodies moved no further than so many slops. What it leaves out is that
// other features may touch by now, and its normal is that of before: a ball rolls off sooner than a
// face tilts.
#define FLAT_TOLERANCE 4.0
#define ROUND_TOLERANCE 1.0

// Looks that a thread takes at a time: some ten microseconds of them.
#define LOOKS_AT_ONCE 16u
// Looks between which what came out is taken over, so that there need not be room for all.
#define BATCH 4096u

// Where the pair of an update is: in a colour, or in `near`.
#define IN_NEAR MO_SUBSTEP_COLOURS

// A pair to look at, and what came out.
typedef struct look {
  uint32_t colour, index;
  mo_substep_contact contact; // without points: they do not touch
} look;

typedef struct looks {
  const mo_world *world;
  double speculative, slop; // m
  look *items;
  uint32_t count;
} looks;

// --- which pairs ------------------------------------------------------------------------------

static bool is_due(const mo_world *world, const mo_pair *pair) {
  return !(world->displacements[pair->slot_a] + world->displacements[pair->slot_b] <=
           pair->allowance);
}

// Where a pair is.
typedef struct pair_place {
  uint32_t colour, index;
} pair_place;

// Whether the row solvers have a pair. They took it from the colours, if it was there.
static bool is_in_rows(const uint8_t *in_rows, const mo_pair *pair) {
  return in_rows && (in_rows[pair->slot_a] || in_rows[pair->slot_b]);
}

// Lists the pairs to look at in one walk, which is long. Their number.
static uint32_t find_due(const mo_world *world, const uint8_t *in_rows, pair_place *out) {
  const mo_pair_store *pairs = &world->pairs;
  uint32_t count = 0;
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    const mo_substep_colour *colour = &pairs->colours[c];
    for (uint32_t i = 0; i < colour->contacts_count; i++) {
      out[count] = (pair_place){c, i};
      count += is_due(world, &colour->contacts[i].pair);
    }
  }
  for (uint32_t i = 0; i < pairs->near_count; i++) {
    out[count] = (pair_place){IN_NEAR, i};
    count += is_due(world, &pairs->near[i]) && !is_in_rows(in_rows, &pairs->near[i]);
  }
  return count;
}

static void list_due(const mo_world *world, const pair_place *places, looks *out) {
  for (uint32_t i = 0; i < out->count; i++) {
    look *one = &out->items[i];
    one->colour = places[i].colour;
    one->index = places[i].index;
    if (one->colour == IN_NEAR) {
      one->contact.pair = world->pairs.near[one->index];
      one->contact.point_count = 0;
    } else {
      one->contact = world->pairs.colours[one->colour].contacts[one->index];
    }
  }
}

// --- one pair --------------------------------------------------------------------------------

// What single precision holds the square of: friction, arms (m) of static bodies that are larger.
#define LARGEST_SINGLE 1e18

static float to_single(double x) { return (float)mo_clamp(x, -LARGEST_SINGLE, LARGEST_SINGLE); }

static void set_arm(mo_vec3 point, mo_vec3 center_of_mass, float *arm) {
  mo_vec3 from = mo_sub(point, center_of_mass);
  if (mo_length_squared(from) < LARGEST_SINGLE * LARGEST_SINGLE) {
    mo_v3_to_floats(from, arm);
    return;
  }
  arm[0] = to_single(from.x);
  arm[1] = to_single(from.y);
  arm[2] = to_single(from.z);
}

// Takes a manifold over, with the impulses of points whose features are the same.
static void take_manifold(const mo_world *world, const mo_manifold *manifold,
                          mo_substep_contact *contact) {
  const mo_motion *a = &world->motions[contact->pair.slot_a],
                  *b = &world->motions[contact->pair.slot_b];
  mo_substep_point old[MO_MANIFOLD_POINTS];
  float old_impulses[MO_MANIFOLD_POINTS];
  uint32_t old_count = contact->point_count;
  for (uint32_t k = 0; k < old_count; k++) {
    old[k] = contact->points[k];
    old_impulses[k] = contact->normal_impulses[k];
  }
  mo_v3_to_floats(manifold->normal, contact->normal);
  contact->point_count = (uint32_t)manifold->point_count;
  for (int k = 0; k < manifold->point_count; k++) {
    mo_substep_point *point = &contact->points[k];
    *point = (mo_substep_point){.feature_id = manifold->points[k].feature_id};
    set_arm(manifold->points[k].point_a, a->center_of_mass, point->arm_a);
    set_arm(manifold->points[k].point_b, b->center_of_mass, point->arm_b);
    contact->separations[k] = to_single(manifold->points[k].separation);
    contact->normal_impulses[k] = 0.0f;
    for (uint32_t i = 0; i < old_count; i++) {
      if (old[i].feature_id == point->feature_id) {
        point->start_impulse = old[i].start_impulse;
        contact->normal_impulses[k] = old_impulses[i];
        break;
      }
    }
  }
  for (uint32_t k = contact->point_count; k < MO_MANIFOLD_POINTS; k++) {
    contact->points[k] = (mo_substep_point){0};
    contact->separations[k] = 0.0f;
    contact->normal_impulses[k] = 0.0f;
  }
}

static void look_at(const looks *all, look *one) {
  const mo_world *world = all->world;
  mo_substep_contact *contact = &one->contact;
  mo_pair *pair = &contact->pair;
  const mo_contact_record *record = mo_pair_record(&world->pairs, pair);
  const mo_proxy *proxy_a = &world->broad_phase.proxies[record->proxy_a],
                 *proxy_b = &world->broad_phase.proxies[record->proxy_b];
  const mo_body *a = &world->bodies[pair->slot_a], *b = &world->bodies[pair->slot_b];
  double displacement = world->displacements[pair->slot_a] + world->displacements[pair->slot_b],
         gap;
  mo_manifold manifold;
  mo_transform placement_a =
      mo_body_shape_transform(a, proxy_a->shape, &world->motions[pair->slot_a]);
  mo_transform placement_b =
      mo_body_shape_transform(b, proxy_b->shape, &world->motions[pair->slot_b]);
  mo_collide_pair(a->shapes[proxy_a->shape].shape, &placement_a, b->shapes[proxy_b->shape].shape,
                  &placement_b, all->speculative, &pair->cache, &gap, &manifold);
  if (manifold.point_count == 0) {
    contact->point_count = 0;
    pair->allowance = displacement + (gap - all->speculative);
    return;
  }
  if (contact->point_count == 0) { // it begins
    contact->twist_impulse = contact->start_twist = 0.0f;
    mo_v3_to_floats(mo_v3_zero(), contact->tangent_impulse);
    mo_v3_to_floats(mo_v3_zero(), contact->start_tangent);
  }
  contact->friction = to_single(record->friction);
  contact->restitution = (float)record->restitution;
  take_manifold(world, &manifold, contact);
  bool is_round = contact->points[0].feature_id == MO_FEATURE_ROUND;
  pair->allowance = displacement + (is_round ? ROUND_TOLERANCE : FLAT_TOLERANCE) * all->slop;
}

static void look_at_range(void *context, uint32_t first, uint32_t last) {
  const looks *all = context;
  for (uint32_t i = first; i < last; i++) {
    look_at(all, &all->items[i]);
  }
}

// --- changes of the store --------------------------------------------------------------------

// False without memory, as all that follow.
static bool begin_contact(mo_world *world, const look *one) {
  mo_pair_store *pairs = &world->pairs;
  const mo_pair *pair = &one->contact.pair;
  uint32_t a = pair->slot_a, b = pair->slot_b;
  bool moves_a = mo_world_is_dynamic(world, a), moves_b = mo_world_is_dynamic(world, b);
  if (!mo_pair_store_reserve_contact(pairs, pair, moves_a, moves_b)) {
    return false;
  }
  mo_pair_store_take_near(pairs, one->index);
  mo_pair_store_add_contact(pairs, &one->contact, moves_a, moves_b);
  bool has_woken;
  if (!mo_world_wake_pair(world, a, b, &has_woken) ||
      !mo_island_sets_reserve_notes(&world->islands, a, b)) {
    return false;
  }
  mo_world_link(world, a, b);
  return true;
}

static bool end_contact(mo_world *world, const look *one) {
  mo_pair_store *pairs = &world->pairs;
  const mo_pair *pair = &one->contact.pair;
  if (!mo_pair_store_reserve_notes(pairs, 1)) {
    return false;
  }
  mo_pair_store_take_contact(pairs, one->colour, one->index);
  mo_pair_store_add_near(pairs, pair);
  if (!mo_island_sets_reserve_notes(&world->islands, pair->slot_a, pair->slot_b)) {
    return false;
  }
  mo_island_sets_loosen(&world->islands, pair->slot_a);
  mo_island_sets_loosen(&world->islands, pair->slot_b);
  return true;
}

static bool update_near(mo_world *world, const look *one) {
  const mo_pair *pair = &one->contact.pair;
  const mo_contact_record *record = mo_pair_record(&world->pairs, pair);
  if (!mo_world_reserve_drop(world)) {
    return false;
  }
  if (mo_broad_phase_overlaps(&world->broad_phase, record->proxy_a, record->proxy_b)) {
    mo_pair_store_set_near(&world->pairs, one->index, pair);
  } else {
    mo_world_drop_contact(world, pair->contact);
  }
  return true;
}

static bool update_contact(mo_world *world, const look *one) {
  if (!mo_pair_store_reserve_notes(&world->pairs, 1)) {
    return false;
  }
  mo_pair_store_set_contact(&world->pairs, one->colour, one->index, &one->contact);
  return true;
}

// One look's outcome. What leaves an array is replaced by its last, so this goes from the end.
static bool apply(mo_world *world, const look *one) {
  bool touches = one->contact.point_count > 0;
  if (one->colour == IN_NEAR) {
    return touches ? begin_contact(world, one) : update_near(world, one);
  }
  return touches ? update_contact(world, one) : end_contact(world, one);
}

static bool apply_all(mo_world *world, const looks *batch) {
  for (uint32_t i = batch->count; i-- > 0;) {
    if (!apply(world, &batch->items[i])) {
      return false;
    }
  }
  return true;
}

// --- all -------------------------------------------------------------------------------------

bool mo_fast_contacts_update(mo_world *world, const uint8_t *in_rows, double speculative,
                             double slop) {
  mo_arena *arena = &world->step_arena;
  uint32_t pair_count = world->pairs.near_count + mo_pair_store_contact_count(&world->pairs);
  pair_place *places = MO_ARENA_TAKE_RAW(arena, pair_place, pair_count + 1);
  if (!places) {
    return false;
  }
  uint32_t due = find_due(world, in_rows, places);
  looks batch = {.world = world,
                 .speculative = speculative,
                 .slop = slop,
                 .items = MO_ARENA_TAKE_RAW(arena, look, due < BATCH ? due : BATCH)};
  // Contacts that end go to `near`.
  if (!batch.items || !MO_RESERVE(&world->pairs, near, pair_count)) {
    return false;
  }
  for (; due > 0; due -= batch.count) {
    batch.count = due < BATCH ? due : BATCH;
    list_due(world, &places[due - batch.count], &batch);
    mo_parallel_for(batch.count, LOOKS_AT_ONCE, look_at_range, &batch);
    if (!apply_all(world, &batch)) {
      return false;
    }
  }
  return true;
}
