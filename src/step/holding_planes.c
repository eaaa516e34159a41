#include "step/holding_planes.h"

#include "math/scalar.h"

// Rounds of projections onto the planes. Those of a corner at right angles need one.
#define ROUNDS 16

static bool precedes(const mo_holding_plane *a, const mo_holding_plane *b) {
  double x[4] = {b->excess, a->normal.x, a->normal.y, a->normal.z};
  double y[4] = {a->excess, b->normal.x, b->normal.y, b->normal.z};
  int i = 0;
  while (i < 3 && x[i] == y[i]) {
    i++;
  }
  return x[i] < y[i];
}

void mo_holding_planes_add(mo_holding_planes *all, mo_vec3 normal, double excess) {
  if (all->count++ >= MO_HOLDING_PLANES) {
    return;
  }
  mo_holding_plane plane = {normal, excess};
  uint32_t i = all->count - 1;
  for (; i > 0 && precedes(&plane, &all->planes[i - 1]); i--) {
    all->planes[i] = all->planes[i - 1];
  }
  all->planes[i] = plane;
}

// How far behind a plane the path ends with a displacement, m.
static double excess_with(const mo_holding_plane *plane, mo_vec3 displacement) {
  return plane->excess + mo_dot(plane->normal, displacement);
}

static double most_excess(const mo_holding_planes *all, mo_vec3 displacement) {
  double most = 0.0;
  for (uint32_t i = 0; i < all->count; i++) {
    most = mo_max(most, excess_with(&all->planes[i], displacement));
  }
  return most;
}

bool mo_holding_planes_find(const mo_holding_planes *all, double tolerance, mo_vec3 *displacement) {
  mo_vec3 by = mo_v3_zero();
  if (all->count > MO_HOLDING_PLANES) {
    return false;
  }
  for (int round = 0; round < ROUNDS && most_excess(all, by) > tolerance; round++) {
    for (uint32_t i = 0; i < all->count; i++) {
      double excess = mo_max(0.0, excess_with(&all->planes[i], by));
      by = mo_add_scaled(by, -excess, all->planes[i].normal);
    }
  }
  *displacement = by;
  return most_excess(all, by) <= tolerance;
}
