#include "solvers/block_pgs/taut_joints.h"

#include "solvers/taut_body.h"

#include <math.h>

// Rows of a joint that hold a point: the displacement along three orthogonal directions.
#define POINT_ROWS 3

// The arm r of three rows with J_angular = r x J_linear: the sum of d x (r x d) is 2 r.
static mo_vec3 arm_of(mo_vec3 sum) { return mo_scale(0.5, sum); }

static void add_joint(const mo_row_problem *problem, const mo_row_block *block,
                      mo_taut_body *bodies) {
  mo_vec3 arm_a = mo_v3_zero(), arm_b = mo_v3_zero(), impulse = mo_v3_zero();
  for (uint32_t k = 0; k < POINT_ROWS; k++) {
    const mo_row *row = &problem->rows[block->first_row + k];
    arm_a = mo_add(arm_a, mo_cross(row->linear_a, row->angular_a));
    arm_b = mo_add(arm_b, mo_cross(row->linear_b, row->angular_b));
    impulse = mo_add_scaled(impulse, row->impulse, row->linear_b);
  }
  mo_taut_body_add(&bodies[block->body_a], arm_of(arm_a), mo_scale(-1.0, impulse), problem->dt);
  mo_taut_body_add(&bodies[block->body_b], arm_of(arm_b), impulse, problem->dt);
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

// What the joints do to each body; `bodies` is null if none holds a point. Returns false without
// memory.
static bool find_taut_bodies(const mo_row_problem *problem, mo_arena *arena,
                             mo_taut_body **bodies) {
  *bodies = NULL;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    if (!holds_point(problem, block)) {
      continue;
    }
    *bodies = *bodies ? *bodies : MO_ARENA_TAKE(arena, mo_taut_body, problem->body_count);
    if (!*bodies) {
      return false;
    }
    add_joint(problem, block, *bodies);
  }
  return true;
}

bool mo_taut_joints_stiffen(mo_row_problem *problem, const bool *left_out, mo_arena *arena) {
  mo_taut_body *bodies;
  bool has_room = find_taut_bodies(problem, arena, &bodies);
  for (uint32_t i = 0; has_room && bodies && i < problem->body_count; i++) {
    if (!(left_out && left_out[i])) {
      mo_taut_body_stiffen(&bodies[i], &problem->bodies[i].inverse_inertia);
    }
  }
  return has_room;
}

bool mo_taut_joints_swing(const mo_row_problem *problem, mo_arena *arena, double *swing) {
  mo_taut_body *bodies;
  bool has_room = find_taut_bodies(problem, arena, &bodies);
  *swing = 0.0;
  for (uint32_t i = 0; has_room && bodies && i < problem->body_count; i++) {
    double own = mo_taut_body_swing(&bodies[i], &problem->bodies[i].inverse_inertia);
    *swing = own <= *swing ? *swing : own; // NaN stays
  }
  return has_room;
}
