// Height fields beside the meshes that list the same triangles: the same edges, and the same
// answers to each search.
#include "assert_near_v3.h"
#include "geometry/shape.h"
#include "test_group.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 14, COLUMNS = 11, SAMPLES = ROWS * COLUMNS, CELLS = (ROWS - 1) * (COLUMNS - 1) };
enum { TRIANGLES = 2 * CELLS, KINDS = 4 };

// Two surfaces of the same samples.
typedef struct twins {
  mo_shape *field, *listed;
} twins;

// Hills, flat land with steps, walls so high that triangles beside them have no area, and valleys.
static double height_of(int kind, uint32_t i, uint32_t j) {
  switch (kind) {
  case 0:
    return random_between(-1.0, 1.0);
  case 1:
    return i * j % 3 == 0 ? 1.0 : 0.0;
  case 2:
    return (i + j) % 5 == 0 ? 1e13 : 0.25 * j;
  default:
    return fabs(0.5 * COLUMNS - j) * 0.1;
  }
}

static void list_triangles(uint32_t *indices) {
  for (uint32_t i = 0; i + 1 < ROWS; i++) {
    for (uint32_t j = 0; j + 1 < COLUMNS; j++) {
      uint32_t here = i * COLUMNS + j, below = here + COLUMNS;
      const uint32_t corners[6] = {here, below, below + 1, here, below + 1, here + 1};
      memcpy(indices, corners, sizeof corners);
      indices += 6;
    }
  }
}

static twins make_twins(int kind, bool is_one_sided) {
  double heights[SAMPLES];
  mo_vec3 vertices[SAMPLES], scale = mo_v3(0.7, 1.3, 1.1);
  uint32_t indices[3 * TRIANGLES];
  for (uint32_t v = 0; v < SAMPLES; v++) {
    uint32_t i = v / COLUMNS, j = v % COLUMNS;
    heights[v] = height_of(kind, i, j);
    vertices[v] = mo_v3((j - 0.5 * (COLUMNS - 1)) * scale.x, heights[v] * scale.y,
                        (i - 0.5 * (ROWS - 1)) * scale.z);
  }
  list_triangles(indices);
  mo_heightfield_def field = {heights, ROWS, COLUMNS, scale, is_one_sided};
  mo_mesh_def mesh = {vertices, SAMPLES, indices, (size_t)3 * TRIANGLES, is_one_sided};
  mo_result result[2];
  twins both = {mo_shape_create_heightfield(&field, &result[0]),
                mo_shape_create_mesh(&mesh, &result[1])};
  assert_int_equal(result[0], MO_OK);
  assert_int_equal(result[1], MO_OK);
  return both;
}

static void release(twins both) {
  mo_shape_release(both.field);
  mo_shape_release(both.listed);
}

// --- what it is ------------------------------------------------------------------------------

static void triangles_and_edges_are_the_same_bits(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    twins both = make_twins(kind, false);
    const mo_mesh *field = both.field->mesh, *listed = both.listed->mesh;
    assert_int_equal(field->triangle_count, TRIANGLES);
    assert_memory_equal(field->edges, listed->edges, TRIANGLES);
    for (uint32_t t = 0; t < TRIANGLES; t++) {
      mo_triangle one = mo_mesh_triangle(field, t), other = mo_mesh_triangle(listed, t);
      assert_memory_equal(&one, &other, sizeof one);
      uint32_t corners[2][3];
      mo_mesh_corners(field, t, corners[0]);
      mo_mesh_corners(listed, t, corners[1]);
      assert_memory_equal(corners[0], corners[1], sizeof corners[0]);
    }
    assert_true(both.field->surface_area == both.listed->surface_area);
    assert_int_equal(field->defect.result, listed->defect.result);
    assert_memory_equal(field->defect.edge, listed->defect.edge, sizeof field->defect.edge);
    release(both);
  }
}

static void takes_eleven_bytes_a_cell(void **state) {
  (void)state;
  enum { SIDE = 401 };
  double *heights = calloc((size_t)SIDE * SIDE, sizeof *heights);
  assert_non_null(heights);
  mo_heightfield_def def = {heights, SIDE, SIDE, mo_v3(1, 1, 1), false};
  mo_result result;
  mo_shape *field = mo_shape_create_heightfield(&def, &result);
  free(heights);
  const mo_mesh *mesh = field->mesh;
  assert_null(mesh->vertices);
  assert_null(mesh->indices);
  size_t bytes = mesh->vertex_count * sizeof(double) + mesh->triangle_count +
                 mesh->bvh.node_count * sizeof(mo_packed_node) +
                 mo_height_block_count(&mesh->grid) * sizeof *mesh->blocks;
  assert_true(bytes < (size_t)11 * (SIDE - 1) * (SIDE - 1));
  mo_shape_release(field);
}

// --- searches --------------------------------------------------------------------------------

typedef struct found {
  uint8_t seen[TRIANGLES];
} found;

static bool note(void *user, uint32_t triangle) {
  ((found *)user)->seen[triangle]++;
  return true;
}

static mo_bounds bounds_of(const mo_triangle *t) {
  const mo_vec3 *c = t->corners;
  return (mo_bounds){mo_v3_min(c[0], mo_v3_min(c[1], c[2])),
                     mo_v3_max(c[0], mo_v3_max(c[1], c[2]))};
}

static bool overlap(mo_bounds a, mo_bounds b) {
  return a.lower.x <= b.upper.x && a.lower.y <= b.upper.y && a.lower.z <= b.upper.z &&
         a.upper.x >= b.lower.x && a.upper.y >= b.lower.y && a.upper.z >= b.lower.z;
}

static void boxes_find_each_triangle_that_they_overlap_once(void **state) {
  (void)state;
  for (int run = 0; run < 400; run++) {
    twins both = make_twins(run % KINDS, false);
    mo_vec3 middle = random_in_cube(9.0), half = mo_v3_abs(random_in_cube(3.0));
    mo_bounds box = {mo_sub(middle, half), mo_add(middle, half)};
    found all = {{0}};
    mo_mesh_search(both.field->mesh, box, note, &all);
    for (uint32_t t = 0; t < TRIANGLES; t++) {
      mo_triangle triangle = mo_mesh_triangle(both.field->mesh, t);
      bool has_area = mo_length_squared(mo_triangle_normal(&triangle)) > 0.0;
      assert_int_equal(all.seen[t], has_area && overlap(bounds_of(&triangle), box));
    }
    release(both);
  }
}

static void assert_same_hit(const twins *both, mo_vec3 origin, mo_vec3 direction, double most) {
  mo_local_ray ray = {.origin = origin, .direction = mo_normalize(direction)};
  mo_mesh_hit one = mo_mesh_cast_ray(both->field->mesh, &ray, most);
  mo_mesh_hit other = mo_mesh_cast_ray(both->listed->mesh, &ray, most);
  assert_int_equal(one.triangle, other.triangle);
  assert_true(one.distance == other.distance);
  assert_near_v3(one.normal, other.normal, 0.0);
}

static void rays_meet_the_same_triangles(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    for (int one_sided = 0; one_sided < 2; one_sided++) {
      twins both = make_twins(kind, one_sided != 0);
      for (int run = 0; run < 3000; run++) {
        mo_vec3 origin = random_in_cube(8.0), direction = random_in_cube(1.0);
        assert_same_hit(&both, origin, direction, INFINITY);
        assert_same_hit(&both, origin, direction, random_between(0.0, 5.0));
        assert_same_hit(&both, mo_add_scaled(origin, -1e7, direction), direction, INFINITY);
      }
      release(both);
    }
  }
}

// Rays in the planes between cells and through vertices, where round-off decides.
static void rays_along_the_grid_meet_the_same_triangles(void **state) {
  (void)state;
  twins both = make_twins(0, false);
  for (uint32_t v = 0; v < SAMPLES; v++) {
    mo_vec3 vertex = mo_mesh_vertex(both.field->mesh, v);
    mo_vec3 above = mo_add(vertex, mo_v3(0, 3, 0));
    const mo_vec3 directions[] = {{0, -1, 0},         {0, 1, 0},      {1, 0, 0},
                                  {0, 0, -1},         {0.7, -1, 0},   {0, -1, 1.1},
                                  {0.7, -0.2, 1.1},   {-0.7, -1, 0},  {1e-200, -1, 0},
                                  {-0.7, -0.3, -1.1}, {0.7, 0, -1.1}, {1e-20, -1, -1e-20}};
    for (size_t i = 0; i < sizeof directions / sizeof *directions; i++) {
      assert_same_hit(&both, above, directions[i], INFINITY);
      assert_same_hit(&both, vertex, directions[i], INFINITY);
      assert_same_hit(&both, mo_add_scaled(vertex, -20.0, directions[i]), directions[i], INFINITY);
    }
  }
  release(both);
}

static void closest_points_are_the_same(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    twins both = make_twins(kind, false);
    for (int run = 0; run < 1000; run++) {
      mo_vec3 point = random_in_cube(8.0);
      double most = run % 2 == 0 ? INFINITY : random_between(0.0, 2.0);
      mo_mesh_point one = mo_mesh_closest_point(both.field->mesh, point, most);
      mo_mesh_point other = mo_mesh_closest_point(both.listed->mesh, point, most);
      assert_int_equal(one.triangle, other.triangle);
      if (one.triangle != MO_NO_TRIANGLE) {
        assert_true(one.distance == other.distance);
        assert_near_v3(one.position, other.position, 0.0);
      }
    }
    release(both);
  }
}

// --- input -----------------------------------------------------------------------------------

static void refuses_what_is_no_field(void **state) {
  (void)state;
  double heights[4] = {0, 0, 0, 0};
  const mo_heightfield_def good = {heights, 2, 2, mo_v3(1, 1, 1), false};
  mo_heightfield_def bad[6];
  for (int i = 0; i < 6; i++) {
    bad[i] = good;
  }
  bad[0].heights = NULL;
  bad[1].columns = 1;
  bad[2].rows = 0;
  bad[3].scale.z = 0.0;
  bad[4].scale.x = 1e19;
  bad[5].rows = 1u << 20;
  bad[5].columns = 1u << 20;
  mo_result result;
  for (int i = 0; i < 6; i++) {
    assert_null(mo_shape_create_heightfield(&bad[i], &result));
    assert_int_equal(result, MO_ERROR_INVALID_ARGUMENT);
  }
  heights[2] = 1e19;
  assert_null(mo_shape_create_heightfield(&good, &result));
  assert_int_equal(result, MO_ERROR_INVALID_ARGUMENT);
}

TEST_GROUP(height_field) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(triangles_and_edges_are_the_same_bits),
      cmocka_unit_test(takes_eleven_bytes_a_cell),
      cmocka_unit_test(boxes_find_each_triangle_that_they_overlap_once),
      cmocka_unit_test(rays_meet_the_same_triangles),
      cmocka_unit_test(rays_along_the_grid_meet_the_same_triangles),
      cmocka_unit_test(closest_points_are_the_same),
      cmocka_unit_test(refuses_what_is_no_field),
  };
  return run_group(tests, NULL, NULL);
}
