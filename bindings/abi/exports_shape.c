/*
 * Exports of shapes.
 */
#include "block.h"

EXPORT(mo_shape *, shape_create_sphere, double radius) {
  return mo_shape_create_sphere(radius, &last_result);
}
EXPORT(mo_shape *, shape_create_capsule, double radius, double half_height) {
  return mo_shape_create_capsule(radius, half_height, &last_result);
}
EXPORT(mo_shape *, shape_create_box, double x, double y, double z) {
  return mo_shape_create_box((mo_vec3){x, y, z}, &last_result);
}
EXPORT(mo_shape *, shape_create_hull, mo_hull *hull) {
  if (!hull) {
    last_result = MO_ERROR_INVALID_ARGUMENT;
    return NULL;
  }
  return mo_shape_create_hull(hull, &last_result);
}
EXPORT(mo_shape *, shape_create_plane, double x, double y, double z, double offset) {
  return mo_shape_create_plane((mo_vec3){x, y, z}, offset, &last_result);
}
EXPORT(void, shape_release, mo_shape *shape) { mo_shape_release(shape); }
