#include "solvers/linear/block_sparse.h"

#include <string.h>

bool mo_block_matrix_init(mo_block_matrix *matrix, const mo_block_pattern *pattern,
                          mo_block_form form, mo_arena *arena) {
  size_t n = pattern->node_count, slots = pattern->slot_count;
  *matrix = (mo_block_matrix){.pattern = pattern, .form = form, .smallest_pivot = 1e-14};
  matrix->diagonal = MO_ARENA_TAKE_RAW(arena, double, n *MO_BLOCK_VALUES);
  matrix->upper = MO_ARENA_TAKE_RAW(arena, double, slots *MO_BLOCK_VALUES);
  matrix->inverse_pivots = MO_ARENA_TAKE(arena, double, n *MO_NODE_SIZE);
  matrix->scale = MO_ARENA_TAKE(arena, double, n);
  if (!matrix->diagonal || !matrix->upper || !matrix->inverse_pivots || !matrix->scale) {
    return false;
  }
  if (form == MO_FORM_LU) {
    matrix->lower = MO_ARENA_TAKE_RAW(arena, double, slots *MO_BLOCK_VALUES);
    matrix->exchanges = MO_ARENA_TAKE(arena, uint8_t, n * MO_NODE_SIZE);
    if (!matrix->lower || !matrix->exchanges) {
      return false;
    }
  }
  mo_block_matrix_clear(matrix);
  return true;
}

void mo_block_matrix_clear(mo_block_matrix *matrix) {
  size_t block_bytes = MO_BLOCK_VALUES * sizeof(double);
  memset(matrix->diagonal, 0, matrix->pattern->node_count * block_bytes);
  memset(matrix->upper, 0, matrix->pattern->slot_count * block_bytes);
  if (matrix->lower) {
    memset(matrix->lower, 0, matrix->pattern->slot_count * block_bytes);
  }
}

// The slot of a pair of positions, the earlier first; UINT32_MAX for none.
static uint32_t find_slot(const mo_block_pattern *pattern, uint32_t earlier, uint32_t later) {
  const uint32_t *first = mo_pattern_first_slot(pattern);
  const uint32_t *column = mo_pattern_slot_column(pattern);
  uint32_t low = first[earlier], end = first[earlier + 1], high = end;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (column[middle] < later) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < end && column[low] == later ? low : UINT32_MAX;
}

double *mo_block_at(const mo_block_matrix *matrix, uint32_t i, uint32_t j) {
  const uint32_t *position = mo_pattern_position(matrix->pattern);
  uint32_t pi = position[i], pj = position[j];
  if (pi == pj) {
    return matrix->diagonal + (size_t)pi * MO_BLOCK_VALUES;
  }
  double *blocks = pi < pj ? matrix->upper : matrix->lower;
  if (!blocks) {
    return NULL;
  }
  uint32_t slot = find_slot(matrix->pattern, pi < pj ? pi : pj, pi < pj ? pj : pi);
  return slot == UINT32_MAX ? NULL : blocks + (size_t)slot * MO_BLOCK_VALUES;
}

void mo_block_add(mo_block_matrix *matrix, uint32_t i, uint32_t j, const double *values,
                  uint32_t stride) {
  const uint8_t *sizes = mo_pattern_sizes(matrix->pattern);
  const uint32_t *position = mo_pattern_position(matrix->pattern);
  uint32_t rows = sizes[position[i]], columns = sizes[position[j]];
  double *block = mo_block_at(matrix, i, j);
  uint32_t across = 1, down = MO_NODE_SIZE; // steps in the stored block
  if (!block) {
    block = mo_block_at(matrix, j, i);
    across = MO_NODE_SIZE;
    down = 1;
  }
  for (uint32_t r = 0; block && r < rows; r++) {
    for (uint32_t c = 0; c < columns; c++) {
      block[r * down + c * across] += values[(size_t)r * stride + c];
    }
  }
}
