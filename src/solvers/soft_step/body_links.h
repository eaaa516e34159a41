/// What touches each body of a step, and which of that is due to be visited. Private to soft-step.
#pragma once

#include "memory/arena.h"

#include <stdint.h>

/// Items are lanes, and those that are solved together have numbers from a multiple of this on.
#define MO_LINKED_LANES 4u

/// A body that an item touches.
typedef struct mo_body_end {
  uint32_t item, body;
} mo_body_end;

/// Lists of items, numbered from 0 on, by the bodies that they touch.
typedef struct mo_body_links {
  uint32_t *firsts; ///< per body and one more: its first one of `items`
  uint32_t *items;
  uint64_t *due; ///< a bit per item
  uint32_t words;
} mo_body_links;

/// Makes the lists; an item may have the same body twice. Nothing is due. Returns false without
/// memory.
bool mo_body_links_make(mo_body_links *links, const mo_body_end *ends, uint32_t end_count,
                        uint32_t item_count, uint32_t body_count, mo_arena *arena);
/// Whatever touches the body is due.
void mo_body_links_stir(mo_body_links *links, uint32_t body);
/// Nothing is due.
void mo_body_links_forget(mo_body_links *links);
/// The lanes of the first group from `*group` on that has some which are due, a bit for each. Sets
/// `*group` to it; they are due no longer. 0 if nothing is due.
uint32_t mo_body_links_next(mo_body_links *links, uint32_t *group);
