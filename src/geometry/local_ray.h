/// A ray in the frame of a shape, and where it enters the shape: what the classes of shapes share.
#pragma once

#include "math/vec3.h"

typedef struct mo_local_ray {
  mo_vec3 origin, direction; ///< the direction of unit length
} mo_local_ray;

typedef struct mo_local_hit {
  double distance; ///< m along the ray; infinite: it enters nowhere
  mo_vec3 position, normal;
} mo_local_hit;

static inline mo_local_hit mo_ray_misses(void) { return (mo_local_hit){.distance = INFINITY}; }

/// Shapes are solid: a ray that starts inside meets the shape at its origin.
static inline mo_local_hit mo_ray_starts_inside(const mo_local_ray *ray) {
  return (mo_local_hit){0.0, ray->origin, mo_neg(ray->direction)};
}

static inline mo_vec3 mo_ray_point(const mo_local_ray *ray, double distance) {
  return mo_add_scaled(ray->origin, distance, ray->direction);
}

/// Where a ray that does not start in a ball enters it: by the point of the ray that is closest to
/// the centre (Haines et al., Precision Improvements for Ray/Sphere Intersection, 2019).
mo_local_hit mo_ray_enters_ball(const mo_local_ray *ray, mo_vec3 center, double radius);
