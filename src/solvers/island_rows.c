#include "solvers/island_rows.h"

// What the copy of an island works on.
typedef struct copy {
  const mo_island_view *island;
  mo_island_rows *to;
  uint32_t *places; // per body of the source that does not move: its index in the copy, or 0
} copy;

static uint32_t block_count_of(const mo_island_view *island) {
  return mo_island_block_end(island) - mo_island_block_begin(island);
}

static uint32_t pair_count_of(const mo_island_view *island) {
  uint32_t count = 0;
  for (uint32_t i = mo_island_block_begin(island); i < mo_island_block_end(island); i++) {
    const mo_row_block *block = mo_island_block(island, i);
    count += block->pairs ? block->row_count : 0;
  }
  return count;
}

static bool take(const mo_island_view *island, mo_arena *arena, mo_island_rows *out) {
  uint32_t blocks = block_count_of(island), pairs = pair_count_of(island);
  // At most one body of a block does not move, or three of one with pairs.
  uint32_t bodies = 1 + mo_island_body_count(island) + blocks + 2 * pairs;
  *out = (mo_island_rows){
      .problem = {.bodies = MO_ARENA_TAKE_RAW(arena, mo_row_body, bodies),
                  .blocks = MO_ARENA_TAKE_RAW(arena, mo_row_block, blocks),
                  .rows = MO_ARENA_TAKE_RAW(arena, mo_row, mo_island_row_count(island)),
                  .pairs = MO_ARENA_TAKE_RAW(arena, mo_row_pair, pairs),
                  .dt = island->source->dt},
      .bodies = MO_ARENA_TAKE_RAW(arena, uint32_t, bodies)};
  const mo_row_problem *p = &out->problem;
  return p->bodies && p->blocks && p->rows && p->pairs && out->bodies;
}

static uint32_t add_body(const copy *c, uint32_t body) {
  mo_row_problem *p = &c->to->problem;
  p->bodies[p->body_count] = c->island->source->bodies[body];
  c->to->bodies[p->body_count] = body;
  return p->body_count++;
}

// The index of a body in the copy, to which it is added if it does not move.
static uint32_t place_of(const copy *c, uint32_t body) {
  uint32_t local = c->island->partition->local_bodies[body];
  if (body == 0 || local != MO_NO_BODY) {
    return body == 0 ? 0 : local + 1;
  }
  if (c->places[body] == 0) {
    c->places[body] = add_body(c, body);
  }
  return c->places[body];
}

static void copy_pairs(const copy *c, const mo_row_block *source, mo_row_block *block) {
  mo_row_problem *p = &c->to->problem;
  block->pairs = p->pair_count + 1;
  for (uint32_t k = 0; k < source->row_count; k++) {
    mo_row_pair *pair = &p->pairs[p->pair_count++];
    *pair = *mo_block_pair(c->island->source, source, k);
    pair->body_c = place_of(c, pair->body_c);
    pair->body_d = place_of(c, pair->body_d);
  }
}

static void copy_block(const copy *c, const mo_row_block *source) {
  mo_row_problem *p = &c->to->problem;
  mo_row_block *block = &p->blocks[p->block_count++];
  *block = *source;
  block->body_a = place_of(c, source->body_a);
  block->body_b = place_of(c, source->body_b);
  block->first_row = p->row_count;
  block->load_count = block->disc_block = 0; // the bounds stay while the island is solved
  for (uint32_t k = 0; k < source->row_count; k++) {
    p->rows[p->row_count++] = c->island->source->rows[source->first_row + k];
  }
  if (source->pairs) {
    copy_pairs(c, source, block);
  }
}

bool mo_island_rows_make(const mo_island_view *island, uint32_t *places, mo_arena *arena,
                         mo_island_rows *out) {
  if (!take(island, arena, out)) {
    return false;
  }
  copy c = {island, out, places};
  add_body(&c, 0);
  for (uint32_t i = 0; i < mo_island_body_count(island); i++) {
    add_body(&c, mo_island_body(island, i));
  }
  for (uint32_t i = mo_island_block_begin(island); i < mo_island_block_end(island); i++) {
    copy_block(&c, mo_island_block(island, i));
  }
  for (uint32_t i = 1 + mo_island_body_count(island); i < out->problem.body_count; i++) {
    places[out->bodies[i]] = 0;
  }
  return true;
}

void mo_island_rows_write(const mo_island_view *island, const mo_island_rows *rows,
                          mo_row_problem *problem) {
  uint32_t at = 0;
  for (uint32_t i = mo_island_block_begin(island); i < mo_island_block_end(island); i++) {
    const mo_row_block *block = mo_island_block(island, i);
    for (uint32_t k = 0; k < block->row_count; k++) {
      problem->rows[block->first_row + k].impulse = rows->problem.rows[at++].impulse;
    }
  }
}

void mo_island_rows_gather(const mo_island_rows *rows, const mo_velocity *velocities,
                           mo_velocity *own) {
  for (uint32_t i = 0; i < rows->problem.body_count; i++) {
    own[i] = velocities[rows->bodies[i]];
  }
}

void mo_island_rows_scatter(const mo_island_view *island, const mo_velocity *own,
                            mo_velocity *velocities) {
  for (uint32_t i = 0; i < mo_island_body_count(island); i++) {
    velocities[mo_island_body(island, i)] = own[1 + i];
  }
}
