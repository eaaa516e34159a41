#include "random_fixture.h"
#include "solvers/linear/ordering_cache.h"
#include "test_group.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NODES 40
#define NUMBERS (NODES * MO_NODE_SIZE)
#define EDGES 400

// A graph, and a dense matrix on its nodes (6 numbers each; identity where a node is smaller).
typedef struct sparse_fixture {
  uint8_t sizes[NODES], turns[NODES];
  uint32_t edges[2 * EDGES];
  mo_block_graph graph;
  double dense[NUMBERS][NUMBERS];
  mo_arena arena;
} sparse_fixture;

static sparse_fixture fixture;

static sparse_fixture *begin_graph(uint32_t node_count) {
  sparse_fixture *f = &fixture;
  memset(f, 0, sizeof *f);
  memset(f->sizes, MO_NODE_SIZE, sizeof f->sizes);
  f->graph = (mo_block_graph){.node_count = node_count, .sizes = f->sizes, .edges = f->edges};
  return f;
}

static void add_edge(sparse_fixture *f, uint32_t i, uint32_t j) {
  f->edges[2 * f->graph.edge_count] = i;
  f->edges[2 * f->graph.edge_count + 1] = j;
  f->graph.edge_count++;
}

static void end_graph(sparse_fixture *f) { mo_arena_free(&f->arena); }

static void fill_block(sparse_fixture *f, uint32_t i, uint32_t j, uint64_t *seed, bool symmetric) {
  for (uint32_t r = 0; r < f->sizes[i]; r++) {
    for (uint32_t c = 0; c < f->sizes[j]; c++) {
      double *entry = &f->dense[i * 6 + r][j * 6 + c], *mirror = &f->dense[j * 6 + c][i * 6 + r];
      *entry = random_in(seed, -1, 1);
      *mirror = symmetric ? *entry : random_in(seed, -1, 1);
    }
  }
}

// Random values on the edges; diagonal blocks of the wanted sign (0: any) that dominate a little.
static void fill_matrix(sparse_fixture *f, uint64_t *seed, bool symmetric, const int8_t *signs) {
  for (uint32_t e = 0; e < f->graph.edge_count; e++) {
    fill_block(f, f->edges[2 * e], f->edges[2 * e + 1], seed, symmetric);
  }
  for (uint32_t i = 0; i < f->graph.node_count; i++) {
    fill_block(f, i, i, seed, symmetric);
    for (uint32_t r = 0; r < 6; r++) {
      f->dense[i * 6 + r][i * 6 + r] =
          r < f->sizes[i] ? (signs ? signs[i] : 1) * random_in(seed, 4, 8) : 1.0;
    }
  }
}

static void load_matrix(sparse_fixture *f, mo_block_matrix *m) {
  for (uint32_t i = 0; i < f->graph.node_count; i++) {
    for (uint32_t j = 0; j < f->graph.node_count; j++) {
      bool mirror = m->form == MO_FORM_LDL && i < j; // each pair once
      bool stored = mo_block_at(m, i, j) || mo_block_at(m, j, i);
      if (stored && !mirror) {
        mo_block_add(m, i, j, &f->dense[i * 6][j * 6], NUMBERS);
      }
    }
  }
}

static double solve_error(const sparse_fixture *f, const double *x, const double *b) {
  double worst = 0.0;
  uint32_t n = f->graph.node_count * 6;
  for (uint32_t i = 0; i < n; i++) {
    double sum = -b[i];
    for (uint32_t j = 0; j < n; j++) {
      sum += f->dense[i][j] * x[j];
    }
    if (i % 6 < f->sizes[i / 6]) {
      worst = fmax(worst, fabs(sum));
    }
  }
  return worst;
}

static void check_solves(sparse_fixture *f, const mo_block_matrix *m, uint64_t *seed,
                         double tolerance) {
  double b[NUMBERS] = {0}, x[NUMBERS] = {0};
  for (uint32_t i = 0; i < f->graph.node_count * 6; i++) {
    b[i] = i % 6 < f->sizes[i / 6] ? random_in(seed, -1, 1) : 0.0;
  }
  memcpy(x, b, sizeof x);
  mo_block_solve(m, x);
  assert_true(solve_error(f, x, b) < tolerance);
}

static void random_graph(sparse_fixture *f, uint64_t *seed) {
  uint32_t n = f->graph.node_count;
  for (uint32_t e = 0; e < 3 * n; e++) {
    add_edge(f, random_below(seed, n), random_below(seed, n)); // repeats and loops too
  }
  for (uint32_t i = 0; i < n; i++) {
    f->sizes[i] = (uint8_t)(1 + random_below(seed, 6));
  }
}

static void lu_solves_random_matrices(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (uint32_t round = 0; round < 30; round++) {
    sparse_fixture *f = begin_graph(1 + random_below(&seed, NODES));
    random_graph(f, &seed);
    fill_matrix(f, &seed, false, NULL);
    const mo_block_pattern *pattern = mo_block_analyse(&f->graph, &f->arena);
    mo_block_matrix m;
    assert_true(pattern && mo_block_matrix_init(&m, pattern, MO_FORM_LU, &f->arena));
    for (int again = 0; again < 2; again++) { // the same memory serves for the next matrix
      mo_block_matrix_clear(&m);
      load_matrix(f, &m);
      assert_true(mo_block_factor(&m));
      assert_int_equal(m.replaced_pivots, 0);
      check_solves(f, &m, &seed, 1e-9);
    }
    end_graph(f);
  }
}

static void ldl_solves_random_quasi_definite_matrices(void **state) {
  (void)state;
  uint64_t seed = 2;
  for (uint32_t round = 0; round < 30; round++) {
    sparse_fixture *f = begin_graph(1 + random_below(&seed, NODES));
    random_graph(f, &seed);
    int8_t signs[NODES];
    for (uint32_t i = 0; i < NODES; i++) {
      signs[i] = random_below(&seed, 2) ? 1 : -1;
    }
    fill_matrix(f, &seed, true, signs);
    // Definite blocks of both signs: dominance within the sign's own nodes.
    for (uint32_t i = 0; i < f->graph.node_count * 6; i++) {
      f->dense[i][i] *= 10.0;
    }
    const mo_block_pattern *pattern = mo_block_analyse(&f->graph, &f->arena);
    mo_block_matrix m;
    assert_true(pattern && mo_block_matrix_init(&m, pattern, MO_FORM_LDL, &f->arena));
    m.signs = signs;
    load_matrix(f, &m);
    assert_true(mo_block_factor(&m));
    assert_int_equal(m.replaced_pivots, 0);
    check_solves(f, &m, &seed, 1e-11);
    end_graph(f);
  }
}

static void a_zero_leading_entry_is_no_obstacle_inside_a_block(void **state) {
  (void)state;
  sparse_fixture *f = begin_graph(2);
  add_edge(f, 0, 1);
  for (uint32_t i = 0; i < 12; i++) {
    f->dense[i][(i + 1) % 6 + 6 * (i / 6)] = 1.0; // cyclic permutations on the diagonal
  }
  f->dense[0][7] = 0.5;
  f->dense[8][3] = 0.25;
  const mo_block_pattern *pattern = mo_block_analyse(&f->graph, &f->arena);
  mo_block_matrix m;
  assert_true(mo_block_matrix_init(&m, pattern, MO_FORM_LU, &f->arena));
  load_matrix(f, &m);
  assert_true(mo_block_factor(&m));
  assert_int_equal(m.replaced_pivots, 0);
  uint64_t seed = 3;
  check_solves(f, &m, &seed, 1e-14);
  end_graph(f);
}

static void singular_blocks_are_counted_and_stay_finite(void **state) {
  (void)state;
  for (int form = MO_FORM_LU; form <= MO_FORM_LDL; form++) {
    sparse_fixture *f = begin_graph(2);
    add_edge(f, 0, 1);
    for (uint32_t i = 0; i < 12; i++) {
      f->dense[i][i] = i == 4 ? 0.0 : 2.0;
    }
    const mo_block_pattern *pattern = mo_block_analyse(&f->graph, &f->arena);
    mo_block_matrix m;
    assert_true(mo_block_matrix_init(&m, pattern, (mo_block_form)form, &f->arena));
    load_matrix(f, &m);
    assert_true(mo_block_factor(&m));
    assert_int_equal(m.replaced_pivots, 1);
    double x[12];
    for (uint32_t i = 0; i < 12; i++) {
      x[i] = i == 4 ? 0.0 : 1.0;
    }
    mo_block_solve(&m, x);
    for (uint32_t i = 0; i < 12; i++) {
      assert_true(x[i] == (i == 4 ? 0.0 : 0.5));
    }
    mo_block_matrix_clear(&m);
    *mo_block_at(&m, 1, 1) = NAN;
    assert_false(mo_block_factor(&m));
    end_graph(f);
  }
}

static uint32_t fill_of(sparse_fixture *f) {
  const mo_block_pattern *pattern = mo_block_analyse(&f->graph, &f->arena);
  assert_non_null(pattern);
  return pattern->fill_count;
}

static void chains_and_trees_have_no_fill(void **state) {
  (void)state;
  uint64_t seed = 4;
  for (uint32_t round = 0; round < 50; round++) {
    sparse_fixture *f = begin_graph(NODES);
    // Nodes in any order: a chain, then random trees.
    uint32_t names[NODES];
    for (uint32_t i = 0; i < NODES; i++) {
      uint32_t j = random_below(&seed, i + 1);
      names[i] = names[j];
      names[j] = i;
    }
    for (uint32_t i = 1; i < NODES; i++) {
      add_edge(f, names[i], names[round == 0 ? i - 1 : random_below(&seed, i)]);
    }
    assert_int_equal(fill_of(f), 0);
    end_graph(f);
  }
}

// Bodies 0, 2, 4, ... and the joints between them 1, 3, 5, ...: joints follow a body.
static void joints_of_a_tree_follow_a_body_without_fill(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (uint32_t round = 0; round < 50; round++) {
    sparse_fixture *f = begin_graph(NODES - 1);
    f->graph.turns = f->turns;
    for (uint32_t body = 2; body < NODES - 1; body += 2) {
      uint32_t parent = round == 0 ? body - 2 : 2 * random_below(&seed, body / 2);
      add_edge(f, body - 1, body);
      add_edge(f, body - 1, parent);
      f->turns[body - 1] = MO_TURN_AFTER_ONE;
      f->sizes[body - 1] = (uint8_t)(1 + random_below(&seed, 6));
    }
    const mo_block_pattern *pattern = mo_block_analyse(&f->graph, &f->arena);
    assert_int_equal(pattern->fill_count, 0);
    const uint32_t *position = mo_pattern_position(pattern);
    for (uint32_t e = 0; e < f->graph.edge_count; e += 2) {
      uint32_t joint = position[f->edges[2 * e]];
      assert_true(position[f->edges[2 * e + 1]] < joint || position[f->edges[2 * e + 3]] < joint);
    }
    end_graph(f);
  }
}

static void turns_are_kept_in_any_graph(void **state) {
  (void)state;
  uint64_t seed = 6;
  for (uint32_t round = 0; round < 50; round++) {
    sparse_fixture *f = begin_graph(NODES);
    random_graph(f, &seed);
    for (uint32_t i = 0; i < NODES; i++) {
      f->turns[i] = (uint8_t)random_below(&seed, 3);
    }
    f->graph.turns = f->turns;
    const mo_block_pattern *pattern = mo_block_analyse(&f->graph, &f->arena);
    const uint32_t *position = mo_pattern_position(pattern);
    uint32_t before[NODES] = {0}, bodies[NODES] = {0};
    for (uint32_t e = 0; e < 2 * f->graph.edge_count; e++) {
      uint32_t i = f->edges[e], j = f->edges[e ^ 1];
      bodies[i] += f->turns[j] == MO_TURN_ANY;
      before[i] += f->turns[j] == MO_TURN_ANY && position[j] < position[i];
    }
    for (uint32_t i = 0; i < NODES; i++) {
      assert_true(f->turns[i] != MO_TURN_AFTER_ONE || bodies[i] == 0 || before[i] > 0);
      assert_true(f->turns[i] != MO_TURN_AFTER_ALL || before[i] == bodies[i]);
    }
    end_graph(f);
  }
}

static void a_grid_has_less_fill_than_its_natural_order(void **state) {
  (void)state;
  sparse_fixture *f = begin_graph(36);
  for (uint32_t i = 0; i < 36; i++) {
    if (i % 6 < 5) {
      add_edge(f, i, i + 1);
    }
    if (i < 30) {
      add_edge(f, i, i + 6);
    }
  }
  // Row by row, every node has 6 later neighbours: 36 * 6 - 21 slots, 135 of them fill.
  assert_true(fill_of(f) < 90);
  end_graph(f);
}

static void a_cached_pattern_is_the_analysed_one(void **state) {
  (void)state;
  uint64_t seed = 7;
  mo_ordering_cache cache = {0};
  for (uint32_t round = 0; round < 300; round++) {
    // 100 graphs in turn (64 fit), the last ones again
    uint64_t graph_seed = round < 100 ? round : 99 - random_below(&seed, 40);
    sparse_fixture *f = begin_graph(1 + (uint32_t)(graph_seed % NODES));
    random_graph(f, &graph_seed);
    f->graph.turns = graph_seed % 2 ? f->turns : NULL;
    uint64_t hits = cache.hits;
    const mo_block_pattern *fresh = mo_block_analyse(&f->graph, &f->arena);
    const mo_block_pattern *found = mo_ordering_cache_find(&cache, &f->graph, &f->arena);
    assert_true(fresh->bytes == found->bytes && memcmp(fresh, found, fresh->bytes) == 0);
    assert_int_equal(cache.hits - hits, round < 100 ? 0 : 1);
    end_graph(f);
  }
  mo_ordering_cache_free(&cache);
}

TEST_GROUP(block_sparse) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lu_solves_random_matrices),
      cmocka_unit_test(ldl_solves_random_quasi_definite_matrices),
      cmocka_unit_test(a_zero_leading_entry_is_no_obstacle_inside_a_block),
      cmocka_unit_test(singular_blocks_are_counted_and_stay_finite),
      cmocka_unit_test(chains_and_trees_have_no_fill),
      cmocka_unit_test(joints_of_a_tree_follow_a_body_without_fill),
      cmocka_unit_test(turns_are_kept_in_any_graph),
      cmocka_unit_test(a_grid_has_less_fill_than_its_natural_order),
      cmocka_unit_test(a_cached_pattern_is_the_analysed_one),
  };
  return run_group(tests, NULL, NULL);
}
