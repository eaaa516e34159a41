/// Contacts of soft-step: which of the pairs touch, and where. Private to src/world.
#pragma once

#include "world/world.h"

/// Brings all contacts of world->pairs up to the present poses. Pairs whose bodies moved less than
/// what the last look at them allowed are passed over. Wakes what awake bodies begin to touch.
/// @param in_rows per slot: the row solvers have the body, and its contacts; null: they have none
/// @param speculative m: gap from which on there is a contact
/// @return false without memory
bool mo_fast_contacts_update(mo_world *world, const uint8_t *in_rows, double speculative,
                             double slop);
