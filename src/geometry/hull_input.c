#include "geometry/hull_input.h"

#include "memory/allocator.h"

#include <string.h>

// For points scaled to size 1: points closer than this to a point, line or plane lie in it. Qhull's
// arithmetic has errors of some 1e-15; in a thinner body neither Qhull nor collision could tell the
// two sides apart.
static const double RANK_TOLERANCE = 1e-12;

// Units in the last place by which a distance may be wrong. Each is half an epsilon of the largest
// coordinate, for the three coordinates of the points that define a plane and of the point that is
// compared with it.
static const double ROUND_OFF_UNITS = 8.0;
static const double DOUBLE_EPSILON = 0x1p-52;
static const double SINGLE_EPSILON = 0x1p-23;

// m: the squares and cubes of sizes between this and its inverse are finite and not zero.
static const double SMALLEST_SIZE = 1e-90;
static const double LARGEST_SIZE = 1e90;

// The most points: Qhull counts in int and has several facets per point, and so do the half-edges
// here in uint32_t.
static const size_t MOST_POINTS = 100000000u;

// The shift is rounded to this fraction of the size. Differences to a round number are exact for
// coordinates with few digits, so flat parts stay flat.
static const double SHIFT_GRAIN = 1.0 / 16.0;

// --- size ------------------------------------------------------------------------------------

typedef struct extent {
  mo_vec3 lower, upper;
  double largest_coordinate;
  bool is_single; // all coordinates are single-precision numbers
} extent;

static bool is_single_precision(double x) { return fabs(x) < 1e38 && (double)(float)x == x; }

static bool measure_extent(const mo_vec3 *points, size_t count, extent *out) {
  *out = (extent){points[0], points[0], 0.0, true};
  for (size_t i = 0; i < count; i++) {
    mo_vec3 p = points[i];
    if (!mo_v3_is_finite(p)) {
      return false;
    }
    out->lower = mo_v3_min(out->lower, p);
    out->upper = mo_v3_max(out->upper, p);
    out->is_single = out->is_single && is_single_precision(p.x) && is_single_precision(p.y) &&
                     is_single_precision(p.z);
  }
  out->largest_coordinate = mo_max(mo_v3_max_component(mo_v3_abs(out->lower)),
                                   mo_v3_max_component(mo_v3_abs(out->upper)));
  return true;
}

// The power of two in (1 / (2 size), 1 / size].
static double power_of_two_below_inverse(double size) {
  double scale = 1.0;
  while (size * scale > 1.0) {
    scale *= 0.5;
  }
  while (size * scale <= 0.5) {
    scale *= 2.0;
  }
  return scale;
}

static double round_to_grain(double x, double grain) { return floor(x / grain + 0.5) * grain; }

// --- duplicates ------------------------------------------------------------------------------

static uint64_t hash_point(mo_vec3 p) {
  double coordinates[3] = {p.x + 0.0, p.y + 0.0, p.z + 0.0}; // -0 becomes +0
  uint64_t hash = 0;
  for (int k = 0; k < 3; k++) {
    uint64_t bits;
    memcpy(&bits, &coordinates[k], sizeof bits);
    // a product with an odd number spreads bits upwards, and the shift moves them down again
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  return hash;
}

// Adds the scaled points one by one, without duplicates. It uses open addressing in `table`, which
// holds index + 1 into input->points, or 0.
static void collect_distinct(const mo_vec3 *points, size_t count, uint32_t *table,
                             size_t table_mask, mo_hull_input *input) {
  for (size_t i = 0; i < count; i++) {
    mo_vec3 p = mo_scale(input->scale, mo_sub(points[i], input->shift));
    size_t slot = (size_t)hash_point(p) & table_mask;
    while (table[slot] && !mo_v3_equal(input->points[table[slot] - 1], p)) {
      slot = (slot + 1) & table_mask;
    }
    if (!table[slot]) {
      input->points[input->count] = p;
      input->indices[input->count] = (uint32_t)i;
      table[slot] = ++input->count;
    }
  }
}

static mo_result store_distinct(const mo_vec3 *points, size_t count, mo_hull_input *input) {
  size_t table_size = 16;
  while (table_size < 2 * count) {
    table_size *= 2;
  }
  uint32_t *table = mo_allocate(table_size * sizeof *table);
  input->points = mo_allocate(count * sizeof *input->points);
  input->indices = mo_allocate(count * sizeof *input->indices);
  mo_result result = MO_ERROR_OUT_OF_MEMORY;
  if (table && input->points && input->indices) {
    collect_distinct(points, count, table, table_size - 1, input);
    result = MO_OK;
  }
  mo_release(table);
  return result;
}

// The cell of a grid, as whole numbers.
static mo_vec3 cell_of(mo_vec3 p, double inverse_width) {
  return mo_v3(floor(p.x * inverse_width), floor(p.y * inverse_width), floor(p.z * inverse_width));
}

typedef struct weld_grid {
  const mo_hull_input *input;
  double distance, inverse_width;
  uint32_t *table; // index + 1 of a chosen point, hashed by its cell
  size_t mask;
} weld_grid;

// Whether an already chosen point is near `p`. Cells are as wide as the distance, so it can only be
// in the neighbouring ones.
static bool has_neighbour(const weld_grid *grid, mo_vec3 p) {
  mo_vec3 cell = cell_of(p, grid->inverse_width);
  for (int around = 0; around < 27; around++) {
    int x = around % 3 - 1, y = around / 3 % 3 - 1, z = around / 9 - 1;
    mo_vec3 at = mo_add(cell, mo_v3(x, y, z));
    for (size_t slot = (size_t)hash_point(at) & grid->mask; grid->table[slot];
         slot = (slot + 1) & grid->mask) {
      mo_vec3 apart = mo_v3_abs(mo_sub(grid->input->points[grid->table[slot] - 1], p));
      if (mo_v3_max_component(apart) <= grid->distance) {
        return true;
      }
    }
  }
  return false;
}

mo_result mo_hull_input_weld(const mo_hull_input *input, double distance, uint32_t *chosen,
                             uint32_t *count) {
  size_t table_size = 16;
  while (table_size < 2 * (size_t)input->count) {
    table_size *= 2;
  }
  weld_grid grid = {input, distance, 1.0 / distance, mo_allocate(table_size * sizeof(uint32_t)),
                    table_size - 1};
  if (!grid.table) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  *count = 0;
  for (uint32_t i = 0; i < input->count; i++) {
    if (has_neighbour(&grid, input->points[i])) {
      continue;
    }
    size_t slot = (size_t)hash_point(cell_of(input->points[i], grid.inverse_width)) & grid.mask;
    while (grid.table[slot]) {
      slot = (slot + 1) & grid.mask;
    }
    grid.table[slot] = i + 1;
    chosen[(*count)++] = i;
  }
  mo_release(grid.table);
  return MO_OK;
}

// --- rank ------------------------------------------------------------------------------------

// The vector from the first point to the one with the largest |cross(direction, vector)|; without a
// direction, to the farthest point.
static mo_vec3 farthest(const mo_hull_input *input, const mo_vec3 *direction, double *distance) {
  mo_vec3 best = mo_v3_zero();
  *distance = 0.0;
  for (uint32_t i = 1; i < input->count; i++) {
    mo_vec3 vector = mo_sub(input->points[i], input->points[0]);
    double reach = mo_length(direction ? mo_cross(*direction, vector) : vector);
    if (reach > *distance) {
      *distance = reach;
      best = vector;
    }
  }
  return best;
}

static mo_result test_rank(const mo_hull_input *input) {
  double tolerance = RANK_TOLERANCE + input->round_off;
  double distance;
  mo_vec3 direction = mo_normalize(farthest(input, NULL, &distance));
  if (distance <= tolerance) {
    return MO_ERROR_HULL_ALL_EQUAL;
  }
  mo_vec3 sideways = farthest(input, &direction, &distance);
  if (distance <= tolerance) {
    return MO_ERROR_HULL_COLLINEAR;
  }
  mo_vec3 normal = mo_normalize(mo_cross(direction, sideways));
  double height = 0.0;
  for (uint32_t i = 1; i < input->count; i++) {
    height = mo_max(height, fabs(mo_dot(normal, mo_sub(input->points[i], input->points[0]))));
  }
  return height <= tolerance ? MO_ERROR_HULL_COPLANAR : MO_OK;
}

// --- preparation -----------------------------------------------------------------------------

// Chooses shift and scale. Returns MO_OK, or the code of what is wrong with the size.
static mo_result choose_frame(const extent *e, mo_hull_input *input) {
  // halves first, because a difference of two huge numbers may overflow
  mo_vec3 half = mo_sub(mo_scale(0.5, e->upper), mo_scale(0.5, e->lower));
  double size = 2.0 * mo_v3_max_component(half);
  if (!(size < LARGEST_SIZE) || !(e->largest_coordinate < LARGEST_SIZE)) {
    return MO_ERROR_HULL_NOT_FINITE;
  }
  if (size < SMALLEST_SIZE || size <= ROUND_OFF_UNITS * DOUBLE_EPSILON * e->largest_coordinate) {
    return MO_ERROR_HULL_ALL_EQUAL;
  }
  input->scale = power_of_two_below_inverse(size);
  double grain = SHIFT_GRAIN / input->scale;
  mo_vec3 center = mo_add(e->lower, half);
  input->shift = mo_v3(round_to_grain(center.x, grain), round_to_grain(center.y, grain),
                       round_to_grain(center.z, grain));
  double coordinate = e->largest_coordinate * input->scale;
  input->round_off = ROUND_OFF_UNITS * DOUBLE_EPSILON * coordinate;
  input->single_round_off =
      e->is_single ? ROUND_OFF_UNITS * SINGLE_EPSILON * coordinate : input->round_off;
  return MO_OK;
}

mo_result mo_hull_input_prepare(const mo_vec3 *points, size_t count, mo_hull_input *input) {
  *input = (mo_hull_input){0};
  if (count == 0) {
    return MO_ERROR_HULL_EMPTY;
  }
  if (count < 4) {
    return MO_ERROR_HULL_TOO_FEW_POINTS;
  }
  if (count > MOST_POINTS) {
    return MO_ERROR_CAPACITY;
  }
  extent e;
  if (!measure_extent(points, count, &e)) {
    return MO_ERROR_HULL_NOT_FINITE;
  }
  mo_result result = choose_frame(&e, input);
  if (result == MO_OK) {
    result = store_distinct(points, count, input);
  }
  if (result == MO_OK) {
    result = test_rank(input);
  }
  if (result != MO_OK) {
    mo_hull_input_free(input);
  }
  return result;
}

void mo_hull_input_free(mo_hull_input *input) {
  mo_release(input->points);
  mo_release(input->indices);
  *input = (mo_hull_input){0};
}
