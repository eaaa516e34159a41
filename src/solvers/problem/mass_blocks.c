#include "solvers/problem/mass_blocks.h"

#include "math/scalar.h"
#include "memory/arena.h"
#include "memory/sort.h"
#include "memory/union_find.h"

#include <string.h>

// Numbers (rows, entries) grouped by blocks: those of block b are items[first[b]] up to
// items[first[b + 1]], ascending.
typedef struct grouping {
  uint32_t *first, *items;
} grouping;

typedef struct walk {
  const mo_triplets *mass, *jacobian;
  const double *force;
  bool (*visit)(void *context, const mo_mass_block *block);
  void *context;
  mo_matrix_refusal *refused;
  uint32_t *block_of; // per row of M
  uint32_t *local;    // per row of M: its place in its block
  uint32_t block_count;
  grouping rows, mass_entries, jacobian_entries;
  uint32_t *columns; // of H, with an entry in the present block
  uint32_t *column_place;
  mo_arena *arena;
  mo_arena block_arena; // reset by each block
} walk;

// --- checks ----------------------------------------------------------------------------------

static mo_result refuse(mo_matrix_refusal *out, const char *what, uint32_t at, double value) {
  *out = (mo_matrix_refusal){what, at, value};
  return MO_ERROR_INVALID_ARGUMENT;
}

// `names` of its entries, in words: their rows, columns and values.
static mo_result check_entries(const mo_triplets *t, const char *const names[3],
                               mo_matrix_refusal *refused) {
  for (uint32_t i = 0; i < t->count; i++) {
    if (t->row[i] >= t->rows) {
      return refuse(refused, names[0], i, t->row[i]);
    }
    if (t->column[i] >= t->columns) {
      return refuse(refused, names[1], i, t->column[i]);
    }
    if (!mo_is_finite(t->value[i])) {
      return refuse(refused, names[2], i, t->value[i]);
    }
  }
  return MO_OK;
}

static mo_result check(const mo_triplets *mass, const mo_triplets *jacobian,
                       mo_matrix_refusal *refused) {
  static const char *const of_mass[] = {"the rows of M's entries must be rows of M",
                                        "the columns of M's entries must be columns of M",
                                        "the entries of M must be finite"};
  static const char *const of_jacobian[] = {"the rows of H's entries must be rows of H",
                                            "the columns of H's entries must be columns of H",
                                            "the entries of H must be finite"};
  if (mass->rows != mass->columns) {
    return refuse(refused, "M must be square, with as many columns as rows", 0, mass->columns);
  }
  if (jacobian->rows != mass->rows) {
    return refuse(refused, "H must have as many rows as M", 0, jacobian->rows);
  }
  mo_result result = check_entries(mass, of_mass, refused);
  return result == MO_OK ? check_entries(jacobian, of_jacobian, refused) : result;
}

// --- blocks ----------------------------------------------------------------------------------

// Numbers the blocks of M in the order of their first rows. `sizes` starts with zeros and becomes
// rows per block.
static void number_blocks(walk *w, uint32_t *parents, uint32_t *sizes) {
  mo_union_find_reset(parents, w->mass->rows);
  for (uint32_t i = 0; i < w->mass->count; i++) {
    mo_union_find_join(parents, w->mass->row[i], w->mass->column[i]);
  }
  for (uint32_t i = 0; i < w->mass->rows; i++) {
    uint32_t first = mo_union_find_root(parents, i);
    w->block_of[i] = first == i ? w->block_count++ : w->block_of[first];
    w->local[i] = sizes[w->block_of[i]]++;
  }
}

// Groups the numbers below `count` by the blocks of their rows with a counting sort. `row` null:
// the numbers are the rows.
static bool group(const walk *w, const uint32_t *row, uint32_t count, grouping *out) {
  out->first = MO_ARENA_TAKE(w->arena, uint32_t, (size_t)w->block_count + 2);
  out->items = MO_ARENA_TAKE_RAW(w->arena, uint32_t, count);
  if (!out->first || !out->items) {
    return false;
  }
  uint32_t *next = out->first + 1; // becomes `first` while the items are stored
  for (uint32_t i = 0; i < count; i++) {
    next[w->block_of[row ? row[i] : i] + 1]++;
  }
  mo_sum_counts(next, w->block_count);
  for (uint32_t i = 0; i < count; i++) {
    out->items[next[w->block_of[row ? row[i] : i]]++] = i;
  }
  return true;
}

// Zeroed memory; null without memory.
static double *take_matrix(walk *w, size_t rows, size_t columns) {
  double *matrix = mo_arena_take_matrix(&w->block_arena, rows, columns);
  return matrix ? memset(matrix, 0, rows * columns * sizeof *matrix) : NULL;
}

// L of a block with `size` rows, by rows. Refuses a block that is not positive definite, with what
// elimination leaves of the diagonal.
static mo_result factor(const walk *w, uint32_t block, uint32_t size, double *l) {
  for (uint32_t k = w->mass_entries.first[block]; k < w->mass_entries.first[block + 1]; k++) {
    uint32_t i = w->mass_entries.items[k];
    l[(size_t)w->local[w->mass->row[i]] * size + w->local[w->mass->column[i]]] += w->mass->value[i];
  }
  for (uint32_t i = 0; i < size; i++) {
    for (uint32_t j = 0; j <= i; j++) {
      double sum = l[(size_t)i * size + j];
      for (uint32_t k = 0; k < j; k++) {
        sum -= l[(size_t)i * size + k] * l[(size_t)j * size + k];
      }
      if (i == j && !(sum > 0.0)) {
        uint32_t row = w->rows.items[w->rows.first[block] + i];
        return refuse(w->refused, "M must be positive definite", row, sum);
      }
      l[(size_t)i * size + j] = i == j ? sqrt(sum) : sum / l[(size_t)j * size + j];
    }
  }
  return MO_OK;
}

static void forward(const double *l, uint32_t size, double *x, size_t stride) {
  for (uint32_t i = 0; i < size; i++) {
    for (uint32_t k = 0; k < i; k++) {
      x[i * stride] -= l[(size_t)i * size + k] * x[k * stride];
    }
    x[i * stride] /= l[(size_t)i * size + i];
  }
}

// The columns of H with entries in the block; returns their number.
static uint32_t collect_columns(const walk *w, uint32_t block) {
  uint32_t count = 0;
  for (uint32_t k = w->jacobian_entries.first[block]; k < w->jacobian_entries.first[block + 1];
       k++) {
    uint32_t column = w->jacobian->column[w->jacobian_entries.items[k]];
    if (w->column_place[column] == UINT32_MAX) {
      w->column_place[column] = count;
      w->columns[count++] = column;
    }
  }
  return count;
}

// H of the block's rows and columns, and f behind its last column.
static void fill_right_sides(const walk *w, uint32_t block, uint32_t count, double *y) {
  size_t width = (size_t)count + 1;
  for (uint32_t k = w->jacobian_entries.first[block]; k < w->jacobian_entries.first[block + 1];
       k++) {
    uint32_t i = w->jacobian_entries.items[k];
    y[w->local[w->jacobian->row[i]] * width + w->column_place[w->jacobian->column[i]]] +=
        w->jacobian->value[i];
  }
  for (uint32_t k = w->rows.first[block]; k < w->rows.first[block + 1]; k++) {
    uint32_t row = w->rows.items[k];
    y[w->local[row] * width + count] = w->force[row];
  }
}

static mo_result visit_block(walk *w, uint32_t block, bool *goes_on) {
  uint32_t size = w->rows.first[block + 1] - w->rows.first[block];
  uint32_t count = collect_columns(w, block);
  size_t width = (size_t)count + 1;
  mo_arena_reset(&w->block_arena);
  double *l = take_matrix(w, size, size), *y = l ? take_matrix(w, size, width) : NULL;
  if (!y) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_result result = factor(w, block, size, l);
  if (result != MO_OK) {
    return result;
  }
  fill_right_sides(w, block, count, y);
  for (size_t c = 0; c < width; c++) {
    forward(l, size, &y[c], width);
  }
  if (count > 0) {
    *goes_on = w->visit(w->context, &(mo_mass_block){size, count, w->columns, y});
  }
  for (uint32_t c = 0; c < count; c++) {
    w->column_place[w->columns[c]] = UINT32_MAX;
  }
  return MO_OK;
}

// --- all of them -----------------------------------------------------------------------------

static bool make_blocks(walk *w) {
  uint32_t n = w->mass->rows;
  uint32_t *parents = MO_ARENA_TAKE_RAW(w->arena, uint32_t, n);
  w->block_of = MO_ARENA_TAKE_RAW(w->arena, uint32_t, n);
  w->local = MO_ARENA_TAKE_RAW(w->arena, uint32_t, n);
  uint32_t *sizes = MO_ARENA_TAKE(w->arena, uint32_t, n);
  if (!parents || !sizes || !w->block_of || !w->local) {
    return false;
  }
  number_blocks(w, parents, sizes);
  return group(w, NULL, n, &w->rows) && group(w, w->mass->row, w->mass->count, &w->mass_entries) &&
         group(w, w->jacobian->row, w->jacobian->count, &w->jacobian_entries);
}

static mo_result visit_all(walk *w) {
  uint32_t columns = w->jacobian->columns;
  w->columns = MO_ARENA_TAKE_RAW(w->arena, uint32_t, columns);
  w->column_place = MO_ARENA_TAKE_RAW(w->arena, uint32_t, columns);
  if (!w->columns || !w->column_place || !make_blocks(w)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  memset(w->column_place, 0xFF, columns * sizeof *w->column_place); // UINT32_MAX
  mo_result result = MO_OK;
  bool goes_on = true;
  for (uint32_t block = 0; block < w->block_count && goes_on && result == MO_OK; block++) {
    result = visit_block(w, block, &goes_on);
  }
  return result;
}

mo_result mo_mass_blocks_visit(const mo_triplets *mass, const mo_triplets *jacobian,
                               const double *force,
                               bool (*visit)(void *context, const mo_mass_block *block),
                               void *context, mo_matrix_refusal *refused) {
  *refused = (mo_matrix_refusal){0};
  mo_result result = check(mass, jacobian, refused);
  if (result != MO_OK) {
    return result;
  }
  mo_arena arena = {0};
  walk w = {.mass = mass,
            .jacobian = jacobian,
            .force = force,
            .visit = visit,
            .context = context,
            .refused = refused,
            .arena = &arena};
  result = visit_all(&w);
  mo_arena_free(&w.block_arena);
  mo_arena_free(&arena);
  return result;
}
