/// The contacts of soft-step: which pairs touch, and where. Private to src.
#pragma once

#include "world/world.h"

/// How far contacts are looked for.
typedef struct mo_contact_reach {
  double dt;     ///< s, of the step
  double slop;   ///< m
  double near;   ///< m: a gap of twice that is a contact whatever the velocities
  double *moved; ///< per slot, m: its displacement, and how far it moves in this step if it is fast
} mo_contact_reach;

/// Whether a path of this squared length, m^2, is one along which contacts are looked for.
bool mo_contact_path_is_long(double square, double near);

/// Lists how far fast bodies move in the step, and adds the pairs that they come near to: a contact
/// stops bodies where they meet only if it is there before they meet.
/// @return false without memory
bool mo_fast_contacts_reach_ahead(mo_world *world, const uint8_t *in_rows, mo_contact_reach *reach);

/// Updates the contacts of world->pairs to the present poses. Pairs whose bodies moved by less than
/// their allowance are passed over. Wakes bodies that awake ones begin to touch.
/// @param in_rows per slot: the body and its contacts belong to the row solvers; null: no body does
/// @return false without memory
bool mo_fast_contacts_update(mo_world *world, const uint8_t *in_rows,
                             const mo_contact_reach *reach);
