/// All contacts of a world in one form and order, for read-outs. Private to src/report.
#pragma once

#include "world/world.h"

typedef struct mo_contact_list {
  mo_contact *items; ///< ascending by (lower slot, higher slot, shapes)
  uint32_t count;
} mo_contact_list;

/// Lists the contacts of the row solvers as the last step found them, and those of soft-step at
/// their present separations. Contacts of sleeping bodies are included, those of destroyed bodies
/// are not. The list is in the query arena, which is reset.
/// @return false without memory
bool mo_contact_list_make(mo_world *world, mo_contact_list *out);

/// What the list adds up to. It is counted without making the list, and needs no memory.
typedef struct mo_contact_totals {
  uint32_t contacts, points;
  double deepest; ///< m, the largest overlap; 0 if there is none
} mo_contact_totals;

mo_contact_totals mo_contact_list_totals(const mo_world *world);
