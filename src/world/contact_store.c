#include "world/contact_store.h"

#include "memory/allocator.h"
#include "memory/array.h"

void mo_contact_store_free(mo_contact_store *store) {
  mo_release(store->records);
  mo_release(store->edges);
  mo_release(store->firsts);
  mo_release(store->free);
  mo_release(store->changed);
  mo_release(store->reported);
  mo_release(store->stale);
  *store = (mo_contact_store){0};
}

bool mo_contact_store_reserve(mo_contact_store *store, uint32_t count) {
  uint32_t fresh = count > store->free_count ? count - store->free_count : 0;
  uint64_t needed = (uint64_t)store->records_count + fresh;
  if (needed > UINT32_MAX / 2) { // an edge is a number of 32 bits
    return false;
  }
  uint32_t all = (uint32_t)needed;
  return MO_RESERVE(store, records, all) && MO_RESERVE(store, edges, 2 * all) &&
         MO_RESERVE(store, free, all) && MO_RESERVE(store, changed, all) &&
         MO_RESERVE(store, reported, all) && MO_RESERVE(store, stale, all);
}

bool mo_contact_store_reserve_bodies(mo_contact_store *store, uint32_t slot_count) {
  return MO_RESERVE(store, firsts, slot_count);
}

void mo_contact_store_begin_body(mo_contact_store *store, uint32_t slot) {
  store->firsts[slot] = MO_NO_CONTACT;
  store->firsts_count = store->firsts_count > slot ? store->firsts_count : slot + 1;
}

// --- lists of bodies -------------------------------------------------------------------------

static void link(mo_contact_store *store, uint32_t edge, uint32_t slot) {
  uint32_t next = store->firsts[slot];
  store->edges[edge] = (mo_contact_edge){.next = next, .previous = MO_NO_CONTACT};
  if (next != MO_NO_CONTACT) {
    store->edges[next].previous = edge;
  }
  store->firsts[slot] = edge;
}

static void unlink(mo_contact_store *store, uint32_t edge, uint32_t slot) {
  mo_contact_edge gone = store->edges[edge];
  if (gone.previous == MO_NO_CONTACT) {
    store->firsts[slot] = gone.next;
  } else {
    store->edges[gone.previous].next = gone.next;
  }
  if (gone.next != MO_NO_CONTACT) {
    store->edges[gone.next].previous = gone.previous;
  }
}

static void link_both(mo_contact_store *store, uint32_t contact) {
  link(store, 2 * contact, store->records[contact].slot_a);
  link(store, 2 * contact + 1, store->records[contact].slot_b);
}

// --- life ------------------------------------------------------------------------------------

uint32_t mo_contact_store_add(mo_contact_store *store, const mo_contact_record *made) {
  uint32_t contact =
      store->free_count > 0 ? store->free[--store->free_count] : store->records_count++;
  mo_contact_record *record = &store->records[contact];
  uint32_t generation = record->generation;
  *record = *made;
  record->generation = generation;
  record->flags =
      (uint8_t)(MO_CONTACT_NEAR | (made->flags & (MO_CONTACT_HAS_PARTS | MO_CONTACT_PART)));
  link_both(store, contact);
  return contact;
}

void mo_contact_store_drop(mo_contact_store *store, uint32_t contact) {
  mo_contact_record *record = &store->records[contact];
  unlink(store, 2 * contact, record->slot_a);
  unlink(store, 2 * contact + 1, record->slot_b);
  record->flags &= (uint8_t) ~(MO_CONTACT_NEAR | MO_CONTACT_STALE);
  mo_contact_store_note_change(store, contact);
}

void mo_contact_store_note_change(mo_contact_store *store, uint32_t contact) {
  mo_contact_record *record = &store->records[contact];
  if (!(record->flags & MO_CONTACT_CHANGED)) {
    record->flags |= MO_CONTACT_CHANGED;
    store->changed[store->changed_count++] = contact;
  }
}

void mo_contact_store_note_stale(mo_contact_store *store, uint32_t contact) {
  mo_contact_record *record = &store->records[contact];
  if (!(record->flags & MO_CONTACT_STALE)) {
    record->flags |= MO_CONTACT_STALE;
    store->stale[store->stale_count++].value = contact;
  }
}

void mo_contact_store_forget_stale(mo_contact_store *store) {
  for (uint32_t i = 0; i < store->stale_count; i++) {
    store->records[store->stale[i].value].flags &= (uint8_t)~MO_CONTACT_STALE;
  }
  store->stale_count = 0;
}

static bool are_of_one_pair(const mo_contact_record *a, const mo_contact_record *b) {
  return a->proxy_a == b->proxy_a && a->proxy_b == b->proxy_b;
}

uint32_t mo_contact_store_find_whole(const mo_contact_store *store, const mo_contact_record *part) {
  for (uint32_t edge = store->firsts[mo_contact_convex_slot(part)]; edge != MO_NO_CONTACT;
       edge = store->edges[edge].next) {
    const mo_contact_record *record = &store->records[mo_contact_of_edge(edge)];
    if ((record->flags & MO_CONTACT_HAS_PARTS) && are_of_one_pair(record, part)) {
      return mo_contact_of_edge(edge);
    }
  }
  return MO_NO_CONTACT;
}

void mo_contact_store_list_parts(const mo_contact_store *store, const mo_contact_record *pair,
                                 uint32_t parts[MO_CONTACT_PARTS]) {
  for (int i = 0; i < MO_CONTACT_PARTS; i++) {
    parts[i] = MO_NO_CONTACT;
  }
  for (uint32_t edge = store->firsts[mo_contact_convex_slot(pair)]; edge != MO_NO_CONTACT;
       edge = store->edges[edge].next) {
    uint32_t contact = mo_contact_of_edge(edge);
    const mo_contact_record *part = &store->records[contact];
    if ((part->flags & MO_CONTACT_PART) && are_of_one_pair(part, pair)) {
      parts[mo_contact_part_number(part)] = contact;
    }
  }
}

// --- the end of a step -----------------------------------------------------------------------

// Clears the flags of the last step. Contacts that were reported as ended and are no longer near
// are freed.
static void forget_reported(mo_contact_store *store) {
  for (uint32_t i = 0; i < store->reported_count; i++) {
    mo_contact_record *record = &store->records[store->reported[i]];
    record->flags &= (uint8_t) ~(MO_CONTACT_BEGAN | MO_CONTACT_ENDED);
    if (!(record->flags & (MO_CONTACT_NEAR | MO_CONTACT_CHANGED))) {
      record->flags = 0;
      record->generation++;
      store->free[store->free_count++] = store->reported[i];
    }
  }
}

static bool has_part(const mo_contact_store *store, const mo_contact_record *record) {
  uint32_t parts[MO_CONTACT_PARTS];
  if (!(record->flags & MO_CONTACT_HAS_PARTS)) {
    return false;
  }
  mo_contact_store_list_parts(store, record, parts);
  for (int i = 0; i < MO_CONTACT_PARTS; i++) {
    if (parts[i] != MO_NO_CONTACT) {
      return true;
    }
  }
  return false;
}

static void report(const mo_contact_store *store, mo_contact_record *record) {
  bool touched = record->flags & MO_CONTACT_TOUCHING;
  bool touches = (record->flags & MO_CONTACT_NEAR) && !(record->flags & MO_CONTACT_PART) &&
                 (mo_pair_place_has_manifold(record->place) || record->manifold_count > 0 ||
                  has_part(store, record));
  record->flags &= (uint8_t) ~(MO_CONTACT_CHANGED | MO_CONTACT_TOUCHING);
  record->flags |= touches ? MO_CONTACT_TOUCHING : 0;
  if (touches != touched) {
    record->flags |= touches ? MO_CONTACT_BEGAN : MO_CONTACT_ENDED;
  }
}

void mo_contact_store_commit(mo_contact_store *store) {
  forget_reported(store);
  uint32_t *reported = store->reported, capacity = store->reported_capacity;
  store->reported = store->changed;
  store->reported_count = store->changed_count;
  store->reported_capacity = store->changed_capacity;
  store->changed = reported;
  store->changed_count = 0;
  store->changed_capacity = capacity;
  for (uint32_t i = 0; i < store->reported_count; i++) {
    report(store, &store->records[store->reported[i]]);
  }
}

// --- undoing a step --------------------------------------------------------------------------

mo_contact_counts mo_contact_store_counts(const mo_contact_store *store) {
  return (mo_contact_counts){.records = store->records_count,
                             .free = store->free_count,
                             .changed = store->changed_count,
                             .stale = store->stale_count};
}

void mo_contact_store_restore_counts(mo_contact_store *store, const mo_contact_counts *counts) {
  store->records_count = counts->records;
  store->free_count = counts->free;
  store->changed_count = counts->changed;
  store->stale_count = counts->stale;
  for (uint32_t i = 0; i < store->firsts_count; i++) {
    store->firsts[i] = MO_NO_CONTACT;
  }
  for (uint32_t i = 0; i < store->records_count; i++) {
    store->records[i].flags &= (uint8_t) ~(MO_CONTACT_NEAR | MO_CONTACT_CHANGED | MO_CONTACT_STALE);
  }
  for (uint32_t i = 0; i < store->free_count; i++) {
    store->records[store->free[i]].flags = 0; // of what the step added
  }
  for (uint32_t i = 0; i < store->changed_count; i++) {
    store->records[store->changed[i]].flags |= MO_CONTACT_CHANGED;
  }
  for (uint32_t i = 0; i < store->stale_count; i++) {
    store->records[store->stale[i].value].flags |= MO_CONTACT_STALE;
  }
}

void mo_contact_store_restore(mo_contact_store *store, uint32_t contact) {
  store->records[contact].flags |= MO_CONTACT_NEAR;
  link_both(store, contact);
}
