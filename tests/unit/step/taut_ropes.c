/// Ropes and limits that stay taut move in the flow as joints do: to second order, without loss.
#include "joint_machines.h"
#include "test_group.h"

#define GRAVITY 9.81
#define INTEGRATORS 5

static const mo_solver row_solvers[] = {MO_SOLVER_BLOCK_PGS, MO_SOLVER_EXACT};

static mo_world *world_with(int integrator, mo_solver solver) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = solver;
  settings.integrator = (mo_integrator)integrator;
  settings.gravity = vec(0, 0, -GRAVITY);
  return make_world(settings);
}

static void add_rope(mo_world *world, mo_body_id a, mo_body_id b, double length) {
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_ROPE);
  def.body_a = a;
  def.body_b = b;
  def.drives[0].upper = length;
  add_joint(world, &def);
}

static mo_body_id add_bob(mo_world *world, mo_vec3 position, mo_vec3 velocity, double mass) {
  mo_body_def def = body_at(position.x, position.y, position.z, mass);
  def.linear_velocity = velocity;
  return add_body(world, def, sphere(0.1));
}

static double length_of(mo_vec3 v) { return sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

// A bob of 1 kg on a rope of 1 m, let go at 1 rad. Returns the change of its energy in 8 s, J.
static double loss_of_swing(int integrator, mo_solver solver, int rate) {
  mo_world *world = world_with(integrator, solver);
  mo_body_id bob = add_bob(world, vec(sin(1.0), 0, -cos(1.0)), vec(0, 0, 0), 1.0);
  add_rope(world, MO_NULL_BODY_ID, bob, 1.0);
  double before = mo_world_energy(world).total;
  for (int i = 0; i < 8 * rate; i++) {
    step_many(world, 1.0 / rate, 1);
    assert_near(length_of(state_of(world, bob).position), 1.0, 1e-4);
  }
  double loss = before - mo_world_energy(world).total;
  mo_world_destroy(world);
  return loss;
}

// It loses what the first step costs, in which the rope becomes taut, and that is of second order.
static void a_pendulum_on_a_rope_keeps_its_swing(void **state) {
  (void)state;
  for (int i = 0; i < INTEGRATORS; i++) {
    for (int k = 0; k < 2; k++) {
      double coarse = loss_of_swing(i, row_solvers[k], 60),
             fine = loss_of_swing(i, row_solvers[k], 120);
      assert_true(coarse >= 0.0 && coarse < 0.02); // of 4.5 J; 1.4 J with rows solved once a step
      assert_true(fine < 0.27 * coarse);
    }
  }
}

static void a_conical_pendulum_keeps_its_circle(void **state) {
  (void)state;
  double radius = 1.0, height = sqrt(3.0), speed = radius * sqrt(GRAVITY / height);
  for (int i = 0; i < INTEGRATORS; i++) {
    for (int k = 0; k < 2; k++) {
      mo_world *world = world_with(i, row_solvers[k]);
      mo_body_id bob = add_bob(world, vec(radius, 0, -height), vec(0, speed, 0), 3.0);
      add_rope(world, MO_NULL_BODY_ID, bob, 2.0);
      for (int n = 0; n < 480; n++) {
        step_many(world, 1.0 / 60, 1);
        mo_vec3 at = state_of(world, bob).position;
        assert_near(sqrt(at.x * at.x + at.y * at.y), radius, 1e-3); // 4.5e-2 before
      }
      mo_world_destroy(world);
    }
  }
}

// Three bobs in a row on ropes, one of which is ten times as heavy.
static void a_chain_of_ropes_keeps_its_energy(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    mo_world *world = world_with(MO_INTEGRATOR_VELOCITY_VERLET, row_solvers[k]);
    mo_body_id last = MO_NULL_BODY_ID;
    for (int i = 0; i < 3; i++) {
      double reach = 1.0 + i;
      mo_body_id bob = add_bob(world, vec(reach * sin(0.5), 0, -reach * cos(0.5)), vec(0, 0, 0),
                               i == 2 ? 10.0 : 1.0);
      add_rope(world, last, bob, 1.0);
      last = bob;
    }
    double before = mo_world_energy(world).total, most = before;
    for (int n = 0; n < 480; n++) {
      step_many(world, 1.0 / 60, 1);
      most = fmax(most, mo_world_energy(world).total);
    }
    double swing = 10.0 * GRAVITY * 3.0 * (1.0 - cos(0.5));
    assert_true(most < before + 1e-3 * swing);
    assert_true(mo_world_energy(world).total > before - 0.02 * swing);
    mo_world_destroy(world);
  }
}

// A bob that flies up on a rope, which goes slack, and falls into it: free in between, an impact
// where the rope becomes taut, and never more energy or length.
static void a_rope_goes_slack_and_taut_again(void **state) {
  (void)state;
  for (int i = 0; i < INTEGRATORS; i++) {
    for (int k = 0; k < 2; k++) {
      mo_world *world = world_with(i, row_solvers[k]);
      mo_body_id bob = add_bob(world, vec(0, 0, -1), vec(5.5, 0, 0), 1.0);
      add_rope(world, MO_NULL_BODY_ID, bob, 1.0);
      double before = mo_world_energy(world).total, shortest = 1.0;
      for (int n = 0; n < 300; n++) {
        step_many(world, 1.0 / 60, 1);
        double length = length_of(state_of(world, bob).position);
        shortest = fmin(shortest, length);
        assert_true(length < 1.0 + 0.01);
        // Of 15 J. Explicit Euler gains more while it flies.
        double most = i == MO_INTEGRATOR_EXPLICIT_EULER ? INFINITY : before + 0.1;
        assert_true(mo_world_energy(world).total < most);
      }
      assert_true(shortest < 0.9); // it was slack
      mo_world_destroy(world);
    }
  }
}

// One bob on its rope, another that lies on the floor by its side: a contact elsewhere, and a slack
// rope between them, are nothing to it.
static void a_contact_and_a_slack_rope_elsewhere_are_nothing_to_it(void **state) {
  (void)state;
  mo_world *world = world_with(MO_INTEGRATOR_SEMI_IMPLICIT_EULER, MO_SOLVER_EXACT);
  mo_body_def slab = body_at(0, 0, -3.5, 0);
  slab.type = MO_BODY_STATIC;
  add_body(world, slab, box(50, 50, 0.5));
  mo_body_id bob = add_bob(world, vec(sin(1.0), 0, -cos(1.0)), vec(0, 0, 0), 1.0);
  mo_body_id lying = add_bob(world, vec(0, 2, -2.9), vec(0, 0, 0), 1.0);
  add_rope(world, MO_NULL_BODY_ID, bob, 1.0);
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_ROPE);
  def.body_b = lying;
  def.drives[0].upper = 10.0;
  add_joint(world, &def);
  double before = mo_world_energy(world).total;
  step_many(world, 1.0 / 60, 480);
  assert_near(mo_world_energy(world).total, before, 0.02);
  mo_world_destroy(world);
}

TEST_GROUP(taut_ropes) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pendulum_on_a_rope_keeps_its_swing),
      cmocka_unit_test(a_conical_pendulum_keeps_its_circle),
      cmocka_unit_test(a_chain_of_ropes_keeps_its_energy),
      cmocka_unit_test(a_rope_goes_slack_and_taut_again),
      cmocka_unit_test(a_contact_and_a_slack_rope_elsewhere_are_nothing_to_it),
  };
  return run_group(tests, NULL, NULL);
}
