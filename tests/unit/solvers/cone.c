#include "problem_fixture.h"
#include "test_group.h"

#include "math/scalar.h"
#include "memory/allocator.h"
#include "moreau.h"
#include "solvers/cone/cone_solver.h"
#include "solvers/cone/lorentz.h"
#include "solvers/cone/natural_map.h"
#include "solvers/cone/smoothed_map.h"

#include <stdlib.h>

static const mo_solver_settings coulomb = {.max_iterations = 400, .tolerance = 1e-10};
static const mo_solver_settings convex = {
    .max_iterations = 400, .tolerance = 1e-10, .friction_law = MO_FRICTION_CONVEX};

static mo_solve_result solve(problem_fixture *f, const mo_solver_settings *settings) {
  mo_solve_result result = mo_cone_solve(&f->problem, settings, NULL, &f->arena);
  assert_int_equal(result.result, MO_OK);
  return result;
}

static void solve_and_check(problem_fixture *f) {
  assert_int_equal(solve(f, &coulomb).status, MO_SOLVE_CONVERGED);
  assert_laws(f, 1e-9);
}

static void assert_near(double value, double expected, double tolerance) {
  if (!(fabs(value - expected) <= tolerance)) {
    fail_msg("%.12g instead of %.12g", value, expected);
  }
}

// A repeatable sequence of numbers in (-1, 1).
static double next_random(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)(*seed >> 11) * 0x1p-52 - 1.0;
}

// --- single contacts ----------------------------------------------------------------------------

static void set_matrix(problem_fixture *f, const double *k, const double *b) {
  size_t n = f->problem.row_count;
  memcpy(f->delassus, k, n * n * sizeof *k);
  memcpy(f->free_velocity, b, n * sizeof *b);
  f->problem.delassus = f->delassus;
}

// A28, A29: the corner of a sliding cube.
static void corner_of_a_sliding_cube_keeps_to_the_floor(void **state) {
  (void)state;
  static const double k[9] = {4, -1.5, -1.5, -1.5, 4, -1.5, -1.5, -1.5, 4};
  static const double b[3][3] = {
      {-0.15696, -2, 0}, {-0.15696, -1.414213562, -1.414213562}, {0, -2, 0}};
  static const double impulse[3][3] = {
      {0.048876, 0.024404, 0.001293}, {0.053400, 0.018880, 0.018880}, {0, 0, 0}};
  static const double velocity[3][3] = {
      {0, -1.977638, -0.104750}, {0, -1.447114, -1.447114}, {0, -2, 0}};
  static problem_fixture f;
  for (int i = 0; i < 3; i++) {
    problem_begin(&f);
    problem_block(&f, MO_BOUND_CONE, 3)->friction = 0.5;
    set_matrix(&f, k, b[i]);
    solve_and_check(&f);
    for (int c = 0; c < 3; c++) {
      assert_near(f.impulse[c], impulse[i][c], 1e-5);
      assert_near(f.velocity[c], velocity[i][c], 1e-5);
    }
    problem_end(&f);
  }
}

// A24: spheres at 2 and -1 m/s, elastic and plastic.
static void frictionless_spheres_exchange_momentum(void **state) {
  (void)state;
  static problem_fixture f;
  for (int e = 0; e <= 1; e++) {
    problem_begin(&f);
    uint32_t a = problem_body(&f, 1.0, 0.4, mo_v3(0, 0, 2));
    uint32_t b = problem_body(&f, 1.0, 0.4, mo_v3(0, 0, -1));
    mo_row_block *block = problem_block(&f, MO_BOUND_UNILATERAL, 1);
    problem_row(&f, block, 0, a, mo_v3(0, 0, 1), b, mo_v3(0, 0, -1), mo_v3(0, 0, 1), false);
    f.free_velocity[0] += e * -3.0;
    solve_and_check(&f);
    assert_near(f.impulse[0], e ? 3.0 : 1.5, 1e-12);
    problem_end(&f);
  }
}

// A45: a sphere of radius 0.5 hits the floor at (1, 0, -2) m/s.
static void oblique_impact_of_a_sphere_slides_or_rolls(void **state) {
  (void)state;
  static const double frictions[2] = {0.1, 0.5}, speeds[2] = {0.8, 0.7142857142857143};
  static problem_fixture f;
  for (int i = 0; i < 2; i++) {
    problem_begin(&f);
    uint32_t ball = problem_body(&f, 1.0, 0.1, mo_v3(1, 0, -2));
    problem_contact(&f, MO_NO_BODY, mo_v3(0, 0, 0), ball, mo_v3(0, 0, -0.5), frictions[i]);
    solve_and_check(&f);
    assert_near(1.0 + f.impulse[1], speeds[i], 1e-9);
    assert_near(f.impulse[0], 2.0, 1e-9);
    problem_end(&f);
  }
}

// A56 and a bound at both ends (A55).
static void softening_gives_way_and_boxes_end(void **state) {
  (void)state;
  static problem_fixture f;
  for (int soft = 0; soft < 2; soft++) {
    problem_begin(&f);
    problem_block(&f, MO_BOUND_UNILATERAL, 1);
    set_matrix(&f, (double[]){0.2}, (double[]){-1.0});
    f.softening[0] = soft ? 0.05 : 0.0;
    solve_and_check(&f);
    assert_near(f.impulse[0], soft ? 4.0 : 5.0, 1e-12);
    problem_end(&f);
  }
  static const double bounds[4][2] = {{-INFINITY, INFINITY}, {0, INFINITY}, {-2, 3}, {1, 1}};
  static const double expected[4][2] = {{-5, 5}, {0, 5}, {-2, 3}, {1, 1}};
  for (int i = 0; i < 8; i++) {
    problem_begin(&f);
    mo_row_block *block = problem_block(&f, MO_BOUND_BOX, 1);
    block->lower = bounds[i / 2][0];
    block->upper = bounds[i / 2][1];
    set_matrix(&f, (double[]){2.0}, (double[]){i % 2 ? -10.0 : 10.0});
    assert_int_equal(solve(&f, &coulomb).status, MO_SOLVE_CONVERGED);
    assert_near(f.impulse[0], expected[i / 2][i % 2], coulomb.tolerance);
    problem_end(&f);
  }
}

// --- cubes --------------------------------------------------------------------------------------

// A unit cube of side 1 standing at its four corners on `below`.
static uint32_t add_cube(problem_fixture *f, uint32_t below, double mass, mo_vec3 velocity,
                         double friction) {
  uint32_t cube = problem_body(f, mass, mass / 6.0, velocity);
  for (int corner = 0; corner < 4; corner++) {
    double x = corner & 1 ? 0.5 : -0.5, y = corner & 2 ? 0.5 : -0.5;
    problem_contact(f, below, mo_v3(x, y, 0.5), cube, mo_v3(x, y, -0.5), friction);
  }
  return cube;
}

static double normal_sum(const problem_fixture *f, uint32_t first_block) {
  double sum = 0.0;
  for (uint32_t i = first_block; i < first_block + 4; i++) {
    sum += f->impulse[f->blocks[i].first_row];
  }
  return sum;
}

// A30 and E13: the Coulomb law does not lift off, its convex relaxation does.
static void sliding_cube_obeys_coulomb_or_the_relaxation(void **state) {
  (void)state;
  static problem_fixture f;
  for (int relaxed = 0; relaxed < 2; relaxed++) {
    problem_begin(&f);
    add_cube(&f, MO_NO_BODY, 1.0, mo_v3(3, 0, -0.15696), 0.5);
    assert_int_equal(solve(&f, relaxed ? &convex : &coulomb).status, MO_SOLVE_CONVERGED);
    problem_velocities(&f);
    double push = f.impulse[1] + f.impulse[4] + f.impulse[7] + f.impulse[10];
    for (size_t i = 0; i < 4; i++) {
      assert_near(f.velocity[3 * i], relaxed ? 1.1686 : 0.0, relaxed ? 1e-4 : 1e-9);
    }
    assert_near(normal_sum(&f, 0), relaxed ? 1.3256 : 0.15696, relaxed ? 1e-4 : 1e-9);
    if (!relaxed) {
      assert_near(3.0 + push, 2.92152, 1e-9);
      assert_laws(&f, 1e-9);
    }
    problem_end(&f);
  }
}

static void build_tower(problem_fixture *f, int count, double ratio) {
  problem_begin(f);
  uint32_t below = MO_NO_BODY;
  for (int i = 0; i < count; i++) {
    mo_vec3 fall = mo_v3(i == count - 1 ? 0.02 : 0.0, 0.0, -0.0981);
    below = add_cube(f, below, i % 2 ? ratio : 1.0, fall, 0.5);
  }
}

// A51, A53: every joint of a tower carries what stands on it, whatever the masses.
static void tower_carries_its_weight_at_any_mass_ratio(void **state) {
  (void)state;
  static const double ratios[3] = {1.0, 1e3, 1e6};
  static problem_fixture f;
  for (int k = 0; k < 3; k++) {
    build_tower(&f, 6, ratios[k]);
    mo_solver_settings settings = {.max_iterations = 400, .tolerance = 1e-8};
    assert_int_equal(solve(&f, &settings).status, MO_SOLVE_CONVERGED);
    assert_laws(&f, 1e-7);
    double weight = 0.0;
    for (int i = 5; i >= 0; i--) {
      weight += (i % 2 ? ratios[k] : 1.0) * 0.0981;
      assert_near(normal_sum(&f, 4 * (uint32_t)i), weight, 1e-6 * weight);
    }
    problem_end(&f);
  }
}

static void warm_start_at_the_answer_costs_no_factorisation(void **state) {
  (void)state;
  static problem_fixture f;
  build_tower(&f, 5, 1.0);
  mo_solve_result cold = solve(&f, &coulomb);
  assert_true(cold.factorisations > 0);
  double before[PROBLEM_ROWS];
  memcpy(before, f.impulse, sizeof before);
  mo_solve_result again = solve(&f, &coulomb);
  assert_int_equal(again.status, MO_SOLVE_CONVERGED);
  assert_int_equal(again.factorisations, 0);
  assert_memory_equal(before, f.impulse, f.problem.row_count * sizeof *before);
  // A little more load: a few Newton steps.
  for (uint32_t i = 0; i < f.problem.row_count; i++) {
    f.free_velocity[i] *= 1.01;
  }
  mo_solve_result near = solve(&f, &coulomb);
  assert_int_equal(near.status, MO_SOLVE_CONVERGED);
  assert_in_range(near.factorisations, 1, 3);
  assert_laws(&f, 1e-9);
  problem_end(&f);
}

static void cap_is_honoured_with_a_finite_answer(void **state) {
  (void)state;
  static problem_fixture f;
  for (uint32_t cap = 0; cap < 5; cap++) {
    build_tower(&f, 5, 1e3);
    mo_solver_settings settings = {.max_iterations = cap, .tolerance = 1e-10};
    mo_solve_result result = solve(&f, &settings);
    assert_true(result.factorisations <= cap);
    if (result.status == MO_SOLVE_CONVERGED) {
      assert_true(cap > 0);
      assert_laws(&f, 1e-9);
    } else {
      assert_int_equal(result.status, MO_SOLVE_BUDGET);
    }
    for (uint32_t i = 0; i < f.problem.row_count; i++) {
      assert_true(mo_is_finite(f.impulse[i]));
    }
    problem_end(&f);
  }
}

static void zero_friction_is_the_frictionless_law(void **state) {
  (void)state;
  static problem_fixture f, g;
  problem_begin(&f);
  add_cube(&f, MO_NO_BODY, 1.0, mo_v3(1, 0.5, -1), 0.0);
  f.free_velocity[0] += 0.2; // one corner would part
  solve_and_check(&f);
  problem_begin(&g);
  uint32_t cube = problem_body(&g, 1.0, 1.0 / 6.0, mo_v3(1, 0.5, -1));
  for (int corner = 0; corner < 4; corner++) {
    mo_vec3 arm = mo_v3(corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, -0.5);
    mo_row_block *block = problem_block(&g, MO_BOUND_UNILATERAL, 1);
    problem_row(&g, block, 0, MO_NO_BODY, arm, cube, arm, mo_v3(0, 0, 1), false);
  }
  g.free_velocity[0] += 0.2;
  solve_and_check(&g);
  for (size_t i = 0; i < 4; i++) {
    assert_near(f.velocity[3 * i], g.velocity[i], 1e-9);
    assert_true(f.impulse[3 * i + 1] == 0.0 && f.impulse[3 * i + 2] == 0.0);
  }
  problem_end(&f);
  problem_end(&g);
}

// --- all kinds of blocks ------------------------------------------------------------------------

// A body on three points of the floor (four would leave the friction of a spinning one
// undetermined), hinged to a second one that carries a motor, a stop and a rope's end.
static void build_machine(problem_fixture *f, uint64_t seed) {
  problem_begin(f);
  uint32_t base = problem_body(f, 2.0, 0.3, mo_v3(0.4 * next_random(&seed), 0.1, -0.2));
  for (int k = 0; k < 3; k++) {
    mo_vec3 foot = mo_v3(k == 0 ? 0.6 : -0.4, k == 1 ? 0.5 : k == 2 ? -0.4 : 0.1, -0.5);
    problem_contact(f, MO_NO_BODY, foot, base, foot, 0.4);
  }
  uint32_t arm = problem_body(f, 0.5, 0.1, mo_v3(0.3, next_random(&seed), -0.4));
  f->angular[arm] = mo_v3(next_random(&seed), 1.0, next_random(&seed));
  mo_vec3 at_base = mo_v3(0.5, 0.0, 0.5), at_arm = mo_v3(-0.5, 0.0, 0.0);
  mo_vec3 axes[3] = {mo_v3(1, 0, 0), mo_v3(0, 1, 0), mo_v3(0, 0, 1)};
  mo_row_block *hinge = problem_block(f, MO_BOUND_BILATERAL, 5);
  for (uint32_t k = 0; k < 3; k++) {
    problem_row(f, hinge, k, base, at_base, arm, at_arm, axes[k], false);
  }
  problem_row(f, hinge, 3, base, at_base, arm, at_arm, axes[0], true);
  problem_row(f, hinge, 4, base, at_base, arm, at_arm, axes[2], true);
  mo_row_block *motor = problem_block(f, MO_BOUND_BOX, 1);
  problem_row(f, motor, 0, base, at_base, arm, at_arm, axes[1], true);
  f->free_velocity[motor->first_row] -= 2.0;
  motor->lower = -0.02;
  motor->upper = 0.05 * fabs(next_random(&seed));
  mo_row_block *stop = problem_block(f, MO_BOUND_UNILATERAL, 1);
  problem_row(f, stop, 0, MO_NO_BODY, at_arm, arm, mo_v3(0.5, 0, 0), axes[2], false);
  f->softening[stop->first_row] = 0.1;
  problem_contact(f, MO_NO_BODY, at_arm, arm, mo_v3(0.3, 0.1, -0.2), 0.8);
}

static void mixed_blocks_obey_their_laws(void **state) {
  (void)state;
  static problem_fixture f, g;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    build_machine(&f, seed);
    solve_and_check(&f);
    build_machine(&g, seed);
    problem_to_matrix(&g);
    solve_and_check(&g);
    for (uint32_t i = 0; i < f.problem.row_count; i++) {
      assert_near(f.velocity[i], g.velocity[i], 1e-8);
    }
    problem_end(&f);
    problem_end(&g);
  }
}

// Body space and rows give the same velocities on a graph with cycles and redundant contacts.
static void body_space_and_rows_agree(void **state) {
  (void)state;
  static problem_fixture f, g;
  for (int law = 0; law < 2; law++) {
    build_tower(&f, 8, 4.0);
    build_tower(&g, 8, 4.0);
    problem_to_matrix(&g);
    assert_int_equal(solve(&f, law ? &convex : &coulomb).status, MO_SOLVE_CONVERGED);
    assert_int_equal(solve(&g, law ? &convex : &coulomb).status, MO_SOLVE_CONVERGED);
    problem_velocities(&f);
    problem_velocities(&g);
    for (uint32_t i = 0; i < f.problem.row_count; i++) {
      assert_near(f.velocity[i], g.velocity[i], 1e-8);
    }
    problem_end(&f);
    problem_end(&g);
  }
}

static void joints_alone_are_a_linear_system(void **state) {
  (void)state;
  static problem_fixture f;
  problem_begin(&f);
  uint32_t above = MO_NO_BODY;
  for (int i = 0; i < 12; i++) {
    uint32_t link = problem_body(&f, i == 11 ? 1000.0 : 1.0, 0.1, mo_v3(0.1 * i, 0, -0.16));
    mo_row_block *ball = problem_block(&f, MO_BOUND_BILATERAL, 3);
    for (uint32_t k = 0; k < 3; k++) {
      problem_row(&f, ball, k, above, mo_v3(0, 0, -0.5), link, mo_v3(0, 0, 0.5),
                  mo_v3(k == 0, k == 1, k == 2), false);
    }
    above = link;
  }
  mo_solve_result result = solve(&f, &coulomb);
  assert_int_equal(result.status, MO_SOLVE_CONVERGED);
  assert_in_range(result.factorisations, 1, 2);
  assert_laws(&f, 1e-9);
  problem_end(&f);
}

static void what_nothing_moves_gets_no_impulse(void **state) {
  (void)state;
  static problem_fixture f;
  for (int as_matrix = 0; as_matrix < 2; as_matrix++) {
    problem_begin(&f);
    add_cube(&f, MO_NO_BODY, 1.0, mo_v3(1, 0, -1), 0.5);
    mo_row_block *dead = problem_block(&f, MO_BOUND_CONE, 3);
    dead->friction = 0.5;
    f.free_velocity[dead->first_row] = -1.0;
    mo_row_block *bar = problem_block(&f, MO_BOUND_BILATERAL, 2);
    problem_row(&f, bar, 0, MO_NO_BODY, mo_v3(0, 0, 0), 0, mo_v3(0, 0, 0), mo_v3(0, 1, 0), false);
    if (as_matrix) {
      problem_to_matrix(&f);
    }
    assert_int_equal(solve(&f, &coulomb).status, MO_SOLVE_CONVERGED);
    for (uint32_t k = 0; k < 3; k++) {
      assert_true(f.impulse[dead->first_row + k] == 0.0);
    }
    assert_true(f.impulse[bar->first_row + 1] == 0.0);
    assert_near(normal_sum(&f, 0), 1.0, 1e-9);
    problem_end(&f);
  }
  problem_begin(&f);
  assert_int_equal(solve(&f, &coulomb).status, MO_SOLVE_NONE);
  problem_end(&f);
}

static int allowed_calls;

static void *limited_allocate(size_t bytes, void *context) {
  (void)context;
  return allowed_calls-- > 0 ? malloc(bytes) : NULL;
}

static void limited_release(void *memory, void *context) {
  (void)context;
  free(memory);
}

static void out_of_memory_changes_nothing(void **state) {
  (void)state;
  static problem_fixture f;
  bool solved = false;
  int failures = 0;
  for (int calls = 0; !solved; calls++) {
    build_tower(&f, 4, 1.0);
    f.impulse[0] = 0.125;
    allowed_calls = calls;
    mo_set_allocator(limited_allocate, limited_release, NULL);
    mo_solve_result result = mo_cone_solve(&f.problem, &coulomb, NULL, &f.arena);
    problem_end(&f);
    mo_set_allocator(NULL, NULL, NULL);
    solved = result.result == MO_OK;
    if (!solved) {
      assert_int_equal(result.result, MO_ERROR_OUT_OF_MEMORY);
      assert_true(f.impulse[0] == 0.125 && f.impulse[3] == 0.0);
      failures++;
    }
  }
  assert_true(failures >= 2);
}

// --- derivatives --------------------------------------------------------------------------------

static void projection_has_the_derivative_it_says(void **state) {
  (void)state;
  uint64_t seed = 7;
  int kinds[3] = {0};
  for (int trial = 0; trial < 8000; trial++) {
    double y[3], p[3], d[9], mu = 0.5 + 0.4 * next_random(&seed);
    for (int k = 0; k < 3; k++) {
      y[k] = next_random(&seed);
    }
    mo_project_friction_cone(y, mu, p, d);
    double t = sqrt(y[1] * y[1] + y[2] * y[2]);
    if (fabs(t - mu * y[0]) < 1e-4 || fabs(mu * t + y[0]) < 1e-4 || t < 1e-2) {
      continue; // on a kink
    }
    kinds[p[0] == 0.0 ? 0 : p[0] == y[0] ? 1 : 2]++;
    for (int j = 0; j < 3; j++) {
      double h = 1e-6, plus[3], minus[3], kept = y[j];
      y[j] = kept + h;
      mo_project_friction_cone(y, mu, plus, NULL);
      y[j] = kept - h;
      mo_project_friction_cone(y, mu, minus, NULL);
      y[j] = kept;
      for (int i = 0; i < 3; i++) {
        assert_near((plus[i] - minus[i]) / (2 * h), d[3 * i + j], 1e-7);
      }
    }
  }
  assert_true(kinds[0] > 100 && kinds[1] > 100 && kinds[2] > 100);
}

// dF = A dx + B du on all kinds of blocks, by differences along random directions.
static void natural_map_has_the_derivative_it_says(void **state) {
  (void)state;
  static problem_fixture f;
  build_machine(&f, 3);
  mo_scaled_problem scaled;
  assert_int_equal(
      mo_scaled_problem_create(&scaled, &f.problem, MO_FRICTION_COULOMB, 1.0, &f.arena), MO_OK);
  uint32_t n = f.problem.row_count;
  static double a[6 * PROBLEM_ROWS], b[6 * PROBLEM_ROWS];
  double x[PROBLEM_ROWS], u[PROBLEM_ROWS], dx[PROBLEM_ROWS], du[PROBLEM_ROWS];
  double map[3][PROBLEM_ROWS];
  uint64_t seed = 11;
  for (int trial = 0; trial < 200; trial++) {
    double h = 1e-7;
    for (uint32_t i = 0; i < n; i++) {
      x[i] = next_random(&seed), u[i] = next_random(&seed);
      dx[i] = next_random(&seed), du[i] = next_random(&seed);
    }
    mo_natural_map(&scaled, x, u, 0.7, map[0], a, b);
    for (int side = 1; side <= 2; side++) {
      double y[PROBLEM_ROWS], v[PROBLEM_ROWS], s = side == 1 ? h : -h;
      for (uint32_t i = 0; i < n; i++) {
        y[i] = x[i] + s * dx[i], v[i] = u[i] + s * du[i];
      }
      mo_natural_map(&scaled, y, v, 0.7, map[side], NULL, NULL);
    }
    for (uint32_t i = 0; i < f.problem.block_count; i++) {
      const mo_row_block *block = &f.blocks[i];
      for (uint32_t k = 0; k < block->row_count; k++) {
        uint32_t row = block->first_row + k;
        double expected = 0.0;
        for (uint32_t j = 0; j < block->row_count; j++) {
          expected += *mo_block_entry(a, block->first_row, k, j) * dx[block->first_row + j] +
                      *mo_block_entry(b, block->first_row, k, j) * du[block->first_row + j];
        }
        double found = (map[1][row] - map[2][row]) / (2 * h);
        assert_near(found, expected, 1e-5);
      }
    }
  }
  problem_end(&f);
}

// P_tau o (P_tau - y) = tau^2 e, and the derivatives of the projection.
static void smoothed_projection_lies_on_the_path(void **state) {
  (void)state;
  uint64_t seed = 9;
  for (int trial = 0; trial < 2000; trial++) {
    double y[3], p[3], d[9], rate[3], z[3], product[3], tau = 0.05 + fabs(next_random(&seed));
    for (int k = 0; k < 3; k++) {
      y[k] = 2.0 * next_random(&seed);
    }
    mo_smoothed_projection(y, tau, p, d, rate);
    for (int k = 0; k < 3; k++) {
      z[k] = p[k] - y[k];
    }
    mo_lorentz_product(p, z, 3, product);
    assert_near(product[0], tau * tau, 1e-13);
    assert_near(fabs(product[1]) + fabs(product[2]), 0.0, 1e-13);
    for (int j = 0; j <= 3; j++) {
      double h = 1e-6, plus[3], minus[3], unused[9], along[3], kept = j < 3 ? y[j] : 0.0;
      if (j < 3) {
        y[j] = kept + h;
      }
      mo_smoothed_projection(y, j < 3 ? tau : tau * (1.0 + h), plus, unused, along);
      if (j < 3) {
        y[j] = kept - h;
      }
      mo_smoothed_projection(y, j < 3 ? tau : tau * (1.0 - h), minus, unused, along);
      for (int i = 0; i < 3; i++) {
        assert_near((plus[i] - minus[i]) / (2 * h), j < 3 ? d[3 * i + j] : rate[i], 1e-7);
      }
      if (j < 3) {
        y[j] = kept;
      }
    }
  }
}

// dF = A dx + B du and dF / d ln tau on all kinds of blocks.
static void smoothed_map_has_the_derivatives_it_says(void **state) {
  (void)state;
  static problem_fixture f;
  build_machine(&f, 3);
  mo_scaled_problem scaled;
  assert_int_equal(
      mo_scaled_problem_create(&scaled, &f.problem, MO_FRICTION_COULOMB, 1.0, &f.arena), MO_OK);
  static double a[6 * PROBLEM_ROWS], b[6 * PROBLEM_ROWS];
  static double unused_a[6 * PROBLEM_ROWS], unused_b[6 * PROBLEM_ROWS];
  double x[PROBLEM_ROWS], u[PROBLEM_ROWS], dx[PROBLEM_ROWS], du[PROBLEM_ROWS];
  double map[3][PROBLEM_ROWS], rate[PROBLEM_ROWS], unused[PROBLEM_ROWS];
  uint64_t seed = 13;
  for (int trial = 0; trial < 200; trial++) {
    double h = 1e-6, tau = 0.3, with_tau = next_random(&seed);
    for (uint32_t i = 0; i < f.problem.row_count; i++) {
      x[i] = next_random(&seed), u[i] = next_random(&seed);
      dx[i] = next_random(&seed), du[i] = next_random(&seed);
    }
    mo_smoothed_map(&scaled, x, u, tau, map[0], a, b, rate);
    for (int side = 1; side <= 2; side++) {
      double y[PROBLEM_ROWS], v[PROBLEM_ROWS], s = side == 1 ? h : -h;
      for (uint32_t i = 0; i < f.problem.row_count; i++) {
        y[i] = x[i] + s * dx[i], v[i] = u[i] + s * du[i];
      }
      mo_smoothed_map(&scaled, y, v, tau * (1.0 + s * with_tau), map[side], unused_a, unused_b,
                      unused);
    }
    for (uint32_t i = 0; i < f.problem.block_count; i++) {
      const mo_row_block *block = &f.blocks[i];
      for (uint32_t k = 0; k < block->row_count; k++) {
        uint32_t row = block->first_row + k;
        double expected = rate[row] * with_tau;
        for (uint32_t j = 0; j < block->row_count; j++) {
          expected += *mo_block_entry(a, block->first_row, k, j) * dx[block->first_row + j] +
                      *mo_block_entry(b, block->first_row, k, j) * du[block->first_row + j];
        }
        assert_near((map[1][row] - map[2][row]) / (2 * h), expected, 1e-6);
      }
    }
  }
  problem_end(&f);
}

static void longest_step_ends_on_the_cone(void **state) {
  (void)state;
  uint64_t seed = 5;
  int finite = 0;
  for (int trial = 0; trial < 4000; trial++) {
    double x[3] = {0.0, next_random(&seed), next_random(&seed)}, dx[3], y[3];
    x[0] = sqrt(x[1] * x[1] + x[2] * x[2]) + 1e-3 + fabs(next_random(&seed));
    for (int k = 0; k < 3; k++) {
      dx[k] = next_random(&seed);
    }
    double step = mo_lorentz_max_step(x, dx, 3);
    assert_true(step > 0.0);
    double scale = step < 1e3 ? step : 1e3;
    for (int k = 0; k < 3; k++) {
      y[k] = x[k] + scale * dx[k];
    }
    if (step < 1e3) {
      finite++;
      assert_near(mo_lorentz_det(y, 3), 0.0, 1e-9 * (1.0 + y[0] * y[0]));
    } else {
      assert_true(mo_lorentz_det(y, 3) > 0.0 && y[0] > 0.0);
    }
  }
  assert_true(finite > 1000);
}

static void dense_factors_solve_and_tell_the_sign(void **state) {
  (void)state;
  static const uint32_t sizes[] = {1, 2, 7, 8, 9, 30, 77};
  uint64_t seed = 3;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    uint32_t n = sizes[s];
    mo_arena arena = {0};
    mo_dense_lu lu;
    assert_true(mo_dense_lu_create(&lu, n, &arena));
    double x[80], b[80] = {0.0};
    for (uint32_t i = 0; i < n; i++) {
      x[i] = next_random(&seed);
    }
    // A permutation's sign is known: two rows of a dominant matrix exchanged.
    for (uint32_t i = 0; i < n; i++) {
      uint32_t row = n > 1 && i < 2 ? 1 - i : i;
      for (uint32_t j = 0; j < n; j++) {
        double value = next_random(&seed) + (i == j ? 2.0 * n : 0.0);
        lu.matrix[row * lu.stride + j] = value;
        b[row] += value * x[j];
      }
    }
    assert_true(mo_dense_lu_factorise(&lu));
    assert_int_equal(mo_dense_lu_determinant_sign(&lu), n > 1 ? -1 : 1);
    mo_dense_lu_solve(&lu, b);
    for (uint32_t i = 0; i < n; i++) {
      assert_near(b[i], x[i], 1e-13);
    }
    memset(lu.matrix, 0, lu.stride * n * sizeof *lu.matrix);
    assert_false(mo_dense_lu_factorise(&lu));
    mo_arena_free(&arena);
  }
}

TEST_GROUP(cone) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(corner_of_a_sliding_cube_keeps_to_the_floor),
      cmocka_unit_test(frictionless_spheres_exchange_momentum),
      cmocka_unit_test(oblique_impact_of_a_sphere_slides_or_rolls),
      cmocka_unit_test(softening_gives_way_and_boxes_end),
      cmocka_unit_test(sliding_cube_obeys_coulomb_or_the_relaxation),
      cmocka_unit_test(tower_carries_its_weight_at_any_mass_ratio),
      cmocka_unit_test(warm_start_at_the_answer_costs_no_factorisation),
      cmocka_unit_test(cap_is_honoured_with_a_finite_answer),
      cmocka_unit_test(zero_friction_is_the_frictionless_law),
      cmocka_unit_test(mixed_blocks_obey_their_laws),
      cmocka_unit_test(body_space_and_rows_agree),
      cmocka_unit_test(joints_alone_are_a_linear_system),
      cmocka_unit_test(what_nothing_moves_gets_no_impulse),
      cmocka_unit_test(out_of_memory_changes_nothing),
      cmocka_unit_test(projection_has_the_derivative_it_says),
      cmocka_unit_test(natural_map_has_the_derivative_it_says),
      cmocka_unit_test(smoothed_projection_lies_on_the_path),
      cmocka_unit_test(smoothed_map_has_the_derivatives_it_says),
      cmocka_unit_test(longest_step_ends_on_the_cone),
      cmocka_unit_test(dense_factors_solve_and_tell_the_sign),
  };
  return run_group(tests, NULL, NULL);
}
