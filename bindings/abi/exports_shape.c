/*
 * Exports of shapes.
 */
#include "../generated/abi.h"

EXPORT(mo_shape *, shape_create_sphere, double radius) {
  return mo_shape_create_sphere(radius, &last_result);
}
EXPORT(mo_shape *, shape_create_capsule, double radius, double half_height) {
  return mo_shape_create_capsule(radius, half_height, &last_result);
}
EXPORT(mo_shape *, shape_create_tapered_capsule, double radius_top, double radius_bottom,
       double half_height) {
  return mo_shape_create_tapered_capsule(radius_top, radius_bottom, half_height, &last_result);
}
EXPORT(mo_shape *, shape_create_cylinder, double radius_top, double radius_bottom,
       double half_height, double rounding) {
  return mo_shape_create_tapered_cylinder(radius_top, radius_bottom, half_height, rounding,
                                          &last_result);
}
EXPORT(mo_shape *, shape_create_cone, double radius, double half_height, double rounding) {
  return mo_shape_create_cone(radius, half_height, rounding, &last_result);
}
EXPORT(mo_shape *, shape_create_box, double x, double y, double z, double radius) {
  return mo_shape_create_rounded_box((mo_vec3){x, y, z}, radius, &last_result);
}
EXPORT(mo_shape *, shape_create_hull, mo_hull *hull, double radius) {
  return mo_shape_create_rounded_hull(hull, radius, &last_result);
}
EXPORT(mo_shape *, shape_create_plane, double x, double y, double z, double offset) {
  return mo_shape_create_plane((mo_vec3){x, y, z}, offset, &last_result);
}

EXPORT(void, shape_measures, const mo_shape *shape) {
  abi_shape_measures measures = {mo_shape_volume(shape), mo_shape_surface_area(shape),
                                 mo_shape_centroid(shape)};
  cursor at = io;
  write_shape_measures(&at, &measures);
}
EXPORT(void, shape_inertia, const mo_shape *shape, double mass) {
  cursor at = io;
  write_mat3(&at, mo_shape_inertia(shape, mass));
}
EXPORT(void, shape_release, mo_shape *shape) { mo_shape_release(shape); }
