/// Small row problems for solver tests.
#pragma once

#include "constraints/rows.h"
#include "memory/arena.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define FIXTURE_ROWS 32

/// A row problem with room for a few rows, on the world and up to 3 bodies.
typedef struct row_fixture {
  mo_row_body bodies[4];
  mo_row_block blocks[FIXTURE_ROWS];
  mo_row rows[FIXTURE_ROWS];
  mo_row_problem problem;
  mo_velocity velocities[4];
  mo_arena arena;
} row_fixture;

static inline void fixture_begin(row_fixture *f, uint32_t body_count) {
  *f = (row_fixture){0};
  f->problem = (mo_row_problem){.bodies = f->bodies,
                                .body_count = body_count + 1,
                                .blocks = f->blocks,
                                .rows = f->rows,
                                .dt = 0.016};
}

static inline void fixture_end(row_fixture *f) { mo_arena_free(&f->arena); }

/// A contact of bodies a and b with normal n and both arms; friction > 0 makes a cone block.
static inline mo_row *fixture_contact(row_fixture *f, uint32_t a, uint32_t b, mo_vec3 n,
                                      mo_vec3 arm_a, mo_vec3 arm_b, double friction) {
  mo_vec3 directions[3] = {n};
  mo_tangent_basis(n, &directions[1], &directions[2]);
  mo_row *first = &f->rows[f->problem.row_count];
  uint32_t row_count = friction > 0.0 ? 3 : 1;
  for (uint32_t i = 0; i < row_count; i++) {
    first[i] = (mo_row){.linear_a = mo_neg(directions[i]),
                        .angular_a = mo_neg(mo_cross(arm_a, directions[i])),
                        .linear_b = directions[i],
                        .angular_b = mo_cross(arm_b, directions[i])};
  }
  f->blocks[f->problem.block_count++] =
      (mo_row_block){.body_a = a,
                     .body_b = b,
                     .first_row = f->problem.row_count,
                     .row_count = row_count,
                     .bound = row_count == 3 ? MO_BOUND_CONE : MO_BOUND_UNILATERAL,
                     .friction = friction};
  f->problem.row_count += row_count;
  return first;
}

/// Lower Cholesky factor of an n x n matrix (n <= 3): rows of L as Jacobian rows on a body of unit
/// mass give that matrix.
static inline void fixture_cholesky(double k[3][3], int n, double l[3][3]) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      l[i][j] = 0.0;
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double s = k[i][j];
      for (int m = 0; m < j; m++) {
        s -= l[i][m] * l[j][m];
      }
      l[i][j] = i == j ? sqrt(s) : s / l[j][j];
    }
  }
}

/// One body (index 1) of unit mass that rows with Delassus matrix k act on; w = k impulse + b.
static inline void fixture_matrix(row_fixture *f, double k[3][3], const double *b, int n) {
  double l[3][3];
  fixture_begin(f, 1);
  f->bodies[1] = (mo_row_body){.inverse_mass = 1.0};
  fixture_cholesky(k, n, l);
  for (int i = 0; i < n; i++) {
    f->rows[i] = (mo_row){.linear_b = {l[i][0], l[i][1], l[i][2]}, .bias = b[i]};
  }
  f->problem.row_count = (uint32_t)n;
}
