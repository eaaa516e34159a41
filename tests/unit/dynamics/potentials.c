#include "dynamics/potential.h"
#include "test_group.h"
#include "world_fixture.h"

// --- force and torque against the gradient of the energy (E16) -------------------------------

static uint32_t random_state;

// -1 to 1, the same in every run.
static double random_number(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return (double)(random_state >> 8) / 8388608.0 - 1.0;
}

static mo_vec3 random_vec(double size) {
  double x = random_number(), y = random_number(), z = random_number();
  return vec(size * x, size * y, size * z);
}

// A body in a random pose, asymmetric, with its centre of mass off its origin.
static mo_potential_body random_body(mo_vec3 center_of_mass) {
  mo_quat q = {random_number(), random_number(), random_number(), random_number()};
  mo_motion motion = {.position = random_vec(2.0), .orientation = mo_quat_normalize(q)};
  mo_motion_update_center(&motion, center_of_mass);
  mo_mass mass = {.mass = 2.5, .inertia = {{1.0, 0.1, -0.05}, {0.1, 2.2, 0.2}, {-0.05, 0.2, 2.5}}};
  return mo_potential_body_from(mo_body_id_load(1), &mass, &motion);
}

// The body moved by dx and turned by dtheta (world axes) about its centre of mass.
static mo_potential_body displaced(const mo_potential_body *body, mo_vec3 dx, mo_vec3 dtheta) {
  mo_potential_body moved = *body;
  mo_quat turn = mo_quat_exp(dtheta);
  moved.center_of_mass = mo_add(body->center_of_mass, dx);
  moved.orientation = mo_quat_mul(turn, body->orientation);
  mo_vec3 arm = mo_sub(body->position, body->center_of_mass);
  moved.position = mo_add(moved.center_of_mass, mo_quat_rotate(turn, arm));
  return moved;
}

static double energy_of(const mo_potential_def *def, const mo_potential_body *a,
                        const mo_potential_body *b) {
  double energy = 0.0;
  assert_true(
      mo_potential_kind_of(def->type)->energy(def, a, b, &(mo_potential_scene){0}, &energy));
  return energy;
}

static mo_vec3 axis(int i, double length) {
  return vec(i == 0 ? length : 0.0, i == 1 ? length : 0.0, i == 2 ? length : 0.0);
}

// Minus the gradient of the energy by central differences, for the first or the second body.
static mo_wrench gradient_wrench(const mo_potential_def *def, const mo_potential_body *a,
                                 const mo_potential_body *b, bool of_b) {
  const double h = 1e-5;
  double slope[6];
  for (int i = 0; i < 6; i++) {
    double energy[2];
    for (int side = 0; side < 2; side++) {
      mo_vec3 d = axis(i % 3, side == 0 ? h : -h), none = mo_v3_zero();
      mo_potential_body moved = displaced(of_b ? b : a, i < 3 ? d : none, i < 3 ? none : d);
      energy[side] = of_b ? energy_of(def, a, &moved) : energy_of(def, &moved, b);
    }
    slope[i] = -(energy[0] - energy[1]) / (2.0 * h);
  }
  return (mo_wrench){vec(slope[0], slope[1], slope[2]), vec(slope[3], slope[4], slope[5])};
}

static void assert_close(mo_vec3 a, mo_vec3 b, double scale) {
  assert_true(mo_distance_between(a, b) <= 1e-8 * scale);
}

static void check_gradient(const mo_potential_def *def) {
  mo_vec3 local = vec(0.2, -0.1, 0.3);
  for (int i = 0; i < 200; i++) {
    mo_potential_body a = random_body(local), b = random_body(mo_v3_zero());
    bool is_pair = mo_potential_kind_of(def->type)->is_pair && i % 2 == 0;
    mo_wrench on_a = {0}, on_b = {0};
    assert_true(mo_potential_kind_of(def->type)->wrench(
        def, &a, is_pair ? &b : NULL, &(mo_potential_scene){0}, &on_a, is_pair ? &on_b : NULL));
    mo_wrench expected = gradient_wrench(def, &a, is_pair ? &b : NULL, false);
    double scale = 1.0 + mo_length(on_a.force) + mo_length(on_a.torque) +
                   fabs(energy_of(def, &a, is_pair ? &b : NULL));
    assert_close(on_a.force, expected.force, scale);
    assert_close(on_a.torque, expected.torque, scale);
    if (is_pair) {
      expected = gradient_wrench(def, &a, &b, true);
      assert_close(on_b.force, expected.force, scale);
      assert_close(on_b.torque, expected.torque, scale);
    }
  }
}

static void forces_and_torques_are_minus_the_gradient_of_the_energy(void **state) {
  (void)state;
  mo_potential_def gravity = mo_potential_def_default(MO_POTENTIAL_GRAVITY);
  gravity.gravity = vec(1, -9, 3);
  mo_potential_def point = mo_potential_def_default(MO_POTENTIAL_POINT_GRAVITY);
  point.center = vec(4, 5, -3);
  point.mu = 7.0;
  mo_potential_def softened = point;
  softened.center = vec(0.1, 0.2, 0.3); // among the bodies
  softened.softening = 0.7;
  mo_potential_def tidal = point;
  tidal.type = MO_POTENTIAL_TIDAL;
  mo_potential_def uniform = mo_potential_def_default(MO_POTENTIAL_MAGNETIC);
  uniform.moment = vec(1, -2, 0.5);
  uniform.field = vec(0.3, 0.4, -1.2);
  mo_potential_def dipole = uniform;
  dipole.center = vec(4, 5, -3);
  dipole.source_moment = vec(3e9, -1e9, 2e9);
  mo_potential_def spring = mo_potential_def_default(MO_POTENTIAL_SPRING);
  spring.anchor_a = vec(0.5, 0.1, -0.4);
  spring.anchor_b = vec(-3.2, 3.3, 0.1);
  spring.stiffness = 11.0;
  spring.rest_length = 0.8;
  const mo_potential_def *defs[] = {&gravity, &point,  &softened, &tidal,
                                    &uniform, &dipole, &spring};
  random_state = 7;
  for (size_t i = 0; i < sizeof defs / sizeof *defs; i++) {
    check_gradient(defs[i]);
  }
}

// Numbers by hand, so that force and energy cannot be wrong together.
static void known_values(void **state) {
  (void)state;
  mo_mass mass = {.mass = 2.0, .inertia = mo_mat3_diagonal(1, 2, 3)};
  mo_motion motion = {.orientation = mo_quat_exp(vec(0, 0, MO_PI / 4))};
  motion.center_of_mass = motion.position = vec(2, 0, 0);
  mo_potential_body body = mo_potential_body_from(mo_body_id_load(1), &mass, &motion);
  mo_wrench w = {0};

  mo_potential_def def = mo_potential_def_default(MO_POTENTIAL_POINT_GRAVITY);
  def.mu = 10.0;
  assert_true(mo_potential_point_gravity.wrench(&def, &body, NULL, 0, &w, NULL));
  assert_true(mo_distance_between(w.force, vec(-5, 0, 0)) < 1e-14); // 10 * 2 / 4
  assert_true(fabs(energy_of(&def, &body, NULL) + 10.0) < 1e-14);   // -10 * 2 / 2

  // n = x, I = R diag(1,2,3) R^T with R a quarter pi about z: I n = (1.5, -0.5, 0).
  def.type = MO_POTENTIAL_TIDAL;
  assert_true(mo_potential_tidal.wrench(&def, &body, NULL, 0, &w, NULL));
  assert_true(mo_distance_between(w.torque, vec(0, 0, 3.0 * 10.0 / 8.0 * -0.5)) < 1e-14);
  assert_true(fabs(energy_of(&def, &body, NULL) + 10.0 / 16.0 * (6.0 - 4.5)) < 1e-14);

  // The field on the axis of a dipole M at distance r: 2e-7 M / r^3.
  def = mo_potential_def_default(MO_POTENTIAL_MAGNETIC);
  def.source_moment = vec(4e7, 0, 0);
  def.moment = vec(0, sqrt(2.0), 0); // (-1, 1, 0) in the world
  assert_true(mo_potential_magnetic.wrench(&def, &body, NULL, 0, &w, NULL));
  assert_true(mo_distance_between(w.torque, vec(0, 0, -1.0)) < 1e-14); // m x B, B = (1, 0, 0)
  assert_true(fabs(energy_of(&def, &body, NULL) - 1.0) < 1e-14);
}

// --- in a world ------------------------------------------------------------------------------

static mo_world *empty_world(void) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = MO_SOLVER_BLOCK_PGS;
  settings.gravity = vec(0, 0, 0);
  return make_world(settings);
}

// A60
static void gravity_potential_of_10_kg_at_100_m(void **state) {
  (void)state;
  mo_world *world = empty_world();
  mo_body_id body = add_body(world, body_at(0, 0, 100, 10), sphere(0.5));
  mo_potential_def def = mo_potential_def_default(MO_POTENTIAL_GRAVITY);
  def.gravity = vec(0, 0, -9.81);
  mo_potential_id gravity = mo_potential_create(world, &def);
  assert_false(mo_potential_id_is_null(gravity));
  double energy;
  mo_wrench wrench;
  assert_int_equal(mo_potential_get_energy(world, gravity, &energy), MO_OK);
  assert_int_equal(mo_potential_get_wrench(world, gravity, body, &wrench), MO_OK);
  assert_true(fabs(energy - 9810.0) < 1e-9);
  assert_true(fabs(mo_world_energy(world).potential - 9810.0) < 1e-9);
  assert_true(mo_distance_between(wrench.force, vec(0, 0, -98.1)) < 1e-12);
  assert_true(mo_length(wrench.torque) == 0.0);
  step_many(world, 0.01, 1);
  assert_true(fabs(state_of(world, body).linear_velocity.z + 0.0981) < 1e-15);
  assert_int_equal(mo_potential_destroy(world, gravity), MO_OK);
  step_many(world, 0.01, 1);
  assert_true(fabs(state_of(world, body).linear_velocity.z + 0.0981) < 1e-15);
  assert_true(mo_world_energy(world).potential == 0.0);
  mo_world_destroy(world);
}

static void a_potential_acts_on_its_bodies_alone(void **state) {
  (void)state;
  mo_world *world = empty_world();
  mo_body_id chosen = add_body(world, body_at(0, 0, 0, 1), sphere(0.5));
  mo_body_id other = add_body(world, body_at(5, 0, 0, 1), sphere(0.5));
  mo_potential_def def = mo_potential_def_default(MO_POTENTIAL_GRAVITY);
  def.gravity = vec(1, 0, 0);
  def.bodies = &chosen;
  def.body_count = 1;
  assert_false(mo_potential_id_is_null(mo_potential_create(world, &def)));
  step_many(world, 0.1, 1);
  assert_true(state_of(world, chosen).linear_velocity.x == 0.1);
  assert_true(state_of(world, other).linear_velocity.x == 0.0);
  // A body that takes the slot of one that was destroyed is not on the list.
  assert_int_equal(mo_body_destroy(world, chosen), MO_OK);
  mo_body_id newer = add_body(world, body_at(0, 0, 0, 1), sphere(0.5));
  assert_int_equal(mo_body_id_slot(newer), mo_body_id_slot(chosen));
  step_many(world, 0.1, 1);
  assert_true(state_of(world, newer).linear_velocity.x == 0.0);
  mo_world_destroy(world);
}

// Drag alone: v = v0 / (1 + c2 v0 t / m) for a quadratic one.
static void quadratic_drag_slows_as_its_equation_says(void **state) {
  (void)state;
  mo_world *world = empty_world();
  mo_body_def ball = body_at(0, 0, 0, 2);
  ball.linear_velocity = vec(3, 0, 0);
  ball.angular_velocity = vec(0, 0, 5);
  mo_body_id body = add_body(world, ball, sphere(0.5));
  mo_potential_def def = mo_potential_def_default(MO_POTENTIAL_DRAG);
  def.quadratic_drag = 0.4;
  def.angular_drag = 0.1;
  assert_false(mo_potential_id_is_null(mo_potential_create(world, &def)));
  step_many(world, 1e-4, 10000);
  mo_body_state after = state_of(world, body);
  assert_true(fabs(after.linear_velocity.x - 3.0 / (1.0 + 0.4 * 3.0 / 2.0)) < 1e-4);
  assert_true(fabs(after.angular_velocity.z - 5.0 * exp(-0.1 / 0.2)) < 1e-3); // I = 0.2
  assert_true(mo_world_energy(world).potential == 0.0);
  mo_world_destroy(world);
}

// Two bodies on a spring: both momenta stay, whatever the spring does.
static void a_spring_keeps_momentum(void **state) {
  (void)state;
  mo_world *world = empty_world();
  mo_body_id bodies[2] = {add_body(world, body_at(-1, 0.3, 0, 1), sphere(0.3)),
                          add_body(world, body_at(1, 0, 0.2, 3), box(0.2, 0.3, 0.4))};
  mo_potential_def def = mo_potential_def_default(MO_POTENTIAL_SPRING);
  def.bodies = bodies;
  def.body_count = 2;
  def.anchor_a = vec(0.1, 0.2, 0);
  def.anchor_b = vec(0, 0.3, 0.1);
  def.stiffness = 50;
  def.rest_length = 1;
  def.damping = 0.5;
  assert_false(mo_potential_id_is_null(mo_potential_create(world, &def)));
  step_many(world, 1.0 / 240, 480);
  mo_momentum momentum = mo_world_momentum(world);
  assert_true(mo_length(momentum.linear) < 1e-13);
  // Without it both would stand still.
  assert_true(mo_length(state_of(world, bodies[0]).linear_velocity) > 0.1);
  assert_int_equal(mo_body_destroy(world, bodies[1]), MO_OK);
  assert_true(mo_world_energy(world).potential == 0.0);
  step_many(world, 1.0 / 240, 1);
  mo_world_destroy(world);
}

// --- a user's own ----------------------------------------------------------------------------

typedef struct trap {
  mo_world *world;
  double strength;
  double fail_at; // s
  int calls;
  mo_result refused; // what changing the world came to
} trap;

// A harmonic trap about the origin.
static bool trap_wrench(const mo_potential_body *body, double time, mo_wrench *wrench, void *user) {
  trap *t = user;
  t->calls++;
  t->refused = mo_body_set_position(t->world, body->id, vec(9, 9, 9));
  assert_int_equal(mo_world_step(t->world, 1.0), MO_ERROR_WORLD_LOCKED);
  mo_body_state seen;
  assert_int_equal(mo_body_get_state(t->world, body->id, &seen), MO_OK);
  assert_true(seen.mass == body->mass);
  wrench->force = mo_scale(-t->strength, body->center_of_mass);
  if (time >= t->fail_at) {
    wrench->torque.y = (double)NAN;
  }
  return true;
}

static bool trap_energy(const mo_potential_body *body, double time, double *energy, void *user) {
  (void)time;
  *energy = 0.5 * ((const trap *)user)->strength * mo_length_squared(body->center_of_mass);
  return true;
}

static bool giving_up(const mo_potential_body *body, double time, mo_wrench *wrench, void *user) {
  (void)body;
  (void)time;
  (void)wrench;
  (void)user;
  return false;
}

static void a_custom_potential_pulls_and_sees_a_locked_world(void **state) {
  (void)state;
  mo_world *world = empty_world();
  mo_body_id body = add_body(world, body_at(1, 0, 0, 1), sphere(0.1));
  trap user = {.world = world, .strength = 4.0, .fail_at = 1e9};
  mo_potential_def def = mo_potential_def_default(MO_POTENTIAL_CUSTOM);
  def.wrench = trap_wrench;
  def.energy = trap_energy;
  def.user = &user;
  assert_false(mo_potential_id_is_null(mo_potential_create(world, &def)));
  assert_true(fabs(mo_world_energy(world).potential - 2.0) < 1e-15);
  step_many(world, 1e-3, 1571); // half a period is pi / 2
  assert_true(fabs(state_of(world, body).position.x + 1.0) < 1e-5);
  assert_int_equal(user.calls, 1571);
  assert_int_equal(user.refused, MO_ERROR_WORLD_LOCKED);
  assert_int_equal(mo_body_set_position(world, body, vec(1, 0, 0)), MO_OK);
  mo_world_destroy(world);
}

static void a_custom_potential_that_fails_leaves_the_world_as_it_was(void **state) {
  (void)state;
  mo_world *world = empty_world();
  mo_body_id body = add_body(world, body_at(1, 0, 0, 1), sphere(0.1));
  trap user = {.world = world, .strength = 4.0, .fail_at = 0.05};
  mo_potential_def def = mo_potential_def_default(MO_POTENTIAL_CUSTOM);
  def.wrench = trap_wrench;
  def.user = &user;
  mo_potential_id id = mo_potential_create(world, &def);
  step_many(world, 0.01, 5);
  assert_int_equal(mo_body_apply_force(world, body, vec(1, 0, 0), NULL), MO_OK);
  uint64_t before = mo_world_hash(world);
  assert_int_equal(mo_world_step(world, 0.01), MO_ERROR_POTENTIAL_FAILED);
  assert_string_equal(mo_world_last_error(world),
                      "mo_world_step: potential 'custom' (id 1): its force or torque is "
                      "not finite");
  assert_true(mo_world_hash(world) == before);
  assert_int_equal(mo_potential_destroy(world, id), MO_OK);
  def.wrench = giving_up;
  assert_false(mo_potential_id_is_null(mo_potential_create(world, &def)));
  before = mo_world_hash(world);
  assert_int_equal(mo_world_step(world, 0.01), MO_ERROR_POTENTIAL_FAILED);
  assert_true(mo_world_hash(world) == before);
  mo_world_destroy(world);
}

// At the very centre of a point mass the force is not a number: the step says so.
static void a_body_at_a_singularity_fails_the_step(void **state) {
  (void)state;
  mo_world *world = empty_world();
  add_body(world, body_at(0, 0, 0, 1), sphere(0.1));
  mo_potential_def def = mo_potential_def_default(MO_POTENTIAL_POINT_GRAVITY);
  def.mu = 1.0;
  mo_potential_id id = mo_potential_create(world, &def);
  assert_int_equal(mo_world_step(world, 0.01), MO_ERROR_POTENTIAL_FAILED);
  double energy = 5.0;
  assert_int_equal(mo_potential_get_energy(world, id, &energy), MO_ERROR_POTENTIAL_FAILED);
  assert_true(energy == 5.0);
  assert_true(isnan(mo_world_energy(world).potential));
  mo_world_destroy(world);
}

static void bad_definitions_are_refused(void **state) {
  (void)state;
  mo_world *world = empty_world();
  mo_body_id body = add_body(world, body_at(0, 0, 0, 1), sphere(0.1)), stale = body;
  stale.bits += 1ull << 32;
  uint64_t before = mo_world_hash(world);
  mo_potential_def cases[9];
  for (int i = 0; i < 9; i++) {
    cases[i] = mo_potential_def_default(MO_POTENTIAL_SPRING);
    cases[i].bodies = &body;
    cases[i].body_count = 1;
  }
  cases[0].stiffness = -1.0;
  cases[1].rest_length = (double)NAN;
  cases[2].body_count = 0;
  cases[3].bodies = &stale;
  cases[4].type = (mo_potential_type)99;
  cases[5].type = MO_POTENTIAL_CUSTOM; // without a function
  cases[6].type = MO_POTENTIAL_DRAG;
  cases[6].linear_drag = INFINITY;
  cases[7].bodies = NULL;
  cases[8].type = MO_POTENTIAL_POINT_GRAVITY;
  cases[8].mu = -3.0;
  for (int i = 0; i < 9; i++) {
    assert_true(mo_potential_id_is_null(mo_potential_create(world, &cases[i])));
    assert_int_equal(mo_world_last_result(world),
                     i == 3 ? MO_ERROR_STALE_HANDLE : MO_ERROR_INVALID_ARGUMENT);
  }
  assert_int_equal(mo_potential_destroy(world, mo_potential_id_load(mo_body_id_store(body) + 77)),
                   MO_ERROR_STALE_HANDLE);
  assert_int_equal(mo_world_potential_count(world), 0);
  assert_true(mo_world_hash(world) == before);
  mo_world_destroy(world);
}

static void the_hash_sees_potentials(void **state) {
  (void)state;
  uint64_t hashes[3];
  for (int i = 0; i < 3; i++) {
    mo_world *world = empty_world();
    mo_potential_def def = mo_potential_def_default(MO_POTENTIAL_DRAG);
    def.linear_drag = i == 2 ? 2.0 : 1.0;
    if (i > 0) {
      assert_false(mo_potential_id_is_null(mo_potential_create(world, &def)));
    }
    hashes[i] = mo_world_hash(world);
    mo_world_destroy(world);
  }
  assert_true(hashes[0] != hashes[1] && hashes[1] != hashes[2]);
}

TEST_GROUP(potentials) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces_and_torques_are_minus_the_gradient_of_the_energy),
      cmocka_unit_test(known_values),
      cmocka_unit_test(gravity_potential_of_10_kg_at_100_m),
      cmocka_unit_test(a_potential_acts_on_its_bodies_alone),
      cmocka_unit_test(quadratic_drag_slows_as_its_equation_says),
      cmocka_unit_test(a_spring_keeps_momentum),
      cmocka_unit_test(a_custom_potential_pulls_and_sees_a_locked_world),
      cmocka_unit_test(a_custom_potential_that_fails_leaves_the_world_as_it_was),
      cmocka_unit_test(a_body_at_a_singularity_fails_the_step),
      cmocka_unit_test(bad_definitions_are_refused),
      cmocka_unit_test(the_hash_sees_potentials),
  };
  return run_group(tests, NULL, NULL);
}
