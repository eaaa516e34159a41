#include "collision/convex/ray_cast.h"

#include "collision/convex/core_cast.h"

// Casts the ray as a core of one point.
static mo_local_hit cast_at_core(const mo_convex *core, const mo_local_ray *ray,
                                 double max_distance) {
  mo_convex point = mo_convex_point(0.0);
  mo_transform start = {mo_mat3_identity(), ray->origin};
  double touching = mo_cast_touching(core, &point, mo_length(ray->origin));
  mo_local_hit hit;
  switch (mo_cast_core(core, &point, start, ray->direction, max_distance, touching, &hit)) {
  case MO_CAST_STARTS_TOUCHING:
    return mo_ray_starts_inside(ray);
  case MO_CAST_HITS:
    return hit;
  default:
    return mo_ray_misses();
  }
}

static mo_local_hit cast_at_mesh(const mo_mesh *mesh, const mo_local_ray *ray, double max_distance,
                                 uint32_t *triangle) {
  mo_mesh_hit hit = mo_mesh_cast_ray(mesh, ray, max_distance);
  *triangle = hit.triangle;
  return hit.triangle == MO_NO_TRIANGLE
             ? mo_ray_misses()
             : (mo_local_hit){hit.distance, mo_ray_point(ray, hit.distance), hit.normal};
}

// --- any shape -------------------------------------------------------------------------------

bool mo_shape_cast_ray(const mo_shape *shape, mo_transform placement, mo_vec3 origin,
                       mo_vec3 unit_direction, double max_distance, mo_surface_hit *out) {
  return mo_shape_cast_ray_near(shape, placement, origin, unit_direction, max_distance, 0.0, out);
}

bool mo_shape_cast_ray_near(const mo_shape *shape, mo_transform placement, mo_vec3 origin,
                            mo_vec3 unit_direction, double max_distance, double slack,
                            mo_surface_hit *out) {
  mo_local_ray ray = {mo_transform_point_inverse(placement, origin),
                      mo_mat3_mul_transposed(placement.rotation, unit_direction), slack};
  uint32_t triangle = MO_NO_TRIANGLE;
  mo_local_hit hit = shape->mesh ? cast_at_mesh(shape->mesh, &ray, max_distance, &triangle)
                     : shape->class->cast_ray ? shape->class->cast_ray(shape, &ray)
                                              : cast_at_core(&shape->core, &ray, max_distance);
  // Numbers that overflowed are no hit.
  if (!(hit.distance <= max_distance && mo_is_finite(hit.distance))) {
    return false;
  }
  mo_vec3 position = hit.distance > 0.0 ? mo_transform_point(placement, hit.position) : origin;
  *out = (mo_surface_hit){hit.distance, position, mo_mat3_mul(placement.rotation, hit.normal),
                          triangle};
  return true;
}
