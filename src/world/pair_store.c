#include "world/pair_store.h"

#include "memory/allocator.h"
#include "memory/array.h"

void mo_pair_store_free(mo_pair_store *store) {
  mo_release(store->near);
  mo_release(store->asleep);
  mo_release(store->asleep_contacts);
  mo_release(store->colour_masks);
  mo_release(store->contact_counts);
  for (uint32_t c = 0; c < MO_SOFT_COLOURS; c++) {
    mo_release(store->colours[c].contacts);
  }
  *store = (mo_pair_store){0};
}

uint32_t mo_pair_store_contact_count(const mo_pair_store *store) {
  uint32_t count = 0;
  for (uint32_t c = 0; c < MO_SOFT_COLOURS; c++) {
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

static void mark(mo_pair_store *store, uint32_t colour, const mo_pair *pair, bool moves_a,
                 bool moves_b) {
  uint32_t bit = colour == MO_OVERFLOW_COLOUR ? 0 : 1u << colour;
  store->colour_masks[pair->slot_a] |= moves_a ? bit : 0;
  store->colour_masks[pair->slot_b] |= moves_b ? bit : 0;
  store->contact_counts[pair->slot_a]++;
  store->contact_counts[pair->slot_b]++;
}

static void unmark(mo_pair_store *store, uint32_t colour, const mo_pair *pair) {
  uint32_t bit = colour == MO_OVERFLOW_COLOUR ? 0 : 1u << colour;
  store->colour_masks[pair->slot_a] &= ~bit;
  store->colour_masks[pair->slot_b] &= ~bit;
  store->contact_counts[pair->slot_a]--;
  store->contact_counts[pair->slot_b]--;
}

bool mo_pair_store_reserve_contact(mo_pair_store *store, const mo_pair *pair, bool moves_a,
                                   bool moves_b) {
  mo_soft_colour *colour = &store->colours[choose_colour(store, pair, moves_a, moves_b)];
  return MO_RESERVE(store, near, store->near_count + 1) &&
         MO_RESERVE(colour, contacts, colour->contacts_count + 1);
}

uint32_t mo_pair_store_add_contact(mo_pair_store *store, const mo_soft_contact *contact,
                                   bool moves_a, bool moves_b) {
  uint32_t c = choose_colour(store, &contact->pair, moves_a, moves_b);
  mo_soft_colour *colour = &store->colours[c];
  colour->contacts[colour->contacts_count++] = *contact;
  mark(store, c, &contact->pair, moves_a, moves_b);
  return c;
}

mo_soft_contact mo_pair_store_take_contact(mo_pair_store *store, uint32_t c, uint32_t index) {
  mo_soft_colour *colour = &store->colours[c];
  mo_soft_contact contact = colour->contacts[index];
  unmark(store, c, &contact.pair);
  colour->contacts[index] = colour->contacts[--colour->contacts_count];
  return contact;
}

void mo_pair_store_return_contact(mo_pair_store *store, uint32_t c, uint32_t index,
                                  const mo_soft_contact *contact, bool moves_a, bool moves_b) {
  mo_soft_colour *colour = &store->colours[c];
  colour->contacts[colour->contacts_count++] = colour->contacts[index];
  colour->contacts[index] = *contact;
  mark(store, c, &contact->pair, moves_a, moves_b);
}

// --- near ------------------------------------------------------------------------------------

mo_pair mo_pair_store_take_near(mo_pair_store *store, uint32_t index) {
  mo_pair pair = store->near[index];
  store->near[index] = store->near[--store->near_count];
  return pair;
}

void mo_pair_store_return_near(mo_pair_store *store, uint32_t index, mo_pair pair) {
  store->near[store->near_count++] = store->near[index];
  store->near[index] = pair;
}
