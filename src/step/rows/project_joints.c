/// Projection of joint errors at the end of the step, in islands that an exact solver solved:
/// Newton's method on the nonlinear joints, in the metric of the masses.
///
/// Without it a joint opens by (angle that it turns by in the step)^2 / 2 of its arm in every step.
/// The displacements do no work: velocities turn with the joints, and free islands keep their
/// angular momentum. In islands whose heavy bodies had to be displaced the displacements become
/// velocities.
///
/// A joint that stays open is reported as the island's event, in islands of block-pgs too.
#include "math/scalar.h"
#include "step/constraint_rows.h"
#include "step/stages.h"

#include <string.h>

// What the stage reads and writes.
typedef struct stage {
  mo_world *world;
  double dt;
  const mo_row_set *rows;
  mo_row_solution *solution;
  mo_row_ends *ends;
} stage;

// Newton rounds: errors shrink quadratically in the end. Before that, a taut chain of light links
// with a heavy end may take a dozen rounds, because a small zigzag shortens it at little cost and
// overshoots.
#define MAX_ROUNDS 100
// Rounds after which the metric of the masses is given up. It moves light links rather than a heavy
// end, and a taut zigzag of links cannot make up for the end.
#define MASS_METRIC_ROUNDS 10
// Counted operations of a round per row: rows are evaluated, packed and measured.
#define ROUND_WORK 500.0
// Smallest fraction to which a displacement is halved when it makes the largest error larger.
#define SHORTEST_PART 0.01
// m or rad: a joint with a smaller error is closed.
#define CLOSED 1e-10
// m or rad: smaller errors that do not halve in a round are round-off of far-away positions.
#define ROUND_OFF 1e-7
// m or rad: a joint with a larger error at the end of the step is reported as open. This is a
// thousandth of the slop of contacts, and ten times the largest round-off.
#define OPEN 1e-6

// The progress of an island.
typedef struct joint_island {
  bool has_joints; // joints of an exact solver that hold positions
  bool is_done;    // closed, or no displacement is left to try
  bool is_evened;  // its bodies have the masses of the second metric
  double worst;    // m or rad: largest error now
  double last;     // the error from which this round's displacement starts
  double part;     // fraction of the displacement that is in effect
} joint_island;

typedef struct projection {
  stage *stage;
  mo_row_problem rows; // constraints at the present end of the step, then contacts at its start
  uint32_t *first_rows;
  const mo_island_partition *partition; // of the step's problem, and so of `rows`
  joint_island *islands;
  mo_island_solution *moving; // per island: it takes a new displacement by an exact solver
  double *goals;              // per constraint row: C that is to remain
  double *targets;            // per row: m/s
  mo_velocity *pseudo;        // per body: this round's
  mo_velocity *total;         // per body: of all rounds
  mo_velocity *base_total;    // per body: the same before this round
  mo_motion *base;            // per body: where this round started
  double *arms;               // per body: longest arm of a joint, squared, m^2; null: not found yet
  mo_motion *before;          // per slot: the end of the step without corrections of positions
} projection;

// The bodies of a block of the constraints, at the start of the step as at the end, because C and D
// of both have the same places.
static bool is_exact_joint(const stage *s, const mo_row_block *block) {
  if (block->bound != MO_BOUND_BILATERAL || !block->holds_position) {
    return false;
  }
  uint32_t bodies[MO_ROW_SIDES], count = mo_block_bodies(&s->rows->problem, block, bodies);
  for (uint32_t i = 0; i < count; i++) {
    if (s->rows->problem.bodies[bodies[i]].solver != MO_SOLVER_BLOCK_PGS) {
      return true;
    }
  }
  return false;
}

static bool has_exact_joints(const stage *s) {
  for (uint32_t i = 0; s->solution->by_island.solutions && i < s->rows->constraint_block_count;
       i++) {
    if (is_exact_joint(s, &s->rows->problem.blocks[i])) {
      return true;
    }
  }
  return false;
}

// The next displacement starts from here.
static void start_round(projection *p, uint32_t island) {
  stage *s = p->stage;
  p->islands[island].last = p->islands[island].worst;
  for (uint32_t i = p->partition->first_body[island]; i < p->partition->first_body[island + 1];
       i++) {
    uint32_t body = p->partition->bodies[i];
    p->base[body] = s->ends->motions[s->rows->row_slots[body]];
    p->base_total[body] = p->total[body];
    p->pseudo[body] = (mo_velocity){mo_v3_zero(), mo_v3_zero()};
  }
}

// Where velocities alone lead to. The correction of contacts moves bodies under their velocities
// too, and so changes angular momentum as the projection does.
static void find_uncorrected(projection *p) {
  const stage *s = p->stage;
  memcpy(p->before, s->ends->motions, s->world->ids.slot_count * sizeof *p->before);
  mo_row_ends ends = {.motions = p->before};
  for (uint32_t i = 1; i < s->rows->problem.body_count; i++) {
    mo_velocity pseudo = s->solution->pseudo_velocities[i];
    mo_velocity back = {mo_scale(-1.0, pseudo.linear), mo_scale(-1.0, pseudo.angular)};
    mo_step_displace(s->world, s->dt, s->rows->row_slots[i], back, &ends);
  }
}

static void mark_islands(projection *p) {
  for (uint32_t i = 0; i < p->partition->island_count; i++) {
    joint_island *island = &p->islands[i];
    *island = (joint_island){.worst = INFINITY, .part = 1.0};
    for (uint32_t k = p->partition->first_block[i]; k < p->partition->first_block[i + 1]; k++) {
      uint32_t block = p->partition->blocks[k];
      island->has_joints =
          island->has_joints || (block < p->stage->rows->constraint_block_count &&
                                 is_exact_joint(p->stage, &p->stage->rows->problem.blocks[block]));
    }
    island->is_done = !island->has_joints;
    start_round(p, i);
  }
}

static bool begin(stage *s, projection *p) {
  mo_arena *arena = &s->world->step_arena;
  uint32_t rows = s->rows->problem.row_count, bodies = s->rows->problem.body_count;
  const mo_island_partition *partition = &s->solution->by_island.partition;
  *p = (projection){.stage = s,
                    .rows = {.bodies = MO_ARENA_TAKE_RAW(arena, mo_row_body, bodies),
                             .body_count = bodies,
                             .blocks = MO_ARENA_TAKE_RAW(arena, mo_row_block, rows),
                             .rows = MO_ARENA_TAKE_RAW(arena, mo_row, rows),
                             .pairs = mo_world_take_row_pairs(s->world, arena, 0),
                             .dt = s->dt},
                    .first_rows =
                        MO_ARENA_TAKE(arena, uint32_t, s->world->constraint_ids.slot_count),
                    .partition = partition,
                    .islands = MO_ARENA_TAKE(arena, joint_island, partition->island_count),
                    .moving = MO_ARENA_TAKE(arena, mo_island_solution, partition->island_count),
                    .goals = MO_ARENA_TAKE(arena, double, rows),
                    .targets = MO_ARENA_TAKE(arena, double, rows),
                    .pseudo = MO_ARENA_TAKE(arena, mo_velocity, bodies),
                    .total = MO_ARENA_TAKE(arena, mo_velocity, bodies),
                    .base_total = MO_ARENA_TAKE(arena, mo_velocity, bodies),
                    .base = MO_ARENA_TAKE_RAW(arena, mo_motion, bodies),
                    .before = MO_ARENA_TAKE_RAW(arena, mo_motion, s->world->ids.slot_count)};
  if (!p->rows.bodies || !p->rows.blocks || !p->rows.rows || !p->rows.pairs || !p->first_rows ||
      !p->islands || !p->moving || !p->goals || !p->targets || !p->pseudo || !p->total ||
      !p->base_total || !p->base || !p->before) {
    return false;
  }
  memcpy(p->rows.bodies, s->rows->problem.bodies, bodies * sizeof *p->rows.bodies);
  find_uncorrected(p);
  mark_islands(p);
  return true;
}

// Errors that were there at the start of the step close at no more than the largest correction
// speed.
static void set_goals(projection *p) {
  const stage *s = p->stage;
  double reach = s->world->settings.max_correction_speed * s->dt;
  for (uint32_t i = 0; i < s->rows->constraint_block_count; i++) {
    const mo_row_block *block = &s->rows->problem.blocks[i];
    for (uint32_t k = block->first_row; k < block->first_row + block->row_count; k++) {
      double gap = s->rows->problem.rows[k].gap;
      p->goals[k] = gap - mo_clamp(gap, -reach, reach);
    }
  }
}

// Evaluates the rows of constraints at the present end of the step, with the numbers that they have
// in the step's problem. Rows of contacts stay.
static mo_result update_rows(projection *p) {
  stage *s = p->stage;
  p->rows.block_count = p->rows.row_count = p->rows.pair_count = 0;
  mo_constraint_pass pass = {.motions = s->ends->motions,
                             .time = s->world->time + s->dt,
                             .row_bodies = s->rows->row_bodies,
                             .decided = s->rows->constraint_rows,
                             .settings = {.dt = s->dt}};
  mo_result result = mo_world_append_constraint_rows(s->world, &pass, &p->rows, p->first_rows);
  if (result != MO_OK) {
    return result;
  }
  for (uint32_t i = s->rows->constraint_block_count; i < s->rows->problem.block_count; i++) {
    const mo_row_block *block = &s->rows->problem.blocks[i];
    p->rows.blocks[p->rows.block_count++] = *block;
    for (uint32_t k = 0; k < block->row_count; k++) {
      p->rows.rows[p->rows.row_count++] = s->rows->problem.rows[block->first_row + k];
    }
  }
  return MO_OK;
}

static mo_split_impulse_settings correction_settings(const mo_world *world) {
  const mo_world_def *settings = &world->settings;
  return (mo_split_impulse_settings){.error_reduction = settings->error_reduction,
                                     .metre = mo_world_metre(world),
                                     .linear_slop = mo_world_linear_slop(world, false),
                                     .max_correction_speed = settings->max_correction_speed};
}

// Of the error of a row: in m, whatever the world's unit of length, or in rad.
static double size_of(const stage *s, const mo_row *row, double error) {
  bool is_turn = mo_length_squared(row->linear_a) == 0.0 && mo_length_squared(row->linear_b) == 0.0;
  return is_turn ? fabs(error) : fabs(error) / mo_world_metre(s->world);
}

// Sets the velocity that a row is to have, and the error of a joint. Contacts are measured after
// all rounds.
static void set_row_target(projection *p, const mo_row_block *block, bool constraint, uint32_t i,
                           double *worst) {
  const stage *s = p->stage;
  uint32_t k = block->first_row + i;
  const mo_row *row = &p->rows.rows[k];
  if (block->bound == MO_BOUND_BILATERAL) {
    double error = row->gap - p->goals[k];
    p->targets[k] = -error / s->dt;
    if (is_exact_joint(s, block)) {
      double size = size_of(s, row, error);
      *worst = size <= *worst ? *worst : size; // NaN stays
    }
    return;
  }
  double moved = 0.0;
  if (!constraint) {
    moved = mo_block_row_velocity(&p->rows, block, i, s->solution->velocities) +
            mo_block_row_velocity(&p->rows, block, i, p->total);
  }
  mo_split_impulse_settings settings = correction_settings(s->world);
  p->targets[k] = mo_position_target(row->gap + s->dt * moved, false, s->dt, &settings);
}

// Sets the targets of an island's rows and its largest error.
static void measure(projection *p, uint32_t island) {
  double worst = 0.0;
  for (uint32_t i = p->partition->first_block[island]; i < p->partition->first_block[island + 1];
       i++) {
    uint32_t index = p->partition->blocks[i];
    const mo_row_block *block = &p->rows.blocks[index];
    for (uint32_t k = 0; k < mo_position_row_count(block); k++) {
      set_row_target(p, block, index < p->stage->rows->constraint_block_count, k, &worst);
    }
  }
  p->islands[island].worst = worst;
}

// Moves an island's bodies from where the round started by a fraction of this round's displacement.
static void displace(projection *p, uint32_t island, double part) {
  stage *s = p->stage;
  p->islands[island].part = part;
  for (uint32_t i = p->partition->first_body[island]; i < p->partition->first_body[island + 1];
       i++) {
    uint32_t body = p->partition->bodies[i], slot = s->rows->row_slots[body];
    mo_velocity v = {mo_scale(part, p->pseudo[body].linear),
                     mo_scale(part, p->pseudo[body].angular)};
    s->ends->motions[slot] = p->base[body];
    p->total[body] = p->base_total[body];
    if (mo_length_squared(v.linear) > 0.0 || mo_length_squared(v.angular) > 0.0) {
      mo_step_displace(s->world, s->dt, slot, v, s->ends);
      p->total[body].linear = mo_add(p->total[body].linear, v.linear);
      p->total[body].angular = mo_add(p->total[body].angular, v.angular);
    }
  }
}

// Squared radius of gyration of a body, m^2; 0 if it cannot both move and turn.
static double gyration_squared(const mo_row_body *body) {
  double ease =
      body->inverse_inertia.cx.x + body->inverse_inertia.cy.y + body->inverse_inertia.cz.z;
  return ease > 0.0 ? 3.0 * body->inverse_mass / ease : 0.0;
}

static void keep_longer_arm(projection *p, uint32_t slot, mo_vec3 anchor) {
  if (slot != MO_WORLD_SLOT) {
    double *arm = &p->arms[p->stage->rows->row_bodies[slot]];
    mo_vec3 center = p->stage->world->bodies[slot].mass.center_of_mass;
    *arm = mo_max(*arm, mo_length_squared(mo_sub(anchor, center)));
  }
}

// Squared distances at which joints hold the bodies, from their centres of mass. Rows do not show
// them: the line of a distance joint may run through the centre now, and turn the body once it no
// longer does.
static bool find_arms(projection *p) {
  const stage *s = p->stage;
  p->arms = MO_ARENA_TAKE(&s->world->step_arena, double, p->rows.body_count);
  for (uint32_t i = 0; p->arms && i < p->rows.body_count; i++) {
    p->arms[i] = gyration_squared(&s->rows->problem.bodies[i]);
  }
  for (uint32_t slot = 0; p->arms && slot < s->world->constraint_ids.slot_count; slot++) {
    const mo_constraint *constraint = &s->world->constraints[slot];
    if (s->world->constraint_ids.alive[slot] &&
        s->rows->constraint_rows[slot] < MO_OUTSIDE_PROBLEM) {
      keep_longer_arm(p, constraint->slot_a, constraint->anchor_a);
      keep_longer_arm(p, constraint->slot_b, constraint->anchor_b);
    }
  }
  return p->arms;
}

// Makes an island's bodies equally easy to move, and to turn at the end of their arms.
static bool even_out_masses(projection *p, uint32_t island) {
  const mo_island_partition *partition = p->partition;
  if (!p->arms && !find_arms(p)) {
    return false;
  }
  for (uint32_t i = partition->first_body[island]; i < partition->first_body[island + 1]; i++) {
    uint32_t index = partition->bodies[i];
    mo_row_body *body = &p->rows.bodies[index];
    bool turns = body->inverse_inertia.cx.x > 0.0 && p->arms[index] > 0.0;
    double ease = turns ? 1.0 / p->arms[index] : 0.0;
    body->inverse_mass = body->inverse_mass > 0.0 ? 1.0 : 0.0;
    body->inverse_inertia = mo_mat3_diagonal(ease, ease, ease);
  }
  p->islands[island].is_evened = true;
  return true;
}

// Decides what an island does in this round, after `measure`.
static mo_result decide(projection *p, uint32_t index, int round) {
  joint_island *island = &p->islands[index];
  double worst = island->worst, last = island->last;
  p->moving[index].solver = MO_SOLVER_BLOCK_PGS;
  if (worst <= CLOSED || (worst <= ROUND_OFF && worst > 0.5 * last)) {
    island->is_done = true;
    return MO_OK;
  }
  if (!(worst <= last) && island->part > SHORTEST_PART) {
    displace(p, index, 0.5 * island->part);
    return MO_OK;
  }
  bool helps = worst <= last;
  if (!helps) {
    displace(p, index, 0.0);
    island->is_done = island->is_evened;
  }
  bool gives_up_masses = !island->is_evened && (!helps || round >= MASS_METRIC_ROUNDS);
  if (gives_up_masses && !even_out_masses(p, index)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  if (!helps) {
    return MO_OK; // the next round measures from where this one started
  }
  start_round(p, index);
  p->moving[index].solver = MO_SOLVER_EXACT;
  return MO_OK;
}

// Ends the rounds before all joints are closed, because the work of the step is used up. Islands
// that their last displacement made worse go back to where it started.
static mo_result give_up(projection *p) {
  for (uint32_t i = 0; i < p->partition->island_count; i++) {
    if (!p->islands[i].is_done && !(p->islands[i].worst <= p->islands[i].last)) {
      displace(p, i, 0.0);
    }
  }
  return update_rows(p);
}

static mo_result close_joints(projection *p) {
  stage *s = p->stage;
  mo_solver_settings solver = {.max_iterations = s->world->settings.max_iterations,
                               .metre = mo_world_metre(s->world),
                               .tolerance = s->world->settings.tolerance};
  for (int round = 0; round < MAX_ROUNDS; round++) {
    mo_result result = update_rows(p);
    uint32_t open = 0;
    for (uint32_t i = 0; result == MO_OK && i < p->partition->island_count; i++) {
      p->moving[i].solver = MO_SOLVER_BLOCK_PGS;
      if (!p->islands[i].is_done) {
        measure(p, i);
        result = decide(p, i, round);
        open += !p->islands[i].is_done;
      }
    }
    if (result != MO_OK || open == 0) {
      return result;
    }
    mo_work_spend(&s->world->exact.work, ROUND_WORK * p->rows.row_count);
    if (!mo_work_allows(&s->world->exact.work, 0.0)) {
      return give_up(p);
    }
    mo_exact_project(&p->rows, p->partition, p->moving, p->targets, &solver, &s->world->exact,
                     p->pseudo);
    for (uint32_t i = 0; i < p->partition->island_count; i++) {
      if (p->moving[i].solver == MO_SOLVER_EXACT) {
        displace(p, i, 1.0);
      }
    }
  }
  return update_rows(p);
}

// Clears the displacements where the metric of the masses closed the joints: they do not become
// velocities.
static void forget_small_displacements(projection *p) {
  for (uint32_t i = 0; i < p->partition->island_count; i++) {
    for (uint32_t k = p->partition->first_body[i]; k < p->partition->first_body[i + 1]; k++) {
      if (!p->islands[i].is_evened) {
        p->total[p->partition->bodies[k]] = (mo_velocity){mo_v3_zero(), mo_v3_zero()};
      }
    }
  }
}

// The largest error of an island's joints at the end of the step, m or rad.
static double open_by(const projection *p, uint32_t island) {
  double worst = 0.0;
  for (uint32_t i = p->partition->first_block[island]; i < p->partition->first_block[island + 1];
       i++) {
    uint32_t index = p->partition->blocks[i];
    const mo_row_block *block = &p->rows.blocks[index];
    bool joint = index < p->stage->rows->constraint_block_count && is_exact_joint(p->stage, block);
    for (uint32_t k = block->first_row; joint && k < block->first_row + block->row_count; k++) {
      worst = mo_max(worst, size_of(p->stage, &p->rows.rows[k], p->rows.rows[k].gap));
    }
  }
  return worst;
}

// Reports that an island has open joints, in its event and in the status.
static void report(mo_by_island *by, uint32_t island, bool has_work) {
  mo_island_solution *solution = &by->solutions[island];
  solution->event = MO_ISLAND_OPEN_JOINTS;
  if (solution->solved.status <= MO_SOLVE_CONVERGED) {
    solution->solved.status = has_work ? MO_SOLVE_STALLED : MO_SOLVE_BUDGET;
  }
}

static void report_open_joints(projection *p) {
  mo_by_island *by = &p->stage->solution->by_island;
  bool has_work = mo_work_allows(&p->stage->world->exact.work, 0.0);
  for (uint32_t i = 0; i < p->partition->island_count; i++) {
    if (by->solutions[i].event != MO_ISLAND_TOO_BIG && open_by(p, i) > OPEN) {
      report(by, i, has_work);
    }
  }
}

// --- joints that sweeps solved ---------------------------------------------------------------

// Whether block-pgs solved an island because it was asked to.
static bool is_swept(const mo_island_solution *solution) {
  return solution->solver == MO_SOLVER_BLOCK_PGS && solution->event == MO_ISLAND_AS_ASKED;
}

// A joint that holds a position, of an island of block-pgs.
static bool is_swept_joint(const stage *s, uint32_t block) {
  const mo_row_block *b = &s->rows->problem.blocks[block];
  return block < s->rows->constraint_block_count && b->bound == MO_BOUND_BILATERAL &&
         b->holds_position && s->rows->problem.rows[b->first_row].softening == 0.0;
}

// Whether a swept joint is further open than the slop that split impulses leave.
static bool is_open(const stage *s, uint32_t block, const double *errors) {
  const mo_row_block *b = &s->rows->problem.blocks[block];
  double slop = mo_world_linear_slop(s->world, false) / mo_world_metre(s->world);
  bool open = false;
  for (uint32_t k = b->first_row; k < b->first_row + b->row_count; k++) {
    open = open || size_of(s, &s->rows->problem.rows[k], errors[k]) > OPEN + slop;
  }
  return open;
}

static void report_swept_island(const stage *s, uint32_t island, const double *errors) {
  const mo_island_partition *partition = &s->solution->by_island.partition;
  for (uint32_t i = partition->first_block[island]; i < partition->first_block[island + 1]; i++) {
    uint32_t block = partition->blocks[i];
    if (is_swept_joint(s, block) && is_open(s, block, errors)) {
      report(&s->solution->by_island, island, true);
      return;
    }
  }
}

// Sweeps leave joints open, by more the heavier what hangs in them is. Reports where.
static mo_result report_swept_joints(const stage *s) {
  mo_by_island *by = &s->solution->by_island;
  bool any = false;
  for (uint32_t i = 0; by->solutions && i < s->rows->constraint_block_count; i++) {
    any = any || is_swept_joint(s, i);
  }
  if (!any) {
    return MO_OK;
  }
  mo_constraint_pass pass = {.motions = s->ends->motions, .time = s->world->time + s->dt};
  double *errors = MO_ARENA_TAKE(&s->world->step_arena, double, s->rows->problem.row_count);
  mo_result result =
      errors ? mo_world_evaluate_constraints(s->world, &pass, s->rows->constraint_rows, errors)
             : MO_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; result == MO_OK && i < by->partition.island_count; i++) {
    if (is_swept(&by->solutions[i])) {
      report_swept_island(s, i, errors);
    }
  }
  return result;
}

static mo_result project(stage *s) {
  projection p;
  if (!begin(s, &p)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_world *world = s->world;
  set_goals(&p);
  mo_result result = close_joints(&p);
  if (result == MO_OK) {
    report_open_joints(&p);
    forget_small_displacements(&p);
    result = mo_step_turn_velocities(world, s->dt, s->rows, &p.rows, p.total, s->solution, s->ends);
  }
  if (result == MO_OK) {
    mo_step_restore_momentum(world, s->rows, &p.rows, p.partition, p.before, p.total, s->ends);
  }
  return result;
}

mo_result mo_step_project_joints(mo_world *world, double dt, const mo_row_set *rows,
                                 mo_row_solution *solution, mo_row_ends *ends) {
  stage all = {world, dt, rows, solution, ends}, *s = &all;
  if (s->world->settings.stabilization != MO_STABILIZATION_SPLIT) {
    return MO_OK;
  }
  mo_result result = has_exact_joints(s) ? project(s) : MO_OK;
  return result == MO_OK ? report_swept_joints(s) : result;
}
