/// Joint errors at the end of the step, in islands that an exact solver worked on: taken away by
/// Newton's method on the true, curved joints, in the metric of the masses.
///
/// Without it a joint opens by (angle it turns by in the step)^2 / 2 of its arm, step after step.
/// The displacements do no work: velocities are turned along with the joints, and free islands keep
/// their angular momentum.
#include "math/scalar.h"
#include "world/constraint_rows.h"
#include "world/step.h"

#include <string.h>

// Errors shrink quadratically in the end. Before that a taut chain of light links with a heavy end
// may take a dozen rounds: a small zigzag shortens it at little cost, and overshoots.
#define MAX_ROUNDS 100
// Rounds after which the metric of the masses is given up. It moves light links rather than a heavy
// end, and a taut zigzag of them cannot give what the end has to.
#define MASS_METRIC_ROUNDS 10
// A displacement that makes the largest error larger is halved, down to this part of it.
#define SHORTEST_PART 0.01
// m or rad.
#define CLOSED 1e-10
// m or rad: errors below this that do not halve in a round are round-off of a big world.
#define ROUND_OFF 1e-7

typedef struct projection {
  mo_step *step;
  mo_row_problem rows; // constraints at the present end of the step, then contacts at its start
  uint32_t *first_rows;
  mo_island_partition partition;
  mo_island_solution *solutions; // per island of that partition: exact or not
  double *goals;                 // per constraint row: C that is to be left
  double *targets;               // per row: m/s
  mo_velocity *pseudo;           // per body: this round's
  mo_velocity *total;            // per body: of all rounds
  mo_motion *before;             // per slot: the end of the step without the projection
} projection;

static bool is_exact_joint(const mo_step *s, const mo_row_block *block) {
  return block->bound == MO_BOUND_BILATERAL && block->holds_position &&
         (s->problem.bodies[block->body_a].solver != MO_SOLVER_BLOCK_PGS ||
          s->problem.bodies[block->body_b].solver != MO_SOLVER_BLOCK_PGS);
}

static bool has_exact_joints(const mo_step *s) {
  for (uint32_t i = 0; s->by_island.solutions && i < s->constraint_block_count; i++) {
    if (is_exact_joint(s, &s->problem.blocks[i])) {
      return true;
    }
  }
  return false;
}

static bool begin(mo_step *s, projection *p) {
  mo_arena *arena = &s->world->step_arena;
  uint32_t rows = s->problem.row_count, bodies = s->problem.body_count;
  *p = (projection){.step = s,
                    .rows = {.bodies = s->problem.bodies,
                             .body_count = bodies,
                             .blocks = MO_ARENA_TAKE_RAW(arena, mo_row_block, rows),
                             .rows = MO_ARENA_TAKE_RAW(arena, mo_row, rows),
                             .dt = s->dt},
                    .first_rows =
                        MO_ARENA_TAKE(arena, uint32_t, s->world->constraint_ids.slot_count),
                    .goals = MO_ARENA_TAKE(arena, double, rows),
                    .targets = MO_ARENA_TAKE(arena, double, rows),
                    .pseudo = MO_ARENA_TAKE(arena, mo_velocity, bodies),
                    .total = MO_ARENA_TAKE(arena, mo_velocity, bodies),
                    .before = MO_ARENA_TAKE_RAW(arena, mo_motion, s->world->ids.slot_count)};
  for (uint32_t slot = 0; p->before && slot < s->world->ids.slot_count; slot++) {
    p->before[slot] = s->motions[slot];
  }
  return p->before && p->rows.blocks && p->rows.rows && p->first_rows && p->goals && p->targets &&
         p->pseudo && p->total;
}

// What was open at the start of the step closes at no more than the cap.
static void set_goals(projection *p) {
  const mo_step *s = p->step;
  double reach = s->world->settings.max_correction_speed * s->dt;
  for (uint32_t i = 0; i < s->constraint_block_count; i++) {
    const mo_row_block *block = &s->problem.blocks[i];
    for (uint32_t k = block->first_row; k < block->first_row + block->row_count; k++) {
      double gap = s->problem.rows[k].gap;
      p->goals[k] = gap - mo_clamp(gap, -reach, reach);
    }
  }
}

// The rows of constraints at the end of the step as it is now, with the numbers that they have in
// the step's problem. Contacts keep theirs.
static mo_result look_at_rows(projection *p) {
  mo_step *s = p->step;
  p->rows.block_count = p->rows.row_count = 0;
  mo_constraint_pass pass = {.motions = s->motions,
                             .time = s->world->time + s->dt,
                             .row_bodies = s->row_bodies,
                             .decided = s->constraint_rows,
                             .settings = {.dt = s->dt}};
  mo_result result = mo_world_append_constraint_rows(s->world, &pass, &p->rows, p->first_rows);
  if (result != MO_OK) {
    return result;
  }
  for (uint32_t i = s->constraint_block_count; i < s->problem.block_count; i++) {
    const mo_row_block *block = &s->problem.blocks[i];
    p->rows.blocks[p->rows.block_count++] = *block;
    for (uint32_t k = 0; k < block->row_count; k++) {
      p->rows.rows[p->rows.row_count++] = s->problem.rows[block->first_row + k];
    }
  }
  return MO_OK;
}

static mo_split_impulse_settings correction_settings(const mo_world *world) {
  const mo_world_def *settings = &world->settings;
  return (mo_split_impulse_settings){.error_reduction = settings->error_reduction,
                                     .linear_slop = mo_world_linear_slop(world, false),
                                     .max_correction_speed = settings->max_correction_speed};
}

// Sets the target of every row. Returns the largest error of a joint.
static double set_targets(projection *p) {
  const mo_step *s = p->step;
  mo_split_impulse_settings settings = correction_settings(s->world);
  double worst = 0.0;
  for (uint32_t i = 0; i < p->rows.block_count; i++) {
    const mo_row_block *block = &p->rows.blocks[i];
    bool constraint = i < s->constraint_block_count;
    for (uint32_t k = block->first_row; k < block->first_row + mo_position_row_count(block); k++) {
      const mo_row *row = &p->rows.rows[k];
      if (block->bound == MO_BOUND_BILATERAL) {
        double error = row->gap - p->goals[k];
        p->targets[k] = -error / s->dt;
        worst = is_exact_joint(s, block) ? mo_max(worst, fabs(error)) : worst;
        continue;
      }
      double moved = 0.0;
      if (!constraint) {
        mo_velocity *v = s->velocities, *total = p->total;
        moved = mo_row_velocity(row, &v[block->body_a], &v[block->body_b]) +
                mo_row_velocity(row, &total[block->body_a], &total[block->body_b]);
      }
      p->targets[k] = mo_position_target(row->gap + s->dt * moved, false, s->dt, &settings);
    }
  }
  return worst;
}

static mo_result divide(projection *p) {
  mo_arena *arena = &p->step->world->step_arena;
  mo_result result = mo_island_partition_make(&p->rows, arena, &p->partition);
  p->solutions = MO_ARENA_TAKE(arena, mo_island_solution, p->partition.island_count);
  if (result != MO_OK || !p->solutions) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t i = 0; i < p->partition.island_count; i++) {
    p->solutions[i].solver = MO_SOLVER_BLOCK_PGS;
    for (uint32_t k = p->partition.first_block[i]; k < p->partition.first_block[i + 1]; k++) {
      uint32_t block = p->partition.blocks[k];
      if (block < p->step->constraint_block_count &&
          is_exact_joint(p->step, &p->rows.blocks[block])) {
        p->solutions[i].solver = MO_SOLVER_EXACT;
      }
    }
  }
  return MO_OK;
}

// Moves all bodies by a part of this round's displacement.
static void displace(projection *p, double part) {
  mo_step *s = p->step;
  for (uint32_t body = 0; body < p->rows.body_count; body++) {
    mo_velocity v = {mo_scale(part, p->pseudo[body].linear),
                     mo_scale(part, p->pseudo[body].angular)};
    if (mo_length_squared(v.linear) > 0.0 || mo_length_squared(v.angular) > 0.0) {
      mo_step_displace(s, s->row_slots[body], v);
      p->total[body].linear = mo_add(p->total[body].linear, v.linear);
      p->total[body].angular = mo_add(p->total[body].angular, v.angular);
    }
  }
}

// Largest lever arm of a side of the rows of a block, squared, m^2.
static double lever_squared(const mo_row *row, bool side_a) {
  double linear = mo_length_squared(side_a ? row->linear_a : row->linear_b);
  double angular = mo_length_squared(side_a ? row->angular_a : row->angular_b);
  return linear > 0.0 ? angular / linear : 0.0;
}

// Makes all bodies that move equally easy to move, and to turn at the end of their lever arms.
static bool even_out_masses(projection *p) {
  uint32_t count = p->rows.body_count;
  mo_row_body *bodies = MO_ARENA_TAKE_RAW(&p->step->world->step_arena, mo_row_body, count);
  double *levers = MO_ARENA_TAKE(&p->step->world->step_arena, double, count);
  if (!bodies || !levers) {
    return false;
  }
  for (uint32_t i = 0; i < p->rows.block_count; i++) {
    const mo_row_block *block = &p->rows.blocks[i];
    for (uint32_t k = block->first_row; k < block->first_row + block->row_count; k++) {
      const mo_row *row = &p->rows.rows[k];
      levers[block->body_a] = mo_max(levers[block->body_a], lever_squared(row, true));
      levers[block->body_b] = mo_max(levers[block->body_b], lever_squared(row, false));
    }
  }
  for (uint32_t i = 0; i < count; i++) {
    bodies[i] = p->rows.bodies[i];
    if (!mo_row_body_moves(&bodies[i])) {
      continue;
    }
    bool turns = bodies[i].inverse_inertia.cx.x > 0.0 && levers[i] > 0.0;
    double ease = turns ? 1.0 / levers[i] : 0.0;
    bodies[i].inverse_mass = bodies[i].inverse_mass > 0.0 ? 1.0 : 0.0;
    bodies[i].inverse_inertia = mo_mat3_diagonal(ease, ease, ease);
  }
  p->rows.bodies = bodies;
  return true;
}

// `closed`: the rows are those of the end of the step as it is now.
static mo_result close_joints(projection *p, bool *closed) {
  mo_step *s = p->step;
  mo_solver_settings solver = {.max_iterations = s->world->settings.max_iterations,
                               .tolerance = s->world->settings.tolerance};
  double last = INFINITY, part = 1.0; // part: of the round's displacement that stands
  for (int round = 0; round < MAX_ROUNDS; round++) {
    mo_result result = look_at_rows(p);
    if (result != MO_OK) {
      return result;
    }
    double worst = set_targets(p);
    if (worst <= CLOSED || (worst <= ROUND_OFF && worst > 0.5 * last)) {
      *closed = true;
      return MO_OK;
    }
    if (worst > last && part > SHORTEST_PART) {
      part *= 0.5;
      displace(p, -part); // half of what stood is taken back
      continue;
    }
    last = worst;
    if (!p->solutions && divide(p) != MO_OK) {
      return MO_ERROR_OUT_OF_MEMORY;
    }
    if (round >= MASS_METRIC_ROUNDS && p->rows.bodies == s->problem.bodies && !even_out_masses(p)) {
      return MO_ERROR_OUT_OF_MEMORY;
    }
    memset(p->pseudo, 0, p->rows.body_count * sizeof *p->pseudo);
    mo_exact_project(&p->rows, &p->partition, p->solutions, p->targets, &solver, &s->world->exact,
                     p->pseudo);
    part = 1.0;
    displace(p, part);
  }
  return MO_OK;
}

mo_result mo_step_project_joints(mo_step *s) {
  if (s->world->settings.stabilization != MO_STABILIZATION_SPLIT || !has_exact_joints(s)) {
    return MO_OK;
  }
  projection p;
  if (!begin(s, &p)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  set_goals(&p);
  bool closed = false;
  mo_result result = close_joints(&p, &closed);
  if (result == MO_OK && !p.solutions) {
    result = divide(&p);
  }
  if (result == MO_OK && closed) {
    result = mo_step_turn_velocities(s, &p.rows);
  }
  if (result == MO_OK) {
    mo_step_restore_momentum(s, &p.rows, &p.partition, p.before);
  }
  return result;
}
