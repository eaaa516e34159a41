#include "test_group.h"
#include "world_fixture.h"

#include <string.h>

#define DT (1.0 / 60.0)

typedef struct car {
  mo_world *world;
  mo_body_id chassis;
  mo_wheel wheels[4];
  mo_wheel_state states[4];
} car;

static car make_car(void) {
  mo_world_def def = mo_world_def_default();
  def.gravity = (mo_vec3){0, 0, -9.81};
  car out = {.world = make_world(def)};
  add_floor(out.world);
  out.chassis = add_body(out.world, body_at(0, 0, 0.85, 1200.0), box(2.0, 0.9, 0.3));
  for (int i = 0; i < 4; i++) {
    out.wheels[i] = mo_wheel_default();
    out.wheels[i].position = (mo_vec3){i < 2 ? 1.4 : -1.4, i % 2 ? -0.8 : 0.8, -0.2};
    out.wheels[i].direction = (mo_vec3){0, 0, -1};
    out.wheels[i].axle = (mo_vec3){0, 1, 0};
  }
  return out;
}

static mo_result update(car *c) {
  mo_vehicle vehicle = {.chassis = c->chassis,
                        .filter = mo_ray_default().filter,
                        .wheels = c->wheels,
                        .wheel_count = 4};
  return mo_vehicle_update(c->world, &vehicle, DT, c->states);
}

static void drive(car *c, int steps) {
  for (int i = 0; i < steps; i++) {
    assert_int_equal(update(c), MO_OK);
    assert_int_equal(mo_world_step(c->world, DT), MO_OK);
  }
}

static void springs_bear_the_weight(void **state) {
  (void)state;
  car c = make_car();
  drive(&c, 300);
  for (int i = 0; i < 4; i++) {
    assert_true(c.states[i].is_in_contact);
    assert_float_equal(c.states[i].suspension_force, 1200.0 * 9.81 / 4.0, 1.0);
    assert_float_equal(c.states[i].suspension_length, 0.3 - 1200.0 * 9.81 / 4.0 / 30000.0, 1e-4);
    assert_float_equal(c.states[i].contact_point.z, 0.0, 1e-9);
  }
  mo_world_destroy(c.world);
}

static void a_strut_stops_at_its_shortest_length(void **state) {
  (void)state;
  car c = make_car();
  for (int i = 0; i < 4; i++) {
    c.wheels[i].stiffness = 0.0;
    c.wheels[i].travel = 0.1;
  }
  drive(&c, 300);
  for (int i = 0; i < 4; i++) {
    assert_float_equal(c.states[i].suspension_length, 0.2, 1e-3);
  }
  mo_world_destroy(c.world);
}

static void bad_wheels_are_refused_and_push_nothing(void **state) {
  (void)state;
  car c = make_car();
  drive(&c, 10);
  uint64_t hash = mo_world_hash(c.world);
  mo_wheel good = c.wheels[3];
  c.wheels[3].brake = -1.0;
  assert_int_equal(update(&c), MO_ERROR_INVALID_ARGUMENT);
  assert_non_null(strstr(mo_world_last_error(c.world), "wheel.brake"));
  c.wheels[3] = good;
  c.wheels[3].anti_roll_wheel = 4;
  assert_int_equal(update(&c), MO_ERROR_INVALID_ARGUMENT);
  c.wheels[3] = good;
  c.wheels[3].axle = c.wheels[3].direction;
  assert_int_equal(update(&c), MO_ERROR_INVALID_ARGUMENT);
  c.wheels[3] = good;
  c.wheels[3].engine_force = (double)NAN;
  assert_int_equal(update(&c), MO_ERROR_INVALID_ARGUMENT);
  c.wheels[3] = good;
  assert_true(mo_world_hash(c.world) == hash);
  assert_int_equal(mo_body_destroy(c.world, c.chassis), MO_OK);
  assert_int_equal(update(&c), MO_ERROR_STALE_HANDLE);
  mo_world_destroy(c.world);
}

// Looks at what queries of the world have their memory for.
static bool look_around(mo_body_id body, uint32_t shape, void *user) {
  (void)body;
  (void)shape;
  mo_world *world = user;
  mo_island islands[8];
  mo_contact_point points[8];
  (void)mo_world_islands(world, islands, 8);
  (void)mo_world_contact_points(world, points, 8);
  (void)mo_world_residual(world);
  mo_vehicle none = {.chassis = body};
  assert_int_equal(mo_vehicle_update(world, &none, DT, NULL), MO_ERROR_WORLD_LOCKED);
  return true;
}

static void a_predicate_that_reads_the_world_changes_nothing(void **state) {
  (void)state;
  car quiet = make_car(), nosy = make_car();
  for (int step = 0; step < 60; step++) {
    mo_vehicle vehicle = {.chassis = nosy.chassis,
                          .filter = mo_ray_default().filter,
                          .wheels = nosy.wheels,
                          .wheel_count = 4};
    vehicle.filter.predicate = look_around;
    vehicle.filter.user = nosy.world;
    assert_int_equal(mo_vehicle_update(nosy.world, &vehicle, DT, nosy.states), MO_OK);
    assert_int_equal(mo_world_step(nosy.world, DT), MO_OK);
    drive(&quiet, 1);
    assert_true(mo_world_hash(quiet.world) == mo_world_hash(nosy.world));
  }
  mo_world_destroy(quiet.world);
  mo_world_destroy(nosy.world);
}

TEST_GROUP(vehicle) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(springs_bear_the_weight),
      cmocka_unit_test(a_strut_stops_at_its_shortest_length),
      cmocka_unit_test(bad_wheels_are_refused_and_push_nothing),
      cmocka_unit_test(a_predicate_that_reads_the_world_changes_nothing),
  };
  return run_group(tests, NULL, NULL);
}
