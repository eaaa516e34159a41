#include "solvers/block_pgs.h"

#include "math/scalar.h"

// A row packed for the sweeps: J, M^-1 J^T (the linear parts are masses times J), and its impulse, in the order they are read.
typedef struct packed_row {
  mo_vec3 linear_a, angular_a, linear_b, angular_b;
  mo_vec3 turn_a, turn_b; // I_A^-1 angular_a, I_B^-1 angular_b
  double bias;
  double impulse;
  double step;         // impulse per velocity error: 1 / K_ii; of a cone's tangents 1 / rho
  double inverse_step; // velocity change per impulse
} packed_row;

typedef struct packed_block {
  uint32_t body_a, body_b;
  uint32_t first_row, row_count;
  mo_bound bound;
  double friction;
  double inverse_mass_a, inverse_mass_b;
} packed_block;

// The larger eigenvalue of [[a, b], [b, c]].
static double largest_eigenvalue(double a, double b, double c) {
  return 0.5 * (a + c) + sqrt(mo_square(0.5 * (a - c)) + b * b);
}

static packed_row pack_row(const mo_row *row, const mo_row_body *a, const mo_row_body *b, double inverse_step) {
  return (packed_row){.linear_a = row->linear_a,
                      .angular_a = row->angular_a,
                      .linear_b = row->linear_b,
                      .angular_b = row->angular_b,
                      .turn_a = mo_mat3_mul(a->inverse_inertia, row->angular_a),
                      .turn_b = mo_mat3_mul(b->inverse_inertia, row->angular_b),
                      .bias = row->bias,
                      .impulse = row->impulse,
                      .inverse_step = inverse_step,
                      // A row that no body can answer (two immovable ones) takes no step.
                      .step = inverse_step > 0.0 ? 1.0 / inverse_step : 0.0};
}

static packed_block pack_block(const mo_row_problem *problem, const mo_row_block *block, packed_row *rows) {
  const mo_row_body *a = &problem->bodies[block->body_a], *b = &problem->bodies[block->body_b];
  const mo_row *source = &problem->rows[block->first_row];
  double rho = 0.0;
  if (block->bound == MO_BOUND_CONE) {
    rho = largest_eigenvalue(mo_row_coupling(&source[1], &source[1], a, b), mo_row_coupling(&source[1], &source[2], a, b),
                             mo_row_coupling(&source[2], &source[2], a, b));
  }
  for (uint32_t i = 0; i < block->row_count; i++) {
    bool tangent = block->bound == MO_BOUND_CONE && i > 0;
    double inverse_step = tangent ? rho : mo_row_coupling(&source[i], &source[i], a, b);
    rows[block->first_row + i] = pack_row(&source[i], a, b, inverse_step);
  }
  return (packed_block){.body_a = block->body_a,
                        .body_b = block->body_b,
                        .first_row = block->first_row,
                        .row_count = block->row_count,
                        .bound = block->bound,
                        .friction = block->friction,
                        .inverse_mass_a = a->inverse_mass,
                        .inverse_mass_b = b->inverse_mass};
}

static inline double row_velocity(const packed_row *row, const mo_velocity *a, const mo_velocity *b) {
  return mo_dot(row->linear_a, a->linear) + mo_dot(row->angular_a, a->angular) + mo_dot(row->linear_b, b->linear) +
         mo_dot(row->angular_b, b->angular) + row->bias;
}

static inline void apply(const packed_block *block, const packed_row *row, double impulse, mo_velocity *a, mo_velocity *b) {
  a->linear = mo_add_scaled(a->linear, impulse * block->inverse_mass_a, row->linear_a);
  a->angular = mo_add_scaled(a->angular, impulse, row->turn_a);
  b->linear = mo_add_scaled(b->linear, impulse * block->inverse_mass_b, row->linear_b);
  b->angular = mo_add_scaled(b->angular, impulse, row->turn_b);
}

// One projected step of a scalar row. Returns how far it moved the row's velocity, m/s.
static inline double relax_row(const packed_block *block, packed_row *row, double lower, mo_velocity *a,
                               mo_velocity *b) {
  double wanted = mo_max(lower, row->impulse - row->step * row_velocity(row, a, b));
  double change = wanted - row->impulse;
  row->impulse = wanted;
  apply(block, row, change, a, b);
  return fabs(change) * row->inverse_step;
}

// One projected step of both tangent rows on the disc of radius friction * normal impulse.
static inline double relax_friction(const packed_block *block, packed_row *normal, mo_velocity *a, mo_velocity *b) {
  packed_row *t1 = normal + 1, *t2 = normal + 2;
  double radius = block->friction * normal->impulse;
  double x = t1->impulse - t1->step * row_velocity(t1, a, b);
  double y = t2->impulse - t2->step * row_velocity(t2, a, b);
  double length_squared = x * x + y * y;
  if (length_squared > radius * radius) {
    double scale = radius / sqrt(length_squared);
    x *= scale;
    y *= scale;
  }
  double dx = x - t1->impulse, dy = y - t2->impulse;
  t1->impulse = x;
  t2->impulse = y;
  apply(block, t1, dx, a, b);
  apply(block, t2, dy, a, b);
  return sqrt(dx * dx + dy * dy) * t1->inverse_step;
}

static double relax_block(const packed_block *block, packed_row *rows, mo_velocity *velocities) {
  packed_row *row = &rows[block->first_row];
  mo_velocity a = velocities[block->body_a], b = velocities[block->body_b];
  double moved = 0.0;
  if (block->bound == MO_BOUND_CONE) {
    moved = relax_row(block, row, 0.0, &a, &b);
    moved = mo_max(moved, relax_friction(block, row, &a, &b));
  } else {
    double lower = block->bound == MO_BOUND_UNILATERAL ? 0.0 : -INFINITY;
    for (uint32_t i = 0; i < block->row_count; i++) {
      moved = mo_max(moved, relax_row(block, &row[i], lower, &a, &b));
    }
  }
  velocities[block->body_a] = a;
  velocities[block->body_b] = b;
  return moved;
}

// Brings the warm start inside its bounds: the last step's impulses may not fit this step's friction or direction.
static void project_warm_start(const packed_block *block, packed_row *rows) {
  packed_row *row = &rows[block->first_row];
  if (block->bound == MO_BOUND_BILATERAL) {
    return;
  }
  row[0].impulse = mo_max(0.0, row[0].impulse);
  if (block->bound == MO_BOUND_CONE) {
    double radius = block->friction * row[0].impulse;
    double length = sqrt(row[1].impulse * row[1].impulse + row[2].impulse * row[2].impulse);
    double scale = length > radius ? radius / length : 1.0;
    row[1].impulse *= scale;
    row[2].impulse *= scale;
  }
}

static void warm_start(const mo_row_problem *problem, const packed_block *blocks, packed_row *rows,
                       mo_velocity *velocities) {
  for (uint32_t i = 0; i < problem->body_count; i++) {
    velocities[i] = (mo_velocity){problem->bodies[i].free_linear, problem->bodies[i].free_angular};
  }
  for (uint32_t i = 0; i < problem->block_count; i++) {
    project_warm_start(&blocks[i], rows);
    for (uint32_t k = 0; k < blocks[i].row_count; k++) {
      packed_row *row = &rows[blocks[i].first_row + k];
      apply(&blocks[i], row, row->impulse, &velocities[blocks[i].body_a], &velocities[blocks[i].body_b]);
    }
  }
}

mo_solve_result mo_block_pgs_solve(mo_row_problem *problem, mo_velocity *velocities, const mo_solver_settings *settings,
                                   mo_arena *arena) {
  packed_block *blocks = MO_ARENA_TAKE(arena, packed_block, problem->block_count);
  packed_row *rows = MO_ARENA_TAKE(arena, packed_row, problem->row_count);
  if (!blocks || !rows) {
    return (mo_solve_result){.result = MO_ERROR_OUT_OF_MEMORY};
  }
  for (uint32_t i = 0; i < problem->block_count; i++) {
    blocks[i] = pack_block(problem, &problem->blocks[i], rows);
  }
  warm_start(problem, blocks, rows, velocities);

  mo_solve_result result = {.result = MO_OK, .status = MO_SOLVE_MAX_ITERATIONS};
  while (result.iterations < settings->max_iterations && result.status != MO_SOLVE_CONVERGED) {
    double moved = 0.0;
    for (uint32_t i = 0; i < problem->block_count; i++) {
      moved = mo_max(moved, relax_block(&blocks[i], rows, velocities));
    }
    result.iterations++;
    result.status = moved <= settings->tolerance ? MO_SOLVE_CONVERGED : MO_SOLVE_MAX_ITERATIONS;
  }
  for (uint32_t i = 0; i < problem->row_count; i++) {
    problem->rows[i].impulse = rows[i].impulse;
  }
  return result;
}
