/// Which pairs need a look by the narrow phase. Private to src/step/soft_step.
#pragma once

#include "step/soft_step/soft_contacts.h"
#include "step/soft_step/surface_parts.h"

/// Stands for the colour of a pair that is in `near`.
#define MO_IN_NEAR MO_SUBSTEP_COLOURS

/// The position of a pair.
typedef struct mo_pair_position {
  uint32_t colour, index;
} mo_pair_position;

/// Lists the pairs that need an update, those with meshes apart from the others and in the order
/// of their pairs.
/// @param out has room for all pairs
/// @param count of the others
/// @return false without memory in the step's arena
bool mo_find_due_pairs(mo_world *world, const uint8_t *in_rows, const mo_contact_reach *reach,
                       mo_pair_position *out, uint32_t *count, mo_surface_list *surfaces);
