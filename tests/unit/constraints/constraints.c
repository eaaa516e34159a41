/// Constraints: bounds, Jacobians against finite differences, rows, and what they do in a world.
#include "constraints/constraint.h"
#include "constraints/joint_rotation.h"
#include "row_fixture.h"
#include "solvers/block_pgs/block_pgs.h"
#include "test_group.h"
#include "world_fixture.h"

#include <string.h>

// --- fixtures --------------------------------------------------------------------------------

// In double precision, unlike cmocka's own.
static void near_at(double actual, double expected, double tolerance, int line) {
  if (!(fabs(actual - expected) <= tolerance)) {
    print_error("line %d: got %.17g, expected %.17g, allowed %g\n", line, actual, expected,
                tolerance);
    fail();
  }
}
#define assert_near(actual, expected, tolerance) near_at(actual, expected, tolerance, __LINE__)

static double uniform(uint32_t *seed, double lower, double upper) {
  *seed = *seed * 1664525u + 1013904223u;
  return lower + (upper - lower) * (*seed >> 8) / 16777216.0;
}

static mo_vec3 random_vector(uint32_t *seed, double size) {
  double x = uniform(seed, -size, size), y = uniform(seed, -size, size);
  return vec(x, y, uniform(seed, -size, size));
}

static mo_quat random_turn(uint32_t *seed, double angle) {
  return mo_quat_exp(mo_scale(uniform(seed, 0, angle), mo_normalize(random_vector(seed, 1))));
}

static mo_constraint_body random_body(uint32_t *seed, uint32_t number) {
  mo_constraint_body body = mo_constraint_body_world();
  body.body = mo_body_id_load(number);
  body.position = random_vector(seed, 2);
  body.orientation = random_turn(seed, 3);
  body.center_of_mass = mo_add(body.position, random_vector(seed, 0.5));
  body.linear_velocity = random_vector(seed, 2);
  body.angular_velocity = random_vector(seed, 2);
  return body;
}

static mo_constraint_def random_def(uint32_t *seed, mo_constraint_type type, bool is_limited) {
  mo_constraint_def def = mo_constraint_def_default(type);
  def.anchor_a = random_vector(seed, 1);
  def.anchor_b = random_vector(seed, 1);
  def.axis_a = random_vector(seed, 1);
  def.axis_b = random_vector(seed, 1);
  if (is_limited) {
    def.drives[0].lower = 0.1;
    def.drives[0].upper = 0.4;
  }
  return def;
}

static mo_constraint make(const mo_constraint_def *def, uint32_t slot_a, uint32_t slot_b,
                          const mo_constraint_place *at) {
  const uint32_t slots[MO_ROW_SIDES] = {slot_a, slot_b, MO_WORLD_SLOT, MO_WORLD_SLOT};
  mo_constraint constraint;
  assert_true(mo_constraint_init(&constraint, def, slots, at));
  return constraint;
}

static void assert_jacobian_is_derivative(const mo_constraint *constraint,
                                          const mo_constraint_place *at, double tolerance) {
  double exact[MO_CONSTRAINT_ROWS * MO_JACOBIAN_COLUMNS] = {0};
  double differences[MO_CONSTRAINT_ROWS * MO_JACOBIAN_COLUMNS] = {0};
  assert_null(mo_constraint_jacobian(constraint, at, exact));
  assert_null(mo_constraint_difference_jacobian(constraint, at, differences));
  for (uint32_t i = 0; i < MO_JACOBIAN_COLUMNS * constraint->dimension; i++) {
    assert_near(exact[i], differences[i], tolerance);
  }
}

// --- bounds: A55 -----------------------------------------------------------------------------

static void bounds_are_one_kind_each(void **state) {
  (void)state;
  mo_row_bounds bounds = {.kind = MO_BOUND_CONE};
  assert_int_equal(mo_row_bounds_bilateral().kind, MO_BOUND_BILATERAL);
  assert_int_equal(mo_row_bounds_unilateral().kind, MO_BOUND_UNILATERAL);
  assert_int_equal(mo_row_bounds_box(-2, 3, &bounds), MO_OK);
  assert_int_equal(bounds.kind, MO_BOUND_BOX);
  assert_true(bounds.lower == -2.0 && bounds.upper == 3.0);
  assert_int_equal(mo_row_bounds_box(-INFINITY, INFINITY, &bounds), MO_OK);
  assert_int_equal(bounds.kind, MO_BOUND_BILATERAL);
  assert_int_equal(mo_row_bounds_box(0, INFINITY, &bounds), MO_OK);
  assert_int_equal(bounds.kind, MO_BOUND_UNILATERAL);
  assert_int_equal(mo_row_bounds_cone(0.5, &bounds), MO_OK);
  assert_int_equal(bounds.kind, MO_BOUND_CONE);
}

static void bad_bounds_are_rejected(void **state) {
  (void)state;
  mo_row_bounds bounds = mo_row_bounds_bilateral();
  const double nan = (double)NAN;
  assert_int_equal(mo_row_bounds_box(1, 0, &bounds), MO_ERROR_INVALID_ARGUMENT);
  assert_int_equal(mo_row_bounds_box(nan, 1, &bounds), MO_ERROR_INVALID_ARGUMENT);
  assert_int_equal(mo_row_bounds_box(0, nan, &bounds), MO_ERROR_INVALID_ARGUMENT);
  assert_int_equal(mo_row_bounds_box(INFINITY, INFINITY, &bounds), MO_ERROR_INVALID_ARGUMENT);
  assert_int_equal(mo_row_bounds_cone(nan, &bounds), MO_ERROR_INVALID_ARGUMENT);
  assert_int_equal(mo_row_bounds_cone(-1, &bounds), MO_ERROR_INVALID_ARGUMENT);
  assert_int_equal(bounds.kind, MO_BOUND_BILATERAL);
}

// Impulse of a row w = 2 impulse + bias within bounds.
static double impulse_within(mo_row_bounds bounds, double bias) {
  row_fixture f;
  fixture_begin(&f, 1);
  f.bodies[1] = (mo_row_body){.inverse_mass = 2.0};
  f.rows[0] = (mo_row){.linear_b = {1, 0, 0}, .bias = bias};
  f.blocks[0] = (mo_row_block){.body_b = 1,
                               .row_count = 1,
                               .bound = bounds.kind,
                               .lower = bounds.lower,
                               .upper = bounds.upper};
  f.problem.block_count = f.problem.row_count = 1;
  mo_solver_settings settings = {.max_iterations = 50, .tolerance = 1e-14};
  assert_int_equal(mo_block_pgs_solve(&f.problem, f.velocities, &settings, NULL, &f.arena).result,
                   MO_OK);
  fixture_end(&f);
  return f.rows[0].impulse;
}

static void impulses_stay_within_bounds(void **state) {
  (void)state;
  mo_row_bounds box;
  assert_int_equal(mo_row_bounds_box(-2, 3, &box), MO_OK);
  const struct {
    mo_row_bounds bounds;
    double low, high;
  } cases[] = {
      {mo_row_bounds_bilateral(), -5, 5}, {mo_row_bounds_unilateral(), 0, 5}, {box, -2, 3}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_near(impulse_within(cases[i].bounds, 10), cases[i].low, 1e-12);
    assert_near(impulse_within(cases[i].bounds, -10), cases[i].high, 1e-12);
  }
}

// --- Jacobians -------------------------------------------------------------------------------

static const mo_constraint_type with_rows[] = {MO_CONSTRAINT_DISTANCE, MO_CONSTRAINT_BALL,
                                               MO_CONSTRAINT_FIXED, MO_CONSTRAINT_HINGE,
                                               MO_CONSTRAINT_SLIDER};

// Poses at random: angular errors go up to about 3 rad.
static void jacobians_are_derivatives_at_any_pose(void **state) {
  (void)state;
  uint32_t seed = 1;
  for (size_t t = 0; t < sizeof with_rows / sizeof *with_rows; t++) {
    bool may_be_limited = with_rows[t] != MO_CONSTRAINT_BALL && with_rows[t] != MO_CONSTRAINT_FIXED;
    for (int i = 0; i < 60; i++) {
      mo_constraint_def def = random_def(&seed, with_rows[t], may_be_limited && i % 2 == 1);
      mo_constraint_place start = {
          .metre = 1.0, .a = random_body(&seed, 1), .b = random_body(&seed, 2)};
      mo_constraint constraint = make(&def, 0, 1, &start);
      mo_constraint_place at = start;
      at.b.orientation = mo_quat_mul(random_turn(&seed, 2.8), at.b.orientation);
      at.b.position = mo_add(at.b.position, random_vector(&seed, 1));
      // Near pi derivatives of swing errors are steep, and differences of them coarse.
      assert_jacobian_is_derivative(&constraint, &at, 2e-6);
      mo_constraint_free(&constraint);
    }
  }
}

static void one_side_may_be_the_world(void **state) {
  (void)state;
  uint32_t seed = 2;
  for (size_t t = 0; t < sizeof with_rows / sizeof *with_rows; t++) {
    mo_constraint_def def = random_def(&seed, with_rows[t], false);
    mo_constraint_place at = {
        .metre = 1.0, .a = mo_constraint_body_world(), .b = random_body(&seed, 2)};
    mo_constraint constraint = make(&def, MO_WORLD_SLOT, 1, &at);
    double differences[MO_CONSTRAINT_ROWS * MO_JACOBIAN_COLUMNS] = {0};
    double exact[MO_CONSTRAINT_ROWS * MO_JACOBIAN_COLUMNS];
    assert_null(mo_constraint_jacobian(&constraint, &at, exact));
    assert_null(mo_constraint_difference_jacobian(&constraint, &at, differences));
    for (uint32_t i = 0; i < constraint.dimension; i++) {
      for (uint32_t k = 6; k < MO_JACOBIAN_COLUMNS; k++) {
        uint32_t at_entry = MO_JACOBIAN_COLUMNS * i + k;
        assert_near(exact[at_entry], differences[at_entry], 1e-8);
      }
    }
    mo_constraint_free(&constraint);
  }
}

static void joints_begin_without_angular_errors(void **state) {
  (void)state;
  uint32_t seed = 3;
  for (int i = 0; i < 20; i++) {
    mo_constraint_place at = {.metre = 1.0, .a = random_body(&seed, 1), .b = random_body(&seed, 2)};
    mo_constraint_def def = random_def(&seed, MO_CONSTRAINT_FIXED, false);
    double error[MO_CONSTRAINT_ROWS];
    mo_constraint fixed = make(&def, 0, 1, &at);
    assert_null(mo_constraint_evaluate(&fixed, &at, error));
    for (int k = 3; k < 6; k++) {
      assert_near(error[k], 0.0, 1e-14);
    }
    mo_constraint_free(&fixed);
    def.type = MO_CONSTRAINT_HINGE;
    mo_constraint hinge = make(&def, 0, 1, &at);
    assert_near(hinge.last_values[0], 0.0, 1e-14);
    mo_constraint_free(&hinge);
  }
}

// --- angular errors --------------------------------------------------------------------------

static void rotation_error_is_the_rotation_vector(void **state) {
  (void)state;
  uint32_t seed = 4;
  const double angles[] = {0.0, 1e-12, 1e-7, 1e-4, 1e-3, 0.1, 1.0, 3.0, 3.14159, MO_PI};
  for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
    mo_vec3 expected = mo_scale(angles[i], mo_normalize(random_vector(&seed, 1)));
    mo_vec3 rates[3], error = mo_rotation_error(mo_quat_exp(expected), rates);
    assert_near(mo_length(error), angles[i], 1e-14);
    if (angles[i] < MO_PI) {
      assert_near(mo_distance_between(error, expected), 0.0, 1e-10 * angles[i]);
    }
    for (int k = 0; k < 3; k++) {
      assert_true(mo_v3_is_finite(rates[k]));
    }
  }
}

static void swing_and_twist_are_apart(void **state) {
  (void)state;
  uint32_t seed = 5;
  for (int i = 0; i < 50; i++) {
    double y = uniform(&seed, -2, 2), z = uniform(&seed, -2, 2), turn = uniform(&seed, -3, 3);
    mo_quat q = mo_quat_mul(mo_quat_exp(vec(0, y, z)), mo_quat_exp(vec(turn, 0, 0)));
    double swing[2];
    mo_vec3 rates[2], rate;
    mo_swing_error(q, swing, rates);
    assert_near(swing[0], y, 1e-13);
    assert_near(swing[1], z, 1e-13);
    assert_near(mo_twist_angle(q, &rate), turn, 1e-13);
  }
}

static void opposite_axes_give_finite_errors(void **state) {
  (void)state;
  const mo_quat opposite[] = {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0.6, 0.8, 0}, {1e-9, 1, 0, 1e-9}};
  for (size_t i = 0; i < sizeof opposite / sizeof *opposite; i++) {
    double swing[2];
    mo_vec3 rates[2], rate;
    mo_swing_error(opposite[i], swing, rates);
    assert_near(sqrt(swing[0] * swing[0] + swing[1] * swing[1]), MO_PI, 1e-5);
    assert_true(mo_v3_is_finite(rates[0]) && mo_v3_is_finite(rates[1]));
    assert_true(mo_is_finite(mo_twist_angle(opposite[i], &rate)) && mo_v3_is_finite(rate));
  }
}

// --- rows ------------------------------------------------------------------------------------

static bool test_evaluate(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                          double time, double *out) {
  (void)b;
  const double *amplitude = user;
  out[0] = a->position.x - *amplitude * time * time;
  return true;
}

static mo_constraint_def custom_def(mo_constraint_function *evaluate, void *user) {
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_CUSTOM);
  def.dimension = 1;
  def.evaluate = evaluate;
  def.user = user;
  return def;
}

// Rows as such, of bodies of no mass.
static mo_row_body unmoved[6];

static mo_row row_of(const mo_constraint_def *def, const mo_constraint_place *at,
                     mo_row_block *block) {
  static mo_row rows[1];
  mo_constraint constraint = make(def, 0, MO_WORLD_SLOT, at);
  mo_constraint_settings settings = {.dt = 0.01, .max_correction_speed = 3, .impulse_scale = 1};
  mo_row_problem problem = {.blocks = block, .rows = rows, .bodies = unmoved};
  const uint32_t bodies[MO_ROW_SIDES] = {1};
  assert_null(mo_constraint_append_rows(&constraint, at, bodies, &settings, &problem));
  mo_constraint_free(&constraint);
  return rows[0];
}

// J v = -dC/dt - alpha C / (beta + alpha dt) (docs/physics.md, "Joints and constraints").
static void custom_rows_aim_at_their_target(void **state) {
  (void)state;
  double amplitude = 2.0;
  mo_row_block block;
  mo_constraint_def def = custom_def(test_evaluate, &amplitude);
  mo_constraint_place at = {
      .metre = 1.0, .a = mo_constraint_body_world(), .b = mo_constraint_body_world()};
  at.a.position.x = 1.5;
  at.time = 0.25;
  double c = 1.5 - 2.0 * 0.0625, rate = -2.0 * 2.0 * 0.25;
  mo_row row = row_of(&def, &at, &block);
  assert_near(row.linear_a.x, 1.0, 1e-10);
  assert_near(row.gap, c, 1e-15);
  assert_near(row.bias, rate + 10.0 * c / (10.0 + 10.0 * 0.01), 1e-9);
  assert_false(block.holds_position);
  def.alpha = def.beta = 0.0;
  assert_near(row_of(&def, &at, &block).bias, rate, 1e-9);

  // A row that may be open closes within the step at the most.
  mo_row_bounds unilateral = mo_row_bounds_unilateral();
  def.bounds = &unilateral;
  assert_near(row_of(&def, &at, &block).bias, rate + c / 0.01, 1e-9);
}

static bool seven_rows(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                       double time, double *out) {
  (void)user, (void)b, (void)time;
  for (int i = 0; i < 12; i++) {
    out[i] = a->position.x;
  }
  return true;
}

static void rows_are_cut_into_blocks(void **state) {
  (void)state;
  mo_constraint_place at = {
      .metre = 1.0, .a = mo_constraint_body_world(), .b = mo_constraint_body_world()};
  mo_row_bounds bounds[12];
  for (int i = 0; i < 12; i++) {
    bounds[i] = mo_row_bounds_bilateral();
  }
  bounds[7] = mo_row_bounds_unilateral();
  for (int i = 8; i < 11; i++) {
    assert_int_equal(mo_row_bounds_cone(0.5, &bounds[i]), MO_OK);
  }
  assert_int_equal(mo_row_bounds_box(-1, 1, &bounds[11]), MO_OK);
  mo_constraint_def def = custom_def(seven_rows, NULL);
  def.dimension = 12;
  def.bounds = bounds;
  mo_constraint constraint = make(&def, 0, MO_WORLD_SLOT, &at);
  mo_row rows[12];
  mo_row_block blocks[12];
  mo_row_problem problem = {.blocks = blocks, .rows = rows, .bodies = unmoved};
  const uint32_t bodies[MO_ROW_SIDES] = {1};
  mo_constraint_settings settings = {.dt = 0.01};
  assert_null(mo_constraint_append_rows(&constraint, &at, bodies, &settings, &problem));
  const uint32_t counts[] = {6, 1, 1, 3, 1}, firsts[] = {0, 6, 7, 8, 11};
  assert_int_equal(problem.block_count, 5);
  for (int i = 0; i < 5; i++) {
    assert_int_equal(blocks[i].row_count, counts[i]);
    assert_int_equal(blocks[i].first_row, firsts[i]);
  }
  mo_constraint_free(&constraint);
}

// --- rows of four bodies ---------------------------------------------------------------------

// C is x of A's centre of mass, plus 2, 3 and 4 times those of B, C and D.
static mo_constraint_failure sum_of_four(const mo_constraint *c, const mo_constraint_place *at,
                                         double *out) {
  (void)c;
  out[0] = at->a.center_of_mass.x + 2 * at->b.center_of_mass.x + 3 * at->c.center_of_mass.x +
           4 * at->d.center_of_mass.x;
  return NULL;
}

static mo_constraint_failure jacobian_of_four(const mo_constraint *c, const mo_constraint_place *at,
                                              double *out) {
  (void)c;
  (void)at;
  for (size_t body = 0; body < 4; body++) {
    out[6 * body] = 1.0 + (double)body;
  }
  return NULL;
}

static const mo_constraint_class class_of_four = {.name = "four",
                                                  .bodies = MO_CONSTRAINT_JOINS_FOUR,
                                                  .dimension = 1,
                                                  .makes_rows = true,
                                                  .evaluate = sum_of_four,
                                                  .jacobian = jacobian_of_four};

static void a_jacobian_of_four_bodies_is_a_derivative(void **state) {
  (void)state;
  uint32_t seed = 5;
  mo_constraint_place at = {.metre = 1.0,
                            .a = random_body(&seed, 0),
                            .b = random_body(&seed, 1),
                            .c = random_body(&seed, 2),
                            .d = random_body(&seed, 3)};
  mo_constraint constraint = {.class = &class_of_four,
                              .base_dimension = 1,
                              .dimension = 1,
                              .slot_a = 4,
                              .slot_b = 5,
                              .slot_c = MO_WORLD_SLOT,
                              .slot_d = 6};
  double exact[24], differences[24] = {0};
  assert_int_equal(mo_jacobian_columns(&constraint), 24);
  assert_null(mo_constraint_jacobian(&constraint, &at, exact));
  assert_null(mo_constraint_difference_jacobian(&constraint, &at, differences));
  for (int i = 0; i < 24; i++) {
    bool of_world = i / 6 == 2; // it is not moved
    assert_true(fabs(differences[i] - (of_world ? 0.0 : exact[i])) < 1e-8);
  }
  uint32_t slots[MO_ROW_SIDES];
  constraint.slot_c = 4;
  assert_int_equal(mo_constraint_slots(&constraint, slots), 3);
  assert_true(slots[0] == 4 && slots[1] == 5 && slots[2] == 6);
}

// A body of a row in a problem, and what the row has for its velocity along x.
typedef struct expected_side {
  uint32_t body;
  double x;
} expected_side;

static void assert_sides(const uint32_t bodies[MO_ROW_SIDES], const expected_side *sides,
                         uint32_t count) {
  double impulses[1] = {0.0};
  mo_row_bounds bounds[1] = {mo_row_bounds_bilateral()};
  mo_constraint constraint = {.class = &class_of_four,
                              .base_dimension = 1,
                              .dimension = 1,
                              .impulses = impulses,
                              .bounds = bounds};
  mo_constraint_place at = {.time = 0.0};
  mo_row row;
  mo_row_block block;
  mo_row_pair pair = {0};
  mo_row_problem problem = {.blocks = &block, .rows = &row, .pairs = &pair, .bodies = unmoved};
  mo_constraint_settings settings = {.dt = 0.01};
  assert_null(mo_constraint_append_rows(&constraint, &at, bodies, &settings, &problem));
  assert_int_equal(problem.pair_count, count > 2);
  uint32_t of_block[MO_ROW_SIDES] = {0};
  assert_int_equal(mo_block_bodies(&problem, &block, of_block), count);
  double x[MO_ROW_SIDES] = {row.linear_a.x, row.linear_b.x, pair.row.linear_a.x,
                            pair.row.linear_b.x};
  for (uint32_t i = 0; i < count; i++) {
    assert_int_equal(of_block[i], sides[i].body);
    assert_true(x[i] == sides[i].x);
  }
}

static void rows_of_four_bodies_have_each_body_once(void **state) {
  (void)state;
  assert_sides((uint32_t[]){5, 3, 4, 2}, (expected_side[]){{5, 1}, {3, 2}, {4, 3}, {2, 4}}, 4);
  assert_sides((uint32_t[]){5, 3, 5, 2}, (expected_side[]){{5, 4}, {3, 2}, {2, 4}}, 3);
  assert_sides((uint32_t[]){5, 3, 3, 5}, (expected_side[]){{5, 5}, {3, 5}}, 2);
  // The world comes first: a row that reaches it is not one of a free island.
  assert_sides((uint32_t[]){0, 3, 0, 2}, (expected_side[]){{0, 4}, {3, 2}, {2, 4}}, 3);
  assert_sides((uint32_t[]){1, 3, 4, 0}, (expected_side[]){{0, 4}, {1, 1}, {3, 2}, {4, 3}}, 4);
  assert_sides((uint32_t[]){0, 3, 3, 0}, (expected_side[]){{0, 5}, {3, 5}}, 2);
}

// --- in a world ------------------------------------------------------------------------------

static mo_world *weightless(void) {
  mo_world_def settings = acceptance_settings();
  settings.gravity = vec(0, 0, 0);
  return make_world(settings);
}

// A56: mass 5, v = -1.
static void softening_gives_way(void **state) {
  (void)state;
  const double compliances[] = {0.05, 0.0}, impulses[] = {4.0, 5.0}, speeds[] = {-0.2, 0.0};
  for (int i = 0; i < 2; i++) {
    mo_world *world = weightless();
    double amplitude = 0.0;
    mo_body_def body_def = body_at(0, 0, 0, 5);
    body_def.linear_velocity = vec(-1, 0, 0);
    mo_body_id body = add_body(world, body_def, sphere(0.5));
    mo_constraint_def def = custom_def(test_evaluate, &amplitude);
    def.body_a = body;
    def.compliance = compliances[i];
    mo_constraint_id id = mo_constraint_create(world, &def);
    assert_false(mo_constraint_id_is_null(id));
    step_many(world, 0.016, 1);
    assert_near(mo_constraint_impulses(world, id)[0], impulses[i], 1e-9);
    assert_near(state_of(world, body).linear_velocity.x, speeds[i], 1e-9);
    mo_world_destroy(world);
  }
}

// Balls, whose spin needs no gyroscopic torque, joined in a pose without errors: the step keeps
// both momenta to round-off. Later steps keep the linear one so; the angular one as well as the
// joint keeps its anchors together.
static void joints_keep_momentum(void **state) {
  (void)state;
  for (size_t t = 0; t < sizeof with_rows / sizeof *with_rows; t++) {
    mo_world *world = weightless();
    mo_body_def first = body_at(0, 0, 0, 1), second = body_at(1, 0.2, 0, 3);
    first.linear_velocity = vec(1, 2, 3);
    second.angular_velocity = vec(1, -1, 2);
    mo_constraint_def def = mo_constraint_def_default(with_rows[t]);
    def.body_a = add_body(world, first, sphere(0.5));
    def.body_b = add_body(world, second, sphere(0.3));
    def.anchor_a = vec(0.5, 0, 0);
    def.anchor_b = vec(-0.5, -0.2, 0);
    assert_false(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
    mo_momentum before = mo_world_momentum(world);
    step_many(world, 0.016, 1);
    mo_momentum after = mo_world_momentum(world);
    assert_near(mo_distance_between(before.linear, after.linear), 0.0, 1e-13);
    assert_near(mo_distance_between(before.angular, after.angular), 0.0, 1e-12);
    step_many(world, 0.016, 200);
    after = mo_world_momentum(world);
    assert_near(mo_distance_between(before.linear, after.linear), 0.0, 1e-11);
    mo_world_destroy(world);
  }
}

static void joints_go_with_their_bodies(void **state) {
  (void)state;
  mo_world *world = weightless();
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_BALL);
  def.body_a = add_body(world, body_at(0, 0, 0, 1), sphere(0.5));
  def.body_b = add_body(world, body_at(1, 0, 0, 1), sphere(0.5));
  mo_constraint_id first = mo_constraint_create(world, &def);
  assert_string_equal(mo_constraint_type_name(world, first), "ball");
  assert_int_equal(mo_body_destroy(world, def.body_b), MO_OK);
  assert_false(mo_constraint_is_alive(world, first));
  assert_int_equal(mo_world_constraint_count(world), 0);
  assert_int_equal(mo_constraint_destroy(world, first), MO_ERROR_STALE_HANDLE);
  assert_true(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
  assert_int_equal(mo_world_last_result(world), MO_ERROR_STALE_HANDLE);
  mo_world_destroy(world);
}

static void bad_definitions_are_refused(void **state) {
  (void)state;
  mo_world *world = weightless();
  mo_body_id a = add_body(world, body_at(0, 0, 0, 1), sphere(0.5));
  mo_body_id b = add_body(world, body_at(1, 0, 0, 1), sphere(0.5));
  uint64_t hash = mo_world_hash(world);
  mo_row_bounds cones[2];
  mo_row_bounds_cone(0.5, &cones[0]);
  cones[1] = cones[0];
  double amplitude = 0;
  mo_constraint_def defs[9];
  for (int i = 0; i < 9; i++) {
    defs[i] = i < 3 ? custom_def(test_evaluate, &amplitude)
                    : mo_constraint_def_default(MO_CONSTRAINT_HINGE);
    defs[i].body_a = a;
    defs[i].body_b = b;
  }
  defs[0].dimension = 0;
  defs[1].evaluate = NULL;
  defs[2].dimension = 2;
  defs[2].bounds = cones;
  defs[3].body_b = a;
  defs[4].axis_b = vec(0, 0, 0);
  defs[5].drives[0].lower = 1;
  defs[5].drives[0].upper = 0;
  defs[6].drives[0].lower = (double)NAN;
  defs[7].anchor_a.x = (double)NAN;
  defs[8].compliance = -1;
  for (int i = 0; i < 9; i++) {
    assert_true(mo_constraint_id_is_null(mo_constraint_create(world, &defs[i])));
    assert_int_equal(mo_world_last_result(world), MO_ERROR_INVALID_ARGUMENT);
  }
  assert_true(mo_world_hash(world) == hash);
  mo_world_destroy(world);
}

// --- functions that fail, and the lock -------------------------------------------------------

typedef struct probe {
  mo_world *world;
  mo_body_id body;
  int mode; // 0: good, 1: fails, 2: NaN
  mo_result step, create, set, force;
} probe;

static bool probing(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                    double time, double *out) {
  (void)b, (void)time;
  probe *p = user;
  mo_body_def def = body_at(0, 0, 0, 1);
  p->step = mo_world_step(p->world, 0.01);
  p->create =
      mo_body_id_is_null(mo_body_create(p->world, &def)) ? mo_world_last_result(p->world) : MO_OK;
  p->set = mo_body_set_position(p->world, p->body, vec(1, 2, 3));
  p->force = mo_body_apply_force(p->world, p->body, vec(1, 2, 3), NULL);
  mo_world_destroy(p->world); // does nothing
  out[0] = p->mode == 2 ? (double)NAN : a->position.y;
  return p->mode != 1;
}

static void the_world_is_locked_while_functions_run(void **state) {
  (void)state;
  probe p = {.world = weightless()};
  p.body = add_body(p.world, body_at(0, 0.3, 0, 1), sphere(0.5));
  mo_constraint_def def = custom_def(probing, &p);
  def.body_a = p.body;
  def.name = "probe";
  assert_false(mo_constraint_id_is_null(mo_constraint_create(p.world, &def)));
  step_many(p.world, 0.01, 3);
  assert_int_equal(p.step, MO_ERROR_WORLD_LOCKED);
  assert_int_equal(p.create, MO_ERROR_WORLD_LOCKED);
  assert_int_equal(p.set, MO_ERROR_WORLD_LOCKED);
  assert_int_equal(p.force, MO_ERROR_WORLD_LOCKED);
  assert_int_equal(mo_world_step_count(p.world), 3);
  uint64_t hash = mo_world_hash(p.world);
  for (p.mode = 1; p.mode <= 2; p.mode++) {
    assert_int_equal(mo_world_step(p.world, 0.01), MO_ERROR_CONSTRAINT_FAILED);
    assert_non_null(strstr(mo_world_last_error(p.world), "'probe'"));
    assert_true(mo_world_hash(p.world) == hash);
  }
  p.mode = 0;
  step_many(p.world, 0.01, 1);
  mo_world_destroy(p.world);
}

TEST_GROUP(constraints) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounds_are_one_kind_each),
      cmocka_unit_test(bad_bounds_are_rejected),
      cmocka_unit_test(impulses_stay_within_bounds),
      cmocka_unit_test(jacobians_are_derivatives_at_any_pose),
      cmocka_unit_test(one_side_may_be_the_world),
      cmocka_unit_test(joints_begin_without_angular_errors),
      cmocka_unit_test(rotation_error_is_the_rotation_vector),
      cmocka_unit_test(swing_and_twist_are_apart),
      cmocka_unit_test(opposite_axes_give_finite_errors),
      cmocka_unit_test(custom_rows_aim_at_their_target),
      cmocka_unit_test(rows_are_cut_into_blocks),
      cmocka_unit_test(a_jacobian_of_four_bodies_is_a_derivative),
      cmocka_unit_test(rows_of_four_bodies_have_each_body_once),
      cmocka_unit_test(softening_gives_way),
      cmocka_unit_test(joints_keep_momentum),
      cmocka_unit_test(joints_go_with_their_bodies),
      cmocka_unit_test(bad_definitions_are_refused),
      cmocka_unit_test(the_world_is_locked_while_functions_run),
  };
  return run_group(tests, NULL, NULL);
}
