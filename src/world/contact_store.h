/// The contacts of a world: one record per pair of shapes that are near each other. Private to
/// src/world.
///
/// A contact is near from the moment when the broad phase finds it until its boxes part or one of
/// its bodies goes, and touches while it has a manifold. The record says what does not change from
/// step to step and where the rest is: the pair that is walked in every step (pair_store.h), the
/// manifold of the row solvers (world->contacts). Each body has a list of its contacts.
///
/// A step adds and drops contacts, but frees none and changes no flag that readers see before its
/// commit. So a step that is refused needs no notes: lists get their old lengths, and everything
/// else follows from the pairs. That puts the lists of bodies into another order, on which no
/// result may depend.
#pragma once

#include "memory/sort.h"
#include "solvers/substep/substep_solver.h"

/// Ends a list of contacts.
#define MO_NO_CONTACT UINT32_MAX

enum {
  MO_CONTACT_NEAR = 1 << 0,     ///< it has a pair in the store; else it was dropped
  MO_CONTACT_TOUCHING = 1 << 1, ///< it had a manifold at the end of the last step
  MO_CONTACT_BEGAN = 1 << 2,    ///< it touches, and did not at the end of the step before
  MO_CONTACT_ENDED = 1 << 3,    ///< the other way round
  MO_CONTACT_CHANGED = 1 << 4,  ///< it is in `changed`
  MO_CONTACT_STALE = 1 << 5,    ///< it is in `stale`
};

/// Where the pair of a contact lies (pair_store.h).
typedef enum mo_pair_place {
  MO_PLACE_NEAR,
  MO_PLACE_ASLEEP,
  MO_PLACE_COLOURS, ///< of the first colour; the others follow
  MO_PLACE_ASLEEP_CONTACTS = MO_PLACE_COLOURS + MO_SUBSTEP_COLOURS
} mo_pair_place;

/// Whether soft-step keeps manifolds there.
static inline bool mo_pair_place_has_manifold(uint32_t place) { return place >= MO_PLACE_COLOURS; }

typedef struct mo_contact_record {
  uint32_t proxy_a, proxy_b;    ///< the shapes, in the broad phase; A is of the body created first
  uint32_t slot_a, slot_b;      ///< their bodies
  uint32_t child_a, child_b;    ///< part of a shape that has several parts; 0 for one that has one
  double friction, restitution; ///< of both together
  uint32_t index;               ///< of its pair in the array of its place
  uint8_t place;                ///< mo_pair_place
  uint8_t flags;
  uint16_t manifold_count; ///< of the row solvers: 0 where they do not touch
  uint32_t first_manifold; ///< in world->contacts
  uint32_t generation;     ///< counts the contacts that the record has been of
} mo_contact_record;

/// Links a contact into the list of one of its bodies. Contact c has two edges: 2 c for A and
/// 2 c + 1 for B. Lists name contacts by their edges.
typedef struct mo_contact_edge {
  uint32_t next, previous; ///< edges; or MO_NO_CONTACT
} mo_contact_edge;

typedef struct mo_contact_counts {
  uint32_t records, free, changed, stale;
} mo_contact_counts;

/// Begins as zeros.
typedef struct mo_contact_store {
  mo_contact_record *records; ///< by contact
  uint32_t records_count, records_capacity;
  mo_contact_edge *edges; ///< two per contact
  uint32_t edges_capacity;
  uint32_t *firsts; ///< per slot: first edge of its list
  uint32_t firsts_count, firsts_capacity;
  uint32_t *free; ///< contacts to be used again, last in, first out
  uint32_t free_count, free_capacity;
  uint32_t *changed; ///< contacts that may begin or end with the next commit, and dropped ones
  uint32_t changed_count, changed_capacity;
  uint32_t *told; ///< those that changed with the last one
  uint32_t told_count, told_capacity;
  mo_sort_entry *stale; ///< values: contacts whose shapes may no longer collide; in any order
  uint32_t stale_count, stale_capacity;
} mo_contact_store;

void mo_contact_store_free(mo_contact_store *store);
/// Room for `count` more contacts. False without memory.
bool mo_contact_store_reserve(mo_contact_store *store, uint32_t count);
/// Room for the lists of bodies in slots below `slot_count`. False without memory.
bool mo_contact_store_reserve_bodies(mo_contact_store *store, uint32_t slot_count);
/// Begins the list of a body, for which there is room.
void mo_contact_store_begin_body(mo_contact_store *store, uint32_t slot);

/// Adds a contact, for which there is room: shapes, bodies and materials from `contact`.
uint32_t mo_contact_store_add(mo_contact_store *store, const mo_contact_record *contact);
/// A contact is no longer near. Its record is freed two commits later: the first one says that it
/// ended.
void mo_contact_store_drop(mo_contact_store *store, uint32_t contact);
/// The next commit looks whether a contact began or ended.
void mo_contact_store_note_change(mo_contact_store *store, uint32_t contact);
/// The shapes of a contact may no longer collide: whoever drops such contacts looks at it.
void mo_contact_store_note_stale(mo_contact_store *store, uint32_t contact);
/// The stale contacts that are left are none.
void mo_contact_store_forget_stale(mo_contact_store *store);
/// The end of a step: which contacts touch, which of them began and which ended is that of now.
void mo_contact_store_commit(mo_contact_store *store);

/// How long the lists are: what a step saves before it changes them.
mo_contact_counts mo_contact_store_counts(const mo_contact_store *store);
/// The first part of taking a step back: contacts are those of then, and none is near.
void mo_contact_store_restore_counts(mo_contact_store *store, const mo_contact_counts *counts);
/// The second part: a contact is near.
void mo_contact_store_restore(mo_contact_store *store, uint32_t contact);

/// Walks the contacts of a body:
///   for (uint32_t edge = store->firsts[slot]; edge != MO_NO_CONTACT; edge =
///   store->edges[edge].next)
static inline uint32_t mo_contact_of_edge(uint32_t edge) { return edge >> 1; }
/// The other body of the contact.
static inline uint32_t mo_contact_other_slot(const mo_contact_store *store, uint32_t edge) {
  const mo_contact_record *record = &store->records[mo_contact_of_edge(edge)];
  return edge & 1u ? record->slot_a : record->slot_b;
}
