/// Support functions: the point of a convex shape that lies furthest in a direction.
///
/// Round shapes are a core (here: the centre of a sphere) and a radius: GJK searches on the cores,
/// where it is exact, and the radius is put on afterwards.
#pragma once

#include "geometry/shape.h"

/// A point of a shape and the vertex that it is, so that witness points and features can be found
/// again.
typedef struct mo_support_point {
  mo_vec3 point; ///< shape frame
  uint32_t vertex;
} mo_support_point;

/// The vertex of the hull that is furthest in `direction` (any length); the lowest index of several
/// that are equal.
static inline uint32_t mo_hull_support_vertex(const mo_hull *hull, mo_vec3 direction) {
  uint32_t best = 0;
  double furthest = mo_dot(hull->vertices[0], direction);
  for (uint32_t i = 1; i < hull->vertex_count; i++) {
    double reach = mo_dot(hull->vertices[i], direction);
    if (reach > furthest) {
      furthest = reach;
      best = i;
    }
  }
  return best;
}

/// Support of the core of a sphere, box or hull, in the frame of the shape. A plane has none.
static inline mo_support_point mo_shape_support_core(const mo_shape *shape, mo_vec3 direction) {
  if (shape->type == MO_SHAPE_SPHERE) {
    return (mo_support_point){mo_v3_zero(), 0};
  }
  uint32_t vertex = mo_hull_support_vertex(shape->hull, direction);
  return (mo_support_point){shape->hull->vertices[vertex], vertex};
}

/// What the surface stands off its core: the radius of a sphere, else 0.
static inline double mo_shape_core_radius(const mo_shape *shape) {
  return shape->type == MO_SHAPE_SPHERE ? shape->radius : 0.0;
}
