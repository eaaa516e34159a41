#include "solvers/exact/active_set.h"
#include "island_fixture.h"
#include "moreau.h"
#include "test_group.h"

static const mo_solver_settings settings = {.max_iterations = 400, .tolerance = 1e-8};
static const double gravity_step = 9.81 / 60.0;

static mo_solve_result solve(island *s) {
  return mo_active_set_solve(&s->problem, &settings, NULL, &s->arena);
}

static double error_of(const island *s) {
  double *w = island_matrix(s);
  double error = island_error(&s->problem, w);
  free(w);
  return error;
}

static void check_solved(island *s, double tolerance) {
  mo_solve_result result = solve(s);
  assert_int_equal(result.result, MO_OK);
  assert_int_equal(result.status, MO_SOLVE_CONVERGED);
  assert_true(error_of(s) < tolerance);
}

static double worst_difference(const double *a, const double *b, uint32_t count) {
  double worst = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    double difference = fabs(a[i] - b[i]);
    worst = difference <= worst ? worst : difference;
  }
  return worst;
}

// --- problems given as matrices --------------------------------------------------------------

#define SMALL 10

typedef struct small_problem {
  double w[SMALL * SMALL], q[SMALL], softening[SMALL], impulse[SMALL];
  mo_row_block blocks[SMALL];
  mo_contact_problem problem;
} small_problem;

static void small_begin(small_problem *s, uint32_t n) {
  *s = (small_problem){0};
  for (uint32_t i = 0; i < n; i++) {
    s->blocks[i] = (mo_row_block){.body_a = MO_NO_BODY,
                                  .body_b = MO_NO_BODY,
                                  .first_row = i,
                                  .row_count = 1,
                                  .bound = MO_BOUND_UNILATERAL};
  }
}

static mo_solve_result small_solve(small_problem *s, uint32_t n) {
  s->problem = (mo_contact_problem){.block_count = n,
                                    .row_count = n,
                                    .blocks = s->blocks,
                                    .delassus = s->w,
                                    .free_velocity = s->q,
                                    .softening = s->softening,
                                    .impulse = s->impulse};
  mo_arena arena = {0};
  mo_solve_result result = mo_active_set_solve(&s->problem, &settings, NULL, &arena);
  mo_arena_free(&arena);
  return result;
}

static void a26_two_rows(void **state) {
  (void)state;
  small_problem s;
  small_begin(&s, 2);
  memcpy(s.w, (double[]){2, 0.5, 0.5, 3}, 4 * sizeof(double));
  memcpy(s.q, (double[]){-1, -1.5}, 2 * sizeof(double));
  assert_int_equal(small_solve(&s, 2).status, MO_SOLVE_CONVERGED);
  assert_true(fabs(s.impulse[0] - 9.0 / 23.0) < 1e-15);
  assert_true(fabs(s.impulse[1] - 10.0 / 23.0) < 1e-15);
}

// Four corners of a cube that meets the floor: rank 3.
static void a33_a_singular_matrix_gives_finite_impulses_with_the_right_sum(void **state) {
  (void)state;
  small_problem s;
  small_begin(&s, 4);
  memcpy(s.w, (double[]){4, 1, 1, -2, 1, 4, -2, 1, 1, -2, 4, 1, -2, 1, 1, 4}, 16 * sizeof(double));
  for (int i = 0; i < 4; i++) {
    s.q[i] = -1.0;
  }
  assert_int_equal(small_solve(&s, 4).status, MO_SOLVE_CONVERGED);
  double sum = 0.0;
  for (int i = 0; i < 4; i++) {
    sum += s.impulse[i];
    assert_true(fabs(s.impulse[i] - 0.25) < 1e-9); // the least-norm ones
  }
  assert_true(fabs(sum - 1.0) < 1e-9);
}

static void a55_bounds(void **state) {
  (void)state;
  for (int sign = -1; sign <= 1; sign += 2) {
    const double expected[3] = {5.0 * sign, sign > 0 ? 5.0 : 0.0, sign > 0 ? 3.0 : -2.0};
    const mo_bound bounds[3] = {MO_BOUND_BILATERAL, MO_BOUND_UNILATERAL, MO_BOUND_BOX};
    for (int i = 0; i < 3; i++) {
      small_problem s;
      small_begin(&s, 1);
      s.blocks[0].bound = bounds[i];
      s.blocks[0].lower = -2.0;
      s.blocks[0].upper = 3.0;
      s.w[0] = 2.0;
      s.q[0] = -10.0 * sign;
      assert_int_equal(small_solve(&s, 1).status, MO_SOLVE_CONVERGED);
      assert_true(fabs(s.impulse[0] - expected[i]) < 1e-12);
    }
  }
}

static void a56_softening(void **state) {
  (void)state;
  for (int soft = 0; soft < 2; soft++) {
    small_problem s;
    small_begin(&s, 1);
    s.w[0] = 0.2;
    s.q[0] = -1.0;
    s.softening[0] = soft ? 0.05 : 0.0;
    small_solve(&s, 1);
    assert_true(fabs(s.impulse[0] - (soft ? 4.0 : 5.0)) < 1e-12);
    assert_true(fabs(0.2 * s.impulse[0] - 1.0 - (soft ? -0.2 : 0.0)) < 1e-12);
  }
}

// All 3^n choices of which rows are free, at their lower or at their upper bound.
static bool enumerate(const small_problem *s, uint32_t n, double *impulse) {
  uint32_t choices = 1;
  for (uint32_t i = 0; i < n; i++) {
    choices *= 3;
  }
  for (uint32_t choice = 0; choice < choices; choice++) {
    long double a[SMALL * SMALL] = {0}, b[SMALL], x[SMALL];
    uint32_t digits = choice;
    bool possible = true;
    for (uint32_t i = 0; i < n; i++, digits /= 3) {
      bool box = s->blocks[i].bound == MO_BOUND_BOX,
           joint = s->blocks[i].bound == MO_BOUND_BILATERAL;
      if (digits % 3 == 0) { // free
        for (uint32_t j = 0; j < n; j++) {
          a[i * n + j] = s->w[i * n + j];
        }
        a[i * n + i] += s->softening[i];
        b[i] = -s->q[i];
      } else {
        possible = possible && !joint && (box || digits % 3 == 1);
        a[i * n + i] = 1.0L;
        b[i] = !box ? 0.0 : digits % 3 == 1 ? s->blocks[i].lower : s->blocks[i].upper;
      }
    }
    if (!possible || !dense_solve(a, b, n)) {
      continue;
    }
    memcpy(x, b, sizeof x);
    digits = choice;
    for (uint32_t i = 0; i < n && possible; i++, digits /= 3) {
      long double w = s->q[i] + s->softening[i] * x[i];
      for (uint32_t j = 0; j < n; j++) {
        w += s->w[i * n + j] * x[j];
      }
      const mo_row_block *block = &s->blocks[i];
      long double lower = block->bound == MO_BOUND_BOX ? block->lower : 0.0;
      bool inside = block->bound == MO_BOUND_BILATERAL ||
                    (x[i] >= lower && (block->bound != MO_BOUND_BOX || x[i] <= block->upper));
      possible = digits % 3 == 0 ? inside : digits % 3 == 1 ? w >= 0.0L : w <= 0.0L;
    }
    if (possible) {
      for (uint32_t i = 0; i < n; i++) {
        impulse[i] = (double)x[i];
      }
      return true;
    }
  }
  return false;
}

// W = G G^T with as many columns as rows: definite, so that impulses are unique.
static void random_small(small_problem *s, uint32_t n, uint64_t *seed, bool mixed) {
  small_begin(s, n);
  double g[SMALL][SMALL];
  for (uint32_t i = 0; i < n; i++) {
    double scale = mixed ? pow(10.0, random_in(seed, -1.5, 1.5)) : 1.0;
    for (uint32_t j = 0; j < n; j++) {
      g[i][j] = scale * random_in(seed, -1, 1);
    }
    s->q[i] = scale * random_in(seed, -1, 0.5);
    uint32_t kind = mixed ? random_below(seed, 4) : 0;
    if (kind == 1) {
      s->blocks[i].bound = MO_BOUND_BILATERAL;
    } else if (kind == 2) {
      s->blocks[i].bound = MO_BOUND_BOX;
      s->blocks[i].lower = -random_in(seed, 0, 1);
      s->blocks[i].upper = random_in(seed, 0, 1);
    }
    s->softening[i] = mixed && random_below(seed, 3) == 0 ? random_in(seed, 0, 1) : 0.0;
  }
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      for (uint32_t k = 0; k < n; k++) {
        s->w[i * n + j] += g[i][k] * g[j][k];
      }
    }
  }
}

static void random_problems_agree_with_enumeration(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (int round = 0; round < 200; round++) {
    small_problem s;
    double expected[SMALL];
    uint32_t n = 1 + random_below(&seed, round % 20 == 0 ? 9 : 6);
    random_small(&s, n, &seed, round % 2);
    assert_true(enumerate(&s, n, expected));
    assert_int_equal(small_solve(&s, n).status, MO_SOLVE_CONVERGED);
    for (uint32_t i = 0; i < n; i++) {
      double w = 0.0; // compare velocities, in the matrix's own norm
      for (uint32_t j = 0; j < n; j++) {
        w += s.w[i * n + j] * (s.impulse[j] - expected[j]);
      }
      assert_true(fabs(w) < 1e-10 * (1.0 + s.w[i * n + i]));
    }
  }
}

// --- islands ---------------------------------------------------------------------------------

// Four corners of the face between two unit cubes, b above a.
static void face_contact(island *s, uint32_t a, uint32_t b, double bias) {
  for (int i = 0; i < 4; i++) {
    mo_vec3 corner = mo_v3(i % 2 ? 0.5 : -0.5, 0, i / 2 ? 0.5 : -0.5);
    mo_vec3 arm_a = mo_add(corner, mo_v3(0, 0.5, 0)), arm_b = mo_add(corner, mo_v3(0, -0.5, 0));
    island_contact(s, a, b, mo_v3(0, 1, 0), arm_a, arm_b, bias);
  }
}

// Unit cubes on the floor, bottom first, after a step of gravity.
static island *tower(const double *masses, uint32_t count) {
  island *s = island_begin();
  for (uint32_t i = 0; i < count; i++) {
    island_body_add(s, masses[i], masses[i] / 6.0, mo_v3(0, -gravity_step, 0), mo_v3_zero());
    face_contact(s, i == 0 ? MO_NO_BODY : i - 1, i, 0.0);
  }
  island_finish(s);
  return s;
}

static void a27_a_flat_cube_bounces_flat(void **state) {
  (void)state;
  for (int half = 0; half < 2; half++) {
    island *s = island_begin();
    double restitution = half ? 0.5 : 1.0;
    island_body_add(s, 1.0, 1.0 / 6.0, mo_v3(0, -1, 0), mo_v3_zero());
    face_contact(s, MO_NO_BODY, 0, -restitution);
    island_finish(s);
    check_solved(s, 1e-12);
    double v[6], sum = 0.0;
    island_velocities(s, s->impulse, v);
    for (int i = 0; i < 4; i++) {
      sum += s->impulse[i];
    }
    assert_true(fabs(v[1] - restitution) < 1e-12 && fabs(sum - 1.0 - restitution) < 1e-12);
    assert_true(fabs(v[3]) + fabs(v[4]) + fabs(v[5]) < 1e-12);
    island_end(s);
  }
}

// Interface loads of a tower at rest are the weights above.
static void check_tower(const double *masses, uint32_t count) {
  island *s = tower(masses, count);
  check_solved(s, 1e-8);
  double above = 0.0;
  for (uint32_t i = count; i-- > 0;) {
    above += masses[i];
    double load = 0.0;
    for (uint32_t k = 0; k < 4; k++) {
      load += s->impulse[4 * i + k];
    }
    assert_true(fabs(load - above * gravity_step) < 1e-9 * above * gravity_step);
  }
  island_end(s);
}

static void towers_of_extreme_masses_stand(void **state) {
  (void)state;
  double masses[20];
  check_tower((double[]){1, 1e6}, 2); // heavy on light
  check_tower((double[]){1e6, 1}, 2); // light on heavy
  check_tower((double[]){1, 1, 1, 1, 1e6}, 5);
  check_tower((double[]){1, 1e6, 1, 1e6, 1, 1e6}, 6);
  for (uint32_t i = 0; i < 20; i++) {
    masses[i] = i % 2 ? 1e6 : 1.0;
  }
  check_tower(masses, 20);
  for (uint32_t i = 0; i < 10; i++) {
    masses[i] = i == 9 ? 1e6 : 1.0;
  }
  check_tower(masses, 10);
}

static void a_tower_at_rest_takes_few_factorisations_and_none_when_warm(void **state) {
  (void)state;
  double masses[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  island *s = tower(masses, 10);
  mo_solve_result cold = solve(s);
  assert_int_equal(cold.factorisations, 1);
  mo_solve_result warm = solve(s);
  assert_int_equal(warm.status, MO_SOLVE_CONVERGED);
  assert_int_equal(warm.factorisations, 0);
  island_end(s);
}

// Cubes that touch at random corners and edges, some jointed, some with soft rows or boxes.
static island *random_island(uint64_t seed, uint32_t bodies, double ratio, const uint32_t *order) {
  island *s = island_begin();
  for (uint32_t i = 0; i < bodies; i++) {
    double mass = pow(ratio, random_in(&seed, 0, 1));
    mo_vec3 v = mo_v3(random_in(&seed, -1, 1), random_in(&seed, -2, 0.5), random_in(&seed, -1, 1));
    mo_vec3 spin = mo_v3(random_in(&seed, -1, 1), random_in(&seed, -1, 1), random_in(&seed, -1, 1));
    island_body_add(s, mass, mass / 6.0, v, spin);
  }
  for (uint32_t k = 0; k < 2 * bodies; k++) {
    uint64_t own = seed + 1000 * (order ? order[k] : k); // each block from its own seed
    random_bits(&own);
    uint32_t b = random_below(&own, bodies), a = random_below(&own, bodies + 1);
    a = a == bodies || a == b ? MO_NO_BODY : a;
    uint32_t kind = random_below(&own, 8);
    mo_vec3 arm_a = mo_v3(random_in(&own, -0.5, 0.5), 0.5, random_in(&own, -0.5, 0.5));
    mo_vec3 arm_b = mo_v3(random_in(&own, -0.5, 0.5), -0.5, random_in(&own, -0.5, 0.5));
    mo_vec3 normal = mo_normalize(mo_v3(random_in(&own, -1, 1), 1, random_in(&own, -1, 1)));
    if (kind == 0) {
      island_joint(s, a, b, arm_a, arm_b, false);
    } else if (kind == 1) {
      mo_row_block *block = island_block(s, a, b, MO_BOUND_BOX);
      block->lower = -random_in(&own, 0, 1);
      block->upper = random_in(&own, 0, 1);
      island_row(s, mo_v3_zero(), mo_v3_zero(), mo_v3_zero(), normal, random_in(&own, -1, 1));
    } else {
      for (uint32_t c = 0; c < 4; c++) {
        mo_vec3 shift = mo_v3(c % 2 ? 0.3 : 0, 0, c / 2 ? 0.3 : 0);
        island_contact(s, a, b, normal, mo_add(arm_a, shift), mo_add(arm_b, shift), 0.0);
        s->softening[s->problem.row_count - 1] = kind == 2 ? 0.05 : 0.0;
      }
    }
  }
  island_finish(s);
  return s;
}

static void random_islands_obey_every_row(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    for (double ratio = 1.0; ratio < 1e7; ratio *= 1e3) {
      island *s = random_island(seed * 7919, 2 + (uint32_t)seed % 12, ratio, NULL);
      check_solved(s, 1e-8);
      island_end(s);
    }
  }
}

// A pyramid of unit cubes, each on two, with four contacts per face, masses up to `ratio`.
static island *pyramid(uint32_t layers, double ratio, uint64_t seed) {
  island *s = island_begin();
  uint32_t below = 0, first = 0;
  for (uint32_t layer = 0; layer < layers; layer++) {
    below = first;
    first = s->problem.body_count;
    for (uint32_t i = 0; i < layers - layer; i++) {
      double mass = pow(ratio, random_in(&seed, 0, 1));
      uint32_t b = island_body_add(s, mass, mass / 6.0, mo_v3(0, -gravity_step, 0), mo_v3_zero());
      if (layer == 0) {
        face_contact(s, MO_NO_BODY, b, 0.0);
      }
      for (uint32_t k = 0; k < 8 && layer > 0; k++) {
        bool right = k / 4 == 1;
        double x = (k % 2 ? 0.5 : 0.0) - (right ? 0.0 : 0.5), z = k / 2 % 2 ? 0.5 : -0.5;
        mo_vec3 arm_a = mo_v3(x + (right ? -0.5 : 0.5), 0.5, z);
        island_contact(s, below + i + right, b, mo_v3(0, 1, 0), arm_a, mo_v3(x, -0.5, z), 0.0);
      }
    }
  }
  island_finish(s);
  return s;
}

// Four redundant contacts of a face that want slightly different velocities (gaps, restitution) are
// the hard case: equations of all closed rows contradict each other, and methods that change sides
// row by row cycle or creep.
static void pyramids_whose_redundant_rows_disagree_are_solved(void **state) {
  (void)state;
  for (double ratio = 1.0; ratio < 1e7; ratio *= 1e3) {
    for (double noise = 0.0; noise < 0.1; noise += 0.03) {
      uint64_t seed = 11;
      island *s = pyramid(8, ratio, 12);
      for (uint32_t i = 0; i < s->problem.row_count; i++) {
        s->free_velocity[i] += noise * random_in(&seed, -1, 1);
      }
      mo_solve_result result = solve(s);
      assert_int_equal(result.status, MO_SOLVE_CONVERGED);
      assert_true(result.factorisations <= 100);
      assert_true(error_of(s) < 1e-8);
      island_end(s);
    }
  }
}

static void velocities_do_not_depend_on_the_order_of_rows(void **state) {
  (void)state;
  static double v[ISLAND_BODIES * 6], permuted[ISLAND_BODIES * 6];
  for (uint64_t seed = 1; seed <= 10; seed++) {
    uint32_t order[24], bodies = 12;
    uint64_t shuffle = seed;
    for (uint32_t i = 0; i < 2 * bodies; i++) {
      uint32_t j = random_below(&shuffle, i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    island *s = random_island(seed * 104729, bodies, 10.0, NULL);
    check_solved(s, 1e-10);
    island_velocities(s, s->impulse, v);
    island_end(s);
    s = random_island(seed * 104729, bodies, 10.0, order);
    check_solved(s, 1e-10);
    island_velocities(s, s->impulse, permuted);
    island_end(s);
    assert_true(worst_difference(v, permuted, 6 * bodies) < 1e-12);
  }
}

static void a_matrix_gives_what_jacobians_give(void **state) {
  (void)state;
  static double v[ISLAND_BODIES * 6], of_matrix[ISLAND_BODIES * 6];
  for (uint64_t seed = 1; seed <= 10; seed++) {
    island *s = random_island(seed * 31, 8, 10.0, NULL);
    check_solved(s, 1e-10);
    island_velocities(s, s->impulse, v);
    double *w = island_matrix(s);
    memset(s->impulse, 0, sizeof s->impulse);
    s->problem.delassus = w;
    check_solved(s, 1e-10);
    island_velocities(s, s->impulse, of_matrix);
    assert_true(worst_difference(v, of_matrix, 6 * s->problem.body_count) < 1e-11);
    free(w);
    island_end(s);
  }
}

static void a_squeeze_without_solution_stays_finite(void **state) {
  (void)state;
  island *s = island_begin();
  island_body_add(s, 1.0, 0.1, mo_v3_zero(), mo_v3_zero());
  island_contact(s, MO_NO_BODY, 0, mo_v3(0, 1, 0), mo_v3_zero(), mo_v3_zero(), -1.0);
  island_contact(s, MO_NO_BODY, 0, mo_v3(0, -1, 0), mo_v3_zero(), mo_v3_zero(), -1.0);
  island_finish(s);
  mo_solve_result result = solve(s);
  assert_true(result.status == MO_SOLVE_STALLED || result.status == MO_SOLVE_BUDGET);
  assert_true(isfinite(s->impulse[0]) && isfinite(s->impulse[1]));
  island_end(s);
}

static void too_few_factorisations_say_so(void **state) {
  (void)state;
  island *s = random_island(5, 10, 100.0, NULL);
  mo_solver_settings few = settings;
  few.max_iterations = 1;
  mo_solve_result result = mo_active_set_solve(&s->problem, &few, NULL, &s->arena);
  assert_int_equal(result.status, MO_SOLVE_BUDGET);
  assert_int_equal(result.factorisations, 1);
  island_end(s);
}

static void contacts_without_friction_slide(void **state) {
  (void)state;
  island *s = island_begin();
  island_body_add(s, 2.0, 0.1, mo_v3(3, -1, 0.5), mo_v3_zero());
  island_block(s, MO_NO_BODY, 0, MO_BOUND_CONE);
  for (int k = 0; k < 3; k++) {
    island_row(s, island_axis((k + 1) % 3), mo_v3_zero(), mo_v3_zero(), mo_v3_zero(), 0.0);
  }
  island_finish(s);
  s->impulse[1] = 5.0; // a warm start that friction left
  assert_int_equal(solve(s).status, MO_SOLVE_CONVERGED);
  assert_true(fabs(s->impulse[0] - 2.0) < 1e-12);
  assert_true(s->impulse[1] == 0.0 && s->impulse[2] == 0.0);
  island_end(s);
}

static void numbers_that_are_not_finite_end_in_zeros(void **state) {
  (void)state;
  double masses[3] = {1, 1, 1};
  for (int i = 0; i < 2; i++) {
    island *s = tower(masses, 3);
    s->free_velocity[5] = i == 0 ? NAN : HUGE_VAL;
    assert_int_equal(solve(s).status, MO_SOLVE_STALLED);
    for (uint32_t k = 0; k < s->problem.row_count; k++) {
      assert_true(s->impulse[k] == 0.0);
    }
    island_end(s);
  }
}

typedef struct budget {
  int blocks;
} budget;

static void *budget_allocate(size_t bytes, void *user) {
  return ((budget *)user)->blocks-- > 0 ? malloc(bytes) : NULL;
}

static void budget_release(void *memory, void *user) {
  (void)user;
  free(memory);
}

static void without_memory_nothing_changes(void **state) {
  (void)state;
  static double before[ISLAND_ROWS];
  mo_result result = MO_ERROR_OUT_OF_MEMORY;
  for (int blocks = 0; result != MO_OK; blocks++) {
    assert_true(blocks < 20);
    budget b = {blocks};
    mo_set_allocator(budget_allocate, budget_release, &b);
    island *s = random_island(77, 12, 10.0, NULL);
    s->impulse[3] = 0.25;
    memcpy(before, s->impulse, sizeof before);
    mo_ordering_cache cache = {0};
    mo_solver_settings all = settings;
    all.estimate_condition = true;
    mo_solve_result solved = mo_active_set_solve(&s->problem, &all, &cache, &s->arena);
    result = solved.result;
    assert_true(result == MO_OK || memcmp(before, s->impulse, sizeof before) == 0);
    assert_true(result != MO_OK || solved.condition >= 1.0);
    mo_ordering_cache_free(&cache);
    island_end(s);
    mo_set_allocator(NULL, NULL, NULL);
  }
}

TEST_GROUP(active_set) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a26_two_rows),
      cmocka_unit_test(a33_a_singular_matrix_gives_finite_impulses_with_the_right_sum),
      cmocka_unit_test(a55_bounds),
      cmocka_unit_test(a56_softening),
      cmocka_unit_test(random_problems_agree_with_enumeration),
      cmocka_unit_test(a27_a_flat_cube_bounces_flat),
      cmocka_unit_test(towers_of_extreme_masses_stand),
      cmocka_unit_test(a_tower_at_rest_takes_few_factorisations_and_none_when_warm),
      cmocka_unit_test(random_islands_obey_every_row),
      cmocka_unit_test(pyramids_whose_redundant_rows_disagree_are_solved),
      cmocka_unit_test(velocities_do_not_depend_on_the_order_of_rows),
      cmocka_unit_test(a_matrix_gives_what_jacobians_give),
      cmocka_unit_test(a_squeeze_without_solution_stays_finite),
      cmocka_unit_test(too_few_factorisations_say_so),
      cmocka_unit_test(contacts_without_friction_slide),
      cmocka_unit_test(numbers_that_are_not_finite_end_in_zeros),
      cmocka_unit_test(without_memory_nothing_changes),
  };
  return run_group(tests, NULL, NULL);
}
