#include "solvers/block_pgs/split_impulse.h"

// A row of the position problem: its source row, target pseudo-velocity and accumulated impulse.
typedef struct position_row {
  const mo_row *row;
  const mo_row_body *inertia_a, *inertia_b;
  mo_velocity *a, *b;
  double target;   // m/s
  double mobility; // K_ii
  double impulse;
  bool bilateral;
} position_row;

double mo_position_target(double gap_after, bool bilateral, double dt,
                          const mo_split_impulse_settings *settings) {
  if (bilateral) {
    double speed = -settings->error_reduction * gap_after / dt;
    return mo_clamp(speed, -settings->max_correction_speed, settings->max_correction_speed);
  }
  double open = gap_after + settings->linear_slop;
  if (open >= 0.0) {
    return -open / dt;
  }
  return mo_min(-settings->error_reduction * open / dt, settings->max_correction_speed);
}

static double target_of(const mo_row_problem *problem, const mo_row_block *block, const mo_row *row,
                        const mo_velocity *velocities, const mo_split_impulse_settings *settings) {
  double velocity = mo_row_velocity(row, &velocities[block->body_a], &velocities[block->body_b]);
  return mo_position_target(row->gap + problem->dt * velocity, block->bound == MO_BOUND_BILATERAL,
                            problem->dt, settings);
}

// Collects the rows that hold positions (not friction). Returns their number, or 0 if none needs a
// correction, as in a pile at rest.
static uint32_t collect(const mo_row_problem *problem, const mo_velocity *velocities,
                        const mo_split_impulse_settings *settings, mo_velocity *pseudo,
                        position_row *rows) {
  uint32_t count = 0;
  bool any_asks = false;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    uint32_t row_count = mo_position_row_count(block);
    for (uint32_t k = 0; k < row_count; k++) {
      const mo_row *row = &problem->rows[block->first_row + k];
      position_row *out = &rows[count];
      *out = (position_row){.row = row,
                            .inertia_a = &problem->bodies[block->body_a],
                            .inertia_b = &problem->bodies[block->body_b],
                            .a = &pseudo[block->body_a],
                            .b = &pseudo[block->body_b],
                            .bilateral = block->bound == MO_BOUND_BILATERAL};
      out->mobility = mo_row_coupling(row, row, out->inertia_a, out->inertia_b);
      out->target = target_of(problem, block, row, velocities, settings);
      any_asks = any_asks || out->bilateral || out->target > 0.0;
      count += out->mobility > 0.0;
    }
  }
  return any_asks ? count : 0;
}

static double relax(position_row *p) {
  double change = (p->target - mo_row_velocity(p->row, p->a, p->b)) / p->mobility;
  if (!p->bilateral) {
    change = mo_max(p->impulse + change, 0.0) - p->impulse;
  }
  p->impulse += change;
  mo_row_apply(p->row, change, p->inertia_a, p->a, p->inertia_b, p->b);
  return fabs(change) * p->mobility;
}

// --- accuracy of the linear rows -------------------------------------------------------------

// rad: the largest rotation of joined bodies by a correction. An arm r that turns by an angle a
// leaves its tangent by r a^2 / 2. A chain of links of small inertia shortens by a zigzag, whose
// angles would be large by the linear rows. The errors that this adds must stay below those that it
// removes.
#define LARGEST_TURN 0.05

static double fraction_of_turn(mo_vec3 turn) {
  double angle = mo_length(turn);
  return angle > LARGEST_TURN ? LARGEST_TURN / angle : 1.0;
}

static bool joins(const mo_row_problem *problem, const mo_row_block *block) {
  return block->bound == MO_BOUND_BILATERAL && block->holds_position &&
         mo_row_body_moves(&problem->bodies[block->body_a]) &&
         mo_row_body_moves(&problem->bodies[block->body_b]);
}

// Gives all bodies that joints connect, directly or over others, the smallest of their fractions.
static void share_fractions(const mo_row_problem *problem, double *fractions) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < problem->block_count; i++) {
      const mo_row_block *block = &problem->blocks[i];
      double *a = &fractions[block->body_a], *b = &fractions[block->body_b];
      if (*a != *b && joins(problem, block)) {
        *a = *b = mo_min(*a, *b);
        changed = true;
      }
    }
  }
}

// Shortens the corrections of joined bodies by the same factor for all of them, so the direction
// stays that of the linear rows.
static void limit_turns(const mo_row_problem *problem, double *fractions, mo_velocity *pseudo) {
  bool any = false;
  for (uint32_t i = 0; i < problem->body_count; i++) {
    fractions[i] = 1.0;
  }
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    const uint32_t ends[2] = {block->body_a, block->body_b};
    bool is_joint = block->bound == MO_BOUND_BILATERAL && block->holds_position;
    for (uint32_t k = 0; is_joint && k < 2; k++) {
      fractions[ends[k]] = fraction_of_turn(mo_scale(problem->dt, pseudo[ends[k]].angular));
      any = any || fractions[ends[k]] < 1.0;
    }
  }
  if (!any) {
    return;
  }
  share_fractions(problem, fractions);
  for (uint32_t i = 0; i < problem->body_count; i++) {
    pseudo[i].linear = mo_scale(fractions[i], pseudo[i].linear);
    pseudo[i].angular = mo_scale(fractions[i], pseudo[i].angular);
  }
}

mo_result mo_split_impulse_solve(const mo_row_problem *problem, const mo_velocity *velocities,
                                 const mo_split_impulse_settings *settings, mo_arena *arena,
                                 mo_velocity *pseudo) {
  position_row *rows = MO_ARENA_TAKE_RAW(arena, position_row, problem->row_count);
  double *fractions = MO_ARENA_TAKE_RAW(arena, double, problem->body_count);
  if (!rows || !fractions) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t i = 0; i < problem->body_count; i++) {
    pseudo[i] = (mo_velocity){mo_v3_zero(), mo_v3_zero()};
  }
  uint32_t count = collect(problem, velocities, settings, pseudo, rows);
  double moved = INFINITY;
  for (uint32_t sweep = 0;
       count > 0 && sweep < settings->max_iterations && moved > settings->tolerance; sweep++) {
    moved = 0.0;
    for (uint32_t i = 0; i < count; i++) {
      moved = mo_max(moved, relax(&rows[i]));
    }
  }
  limit_turns(problem, fractions, pseudo);
  return MO_OK;
}
