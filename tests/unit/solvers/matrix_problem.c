/// Contact problems given as matrices: W and q, and M, H, f and w.
#include "moreau.h"
#include "test_group.h"

#include <math.h>

#define BODIES 3
#define ROWS (6 * BODIES)
#define CONTACTS 3
#define COLUMNS (3 * CONTACTS)
#define ENTRIES 256

typedef struct entries {
  uint32_t row[ENTRIES], column[ENTRIES];
  double value[ENTRIES];
  mo_triplets matrix;
} entries;

static void put(entries *e, uint32_t row, uint32_t column, double value) {
  uint32_t i = e->matrix.count++;
  e->row[i] = row;
  e->column[i] = column;
  e->value[i] = value;
}

static void begin(entries *e, uint32_t rows, uint32_t columns) {
  e->matrix = (mo_triplets){rows, columns, 0, e->row, e->column, e->value};
}

// Numbers without a pattern.
static double number(uint32_t i) { return sin(1.0 + 2.7 * i); }

typedef struct masses {
  entries mass, jacobian;
  double force[ROWS], offset[COLUMNS];
} masses;

// Bodies with a full inertia tensor, and a contact between each two of them.
static masses *make_masses(void) {
  static masses m;
  begin(&m.mass, ROWS, ROWS);
  begin(&m.jacobian, ROWS, COLUMNS);
  for (uint32_t i = 0; i < ROWS; i++) {
    put(&m.mass, i, i, 2.0 + number(i));
    if (i % 6 > 3) {
      put(&m.mass, i, i - 1, 0.3);
      put(&m.mass, i - 1, i, 0.3);
    }
    m.force[i] = number(100 + i);
    uint32_t body = i / 6;
    for (uint32_t k = 0; k < COLUMNS; k++) {
      if (k / 3 == body || (k / 3 + 1) % BODIES == body) {
        put(&m.jacobian, i, k, number(200 + i * COLUMNS + k));
      }
    }
  }
  for (uint32_t k = 0; k < COLUMNS; k++) {
    m.offset[k] = k % 3 == 0 ? -2.0 : 0.4;
  }
  return &m;
}

static mo_problem_def def_of(const masses *m, const double *friction) {
  return (mo_problem_def){.contact_count = CONTACTS,
                          .mass = &m->mass.matrix,
                          .jacobian = &m->jacobian.matrix,
                          .force = m->force,
                          .free_velocity = m->offset,
                          .friction = friction};
}

static const double rough[CONTACTS] = {0.5, 0.3, 0.8};
static const double mixed[CONTACTS] = {0.5, 0.0, 0.8};
static const double smooth[CONTACTS] = {0.0, 0.0, 0.0};

static void bodies_and_the_matrix_have_one_answer(void **state) {
  (void)state;
  const masses *m = make_masses();
  const double *const frictions[] = {rough, mixed, smooth};
  double w[COLUMNS * COLUMNS], q[COLUMNS];
  const char *refused;
  assert_int_equal(
      mo_problem_reduce(&m->mass.matrix, &m->jacobian.matrix, m->force, m->offset, w, q, &refused),
      MO_OK);
  mo_problem_settings settings = mo_problem_settings_default();
  settings.tolerance = 1e-12;
  for (int i = 0; i < 3; i++) {
    mo_problem_def sparse = def_of(m, frictions[i]);
    mo_problem_def dense = {
        .contact_count = CONTACTS, .delassus = w, .free_velocity = q, .friction = frictions[i]};
    double g[2][COLUMNS], u[2][COLUMNS];
    mo_problem_result out[2];
    assert_int_equal(mo_problem_solve(&sparse, &settings, g[0], u[0], &out[0]), MO_OK);
    assert_int_equal(mo_problem_solve(&dense, &settings, g[1], u[1], &out[1]), MO_OK);
    for (int k = 0; k < COLUMNS; k++) {
      assert_true(fabs(u[0][k] - u[1][k]) < 1e-9);
      assert_true(fabs(g[0][k] - g[1][k]) < 1e-8);
    }
    assert_true(out[0].status == MO_SOLVE_CONVERGED && out[1].status == MO_SOLVE_CONVERGED);
    assert_int_equal(out[0].solver, out[1].solver);
  }
}

static void check_refused(const masses *m, const char *what, uint32_t at, double value) {
  const mo_solver solvers[] = {MO_SOLVER_EXACT, MO_SOLVER_BLOCK_PGS};
  for (int i = 0; i < 2; i++) {
    mo_problem_def def = def_of(m, rough);
    mo_problem_settings settings = mo_problem_settings_default();
    settings.solver = solvers[i];
    double g[COLUMNS];
    mo_problem_result out;
    mo_result result = mo_problem_solve(&def, &settings, g, NULL, &out);
    assert_true(result == MO_ERROR_INVALID_ARGUMENT || result == MO_ERROR_NOT_FINITE);
    assert_string_equal(out.refused, what);
    assert_int_equal(out.refused_at, at);
    assert_true(out.refused_value == value || (isnan(out.refused_value) && isnan(value)));
  }
}

static void what_is_wrong_is_told_with_its_place_and_value(void **state) {
  (void)state;
  masses *m = make_masses();
  m->mass.value[0] = -3.0;
  check_refused(m, "M must be positive definite", 0, -3.0);
  m = make_masses();
  m->mass.value[1] = NAN;
  check_refused(m, "the entries of M must be finite", 1, NAN);
  m = make_masses();
  m->jacobian.value[7] = INFINITY;
  check_refused(m, "the entries of H must be finite", 7, INFINITY);
  m = make_masses();
  m->jacobian.row[5] = ROWS;
  check_refused(m, "the rows of H's entries must be rows of H", 5, ROWS);
  m = make_masses();
  m->mass.column[2] = 99;
  check_refused(m, "the columns of M's entries must be columns of M", 2, 99);
  m = make_masses();
  m->jacobian.matrix.rows = ROWS - 1;
  check_refused(m, "H must have as many rows as M", 0, ROWS - 1);
  m = make_masses();
  m->jacobian.matrix.columns = COLUMNS + 1;
  check_refused(m, "H must have three columns per contact", 0, COLUMNS + 1);
  m = make_masses();
  m->force[3] = NAN;
  check_refused(m, "f must be finite", 3, NAN);
  m = make_masses();
  m->offset[2] = INFINITY;
  check_refused(m, "w must be finite", 2, INFINITY);
}

TEST_GROUP(matrix_problem) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_and_the_matrix_have_one_answer),
      cmocka_unit_test(what_is_wrong_is_told_with_its_place_and_value)};
  return run_group(tests, NULL, NULL);
}
