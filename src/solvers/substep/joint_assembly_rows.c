/// Joints that are solved together: Jacobians, limits and the matrix.
#include "solvers/substep/joint_assembly_rows.h"
#include "math/scalar.h"
#include "solvers/substep/joint_assembly_drives.h"

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
  double sign = side == 0 ? -1.0 : 1.0;
  double *to = j->jacobian[side][row];
  to[0] = sign * linear.x, to[1] = sign * linear.y, to[2] = sign * linear.z;
  to[3] = sign * angular.x, to[4] = sign * angular.y, to[5] = sign * angular.z;
}

static void put_point_row(mo_assembly_joint *j, uint32_t row, mo_vec3 direction) {
  put_row(j, 0, row, direction, mo_cross(mo_lane_vector(&j->lanes->arm_a, j->lane), direction));
  put_row(j, 1, row, direction, mo_cross(mo_lane_vector(&j->lanes->arm_b, j->lane), direction));
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

static directions point_directions(const mo_assembly_joint *j) {
  switch (j->lanes->point) {
  case MO_SUBSTEP_POINT_LINE:
    return across_axis(j);
  case MO_SUBSTEP_POINT_DISTANCE:
    return (directions){{mo_lane_vector(&j->lanes->frame->axis, j->lane)}};
  case MO_SUBSTEP_POINT_BALL:
  case MO_SUBSTEP_POINT_FREE:
    break;
  }
  return world_axes();
}

static void put_rows(mo_assembly_joint *j) {
  directions point = point_directions(j);
  for (uint32_t row = 0; row < j->point_rows; row++) {
    put_point_row(j, row, point.rows[row]);
  }
  if (j->lock_rows > j->point_rows) {
    bool is_fixed = j->lanes->angle == MO_SUBSTEP_ANGLE_FIXED;
    directions angle = is_fixed ? world_axes() : across_axis(j);
    for (uint32_t row = j->point_rows; row < j->lock_rows; row++) {
      put_angle_row(j, row, angle.rows[row - j->point_rows]);
    }
  }
}

// M^-1 times a row.
static void put_push(const mo_solver_mass *mass, const double *row, double *push) {
  const float *i = mass->inverse_inertia;
  for (uint32_t k = 0; k < 3; k++) {
    push[k] = (double)mass->inverse_mass * row[k];
  }
  push[3] = (double)i[0] * row[3] + (double)i[3] * row[4] + (double)i[4] * row[5];
  push[4] = (double)i[3] * row[3] + (double)i[1] * row[4] + (double)i[5] * row[5];
  push[5] = (double)i[4] * row[3] + (double)i[5] * row[4] + (double)i[2] * row[5];
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
  double rate = mo_assembly_row_rate(j, row, step->bodies), impulse = j->impulse[row];
  float lower = c->lower_gap[j->lane], upper = c->upper_gap[j->lane];
  limit->sign = is_met((double)lower, rate, impulse, h)     ? 1.0f
                : is_met((double)upper, -rate, -impulse, h) ? -1.0f
                                                            : 0.0f;
  limit->gap = limit->sign > 0.0f ? lower : upper;
}

static void put_coordinate_rows(mo_assembly_joint *j, const mo_substep_solver *step) {
  for (uint32_t row = j->lock_rows; row < j->row_count; row++) {
    const mo_assembly_coordinate *coordinate = &j->coordinates[row - j->lock_rows];
    mo_vec3 axis = mo_lane_vector(&j->lanes->frame->axis, j->lane);
    if (coordinate->lanes->kind == MO_SUBSTEP_TURN) {
      put_angle_row(j, row, axis);
    } else {
      put_point_row(j, row, axis);
    }
    if (coordinate->drive) {
      continue;
    }
    meet_limit(j, row, step);
    if (coordinate->sign == 0.0f) {
      memset(j->jacobian[0][row], 0, sizeof j->jacobian[0][row]);
      memset(j->jacobian[1][row], 0, sizeof j->jacobian[1][row]);
    }
  }
}

// --- the matrix ------------------------------------------------------------------------------

static void refresh_joint(mo_assembly_joint *j, const mo_substep_solver *step) {
  put_rows(j);
  put_coordinate_rows(j, step);
  for (uint32_t row = 0; row < j->row_count; row++) {
    put_push(&step->masses[j->body_a], j->jacobian[0][row], j->push[0][row]);
    put_push(&step->masses[j->body_b], j->jacobian[1][row], j->push[1][row]);
  }
}

static double product(const double a[6], const double b[6]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

// Adds J_i M^-1 J_j^T over one body.
static void add_block(const mo_assembly_joint *i, uint32_t side_i, const mo_assembly_joint *j,
                      uint32_t side_j, double *block) {
  for (uint32_t row = 0; row < i->row_count; row++) {
    for (uint32_t column = 0; column < j->row_count; column++) {
      block[row * MO_NODE_SIZE + column] +=
          product(i->jacobian[side_i][row], j->push[side_j][column]);
    }
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
  add_block(j, 0, j, 0, block);
  add_block(j, 1, j, 1, block);
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
    const mo_assembly_coupling *c = &assembly->couplings[i];
    add_block(&assembly->joints[c->row], c->row_side, &assembly->joints[c->column], c->column_side,
              c->block);
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
