#include "world/pair_store.h"

#include "memory/allocator.h"
#include "memory/array.h"
#include "memory/copy.h"

void mo_pair_store_free(mo_pair_store *store) {
  mo_contact_store_free(&store->records);
  mo_release(store->near);
  mo_release(store->asleep);
  mo_release(store->asleep_contacts);
  mo_release(store->colour_masks);
  mo_release(store->contact_counts);
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    mo_release(store->colours[c].contacts);
  }
  *store = (mo_pair_store){0};
}

uint32_t mo_pair_store_contact_count(const mo_pair_store *store) {
  uint32_t count = 0;
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    count += store->colours[c].contacts_count;
  }
  return count;
}

// --- colours ---------------------------------------------------------------------------------

static uint32_t choose_colour(const mo_pair_store *store, const mo_pair *pair, bool moves_a,
                              bool moves_b) {
  uint32_t used = (moves_a ? store->colour_masks[pair->slot_a] : 0) |
                  (moves_b ? store->colour_masks[pair->slot_b] : 0);
  if (moves_a && moves_b) {
    uint32_t colour = 0;
    while (colour < MO_OVERFLOW_COLOUR && used >> colour & 1u) {
      colour++;
    }
    return colour;
  }
  uint32_t colour = MO_OVERFLOW_COLOUR - 1;
  while (colour > 0 && used >> colour & 1u) {
    colour--;
  }
  return used >> colour & 1u ? MO_OVERFLOW_COLOUR : colour;
}

// Counts a contact that begins or ends in the colour at its bodies.
static void note_bodies(mo_pair_store *store, const mo_pair *pair) {
  const uint32_t slots[2] = {pair->slot_a, pair->slot_b};
  for (int i = 0; i < 2; i++) {
    MO_NOTE_ITEM(store->journal, store->colour_masks, slots[i]);
    MO_NOTE_ITEM(store->journal, store->contact_counts, slots[i]);
  }
}

static void mark(mo_pair_store *store, uint32_t colour, const mo_pair *pair, bool moves_a,
                 bool moves_b) {
  uint32_t bit = colour == MO_OVERFLOW_COLOUR ? 0 : 1u << colour;
  note_bodies(store, pair);
  store->colour_masks[pair->slot_a] |= moves_a ? bit : 0;
  store->colour_masks[pair->slot_b] |= moves_b ? bit : 0;
  store->contact_counts[pair->slot_a]++;
  store->contact_counts[pair->slot_b]++;
}

static void unmark(mo_pair_store *store, uint32_t colour, const mo_pair *pair) {
  uint32_t bit = colour == MO_OVERFLOW_COLOUR ? 0 : 1u << colour;
  note_bodies(store, pair);
  store->colour_masks[pair->slot_a] &= ~bit;
  store->colour_masks[pair->slot_b] &= ~bit;
  store->contact_counts[pair->slot_a]--;
  store->contact_counts[pair->slot_b]--;
}

bool mo_pair_store_restore_colour(mo_pair_store *store, uint32_t colour, const mo_pair *pair,
                                  bool moves_a, bool moves_b) {
  uint32_t bit = colour == MO_OVERFLOW_COLOUR ? 0 : 1u << colour;
  bool is_taken = (moves_a && store->colour_masks[pair->slot_a] & bit) ||
                  (moves_b && store->colour_masks[pair->slot_b] & bit);
  mark(store, colour, pair, moves_a, moves_b);
  return !is_taken;
}

// --- places ----------------------------------------------------------------------------------

// Bytes that the largest change of one place notes: two contacts, and masks and counts of two
// bodies.
#define CHANGE_BYTES                                                                               \
  (2 * MO_NOTE_BYTES(sizeof(mo_substep_contact)) + 4 * MO_NOTE_BYTES(sizeof(uint32_t)))

mo_pair_counts mo_pair_store_counts(const mo_pair_store *store) {
  mo_pair_counts counts = {.near = store->near_count,
                           .asleep = store->asleep_count,
                           .asleep_contacts = store->asleep_contacts_count,
                           .records = mo_contact_store_counts(&store->records)};
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    counts.colours[c] = store->colours[c].contacts_count;
  }
  return counts;
}

static void restore_counts(mo_pair_store *store, const mo_pair_counts *counts) {
  store->near_count = counts->near;
  store->asleep_count = counts->asleep;
  store->asleep_contacts_count = counts->asleep_contacts;
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    store->colours[c].contacts_count = counts->colours[c];
  }
  mo_contact_store_restore_counts(&store->records, &counts->records);
}

// Writes the place of a pair into its contact's record.
static void set_place(mo_pair_store *store, const mo_pair *pair, uint32_t place, uint32_t index) {
  mo_contact_record *record = mo_pair_record(store, pair);
  record->place = (uint8_t)place;
  record->index = index;
}

void mo_pair_store_restore_place(mo_pair_store *store, const mo_pair *pair, uint32_t place,
                                 uint32_t index) {
  mo_contact_store_restore(&store->records, pair->contact);
  set_place(store, pair, place, index);
}

void mo_pair_store_restore(mo_pair_store *store, const mo_pair_counts *counts) {
  restore_counts(store, counts);
  for (uint32_t i = 0; i < store->near_count; i++) {
    mo_pair_store_restore_place(store, &store->near[i], MO_PLACE_NEAR, i);
  }
  for (uint32_t i = 0; i < store->asleep_count; i++) {
    mo_pair_store_restore_place(store, &store->asleep[i], MO_PLACE_ASLEEP, i);
  }
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    for (uint32_t i = 0; i < store->colours[c].contacts_count; i++) {
      mo_pair_store_restore_place(store, &store->colours[c].contacts[i].pair, MO_PLACE_COLOURS + c,
                                  i);
    }
  }
  for (uint32_t i = 0; i < store->asleep_contacts_count; i++) {
    mo_pair_store_restore_place(store, &store->asleep_contacts[i].pair, MO_PLACE_ASLEEP_CONTACTS,
                                i);
  }
}

void mo_pair_store_renew_places(mo_pair_store *store, uint32_t colours) {
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    const mo_substep_colour *colour = &store->colours[c];
    for (uint32_t i = 0; colours >> c & 1u && i < colour->contacts_count; i++) {
      mo_pair_record(store, &colour->contacts[i].pair)->index = i;
    }
  }
}

// Puts a pair into an array. The contact begins or ends by that.
static void enter(mo_pair_store *store, const mo_pair *pair, uint32_t place, uint32_t index) {
  bool touched = mo_pair_record(store, pair)->flags & MO_CONTACT_TOUCHING;
  set_place(store, pair, place, index);
  if (touched != mo_pair_place_has_manifold(place)) {
    mo_contact_store_note_change(&store->records, pair->contact);
  }
}

bool mo_pair_store_reserve_notes(mo_pair_store *store, uint32_t changes) {
  return mo_journal_reserve(store->journal, changes * CHANGE_BYTES);
}

// Notes what changes when an item is removed from an array and the last one replaces it. An
// addition needs no note: its place was behind the last item, or was noted when it was emptied.
#define NOTE_REMOVAL(store, array, index)                                                          \
  do {                                                                                             \
    MO_NOTE_ITEM((store)->journal, (store)->array, (index));                                       \
    MO_NOTE_ITEM((store)->journal, (store)->array, (store)->array##_count - 1);                    \
  } while (0)

void mo_pair_store_add_near(mo_pair_store *store, const mo_pair *pair) {
  enter(store, pair, MO_PLACE_NEAR, store->near_count);
  store->near[store->near_count++] = *pair;
}

void mo_pair_store_set_near(mo_pair_store *store, uint32_t index, const mo_pair *pair) {
  MO_NOTE_ITEM(store->journal, store->near, index);
  store->near[index] = *pair;
}

mo_pair mo_pair_store_take_near(mo_pair_store *store, uint32_t index) {
  NOTE_REMOVAL(store, near, index);
  mo_pair pair = store->near[index];
  store->near[index] = store->near[--store->near_count];
  mo_pair_record(store, &store->near[index])->index = index;
  return pair;
}

void mo_pair_store_add_asleep(mo_pair_store *store, const mo_pair *pair) {
  enter(store, pair, MO_PLACE_ASLEEP, store->asleep_count);
  store->asleep[store->asleep_count++] = *pair;
}

mo_pair mo_pair_store_take_asleep(mo_pair_store *store, uint32_t index) {
  NOTE_REMOVAL(store, asleep, index);
  mo_pair pair = store->asleep[index];
  store->asleep[index] = store->asleep[--store->asleep_count];
  mo_pair_record(store, &store->asleep[index])->index = index;
  return pair;
}

void mo_pair_store_add_asleep_contact(mo_pair_store *store, const mo_substep_contact *contact) {
  enter(store, &contact->pair, MO_PLACE_ASLEEP_CONTACTS, store->asleep_contacts_count);
  mo_copy_record(&store->asleep_contacts[store->asleep_contacts_count++], contact, sizeof *contact);
}

mo_substep_contact mo_pair_store_take_asleep_contact(mo_pair_store *store, uint32_t index) {
  NOTE_REMOVAL(store, asleep_contacts, index);
  mo_substep_contact contact = store->asleep_contacts[index];
  uint32_t last = --store->asleep_contacts_count;
  mo_copy_record(&store->asleep_contacts[index], &store->asleep_contacts[last], sizeof contact);
  mo_pair_record(store, &store->asleep_contacts[index].pair)->index = index;
  return contact;
}

// --- contacts --------------------------------------------------------------------------------

bool mo_pair_store_reserve_contact(mo_pair_store *store, const mo_pair *pair, bool moves_a,
                                   bool moves_b) {
  mo_substep_colour *colour = &store->colours[choose_colour(store, pair, moves_a, moves_b)];
  return MO_RESERVE(store, near, store->near_count + 1) &&
         MO_RESERVE(colour, contacts, colour->contacts_count + 1) &&
         mo_pair_store_reserve_notes(store, 2);
}

void mo_pair_store_add_contact(mo_pair_store *store, const mo_substep_contact *contact,
                               bool moves_a, bool moves_b) {
  uint32_t c = choose_colour(store, &contact->pair, moves_a, moves_b);
  mo_substep_colour *colour = &store->colours[c];
  enter(store, &contact->pair, MO_PLACE_COLOURS + c, colour->contacts_count);
  mo_copy_record(&colour->contacts[colour->contacts_count++], contact, sizeof *contact);
  mark(store, c, &contact->pair, moves_a, moves_b);
}

mo_substep_contact *mo_pair_store_change_contact(mo_pair_store *store, uint32_t colour,
                                                 uint32_t index) {
  MO_NOTE_ITEM(store->journal, store->colours[colour].contacts, index);
  return &store->colours[colour].contacts[index];
}

void mo_pair_store_set_contact(mo_pair_store *store, uint32_t colour, uint32_t index,
                               const mo_substep_contact *contact) {
  mo_copy_record(mo_pair_store_change_contact(store, colour, index), contact, sizeof *contact);
}

mo_substep_contact mo_pair_store_take_contact(mo_pair_store *store, uint32_t c, uint32_t index) {
  mo_substep_colour *colour = &store->colours[c];
  MO_NOTE_ITEM(store->journal, colour->contacts, index);
  MO_NOTE_ITEM(store->journal, colour->contacts, colour->contacts_count - 1);
  mo_substep_contact contact;
  mo_copy_record(&contact, &colour->contacts[index], sizeof contact);
  unmark(store, c, &contact.pair);
  mo_copy_record(&colour->contacts[index], &colour->contacts[--colour->contacts_count],
                 sizeof contact);
  mo_pair_record(store, &colour->contacts[index].pair)->index = index;
  return contact;
}

mo_pair *mo_pair_store_find(mo_pair_store *store, uint32_t contact) {
  const mo_contact_record *record = &store->records.records[contact];
  if (record->place == MO_PLACE_NEAR) {
    return &store->near[record->index];
  }
  if (record->place == MO_PLACE_ASLEEP) {
    return &store->asleep[record->index];
  }
  if (record->place == MO_PLACE_ASLEEP_CONTACTS) {
    return &store->asleep_contacts[record->index].pair;
  }
  return &store->colours[record->place - MO_PLACE_COLOURS].contacts[record->index].pair;
}

void mo_pair_store_take(mo_pair_store *store, uint32_t contact) {
  const mo_contact_record *record = &store->records.records[contact];
  uint32_t place = record->place, index = record->index;
  if (place == MO_PLACE_NEAR) {
    mo_pair_store_take_near(store, index);
  } else if (place == MO_PLACE_ASLEEP) {
    mo_pair_store_take_asleep(store, index);
  } else if (place == MO_PLACE_ASLEEP_CONTACTS) {
    mo_pair_store_take_asleep_contact(store, index);
  } else {
    mo_pair_store_take_contact(store, place - MO_PLACE_COLOURS, index);
  }
}
