/// The cache of a pair of hulls, which is tried before any search.
#pragma once

#include "collision/narrow/hull_manifold.h"

/// Whether the axis of the last step still separates the hulls by more than `margin`; `gap` is then
/// a lower bound of their distance. It works in world coordinates, so this is the whole cost of a
/// pair that is apart.
bool mo_is_still_apart(const mo_collision_cache *cache, const mo_hull *a,
                       const mo_transform *placement_a, const mo_hull *b,
                       const mo_transform *placement_b, double margin, double *gap);

/// The manifold from the cached feature, if that is proven to have the least overlap within
/// MO_FACE_TOLERANCE; otherwise returns false.
bool mo_collide_by_cache(const mo_collision_cache *cache, const mo_hull_pair *pair, double margin,
                         mo_manifold *out);

/// Caches an axis; does nothing for hulls with more features than the cache can number.
void mo_cache_axis(mo_collision_cache *cache, const mo_hull_axis *axis);
