#include "solvers/block_pgs/taut_joints.h"

#include "math/scalar.h"

// dt^2 omega^2 of the swing of a body about its taut position, up to which it keeps its inertia: a
// semi-implicit step is unstable from 4 on.
#define SWING_LIMIT 1.0

// Rows of a joint that hold a point: the displacement along three orthogonal directions.
#define POINT_ROWS 3

// The arm r of three rows with J_angular = r x J_linear: the sum of d x (r x d) is 2 r.
static mo_vec3 arm_of(mo_vec3 sum) { return mo_scale(0.5, sum); }

// What joints that hold a point do to a body.
typedef struct hold {
  mo_mat3 stiffness; // dt P . r, N s m, across the arms
  uint32_t joints;
} hold;

// Adds a joint. Only a pull away from the centre is stiff.
static void add_pull(mo_vec3 arm, mo_vec3 impulse, double dt, hold *to) {
  double pull = dt * mo_dot(arm, impulse), length = mo_length(arm);
  to->joints++;
  if (!(pull > 0.0)) {
    return;
  }
  mo_vec3 u = mo_scale(1.0 / length, arm);
  mo_mat3 across = mo_mat3_diagonal(pull, pull, pull);
  across.cx = mo_add_scaled(across.cx, -pull * u.x, u);
  across.cy = mo_add_scaled(across.cy, -pull * u.y, u);
  across.cz = mo_add_scaled(across.cz, -pull * u.z, u);
  to->stiffness = mo_mat3_add(to->stiffness, across);
}

static void add_joint(const mo_row_problem *problem, const mo_row_block *block, hold *holds) {
  mo_vec3 arm_a = mo_v3_zero(), arm_b = mo_v3_zero(), impulse = mo_v3_zero();
  for (uint32_t k = 0; k < POINT_ROWS; k++) {
    const mo_row *row = &problem->rows[block->first_row + k];
    arm_a = mo_add(arm_a, mo_cross(row->linear_a, row->angular_a));
    arm_b = mo_add(arm_b, mo_cross(row->linear_b, row->angular_b));
    impulse = mo_add_scaled(impulse, row->impulse, row->linear_b);
  }
  add_pull(arm_of(arm_a), mo_scale(-1.0, impulse), problem->dt, &holds[block->body_a]);
  add_pull(arm_of(arm_b), impulse, problem->dt, &holds[block->body_b]);
}

static bool is_across(mo_vec3 a, mo_vec3 b) { return fabs(mo_dot(a, b)) <= 1e-9; }

// Whether the first rows of a block hold a point.
static bool holds_point(const mo_row_problem *problem, const mo_row_block *block) {
  if (block->bound != MO_BOUND_BILATERAL || !block->holds_position ||
      block->row_count < POINT_ROWS) {
    return false;
  }
  const mo_row *rows = &problem->rows[block->first_row];
  mo_vec3 x = rows[0].linear_b, y = rows[1].linear_b, z = rows[2].linear_b;
  return fabs(mo_dot(mo_cross(x, y), z)) > 0.5 && is_across(x, y) && is_across(y, z) &&
         is_across(x, z);
}

// The sum of the eigenvalues of I^-1 K, which no eigenvalue exceeds.
static double swing_of(mo_mat3 inverse_inertia, mo_mat3 stiffness) {
  return mo_dot(inverse_inertia.cx, stiffness.cx) + mo_dot(inverse_inertia.cy, stiffness.cy) +
         mo_dot(inverse_inertia.cz, stiffness.cz);
}

// (I + s K)^-1 = (1 + s I^-1 K)^-1 I^-1, made symmetric to the bit.
static mo_mat3 add_inertia(mo_mat3 inverse_inertia, double s, mo_mat3 stiffness) {
  mo_mat3 sum = mo_mat3_add(mo_mat3_identity(),
                            mo_mat3_scale(s, mo_mat3_mul_mat3(inverse_inertia, stiffness)));
  mo_mat3 m = mo_mat3_mul_mat3(mo_mat3_inverse(sum), inverse_inertia);
  return mo_mat3_scale(0.5, mo_mat3_add(m, mo_mat3_transpose(m)));
}

// A body that hangs by one joint swings about that with the mass at the end of its arm: it is
// slow, and needs nothing.
static void stiffen(const hold *h, mo_row_body *body) {
  double swing = h->joints > 1 ? swing_of(body->inverse_inertia, h->stiffness) : 0.0;
  if (swing > SWING_LIMIT) {
    body->inverse_inertia =
        add_inertia(body->inverse_inertia, 1.0 / SWING_LIMIT - 1.0 / swing, h->stiffness);
  }
}

bool mo_taut_joints_stiffen(mo_row_problem *problem, const bool *left_out, mo_arena *arena) {
  hold *holds = NULL;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    if (!holds_point(problem, block)) {
      continue;
    }
    holds = holds ? holds : MO_ARENA_TAKE(arena, hold, problem->body_count);
    if (!holds) {
      return false;
    }
    add_joint(problem, block, holds);
  }
  for (uint32_t i = 0; holds && i < problem->body_count; i++) {
    if (!(left_out && left_out[i])) {
      stiffen(&holds[i], &problem->bodies[i]);
    }
  }
  return true;
}
