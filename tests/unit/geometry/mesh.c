// Meshes and height fields: mass properties, edges, searches (acceptance rows A71 to A73, A85 and
// A90).
#include "assert_near_v3.h"
#include "geometry/shape.h"
#include "test_group.h"

#include <math.h>
#include <stdlib.h>

#define RINGS 24u
#define SIDES 12u
#define TORUS_TRIANGLES (2u * RINGS * SIDES)

typedef struct torus {
  mo_vec3 vertices[RINGS * SIDES];
  uint32_t indices[3 * TORUS_TRIANGLES];
} torus;

static torus make_torus(void) {
  torus t;
  uint32_t *index = t.indices;
  for (uint32_t i = 0; i < RINGS; i++) {
    for (uint32_t j = 0; j < SIDES; j++) {
      double a = 2.0 * MO_PI * i / RINGS, b = 2.0 * MO_PI * j / SIDES, r = 1.0 + 0.3 * cos(b);
      t.vertices[i * SIDES + j] = mo_v3(r * cos(a), r * sin(a), 0.3 * sin(b));
      uint32_t next_i = (i + 1) % RINGS, next_j = (j + 1) % SIDES;
      uint32_t p = i * SIDES + j, q = next_i * SIDES + j, s = next_i * SIDES + next_j,
               u = i * SIDES + next_j;
      const uint32_t corners[6] = {p, q, s, p, s, u};
      for (int k = 0; k < 6; k++) {
        *index++ = corners[k];
      }
    }
  }
  return t;
}

static mo_shape *shape_of(const mo_vec3 *vertices, size_t vertex_count, const uint32_t *indices,
                          size_t index_count, bool one_sided, mo_result *result) {
  mo_mesh_def def = {vertices, vertex_count, indices, index_count, one_sided};
  return mo_shape_create_mesh(&def, result);
}

static mo_shape *torus_shape(const torus *t, bool one_sided) {
  mo_result result;
  mo_shape *shape = shape_of(t->vertices, RINGS * SIDES, t->indices, (size_t)3 * TORUS_TRIANGLES,
                             one_sided, &result);
  assert_int_equal(result, MO_OK);
  return shape;
}

// --- mass ------------------------------------------------------------------------------------

static void torus_has_the_volume_of_its_facets(void **state) {
  (void)state;
  torus t = make_torus();
  mo_shape *shape = torus_shape(&t, false);
  assert_int_equal(mo_shape_check_solid(shape).result, MO_OK);
  assert_near(shape->volume,
              RINGS * SIDES * 0.09 * sin(2.0 * MO_PI / RINGS) * sin(2.0 * MO_PI / SIDES) / 2.0,
              1e-12);
  assert_near(shape->mesh->surface_area, 11.625400607, 1e-9);
  assert_near_v3(shape->centroid, mo_v3_zero(), 1e-12);
  assert_near(shape->inertia_per_mass.cz.z, 1.0523950828, 1e-9);
  assert_near(shape->inertia_per_mass.cx.x, 0.5476927319, 1e-9);
  assert_near(shape->inertia_per_mass.cx.y, 0.0, 1e-12);
  mo_shape_release(shape);
}

static void l_prism_keeps_its_digits_far_away_and_without_shared_vertices(void **state) {
  (void)state;
  static const double outline[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 3}, {0, 3}};
  static const uint32_t caps[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {3, 4, 5}};
  mo_vec3 vertices[12], apart[60];
  uint32_t indices[60], own[60], count = 0;
  mo_vec3 far = mo_v3(1e6, -1e6, 1e6);
  for (uint32_t i = 0; i < 12; i++) {
    vertices[i] = mo_add(far, mo_v3(outline[i % 6][0], outline[i % 6][1], i < 6 ? 0.0 : 1.5));
  }
  for (uint32_t i = 0; i < 4; i++) {
    const uint32_t both[6] = {caps[i][0],     caps[i][2],     caps[i][1],
                              caps[i][0] + 6, caps[i][1] + 6, caps[i][2] + 6};
    for (int k = 0; k < 6; k++) {
      indices[count++] = both[k];
    }
  }
  for (uint32_t i = 0; i < 6; i++) {
    uint32_t j = (i + 1) % 6;
    const uint32_t side[6] = {i, j, j + 6, i, j + 6, i + 6};
    for (int k = 0; k < 6; k++) {
      indices[count++] = side[k];
    }
  }
  for (uint32_t i = 0; i < 60; i++) {
    apart[i] = vertices[indices[i]];
    own[i] = i;
  }
  mo_result result;
  mo_shape *shapes[2] = {shape_of(vertices, 12, indices, 60, false, &result),
                         shape_of(apart, 60, own, 60, false, &result)};
  for (int i = 0; i < 2; i++) {
    assert_int_equal(mo_shape_check_solid(shapes[i]).result, MO_OK);
    assert_near(shapes[i]->volume, 6.0, 1e-10);
    assert_near(shapes[i]->mesh->surface_area, 23.0, 1e-10);
    assert_near_v3(mo_sub(shapes[i]->centroid, far), mo_v3(0.75, 1.25, 0.75), 1e-9);
    mo_mat3 inertia = shapes[i]->inertia_per_mass;
    assert_near(inertia.cx.x, 0.9583333333333333, 1e-12);
    assert_near(inertia.cy.y, 0.4583333333333333, 1e-12);
    assert_near(inertia.cz.z, 1.0416666666666667, 1e-12);
    assert_near(inertia.cy.x, 0.1875, 1e-12);
    mo_shape_release(shapes[i]);
  }
}

static mo_solid_check check_of(const torus *t, uint32_t first, uint32_t count) {
  mo_result result;
  mo_shape *shape = shape_of(t->vertices, RINGS * SIDES, t->indices + 3 * (size_t)first,
                             3 * (size_t)count, false, &result);
  assert_int_equal(result, MO_OK);
  mo_solid_check check = mo_shape_check_solid(shape);
  mo_shape_release(shape);
  return check;
}

static void bad_meshes_say_where(void **state) {
  (void)state;
  torus t = make_torus();
  mo_solid_check check = check_of(&t, 1, TORUS_TRIANGLES - 1);
  assert_int_equal(check.result, MO_ERROR_MESH_OPEN);
  uint32_t sum = check.edge[0] + check.edge[1]; // of (0,12), (12,13) or (13,0)
  assert_true(sum == 12 || sum == 25 || sum == 13);
  uint32_t second = t.indices[1];
  t.indices[1] = t.indices[2];
  t.indices[2] = second;
  check = check_of(&t, 0, TORUS_TRIANGLES);
  assert_int_equal(check.result, MO_ERROR_MESH_ORIENTATION);
  sum = check.edge[0] + check.edge[1];
  assert_true(sum == 12 || sum == 25 || sum == 13);
  t = make_torus();
  for (uint32_t i = 0; i < TORUS_TRIANGLES; i++) {
    second = t.indices[3 * i + 1];
    t.indices[3 * i + 1] = t.indices[3 * i + 2];
    t.indices[3 * i + 2] = second;
  }
  assert_int_equal(check_of(&t, 0, TORUS_TRIANGLES).result, MO_ERROR_MESH_INSIDE_OUT);
}

static void bad_input_is_refused(void **state) {
  (void)state;
  torus t = make_torus();
  mo_result result;
  t.indices[7] = RINGS * SIDES;
  assert_null(shape_of(t.vertices, RINGS * SIDES, t.indices, 9, false, &result));
  assert_int_equal(result, MO_ERROR_INVALID_ARGUMENT);
  assert_null(shape_of(t.vertices, 3, t.indices, 0, false, &result));
  assert_int_equal(result, MO_ERROR_INVALID_ARGUMENT);
  t.vertices[5].y = NAN;
  assert_null(shape_of(t.vertices, RINGS * SIDES, t.indices, 3, false, &result));
  assert_int_equal(result, MO_ERROR_NOT_FINITE);
  mo_vec3 line[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  uint32_t indices[3] = {0, 1, 2};
  assert_null(shape_of(line, 3, indices, 3, false, &result));
  assert_int_equal(result, MO_ERROR_INVALID_ARGUMENT);
}

// --- edges -----------------------------------------------------------------------------------

static void edges_are_flat_concave_convex_or_a_border(void **state) {
  (void)state;
  // A floor of two triangles, a wall that rises and one that falls.
  mo_vec3 vertices[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 0.5, 1}, {0, 0.5, -1}};
  uint32_t indices[] = {0, 1, 2, 0, 2, 3, 1, 4, 2, 0, 3, 5};
  mo_result result;
  mo_shape *shape = shape_of(vertices, 6, indices, 12, false, &result);
  const mo_mesh *mesh = shape->mesh;
  assert_int_equal(mo_mesh_edge_kind(mesh, 0, 0), MO_EDGE_BORDER);
  assert_int_equal(mo_mesh_edge_kind(mesh, 0, 1), MO_EDGE_CONCAVE);
  assert_int_equal(mo_mesh_edge_kind(mesh, 2, 2), MO_EDGE_CONCAVE);
  assert_int_equal(mo_mesh_edge_kind(mesh, 0, 2), MO_EDGE_FLAT);
  assert_int_equal(mo_mesh_edge_kind(mesh, 1, 0), MO_EDGE_FLAT);
  assert_int_equal(mo_mesh_edge_kind(mesh, 1, 2), MO_EDGE_CONVEX);
  mo_shape_release(shape);
  indices[7] = 2; // the wall has the same direction along the edge as the floor
  indices[8] = 4;
  shape = shape_of(vertices, 6, indices, 12, false, &result);
  assert_int_equal(mo_mesh_edge_kind(shape->mesh, 0, 1), MO_EDGE_BORDER);
  mo_shape_release(shape);
}

// --- searches --------------------------------------------------------------------------------

static mo_mesh_hit cast(const mo_shape *shape, mo_vec3 origin, mo_vec3 direction) {
  mo_local_ray ray = {.origin = origin, .direction = mo_normalize(direction)};
  return mo_mesh_cast_ray(shape->mesh, &ray, INFINITY);
}

static void rays_meet_the_torus(void **state) {
  (void)state;
  torus t = make_torus();
  mo_shape *shape = torus_shape(&t, false), *fronts = torus_shape(&t, true);
  mo_mesh_hit hit = cast(shape, mo_v3(-3, 0.1, 0.05), mo_v3(1, 0, 0));
  assert_near(hit.distance, 1.7265627094, 1e-9);
  assert_near_v3(hit.normal, mo_v3(-0.9582091, 0.1261506, 0.2567514), 1e-7);
  assert_int_equal(hit.triangle, 264);
  hit = cast(shape, mo_v3(0.97, 0.13, 3), mo_v3(0, 0, -1));
  assert_near(hit.distance, 2.7034525723, 1e-9);
  assert_int_equal(hit.triangle, 6);
  assert_int_equal(cast(shape, mo_v3(0.05, 0.02, 3), mo_v3(0, 0, -1)).triangle, MO_NO_TRIANGLE);
  hit = cast(shape, mo_v3(1, 0, 0), mo_v3(1, 0.02, 0.01));
  assert_near(hit.distance, 0.298489254, 1e-9);
  assert_near_v3(hit.normal, mo_v3(-0.9582091, -0.1261506, -0.2567514), 1e-7);
  assert_int_equal(hit.triangle, 1);
  assert_int_equal(cast(fronts, mo_v3(1, 0, 0), mo_v3(1, 0.02, 0.01)).triangle, MO_NO_TRIANGLE);
  mo_shape_release(shape);
  mo_shape_release(fronts);
}

// From inside the tube every ray meets it, also those that aim at vertices and edges.
static void no_ray_slips_between_triangles(void **state) {
  (void)state;
  torus t = make_torus();
  mo_shape *shape = torus_shape(&t, false);
  for (uint32_t i = 0; i < RINGS * SIDES; i++) {
    double angle = 2.0 * MO_PI * (i / SIDES + 0.37) / RINGS;
    mo_vec3 inside = mo_v3(cos(angle), sin(angle), 0.03);
    mo_vec3 to = t.vertices[i], next = t.vertices[t.indices[6 * i + 2]];
    assert_int_not_equal(cast(shape, inside, mo_sub(to, inside)).triangle, MO_NO_TRIANGLE);
    mo_vec3 on_edge = mo_lerp(to, next, 0.37);
    assert_int_not_equal(cast(shape, inside, mo_sub(on_edge, inside)).triangle, MO_NO_TRIANGLE);
  }
  mo_shape_release(shape);
}

static void closest_point_of_the_torus(void **state) {
  (void)state;
  torus t = make_torus();
  mo_shape *shape = torus_shape(&t, false);
  mo_mesh_point p = mo_mesh_closest_point(shape->mesh, mo_v3(1.2, 0.5, 0.6), INFINITY);
  assert_near(p.distance, 0.3758700073, 1e-9);
  assert_near_v3(p.position, mo_v3(1.0523312, 0.4388336, 0.2598076), 1e-7);
  assert_int_equal(mo_mesh_closest_point(shape->mesh, mo_v3(1.2, 0.5, 0.6), 0.3).triangle,
                   MO_NO_TRIANGLE);
  mo_shape_release(shape);
}

typedef struct found {
  uint32_t count;
  uint8_t seen[TORUS_TRIANGLES];
} found;

static bool note(void *user, uint32_t triangle) {
  found *all = user;
  all->count++;
  all->seen[triangle]++;
  return true;
}

static void search_finds_what_overlaps_the_box(void **state) {
  (void)state;
  torus t = make_torus();
  mo_shape *shape = torus_shape(&t, false);
  found all = {0};
  mo_bounds box = {mo_v3(0.9, -0.2, -0.1), mo_v3(1.4, 0.3, 0.2)};
  mo_mesh_search(shape->mesh, box, note, &all);
  for (uint32_t i = 0; i < TORUS_TRIANGLES; i++) {
    mo_triangle triangle = mo_mesh_triangle(shape->mesh, i);
    const mo_vec3 *c = triangle.corners;
    mo_vec3 lower = mo_v3_min(c[0], mo_v3_min(c[1], c[2]));
    mo_vec3 upper = mo_v3_max(c[0], mo_v3_max(c[1], c[2]));
    bool overlaps = lower.x <= box.upper.x && lower.y <= box.upper.y && lower.z <= box.upper.z &&
                    upper.x >= box.lower.x && upper.y >= box.lower.y && upper.z >= box.lower.z;
    assert_true(!overlaps || all.seen[i] == 1);
  }
  assert_true(all.count > 0 && all.count < TORUS_TRIANGLES / 4);
  mo_shape_release(shape);
}

// --- height fields ---------------------------------------------------------------------------

static void heightfield_lies_as_its_samples_say(void **state) {
  (void)state;
  double heights[12] = {0, .2, .1, .4, .3, .5, .2, .1, .1, 0, .6, .3};
  mo_heightfield_def def = {heights, 3, 4, mo_v3(1, 2, 1.5), false};
  mo_result result;
  mo_shape *field = mo_shape_create_heightfield(&def, &result);
  assert_int_equal(result, MO_OK);
  assert_int_equal(field->mesh->triangle_count, 12);
  assert_near_v3(field->mesh->bounds.lower, mo_v3(-1.5, 0, -1.5), 0.0);
  assert_near_v3(field->mesh->bounds.upper, mo_v3(1.5, 1.2, 1.5), 1e-15);
  // Rx90 turns y to z, so the row's y is -z here.
  mo_mesh_hit hit = cast(field, mo_v3(-0.2, 5, -0.525), mo_v3(0, -1, 0));
  assert_near(5.0 - hit.distance, 0.61, 1e-9);
  assert_near_v3(hit.normal, mo_v3(0.48666426, 0.81110711, -0.32444284), 1e-8);
  hit = cast(field, mo_v3(-0.8, 5, 0.45), mo_v3(0, -1, 0));
  assert_near(5.0 - hit.distance, 0.58, 1e-9);
  assert_int_equal(cast(field, mo_v3(1.6, 5, 0), mo_v3(0, -1, 0)).triangle, MO_NO_TRIANGLE);
  mo_shape_release(field);
  heights[3] = NAN;
  assert_null(mo_shape_create_heightfield(&def, &result));
  assert_int_equal(result, MO_ERROR_NOT_FINITE);
  def.rows = 1;
  assert_null(mo_shape_create_heightfield(&def, &result));
  assert_int_equal(result, MO_ERROR_INVALID_ARGUMENT);
}

// --- compounds -------------------------------------------------------------------------------

static void compound_dissolves_compounds(void **state) {
  (void)state;
  mo_result result;
  mo_shape *box = mo_shape_create_box(mo_v3(0.5, 0.5, 0.5), &result);
  mo_placed_shape two[2] = {mo_placed_shape_default(box), mo_placed_shape_default(box)};
  two[0].pose.position = (mo_vec3){1, 0, 0};
  two[0].friction = 0.3;
  two[1].pose.position = (mo_vec3){-1, 0, 0};
  two[1].density = 5.0;
  mo_shape *inner = mo_shape_create_compound(two, 2, &result);
  mo_placed_shape both[2] = {mo_placed_shape_default(inner), two[0]};
  both[0].pose = (mo_pose){{0, 2, 0}, {0, 0, 1, 0}};
  both[0].density = 7.0;
  both[0].restitution = 0.5;
  mo_shape *outer = mo_shape_create_compound(both, 2, &result);
  assert_int_equal(mo_shape_part_count(outer), 3);
  assert_near_v3(outer->parts[0].pose.position, mo_v3(-1, 2, 0), 1e-15);
  assert_near(outer->parts[0].density, 7.0, 0.0);
  assert_near(outer->parts[0].friction, 0.3, 0.0);
  assert_near(outer->parts[0].restitution, 0.5, 0.0);
  assert_near(outer->parts[1].density, 5.0, 0.0);
  assert_near(inner->volume, 2.0, 1e-15);
  assert_near(inner->inertia_per_mass.cy.y, 1.0 / 6.0 + 1.0, 1e-15);
  mo_shape_release(box);
  mo_shape_release(inner);
  mo_shape_release(outer);
  assert_null(mo_shape_create_compound(two, 0, &result));
}

static void refuses_part(mo_placed_shape part) {
  mo_result result;
  assert_null(mo_shape_create_compound(&part, 1, &result));
  assert_int_equal(result, MO_ERROR_INVALID_ARGUMENT);
}

// Snapshots of bodies with such parts could not be restored.
static void compounds_have_no_endless_numbers(void **state) {
  (void)state;
  mo_result result;
  mo_shape *box = mo_shape_create_box(mo_v3(0.5, 0.5, 0.5), &result);
  const double endless[] = {INFINITY, NAN};
  for (int i = 0; i < 2; i++) {
    mo_placed_shape part = mo_placed_shape_default(box);
    part.density = endless[i];
    refuses_part(part);
    part = mo_placed_shape_default(box);
    part.friction = endless[i];
    refuses_part(part);
    part = mo_placed_shape_default(box);
    part.restitution = endless[i];
    refuses_part(part);
  }
  mo_shape_release(box);
}

TEST_GROUP(mesh) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(torus_has_the_volume_of_its_facets),
      cmocka_unit_test(l_prism_keeps_its_digits_far_away_and_without_shared_vertices),
      cmocka_unit_test(bad_meshes_say_where),
      cmocka_unit_test(bad_input_is_refused),
      cmocka_unit_test(edges_are_flat_concave_convex_or_a_border),
      cmocka_unit_test(rays_meet_the_torus),
      cmocka_unit_test(no_ray_slips_between_triangles),
      cmocka_unit_test(closest_point_of_the_torus),
      cmocka_unit_test(search_finds_what_overlaps_the_box),
      cmocka_unit_test(heightfield_lies_as_its_samples_say),
      cmocka_unit_test(compound_dissolves_compounds),
      cmocka_unit_test(compounds_have_no_endless_numbers),
  };
  return run_group(tests, NULL, NULL);
}
