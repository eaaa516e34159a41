// How a manifold is made:
//
//   the axis of the last step, where it still holds (hull_cache.c); else
//   the axis of greatest separation over faces and edges (hull_axis.c, box_axis.c); or, for hulls
//   with many edges and where the closest points are on none of these, GJK, or EPA on overlap
//     -> the faces that the axis touches
//     -> clip one face against the other; or else one point: the closest points of two features
//
// The search ends with features (vertices and edges of A and B), on which the result is then
// measured in double precision. A face contact is used if its deepest clipped point has the
// separation that the search found. This is the whole rule between faces and edges. The usual
// alternative compares the separations of a face axis and of an edge axis. It needs a bias of the
// order of tilt x overhang (millimetres); with it, either stacks alternate between four points and
// one, or the depth is not the least one. The deepest clipped point differs from the true depth by
// only depth x tilt^2 / 2.
#include "collision/narrow/hull_manifold.h"

#include "collision/convex/epa.h"
#include "collision/narrow/feature.h"
#include "collision/narrow/hull_cache.h"
#include "collision/narrow/hull_clip.h"

// m: the face of B becomes the reference only if its separation is larger by this, so that equal
// faces do not alternate.
#define REFERENCE_TIE 1e-6

// --- one point -------------------------------------------------------------------------------

// Points in the frame of A, the manifold in the world.
static void set_single_point(const mo_hull_pair *pair, const mo_hull_axis *axis, mo_vec3 point_a,
                             mo_vec3 point_b, uint32_t name, mo_manifold *out) {
  const mo_transform *a = pair->placement_a;
  out->normal = mo_mat3_mul(a->rotation, axis->normal);
  out->point_count = 1;
  out->points[0] = (mo_manifold_point){mo_transform_point(*a, point_a),
                                       mo_transform_point(*a, point_b), axis->separation, name};
}

bool mo_edge_contact_point(const mo_hull_pair *pair, const mo_hull_axis *axis, mo_manifold *out,
                           double *clearance) {
  const mo_hull *a = pair->a.hull, *b = pair->b.hull;
  const mo_half_edge *p = &a->half_edges[axis->feature_a], *q = &b->half_edges[axis->feature_b];
  mo_vec3 start_a = a->vertices[p->origin], start_b = mo_placed_vertex(&pair->b, q->origin);
  mo_vec3 u = mo_sub(a->vertices[a->half_edges[p->twin].origin], start_a);
  mo_vec3 v = mo_sub(mo_placed_vertex(&pair->b, b->half_edges[q->twin].origin), start_b);
  mo_vec3 between = mo_sub(start_b, start_a);
  double uu = mo_length_squared(u), uv = mo_dot(u, v), vv = mo_length_squared(v);
  double along_u = mo_dot(u, between), along_v = mo_dot(v, between);
  double determinant = uu * vv - uv * uv;
  double s = (vv * along_u - uv * along_v) / determinant;
  double t = (uv * along_u - uu * along_v) / determinant;
  if (!(s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0)) {
    return false;
  }
  // The distance from the nearer end of each edge, as a length perpendicular to the other edge.
  double from_end_a = mo_min(s, 1.0 - s), from_end_b = mo_min(t, 1.0 - t);
  *clearance = sqrt(determinant) * mo_min(from_end_a / sqrt(vv), from_end_b / sqrt(uu));
  set_single_point(pair, axis, mo_add_scaled(start_a, s, u), mo_add_scaled(start_b, t, v),
                   mo_edges_name(a, axis->feature_a, b, axis->feature_b), out);
  return true;
}

// --- faces -----------------------------------------------------------------------------------

// A face that the axis touches, and the vertex of the other hull that is deepest below it.
typedef struct face_query {
  bool aligned;
  uint32_t face;         // of the reference hull
  double separation;     // of the other hull from its plane
  uint32_t other_vertex; // of the other hull
} face_query;

// The face of `placed` that the axis touches, among those around a vertex. `outwards` points from
// it to the other hull.
static face_query query_face(const mo_placed_hull *placed, uint32_t vertex,
                             const mo_placed_hull *other, mo_vec3 outwards) {
  face_query query = {
      .face = mo_hull_face_at_vertex(placed->hull, vertex, mo_direction_in_hull(placed, outwards))};
  mo_vec3 normal = mo_placed_normal(placed, query.face);
  query.aligned = mo_dot(normal, outwards) > MO_FACE_ALIGNMENT;
  if (query.aligned) {
    query.other_vertex =
        mo_hull_support_vertex(other->hull, mo_neg(mo_direction_in_hull(other, normal)));
    query.separation = mo_dot(normal, mo_placed_vertex(other, query.other_vertex)) -
                       mo_placed_offset(placed, query.face, normal);
  }
  return query;
}

static face_query known_face(uint32_t face, uint32_t other_vertex, double separation) {
  return (face_query){true, face, separation, other_vertex};
}

// Makes a contact of two faces. Returns false, with nothing written, if the deepest point does not
// have the separation of the axis.
static bool set_face_points(mo_manifold *out, const mo_hull_pair *pair, double separation,
                            bool from_b, const face_query *query, double margin) {
  mo_face_contact contact;
  mo_face_contact_begin(&contact, pair, from_b, query->face, query->other_vertex);
  mo_clip_faces(&contact, margin);
  if (!(fabs(contact.least - separation) <= pair->face_tolerance) || contact.count == 0) {
    return false;
  }
  mo_face_contact_points(&contact, from_b ? pair->placement_b : pair->placement_a, out);
  return true;
}

// The vertices of both hulls that are furthest along an axis; its faces are around them.
static void find_touching_vertices(const mo_hull_pair *pair, const mo_hull_axis *axis,
                                   uint32_t *vertex_a, uint32_t *vertex_b) {
  if (axis->kind == MO_AXIS_EDGES) {
    *vertex_a = pair->a.hull->half_edges[axis->feature_a].origin;
    *vertex_b = pair->b.hull->half_edges[axis->feature_b].origin;
    return;
  }
  *vertex_a = axis->kind == MO_AXIS_FACE_B ? axis->feature_a
                                           : mo_hull_support_vertex(pair->a.hull, axis->normal);
  *vertex_b = axis->kind == MO_AXIS_FACE_A
                  ? axis->feature_b
                  : mo_hull_support_vertex(pair->b.hull,
                                           mo_neg(mo_direction_in_hull(&pair->b, axis->normal)));
}

// Makes a contact on the faces that an axis touches; `axis` becomes that of the reference face.
static bool set_points_on_faces(mo_manifold *out, const mo_hull_pair *pair, mo_hull_axis *axis,
                                double margin) {
  const mo_placed_hull *a = &pair->a, *b = &pair->b;
  uint32_t vertex_a, vertex_b;
  find_touching_vertices(pair, axis, &vertex_a, &vertex_b);
  face_query on_a = axis->kind == MO_AXIS_FACE_A
                        ? known_face(axis->feature_a, axis->feature_b, axis->separation)
                        : query_face(a, vertex_a, b, axis->normal);
  face_query on_b = axis->kind == MO_AXIS_FACE_B
                        ? known_face(axis->feature_b, axis->feature_a, axis->separation)
                        : query_face(b, vertex_b, a, mo_neg(axis->normal));

  // The face further out is the reference. If the other one is aligned too, it is tried second.
  bool b_first = on_b.aligned &&
                 (!on_a.aligned || on_b.separation > on_a.separation + REFERENCE_TIE * pair->metre);
  for (int i = 0; i < 2; i++) {
    bool use_b = b_first == (i == 0);
    const face_query *query = use_b ? &on_b : &on_a;
    if (query->aligned && set_face_points(out, pair, axis->separation, use_b, query, margin)) {
      axis->kind = use_b ? MO_AXIS_FACE_B : MO_AXIS_FACE_A;
      axis->feature_a = axis->feature_b = query->face;
      return true;
    }
  }
  return false;
}

// --- the general method ----------------------------------------------------------------------

// Where the hulls are least apart, by GJK or EPA.
typedef struct closest_features {
  mo_hull_axis axis;
  mo_vec3 point_a, point_b;
  mo_simplex features;
} closest_features;

// Returns false if the hulls are further apart than the margin; then the separation is a lower
// bound.
static bool find_closest_features(mo_minkowski *pair, double margin, closest_features *closest) {
  mo_gjk_result gjk = mo_gjk(pair, margin);
  mo_hull_axis *axis = &closest->axis;
  *axis =
      (mo_hull_axis){.kind = MO_AXIS_DIRECTION, .normal = gjk.normal, .separation = gjk.distance};
  if (gjk.status == MO_GJK_OVERLAP) {
    mo_epa_result epa = mo_epa(pair, &gjk.simplex);
    axis->normal = epa.normal;
    axis->separation = -epa.depth;
    closest->point_a = epa.point_a;
    closest->point_b = epa.point_b;
    closest->features = epa.simplex;
  } else {
    closest->point_a = gjk.point_a;
    closest->point_b = gjk.point_b;
    closest->features = gjk.simplex;
  }
  return gjk.status != MO_GJK_BEYOND && axis->separation < margin;
}

// The half-edge from the start of `from` to the start of `to`, or `from` if no edge connects them.
static uint32_t edge_between(const mo_hull *hull, uint32_t from, uint32_t to) {
  uint32_t target = hull->half_edges[to].origin, edge = from;
  do {
    uint32_t twin = hull->half_edges[edge].twin;
    if (hull->half_edges[twin].origin == target) {
      return edge;
    }
    edge = hull->half_edges[twin].next;
  } while (edge != from);
  return from;
}

// Names the features by the vertices that carry the closest points: a single vertex of a hull, or
// an edge of each. If these define the axis, it becomes theirs.
static uint32_t name_features(const mo_simplex *s, const mo_hull_pair *pair, mo_hull_axis *axis) {
  const mo_hull *a = pair->a.hull, *b = pair->b.hull;
  uint32_t first_a = s->vertices[0].a, first_b = s->vertices[0].b, other_a = first_a,
           other_b = first_b;
  for (int i = 1; i < s->count; i++) {
    if (a->half_edges[s->vertices[i].a].origin != a->half_edges[first_a].origin) {
      other_a = s->vertices[i].a;
    }
    if (b->half_edges[s->vertices[i].b].origin != b->half_edges[first_b].origin) {
      other_b = s->vertices[i].b;
    }
  }
  uint32_t vertex_a = a->half_edges[first_a].origin, vertex_b = b->half_edges[first_b].origin;
  if (other_a == first_a) {
    return other_b == first_b ? mo_coinciding_name(vertex_a, vertex_b)
                              : mo_feature_vertex_a(vertex_a);
  }
  if (other_b == first_b) {
    return mo_feature_vertex_b(vertex_b);
  }
  uint32_t edge_a = edge_between(a, first_a, other_a), edge_b = edge_between(b, first_b, other_b);
  mo_hull_axis of_edges;
  if (mo_edge_axis(pair, edge_a, edge_b, &of_edges) &&
      fabs(of_edges.separation - axis->separation) <= pair->face_tolerance) {
    axis->kind = MO_AXIS_EDGES;
    axis->feature_a = edge_a;
    axis->feature_b = edge_b;
  }
  return mo_edges_name(a, edge_a, b, edge_b);
}

// Sets `axis` to the axis found.
static void collide_generally(const mo_hull_pair *pair, double margin, mo_hull_axis *axis,
                              mo_manifold *out) {
  mo_convex core_a = mo_convex_hull(pair->a.hull, 0.0), core_b = mo_convex_hull(pair->b.hull, 0.0);
  mo_minkowski minkowski = mo_minkowski_of(&core_a, &core_b, pair->b.in_a);
  closest_features closest;
  bool is_near = find_closest_features(&minkowski, margin, &closest);
  *axis = closest.axis;
  if (is_near && !set_points_on_faces(out, pair, axis, margin)) {
    uint32_t name = name_features(&closest.features, pair, axis);
    set_single_point(pair, axis, closest.point_a, closest.point_b, name, out);
  }
}

// --- all together ----------------------------------------------------------------------------

// Uses the axes of faces and edges. Returns false if that fails: the closest points may be
// vertices, or the hulls may be unsuitable.
static bool collide_by_axes(const mo_hull_pair *pair, double margin, mo_hull_axis *axis,
                            mo_manifold *out) {
  bool are_boxes = pair->a.hull->is_box && pair->b.hull->is_box;
  bool is_found = mo_can_search_axes(pair) && (are_boxes ? mo_find_box_axis(pair, margin, axis)
                                                         : mo_find_hull_axis(pair, margin, axis));
  if (!is_found) {
    return false;
  }
  double clearance;
  mo_hull_axis found = *axis;
  return axis->separation >= margin || set_points_on_faces(out, pair, axis, margin) ||
         (found.kind == MO_AXIS_EDGES && mo_edge_contact_point(pair, &found, out, &clearance));
}

void mo_collide_hulls(const mo_hull *a, const mo_transform *placement_a, const mo_hull *b,
                      const mo_transform *placement_b, double margin, double rounding, double metre,
                      mo_collision_cache *cache, double *gap, mo_manifold *out) {
  if (mo_is_still_apart(cache, a, placement_a, b, placement_b, margin, gap)) {
    return;
  }
  mo_hull_pair pair = {{.hull = a},
                       {b, mo_transform_relative(*placement_a, *placement_b), true},
                       placement_a,
                       placement_b,
                       mo_face_tolerance(rounding, metre),
                       metre};
  if (!mo_collide_by_cache(cache, &pair, margin, out)) {
    mo_hull_axis axis;
    if (!collide_by_axes(&pair, margin, &axis, out)) {
      collide_generally(&pair, margin, &axis, out);
    }
    mo_cache_axis(cache, &axis);
    *gap = axis.separation;
  }
}
