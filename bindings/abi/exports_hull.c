/*
 * Exports of convex hulls.
 */
#include "../generated/abi.h"

static int last_qhull_error; // of the module

/* points: 3 doubles each, in a block of `allocate`. */
EXPORT(mo_hull *, hull_create, const mo_vec3 *points, size_t count) {
  mo_hull *hull = NULL;
  last_result = MO_ERROR_INVALID_ARGUMENT;
  if (is_memory(points, (double)sizeof(mo_vec3) * (double)count)) {
    last_result = mo_hull_create_reporting(points, count, &hull, &last_qhull_error);
  }
  return hull;
}
EXPORT(void, hull_release, mo_hull *hull) { mo_hull_release(hull); }
EXPORT(int, hull_last_qhull_error, void) { return last_qhull_error; }

EXPORT(size_t, hull_vertex_count, const mo_hull *hull) { return mo_hull_vertex_count(hull); }
EXPORT(const mo_vec3 *, hull_vertices, const mo_hull *hull) { return mo_hull_vertices(hull); }
EXPORT(size_t, hull_facet_count, const mo_hull *hull) { return mo_hull_facet_count(hull); }
EXPORT(size_t, hull_face_count, const mo_hull *hull) { return mo_hull_face_count(hull); }
EXPORT(const uint32_t *, hull_face_loops, const mo_hull *hull) { return mo_hull_face_loops(hull); }

/* Writes a facet; nothing where there is none of that index. */
EXPORT(void, hull_facet, const mo_hull *hull, size_t index) {
  if (index < mo_hull_facet_count(hull)) {
    mo_facet facet = mo_hull_facet(hull, index);
    cursor at = io;
    write_hull_facet(&at, &facet);
  }
}

/* Likewise. */
EXPORT(void, hull_face, const mo_hull *hull, size_t index) {
  if (index < mo_hull_face_count(hull)) {
    mo_face face = mo_hull_face(hull, index);
    cursor at = io;
    write_hull_face(&at, &face);
  }
}

EXPORT(void, hull_measures, const mo_hull *hull) {
  abi_hull_measures measures = {.volume = mo_hull_volume(hull),
                                .surface_area = mo_hull_surface_area(hull),
                                .centroid = mo_hull_centroid(hull)};
  mo_hull_bounds(hull, &measures.lower, &measures.upper);
  cursor at = io;
  write_hull_measures(&at, &measures);
}

EXPORT(void, hull_inertia, const mo_hull *hull, double mass) {
  cursor at = io;
  write_mat3(&at, mo_hull_inertia(hull, mass));
}

EXPORT(double, hull_signed_distance, const mo_hull *hull, double x, double y, double z) {
  return mo_hull_signed_distance(hull, (mo_vec3){x, y, z});
}
EXPORT(int, hull_contains, const mo_hull *hull, double x, double y, double z, double tolerance) {
  return mo_hull_contains(hull, (mo_vec3){x, y, z}, tolerance);
}
