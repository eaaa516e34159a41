/// Which bodies of 'auto' soft-step cannot hold up: light ones that carry heavy ones, directly or
/// over others, and joints between them.
///
/// A contact of soft-step is a spring that is as stiff as the lighter of its bodies allows, so a
/// body sinks in by what it carries over its own mass, and a tower leans over on it. Weight is
/// conserved on its way down: what a body weighs and carries goes on to what it rests on. This is
/// seen from the structure, without a solve and without history: from masses, the directions of
/// contacts and joints. So a body goes over in the step in which the load appears, comes back in
/// the step after it has gone, and nothing but the present state decides.
#include "step/overload.h"
#include "math/scalar.h"
#include "memory/sort.h"
#include "memory/union_find.h"

// The load in masses of the body that carries it. Soft-step holds a column of 40 equal boxes still;
// this leaves it a margin.
#define OVERLOAD 30.0
// What is carried is heavy from this mass on, in masses of the body that carries it. Under 59 boxes
// of four times its mass a box sinks in by 3.5 % and all stand, under 59 equal ones by 1 %.
#define HEAVIER 4.0
// Cosine of the angle to the vertical up to which a contact carries.
#define CARRIES 0.3
// m/s: soft-step sees a slower approach two steps ahead, because its contacts begin 2 cm apart.
#define FAST_APPROACH 0.5
// Loads are counted in whole parts of the heaviest mass: such sums are exact up to a million
// bodies, and so do not depend on the order of contacts.
#define PARTS_OF_HEAVIEST 4294967296.0
// Bodies hand loads down from the highest centre of mass on. What rests on a body with a higher
// centre, as a ball in a bucket does, waits for the next round, and so does what goes round where
// bodies rest on each other in a circle.
#define ROUNDS 4u
// Counted operations that the exact solvers need per contact of a group that they had in the last
// step. New ones, which start from no impulse of theirs, need twice as many.
#define WORK_OF_CONTACT 1e5

// A heavy body, or one that carries some.
typedef struct bearer {
  double weight;                         // in parts: its own with its load
  double waiting;                        // in parts: what it has not handed down yet
  double heaviest;                       // kg, of the bodies that it carries
  uint32_t first_support, support_count; // bodies on which it rests, in search.supports
} bearer;

typedef struct search {
  const mo_world *world;
  mo_vec3 up;                // unit; zero without gravity
  double lightest, heaviest; // kg, of the open bodies
  uint8_t *chosen;           // per slot
  uint32_t *places;          // per slot: 1 + its place in `bearers`, or 0
  bearer *bearers;           // in the order of `order` before it is sorted
  mo_sort_entry *order;      // slots of the bearers, from the highest on
  uint32_t *supports;        // slots
  uint32_t *parents;         // of the groups
  uint32_t *loaded;          // the chosen bodies
  uint32_t bearer_count, supports_count, loaded_count;
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

// The normal of a contact from A to B; zero if the shapes do not touch. Pairs that may meet in this
// step have the direction of their bodies' centres.
static mo_vec3 direction_of(const search *s, const mo_contact_record *record) {
  const mo_world *world = s->world;
  const mo_pair_store *pairs = &world->pairs;
  if (mo_pair_place_has_manifold(record->place) && record->place < MO_PLACE_ASLEEP_CONTACTS) {
    const mo_substep_colour *colour = &pairs->colours[record->place - MO_PLACE_COLOURS];
    return mo_v3_from_floats(colour->contacts[record->index].normal);
  }
  if (record->manifold_count > 0) {
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
  return (record->flags & MO_CONTACT_NEAR) && mo_length_squared(direction_of(s, record)) > 0.0;
}

// Whether the body of an edge rests on the other body of its contact.
static bool rests_on(const search *s, uint32_t edge) {
  const mo_contact_store *store = &s->world->pairs.records;
  const mo_contact_record *record = &store->records[mo_contact_of_edge(edge)];
  if (!(record->flags & MO_CONTACT_NEAR)) {
    return false;
  }
  double rise = mo_dot(direction_of(s, record), s->up);
  return (edge & 1u ? rise : -rise) >= CARRIES; // an odd edge is that of B
}

// --- loads -----------------------------------------------------------------------------------

// Null for a body that is no bearer, as all that do not move.
static bearer *bearer_of(const search *s, uint32_t slot) {
  return s->places[slot] > 0 ? &s->bearers[s->places[slot] - 1] : NULL;
}

static double own_weight(const search *s, uint32_t slot) {
  return floor(mass_of(s->world, slot) / s->heaviest * PARTS_OF_HEAVIEST);
}

static void add_bearer(search *s, uint32_t slot) {
  if (s->places[slot] > 0 || !mo_overload_is_open(s->world, slot)) {
    return;
  }
  double weight = own_weight(s, slot);
  double depth = -mo_dot(s->up, s->world->motions[slot].center_of_mass);
  s->order[s->bearer_count] = (mo_sort_entry){mo_sort_key_of_double(depth), slot};
  s->bearers[s->bearer_count++] = (bearer){.weight = weight, .waiting = weight};
  s->places[slot] = s->bearer_count;
}

// Lists what a bearer rests on; these carry something, too.
static void add_supports(search *s, uint32_t slot) {
  const mo_contact_store *store = &s->world->pairs.records;
  uint32_t first = s->supports_count;
  for (uint32_t edge = store->firsts[slot]; edge != MO_NO_CONTACT; edge = store->edges[edge].next) {
    if (rests_on(s, edge)) {
      s->supports[s->supports_count++] = mo_contact_other_slot(store, edge);
      add_bearer(s, s->supports[s->supports_count - 1]);
    }
  }
  bearer *own = bearer_of(s, slot);
  own->first_support = first;
  own->support_count = s->supports_count - first;
}

// Light bodies that carry nothing heavy are none: soft-step holds as much of them as there is.
static void find_bearers(search *s) {
  for (uint32_t i = 0; i < s->world->awake_count; i++) {
    uint32_t slot = s->world->awake[i];
    if (mass_of(s->world, slot) >= HEAVIER * s->lightest) {
      add_bearer(s, slot);
    }
  }
  for (uint32_t i = 0; i < s->bearer_count; i++) {
    add_supports(s, s->order[i].value);
  }
  mo_sort(s->order, s->bearer_count);
}

// What a body lays on each of its supports, in parts, of all or of some that it carries.
static double laid_by(const bearer *own, double weight) {
  return own->support_count > 0 ? floor(weight / own->support_count) : 0.0;
}

// Hands what waits at a body down to what it rests on, in equal parts.
static void hand_down(search *s, uint32_t slot) {
  bearer *upper = bearer_of(s, slot);
  double part = laid_by(upper, upper->waiting);
  double heaviest = mo_max(upper->heaviest, mass_of(s->world, slot));
  upper->waiting = 0.0;
  for (uint32_t i = 0; i < upper->support_count; i++) {
    bearer *lower = bearer_of(s, s->supports[upper->first_support + i]);
    if (lower) {
      lower->weight += part;
      lower->waiting += part;
      lower->heaviest = mo_max(lower->heaviest, heaviest);
    }
  }
}

static void find_loads(search *s) {
  for (uint32_t round = 0; round < ROUNDS; round++) {
    for (uint32_t i = 0; i < s->bearer_count; i++) {
      hand_down(s, s->order[i].value);
    }
  }
}

// Joints hold a body as well as what it rests on: there only one body that weighs as much is a
// load.
static bool is_overloaded(const search *s, uint32_t slot) {
  const bearer *own = bearer_of(s, slot);
  double heavier = mo_world_is_in_joints(s->world, slot) ? OVERLOAD : HEAVIER;
  return own->weight >= (OVERLOAD + 1.0) * own_weight(s, slot) &&
         own->heaviest >= heavier * mass_of(s->world, slot);
}

// Chooses a body once, and notes that its contacts are to be looked at.
static void choose(search *s, uint32_t slot) {
  if (!s->chosen[slot] && bearer_of(s, slot)) {
    s->chosen[slot] = 1;
    s->loaded[s->loaded_count++] = slot;
  }
}

// Whether a body is solved with one on which it rests: if it has no other way down, as in a tower,
// or is more than a small part of what that hands down.
static bool belongs_to(const bearer *upper, const bearer *lower) {
  return upper->support_count == 1 || OVERLOAD * laid_by(upper, upper->weight) >= lower->weight;
}

// Chooses what belongs to a chosen body, and what that belongs to by its only way down.
static void choose_along(search *s, uint32_t slot) {
  const mo_contact_store *store = &s->world->pairs.records;
  const bearer *own = bearer_of(s, slot);
  for (uint32_t edge = store->firsts[slot]; edge != MO_NO_CONTACT; edge = store->edges[edge].next) {
    uint32_t other = mo_contact_other_slot(store, edge);
    if (bearer_of(s, other) && rests_on(s, edge ^ 1u) && belongs_to(bearer_of(s, other), own)) {
      choose(s, other);
    }
  }
  if (own->support_count == 1) {
    choose(s, s->supports[own->first_support]);
  }
}

// --- groups ----------------------------------------------------------------------------------

// Joins a chosen body with those that it touches, because the rows solve two together that touch
// each other or the same third. Returns the work of its contacts; those of two chosen bodies count
// for one of them.
static double join_touching(search *s, uint32_t slot) {
  const mo_contact_store *store = &s->world->pairs.records;
  double work = 0.0;
  for (uint32_t edge = store->firsts[slot]; edge != MO_NO_CONTACT; edge = store->edges[edge].next) {
    const mo_contact_record *record = &store->records[mo_contact_of_edge(edge)];
    uint32_t other = mo_contact_other_slot(store, edge);
    if (!is_touching(s, record)) {
      continue;
    }
    if (!s->chosen[other] || slot < other) {
      work += record->manifold_count > 0 ? WORK_OF_CONTACT : 2.0 * WORK_OF_CONTACT;
    }
    if (mo_world_is_dynamic(s->world, other)) {
      mo_union_find_join(s->parents, slot, other);
    }
  }
  return work;
}

// Takes back the choice of groups that ask for more work than a step has. A part of a group would
// be worse than none, because the rest could not carry it.
static bool leave_large_groups(search *s, mo_arena *arena) {
  uint32_t slots = s->world->ids.slot_count;
  double *own = MO_ARENA_TAKE(arena, double, slots), *whole = MO_ARENA_TAKE(arena, double, slots);
  if (!own || !whole) {
    return false;
  }
  mo_union_find_reset(s->parents, slots);
  for (uint32_t slot = 0; slot < slots; slot++) {
    own[slot] = s->chosen[slot] ? join_touching(s, slot) : 0.0;
  }
  for (uint32_t slot = 0; slot < slots; slot++) {
    whole[mo_union_find_root(s->parents, slot)] += own[slot];
  }
  double limit = s->world->exact.work.limit;
  for (uint32_t slot = 0; slot < slots; slot++) {
    s->chosen[slot] &= whole[mo_union_find_root(s->parents, slot)] <= limit;
  }
  return true;
}

static bool choose_by_contacts(search *s, mo_arena *arena) {
  find_bearers(s);
  find_loads(s);
  for (uint32_t i = 0; i < s->bearer_count; i++) {
    if (is_overloaded(s, s->order[i].value)) {
      choose(s, s->order[i].value);
    }
  }
  for (uint32_t i = 0; i < s->loaded_count; i++) {
    choose_along(s, s->loaded[i]);
  }
  return s->loaded_count == 0 || leave_large_groups(s, arena);
}

// --- all -------------------------------------------------------------------------------------

static void find_mass_range(search *s) {
  const mo_world *world = s->world;
  for (uint32_t i = 0; i < world->awake_count; i++) {
    if (mo_overload_is_open(world, world->awake[i])) {
      s->lightest = mo_min(s->lightest, mass_of(world, world->awake[i]));
      s->heaviest = mo_max(s->heaviest, mass_of(world, world->awake[i]));
    }
  }
}

static bool begin(search *s, mo_arena *arena) {
  const mo_world *world = s->world;
  uint32_t slots = world->ids.slot_count, contacts = world->pairs.records.records_count;
  double gravity = mo_length(world->settings.gravity);
  s->up = gravity > 0.0 ? mo_scale(-1.0 / gravity, world->settings.gravity) : mo_v3_zero();
  s->chosen = MO_ARENA_TAKE(arena, uint8_t, slots);
  s->places = MO_ARENA_TAKE(arena, uint32_t, slots);
  s->bearers = MO_ARENA_TAKE_RAW(arena, bearer, slots);
  s->order = MO_ARENA_TAKE_RAW(arena, mo_sort_entry, slots);
  s->supports = MO_ARENA_TAKE_RAW(arena, uint32_t, 2 * (size_t)contacts);
  s->parents = MO_ARENA_TAKE_RAW(arena, uint32_t, slots);
  s->loaded = MO_ARENA_TAKE_RAW(arena, uint32_t, slots);
  return s->chosen && s->places && s->bearers && s->order && s->supports && s->parents && s->loaded;
}

// What each body lays on each of its supports, kg.
static double *find_laid(const search *s, mo_arena *arena) {
  double *laid = MO_ARENA_TAKE(arena, double, s->world->ids.slot_count);
  for (uint32_t i = 0; laid && i < s->bearer_count; i++) {
    const bearer *own = bearer_of(s, s->order[i].value);
    laid[s->order[i].value] = laid_by(own, own->weight) * s->heaviest / PARTS_OF_HEAVIEST;
  }
  return laid;
}

mo_result mo_step_find_overloaded(mo_world *world, mo_solver_choice *choice) {
  search s = {.world = world, .lightest = INFINITY};
  choice->chosen = NULL;
  const mo_mass_bounds *bounds = &world->mass_bounds;
  double ratio = bounds->heaviest * bounds->largest_inverse;
  if (ratio < HEAVIER && world->arriving_count == 0) {
    return MO_OK;
  }
  find_mass_range(&s);
  if (!(s.heaviest > 0.0)) {
    return MO_OK; // every awake body has a solver of its own
  }
  if (!begin(&s, &world->step_arena) || !choose_by_contacts(&s, &world->step_arena)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  if (!mo_overload_choose_by_joints(world, s.loaded_count > 0, s.chosen)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    choice->chosen = s.chosen[slot] ? s.chosen : choice->chosen;
  }
  choice->laid = choice->chosen ? find_laid(&s, &world->step_arena) : NULL;
  return choice->laid || !choice->chosen ? MO_OK : MO_ERROR_OUT_OF_MEMORY;
}
