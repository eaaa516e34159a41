/// Casts that follow each other in one place, as those of a character on its way or of the wheels
/// of a car: the trees are searched once for all of them.
#pragma once

#include "report/query.h"

/// The most shapes that are kept. A place with more of them has its trees searched by each cast.
#define MO_NEARBY_MOST 16

/// The shapes in a place. Begins as zeros; valid until a shape moves, comes or goes.
typedef struct mo_nearby {
  bool is_known;
  mo_aabb region; ///< casts that sweep no more meet no others
  uint32_t count; ///< above MO_NEARBY_MOST: too many to be kept
  uint32_t proxies[MO_NEARBY_MOST];
} mo_nearby;

/// Finds the shapes that what `filter` lets look can meet in a region.
void mo_nearby_find(mo_nearby *nearby, mo_world *world, const mo_query_filter *filter,
                    const mo_aabb *region);
/// Whether it holds all that a cast can meet that sweeps no more than a box.
static inline bool mo_nearby_covers(const mo_nearby *nearby, const mo_aabb *swept) {
  return nearby->is_known && nearby->count <= MO_NEARBY_MOST &&
         mo_aabb_contains(&nearby->region, swept);
}
/// Calls a function of mo_broad_phase_cast_box with the shapes that `swept` overlaps, in any order.
void mo_nearby_cast(const mo_nearby *nearby, const mo_world *world, const mo_aabb *swept,
                    double max_distance, mo_ray_query_function *function, void *user);

/// What mo_world_cast_shape does with a cast that needs no check: its numbers are finite, its
/// direction and orientation of unit length, its shape has an inside.
/// @param margin m: how far around what this cast sweeps the next ones may be expected
/// @return whether something was met
bool mo_nearby_cast_shape(mo_nearby *nearby, double margin, mo_world *world,
                          const mo_shape_cast *cast, mo_query_hit *hit);
/// What mo_world_cast_ray does with a ray of finite length that needs no check: its numbers are
/// finite, its direction of unit length. Where `nearby` does not cover it the trees are searched.
/// @param radius m: of a wheel that looks for the ground along it, which does not fall into cracks;
/// 0: nothing does
/// @return whether something was met
bool mo_nearby_cast_ray(const mo_nearby *nearby, mo_world *world, const mo_ray *ray, double radius,
                        mo_query_hit *hit);
