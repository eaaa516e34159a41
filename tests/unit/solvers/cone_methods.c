/// The parts of the cone solver that its portfolio rarely comes to: the dense backend after body
/// space, the budget, the continuation, input that is not finite.
#include "problem_fixture.h"
#include "test_group.h"

#include "math/scalar.h"
#include "memory/allocator.h"
#include "solvers/cone/arclength.h"
#include "solvers/cone/cone_solver.h"
#include "solvers/cone/interior_point.h"

// Cubes on each other with four contacts each; the uppermost is pushed to the side.
static void build_tower(problem_fixture *f, int count) {
  problem_begin(f);
  uint32_t below = MO_NO_BODY;
  for (int i = 0; i < count; i++) {
    mo_vec3 fall = mo_v3(i == count - 1 ? 0.5 : 0.0, 0.1 * i, -0.0981);
    uint32_t cube = problem_body(f, 1.0, 1.0 / 6.0, fall);
    for (int k = 0; k < 4; k++) {
      double x = k & 1 ? 0.5 : -0.5, y = k & 2 ? 0.5 : -0.5;
      problem_contact(f, below, mo_v3(x, y, 0.5), cube, mo_v3(x, y, -0.5), 0.5);
    }
    below = cube;
  }
}

static void begin_system(problem_fixture *f, mo_scaled_problem *scaled, mo_newton_system *system,
                         uint32_t budget) {
  mo_friction_law law = MO_FRICTION_COULOMB;
  assert_int_equal(mo_scaled_problem_create(scaled, &f->problem, law, 1.0, &f->arena), MO_OK);
  assert_int_equal(mo_newton_system_create(system, scaled, budget, NULL, NULL, &f->arena), MO_OK);
}

// A = 0.01, B = 1: (0.01 + W) y = right.
static void fill_system(mo_newton_system *system) {
  for (uint32_t i = 0; i < system->problem->block_count; i++) {
    const mo_cone_block *block = &system->problem->blocks[i];
    for (uint32_t k = 0; k < block->row_count; k++) {
      *mo_block_entry(system->a, block->first_row, k, k) = 0.01;
      *mo_block_entry(system->b, block->first_row, k, k) = 1.0;
    }
  }
}

static void both_backends_solve_the_same_system_and_charge_their_work(void **state) {
  (void)state;
  static problem_fixture f;
  build_tower(&f, 12);
  mo_scaled_problem scaled;
  mo_newton_system system;
  begin_system(&f, &scaled, &system, 400);
  assert_int_equal(system.backend, MO_NEWTON_BODY);
  assert_true(system.dense_cost > 1.0 && system.sweep_cost > 0.0 && system.sweep_cost < 1.0);
  fill_system(&system);
  double body[PROBLEM_ROWS], dense[PROBLEM_ROWS], product[PROBLEM_ROWS];
  assert_true(mo_newton_factorise(&system) && mo_newton_solve(&system, scaled.free_velocity, body));
  assert_true(system.spent == 1.0);
  assert_true(mo_newton_use_dense(&system));
  assert_int_equal(system.backend, MO_NEWTON_DENSE);
  assert_false(mo_newton_use_dense(&system));
  assert_true(mo_newton_factorise(&system) &&
              mo_newton_solve(&system, scaled.free_velocity, dense));
  assert_true(system.spent == 1.0 + system.dense_cost);
  assert_int_equal(system.factorisations, 2);
  mo_scaled_apply(&scaled, body, product);
  for (uint32_t i = 0; i < scaled.row_count; i++) {
    assert_true(fabs(0.01 * body[i] + product[i] - scaled.free_velocity[i]) < 1e-10);
    assert_true(fabs(body[i] - dense[i]) < 1e-8);
  }
  problem_end(&f);
}

static void budget_ends_the_work_of_every_backend(void **state) {
  (void)state;
  static problem_fixture f;
  build_tower(&f, 12);
  mo_scaled_problem scaled;
  mo_newton_system system;
  begin_system(&f, &scaled, &system, 2);
  fill_system(&system);
  assert_true(mo_newton_factorise(&system));
  // What is left is less than a dense factorisation costs.
  assert_true(system.dense_cost > 1.0 && mo_newton_use_dense(&system));
  assert_false(mo_newton_factorise(&system));
  assert_int_equal(system.factorisations, 1);
  system.backend = MO_NEWTON_BODY;
  assert_true(mo_newton_factorise(&system));
  assert_false(mo_newton_factorise(&system));
  assert_int_equal(system.factorisations, 2);
  problem_end(&f);
}

static void begin_state(problem_fixture *f, mo_cone_state *state, mo_scaled_problem *scaled) {
  *state = (mo_cone_state){.problem = scaled, .tolerance = 1e-10};
  begin_system(f, scaled, &state->system, 400);
  double **vectors[] = {&state->best.x, &state->run.x, &state->x, &state->u, &state->f, &state->dx};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
    *vectors[i] = MO_ARENA_TAKE(&f->arena, double, scaled->row_count);
    assert_non_null(*vectors[i]);
  }
  state->best.error = state->run.error = INFINITY;
}

static void sweeps_are_charged(void **state) {
  (void)state;
  static problem_fixture f;
  build_tower(&f, 12);
  mo_scaled_problem scaled;
  mo_cone_state cone;
  begin_state(&f, &cone, &scaled);
  double x[PROBLEM_ROWS] = {0.0};
  mo_cone_sweep(&cone, x, 10);
  assert_true(cone.system.spent == 10.0 * cone.system.sweep_cost);
  problem_end(&f);
}

// From the first points of the path, far from the end, without a fold.
static void continuation_follows_the_path_to_its_end(void **state) {
  (void)state;
  static problem_fixture f;
  build_tower(&f, 3);
  mo_scaled_problem scaled;
  mo_cone_state cone;
  begin_state(&f, &cone, &scaled);
  mo_interior_point interior;
  mo_interior_trail trail;
  assert_int_equal(mo_interior_point_create(&interior, &cone, &f.arena), MO_OK);
  assert_int_equal(mo_interior_trail_create(&trail, scaled.row_count, &f.arena), MO_OK);
  interior.trail = &trail;
  mo_interior_options start = {.start = MO_INTERIOR_LEAST_SQUARES, .centrality = 0.1};
  mo_interior_point_solve(&interior, start);
  assert_true(trail.count > 1);
  trail.count = 1;
  cone.run.error = INFINITY;
  assert_int_equal(mo_cone_continue(&cone, &trail, &f.arena), MO_OK);
  assert_true(cone.run.error <= cone.tolerance);
  for (uint32_t i = 0; i < scaled.row_count; i++) {
    f.impulse[i] = scaled.scale[i] * cone.run.x[i];
  }
  assert_laws(&f, 1e-9);
  problem_end(&f);
}

static void what_is_not_finite_gets_no_impulse(void **state) {
  (void)state;
  static const double bad[3] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
  static problem_fixture f;
  const mo_solver_settings settings = {.max_iterations = 400, .tolerance = 1e-10};
  for (int k = 0; k < 9; k++) {
    build_tower(&f, 3);
    double *lists[3] = {f.free_velocity, f.jacobian_b, f.softening};
    lists[k / 3][7] = bad[k % 3];
    f.impulse[0] = 1.0;
    mo_solve_result result = mo_cone_solve(&f.problem, &settings, NULL, &f.arena);
    assert_int_equal(result.result, MO_OK);
    assert_int_equal(result.status, MO_SOLVE_STALLED);
    for (uint32_t i = 0; i < f.problem.row_count; i++) {
      assert_true(f.impulse[i] == 0.0);
    }
    problem_end(&f);
  }
  // A bad warm start is none.
  build_tower(&f, 3);
  f.impulse[4] = (double)NAN;
  mo_solve_result result = mo_cone_solve(&f.problem, &settings, NULL, &f.arena);
  assert_int_equal(result.status, MO_SOLVE_CONVERGED);
  assert_laws(&f, 1e-9);
  problem_end(&f);
}

TEST_GROUP(cone_methods) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_backends_solve_the_same_system_and_charge_their_work),
      cmocka_unit_test(budget_ends_the_work_of_every_backend),
      cmocka_unit_test(sweeps_are_charged),
      cmocka_unit_test(continuation_follows_the_path_to_its_end),
      cmocka_unit_test(what_is_not_finite_gets_no_impulse),
  };
  return run_group(tests, NULL, NULL);
}
