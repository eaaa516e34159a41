#include "solvers/block_pgs.h"

#include "math/scalar.h"

// Contact points of one pair of bodies that are relaxed in one visit.
#define GROUP_POINTS 4
// The normal impulses of a group are solved together, in rounds that cost a fraction of a visit: a
// half-way normal solve tilts the body, and friction then locks the tilt in. Four corners of a box
// converge by a factor of 8 per round, and a warm start needs one or two.
#define NORMAL_ROUNDS 8
// Of the first round's change of velocity: what is left is below what friction does in the same
// visit.
#define NORMAL_ACCURACY 1e-3

// Friction whose square is above this part of that of its limit slips.
#define AT_LIMIT (1.0 - 1e-9)

// A row packed for the sweeps: J, M^-1 J^T (the linear parts are masses times J), and its impulse,
// in the order they are read.
typedef struct packed_row {
  mo_vec3 linear_a, angular_a, linear_b, angular_b;
  mo_vec3 turn_a, turn_b; // I_A^-1 angular_a, I_B^-1 angular_b
  double bias;
  double softening;
  double lower, upper; // of the impulse; a cone's tangents have their disc instead
  double impulse;
  double mobility;       // velocity change per impulse: K_ii + softening; of a cone's tangents rho
  double effective_mass; // its inverse
  double last_impulse;   // before the sweep
  double direction;      // of the acceleration, N s
} packed_row;

// L D L^T of the K of a bilateral block: L below the diagonal, D^-1 on it, D L^T above it.
typedef struct block_factor {
  double entries[MO_BLOCK_ROWS][MO_BLOCK_ROWS];
} block_factor;

// Contact points of one pair of bodies, a bounded row, or the rows of one bilateral block: what is
// relaxed in one visit.
typedef struct group {
  uint32_t body_a, body_b;
  uint32_t first_row;
  uint32_t count;          // points, or bilateral rows
  uint32_t rows_per_point; // 3 with friction, 1 without; 1 for bilateral rows
  bool bilateral;
  double friction;
  double inverse_mass_a, inverse_mass_b;
  const block_factor *factor;                  // of a bilateral block
  double coupling[GROUP_POINTS][GROUP_POINTS]; // J M^-1 J^T + softening of the normal rows
} group;

// The larger eigenvalue of [[a, b], [b, c]].
static double largest_eigenvalue(double a, double b, double c) {
  return 0.5 * (a + c) + sqrt(mo_square(0.5 * (a - c)) + b * b);
}

static packed_row pack_row(const mo_row *row, const mo_row_body *a, const mo_row_body *b,
                           double mobility) {
  return (packed_row){.linear_a = row->linear_a,
                      .angular_a = row->angular_a,
                      .linear_b = row->linear_b,
                      .angular_b = row->angular_b,
                      .turn_a = mo_mat3_mul(a->inverse_inertia, row->angular_a),
                      .turn_b = mo_mat3_mul(b->inverse_inertia, row->angular_b),
                      .bias = row->bias,
                      .softening = row->softening,
                      .lower = -INFINITY,
                      .upper = INFINITY,
                      .impulse = row->impulse,
                      .last_impulse = row->impulse,
                      .mobility = mobility,
                      // A row that no body can answer (two immovable ones) has no effective mass.
                      .effective_mass = mobility > 0.0 ? 1.0 / mobility : 0.0};
}

static void pack_rows(const mo_row_problem *problem, const mo_row_block *block, packed_row *rows) {
  const mo_row_body *a = &problem->bodies[block->body_a], *b = &problem->bodies[block->body_b];
  const mo_row *source = &problem->rows[block->first_row];
  double rho = 0.0;
  if (block->bound == MO_BOUND_CONE) {
    rho = largest_eigenvalue(mo_row_coupling(&source[1], &source[1], a, b),
                             mo_row_coupling(&source[1], &source[2], a, b),
                             mo_row_coupling(&source[2], &source[2], a, b));
  }
  for (uint32_t i = 0; i < block->row_count; i++) {
    bool tangent = block->bound == MO_BOUND_CONE && i > 0;
    double mobility = tangent ? rho : mo_row_coupling(&source[i], &source[i], a, b);
    rows[block->first_row + i] = pack_row(&source[i], a, b, mobility + source[i].softening);
  }
  packed_row *first = &rows[block->first_row];
  if (block->bound == MO_BOUND_BOX) {
    first->lower = block->lower;
    first->upper = block->upper;
  } else if (block->bound != MO_BOUND_BILATERAL) {
    first->lower = 0.0;
  }
}

static group begin_group(const mo_row_problem *problem, const mo_row_block *block) {
  bool bilateral = block->bound == MO_BOUND_BILATERAL;
  return (group){.body_a = block->body_a,
                 .body_b = block->body_b,
                 .first_row = block->first_row,
                 .count = bilateral ? block->row_count : 1,
                 .rows_per_point = bilateral ? 1 : block->row_count,
                 .bilateral = bilateral,
                 .friction = block->friction,
                 .inverse_mass_a = problem->bodies[block->body_a].inverse_mass,
                 .inverse_mass_b = problem->bodies[block->body_b].inverse_mass};
}

// Whether a contact point is one of the group's pair.
static bool belongs_to(const group *g, const mo_row_block *block) {
  return !g->bilateral && block->bound != MO_BOUND_BILATERAL && g->count < GROUP_POINTS &&
         g->body_a == block->body_a && g->body_b == block->body_b &&
         g->rows_per_point == block->row_count && g->friction == block->friction &&
         g->first_row + g->count * g->rows_per_point == block->first_row;
}

static packed_row *normal_row(const group *g, packed_row *rows, uint32_t point) {
  return &rows[g->first_row + point * g->rows_per_point];
}

// J_p M^-1 J_q^T of two rows of a group.
static double coupling(const group *g, const packed_row *p, const packed_row *q) {
  return g->inverse_mass_a * mo_dot(p->linear_a, q->linear_a) + mo_dot(p->angular_a, q->turn_a) +
         g->inverse_mass_b * mo_dot(p->linear_b, q->linear_b) + mo_dot(p->angular_b, q->turn_b);
}

static void set_coupling(group *g, packed_row *rows) {
  for (uint32_t i = 0; i < g->count; i++) {
    for (uint32_t j = 0; j < g->count; j++) {
      const packed_row *p = normal_row(g, rows, i), *q = normal_row(g, rows, j);
      g->coupling[i][j] = coupling(g, p, q) + (i == j ? p->softening : 0.0);
    }
  }
}

// Pivots of redundant rows come out as round-off, below this part of their row's mobility: the row
// is left to the others.
#define REDUNDANT_ROW 1e-12

static void factor_block(const group *g, const packed_row *rows, block_factor *out) {
  for (uint32_t i = 0; i < g->count; i++) {
    const packed_row *row = &rows[g->first_row + i];
    for (uint32_t j = 0; j <= i; j++) {
      double sum = coupling(g, row, &rows[g->first_row + j]) + (i == j ? row->softening : 0.0);
      for (uint32_t k = 0; k < j; k++) {
        sum -= out->entries[i][k] * out->entries[k][j];
      }
      if (i == j) {
        out->entries[i][i] = sum > REDUNDANT_ROW * row->mobility ? 1.0 / sum : 0.0;
      } else {
        out->entries[j][i] = sum;
        out->entries[i][j] = sum * out->entries[j][j];
      }
    }
  }
}

// x = K^-1 x. A redundant row gets 0.
static void solve_block(const group *g, double *x) {
  const block_factor *f = g->factor;
  for (uint32_t i = 0; i < g->count; i++) {
    for (uint32_t k = 0; k < i; k++) {
      x[i] -= f->entries[i][k] * x[k];
    }
  }
  for (uint32_t i = g->count; i-- > 0;) {
    x[i] *= f->entries[i][i];
    for (uint32_t k = i + 1; k < g->count; k++) {
      x[i] -= f->entries[k][i] * x[k];
    }
  }
}

// Packs all rows and gathers neighbouring blocks into groups. Returns the number of groups.
static uint32_t pack(const mo_row_problem *problem, group *groups, packed_row *rows,
                     block_factor *factors) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    pack_rows(problem, block, rows);
    if (count > 0 && belongs_to(&groups[count - 1], block)) {
      groups[count - 1].count++;
    } else {
      groups[count++] = begin_group(problem, block);
    }
  }
  for (uint32_t i = 0; i < count; i++) {
    if (groups[i].bilateral) {
      factor_block(&groups[i], rows, factors);
      groups[i].factor = factors++;
    } else {
      set_coupling(&groups[i], rows);
    }
  }
  return count;
}

static inline double row_velocity(const packed_row *row, const mo_velocity *a,
                                  const mo_velocity *b) {
  return mo_dot(row->linear_a, a->linear) + mo_dot(row->angular_a, a->angular) +
         mo_dot(row->linear_b, b->linear) + mo_dot(row->angular_b, b->angular) + row->bias +
         row->softening * row->impulse;
}

static inline void apply(const group *g, const packed_row *row, double impulse, mo_velocity *a,
                         mo_velocity *b) {
  a->linear = mo_add_scaled(a->linear, impulse * g->inverse_mass_a, row->linear_a);
  a->angular = mo_add_scaled(a->angular, impulse, row->turn_a);
  b->linear = mo_add_scaled(b->linear, impulse * g->inverse_mass_b, row->linear_b);
  b->angular = mo_add_scaled(b->angular, impulse, row->turn_b);
}

// --- relaxation: each returns how far it moved a row's velocity at the most, m/s -------------

static double relax_bilateral(const group *g, packed_row *rows, mo_velocity *a, mo_velocity *b) {
  double change[MO_BLOCK_ROWS], moved = 0.0;
  for (uint32_t i = 0; i < g->count; i++) {
    change[i] = -row_velocity(&rows[g->first_row + i], a, b);
    moved = mo_max(moved, fabs(change[i]));
  }
  solve_block(g, change);
  for (uint32_t i = 0; i < g->count; i++) {
    packed_row *row = &rows[g->first_row + i];
    row->impulse += change[i];
    apply(g, row, change[i], a, b);
  }
  return moved;
}

// One round of projected Gauss-Seidel on the normal impulses of a group. `velocity` follows them.
static double relax_normals_once(const group *g, packed_row *const *normals, double *impulse,
                                 double *velocity) {
  double moved = 0.0;
  for (uint32_t i = 0; i < g->count; i++) {
    double wanted = mo_clamp(impulse[i] - normals[i]->effective_mass * velocity[i],
                             normals[i]->lower, normals[i]->upper);
    double change = wanted - impulse[i];
    impulse[i] = wanted;
    // All columns, those without a point being zero: a loop of fixed length is unrolled.
    for (uint32_t j = 0; j < GROUP_POINTS; j++) {
      velocity[j] += g->coupling[i][j] * change;
    }
    moved = mo_max(moved, fabs(change) * normals[i]->mobility);
  }
  return moved;
}

static double relax_normals(const group *g, packed_row *rows, double tolerance, mo_velocity *a,
                            mo_velocity *b) {
  packed_row *normals[GROUP_POINTS];
  double impulse[GROUP_POINTS], velocity[GROUP_POINTS] = {0};
  for (uint32_t i = 0; i < g->count; i++) {
    normals[i] = normal_row(g, rows, i);
    impulse[i] = normals[i]->impulse;
    velocity[i] = row_velocity(normals[i], a, b);
  }
  double first = relax_normals_once(g, normals, impulse, velocity);
  double enough = mo_max(tolerance, NORMAL_ACCURACY * first);
  double last = g->count > 1 ? first : 0.0;
  for (int round = 1; round < NORMAL_ROUNDS && last > enough; round++) {
    last = relax_normals_once(g, normals, impulse, velocity);
  }
  double moved = 0.0;
  for (uint32_t i = 0; i < g->count; i++) {
    double change = impulse[i] - normals[i]->impulse;
    normals[i]->impulse = impulse[i];
    apply(g, normals[i], change, a, b);
    moved = mo_max(moved, fabs(change) * normals[i]->mobility);
  }
  return moved;
}

// One projected step of both tangent rows of a point on the disc of radius friction * normal
// impulse.
static inline double relax_friction(const group *g, packed_row *normal, mo_velocity *a,
                                    mo_velocity *b) {
  packed_row *t1 = normal + 1, *t2 = normal + 2;
  double radius = g->friction * normal->impulse;
  if (radius == 0.0 && t1->impulse == 0.0 && t2->impulse == 0.0) {
    return 0.0; // open: about half of the points of a pile
  }
  double x = t1->impulse - t1->effective_mass * row_velocity(t1, a, b);
  double y = t2->impulse - t2->effective_mass * row_velocity(t2, a, b);
  double length_squared = x * x + y * y;
  if (length_squared > radius * radius) {
    double scale = radius / sqrt(length_squared);
    x *= scale;
    y *= scale;
  }
  double dx = x - t1->impulse, dy = y - t2->impulse;
  t1->impulse = x;
  t2->impulse = y;
  apply(g, t1, dx, a, b);
  apply(g, t2, dy, a, b);
  return sqrt(dx * dx + dy * dy) * t1->mobility;
}

static double relax_group(const group *g, packed_row *rows, double tolerance,
                          mo_velocity *velocities) {
  mo_velocity a = velocities[g->body_a], b = velocities[g->body_b];
  double moved = 0.0;
  if (g->bilateral) {
    moved = relax_bilateral(g, rows, &a, &b);
  } else {
    // Friction first: a visit ends with normal velocities that obey their law, whatever friction
    // has left to do.
    for (uint32_t i = 0; i < g->count && g->rows_per_point == 3; i++) {
      moved = mo_max(moved, relax_friction(g, normal_row(g, rows, i), &a, &b));
    }
    moved = mo_max(moved, relax_normals(g, rows, tolerance, &a, &b));
  }
  velocities[g->body_a] = a;
  velocities[g->body_b] = b;
  return moved;
}

// --- first and last --------------------------------------------------------------------------

static void warm_start(const mo_row_problem *problem, const group *groups, uint32_t group_count,
                       packed_row *rows, mo_velocity *velocities) {
  for (uint32_t i = 0; i < problem->body_count; i++) {
    velocities[i] = (mo_velocity){problem->bodies[i].free_linear, problem->bodies[i].free_angular};
  }
  for (uint32_t i = 0; i < group_count; i++) {
    const group *g = &groups[i];
    for (uint32_t k = 0; k < g->count * g->rows_per_point; k++) {
      packed_row *row = &rows[g->first_row + k];
      apply(g, row, row->impulse, &velocities[g->body_a], &velocities[g->body_b]);
    }
  }
}

// Pulls friction that lies outside of its disc back onto it: the last visit's normal step may have
// shrunk the disc.
static void project_friction(const group *groups, uint32_t group_count, packed_row *rows,
                             mo_velocity *velocities) {
  for (uint32_t i = 0; i < group_count; i++) {
    const group *g = &groups[i];
    for (uint32_t k = 0; k < g->count && g->rows_per_point == 3; k++) {
      packed_row *normal = normal_row(g, rows, k);
      double radius = g->friction * normal->impulse;
      double length = sqrt(mo_square(normal[1].impulse) + mo_square(normal[2].impulse));
      for (uint32_t t = 1; t <= 2 && length > radius; t++) {
        double change = (radius / length - 1.0) * normal[t].impulse;
        normal[t].impulse += change;
        apply(g, &normal[t], change, &velocities[g->body_a], &velocities[g->body_b]);
      }
    }
  }
}

// --- acceleration ----------------------------------------------------------------------------
//
// Sweeps alone carry news through a tower at one body per sweep or so: 20 of them let a tower of 20
// cubes fall. Nonsmooth nonlinear conjugate gradients (Silcowitz-Hansen, Niebe and Erleben 2010)
// take a sweep for the gradient of a function whose minimum is the fixed point, and move on along
// conjugate directions; towers of 25 stand. The sweeps keep the bounds: the last one has the last
// word.

// How far a sweep moved the impulses: the sum of mobility * change^2, J.
static double sweep_length(const packed_row *rows, uint32_t count) {
  double sum = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    sum += rows[i].mobility * mo_square(rows[i].impulse - rows[i].last_impulse);
  }
  return sum;
}

// Whether friction of a point of the group is at its limit. There the fixed point is no minimum of
// anything, and moving on leads astray.
static bool slips(const group *g, const packed_row *rows) {
  for (uint32_t i = 0; i < g->count && g->rows_per_point == 3; i++) {
    const packed_row *normal = &rows[g->first_row + 3 * i];
    double radius = g->friction * normal->impulse;
    double length_squared = mo_square(normal[1].impulse) + mo_square(normal[2].impulse);
    if (length_squared > 0.0 && length_squared >= radius * radius * AT_LIMIT) {
      return true;
    }
  }
  return false;
}

// Moves on by `beta` (Fletcher and Reeves 1964) times the direction, and turns the direction. With
// beta = 0 a new direction begins.
static void move_on(const group *groups, uint32_t group_count, packed_row *rows, double beta,
                    mo_velocity *velocities) {
  for (uint32_t i = 0; i < group_count; i++) {
    const group *g = &groups[i];
    bool free = !slips(g, rows);
    mo_velocity a = velocities[g->body_a], b = velocities[g->body_b];
    for (uint32_t k = 0; k < g->count * g->rows_per_point; k++) {
      packed_row *row = &rows[g->first_row + k];
      double change = row->impulse - row->last_impulse;
      double step = free ? beta * row->direction : 0.0;
      row->impulse += step;
      apply(g, row, step, &a, &b);
      row->direction = free ? step + change : 0.0;
      row->last_impulse = row->impulse;
    }
    velocities[g->body_a] = a;
    velocities[g->body_b] = b;
  }
}

static double sweep(const group *groups, uint32_t group_count, packed_row *rows, double tolerance,
                    mo_velocity *velocities) {
  double moved = 0.0;
  for (uint32_t i = 0; i < group_count; i++) {
    moved = mo_max(moved, relax_group(&groups[i], rows, tolerance, velocities));
  }
  return moved;
}

static uint32_t count_bilateral(const mo_row_problem *problem) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    count += problem->blocks[i].bound == MO_BOUND_BILATERAL;
  }
  return count;
}

mo_solve_result mo_block_pgs_solve(mo_row_problem *problem, mo_velocity *velocities,
                                   const mo_solver_settings *settings, mo_arena *arena) {
  group *groups = MO_ARENA_TAKE_RAW(arena, group, problem->block_count);
  packed_row *rows = MO_ARENA_TAKE_RAW(arena, packed_row, problem->row_count);
  block_factor *factors = MO_ARENA_TAKE_RAW(arena, block_factor, count_bilateral(problem));
  if (!groups || !rows || !factors) {
    return (mo_solve_result){.result = MO_ERROR_OUT_OF_MEMORY};
  }
  uint32_t group_count = pack(problem, groups, rows, factors);
  warm_start(problem, groups, group_count, rows, velocities);

  mo_solve_result result = {.result = MO_OK, .status = MO_SOLVE_MAX_ITERATIONS};
  double last_length = 0.0;
  for (;;) {
    double moved = sweep(groups, group_count, rows, settings->tolerance, velocities);
    result.iterations++;
    if (moved <= settings->tolerance) {
      result.status = MO_SOLVE_CONVERGED;
      break;
    }
    if (result.iterations >= settings->max_iterations) {
      break;
    }
    // The first sweep, and one that went further than the one before it, begin a direction.
    double length = sweep_length(rows, problem->row_count);
    bool closer = last_length > 0.0 && length <= last_length;
    move_on(groups, group_count, rows, closer ? length / last_length : 0.0, velocities);
    last_length = length;
  }
  project_friction(groups, group_count, rows, velocities);
  for (uint32_t i = 0; i < problem->row_count; i++) {
    problem->rows[i].impulse = rows[i].impulse;
  }
  return result;
}
