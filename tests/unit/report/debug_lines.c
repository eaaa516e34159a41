#include "test_group.h"
#include "world_fixture.h"

#include "math/mat3.h"

#include <stdlib.h>

static mo_debug_lines lines_of(mo_world *world, uint32_t parts) {
  mo_debug_lines out = {0};
  assert_int_equal(mo_world_debug_lines(world, parts, &out), MO_OK);
  uint32_t count = out.count;
  out.vertices = calloc(count + 1, 6 * sizeof(float));
  out.colors = calloc(count + 1, 8 * sizeof(float));
  out.capacity = count;
  assert_int_equal(mo_world_debug_lines(world, parts, &out), MO_OK);
  assert_int_equal(out.count, count);
  return out;
}

static void free_lines(mo_debug_lines all) {
  free(all.vertices);
  free(all.colors);
}

static double distance_from(const float *vertex, mo_vec3 centre) {
  return mo_length(mo_sub(mo_v3_from_floats(vertex), centre));
}

static void edges_of_a_box_and_of_its_bounds(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  add_body(world, body_at(1, 2, 3, 1.0), box(0.5, 1.0, 1.5));
  mo_debug_lines edges = lines_of(world, MO_DEBUG_SHAPES);
  assert_int_equal(edges.count, 12);
  for (uint32_t i = 0; i < 2 * edges.count; i++) {
    mo_vec3 corner = mo_v3_abs(mo_sub(mo_v3_from_floats(edges.vertices + 3 * i), mo_v3(1, 2, 3)));
    assert_float_equal(corner.x, 0.5, 1e-6);
    assert_float_equal(corner.y, 1.0, 1e-6);
    assert_float_equal(corner.z, 1.5, 1e-6);
  }
  free_lines(edges);
  mo_debug_lines bounds = lines_of(world, MO_DEBUG_BOUNDS);
  assert_int_equal(bounds.count, 12);
  free_lines(bounds);
  mo_world_destroy(world);
}

static void round_shapes_are_drawn_on_their_surface(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  add_body(world, body_at(0, 5, 0, 1.0), mo_shape_create_sphere(0.7, NULL));
  mo_debug_lines ball = lines_of(world, MO_DEBUG_SHAPES);
  assert_true(ball.count >= 48);
  for (uint32_t i = 0; i < 2 * ball.count; i++) {
    assert_float_equal(distance_from(ball.vertices + 3 * i, mo_v3(0, 5, 0)), 0.7, 1e-5);
  }
  free_lines(ball);
  mo_world_destroy(world);
}

static void a_mesh_is_drawn_by_its_edges(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  const mo_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
  mo_mesh_def square = {
      .vertices = corners, .vertex_count = 4, .indices = indices, .index_count = 6};
  mo_body_def def = body_at(0, 0, 2, 0);
  def.type = MO_BODY_STATIC;
  add_body(world, def, mo_shape_create_mesh(&square, NULL));
  mo_debug_lines edges = lines_of(world, MO_DEBUG_SHAPES);
  assert_int_equal(edges.count, 5);
  for (uint32_t i = 0; i < 2 * edges.count; i++) {
    assert_float_equal(edges.vertices[3 * i + 2], 2.0F, 1e-6);
  }
  free_lines(edges);
  mo_world_destroy(world);
}

static void contacts_and_sleep_show(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  add_floor(world);
  mo_body_id cube = add_body(world, body_at(0, 0.5, 0, 1.0), box(0.5, 0.5, 0.5));
  mo_debug_lines none = lines_of(world, MO_DEBUG_CONTACTS);
  assert_int_equal(none.count, 0);
  free_lines(none);
  step_many(world, 1.0 / 60.0, 4);
  mo_debug_lines contacts = lines_of(world, MO_DEBUG_CONTACTS);
  assert_int_equal(contacts.count, 4);
  free_lines(contacts);
  mo_debug_lines awake = lines_of(world, MO_DEBUG_SHAPES);
  assert_int_equal(mo_body_sleep(world, cube), MO_OK);
  mo_debug_lines asleep = lines_of(world, MO_DEBUG_SHAPES);
  assert_int_equal(asleep.count, awake.count);
  float change = 0;
  for (uint32_t i = 0; i < 8 * awake.count; i++) {
    change += (awake.colors[i] - asleep.colors[i]) * (awake.colors[i] - asleep.colors[i]);
  }
  assert_true(change > 1.0F);
  free_lines(awake);
  free_lines(asleep);
  mo_world_destroy(world);
}

static void islands_have_colours_of_their_own(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  for (int i = 0; i < 2; i++) {
    add_body(world, body_at(10.0 * i, 0, 0, 1.0), box(0.5, 0.5, 0.5));
  }
  mo_debug_lines all = lines_of(world, MO_DEBUG_ISLANDS);
  assert_int_equal(all.count, 24);
  assert_true(all.colors[0] != all.colors[8 * 12] || all.colors[1] != all.colors[8 * 12 + 1]);
  free_lines(all);
  mo_world_destroy(world);
}

static void a_short_array_is_filled_and_no_more(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  add_body(world, body_at(0, 0, 0, 1.0), box(0.5, 0.5, 0.5));
  float vertices[5 * 6 + 1] = {0}, colors[5 * 8 + 1] = {0};
  mo_debug_lines some = {.vertices = vertices, .colors = colors, .capacity = 5};
  assert_int_equal(mo_world_debug_lines(world, MO_DEBUG_SHAPES, &some), MO_OK);
  assert_int_equal(some.count, 12);
  assert_true(vertices[5 * 6] == 0.0F && colors[5 * 8] == 0.0F && vertices[0] != 0.0F);
  mo_world_destroy(world);
}

TEST_GROUP(debug_lines) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edges_of_a_box_and_of_its_bounds),
      cmocka_unit_test(round_shapes_are_drawn_on_their_surface),
      cmocka_unit_test(a_mesh_is_drawn_by_its_edges),
      cmocka_unit_test(contacts_and_sleep_show),
      cmocka_unit_test(islands_have_colours_of_their_own),
      cmocka_unit_test(a_short_array_is_filled_and_no_more),
  };
  return run_group(tests, NULL, NULL);
}
