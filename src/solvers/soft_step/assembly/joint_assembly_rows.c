/// Joints that are solved together: Jacobians, limits and the matrix.
#include "solvers/soft_step/assembly/joint_assembly_rows.h"
#include "math/scalar.h"
#include "solvers/soft_step/assembly/joint_assembly_drives.h"

#include <string.h>

// Fraction of a joint's mobility that is added to it, so that rows which others repeat (loops)
// share the impulse. It yields by this fraction of what the joint alone would.
#define REDUNDANT_SHARE 1e-7
// The same of the mobility of the heaviest body, for joints of bodies that are so light that they
// would yield by more.
#define REDUNDANT_SHARE_OF_HEAVIEST 1e-4
// --- Jacobians -------------------------------------------------------------------------------

static void put_row(mo_assembly_joint *j, uint32_t side, uint32_t row, mo_vec3 linear,
                    mo_vec3 angular) {
  double sign = side == 0 ? -1.0 : 1.0, (*to)[MO_NODE_SIZE] = j->sides[side].jacobian;
  to[0][row] = sign * linear.x, to[1][row] = sign * linear.y, to[2][row] = sign * linear.z;
  to[3][row] = sign * angular.x, to[4][row] = sign * angular.y, to[5][row] = sign * angular.z;
}

static void put_point_row(mo_assembly_joint *j, uint32_t row, mo_vec3 direction) {
  put_row(j, 0, row, direction, mo_cross(mo_lane_vector(&j->lanes->arm_a, j->lane), direction));
  put_row(j, 1, row, direction, mo_cross(mo_lane_vector(&j->lanes->arm_b, j->lane), direction));
}

// The point rows along the axes of the world, where the directions drop out of the products.
static void put_ball_rows(mo_assembly_joint *j, uint32_t side, mo_vec3 arm) {
  double s = side == 0 ? -1.0 : 1.0, x = s * arm.x, y = s * arm.y, z = s * arm.z;
  const double rows[6][3] = {{s, 0, 0}, {0, s, 0}, {0, 0, s}, {0, -z, y}, {z, 0, -x}, {-y, x, 0}};
  for (uint32_t k = 0; k < 6; k++) {
    memcpy(j->sides[side].jacobian[k], rows[k], sizeof rows[k]);
  }
}

static void put_angle_row(mo_assembly_joint *j, uint32_t row, mo_vec3 axis) {
  put_row(j, 0, row, mo_v3_zero(), axis);
  put_row(j, 1, row, mo_v3_zero(), axis);
}

// The directions of a lock's rows.
typedef struct directions {
  mo_vec3 rows[3];
} directions;

static directions world_axes(void) {
  return (directions){{mo_v3(1.0, 0.0, 0.0), mo_v3(0.0, 1.0, 0.0), mo_v3(0.0, 0.0, 1.0)}};
}

static directions across_axis(const mo_assembly_joint *j) {
  const mo_joint_frame_lanes *f = j->lanes->frame;
  return (directions){{mo_lane_vector(&f->y, j->lane), mo_lane_vector(&f->z, j->lane)}};
}

static void put_point_rows(mo_assembly_joint *j) {
  if (j->lanes->point == MO_SUBSTEP_POINT_BALL) {
    put_ball_rows(j, 0, mo_lane_vector(&j->lanes->arm_a, j->lane));
    put_ball_rows(j, 1, mo_lane_vector(&j->lanes->arm_b, j->lane));
    return;
  }
  directions along = j->lanes->point == MO_SUBSTEP_POINT_LINE
                         ? across_axis(j)
                         : (directions){{mo_lane_vector(&j->lanes->frame->axis, j->lane)}};
  for (uint32_t row = 0; row < j->point_rows; row++) {
    put_point_row(j, row, along.rows[row]);
  }
}

static void put_rows(mo_assembly_joint *j) {
  if (j->point_rows > 0) {
    put_point_rows(j);
  }
  if (j->lock_rows > j->point_rows) {
    bool is_fixed = j->lanes->angle == MO_SUBSTEP_ANGLE_FIXED;
    directions angle = is_fixed ? world_axes() : across_axis(j);
    for (uint32_t row = j->point_rows; row < j->lock_rows; row++) {
      put_angle_row(j, row, angle.rows[row - j->point_rows]);
    }
  }
}

// a x + b y + c z.
static mo_block_row combined(double a, mo_block_row x, double b, mo_block_row y, double c,
                             mo_block_row z) {
  return mo_row_plus_scaled(mo_row_plus_scaled(mo_row_scaled(a, x), b, y), c, z);
}

// M^-1 times all rows.
static void put_push(const mo_solver_mass *mass, mo_assembly_side *side) {
  double i[6];
  for (uint32_t k = 0; k < 3; k++) {
    mo_row_store(side->push[k],
                 mo_row_scaled((double)mass->inverse_mass, mo_row_load(side->jacobian[k])));
  }
  for (uint32_t k = 0; k < 6; k++) {
    i[k] = (double)mass->inverse_inertia[k];
  }
  mo_block_row x = mo_row_load(side->jacobian[3]), y = mo_row_load(side->jacobian[4]),
               z = mo_row_load(side->jacobian[5]);
  mo_row_store(side->push[3], combined(i[0], x, i[3], y, i[4], z));
  mo_row_store(side->push[4], combined(i[3], x, i[1], y, i[5], z));
  mo_row_store(side->push[5], combined(i[4], x, i[5], y, i[2], z));
}

// --- limits ----------------------------------------------------------------------------------

// Whether a limit is met: it is reached within the substep h, or it pushes. One that pulls is let
// go, a substep late at most.
static bool is_met(double gap, double rate, double impulse, double h) {
  return gap + h * rate < 0.0 || (gap <= 0.0 && impulse > 0.0);
}

static void meet_limit(mo_assembly_joint *j, uint32_t row, const mo_substep_solver *step) {
  mo_assembly_coordinate *limit = &j->coordinates[row - j->lock_rows];
  const mo_joint_coordinate_lanes *c = limit->lanes;
  double h = step->settings.dt / step->settings.substeps;
  double rates[MO_NODE_SIZE], impulse = j->impulse[row];
  mo_row_store(rates, mo_assembly_rates(j, step->bodies));
  double rate = rates[row];
  float lower = c->lower_gap[j->lane], upper = c->upper_gap[j->lane];
  limit->sign = is_met((double)lower, rate, impulse, h)     ? 1.0f
                : is_met((double)upper, -rate, -impulse, h) ? -1.0f
                                                            : 0.0f;
  limit->gap = limit->sign > 0.0f ? lower : upper;
}

static void put_coordinate_rows(mo_assembly_joint *j, const mo_substep_solver *step) {
  for (uint32_t row = j->lock_rows; row < j->row_count; row++) {
    const mo_assembly_coordinate *coordinate = &j->coordinates[row - j->lock_rows];
    mo_vec3 direction = mo_lane_vector(&coordinate->lanes->direction, j->lane);
    if (mo_substep_is_angle(coordinate->lanes->kind)) {
      put_angle_row(j, row, direction);
    } else {
      put_point_row(j, row, direction);
    }
    if (coordinate->drive) {
      continue;
    }
    meet_limit(j, row, step);
    if (coordinate->sign == 0.0f) {
      put_angle_row(j, row, mo_v3_zero());
    }
  }
}

// --- the matrix ------------------------------------------------------------------------------

static void refresh_joint(mo_assembly_joint *j, const mo_substep_solver *step) {
  put_rows(j);
  put_coordinate_rows(j, step);
  for (uint32_t side = 0; side < 2; side++) {
    if (j->moves[side]) {
      put_push(&step->masses[side == 0 ? j->body_a : j->body_b], &j->sides[side]);
    }
  }
}

// The linear part of two rows of J_i M^-1 J_j^T of balls, whose axes are those of the world: zero
// but for the inverse mass on the diagonal.
static MO_UNROLLED mo_two_rows linear_rows(double mass, size_t row) {
  mo_two_rows rows = {0};
  if (row == 0) {
    rows.first.x[0] = rows.second.x[1] = mass;
  } else if (row == 2) {
    rows.first.y[0] = mass;
  }
  return rows;
}

// Adds two rows of J_i M^-1 J_j^T over one body, of columns in pairs.
static MO_UNROLLED void add_two_rows(const mo_assembly_side *i, const mo_assembly_side *j,
                                     size_t row, size_t pairs, bool are_balls, double *block) {
  mo_two_rows sum = {0}, of_block = mo_two_rows_load(block + MO_NODE_SIZE * row);
  if (are_balls) {
    sum = linear_rows(i->jacobian[0][0] * j->push[0][0], row);
  }
  mo_two_rows_add(&sum, i->jacobian[0], j->push[0], row, pairs, are_balls ? 3 : 0, 6);
  sum.first = mo_row_sum(of_block.first, sum.first);
  sum.second = mo_row_sum(of_block.second, sum.second);
  mo_two_rows_store(block + MO_NODE_SIZE * row, &sum);
}

// Whether all rows along directions are those of a ball.
static bool is_ball(const mo_assembly_joint *j) {
  bool has_travel = false;
  for (uint32_t row = j->lock_rows; row < j->row_count; row++) {
    has_travel |= !mo_substep_is_angle(j->coordinates[row - j->lock_rows].lanes->kind);
  }
  return j->lanes->point == MO_SUBSTEP_POINT_BALL && !has_travel;
}

// Adds J_i M^-1 J_j^T over one body, which both joints move.
static MO_UNROLLED void add_block(const mo_assembly_side *i, const mo_assembly_side *j,
                                  uint32_t row_count, bool are_balls, double *block) {
  add_two_rows(i, j, 0, 3, are_balls, block);
  if (row_count > 2) {
    add_two_rows(i, j, 2, 3, are_balls, block);
  }
  if (row_count > 4) {
    add_two_rows(i, j, 4, 3, are_balls, block);
  }
}

// Adds the lower triangle of J M^-1 J^T over one body of a joint.
static MO_UNROLLED void add_triangle(const mo_assembly_side *side, uint32_t row_count, bool is_ball,
                                     double *block) {
  add_two_rows(side, side, 0, 1, is_ball, block);
  if (row_count > 2) {
    add_two_rows(side, side, 2, 2, is_ball, block);
  }
  if (row_count > 4) {
    add_two_rows(side, side, 4, 3, is_ball, block);
  }
}

static void add_coupling(const mo_assembly *assembly, const mo_assembly_coupling *c) {
  const mo_assembly_joint *i = &assembly->joints[c->row], *j = &assembly->joints[c->column];
  const mo_assembly_side *of_i = &i->sides[c->row_side], *of_j = &j->sides[c->column_side];
  if (is_ball(i) && is_ball(j)) {
    add_block(of_i, of_j, i->row_count, true, c->block);
  } else {
    add_block(of_i, of_j, i->row_count, false, c->block);
  }
}

static double redundant_share(const mo_assembly *assembly) {
  return assembly->mass_ratio > MO_REFINED_RATIO
             ? REDUNDANT_SHARE_OF_HEAVIEST / assembly->mass_ratio
             : REDUNDANT_SHARE;
}

static void put_diagonal(mo_assembly *assembly, uint32_t node) {
  double share = redundant_share(assembly);
  const mo_assembly_joint *j = &assembly->joints[node];
  double *block = mo_block_at(&assembly->matrix, node, node);
  for (uint32_t side = 0; side < 2; side++) {
    if (j->moves[side] && is_ball(j)) {
      add_triangle(&j->sides[side], j->row_count, true, block);
    } else if (j->moves[side]) {
      add_triangle(&j->sides[side], j->row_count, false, block);
    }
  }
  for (uint32_t row = 0; row < j->row_count; row++) {
    double *pivot = &block[row * MO_NODE_SIZE + row];
    *pivot = *pivot > 0.0 ? *pivot * (1.0 + share) : 1.0; // 1: a row that is not held
  }
}

void mo_assembly_factorise(mo_assembly *assembly) {
  mo_block_matrix_clear(&assembly->matrix);
  for (uint32_t i = 0; i < assembly->joint_count; i++) {
    put_diagonal(assembly, i);
  }
  mo_assembly_drives_soften(assembly);
  for (uint32_t i = 0; i < assembly->coupling_count; i++) {
    add_coupling(assembly, &assembly->couplings[i]);
  }
  // Numbers that are not finite reach the bodies, whose step is then refused.
  mo_block_factor(&assembly->matrix);
  assembly->is_factorised = true;
}

void mo_assembly_refresh(mo_assembly *assembly, const mo_substep_solver *step) {
  for (uint32_t i = 0; i < assembly->joint_count; i++) {
    refresh_joint(&assembly->joints[i], step);
  }
  mo_assembly_drives_refresh(assembly);
  assembly->is_factorised = false;
}
