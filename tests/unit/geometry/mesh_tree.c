// The tree of a mesh, with its boxes of whole steps, beside a look at every triangle: rays, boxes
// and points find the same, to the bit.
#include "geometry/mesh_leaves.h"
#include "geometry/shape.h"
#include "random_fixture.h"
#include "test_group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TRIANGLES 4200u

// Triangles without order, some without an area, some on one plane.
typedef struct soup {
  uint32_t count;
  mo_vec3 vertices[3 * MOST_TRIANGLES];
  uint32_t indices[3 * MOST_TRIANGLES];
  mo_shape *whole;
  mo_shape *single[MOST_TRIANGLES]; // of one triangle; null where it has no area
} soup;

typedef struct soup_kind {
  uint32_t count;
  mo_vec3 center;
  double size, triangle_size; // m
  bool are_floats;
} soup_kind;

static const soup_kind kinds[] = {
    {1, {0, 0, 0}, 1, 1, false},
    {2, {0, 0, 0}, 1, 1, true},
    {8, {1, -2, 3}, 1, 0.5, false},
    {9, {0, 0, 0}, 1, 0.5, true},
    {64, {0, 0, 0}, 10, 1, false},
    {65, {0, 0, 0}, 10, 1, true},
    {700, {5, 6, 7}, 10, 0.7, false},
    {700, {1e6, -1e6, 1e6}, 10, 0.7, false}, // a step is less than a float's last digit
    {300, {0, 0, 0}, 1e17, 1e16, false},
    {300, {0, 0, 0}, 1e-9, 1e-10, false},
    {MOST_TRIANGLES, {0, 0, 0}, 30, 0.5, true},
};
#define KINDS (sizeof kinds / sizeof *kinds)

static mo_vec3 random_vector(uint64_t *seed, double size) {
  return mo_v3(random_in(seed, -size, size), random_in(seed, -size, size),
               random_in(seed, -size, size));
}

static mo_vec3 random_corner(const soup_kind *kind, mo_vec3 middle, uint32_t i, uint64_t *seed) {
  mo_vec3 corner = mo_add(middle, random_vector(seed, kind->triangle_size));
  corner.y = i % 5 == 0 ? kind->center.y : corner.y; // a fifth lies on one plane
  if (kind->are_floats) {
    corner = mo_v3((float)corner.x, (float)corner.y, (float)corner.z);
  }
  return corner;
}

static void make_triangle(soup *s, const soup_kind *kind, uint32_t i, uint64_t *seed) {
  mo_vec3 middle = mo_add(kind->center, random_vector(seed, kind->size));
  mo_vec3 *corners = &s->vertices[3 * (size_t)i];
  for (uint32_t k = 0; k < 3; k++) {
    corners[k] = random_corner(kind, middle, i, seed);
    s->indices[3 * i + k] = 3 * i + k;
  }
  if (i % 7 == 6) {
    corners[2] = corners[0]; // without an area
  } else if (i % 11 == 10) {
    memcpy(corners, corners - 3, 3 * sizeof *corners); // a twin
  }
}

static mo_shape *shape_of(const soup *s, uint32_t first, uint32_t count) {
  mo_mesh_def def = {s->vertices + 3 * (size_t)first, (size_t)count * 3, s->indices,
                     (size_t)count * 3, false};
  mo_result result;
  mo_shape *shape = mo_shape_create_mesh(&def, &result);
  assert_true(shape || (count == 1 && result == MO_ERROR_INVALID_ARGUMENT));
  return shape;
}

static soup *make_soup(const soup_kind *kind, uint64_t *seed) {
  soup *s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->count = kind->count;
  for (uint32_t i = 0; i < s->count; i++) {
    make_triangle(s, kind, i, seed);
  }
  s->whole = shape_of(s, 0, s->count);
  for (uint32_t i = 0; i < s->count; i++) {
    s->single[i] = shape_of(s, i, 1);
  }
  return s;
}

static void free_soup(soup *s) {
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->single[i]) {
      mo_shape_release(s->single[i]);
    }
  }
  mo_shape_release(s->whole);
  free(s);
}

static uint32_t tries(const soup *s) { return s->count > 1000 ? 40 : 150; }

// --- rays ------------------------------------------------------------------------------------

static mo_mesh_hit cast_at_all(const soup *s, const mo_local_ray *ray, double reach) {
  mo_mesh_hit first = {.distance = reach, .triangle = MO_NO_TRIANGLE};
  for (uint32_t i = 0; i < s->count; i++) {
    mo_mesh_hit hit = {.triangle = MO_NO_TRIANGLE};
    if (s->single[i]) {
      hit = mo_mesh_cast_ray(s->single[i]->mesh, ray, reach);
    }
    if (hit.triangle == 0 && (hit.distance < first.distance || first.triangle == MO_NO_TRIANGLE)) {
      first = hit;
      first.triangle = i;
    }
  }
  return first;
}

// From anywhere, along axes and beside them, and from far away.
static mo_local_ray random_ray(const soup *s, const soup_kind *kind, uint32_t i, uint64_t *seed) {
  const mo_vec3 *corners = &s->vertices[3 * (size_t)random_below(seed, s->count)];
  mo_vec3 middle = mo_scale(1.0 / 3.0, mo_add(corners[0], mo_add(corners[1], corners[2])));
  mo_vec3 aim = i % 5 == 0 ? corners[0] : middle;
  mo_vec3 direction = mo_normalize(random_vector(seed, 1.0));
  if (i % 4 == 1) {
    const mo_vec3 axes[3] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}};
    direction = axes[random_below(seed, 3)];
  } else if (i % 4 == 2) {
    direction = mo_normalize(mo_v3(direction.x, i % 8 == 2 ? 0.0 : 1e-9, direction.z));
  }
  aim = mo_add(aim, random_vector(seed, 0.5 * kind->triangle_size * (i % 2)));
  if (i % 3 == 2) { // a short one: it begins beside the triangle
    return (mo_local_ray){.origin = mo_add_scaled(aim, -0.1 * kind->triangle_size, direction),
                          .direction = direction};
  }
  double back = i % 16 == 3 ? 1e3 * kind->size : random_in(seed, 0.0, 3.0 * kind->size);
  return (mo_local_ray){.origin = mo_add_scaled(aim, -back, direction), .direction = direction};
}

static void rays_meet_the_first_of_all_triangles(void **state) {
  (void)state;
  uint64_t seed = 1;
  uint32_t met = 0, missed = 0;
  for (size_t k = 0; k < KINDS; k++) {
    soup *s = make_soup(&kinds[k], &seed);
    for (uint32_t i = 0; i < tries(s); i++) {
      mo_local_ray ray = random_ray(s, &kinds[k], i, &seed);
      double reaches[3] = {INFINITY, kinds[k].size, 0.2 * kinds[k].triangle_size};
      double reach = reaches[i % 3];
      mo_mesh_hit expected = cast_at_all(s, &ray, reach);
      mo_mesh_hit found = mo_mesh_cast_ray(s->whole->mesh, &ray, reach);
      assert_int_equal(found.triangle, expected.triangle);
      assert_memory_equal(&found.distance, &expected.distance, sizeof found.distance);
      assert_memory_equal(&found.normal, &expected.normal, sizeof found.normal);
      met += found.triangle != MO_NO_TRIANGLE;
      missed += found.triangle == MO_NO_TRIANGLE;
    }
    free_soup(s);
  }
  assert_true(met > 300 && missed > 300);
}

// A ray that ends where it meets a floor meets it, one that ends a digit before it does not: those
// that are looked for in their box as those that are followed.
static void rays_reach_to_the_last_digit(void **state) {
  (void)state;
  const double sizes[3] = {0.01, 1.0, 1e4};
  uint64_t seed = 6;
  for (int k = 0; k < 3; k++) {
    double s = sizes[k];
    mo_vec3 vertices[4] = {{-s, 0, -s}, {-s, 0, s}, {s, 0, s}, {s, 0, -s}};
    const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    mo_mesh_def def = {vertices, 4, indices, 6, false};
    mo_result result;
    mo_shape *floor = mo_shape_create_mesh(&def, &result);
    for (int i = 0; i < 500; i++) {
      mo_vec3 from = mo_v3(random_in(&seed, -0.5 * s, 0.5 * s), random_in(&seed, 0.0, 0.5),
                           random_in(&seed, -0.5 * s, 0.5 * s));
      mo_vec3 to = mo_v3(random_in(&seed, -s, s), 0.0, random_in(&seed, -s, s));
      mo_local_ray ray = {.origin = from, .direction = mo_normalize(mo_sub(to, from))};
      mo_mesh_hit all = mo_mesh_cast_ray(floor->mesh, &ray, INFINITY);
      mo_mesh_hit just = mo_mesh_cast_ray(floor->mesh, &ray, all.distance);
      assert_int_not_equal(all.triangle, MO_NO_TRIANGLE);
      assert_int_equal(just.triangle, all.triangle);
      assert_memory_equal(&just.distance, &all.distance, sizeof all.distance);
      double less = nextafter(all.distance, 0.0);
      assert_int_equal(mo_mesh_cast_ray(floor->mesh, &ray, less).triangle, MO_NO_TRIANGLE);
    }
    mo_shape_release(floor);
  }
}

// --- boxes -----------------------------------------------------------------------------------

typedef struct seen {
  uint8_t times[MOST_TRIANGLES];
} seen;

static bool note(void *user, uint32_t triangle) {
  seen *all = user;
  all->times[triangle]++;
  return true;
}

static mo_aabb float_box_of(const soup *s, uint32_t triangle) {
  const mo_vec3 *c = &s->vertices[3 * (size_t)triangle];
  return mo_aabb_from_bounds(
      (mo_bounds){mo_v3_min(c[0], mo_v3_min(c[1], c[2])), mo_v3_max(c[0], mo_v3_max(c[1], c[2]))});
}

static void boxes_find_the_triangles_whose_boxes_overlap(void **state) {
  (void)state;
  uint64_t seed = 2;
  for (size_t k = 0; k < KINDS; k++) {
    soup *s = make_soup(&kinds[k], &seed);
    for (uint32_t i = 0; i < tries(s); i++) {
      // Some touch a triangle's corner.
      mo_vec3 lower = s->vertices[random_below(&seed, 3 * s->count)];
      mo_vec3 size = mo_v3_abs(random_vector(&seed, kinds[k].triangle_size));
      mo_bounds box = {lower, mo_add(lower, i % 3 == 0 ? mo_v3_zero() : size)};
      mo_aabb around = mo_aabb_from_bounds(box);
      seen all = {{0}};
      mo_mesh_search(s->whole->mesh, box, note, &all);
      for (uint32_t t = 0; t < s->count; t++) {
        mo_aabb own = float_box_of(s, t);
        assert_int_equal(all.times[t], s->single[t] && mo_aabb_overlap(&own, &around));
      }
    }
    free_soup(s);
  }
}

static void an_infinite_box_finds_all(void **state) {
  (void)state;
  uint64_t seed = 3;
  soup *s = make_soup(&kinds[6], &seed);
  mo_bounds box = {mo_v3(-INFINITY, -INFINITY, -INFINITY), mo_v3(INFINITY, INFINITY, INFINITY)};
  seen all = {{0}};
  mo_mesh_search(s->whole->mesh, box, note, &all);
  for (uint32_t t = 0; t < s->count; t++) {
    assert_int_equal(all.times[t], s->single[t] != NULL);
  }
  free_soup(s);
}

// --- points ----------------------------------------------------------------------------------

static mo_mesh_point closest_of_all(const soup *s, mo_vec3 point) {
  mo_mesh_point nearest = {.distance = INFINITY, .triangle = MO_NO_TRIANGLE};
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->single[i]) {
      mo_mesh_point one = mo_mesh_closest_point(s->single[i]->mesh, point, INFINITY);
      if (one.distance < nearest.distance) {
        nearest = one;
        nearest.triangle = i;
      }
    }
  }
  return nearest;
}

static void points_are_closest_to_the_nearest_of_all_triangles(void **state) {
  (void)state;
  uint64_t seed = 4;
  for (size_t k = 0; k < KINDS; k++) {
    soup *s = make_soup(&kinds[k], &seed);
    for (uint32_t i = 0; i < tries(s); i++) {
      mo_vec3 point = mo_add(kinds[k].center, random_vector(&seed, 1.5 * kinds[k].size));
      mo_mesh_point expected = closest_of_all(s, point);
      mo_mesh_point found = mo_mesh_closest_point(s->whole->mesh, point, INFINITY);
      assert_int_equal(found.triangle, expected.triangle);
      assert_memory_equal(&found.distance, &expected.distance, sizeof found.distance);
    }
    free_soup(s);
  }
}

// --- leaves ----------------------------------------------------------------------------------

static void leaves_have_each_triangle_once_to_the_bit(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (size_t k = 0; k < KINDS; k++) {
    soup *s = make_soup(&kinds[k], &seed);
    s->vertices[0].x = -0.0;
    mo_shape_release(s->whole);
    s->whole = shape_of(s, 0, s->count);
    const mo_mesh *mesh = s->whole->mesh;
    assert_int_equal(mesh->has_float_leaves, kinds[k].are_floats);
    seen all = {{0}};
    uint32_t with_area = 0;
    for (uint32_t t = 0; t < s->count; t++) {
      with_area += s->single[t] != NULL;
    }
    for (uint32_t place = 0; place < with_area; place++) {
      const mo_mesh_leaf *leaf = mo_mesh_leaf_at(mesh, place);
      uint32_t lane = place % MO_PACKED_LANES, triangle = leaf->triangles[lane];
      mo_triangle t = mo_mesh_leaf_triangle(mesh, leaf, lane);
      assert_memory_equal(&t, &s->vertices[3 * (size_t)triangle], sizeof t);
      all.times[triangle]++;
    }
    for (uint32_t t = 0; t < s->count; t++) {
      assert_int_equal(all.times[t], s->single[t] != NULL);
    }
    free_soup(s);
  }
}

// With vertices in double precision; the tree alone took 80.
static void tree_and_leaves_take_fifty_five_bytes_a_triangle(void **state) {
  (void)state;
  enum { SIDE = 200 };
  static mo_vec3 vertices[SIDE * SIDE];
  static uint32_t indices[6 * (SIDE - 1) * (SIDE - 1)];
  uint32_t *index = indices;
  for (uint32_t i = 0; i < SIDE * SIDE; i++) {
    uint32_t row = i / SIDE, column = i % SIDE;
    vertices[i] = mo_v3(0.1 * column, 0.01 * (i * 7 % 13), 0.1 * row); // no floats
    if (row + 1 < SIDE && column + 1 < SIDE) {
      const uint32_t corners[6] = {i, i + SIDE, i + SIDE + 1, i, i + SIDE + 1, i + 1};
      memcpy(index, corners, sizeof corners);
      index += 6;
    }
  }
  mo_mesh_def def = {vertices, (size_t)SIDE * SIDE, indices, sizeof indices / sizeof *indices,
                     false};
  mo_result result;
  mo_shape *shape = mo_shape_create_mesh(&def, &result);
  assert_int_equal(result, MO_OK);
  const mo_mesh *mesh = shape->mesh;
  uint32_t leaves = (mesh->triangle_count + MO_PACKED_LANES - 1) / MO_PACKED_LANES;
  uint32_t lines = mesh->leaf_starts[leaves - 1] + 10; // the last has 24 vertices at most
  size_t bytes = mesh->bvh.node_count * sizeof(mo_packed_node) +
                 leaves * sizeof *mesh->leaf_starts + lines * MO_CACHE_LINE;
  assert_true(bytes < (size_t)55 * mesh->triangle_count);
  mo_shape_release(shape);
}

TEST_GROUP(mesh_tree) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rays_meet_the_first_of_all_triangles),
      cmocka_unit_test(rays_reach_to_the_last_digit),
      cmocka_unit_test(boxes_find_the_triangles_whose_boxes_overlap),
      cmocka_unit_test(an_infinite_box_finds_all),
      cmocka_unit_test(points_are_closest_to_the_nearest_of_all_triangles),
      cmocka_unit_test(leaves_have_each_triangle_once_to_the_bit),
      cmocka_unit_test(tree_and_leaves_take_fifty_five_bytes_a_triangle),
  };
  return run_group(tests, NULL, NULL);
}
