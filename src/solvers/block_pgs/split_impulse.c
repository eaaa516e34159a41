#include "solvers/block_pgs/split_impulse.h"

#include "solvers/block_pgs/joined_rows.h"

// A row of the position problem: its source row, target pseudo-velocity and accumulated impulse.
typedef struct position_row {
  const mo_row *row;
  uint32_t source;         // its number in the problem
  const mo_row_pair *pair; // null for two bodies
  const mo_row_body *inertia_a, *inertia_b;
  mo_velocity *a, *b;
  double target;   // m/s
  double mobility; // K_ii
  double impulse;
  bool bilateral;
  bool is_joined; // bilateral, and solved with the other joined rows
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

static double target_of(const mo_row_problem *problem, const mo_row_block *block, uint32_t k,
                        const mo_velocity *velocities, const mo_split_impulse_settings *settings) {
  const mo_row *row = &problem->rows[block->first_row + k];
  double velocity = mo_row_velocity(row, &velocities[block->body_a], &velocities[block->body_b]);
  if (block->pairs) {
    velocity += mo_row_pair_velocity(mo_block_pair(problem, block, k), velocities);
  }
  return mo_position_target(row->gap + problem->dt * velocity, block->bound == MO_BOUND_BILATERAL,
                            problem->dt, settings);
}

// Collects the rows that hold positions (not friction). Returns their number, or 0 if none needs a
// correction, as in a pile or a chain at rest.
static uint32_t collect(const mo_row_problem *problem, const mo_velocity *velocities,
                        const mo_split_impulse_settings *settings, mo_velocity *pseudo,
                        position_row *rows) {
  uint32_t count = 0;
  bool any_asks = false;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    uint32_t row_count = mo_position_row_count(block);
    for (uint32_t k = 0; k < row_count; k++) {
      position_row *out = &rows[count];
      *out = (position_row){.row = &problem->rows[block->first_row + k],
                            .pair = mo_block_pair(problem, block, k),
                            .inertia_a = &problem->bodies[block->body_a],
                            .inertia_b = &problem->bodies[block->body_b],
                            .a = &pseudo[block->body_a],
                            .b = &pseudo[block->body_b],
                            .source = block->first_row + k,
                            .bilateral = block->bound == MO_BOUND_BILATERAL};
      out->mobility = mo_block_row_coupling(problem, block, k, k);
      out->target = target_of(problem, block, k, velocities, settings);
      double asked = out->bilateral ? fabs(out->target) : out->target;
      any_asks = any_asks || asked > (out->bilateral ? settings->tolerance : 0.0);
      count += out->mobility > 0.0;
    }
  }
  return any_asks ? count : 0;
}

// The change of a row's impulse, from its velocity.
static inline double change_impulse(position_row *p, double velocity) {
  double change = (p->target - velocity) / p->mobility;
  if (!p->bilateral) {
    change = mo_max(p->impulse + change, 0.0) - p->impulse;
  }
  p->impulse += change;
  return change;
}

static double relax(position_row *p) {
  double change = change_impulse(p, mo_row_velocity(p->row, p->a, p->b));
  mo_row_apply(p->row, change, p->inertia_a, p->a, p->inertia_b, p->b);
  return fabs(change) * p->mobility;
}

// The same for a row of more than two bodies.
static double relax_all_sides(const mo_row_problem *problem, position_row *p, mo_velocity *pseudo) {
  double change = change_impulse(p, mo_row_velocity(p->row, p->a, p->b) +
                                        mo_row_pair_velocity(p->pair, pseudo));
  mo_row_apply_to(p->row, change, problem->bodies, (uint32_t)(p->a - pseudo),
                  (uint32_t)(p->b - pseudo), pseudo);
  mo_row_pair_apply(p->pair, change, problem->bodies, pseudo);
  return fabs(change) * p->mobility;
}

// --- accuracy of the linear rows -------------------------------------------------------------

// rad: the largest rotation of joined bodies by a correction. An arm r that turns by an angle a
// leaves its tangent by r a^2 / 2. A chain of links of small inertia shortens by a zigzag, whose
// angles would be large by the linear rows. The errors that this adds must stay below those that it
// removes.
#define LARGEST_TURN 0.05

static bool is_joint(const mo_row_block *block) {
  return block->bound == MO_BOUND_BILATERAL && block->holds_position;
}

static double fraction_of_turn(mo_vec3 turn) {
  double angle = mo_length(turn);
  return angle > LARGEST_TURN ? LARGEST_TURN / angle : 1.0;
}

// The moving bodies of a joint. Returns their number.
static uint32_t joined_bodies(const mo_row_problem *problem, const mo_row_block *block,
                              uint32_t bodies[MO_ROW_SIDES]) {
  uint32_t count = mo_block_bodies(problem, block, bodies), kept = 0;
  for (uint32_t i = 0; is_joint(block) && i < count; i++) {
    if (mo_row_body_moves(&problem->bodies[bodies[i]])) {
      bodies[kept++] = bodies[i];
    }
  }
  return kept;
}

// Gives all bodies that joints connect, directly or over others, the smallest of their fractions.
static void share_fractions(const mo_row_problem *problem, double *fractions) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < problem->block_count; i++) {
      const mo_row_block *block = &problem->blocks[i];
      if (!block->pairs && fractions[block->body_a] == fractions[block->body_b]) {
        continue;
      }
      uint32_t bodies[MO_ROW_SIDES], count = joined_bodies(problem, block, bodies);
      double least = INFINITY;
      for (uint32_t k = 0; k < count; k++) {
        least = mo_min(least, fractions[bodies[k]]);
      }
      for (uint32_t k = 0; k < count; k++) {
        changed = changed || fractions[bodies[k]] != least;
        fractions[bodies[k]] = least;
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
    uint32_t ends[MO_ROW_SIDES], count = mo_block_bodies(problem, block, ends);
    for (uint32_t k = 0; is_joint(block) && k < count; k++) {
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

// --- joined rows -----------------------------------------------------------------------------

// The position rows, and which of them are joined.
typedef struct position_rows {
  position_row *rows;
  uint32_t count;
  mo_joined_rows joined;
  position_row **joined_rows; // per joined row; null: nothing moves it
} position_rows;

static bool find_joined_rows(const mo_row_problem *problem, mo_arena *arena, position_rows *p) {
  position_row **by_source = MO_ARENA_TAKE(arena, position_row *, problem->row_count);
  p->joined_rows = MO_ARENA_TAKE(arena, position_row *, p->joined.count);
  if (!by_source || !p->joined_rows) {
    return false;
  }
  for (uint32_t i = 0; i < p->count; i++) {
    by_source[p->rows[i].source] = &p->rows[i];
  }
  for (uint32_t i = 0; i < p->joined.count; i++) {
    position_row *row = by_source[p->joined.sources[i]];
    p->joined_rows[i] = row;
    if (row) {
      row->is_joined = row->bilateral;
    }
  }
  return true;
}

static bool join_rows(const mo_row_problem *problem, mo_ordering_cache *cache, mo_arena *arena,
                      position_rows *p) {
  bool *chosen = MO_ARENA_TAKE_RAW(arena, bool, problem->block_count);
  uint32_t count = chosen ? mo_joined_rows_choose(problem, arena, chosen) : UINT32_MAX;
  if (count == UINT32_MAX) {
    return false;
  }
  return count == 0 || (mo_joined_rows_make(problem, chosen, true, cache, arena, &p->joined) &&
                        find_joined_rows(problem, arena, p));
}

static double relax_joined(position_rows *p) {
  mo_joined_rows *joined = &p->joined;
  for (uint32_t i = 0; i < joined->count; i++) {
    const position_row *row = p->joined_rows[i];
    joined->impulses[i] = row ? row->impulse : 0.0;
    joined->velocities[i] = row ? mo_row_velocity(row->row, row->a, row->b) - row->target : 0.0;
  }
  double moved = mo_joined_rows_solve(joined);
  for (uint32_t i = 0; i < joined->count; i++) {
    position_row *row = p->joined_rows[i];
    if (row) {
      row->impulse += joined->changes[i];
      mo_row_apply(row->row, joined->changes[i], row->inertia_a, row->a, row->inertia_b, row->b);
    }
  }
  return moved;
}

// --- sweeps ----------------------------------------------------------------------------------

// Returns the largest change of a row's velocity, m/s. Contacts come after the joints.
static double sweep(const mo_row_problem *problem, position_rows *p, mo_velocity *pseudo) {
  double moved = p->joined.count > 0 ? relax_joined(p) : 0.0;
  for (uint32_t i = 0; i < p->count; i++) {
    position_row *row = &p->rows[i];
    if (!row->is_joined) {
      moved = mo_max(moved, row->pair ? relax_all_sides(problem, row, pseudo) : relax(row));
    }
  }
  return moved;
}

mo_result mo_split_impulse_solve(const mo_row_problem *problem, const mo_velocity *velocities,
                                 const mo_split_impulse_settings *settings,
                                 mo_ordering_cache *cache, mo_arena *arena, mo_velocity *pseudo) {
  position_rows p = {.rows = MO_ARENA_TAKE_RAW(arena, position_row, problem->row_count)};
  double *fractions = MO_ARENA_TAKE_RAW(arena, double, problem->body_count);
  if (!p.rows || !fractions) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t i = 0; i < problem->body_count; i++) {
    pseudo[i] = (mo_velocity){mo_v3_zero(), mo_v3_zero()};
  }
  p.count = collect(problem, velocities, settings, pseudo, p.rows);
  if (p.count > 0 && !join_rows(problem, cache, arena, &p)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  double moved = INFINITY;
  for (uint32_t i = 0; p.count > 0 && i < settings->max_iterations && moved > settings->tolerance;
       i++) {
    moved = sweep(problem, &p, pseudo);
  }
  limit_turns(problem, fractions, pseudo);
  return MO_OK;
}
