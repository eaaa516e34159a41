/// Pairs of shapes that are near each other, and where they are kept. Private to src/world.
///
/// A pair is in one of four places. Of pairs with an awake body: those of which soft-step knows
/// contact points are in the array of their colour, the others in `near`. Of pairs that sleep:
/// likewise in `asleep_contacts` and `asleep`. Arrays are walked from end to end in every step, so
/// a pair lies in the array itself and moves from one to the other; what leaves is replaced by the
/// last.
#pragma once

#include "solvers/soft_step/soft_step.h"

/// Takes what finds no colour.
#define MO_OVERFLOW_COLOUR (MO_SOFT_COLOURS - 1)

/// Begins as zeros.
typedef struct mo_pair_store {
  mo_pair *near;
  uint32_t near_count, near_capacity;
  mo_soft_colour colours[MO_SOFT_COLOURS];
  mo_pair *asleep;
  uint32_t asleep_count, asleep_capacity;
  mo_soft_contact *asleep_contacts;
  uint32_t asleep_contacts_count, asleep_contacts_capacity;
  uint32_t *colour_masks; ///< per slot: bits of the colours whose contacts move the body
  uint32_t colour_masks_capacity;
  uint32_t *contact_counts; ///< per slot: contacts in colours that move the body
  uint32_t contact_counts_capacity;
} mo_pair_store;

void mo_pair_store_free(mo_pair_store *store);

/// Contacts in all colours.
uint32_t mo_pair_store_contact_count(const mo_pair_store *store);

/// Room for one more pair in `near` and one more contact in every colour that a contact of these
/// bodies may take. False without memory.
bool mo_pair_store_reserve_contact(mo_pair_store *store, const mo_pair *pair, bool moves_a,
                                   bool moves_b);
/// Puts a contact into the lowest colour that neither of its moving bodies has, or the highest if
/// one of them does not move; there must be room. Its colour.
uint32_t mo_pair_store_add_contact(mo_pair_store *store, const mo_soft_contact *contact,
                                   bool moves_a, bool moves_b);
/// Takes a contact out of its colour.
mo_soft_contact mo_pair_store_take_contact(mo_pair_store *store, uint32_t colour, uint32_t index);
/// Takes a pair out of `near`.
mo_pair mo_pair_store_take_near(mo_pair_store *store, uint32_t index);

/// Undo the last two: put something back to where it was.
void mo_pair_store_return_contact(mo_pair_store *store, uint32_t colour, uint32_t index,
                                  const mo_soft_contact *contact, bool moves_a, bool moves_b);
void mo_pair_store_return_near(mo_pair_store *store, uint32_t index, mo_pair pair);
