// Casts and rays at shapes that make one surface.
#include "collision_oracle.h"
#include "test_group.h"

#include "world_fixture.h"

#define TILE 0.5 // m: half of a side

static void add_tile(mo_world *world, mo_body_type type, double x, double y) {
  mo_body_def def = body_at(x, y - TILE, 0, 0.0);
  def.type = type;
  add_body(world, def, box(TILE, TILE, TILE));
}

static mo_query_hit cast_ray(mo_world *world, mo_vec3 through, mo_vec3 direction) {
  mo_ray ray = mo_ray_default();
  ray.origin = mo_add_scaled(through, -3.0, direction);
  ray.direction = direction;
  mo_query_hit hit;
  assert_int_equal(mo_world_cast_ray(world, &ray, &hit), MO_OK);
  return hit;
}

// Where the rounding of a tile's place decides which side of it a ray meets, and whether any.
static void rays_find_neither_sides_nor_ways_between_tiles(void **state) {
  (void)state;
  for (int i = 0; i < 200; i++) {
    double x = 0.1 * i * i + 0.3;
    mo_world *world = make_world(mo_world_def_default());
    add_tile(world, MO_BODY_STATIC, x - TILE, 0.0);
    add_tile(world, MO_BODY_STATIC, x + TILE, 0.0);
    mo_vec3 seam = mo_v3(x, 0.0, 0.1);
    for (int k = -3; k <= 3; k++) {
      mo_query_hit hit = cast_ray(world, seam, mo_normalize(mo_v3(0.4 * k, -1.0, 0.1 * k)));
      assert_false(mo_body_id_is_null(hit.body));
      assert_vector_near(hit.normal, 0, 1, 0, 0);
      assert_vector_near(hit.position, x, 0, 0.1, 1e-11);
    }
    mo_world_destroy(world);
  }
}

// The normal with which a ray meets the first of the bodies of a world.
static mo_vec3 normal_of_first(mo_world *world, mo_vec3 through, mo_vec3 direction) {
  mo_ray ray = mo_ray_default();
  ray.origin = mo_add_scaled(through, -3.0, direction);
  ray.direction = direction;
  const mo_query_hit *hits;
  uint32_t count;
  assert_int_equal(mo_world_cast_ray_all(world, &ray, &hits, &count), MO_OK);
  for (uint32_t i = 0; i < count; i++) {
    if (mo_body_id_slot(hits[i].body) == 0) {
      return hits[i].normal;
    }
  }
  return mo_v3_zero();
}

static void what_contacts_move_covers_no_side(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  add_tile(world, MO_BODY_STATIC, TILE, 0.0);
  mo_vec3 shallow = mo_normalize(mo_v3(1.0, -0.5, 0.0)), rim = mo_v3(0.0, -1e-9, 0.0);
  assert_vector_near(normal_of_first(world, rim, shallow), -1, 0, 0, 0);
  add_tile(world, MO_BODY_DYNAMIC, -TILE, -1e-9);
  assert_vector_near(normal_of_first(world, rim, shallow), -1, 0, 0, 0);
  add_tile(world, MO_BODY_STATIC, -TILE, -1e-9);
  assert_vector_near(normal_of_first(world, rim, shallow), 0, 1, 0, 0);
  mo_world_destroy(world);
}

static bool is_no_box(mo_body_id body, uint32_t shape, void *user) {
  (void)shape;
  return !mo_body_id_equals(body, *(mo_body_id *)user);
}

// What a query does not look at covers nothing of it.
static void a_refused_tile_covers_nothing(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  mo_body_def def = body_at(-TILE, -TILE, 0, 0.0);
  def.type = MO_BODY_STATIC;
  mo_body_id refused = add_body(world, def, box(TILE, TILE, TILE));
  add_tile(world, MO_BODY_STATIC, TILE, 0.0);
  mo_ray ray = mo_ray_default();
  ray.origin = mo_v3(-2.0, 1.0, 0.0);
  ray.direction = mo_v3(2.0, -1.0 - 1e-9, 0.0);
  ray.filter.predicate = is_no_box;
  ray.filter.user = &refused;
  mo_query_hit hit;
  assert_int_equal(mo_world_cast_ray(world, &ray, &hit), MO_OK);
  assert_vector_near(hit.normal, -1, 0, 0, 0);
  mo_world_destroy(world);
}

// A box that is let down beside a seam by less than round-off would be stopped by the side below
// it.
static void boxes_pass_sides_that_tiles_cover(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  for (int i = -3; i < 3; i++) {
    add_tile(world, MO_BODY_STATIC, 2.0 * TILE * i, i % 2 ? 1e-9 : 0.0);
  }
  mo_shape *slider = box(0.2, 0.2, 0.2);
  mo_shape_cast cast = mo_shape_cast_default();
  cast.shape = slider;
  cast.direction = mo_v3(1, 0, 0);
  cast.pose.position = mo_v3(-2.0, 0.2, 0.0);
  cast.max_distance = 3.0;
  cast.stop_at_penetration = false;
  mo_query_hit hit;
  assert_int_equal(mo_world_cast_shape(world, &cast, &hit), MO_OK);
  assert_true(mo_body_id_is_null(hit.body));
  add_tile(world, MO_BODY_STATIC, 1.0, 0.01);
  assert_int_equal(mo_world_cast_shape(world, &cast, &hit), MO_OK);
  assert_false(mo_body_id_is_null(hit.body));
  assert_near(hit.distance, 2.0 + 1.0 - TILE - 0.2, 1e-9);
  mo_shape_release(slider);
  mo_world_destroy(world);
}

TEST_GROUP(union_hits) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rays_find_neither_sides_nor_ways_between_tiles),
      cmocka_unit_test(what_contacts_move_covers_no_side),
      cmocka_unit_test(a_refused_tile_covers_nothing),
      cmocka_unit_test(boxes_pass_sides_that_tiles_cover),
  };
  return run_group(tests, NULL, NULL);
}
