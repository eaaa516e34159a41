/// Islands as the exact solvers see them, made of bodies with masses, and what tests know about
/// them without a solver.
#pragma once

#include "math/vec3.h"
#include "random_fixture.h"
#include "solvers/contact_problem.h"
#include "solvers/solver.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ISLAND_BODIES 1024
#define ISLAND_ROWS 6144

typedef struct island_body {
  double mass, inertia;    ///< kg, kg m^2 about any axis
  mo_vec3 linear, angular; ///< free velocity
} island_body;

/// Rows of the real Jacobian: side A (v, omega), side B.
typedef struct island {
  island_body bodies[ISLAND_BODIES];
  mo_row_block blocks[ISLAND_ROWS];
  double rows[ISLAND_ROWS][12];
  double jacobian_a[ISLAND_ROWS][6], jacobian_b[ISLAND_ROWS][6];
  double bias[ISLAND_ROWS], free_velocity[ISLAND_ROWS], softening[ISLAND_ROWS];
  double impulse[ISLAND_ROWS];
  mo_contact_problem problem;
  mo_arena arena;
} island;

static inline island *island_begin(void) {
  static island scene;
  scene = (island){0};
  return &scene;
}

static inline void island_end(island *s) { mo_arena_free(&s->arena); }

static inline uint32_t island_body_add(island *s, double mass, double inertia, mo_vec3 linear,
                                       mo_vec3 angular) {
  s->bodies[s->problem.body_count] = (island_body){mass, inertia, linear, angular};
  return s->problem.body_count++;
}

static inline mo_row_block *island_block(island *s, uint32_t a, uint32_t b, mo_bound bound) {
  mo_row_block *block = &s->blocks[s->problem.block_count++];
  *block =
      (mo_row_block){.body_a = a, .body_b = b, .first_row = s->problem.row_count, .bound = bound};
  return block;
}

/// Adds a row to the last block: relative velocity of B against A along `direction` at arms from
/// the centres, or with zero `direction` the relative angular velocity along `axis`.
static inline void island_row(island *s, mo_vec3 direction, mo_vec3 arm_a, mo_vec3 arm_b,
                              mo_vec3 axis, double bias) {
  uint32_t row = s->problem.row_count++;
  mo_vec3 angular_a = mo_add(mo_cross(arm_a, direction), axis);
  mo_vec3 angular_b = mo_add(mo_cross(arm_b, direction), axis);
  double numbers[12] = {-direction.x, -direction.y, -direction.z, -angular_a.x,
                        -angular_a.y, -angular_a.z, direction.x,  direction.y,
                        direction.z,  angular_b.x,  angular_b.y,  angular_b.z};
  memcpy(s->rows[row], numbers, sizeof numbers);
  s->bias[row] = bias;
  s->blocks[s->problem.block_count - 1].row_count++;
}

static inline mo_vec3 island_axis(int k) { return mo_v3(k == 0, k == 1, k == 2); }

/// A ball joint, or with `hinge` one that turns about x only.
static inline void island_joint(island *s, uint32_t a, uint32_t b, mo_vec3 arm_a, mo_vec3 arm_b,
                                bool hinge) {
  island_block(s, a, b, MO_BOUND_BILATERAL);
  for (int k = 0; k < 3; k++) {
    island_row(s, island_axis(k), arm_a, arm_b, mo_v3_zero(), 0.0);
  }
  for (int k = 1; hinge && k < 3; k++) {
    island_row(s, mo_v3_zero(), mo_v3_zero(), mo_v3_zero(), island_axis(k), 0.0);
  }
}

/// A frictionless contact.
static inline void island_contact(island *s, uint32_t a, uint32_t b, mo_vec3 normal, mo_vec3 arm_a,
                                  mo_vec3 arm_b, double bias) {
  island_block(s, a, b, MO_BOUND_UNILATERAL);
  island_row(s, normal, arm_a, arm_b, mo_v3_zero(), bias);
}

/// Fills in the problem's scaled Jacobians and free velocities.
static inline mo_contact_problem *island_finish(island *s) {
  for (uint32_t b = 0; b < s->problem.block_count; b++) {
    const mo_row_block *block = &s->blocks[b];
    for (uint32_t r = block->first_row; r < block->first_row + block->row_count; r++) {
      s->free_velocity[r] = s->bias[r];
      for (int side = 0; side < 2; side++) {
        uint32_t body = side == 0 ? block->body_a : block->body_b;
        double *scaled = side == 0 ? s->jacobian_a[r] : s->jacobian_b[r];
        if (body == MO_NO_BODY) {
          continue;
        }
        const island_body *of = &s->bodies[body];
        double v[6] = {of->linear.x,  of->linear.y,  of->linear.z,
                       of->angular.x, of->angular.y, of->angular.z};
        for (int k = 0; k < 6; k++) {
          double inverse = k < 3 ? 1.0 / of->mass : 1.0 / of->inertia;
          scaled[k] = s->rows[r][6 * side + k] * sqrt(inverse);
          s->free_velocity[r] += s->rows[r][6 * side + k] * v[k];
        }
      }
    }
  }
  s->problem.blocks = s->blocks;
  s->problem.jacobian[0] = &s->jacobian_a[0][0];
  s->problem.jacobian[1] = &s->jacobian_b[0][0];
  s->problem.free_velocity = s->free_velocity;
  s->problem.softening = s->softening;
  s->problem.impulse = s->impulse;
  return &s->problem;
}

/// Velocities of the bodies after the impulses, 6 numbers each.
static inline void island_velocities(const island *s, const double *impulse, double *v) {
  for (uint32_t i = 0; i < s->problem.body_count; i++) {
    const island_body *b = &s->bodies[i];
    double free_v[6] = {b->linear.x,  b->linear.y,  b->linear.z,
                        b->angular.x, b->angular.y, b->angular.z};
    memcpy(&v[(size_t)6 * i], free_v, sizeof free_v);
  }
  for (uint32_t b = 0; b < s->problem.block_count; b++) {
    const mo_row_block *block = &s->blocks[b];
    for (uint32_t r = block->first_row; r < block->first_row + block->row_count; r++) {
      for (uint32_t k = 0; k < 12; k++) {
        uint32_t body = k < 6 ? block->body_a : block->body_b;
        if (body != MO_NO_BODY) {
          const island_body *of = &s->bodies[body];
          v[6 * body + k % 6] += s->rows[r][k] * impulse[r] / (k % 6 < 3 ? of->mass : of->inertia);
        }
      }
    }
  }
}

/// The matrix of the problem, W by rows: for problems with `delassus` and for references.
static inline double *island_matrix(const island *s) {
  uint32_t n = s->problem.row_count;
  double *w = calloc((size_t)n * n, sizeof *w);
  double *dense = calloc((size_t)n * s->problem.body_count * 6 + 1, sizeof *dense);
  assert_true(w && dense);
  size_t width = (size_t)s->problem.body_count * 6;
  for (uint32_t b = 0; b < s->problem.block_count; b++) {
    const mo_row_block *block = &s->blocks[b];
    for (uint32_t r = block->first_row; r < block->first_row + block->row_count; r++) {
      for (uint32_t k = 0; k < 6; k++) {
        if (block->body_a != MO_NO_BODY) {
          dense[r * width + 6 * block->body_a + k] += s->jacobian_a[r][k];
        }
        if (block->body_b != MO_NO_BODY) {
          dense[r * width + 6 * block->body_b + k] += s->jacobian_b[r][k];
        }
      }
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      for (size_t k = 0; k < width; k++) {
        w[(size_t)i * n + j] += dense[i * width + k] * dense[j * width + k];
      }
    }
  }
  free(dense);
  return w;
}

/// Solves a dense system with partial pivoting, in place; false if it is singular.
static inline bool dense_solve(long double *a, long double *b, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    uint32_t best = k;
    for (uint32_t i = k + 1; i < n; i++) {
      best = fabsl(a[i * n + k]) > fabsl(a[best * n + k]) ? i : best;
    }
    if (fabsl(a[best * n + k]) < 1e-15L) {
      return false;
    }
    for (uint32_t j = 0; j < n && best != k; j++) {
      long double kept = a[k * n + j];
      a[k * n + j] = a[best * n + j];
      a[best * n + j] = kept;
    }
    long double kept = b[k];
    b[k] = b[best];
    b[best] = kept;
    for (uint32_t i = k + 1; i < n; i++) {
      long double factor = a[i * n + k] / a[k * n + k];
      for (uint32_t j = k; j < n && factor != 0.0L; j++) {
        a[i * n + j] -= factor * a[k * n + j];
      }
      b[i] -= factor * b[k];
    }
  }
  for (uint32_t i = n; i-- > 0;) {
    for (uint32_t j = i + 1; j < n; j++) {
      b[i] -= a[i * n + j] * b[j];
    }
    b[i] /= a[i * n + i];
  }
  return true;
}

/// The worst natural-map error of the rows, m/s, from the matrix: |d x - P(d x - w)|.
static inline double island_error(const mo_contact_problem *p, const double *w_matrix) {
  double worst = 0.0;
  for (uint32_t b = 0; b < p->block_count; b++) {
    const mo_row_block *block = &p->blocks[b];
    for (uint32_t r = block->first_row; r < block->first_row + block->row_count; r++) {
      double d = w_matrix[(size_t)r * p->row_count + r] + p->softening[r];
      long double w = p->free_velocity[r] + p->softening[r] * (long double)p->impulse[r];
      for (uint32_t j = 0; j < p->row_count; j++) {
        w += (long double)w_matrix[(size_t)r * p->row_count + j] * p->impulse[j];
      }
      double y = d * p->impulse[r] - (double)w, projected = y;
      if (block->bound == MO_BOUND_UNILATERAL) {
        projected = fmax(0.0, y);
      } else if (block->bound == MO_BOUND_BOX) {
        projected = fmin(fmax(d * block->lower, y), d * block->upper);
      }
      double error = fabs(d * p->impulse[r] - projected);
      worst = error <= worst ? worst : error;
    }
  }
  return worst;
}
