/// From M v = H g + f to u = W g + q: mo_problem_reduce.
///
/// M falls apart into blocks that no entry couples (the bodies): each is factored and inverted by
/// itself, and adds Y^T Y to W with Y = L^-1 H of its rows.
#include "dynamics/islands.h"
#include "math/scalar.h"
#include "memory/arena.h"
#include "moreau.h"

typedef struct reduction {
  const mo_triplets *mass, *jacobian;
  const double *force;
  double *delassus, *free_velocity;
  uint32_t *parents; // per row of M: union-find over its entries
  uint32_t *local;   // per row of M: its place in its block
  uint32_t *members; // rows of the present block
  uint32_t *columns; // of H that have an entry in the present block
  uint32_t *column_place;
  mo_arena *arena;
} reduction;

static bool is_valid(const mo_triplets *t) {
  for (uint32_t i = 0; i < t->count; i++) {
    if (t->row[i] >= t->rows || t->column[i] >= t->columns || !mo_is_finite(t->value[i])) {
      return false;
    }
  }
  return true;
}

// L of the block with `size` members, by rows; false if it is not positive definite.
static bool factor(const reduction *r, uint32_t name, uint32_t size, double *l) {
  for (uint32_t i = 0; i < r->mass->count; i++) {
    if (mo_islands_find(r->parents, r->mass->row[i]) == name) {
      l[(size_t)r->local[r->mass->row[i]] * size + r->local[r->mass->column[i]]] +=
          r->mass->value[i];
    }
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

static void forward(const double *l, uint32_t size, double *x, uint32_t stride) {
  for (uint32_t i = 0; i < size; i++) {
    for (uint32_t k = 0; k < i; k++) {
      x[(size_t)i * stride] -= l[(size_t)i * size + k] * x[(size_t)k * stride];
    }
    x[(size_t)i * stride] /= l[(size_t)i * size + i];
  }
}

// The columns of H with entries in the block; returns their number.
static uint32_t collect_columns(const reduction *r, uint32_t name) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < r->jacobian->count; i++) {
    uint32_t column = r->jacobian->column[i];
    if (mo_islands_find(r->parents, r->jacobian->row[i]) == name &&
        r->column_place[column] == UINT32_MAX) {
      r->column_place[column] = count;
      r->columns[count++] = column;
    }
  }
  return count;
}

static mo_result add_block(reduction *r, uint32_t name, uint32_t size, const char **refused) {
  uint32_t count = collect_columns(r, name), width = count + 1; // the last column is f
  double *l = MO_ARENA_TAKE(r->arena, double, (size_t)size *size);
  double *y = MO_ARENA_TAKE(r->arena, double, (size_t)size *width);
  if (!l || !y) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  if (!factor(r, name, size, l)) {
    *refused = "M must be positive definite";
    return MO_ERROR_INVALID_ARGUMENT;
  }
  for (uint32_t i = 0; i < r->jacobian->count; i++) {
    uint32_t row = r->jacobian->row[i];
    if (mo_islands_find(r->parents, row) == name) {
      y[(size_t)r->local[row] * width + r->column_place[r->jacobian->column[i]]] +=
          r->jacobian->value[i];
    }
  }
  for (uint32_t i = 0; i < size; i++) {
    y[(size_t)i * width + count] = r->force[r->members[i]];
  }
  for (uint32_t c = 0; c < width; c++) {
    forward(l, size, &y[c], width);
  }
  for (uint32_t p = 0; p < count; p++) {
    double *row = &r->delassus[(size_t)r->columns[p] * r->jacobian->columns];
    for (uint32_t i = 0; i < size; i++) {
      const double *line = &y[(size_t)i * width];
      for (uint32_t k = 0; k < count; k++) {
        row[r->columns[k]] += line[p] * line[k];
      }
      r->free_velocity[r->columns[p]] += line[p] * line[count];
    }
  }
  for (uint32_t c = 0; c < count; c++) {
    r->column_place[r->columns[c]] = UINT32_MAX;
  }
  return MO_OK;
}

static mo_result reduce_in(reduction *r, const char **refused) {
  uint32_t n = r->mass->rows, columns = r->jacobian->columns;
  r->parents = MO_ARENA_TAKE_RAW(r->arena, uint32_t, n);
  r->local = MO_ARENA_TAKE_RAW(r->arena, uint32_t, n);
  r->members = MO_ARENA_TAKE_RAW(r->arena, uint32_t, n);
  r->columns = MO_ARENA_TAKE_RAW(r->arena, uint32_t, columns);
  r->column_place = MO_ARENA_TAKE_RAW(r->arena, uint32_t, columns);
  if (!r->parents || !r->local || !r->members || !r->columns || !r->column_place) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t i = 0; i < columns; i++) {
    r->column_place[i] = UINT32_MAX;
  }
  mo_islands_reset(r->parents, n);
  for (uint32_t i = 0; i < r->mass->count; i++) {
    mo_islands_join(r->parents, r->mass->row[i], r->mass->column[i]);
  }
  mo_result result = MO_OK;
  for (uint32_t name = 0; name < n && result == MO_OK; name++) {
    uint32_t size = 0;
    for (uint32_t i = name; i < n && mo_islands_find(r->parents, name) == name; i++) {
      if (mo_islands_find(r->parents, i) == name) {
        r->local[i] = size;
        r->members[size++] = i;
      }
    }
    result = size > 0 ? add_block(r, name, size, refused) : MO_OK;
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
  mo_arena_free(&arena);
  return result;
}
