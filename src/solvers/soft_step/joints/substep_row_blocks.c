#include "solvers/soft_step/joints/substep_row_blocks.h"

#include "math/semidefinite.h"

_Static_assert(MO_BLOCK_ROWS == MO_SEMIDEFINITE_SIZE, "factors of blocks");

// Part of the mobility of a row that its old and its new direction must have in common if the
// impulse along the old one is to go on along the new one: within a substep the direction has then
// turned by less than 60 degrees and changed its length by less than a factor of two.
#define LEAST_LIKENESS 0.5

// --- preparing -------------------------------------------------------------------------------

// A body as the block of rows sees it: index 0 does not move.
static mo_row_body pushed_body(const mo_substep_rows *rows, uint32_t body) {
  return rows->bodies[body] ? rows->problem->bodies[body] : (mo_row_body){0};
}

void mo_substep_block_solve(const mo_substep_block *block, double *x) {
  mo_semidefinite_solve(block->factor, block->block->row_count, x);
}

// J_p M^-1 J_q^T of rows p and q of a block.
MO_APART double coupling(const mo_substep_rows *rows, const mo_substep_block *block, uint32_t p,
                         uint32_t q) {
  uint32_t first = block->block->first_row;
  return mo_row_velocity_of_sides(&rows->problem->rows[first + p], mo_substep_pair_of(block, p),
                                  rows->blocks->rows[first + q].pushes);
}

// A motor that arrives within the step starts without an impulse. Sweeps take away only a part c of
// what its rate lacks in a step, 0 < c <= 1, and the next step asks for the way that is left. That
// ends for every c: the rate and the error then shrink by sqrt(1 - c) per step. An impulse that
// stays from step to step would be the integral part of this controller, with which errors grow
// as soon as c is below 1/4: in a chain of three links on motors.
static void make_row(mo_substep_rows *rows, const mo_substep_block *block, uint32_t i,
                     double substeps) {
  uint32_t index = block->block->first_row + i;
  const mo_row *row = &rows->problem->rows[index];
  mo_substep_row *out = &rows->blocks->rows[index];
  *out = (mo_substep_row){.pushes = out->pushes,
                          .gap = row->gap,
                          .law_bias = mo_substep_law_bias(rows, block, i),
                          .softening = substeps * row->softening,
                          .impulse = block->block->arrives ? 0.0 : row->impulse / substeps};
}

double mo_substep_law_bias(const mo_substep_rows *rows, const mo_substep_block *block, uint32_t i) {
  const mo_row *row = &rows->problem->rows[block->block->first_row + i];
  bool is_open = mo_row_may_open(block->block, i) && row->gap > 0.0;
  return is_open ? row->bias - row->gap / rows->problem->dt : row->bias;
}

static void aim_row(mo_substep_rows *rows, const mo_substep_block *block, uint32_t i,
                    const mo_row_body *bodies) {
  uint32_t index = block->block->first_row + i;
  const mo_row_pair *pair = mo_substep_pair_of(block, i);
  mo_substep_row *out = &rows->blocks->rows[index];
  for (uint32_t side = 0; side < block->sides; side++) {
    out->pushes[side] = (mo_velocity){mo_v3_zero(), mo_v3_zero()};
  }
  mo_row_apply_to(&rows->problem->rows[index], 1.0, bodies, 0, 1, out->pushes);
  if (pair) {
    mo_row_apply_to(&pair->row, 1.0, bodies, 2, 3, out->pushes);
  }
  out->mobility = coupling(rows, block, i, i) + out->softening;
}

// A limit or a motor alone sees only the inertia of its light body, and its spring is as weak: an
// arm under its figure was bent by 0.05 rad too far. With the lock held the row sees what turns
// about the joint's point.
static void hold_lock(mo_substep_rows *rows, mo_substep_block *block) {
  mo_substep_row *target = &rows->blocks->rows[block->block->first_row];
  const mo_substep_block *lock = block->lock;
  uint32_t first = lock->block->first_row, count = lock->block->row_count;
  for (uint32_t i = 0; i < count; i++) {
    block->reactions[i] =
        -mo_row_velocity_of_sides(&rows->problem->rows[first + i], NULL, target->pushes);
  }
  mo_substep_block_solve(lock, block->reactions);
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t side = 0; side < block->sides; side++) {
      mo_velocity *push = &target->pushes[side];
      const mo_velocity *reaction = &rows->blocks->rows[first + i].pushes[side];
      push->linear = mo_add_scaled(push->linear, block->reactions[i], reaction->linear);
      push->angular = mo_add_scaled(push->angular, block->reactions[i], reaction->angular);
    }
  }
  target->mobility = coupling(rows, block, 0, 0) + target->softening;
}

void mo_substep_block_aim(mo_substep_rows *rows, uint32_t index) {
  mo_substep_block *out = &rows->blocks->blocks[index];
  const mo_row_block *block = out->block;
  mo_substep_row *target = &rows->blocks->rows[block->first_row];
  mo_row_body bodies[MO_ROW_SIDES];
  for (uint32_t side = 0; side < out->sides; side++) {
    bodies[side] = pushed_body(rows, out->indices[side]);
  }
  for (uint32_t i = 0; i < block->row_count; i++) {
    aim_row(rows, out, i, bodies);
    for (uint32_t j = 0; j <= i && block->bound == MO_BOUND_BILATERAL; j++) {
      out->factor[i][j] = i == j ? target[i].mobility : coupling(rows, out, i, j);
    }
  }
  if (block->bound == MO_BOUND_BILATERAL) {
    mo_semidefinite_factor(out->factor, block->row_count);
  } else if (block->bound == MO_BOUND_CONE) {
    double p = target[1].mobility, q = target[2].mobility;
    double cross = coupling(rows, out, 1, 2);
    double largest = 0.5 * (p + q + sqrt((p - q) * (p - q) + 4.0 * cross * cross));
    target[1].mobility = target[2].mobility = largest;
  } else if (out->lock) {
    hold_lock(rows, out);
  }
}

// A row as it was before its direction changed.
typedef struct old_row {
  mo_velocity pushes[MO_ROW_SIDES];
  double mobility;
} old_row;

// The turns of a joint are singular where it is bent by half a turn: there directions turn round
// and get any length within a substep. What was an impulse along them would throw the bodies.
static void forget_if_unlike(const mo_substep_rows *rows, const mo_substep_block *block, uint32_t i,
                             const old_row *old) {
  uint32_t index = block->block->first_row + i;
  mo_substep_row *row = &rows->blocks->rows[index];
  double common = mo_row_velocity_of_sides(&rows->problem->rows[index],
                                           mo_substep_pair_of(block, i), old->pushes);
  if (common + row->softening < LEAST_LIKENESS * mo_max(old->mobility, row->mobility)) {
    row->impulse = row->total = 0.0;
  }
}

void mo_substep_block_turn(mo_substep_rows *rows, uint32_t index) {
  const mo_substep_block *block = &rows->blocks->blocks[index];
  const mo_substep_row *states = &rows->blocks->rows[block->block->first_row];
  old_row old[MO_BLOCK_ROWS];
  for (uint32_t i = 0; i < block->block->row_count; i++) {
    for (uint32_t side = 0; side < block->sides; side++) {
      old[i].pushes[side] = states[i].pushes[side];
    }
    old[i].mobility = states[i].mobility;
  }
  mo_substep_block_aim(rows, index);
  for (uint32_t i = 0; i < block->block->row_count; i++) {
    forget_if_unlike(rows, block, i, &old[i]);
  }
}

// The bilateral block before a bounded one of the same two bodies: blocks of a joint begin with its
// lock. That of another joint between these bodies serves as well, as it holds them likewise.
static const mo_substep_block *find_lock(const mo_substep_rows *rows, uint32_t index) {
  const mo_row_block *block = &rows->problem->blocks[index];
  bool is_bounded = block->bound == MO_BOUND_UNILATERAL || block->bound == MO_BOUND_BOX;
  for (uint32_t i = index; is_bounded && !block->pairs && i-- > 0;) {
    const mo_row_block *other = &rows->problem->blocks[i];
    if (other->pairs || other->body_a != block->body_a || other->body_b != block->body_b) {
      return NULL;
    }
    if (other->bound == MO_BOUND_BILATERAL) {
      return &rows->blocks->blocks[i];
    }
  }
  return NULL;
}

// Finds the bodies of a block, and gives its rows room for their pushes. Returns the room after it.
static mo_velocity *begin_block(mo_substep_rows *rows, uint32_t index, mo_velocity *room) {
  const mo_row_block *block = &rows->problem->blocks[index];
  const mo_row_pair *pairs = mo_block_pair(rows->problem, block, 0);
  mo_substep_block *out = &rows->blocks->blocks[index];
  const uint32_t all[MO_ROW_SIDES] = {block->body_a, block->body_b, pairs ? pairs->body_c : 0,
                                      pairs ? pairs->body_d : 0};
  out->block = block;
  out->pairs = pairs;
  out->sides = pairs ? MO_ROW_SIDES : 2;
  out->lock = find_lock(rows, index);
  for (uint32_t side = 0; side < out->sides; side++) {
    out->indices[side] = all[side];
    out->bodies[side] = rows->bodies[all[side]];
  }
  for (uint32_t i = 0; i < block->row_count; i++, room += out->sides) {
    rows->blocks->rows[block->first_row + i].pushes = room;
  }
  return room;
}

static mo_velocity *make_block(mo_substep_rows *rows, uint32_t index, double substeps,
                               mo_velocity *room) {
  const mo_substep_block *block = &rows->blocks->blocks[index];
  room = begin_block(rows, index, room);
  for (uint32_t i = 0; i < block->block->row_count; i++) {
    make_row(rows, block, i, substeps);
  }
  mo_substep_block_aim(rows, index);
  return room;
}

bool mo_substep_rows_prepare(mo_substep_rows *rows, mo_substep_solver *step) {
  const mo_row_problem *problem = rows->problem;
  struct mo_substep_row_blocks *blocks =
      MO_ARENA_TAKE(step->arena, struct mo_substep_row_blocks, 1);
  rows->blocks = blocks;
  if (!blocks) {
    return false;
  }
  blocks->blocks = MO_ARENA_TAKE(step->arena, mo_substep_block, problem->block_count);
  blocks->rows = MO_ARENA_TAKE(step->arena, mo_substep_row, problem->row_count);
  mo_velocity *room = MO_ARENA_TAKE(step->arena, mo_velocity,
                                    2 * ((size_t)problem->row_count + problem->pair_count));
  if (!blocks->blocks || !blocks->rows || !room) {
    return false;
  }
  double substeps = step->settings.substeps;
  blocks->soft = mo_joint_softness_of(&step->settings);
  blocks->rigid = mo_joint_softness_rigid(&step->settings);
  blocks->h = step->settings.dt / substeps;
  blocks->share = 1.0 / substeps;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    room = make_block(rows, i, substeps, room);
  }
  return true;
}
