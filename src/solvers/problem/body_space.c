#include "solvers/problem/body_space.h"

// Coordinates of a body.
#define BODY_ROWS 6

typedef struct body_maker {
  mo_body_space *to;
  mo_body_pair *more_bodies; // per contact: C and D
  double *jacobian[MO_ROW_SIDES];
  double *free_velocity, *softening, *impulse; // the last two zeros
  uint32_t body_count;
  uint32_t last_rows; // of the last body that are taken
} body_maker;

// The side of a contact that a body has, a new one if it had none; MO_ROW_SIDES if all are taken.
static uint32_t side_of(const body_maker *m, uint32_t contact, uint32_t body) {
  mo_row_block *block = &m->to->blocks[contact];
  uint32_t *bodies[MO_ROW_SIDES] = {&block->body_a, &block->body_b,
                                    &m->more_bodies[contact].bodies[0],
                                    &m->more_bodies[contact].bodies[1]};
  for (uint32_t side = 0; side < MO_ROW_SIDES; side++) {
    if (*bodies[side] == MO_NO_BODY || *bodies[side] == body) {
      *bodies[side] = body;
      return side;
    }
  }
  return MO_ROW_SIDES;
}

// Gives a row of J the number of one coordinate of a body. Returns false if the contact has no side
// for the body.
static bool put_number(const body_maker *m, uint32_t row, uint32_t coordinate, double number) {
  uint32_t side = number == 0.0 ? 0 : side_of(m, row / 3, coordinate / BODY_ROWS);
  if (side < MO_ROW_SIDES && number != 0.0) {
    m->jacobian[side][(size_t)BODY_ROWS * row + coordinate % BODY_ROWS] = number;
  }
  return side < MO_ROW_SIDES;
}

// The first coordinate of a block: behind those of the last body if there is room for all of them.
static uint32_t take_coordinates(body_maker *m, uint32_t rows) {
  if (m->body_count == 0 || m->last_rows + rows > BODY_ROWS) {
    m->body_count++;
    m->last_rows = 0;
  }
  uint32_t first = BODY_ROWS * (m->body_count - 1) + m->last_rows;
  uint32_t taken = m->last_rows + rows;
  m->body_count += (taken - 1) / BODY_ROWS;
  m->last_rows = (taken - 1) % BODY_ROWS + 1;
  return first;
}

static bool add_block(void *context, const mo_mass_block *block) {
  body_maker *m = context;
  size_t width = (size_t)block->columns + 1;
  uint32_t first = take_coordinates(m, block->rows);
  for (uint32_t i = 0; i < block->rows; i++) {
    const double *line = &block->whitened[i * width];
    for (uint32_t k = 0; k < block->columns; k++) {
      if (!put_number(m, block->column[k], first + i, line[k])) {
        m->to->is_wide = true;
        return false;
      }
      m->free_velocity[block->column[k]] += line[k] * line[block->columns];
    }
  }
  return true;
}

static bool take_memory(const mo_problem_def *def, mo_arena *arena, body_maker *m) {
  size_t n = 3 * (size_t)def->contact_count;
  m->to->blocks = MO_ARENA_TAKE_RAW(arena, mo_row_block, def->contact_count);
  m->more_bodies = MO_ARENA_TAKE_RAW(arena, mo_body_pair, def->contact_count);
  m->free_velocity = MO_ARENA_TAKE_RAW(arena, double, n);
  m->softening = MO_ARENA_TAKE(arena, double, n);
  m->impulse = MO_ARENA_TAKE(arena, double, n);
  bool is_there = m->to->blocks && m->more_bodies && m->free_velocity && m->softening && m->impulse;
  for (uint32_t side = 0; side < MO_ROW_SIDES && is_there; side++) {
    m->jacobian[side] = MO_ARENA_TAKE(arena, double, BODY_ROWS *n);
    is_there = m->jacobian[side] != NULL;
  }
  return is_there;
}

static void begin(const mo_problem_def *def, body_maker *m) {
  for (uint32_t i = 0; i < def->contact_count; i++) {
    m->to->blocks[i] = (mo_row_block){.body_a = MO_NO_BODY,
                                      .body_b = MO_NO_BODY,
                                      .first_row = 3 * i,
                                      .row_count = 3,
                                      .bound = MO_BOUND_CONE};
    m->more_bodies[i] = (mo_body_pair){{MO_NO_BODY, MO_NO_BODY}};
  }
  for (uint32_t i = 0; i < 3 * def->contact_count; i++) {
    m->free_velocity[i] = def->free_velocity[i];
  }
}

// Contacts of two bodies are the rule, and C and D cost half of the work of a product.
static bool has_more_bodies(const body_maker *m, uint32_t contact_count) {
  for (uint32_t i = 0; i < contact_count; i++) {
    if (m->more_bodies[i].bodies[0] != MO_NO_BODY) {
      return true;
    }
  }
  return false;
}

static void finish(const mo_problem_def *def, const body_maker *m) {
  mo_body_space *to = m->to;
  to->problem = (mo_contact_problem){.body_count = m->body_count,
                                     .block_count = def->contact_count,
                                     .row_count = 3 * def->contact_count,
                                     .blocks = to->blocks,
                                     .jacobian = {m->jacobian[0], m->jacobian[1]},
                                     .free_velocity = m->free_velocity,
                                     .softening = m->softening,
                                     .impulse = m->impulse};
  if (has_more_bodies(m, def->contact_count)) {
    to->problem.more_bodies = m->more_bodies;
    to->problem.jacobian[2] = m->jacobian[2];
    to->problem.jacobian[3] = m->jacobian[3];
  }
}

mo_result mo_body_space_make(const mo_problem_def *def, mo_arena *arena, mo_body_space *out,
                             mo_matrix_refusal *refused) {
  *out = (mo_body_space){0};
  body_maker maker = {.to = out};
  if (!take_memory(def, arena, &maker)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  begin(def, &maker);
  mo_result result =
      mo_mass_blocks_visit(def->mass, def->jacobian, def->force, add_block, &maker, refused);
  if (result == MO_OK && !out->is_wide) {
    finish(def, &maker);
  }
  return result;
}
