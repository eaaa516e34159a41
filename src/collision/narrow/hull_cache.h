/// What a pair of hulls remembers: tried before any search is made.
#pragma once

#include "collision/narrow/hull_manifold.h"

/// Whether the axis of the last step still parts the hulls by more than `margin`; then `gap` is by
/// how much at least. Works in the world, so that a pair that is apart costs no more than this.
bool mo_is_still_apart(const mo_collision_cache *cache, const mo_hull *a,
                       const mo_transform *placement_a, const mo_hull *b,
                       const mo_transform *placement_b, double margin, double *gap);

/// The manifold from the cached feature where that is proven to be the one of least overlap, within
/// MO_FACE_TOLERANCE; false where it is not proven.
bool mo_collide_by_cache(const mo_collision_cache *cache, const mo_hull_pair *pair, double margin,
                         mo_manifold *out);

/// Remembers an axis; nothing of hulls with more features than the cache has numbers for.
void mo_cache_axis(mo_collision_cache *cache, const mo_hull_axis *axis);
