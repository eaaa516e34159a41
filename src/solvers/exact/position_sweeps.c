#include "solvers/exact/position_sweeps.h"

#include "math/scalar.h"

// Sweeps: more would only let the impulses grow.
#define SWEEPS 20

static double dot6(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

// A row at one of its bodies: that part of J, and the body's velocity; null for an immovable body.
typedef struct row_side {
  const double *jacobian;
  double *velocity;
} row_side;

static row_side side_of(const double *jacobian, uint32_t row, uint32_t body, double *velocities) {
  return (row_side){&jacobian[6 * (size_t)row],
                    body == MO_NO_BODY ? NULL : &velocities[6 * (size_t)body]};
}

static double side_velocity(row_side s) { return s.velocity ? dot6(s.jacobian, s.velocity) : 0.0; }

static void push(row_side s, double impulse) {
  for (int i = 0; s.velocity && i < 6; i++) {
    s.velocity[i] += impulse * s.jacobian[i];
  }
}

static void relax(mo_contact_problem *p, uint32_t index, uint32_t row, double *velocities) {
  const mo_row_block *block = &p->blocks[index];
  double mobility = mo_contact_problem_mobility(p, row);
  if (!(mobility > 0.0)) {
    return;
  }
  row_side sides[MO_ROW_SIDES];
  uint32_t count = 2 * mo_contact_problem_pairs(p);
  double relative = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t body = mo_contact_problem_pair(p, index, i / 2).bodies[i % 2];
    sides[i] = side_of(p->jacobian[i], row, body, velocities);
    relative += side_velocity(sides[i]);
  }
  double w = relative + p->free_velocity[row] + p->softening[row] * p->impulse[row];
  double wanted = p->impulse[row] - w / mobility;
  if (block->bound != MO_BOUND_BILATERAL) {
    wanted = mo_max(0.0, wanted);
  }
  for (uint32_t i = 0; i < count; i++) {
    push(sides[i], wanted - p->impulse[row]);
  }
  p->impulse[row] = wanted;
}

bool mo_position_sweeps(mo_contact_problem *problem, mo_arena *arena) {
  double *velocities = MO_ARENA_TAKE(arena, double, 6 * (size_t)problem->body_count);
  if (!velocities) {
    return false;
  }
  for (uint32_t i = 0; i < problem->row_count; i++) {
    problem->impulse[i] = 0.0;
  }
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    for (uint32_t i = 0; i < problem->block_count; i++) {
      const mo_row_block *block = &problem->blocks[i];
      for (uint32_t k = 0; k < block->row_count; k++) {
        relax(problem, i, block->first_row + k, velocities);
      }
    }
  }
  return true;
}
