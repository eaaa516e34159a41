#include "solvers/island_packing.h"

#include "math/scalar.h"

// Lower C with C C^T = m of a symmetric positive semidefinite m, by columns.
static mo_mat3 cholesky(mo_mat3 m) {
  double l11 = sqrt(mo_max(m.cx.x, 0.0));
  double l21 = l11 > 0.0 ? m.cx.y / l11 : 0.0, l31 = l11 > 0.0 ? m.cx.z / l11 : 0.0;
  double l22 = sqrt(mo_max(m.cy.y - l21 * l21, 0.0));
  double l32 = l22 > 0.0 ? (m.cy.z - l31 * l21) / l22 : 0.0;
  double l33 = sqrt(mo_max(m.cz.z - l31 * l31 - l32 * l32, 0.0));
  return (mo_mat3){{l11, l21, l31}, {0.0, l22, l32}, {0.0, 0.0, l33}};
}

uint32_t mo_island_row_count(const mo_island_view *island) {
  uint32_t count = 0;
  for (uint32_t i = mo_island_block_begin(island); i < mo_island_block_end(island); i++) {
    count += mo_island_block(island, i)->row_count;
  }
  return count;
}

static bool has_pairs(const mo_island_view *island) {
  for (uint32_t i = mo_island_block_begin(island); i < mo_island_block_end(island); i++) {
    if (mo_island_block(island, i)->pairs) {
      return true;
    }
  }
  return false;
}

// Makes room for the Jacobians of all rows and the bodies C and D of all blocks.
static bool take_sides(mo_packed_island *out, uint32_t blocks, uint32_t rows, bool with_pairs,
                       mo_arena *arena) {
  for (int side = 0; side < (with_pairs ? MO_ROW_SIDES : 2); side++) {
    out->jacobian[side] = MO_ARENA_TAKE(arena, double, 6 * (size_t)rows);
    out->problem.jacobian[side] = out->jacobian[side];
    if (!out->jacobian[side]) {
      return false;
    }
  }
  if (with_pairs) {
    out->more_bodies = MO_ARENA_TAKE_RAW(arena, mo_body_pair, blocks);
    out->problem.more_bodies = out->more_bodies;
  }
  return !with_pairs || out->more_bodies;
}

// Makes room for all blocks and rows of the island, without appending any.
static bool begin(const mo_island_view *island, mo_arena *arena, mo_packed_island *out) {
  uint32_t bodies = mo_island_body_count(island), rows = mo_island_row_count(island);
  uint32_t blocks = mo_island_block_end(island) - mo_island_block_begin(island);
  *out = (mo_packed_island){.blocks = MO_ARENA_TAKE_RAW(arena, mo_row_block, blocks),
                            .free_velocity = MO_ARENA_TAKE_RAW(arena, double, rows),
                            .softening = MO_ARENA_TAKE(arena, double, rows),
                            .inertia_factors = MO_ARENA_TAKE_RAW(arena, mo_mat3, bodies),
                            .mass_factors = MO_ARENA_TAKE_RAW(arena, double, bodies)};
  out->problem = (mo_contact_problem){.body_count = bodies,
                                      .blocks = out->blocks,
                                      .free_velocity = out->free_velocity,
                                      .softening = out->softening,
                                      .impulse = MO_ARENA_TAKE(arena, double, rows)};
  if (!out->blocks || !take_sides(out, blocks, rows, has_pairs(island), arena) ||
      !out->free_velocity || !out->softening || !out->inertia_factors || !out->mass_factors ||
      !out->problem.impulse) {
    return false;
  }
  for (uint32_t i = 0; i < bodies; i++) {
    const mo_row_body *body = &island->source->bodies[mo_island_body(island, i)];
    out->inertia_factors[i] = cholesky(body->inverse_inertia);
    out->mass_factors[i] = sqrt(body->inverse_mass);
  }
  return true;
}

static void pack_side(const mo_packed_island *packed, uint32_t local, mo_vec3 linear,
                      mo_vec3 angular, double *out) {
  if (local == MO_NO_BODY) {
    return; // stays zero
  }
  mo_vec3 l = mo_scale(packed->mass_factors[local], linear);
  mo_vec3 a = mo_mat3_mul_transposed(packed->inertia_factors[local], angular);
  out[0] = l.x, out[1] = l.y, out[2] = l.z;
  out[3] = a.x, out[4] = a.y, out[5] = a.z;
}

static mo_body_pair local_pair(const mo_island_view *island, uint32_t a, uint32_t b) {
  return (mo_body_pair){{island->partition->local_bodies[a], island->partition->local_bodies[b]}};
}

// The bodies C and D of a block.
static mo_body_pair more_bodies(const mo_island_view *island, const mo_row_block *source) {
  const mo_row_pair *pair = mo_block_pair(island->source, source, 0);
  return pair ? local_pair(island, pair->body_c, pair->body_d)
              : (mo_body_pair){{MO_NO_BODY, MO_NO_BODY}};
}

// Packs the Jacobians of a block of `source`, which was appended last.
static void pack_block(const mo_island_view *island, const mo_row_block *source,
                       mo_packed_island *out) {
  uint32_t index = out->problem.block_count - 1;
  const mo_row_block *block = &out->blocks[index];
  for (uint32_t pair = 0; pair < (source->pairs ? 2u : 1u); pair++) {
    mo_body_pair of_block = mo_contact_problem_pair(&out->problem, index, pair);
    double *const *jacobian = &out->jacobian[2 * (size_t)pair];
    for (uint32_t k = 0; k < block->row_count; k++) {
      const mo_row *row = pair == 0 ? &island->source->rows[source->first_row + k]
                                    : &mo_block_pair(island->source, source, k)->row;
      size_t at = 6 * (size_t)(block->first_row + k);
      pack_side(out, of_block.bodies[0], row->linear_a, row->angular_a, &jacobian[0][at]);
      pack_side(out, of_block.bodies[1], row->linear_b, row->angular_b, &jacobian[1][at]);
    }
  }
}

// Appends a block with the Jacobians of the first `row_count` rows of `source`.
static mo_row_block *append(const mo_island_view *island, const mo_row_block *source,
                            uint32_t row_count, mo_packed_island *out) {
  mo_body_pair bodies = local_pair(island, source->body_a, source->body_b);
  mo_row_block *block = &out->blocks[out->problem.block_count++];
  *block = *source;
  block->body_a = bodies.bodies[0];
  block->body_b = bodies.bodies[1];
  block->first_row = out->problem.row_count;
  block->row_count = row_count;
  block->pairs = 0;
  if (out->more_bodies) {
    out->more_bodies[out->problem.block_count - 1] = more_bodies(island, source);
  }
  pack_block(island, source, out);
  out->problem.row_count += row_count;
  return block;
}

bool mo_island_pack_velocities(const mo_island_view *island, mo_arena *arena,
                               mo_packed_island *out) {
  if (!begin(island, arena, out)) {
    return false;
  }
  for (uint32_t i = mo_island_block_begin(island); i < mo_island_block_end(island); i++) {
    const mo_row_block *source = mo_island_block(island, i);
    mo_velocity free[MO_ROW_SIDES];
    mo_block_free_velocities(island->source, source, free);
    uint32_t first = append(island, source, source->row_count, out)->first_row;
    for (uint32_t k = 0; k < source->row_count; k++) {
      const mo_row *row = &island->source->rows[source->first_row + k];
      const mo_row_pair *pair = mo_block_pair(island->source, source, k);
      out->free_velocity[first + k] = mo_row_velocity_of_sides(row, pair, free) + row->bias;
      out->softening[first + k] = row->softening;
      out->problem.impulse[first + k] = row->impulse;
    }
  }
  return true;
}

void mo_island_put_impulses(const mo_island_view *island, const double *impulses,
                            mo_row_problem *problem) {
  for (uint32_t i = mo_island_block_begin(island); i < mo_island_block_end(island); i++) {
    const mo_row_block *block = mo_island_block(island, i);
    for (uint32_t k = 0; k < block->row_count; k++) {
      problem->rows[block->first_row + k].impulse = *impulses++;
    }
  }
}

bool mo_island_pack_positions(const mo_island_view *island, const double *targets, mo_arena *arena,
                              mo_packed_island *out) {
  if (!begin(island, arena, out)) {
    return false;
  }
  for (uint32_t i = mo_island_block_begin(island); i < mo_island_block_end(island); i++) {
    const mo_row_block *source = mo_island_block(island, i);
    uint32_t row_count = mo_position_row_count(source);
    if (row_count == 0) {
      continue;
    }
    mo_row_block *block = append(island, source, row_count, out);
    bool bilateral = source->bound == MO_BOUND_BILATERAL;
    block->bound = bilateral ? MO_BOUND_BILATERAL : MO_BOUND_UNILATERAL;
    for (uint32_t k = 0; k < row_count; k++) {
      out->free_velocity[block->first_row + k] = -targets[source->first_row + k];
    }
  }
  return true;
}

static void add_side(const mo_island_view *island, const mo_packed_island *packed, uint32_t local,
                     const double *jacobian, double impulse, mo_velocity *velocities) {
  if (local == MO_NO_BODY) {
    return;
  }
  mo_velocity *v = &velocities[mo_island_body(island, local)];
  mo_vec3 linear = mo_v3(jacobian[0], jacobian[1], jacobian[2]);
  mo_vec3 angular = mo_v3(jacobian[3], jacobian[4], jacobian[5]);
  v->linear = mo_add_scaled(v->linear, impulse * packed->mass_factors[local], linear);
  v->angular =
      mo_add_scaled(v->angular, impulse, mo_mat3_mul(packed->inertia_factors[local], angular));
}

static void add_pair(const mo_island_view *island, const mo_packed_island *packed, uint32_t pair,
                     mo_velocity *velocities) {
  const mo_contact_problem *problem = &packed->problem;
  double *const *jacobian = &packed->jacobian[2 * (size_t)pair];
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    mo_body_pair of_block = mo_contact_problem_pair(problem, i, pair);
    for (uint32_t k = block->first_row; k < block->first_row + block->row_count; k++) {
      size_t at = 6 * (size_t)k;
      double x = problem->impulse[k];
      add_side(island, packed, of_block.bodies[0], &jacobian[0][at], x, velocities);
      add_side(island, packed, of_block.bodies[1], &jacobian[1][at], x, velocities);
    }
  }
}

void mo_island_add_velocities(const mo_island_view *island, const mo_packed_island *packed,
                              mo_velocity *velocities) {
  for (uint32_t pair = 0; pair < mo_contact_problem_pairs(&packed->problem); pair++) {
    add_pair(island, packed, pair, velocities);
  }
}
