/// Contacts that begin and end with the pairs of the broad phase and with their bodies.
#include "memory/array.h"
#include "world/activity.h"
#include "world/joined_pairs.h"

#include <float.h>

static mo_contact_record *record_of(const mo_world *world, uint32_t contact) {
  return &world->pairs.records.records[contact];
}

// --- which go --------------------------------------------------------------------------------

typedef bool contact_predicate(const mo_world *world, const mo_contact_record *record,
                               uint32_t slot);

// Whether a body of the contact was destroyed.
static bool is_dead(const mo_world *world, const mo_contact_record *record, uint32_t slot) {
  (void)slot;
  const mo_proxy *proxies = world->broad_phase.proxies;
  return !proxies[record->proxy_a].is_alive || !proxies[record->proxy_b].is_alive;
}

// Whether the shapes of a contact may no longer collide.
static bool is_stale(const mo_world *world, const mo_contact_record *record, uint32_t slot) {
  const mo_proxy *a = &world->broad_phase.proxies[record->proxy_a];
  const mo_proxy *b = &world->broad_phase.proxies[record->proxy_b];
  return is_dead(world, record, slot) ||
         (a->kind != MO_TREE_DYNAMIC && b->kind != MO_TREE_DYNAMIC) || a->kind == MO_TREE_SENSOR ||
         b->kind == MO_TREE_SENSOR || !mo_filters_meet(a->filter, b->filter) ||
         mo_joined_pairs_have(&world->joined, record->slot_a, record->slot_b);
}

static bool is_of(const mo_world *world, const mo_contact_record *record, uint32_t slot) {
  (void)world;
  return record->slot_a == slot || record->slot_b == slot;
}

static void note_stale(mo_world *world, uint32_t slot) {
  mo_contact_store *store = &world->pairs.records;
  for (uint32_t edge = store->firsts[slot]; edge != MO_NO_CONTACT; edge = store->edges[edge].next) {
    mo_contact_store_note_stale(store, mo_contact_of_edge(edge));
  }
}

void mo_world_recheck_contacts(mo_world *world, uint32_t slot) {
  world->has_stale_pairs = true;
  note_stale(world, slot);
}

void mo_world_end_contacts(mo_world *world, uint32_t slot) {
  world->has_dead_pairs = true;
  note_stale(world, slot);
}

// --- dropping --------------------------------------------------------------------------------

bool mo_world_reserve_drop(mo_world *world) {
  return mo_pair_store_reserve_notes(&world->pairs, 1) &&
         mo_broad_phase_reserve_changes(&world->broad_phase, 1);
}

void mo_world_drop_contact(mo_world *world, uint32_t contact) {
  const mo_contact_record *record = record_of(world, contact);
  mo_pair_store_take(&world->pairs, contact);
  mo_broad_phase_forget_pair(&world->broad_phase, record->proxy_a, record->proxy_b);
  mo_contact_store_drop(&world->pairs.records, contact);
}

bool mo_world_drop_part(mo_world *world, uint32_t part) {
  mo_contact_store *store = &world->pairs.records;
  uint32_t whole = mo_contact_store_find_whole(store, record_of(world, part));
  if (!mo_pair_store_reserve_notes(&world->pairs, 1)) {
    return false;
  }
  mo_pair_store_take(&world->pairs, part);
  mo_contact_store_drop(store, part);
  if (whole != MO_NO_CONTACT) {
    mo_contact_store_note_change(store, whole);
  }
  return true;
}

bool mo_world_drop_parts(mo_world *world, uint32_t contact) {
  const mo_contact_store *store = &world->pairs.records;
  uint32_t parts[MO_CONTACT_PARTS];
  if (!(record_of(world, contact)->flags & MO_CONTACT_HAS_PARTS)) {
    return true;
  }
  mo_contact_store_list_parts(store, record_of(world, contact), parts);
  for (int i = 0; i < MO_CONTACT_PARTS; i++) {
    if (parts[i] != MO_NO_CONTACT && !mo_world_drop_part(world, parts[i])) {
      return false;
    }
  }
  return true;
}

// Wakes the bodies of a contact that is dropped, because one may have rested on the other. Returns
// false without memory for the notes.
static bool wake_bodies(mo_world *world, const mo_contact_record *record) {
  const uint32_t slots[2] = {record->slot_a, record->slot_b};
  for (int i = 0; i < 2; i++) {
    if (!world->ids.alive[slots[i]] || !mo_world_is_dynamic(world, slots[i])) {
      continue;
    }
    if (!mo_island_sets_reserve_notes(&world->islands, slots[i], slots[i])) {
      return false;
    }
    mo_island_sets_loosen(&world->islands, slots[i]);
    if (!mo_world_reserve_wake(world, slots[i])) {
      return false;
    }
    mo_world_wake_slot(world, slots[i]);
  }
  return true;
}

// The order in which contacts are dropped: array by array, each from its end, because the last item
// replaces one that is removed.
static uint64_t drop_order(const mo_contact_record *record) {
  return mo_sort_key(record->place, UINT32_MAX - record->index);
}

// Moves the stale contacts that are to be dropped behind the end of the list, in the order of
// dropping. Returns the length of the list before.
static uint32_t pick_stale(mo_world *world, contact_predicate *goes, uint32_t slot) {
  mo_contact_store *store = &world->pairs.records;
  uint32_t count = store->stale_count;
  for (uint32_t i = 0; i < store->stale_count;) {
    mo_sort_entry entry = store->stale[i];
    const mo_contact_record *record = &store->records[entry.value];
    if (!goes(world, record, slot)) {
      i++;
      continue;
    }
    entry.key = drop_order(record);
    store->stale[i] = store->stale[--store->stale_count];
    store->stale[store->stale_count] = entry;
  }
  if (store->stale_count < count) {
    mo_sort(&store->stale[store->stale_count], count - store->stale_count);
  }
  return count;
}

// Drops the contacts noted as stale for which `goes` holds. Returns false without memory.
static bool drop_where(mo_world *world, contact_predicate *goes, uint32_t slot) {
  mo_contact_store *store = &world->pairs.records;
  uint32_t end = pick_stale(world, goes, slot);
  for (uint32_t i = store->stale_count; i < end; i++) {
    uint32_t contact = store->stale[i].value;
    const mo_contact_record *record = &store->records[contact];
    bool had_manifold = mo_pair_place_has_manifold(record->place) || record->manifold_count > 0;
    if (!mo_world_reserve_drop(world)) {
      return false;
    }
    mo_world_drop_contact(world, contact);
    if (had_manifold && !wake_bodies(world, record)) {
      return false;
    }
  }
  return true;
}

void mo_world_drop_dead_pairs(mo_world *world) {
  if (world->has_dead_pairs) {
    drop_where(world, is_dead, 0);
    world->has_dead_pairs = false;
  }
}

// Returns false without memory for the notes.
static bool drop_stale_pairs(mo_world *world) {
  if (!world->has_dead_pairs && !world->has_stale_pairs) {
    return true;
  }
  world->has_dead_pairs = world->has_stale_pairs = false;
  bool is_done = drop_where(world, is_stale, 0);
  mo_contact_store_forget_stale(&world->pairs.records); // the others may still collide
  return is_done;
}

void mo_world_drop_pairs_of(mo_world *world, uint32_t slot) {
  mo_world_forget_contacts(world, slot);
  note_stale(world, slot);
  drop_where(world, is_of, slot);
  mo_world_touch_proxies(world, slot);
}

// --- coming ----------------------------------------------------------------------------------

static bool may_pair(void *user, const mo_proxy *a, const mo_proxy *b) {
  const mo_world *world = user;
  return !mo_joined_pairs_have(&world->joined, a->slot, b->slot);
}

// World point at the middle of a shape, m.
static mo_vec3 middle_of(const mo_world *world, const mo_proxy *proxy, const mo_shape *shape) {
  const mo_placed_shape *placed = &world->bodies[proxy->slot].shapes[proxy->shape];
  mo_pose pose = mo_pose_mul(mo_motion_pose(&world->motions[proxy->slot]), placed->pose);
  return mo_add(pose.position, mo_quat_rotate(pose.orientation, shape->centroid));
}

static bool are_within(void *user, const mo_proxy *a, const mo_proxy *b) {
  const mo_world *world = user;
  const mo_shape *shape_a = world->bodies[a->slot].shapes[a->shape].shape;
  const mo_shape *shape_b = world->bodies[b->slot].shapes[b->shape].shape;
  return mo_distance_between(middle_of(world, a, shape_a), middle_of(world, b, shape_b)) <=
         shape_a->inner_radius + shape_b->inner_radius;
}

// The coefficient of a contact. The first of two rules in the order of their numbers counts.
static double combine(mo_combine rule_a, mo_combine rule_b, double a, double b) {
  switch (rule_a < rule_b ? rule_a : rule_b) {
  case MO_COMBINE_AVERAGE:
    return 0.5 * a + 0.5 * b;
  case MO_COMBINE_MINIMUM:
    return mo_min(a, b);
  case MO_COMBINE_MAXIMUM:
    return mo_max(a, b);
  case MO_COMBINE_MULTIPLY:
    return mo_min(a * b, DBL_MAX);
  default:
    return sqrt(a * b);
  }
}

static void mix_materials(const mo_world *world, mo_contact_record *record) {
  const mo_body *a = &world->bodies[record->slot_a], *b = &world->bodies[record->slot_b];
  uint32_t shape_a = world->broad_phase.proxies[record->proxy_a].shape;
  uint32_t shape_b = world->broad_phase.proxies[record->proxy_b].shape;
  mo_combine rule_a = mo_body_friction_combine(a, shape_a),
             rule_b = mo_body_friction_combine(b, shape_b);
  record->friction =
      combine(rule_a, rule_b, mo_body_friction(a, shape_a), mo_body_friction(b, shape_b));
  record->rolling_friction = combine(rule_a, rule_b, a->rolling_friction, b->rolling_friction);
  record->spinning_friction = combine(rule_a, rule_b, a->spinning_friction, b->spinning_friction);
  record->restitution =
      combine(mo_body_restitution_combine(a, shape_a), mo_body_restitution_combine(b, shape_b),
              mo_body_restitution(a, shape_a), mo_body_restitution(b, shape_b));
}

void mo_world_mix_materials(mo_world *world, uint32_t slot) {
  const mo_contact_store *store = &world->pairs.records;
  for (uint32_t edge = store->firsts[slot]; edge != MO_NO_CONTACT; edge = store->edges[edge].next) {
    uint32_t contact = mo_contact_of_edge(edge);
    if (!is_dead(world, record_of(world, contact), slot)) {
      mix_materials(world, record_of(world, contact));
      mo_pair_store_find(&world->pairs, contact)->has_new_materials = true;
    }
  }
}

static bool is_surface(const mo_world *world, uint32_t proxy) {
  const mo_proxy *p = &world->broad_phase.proxies[proxy];
  return mo_shape_is_surface(world->bodies[p->slot].shapes[p->shape].shape);
}

// A contact with a mesh has parts.
static void note_surface(const mo_world *world, mo_contact_record *record) {
  bool of_a = is_surface(world, record->proxy_a), of_b = is_surface(world, record->proxy_b);
  record->flags = of_a || of_b ? MO_CONTACT_HAS_PARTS : 0;
  record->child_a = of_a ? MO_NO_CONTACT : 0;
  record->child_b = of_b ? MO_NO_CONTACT : 0;
}

static mo_contact_record make_record(const mo_world *world, mo_proxy_pair found) {
  const mo_proxy *proxies = world->broad_phase.proxies;
  uint32_t slot_a = proxies[found.a].slot, slot_b = proxies[found.b].slot;
  bool in_order = world->bodies[slot_a].serial < world->bodies[slot_b].serial;
  mo_contact_record record = {.proxy_a = in_order ? found.a : found.b,
                              .proxy_b = in_order ? found.b : found.a,
                              .slot_a = in_order ? slot_a : slot_b,
                              .slot_b = in_order ? slot_b : slot_a};
  mix_materials(world, &record);
  note_surface(world, &record);
  return record;
}

// There must be room.
static void add_contact(mo_world *world, mo_proxy_pair found) {
  mo_pair_store *pairs = &world->pairs;
  mo_contact_record record = make_record(world, found);
  mo_pair pair = {.contact = mo_contact_store_add(&pairs->records, &record),
                  .proxy_a = record.proxy_a,
                  .proxy_b = record.proxy_b,
                  .slot_a = record.slot_a,
                  .slot_b = record.slot_b,
                  .has_parts = (record.flags & MO_CONTACT_HAS_PARTS) != 0,
                  .allowance = MO_NOT_COMPARED};
  if (mo_world_is_active_pair(world, &pair)) {
    mo_pair_store_add_near(pairs, &pair);
  } else {
    mo_pair_store_add_asleep(pairs, &pair);
  }
}

static uint32_t count_asleep(const mo_world *world) {
  const mo_broad_phase *bp = &world->broad_phase;
  uint32_t count = 0;
  for (uint32_t i = 0; i < bp->new_pairs_count; i++) {
    mo_pair pair = {.slot_a = bp->proxies[bp->new_pairs[i].a].slot,
                    .slot_b = bp->proxies[bp->new_pairs[i].b].slot};
    count += !mo_world_is_active_pair(world, &pair);
  }
  return count;
}

// Adds the pairs that the broad phase found.
static bool take_new_pairs(mo_world *world) {
  const mo_broad_phase *bp = &world->broad_phase;
  mo_pair_store *pairs = &world->pairs;
  uint32_t found = bp->new_pairs_count, asleep = count_asleep(world);
  if (!MO_RESERVE(pairs, near, pairs->near_count + (found - asleep)) ||
      !MO_RESERVE(pairs, asleep, pairs->asleep_count + asleep) ||
      !mo_contact_store_reserve(&pairs->records, found)) {
    return false;
  }
  for (uint32_t i = 0; i < found; i++) {
    add_contact(world, bp->new_pairs[i]);
  }
  return true;
}

bool mo_world_complete_pairs(mo_world *world) {
  const mo_pair_rules rules = {may_pair, are_within, world};
  return mo_world_update_joined_pairs(world) && mo_world_wake_carried(world) &&
         drop_stale_pairs(world) && mo_broad_phase_find_new_pairs(&world->broad_phase, &rules) &&
         take_new_pairs(world) && mo_world_sort_pairs_by_activity(world);
}

// --- manifolds of the row solvers ------------------------------------------------------------

void mo_world_forget_contacts(mo_world *world, uint32_t slot) {
  const mo_contact_store *store = &world->pairs.records;
  for (uint32_t edge = store->firsts[slot]; edge != MO_NO_CONTACT; edge = store->edges[edge].next) {
    mo_contact_record *record = &store->records[mo_contact_of_edge(edge)];
    for (uint32_t i = 0; i < record->manifold_count; i++) {
      world->contacts[record->first_manifold + i].point_count = 0;
    }
    record->manifold_count = 0;
  }
}

// Notes which contacts of a list begin or end, now that all records say who has a manifold.
static void note_changes(mo_world *world, const mo_contact *contacts, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const mo_contact_record *record = record_of(world, contacts[i].contact);
    bool touched = record->flags & MO_CONTACT_TOUCHING;
    if (touched != (record->manifold_count > 0)) {
      mo_contact_store_note_change(&world->pairs.records, contacts[i].contact);
    }
  }
}

void mo_world_take_fresh_contacts(mo_world *world, uint32_t count) {
  mo_contact *old = world->contacts;
  uint32_t old_capacity = world->contacts_capacity, old_count = world->contacts_count;
  world->contacts = world->fresh_contacts;
  world->contacts_capacity = world->fresh_contacts_capacity;
  world->contacts_count = count;
  world->fresh_contacts = old;
  world->fresh_contacts_capacity = old_capacity;
  for (uint32_t i = 0; i < old_count; i++) {
    record_of(world, old[i].contact)->manifold_count = 0;
  }
  for (uint32_t i = 0; i < count; i++) {
    mo_contact_record *record = record_of(world, world->contacts[i].contact);
    if (record->manifold_count == 0) {
      record->first_manifold = i; // the others of its contact follow
    }
    record->manifold_count++;
  }
  note_changes(world, old, old_count);
  note_changes(world, world->contacts, count);
}
