/// Joints in the integrators: pendulums against exact periods and amplitudes, what is conserved,
/// and what happens where a contact, a limit or softness is in the way.
#include "math/quat.h"
#include "test_group.h"
#include "world_fixture.h"

#include <stdlib.h>

#define GRAVITY 9.81

static mo_world *world_with(mo_integrator integrator, mo_solver solver) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = MO_SOLVER_BLOCK_PGS;
  settings.gravity = vec(0, 0, -GRAVITY);
  settings.integrator = integrator;
  settings.solver = solver;
  return make_world(settings);
}

static mo_constraint_id join(mo_world *world, mo_constraint_type type, mo_body_id a, mo_body_id b,
                             mo_vec3 anchor_a, mo_vec3 anchor_b) {
  mo_constraint_def def = mo_constraint_def_default(type);
  def.body_a = a;
  def.body_b = b;
  def.anchor_a = anchor_a;
  def.anchor_b = anchor_b;
  mo_constraint_id id = mo_constraint_create(world, &def);
  assert_false(mo_constraint_id_is_null(id));
  return id;
}

// --- the 90-degree pendulum ------------------------------------------------------------------

// Complete elliptic integral K by the arithmetic-geometric mean.
static double complete_elliptic(double k) {
  double a = 1.0, b = sqrt(1.0 - k * k);
  for (int i = 0; i < 8; i++) {
    double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return MO_PI / (2.0 * a);
}

typedef struct swing {
  double period_error;   // relative, mean over all periods
  double amplitude_loss; // relative, of the angle, at the end
} swing;

// A ball of radius 0.1 m at 1 m from its pivot at the origin, let go at 90 degrees; on a rod
// without mass (distance), or rigidly fixed to the arm (ball).
static swing swing_for(mo_integrator integrator, mo_solver solver, mo_constraint_type type,
                       int rate, int periods) {
  mo_world *world = world_with(integrator, solver);
  mo_body_id bob = add_body(world, body_at(1, 0, 0, 1), sphere(0.1));
  bool is_ball = type == MO_CONSTRAINT_BALL;
  join(world, type, MO_NULL_BODY_ID, bob, vec(0, 0, 0), is_ball ? vec(-1, 0, 0) : vec(0, 0, 0));
  double inertia = is_ball ? 0.4 * 0.01 : 0.0;
  double exact = 4.0 * sqrt((1.0 + inertia) / GRAVITY) * complete_elliptic(sqrt(0.5));
  double last_x = 1.0, first = 0.0, now = 0.0, dt = 1.0 / rate;
  int crossings = 0;
  while (crossings < 2 * periods + 1) {
    step_many(world, dt, 1);
    mo_body_state s = state_of(world, bob);
    if (s.position.x * last_x < 0.0) { // through the bottom, where the speed changes least
      now = mo_world_time(world) - s.position.x / s.linear_velocity.x;
      first = crossings++ == 0 ? now : first;
    }
    last_x = s.position.x;
    assert_true(mo_world_time(world) < 4.0 * periods);
  }
  // The angle that the energy reaches up to: E = -m g L cos(angle).
  double angle = MO_PI / 2 + asin(mo_world_energy(world).total / GRAVITY);
  mo_world_destroy(world);
  return (swing){(now - first) / periods / exact - 1.0, 1.0 - angle / (MO_PI / 2)};
}

static const mo_integrator conserving[] = {MO_INTEGRATOR_VELOCITY_VERLET,
                                           MO_INTEGRATOR_IMPLICIT_MIDPOINT};
static const mo_constraint_type pendulums[] = {MO_CONSTRAINT_DISTANCE, MO_CONSTRAINT_BALL};
static const mo_solver solvers[] = {MO_SOLVER_BLOCK_PGS, MO_SOLVER_EXACT};

static void pendulum_keeps_amplitude_and_period_over_20_periods(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 2; k++) {
      for (int m = 0; m < 2; m++) {
        swing coarse = swing_for(conserving[i], solvers[k], pendulums[m], 60, 20);
        swing fine = swing_for(conserving[i], solvers[k], pendulums[m], 120, 20);
        assert_true(fabs(coarse.amplitude_loss) < 1e-3);
        assert_true(fabs(coarse.period_error) < 5e-4);
        assert_true(fabs(coarse.period_error / fine.period_error - 4.0) < 0.1);
      }
    }
  }
}

// The midpoint rule keeps the energy far better than its order says: what is lost is of fourth
// order.
static void pendulum_loses_no_energy_by_the_midpoint_rule(void **state) {
  (void)state;
  for (int m = 0; m < 2; m++) {
    swing s = swing_for(MO_INTEGRATOR_IMPLICIT_MIDPOINT, MO_SOLVER_BLOCK_PGS, pendulums[m], 60, 20);
    assert_true(fabs(s.amplitude_loss) < 1e-5);
  }
}

// A54, for the integrators that know of joints and those that do not: the rod's pull at the bottom
// of a 90-degree swing is 3 m g.
static void tension_at_the_bottom_is_three_times_the_weight(void **state) {
  (void)state;
  for (int i = 0; i < 5; i++) {
    mo_world *world = world_with((mo_integrator)i, MO_SOLVER_BLOCK_PGS);
    mo_body_id bob = add_body(world, body_at(1, 0, 0, 1), sphere(0.1));
    mo_constraint_id rod =
        join(world, MO_CONSTRAINT_DISTANCE, MO_NULL_BODY_ID, bob, vec(0, 0, 0), vec(0, 0, 0));
    while (state_of(world, bob).position.x > 0.0) {
      step_many(world, 0.001, 1);
      mo_vec3 at = state_of(world, bob).position;
      assert_true(fabs(sqrt(at.x * at.x + at.z * at.z) - 1.0) < 1e-4);
    }
    double impulse = mo_constraint_impulses(world, rod)[0];
    assert_true(fabs(fabs(impulse) / 0.001 / (3.0 * GRAVITY) - 1.0) < 1e-2);
    mo_world_destroy(world);
  }
}

// A bob of 1e-8 of the inertia that it has about its pivot: a torque a little off would turn it
// round and round, and a full turn more satisfies the joint, too.
static void a_bob_with_hardly_any_inertia_swings_like_a_point(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    mo_world *world = world_with(conserving[i], MO_SOLVER_EXACT);
    mo_body_def def = body_at(1, 0, 0, 1);
    def.has_inertia = true;
    def.inertia = (mo_mat3){{1e-8, 0, 0}, {0, 1e-8, 0}, {0, 0, 1e-8}};
    mo_body_id bob = mo_body_create(world, &def);
    join(world, MO_CONSTRAINT_BALL, MO_NULL_BODY_ID, bob, vec(0, 0, 0), vec(-1, 0, 0));
    for (int k = 0; k < 600; k++) {
      step_many(world, 1.0 / 60, 1);
      assert_true(fabs(mo_world_energy(world).total) < 0.02); // of 9.81 J at play
      mo_body_state now = state_of(world, bob);
      assert_true(fabs(mo_length(now.position) - 1.0) < 1e-8);
      assert_true(mo_length(now.angular_velocity) < 5.0);
    }
    mo_world_destroy(world);
  }
}

// --- several bodies --------------------------------------------------------------------------

#define LINKS 5

// A box of 0.8 x 0.2 x 0.3 m without a shape: links pass through each other.
static mo_body_id add_link(mo_world *world, mo_body_def def) {
  def.has_inertia = true;
  def.inertia = (mo_mat3){
      {def.mass * 0.13 / 12, 0, 0}, {0, def.mass * 0.73 / 12, 0}, {0, 0, def.mass * 0.68 / 12}};
  return mo_body_create(world, &def);
}

// A chain of unequal links on ball joints, stretched out level; its last link spins.
static mo_world *make_chain(mo_integrator integrator, mo_body_id links[LINKS]) {
  mo_world *world = world_with(integrator, MO_SOLVER_EXACT);
  for (int i = 0; i < LINKS; i++) {
    mo_body_def def = body_at(0.5 + i, 0, 0, 1.0 + i);
    def.angular_velocity = vec(i == LINKS - 1 ? 2.0 : 0.0, 0, 0);
    links[i] = add_link(world, def);
    join(world, MO_CONSTRAINT_BALL, i == 0 ? MO_NULL_BODY_ID : links[i - 1], links[i],
         vec(i == 0 ? 0 : 0.5, 0, 0), vec(-0.5, 0, 0));
  }
  return world;
}

// Distance of neighbouring ends, and their relative velocity.
static void measure_joint(const mo_world *world, mo_body_id a, mo_body_id b, double *error,
                          double *rate) {
  mo_body_state s[2] = {state_of(world, a), state_of(world, b)};
  mo_vec3 end[2], velocity[2];
  for (int i = 0; i < 2; i++) {
    mo_vec3 arm = mo_quat_rotate(s[i].orientation, vec(i == 0 ? 0.5 : -0.5, 0, 0));
    end[i] = mo_add(s[i].position, arm);
    velocity[i] = mo_add(s[i].linear_velocity, mo_cross(s[i].angular_velocity, arm));
  }
  *error = fmax(*error, mo_distance_between(end[0], end[1]));
  *rate = fmax(*rate, mo_distance_between(velocity[0], velocity[1]));
}

static void a_falling_chain_keeps_energy_and_joints(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    mo_body_id links[LINKS] = {0};
    mo_world *world = make_chain(conserving[i], links);
    double energy = mo_world_energy(world).total, drift = 0.0, error = 0.0, rate = 0.0;
    for (int k = 0; k < 480; k++) {
      step_many(world, 1.0 / 240, 1);
      drift = fmax(drift, fabs(mo_world_energy(world).total - energy));
      for (int n = 0; n + 1 < LINKS; n++) {
        measure_joint(world, links[n], links[n + 1], &error, &rate);
      }
    }
    assert_true(drift < 1e-3 * 15.0 * GRAVITY); // of the mass times g times metres
    assert_true(error < 1e-12);
    assert_true(rate < (i == 0 ? 1e-10 : 1e-2)); // RATTLE has J v = 0 at the end of the step
    mo_world_destroy(world);
  }
}

static void a_chain_allocates_nothing_once_it_swings(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    mo_body_id links[LINKS] = {0};
    mo_world *world = make_chain(conserving[i], links);
    step_many(world, 1.0 / 240, 240);
    uint64_t before = mo_allocation_count();
    step_many(world, 1.0 / 240, 960);
    assert_true(mo_allocation_count() == before);
    mo_world_destroy(world);
  }
}

static int allocations_left;

static void *limited_allocate(size_t bytes, void *user) {
  (void)user;
  return allocations_left-- > 0 ? malloc(bytes) : NULL;
}

static void plain_release(void *memory, void *user) {
  (void)user;
  free(memory);
}

// Fails the first step at its first, second, ... allocation.
static void a_step_without_memory_changes_nothing(void **state) {
  (void)state;
  mo_set_allocator(limited_allocate, plain_release, NULL);
  for (int i = 0; i < 5; i++) {
    bool made = false;
    for (int n = 0; !made; n++) {
      allocations_left = 1000000;
      mo_body_id links[LINKS] = {0};
      mo_world *world = make_chain((mo_integrator)i, links);
      uint64_t before = mo_world_hash(world);
      allocations_left = n;
      mo_result result = mo_world_step(world, 1.0 / 60);
      allocations_left = 1000000;
      made = result == MO_OK;
      if (!made) {
        assert_int_equal(result, MO_ERROR_OUT_OF_MEMORY);
        assert_true(mo_world_hash(world) == before);
        assert_int_equal(mo_world_step(world, 1.0 / 60), MO_OK);
      }
      mo_world_destroy(world);
    }
  }
  mo_set_allocator(NULL, NULL, NULL);
}

typedef struct drifts {
  double momentum, angular_momentum; // kg m/s, kg m^2/s
  double energy;                     // relative
} drifts;

// Three links that float and tumble for 2 s: forces of joints are internal.
static drifts float_with(mo_constraint_type type, int rate) {
  mo_world *world = world_with(MO_INTEGRATOR_IMPLICIT_MIDPOINT, MO_SOLVER_EXACT);
  mo_world_def settings = mo_world_get_settings(world);
  settings.gravity = vec(0, 0, 0);
  assert_int_equal(mo_world_set_settings(world, &settings), MO_OK);
  // Rods between ends need some length.
  double gap = type == MO_CONSTRAINT_DISTANCE ? 0.5 : 0.0;
  mo_body_id links[3];
  for (int i = 0; i < 3; i++) {
    mo_body_def def = body_at(i * (1.0 + gap), 0, 0, 1.0 + i);
    def.angular_velocity = vec(0.5, 0, 0); // fits the joints, as does the common turn below
    def.linear_velocity = vec(0.2, 1.0 - i * (1.0 + gap), 0);
    def.angular_velocity.z = -1.0;
    links[i] = add_link(world, def);
    if (i > 0) {
      join(world, type, links[i - 1], links[i], vec(0.5, 0, 0), vec(-0.5, 0, 0));
    }
  }
  assert_int_equal(mo_body_apply_angular_impulse(world, links[2], vec(0.05, 0.3, 0)), MO_OK);
  step_many(world, 1e-4, 1); // velocities that fit the joints
  mo_momentum before = mo_world_momentum(world);
  double energy = mo_world_energy(world).total;
  step_many(world, 1.0 / rate, 2 * rate);
  mo_momentum after = mo_world_momentum(world);
  drifts drift = {mo_distance_between(before.linear, after.linear),
                  mo_distance_between(before.angular, after.angular),
                  fabs(mo_world_energy(world).total / energy - 1.0)};
  mo_world_destroy(world);
  return drift;
}

static void floating_links_keep_their_momenta(void **state) {
  (void)state;
  const mo_constraint_type types[] = {MO_CONSTRAINT_DISTANCE, MO_CONSTRAINT_BALL};
  for (int i = 0; i < 2; i++) {
    drifts coarse = float_with(types[i], 60), fine = float_with(types[i], 120);
    assert_true(coarse.momentum < 1e-12);
    assert_true(coarse.energy < 2e-5 && fabs(coarse.energy / fine.energy - 4.0) < 0.4);
    if (types[i] == MO_CONSTRAINT_DISTANCE) {
      assert_true(coarse.angular_momentum < 1e-12);
    } else { // half-way, ends that hang together at both ends of the step are a little apart
      assert_true(coarse.angular_momentum < 5e-4);
      assert_true(fabs(coarse.angular_momentum / fine.angular_momentum - 4.0) < 0.2);
    }
  }
}

// Two links of 1 kg with an end of 1000 kg, from 20 degrees: a bend of the links swings to and fro
// faster than steps of 1/60 can follow. The flow is divided until they can.
static void a_heavy_end_swings_on_light_links(void **state) {
  (void)state;
  const mo_integrator of_joints[] = {MO_INTEGRATOR_VELOCITY_VERLET, MO_INTEGRATOR_RK4,
                                     MO_INTEGRATOR_IMPLICIT_MIDPOINT};
  for (int i = 0; i < 6; i++) {
    mo_world *world = world_with(of_joints[i / 2], solvers[i % 2]);
    mo_body_id bodies[3], last = MO_NULL_BODY_ID;
    mo_vec3 down = vec(sin(MO_PI / 9), 0, -cos(MO_PI / 9));
    for (int n = 0; n < 3; n++) {
      mo_vec3 at = mo_scale(0.5 * (n + 1), down);
      mo_body_def def = body_at(at.x, at.y, at.z, n == 2 ? 1000.0 : 1.0);
      def.orientation = mo_quat_exp(vec(0, -MO_PI / 9, 0));
      def.filter.mask = 0;
      bodies[n] = add_body(world, def, sphere(0.1));
      join(world, MO_CONSTRAINT_BALL, last, bodies[n], vec(0, 0, 0), vec(0, 0, 0.5));
      last = bodies[n];
    }
    double before = mo_world_energy(world).total;
    for (int k = 0; k < 600; k++) {
      step_many(world, 1.0 / 60, 1);
      mo_vec3 first = state_of(world, bodies[0]).position;
      assert_true(fabs(mo_length(first) - 0.5) < 1e-8); // metres before
      mo_vec3 second = state_of(world, bodies[1]).position;
      assert_true(fabs(mo_distance_between(first, second) - 0.5) < 1e-8);
      double gained = mo_world_energy(world).total - before; // of 888 J at play
      assert_true(fabs(gained) < 1e-2);
    }
    mo_world_destroy(world);
  }
}

// The stages of rk4 know no joints: it leaves them to the midpoint rule. Solved after the stages
// they would give 6.8 J to a pendulum of 9.8 J in 20 s.
static void a_hinge_keeps_its_energy_with_rk4(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    mo_world *world = world_with(MO_INTEGRATOR_RK4, solvers[k]);
    mo_body_id bob = add_body(world, body_at(1, 0, 0, 1), box(0.1, 0.1, 0.1));
    mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_HINGE);
    def.body_b = bob;
    def.anchor_b = vec(-1, 0, 0);
    def.axis_a = def.axis_b = vec(0, 1, 0);
    assert_false(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
    double before = mo_world_energy(world).total;
    for (int n = 0; n < 1200; n++) {
      step_many(world, 1.0 / 60, 1);
      assert_true(fabs(mo_world_energy(world).total - before) < 1e-3);
    }
    mo_world_destroy(world);
  }
}

// Ten links on ball joints, let go level with ends `apart` metres from each other. Counts the steps
// of a second with a joint that is open by more than the slop, and those that tell of it.
static void count_open_steps(mo_integrator integrator, double apart, int *open, int *told) {
  mo_world *world = world_with(integrator, MO_SOLVER_BLOCK_PGS);
  mo_body_id links[10];
  for (int n = 0; n < 10; n++) {
    links[n] = add_link(world, body_at(0.5 + (1.0 + apart) * n, 0, 0, 1.0));
    join(world, MO_CONSTRAINT_BALL, n == 0 ? MO_NULL_BODY_ID : links[n - 1], links[n],
         vec(n == 0 ? 0 : 0.5, 0, 0), vec(-0.5, 0, 0));
  }
  for (int k = 0; k < 60; k++) {
    step_many(world, 1.0 / 60, 1);
    double error = 0.0, rate = 0.0;
    for (int n = 0; n < 9; n++) {
      measure_joint(world, links[n], links[n + 1], &error, &rate);
    }
    mo_island island;
    assert_int_equal(mo_world_islands(world, &island, 1), 1);
    *open += error > 3e-3; // a joint's rows are shorter than its error by up to 3^0.5
    *told += island.event == MO_ISLAND_OPEN_JOINTS;
    assert_true(island.event != MO_ISLAND_OPEN_JOINTS || island.status != MO_SOLVE_CONVERGED);
  }
  mo_world_destroy(world);
}

static void sweeps_that_leave_joints_open_say_so(void **state) {
  (void)state;
  int open = 0, told = 0, closed = 0, told_of_closed = 0;
  count_open_steps(MO_INTEGRATOR_SEMI_IMPLICIT_EULER, 0.05, &open, &told);
  assert_true(open > 10 && told >= open);
  count_open_steps(MO_INTEGRATOR_IMPLICIT_MIDPOINT, 0.0, &closed, &told_of_closed);
  assert_int_equal(closed, 0);
  assert_int_equal(told_of_closed, 0);
}

// --- what is in the way ----------------------------------------------------------------------

// A pendulum that swings into a wall: contact and joint in one island, and free again.
static void a_pendulum_hits_a_wall_and_swings_on(void **state) {
  (void)state;
  for (int i = 0; i < 5; i++) {
    mo_world *world = world_with((mo_integrator)i, MO_SOLVER_BLOCK_PGS);
    mo_body_def wall = body_at(-0.6, 0, -1, 0);
    wall.type = MO_BODY_STATIC;
    add_body(world, wall, box(0.5, 2, 2)); // its face at x = -0.1
    mo_body_def def = body_at(1, 0, 0, 1);
    def.restitution = 1.0;
    mo_body_id bob = add_body(world, def, sphere(0.1));
    join(world, MO_CONSTRAINT_DISTANCE, MO_NULL_BODY_ID, bob, vec(0, 0, 0), vec(0, 0, 0));
    double lowest = 1.0, length = 0.0;
    for (int k = 0; k < 600; k++) {
      step_many(world, 1.0 / 120, 1);
      mo_vec3 at = state_of(world, bob).position;
      lowest = fmin(lowest, at.x);
      length = fmax(length, fabs(sqrt(at.x * at.x + at.z * at.z) - 1.0));
    }
    assert_true(lowest > -0.02 && lowest < 0.05);
    assert_true(length < 0.05);
    mo_world_destroy(world);
  }
}

// Two bodies that are joined far apart: nothing breaks, and the joint closes.
static void a_joint_that_starts_far_open_closes(void **state) {
  (void)state;
  for (int i = 0; i < 5; i++) {
    mo_world *world = world_with((mo_integrator)i, MO_SOLVER_EXACT);
    mo_body_id bob = add_body(world, body_at(3, 0, 0, 1), sphere(0.1));
    mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_DISTANCE);
    def.body_b = bob;
    def.has_length = true;
    def.length = 1.0;
    assert_false(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
    step_many(world, 1.0 / 60, 600);
    mo_vec3 at = state_of(world, bob).position;
    assert_true(fabs(mo_length(at) - 1.0) < 0.01);
    assert_true(mo_world_energy(world).total < 20.0); // not shot away
    mo_world_destroy(world);
  }
}

TEST_GROUP(joint_integrators) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pendulum_keeps_amplitude_and_period_over_20_periods),
      cmocka_unit_test(pendulum_loses_no_energy_by_the_midpoint_rule),
      cmocka_unit_test(tension_at_the_bottom_is_three_times_the_weight),
      cmocka_unit_test(a_bob_with_hardly_any_inertia_swings_like_a_point),
      cmocka_unit_test(a_falling_chain_keeps_energy_and_joints),
      cmocka_unit_test(a_chain_allocates_nothing_once_it_swings),
      cmocka_unit_test(a_step_without_memory_changes_nothing),
      cmocka_unit_test(floating_links_keep_their_momenta),
      cmocka_unit_test(a_heavy_end_swings_on_light_links),
      cmocka_unit_test(a_hinge_keeps_its_energy_with_rk4),
      cmocka_unit_test(sweeps_that_leave_joints_open_say_so),
      cmocka_unit_test(a_pendulum_hits_a_wall_and_swings_on),
      cmocka_unit_test(a_joint_that_starts_far_open_closes),
  };
  return run_group(tests, NULL, NULL);
}
