/// The hulls that are in use. Equal hulls are one hull, with a reference for each of its users, so
/// pointers of complete hulls are equal where the hulls are.
///
/// The pool belongs to the whole process and takes no memory of its own. A hull leaves it with its
/// last user.
#pragma once

#include "geometry/hull.h"

/// The hash by which the pool has a box.
uint64_t mo_hull_box_key(mo_vec3 half_extents);
/// The box with these half extents, with one more reference; or null.
mo_hull *mo_hull_pool_find_box(mo_vec3 half_extents);
/// The hull that the builder makes of these points, if it is known without building it: all of them
/// were its vertices. With one more reference; or null.
mo_hull *mo_hull_pool_find_built(const mo_vec3 *points, size_t count);
/// Gives a complete hull and its reference to the pool: returns it, or the equal one that the pool
/// has, with one more reference.
mo_hull *mo_hull_pool_share(mo_hull *hull);
/// Takes out a hull that nobody uses. One that is not in the pool stays so.
void mo_hull_pool_remove(mo_hull *hull);
