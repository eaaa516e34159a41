/// The contacts of a world: one record per pair of shapes that are near each other. Private to
/// src/world, src/step and src/report.
///
/// A contact is near from when the broad phase finds its pair until their boxes separate or one of
/// its bodies is destroyed. It touches while it has a manifold. The record holds what stays the
/// same from step to step, and says where the rest is: the pair that every step visits
/// (pair_store.h), and the manifold of the row solvers (world->contacts). Each body has a list of
/// its contacts.
///
/// A pair with a mesh may touch with several manifolds at once. In the row solvers its contact has
/// several of them in world->contacts. In soft-step its contact stays near, and each manifold is a
/// part: a contact of its own, with the same shapes and a number as its child, which begins and
/// ends with updates of the pair. Parts are not reported: their pair touches while it has one.
///
/// A step adds and drops contacts, but frees none and changes no flag that readers see before its
/// commit. So a refused step needs no notes: lists get their old lengths, and the rest follows from
/// the pairs. This changes the order of the lists of bodies, on which no result may depend.
#pragma once

#include "memory/sort.h"
#include "solvers/soft_step/substep.h"

/// Ends a list of contacts.
#define MO_NO_CONTACT UINT32_MAX
/// The most parts of a contact: MO_MESH_MANIFOLDS.
#define MO_CONTACT_PARTS 6

enum {
  MO_CONTACT_NEAR = 1 << 0,      ///< it has a pair in the store; else it was dropped
  MO_CONTACT_TOUCHING = 1 << 1,  ///< it had a manifold at the end of the last step
  MO_CONTACT_BEGAN = 1 << 2,     ///< it touches, and did not at the end of the step before
  MO_CONTACT_ENDED = 1 << 3,     ///< it touched at the end of the step before, and does not
  MO_CONTACT_CHANGED = 1 << 4,   ///< it is in `changed`
  MO_CONTACT_STALE = 1 << 5,     ///< it is in `stale`
  MO_CONTACT_HAS_PARTS = 1 << 6, ///< one of its shapes is a mesh
  MO_CONTACT_PART = 1 << 7,      ///< it is one manifold of soft-step of such a contact
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
  uint32_t proxy_a, proxy_b; ///< the shapes, in the broad phase; A is of the body created first
  uint32_t slot_a, slot_b;   ///< their bodies
  /// 1 + the number of a part, on the side of the mesh; MO_NO_CONTACT there for its pair; else 0.
  uint32_t child_a, child_b;
  double friction, restitution;               ///< mixed from both materials
  double rolling_friction, spinning_friction; ///< m, likewise
  float start_twist[3], twist[3]; ///< N m s of these, as soft-step keeps them (mo_substep_surface)
  float slide[3];                 ///< m/s, of its last step (mo_substep_surface)
  uint32_t generation;            ///< counts the contacts that used this record
  uint8_t flags;
  // What is above is the state, in one piece. What follows from other records is below.
  uint8_t place;           ///< mo_pair_place
  uint16_t manifold_count; ///< of the row solvers; 0: they do not touch
  uint32_t index;          ///< of its pair in the array of its place
  uint32_t first_manifold; ///< in world->contacts
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
  uint32_t *free; ///< free records, used last in, first out
  uint32_t free_count, free_capacity;
  uint32_t *changed; ///< contacts that may begin or end with the next commit, and dropped ones
  uint32_t changed_count, changed_capacity;
  uint32_t *reported; ///< the contacts that the last commit reported as changed
  uint32_t reported_count, reported_capacity;
  mo_sort_entry *stale; ///< values: contacts whose shapes may no longer collide, in any order
  uint32_t stale_count, stale_capacity;
} mo_contact_store;

void mo_contact_store_free(mo_contact_store *store);
/// Makes room for `count` more contacts. Returns false without memory.
bool mo_contact_store_reserve(mo_contact_store *store, uint32_t count);
/// Makes room for the lists of bodies in slots below `slot_count`. Returns false without memory.
bool mo_contact_store_reserve_bodies(mo_contact_store *store, uint32_t slot_count);
/// Starts the list of a body; there must be room.
void mo_contact_store_begin_body(mo_contact_store *store, uint32_t slot);

/// Adds a contact with the shapes, bodies and materials of `contact`, and its flags about parts;
/// there must be room.
uint32_t mo_contact_store_add(mo_contact_store *store, const mo_contact_record *contact);
/// Marks a contact as no longer near. Its record is freed two commits later, because the next
/// commit reports that it ended.
void mo_contact_store_drop(mo_contact_store *store, uint32_t contact);
/// Makes the next commit check whether the contact began or ended.
void mo_contact_store_note_change(mo_contact_store *store, uint32_t contact);
/// Notes that the shapes of a contact may no longer collide, to be checked when stale contacts are
/// dropped.
void mo_contact_store_note_stale(mo_contact_store *store, uint32_t contact);
/// Clears the list of stale contacts.
void mo_contact_store_forget_stale(mo_contact_store *store);
/// Part of the commit of a step: sets which contacts touch, and which of them began and ended.
void mo_contact_store_commit(mo_contact_store *store);

/// The lengths of the lists, which a step saves before it changes them.
mo_contact_counts mo_contact_store_counts(const mo_contact_store *store);
/// First part of undoing a step: the contacts are those of before, and none is near.
void mo_contact_store_restore_counts(mo_contact_store *store, const mo_contact_counts *counts);
/// Second part: the contact is near.
void mo_contact_store_restore(mo_contact_store *store, uint32_t contact);

/// The contact of an edge.
static inline uint32_t mo_contact_of_edge(uint32_t edge) { return edge >> 1; }
/// The number of a part.
static inline uint32_t mo_contact_part_number(const mo_contact_record *part) {
  return (part->child_a > 0 ? part->child_a : part->child_b) - 1;
}
/// Of a contact with a mesh, or of a part of it: the other body, whose list is short.
static inline uint32_t mo_contact_convex_slot(const mo_contact_record *pair) {
  return pair->child_a > 0 ? pair->slot_b : pair->slot_a;
}
/// Lists the parts of a contact by their numbers; MO_NO_CONTACT for those that it does not have.
void mo_contact_store_list_parts(const mo_contact_store *store, const mo_contact_record *pair,
                                 uint32_t parts[MO_CONTACT_PARTS]);

/// The contact whose part a part is, or MO_NO_CONTACT if it was dropped.
uint32_t mo_contact_store_find_whole(const mo_contact_store *store, const mo_contact_record *part);

/// Walks the contacts of a body:
///   for (uint32_t edge = store->firsts[slot]; edge != MO_NO_CONTACT; edge =
///   store->edges[edge].next)
/// The other body of the contact.
static inline uint32_t mo_contact_other_slot(const mo_contact_store *store, uint32_t edge) {
  const mo_contact_record *record = &store->records[mo_contact_of_edge(edge)];
  return edge & 1u ? record->slot_a : record->slot_b;
}
