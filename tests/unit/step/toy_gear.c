/// What it takes to add a constraint of four bodies: a gear between two hinges, A with B and C with
/// D. A body may be one of both hinges, and one of each may be the world.
#include "toy_gear.h"

#include "constraints/constraint_class.h"
#include "constraints/joint_rotation.h"
#include "test_group.h"
#include "world_fixture.h"

#include <string.h>

// --- the class: angle of B on A + ratio * angle of D on C = 0 ---------------------------------
//
// The axis of the first hinge is axis_a on A, that of the second axis_b on C; the ratio is given as
// the length of a distance is. All bodies start with the axes of the world.

static mo_jacobian_row hinge_row(mo_quat first, mo_quat second, mo_quat frame, double near,
                                 double *angle) {
  mo_quat a = mo_quat_mul(first, frame);
  mo_quat relative = mo_quat_mul(mo_quat_conjugate(a), mo_quat_mul(second, frame));
  mo_joint_frames frames = {a, relative};
  mo_vec3 rate;
  *angle = mo_hinge_angle(relative, near, &rate);
  return mo_angular_row(&frames, rate);
}

static mo_jacobian_row first_row(const mo_constraint *c, const mo_constraint_place *at,
                                 double *angle) {
  return hinge_row(at->a.orientation, at->b.orientation, c->frame_a, c->last_values[0], angle);
}

// The turns of the second hinge are those that go with the turns of the first.
static mo_jacobian_row second_row(const mo_constraint *c, const mo_constraint_place *at,
                                  double first, double *angle) {
  return hinge_row(at->c.orientation, at->d.orientation, c->frame_b, -first / c->length, angle);
}

static void init(mo_constraint *c, const mo_constraint_def *def, const mo_constraint_place *at) {
  (void)at;
  c->length = def->has_length ? def->length : 1.0;
}

static void coordinates(const mo_constraint *c, const mo_constraint_place *at, mo_coordinate *out) {
  double angle;
  mo_jacobian_row row = first_row(c, at, &angle);
  mo_set_coordinate(&out[0], angle, row);
}

static mo_constraint_failure evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  double first, second;
  first_row(c, at, &first);
  second_row(c, at, first, &second);
  out[0] = first + c->length * second;
  return NULL;
}

static mo_constraint_failure jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  double first, second;
  out = mo_put_row(out, 1.0, first_row(c, at, &first));
  mo_put_row(out, c->length, second_row(c, at, first, &second));
  return NULL;
}

const mo_constraint_class toy_gear_class = {.name = "gear",
                                            .bodies = MO_CONSTRAINT_JOINS_FOUR,
                                            .has_axes = true,
                                            .has_bounds = true,
                                            .leaves_contacts = true,
                                            .init = init,
                                            .dimension = 1,
                                            .makes_rows = true,
                                            .evaluate = evaluate,
                                            .jacobian = jacobian,
                                            .coordinate_count = 1,
                                            .coordinate_kinds = {MO_COORDINATE_ANGLE},
                                            .coordinates = coordinates,
                                            .drawing = MO_DRAW_AXES};

// --- machines --------------------------------------------------------------------------------

#define DT (1.0 / 60)
#define STEPS 120
#define RATIO 1.5

// Two wheels on hinges: each on a frame of its own, both on one frame, or both on the world.
typedef enum machine_kind { FOUR_BODIES, THREE_BODIES, TWO_BODIES, MACHINE_KINDS } machine_kind;

typedef struct machine {
  mo_world *world;
  mo_body_id a, b, c, d; // frame and wheel, frame and wheel; null: the world
  mo_constraint_id first, second, gear;
  double ratio;
} machine;

// Wheels 3 m apart, so that nothing touches but frames and their own wheels.
#define APART 3.0

static mo_body_id add_cube(mo_world *world, double x, double half, double mass) {
  return add_body(world, body_at(x, 0, 0, mass), box(half, half, half));
}

static mo_constraint_id add_hinge(mo_world *world, mo_body_id frame, mo_body_id wheel, mo_vec3 axis,
                                  double anchor) {
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_HINGE);
  def.body_a = frame;
  def.body_b = wheel;
  def.axis_a = def.axis_b = axis;
  def.anchor_a = vec(anchor, 0, 0);
  return mo_constraint_create(world, &def);
}

static mo_constraint_def gear_def(const machine *m) {
  mo_constraint_def def = mo_constraint_def_default(TOY_GEAR);
  def.body_a = m->a;
  def.body_b = m->b;
  def.body_c = m->c;
  def.body_d = m->d;
  def.axis_a = vec(0, 0, 1);
  def.axis_b = m->ratio < 0.0 ? vec(0, 1, 0) : vec(0, 0, 1);
  def.has_length = true;
  def.length = m->ratio;
  return def;
}

static mo_world_def machine_settings(mo_solver solver) {
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, 0);
  settings.solver = solver;
  settings.allow_sleep = false;
  settings.iterations = 200;
  return settings;
}

// A negative ratio has the second wheel turn about y.
static machine make_machine(mo_world_def settings, machine_kind kind, double ratio) {
  machine m = {.world = make_world(settings), .ratio = ratio};
  if (kind != TWO_BODIES) {
    m.a = m.c = add_cube(m.world, 0, 0.5, 8.0);
  }
  if (kind == FOUR_BODIES) {
    m.c = add_cube(m.world, APART, 0.4, 5.0);
  }
  m.b = add_cube(m.world, 0, 0.3, 2.0);
  m.d = add_cube(m.world, APART, 0.25, 1.0);
  mo_vec3 second_axis = ratio < 0.0 ? vec(0, 1, 0) : vec(0, 0, 1);
  m.first = add_hinge(m.world, m.a, m.b, vec(0, 0, 1), 0.0);
  m.second = add_hinge(m.world, m.c, m.d, second_axis, kind == FOUR_BODIES ? 0.0 : APART);
  mo_constraint_def def = gear_def(&m);
  m.gear = mo_constraint_create(m.world, &def);
  assert_false(mo_constraint_id_is_null(m.gear));
  return m;
}

static void spin(const machine *m, mo_body_id body, mo_vec3 velocity) {
  assert_int_equal(mo_body_set_angular_velocity(m->world, body, velocity), MO_OK);
}

static double coordinate_of(const machine *m, mo_constraint_id id) {
  mo_constraint_state state;
  assert_int_equal(mo_constraint_get_state(m->world, id, &state), MO_OK);
  return state.coordinate;
}

// Error of the gear from the angles that its hinges report, rad.
static double slip_of(const machine *m) {
  return coordinate_of(m, m->first) + m->ratio * coordinate_of(m, m->second);
}

static const mo_solver all_solvers[] = {MO_SOLVER_EXACT, MO_SOLVER_BLOCK_PGS, MO_SOLVER_SOFT_STEP};

// --- what must hold --------------------------------------------------------------------------

// rad: the error in any step. In the first one the second wheel is set in motion, which soft-step
// does within one substep.
static double tolerance_of(mo_solver solver) {
  return solver == MO_SOLVER_EXACT ? 1e-9 : solver == MO_SOLVER_BLOCK_PGS ? 1e-6 : 2e-3;
}

static void keeps_ratio(mo_solver solver, machine_kind kind, double ratio) {
  machine m = make_machine(machine_settings(solver), kind, ratio);
  spin(&m, m.b, vec(0, 0, 25));
  for (int i = 0; i < STEPS; i++) {
    assert_int_equal(mo_world_step(m.world, DT), MO_OK);
    assert_true(fabs(slip_of(&m)) < tolerance_of(solver));
    double error;
    assert_int_equal(mo_constraint_violation(m.world, m.gear, &error), MO_OK);
    assert_true(fabs(error - slip_of(&m)) < 1e-9);
    assert_true(solver != MO_SOLVER_EXACT || mo_world_residual(m.world).worst < 1e-8);
  }
  assert_true(fabs(coordinate_of(&m, m.first)) > 2.0 * MO_PI); // full turns were counted
  assert_true(fabs(coordinate_of(&m, m.second)) > 2.0 * MO_PI);
  double rate;
  assert_int_equal(mo_constraint_velocity_violation(m.world, m.gear, &rate), MO_OK);
  assert_true(fabs(slip_of(&m)) < 1e-6);
  assert_true(fabs(rate) < (solver == MO_SOLVER_EXACT ? 1e-8 : 1e-4));
  mo_world_destroy(m.world);
}

static void the_ratio_is_kept_by_every_solver(void **state) {
  (void)state;
  for (int s = 0; s < 3; s++) {
    for (int kind = 0; kind < MACHINE_KINDS; kind++) {
      keeps_ratio(all_solvers[s], (machine_kind)kind, RATIO);
      keeps_ratio(all_solvers[s], (machine_kind)kind, -0.8);
    }
  }
}

static double inertia_of(const machine *m, mo_body_id body) {
  return mo_body_id_is_null(body) ? INFINITY : state_of(m->world, body).inertia.cx.x;
}

// J M^-1 J^T of the gear's row, whose wheels turn about one direction.
static double mobility_of(const machine *m, machine_kind kind) {
  double on_wheels = 1.0 / inertia_of(m, m->b) + m->ratio * m->ratio / inertia_of(m, m->d);
  double a = inertia_of(m, m->a), c = inertia_of(m, m->c);
  return kind == THREE_BODIES ? on_wheels + (1.0 + m->ratio) * (1.0 + m->ratio) / a
                              : on_wheels + 1.0 / a + m->ratio * m->ratio / c;
}

// The hinges have no part in it: all turn about one direction, and all centres of mass stay. (On
// one frame, the second wheel would have to go round the frame's centre: that frame is pinned.)
static void impulse_is_known(mo_solver solver, machine_kind kind) {
  machine m = make_machine(machine_settings(solver), kind, RATIO);
  if (kind == THREE_BODIES) {
    assert_int_equal(mo_constraint_destroy(m.world, m.second), MO_OK);
  }
  spin(&m, m.b, vec(0, 0, 3));
  double expected = -3.0 / mobility_of(&m, kind), ib = inertia_of(&m, m.b),
         id = inertia_of(&m, m.d);
  step_many(m.world, DT, 1);
  double tolerance = solver == MO_SOLVER_SOFT_STEP ? 1e-5 : 1e-8;
  double impulse = mo_constraint_impulses(m.world, m.gear)[0];
  assert_true(fabs(impulse / expected - 1.0) < tolerance);
  double wheel_b = state_of(m.world, m.b).angular_velocity.z;
  double wheel_d = state_of(m.world, m.d).angular_velocity.z;
  assert_true(fabs(wheel_b - (3.0 + expected / ib)) < 3.0 * tolerance);
  assert_true(fabs(wheel_d - RATIO * expected / id) < 3.0 * tolerance);
  mo_world_destroy(m.world);
}

static void the_impulse_of_a_step_is_that_of_the_effective_mass(void **state) {
  (void)state;
  for (int s = 0; s < 3; s++) {
    for (int kind = 0; kind < MACHINE_KINDS; kind++) {
      impulse_is_known(all_solvers[s], (machine_kind)kind);
    }
  }
}

static bool is_near(mo_vec3 a, mo_vec3 b, double tolerance) {
  return mo_length(mo_sub(a, b)) <= tolerance * (1.0 + mo_length(b));
}

// A machine of cubes, which have no gyroscopic torque, that flies and tumbles.
static void conserves(mo_solver solver, machine_kind kind) {
  machine m = make_machine(machine_settings(solver), kind, RATIO);
  spin(&m, m.b, vec(0.3, 0.1, 6));
  spin(&m, m.a, vec(0.2, -0.1, 0.4));
  assert_int_equal(mo_body_set_linear_velocity(m.world, m.a, vec(0.2, 0.1, -0.1)), MO_OK);
  mo_momentum before = mo_world_momentum(m.world);
  double energy = mo_world_energy(m.world).kinetic;
  double tolerance = solver == MO_SOLVER_SOFT_STEP ? 2e-4 : 1e-9;
  for (int i = 0; i < STEPS; i++) {
    step_many(m.world, DT, 1);
    mo_momentum now = mo_world_momentum(m.world);
    assert_true(is_near(now.linear, before.linear, tolerance));
    assert_true(is_near(now.angular, before.angular, tolerance));
    double left = mo_world_energy(m.world).kinetic;
    assert_true(left <= energy * (1.0 + tolerance));
    energy = left;
  }
  mo_world_destroy(m.world);
}

static void a_free_machine_keeps_its_momentum_and_gains_no_energy(void **state) {
  (void)state;
  for (int s = 0; s < 3; s++) {
    conserves(all_solvers[s], FOUR_BODIES);
  }
  conserves(MO_SOLVER_EXACT, THREE_BODIES);
}

// --- other ways to solve it ------------------------------------------------------------------

static void it_holds_with_every_integrator_and_stabilization(void **state) {
  (void)state;
  for (int integrator = 0; integrator <= MO_INTEGRATOR_IMPLICIT_MIDPOINT; integrator++) {
    for (int kind = 0; kind < MACHINE_KINDS; kind++) {
      mo_world_def settings = machine_settings(MO_SOLVER_EXACT);
      settings.integrator = (mo_integrator)integrator;
      machine m = make_machine(settings, (machine_kind)kind, RATIO);
      spin(&m, m.b, vec(0, 0, 4));
      step_many(m.world, DT, STEPS);
      assert_true(fabs(slip_of(&m)) < 1e-7);
      mo_world_destroy(m.world);
    }
  }
  mo_world_def settings = machine_settings(MO_SOLVER_EXACT);
  settings.stabilization = MO_STABILIZATION_BAUMGARTE;
  machine m = make_machine(settings, FOUR_BODIES, RATIO);
  spin(&m, m.b, vec(0, 0, 4));
  step_many(m.world, DT, STEPS);
  assert_true(fabs(slip_of(&m)) < 1e-7);
  mo_world_destroy(m.world);
}

static void one_exact_body_makes_the_island_exact(void **state) {
  (void)state;
  const mo_solver others[] = {MO_SOLVER_BLOCK_PGS, MO_SOLVER_SOFT_STEP};
  for (int i = 0; i < 2; i++) {
    machine m = make_machine(machine_settings(others[i]), FOUR_BODIES, RATIO);
    assert_int_equal(mo_body_set_solver(m.world, m.d, true, MO_SOLVER_EXACT), MO_OK);
    spin(&m, m.b, vec(0, 0, 5));
    step_many(m.world, DT, 10);
    mo_island islands[4];
    assert_int_equal(mo_world_islands(m.world, islands, 4), 1);
    assert_int_equal(islands[0].bodies, 4);
    assert_int_equal(islands[0].rows, 11);
    assert_int_equal(islands[0].solver, MO_SOLVER_BILATERAL);
    assert_true(fabs(slip_of(&m)) < 1e-9);
    mo_world_destroy(m.world);
  }
}

// A gear that slips beyond a torque, with bounds of the impulse, N m s.
static machine make_clutch(mo_solver solver, double bound) {
  machine m = make_machine(machine_settings(solver), FOUR_BODIES, RATIO);
  assert_int_equal(mo_constraint_destroy(m.world, m.gear), MO_OK);
  mo_constraint_def def = gear_def(&m);
  mo_row_bounds bounds;
  assert_int_equal(mo_row_bounds_box(-bound, bound, &bounds), MO_OK);
  def.bounds = &bounds;
  m.gear = mo_constraint_create(m.world, &def);
  return m;
}

static void a_clutch_of_four_bodies_slips_at_its_bound(void **state) {
  (void)state;
  for (int s = 0; s < 3; s++) {
    machine m = make_clutch(all_solvers[s], 0.01);
    spin(&m, m.b, vec(0, 0, 3));
    step_many(m.world, DT, 1);
    assert_true(fabs(mo_constraint_impulses(m.world, m.gear)[0] + 0.01) < 1e-8);
    double inertia = inertia_of(&m, m.b);
    assert_true(fabs(state_of(m.world, m.b).angular_velocity.z - (3.0 - 0.01 / inertia)) < 1e-5);
    step_many(m.world, DT, STEPS);
    assert_true(fabs(mo_constraint_impulses(m.world, m.gear)[0]) < 1e-3); // it turns with the other
    assert_true(all_solvers[s] != MO_SOLVER_EXACT || mo_world_residual(m.world).worst < 1e-8);
    mo_world_destroy(m.world);
  }
}

// Wheels in a row on a frame that lies on the floor, each geared with the next. With friction there
// is a cone in the island, and so many rows are solved on the graph of bodies.
#define TRAIN 12

static void a_train_of_gears_on_a_frame_with_friction(mo_solver solver, bool with_clutches) {
  mo_world_def settings = machine_settings(solver);
  settings.gravity = vec(0, 0, -10);
  mo_world *world = make_world(settings);
  add_floor(world);
  mo_body_id frame = add_body(world, body_at(0, 0, 0.2, 20), box(4, 0.5, 0.2));
  mo_body_id wheels[TRAIN];
  mo_constraint_id gears[TRAIN] = {0};
  mo_row_bounds bounds;
  assert_int_equal(mo_row_bounds_box(-100.0, 100.0, &bounds), MO_OK);
  for (int i = 0; i < TRAIN; i++) {
    double x = -3.3 + 0.6 * i;
    wheels[i] = add_body(world, body_at(x, 0, 0.6, 1), box(0.15, 0.15, 0.1));
    mo_constraint_def hinge = mo_constraint_def_default(MO_CONSTRAINT_HINGE);
    hinge.body_a = frame;
    hinge.body_b = wheels[i];
    hinge.axis_a = hinge.axis_b = vec(0, 0, 1);
    hinge.anchor_a = vec(x, 0, 0.4);
    mo_constraint_create(world, &hinge);
    if (i > 0) {
      mo_constraint_def gear = mo_constraint_def_default(TOY_GEAR);
      gear.body_a = gear.body_c = frame;
      gear.body_b = wheels[i - 1];
      gear.body_d = wheels[i];
      gear.axis_a = gear.axis_b = vec(0, 0, 1);
      gear.bounds = with_clutches ? &bounds : NULL;
      gears[i] = mo_constraint_create(world, &gear);
      assert_false(mo_constraint_id_is_null(gears[i]));
    }
  }
  assert_int_equal(mo_body_set_angular_velocity(world, wheels[0], vec(0, 0, 12)), MO_OK);
  for (int k = 0; k < 60; k++) {
    step_many(world, DT, 1);
    assert_true(solver != MO_SOLVER_EXACT || mo_world_residual(world).worst < 1e-8);
    bool has_spread = solver != MO_SOLVER_SOFT_STEP || k >= 30; // the motion, along the train
    for (int i = 1; has_spread && i < TRAIN; i++) {             // each turns against the one before
      double last = state_of(world, wheels[i - 1]).angular_velocity.z;
      double next = state_of(world, wheels[i]).angular_velocity.z;
      assert_true(fabs(last + next) < (solver == MO_SOLVER_EXACT ? 1e-7 : 0.1));
    }
  }
  assert_true(fabs(state_of(world, wheels[0]).angular_velocity.z) > 0.5);
  mo_island island;
  assert_int_equal(mo_world_islands(world, &island, 1), 1);
  assert_int_equal(island.bodies, TRAIN + 1);
  assert_true(solver != MO_SOLVER_EXACT || island.solver == MO_SOLVER_CONE);
  mo_world_destroy(world);
}

static void trains_of_gears_turn_with_contacts(void **state) {
  (void)state;
  for (int s = 0; s < 3; s++) {
    a_train_of_gears_on_a_frame_with_friction(all_solvers[s], false);
    a_train_of_gears_on_a_frame_with_friction(all_solvers[s], true);
  }
}

// --- what follows from membership ------------------------------------------------------------

static int awake_count(const machine *m) {
  const mo_body_id bodies[4] = {m->a, m->b, m->c, m->d};
  int count = 0;
  for (int i = 0; i < 4; i++) {
    count += state_of(m->world, bodies[i]).is_awake;
  }
  return count;
}

static void all_four_sleep_and_wake_together(void **state) {
  (void)state;
  for (int s = 0; s < 3; s++) {
    mo_world_def settings = machine_settings(all_solvers[s]);
    settings.allow_sleep = true;
    machine m = make_machine(settings, FOUR_BODIES, RATIO);
    step_many(m.world, DT, 20);
    spin(&m, m.d, vec(0, 0, 1e-9)); // starts to count anew
    int steps = 0;
    while (awake_count(&m) == 4 && steps < 200) {
      step_many(m.world, DT, 1);
      steps++;
    }
    uint32_t events;
    mo_world_sleep_events(m.world, &events);
    assert_int_equal(events, 4);
    assert_int_equal(awake_count(&m), 0);
    assert_int_equal(mo_body_wake(m.world, m.d), MO_OK);
    assert_int_equal(awake_count(&m), 4);
    step_many(m.world, DT, 100);
    assert_int_equal(awake_count(&m), 0);
    assert_int_equal(mo_constraint_destroy(m.world, m.gear), MO_OK); // now they are two islands
    step_many(m.world, DT, 100);
    assert_int_equal(awake_count(&m), 0);
    assert_int_equal(mo_body_wake(m.world, m.d), MO_OK);
    assert_int_equal(awake_count(&m), 2);
    mo_world_destroy(m.world);
  }
}

static void destroying_any_of_the_four_destroys_it(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    machine m = make_machine(machine_settings(MO_SOLVER_EXACT), FOUR_BODIES, RATIO);
    const mo_body_id bodies[4] = {m.a, m.b, m.c, m.d};
    assert_int_equal(mo_body_destroy(m.world, bodies[i]), MO_OK);
    assert_false(mo_constraint_is_alive(m.world, m.gear));
    assert_int_equal(mo_world_constraint_count(m.world), 1);
    assert_true(mo_constraint_is_alive(m.world, i < 2 ? m.second : m.first));
    step_many(m.world, DT, 2);
    mo_world_destroy(m.world);
  }
}

static void read_outs_name_all_bodies(void **state) {
  (void)state;
  machine m = make_machine(machine_settings(MO_SOLVER_EXACT), FOUR_BODIES, RATIO);
  mo_constraint_state gear;
  assert_int_equal(mo_constraint_get_state(m.world, m.gear, &gear), MO_OK);
  assert_same_body(gear.body_c, m.c);
  assert_same_body(gear.body_d, m.d);
  assert_int_equal(mo_constraint_get_state(m.world, m.first, &gear), MO_OK);
  assert_true(mo_body_id_is_null(gear.body_c) && mo_body_id_is_null(gear.body_d));
  assert_int_equal(mo_constraint_break(m.world, m.gear), MO_OK);
  uint32_t count;
  const mo_broken_constraint *broken = mo_world_broken_constraints(m.world, &count);
  assert_int_equal(count, 1);
  assert_same_body(broken[0].body_a, m.a);
  assert_same_body(broken[0].body_d, m.d);
  mo_world_destroy(m.world);
}

static void the_hash_knows_the_further_bodies(void **state) {
  (void)state;
  uint64_t hashes[2];
  for (int i = 0; i < 2; i++) { // the same machine but for the body D of the gear
    machine m = make_machine(machine_settings(MO_SOLVER_EXACT), FOUR_BODIES, RATIO);
    mo_body_id other = add_cube(m.world, 10, 0.25, 1.0);
    mo_constraint_destroy(m.world, m.gear);
    m.d = i ? other : m.d;
    mo_constraint_def def = gear_def(&m);
    m.gear = mo_constraint_create(m.world, &def);
    mo_body_wake(m.world, other);
    hashes[i] = mo_world_hash(m.world);
    mo_world_destroy(m.world);
  }
  assert_true(hashes[0] != hashes[1]);
}

// --- refusals --------------------------------------------------------------------------------

static void assert_refused(mo_world *world, const mo_constraint_def *def, const char *text) {
  uint32_t count = mo_world_constraint_count(world);
  assert_true(mo_constraint_id_is_null(mo_constraint_create(world, def)));
  assert_non_null(strstr(mo_world_last_error(world), text));
  assert_int_equal(mo_world_constraint_count(world), count);
}

static void bad_bodies_are_refused_by_name(void **state) {
  (void)state;
  machine m = make_machine(machine_settings(MO_SOLVER_EXACT), FOUR_BODIES, RATIO);
  mo_body_id gone = add_cube(m.world, 20, 0.5, 1.0);
  assert_int_equal(mo_body_destroy(m.world, gone), MO_OK);
  mo_constraint_def def = gear_def(&m);
  def.body_c = gone;
  assert_refused(m.world, &def, "body_c");
  def = gear_def(&m);
  def.body_d = gone;
  assert_refused(m.world, &def, "body_d");
  def = gear_def(&m);
  def.body_a = gone;
  assert_refused(m.world, &def, "body_a");
  def = gear_def(&m);
  def.body_c = def.body_d = MO_NULL_BODY_ID;
  assert_refused(m.world, &def, "body_d");
  def = gear_def(&m);
  def.body_d = def.body_c;
  assert_refused(m.world, &def, "body_c and body_d must be different");
  def = gear_def(&m);
  def.body_b = def.body_a;
  assert_refused(m.world, &def, "body_a and body_b must be different");
  def = gear_def(&m);
  def.type = MO_CONSTRAINT_HINGE;
  def.has_length = false;
  assert_refused(m.world, &def, "body_c must be null");
  def.body_c = MO_NULL_BODY_ID;
  assert_refused(m.world, &def, "body_d must be null");
  mo_world_destroy(m.world);
}

TEST_GROUP(toy_gear) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_ratio_is_kept_by_every_solver),
      cmocka_unit_test(the_impulse_of_a_step_is_that_of_the_effective_mass),
      cmocka_unit_test(a_free_machine_keeps_its_momentum_and_gains_no_energy),
      cmocka_unit_test(it_holds_with_every_integrator_and_stabilization),
      cmocka_unit_test(one_exact_body_makes_the_island_exact),
      cmocka_unit_test(a_clutch_of_four_bodies_slips_at_its_bound),
      cmocka_unit_test(trains_of_gears_turn_with_contacts),
      cmocka_unit_test(all_four_sleep_and_wake_together),
      cmocka_unit_test(destroying_any_of_the_four_destroys_it),
      cmocka_unit_test(read_outs_name_all_bodies),
      cmocka_unit_test(the_hash_knows_the_further_bodies),
      cmocka_unit_test(bad_bodies_are_refused_by_name),
  };
  return run_group(tests, NULL, NULL);
}
