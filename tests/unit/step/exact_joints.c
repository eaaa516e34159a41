/// Joints of the exact solvers: closed at the end of every step whatever the masses, without
/// energy from nowhere, or told of.
#include "test_group.h"
#include "world_fixture.h"

#define GRAVITY 9.81
#define OPEN 1e-6 // m or rad: what is told of
#define MOST_LINKS 10

/// A chain of links that is let go from the horizontal, with a heavy one at its end.
typedef struct chain {
  mo_world *world;
  int count;
  double mass; // of all links
  double energy;
  mo_body_id links[MOST_LINKS];
  mo_constraint_id joints[MOST_LINKS];
} chain;

typedef struct chain_def {
  mo_constraint_type type;
  int count;
  double end_mass, gap; // gap: between the anchors of neighbours
  mo_integrator integrator;
} chain_def;

static mo_constraint_id join(mo_world *world, mo_constraint_type type, mo_body_id a, mo_body_id b) {
  mo_constraint_def def = mo_constraint_def_default(type);
  def.body_a = a;
  def.body_b = b;
  def.anchor_a = mo_body_id_is_null(a) ? vec(0, 0, 0) : vec(0.1, 0, 0);
  def.anchor_b = vec(-0.1, 0, 0);
  def.axis_a = def.axis_b = vec(0, 0, 1);
  mo_constraint_id id = mo_constraint_create(world, &def);
  assert_false(mo_constraint_id_is_null(id));
  return id;
}

static chain make_chain(chain_def def) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = MO_SOLVER_EXACT;
  settings.integrator = def.integrator;
  settings.allow_sleep = false;
  chain c = {.world = make_world(settings), .count = def.count};
  for (int i = 0; i < def.count; i++) {
    double mass = i == def.count - 1 ? def.end_mass : 1.0;
    double x = (def.gap + 0.2) * (i + 1) - 0.1;
    c.links[i] = add_body(c.world, body_at(x, 0, 0, mass), box(0.1, 0.05, 0.05));
    c.joints[i] = join(c.world, def.type, i == 0 ? MO_NULL_BODY_ID : c.links[i - 1], c.links[i]);
    c.mass += mass;
  }
  c.energy = mo_world_energy(c.world).total;
  return c;
}

static double open_by(mo_world *world, mo_constraint_id joint) {
  double c[MO_CONSTRAINT_ROWS], worst = 0.0;
  mo_constraint_state state;
  assert_int_equal(mo_constraint_get_state(world, joint, &state), MO_OK);
  assert_int_equal(mo_constraint_violation(world, joint, c), MO_OK);
  for (uint32_t i = 0; i < state.dimension; i++) {
    worst = fmax(worst, fabs(c[i]));
  }
  return worst;
}

static double distance_of(mo_vec3 a, mo_vec3 b) {
  return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static double worst_of(const chain *c) {
  double worst = 0.0;
  for (int i = 0; i < c->count; i++) {
    worst = fmax(worst, open_by(c->world, c->joints[i]));
  }
  return worst;
}

// Whether the last step told of open joints, in all three places.
static bool is_told(mo_world *world) {
  mo_island islands[4];
  uint32_t count = mo_world_islands(world, islands, 4), open = 0;
  assert_true(count <= 4);
  for (uint32_t i = 0; i < count; i++) {
    open += islands[i].event == MO_ISLAND_OPEN_JOINTS;
    assert_true(islands[i].event != MO_ISLAND_OPEN_JOINTS || islands[i].status >= MO_SOLVE_BUDGET);
  }
  mo_stats stats = mo_world_stats(world);
  assert_true(stats.missed_islands >= open);
  assert_true(open == 0 || stats.status >= MO_SOLVE_BUDGET);
  return open > 0;
}

// Returns the most energy that there was above that of the start, J/kg.
static double swing(chain *c, double rate, double seconds, bool may_tell) {
  double most = 0.0;
  for (int step = 0; step < (int)(rate * seconds); step++) {
    assert_int_equal(mo_world_step(c->world, 1.0 / rate), MO_OK);
    bool told = is_told(c->world);
    assert_int_equal(told, worst_of(c) > OPEN);
    assert_true(may_tell || !told);
    most = fmax(most, (mo_world_energy(c->world).total - c->energy) / c->mass);
  }
  mo_world_destroy(c->world);
  return most;
}

// What a swing by semi-implicit Euler's rule is above its energy, of links of 1 kg too: order dt.
#define EULER_ENERGY 0.15 // J/kg

static void distance_joints_hold_whatever_the_masses(void **state) {
  (void)state;
  const double masses[] = {1, 100, 1000}, gaps[] = {0.1, 0.2, 0.0}, rates[] = {60, 240};
  for (int i = 0; i < 18; i++) {
    chain_def def = {.type = MO_CONSTRAINT_DISTANCE,
                     .count = 2,
                     .end_mass = masses[i % 3],
                     .gap = gaps[i / 3 % 3]};
    chain c = make_chain(def);
    assert_true(swing(&c, rates[i / 9], 3.0, false) < EULER_ENERGY);
  }
}

static void chains_hold_a_heavy_end(void **state) {
  (void)state;
  const chain_def defs[] = {
      {MO_CONSTRAINT_DISTANCE, 5, 1000, 0.1, 0}, {MO_CONSTRAINT_DISTANCE, 5, 1000, 0.0, 0},
      {MO_CONSTRAINT_BALL, 10, 1000, 0.0, 0},    {MO_CONSTRAINT_HINGE, 10, 1000, 0.0, 0},
      {MO_CONSTRAINT_FIXED, 5, 1000, 0.0, 0},    {MO_CONSTRAINT_SLIDER, 5, 1000, 0.0, 0}};
  for (size_t i = 0; i < sizeof defs / sizeof defs[0]; i++) {
    for (int integrator = 0; integrator <= MO_INTEGRATOR_IMPLICIT_MIDPOINT; integrator++) {
      chain_def def = defs[i];
      def.integrator = (mo_integrator)integrator;
      chain c = make_chain(def);
      double gained = swing(&c, 60, 3.0, false);
      assert_true(integrator != MO_INTEGRATOR_SEMI_IMPLICIT_EULER || gained < EULER_ENERGY);
    }
  }
}

// A million to one: what does not close within a step is told of, and energy comes from nowhere.
static void a_chain_of_extreme_masses_holds_or_says_so(void **state) {
  (void)state;
  const chain_def defs[] = {{MO_CONSTRAINT_DISTANCE, 2, 1e6, 0.2, 0},
                            {MO_CONSTRAINT_BALL, 10, 1e6, 0.0, 0},
                            {MO_CONSTRAINT_HINGE, 10, 1e6, 0.0, 0}};
  for (size_t i = 0; i < sizeof defs / sizeof defs[0]; i++) {
    chain c = make_chain(defs[i]);
    assert_true(swing(&c, 60, 3.0, true) < EULER_ENERGY);
    c = make_chain(defs[i]);
    assert_true(swing(&c, 240, 1.0, true) < EULER_ENERGY);
  }
}

static mo_vec3 center_of_mass(const chain *c, const double *masses) {
  mo_vec3 sum = vec(0, 0, 0);
  for (int i = 0; i < c->count; i++) {
    mo_vec3 p = state_of(c->world, c->links[i]).position;
    sum = vec(sum.x + masses[i] * p.x, sum.y + masses[i] * p.y, sum.z + masses[i] * p.z);
  }
  return vec(sum.x / c->mass, sum.y / c->mass, sum.z / c->mass);
}

// Relative, in four seconds of being carried in most steps; 1e-13 where that is not needed.
#define ANGULAR_LOSS 1e-8

static void whirl(mo_vec3 velocity) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = MO_SOLVER_EXACT;
  settings.gravity = vec(0, 0, 0);
  settings.allow_sleep = false;
  const double masses[] = {1000, 1, 1, 1, 1000};
  chain c = {.world = make_world(settings), .count = 5, .mass = 2003};
  for (int i = 0; i < c.count; i++) {
    c.links[i] = add_body(c.world, body_at(0.2 * i, 0, 0, masses[i]), sphere(0.05));
    c.joints[i] = i > 0 ? join(c.world, MO_CONSTRAINT_BALL, c.links[i - 1], c.links[i])
                        : MO_NULL_CONSTRAINT_ID;
  }
  mo_body_set_linear_velocity(c.world, c.links[4], velocity);
  mo_body_set_linear_velocity(c.world, c.links[2], vec(0, -30, 40));
  mo_momentum before = mo_world_momentum(c.world);
  for (int step = 1; step <= 240; step++) {
    mo_vec3 from = center_of_mass(&c, masses);
    step_many(c.world, 1.0 / 60, 1);
    mo_vec3 to = center_of_mass(&c, masses);
    for (int i = 1; i < c.count; i++) {
      assert_true(open_by(c.world, c.joints[i]) < OPEN);
    }
    mo_momentum now = mo_world_momentum(c.world);
    assert_true(distance_of(now.linear, before.linear) <
                1e-7 * distance_of(before.linear, vec(0, 0, 0)));
    assert_true(distance_of(now.angular, before.angular) <
                ANGULAR_LOSS * distance_of(before.angular, vec(0, 0, 0)));
    mo_vec3 way = vec(before.linear.x / c.mass / 60, before.linear.y / c.mass / 60,
                      before.linear.z / c.mass / 60);
    assert_true(distance_of(vec(to.x - from.x, to.y - from.y, to.z - from.z), way) < 1e-8);
  }
  mo_world_destroy(c.world);
}

// Light links whirl about a heavy one faster than steps can follow, and hit each other.
static void a_free_chain_keeps_its_momentum_and_centre(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    whirl(vec(5, 20 + 0.01 * i, 0));
  }
}

// --- what cannot be closed -------------------------------------------------------------------

static void a_torn_joint_is_told_of_until_it_is_closed(void **state) {
  (void)state;
  mo_world_def settings = mo_world_def_default();
  settings.solver = MO_SOLVER_EXACT;
  settings.gravity = vec(0, 0, 0);
  mo_world *world = make_world(settings);
  mo_body_id a = add_body(world, body_at(0, 0, 0, 1), sphere(0.1));
  mo_body_id b = add_body(world, body_at(0.2, 0, 0, 1), sphere(0.1));
  mo_constraint_id joint = join(world, MO_CONSTRAINT_BALL, a, b);
  step_many(world, 1.0 / 60, 1);
  assert_false(is_told(world));
  assert_int_equal(mo_body_set_position(world, b, vec(1.2, 0, 0)), MO_OK);
  int told = 0;
  for (int step = 0; step < 60; step++) {
    step_many(world, 1.0 / 60, 1);
    assert_int_equal(is_told(world), open_by(world, joint) > OPEN);
    told += is_told(world);
  }
  assert_int_equal(told, 19); // of 1 m at 3 m/s, but for the last step
  mo_world_destroy(world);
}

// The body is as long as its two joints to the world are not.
static void joints_that_exclude_each_other_are_told_of(void **state) {
  (void)state;
  mo_world_def settings = mo_world_def_default();
  settings.solver = MO_SOLVER_EXACT;
  mo_world *world = make_world(settings);
  mo_body_id rod = add_body(world, body_at(0, 0, 0, 1), box(0.5, 0.05, 0.05));
  mo_body_id other = add_body(world, body_at(0, 5, 0, 1), box(0.5, 0.05, 0.05));
  mo_body_id friend = add_body(world, body_at(1, 5, 0, 1), box(0.5, 0.05, 0.05));
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_BALL);
  def.body_b = rod;
  for (int side = -1; side <= 1; side += 2) {
    def.anchor_a = vec(0.505 * side, 0, 0);
    def.anchor_b = vec(0.5 * side, 0, 0);
    assert_false(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
  }
  def.body_a = other;
  def.body_b = friend;
  def.anchor_a = vec(0.5, 0, 0);
  def.anchor_b = vec(-0.5, 0, 0);
  assert_false(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
  for (int step = 0; step < 30; step++) {
    step_many(world, 1.0 / 60, 1);
    assert_true(is_told(world));
    assert_int_equal(mo_world_missed_island_count(world), 1); // the other one is closed
    assert_true(fabs(state_of(world, rod).position.x) < 0.01);
  }
  mo_world_destroy(world);
}

// --- distances of nothing --------------------------------------------------------------------

// A distance of 0 holds in all three directions.
static void a_distance_of_nothing_is_a_point(void **state) {
  (void)state;
  for (int solver = MO_SOLVER_BLOCK_PGS; solver <= MO_SOLVER_SOFT_STEP; solver++) {
    mo_world_def settings = mo_world_def_default();
    settings.solver = (mo_solver)solver;
    settings.gravity = vec(0, 0, 0);
    mo_world *world = make_world(settings);
    mo_body_id a = add_body(world, body_at(0, 0, 0, 1), sphere(0.1));
    mo_body_id b = add_body(world, body_at(0.2, 0, 0, 1), sphere(0.1));
    mo_constraint_id joint = join(world, MO_CONSTRAINT_DISTANCE, a, b);
    mo_constraint_state read;
    assert_int_equal(mo_constraint_get_state(world, joint, &read), MO_OK);
    assert_int_equal(read.type, MO_CONSTRAINT_DISTANCE);
    assert_int_equal(read.dimension, 3);
    mo_body_set_linear_velocity(world, b, vec(0, 1, 0.5));
    bool is_exact = solver != MO_SOLVER_BLOCK_PGS && solver != MO_SOLVER_SOFT_STEP;
    for (int step = 0; step < 120; step++) {
      step_many(world, 1.0 / 60, 1);
      assert_true(open_by(world, joint) < (is_exact ? 1e-9 : 5e-3));
    }
    mo_vec3 v[2] = {state_of(world, a).linear_velocity, state_of(world, b).linear_velocity};
    assert_true(fabs(v[0].y + v[1].y - 1.0) < 1e-5 && fabs(v[0].z + v[1].z - 0.5) < 1e-5);
    mo_world_destroy(world);
  }
}

// --- overflow --------------------------------------------------------------------------------

static double random_number(uint64_t *seed) {
  *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(*seed >> 11) / 9007199254740992.0;
}

// Half of them about 1, half of any size.
static double any_number(uint64_t *seed) {
  double exponent = random_number(seed) < 0.5 ? 4.0 * (random_number(seed) - 0.5)
                                              : 400.0 * (random_number(seed) - 0.3);
  return (random_number(seed) < 0.5 ? -1.0 : 1.0) * pow(10.0, exponent);
}

static mo_vec3 any_vector(uint64_t *seed) {
  double x = any_number(seed), y = any_number(seed);
  return vec(x, y, any_number(seed));
}

static bool is_number(mo_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

static void step_with_any_velocities(mo_world *world, const mo_body_id bodies[3], uint64_t *seed) {
  for (int i = 0; i < 3; i++) {
    if (random_number(seed) < 0.4) {
      mo_body_set_linear_velocity(world, bodies[i], any_vector(seed));
    }
    if (random_number(seed) < 0.4) {
      mo_body_set_angular_velocity(world, bodies[i], any_vector(seed));
    }
  }
  mo_world_step(world, 1.0 / 60);
  for (int i = 0; i < 3; i++) {
    mo_body_state s = state_of(world, bodies[i]);
    assert_true(is_number(s.position) && is_number(s.linear_velocity) &&
                is_number(s.angular_velocity) && isfinite(s.orientation.w));
  }
}

// Also what the projection of the joints does to velocities overflows, and is refused.
static void no_step_leaves_numbers_that_are_none(void **state) {
  (void)state;
  for (uint64_t start = 1; start <= 600; start++) {
    uint64_t seed = 77777 * start;
    mo_world_def settings = mo_world_def_default();
    settings.solver = MO_SOLVER_EXACT;
    settings.integrator = (mo_integrator)(5.0 * random_number(&seed));
    mo_world *world = make_world(settings);
    mo_body_id bodies[3];
    for (int i = 0; i < 3; i++) {
      bodies[i] = add_body(world, body_at(i, 0, 0, 1), box(0.1, 0.2, 0.3));
    }
    for (int i = 0; i < 3; i++) {
      mo_constraint_type type = (mo_constraint_type)(2 + (int)(5.0 * random_number(&seed)));
      join(world, type, i == 2 ? MO_NULL_BODY_ID : bodies[i + 1], bodies[i]);
    }
    for (int step = 0; step < 3; step++) {
      step_with_any_velocities(world, bodies, &seed);
    }
    mo_world_destroy(world);
  }
}

TEST_GROUP(exact_joints) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distance_joints_hold_whatever_the_masses),
      cmocka_unit_test(chains_hold_a_heavy_end),
      cmocka_unit_test(a_chain_of_extreme_masses_holds_or_says_so),
      cmocka_unit_test(a_free_chain_keeps_its_momentum_and_centre),
      cmocka_unit_test(a_torn_joint_is_told_of_until_it_is_closed),
      cmocka_unit_test(joints_that_exclude_each_other_are_told_of),
      cmocka_unit_test(a_distance_of_nothing_is_a_point),
      cmocka_unit_test(no_step_leaves_numbers_that_are_none),
  };
  return run_group(tests, NULL, NULL);
}
