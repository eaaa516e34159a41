/// The shapes that are in use. Equal shapes are one shape, with a reference for each of its users:
/// a thousand boxes of one size take the memory of one, and read one hull when they collide.
///
/// The pool belongs to the whole process and takes no memory of its own. A shape leaves it with its
/// last user.
#pragma once

#include "geometry/shape.h"

/// Whether a shape that a constructor made is what it would make of `wanted`.
typedef bool mo_shape_test(const mo_shape *shape, const void *wanted);

/// The hash by which the pool has a shape with a hull.
/// @param hull_key that of the hull (hull_pool.h)
uint64_t mo_shape_hull_key(const mo_shape_class *class, uint64_t hull_key, double radius);
/// The shape that a constructor would make, found before it is built, with one more reference; or
/// null.
/// @param key mo_shape_hull_key, or mo_shape_content_hash
mo_shape *mo_shape_pool_find(uint64_t key, mo_shape_test *test, const void *wanted);
/// The shape that is equal to a complete one in all that it consists of, with one more reference;
/// or null.
mo_shape *mo_shape_pool_find_equal(const mo_shape *shape);
void mo_shape_pool_add(mo_shape *shape);
void mo_shape_pool_remove(mo_shape *shape);
