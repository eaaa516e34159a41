// A sphere is a point, rounded.
#include "geometry/shape.h"

static mo_bounds bounds_of(const mo_shape *sphere, const mo_transform *placement) {
  return mo_bounds_expand((mo_bounds){placement->translation, placement->translation},
                          sphere->core.radius);
}

mo_local_hit mo_ray_enters_ball(const mo_local_ray *ray, mo_vec3 center, double radius) {
  // The usual discriminant would lose the digits of the radius where the ray starts far away.
  mo_vec3 from_center = mo_sub(ray->origin, center);
  double closest = -mo_dot(from_center, ray->direction);
  mo_vec3 middle = mo_add_scaled(from_center, closest, ray->direction);
  double half_chord_squared = mo_square(radius) - mo_length_squared(middle);
  if (!(half_chord_squared >= 0.0 && closest > 0.0)) {
    return mo_ray_misses();
  }
  double half_chord = sqrt(half_chord_squared);
  mo_vec3 from_middle = mo_add_scaled(middle, -half_chord, ray->direction);
  return (mo_local_hit){mo_max(0.0, closest - half_chord), mo_add(center, from_middle),
                        mo_normalize(from_middle)};
}

static mo_local_hit cast_ray(const mo_shape *sphere, const mo_local_ray *ray) {
  return mo_length(ray->origin) < sphere->core.radius
             ? mo_ray_starts_inside(ray)
             : mo_ray_enters_ball(ray, mo_v3_zero(), sphere->core.radius);
}

const mo_shape_class mo_sphere_class = {.type = MO_SHAPE_SPHERE,
                                        .collider = MO_COLLIDER_SPHERE,
                                        .core = MO_CORE_POINT,
                                        .ignores_orientation = true,
                                        .bounds = bounds_of,
                                        .cast_ray = cast_ray};

mo_shape *mo_shape_create_sphere(double radius, mo_result *result) {
  double inertia = 0.4 * radius * radius;
  mo_shape sphere = {.class = &mo_sphere_class,
                     .core = mo_convex_point(radius),
                     .volume = 4.0 / 3.0 * MO_PI * radius * radius * radius,
                     .surface_area = 4.0 * MO_PI * radius * radius,
                     .inertia_per_mass = mo_mat3_diagonal(inertia, inertia, inertia),
                     .bounding_radius = radius,
                     .inner_radius = radius};
  return mo_shape_allocate_solid(&sphere, result);
}
