/*
 * Exports of contact problems that are given as matrices.
 */
#include "../generated/abi.h"

static bool are_numbers(const double *numbers, double count) {
  return is_memory(numbers, (double)sizeof(double) * count);
}

static bool is_matrix(const mo_triplets *matrix) {
  double index_bytes = (double)sizeof(uint32_t) * matrix->count;
  return is_memory(matrix->row, index_bytes) && is_memory(matrix->column, index_bytes) &&
         are_numbers(matrix->value, matrix->count);
}

static bool has_matrices(const mo_problem_def *def, double rows) {
  return def->mass ? is_matrix(def->mass) && is_matrix(def->jacobian) &&
                         are_numbers(def->force, def->mass->rows)
                   : are_numbers(def->delassus, rows * rows);
}

static bool is_problem(const mo_problem_def *def, const abi_problem_answer *answer) {
  double rows = 3.0 * def->contact_count;
  return has_matrices(def, rows) && are_numbers(def->free_velocity, rows) &&
         are_numbers(def->friction, def->contact_count) &&
         (!def->warm_start || are_numbers(def->warm_start, rows)) &&
         are_numbers(answer->impulses, rows) &&
         (!answer->velocities || are_numbers(answer->velocities, rows));
}

/* Reads a problem, its settings, where impulses and velocities are to be written, and if it has no
 * W, M and H; writes the result. */
EXPORT(int, problem_solve, void) {
  cursor at = io;
  mo_problem_def def = {0};
  read_problem_def(&at, &def);
  mo_problem_settings settings = mo_problem_settings_default();
  read_problem_settings(&at, &settings);
  abi_problem_answer answer;
  read_problem_answer(&at, &answer);
  mo_triplets mass, jacobian;
  if (!def.delassus) {
    read_triplets(&at, &mass);
    read_triplets(&at, &jacobian);
    def.mass = &mass;
    def.jacobian = &jacobian;
  }
  mo_problem_result out = {0};
  mo_result result = MO_ERROR_INVALID_ARGUMENT;
  if (is_problem(&def, &answer)) {
    result = mo_problem_solve(&def, &settings, answer.impulses, answer.velocities, &out);
  }
  at = io;
  write_problem_result(&at, &out);
  return (int)result;
}
