/*
 * Exports of shapes.
 */
#include "../generated/abi.h"

#include <stdlib.h>

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

/* vertices: 3 doubles each, indices: 4 bytes each, in blocks of `allocate`. */
EXPORT(mo_shape *, shape_create_mesh, const mo_vec3 *vertices, size_t vertex_count,
       const uint32_t *indices, size_t index_count, int one_sided) {
  mo_mesh_def def = {vertices, vertex_count, indices, index_count, one_sided != 0};
  last_result = MO_ERROR_INVALID_ARGUMENT;
  if (!is_memory(vertices, (double)sizeof *vertices * (double)vertex_count) ||
      !is_memory(indices, (double)sizeof *indices * (double)index_count)) {
    return NULL;
  }
  return mo_shape_create_mesh(&def, &last_result);
}
/* heights: a double each. */
EXPORT(mo_shape *, shape_create_heightfield, const double *heights, uint32_t rows, uint32_t columns,
       double x, double y, double z, int one_sided) {
  mo_heightfield_def def = {heights, rows, columns, {x, y, z}, one_sided != 0};
  last_result = MO_ERROR_INVALID_ARGUMENT;
  if (!is_memory(heights, (double)sizeof *heights * (double)rows * (double)columns)) {
    return NULL;
  }
  return mo_shape_create_heightfield(&def, &last_result);
}
/* Reads the parts. */
EXPORT(mo_shape *, shape_create_compound, uint32_t count) {
  cursor at = io;
  mo_placed_shape *parts = allocate_list(at, count, PLACED_SHAPE_NUMBERS, sizeof *parts);
  if (!parts) {
    return NULL;
  }
  for (uint32_t i = 0; i < count; i++) {
    read_placed_shape(&at, &parts[i]);
  }
  mo_shape *shape = mo_shape_create_compound(parts, count, &last_result);
  free(parts);
  return shape;
}
/* Writes two vertices. */
EXPORT(int, shape_check_solid, const mo_shape *shape) {
  mo_solid_check check = mo_shape_check_solid(shape);
  cursor at = io;
  write_number(&at, check.edge[0]);
  write_number(&at, check.edge[1]);
  return (int)check.result;
}
EXPORT(uint32_t, shape_part_count, const mo_shape *shape) { return mo_shape_part_count(shape); }

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
/* Writes the point. */
EXPORT(int, shape_support, const mo_shape *shape, double x, double y, double z) {
  mo_vec3 point = {0};
  mo_result result = mo_shape_support(shape, (mo_vec3){x, y, z}, &point);
  cursor at = io;
  write_vec3(&at, point);
  return (int)result;
}
EXPORT(void, shape_release, mo_shape *shape) { mo_shape_release(shape); }
