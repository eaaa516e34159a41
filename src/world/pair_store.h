/// Pairs of shapes that are near each other, and the arrays that hold them. Private to src.
///
/// A pair is in one of four arrays. Pairs with an awake body are in the array of their colour if
/// soft-step knows contact points of them, otherwise in `near`. Sleeping pairs are likewise in
/// `asleep_contacts` or `asleep`. Every step walks whole arrays, so the arrays hold the pairs
/// themselves, and a pair moves between them; the last item replaces one that leaves. The record of
/// a pair's contact (contact_store.h) says where the pair is.
#pragma once

#include "memory/journal.h"
#include "world/contact_store.h"

/// The colour of contacts that fit into no other.
#define MO_OVERFLOW_COLOUR (MO_SUBSTEP_COLOURS - 1)

typedef struct mo_pair_counts {
  uint32_t near, asleep, asleep_contacts, colours[MO_SUBSTEP_COLOURS];
  mo_contact_counts records;
} mo_pair_counts;

/// Begins as zeros.
typedef struct mo_pair_store {
  mo_contact_store records;
  mo_pair *near;
  uint32_t near_count, near_capacity;
  mo_substep_colour colours[MO_SUBSTEP_COLOURS];
  mo_pair *asleep;
  uint32_t asleep_count, asleep_capacity;
  mo_substep_contact *asleep_contacts;
  uint32_t asleep_contacts_count, asleep_contacts_capacity;
  uint32_t *colour_masks; ///< per slot: bits of the colours whose contacts move the body
  uint32_t colour_masks_capacity;
  uint32_t *contact_counts; ///< per slot: contacts in colours that move the body
  uint32_t contact_counts_capacity;
  mo_journal *journal; ///< of the running step; or null
} mo_pair_store;

void mo_pair_store_free(mo_pair_store *store);

/// Contacts in all colours.
uint32_t mo_pair_store_contact_count(const mo_pair_store *store);

/// The lengths of all arrays, which a step saves before it changes them.
mo_pair_counts mo_pair_store_counts(const mo_pair_store *store);
/// Undoes a step after the journal has restored the items of the arrays.
void mo_pair_store_restore(mo_pair_store *store, const mo_pair_counts *counts);
/// Puts the pair of a contact whose record is not near yet at a place, of which `pair` is the item
/// `index`: for a store that is made again. The arrays and their lengths are the caller's.
void mo_pair_store_restore_place(mo_pair_store *store, const mo_pair *pair, uint32_t place,
                                 uint32_t index);
/// Counts a contact at its bodies that is in a colour of such a store. Returns false if another one
/// of that colour moves one of them.
bool mo_pair_store_restore_colour(mo_pair_store *store, uint32_t colour, const mo_pair *pair,
                                  bool moves_a, bool moves_b);
/// Updates the places of the contacts in these colours (bits), which changed within their arrays.
void mo_pair_store_renew_places(mo_pair_store *store, uint32_t colours);
/// The record of the contact of a pair.
static inline mo_contact_record *mo_pair_record(const mo_pair_store *store, const mo_pair *pair) {
  return &store->records.records[pair->contact];
}
/// What soft-step keeps of a contact that has a manifold (mo_pair_place_has_manifold).
static inline const mo_substep_contact *mo_pair_store_manifold(const mo_pair_store *store,
                                                               const mo_contact_record *record) {
  return record->place == MO_PLACE_ASLEEP_CONTACTS
             ? &store->asleep_contacts[record->index]
             : &store->colours[record->place - MO_PLACE_COLOURS].contacts[record->index];
}
/// A walk over the contacts in colours, which begins as zeros.
typedef struct mo_contact_walk {
  uint32_t colour, next; ///< the colour of the present contact, and the index of the next one there
} mo_contact_walk;
/// The next contact, colour by colour; null at the end.
static inline mo_substep_contact *mo_pair_store_next(const mo_pair_store *store,
                                                     mo_contact_walk *walk) {
  while (walk->next == store->colours[walk->colour].contacts_count) {
    walk->next = 0;
    if (++walk->colour == MO_SUBSTEP_COLOURS) {
      return NULL;
    }
  }
  return &store->colours[walk->colour].contacts[walk->next++];
}
/// Makes room in the journal for `changes` of the following. Returns false without memory.
bool mo_pair_store_reserve_notes(mo_pair_store *store, uint32_t changes);

// Each of the following changes one place and notes what was there. The caller makes room in `near`
// and in the sleeping arrays for what it adds.

void mo_pair_store_add_near(mo_pair_store *store, const mo_pair *pair);
void mo_pair_store_set_near(mo_pair_store *store, uint32_t index, const mo_pair *pair);
mo_pair mo_pair_store_take_near(mo_pair_store *store, uint32_t index);

/// Makes room for one more pair in `near`, for one more contact in every colour that a contact of
/// these bodies may get, and for notes of both. Returns false without memory.
bool mo_pair_store_reserve_contact(mo_pair_store *store, const mo_pair *pair, bool moves_a,
                                   bool moves_b);
/// Puts a contact into the lowest colour that neither of its moving bodies has, or the highest if
/// one of the bodies does not move. There must be room.
void mo_pair_store_add_contact(mo_pair_store *store, const mo_substep_contact *contact,
                               bool moves_a, bool moves_b);
/// A contact that is about to be changed in its place. The pointer holds until one is added.
mo_substep_contact *mo_pair_store_change_contact(mo_pair_store *store, uint32_t colour,
                                                 uint32_t index);
void mo_pair_store_set_contact(mo_pair_store *store, uint32_t colour, uint32_t index,
                               const mo_substep_contact *contact);
/// Removes a contact from its colour.
mo_substep_contact mo_pair_store_take_contact(mo_pair_store *store, uint32_t colour,
                                              uint32_t index);

void mo_pair_store_add_asleep(mo_pair_store *store, const mo_pair *pair);
mo_pair mo_pair_store_take_asleep(mo_pair_store *store, uint32_t index);
void mo_pair_store_add_asleep_contact(mo_pair_store *store, const mo_substep_contact *contact);
mo_substep_contact mo_pair_store_take_asleep_contact(mo_pair_store *store, uint32_t index);
/// The pair of a contact, in its array.
mo_pair *mo_pair_store_find(mo_pair_store *store, uint32_t contact);
/// Removes the pair of a contact from its array.
void mo_pair_store_take(mo_pair_store *store, uint32_t contact);
