// Hulls and boxes with rounded edges.
#include "geometry/rounded_mass.h"
#include "geometry/shape_hull.h"

static mo_shape *create(const mo_shape_class *class, mo_hull *hull, double radius,
                        mo_result *result) {
  mo_shape shape = mo_shape_of_hull(class, hull);
  mo_mass_properties mass = mo_rounded_mass_properties(hull, radius, &shape.surface_area);
  shape.core.radius = radius;
  shape.volume = mass.volume;
  shape.inertia_per_mass = mass.inertia_per_mass;
  // The centroid of a rounded hull differs a little: the balls about it move with it.
  double moved = mo_distance_between(mass.centroid, shape.centroid);
  shape.centroid = mass.centroid;
  shape.bounding_radius += moved + radius;
  shape.inner_radius += radius - moved;
  mo_hull_retain(hull);
  return mo_shape_allocate_solid(&shape, result);
}

mo_shape *mo_shape_create_rounded_hull(mo_hull *hull, double radius, mo_result *result) {
  if (radius == 0.0 || !hull) {
    return mo_shape_create_hull(hull, result);
  }
  if (!mo_is_positive(radius)) {
    return mo_shape_fail(MO_ERROR_INVALID_ARGUMENT, result);
  }
  mo_shape *known = mo_shape_find_hull(hull, radius, result);
  return known ? known : create(&mo_rounded_hull_class, hull, radius, result);
}

mo_shape *mo_shape_create_rounded_box(mo_vec3 half_extents, double radius, mo_result *result) {
  if (radius == 0.0) {
    return mo_shape_create_box(half_extents, result);
  }
  if (!mo_is_positive(radius)) {
    return mo_shape_fail(MO_ERROR_INVALID_ARGUMENT, result);
  }
  mo_shape *known = mo_shape_find_box(half_extents, radius, result);
  mo_shape *box = known ? NULL : mo_shape_create_box(half_extents, result);
  if (!box) {
    return known;
  }
  mo_shape *rounded = create(&mo_rounded_box_class, box->hull, radius, result);
  mo_shape_release(box);
  return rounded;
}
