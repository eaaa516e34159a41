#include "collision_oracle.h"
#include "test_group.h"
#include "world_fixture.h"

#define DT 0.016

static mo_body_id add_static(mo_world *world, mo_vec3 at, mo_shape *shape) {
  mo_body_def def = body_at(at.x, at.y, at.z, 0.0);
  def.type = MO_BODY_STATIC;
  return add_body(world, def, shape);
}

static mo_character_def upright(const mo_shape *shape) {
  mo_character_def def = mo_character_def_default();
  def.shape = shape;
  def.up = vec(0, 0, 1);
  return def;
}

// Its feet are on the floor, with a gap of the offset.
static mo_character character_at(double x) {
  return (mo_character){.position = vec(x, 0, 0.91), .orientation = {sqrt(0.5), 0, 0, sqrt(0.5)}};
}

static mo_shape *mesh_of_square(void) {
  const mo_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
  mo_mesh_def def = {.vertices = corners, .vertex_count = 4, .indices = indices, .index_count = 6};
  mo_result result;
  return mo_shape_create_mesh(&def, &result);
}

// Two balls that are apart.
static mo_shape *compound_of_two(void) {
  mo_placed_shape parts[2] = {place(sphere(0.3)), place(sphere(0.3))};
  parts[1].pose.position = vec(2, 0, 0);
  mo_result result;
  mo_shape *compound = mo_shape_create_compound(parts, 2, &result);
  mo_shape_release(parts[0].shape);
  mo_shape_release(parts[1].shape);
  return compound;
}

static void walk(mo_world *world, const mo_character_def *def, mo_character *character, double x,
                 double y, int steps) {
  for (int i = 0; i < steps; i++) {
    assert_int_equal(mo_character_move(world, def, character, vec(x * DT, y * DT, 0), DT, NULL),
                     MO_OK);
    assert_true(character->grounded);
  }
}

static void walks_up_a_step_and_down_again(void **state) {
  (void)state;
  mo_world *world = make_world(acceptance_settings());
  add_floor(world);
  add_static(world, vec(2, 0, 0.1), box(1, 1, 0.1));
  mo_result result;
  mo_shape *capsule = mo_shape_create_capsule(0.3, 0.6, &result);
  mo_character_def def = upright(capsule);
  mo_character character = character_at(0);
  walk(world, &def, &character, 2, 0, 62);
  assert_near(character.position.z, 1.11, 0.01);
  walk(world, &def, &character, 2, 0, 62);
  assert_near(character.position.z, 0.91, 1e-6);
  // On an edge its round foot goes along an arc, at its speed: that costs 4 cm up and down again.
  assert_near(character.position.x, 4.0, 0.1);
  mo_shape_release(capsule);
  mo_world_destroy(world);
}

// Casts at the second of them reach just as far as the first is. Its way with one of them, or with
// many, is the same to the bit, as it walks up, along the edge and back.
static void steps_at_one_place_are_one_step(void **state) {
  (void)state;
  mo_result result;
  mo_shape *capsule = mo_shape_create_capsule(0.3, 0.6, &result);
  mo_character_def def = upright(capsule);
  const int counts[4] = {1, 4, 16, 40};
  mo_vec3 places[4];
  for (int k = 0; k < 4; k++) {
    mo_world *world = make_world(acceptance_settings());
    add_floor(world);
    for (int i = 0; i < counts[k]; i++) {
      add_static(world, vec(1, 0, 0.1), box(0.5, 0.5, 0.1));
    }
    mo_character character = character_at(0);
    walk(world, &def, &character, 3, 0, 20);
    walk(world, &def, &character, -0.4, 3, 12);
    walk(world, &def, &character, -3, -2, 40);
    places[k] = character.position;
    assert_memory_equal(&places[k], &places[0], sizeof places[0]);
    mo_world_destroy(world);
  }
  mo_shape_release(capsule);
}

static void stands_still_in_a_corner(void **state) {
  (void)state;
  mo_world *world = make_world(acceptance_settings());
  add_floor(world);
  add_static(world, vec(2, 0, 1), box(1, 5, 1));
  add_static(world, vec(0, 3, 1), box(5, 1, 1));
  mo_result result;
  mo_shape *capsule = mo_shape_create_capsule(0.3, 0.6, &result);
  mo_character_def def = upright(capsule);
  mo_character character = character_at(0);
  walk(world, &def, &character, 2, 3, 100);
  mo_vec3 corner = character.position;
  assert_near(corner.x, 0.69, 1e-3);
  assert_near(corner.y, 1.69, 1e-3);
  walk(world, &def, &character, 2, 3, 50);
  assert_vector_near(character.position, corner.x, corner.y, corner.z, 1e-6);
  mo_shape_release(capsule);
  mo_world_destroy(world);
}

// Of more shapes than a move keeps the trees are searched instead, with the same answers.
static void what_lies_below_the_floor_does_not_count(void **state) {
  (void)state;
  mo_result result;
  mo_shape *capsule = mo_shape_create_capsule(0.3, 0.6, &result);
  mo_character_def def = upright(capsule);
  mo_character ends[2];
  for (int crowded = 0; crowded < 2; crowded++) {
    mo_world *world = make_world(acceptance_settings());
    add_floor(world);
    add_static(world, vec(2, 0, 0.1), box(1, 1, 0.1));
    add_static(world, vec(4, 3, 1), box(1, 5, 1));
    for (int i = 0; crowded && i < 400; i++) {
      add_static(world, vec(-1.0 + 0.01 * i, 0, -0.2), box(0.5, 2, 0.1));
    }
    ends[crowded] = character_at(0);
    walk(world, &def, &ends[crowded], 2, 0.5, 100);
    mo_world_destroy(world);
  }
  assert_near(ends[0].position.x, 2.69, 1e-3); // at the wall, on the step
  assert_near(ends[0].position.z, 1.11, 1e-3);
  mo_vec3 alone = ends[0].position;
  assert_vector_near(ends[1].position, alone.x, alone.y, alone.z, 0.0);
  mo_shape_release(capsule);
}

// A platform takes it much further than its own move leads, to a wall far from where it was.
static void a_fast_platform_carries_it_to_a_wall(void **state) {
  (void)state;
  mo_world *world = make_world(acceptance_settings());
  mo_body_id platform = add_static(world, vec(0, 0, -0.5), box(20, 20, 0.5));
  add_static(world, vec(8, 0, 1), box(1, 5, 1));
  mo_result result;
  mo_shape *capsule = mo_shape_create_capsule(0.3, 0.6, &result);
  mo_character_def def = upright(capsule);
  mo_character character = character_at(0);
  walk(world, &def, &character, 0, 0, 2);
  assert_int_equal(mo_body_set_position(world, platform, vec(9, 0, -0.5)), MO_OK);
  walk(world, &def, &character, 0, 0, 1);
  assert_near(character.position.x, 6.69, 1e-9);
  mo_shape_release(capsule);
  mo_world_destroy(world);
}

static void refused_moves_change_nothing(void **state) {
  (void)state;
  mo_world *world = make_world(acceptance_settings());
  add_floor(world);
  mo_shape *ball = sphere(0.9);
  mo_character_def good = upright(ball);
  mo_character character = character_at(0);
#define REFUSED(change, x, dt, text)                                                               \
  do {                                                                                             \
    mo_character_def def = good;                                                                   \
    change;                                                                                        \
    assert_int_equal(mo_character_move(world, &def, &character, vec(x, 0, 0), dt, NULL),           \
                     MO_ERROR_INVALID_ARGUMENT);                                                   \
    assert_string_equal(mo_world_last_error(world), "mo_character_move: " text);                   \
    assert_vector_near(character.position, 0, 0, 0.91, 0.0);                                       \
  } while (0)
  REFUSED(def.shape = NULL, 0.1, DT, "shape must be there, and not a plane");
  mo_shape *surface = mesh_of_square();
  REFUSED(def.shape = surface, 0.1, DT,
          "shape must have an inside: it cannot be a mesh or heightfield");
  mo_shape_release(surface);
  mo_shape *pair = compound_of_two();
  REFUSED(def.shape = pair, 0.1, DT, "shape must be convex: it cannot be a compound of several");
  mo_shape_release(pair);
  REFUSED(def.up = vec(0, 0, 0), 0.1, DT, "up must not be zero, got [0, 0, 0]");
  REFUSED(def.step_height = -1, 0.1, DT, "step_height must be finite, 0 or more, got -1");
  REFUSED(def.slope_limit = 2, 0.1, DT, "slope_limit must be 0 to pi/2, got 2");
  REFUSED(def.slide_angle = 0.5, 0.1, DT, "slide_angle must be slope_limit to pi/2, got 0.5");
  REFUSED((void)def, NAN, DT, "displacement must be finite, got [NaN, 0, 0]");
  REFUSED((void)def, 1e80, DT, "displacement must be at most 1e75 m, got [1e80, 0, 0]");
  REFUSED(def.offset = 1e80, 0.1, DT, "offset must be at most 1e75 m, got 1e80");
  REFUSED((void)def, 0.1, 1e-80, "dt must be at least 1e-75 s, got 1e-80");
  mo_shape_release(ball);
  mo_world_destroy(world);
}

TEST_GROUP(character) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(walks_up_a_step_and_down_again),
      cmocka_unit_test(steps_at_one_place_are_one_step),
      cmocka_unit_test(stands_still_in_a_corner),
      cmocka_unit_test(what_lies_below_the_floor_does_not_count),
      cmocka_unit_test(a_fast_platform_carries_it_to_a_wall),
      cmocka_unit_test(refused_moves_change_nothing),
  };
  return run_group(tests, NULL, NULL);
}
