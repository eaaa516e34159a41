#include "collision/narrow/support_polygon.h"

// Tangent of the angle by which directions are inclined, 0.6 degrees. A flat side is recognised if
// it is tilted by less, as sides at rest are. On a round side the points are at most this fraction
// of its radius apart.
#define INCLINATION 0.01
// Relative to the size of the core: closer support points count as one.
#define MERGE_DISTANCE (2.0 * INCLINATION)

static bool is_new(const mo_support_polygon *polygon, mo_vec3 point, double distance) {
  for (int i = 0; i < polygon->count; i++) {
    if (!(mo_distance_between(polygon->points[i], point) > distance)) {
      return false;
    }
  }
  return true;
}

mo_support_polygon mo_find_support_polygon(const mo_convex *core, mo_vec3 direction) {
  // Cosines of eighths of a turn. Shifted by two eighths they are the sines.
  static const double circle[MO_SUPPORT_POINTS] = {
      1.0,  0.70710678118654757,  0.0, -0.70710678118654757,
      -1.0, -0.70710678118654757, 0.0, 0.70710678118654757};
  uint32_t vertex = mo_convex_first_vertex(core);
  mo_support_polygon polygon = {.deepest = mo_convex_support(core, &vertex, direction)};
  mo_vec3 t1, t2;
  mo_tangent_basis(direction, &t1, &t2);
  for (uint32_t i = 0; i < MO_SUPPORT_POINTS; i++) {
    double x = INCLINATION * circle[i], y = INCLINATION * circle[(i + 6) % MO_SUPPORT_POINTS];
    mo_vec3 inclined = mo_add_scaled(mo_add_scaled(direction, x, t1), y, t2);
    mo_vec3 point = mo_convex_support(core, &vertex, inclined);
    if (is_new(&polygon, point, MERGE_DISTANCE * core->scale)) {
      polygon.names[polygon.count] = i;
      polygon.points[polygon.count++] = point;
    }
  }
  if (polygon.count == 1) {
    polygon.points[0] = polygon.deepest;
  }
  return polygon;
}
