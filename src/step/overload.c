/// Which bodies of 'auto' soft-step cannot hold up: light ones that carry heavy ones, directly or
/// over other light ones, and joints between them.
///
/// Springs of a substep move a light body by much more than the impulses of its own weight would,
/// once the load on it is many times that weight: the sweeps stop long before the stack is in
/// balance. This is seen from the structure, without a solve and without history: from masses, the
/// directions of contacts and joints. So a body goes over in the step in which the load appears,
/// comes back in the step after it has gone, and nothing but the present state decides.
#include "step/overload.h"
#include "math/scalar.h"
#include "memory/union_find.h"

// The load in masses of the body that carries it. Soft-step holds a column of 40 equal boxes still;
// this leaves it a margin.
#define OVERLOAD 30.0
// Cosine of the angle to the vertical up to which a contact carries; the smaller one is for
// contacts that rows solve already, so that none goes back and forth.
#define CARRIES 0.3
#define STILL_CARRIES 0.1
// m/s: soft-step sees a slower approach two steps ahead, because its contacts begin 2 cm apart.
#define FAST_APPROACH 0.5
// The most contacts of a group of bodies that carry a load together, with those to other bodies.
// Columns and what leans on them have fewer; boxes of mixed masses that jam have more. Those would
// cost many times what soft-step does, and soft-step holds them, because a load has many ways down.
// A part of a group would be worse than none, because the rest could not carry it.
#define MOST_CONTACTS 48u
// The same for a group that rows solve already, so that none goes back and forth.
#define STILL_MOST_CONTACTS 72u

// A body whose own supports are looked at next, and what it weighs on them with.
typedef struct bearer {
  uint32_t slot;
  double load; // kg
} bearer;

typedef struct search {
  const mo_world *world;
  mo_vec3 up;        // unit; zero without gravity
  uint8_t *chosen;   // per slot
  double *carried;   // kg, per slot: the heaviest body that it carries
  bearer *layer;     // room for every body
  uint32_t *below;   // the supports of the layer that carry more than was known
  uint8_t *is_below; // per slot
  uint32_t *parents; // of the groups
  uint32_t layer_count, below_count;
} search;

static double mass_of(const mo_world *world, uint32_t slot) {
  return world->bodies[slot].mass.mass;
}

// --- contacts --------------------------------------------------------------------------------

// Whether the bodies of a pair approach each other fast along the vertical.
static bool is_closing(const search *s, const mo_contact_record *record) {
  const mo_motion *a = &s->world->motions[record->slot_a], *b = &s->world->motions[record->slot_b];
  double height = mo_dot(s->up, mo_sub(b->center_of_mass, a->center_of_mass));
  double speed = mo_dot(s->up, mo_sub(b->linear_velocity, a->linear_velocity));
  return (height > 0.0 ? -speed : speed) > FAST_APPROACH * mo_world_metre(s->world);
}

// The normal of a contact from A to B, and the cosine from which it carries. Zero if the shapes do
// not touch. Pairs that may meet in this step have the direction of their bodies' centres.
static mo_vec3 direction_of(const search *s, const mo_contact_record *record, double *least) {
  const mo_world *world = s->world;
  const mo_pair_store *pairs = &world->pairs;
  *least = CARRIES;
  if (mo_pair_place_has_manifold(record->place) && record->place < MO_PLACE_ASLEEP_CONTACTS) {
    const mo_substep_colour *colour = &pairs->colours[record->place - MO_PLACE_COLOURS];
    return mo_v3_from_floats(colour->contacts[record->index].normal);
  }
  if (record->manifold_count > 0) {
    *least = STILL_CARRIES;
    return world->contacts[record->first_manifold].normal;
  }
  if (record->place == MO_PLACE_NEAR &&
      (is_closing(s, record) || pairs->near[record->index].allowance == MO_NOT_COMPARED)) {
    return mo_normalize(mo_sub(world->motions[record->slot_b].center_of_mass,
                               world->motions[record->slot_a].center_of_mass));
  }
  return mo_v3_zero();
}

// Whether a contact may bear something in this step.
static bool is_touching(const search *s, const mo_contact_record *record) {
  double least;
  return (record->flags & MO_CONTACT_NEAR) &&
         mo_length_squared(direction_of(s, record, &least)) > 0.0;
}

// Whether a contact of `slot` rests on its other body.
static bool rests_on(const search *s, uint32_t edge) {
  const mo_contact_store *store = &s->world->pairs.records;
  const mo_contact_record *record = &store->records[mo_contact_of_edge(edge)];
  double least, rise;
  if (!(record->flags & MO_CONTACT_NEAR)) {
    return false;
  }
  rise = mo_dot(direction_of(s, record, &least), s->up);
  return (edge & 1u ? rise : -rise) >= least; // an odd edge is that of B
}

// Chooses a body and those on which it rests with at least OVERLOAD times their mass.
static void look_below(search *s, const bearer *upper) {
  const mo_contact_store *store = &s->world->pairs.records;
  for (uint32_t edge = store->firsts[upper->slot]; edge != MO_NO_CONTACT;
       edge = store->edges[edge].next) {
    uint32_t slot = mo_contact_other_slot(store, edge);
    if (!mo_overload_is_open(s->world, slot) || upper->load < OVERLOAD * mass_of(s->world, slot) ||
        !rests_on(s, edge)) {
      continue;
    }
    s->chosen[slot] = s->chosen[upper->slot] = 1;
    mo_union_find_join(s->parents, upper->slot, slot);
    if (upper->load > s->carried[slot]) {
      s->carried[slot] = upper->load;
      if (!s->is_below[slot]) {
        s->below[s->below_count++] = slot;
      }
      s->is_below[slot] = 1;
    }
  }
}

// The supports that were noted become the next layer.
static void descend(search *s) {
  s->layer_count = 0;
  for (uint32_t i = 0; i < s->below_count; i++) {
    uint32_t slot = s->below[i];
    s->is_below[slot] = 0;
    s->layer[s->layer_count++] = (bearer){slot, s->carried[slot]};
  }
}

// What the rows would solve together.
typedef struct group {
  uint32_t contacts;
  bool is_in_rows; // already
} group;

// Joins a chosen body with those that it touches, because the rows solve two together that touch
// each other or the same third, and counts its contacts; those of two chosen bodies with one of
// them.
static void join_touching(search *s, uint32_t slot, group *own) {
  const mo_contact_store *store = &s->world->pairs.records;
  for (uint32_t edge = store->firsts[slot]; edge != MO_NO_CONTACT; edge = store->edges[edge].next) {
    const mo_contact_record *record = &store->records[mo_contact_of_edge(edge)];
    uint32_t other = mo_contact_other_slot(store, edge);
    if (!is_touching(s, record)) {
      continue;
    }
    own->contacts += !s->chosen[other] || slot < other;
    own->is_in_rows |= s->chosen[other] && record->manifold_count > 0;
    if (mo_world_is_dynamic(s->world, other)) {
      mo_union_find_join(s->parents, slot, other);
    }
  }
}

// Takes back the choice of groups with too many contacts.
static bool leave_large_groups(search *s, mo_arena *arena) {
  uint32_t slots = s->world->ids.slot_count;
  group *own = MO_ARENA_TAKE(arena, group, slots), *whole = MO_ARENA_TAKE(arena, group, slots);
  if (!own || !whole) {
    return false;
  }
  for (uint32_t slot = 0; slot < slots; slot++) {
    if (s->chosen[slot]) {
      join_touching(s, slot, &own[slot]);
    }
  }
  for (uint32_t slot = 0; slot < slots; slot++) {
    group *sum = &whole[mo_union_find_root(s->parents, slot)];
    sum->contacts += own[slot].contacts;
    sum->is_in_rows |= own[slot].is_in_rows;
  }
  for (uint32_t slot = 0; slot < slots; slot++) {
    const group *sum = &whole[mo_union_find_root(s->parents, slot)];
    s->chosen[slot] &= sum->contacts <= (sum->is_in_rows ? STILL_MOST_CONTACTS : MOST_CONTACTS);
  }
  return true;
}

// Chooses the heavy bodies that overload others, and what carries them, layer by layer.
static bool choose_by_contacts(search *s, mo_arena *arena) {
  mo_union_find_reset(s->parents, s->world->ids.slot_count);
  while (s->layer_count > 0) {
    s->below_count = 0;
    for (uint32_t i = 0; i < s->layer_count; i++) {
      look_below(s, &s->layer[i]);
    }
    descend(s);
  }
  return leave_large_groups(s, arena);
}

// --- all -------------------------------------------------------------------------------------

// Of the open bodies, in kg; infinite and 0 if there are none.
typedef struct mass_range {
  double lightest, heaviest;
} mass_range;

static mass_range range_of_open(const mo_world *world) {
  mass_range range = {INFINITY, 0.0};
  for (uint32_t i = 0; i < world->awake_count; i++) {
    if (mo_overload_is_open(world, world->awake[i])) {
      range.lightest = mo_min(range.lightest, mass_of(world, world->awake[i]));
      range.heaviest = mo_max(range.heaviest, mass_of(world, world->awake[i]));
    }
  }
  return range;
}

static bool begin(search *s, mo_world *world, double heavy) {
  uint32_t slots = world->ids.slot_count;
  mo_arena *arena = &world->step_arena;
  double gravity = mo_length(world->settings.gravity);
  *s = (search){.world = world,
                .up = gravity > 0.0 ? mo_scale(-1.0 / gravity, world->settings.gravity)
                                    : mo_v3_zero(),
                .chosen = MO_ARENA_TAKE(arena, uint8_t, slots),
                .carried = MO_ARENA_TAKE(arena, double, slots),
                .layer = MO_ARENA_TAKE_RAW(arena, bearer, slots),
                .below = MO_ARENA_TAKE_RAW(arena, uint32_t, slots),
                .is_below = MO_ARENA_TAKE(arena, uint8_t, slots),
                .parents = MO_ARENA_TAKE_RAW(arena, uint32_t, slots)};
  if (!s->chosen || !s->carried || !s->layer || !s->below || !s->is_below || !s->parents) {
    return false;
  }
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    if (mo_overload_is_open(world, slot) && mass_of(world, slot) >= heavy) {
      s->layer[s->layer_count++] = (bearer){slot, mass_of(world, slot)};
    }
  }
  return true;
}

mo_result mo_step_find_overloaded(mo_world *world, uint8_t **chosen) {
  search s;
  *chosen = NULL;
  const mo_mass_bounds *bounds = &world->mass_bounds;
  bool some_arrive = world->arriving_count > 0;
  if (bounds->heaviest * bounds->largest_inverse < OVERLOAD && !some_arrive) {
    return MO_OK;
  }
  mass_range range = range_of_open(world);
  double heavy = OVERLOAD * range.lightest;
  if (range.heaviest < heavy && !some_arrive) {
    return MO_OK;
  }
  if (!begin(&s, world, heavy)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  if (!choose_by_contacts(&s, &world->step_arena)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  if (world->constraint_ids.alive_count > 0 && !mo_overload_choose_by_joints(world, s.chosen)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    *chosen = s.chosen[slot] ? s.chosen : *chosen;
  }
  return MO_OK;
}
