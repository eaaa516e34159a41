/// Lists of shapes by the hashes of their contents.
#pragma once

#include "world/world.h"

/// The shapes of all bodies, each content once, ascending by content. Without references, in an
/// arena. Null without memory.
mo_known_shape *mo_world_list_shapes(const mo_world *world, mo_arena *arena, uint32_t *count);
/// The shape with a content in an ascending list, or null.
mo_shape *mo_find_shape(const mo_known_shape *shapes, uint32_t count, uint64_t content);
/// Makes the world keep a shape until it is destroyed. Returns false without memory.
bool mo_world_keep_asset(mo_world *world, mo_shape *shape);
