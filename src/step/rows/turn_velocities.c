/// Turns the velocities in islands of joints with the joints, at the end of a step.
///
/// The solve leaves velocities that fit the joints at the start of the step. At its end J v is of
/// first order, c, and the next solve would remove it together with the energy |c|^2 / 2A: a
/// pendulum released at 90 degrees would lose 1.5 % in a period at dt = 0.001. Impulses that remove
/// half of c along the joints' directions at the start, and the rest along those at the end, turn
/// the velocity and keep its size to second order. This is the trapezoidal rule, and what RATTLE
/// does (Andersen 1983). It may add energy where a joint turns by a large angle in a step. Then
/// only the part of the change that adds none is made, and the next solve takes the rest.
///
/// This does not work for islands whose bodies, heavy ones too, had to be displaced to close their
/// joints: taut light links with a heavy end swing faster than the steps can follow. A heavy end
/// that fell and was put back would fall faster and faster. There the displacement of a body counts
/// as its velocity, as in position-based dynamics (Mueller et al. 2007), and the rows at the end
/// remove what does not fit them. That loses energy, and is stable for any masses.
#include "math/scalar.h"
#include "step/constraint_rows.h"
#include "step/stages.h"

// What the stage reads and writes.
typedef struct stage {
  mo_world *world;
  double dt;
  const mo_row_set *rows;
  mo_row_solution *solution;
  mo_row_ends *ends;
} stage;

// m/s: smaller velocities of joints are left to the next step's solve.
#define NEGLIGIBLE 1e-10

typedef struct turning {
  stage *stage;
  const mo_row_problem *all;  // rows at the end of the step, constraints first
  const mo_velocity *carried; // per body: velocity of the projection's displacement
  uint8_t *is_carried;        // per constraint block of the step's problem: its island was carried
  uint8_t *end_is_carried;    // per block of `end`
  uint8_t *takes_part;        // per constraint block of the step's problem
  mo_row_problem start, end;  // blocks that take part
  double *targets;            // per row of those, m/s
  mo_velocity *change;        // per body
  mo_velocity *before;        // per body: the velocity that the solve left
  mo_island_partition partition; // of `end`, and so of `start`
} turning;

static bool make_room(turning *t) {
  stage *s = t->stage;
  mo_arena *arena = &s->world->step_arena;
  uint32_t blocks = s->rows->constraint_block_count;
  uint32_t rows = mo_world_constraint_row_count(s->world), bodies = s->rows->problem.body_count;
  t->takes_part = MO_ARENA_TAKE(arena, uint8_t, blocks);
  t->is_carried = MO_ARENA_TAKE(arena, uint8_t, blocks);
  t->end_is_carried = MO_ARENA_TAKE(arena, uint8_t, blocks);
  t->targets = MO_ARENA_TAKE(arena, double, rows);
  t->change = MO_ARENA_TAKE(arena, mo_velocity, bodies);
  t->before = MO_ARENA_TAKE_RAW(arena, mo_velocity, bodies);
  t->end.bodies = MO_ARENA_TAKE_RAW(arena, mo_row_body, bodies);
  mo_row_problem *problems[] = {&t->start, &t->end};
  bool room = t->takes_part && t->is_carried && t->end_is_carried && t->targets && t->change &&
              t->before && t->end.bodies;
  for (int i = 0; i < 2; i++) {
    problems[i]->dt = s->dt;
    problems[i]->body_count = bodies;
    problems[i]->blocks = MO_ARENA_TAKE_RAW(arena, mo_row_block, blocks);
    problems[i]->rows = MO_ARENA_TAKE_RAW(arena, mo_row, rows);
    room = room && problems[i]->blocks && problems[i]->rows;
  }
  t->start.bodies = MO_ARENA_TAKE_RAW(arena, mo_row_body, bodies);
  s->solution->turn_impulses = MO_ARENA_TAKE(arena, double, s->rows->problem.row_count);
  return room && t->start.bodies && s->solution->turn_impulses;
}

// A rigid joint, or a contact or limit without impulse.
static bool block_lets_turn(const stage *s, uint32_t index) {
  const mo_row_block *block = &s->rows->problem.blocks[index];
  bool joint = block->bound == MO_BOUND_BILATERAL && block->holds_position;
  for (uint32_t i = block->first_row; i < block->first_row + block->row_count; i++) {
    const mo_row *row = &s->rows->problem.rows[i];
    if (joint ? row->softening != 0.0 : row->impulse != 0.0) {
      return false;
    }
  }
  return joint || block->bound == MO_BOUND_UNILATERAL || block->bound == MO_BOUND_CONE;
}

static bool is_carried(const turning *t, uint32_t island) {
  const mo_island_partition *partition = &t->stage->solution->by_island.partition;
  for (uint32_t i = partition->first_body[island]; i < partition->first_body[island + 1]; i++) {
    const mo_velocity *v = &t->carried[partition->bodies[i]];
    if (mo_length_squared(v->linear) > 0.0 || mo_length_squared(v->angular) > 0.0) {
      return true;
    }
  }
  return false;
}

// Marks the joints of islands that an exact solver solved and that nothing else pushed.
static bool choose(turning *t) {
  const stage *s = t->stage;
  const mo_island_partition *partition = &s->solution->by_island.partition;
  bool any = false;
  for (uint32_t i = 0; i < partition->island_count; i++) {
    uint32_t body = partition->bodies[partition->first_body[i]];
    bool carried = is_carried(t, i);
    bool good = s->solution->by_island.solutions[i].solver != MO_SOLVER_BLOCK_PGS &&
                s->ends->placed[body] != MO_PLACED_BY_FLOW;
    for (uint32_t k = partition->first_block[i]; good && k < partition->first_block[i + 1]; k++) {
      good = block_lets_turn(s, partition->blocks[k]);
    }
    for (uint32_t k = partition->first_block[i]; good && k < partition->first_block[i + 1]; k++) {
      uint32_t block = partition->blocks[k];
      if (s->rows->problem.blocks[block].bound == MO_BOUND_BILATERAL) {
        t->takes_part[block] = 1;
        t->is_carried[block] = carried;
        any = true;
      }
    }
  }
  return any;
}

static void copy_block(mo_row_problem *to, const mo_row_problem *from, uint32_t index) {
  mo_row_block block = from->blocks[index];
  for (uint32_t k = 0; k < block.row_count; k++) {
    to->rows[to->row_count + k] = from->rows[block.first_row + k];
  }
  block.first_row = to->row_count;
  to->blocks[to->block_count++] = block;
  to->row_count += block.row_count;
}

static mo_velocity velocity_at_end(const stage *s, uint32_t body) {
  if (body == 0) {
    return (mo_velocity){mo_v3_zero(), mo_v3_zero()};
  }
  return mo_step_velocity(&s->ends->motions[s->rows->row_slots[body]]);
}

// J v + bias at the end of the rows of a block.
static void find_rates(const stage *s, const mo_row_problem *problem, const mo_row_block *block,
                       double rates[MO_BLOCK_ROWS]) {
  uint32_t bodies[MO_ROW_SIDES];
  mo_velocity v[MO_ROW_SIDES];
  mo_block_bodies(problem, block, bodies);
  for (int i = 0; i < (block->pairs ? MO_ROW_SIDES : 2); i++) {
    v[i] = velocity_at_end(s, bodies[i]);
  }
  for (uint32_t k = 0; k < block->row_count; k++) {
    const mo_row *row = &problem->rows[block->first_row + k];
    rates[k] = mo_row_velocity_of_sides(row, mo_block_pair(problem, block, k), v) + row->bias;
  }
}

// Whether a joint that takes part has a velocity at the end that is worth removing.
static bool is_worth_it(const turning *t) {
  const stage *s = t->stage;
  for (uint32_t i = 0; i < s->rows->constraint_block_count; i++) {
    const mo_row_block *block = &t->all->blocks[i];
    if (!t->takes_part[i]) {
      continue;
    }
    if (t->is_carried[i]) {
      return true;
    }
    double rates[MO_BLOCK_ROWS];
    find_rates(s, t->all, block, rates);
    for (uint32_t k = 0; k < block->row_count; k++) {
      if (fabs(rates[k]) > NEGLIGIBLE * mo_world_metre(s->world)) {
        return true;
      }
    }
  }
  return false;
}

// Adds the velocity of the projection's displacement to bodies that it displaced.
static void carry(turning *t) {
  stage *s = t->stage;
  for (uint32_t i = 0; i < t->partition.island_count; i++) {
    uint32_t block = t->partition.blocks[t->partition.first_block[i]];
    for (uint32_t k = t->partition.first_body[i];
         t->end_is_carried[block] && k < t->partition.first_body[i + 1]; k++) {
      uint32_t body = t->partition.bodies[k];
      mo_motion *motion = &s->ends->motions[s->rows->row_slots[body]];
      motion->linear_velocity = mo_add(motion->linear_velocity, t->carried[body].linear);
      motion->angular_velocity = mo_add(motion->angular_velocity, t->carried[body].angular);
    }
  }
}

// Sets up both problems.
static mo_result make_problems(turning *t) {
  stage *s = t->stage;
  for (uint32_t i = 0; i < s->rows->constraint_block_count; i++) {
    if (t->takes_part[i]) {
      copy_block(&t->start, &s->rows->problem, i);
      t->end_is_carried[t->end.block_count] = t->is_carried[i];
      copy_block(&t->end, t->all, i);
    }
  }
  t->start.pairs = s->rows->problem.pairs;
  t->start.pair_count = s->rows->problem.pair_count;
  t->end.pairs = t->all->pairs;
  t->end.pair_count = t->all->pair_count;
  t->start.bodies[0] = t->end.bodies[0] = s->rows->problem.bodies[0];
  for (uint32_t i = 1; i < s->rows->problem.body_count; i++) {
    const mo_motion *motion = &s->ends->motions[s->rows->row_slots[i]];
    mo_mass mass = mo_body_effective_mass(&s->world->bodies[s->rows->row_slots[i]]);
    t->before[i] = mo_step_velocity(motion);
    t->start.bodies[i] = t->end.bodies[i] = s->rows->problem.bodies[i];
    t->start.bodies[i].solver = t->end.bodies[i].solver = MO_SOLVER_EXACT;
    t->end.bodies[i].inverse_inertia = mo_motion_world_tensor(motion, mass.inverse_inertia);
  }
  mo_arena *arena = &s->world->step_arena;
  mo_result result = mo_island_partition_make(&t->end, arena, &t->partition);
  return result;
}

// Removes the fraction `part` of the joints' velocity at the end by impulses along the rows of
// `along`.
static mo_result pull(turning *t, mo_row_problem *along, double part) {
  stage *s = t->stage;
  for (uint32_t i = 0; i < t->end.block_count; i++) {
    const mo_row_block *block = &t->end.blocks[i];
    double wanted = along == &t->start && t->end_is_carried[i] ? 0.0 : part;
    double rates[MO_BLOCK_ROWS];
    find_rates(s, &t->end, block, rates);
    for (uint32_t k = 0; k < block->row_count; k++) {
      t->targets[block->first_row + k] = -wanted * rates[k];
    }
  }
  for (uint32_t i = 0; i < s->rows->problem.body_count; i++) {
    along->bodies[i].free_linear = along->bodies[i].free_angular = mo_v3_zero();
  }
  for (uint32_t k = 0; k < along->row_count; k++) {
    along->rows[k].impulse = 0.0;
    along->rows[k].bias = along->rows[k].plastic_bias = -t->targets[k];
  }
  mo_world *world = s->world;
  mo_result result = mo_world_solve_rows(world, along, NEGLIGIBLE * mo_world_metre(world),
                                         &world->step_arena, t->change);
  for (uint32_t i = 1; result == MO_OK && i < s->rows->problem.body_count; i++) {
    mo_motion *motion = &s->ends->motions[s->rows->row_slots[i]];
    motion->linear_velocity = mo_add(motion->linear_velocity, t->change[i].linear);
    motion->angular_velocity = mo_add(motion->angular_velocity, t->change[i].angular);
  }
  uint32_t at = 0;
  for (uint32_t i = 0; result == MO_OK && i < s->rows->constraint_block_count; i++) {
    const mo_row_block *block = &s->rows->problem.blocks[i];
    for (uint32_t k = 0; t->takes_part[i] && k < block->row_count; k++) {
      s->solution->turn_impulses[block->first_row + k] += along->rows[at++].impulse;
    }
  }
  return result;
}

// a . M b of a body at the end of the step.
static double mass_product(const stage *s, uint32_t body, mo_velocity a, mo_velocity b) {
  uint32_t slot = s->rows->row_slots[body];
  const mo_mass *mass = &s->world->bodies[slot].mass;
  mo_mat3 inertia = mo_motion_world_tensor(&s->ends->motions[slot], mass->inertia);
  return mass->mass * mo_dot(a.linear, b.linear) +
         mo_dot(a.angular, mo_mat3_mul(inertia, b.angular));
}

// Scales an island's change so that it does not raise its kinetic energy.
static void limit_change(turning *t, uint32_t island) {
  stage *s = t->stage;
  const mo_island_partition *partition = &t->partition;
  uint32_t first = partition->first_body[island], end = partition->first_body[island + 1];
  double slope = 0.0, curvature = 0.0;
  for (uint32_t i = first; i < end; i++) {
    uint32_t body = partition->bodies[i];
    mo_velocity now = velocity_at_end(s, body), old = t->before[body];
    mo_velocity change = {mo_sub(now.linear, old.linear), mo_sub(now.angular, old.angular)};
    t->change[body] = change;
    slope += mass_product(s, body, old, change);
    curvature += mass_product(s, body, change, change);
  }
  double part = slope < 0.0 ? -2.0 * slope : 0.0; // divided by the curvature
  if (!(part < curvature)) {
    return;
  }
  for (uint32_t i = first; i < end; i++) {
    uint32_t body = partition->bodies[i];
    const mo_velocity *old = &t->before[body], *change = &t->change[body];
    mo_motion *motion = &s->ends->motions[s->rows->row_slots[body]];
    motion->linear_velocity = mo_add_scaled(old->linear, part / curvature, change->linear);
    motion->angular_velocity = mo_add_scaled(old->angular, part / curvature, change->angular);
  }
}

mo_result mo_step_turn_velocities(mo_world *world, double dt, const mo_row_set *rows,
                                  const mo_row_problem *end, const mo_velocity *carried,
                                  mo_row_solution *solution, mo_row_ends *ends) {
  stage all = {world, dt, rows, solution, ends};
  turning t = {.stage = &all, .all = end, .carried = carried};
  if (!make_room(&t)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  if (!choose(&t) || !is_worth_it(&t)) {
    return MO_OK;
  }
  mo_result result = make_problems(&t);
  if (result != MO_OK) {
    return result;
  }
  carry(&t);
  result = pull(&t, &t.start, 0.5);
  if (result == MO_OK) {
    result = pull(&t, &t.end, 1.0);
  }
  for (uint32_t i = 0; result == MO_OK && i < t.partition.island_count; i++) {
    limit_change(&t, i);
  }
  return result;
}
