#include "collision/narrow/manifold.h"

#include "collision/convex/shape_order.h"
#include "collision/narrow/feature.h"
#include "collision/narrow/hull_manifold.h"
#include "collision/narrow/mesh_manifolds.h"
#include "collision/narrow/pairs.h"

// m: mo_collide counts shapes with a smaller gap as touching, so that exact contact does not depend
// on round-off.
#define TOUCHING_GAP 1e-12
// m: the witnesses of mo_collide are the mean of all points that are deepest to within this. It is
// round-off, far below the noise for which manifolds are reduced, because the mean must have the
// reported depth.
#define WITNESS_DEPTH 1e-9

// --- pairs that need no file of their own -----------------------------------------------------

static void collide_hulls(const mo_shape_pair *pair, double *gap, mo_manifold *out) {
  double radius_a = pair->a->core.radius, radius_b = pair->b->core.radius;
  mo_collide_hulls(pair->a->hull, pair->placement_a, pair->b->hull, pair->placement_b,
                   pair->margin + (radius_a + radius_b), radius_a + radius_b, pair->metre,
                   pair->cache, gap, out);
  mo_round_manifold(radius_a, radius_b, gap, out);
}

static double least_separation(const mo_manifold *m) {
  double least = m->points[0].separation;
  for (int i = 1; i < m->point_count; i++) {
    least = mo_min(least, m->points[i].separation);
  }
  return least;
}

// Of several manifolds the one with the deepest contact counts.
static void keep_deepest(const mo_manifold *one, mo_manifold *out) {
  if (one->point_count > 0 &&
      (out->point_count == 0 || least_separation(one) < least_separation(out))) {
    *out = *one;
  }
}

static void collide_mesh(const mo_shape_pair *pair, double *gap, mo_manifold *out) {
  mo_mesh_manifolds all;
  mo_collide_mesh(pair->a, pair->placement_a, pair->b, pair->placement_b, pair->margin, pair->metre,
                  &all);
  *gap = all.gap;
  for (int i = 0; i < all.count; i++) {
    keep_deepest(&all.manifolds[i], out);
  }
}

static void collide_compound(const mo_shape_pair *pair, double *gap, mo_manifold *out) {
  *gap = INFINITY;
  for (uint32_t i = 0; i < pair->b->part_count; i++) {
    const mo_placed_shape *part = &pair->b->parts[i];
    mo_transform at = mo_shape_part_placement(pair->placement_b, part);
    mo_collision_cache cache = {0};
    mo_manifold manifold;
    double own;
    mo_collide_pair(pair->a, pair->placement_a, part->shape, &at, pair->margin, pair->metre, &cache,
                    &own, &manifold);
    *gap = mo_min(*gap, own);
    keep_deepest(&manifold, out);
  }
}

// Both are static, or neither has an inside.
static void collide_planes(const mo_shape_pair *pair, double *gap, mo_manifold *out) {
  (void)pair;
  (void)out;
  *gap = INFINITY;
}

// --- the table of pairs ----------------------------------------------------------------------

// By the collider of A and that of B, which is not lower. Other pairs use the support mappings.
static mo_collide_function *const pair_functions[MO_COLLIDERS][MO_COLLIDERS] = {
    [MO_COLLIDER_HULL] = {[MO_COLLIDER_HULL] = collide_hulls,
                          [MO_COLLIDER_MESH] = collide_mesh,
                          [MO_COLLIDER_COMPOUND] = collide_compound,
                          [MO_COLLIDER_CAPSULE] = mo_collide_hull_round,
                          [MO_COLLIDER_SPHERE] = mo_collide_hull_round,
                          [MO_COLLIDER_PLANE] = mo_collide_hull_plane},
    [MO_COLLIDER_CAPSULE] = {[MO_COLLIDER_CAPSULE] = mo_collide_capsules,
                             [MO_COLLIDER_SPHERE] = mo_collide_capsule_sphere,
                             [MO_COLLIDER_MESH] = collide_mesh,
                             [MO_COLLIDER_COMPOUND] = collide_compound,
                             [MO_COLLIDER_PLANE] = mo_collide_capsule_plane},
    [MO_COLLIDER_SPHERE] = {[MO_COLLIDER_SPHERE] = mo_collide_spheres,
                            [MO_COLLIDER_MESH] = collide_mesh,
                            [MO_COLLIDER_COMPOUND] = collide_compound,
                            [MO_COLLIDER_PLANE] = mo_collide_sphere_plane},
    [MO_COLLIDER_CONVEX] = {[MO_COLLIDER_MESH] = collide_mesh,
                            [MO_COLLIDER_COMPOUND] = collide_compound,
                            [MO_COLLIDER_PLANE] = mo_collide_convex_plane},
    [MO_COLLIDER_PLANE] = {[MO_COLLIDER_PLANE] = collide_planes,
                           [MO_COLLIDER_MESH] = collide_planes,
                           [MO_COLLIDER_COMPOUND] = collide_compound},
    [MO_COLLIDER_MESH] =
        {[MO_COLLIDER_MESH] = collide_planes, [MO_COLLIDER_COMPOUND] = collide_compound},
    [MO_COLLIDER_COMPOUND] = {[MO_COLLIDER_COMPOUND] = collide_compound},
};

static void collide_ordered(const mo_shape_pair *pair, double *gap, mo_manifold *out) {
  mo_collide_function *collide = pair_functions[pair->a->class->collider][pair->b->class->collider];
  // Balls come in thousands: called by its name the function is inlined.
  if (collide == mo_collide_spheres) {
    mo_collide_spheres(pair, gap, out);
    return;
  }
  (collide ? collide : mo_collide_convex)(pair, gap, out);
}

static void swap_sides(mo_manifold *m) {
  m->normal = mo_neg(m->normal);
  for (int i = 0; i < m->point_count; i++) {
    mo_manifold_point *p = &m->points[i];
    *p = (mo_manifold_point){p->point_b, p->point_a, p->separation, mo_feature_swap(p->feature_id)};
  }
}

// Tests a sum, which is finite only if all of its terms are.
static bool is_finite(const mo_manifold *m) {
  double sum = m->normal.x + m->normal.y + m->normal.z;
  for (int i = 0; i < m->point_count; i++) {
    const mo_manifold_point *p = &m->points[i];
    sum += p->point_a.x + p->point_a.y + p->point_a.z + p->point_b.x + p->point_b.y + p->point_b.z +
           p->separation;
  }
  return mo_is_finite(sum);
}

void mo_collide_pair(const mo_shape *a, const mo_transform *placement_a, const mo_shape *b,
                     const mo_transform *placement_b, double margin, double metre,
                     mo_collision_cache *cache, double *gap, mo_manifold *out) {
  out->point_count = 0;
  *gap = margin;
  bool swap = !mo_shape_comes_first(a, placement_a, b, placement_b);
  if (cache->is_swapped != swap) {
    *cache = (mo_collision_cache){.is_swapped = swap};
  }
  if (swap) {
    collide_ordered(&(mo_shape_pair){b, a, placement_b, placement_a, margin, metre, cache}, gap,
                    out);
    swap_sides(out);
  } else {
    collide_ordered(&(mo_shape_pair){a, b, placement_a, placement_b, margin, metre, cache}, gap,
                    out);
  }
  // Poses that have overflowed collide with nothing.
  if (out->point_count > 0 && !is_finite(out)) {
    out->point_count = 0;
  }
  if (out->point_count > 0) {
    *gap = least_separation(out);
  } else if (!(*gap >= margin)) {
    *gap = margin;
  }
}

void mo_collide_shapes(const mo_shape *a, mo_transform placement_a, const mo_shape *b,
                       mo_transform placement_b, double margin, double metre, mo_manifold *out) {
  mo_collision_cache cache = {0};
  double gap;
  mo_collide_pair(a, &placement_a, b, &placement_b, margin, metre, &cache, &gap, out);
}

// --- the public function ----------------------------------------------------------------------

bool mo_collide(const mo_shape *a, mo_pose pose_a, const mo_shape *b, mo_pose pose_b,
                mo_collision *out) {
  mo_manifold m;
  mo_collide_shapes(a, mo_transform_from_given_pose(pose_a), b,
                    mo_transform_from_given_pose(pose_b), TOUCHING_GAP, 1.0, &m);
  if (m.point_count == 0) {
    return false;
  }
  double least = least_separation(&m);
  *out = (mo_collision){
      .normal = m.normal, .penetration_depth = mo_max(0.0, -least), .point_count = m.point_count};

  // For a flat contact, the mean of the points that are equally deep.
  int deepest_count = 0;
  for (int i = 0; i < m.point_count; i++) {
    const mo_manifold_point *p = &m.points[i];
    out->points[i].position = mo_lerp(p->point_a, p->point_b, 0.5);
    out->points[i].penetration_depth = mo_max(0.0, -p->separation);
    if (p->separation <= least + WITNESS_DEPTH) {
      deepest_count++;
      out->point_a = mo_lerp(out->point_a, p->point_a, 1.0 / deepest_count);
      out->point_b = mo_lerp(out->point_b, p->point_b, 1.0 / deepest_count);
    }
  }
  return true;
}
