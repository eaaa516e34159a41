/// What soft-step adds to its substeps so that laws hold, each judged by its law: energy, a path,
/// a load that is known.
#include "math/quat.h"
#include "random_fixture.h"
#include "test_group.h"
#include "world_fixture.h"

#define DT (1.0 / 60.0)

static mo_world *soft_world(mo_vec3 gravity) {
  mo_world_def def = mo_world_def_default();
  def.solver = MO_SOLVER_SOFT_STEP;
  def.gravity = gravity;
  def.allow_sleep = false;
  return make_world(def);
}

// --- pushed bodies ---------------------------------------------------------------------------

// A spring pulls a box to and fro on a smooth floor: what oscillates gains no energy and loses
// none. Without the displacement of pushed bodies each step would multiply it by 1.03.
static void a_spring_on_a_floor_keeps_its_energy(void **state) {
  (void)state;
  mo_world *world = soft_world(vec(0, 0, -9.81));
  add_floor(world);
  mo_body_def def = body_at(1, 0, 0.5, 1.0);
  def.friction = 0.0;
  mo_body_id cube = add_body(world, def, box(0.5, 0.5, 0.5));
  mo_potential_def spring = mo_potential_def_default(MO_POTENTIAL_SPRING);
  spring.bodies = &cube;
  spring.body_count = 1;
  spring.anchor_b = vec(0, 0, 0.5);
  spring.stiffness = 324.0; // 18 rad/s, 0.3 rad a step
  assert_false(mo_potential_id_is_null(mo_potential_create(world, &spring)));
  double farthest = 0.0;
  for (int i = 0; i < 1200; i++) {
    step_many(world, DT, 1);
    if (i >= 1000) {
      farthest = fmax(farthest, fabs(state_of(world, cube).position.x));
    }
  }
  assert_true(farthest > 0.95 && farthest < 1.05);
  mo_world_destroy(world);
}

// --- carriers --------------------------------------------------------------------------------

// What friction carries on a turntable goes round with it, on its circle. Tangents would lead it
// outwards by w^2 dt^2 r / 2 a step.
static void what_a_turntable_carries_stays_at_its_place(void **state) {
  (void)state;
  mo_world *world = soft_world(vec(0, 0, -9.81));
  mo_body_def table = body_at(0, 0, -0.5, 0);
  table.type = MO_BODY_KINEMATIC;
  table.angular_velocity = vec(0, 0, 2);
  table.friction = 1.0;
  add_body(world, table, box(5, 5, 0.5));
  mo_body_def def = body_at(1, 0, 0.25, 1.0);
  def.friction = 1.0;
  def.linear_velocity = vec(0, 2, 0);
  def.angular_velocity = vec(0, 0, 2);
  mo_body_id cube = add_body(world, def, box(0.25, 0.25, 0.25));
  step_many(world, DT, 600);
  mo_vec3 p = state_of(world, cube).position;
  assert_true(fabs(sqrt(p.x * p.x + p.y * p.y) - 1.0) < 0.05);
  double angle = atan2(p.y, p.x), turned = fmod(20.0, 2 * 3.14159265358979323846);
  double apart = fabs(remainder(angle - turned, 2 * 3.14159265358979323846));
  assert_true(apart < 0.02);
  mo_world_destroy(world);
}

// --- first loads -----------------------------------------------------------------------------

// A chain that hangs bears its weight from its first step on: no body of it falls.
static void a_chain_bears_its_weight_at_once(void **state) {
  (void)state;
  enum { LINKS = 20 };
  mo_world *world = soft_world(vec(0, 0, -9.81));
  mo_body_def post = body_at(0, 0, 0, 0);
  post.type = MO_BODY_STATIC;
  mo_body_id above = add_body(world, post, sphere(0.01)), links[LINKS];
  mo_constraint_id top = MO_NULL_CONSTRAINT_ID;
  for (int i = 0; i < LINKS; i++) {
    links[i] = add_body(world, body_at(0, 0, -1.0 * (i + 1), 1.0), sphere(0.1));
    mo_constraint_def joint = mo_constraint_def_default(MO_CONSTRAINT_BALL);
    joint.body_a = above;
    joint.body_b = links[i];
    joint.anchor_a = vec(0, 0, i == 0 ? 0.0 : -0.5);
    joint.anchor_b = vec(0, 0, i == 0 ? 1.0 : 0.5);
    mo_constraint_id id = mo_constraint_create(world, &joint);
    assert_false(mo_constraint_id_is_null(id));
    top = i == 0 ? id : top;
    above = links[i];
  }
  step_many(world, DT, 1);
  mo_constraint_reaction reaction;
  assert_int_equal(mo_constraint_get_reaction(world, top, &reaction), MO_OK);
  double weight = LINKS * 9.81 * DT;
  assert_true(fabs(fabs(reaction.linear.z) - weight) < 0.01 * weight);
  for (int i = 0; i < LINKS; i++) {
    assert_true(fabs(state_of(world, links[i]).linear_velocity.z) < 1e-3);
  }
  mo_world_destroy(world);
}

// --- look ahead ------------------------------------------------------------------------------

// A ball whose centre of mass is below its middle rocks on a smooth floor as a pendulum does.
static void a_ball_with_a_low_centre_of_mass_keeps_rocking(void **state) {
  (void)state;
  mo_world *world = soft_world(vec(0, 0, -9.81));
  add_floor(world);
  mo_body_def def = body_at(0, 0, 1.0, 1.0);
  mo_shape *shape = sphere(1.0);
  mo_placed_shape placed = place(shape);
  placed.pose.position = vec(0, 0, 0);
  def.shapes = &placed;
  def.shape_count = 1;
  def.has_center_of_mass = true;
  def.center_of_mass = vec(0, 0, -0.5);
  def.angular_velocity = vec(0, 1.0, 0);
  def.linear_velocity = vec(0.5, 0, 0);
  mo_body_id ball = mo_body_create(world, &def);
  mo_shape_release(shape);
  assert_false(mo_body_id_is_null(ball));
  double fastest = 0.0, early = 0.0;
  for (int i = 0; i < 1800; i++) {
    step_many(world, DT, 1);
    double spin = fabs(state_of(world, ball).angular_velocity.y);
    early = i < 200 ? fmax(early, spin) : early;
    fastest = i >= 1600 ? fmax(fastest, spin) : fastest;
  }
  assert_true(fastest > 0.9 * early && fastest < 1.02 * early);
  mo_world_destroy(world);
}

// --- fast spins ------------------------------------------------------------------------------

// Three thin rods in a row spin about their axes and swing at once. Their joints hold, and nothing
// gains energy, however fast the axes of rotation turn within a substep.
static void rods_that_tumble_stay_on_their_joints(void **state) {
  (void)state;
  enum { RODS = 3 };
  mo_world *world = soft_world(vec(0, 0, -9.81));
  mo_body_def post = body_at(0, 0, 0, 0);
  post.type = MO_BODY_STATIC;
  mo_body_id above = add_body(world, post, sphere(0.01));
  mo_constraint_id joints[RODS];
  for (int i = 0; i < RODS; i++) {
    double along = 0.5 * (i + 0.5);
    mo_body_def def = body_at(0, -along, 0, 1.0);
    def.linear_velocity = vec(20.0 * along, 0, 0);
    def.angular_velocity = vec(0, 50, 20);
    mo_body_id rod = add_body(world, def, box(0.01, 0.2, 0.01));
    mo_constraint_def joint = mo_constraint_def_default(MO_CONSTRAINT_BALL);
    joint.body_a = above;
    joint.body_b = rod;
    joint.anchor_a = vec(0, i == 0 ? 0.0 : -0.25, 0);
    joint.anchor_b = vec(0, 0.25, 0);
    joints[i] = mo_constraint_create(world, &joint);
    assert_false(mo_constraint_id_is_null(joints[i]));
    above = rod;
  }
  double start = mo_world_energy(world).total, most = start, widest = 0.0;
  for (int i = 0; i < 240; i++) {
    step_many(world, DT, 1);
    most = fmax(most, mo_world_energy(world).total);
    for (int k = 0; k < RODS; k++) {
      double gap[6] = {0};
      assert_int_equal(mo_constraint_violation(world, joints[k], gap), MO_OK);
      widest = fmax(widest, mo_length(mo_v3(gap[0], gap[1], gap[2])));
    }
  }
  assert_true(widest < 0.08);
  assert_true(most < (1.0 + 1e-4) * start);
  mo_world_destroy(world);
}

// Two cubes meet at 5 m/s with an edge across an edge, at one point. They do not fall into each
// other around that point, at whichever moment of the step they meet.
static void edges_that_cross_do_not_turn_into_each_other(void **state) {
  (void)state;
  const mo_quat on_edge = mo_quat_exp(mo_v3(0.25 * MO_PI, 0, 0));
  mo_shape *cube = box(0.25, 0.25, 0.25);
  double deepest = 0.0;
  for (int k = 0; k < 32; k++) {
    mo_world *world = soft_world(vec(0, 0, 0));
    mo_body_def def = body_at(0, 0, 0, 125.0);
    def.orientation = on_edge;
    mo_body_id below = add_body(world, def, box(0.25, 0.25, 0.25));
    def = body_at(0.1, 0.05, 0.8 + 0.011 * (k / 2), 125.0);
    def.orientation = mo_quat_mul(mo_quat_exp(mo_v3(0, 0, 0.2)), on_edge);
    def.linear_velocity = vec(0, 0, -5);
    def.angular_velocity = vec(k % 2 == 0 ? 0.0 : 10.0, 0, 0);
    mo_body_id above = add_body(world, def, box(0.25, 0.25, 0.25));
    for (int i = 0; i < 20; i++) {
      step_many(world, DT, 1);
      mo_body_state a = state_of(world, below), b = state_of(world, above);
      mo_collision overlap;
      if (mo_collide(cube, (mo_pose){a.position, a.orientation}, cube,
                     (mo_pose){b.position, b.orientation}, &overlap)) {
        deepest = fmax(deepest, overlap.penetration_depth);
      }
    }
    mo_world_destroy(world);
  }
  mo_shape_release(cube);
  assert_true(deepest > 0.0 && deepest < 0.03);
}

// --- impacts ---------------------------------------------------------------------------------

// What falls without restitution leaves the place where it lands by no more than a tenth of the
// speed of its impact, 7 m/s, whatever the substep of its landing.
static void what_lands_does_not_rise(void **state) {
  (void)state;
  double fastest = 0.0;
  for (int k = 0; k < 24; k++) {
    mo_world *world = soft_world(vec(0, 0, -9.81));
    add_floor(world);
    mo_body_id below = add_body(world, body_at(0, 0, 0.5, 1.0), sphere(0.5));
    mo_body_id cube = add_body(world, body_at(0, 0, 3.0 + 0.013 * k, 10.0), sphere(0.5));
    for (int i = 0; i < 90; i++) {
      step_many(world, DT, 1);
      fastest = fmax(fastest, state_of(world, cube).linear_velocity.z);
      fastest = fmax(fastest, state_of(world, below).linear_velocity.z);
    }
    mo_world_destroy(world);
  }
  assert_true(fastest < 0.7);
}

// --- jams ------------------------------------------------------------------------------------

// A press squeezes a ball and lets it go: nothing is elastic, so the ball is not thrown.
static void a_press_that_opens_throws_nothing(void **state) {
  (void)state;
  double fastest = 0.0;
  for (int k = 0; k < 8; k++) {
    mo_world *world = soft_world(vec(0, 0, -9.81));
    add_floor(world);
    mo_body_id cube = add_body(world, body_at(0, 0, 0.5, 1.0), box(0.5, 0.5, 0.5));
    mo_body_def press = body_at(0, 0, 1.55, 0);
    press.type = MO_BODY_KINEMATIC;
    press.linear_velocity = vec(0, 0, -0.5);
    mo_body_id plate = add_body(world, press, box(2, 2, 0.5));
    step_many(world, DT, 6 + k);
    assert_int_equal(mo_body_set_linear_velocity(world, plate, vec(0, 0, 20)), MO_OK);
    double gained = 0.0;
    for (int i = 0; i < 60; i++) {
      step_many(world, DT, 1);
      gained = fmax(gained, state_of(world, cube).linear_velocity.z);
    }
    fastest = fmax(fastest, gained);
    mo_world_destroy(world);
  }
  assert_true(fastest < 0.05);
}

// --- bystanders ------------------------------------------------------------------------------

// A body that falls on the floor, slides and spins, with stacks far away, one that slides and one
// that lies, or without.
static mo_world *make_slider(uint64_t seed, bool has_others, mo_body_id *id) {
  mo_world *world = soft_world(vec(0, 0, -9.81));
  add_floor(world);
  uint64_t random = seed;
  mo_shape *shapes[] = {sphere(0.3), box(0.4, 0.3, 0.2), mo_shape_create_capsule(0.2, 0.4, NULL),
                        mo_shape_create_cone(0.3, 0.4, 0.0, NULL)};
  for (int i = 0; i < 4; i++) {
    mo_body_def def = body_at(0, 0, random_in(&random, 0.4, 0.8), 1.0);
    def.linear_velocity = vec(random_in(&random, -3, 3), random_in(&random, -3, 3), 0);
    def.angular_velocity = vec(random_in(&random, -5, 5), random_in(&random, -5, 5), 3);
    def.friction = random_in(&random, 0.0, 0.3);
    def.restitution = random_in(&random, 0.0, 0.8);
    if (i == (int)(seed % 4)) {
      *id = add_body(world, def, shapes[i]);
    } else {
      mo_shape_release(shapes[i]);
    }
  }
  for (int i = 0; i < 3 && has_others; i++) {
    mo_body_def slides = body_at(30, 30 + 0.02 * i, 0.3 + 0.6 * i, 1.0),
                lies = body_at(-30, 0, 0.3 + 0.6 * i, 1.0);
    slides.linear_velocity = vec(random_in(&random, -3, 3), random_in(&random, -3, 3), 0);
    add_body(world, slides, box(0.3, 0.3, 0.3));
    add_body(world, lies, box(0.3, 0.3, 0.3));
  }
  return world;
}

// Contacts are solved four at a time. What shares such a group with a contact changes not a bit of
// what it does.
static void what_is_far_away_changes_no_bit(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    mo_body_id ids[2];
    mo_world *worlds[2] = {make_slider(seed, false, &ids[0]), make_slider(seed, true, &ids[1])};
    for (int step = 0; step < 80; step++) {
      step_many(worlds[0], DT, 1);
      step_many(worlds[1], DT, 1);
      mo_body_state a = state_of(worlds[0], ids[0]), b = state_of(worlds[1], ids[1]);
      assert_memory_equal(&a.position, &b.position, sizeof a.position);
      assert_memory_equal(&a.angular_velocity, &b.angular_velocity, sizeof a.angular_velocity);
    }
    mo_world_destroy(worlds[0]);
    mo_world_destroy(worlds[1]);
  }
}

// Only bodies in joints are held to speeds that joints can follow.
static void joints_of_others_limit_no_spin(void **state) {
  (void)state;
  mo_world *world = soft_world(vec(0, 0, -9.81));
  add_floor(world);
  mo_body_def def = body_at(0, 0, 0.3, 1.0);
  def.friction = 0.0;
  def.angular_velocity = vec(0, 0, 1000);
  mo_body_id top = add_body(world, def, sphere(0.3));
  mo_body_id bob = add_body(world, body_at(90, 0, 3, 1.0), sphere(0.3));
  mo_constraint_def joint = mo_constraint_def_default(MO_CONSTRAINT_BALL);
  joint.body_b = bob;
  joint.anchor_a = vec(90, 0, 4);
  joint.anchor_b = vec(0, 0, 1);
  assert_false(mo_constraint_id_is_null(mo_constraint_create(world, &joint)));
  step_many(world, DT, 60);
  assert_true(fabs(state_of(world, top).angular_velocity.z - 1000.0) < 1e-3);
  mo_world_destroy(world);
}

// What falls is looked for where gravity leads it in the step. Where it would only be without, it
// is found a step late, up to g dt^2 / 2 or 1.4 mm in the floor.
static void what_falls_is_stopped_at_the_surface(void **state) {
  (void)state;
  double deepest = 0.0;
  for (int k = 0; k < 60; k++) {
    mo_world *world = soft_world(vec(0, 0, -9.81));
    add_floor(world);
    mo_body_def def = body_at(0, 0, 1.3 + 0.003 * k, 1.0);
    def.linear_velocity = vec(0, 0, -6);
    mo_body_id cube = add_body(world, def, box(0.3, 0.3, 0.3));
    for (int i = 0; i < 20; i++) {
      step_many(world, DT, 1);
      deepest = fmax(deepest, 0.3 - state_of(world, cube).position.z);
    }
    mo_world_destroy(world);
  }
  assert_true(deepest < 5e-4);
}

TEST_GROUP(soft_step_laws) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_spring_on_a_floor_keeps_its_energy),
      cmocka_unit_test(what_a_turntable_carries_stays_at_its_place),
      cmocka_unit_test(a_chain_bears_its_weight_at_once),
      cmocka_unit_test(a_ball_with_a_low_centre_of_mass_keeps_rocking),
      cmocka_unit_test(rods_that_tumble_stay_on_their_joints),
      cmocka_unit_test(edges_that_cross_do_not_turn_into_each_other),
      cmocka_unit_test(what_lands_does_not_rise),
      cmocka_unit_test(a_press_that_opens_throws_nothing),
      cmocka_unit_test(what_is_far_away_changes_no_bit),
      cmocka_unit_test(joints_of_others_limit_no_spin),
      cmocka_unit_test(what_falls_is_stopped_at_the_surface),
  };
  return run_group(tests, NULL, NULL);
}
