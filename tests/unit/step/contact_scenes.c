// What bodies in contact do over many steps, at default settings unless said.
#include "test_group.h"
#include "world_fixture.h"

#define DT 0.016

// xorshift: test data that is the same everywhere.
static double uniform(uint64_t *seed, double lower, double upper) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return lower + (upper - lower) * (double)(*seed >> 11) / 9007199254740992.0;
}

// One random box thrown at a plane; the energy after the step in which it hits, over that before.
static double energy_ratio_of_random_impact(uint64_t *seed, double friction, double restitution) {
  mo_world_def settings = acceptance_settings();
  settings.gravity = vec(0, 0, 0);
  settings.iterations = 1000;
  settings.tolerance = 1e-12;
  mo_world *world = make_world(settings);
  mo_result result;
  mo_body_def def = body_at(0, 0, 0, 0);
  def.type = MO_BODY_STATIC;
  def.friction = friction;
  def.restitution = restitution;
  add_body(world, def, mo_shape_create_plane(vec(0, 0, 1), 0.0, &result));
  def = body_at(0, 0, 0.6, 1.0);
  def.friction = friction;
  def.restitution = restitution;
  def.orientation = (mo_quat){uniform(seed, -1, 1), uniform(seed, -1, 1), uniform(seed, -1, 1),
                              uniform(seed, -1, 1)};
  def.linear_velocity = vec(uniform(seed, -2, 2), uniform(seed, -2, 2), -2.0);
  def.angular_velocity = vec(uniform(seed, -5, 5), uniform(seed, -5, 5), uniform(seed, -5, 5));
  add_body(world, def, box(0.5, 0.1 + uniform(seed, 0, 0.4), 0.1));
  double before = mo_world_energy(world).kinetic, after = before;
  for (int i = 0; i < 40 && after == before; i++) {
    double last = after;
    step_many(world, DT, 1);
    after = mo_world_energy(world).kinetic;
    after = fabs(after / last - 1.0) < 1e-12 ? last : after;
  }
  mo_world_destroy(world);
  return after / before;
}

// Newton's restitution with friction can create energy in eccentric impacts; such impacts are
// cured.
static void no_impact_creates_energy(void **state) {
  (void)state;
  uint64_t seed = 0x2545F4914F6CDD1Du;
  int bounced = 0;
  for (int i = 0; i < 2000; i++) {
    double restitution = uniform(&seed, 0.0, 1.0), friction = uniform(&seed, 0.0, 1.5);
    double ratio = energy_ratio_of_random_impact(&seed, friction, restitution);
    assert_true(ratio < 1.0 + 1e-4);
    bounced += ratio > restitution * restitution;
  }
  assert_true(bounced > 500); // the cure leaves most of the restitution
  for (int i = 0; i < 200; i++) {
    assert_true(energy_ratio_of_random_impact(&seed, 0.0, 1.0) < 1.0 + 1e-4);
  }
}

// A prism of 12 sides that rolls: the open corners of its sides must not take the place of those
// that touch.
static void a_rolling_prism_does_not_sink_into_a_plane(void **state) {
  (void)state;
  mo_world_def settings = mo_world_def_default();
  settings.solver = MO_SOLVER_BLOCK_PGS;
  settings.gravity = vec(0, 0, -9.81);
  mo_world *world = make_world(settings);
  mo_result result;
  mo_body_def def = body_at(0, 0, 0, 0);
  def.type = MO_BODY_STATIC;
  add_body(world, def, mo_shape_create_plane(vec(0, 0, 1), 0.0, &result));
  mo_vec3 points[24];
  for (int i = 0; i < 12; i++) {
    double angle = i * 3.14159265358979 / 6.0;
    points[2 * i] = vec(0.1 * cos(angle), -0.5, 0.1 * sin(angle));
    points[2 * i + 1] = vec(0.1 * cos(angle), 0.5, 0.1 * sin(angle));
  }
  mo_hull *hull = NULL;
  assert_int_equal(mo_hull_create(points, 24, &hull), MO_OK);
  def = body_at(0, 0, 0.1, 0);
  def.linear_velocity = vec(1, 0, 0);
  mo_body_id rod = add_body(world, def, mo_shape_create_hull(hull, &result));
  mo_hull_release(hull);
  for (int i = 0; i < 600; i++) {
    step_many(world, 1.0 / 60.0, 1);
    assert_true(mo_world_stats(world).max_penetration < 0.005);
  }
  assert_true(fabs(state_of(world, rod).position.z - 0.1 * cos(3.14159265358979 / 12.0)) < 2e-3);
  assert_true(mo_world_energy(world).kinetic < 1e-6);
  mo_world_destroy(world);
}

// A floor of tiles whose tops are level: their seams must not be felt. (Without the look ahead a
// ball at 6 m/s hops 20 cm and a cube tips.)
static void seams_of_a_tiled_floor_are_not_felt(void **state) {
  (void)state;
  for (int ball = 0; ball < 2; ball++) {
    for (double speed = 0.3; speed < 7.0; speed *= 1.7) {
      mo_world_def settings = mo_world_def_default();
      settings.solver = MO_SOLVER_BLOCK_PGS;
      settings.gravity = vec(0, 0, -9.81);
      mo_world *world = make_world(settings);
      for (int i = 0; i < 15; i++) {
        mo_body_def tile = body_at(2 * i, 0, -0.5, 0);
        tile.type = MO_BODY_STATIC;
        add_body(world, tile, box(1, 1, 0.5));
      }
      double height = ball ? 0.3 : 0.5;
      mo_body_def def = body_at(0.37, 0.1, height, 1.0);
      def.linear_velocity = vec(speed, 0, 0);
      def.angular_velocity = vec(0, ball ? speed / 0.3 : 0, 0);
      mo_body_id body = add_body(world, def, ball ? sphere(0.3) : box(0.5, 0.5, 0.5));
      double expected = speed;
      for (int i = 0; i < 200; i++) {
        step_many(world, 1.0 / 60.0, 1);
        mo_body_state s = state_of(world, body);
        expected = ball ? speed : fmax(0.0, expected - 0.5 * 9.81 / 60.0);
        assert_true(fabs(s.linear_velocity.z) < 5e-3 && fabs(s.position.z - height) < 1e-4);
        assert_true(fabs(s.linear_velocity.x - expected) < 0.01 * speed);
        assert_true(fabs(s.position.y - 0.1) < 1e-5);
      }
      mo_world_destroy(world);
    }
  }
}

// Tall towers at default settings: what projected Gauss-Seidel alone cannot hold.
static void a_tower_of_25_stands(void **state) {
  (void)state;
  mo_world_def settings = mo_world_def_default();
  settings.solver = MO_SOLVER_BLOCK_PGS;
  settings.gravity = vec(0, 0, -9.81);
  mo_world *world = make_world(settings);
  add_floor(world);
  mo_body_id top = MO_NULL_BODY_ID;
  for (int i = 0; i < 25; i++) {
    top = add_body(world, body_at(0, 0, 0.5 + i, 1.0), box(0.5, 0.5, 0.5));
  }
  step_many(world, 1.0 / 60.0, 1200);
  mo_body_state s = state_of(world, top);
  assert_true(hypot(s.position.x, s.position.y) < 1e-3);
  assert_true(fabs(s.position.z - 24.5) < 0.01);
  assert_true(mo_world_energy(world).kinetic < 1e-6);
  mo_world_destroy(world);
}

// A plank that falls flat travels more than its thickness in a step.
static void a_thin_plank_does_not_fall_through_a_thin_floor(void **state) {
  (void)state;
  for (int i = 0; i < 50; i++) {
    mo_world_def settings = mo_world_def_default();
    settings.solver = MO_SOLVER_BLOCK_PGS;
    settings.gravity = vec(0, 0, -9.81);
    mo_world *world = make_world(settings);
    mo_body_def floor = body_at(0, 0, -0.05, 0);
    floor.type = MO_BODY_STATIC;
    add_body(world, floor, box(10, 10, 0.05));
    mo_body_id plank =
        add_body(world, body_at(0, 0, 0.05 + 3.0 + 0.2 * i, 1.0), box(0.5, 0.1, 0.05));
    step_many(world, 1.0 / 60.0, 180);
    assert_true(fabs(state_of(world, plank).position.z - 0.05) < 2e-3);
    mo_world_destroy(world);
  }
}

// Dropped askew: the whole rim must come to rest on the floor, not the lowest few of its corners.
static void discs_of_many_sides_come_to_rest_flat(void **state) {
  (void)state;
  static const int sides[] = {6, 8, 12, 32, 64};
  for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
    mo_world_def settings = mo_world_def_default();
    settings.solver = MO_SOLVER_BLOCK_PGS;
    settings.gravity = vec(0, 0, -9.81);
    mo_world *world = make_world(settings);
    add_floor(world);
    mo_vec3 points[128];
    for (int i = 0; i < sides[k]; i++) {
      double angle = 6.283185307179586 * i / sides[k];
      points[2 * i] = vec(0.4 * cos(angle), 0.4 * sin(angle), -0.05);
      points[2 * i + 1] = vec(0.4 * cos(angle), 0.4 * sin(angle), 0.05);
    }
    mo_hull *hull = NULL;
    mo_result result;
    assert_int_equal(mo_hull_create(points, 2 * (size_t)sides[k], &hull), MO_OK);
    mo_body_def def = body_at(0, 0, 0.75, 0);
    def.orientation = (mo_quat){0.15, 0.05, 0, 1};
    mo_body_id disc = add_body(world, def, mo_shape_create_hull(hull, &result));
    mo_hull_release(hull);
    step_many(world, 1.0 / 60.0, 600);
    assert_true(fabs(state_of(world, disc).position.z - 0.05) < 2e-3);
    assert_true(mo_world_energy(world).kinetic < 1e-9);
    mo_world_destroy(world);
  }
}

// Moving a rod out of an overlap turns it; its spin must not gain by that.
static void removal_of_overlap_leaves_the_energy_of_a_spinning_rod(void **state) {
  (void)state;
  mo_world *world = make_world(row_settings());
  mo_result result;
  mo_body_def def = body_at(0, 0, 0, 0);
  def.type = MO_BODY_STATIC;
  add_body(world, def, mo_shape_create_plane(vec(0, 1, 0), 0.0, &result));
  def = body_at(0, 2.0012, 0, 1.0);
  def.linear_velocity = vec(12.0946, -15.9286, 0);
  def.angular_velocity = vec(5.5526, -11.8408, 13.1518);
  def.orientation = (mo_quat){0.50518, -0.31559, -0.78994, -0.14559};
  add_body(world, def, box(0.05, 1, 0.05));
  double last = mo_world_energy(world).total;
  for (int i = 0; i < 120; i++) {
    step_many(world, 1.0 / 60.0, 1);
    double energy = mo_world_energy(world).total;
    assert_true(energy < last + 0.5); // J: the work of lifting 1 kg out of an overlap of 5 cm
    last = energy;
  }
  mo_world_destroy(world);
}

TEST_GROUP(contact_scenes) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_impact_creates_energy),
      cmocka_unit_test(a_rolling_prism_does_not_sink_into_a_plane),
      cmocka_unit_test(seams_of_a_tiled_floor_are_not_felt),
      cmocka_unit_test(a_tower_of_25_stands),
      cmocka_unit_test(a_thin_plank_does_not_fall_through_a_thin_floor),
      cmocka_unit_test(discs_of_many_sides_come_to_rest_flat),
      cmocka_unit_test(removal_of_overlap_leaves_the_energy_of_a_spinning_rod),
  };
  return run_group(tests, NULL, NULL);
}
