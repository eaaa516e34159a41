/// Contacts of soft-step: which of the pairs touch, and where. Private to src/world.
#pragma once

#include "world/world.h"

/// A contact that began, changed or ended in this step, so that a step that fails can take it back.
typedef struct mo_contact_change {
  enum { MO_CONTACT_BEGAN, MO_CONTACT_CHANGED, MO_CONTACT_ENDED, MO_PAIR_LEFT } kind;
  uint32_t colour, index; ///< where the contact is, or was
  uint32_t near_index;    ///< where the pair was in `near`
  mo_soft_contact old;    ///< before the change
} mo_contact_change;

typedef struct mo_contact_changes {
  mo_contact_change *items; ///< in the step's arena
  uint32_t count;
} mo_contact_changes;

/// Brings all contacts of world->pairs up to the present poses. Pairs whose bodies moved less than
/// what the last look at them allowed are passed over. Wakes what awake bodies begin to touch.
/// @param speculative m: gap from which on there is a contact
/// @return false without memory; `changes` then says what was done so far
bool mo_world_update_soft_contacts(mo_world *world, double speculative, double slop,
                                   mo_contact_changes *changes);
/// Takes all changes back.
void mo_world_undo_soft_contacts(mo_world *world, const mo_contact_changes *changes);
/// Makes the changes final: pairs that left may be found anew.
void mo_world_keep_soft_contacts(mo_world *world, const mo_contact_changes *changes);
