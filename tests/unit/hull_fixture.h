/// Clouds of points and what must hold for every hull, for the tests of geometry.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "geometry/hull.h"
#include "math/quat.h"

// --- random numbers and clouds ---------------------------------------------------------------

/// xorshift64* (Vigna 2016): the same numbers everywhere.
static inline double random_in(uint64_t *state, double lower, double upper) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return lower + (upper - lower) * ((double)((*state * 0x2545F4914F6CDD1Du) >> 11) * 0x1p-53);
}

static inline mo_vec3 random_in_cube(uint64_t *state) {
  double x = random_in(state, -1.0, 1.0), y = random_in(state, -1.0, 1.0);
  return mo_v3(x, y, random_in(state, -1.0, 1.0));
}

static inline mo_vec3 random_on_sphere(uint64_t *state) {
  for (;;) {
    mo_vec3 p = random_in_cube(state);
    double length = mo_length(p);
    if (length > 0.1 && length <= 1.0) {
      return mo_v3(p.x / length, p.y / length, p.z / length);
    }
  }
}

static inline mo_vec3 cube_corner(int i) {
  return mo_v3(i & 1 ? 1.0 : 0.0, i & 2 ? 1.0 : 0.0, i & 4 ? 1.0 : 0.0);
}

static inline mo_hull *hull_of(const mo_vec3 *points, size_t count) {
  mo_hull *hull = NULL;
  assert_int_equal(mo_hull_create(points, count, &hull), MO_OK);
  assert_non_null(hull);
  return hull;
}

// --- comparisons -----------------------------------------------------------------------------

static inline void assert_near(double actual, double expected, double tolerance) {
  if (!(fabs(actual - expected) <= tolerance)) {
    fail_msg("%.17g is not %.17g within %g", actual, expected, tolerance);
  }
}

static inline void assert_near_v3(mo_vec3 actual, mo_vec3 expected, double tolerance) {
  assert_near(actual.x, expected.x, tolerance);
  assert_near(actual.y, expected.y, tolerance);
  assert_near(actual.z, expected.z, tolerance);
}

static inline void assert_near_mat3(mo_mat3 actual, mo_mat3 expected, double tolerance) {
  assert_near_v3(actual.cx, expected.cx, tolerance);
  assert_near_v3(actual.cy, expected.cy, tolerance);
  assert_near_v3(actual.cz, expected.cz, tolerance);
}

// --- what holds for every hull ---------------------------------------------------------------

static inline double hull_size(const mo_hull *hull) {
  return mo_v3_max_component(mo_sub(hull->upper, hull->lower));
}

/// Closed 2-manifold of the type of a sphere; half-edges, faces and facets tell the same story;
/// canonical order.
static inline void assert_topology(const mo_hull *hull) {
  assert_int_equal(hull->vertex_count + hull->face_count, hull->half_edge_count / 2 + 2);
  uint32_t entry = 0, facet = 0;
  uint32_t *degrees = calloc(hull->vertex_count, sizeof *degrees);
  for (uint32_t f = 0; f < hull->face_count; f++) {
    mo_face face = hull->faces[f];
    const uint32_t *loop = hull->face_loops + face.first_vertex;
    assert_int_equal(face.first_vertex, entry);
    assert_true(face.vertex_count >= 3);
    for (uint32_t i = 0; i < face.vertex_count; i++, entry++) {
      mo_half_edge edge = hull->half_edges[entry];
      assert_int_equal(edge.origin, loop[i]);
      assert_int_equal(edge.face, f);
      assert_int_equal(hull->half_edges[edge.next].origin, loop[(i + 1) % face.vertex_count]);
      assert_int_equal(hull->half_edges[edge.next].face, f);
      mo_half_edge twin = hull->half_edges[edge.twin];
      assert_int_equal(twin.twin, entry);
      assert_int_not_equal(twin.face, f);
      assert_int_equal(twin.origin, hull->half_edges[edge.next].origin);
      assert_true(i == 0 || loop[0] < loop[i]);
      degrees[edge.origin]++;
    }
    for (uint32_t i = 2; i < face.vertex_count; i++, facet++) {
      mo_facet triangle = mo_hull_facet(hull, facet);
      assert_int_equal(triangle.vertices[0], loop[0]);
      assert_int_equal(triangle.vertices[1], loop[i - 1]);
      assert_int_equal(triangle.vertices[2], loop[i]);
      assert_true(mo_v3_equal(triangle.normal, face.normal) && triangle.offset == face.offset);
    }
    if (f > 0) {
      const uint32_t *before = hull->face_loops + hull->faces[f - 1].first_vertex;
      assert_true(before[0] < loop[0] || (before[0] == loop[0] && before[1] < loop[1]));
    }
  }
  for (uint32_t v = 0; v < hull->vertex_count; v++) {
    assert_true(degrees[v] >= 3);
  }
  free(degrees);
  assert_int_equal(entry, hull->half_edge_count);
  assert_int_equal(facet, mo_hull_facet_count(hull));
}

/// A point may be outside of a plane by this: the rounding of the distance itself, relative to the
/// size of the hull, and that of the plane's offset, relative to the distance from the origin.
#define CONTAINMENT 1e-14
#define OFFSET_ROUNDING 0x1p-50

/// The hull holds all points and its vertices are points, in the order of the input; outward unit
/// normals. `flatness`, relative to the size of the hull, is how far from the plane of a face its
/// corners may be.
static inline void assert_hull_of(const mo_hull *hull, const mo_vec3 *points, size_t count,
                                  double flatness) {
  assert_topology(hull);
  double metres = CONTAINMENT * hull_size(hull) + OFFSET_ROUNDING * hull->radius;
  for (size_t i = 0; i < count; i++) {
    if (!mo_hull_contains(hull, points[i], metres)) {
      fail_msg("point %zu is %g m outside of a hull of size %g", i,
               mo_hull_signed_distance(hull, points[i]), hull_size(hull));
    }
  }
  size_t at = 0;
  for (uint32_t v = 0; v < hull->vertex_count; v++) {
    while (at < count && !mo_v3_equal(points[at], hull->vertices[v])) {
      at++;
    }
    assert_true(at < count);
  }
  for (uint32_t f = 0; f < hull->face_count; f++) {
    mo_face face = hull->faces[f];
    assert_near(mo_length(face.normal), 1.0, 1e-14);
    assert_true(mo_hull_signed_distance(hull, hull->centroid) < flatness * hull_size(hull));
    // the corners lie on the plane, as well as its offset can say
    for (uint32_t i = 0; i < face.vertex_count; i++) {
      mo_vec3 corner = hull->vertices[hull->face_loops[face.first_vertex + i]];
      double tolerance = flatness * hull_size(hull) + OFFSET_ROUNDING * hull->radius;
      assert_near(mo_dot(face.normal, corner), face.offset, tolerance);
    }
  }
  assert_true(hull->volume > 0.0);
}

static inline void assert_same_hull(const mo_hull *a, const mo_hull *b) {
  assert_int_equal(a->vertex_count, b->vertex_count);
  assert_int_equal(a->face_count, b->face_count);
  assert_int_equal(a->half_edge_count, b->half_edge_count);
  assert_memory_equal(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices);
  assert_memory_equal(a->face_loops, b->face_loops, a->half_edge_count * sizeof *a->face_loops);
  for (uint32_t f = 0; f < a->face_count; f++) {
    assert_true(mo_v3_equal(a->faces[f].normal, b->faces[f].normal));
    assert_true(a->faces[f].offset == b->faces[f].offset);
  }
  assert_true(a->volume == b->volume && mo_v3_equal(a->centroid, b->centroid));
}
