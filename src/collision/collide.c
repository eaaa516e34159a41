#include "collision/manifold.h"

#include "collision/feature.h"
#include "collision/gjk.h"
#include "collision/hull_manifold.h"
#include "collision/manifold_reduction.h"
#include "collision/tie_break.h"

// m: mo_collide says that shapes touch up to this gap, so that exact contact does not depend on
// round-off.
#define TOUCHING_GAP 1e-12
// m: the witnesses of mo_collide are the middle of the points that are deepest to this: round-off,
// much less than the noise that a manifold is reduced with, for the middle shall have the depth
// that is reported.
#define WITNESS_DEPTH 1e-9
// Cosine: two planes whose normals are less opposed than this cut each other.
#define OPPOSED 1e-12

// --- spheres ---------------------------------------------------------------------------------

// Sets the one contact of a round shape from the points where the line of least distance meets both
// surfaces.
static void set_round_contact(mo_manifold *out, mo_vec3 normal, mo_vec3 point_a, mo_vec3 point_b,
                              double separation) {
  out->normal = normal;
  out->point_count = 1;
  out->points[0] = (mo_manifold_point){point_a, point_b, separation, MO_FEATURE_ROUND};
}

static void collide_spheres(const mo_shape *a, mo_transform pose_a, const mo_shape *b,
                            mo_transform pose_b, double margin, mo_manifold *out) {
  mo_vec3 d = mo_sub(pose_b.translation, pose_a.translation);
  double length = mo_length(d), separation = length - a->radius - b->radius;
  if (!(separation < margin)) {
    return;
  }
  // Of two balls with one centre any direction is least; y by convention.
  mo_vec3 normal = length > 0.0 ? mo_scale(1.0 / length, d) : mo_v3(0.0, 1.0, 0.0);
  set_round_contact(out, normal, mo_add_scaled(pose_a.translation, a->radius, normal),
                    mo_add_scaled(pose_b.translation, -b->radius, normal), separation);
}

static void collide_hull_sphere(const mo_shape *a, mo_transform pose_a, const mo_shape *b,
                                mo_transform pose_b, double margin, mo_manifold *out) {
  mo_minkowski pair = mo_minkowski_create(a->hull, pose_a, NULL, pose_b);
  mo_gjk_result gjk = mo_gjk(&pair, margin + b->radius);
  mo_vec3 centre = pair.b_in_a.translation, normal = gjk.normal, on_hull = gjk.point_a;
  double distance = gjk.distance;
  if (gjk.status == MO_GJK_OVERLAP) {
    // The centre is inside: the nearest face is the shortest way out.
    normal = a->hull->faces[mo_hull_nearest_face(a->hull, centre, &distance)].normal;
    on_hull = mo_add_scaled(centre, -distance, normal);
  }
  double separation = distance - b->radius;
  if (gjk.status == MO_GJK_BEYOND || !(separation < margin)) {
    return;
  }
  mo_vec3 on_sphere = mo_add_scaled(centre, -b->radius, normal);
  set_round_contact(out, mo_mat3_mul(pose_a.rotation, normal), mo_transform_point(pose_a, on_hull),
                    mo_transform_point(pose_a, on_sphere), separation);
}

// --- planes ----------------------------------------------------------------------------------

// A plane in the frame of another shape.
typedef struct placed_plane {
  mo_vec3 normal;
  double offset;
} placed_plane;

static placed_plane plane_in(mo_transform frame, const mo_shape *plane, mo_transform pose) {
  mo_vec3 normal = mo_mat3_mul(pose.rotation, plane->normal);
  double offset = plane->offset + mo_dot(normal, mo_sub(pose.translation, frame.translation));
  return (placed_plane){mo_mat3_mul_transposed(frame.rotation, normal), offset};
}

static void collide_sphere_plane(const mo_shape *a, mo_transform pose_a, const mo_shape *b,
                                 mo_transform pose_b, double margin, mo_manifold *out) {
  placed_plane plane = plane_in((mo_transform){mo_mat3_identity(), pose_a.translation}, b, pose_b);
  double separation = -plane.offset - a->radius;
  if (!(separation < margin)) {
    return;
  }
  mo_vec3 on_sphere = mo_add_scaled(pose_a.translation, -a->radius, plane.normal);
  mo_vec3 on_plane = mo_add_scaled(pose_a.translation, plane.offset, plane.normal);
  set_round_contact(out, mo_neg(plane.normal), on_sphere, on_plane, separation);
}

// Adds a candidate; in a full list it takes the place of the shallowest if it is deeper.
static int add_candidate(mo_contact_candidate *candidates, int count,
                         mo_contact_candidate candidate) {
  if (count < MO_MAX_CANDIDATES) {
    candidates[count] = candidate;
    return count + 1;
  }
  int shallowest = 0;
  for (int i = 1; i < count; i++) {
    if (candidates[i].separation > candidates[shallowest].separation) {
      shallowest = i;
    }
  }
  if (candidate.separation < candidates[shallowest].separation) {
    candidates[shallowest] = candidate;
  }
  return count;
}

static void collide_hull_plane(const mo_shape *a, mo_transform pose_a, const mo_shape *b,
                               mo_transform pose_b, double margin, mo_manifold *out) {
  placed_plane plane = plane_in(pose_a, b, pose_b);
  mo_contact_candidate candidates[MO_MAX_CANDIDATES];
  int count = 0;
  for (uint32_t i = 0; i < a->hull->vertex_count; i++) {
    mo_vec3 vertex = a->hull->vertices[i];
    double separation = mo_dot(plane.normal, vertex) - plane.offset;
    if (separation < margin) {
      count = add_candidate(candidates, count,
                            (mo_contact_candidate){vertex, separation, mo_feature_vertex_a(i)});
    }
  }
  int chosen[MO_MANIFOLD_POINTS];
  out->normal = mo_neg(mo_mat3_mul(pose_a.rotation, plane.normal));
  out->point_count = mo_manifold_reduce(candidates, count, plane.normal, chosen);
  for (int i = 0; i < out->point_count; i++) {
    const mo_contact_candidate *c = &candidates[chosen[i]];
    mo_vec3 on_plane = mo_add_scaled(c->position, -c->separation, plane.normal);
    out->points[i] =
        (mo_manifold_point){mo_transform_point(pose_a, c->position),
                            mo_transform_point(pose_a, on_plane), c->separation, c->feature_id};
  }
}

// --- order -----------------------------------------------------------------------------------

// Two shapes are always collided in the same order, so that (B, A) gives to the bit what (A, B)
// gives. The order must not change while two bodies rest on each other: it goes by what the shapes
// are and, between equals, by their places along the direction of ties. Where equal shapes pass
// each other it does change in the end; feature ids survive that (swap_sides, mo_collide_hulls).
static int compare(double x, double y) { return (x > y) - (x < y); }

static int shape_rank(const mo_shape *shape) {
  switch (shape->type) {
  case MO_SHAPE_BOX:
  case MO_SHAPE_HULL:
    return 0;
  case MO_SHAPE_SPHERE:
    return 1;
  default:
    return 2;
  }
}

static bool comes_first(const mo_shape *a, mo_transform pose_a, const mo_shape *b,
                        mo_transform pose_b) {
  int order = shape_rank(b) - shape_rank(a);
  if (order == 0 && a != b) {
    order = compare(a->volume, b->volume);
  }
  if (order == 0 && a->hull && b->hull) {
    order = compare((double)a->hull->vertex_count, (double)b->hull->vertex_count);
  }
  if (order == 0) {
    order = compare(mo_tie_break(mo_sub(pose_b.translation, pose_a.translation)), 0.0);
  }
  if (order == 0) {
    mo_mat3 p = pose_a.rotation, q = pose_b.rotation;
    order = compare(p.cx.x + 3.0 * p.cx.y + 5.0 * p.cy.z + 7.0 * p.cz.x,
                    q.cx.x + 3.0 * q.cx.y + 5.0 * q.cy.z + 7.0 * q.cz.x);
  }
  return order >= 0;
}

static void collide_ordered(const mo_shape *a, mo_transform pose_a, const mo_shape *b,
                            mo_transform pose_b, double margin, mo_manifold *out) {
  switch (shape_rank(a) * 3 + shape_rank(b)) {
  case 0:
    mo_collide_hulls(a->hull, pose_a, b->hull, pose_b, margin, out);
    break;
  case 1:
    collide_hull_sphere(a, pose_a, b, pose_b, margin, out);
    break;
  case 2:
    collide_hull_plane(a, pose_a, b, pose_b, margin, out);
    break;
  case 4:
    collide_spheres(a, pose_a, b, pose_b, margin, out);
    break;
  case 5:
    collide_sphere_plane(a, pose_a, b, pose_b, margin, out);
    break;
  default:
    break; // two planes: both are static
  }
}

static void swap_sides(mo_manifold *m) {
  m->normal = mo_neg(m->normal);
  for (int i = 0; i < m->point_count; i++) {
    mo_manifold_point *p = &m->points[i];
    *p = (mo_manifold_point){p->point_b, p->point_a, p->separation, mo_feature_swap(p->feature_id)};
  }
}

static bool is_finite(const mo_manifold *m) {
  bool finite = mo_v3_is_finite(m->normal);
  for (int i = 0; i < m->point_count; i++) {
    const mo_manifold_point *p = &m->points[i];
    finite = finite && mo_v3_is_finite(p->point_a) && mo_v3_is_finite(p->point_b) &&
             mo_is_finite(p->separation);
  }
  return finite;
}

void mo_collide_shapes(const mo_shape *a, mo_transform placement_a, const mo_shape *b,
                       mo_transform placement_b, double margin, mo_manifold *out) {
  out->point_count = 0;
  if (comes_first(a, placement_a, b, placement_b)) {
    collide_ordered(a, placement_a, b, placement_b, margin, out);
  } else {
    collide_ordered(b, placement_b, a, placement_a, margin, out);
    swap_sides(out);
  }
  // Poses that have overflowed collide with nothing.
  if (out->point_count > 0 && !is_finite(out)) {
    out->point_count = 0;
  }
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
  double least = m.points[0].separation;
  for (int i = 1; i < m.point_count; i++) {
    least = mo_min(least, m.points[i].separation);
  }
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
  placed_plane p = plane_in((mo_transform){mo_mat3_identity(), mo_v3_zero()}, a, pose_a);
  placed_plane q = plane_in((mo_transform){mo_mat3_identity(), mo_v3_zero()}, b, pose_b);
  mo_vec3 on_a = mo_scale(p.offset, p.normal);
  double gap = -p.offset - q.offset;
  if (mo_dot(p.normal, q.normal) > OPPOSED - 1.0 || !(gap > 0.0)) {
    return touching(on_a);
  }
  return (mo_distance_result){gap, on_a, mo_add_scaled(on_a, gap, p.normal), p.normal};
}

// Distance of a sphere or hull to a plane.
static mo_distance_result distance_to_plane(const mo_shape *a, mo_transform pose_a,
                                            const mo_shape *b, mo_transform pose_b) {
  placed_plane plane = plane_in(pose_a, b, pose_b);
  mo_vec3 lowest;
  if (a->hull) {
    uint32_t edge = mo_hull_climb(a->hull, 0, mo_neg(plane.normal));
    lowest = a->hull->vertices[a->hull->half_edges[edge].origin];
  } else {
    lowest = mo_scale(-a->radius, plane.normal);
  }
  double gap = mo_dot(plane.normal, lowest) - plane.offset;
  mo_vec3 on_plane = mo_transform_point(pose_a, mo_add_scaled(lowest, -gap, plane.normal));
  if (!(gap > 0.0)) {
    return touching(on_plane);
  }
  mo_vec3 normal = mo_neg(mo_mat3_mul(pose_a.rotation, plane.normal));
  return (mo_distance_result){gap, mo_transform_point(pose_a, lowest), on_plane, normal};
}

// Distance of spheres and hulls: of their cores, less the radii.
static mo_distance_result distance_of_cores(const mo_shape *a, mo_transform pose_a,
                                            const mo_shape *b, mo_transform pose_b) {
  mo_minkowski pair = mo_minkowski_create(a->hull, pose_a, b->hull, pose_b);
  double radius_a = a->hull ? 0.0 : a->radius, radius_b = b->hull ? 0.0 : b->radius;
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
  if (a->type == MO_SHAPE_PLANE) {
    return distance_of_planes(a, pose_a, b, pose_b);
  }
  return b->type == MO_SHAPE_PLANE ? distance_to_plane(a, pose_a, b, pose_b)
                                   : distance_of_cores(a, pose_a, b, pose_b);
}

mo_distance_result mo_distance(const mo_shape *a, mo_pose pose_a, const mo_shape *b,
                               mo_pose pose_b) {
  mo_transform x = placement(pose_a), y = placement(pose_b);
  if (comes_first(a, x, b, y)) {
    return distance_ordered(a, x, b, y);
  }
  mo_distance_result r = distance_ordered(b, y, a, x);
  return (mo_distance_result){r.distance, r.point_b, r.point_a, mo_neg(r.normal)};
}
