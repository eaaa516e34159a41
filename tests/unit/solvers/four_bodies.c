/// Rows of three and four bodies: the helpers of rows.h, islands, and every solver on them.
#include "random_fixture.h"
#include "row_fixture.h"
#include "test_group.h"

#include "math/scalar.h"
#include "solvers/by_island.h"
#include "solvers/certificate.h"
#include "solvers/island_packing.h"

#define BODIES 25
#define ROWS 256

/// A row problem with room for pairs; body 0 is the world.
typedef struct mesh {
  mo_row_body bodies[BODIES];
  mo_row_block blocks[ROWS];
  mo_row rows[ROWS];
  mo_row_pair pairs[ROWS];
  mo_row_problem problem;
  mo_velocity velocities[BODIES];
  mo_arena arena;
  mo_exact_workspace workspace;
  uint64_t random;
} mesh;

static mesh *begin(mo_solver solver, uint32_t body_count) {
  static mesh m;
  m = (mesh){.random = 7};
  m.problem = (mo_row_problem){.bodies = m.bodies,
                               .body_count = body_count,
                               .blocks = m.blocks,
                               .rows = m.rows,
                               .pairs = m.pairs,
                               .dt = 0.01};
  for (uint32_t i = 1; i < body_count; i++) {
    double ease = random_in(&m.random, 1.0, 3.0);
    m.bodies[i] = (mo_row_body){.free_linear = {0.1 * i, -0.5, 0.2},
                                .free_angular = {0.3, -0.1 * i, 0.2},
                                .inverse_mass = random_in(&m.random, 0.5, 1.0),
                                .inverse_inertia = mo_mat3_diagonal(ease, 1.3 * ease, 1.5),
                                .solver = solver};
  }
  return &m;
}

static void end(mesh *m) {
  mo_arena_free(&m->arena);
  mo_exact_workspace_free(&m->workspace);
}

static mo_vec3 random_vec3(mesh *m) {
  return mo_v3(random_in(&m->random, -1, 1), random_in(&m->random, -1, 1),
               random_in(&m->random, -1, 1));
}

static mo_row random_row(mesh *m) {
  double bias = random_in(&m->random, -0.1, 0.1);
  return (mo_row){.linear_a = random_vec3(m),
                  .angular_a = random_vec3(m),
                  .linear_b = random_vec3(m),
                  .angular_b = random_vec3(m),
                  .bias = bias,
                  .plastic_bias = bias};
}

// A block of random rows; c = d = 0 for two bodies.
static mo_row_block *add_block(mesh *m, mo_bound bound, uint32_t rows, uint32_t a, uint32_t b,
                               uint32_t c, uint32_t d) {
  mo_row_block *block = &m->blocks[m->problem.block_count++];
  *block = (mo_row_block){.body_a = a,
                          .body_b = b,
                          .first_row = m->problem.row_count,
                          .row_count = rows,
                          .pairs = c ? m->problem.pair_count + 1 : 0,
                          .bound = bound,
                          .friction = bound == MO_BOUND_CONE ? 0.5 : 0.0,
                          .lower = bound == MO_BOUND_BOX ? -0.02 : 0.0,
                          .upper = bound == MO_BOUND_BOX ? 0.02 : 0.0,
                          .holds_position = true};
  for (uint32_t i = 0; i < rows; i++) {
    m->rows[m->problem.row_count++] = random_row(m);
    if (c) {
      mo_row_pair pair = {.body_c = c, .body_d = d, .row = random_row(m)};
      if (d == 0) {
        pair.row.linear_b = pair.row.angular_b = mo_v3_zero();
      }
      m->pairs[m->problem.pair_count++] = pair;
    }
  }
  return block;
}

// --- written out -----------------------------------------------------------------------------

// The part of row k of a block that belongs to a side: the body, v and w.
static uint32_t side_of(const mesh *m, const mo_row_block *block, uint32_t k, int side,
                        mo_vec3 *linear, mo_vec3 *angular) {
  const mo_row *row = side < 2 ? &m->rows[block->first_row + k] : NULL;
  uint32_t body = side == 0 ? block->body_a : block->body_b;
  *linear = *angular = mo_v3_zero();
  if (side >= 2) {
    if (!block->pairs) {
      return 0;
    }
    const mo_row_pair *pair = &m->pairs[block->pairs - 1 + k];
    row = &pair->row;
    body = side == 2 ? pair->body_c : pair->body_d;
  }
  *linear = side % 2 ? row->linear_b : row->linear_a;
  *angular = side % 2 ? row->angular_b : row->angular_a;
  return body;
}

static double velocity_by_hand(const mesh *m, const mo_row_block *block, uint32_t k,
                               const mo_velocity *v) {
  double sum = 0.0;
  for (int side = 0; side < 4; side++) {
    mo_vec3 linear, angular;
    uint32_t body = side_of(m, block, k, side, &linear, &angular);
    sum += mo_dot(linear, v[body].linear) + mo_dot(angular, v[body].angular);
  }
  return sum;
}

static void apply_by_hand(const mesh *m, const mo_row_block *block, uint32_t k, double impulse,
                          mo_velocity *v) {
  for (int side = 0; side < 4; side++) {
    mo_vec3 linear, angular;
    uint32_t body = side_of(m, block, k, side, &linear, &angular);
    const mo_row_body *of = &m->bodies[body];
    v[body].linear = mo_add_scaled(v[body].linear, impulse * of->inverse_mass, linear);
    v[body].angular =
        mo_add_scaled(v[body].angular, impulse, mo_mat3_mul(of->inverse_inertia, angular));
  }
}

// w of all rows at the impulses of the problem, from v* on.
static void rates_by_hand(const mesh *m, double *w) {
  mo_velocity v[BODIES] = {0};
  for (uint32_t i = 1; i < m->problem.body_count; i++) {
    v[i] = (mo_velocity){m->bodies[i].free_linear, m->bodies[i].free_angular};
  }
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < m->problem.block_count; i++) {
      const mo_row_block *block = &m->blocks[i];
      for (uint32_t k = 0; k < block->row_count; k++) {
        const mo_row *row = &m->rows[block->first_row + k];
        if (pass == 0) {
          apply_by_hand(m, block, k, row->impulse, v);
        } else {
          w[block->first_row + k] = velocity_by_hand(m, block, k, v) + row->bias;
        }
      }
    }
  }
}

static void assert_laws(const mesh *m, double tolerance) {
  double rates[ROWS];
  rates_by_hand(m, rates);
  for (uint32_t i = 0; i < m->problem.block_count; i++) {
    const mo_row_block *block = &m->blocks[i];
    const mo_row *row = &m->rows[block->first_row];
    const double *w = &rates[block->first_row];
    switch (block->bound) {
    case MO_BOUND_BILATERAL:
      for (uint32_t k = 0; k < block->row_count; k++) {
        assert_true(fabs(w[k]) <= tolerance);
      }
      break;
    case MO_BOUND_UNILATERAL:
      assert_true(w[0] >= -tolerance && row->impulse >= 0.0);
      assert_true(w[0] <= tolerance || row->impulse <= tolerance);
      break;
    case MO_BOUND_BOX:
      assert_true(row->impulse >= block->lower && row->impulse <= block->upper);
      assert_true(w[0] <= tolerance || row->impulse <= block->lower + tolerance);
      assert_true(w[0] >= -tolerance || row->impulse >= block->upper - tolerance);
      break;
    case MO_BOUND_CONE:
      assert_true(w[0] >= -tolerance && row[0].impulse >= 0.0);
      assert_true(w[0] <= tolerance || row[0].impulse <= tolerance);
      double size = sqrt(mo_square(row[1].impulse) + mo_square(row[2].impulse));
      double slip = sqrt(mo_square(w[1]) + mo_square(w[2]));
      assert_true(size <= block->friction * row[0].impulse + tolerance);
      assert_true(slip <= tolerance || size >= block->friction * row[0].impulse - tolerance);
      break;
    }
  }
}

// --- helpers ---------------------------------------------------------------------------------

static void couplings_are_velocities_of_unit_impulses(void **state) {
  (void)state;
  mesh *m = begin(MO_SOLVER_EXACT, 6);
  add_block(m, MO_BOUND_BILATERAL, 2, 3, 1, 0, 0);
  add_block(m, MO_BOUND_BILATERAL, 2, 1, 2, 3, 4);
  add_block(m, MO_BOUND_BILATERAL, 3, 0, 4, 5, 0);
  for (uint32_t i = 0; i < m->problem.block_count; i++) {
    const mo_row_block *block = &m->blocks[i];
    for (uint32_t p = 0; p < block->row_count; p++) {
      for (uint32_t q = 0; q < block->row_count; q++) {
        mo_velocity v[BODIES] = {0}, by_hand[BODIES] = {0};
        mo_block_row_apply(&m->problem, block, q, 1.0, v);
        apply_by_hand(m, block, q, 1.0, by_hand);
        for (uint32_t body = 0; body < m->problem.body_count; body++) {
          assert_true(mo_v3_equal(v[body].linear, by_hand[body].linear));
          assert_true(mo_v3_equal(v[body].angular, by_hand[body].angular));
        }
        double expected = velocity_by_hand(m, block, p, by_hand);
        assert_true(fabs(mo_block_row_velocity(&m->problem, block, p, v) - expected) < 1e-14);
        assert_true(fabs(mo_block_row_coupling(&m->problem, block, p, q) - expected) < 1e-14);
      }
    }
  }
  uint32_t bodies[MO_ROW_SIDES] = {0};
  assert_int_equal(mo_block_bodies(&m->problem, &m->blocks[0], bodies), 2);
  assert_int_equal(mo_block_bodies(&m->problem, &m->blocks[1], bodies), 4);
  assert_true(bodies[0] == 1 && bodies[1] == 2 && bodies[2] == 3 && bodies[3] == 4);
  assert_int_equal(mo_block_bodies(&m->problem, &m->blocks[2], bodies), 3);
  assert_true(bodies[1] == 4 && bodies[2] == 5);
  end(m);
}

// A gear between two wheels on one frame: K = 1 / I_B + r^2 / I_D + (1 + r)^2 / I_A.
static void the_mobility_of_a_gear_is_known(void **state) {
  (void)state;
  mesh *m = begin(MO_SOLVER_EXACT, 4);
  double ease[4] = {0.0, 0.25, 2.0, 3.0}, ratio = 2.0;
  for (uint32_t i = 1; i < 4; i++) {
    m->bodies[i] = (mo_row_body){.inverse_mass = 1.0,
                                 .inverse_inertia = mo_mat3_diagonal(ease[i], ease[i], ease[i])};
  }
  mo_row_block *block = add_block(m, MO_BOUND_BILATERAL, 1, 1, 2, 3, 0);
  m->rows[0] = (mo_row){.angular_a = {0, 0, -1 - ratio}, .angular_b = {0, 0, 1}};
  m->pairs[0].row = (mo_row){.angular_a = {0, 0, ratio}};
  assert_true(fabs(mo_block_row_coupling(&m->problem, block, 0, 0) - 16.25) < 1e-14);
  end(m);
}

// --- islands ---------------------------------------------------------------------------------

static void a_block_joins_all_its_moving_bodies(void **state) {
  (void)state;
  mesh *m = begin(MO_SOLVER_EXACT, 10);
  m->bodies[3].inverse_mass = 0.0; // between the others
  m->bodies[3].inverse_inertia = mo_mat3_zero();
  add_block(m, MO_BOUND_BILATERAL, 1, 0, 8, 0, 0);
  add_block(m, MO_BOUND_BILATERAL, 1, 1, 3, 5, 7);
  add_block(m, MO_BOUND_BILATERAL, 1, 3, 0, 2, 0);
  add_block(m, MO_BOUND_BILATERAL, 1, 0, 3, 4, 9);
  mo_island_partition partition;
  assert_int_equal(mo_island_partition_make(&m->problem, &m->arena, &partition), MO_OK);
  assert_int_equal(partition.island_count, 4);
  const uint32_t bodies[] = {1, 5, 7, 2, 4, 9, 8}, firsts[] = {0, 3, 4, 6, 7};
  const uint32_t blocks[] = {1, 2, 3, 0};
  for (int i = 0; i < 5; i++) {
    assert_int_equal(partition.first_body[i], firsts[i]);
  }
  for (int i = 0; i < 7; i++) {
    assert_int_equal(partition.bodies[i], bodies[i]);
  }
  for (uint32_t i = 0; i < 4; i++) {
    assert_int_equal(partition.first_block[i], i);
    assert_int_equal(partition.blocks[i], blocks[i]);
  }
  end(m);
}

static void a_packed_island_has_the_sides_of_its_blocks(void **state) {
  (void)state;
  mesh *m = begin(MO_SOLVER_EXACT, 6);
  add_block(m, MO_BOUND_BILATERAL, 2, 1, 2, 0, 0);
  add_block(m, MO_BOUND_BILATERAL, 1, 0, 2, 3, 4);
  mo_island_partition partition;
  assert_int_equal(mo_island_partition_make(&m->problem, &m->arena, &partition), MO_OK);
  mo_island_view view = {.source = &m->problem, .partition = &partition};
  mo_packed_island packed;
  assert_true(mo_island_pack_velocities(&view, &m->arena, &packed));
  assert_int_equal(mo_contact_problem_pairs(&packed.problem), 2);
  assert_int_equal(mo_contact_problem_pair(&packed.problem, 0, 1).bodies[0], MO_NO_BODY);
  assert_int_equal(mo_contact_problem_pair(&packed.problem, 1, 0).bodies[0], MO_NO_BODY);
  assert_int_equal(mo_contact_problem_pair(&packed.problem, 1, 1).bodies[1], 3);
  for (uint32_t row = 0, block = 0; row < 3; row++) {
    block = row < 2 ? 0 : 1;
    uint32_t k = row - m->blocks[block].first_row;
    double expected = mo_block_row_coupling(&m->problem, &m->blocks[block], k, k);
    assert_true(fabs(mo_contact_problem_mobility(&packed.problem, row) - expected) < 1e-13);
  }
  end(m);
}

// --- solvers ---------------------------------------------------------------------------------

// Bodies in a row: each neighbours two others by joints, three or four by rows of one kind.
static mesh *make_train(mo_solver solver, mo_bound bound, bool with_contacts) {
  mesh *m = begin(solver, BODIES);
  for (uint32_t i = 1; i + 3 < BODIES; i++) {
    add_block(m, MO_BOUND_BILATERAL, 1, i, i + 1, 0, 0);
    if (i % 2) {
      add_block(m, i % 4 == 1 ? bound : MO_BOUND_BILATERAL, 1, i, i + 1, i + 2, i + 3);
    } else {
      add_block(m, bound, 1, 0, i, i + 2, 0);
    }
    if (with_contacts) {
      add_block(m, MO_BOUND_CONE, 3, 0, i, 0, 0);
    }
  }
  return m;
}

static void solve(mesh *m, double tolerance, uint32_t sweeps) {
  mo_solver_settings settings = {.max_iterations = sweeps, .tolerance = tolerance};
  mo_by_island_settings both = {.exact = settings, .sweeps = settings};
  mo_by_island by;
  assert_int_equal(mo_by_island_begin(&m->problem, &m->arena, &by), MO_OK);
  assert_int_equal(mo_by_island_solve(&m->problem, &both, &m->workspace, &by, m->velocities),
                   MO_OK);
  if (m->bodies[1].solver == MO_SOLVER_EXACT) {
    assert_int_equal(by.partition.island_count, 1);
    assert_int_equal(by.solutions[0].event, MO_ISLAND_AS_ASKED);
    assert_true(by.solutions[0].residual <= tolerance);
  }
  // The velocities are those of the impulses.
  double rates[ROWS];
  rates_by_hand(m, rates);
  for (uint32_t i = 0; i < m->problem.block_count; i++) {
    for (uint32_t k = 0; k < m->blocks[i].row_count; k++) {
      uint32_t row = m->blocks[i].first_row + k;
      double w = velocity_by_hand(m, &m->blocks[i], k, m->velocities) + m->rows[row].bias;
      assert_true(fabs(w - rates[row]) < 1e-9);
    }
  }
}

static void exact_solvers_find_the_laws(void **state) {
  (void)state;
  const mo_bound bounds[] = {MO_BOUND_BILATERAL, MO_BOUND_UNILATERAL, MO_BOUND_BOX};
  for (int i = 0; i < 3; i++) {
    for (int with_contacts = 0; with_contacts < 2; with_contacts++) {
      mesh *m = make_train(MO_SOLVER_EXACT, bounds[i], with_contacts);
      solve(m, 1e-10, 200);
      assert_laws(m, 1e-8);
      mo_residual residual;
      assert_int_equal(
          mo_certificate_evaluate(&m->problem, MO_FRICTION_COULOMB, &m->arena, &residual), MO_OK);
      assert_true(residual.worst < 1e-9);
      end(m);
    }
  }
}

static void sweeps_find_the_same_impulses(void **state) {
  (void)state;
  const mo_bound bounds[] = {MO_BOUND_BILATERAL, MO_BOUND_UNILATERAL, MO_BOUND_BOX};
  for (int i = 0; i < 3; i++) {
    double exact[ROWS] = {0};
    mesh *m = make_train(MO_SOLVER_EXACT, bounds[i], false);
    solve(m, 1e-12, 200);
    for (uint32_t k = 0; k < m->problem.row_count; k++) {
      exact[k] = m->rows[k].impulse;
    }
    end(m);
    m = make_train(MO_SOLVER_BLOCK_PGS, bounds[i], false);
    solve(m, 1e-12, 20000);
    for (uint32_t k = 0; k < m->problem.row_count; k++) {
      assert_true(fabs(m->rows[k].impulse - exact[k]) < 1e-7);
    }
    end(m);
  }
}

static void cones_of_four_bodies_obey_the_law(void **state) {
  (void)state;
  for (int s = 0; s < 2; s++) {
    mesh *m = begin(s ? MO_SOLVER_EXACT : MO_SOLVER_BLOCK_PGS, 6);
    add_block(m, MO_BOUND_CONE, 3, 1, 2, 3, 4);
    add_block(m, MO_BOUND_CONE, 3, 1, 2, 0, 0);
    add_block(m, MO_BOUND_BILATERAL, 2, 2, 3, 5, 0);
    solve(m, 1e-11, 5000);
    assert_laws(m, 1e-7);
    end(m);
  }
}

static void positions_of_four_bodies_are_corrected(void **state) {
  (void)state;
  for (int s = 0; s < 2; s++) {
    mesh *m = begin(s ? MO_SOLVER_EXACT : MO_SOLVER_BLOCK_PGS, 6);
    mo_row_block *block = add_block(m, MO_BOUND_UNILATERAL, 1, 1, 2, 3, 4);
    add_block(m, MO_BOUND_UNILATERAL, 1, 0, 4, 5, 0)->holds_position = false;
    m->rows[0].gap = -0.1;
    mo_by_island by;
    assert_int_equal(mo_by_island_begin(&m->problem, &m->arena, &by), MO_OK);
    if (s) {
      for (uint32_t i = 0; i < by.partition.island_count; i++) {
        by.solutions[i].solver = MO_SOLVER_ACTIVE_SET;
      }
    }
    mo_split_impulse_settings settings = {.error_reduction = 0.2,
                                          .metre = 1.0,
                                          .max_correction_speed = 3.0,
                                          .max_iterations = 100,
                                          .tolerance = 1e-12};
    mo_velocity pseudo[BODIES] = {0};
    assert_int_equal(mo_by_island_correct(&m->problem, &by, m->velocities, &settings, &m->workspace,
                                          &m->arena, pseudo),
                     MO_OK);
    assert_true(fabs(velocity_by_hand(m, block, 0, pseudo) - 0.2 * 0.1 / 0.01) < 1e-9);
    end(m);
  }
}

TEST_GROUP(four_bodies) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(couplings_are_velocities_of_unit_impulses),
      cmocka_unit_test(the_mobility_of_a_gear_is_known),
      cmocka_unit_test(a_block_joins_all_its_moving_bodies),
      cmocka_unit_test(a_packed_island_has_the_sides_of_its_blocks),
      cmocka_unit_test(exact_solvers_find_the_laws),
      cmocka_unit_test(sweeps_find_the_same_impulses),
      cmocka_unit_test(cones_of_four_bodies_obey_the_law),
      cmocka_unit_test(positions_of_four_bodies_are_corrected),
  };
  return run_group(tests, NULL, NULL);
}
