/// Operations without a world.
#include "fuzz_world.h"

// --- collision -------------------------------------------------------------------------------

static outcome collide(fuzz_world *f, choices *c) {
  const mo_shape *a = f->shapes[choose_below(c, TABLE)], *b = f->shapes[choose_below(c, TABLE)];
  mo_pose pose_a = choose_pose(c, 1.0), pose_b = choose_pose(c, 1.0);
  mo_collision out;
  // Orientations have to be of unit length here.
  pose_a.orientation = pose_b.orientation = (mo_quat){0.0, 0.6, 0.0, 0.8};
  if (a && b) {
    if (mo_collide(a, pose_a, b, pose_b, &out) && (out.point_count < 1 || out.point_count > 4)) {
      fuzz_fail(f, "points of a manifold", out.point_count);
    }
    (void)mo_distance(a, pose_a, b, pose_b);
  }
  return READ;
}

// --- problems --------------------------------------------------------------------------------

#define MOST_CONTACTS 4

static void read_solution(fuzz_world *f, mo_result result, const mo_problem_result *out,
                          const double *impulses, uint32_t count) {
  for (uint32_t i = 0; result == MO_OK && i < count; i++) {
    if (!(impulses[i] - impulses[i] == 0.0)) {
      fuzz_fail(f, "impulse of a solved problem", impulses[i]);
    }
  }
  if (result == MO_OK && !(out->residual.worst >= 0.0)) {
    fuzz_fail(f, "residual of a solved problem", out->residual.worst);
  }
}

static outcome solve_problem(fuzz_world *f, choices *c) {
  double delassus[9 * MOST_CONTACTS * MOST_CONTACTS], free_velocity[3 * MOST_CONTACTS],
      friction[MOST_CONTACTS], impulses[3 * MOST_CONTACTS], velocities[3 * MOST_CONTACTS];
  uint32_t count = 1 + choose_below(c, MOST_CONTACTS), n = 3 * count;
  for (uint32_t i = 0; i < n * n; i++) {
    delassus[i] = i % (n + 1) == 0 ? 1.0 + choose_positive(c, 1.0) : choose_number(c, 0.3);
  }
  for (uint32_t i = 0; i < n; i++) {
    free_velocity[i] = choose_number(c, 2.0);
  }
  for (uint32_t i = 0; i < count; i++) {
    friction[i] = choose_positive(c, 1.0);
  }
  mo_problem_settings settings = mo_problem_settings_default();
  settings.solver = (mo_solver)choose_below(c, 6);
  settings.max_iterations = choose_below(c, 100);
  mo_problem_def def = {.contact_count = count,
                        .delassus = delassus,
                        .free_velocity = free_velocity,
                        .friction = friction};
  mo_problem_result out;
  mo_result result = mo_problem_solve(&def, &settings, impulses, velocities, &out);
  read_solution(f, result, &out, impulses, n);
  return READ;
}

#define MOST_ENTRIES 12

static mo_triplets choose_triplets(choices *c, uint32_t rows, uint32_t columns, uint32_t *places,
                                   double *values) {
  mo_triplets t = {rows, columns, MOST_ENTRIES, places, places + MOST_ENTRIES, values};
  for (uint32_t i = 0; i < MOST_ENTRIES; i++) {
    bool is_diagonal = rows == columns && i < rows;
    places[i] = is_diagonal ? i : choose_below(c, rows + (choose_byte(c) == 0));
    places[MOST_ENTRIES + i] = is_diagonal ? i : choose_below(c, columns);
    values[i] = is_diagonal ? 1.0 + choose_positive(c, 1.0) : choose_number(c, 0.1);
  }
  return t;
}

// In body space: refused for the same reasons, or an answer of numbers.
static void solve_masses(fuzz_world *f, const mo_triplets *mass, const mo_triplets *jacobian,
                         const double *force, const double *offset, mo_result expected) {
  static const double friction[2] = {0.5, 0.0};
  double impulses[6];
  mo_problem_def def = {.contact_count = jacobian->columns / 3,
                        .mass = mass,
                        .jacobian = jacobian,
                        .force = force,
                        .free_velocity = offset,
                        .friction = friction};
  mo_problem_settings settings = mo_problem_settings_default();
  settings.max_iterations = 30;
  mo_problem_result out;
  mo_result result = mo_problem_solve(&def, &settings, impulses, NULL, &out);
  if (result == MO_ERROR_OUT_OF_MEMORY || expected == MO_ERROR_OUT_OF_MEMORY) {
    return;
  }
  if (result == MO_OK) {
    fuzz_check_numbers(f, "impulses of a problem with masses", impulses, jacobian->columns);
  }
  if ((result != MO_OK) != (out.refused != NULL)) {
    fuzz_fail(f, "a problem with masses is refused without a reason", result);
  }
  if ((result == MO_ERROR_INVALID_ARGUMENT) != (expected == MO_ERROR_INVALID_ARGUMENT)) {
    fuzz_fail(f, "a problem with masses is not refused as its reduction is", result);
  }
}

static outcome reduce_problem(fuzz_world *f, choices *c) {
  uint32_t rows = 1 + choose_below(c, 8), columns = 1 + choose_below(c, 6);
  uint32_t places[2][2 * MOST_ENTRIES];
  double values[2][MOST_ENTRIES], delassus[36], free_velocity[6];
  static const double force[8] = {1, 2, 3, 4, 5, 6, 7, 8}, offset[6] = {0, 1, 0, 1, 0, 1};
  mo_triplets mass = choose_triplets(c, rows, rows, places[0], values[0]);
  mo_triplets jacobian = choose_triplets(c, rows, columns, places[1], values[1]);
  const char *refused;
  mo_result result =
      mo_problem_reduce(&mass, &jacobian, force, offset, delassus, free_velocity, &refused);
  if ((result == MO_ERROR_INVALID_ARGUMENT) != (refused != NULL)) {
    fuzz_fail(f, "a problem is refused without a reason", result);
  }
  if (columns % 3 == 0) {
    solve_masses(f, &mass, &jacobian, force, offset, result);
  }
  return READ;
}

const operation fuzz_other_operations[] = {{"collide", 3, collide},
                                           {"solve_problem", 1, solve_problem},
                                           {"reduce_problem", 1, reduce_problem},
                                           {0}};
