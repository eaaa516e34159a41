/// Contacts of soft-step with meshes. A pair with a mesh stays among the near ones. Each of its
/// manifolds is a part, a contact of its own in the colours, which this file begins, renews and
/// ends when the pair is due. Private to src.
#pragma once

#include "step/soft_step/soft_contacts.h"

/// Pairs with meshes that need an update, by their contacts.
typedef struct mo_surface_list {
  uint32_t *contacts;
  uint32_t count;
} mo_surface_list;

/// Updates them to the present poses. Returns false without memory.
/// @param[out] arms those that go round on their bodies are added
bool mo_surface_parts_update(mo_world *world, const mo_contact_reach *reach,
                             const mo_surface_list *list, mo_moving_arm **arms);
