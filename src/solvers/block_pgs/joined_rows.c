#include "solvers/block_pgs/joined_rows.h"

#include "math/scalar.h"
#include "memory/union_find.h"

#include <string.h>

// --- choice ----------------------------------------------------------------------------------

// Fraction of a row's mobility below which the others leave it no pivot of its own. Rows between
// the same two bodies that come this near to each other are left to the sweeps.
#define DEPENDENT 1e-6
// The largest ratio of two masses in a joint. The factors of rows lose as many digits, and what is
// left is velocity of the light body; a sweep solves such a joint by itself.
#define LARGEST_MASS_RATIO 1e8

// The trees that were found so far.
typedef struct forest {
  const mo_row_problem *problem;
  uint32_t *parents; // of the union-find; all bodies that never move are body 0
  uint32_t *joints;  // per body that moves: of blocks that join two trees
  bool *chosen;      // per block
  uint32_t last;     // chosen bilateral block that was the last to join two trees
  uint32_t rows;     // bilateral ones of that pair, consecutive in the problem
} forest;

static uint32_t tree_of(const forest *f, uint32_t body) {
  return mo_row_body_moves(&f->problem->bodies[body]) ? mo_union_find_root(f->parents, body) : 0;
}

// Whether the rows of several blocks between two bodies are independent: Cholesky's factorisation
// of their matrix has no small pivot. Those of one block are.
static bool are_independent(const mo_row_problem *problem, const mo_row_block *first,
                            uint32_t count) {
  const mo_row *rows = &problem->rows[first->first_row];
  const mo_row_body *a = &problem->bodies[first->body_a], *b = &problem->bodies[first->body_b];
  double l[MO_BLOCK_ROWS][MO_BLOCK_ROWS];
  for (uint32_t i = 0; i < count; i++) {
    double own = mo_row_coupling(&rows[i], &rows[i], a, b);
    for (uint32_t j = 0; j <= i; j++) {
      double sum = mo_row_coupling(&rows[i], &rows[j], a, b);
      for (uint32_t k = 0; k < j; k++) {
        sum -= l[i][k] * l[j][k];
      }
      if (i == j && !(sum > DEPENDENT * own)) {
        return false;
      }
      l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
    }
  }
  return true;
}

static bool has_same_bodies(const forest *f, const mo_row_block *block) {
  const mo_row_block *last = &f->problem->blocks[f->last];
  return f->rows > 0 && last->body_a == block->body_a && last->body_b == block->body_b;
}

// A bilateral block that joins two trees, or that continues the rows of the last one.
static void choose_bilateral(forest *f, uint32_t index) {
  const mo_row_block *block = &f->problem->blocks[index];
  const mo_row_block *last = &f->problem->blocks[f->last];
  uint32_t a = tree_of(f, block->body_a), b = tree_of(f, block->body_b);
  if (a != b) {
    mo_union_find_join(f->parents, a, b);
    f->joints[block->body_a]++;
    f->joints[block->body_b]++;
    f->last = index;
    f->rows = block->row_count;
    f->chosen[index] = true;
  } else if (has_same_bodies(f, block) && f->rows + block->row_count <= MO_BLOCK_ROWS &&
             last->first_row + f->rows == block->first_row &&
             are_independent(f->problem, last, f->rows + block->row_count)) {
    f->rows += block->row_count;
    f->chosen[index] = true;
  }
}

static bool are_too_unequal(const mo_row_problem *problem, const mo_row_block *block) {
  double a = problem->bodies[block->body_a].inverse_mass;
  double b = problem->bodies[block->body_b].inverse_mass;
  return a > 0.0 && b > 0.0 && mo_max(a, b) > LARGEST_MASS_RATIO * mo_min(a, b);
}

// Rows with bounds take part between bodies that a chosen joint links. Bounds that follow a load
// are those of a contact.
static void choose_block(forest *f, uint32_t index) {
  const mo_row_block *block = &f->problem->blocks[index];
  if (block->pairs || block->bound == MO_BOUND_CONE || are_too_unequal(f->problem, block)) {
    return;
  }
  if (block->bound == MO_BOUND_BILATERAL) {
    choose_bilateral(f, index);
  } else if (block->load_count == 0 && has_same_bodies(f, block)) {
    f->chosen[index] = true;
  }
}

static bool is_shared(const forest *f, uint32_t body) {
  return f->joints[body] > 1 && mo_row_body_moves(&f->problem->bodies[body]);
}

// Joints that share no body with another one stay with the sweeps, which solve the rows of a joint
// together.
static uint32_t drop_single_joints(forest *f) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->problem->block_count; i++) {
    const mo_row_block *block = &f->problem->blocks[i];
    f->chosen[i] = f->chosen[i] && (is_shared(f, block->body_a) || is_shared(f, block->body_b));
    count += f->chosen[i];
  }
  return count;
}

uint32_t mo_joined_rows_choose(const mo_row_problem *problem, mo_arena *arena, bool *chosen) {
  forest f = {.problem = problem,
              .parents = MO_ARENA_TAKE_RAW(arena, uint32_t, problem->body_count),
              .joints = MO_ARENA_TAKE(arena, uint32_t, problem->body_count),
              .chosen = chosen};
  if (!f.parents || !f.joints) {
    return UINT32_MAX;
  }
  mo_union_find_reset(f.parents, problem->body_count);
  memset(chosen, 0, problem->block_count * sizeof *chosen);
  for (uint32_t i = 0; i < problem->block_count; i++) {
    choose_block(&f, i);
  }
  return drop_single_joints(&f);
}

// --- packing ---------------------------------------------------------------------------------

static uint32_t row_count_of(const mo_row_block *block, bool positions) {
  return positions ? mo_position_row_count(block) : block->row_count;
}

// Makes one island of the chosen blocks with rows. Returns the number of rows.
static uint32_t gather_blocks(const mo_row_problem *problem, const bool *chosen, bool positions,
                              mo_island_partition *out) {
  uint32_t rows = 0;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    uint32_t count = chosen[i] ? row_count_of(&problem->blocks[i], positions) : 0;
    if (count > 0) {
      out->blocks[out->first_block[1]++] = i;
      rows += count;
    }
  }
  return rows;
}

static void add_body(const mo_row_problem *problem, uint32_t body, mo_island_partition *out) {
  if (out->local_bodies[body] == MO_NO_BODY && mo_row_body_moves(&problem->bodies[body])) {
    out->local_bodies[body] = out->first_body[1];
    out->bodies[out->first_body[1]++] = body;
  }
}

static void gather_bodies(const mo_row_problem *problem, mo_island_partition *out) {
  for (uint32_t i = 0; i < problem->body_count; i++) {
    out->local_bodies[i] = MO_NO_BODY;
  }
  for (uint32_t i = 0; i < out->first_block[1]; i++) {
    add_body(problem, problem->blocks[out->blocks[i]].body_a, out);
    add_body(problem, problem->blocks[out->blocks[i]].body_b, out);
  }
}

static bool take_partition(const mo_row_problem *problem, mo_arena *arena,
                           mo_island_partition *out) {
  *out = (mo_island_partition){.island_count = 1,
                               .first_block = MO_ARENA_TAKE(arena, uint32_t, 2),
                               .blocks = MO_ARENA_TAKE_RAW(arena, uint32_t, problem->block_count),
                               .first_body = MO_ARENA_TAKE(arena, uint32_t, 2),
                               .bodies = MO_ARENA_TAKE_RAW(arena, uint32_t, problem->body_count),
                               .local_bodies =
                                   MO_ARENA_TAKE_RAW(arena, uint32_t, problem->body_count)};
  return out->first_block && out->blocks && out->first_body && out->bodies && out->local_bodies;
}

static bool take_rows(mo_joined_rows *out, mo_arena *arena) {
  double **numbers[] = {&out->velocities, &out->impulses, &out->changes, &out->lower,
                        &out->upper,      &out->step,     &out->shifts};
  bool has_room = true;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    *numbers[i] = MO_ARENA_TAKE(arena, double, out->count);
    has_room = has_room && *numbers[i];
  }
  out->sources = MO_ARENA_TAKE_RAW(arena, uint32_t, out->count);
  out->active = MO_ARENA_TAKE(arena, uint8_t, out->count);
  return has_room && out->sources && out->active;
}

static void set_rows(const mo_row_problem *problem, bool positions, mo_joined_rows *out) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < out->partition.first_block[1]; i++) {
    const mo_row_block *block = &problem->blocks[out->partition.blocks[i]];
    bool bilateral = block->bound == MO_BOUND_BILATERAL, box = block->bound == MO_BOUND_BOX;
    for (uint32_t k = 0; k < row_count_of(block, positions); k++) {
      out->sources[at] = block->first_row + k;
      out->lower[at] = bilateral ? -HUGE_VAL : box ? block->lower : 0.0;
      out->upper[at++] = box ? block->upper : HUGE_VAL;
    }
  }
}

bool mo_joined_rows_make(const mo_row_problem *problem, const bool *chosen, bool positions,
                         mo_ordering_cache *cache, mo_arena *arena, mo_joined_rows *out) {
  *out = (mo_joined_rows){0};
  if (!take_partition(problem, arena, &out->partition)) {
    return false;
  }
  out->count = gather_blocks(problem, chosen, positions, &out->partition);
  gather_bodies(problem, &out->partition);
  if (!take_rows(out, arena)) {
    return false;
  }
  set_rows(problem, positions, out);
  mo_island_view view = {.source = problem, .partition = &out->partition};
  // Only the Jacobians count, not what the rows are to reach.
  double *zeros = MO_ARENA_TAKE(arena, double, positions ? problem->row_count : 0);
  bool packed = positions ? zeros && mo_island_pack_positions(&view, zeros, arena, &out->island)
                          : mo_island_pack_velocities(&view, arena, &out->island);
  return packed &&
         mo_row_system_init(&out->system, &out->island.problem, NULL, cache, arena) == MO_OK;
}
