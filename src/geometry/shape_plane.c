// A half-space. It has no convex core, because it is unbounded in most directions.
#include "geometry/ray_clip.h"
#include "geometry/shape.h"

// The solid side of a plane ends at the offset along +normal. Only for an axis-aligned plane does
// that give a bound.
static mo_bounds bounds_of(const mo_shape *plane, const mo_transform *placement) {
  mo_vec3 n = mo_mat3_mul(placement->rotation, plane->normal);
  double offset = plane->offset + mo_dot(n, placement->translation);
  mo_bounds bounds = {mo_v3(-INFINITY, -INFINITY, -INFINITY), mo_v3(INFINITY, INFINITY, INFINITY)};
  if (n.y == 0.0 && n.z == 0.0) {
    *(n.x > 0.0 ? &bounds.upper.x : &bounds.lower.x) = n.x > 0.0 ? offset : -offset;
  } else if (n.x == 0.0 && n.z == 0.0) {
    *(n.y > 0.0 ? &bounds.upper.y : &bounds.lower.y) = n.y > 0.0 ? offset : -offset;
  } else if (n.x == 0.0 && n.y == 0.0) {
    *(n.z > 0.0 ? &bounds.upper.z : &bounds.lower.z) = n.z > 0.0 ? offset : -offset;
  }
  return bounds;
}

static mo_local_hit cast_ray(const mo_shape *plane, const mo_local_ray *ray) {
  mo_ray_clip clip = mo_ray_clip_begin();
  return mo_ray_clip_by(&clip, ray, plane->normal, plane->offset) ? mo_ray_clip_end(&clip, ray)
                                                                  : mo_ray_misses();
}

const mo_shape_class mo_plane_class = {.type = MO_SHAPE_PLANE,
                                       .collider = MO_COLLIDER_PLANE,
                                       .core = MO_CORE_NONE,
                                       .bounds = bounds_of,
                                       .cast_ray = cast_ray};

mo_shape *mo_shape_create_plane(mo_vec3 normal, double offset, mo_result *result) {
  // Divides by the largest component first, so that squares of huge or tiny normals neither
  // overflow nor vanish.
  double size = mo_v3_max_component(mo_v3_abs(normal));
  if (!mo_v3_is_finite(normal) || !mo_is_positive(size) || !mo_is_finite(offset)) {
    return mo_shape_fail(MO_ERROR_INVALID_ARGUMENT, result);
  }
  mo_vec3 direction = mo_v3(normal.x / size, normal.y / size, normal.z / size);
  mo_shape plane = {.class = &mo_plane_class,
                    .core = {.kind = MO_CORE_NONE},
                    .normal = mo_normalize(direction),
                    .offset = offset,
                    .bounding_radius = INFINITY,
                    .inner_radius = INFINITY};
  return mo_shape_allocate(&plane, result);
}
