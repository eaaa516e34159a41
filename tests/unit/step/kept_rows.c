/// Steps at rest that go on with the rows of the step before, and what ends that.
#include "test_group.h"
#include "world_fixture.h"

#include "world/world.h"

static const double dt = 1.0 / 60.0;

typedef struct tower {
  mo_world *world;
  mo_body_id floor, lower, upper;
} tower;

// Two cubes on each other and on a slab, at rest, whose rows are kept by now.
static tower make_tower(void) {
  mo_world_def settings = row_settings();
  settings.gravity = vec(0, 0, -9.81);
  settings.allow_sleep = false;
  tower t = {.world = make_world(settings)};
  mo_body_def slab = body_at(0, 0, -0.5, 0);
  slab.type = MO_BODY_STATIC;
  t.floor = add_body(t.world, slab, box(50, 50, 0.5));
  t.lower = add_body(t.world, body_at(0, 0, 0.5, 1), box(0.5, 0.5, 0.5));
  t.upper = add_body(t.world, body_at(0.1, 0, 1.5, 1), box(0.5, 0.5, 0.5));
  step_many(t.world, dt, 30);
  assert_true(t.world->kept.is_valid);
  return t;
}

static double height(const mo_world *world, mo_body_id body) {
  return state_of(world, body).position.z;
}

static void a_tower_keeps_its_rows_and_stands(void **state) {
  (void)state;
  tower t = make_tower();
  double lower = height(t.world, t.lower), upper = height(t.world, t.upper);
  for (int i = 0; i < 600; i++) {
    assert_int_equal(mo_world_step(t.world, dt), MO_OK);
    assert_true(t.world->kept.is_valid);
  }
  assert_true(fabs(height(t.world, t.lower) - lower) < 1e-10);
  assert_true(fabs(height(t.world, t.upper) - upper) < 1e-10);
  assert_true(mo_world_residual(t.world).worst < 1e-8);
  assert_int_equal(mo_world_stats(t.world).contact_points, 8);
  mo_world_destroy(t.world);
}

static void a_cube_on_a_plane_keeps_its_rows(void **state) {
  (void)state;
  mo_world_def settings = row_settings();
  settings.gravity = vec(0, 0, -9.81);
  settings.allow_sleep = false;
  mo_world *world = make_world(settings);
  mo_body_def ground = body_at(0, 0, 0, 0);
  ground.type = MO_BODY_STATIC;
  mo_result result;
  add_body(world, ground, mo_shape_create_plane(vec(0, 0, 1), 0.0, &result));
  add_body(world, body_at(0, 0, 0.5, 1), box(0.5, 0.5, 0.5));
  step_many(world, dt, 30);
  assert_true(world->kept.is_valid);
  assert_true(mo_world_residual(world).worst < 1e-8);
  mo_world_destroy(world);
}

// --- what ends it ------------------------------------------------------------------------------

static void take_lower_away(tower *t) { mo_body_destroy(t->world, t->lower); }
static void put_lower_elsewhere(tower *t) {
  mo_body_set_position(t->world, t->lower, vec(5, 0, 0.5));
}
static void let_lower_through(tower *t) {
  mo_body_set_filter(t->world, t->upper, (mo_filter){.category = 2, .mask = 0});
}
static void turn_gravity_off(tower *t) {
  mo_world_def settings = mo_world_get_settings(t->world);
  settings.gravity = vec(0, 0, 9.81);
  mo_world_set_settings(t->world, &settings);
}
static void push_lower_out(tower *t) {
  mo_body_apply_impulse(t->world, t->lower, vec(30, 0, 0), NULL);
}
static void free_upper(tower *t) {
  mo_body_set_type(t->world, t->lower, MO_BODY_KINEMATIC);
  mo_body_set_linear_velocity(t->world, t->lower, vec(0, 0, -1));
}
static void grease_and_pull(tower *t) {
  mo_body_set_friction(t->world, t->lower, 0.0);
  mo_body_set_linear_velocity(t->world, t->upper, vec(0.5, 0, 0));
}
static void move_center(tower *t) {
  mo_body_set_center_of_mass(t->world, t->upper, vec(0.49, 0, 0));
}

static void edits_are_seen(void **state) {
  (void)state;
  void (*const edits[])(tower *) = {take_lower_away,  put_lower_elsewhere, let_lower_through,
                                    turn_gravity_off, push_lower_out,      free_upper,
                                    grease_and_pull,  move_center};
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
    tower t = make_tower();
    double before = height(t.world, t.upper);
    edits[i](&t);
    step_many(t.world, dt, 150);
    assert_true(fabs(height(t.world, t.upper) - before) > 0.2);
    mo_world_destroy(t.world);
  }
}

static double load_on(mo_world *world, mo_body_id body_a) {
  mo_contact_point points[32];
  uint32_t count = mo_world_contact_points(world, points, 32);
  double sum = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    sum += mo_body_id_equals(points[i].body_a, body_a) ? points[i].normal_impulse / dt : 0.0;
  }
  return sum;
}

static void mass_force_and_gravity_change_the_load(void **state) {
  (void)state;
  tower t = make_tower();
  assert_true(fabs(load_on(t.world, t.floor) - 2 * 9.81) < 1e-6);
  mo_body_apply_force(t.world, t.upper, vec(0, 0, -1e-4), NULL);
  step_many(t.world, dt, 1);
  assert_true(t.world->kept.is_valid);
  assert_true(fabs(load_on(t.world, t.floor) - 2 * 9.81 - 1e-4) < 1e-6);
  mo_body_set_mass(t.world, t.upper, 2.0);
  step_many(t.world, dt, 10);
  assert_true(fabs(load_on(t.world, t.floor) - 3 * 9.81) < 1e-6);
  mo_body_set_gravity_scale(t.world, t.upper, 0.0);
  step_many(t.world, dt, 10);
  assert_true(fabs(load_on(t.world, t.floor) - 9.81) < 1e-6);
  mo_world_destroy(t.world);
}

// --- motion that is slow -------------------------------------------------------------------------

// Gaps follow a floor that rises and tilts by less than a step would notice.
static void a_cube_goes_with_a_floor_that_creeps(void **state) {
  (void)state;
  mo_world_def settings = row_settings();
  settings.gravity = vec(0, 0, -9.81);
  mo_world *world = make_world(settings);
  mo_body_def slab = body_at(0, 0, -0.5, 0);
  slab.type = MO_BODY_KINEMATIC;
  slab.linear_velocity = vec(0, 0, 2e-4);
  slab.angular_velocity = vec(0, 2e-4, 0);
  mo_body_id floor = add_body(world, slab, box(2, 2, 0.5));
  mo_body_id cube = add_body(world, body_at(1, 0, 0.5, 1), box(0.5, 0.5, 0.5));
  int kept = 0;
  for (int i = 0; i < 600; i++) {
    assert_int_equal(mo_world_step(world, dt), MO_OK);
    kept += world->kept.is_valid;
    mo_body_state on = state_of(world, cube), under = state_of(world, floor);
    double turn = 2.0 * under.orientation.y, tilt = 2.0 * on.orientation.y - turn;
    double gap = on.position.z - 0.5 - (under.position.z + 0.5 - turn * on.position.x);
    assert_true(fabs(tilt) < 1e-6);
    assert_true(fabs(gap) < 3e-6); // of which the cosine of the turn takes 1e-6
    assert_true(mo_world_stats(world).max_penetration < 2e-6);
  }
  assert_true(kept > 500);
  mo_world_destroy(world);
}

// A step that is refused takes nothing with it, and read-outs change nothing.
static void a_refused_step_leaves_the_rows_as_they_were(void **state) {
  (void)state;
  tower a = make_tower(), b = make_tower();
  mo_residual before = mo_world_residual(a.world);
  mo_body_apply_force(a.world, a.upper, vec(1.7e308, 0, 0), NULL);
  assert_int_equal(mo_world_step(a.world, 1e300), MO_ERROR_NOT_FINITE);
  assert_true(mo_world_residual(a.world).worst == before.worst);
  mo_body_clear_forces(a.world, a.upper);
  for (int i = 0; i < 100; i++) {
    assert_int_equal(mo_world_step(a.world, dt), MO_OK);
    assert_int_equal(mo_world_step(b.world, dt), MO_OK);
    assert_true(mo_world_hash(a.world) == mo_world_hash(b.world));
  }
  mo_world_destroy(a.world);
  mo_world_destroy(b.world);
}

TEST_GROUP(kept_rows) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_tower_keeps_its_rows_and_stands),
      cmocka_unit_test(a_cube_on_a_plane_keeps_its_rows),
      cmocka_unit_test(edits_are_seen),
      cmocka_unit_test(mass_force_and_gravity_change_the_load),
      cmocka_unit_test(a_cube_goes_with_a_floor_that_creeps),
      cmocka_unit_test(a_refused_step_leaves_the_rows_as_they_were),
  };
  return run_group(tests, NULL, NULL);
}
