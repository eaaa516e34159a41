#include "geometry/height_grid.h"

mo_bounds mo_height_block_bounds(const mo_height_grid *grid, uint32_t block) {
  mo_height_block at = mo_height_block_at(grid, block);
  double lowest = INFINITY, highest = -INFINITY;
  for (uint32_t row = at.row; row <= at.end_row; row++) {
    for (uint32_t column = at.column; column <= at.end_column; column++) {
      double y = mo_height_y(grid, row * grid->columns + column);
      lowest = mo_min(lowest, y);
      highest = mo_max(highest, y);
    }
  }
  return (mo_bounds){
      mo_v3(mo_height_column_x(grid, at.column), lowest, mo_height_row_z(grid, at.row)),
      mo_v3(mo_height_column_x(grid, at.end_column), highest, mo_height_row_z(grid, at.end_row))};
}
