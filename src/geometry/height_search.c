#include "geometry/height_search.h"

// Cells: a ray is followed this much further than it goes over a row, for the round-off of where
// that is.
#define CELL_SLACK 1e-6
// As much of the distance from the origin of the ray: 2^-53 is its round-off, of each of a few
// operations.
#define RELATIVE_SLACK 1e-14
// Components of a direction below this count as none: the inverse of a larger one is finite.
#define PARALLEL 1e-30

// --- triangles -------------------------------------------------------------------------------

// The box of a triangle of the cell in a row and a column.
static mo_bounds triangle_bounds(const mo_height_grid *grid, uint32_t row, uint32_t column,
                                 uint32_t half) {
  uint32_t here = row * grid->columns + column, below = here + grid->columns;
  double first = mo_height_y(grid, here), last = mo_height_y(grid, below + 1),
         between = mo_height_y(grid, half == 0 ? below : here + 1);
  return (mo_bounds){mo_v3(mo_height_column_x(grid, column), mo_min(between, mo_min(first, last)),
                           mo_height_row_z(grid, row)),
                     mo_v3(mo_height_column_x(grid, column + 1),
                           mo_max(between, mo_max(first, last)), mo_height_row_z(grid, row + 1))};
}

// Whether a triangle has no area, as beside a step of which nothing but the height is left. Beyond
// its three edges there is nothing then.
static bool is_missing(const mo_mesh *mesh, uint32_t triangle) {
  for (int k = 0; k < 3; k++) {
    if (mo_mesh_edge_kind(mesh, triangle, k) != MO_EDGE_BORDER) {
      return false;
    }
  }
  mo_triangle t = mo_mesh_triangle(mesh, triangle);
  return mo_length_squared(mo_triangle_normal(&t)) == 0.0;
}

static uint32_t first_triangle(const mo_height_grid *grid, uint32_t row, uint32_t column) {
  return 2 * (row * mo_height_cell_columns(grid) + column);
}

static bool call(const mo_mesh *mesh, uint32_t triangle, mo_triangle_function *function,
                 void *user) {
  return is_missing(mesh, triangle) || function(user, triangle);
}

// --- boxes -----------------------------------------------------------------------------------

static bool are_apart(const mo_bounds *a, const mo_bounds *b) {
  return a->lower.x > b->upper.x || a->lower.y > b->upper.y || a->lower.z > b->upper.z ||
         b->lower.x > a->upper.x || b->lower.y > a->upper.y || b->lower.z > a->upper.z;
}

static bool search_cell(const mo_mesh *mesh, uint32_t row, uint32_t column, const mo_bounds *box,
                        mo_triangle_function *function, void *user) {
  uint32_t first = first_triangle(&mesh->grid, row, column);
  for (uint32_t half = 0; half < 2; half++) {
    mo_bounds bounds = triangle_bounds(&mesh->grid, row, column, half);
    if (!are_apart(&bounds, box) && !call(mesh, first + half, function, user)) {
      return false;
    }
  }
  return true;
}

bool mo_height_search_block(const mo_mesh *mesh, uint32_t block, const mo_bounds *box,
                            mo_triangle_function *function, void *user) {
  mo_height_block at = mo_height_block_at(&mesh->grid, block);
  for (uint32_t row = at.row; row < at.end_row; row++) {
    for (uint32_t column = at.column; column < at.end_column; column++) {
      if (!search_cell(mesh, row, column, box, function, user)) {
        return false;
      }
    }
  }
  return true;
}

// --- rays ------------------------------------------------------------------------------------

// A stretch of a ray, m along it; empty if it leaves before it enters.
typedef struct stretch {
  double enter, leave;
} stretch;

// What of a stretch lies between two planes across an axis.
static stretch between(stretch s, double origin, double direction, double lower, double upper) {
  if (fabs(direction) < PARALLEL) {
    bool is_outside = origin < lower || origin > upper;
    return is_outside ? (stretch){0.0, -1.0} : s;
  }
  double first = (lower - origin) / direction, second = (upper - origin) / direction;
  return (stretch){mo_max(s.enter, mo_min(first, second)), mo_min(s.leave, mo_max(first, second))};
}

static double place_along(double origin, double direction, double distance) {
  return fabs(direction) < PARALLEL ? origin : origin + distance * direction;
}

// The columns of cells over which a stretch goes, from those of a block.
static void columns_over(const mo_height_grid *grid, const mo_local_ray *ray, stretch s,
                         uint32_t *column, uint32_t *end) {
  double left = mo_height_column_x(grid, 0), from = ray->origin.x, along = ray->direction.x;
  double one = (place_along(from, along, s.enter) - left) / grid->scale.x;
  double other = (place_along(from, along, s.leave) - left) / grid->scale.x;
  double slack = CELL_SLACK + RELATIVE_SLACK * (fabs(from) + s.leave) / grid->scale.x;
  double lowest = floor(mo_min(one, other) - slack), highest = floor(mo_max(one, other) + slack);
  *column = lowest > *column ? (uint32_t)mo_min(lowest, *end) : *column;
  *end = highest < *column ? *column : highest + 1.0 < *end ? (uint32_t)highest + 1 : *end;
}

static bool search_row(const mo_mesh *mesh, uint32_t row, uint32_t column, uint32_t end,
                       mo_triangle_function *function, void *user) {
  uint32_t first = first_triangle(&mesh->grid, row, column);
  uint32_t last = first_triangle(&mesh->grid, row, end);
  for (uint32_t triangle = first; triangle < last; triangle++) {
    if (!call(mesh, triangle, function, user)) {
      return false;
    }
  }
  return true;
}

bool mo_height_search_along(const mo_mesh *mesh, uint32_t block, const mo_local_ray *ray,
                            double reach, mo_triangle_function *function, void *user) {
  const mo_height_grid *grid = &mesh->grid;
  mo_height_block at = mo_height_block_at(grid, block);
  mo_vec3 o = ray->origin, d = ray->direction;
  double slack_x = CELL_SLACK * grid->scale.x, slack_z = CELL_SLACK * grid->scale.z;
  double left = mo_height_column_x(grid, at.column) - slack_x;
  double right = mo_height_column_x(grid, at.end_column) + slack_x;
  stretch over = between((stretch){0.0, reach}, o.x, d.x, left, right);
  for (uint32_t row = at.row; row < at.end_row; row++) {
    stretch s = between(over, o.z, d.z, mo_height_row_z(grid, row) - slack_z,
                        mo_height_row_z(grid, row + 1) + slack_z);
    uint32_t column = at.column, end = at.end_column;
    if (s.enter <= s.leave) {
      columns_over(grid, ray, s, &column, &end);
      if (!search_row(mesh, row, column, end, function, user)) {
        return false;
      }
    }
  }
  return true;
}

// --- the neighbourhood of a box ----------------------------------------------------------------

static double distance_between(const mo_bounds *a, const mo_bounds *b) {
  mo_vec3 below = mo_sub(a->lower, b->upper), above = mo_sub(b->lower, a->upper);
  return mo_length(mo_v3_max(mo_v3_zero(), mo_v3_max(below, above)));
}

double mo_height_search_near(const mo_mesh *mesh, uint32_t block, const mo_bounds *box,
                             double reach, mo_near_triangle_function *function, void *user) {
  const mo_height_grid *grid = &mesh->grid;
  mo_height_block at = mo_height_block_at(grid, block);
  for (uint32_t row = at.row; row < at.end_row; row++) {
    for (uint32_t column = at.column; column < at.end_column; column++) {
      for (uint32_t half = 0; half < 2; half++) {
        mo_bounds bounds = triangle_bounds(grid, row, column, half);
        uint32_t triangle = first_triangle(grid, row, column) + half;
        if (distance_between(&bounds, box) <= reach && !is_missing(mesh, triangle)) {
          reach = function(user, triangle, reach);
        }
      }
    }
  }
  return reach;
}
