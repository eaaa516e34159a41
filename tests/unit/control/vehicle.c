#include "assert_near.h"
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

// --- ground that is carried ------------------------------------------------------------------

// A car of a tonne that stands on a plate with its brakes on.
static car stand_on(mo_world *world, mo_vec3 plate) {
  car out = {.world = world};
  out.chassis = add_body(world, body_at(plate.x, plate.y, plate.z + 0.9, 1000.0), box(2, 0.9, 0.3));
  for (int i = 0; i < 4; i++) {
    out.wheels[i] = mo_wheel_default();
    out.wheels[i].position = (mo_vec3){i < 2 ? 1.5 : -1.5, i % 2 ? -0.8 : 0.8, 0.0};
    out.wheels[i].direction = (mo_vec3){0, 0, -1};
    out.wheels[i].axle = (mo_vec3){0, 1, 0};
    out.wheels[i].stiffness = 40000.0;
    out.wheels[i].compression = out.wheels[i].relaxation = 4000.0;
    out.wheels[i].brake = 5000.0;
  }
  return out;
}

static void drive_by(car *c, double dt, double seconds) {
  mo_vehicle vehicle = {c->chassis, mo_ray_default().filter, c->wheels, 4};
  for (int i = 0; i < (int)(seconds / dt); i++) {
    assert_int_equal(mo_vehicle_update(c->world, &vehicle, dt, c->states), MO_OK);
    assert_int_equal(mo_world_step(c->world, dt), MO_OK);
  }
}

static void bears(const car *c, double weight) {
  for (int i = 0; i < 4; i++) {
    assert_true(c->states[i].is_in_contact);
    assert_near(c->states[i].suspension_length, 0.3 - weight / 4.0 / 40000.0, 0.0024);
    assert_near(c->states[i].suspension_force, weight / 4.0, 0.0025 * weight);
  }
}

static const mo_solver solvers[] = {MO_SOLVER_SOFT_STEP, MO_SOLVER_BLOCK_PGS, MO_SOLVER_EXACT};

static void stands_on_a_slab(mo_solver solver, double mass, double slope, double dt) {
  mo_world_def def = mo_world_def_default();
  def.solver = solver;
  def.gravity = (mo_vec3){-9.81 * sin(slope), 0, -9.81 * cos(slope)};
  mo_world *world = make_world(def);
  add_floor(world);
  mo_body_def slab = body_at(0, 0, 0.2, mass);
  slab.friction = 1.0;
  mo_body_id ground = add_body(world, slab, box(5, 5, 0.2));
  car c = stand_on(world, (mo_vec3){0, 0, 0.4});
  drive_by(&c, dt, 3.0);
  double before = state_of(world, c.chassis).position.x - state_of(world, ground).position.x;
  drive_by(&c, dt, 5.0);
  double after = state_of(world, c.chassis).position.x - state_of(world, ground).position.x;
  assert_near(after, before, 1e-4);
  if (slope == 0.0) {
    bears(&c, 9810.0);
  }
  mo_world_destroy(world);
}

static void a_slab_that_rests_carries_as_the_floor_does(void **state) {
  (void)state;
  for (int s = 0; s < 3; s++) {
    stands_on_a_slab(solvers[s], 2000.0, 0.0, DT);
    stands_on_a_slab(solvers[s], 2000.0, 0.2, DT);
    stands_on_a_slab(solvers[s], 50000.0, 0.2, DT);
    stands_on_a_slab(solvers[s], 2000.0, 0.2, 2.0 * DT);
    stands_on_a_slab(solvers[s], 100.0, 0.2, DT);
  }
}

static void a_platform_on_a_spring_carries_it(void **state) {
  (void)state;
  for (int s = 0; s < 3; s++) {
    mo_world_def def = mo_world_def_default();
    def.solver = solvers[s];
    def.gravity = (mo_vec3){0, 0, -9.81};
    mo_world *world = make_world(def);
    mo_body_id platform = add_body(world, body_at(0, 0, 2, 2000.0), box(5, 5, 0.2));
    mo_constraint_def lift = mo_constraint_def_default(MO_CONSTRAINT_SLIDER);
    lift.body_b = platform;
    lift.anchor_a = (mo_vec3){0, 0, 2};
    lift.axis_a = lift.axis_b = (mo_vec3){0, 0, 1};
    lift.drives[0].spring = (mo_spring){.stiffness = 2e5, .damping_coefficient = 2e4};
    assert_false(mo_constraint_id_is_null(mo_constraint_create(world, &lift)));
    car c = stand_on(world, (mo_vec3){0, 0, 2.2});
    drive_by(&c, DT, 10.0);
    bears(&c, 9810.0);
    assert_near(state_of(world, platform).position.z, 2.0 - 3000.0 * 9.81 / 2e5, 2e-3);
    mo_world_destroy(world);
  }
}

// In free fall nothing carries the slab, and the springs push both apart by equal impulses.
static void what_falls_with_it_carries_nothing(void **state) {
  (void)state;
  mo_world_def def = mo_world_def_default();
  def.gravity = (mo_vec3){0, 0, -9.81};
  mo_world *world = make_world(def);
  mo_body_id slab = add_body(world, body_at(0, 0, 100, 2000.0), box(5, 5, 0.2));
  car c = stand_on(world, (mo_vec3){0, 0, 100.2});
  drive_by(&c, DT, 1.0);
  double momentum = 2000.0 * state_of(world, slab).linear_velocity.z +
                    1000.0 * state_of(world, c.chassis).linear_velocity.z;
  assert_near(momentum, -3000.0 * 9.81, 1e-6 * 3000.0 * 9.81);
  assert_false(c.states[0].is_in_contact && c.states[0].suspension_force > 1.0);
  mo_world_destroy(world);
}

TEST_GROUP(vehicle) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(springs_bear_the_weight),
      cmocka_unit_test(a_strut_stops_at_its_shortest_length),
      cmocka_unit_test(bad_wheels_are_refused_and_push_nothing),
      cmocka_unit_test(a_predicate_that_reads_the_world_changes_nothing),
      cmocka_unit_test(a_slab_that_rests_carries_as_the_floor_does),
      cmocka_unit_test(a_platform_on_a_spring_carries_it),
      cmocka_unit_test(what_falls_with_it_carries_nothing),
  };
  return run_group(tests, NULL, NULL);
}
