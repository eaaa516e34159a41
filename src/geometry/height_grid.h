/// The samples of a height field, and what follows from them: vertices and triangles are computed
/// where they are needed, so that a field of a million cells takes its heights and little more.
///
/// Triangles 2 c and 2 c + 1 are those of cell c. Searches find cells in square blocks: the items
/// of the tree of such a mesh.
#pragma once

#include "geometry/bounds.h"
#include "moreau.h"

#include <assert.h>
#include <stdint.h>

/// Cells along a side of a block. Larger ones make the tree smaller and searches look at more
/// cells.
#define MO_HEIGHT_BLOCK 4

typedef struct mo_height_grid {
  double *heights; ///< row by row; null: no height field
  uint32_t rows, columns;
  mo_vec3 scale; ///< m per column, per unit of height and per row
} mo_height_grid;

static inline uint32_t mo_height_cell_columns(const mo_height_grid *grid) {
  return grid->columns - 1;
}
static inline uint32_t mo_height_cell_count(const mo_height_grid *grid) {
  return (grid->rows - 1) * (grid->columns - 1);
}

static inline double mo_height_column_x(const mo_height_grid *grid, uint32_t column) {
  return (column - 0.5 * (grid->columns - 1)) * grid->scale.x;
}
static inline double mo_height_row_z(const mo_height_grid *grid, uint32_t row) {
  return (row - 0.5 * (grid->rows - 1)) * grid->scale.z;
}
/// m: the height of a vertex.
static inline double mo_height_y(const mo_height_grid *grid, uint32_t vertex) {
  return grid->heights[vertex] * grid->scale.y;
}
static inline mo_vec3 mo_height_vertex(const mo_height_grid *grid, uint32_t vertex) {
  assert(grid->columns >= 2); // a shape has a cell at least
  uint32_t row = vertex / grid->columns;
  return mo_v3(mo_height_column_x(grid, vertex - row * grid->columns), mo_height_y(grid, vertex),
               mo_height_row_z(grid, row));
}

/// The vertices of a triangle, with its front along y.
static inline void mo_height_corners(const mo_height_grid *grid, uint32_t triangle,
                                     uint32_t corners[3]) {
  uint32_t cell = triangle / 2, row = cell / mo_height_cell_columns(grid);
  uint32_t here = cell + row, below = here + grid->columns; // a row has one more vertex than cells
  corners[0] = here;
  corners[1] = triangle % 2 == 0 ? below : below + 1;
  corners[2] = triangle % 2 == 0 ? below + 1 : here + 1;
}
/// Where they are: as mo_height_vertex says, with one division in place of four.
static inline void mo_height_triangle(const mo_height_grid *grid, uint32_t triangle,
                                      mo_vec3 corners[3]) {
  uint32_t cell = triangle / 2, row = cell / mo_height_cell_columns(grid);
  uint32_t here = cell + row, below = here + grid->columns;
  uint32_t column = here - row * grid->columns;
  double left = mo_height_column_x(grid, column), right = mo_height_column_x(grid, column + 1);
  double near = mo_height_row_z(grid, row), far = mo_height_row_z(grid, row + 1);
  bool is_first = triangle % 2 == 0;
  corners[0] = mo_v3(left, mo_height_y(grid, here), near);
  corners[1] = mo_v3(is_first ? left : right, mo_height_y(grid, is_first ? below : below + 1), far);
  corners[2] =
      mo_v3(right, mo_height_y(grid, is_first ? below + 1 : here + 1), is_first ? far : near);
}

/// The cells of a block, up to those before `end`.
typedef struct mo_height_block {
  uint32_t row, column, end_row, end_column;
} mo_height_block;

static inline uint32_t mo_height_blocks_along(uint32_t cells) {
  return (cells + MO_HEIGHT_BLOCK - 1) / MO_HEIGHT_BLOCK;
}
static inline uint32_t mo_height_block_count(const mo_height_grid *grid) {
  return mo_height_blocks_along(grid->rows - 1) * mo_height_blocks_along(grid->columns - 1);
}
static inline mo_height_block mo_height_block_at(const mo_height_grid *grid, uint32_t block) {
  uint32_t across = mo_height_blocks_along(grid->columns - 1);
  uint32_t row = block / across * MO_HEIGHT_BLOCK, column = block % across * MO_HEIGHT_BLOCK;
  uint32_t rows_left = grid->rows - 1 - row, columns_left = grid->columns - 1 - column;
  return (mo_height_block){
      row, column, row + (rows_left < MO_HEIGHT_BLOCK ? rows_left : MO_HEIGHT_BLOCK),
      column + (columns_left < MO_HEIGHT_BLOCK ? columns_left : MO_HEIGHT_BLOCK)};
}
/// Of all triangles of a block.
mo_bounds mo_height_block_bounds(const mo_height_grid *grid, uint32_t block);
