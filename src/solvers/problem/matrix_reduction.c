/// From M v = H g + f to u = W g + q: mo_problem_reduce.
///
/// M consists of blocks that no entry couples (the bodies). Each is factored and inverted by
/// itself, and adds Y^T Y to W with Y = L^-1 H of its rows.
#include "math/scalar.h"
#include "memory/arena.h"
#include "memory/sort.h"
#include "memory/union_find.h"
#include "moreau.h"

#include <string.h>

// Numbers (rows, entries) grouped by blocks: those of block b are items[first[b]] up to
// items[first[b + 1]], ascending.
typedef struct grouping {
  uint32_t *first, *items;
} grouping;

typedef struct reduction {
  const mo_triplets *mass, *jacobian;
  const double *force;
  double *delassus, *free_velocity;
  uint32_t *block_of; // per row of M
  uint32_t *local;    // per row of M: its place in its block
  uint32_t block_count;
  grouping rows, mass_entries, jacobian_entries;
  uint32_t *columns; // of H, with an entry in the present block
  uint32_t *column_place;
  mo_arena *arena;
  mo_arena block_arena; // reset by each block
} reduction;

static bool is_valid(const mo_triplets *t) {
  for (uint32_t i = 0; i < t->count; i++) {
    if (t->row[i] >= t->rows || t->column[i] >= t->columns || !mo_is_finite(t->value[i])) {
      return false;
    }
  }
  return true;
}

// --- blocks ----------------------------------------------------------------------------------

// Numbers the blocks of M in the order of their first rows. `sizes` starts with zeros and becomes
// rows per block.
static void number_blocks(reduction *r, uint32_t *parents, uint32_t *sizes) {
  mo_union_find_reset(parents, r->mass->rows);
  for (uint32_t i = 0; i < r->mass->count; i++) {
    mo_union_find_join(parents, r->mass->row[i], r->mass->column[i]);
  }
  for (uint32_t i = 0; i < r->mass->rows; i++) {
    uint32_t first = mo_union_find_root(parents, i);
    r->block_of[i] = first == i ? r->block_count++ : r->block_of[first];
    r->local[i] = sizes[r->block_of[i]]++;
  }
}

// Groups the numbers below `count` by the blocks of their rows with a counting sort. `row` null:
// the numbers are the rows.
static bool group(const reduction *r, const uint32_t *row, uint32_t count, grouping *out) {
  out->first = MO_ARENA_TAKE(r->arena, uint32_t, (size_t)r->block_count + 2);
  out->items = MO_ARENA_TAKE_RAW(r->arena, uint32_t, count);
  if (!out->first || !out->items) {
    return false;
  }
  uint32_t *next = out->first + 1; // becomes `first` while the items are stored
  for (uint32_t i = 0; i < count; i++) {
    next[r->block_of[row ? row[i] : i] + 1]++;
  }
  mo_sum_counts(next, r->block_count);
  for (uint32_t i = 0; i < count; i++) {
    out->items[next[r->block_of[row ? row[i] : i]]++] = i;
  }
  return true;
}

// Zeroed memory; null without memory.
static double *take_matrix(reduction *r, size_t rows, size_t columns) {
  double *matrix = mo_arena_take_matrix(&r->block_arena, rows, columns);
  return matrix ? memset(matrix, 0, rows * columns * sizeof *matrix) : NULL;
}

// L of a block with `size` rows, by rows. Returns false if the block is not positive definite.
static bool factor(const reduction *r, uint32_t block, uint32_t size, double *l) {
  for (uint32_t k = r->mass_entries.first[block]; k < r->mass_entries.first[block + 1]; k++) {
    uint32_t i = r->mass_entries.items[k];
    l[(size_t)r->local[r->mass->row[i]] * size + r->local[r->mass->column[i]]] += r->mass->value[i];
  }
  for (uint32_t i = 0; i < size; i++) {
    for (uint32_t j = 0; j <= i; j++) {
      double sum = l[(size_t)i * size + j];
      for (uint32_t k = 0; k < j; k++) {
        sum -= l[(size_t)i * size + k] * l[(size_t)j * size + k];
      }
      if (i == j && !(sum > 0.0)) {
        return false;
      }
      l[(size_t)i * size + j] = i == j ? sqrt(sum) : sum / l[(size_t)j * size + j];
    }
  }
  return true;
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
static uint32_t collect_columns(const reduction *r, uint32_t block) {
  uint32_t count = 0;
  for (uint32_t k = r->jacobian_entries.first[block]; k < r->jacobian_entries.first[block + 1];
       k++) {
    uint32_t column = r->jacobian->column[r->jacobian_entries.items[k]];
    if (r->column_place[column] == UINT32_MAX) {
      r->column_place[column] = count;
      r->columns[count++] = column;
    }
  }
  return count;
}

// H of the block's rows and columns, and f behind its last column.
static void fill_right_sides(const reduction *r, uint32_t block, uint32_t count, double *y) {
  size_t width = (size_t)count + 1;
  for (uint32_t k = r->jacobian_entries.first[block]; k < r->jacobian_entries.first[block + 1];
       k++) {
    uint32_t i = r->jacobian_entries.items[k];
    y[r->local[r->jacobian->row[i]] * width + r->column_place[r->jacobian->column[i]]] +=
        r->jacobian->value[i];
  }
  for (uint32_t k = r->rows.first[block]; k < r->rows.first[block + 1]; k++) {
    uint32_t row = r->rows.items[k];
    y[r->local[row] * width + count] = r->force[row];
  }
}

// W += Y^T Y, q += Y^T y of f.
static void add_products(const reduction *r, uint32_t size, uint32_t count, const double *y) {
  size_t width = (size_t)count + 1;
  for (uint32_t p = 0; p < count; p++) {
    double *row = &r->delassus[(size_t)r->columns[p] * r->jacobian->columns];
    for (uint32_t i = 0; i < size; i++) {
      const double *line = &y[i * width];
      for (uint32_t k = 0; k < count; k++) {
        row[r->columns[k]] += line[p] * line[k];
      }
      r->free_velocity[r->columns[p]] += line[p] * line[count];
    }
  }
}

static mo_result add_block(reduction *r, uint32_t block, const char **refused) {
  uint32_t size = r->rows.first[block + 1] - r->rows.first[block];
  uint32_t count = collect_columns(r, block);
  size_t width = (size_t)count + 1;
  mo_arena_reset(&r->block_arena);
  double *l = take_matrix(r, size, size), *y = l ? take_matrix(r, size, width) : NULL;
  if (!y) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  if (!factor(r, block, size, l)) {
    *refused = "M must be positive definite";
    return MO_ERROR_INVALID_ARGUMENT;
  }
  fill_right_sides(r, block, count, y);
  for (size_t c = 0; c < width; c++) {
    forward(l, size, &y[c], width);
  }
  add_products(r, size, count, y);
  for (uint32_t c = 0; c < count; c++) {
    r->column_place[r->columns[c]] = UINT32_MAX;
  }
  return MO_OK;
}

// --- all of them -----------------------------------------------------------------------------

static bool make_blocks(reduction *r) {
  uint32_t n = r->mass->rows;
  uint32_t *parents = MO_ARENA_TAKE_RAW(r->arena, uint32_t, n);
  r->block_of = MO_ARENA_TAKE_RAW(r->arena, uint32_t, n);
  r->local = MO_ARENA_TAKE_RAW(r->arena, uint32_t, n);
  uint32_t *sizes = MO_ARENA_TAKE(r->arena, uint32_t, n);
  if (!parents || !sizes || !r->block_of || !r->local) {
    return false;
  }
  number_blocks(r, parents, sizes);
  return group(r, NULL, n, &r->rows) && group(r, r->mass->row, r->mass->count, &r->mass_entries) &&
         group(r, r->jacobian->row, r->jacobian->count, &r->jacobian_entries);
}

static mo_result reduce_in(reduction *r, const char **refused) {
  uint32_t columns = r->jacobian->columns;
  r->columns = MO_ARENA_TAKE_RAW(r->arena, uint32_t, columns);
  r->column_place = MO_ARENA_TAKE_RAW(r->arena, uint32_t, columns);
  if (!r->columns || !r->column_place || !make_blocks(r)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  memset(r->column_place, 0xFF, columns * sizeof *r->column_place); // UINT32_MAX
  mo_result result = MO_OK;
  for (uint32_t block = 0; block < r->block_count && result == MO_OK; block++) {
    result = add_block(r, block, refused);
  }
  return result;
}

mo_result mo_problem_reduce(const mo_triplets *mass, const mo_triplets *transposed_jacobian,
                            const double *force, const double *offset, double *delassus,
                            double *free_velocity, const char **refused) {
  *refused = NULL;
  if (mass->rows != mass->columns || transposed_jacobian->rows != mass->rows) {
    *refused = "M must be square, and H must have as many rows";
    return MO_ERROR_INVALID_ARGUMENT;
  }
  if (!is_valid(mass) || !is_valid(transposed_jacobian)) {
    *refused = "the entries of M and H must be finite and inside of the shape";
    return MO_ERROR_INVALID_ARGUMENT;
  }
  size_t columns = transposed_jacobian->columns;
  for (size_t i = 0; i < columns * columns; i++) {
    delassus[i] = 0.0;
  }
  for (size_t i = 0; i < columns; i++) {
    free_velocity[i] = offset[i];
  }
  mo_arena arena = {0};
  reduction r = {.mass = mass,
                 .jacobian = transposed_jacobian,
                 .force = force,
                 .delassus = delassus,
                 .free_velocity = free_velocity,
                 .arena = &arena};
  mo_result result = reduce_in(&r, refused);
  mo_arena_free(&r.block_arena);
  mo_arena_free(&arena);
  return result;
}
