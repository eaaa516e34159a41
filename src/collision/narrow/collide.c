#include "collision/narrow/manifold.h"

#include "collision/convex/gjk.h"
#include "collision/narrow/feature.h"
#include "collision/narrow/hull_manifold.h"
#include "collision/narrow/pairs.h"
#include "collision/narrow/tie_break.h"

// m: mo_collide says that shapes touch up to this gap, so that exact contact does not depend on
// round-off.
#define TOUCHING_GAP 1e-12
// m: the witnesses of mo_collide are the middle of the points that are deepest to this: round-off,
// much less than the noise that a manifold is reduced with, for the middle shall have the depth
// that is reported.
#define WITNESS_DEPTH 1e-9
// Cosine: two planes whose normals are less opposed than this cut each other.
#define OPPOSED 1e-12

// --- order -----------------------------------------------------------------------------------

// Two shapes are always collided in the same order, so that (B, A) gives to the bit what (A, B)
// gives. The order must not change while two bodies rest on each other: it goes by what the shapes
// are and, between equals, by their places along the direction of ties. Where equal shapes pass
// each other it does change in the end; feature ids survive that (swap_sides, mo_collide_hulls).
static int compare(double x, double y) { return (x > y) - (x < y); }

static bool comes_first(const mo_shape *a, const mo_transform *pose_a, const mo_shape *b,
                        const mo_transform *pose_b) {
  int order = (int)b->class->collider - (int)a->class->collider;
  if (order == 0 && a != b) {
    order = compare(a->volume, b->volume);
  }
  if (order == 0 && a->hull && b->hull) {
    order = compare((double)a->hull->vertex_count, (double)b->hull->vertex_count);
  }
  if (order == 0) {
    order = compare(mo_tie_break(mo_sub(pose_b->translation, pose_a->translation)), 0.0);
  }
  if (order == 0) {
    mo_mat3 p = pose_a->rotation, q = pose_b->rotation;
    order = compare(p.cx.x + 3.0 * p.cx.y + 5.0 * p.cy.z + 7.0 * p.cz.x,
                    q.cx.x + 3.0 * q.cx.y + 5.0 * q.cy.z + 7.0 * q.cz.x);
  }
  return order >= 0;
}

static void collide_hulls(const mo_shape_pair *pair, double *gap, mo_manifold *out) {
  double radius_a = pair->a->core.radius, radius_b = pair->b->core.radius;
  mo_collide_hulls(pair->a->hull, pair->placement_a, pair->b->hull, pair->placement_b,
                   pair->margin + (radius_a + radius_b), pair->cache, gap, out);
  mo_round_manifold(radius_a, radius_b, gap, out);
}

// Both are static.
static void collide_planes(const mo_shape_pair *pair, double *gap, mo_manifold *out) {
  (void)pair;
  (void)out;
  *gap = INFINITY;
}

// --- the table of pairs ----------------------------------------------------------------------

// By the colliders of A and of B, which is no lower. Others go by the support mappings.
static mo_collide_function *const pair_functions[MO_COLLIDERS][MO_COLLIDERS] = {
    [MO_COLLIDER_HULL] = {[MO_COLLIDER_HULL] = collide_hulls,
                          [MO_COLLIDER_CAPSULE] = mo_collide_hull_round,
                          [MO_COLLIDER_SPHERE] = mo_collide_hull_round,
                          [MO_COLLIDER_PLANE] = mo_collide_hull_plane},
    [MO_COLLIDER_CAPSULE] = {[MO_COLLIDER_CAPSULE] = mo_collide_capsules,
                             [MO_COLLIDER_SPHERE] = mo_collide_capsule_sphere,
                             [MO_COLLIDER_PLANE] = mo_collide_capsule_plane},
    [MO_COLLIDER_SPHERE] =
        {[MO_COLLIDER_SPHERE] = mo_collide_spheres, [MO_COLLIDER_PLANE] = mo_collide_sphere_plane},
    [MO_COLLIDER_CONVEX] = {[MO_COLLIDER_PLANE] = mo_collide_convex_plane},
    [MO_COLLIDER_PLANE] = {[MO_COLLIDER_PLANE] = collide_planes},
};

static void collide_ordered(const mo_shape_pair *pair, double *gap, mo_manifold *out) {
  mo_collide_function *collide = pair_functions[pair->a->class->collider][pair->b->class->collider];
  (collide ? collide : mo_collide_convex)(pair, gap, out);
}

static void swap_sides(mo_manifold *m) {
  m->normal = mo_neg(m->normal);
  for (int i = 0; i < m->point_count; i++) {
    mo_manifold_point *p = &m->points[i];
    *p = (mo_manifold_point){p->point_b, p->point_a, p->separation, mo_feature_swap(p->feature_id)};
  }
}

static double least_separation(const mo_manifold *m) {
  double least = m->points[0].separation;
  for (int i = 1; i < m->point_count; i++) {
    least = mo_min(least, m->points[i].separation);
  }
  return least;
}

// A sum is finite only if all of its terms are.
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
                     const mo_transform *placement_b, double margin, mo_collision_cache *cache,
                     double *gap, mo_manifold *out) {
  out->point_count = 0;
  *gap = margin;
  bool swap = !comes_first(a, placement_a, b, placement_b);
  if (cache->is_swapped != swap) {
    *cache = (mo_collision_cache){.is_swapped = swap};
  }
  if (swap) {
    collide_ordered(&(mo_shape_pair){b, a, placement_b, placement_a, margin, cache}, gap, out);
    swap_sides(out);
  } else {
    collide_ordered(&(mo_shape_pair){a, b, placement_a, placement_b, margin, cache}, gap, out);
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
                       mo_transform placement_b, double margin, mo_manifold *out) {
  mo_collision_cache cache = {0};
  double gap;
  mo_collide_pair(a, &placement_a, b, &placement_b, margin, &cache, &gap, out);
}

// --- the public functions --------------------------------------------------------------------

static mo_transform placement(mo_pose pose) {
  return (mo_transform){mo_quat_to_mat3(mo_quat_normalize(pose.orientation)), pose.position};
}

bool mo_collide(const mo_shape *a, mo_pose pose_a, const mo_shape *b, mo_pose pose_b,
                mo_collision *out) {
  mo_manifold m;
  mo_collide_shapes(a, placement(pose_a), b, placement(pose_b), TOUCHING_GAP, &m);
  if (m.point_count == 0) {
    return false;
  }
  double least = least_separation(&m);
  *out = (mo_collision){
      .normal = m.normal, .penetration_depth = mo_max(0.0, -least), .point_count = m.point_count};

  // Of a flat contact the middle of the points that are equally deep.
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

static mo_distance_result touching(mo_vec3 point) {
  return (mo_distance_result){.point_a = point, .point_b = point};
}

static mo_distance_result distance_of_planes(const mo_shape *a, mo_transform pose_a,
                                             const mo_shape *b, mo_transform pose_b) {
  mo_transform world = {mo_mat3_identity(), mo_v3_zero()};
  mo_placed_plane p = mo_plane_in_frame(&world, a, &pose_a),
                  q = mo_plane_in_frame(&world, b, &pose_b);
  mo_vec3 on_a = mo_scale(p.offset, p.normal);
  double gap = -p.offset - q.offset;
  if (mo_dot(p.normal, q.normal) > OPPOSED - 1.0 || !(gap > 0.0)) {
    return touching(on_a);
  }
  return (mo_distance_result){gap, on_a, mo_add_scaled(on_a, gap, p.normal), p.normal};
}

// The point of a rounded core that is furthest against a normal. All vertices of a hull are looked
// at: there is no vertex to begin a climb at.
static mo_vec3 lowest_point(const mo_convex *core, mo_vec3 normal) {
  mo_vec3 down = mo_neg(normal);
  uint32_t vertex = mo_convex_first_vertex(core);
  mo_vec3 lowest = core->hull ? core->hull->vertices[mo_hull_support_vertex(core->hull, down)]
                              : mo_convex_support(core, &vertex, down);
  return mo_add_scaled(lowest, -core->radius, normal);
}

// Distance of anything to a plane.
static mo_distance_result distance_to_plane(const mo_shape *a, mo_transform pose_a,
                                            const mo_shape *b, mo_transform pose_b) {
  mo_placed_plane plane = mo_plane_in_frame(&pose_a, b, &pose_b);
  mo_vec3 lowest = lowest_point(&a->core, plane.normal);
  double gap = mo_dot(plane.normal, lowest) - plane.offset;
  mo_vec3 on_plane = mo_transform_point(pose_a, mo_add_scaled(lowest, -gap, plane.normal));
  if (!(gap > 0.0)) {
    return touching(on_plane);
  }
  mo_vec3 normal = mo_neg(mo_mat3_mul(pose_a.rotation, plane.normal));
  return (mo_distance_result){gap, mo_transform_point(pose_a, lowest), on_plane, normal};
}

// Distance of all that is not a plane: of the cores, less the radii.
static mo_distance_result distance_of_cores(const mo_shape *a, mo_transform pose_a,
                                            const mo_shape *b, mo_transform pose_b) {
  mo_minkowski pair = mo_minkowski_create(&a->core, pose_a, &b->core, pose_b);
  double radius_a = a->core.radius, radius_b = b->core.radius;
  mo_gjk_result gjk = mo_gjk(&pair, INFINITY);
  double gap = gjk.distance - radius_a - radius_b;
  if (gjk.status == MO_GJK_OVERLAP || !(gap > 0.0)) {
    // Some point that is in both: up to half of the gap of the cores from A, within both radii.
    double reach = mo_min(radius_a, mo_max(0.5 * gjk.distance, gjk.distance - radius_b));
    return touching(mo_transform_point(pose_a, mo_add_scaled(gjk.point_a, reach, gjk.normal)));
  }
  mo_vec3 on_a = mo_add_scaled(gjk.point_a, radius_a, gjk.normal),
          on_b = mo_add_scaled(gjk.point_b, -radius_b, gjk.normal);
  return (mo_distance_result){gap, mo_transform_point(pose_a, on_a),
                              mo_transform_point(pose_a, on_b),
                              mo_mat3_mul(pose_a.rotation, gjk.normal)};
}

static mo_distance_result distance_ordered(const mo_shape *a, mo_transform pose_a,
                                           const mo_shape *b, mo_transform pose_b) {
  if (mo_shape_is_unbounded(a)) {
    return distance_of_planes(a, pose_a, b, pose_b);
  }
  return mo_shape_is_unbounded(b) ? distance_to_plane(a, pose_a, b, pose_b)
                                  : distance_of_cores(a, pose_a, b, pose_b);
}

mo_distance_result mo_distance(const mo_shape *a, mo_pose pose_a, const mo_shape *b,
                               mo_pose pose_b) {
  mo_transform x = placement(pose_a), y = placement(pose_b);
  if (comes_first(a, &x, b, &y)) {
    return distance_ordered(a, x, b, y);
  }
  mo_distance_result r = distance_ordered(b, y, a, x);
  return (mo_distance_result){r.distance, r.point_b, r.point_a, mo_neg(r.normal)};
}
