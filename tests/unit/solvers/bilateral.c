#include "solvers/exact/bilateral.h"
#include "island_fixture.h"
#include "test_group.h"

static const mo_solver_settings settings = {.max_iterations = 50, .tolerance = 1e-8};

// Spheres of radius 0.1 m hang in a chain from the world, moving at random; the last may be heavier
// and then falls as gravity has it. (A heavy end with a spin that its hinge forbids takes impulses
// whose last digit alone is 1e-7 m/s of its light neighbour.)
static island *hanging_chain(uint32_t links, double end_mass, bool hinge, uint64_t seed) {
  island *s = island_begin();
  for (uint32_t i = 0; i < links; i++) {
    double mass = i + 1 == links ? end_mass : 1.0;
    double light = mass > 1.0 ? 0.0 : 1.0;
    mo_vec3 spin = mo_v3(random_in(&seed, -3, 3), random_in(&seed, -3, 3), random_in(&seed, -3, 3));
    mo_vec3 linear = mo_v3(light * random_in(&seed, -1, 1), -9.81 / 60.0, 0);
    island_body_add(s, mass, 0.004 * mass, linear, mo_scale(light, spin));
    mo_vec3 arm = mo_v3(0, 0.1, 0.05);
    island_joint(s, i == 0 ? MO_NO_BODY : i - 1, i, mo_neg(arm), arm, hinge);
  }
  island_finish(s);
  return s;
}

static double worst_difference(const double *a, const double *b, uint32_t count) {
  double worst = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    double difference = fabs(a[i] - b[i]);
    worst = difference <= worst ? worst : difference;
  }
  return worst;
}

// Velocities by a dense solve in long double.
static void reference_velocities(const island *s, double *v) {
  uint32_t n = s->problem.row_count;
  double *w = island_matrix(s);
  long double *a = calloc((size_t)n * n, sizeof *a), *b = calloc(n, sizeof *b);
  double *x = calloc(n, sizeof *x);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      a[(size_t)i * n + j] = w[(size_t)i * n + j];
    }
    a[(size_t)i * n + i] += s->softening[i];
    b[i] = -s->free_velocity[i];
  }
  assert_true(dense_solve(a, b, n));
  for (uint32_t i = 0; i < n; i++) {
    x[i] = (double)b[i];
  }
  island_velocities(s, x, v);
  free(w);
  free(a);
  free(b);
  free(x);
}

static void check_against_reference(island *s, double tolerance) {
  static double v[ISLAND_BODIES * 6], reference[ISLAND_BODIES * 6];
  mo_solve_result result = mo_bilateral_solve(&s->problem, &settings, NULL, &s->arena);
  assert_int_equal(result.result, MO_OK);
  assert_int_equal(result.status, MO_SOLVE_CONVERGED);
  assert_int_equal(result.factorisations, 1);
  double *w = island_matrix(s);
  assert_true(island_error(&s->problem, w) < tolerance);
  free(w);
  island_velocities(s, s->impulse, v);
  reference_velocities(s, reference);
  assert_true(worst_difference(v, reference, 6 * s->problem.body_count) < tolerance);
}

static void chains_hang_as_a_dense_solve_says(void **state) {
  (void)state;
  for (int hinge = 0; hinge < 2; hinge++) {
    island *s = hanging_chain(20, 1.0, hinge, 1);
    check_against_reference(s, 1e-11);
    island_end(s);
  }
}

static void a_heavier_end_changes_nothing_about_the_accuracy(void **state) {
  (void)state;
  for (double mass = 1e3; mass < 1e7; mass *= 1e3) {
    for (int hinge = 0; hinge < 2; hinge++) {
      island *s = hanging_chain(20, mass, hinge, 2);
      check_against_reference(s, 1e-8);
      island_end(s);
    }
  }
}

static void a_long_chain_with_a_heavy_end_holds(void **state) {
  (void)state;
  island *s = hanging_chain(1000, 1e6, false, 3);
  mo_solve_result result = mo_bilateral_solve(&s->problem, &settings, NULL, &s->arena);
  assert_int_equal(result.status, MO_SOLVE_CONVERGED);
  island_end(s);
}

static void soft_rows_give_way_by_their_impulse(void **state) {
  (void)state;
  island *s = hanging_chain(10, 1.0, true, 4);
  for (uint32_t i = 0; i < s->problem.row_count; i += 3) {
    s->softening[i] = 0.1 * i;
  }
  check_against_reference(s, 1e-11);
  island_end(s);
}

// A ring of bodies, and one joint given twice: rows that are redundant.
static void rings_with_redundant_rows_satisfy_all_rows(void **state) {
  (void)state;
  uint64_t seed = 5;
  island *s = island_begin();
  for (uint32_t i = 0; i < 12; i++) {
    island_body_add(s, 1.0 + i, 0.1, mo_v3(0, -0.1635, random_in(&seed, -1, 1)),
                    mo_v3(random_in(&seed, -1, 1), 0, 1));
  }
  for (uint32_t i = 0; i < 12; i++) {
    island_joint(s, i, (i + 1) % 12, mo_v3(0.3, 0.1, 0), mo_v3(-0.3, 0, 0), i % 2 == 0);
  }
  island_joint(s, 0, 1, mo_v3(0.3, 0.1, 0), mo_v3(-0.3, 0, 0), true);
  island_joint(s, 5, 6, mo_v3(0.3, 0.1, 0), mo_v3(-0.3, 0, 0), false);
  island_finish(s);
  mo_solve_result result = mo_bilateral_solve(&s->problem, &settings, NULL, &s->arena);
  assert_int_equal(result.status, MO_SOLVE_CONVERGED);
  double *w = island_matrix(s);
  assert_true(island_error(&s->problem, w) < 1e-11);
  for (uint32_t i = 0; i < s->problem.row_count; i++) {
    assert_true(fabs(s->impulse[i]) < 1e3); // nothing blown up along the redundancy
  }
  free(w);
  island_end(s);
}

static void a_body_that_cannot_turn_holds_a_joint_of_six_rows(void **state) {
  (void)state;
  for (int order = 0; order < 2; order++) {
    island *s = island_begin();
    for (uint32_t i = 0; i < 3; i++) {
      // The middle one has no rotational mobility: zero columns.
      island_body_add(s, 1.0, i == 1 ? HUGE_VAL : 0.1, mo_v3(0, -0.1635, 0),
                      i == 1 ? mo_v3_zero() : mo_v3(1, 2, 3));
    }
    for (uint32_t i = 0; i < 2; i++) {
      uint32_t a = order == 0 ? i : 1 - i;
      island_joint(s, a, a + 1, mo_v3(0, -0.5, 0), mo_v3(0, 0.5, 0), true);
      island_row(s, mo_v3_zero(), mo_v3_zero(), mo_v3_zero(), island_axis(0), 0.0);
    }
    island_finish(s);
    check_against_reference(s, 1e-12);
    island_end(s);
  }
}

// Two rows on the same motion want +1 and -1 m/s, beside a chain that has nothing to do with it.
static void contradicting_rows_stall_with_the_least_squares(void **state) {
  (void)state;
  for (int dense = 0; dense < 2; dense++) {
    island *s = hanging_chain(5, 1.0, false, 6);
    uint32_t body = island_body_add(s, 2.0, 0.1, mo_v3(0, 0, 0.5), mo_v3_zero());
    island_block(s, MO_NO_BODY, body, MO_BOUND_BILATERAL);
    island_row(s, island_axis(2), mo_v3_zero(), mo_v3_zero(), mo_v3_zero(), 1.0);
    island_row(s, island_axis(2), mo_v3_zero(), mo_v3_zero(), mo_v3_zero(), -1.5);
    island_finish(s);
    double *w = island_matrix(s);
    s->problem.delassus = dense ? w : NULL;
    mo_solve_result result = mo_bilateral_solve(&s->problem, &settings, NULL, &s->arena);
    assert_int_equal(result.status, MO_SOLVE_STALLED);
    double v[6 * 6];
    island_velocities(s, s->impulse, v);
    assert_true(fabs(v[6 * body + 2] - 0.25) < 1e-7); // halfway
    s->problem.row_count -= 2;
    s->problem.block_count--;
    free(w);
    w = island_matrix(s); // of the chain alone
    assert_true(island_error(&s->problem, w) < 1e-8);
    free(w);
    island_end(s);
  }
}

static void a_matrix_gives_what_jacobians_give(void **state) {
  (void)state;
  static double v[ISLAND_BODIES * 6], of_matrix[ISLAND_BODIES * 6];
  island *s = hanging_chain(15, 1e3, true, 7);
  mo_bilateral_solve(&s->problem, &settings, NULL, &s->arena);
  island_velocities(s, s->impulse, v);
  double *w = island_matrix(s);
  s->problem.delassus = w;
  mo_solve_result result = mo_bilateral_solve(&s->problem, &settings, NULL, &s->arena);
  assert_int_equal(result.status, MO_SOLVE_CONVERGED);
  island_velocities(s, s->impulse, of_matrix);
  assert_true(worst_difference(v, of_matrix, 6 * s->problem.body_count) < 1e-9);
  free(w);
  island_end(s);
}

static void immovable_rows_are_reported_not_solved(void **state) {
  (void)state;
  island *s = hanging_chain(3, 1.0, false, 8);
  island_block(s, MO_NO_BODY, MO_NO_BODY, MO_BOUND_BILATERAL);
  island_row(s, island_axis(0), mo_v3_zero(), mo_v3_zero(), mo_v3_zero(), 0.25);
  island_finish(s);
  mo_solve_result result = mo_bilateral_solve(&s->problem, &settings, NULL, &s->arena);
  assert_int_equal(result.status, MO_SOLVE_STALLED);
  assert_true(s->impulse[s->problem.row_count - 1] == 0.0);
  for (uint32_t i = 0; i < s->problem.row_count; i++) {
    assert_true(fabs(s->impulse[i]) < 100.0);
  }
  island_end(s);
}

// Of [[1, c], [c, 1]]: (1 + c) / (1 - c).
static void the_condition_is_that_of_the_scaled_matrix(void **state) {
  (void)state;
  double w[4] = {1.0, 0.99, 0.99, 1.0}, q[2] = {1, 1}, softening[2] = {0}, impulse[2] = {0};
  mo_row_block block = {
      .body_a = MO_NO_BODY, .body_b = MO_NO_BODY, .row_count = 2, .bound = MO_BOUND_BILATERAL};
  mo_contact_problem problem = {.block_count = 1,
                                .row_count = 2,
                                .blocks = &block,
                                .delassus = w,
                                .free_velocity = q,
                                .softening = softening,
                                .impulse = impulse};
  mo_solver_settings with_condition = settings;
  with_condition.estimate_condition = true;
  with_condition.tolerance = 1e-11;
  mo_arena arena = {0};
  mo_solve_result result = mo_bilateral_solve(&problem, &with_condition, NULL, &arena);
  assert_true(fabs(result.condition - 199.0) < 1e-6);
  assert_true(fabs(impulse[0] + 1.0 / 1.99) < 1e-14);
  assert_true(mo_bilateral_solve(&problem, &settings, NULL, &arena).condition == 0.0);
  mo_arena_free(&arena);
}

static void the_cache_changes_no_bit(void **state) {
  (void)state;
  static double first[ISLAND_ROWS];
  mo_ordering_cache cache = {0};
  island *s = hanging_chain(30, 10.0, false, 9);
  mo_bilateral_solve(&s->problem, &settings, NULL, &s->arena);
  memcpy(first, s->impulse, sizeof first);
  for (int i = 0; i < 2; i++) {
    mo_bilateral_solve(&s->problem, &settings, &cache, &s->arena);
    assert_memory_equal(first, s->impulse, sizeof first);
  }
  assert_int_equal(cache.hits, 1);
  mo_ordering_cache_free(&cache);
  island_end(s);
}

TEST_GROUP(bilateral) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chains_hang_as_a_dense_solve_says),
      cmocka_unit_test(a_heavier_end_changes_nothing_about_the_accuracy),
      cmocka_unit_test(a_long_chain_with_a_heavy_end_holds),
      cmocka_unit_test(soft_rows_give_way_by_their_impulse),
      cmocka_unit_test(rings_with_redundant_rows_satisfy_all_rows),
      cmocka_unit_test(a_body_that_cannot_turn_holds_a_joint_of_six_rows),
      cmocka_unit_test(contradicting_rows_stall_with_the_least_squares),
      cmocka_unit_test(a_matrix_gives_what_jacobians_give),
      cmocka_unit_test(immovable_rows_are_reported_not_solved),
      cmocka_unit_test(the_condition_is_that_of_the_scaled_matrix),
      cmocka_unit_test(the_cache_changes_no_bit),
  };
  return run_group(tests, NULL, NULL);
}
