/// A ray in the frame of a shape, and its entry into the shape. The classes of shapes share this.
#pragma once

#include "math/vec3.h"

typedef struct mo_local_ray {
  mo_vec3 origin, direction; ///< the direction of unit length
  double slack; ///< m: faces that it passes by no more it meets. Curved shapes know of none
} mo_local_ray;

typedef struct mo_local_hit {
  double distance; ///< m along the ray; infinite for no entry
  mo_vec3 position, normal;
} mo_local_hit;

static inline mo_local_hit mo_ray_misses(void) { return (mo_local_hit){.distance = INFINITY}; }

/// Shapes are solid: a ray that starts inside hits at its origin.
static inline mo_local_hit mo_ray_starts_inside(const mo_local_ray *ray) {
  return (mo_local_hit){0.0, ray->origin, mo_neg(ray->direction)};
}

static inline mo_vec3 mo_ray_point(const mo_local_ray *ray, double distance) {
  return mo_add_scaled(ray->origin, distance, ray->direction);
}

/// The entry into a ball of a ray that starts outside, computed from the ray's point closest to the
/// centre (Haines et al., Precision Improvements for Ray/Sphere Intersection, 2019).
mo_local_hit mo_ray_enters_ball(const mo_local_ray *ray, mo_vec3 center, double radius);
