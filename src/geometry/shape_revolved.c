// Cylinders, cones and their tapered and rounded relatives: solids of revolution about the y axis.
#include "geometry/revolved.h"
#include "geometry/shape.h"

// Rounds of the search along a ray. A ray that grazes the shape halves its distance in each round;
// other rays double their digits.
#define MAX_ROUNDS 64
// Relative to the size: a smaller gap counts as touching. It is some times the round-off of gaps.
#define TOUCHING 1e-14

// Newton's method for the gap as a function of the distance along the ray. The function is convex,
// so no round passes the surface. The search starts where the ray enters the ball around the shape,
// so that a distant origin costs no digits.
static mo_local_hit enter(const mo_shape *shape, const mo_local_ray *ray) {
  const mo_convex *core = &shape->core;
  double size = core->scale + core->radius;
  double start = mo_max(0.0, -mo_dot(ray->origin, ray->direction) - size), distance = 0.0;
  mo_local_ray near = {.origin = mo_ray_point(ray, start), .direction = ray->direction};
  for (int round = 0; round < MAX_ROUNDS; round++) {
    mo_vec3 point = mo_ray_point(&near, distance), normal;
    double gap = mo_revolved_distance(core, point, &normal);
    double slope = mo_dot(normal, ray->direction);
    if (!(slope < 0.0)) {
      break; // it moves away for ever
    }
    if (gap <= TOUCHING * size) {
      return (mo_local_hit){start + distance, point, normal};
    }
    distance -= gap / slope;
  }
  return mo_ray_misses();
}

static mo_local_hit cast_ray(const mo_shape *shape, const mo_local_ray *ray) {
  mo_vec3 normal;
  return mo_revolved_distance(&shape->core, ray->origin, &normal) < 0.0 ? mo_ray_starts_inside(ray)
                                                                        : enter(shape, ray);
}

// An arc about the rim of each disc, and the straight side between them.
static uint32_t profile(const mo_shape *shape, mo_profile_piece pieces[MO_PROFILE_PIECES]) {
  const mo_convex *core = &shape->core;
  double h = core->half_extents.y, across = core->side_across, up = core->side_y;
  const mo_revolved_end *bottom = &core->ends[0], *top = &core->ends[1];
  double lower = bottom->ball + core->radius, upper = top->ball + core->radius;
  pieces[0] = (mo_profile_piece){.lower = -h - lower,
                                 .upper = up * lower - h,
                                 .is_arc = true,
                                 .disc = bottom->disc,
                                 .centre = -h,
                                 .radius = lower};
  pieces[1] = (mo_profile_piece){.lower = up * lower - h,
                                 .upper = up * upper + h,
                                 .lower_radius = bottom->disc + across * lower,
                                 .upper_radius = top->disc + across * upper};
  pieces[2] = (mo_profile_piece){.lower = up * upper + h,
                                 .upper = h + upper,
                                 .is_arc = true,
                                 .disc = top->disc,
                                 .centre = h,
                                 .radius = upper};
  return 3;
}

const mo_shape_class mo_cylinder_class = {.type = MO_SHAPE_CYLINDER,
                                          .collider = MO_COLLIDER_CONVEX,
                                          .core = MO_CORE_REVOLVED,
                                          .bounds = mo_shape_support_bounds,
                                          .cast_ray = cast_ray,
                                          .profile = profile};
const mo_shape_class mo_cone_class = {.type = MO_SHAPE_CONE,
                                      .collider = MO_COLLIDER_CONVEX,
                                      .core = MO_CORE_REVOLVED,
                                      .bounds = mo_shape_support_bounds,
                                      .cast_ray = cast_ray,
                                      .profile = profile};
const mo_shape_class mo_tapered_capsule_class = {.type = MO_SHAPE_CAPSULE,
                                                 .collider = MO_COLLIDER_CONVEX,
                                                 .core = MO_CORE_REVOLVED,
                                                 .bounds = mo_shape_support_bounds,
                                                 .cast_ray = cast_ray,
                                                 .profile = profile};

static mo_shape *create(const mo_shape_class *class, mo_revolved_end bottom, mo_revolved_end top,
                        double half_height, double radius, mo_result *result) {
  mo_shape shape = {.class = class};
  if (!mo_is_positive(half_height) ||
      !mo_convex_revolved(bottom, top, half_height, radius, &shape.core)) {
    return mo_shape_fail(MO_ERROR_INVALID_ARGUMENT, result);
  }
  mo_mass_properties mass = mo_revolved_mass_properties(&shape.core, &shape.surface_area);
  shape.volume = mass.volume;
  shape.centroid = shape.core.centre = mass.centroid;
  shape.inertia_per_mass = mass.inertia_per_mass;
  shape.bounding_radius = mo_revolved_outer_radius(&shape.core, mass.centroid.y);
  shape.inner_radius = mo_revolved_inner_radius(&shape.core, mass.centroid.y);
  return mo_shape_allocate_solid(&shape, result);
}

static bool is_length(double x) { return mo_is_finite(x) && x >= 0.0; }

mo_shape *mo_shape_create_cylinder(double radius, double half_height, double rounding,
                                   mo_result *result) {
  return mo_is_positive(radius)
             ? mo_shape_create_tapered_cylinder(radius, radius, half_height, rounding, result)
             : mo_shape_fail(MO_ERROR_INVALID_ARGUMENT, result);
}

mo_shape *mo_shape_create_tapered_cylinder(double radius_top, double radius_bottom,
                                           double half_height, double rounding, mo_result *result) {
  if (!is_length(radius_top) || !is_length(radius_bottom) || !is_length(rounding) ||
      !(radius_top + radius_bottom > 0.0)) {
    return mo_shape_fail(MO_ERROR_INVALID_ARGUMENT, result);
  }
  return create(&mo_cylinder_class, (mo_revolved_end){radius_bottom, rounding},
                (mo_revolved_end){radius_top, rounding}, half_height, rounding, result);
}

mo_shape *mo_shape_create_cone(double radius, double half_height, double rounding,
                               mo_result *result) {
  if (!mo_is_positive(radius) || !is_length(rounding)) {
    return mo_shape_fail(MO_ERROR_INVALID_ARGUMENT, result);
  }
  return create(&mo_cone_class, (mo_revolved_end){radius, rounding},
                (mo_revolved_end){0.0, rounding}, half_height, rounding, result);
}

mo_shape *mo_shape_create_tapered_capsule(double radius_top, double radius_bottom,
                                          double half_height, mo_result *result) {
  if (!is_length(radius_top) || !is_length(radius_bottom)) {
    return mo_shape_fail(MO_ERROR_INVALID_ARGUMENT, result);
  }
  if (radius_top == radius_bottom) {
    return mo_shape_create_capsule(radius_top, half_height, result);
  }
  return create(&mo_tapered_capsule_class, (mo_revolved_end){0.0, radius_bottom},
                (mo_revolved_end){0.0, radius_top}, half_height, mo_min(radius_top, radius_bottom),
                result);
}
