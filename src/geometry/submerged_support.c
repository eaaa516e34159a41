/// Parts of convex shapes that are known by their support mapping alone: those of a polyhedron with
/// its vertices on their surface, one for each direction of a divided octahedron.
#include "geometry/submerged_parts.h"

// Parts into which the edges of the octahedron are divided. Neighbouring directions are at most 9
// degrees apart, and the chord over 9 degrees is within 0.3 % of the radius of its arc.
#define DIVISIONS 16

typedef struct mapped_row {
  mo_vec3 points[DIVISIONS + 1];
} mapped_row;

// Sums over the part, and over the whole polyhedron.
typedef struct both_sums {
  mo_solid_sum part, whole;
} both_sums;

static mo_vec3 surface_point(const mo_convex *core, uint32_t *vertex, mo_vec3 direction) {
  mo_vec3 unit = mo_normalize(direction);
  return mo_add_scaled(mo_convex_support(core, vertex, unit), core->radius, unit);
}

// Row `i` of an octant, from its pole: i + 1 points.
static void map_row(const mo_convex *core, const double signs[3], int i, mapped_row *row) {
  uint32_t vertex = mo_convex_first_vertex(core);
  for (int j = 0; j <= i; j++) {
    mo_vec3 direction = mo_v3(signs[0] * (i - j), signs[1] * (DIVISIONS - i), signs[2] * j);
    row->points[j] = surface_point(core, &vertex, direction);
  }
}

static void add_triangle(both_sums *sums, mo_vec3 normal, bool is_turned, mo_vec3 a, mo_vec3 b,
                         mo_vec3 c) {
  const mo_vec3 corners[3] = {a, is_turned ? c : b, is_turned ? b : c};
  double heights[3];
  for (int k = 0; k < 3; k++) {
    heights[k] = mo_dot(normal, mo_sub(corners[k], sums->part.tip));
  }
  mo_solid_sum_add_clipped(&sums->part, corners, heights);
  mo_solid_sum_add(&sums->whole, corners[0], corners[1], corners[2]);
}

static void add_octant(const mo_convex *core, mo_vec3 normal, int octant, both_sums *sums) {
  const double signs[3] = {octant & 1 ? -1.0 : 1.0, octant & 2 ? -1.0 : 1.0,
                           octant & 4 ? -1.0 : 1.0};
  bool is_turned = signs[0] * signs[1] * signs[2] > 0.0;
  mapped_row above, row;
  map_row(core, signs, 0, &above);
  for (int i = 1; i <= DIVISIONS; i++) {
    map_row(core, signs, i, &row);
    for (int j = 0; j < i; j++) {
      add_triangle(sums, normal, is_turned, above.points[j], row.points[j], row.points[j + 1]);
      if (j + 1 < i) {
        add_triangle(sums, normal, is_turned, above.points[j], row.points[j + 1],
                     above.points[j + 1]);
      }
    }
    above = row;
  }
}

mo_submerged mo_submerged_support(const mo_shape *shape, mo_vec3 normal, double offset) {
  double above = mo_dot(normal, shape->centroid) - offset;
  mo_vec3 tip = mo_add_scaled(shape->centroid, -above, normal);
  both_sums sums = {{.tip = tip}, {.tip = tip}};
  for (int octant = 0; octant < 8; octant++) {
    add_octant(&shape->core, normal, octant, &sums);
  }
  mo_submerged part = mo_solid_sum_part(&sums.part);
  if (sums.whole.volume > 0.0) {
    part.volume *= shape->volume / (sums.whole.volume / 6.0);
  }
  return part;
}
