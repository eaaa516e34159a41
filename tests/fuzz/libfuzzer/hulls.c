/* libFuzzer over point clouds: hulls, and shapes made of them that collide. */
#include "moreau.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_POINTS 200
// Of the size of a cloud: a point may be so far outside of its hull.
#define OUTSIDE 1e-6
// Of the cube of that size: a hull of less volume is a needle or a leaf, the planes of whose faces
// depend on the round-off of its vertices.
#define THIN 1e-9

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void fail(const char *what, double value) {
  fprintf(stderr, "hulls: %s (%.17g)\n", what, value);
  abort();
}

static void check(bool holds, const char *what, double value) {
  if (!holds) {
    fail(what, value);
  }
}

// --- points ----------------------------------------------------------------------------------

// Coordinates on a grid of 16 bits, so that many are equal, in a line or in a plane; or any double.
static size_t read_points(const uint8_t *bytes, size_t size, mo_vec3 *points) {
  bool is_any = size > 0 && bytes[0] % 4 == 3;
  double scale = size > 1 ? ldexp(1.0, (int)bytes[1] - 128) : 1.0;
  size_t width = is_any ? sizeof(double) : sizeof(int16_t), count = 0;
  for (size_t at = 2; at + 3 * width <= size && count < MOST_POINTS; at += 3 * width) {
    double x[3];
    for (size_t i = 0; i < 3; i++) {
      int16_t whole = 0;
      memcpy(is_any ? (void *)&x[i] : (void *)&whole, bytes + at + i * width, width);
      x[i] = is_any ? x[i] : scale * whole;
    }
    points[count++] = (mo_vec3){x[0], x[1], x[2]};
  }
  return count;
}

static double size_of(const mo_vec3 *points, size_t count) {
  double size = 0.0;
  for (size_t i = 0; i < count; i++) {
    size = fmax(size, fmax(fabs(points[i].x), fmax(fabs(points[i].y), fabs(points[i].z))));
  }
  return size;
}

// --- what must hold --------------------------------------------------------------------------

static void check_surface(const mo_hull *hull) {
  uint32_t vertices = (uint32_t)mo_hull_vertex_count(hull);
  size_t corners = 0, faces = mo_hull_face_count(hull);
  for (size_t i = 0; i < mo_hull_facet_count(hull); i++) {
    mo_facet facet = mo_hull_facet(hull, i);
    for (int k = 0; k < 3; k++) {
      check(facet.vertices[k] < vertices, "a facet's vertex", facet.vertices[k]);
    }
    check(isfinite(facet.offset) && isfinite(facet.normal.x), "a facet's plane", facet.offset);
  }
  const uint32_t *loops = mo_hull_face_loops(hull);
  for (size_t i = 0; i < faces; i++) {
    mo_face face = mo_hull_face(hull, i);
    for (uint32_t k = 0; k < face.vertex_count; k++) {
      check(loops[face.first_vertex + k] < vertices, "a face's vertex", k);
    }
    corners += face.vertex_count;
  }
  // Each edge is in two loops.
  check(vertices + faces == corners / 2 + 2, "V + F - E", (double)vertices);
}

static void check_measures(const mo_hull *hull, const mo_vec3 *points, size_t count) {
  double size = size_of(points, count);
  mo_mat3 inertia = mo_hull_inertia(hull, 1.0);
  mo_vec3 lower, upper;
  mo_hull_bounds(hull, &lower, &upper);
  check(mo_hull_volume(hull) > 0.0, "volume", mo_hull_volume(hull));
  check(mo_hull_surface_area(hull) > 0.0, "surface", mo_hull_surface_area(hull));
  check(inertia.cx.x >= 0.0 && inertia.cy.y >= 0.0 && inertia.cz.z >= 0.0, "inertia", inertia.cx.x);
  bool is_thin = mo_hull_volume(hull) / size / size / size < THIN;
  check(is_thin || mo_hull_contains(hull, mo_hull_centroid(hull), OUTSIDE * size), "centroid",
        size);
  for (size_t i = 0; i < count && !is_thin; i++) {
    double distance = mo_hull_signed_distance(hull, points[i]);
    check(distance <= OUTSIDE * size, "a point is outside", distance / size);
  }
}

static void check_collision(mo_hull *hull) {
  mo_result result;
  mo_shape *shape = mo_shape_create_hull(hull, &result);
  mo_shape *box = mo_shape_create_box((mo_vec3){1.0, 0.5, 0.25}, &result);
  mo_pose a = {.orientation = {0, 0, 0, 1}}, b = {{0.5, 0.1, 0.0}, {0.6, 0, 0, 0.8}};
  mo_collision collision;
  if (shape && mo_collide(shape, a, box, b, &collision)) {
    check(collision.penetration_depth == collision.penetration_depth, "depth", 0.0);
    check(collision.point_count >= 1 && collision.point_count <= MO_MANIFOLD_POINTS, "points",
          collision.point_count);
  }
  if (shape && mo_collide(shape, a, shape, b, &collision)) {
    check(collision.normal.x == collision.normal.x, "normal", 0.0);
  }
  mo_shape_release(box);
  mo_shape_release(shape);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  mo_vec3 points[MOST_POINTS];
  size_t count = read_points(bytes, size, points), held = mo_allocated_bytes();
  mo_hull *hull;
  if (mo_hull_create(points, count, &hull) == MO_OK) {
    check_surface(hull);
    check_measures(hull, points, count);
    check_collision(hull);
    mo_hull_release(hull);
  }
  check(mo_allocated_bytes() == held, "bytes that are not given back", (double)held);
  return 0;
}
