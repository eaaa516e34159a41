/// Small contact problems for tests of the exact solvers, and the contact laws written out.
#pragma once

#include "math/vec3.h"
#include "solvers/contact_problem.h"
#include "solvers/solver.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define PROBLEM_ROWS 160
#define PROBLEM_BODIES 16

/// A problem in body form, and its matrix.
typedef struct problem_fixture {
  mo_row_block blocks[PROBLEM_ROWS];
  double jacobian_a[6 * PROBLEM_ROWS], jacobian_b[6 * PROBLEM_ROWS];
  double free_velocity[PROBLEM_ROWS], softening[PROBLEM_ROWS], impulse[PROBLEM_ROWS];
  double delassus[PROBLEM_ROWS * PROBLEM_ROWS];
  double velocity[PROBLEM_ROWS]; ///< of the rows, by problem_velocities
  double mass[PROBLEM_BODIES], inertia[PROBLEM_BODIES];
  mo_vec3 linear[PROBLEM_BODIES], angular[PROBLEM_BODIES]; ///< free velocities
  mo_contact_problem problem;
  mo_arena arena;
} problem_fixture;

static inline void problem_begin(problem_fixture *f) {
  memset(f, 0, sizeof *f);
  f->problem = (mo_contact_problem){.blocks = f->blocks,
                                    .jacobian = {f->jacobian_a, f->jacobian_b},
                                    .free_velocity = f->free_velocity,
                                    .softening = f->softening,
                                    .impulse = f->impulse};
}

static inline void problem_end(problem_fixture *f) { mo_arena_free(&f->arena); }

/// A block without rows' contents.
static inline mo_row_block *problem_block(problem_fixture *f, mo_bound bound, uint32_t rows) {
  mo_row_block *block = &f->blocks[f->problem.block_count++];
  *block = (mo_row_block){.body_a = MO_NO_BODY,
                          .body_b = MO_NO_BODY,
                          .first_row = f->problem.row_count,
                          .row_count = rows,
                          .bound = bound,
                          .lower = -INFINITY,
                          .upper = INFINITY};
  f->problem.row_count += rows;
  return block;
}

static inline uint32_t problem_body(problem_fixture *f, double mass, double inertia,
                                    mo_vec3 linear) {
  uint32_t body = f->problem.body_count++;
  f->mass[body] = mass;
  f->inertia[body] = inertia;
  f->linear[body] = linear;
  return body;
}

/// Row of the relative velocity along `direction` at arms from two bodies (or MO_NO_BODY), with
/// `angular` true of their angular velocities.
static inline void problem_row(problem_fixture *f, mo_row_block *block, uint32_t k, uint32_t a,
                               mo_vec3 arm_a, uint32_t b, mo_vec3 arm_b, mo_vec3 direction,
                               bool angular) {
  uint32_t row = block->first_row + k;
  block->body_a = a;
  block->body_b = b;
  for (int side = 0; side < 2; side++) {
    uint32_t body = side ? b : a;
    if (body == MO_NO_BODY) {
      continue;
    }
    double sign = side ? 1.0 : -1.0;
    mo_vec3 linear = mo_scale(angular ? 0.0 : sign, direction);
    mo_vec3 turning =
        mo_scale(sign, angular ? direction : mo_cross(side ? arm_b : arm_a, direction));
    f->free_velocity[row] += mo_dot(linear, f->linear[body]) + mo_dot(turning, f->angular[body]);
    double *j = (side ? f->jacobian_b : f->jacobian_a) + 6 * row;
    double by_mass = 1.0 / sqrt(f->mass[body]), by_inertia = 1.0 / sqrt(f->inertia[body]);
    j[0] = linear.x * by_mass, j[1] = linear.y * by_mass, j[2] = linear.z * by_mass;
    j[3] = turning.x * by_inertia, j[4] = turning.y * by_inertia, j[5] = turning.z * by_inertia;
  }
}

/// Contact with normal z, tangents x and y, of b on a.
static inline void problem_contact(problem_fixture *f, uint32_t a, mo_vec3 arm_a, uint32_t b,
                                   mo_vec3 arm_b, double friction) {
  mo_row_block *block = problem_block(f, MO_BOUND_CONE, 3);
  block->friction = friction;
  problem_row(f, block, 0, a, arm_a, b, arm_b, mo_v3(0, 0, 1), false);
  problem_row(f, block, 1, a, arm_a, b, arm_b, mo_v3(1, 0, 0), false);
  problem_row(f, block, 2, a, arm_a, b, arm_b, mo_v3(0, 1, 0), false);
}

/// W of the Jacobians, without softening.
static inline void problem_form_matrix(problem_fixture *f) {
  uint32_t n = f->problem.row_count;
  memset(f->delassus, 0, sizeof f->delassus);
  for (uint32_t i = 0; i < f->problem.block_count; i++) {
    for (uint32_t j = 0; j < f->problem.block_count; j++) {
      const mo_row_block *bi = &f->blocks[i], *bj = &f->blocks[j];
      for (uint32_t p = bi->first_row; p < bi->first_row + bi->row_count; p++) {
        for (uint32_t q = bj->first_row; q < bj->first_row + bj->row_count; q++) {
          uint32_t of_i[2] = {bi->body_a, bi->body_b}, of_j[2] = {bj->body_a, bj->body_b};
          for (int side = 0; side < 4; side++) {
            const double *ji = (side & 1 ? f->jacobian_b : f->jacobian_a) + 6 * p;
            const double *jj = (side & 2 ? f->jacobian_b : f->jacobian_a) + 6 * q;
            if (of_i[side & 1] == MO_NO_BODY || of_i[side & 1] != of_j[side >> 1]) {
              continue;
            }
            for (int c = 0; c < 6; c++) {
              f->delassus[p * n + q] += ji[c] * jj[c];
            }
          }
        }
      }
    }
  }
}

/// Turns the problem into one that is given by its matrix.
static inline void problem_to_matrix(problem_fixture *f) {
  problem_form_matrix(f);
  f->problem.delassus = f->delassus;
  f->problem.jacobian[0] = f->problem.jacobian[1] = NULL;
  f->problem.body_count = 0;
}

/// velocity = W impulse + q + softening impulse, by `delassus`.
static inline void problem_velocities(problem_fixture *f) {
  uint32_t n = f->problem.row_count;
  if (!f->problem.delassus) {
    problem_form_matrix(f);
  }
  for (uint32_t i = 0; i < n; i++) {
    f->velocity[i] = f->free_velocity[i] + f->softening[i] * f->impulse[i];
    for (uint32_t j = 0; j < n; j++) {
      f->velocity[i] += f->delassus[i * n + j] * f->impulse[j];
    }
  }
}

/// One block's laws, one by one: signs, complementarity, cone, opposition of friction to slip.
static inline void assert_block_laws(const problem_fixture *f, const mo_row_block *block,
                                     double tolerance) {
  const double *x = f->impulse + block->first_row, *w = f->velocity + block->first_row;
  uint32_t n = f->problem.row_count, first = block->first_row;
  double d = f->delassus[first * n + first] + f->softening[first];
  double slip, size;
  switch (block->bound) {
  case MO_BOUND_BILATERAL:
    for (uint32_t k = 0; k < block->row_count; k++) {
      assert_true(fabs(w[k]) <= tolerance);
    }
    break;
  case MO_BOUND_UNILATERAL:
    assert_true(x[0] >= -tolerance / d && w[0] >= -tolerance);
    assert_true(d * x[0] <= tolerance || w[0] <= tolerance);
    break;
  case MO_BOUND_BOX:
    assert_true(x[0] >= block->lower - tolerance / d && x[0] <= block->upper + tolerance / d);
    assert_true(w[0] <= tolerance || d * (x[0] - block->lower) <= tolerance);
    assert_true(w[0] >= -tolerance || d * (block->upper - x[0]) <= tolerance);
    break;
  case MO_BOUND_CONE:
    slip = sqrt(w[1] * w[1] + w[2] * w[2]);
    size = sqrt(x[1] * x[1] + x[2] * x[2]);
    assert_true(x[0] >= -tolerance / d && w[0] >= -tolerance);
    assert_true(d * x[0] <= tolerance || w[0] <= tolerance);
    assert_true(d * (size - block->friction * x[0]) <= tolerance);
    // What slips has full friction, straight against the slip.
    if (slip > 1e-5) {
      assert_true(d * fabs(size - block->friction * x[0]) <= 2.0 * tolerance);
      assert_true(d * fabs(x[1] + size * w[1] / slip) <= 1e-4 * d * size + 2.0 * tolerance);
      assert_true(d * fabs(x[2] + size * w[2] / slip) <= 1e-4 * d * size + 2.0 * tolerance);
    }
    break;
  }
}

static inline void assert_laws(problem_fixture *f, double tolerance) {
  problem_velocities(f);
  for (uint32_t i = 0; i < f->problem.block_count; i++) {
    assert_block_laws(f, &f->blocks[i], tolerance);
  }
}
