/// What the collision tests compare with: slow, obvious answers, and random shapes and poses that
/// are the same in every run.
#pragma once

#include "geometry/shape.h"
#include "math/quat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

// --- random numbers (xorshift64*, Vigna 2016) ------------------------------------------------

static uint64_t random_state = 88172645463325252u;

static inline void random_seed(uint64_t seed) { random_state = seed * 0x9E3779B97F4A7C15u + 1u; }
static inline double random_unit(void) {
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return (double)((random_state * 0x2545F4914F6CDD1Du) >> 11) * 0x1p-53;
}
static inline double random_between(double lower, double upper) {
  return lower + (upper - lower) * random_unit();
}
// One call per statement: C leaves the order of calls within one open, and every compiler shall see
// the same shapes.
static inline mo_vec3 random_vector(double lower, double upper) {
  double x = random_between(lower, upper);
  double y = random_between(lower, upper);
  double z = random_between(lower, upper);
  return mo_v3(x, y, z);
}
static inline mo_vec3 random_in_cube(double half) { return random_vector(-half, half); }
static inline mo_vec3 random_direction(void) {
  mo_vec3 v = random_in_cube(1.0);
  while (mo_length(v) > 1.0 || mo_length(v) < 0.1) {
    v = random_in_cube(1.0);
  }
  return mo_normalize(v);
}
static inline mo_quat random_rotation(void) {
  double angle = random_between(0.0, MO_PI);
  return mo_quat_exp(mo_scale(angle, random_direction()));
}
static inline mo_pose random_pose(double half) {
  mo_vec3 position = random_in_cube(half);
  return (mo_pose){position, random_rotation()};
}

// --- shapes and poses ------------------------------------------------------------------------

static inline mo_transform at(double x, double y, double z) {
  return (mo_transform){mo_mat3_identity(), mo_v3(x, y, z)};
}
static inline mo_pose pose_at(double x, double y, double z) {
  return (mo_pose){mo_v3(x, y, z), mo_quat_identity()};
}
static inline mo_transform turned(double x, double y, double z, mo_vec3 angle) {
  return mo_transform_from_pose((mo_pose){mo_v3(x, y, z), mo_quat_exp(angle)});
}

static inline mo_transform random_placement(double half) {
  return mo_transform_from_pose(random_pose(half));
}

static inline mo_shape *make_box(double x, double y, double z) {
  mo_result result;
  mo_shape *shape = mo_shape_create_box(mo_v3(x, y, z), &result);
  assert_non_null(shape);
  return shape;
}
static inline mo_vec3 half_extents(const mo_shape *box) { return box->hull->upper; }
static inline mo_shape *make_cube(void) { return make_box(0.5, 0.5, 0.5); }
static inline mo_shape *make_sphere(double radius) {
  mo_result result;
  mo_shape *shape = mo_shape_create_sphere(radius, &result);
  assert_non_null(shape);
  return shape;
}
static inline mo_shape *make_capsule(double radius, double half_height) {
  mo_result result;
  mo_shape *shape = mo_shape_create_capsule(radius, half_height, &result);
  assert_non_null(shape);
  return shape;
}
static inline mo_shape *make_hull(const mo_vec3 *points, size_t count) {
  mo_hull *hull = NULL;
  assert_int_equal(mo_hull_create(points, count, &hull), MO_OK);
  mo_result result;
  mo_shape *shape = mo_shape_create_hull(hull, &result);
  assert_non_null(shape);
  mo_hull_release(hull);
  return shape;
}
/// Points in a ball (round = false) or on its surface, stretched differently along the axes.
static inline mo_shape *make_random_hull(int count, bool round, mo_vec3 stretch) {
  static mo_vec3 points[5000];
  for (int i = 0; i < count; i++) {
    double distance = round ? 1.0 : random_between(0.3, 1.0);
    mo_vec3 p = mo_scale(distance, random_direction());
    points[i] = mo_v3(stretch.x * p.x, stretch.y * p.y, stretch.z * p.z);
  }
  return make_hull(points, (size_t)count);
}

// --- separating axes -------------------------------------------------------------------------

static inline mo_vec3 world_vertex(const mo_hull *hull, mo_transform t, uint32_t i) {
  return mo_transform_point(t, hull->vertices[i]);
}

/// How far B is beyond A along a unit axis, from all vertices.
static inline double separation_along(const mo_hull *a, mo_transform ta, const mo_hull *b,
                                      mo_transform tb, mo_vec3 axis) {
  double reach_a = -INFINITY, reach_b = INFINITY;
  for (uint32_t i = 0; i < a->vertex_count; i++) {
    reach_a = mo_max(reach_a, mo_dot(axis, world_vertex(a, ta, i)));
  }
  for (uint32_t i = 0; i < b->vertex_count; i++) {
    reach_b = mo_min(reach_b, mo_dot(axis, world_vertex(b, tb, i)));
  }
  return reach_b - reach_a;
}

static inline mo_vec3 edge_vector(const mo_hull *hull, mo_transform t, uint32_t half_edge) {
  const mo_half_edge *e = hull->half_edges;
  return mo_mat3_mul(t.rotation, mo_sub(hull->vertices[e[e[half_edge].twin].origin],
                                        hull->vertices[e[half_edge].origin]));
}

/// The greatest separation over all face normals and all pairs of edges: minus the depth where the
/// hulls overlap.
static inline double sat_separation(const mo_hull *a, mo_transform ta, const mo_hull *b,
                                    mo_transform tb) {
  double best = -INFINITY;
  for (uint32_t i = 0; i < a->face_count; i++) {
    best =
        mo_max(best, separation_along(a, ta, b, tb, mo_mat3_mul(ta.rotation, a->faces[i].normal)));
  }
  for (uint32_t i = 0; i < b->face_count; i++) {
    best = mo_max(
        best, separation_along(a, ta, b, tb, mo_neg(mo_mat3_mul(tb.rotation, b->faces[i].normal))));
  }
  for (uint32_t i = 0; i < a->half_edge_count; i++) {
    for (uint32_t j = 0; j < b->half_edge_count; j++) {
      if (a->half_edges[i].twin < i) {
        continue; // both directions of an edge of B give both signs of the axis
      }
      mo_vec3 p = mo_normalize(edge_vector(a, ta, i)), q = mo_normalize(edge_vector(b, tb, j));
      mo_vec3 axis = mo_cross(p, q);
      if (mo_length(axis) > 1e-8) {
        best = mo_max(best, separation_along(a, ta, b, tb, mo_normalize(axis)));
      }
    }
  }
  return best;
}

/// The 15 axes of two boxes (Gottschalk 1996), from half extents alone.
static inline double box_sat_separation(mo_vec3 ha, mo_transform ta, mo_vec3 hb, mo_transform tb) {
  mo_vec3 a[3] = {ta.rotation.cx, ta.rotation.cy, ta.rotation.cz},
          b[3] = {tb.rotation.cx, tb.rotation.cy, tb.rotation.cz};
  double ea[3] = {ha.x, ha.y, ha.z}, eb[3] = {hb.x, hb.y, hb.z};
  mo_vec3 axes[15], d = mo_sub(tb.translation, ta.translation);
  int count = 0;
  for (int i = 0; i < 3; i++) {
    axes[count++] = a[i];
    axes[count++] = b[i];
    for (int j = 0; j < 3; j++) {
      axes[count++] = mo_cross(a[i], b[j]);
    }
  }
  double best = -INFINITY;
  for (int k = 0; k < 15; k++) {
    if (mo_length(axes[k]) < 1e-8) {
      continue;
    }
    mo_vec3 n = mo_normalize(axes[k]);
    double reach = 0.0;
    for (int i = 0; i < 3; i++) {
      reach += ea[i] * fabs(mo_dot(n, a[i])) + eb[i] * fabs(mo_dot(n, b[i]));
    }
    best = mo_max(best, fabs(mo_dot(n, d)) - reach);
  }
  return best;
}

// --- distance --------------------------------------------------------------------------------

static inline double segment_distance(mo_vec3 p, mo_vec3 p_end, mo_vec3 q, mo_vec3 q_end) {
  mo_vec3 u = mo_sub(p_end, p), v = mo_sub(q_end, q), w = mo_sub(p, q);
  double a = mo_dot(u, u), b = mo_dot(u, v), c = mo_dot(v, v), d = mo_dot(u, w), e = mo_dot(v, w);
  double best = INFINITY, determinant = a * c - b * b;
  double s = determinant > 1e-14 * a * c ? mo_clamp((b * e - c * d) / determinant, 0.0, 1.0) : 0.0;
  // Alternate projections from the interior guess and from both ends.
  double starts[3] = {s, 0.0, 1.0};
  for (int k = 0; k < 3; k++) {
    double x = starts[k], y = 0.0;
    for (int i = 0; i < 4; i++) {
      y = mo_clamp((b * x + e) / c, 0.0, 1.0);
      x = mo_clamp((b * y - d) / a, 0.0, 1.0);
    }
    best = mo_min(best, mo_length(mo_add_scaled(mo_add_scaled(w, x, u), -y, v)));
  }
  return best;
}

/// Height of a point over a face whose prism it lies in; infinite elsewhere.
static inline double height_over_face(const mo_hull *hull, mo_transform t, uint32_t index,
                                      mo_vec3 x) {
  mo_face face = hull->faces[index];
  mo_vec3 normal = mo_mat3_mul(t.rotation, face.normal);
  for (uint32_t i = 0; i < face.vertex_count; i++) {
    mo_vec3 p = world_vertex(hull, t, hull->face_loops[face.first_vertex + i]);
    mo_vec3 q =
        world_vertex(hull, t, hull->face_loops[face.first_vertex + (i + 1) % face.vertex_count]);
    if (mo_dot(mo_cross(normal, mo_sub(q, p)), mo_sub(x, p)) < 0.0) {
      return INFINITY;
    }
  }
  double height =
      mo_dot(normal, mo_sub(x, world_vertex(hull, t, hull->face_loops[face.first_vertex])));
  return height >= 0.0 ? height : INFINITY;
}

/// The distance of two hulls that are apart: the least over vertices and faces and over pairs of
/// edges.
static inline double feature_distance(const mo_hull *a, mo_transform ta, const mo_hull *b,
                                      mo_transform tb) {
  double best = INFINITY;
  for (uint32_t i = 0; i < a->vertex_count; i++) {
    for (uint32_t f = 0; f < b->face_count; f++) {
      best = mo_min(best, height_over_face(b, tb, f, world_vertex(a, ta, i)));
    }
  }
  for (uint32_t i = 0; i < b->vertex_count; i++) {
    for (uint32_t f = 0; f < a->face_count; f++) {
      best = mo_min(best, height_over_face(a, ta, f, world_vertex(b, tb, i)));
    }
  }
  for (uint32_t i = 0; i < a->half_edge_count; i++) {
    for (uint32_t j = 0; j < b->half_edge_count; j++) {
      if (a->half_edges[i].twin < i || b->half_edges[j].twin < j) {
        continue;
      }
      mo_vec3 p = world_vertex(a, ta, a->half_edges[i].origin),
              q = world_vertex(b, tb, b->half_edges[j].origin);
      best = mo_min(best, segment_distance(p, mo_add(p, edge_vector(a, ta, i)), q,
                                           mo_add(q, edge_vector(b, tb, j))));
    }
  }
  return best;
}

// --- assertions ------------------------------------------------------------------------------

#define assert_near(value, expected, tolerance)                                                    \
  do {                                                                                             \
    double assert_near_value = (value), assert_near_expected = (expected);                         \
    if (!(fabs(assert_near_value - assert_near_expected) <= (tolerance))) {                        \
      fail_msg("%s is %.17g, not %.17g within %g", #value, assert_near_value,                      \
               assert_near_expected, (double)(tolerance));                                         \
    }                                                                                              \
  } while (0)

#define assert_vector_near(vector, ex, ey, ez, tolerance)                                          \
  do {                                                                                             \
    mo_vec3 assert_vector = (vector);                                                              \
    assert_near(assert_vector.x, ex, tolerance);                                                   \
    assert_near(assert_vector.y, ey, tolerance);                                                   \
    assert_near(assert_vector.z, ez, tolerance);                                                   \
  } while (0)
