// A capsule is a segment on the y axis, rounded.
#include "geometry/shape.h"

static mo_bounds bounds_of(const mo_shape *capsule, const mo_transform *placement) {
  double half_height = capsule->core.half_extents.y, radius = capsule->core.radius;
  mo_vec3 half = mo_scale(half_height, mo_v3_abs(placement->rotation.cy));
  mo_vec3 reach = mo_add(half, mo_v3(radius, radius, radius));
  return (mo_bounds){mo_sub(placement->translation, reach), mo_add(placement->translation, reach)};
}

// The entry into the tube about the y axis, which is the capsule without its ends.
static mo_local_hit enter_tube(const mo_local_ray *ray, double radius, double half_height) {
  mo_vec3 across = mo_v3(ray->direction.x, 0.0, ray->direction.z);
  mo_vec3 from_axis = mo_v3(ray->origin.x, 0.0, ray->origin.z);
  double slope_squared = mo_length_squared(across);
  if (!(slope_squared > 0.0)) {
    return mo_ray_misses(); // along the axis: the ray meets an end first
  }
  double closest = -mo_dot(from_axis, across) / slope_squared;
  mo_vec3 middle = mo_add_scaled(from_axis, closest, across);
  double half_chord_squared = mo_square(radius) - mo_length_squared(middle);
  if (!(half_chord_squared >= 0.0 && closest > 0.0)) {
    return mo_ray_misses();
  }
  double half_chord = sqrt(half_chord_squared / slope_squared);
  double distance = mo_max(0.0, closest - half_chord);
  double height = ray->origin.y + distance * ray->direction.y;
  if (!(fabs(height) <= half_height)) {
    return mo_ray_misses();
  }
  mo_vec3 surface = mo_add_scaled(middle, -half_chord, across);
  return (mo_local_hit){distance, mo_add(surface, mo_v3(0.0, height, 0.0)), mo_normalize(surface)};
}

static mo_local_hit cast_ray(const mo_shape *capsule, const mo_local_ray *ray) {
  double half_height = capsule->core.half_extents.y, radius = capsule->core.radius;
  mo_vec3 on_axis = mo_v3(0.0, mo_clamp(ray->origin.y, -half_height, half_height), 0.0);
  if (mo_distance_between(ray->origin, on_axis) < radius) {
    return mo_ray_starts_inside(ray);
  }
  // The shape is the union of a tube and two balls, and the ray enters where it enters the first of
  // them.
  mo_local_hit first = enter_tube(ray, radius, half_height);
  for (int end = -1; end <= 1; end += 2) {
    mo_local_hit hit = mo_ray_enters_ball(ray, mo_v3(0.0, end * half_height, 0.0), radius);
    first = hit.distance < first.distance ? hit : first;
  }
  return first;
}

// Two quarter circles, and the tube between them.
static uint32_t profile(const mo_shape *capsule, mo_profile_piece pieces[MO_PROFILE_PIECES]) {
  double h = capsule->core.half_extents.y, r = capsule->core.radius;
  pieces[0] =
      (mo_profile_piece){.lower = -h - r, .upper = -h, .is_arc = true, .centre = -h, .radius = r};
  pieces[1] = (mo_profile_piece){.lower = -h, .upper = h, .lower_radius = r, .upper_radius = r};
  pieces[2] =
      (mo_profile_piece){.lower = h, .upper = h + r, .is_arc = true, .centre = h, .radius = r};
  return 3;
}

const mo_shape_class mo_capsule_class = {.type = MO_SHAPE_CAPSULE,
                                         .collider = MO_COLLIDER_CAPSULE,
                                         .core = MO_CORE_SEGMENT,
                                         .bounds = bounds_of,
                                         .cast_ray = cast_ray,
                                         .profile = profile};

// The mass is that of the cylinder and of the two half balls, whose centres of mass are 3/8 of the
// radius from their flat sides.
mo_shape *mo_shape_create_capsule(double radius, double half_height, mo_result *result) {
  double r = radius, h = half_height;
  if (!mo_is_positive(r) || !mo_is_positive(h)) {
    return mo_shape_fail(MO_ERROR_INVALID_ARGUMENT, result);
  }
  double cylinder = 2.0 * MO_PI * r * r * h, balls = 4.0 / 3.0 * MO_PI * r * r * r;
  double volume = cylinder + balls;
  double about_axis = (cylinder * 0.5 + balls * 0.4) * r * r / volume;
  double across =
      (cylinder * (0.25 * r * r + h * h / 3.0) + balls * (0.4 * r * r + h * h + 0.75 * h * r)) /
      volume;
  mo_shape capsule = {.class = &mo_capsule_class,
                      .core = mo_convex_segment(h, r),
                      .volume = volume,
                      .surface_area = 4.0 * MO_PI * r * (h + r),
                      .inertia_per_mass = mo_mat3_diagonal(across, about_axis, across),
                      .bounding_radius = h + r,
                      .inner_radius = r};
  return mo_shape_allocate_solid(&capsule, result);
}
