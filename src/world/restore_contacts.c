#include "world/restore.h"

#include "memory/array.h"
#include "world/state_fields.h"

// --- contact records -------------------------------------------------------------------------

static bool is_slot(const mo_world *world, uint32_t slot) { return slot < world->ids.slot_count; }

// Whether a proxy is that of a shape of the body in a slot.
static bool is_proxy_of(const mo_world *world, uint32_t proxy, uint32_t slot) {
  const mo_proxy *p = &world->broad_phase.proxies[proxy];
  return p->is_alive && p->slot == slot;
}

static bool is_alive_pair(const mo_world *world, const mo_contact_record *record) {
  return is_proxy_of(world, record->proxy_a, record->slot_a) &&
         is_proxy_of(world, record->proxy_b, record->slot_b);
}

// A part has its number on the side of the mesh and 0 on the other, its pair MO_NO_CONTACT and 0.
static bool has_good_children(const mo_contact_record *record) {
  uint32_t a = record->child_a, b = record->child_b, number = a > b ? a : b;
  if (a != 0 && b != 0) {
    return false;
  }
  bool is_part = record->flags & MO_CONTACT_PART, has_parts = record->flags & MO_CONTACT_HAS_PARTS;
  return is_part     ? !has_parts && number >= 1 && number <= MO_CONTACT_PARTS
         : has_parts ? number == MO_NO_CONTACT
                     : number == 0;
}

static bool is_good_record(const mo_world *world, const mo_contact_record *record) {
  return record->friction >= 0.0 && record->proxy_a != record->proxy_b &&
         record->proxy_a < world->broad_phase.proxies_count &&
         record->proxy_b < world->broad_phase.proxies_count && is_slot(world, record->slot_a) &&
         is_slot(world, record->slot_b) && record->slot_a != record->slot_b &&
         has_good_children(record) &&
         (!(record->flags & MO_CONTACT_NEAR) || world->has_dead_pairs ||
          is_alive_pair(world, record));
}

// Records in use that follow each other from `first` on. Returns their number.
static uint32_t restore_run(mo_restore *r, uint32_t first) {
  const uint8_t *flags = r->prelude.contact_flags;
  mo_contact_record *records = r->world->pairs.records.records;
  uint32_t end = first;
  while (end < r->prelude.contact_count && flags[end]) {
    end++;
  }
  if (end > first) { // without records there is no array
    mo_read_records(&r->in, &mo_state_contact_record, &records[first], end - first);
  }
  for (uint32_t i = first; i < end && mo_restore_is_good(r); i++) {
    mo_restore_expect(r, records[i].flags == flags[i] && is_good_record(r->world, &records[i]),
                      "a contact is damaged");
  }
  return end - first;
}

// The set of pairs has those of living shapes. That of parts is in it once, by the whole.
static void restore_in_set(mo_restore *r, const mo_contact_record *record) {
  mo_broad_phase *bp = &r->world->broad_phase;
  bool is_whole = record->flags & MO_CONTACT_NEAR && !(record->flags & MO_CONTACT_PART);
  if (is_whole && is_alive_pair(r->world, record) &&
      mo_restore_expect(r, !mo_pair_set_has(&bp->pairs, record->proxy_a, record->proxy_b),
                        "two contacts are of the same shapes")) {
    mo_restore_got(r, mo_broad_phase_restore_pair(bp, record->proxy_a, record->proxy_b));
  }
}

// Each contact that is in the list has the flag, and the other way round.
static void restore_changed(mo_restore *r, mo_contact_store *store) {
  store->changed_count =
      mo_restore_indices(r, store->changed, store->changed_capacity, store->records_count);
  uint32_t flagged = 0;
  for (uint32_t i = 0; i < store->records_count; i++) {
    flagged += (store->records[i].flags & MO_CONTACT_CHANGED) != 0;
  }
  for (uint32_t i = 0; i < store->changed_count; i++) {
    mo_restore_expect(r, store->records[store->changed[i]].flags & MO_CONTACT_CHANGED,
                      "a contact has changed and has not");
  }
  mo_restore_expect(r, flagged == store->changed_count, "a contact has changed and has not");
}

static void restore_lists(mo_restore *r, mo_contact_store *store) {
  uint32_t count = store->records_count;
  store->free_count = mo_restore_indices(r, store->free, store->free_capacity, count);
  uint8_t *seen = MO_ARENA_TAKE(&r->arena, uint8_t, count);
  for (uint32_t i = 0; mo_restore_got(r, seen != NULL) && i < store->free_count; i++) {
    mo_restore_expect(r, !seen[store->free[i]]++ && !store->records[store->free[i]].flags,
                      "a contact is both free and in use");
  }
  restore_changed(r, store);
  store->reported_count = mo_restore_indices(r, store->reported, store->reported_capacity, count);
  for (uint32_t i = 0; i < count && mo_restore_is_good(r); i++) {
    if (store->records[i].flags & MO_CONTACT_STALE) {
      store->stale[store->stale_count++].value = i;
    }
  }
}

static void restore_records(mo_restore *r) {
  mo_contact_store *store = &r->world->pairs.records;
  uint32_t count = mo_read_word(&r->in);
  if (!mo_restore_expect(r, count == r->prelude.contact_count, "contacts are missing") ||
      !mo_restore_got(r, mo_contact_store_reserve(store, count))) {
    return;
  }
  store->records_count = count;
  for (uint32_t i = restore_run(r, 0); mo_restore_is_good(r) && i < count;) {
    store->records[i++].generation = mo_read_word(&r->in);
    i += restore_run(r, i);
  }
  for (uint32_t i = 0; mo_restore_is_good(r) && i < count; i++) {
    restore_in_set(r, &store->records[i]);
  }
  if (mo_restore_is_good(r)) {
    restore_lists(r, store);
  }
}

// --- pairs -----------------------------------------------------------------------------------

// The contact of a pair is near and has no other pair. `seen` is per contact.
static bool is_good_pair(const mo_restore *r, const mo_pair *pair, const uint8_t *seen) {
  const mo_contact_store *store = &r->world->pairs.records;
  if (pair->contact >= store->records_count || seen[pair->contact]) {
    return false;
  }
  return store->records[pair->contact].flags & MO_CONTACT_NEAR &&
         pair->allowance == pair->allowance;
}

// Completes a pair that was read, and puts it at its place.
static bool place_pair(mo_restore *r, mo_pair *pair, uint32_t place, uint32_t index,
                       uint8_t *seen) {
  if (!mo_restore_expect(r, is_good_pair(r, pair, seen), "a pair is damaged")) {
    return false;
  }
  const mo_contact_record *record = &r->world->pairs.records.records[pair->contact];
  seen[pair->contact] = 1;
  pair->proxy_a = record->proxy_a;
  pair->proxy_b = record->proxy_b;
  pair->slot_a = record->slot_a;
  pair->slot_b = record->slot_b;
  pair->has_parts = record->flags & MO_CONTACT_HAS_PARTS;
  mo_pair_store_restore_place(&r->world->pairs, pair, place, index);
  return true;
}

static void restore_near(mo_restore *r, mo_pair **array, uint32_t *count, uint32_t *capacity,
                         uint32_t place, uint8_t *seen) {
  uint32_t length = mo_read_count(&r->in, 1);
  if (!mo_restore_is_good(r) ||
      !mo_restore_got(r, mo_array_reserve((void **)array, capacity, length, sizeof **array))) {
    return;
  }
  mo_read_records(&r->in, &mo_state_pair, *array, length);
  for (uint32_t i = 0; i < length && place_pair(r, &(*array)[i], place, i, seen); i++) {
    *count = i + 1;
  }
}

static void restore_contacts(mo_restore *r, mo_substep_contact **array, uint32_t *count,
                             uint32_t *capacity, uint32_t place, uint8_t *seen) {
  uint32_t length = mo_read_count(&r->in, 1);
  if (!mo_restore_is_good(r) ||
      !mo_restore_got(r, mo_array_reserve((void **)array, capacity, length, sizeof **array))) {
    return;
  }
  mo_read_records(&r->in, &mo_state_substep_contact, *array, length);
  mo_read_records(&r->in, &mo_state_substep_points, *array, length);
  for (uint32_t i = 0; i < length && mo_restore_is_good(r); i++) {
    mo_substep_contact *contact = &(*array)[i];
    bool fits = contact->point_count >= 1 && contact->point_count <= MO_MANIFOLD_POINTS;
    if (mo_restore_expect(r, fits, "a manifold is damaged") &&
        place_pair(r, &contact->pair, place, i, seen)) {
      *count = i + 1;
    }
  }
}

// No two contacts of a colour move the same body.
static void count_in_colours(mo_restore *r) {
  mo_pair_store *pairs = &r->world->pairs;
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    for (uint32_t i = 0; i < pairs->colours[c].contacts_count && mo_restore_is_good(r); i++) {
      const mo_pair *pair = &pairs->colours[c].contacts[i].pair;
      mo_restore_expect(r,
                        mo_pair_store_restore_colour(pairs, c, pair,
                                                     mo_world_is_dynamic(r->world, pair->slot_a),
                                                     mo_world_is_dynamic(r->world, pair->slot_b)),
                        "two contacts of a colour move the same body");
    }
  }
}

static void restore_places(mo_restore *r, uint8_t *seen) {
  mo_pair_store *pairs = &r->world->pairs;
  restore_near(r, &pairs->near, &pairs->near_count, &pairs->near_capacity, MO_PLACE_NEAR, seen);
  restore_near(r, &pairs->asleep, &pairs->asleep_count, &pairs->asleep_capacity, MO_PLACE_ASLEEP,
               seen);
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    mo_substep_colour *colour = &pairs->colours[c];
    restore_contacts(r, &colour->contacts, &colour->contacts_count, &colour->contacts_capacity,
                     MO_PLACE_COLOURS + c, seen);
  }
  restore_contacts(r, &pairs->asleep_contacts, &pairs->asleep_contacts_count,
                   &pairs->asleep_contacts_capacity, MO_PLACE_ASLEEP_CONTACTS, seen);
  for (uint32_t i = 0; i < pairs->records.records_count && mo_restore_is_good(r); i++) {
    bool is_near = pairs->records.records[i].flags & MO_CONTACT_NEAR;
    mo_restore_expect(r, is_near == (seen[i] != 0), "a contact has no pair");
  }
}

static void restore_free_proxies(mo_restore *r) {
  mo_broad_phase *bp = &r->world->broad_phase;
  mo_restore_expect(r, mo_read_word(&r->in) == bp->proxies_count, "shapes are missing");
  uint32_t *ids = bp->free_ids;
  bp->free_ids_count = mo_restore_indices(r, ids, bp->free_ids_capacity, bp->proxies_count);
  uint8_t *seen = MO_ARENA_TAKE(&r->arena, uint8_t, bp->proxies_count);
  for (uint32_t i = 0; mo_restore_got(r, seen != NULL) && i < bp->free_ids_count; i++) {
    mo_restore_expect(r, !seen[ids[i]]++ && !bp->proxies[ids[i]].is_alive,
                      "a place of the broad phase is both free and in use");
  }
}

void mo_restore_pairs(mo_restore *r) {
  restore_free_proxies(r);
  if (mo_restore_is_good(r)) {
    restore_records(r);
  }
  mo_pair_store *pairs = &r->world->pairs;
  uint8_t *seen = MO_ARENA_TAKE(&r->arena, uint8_t, pairs->records.records_count);
  if (mo_restore_got(r, seen != NULL)) {
    restore_places(r, seen);
    count_in_colours(r);
  }
}

// --- manifolds of the row solvers ------------------------------------------------------------

static bool is_good_manifold(const mo_world *world, const mo_contact *c) {
  if (c->contact >= world->pairs.records.records_count || !is_slot(world, c->slot_a) ||
      !is_slot(world, c->slot_b) || c->point_count > MO_MANIFOLD_POINTS) {
    return false;
  }
  const mo_body *a = &world->bodies[c->slot_a], *b = &world->bodies[c->slot_b];
  const mo_contact_record *record = &world->pairs.records.records[c->contact];
  return c->point_count == 0 ||
         (record->slot_a == c->slot_a && record->slot_b == c->slot_b &&
          c->shape_a < a->shape_count && c->shape_b < b->shape_count && mo_is_finite(c->friction) &&
          c->friction >= 0.0 && mo_is_finite(c->restitution) && mo_is_finite(c->rolling_friction) &&
          mo_is_finite(c->spinning_friction) && mo_v3_is_finite(c->normal) &&
          mo_v3_is_finite(c->twist_impulse));
}

// Manifolds of one contact follow each other.
static void count_manifold(mo_restore *r, uint32_t index) {
  const mo_contact *contact = &r->world->contacts[index];
  mo_contact_record *record = &r->world->pairs.records.records[contact->contact];
  if (contact->point_count == 0) {
    return;
  }
  if (record->manifold_count == 0) {
    record->first_manifold = index;
  }
  mo_restore_expect(r, record->first_manifold + record->manifold_count == index,
                    "manifolds are in a wrong order");
  record->manifold_count++;
}

void mo_restore_contacts(mo_restore *r) {
  mo_world *world = r->world;
  uint32_t count = mo_read_count(&r->in, 1);
  if (!mo_restore_is_good(r) || !mo_restore_got(r, MO_RESERVE(world, contacts, count))) {
    return;
  }
  for (uint32_t i = 0; i < count && mo_restore_is_good(r); i++) {
    mo_contact *contact = &world->contacts[i];
    mo_read_records(&r->in, &mo_state_contact, contact, 1);
    if (mo_restore_expect(r, is_good_manifold(world, contact), "a manifold is damaged")) {
      mo_read_records(&r->in, &mo_state_contact_point, contact->points, contact->point_count);
      count_manifold(r, i);
      world->contacts_count = i + 1;
    }
  }
}
