/// The contacts of soft-step: which pairs touch, and where. Private to src.
#pragma once

#include "world/world.h"

/// Updates the contacts of world->pairs to the present poses. Pairs whose bodies moved by less than
/// their allowance are passed over. Wakes bodies that awake ones begin to touch.
/// @param in_rows per slot: the body and its contacts belong to the row solvers; null: no body does
/// @param speculative m: the largest gap that is a contact
/// @return false without memory
bool mo_fast_contacts_update(mo_world *world, const uint8_t *in_rows, double speculative,
                             double slop);
