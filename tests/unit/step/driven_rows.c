/// Rows of links on hinges and sliders with motors, brakes, springs and limits, with soft-step,
/// which solves the drives of a tree with its locks.
#include "math/scalar.h"
#include "math/vec3.h"
#include "test_group.h"
#include "world_fixture.h"

#define DT (1.0 / 60.0)
#define GRAVITY 9.81
#define MOST_LINKS 8
#define LINK 0.3 // m

typedef struct row {
  mo_world *world;
  mo_body_id links[MOST_LINKS];
  mo_constraint_id joints[MOST_LINKS];
  double masses[MOST_LINKS];
  int count;
} row;

static void fail_if(bool fails, const char *what, double got) {
  if (fails) {
    print_error("%s: %g\n", what, got);
  }
  assert_false(fails);
}

// Links in a row along x that gravity pulls along -y, the first of them on the world. Hinges turn
// about z, sliders slide along x.
static row make(mo_constraint_type type, int count, double first_mass, double last_mass,
                mo_coordinate_drive drive) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = MO_SOLVER_SOFT_STEP;
  settings.gravity = vec(0, -GRAVITY, 0);
  settings.allow_sleep = false;
  row r = {.world = make_world(settings), .count = count};
  for (int i = 0; i < count; i++) {
    r.masses[i] = i + 1 < count ? first_mass : last_mass;
    mo_body_def body = body_at(LINK * (i + 0.5), 0, 0, r.masses[i]);
    body.filter.mask = 0;
    r.links[i] = add_body(r.world, body, box(0.5 * LINK, 0.05, 0.05));
    mo_constraint_def def = mo_constraint_def_default(type);
    def.body_a = i > 0 ? r.links[i - 1] : MO_NULL_BODY_ID;
    def.body_b = r.links[i];
    def.anchor_a = vec(i > 0 ? 0.5 * LINK : 0.0, 0, 0);
    def.anchor_b = vec(-0.5 * LINK, 0, 0);
    def.axis_a = def.axis_b = type == MO_CONSTRAINT_HINGE ? vec(0, 0, 1) : vec(1, 0, 0);
    def.drives[0] = drive;
    r.joints[i] = mo_constraint_create(r.world, &def);
    assert_false(mo_constraint_id_is_null(r.joints[i]));
  }
  return r;
}

static mo_coordinate_drive motor(double speed, double max_force) {
  mo_coordinate_drive drive = mo_coordinate_drive_default();
  drive.motor = MO_MOTOR_VELOCITY;
  drive.target_velocity = speed;
  drive.max_force = max_force;
  return drive;
}

static mo_coordinate_state coordinate(const row *r, int i) {
  mo_coordinate_state state;
  assert_int_equal(mo_constraint_get_coordinate(r->world, r->joints[i], 0, &state), MO_OK);
  return state;
}

static mo_drive_impulses impulses(const row *r, int i) {
  mo_drive_impulses out;
  assert_int_equal(mo_constraint_get_drive_impulses(r->world, r->joints[i], 0, &out), MO_OK);
  return out;
}

static void run(row *r, double time, double dt) {
  for (int i = 0; i < (int)(time / dt + 0.5); i++) {
    assert_int_equal(mo_world_step(r->world, dt), MO_OK);
  }
}

// N m: of the weights about joint i, while the row is level.
static double moment(const row *r, int i) {
  double sum = 0.0;
  for (int k = i; k < r->count; k++) {
    sum += r->masses[k] * GRAVITY * LINK * (k - i + 0.5);
  }
  return sum;
}

static const struct {
  double first, last;
} masses[] = {{1.0, 1.0}, {0.1, 0.1}, {1.0, 10.0}, {10.0, 0.1}, {0.1, 5.0}};

// They hold the row level for three seconds, and bear the moments of its weights.
static void brakes_in_a_row_hold_it_level(void **state) {
  (void)state;
  for (int count = 2; count <= MOST_LINKS; count *= 2) {
    for (int k = 0; k < 20; k++) {
      double strength = k < 10 ? (double)INFINITY : 1e5, dt = k % 2 ? DT : 0.5 * DT;
      row r = make(MO_CONSTRAINT_HINGE, count, masses[k % 10 / 2].first, masses[k % 10 / 2].last,
                   motor(0.0, strength));
      run(&r, 3.0, dt);
      for (int i = 0; i < count; i++) {
        fail_if(fabs(coordinate(&r, i).value) > 2e-3, "turned by", coordinate(&r, i).value);
        double torque = impulses(&r, i).motor / dt;
        fail_if(fabs(torque - moment(&r, i)) > 1e-2 * moment(&r, i), "torque", torque);
      }
      mo_world_destroy(r.world);
    }
  }
}

// Each joint has its speed after a second, whatever hangs on it.
static void motors_in_a_row_turn_at_their_speeds(void **state) {
  (void)state;
  for (int count = 2; count <= MOST_LINKS; count *= 2) {
    for (int k = 0; k < 10; k++) {
      bool turns = k % 2;
      row r = make(turns ? MO_CONSTRAINT_HINGE : MO_CONSTRAINT_SLIDER, count, masses[k / 2].first,
                   masses[k / 2].last, motor(turns ? 1.0 : 0.1, INFINITY));
      run(&r, 1.0, DT);
      for (int i = 0; i < count; i++) {
        double lack = coordinate(&r, i).rate - (turns ? 1.0 : 0.1);
        fail_if(fabs(lack) > 1e-4, "speed lacks", lack);
      }
      mo_world_destroy(r.world);
    }
  }
}

// A motor that is too weak for the first joint lets the row down with all the torque that it has,
// while those behind it hold.
static void a_weak_motor_slips_and_the_others_hold(void **state) {
  (void)state;
  row r = make(MO_CONSTRAINT_HINGE, 4, 1.0, 1.0, motor(0.0, 15.0));
  run(&r, 0.1, DT);
  assert_true(moment(&r, 0) > 15.0 && moment(&r, 1) < 15.0);
  fail_if(fabs(impulses(&r, 0).motor / DT - 15.0) > 1e-4, "torque", impulses(&r, 0).motor / DT);
  // 15 N m and the weights on a level rod of 4 kg and 1.2 m about its end
  double inertia = 0.0;
  for (int i = 0; i < 4; i++) {
    inertia += (LINK * LINK + 0.01) / 12.0 + mo_square(LINK * (i + 0.5));
  }
  double rate = (15.0 - moment(&r, 0)) / inertia * 0.1;
  fail_if(fabs(coordinate(&r, 0).rate - rate) > 0.01 * fabs(rate), "rate", coordinate(&r, 0).rate);
  for (int i = 1; i < 4; i++) {
    fail_if(fabs(coordinate(&r, i).rate) > 1e-4, "slips", coordinate(&r, i).rate);
  }
  mo_world_destroy(r.world);
}

// Motors drive all joints into their limits, which bear what the weights leave of the torque.
static void motors_press_their_joints_into_limits(void **state) {
  (void)state;
  mo_coordinate_drive drive = motor(1.0, 60.0);
  drive.lower = -0.2;
  drive.upper = 0.2;
  row r = make(MO_CONSTRAINT_HINGE, 4, 1.0, 1.0, drive);
  run(&r, 2.0, DT);
  for (int i = 0; i < 4; i++) {
    fail_if(fabs(coordinate(&r, i).value - 0.2) > 1e-3, "angle", coordinate(&r, i).value);
    fail_if(fabs(coordinate(&r, i).rate) > 1e-4, "rate", coordinate(&r, i).rate);
    mo_drive_impulses of = impulses(&r, i);
    fail_if(fabs(of.motor / DT - 60.0) > 1e-3, "motor", of.motor / DT);
    fail_if(!(of.limits < 0.0 && of.limits > -60.0 * DT), "limit", of.limits / DT);
  }
  mo_world_destroy(r.world);
}

// Springs in a row sag by the moments of the weights over their stiffness.
static void springs_in_a_row_sag_by_their_loads(void **state) {
  (void)state;
  mo_coordinate_drive drive = mo_coordinate_drive_default();
  drive.spring.stiffness = 4000.0;
  drive.spring.damping_coefficient = 20.0;
  row r = make(MO_CONSTRAINT_HINGE, 4, 1.0, 1.0, drive);
  run(&r, 5.0, DT);
  for (int i = 0; i < 4; i++) {
    double sag = -moment(&r, i) / 4000.0;
    fail_if(fabs(coordinate(&r, i).value - sag) > 0.01 * fabs(sag), "sags",
            coordinate(&r, i).value);
  }
  mo_world_destroy(r.world);
}

static double energy(const row *r) {
  double sum = 0.0;
  for (int i = 0; i < r->count; i++) {
    mo_body_state of = state_of(r->world, r->links[i]);
    double square = mo_length_squared(of.linear_velocity);
    double across = r->masses[i] * (LINK * LINK + 0.01) / 12.0; // all turns are about z
    sum += r->masses[i] * (0.5 * square + GRAVITY * of.position.y) +
           0.5 * across * mo_square(of.angular_velocity.z);
  }
  return sum;
}

// A row that falls and swings on joints with friction only loses energy.
static void friction_in_a_row_never_gives_energy(void **state) {
  (void)state;
  for (int k = 0; k < 5; k++) {
    mo_coordinate_drive drive = mo_coordinate_drive_default();
    drive.friction = 0.1 * (masses[k].first + masses[k].last);
    row r = make(MO_CONSTRAINT_HINGE, 4, masses[k].first, masses[k].last, drive);
    double before = energy(&r), scale = moment(&r, 0);
    for (int i = 0; i < 600; i++) {
      run(&r, DT, DT);
      double after = energy(&r);
      fail_if(after > before + 2e-3 * scale, "gains a share of", (after - before) / scale);
      before = after;
    }
    fail_if(before > -0.15 * scale, "still has", before / scale);
    mo_world_destroy(r.world);
  }
}

TEST_GROUP(driven_rows) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(brakes_in_a_row_hold_it_level),
      cmocka_unit_test(motors_in_a_row_turn_at_their_speeds),
      cmocka_unit_test(a_weak_motor_slips_and_the_others_hold),
      cmocka_unit_test(motors_press_their_joints_into_limits),
      cmocka_unit_test(springs_in_a_row_sag_by_their_loads),
      cmocka_unit_test(friction_in_a_row_never_gives_energy),
  };
  return run_group(tests, NULL, NULL);
}
