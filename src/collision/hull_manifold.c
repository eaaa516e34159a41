// How a manifold is made:
//
//   GJK, or EPA where they overlap
//     -> the axis of least separation, and the faces that it touches
//     -> clip one face against the other; or else one point: the closest points of two features
//
// The search ends on features (vertices and edges of A and B); what is returned is measured on them
// in double. A face contact is taken if its deepest clipped point has the separation that the
// search found. That is the whole rule between face and edge: comparing the separations of a face
// axis and of an edge axis instead, as is common, needs a bias of the order of tilt x overhang
// (millimetres), and then either stacks flip between four points and one or the depth is not the
// least one. The deepest clipped point differs from the true depth only by depth x tilt^2 / 2.
#include "collision/hull_manifold.h"

#include "collision/epa.h"
#include "collision/feature.h"
#include "collision/manifold_reduction.h"

// m: how far the deepest point of a face contact may be from the least separation. Less than the
// 1e-6 that is asked of a depth; more than a stack needs: 1 mm of overlap tilted by 0.03 rad.
#define FACE_TOLERANCE 5e-7
// Cosine: a face that is tilted further than 2.6 degrees against the axis is no face contact.
// Without it every edge contact that only just touches would pass the test above.
#define FACE_ALIGNMENT 0.999
// m: the face of B becomes the reference only if its separation is greater by this, so that equal
// faces do not take turns.
#define REFERENCE_TIE 1e-6
// Relative to the smaller hull: corners that are outside of the reference face by less are not cut
// off, so that corners that coincide (equal boxes in a stack) are vertices in every step and not,
// by round-off, crossings of edges.
#define CLIP_THICKNESS 1e-7
// Relative to the smaller hull: a clipped point this near to a vertex is named after it, and a
// corner this near to the line between its neighbours may be dropped.
#define NAME_DISTANCE 1e-3
// m: dropping such a corner may cost this much of depth. Together with FACE_TOLERANCE below the
// 1e-6 that is asked for.
#define FLAT_DEPTH 1e-7
// Points of a clipped face. A face with more corners is thinned out.
#define MAX_CLIP_POINTS MO_MAX_CANDIDATES
// Set in clip_point.edge where the edge lies on a side of the reference face.
#define REFERENCE_SIDE 0x80000000u

// A hull as seen from the frame of A.
typedef struct placed_hull {
  const mo_hull *hull;
  mo_transform in_a;
  bool is_b;
} placed_hull;

// Where the hulls are least apart. Separation below zero: they overlap.
typedef struct contact_axis {
  mo_vec3 normal; // unit, from A to B, frame of A
  double separation;
  mo_vec3 point_a, point_b;
  mo_simplex features;
} contact_axis;

// A face that the axis touches, and the vertex of the other hull deepest below it.
typedef struct face_query {
  bool aligned;
  uint32_t face;       // of the reference hull
  double separation;   // of the other hull from its plane
  uint32_t other_edge; // half-edge of the other hull, starts at its deepest vertex
} face_query;

typedef struct clip_point {
  mo_vec3 position;
  uint32_t feature;
  uint32_t edge; // the edge to the next point: a half-edge of the incident face, or of the
                 // reference face with REFERENCE_SIDE
} clip_point;

static mo_vec3 vertex_in_a(const placed_hull *placed, uint32_t vertex) {
  mo_vec3 v = placed->hull->vertices[vertex];
  return placed->is_b ? mo_transform_point(placed->in_a, v) : v;
}
static mo_vec3 direction_in_a(const placed_hull *placed, mo_vec3 d) {
  return placed->is_b ? mo_mat3_mul(placed->in_a.rotation, d) : d;
}
static mo_vec3 direction_in_hull(const placed_hull *placed, mo_vec3 d) {
  return placed->is_b ? mo_mat3_mul_transposed(placed->in_a.rotation, d) : d;
}

static uint32_t edge_name(const mo_hull *hull, uint32_t half_edge) {
  uint32_t twin = hull->half_edges[half_edge].twin;
  return half_edge < twin ? half_edge : twin;
}
static uint32_t vertex_feature(const placed_hull *placed, uint32_t vertex) {
  return placed->is_b ? mo_feature_vertex_b(vertex) : mo_feature_vertex_a(vertex);
}
// The name of a vertex of A that coincides with one of B: the lower index, and not one of the
// sides, so that the name stays where A and B change places.
static uint32_t coinciding_feature(uint32_t vertex_a, uint32_t vertex_b) {
  return vertex_b < vertex_a ? mo_feature_vertex_b(vertex_b) : mo_feature_vertex_a(vertex_a);
}
static uint32_t edges_feature(const placed_hull *x, uint32_t edge_x, const placed_hull *y,
                              uint32_t edge_y) {
  uint32_t name_x = edge_name(x->hull, edge_x), name_y = edge_name(y->hull, edge_y);
  return x->is_b ? mo_feature_edges(name_y, name_x) : mo_feature_edges(name_x, name_y);
}

// --- the axis --------------------------------------------------------------------------------

// False where the hulls are further apart than the margin.
static bool find_axis(mo_minkowski *pair, double margin, contact_axis *axis) {
  mo_gjk_result gjk = mo_gjk(pair, margin);
  if (gjk.status == MO_GJK_BEYOND) {
    return false;
  }
  if (gjk.status == MO_GJK_APART) {
    *axis = (contact_axis){gjk.normal, gjk.distance, gjk.point_a, gjk.point_b, gjk.simplex};
    return gjk.distance < margin;
  }
  mo_epa_result epa = mo_epa(pair, &gjk.simplex);
  *axis = (contact_axis){epa.normal, -epa.depth, epa.point_a, epa.point_b, epa.simplex};
  return axis->separation < margin;
}

// --- one point -------------------------------------------------------------------------------

// The half-edge from the start of `from` to the start of `to`, or `from` where no edge joins them.
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

// Names the features by the vertices that carry the closest points: a single vertex of a hull, else
// an edge of each.
static uint32_t name_features(const contact_axis *axis, const placed_hull *a,
                              const placed_hull *b) {
  const mo_simplex *s = &axis->features;
  uint32_t first_a = s->vertices[0].a, first_b = s->vertices[0].b, other_a = first_a,
           other_b = first_b;
  for (int i = 1; i < s->count; i++) {
    if (a->hull->half_edges[s->vertices[i].a].origin != a->hull->half_edges[first_a].origin) {
      other_a = s->vertices[i].a;
    }
    if (b->hull->half_edges[s->vertices[i].b].origin != b->hull->half_edges[first_b].origin) {
      other_b = s->vertices[i].b;
    }
  }
  uint32_t vertex_a = a->hull->half_edges[first_a].origin,
           vertex_b = b->hull->half_edges[first_b].origin;
  if (other_a == first_a) {
    return other_b == first_b ? coinciding_feature(vertex_a, vertex_b)
                              : mo_feature_vertex_a(vertex_a);
  }
  if (other_b == first_b) {
    return mo_feature_vertex_b(vertex_b);
  }
  return edges_feature(a, edge_between(a->hull, first_a, other_a), b,
                       edge_between(b->hull, first_b, other_b));
}

static void set_single_point(mo_manifold *out, const contact_axis *axis, const placed_hull *a,
                             const placed_hull *b) {
  out->normal = axis->normal;
  out->point_count = 1;
  out->points[0] = (mo_manifold_point){axis->point_a, axis->point_b, axis->separation,
                                       name_features(axis, a, b)};
}

// --- faces -----------------------------------------------------------------------------------

// Of the faces round the start of a half-edge the one most aligned with a direction (frame of the
// hull).
static uint32_t aligned_face(const mo_hull *hull, uint32_t half_edge, mo_vec3 direction) {
  uint32_t best = hull->half_edges[half_edge].face, edge = half_edge;
  double most = -INFINITY;
  do {
    uint32_t face = hull->half_edges[edge].face;
    double alignment = mo_dot(hull->faces[face].normal, direction);
    if (alignment > most) {
      most = alignment;
      best = face;
    }
    edge = hull->half_edges[hull->half_edges[edge].twin].next;
  } while (edge != half_edge);
  return best;
}

static double plane_offset(const placed_hull *placed, uint32_t face, mo_vec3 normal) {
  return placed->hull->faces[face].offset +
         (placed->is_b ? mo_dot(normal, placed->in_a.translation) : 0.0);
}

// The face of `placed` that the axis touches. `outwards` points from it to the other hull.
static face_query query_face(const placed_hull *placed, uint32_t edge, const placed_hull *other,
                             uint32_t other_edge, mo_vec3 outwards) {
  // A vertex of the search's last simplex need not be extremal along the axis: where the simplex is
  // a sliver, it may even lie on the far side.
  mo_vec3 direction = direction_in_hull(placed, outwards);
  uint32_t extremal = mo_hull_climb(placed->hull, edge, direction);
  face_query query = {.face = aligned_face(placed->hull, extremal, direction)};
  mo_vec3 normal = direction_in_a(placed, placed->hull->faces[query.face].normal);
  query.aligned = mo_dot(normal, outwards) > FACE_ALIGNMENT;
  if (query.aligned) {
    query.other_edge =
        mo_hull_climb(other->hull, other_edge, mo_neg(direction_in_hull(other, normal)));
    mo_vec3 deepest = vertex_in_a(other, other->hull->half_edges[query.other_edge].origin);
    query.separation = mo_dot(normal, deepest) - plane_offset(placed, query.face, normal);
  }
  return query;
}

// --- clipping --------------------------------------------------------------------------------

static int load_face(const placed_hull *placed, uint32_t face_index, clip_point *points) {
  mo_face face = placed->hull->faces[face_index];
  uint32_t stride = (face.vertex_count + MAX_CLIP_POINTS - 1) / MAX_CLIP_POINTS;
  int count = 0;
  for (uint32_t i = 0; i < face.vertex_count; i += stride) {
    uint32_t edge = face.first_vertex + i, vertex = placed->hull->half_edges[edge].origin;
    points[count++] =
        (clip_point){vertex_in_a(placed, vertex), vertex_feature(placed, vertex), edge};
  }
  return count;
}

// Names the point where an edge of the clipped polygon crosses side `side` of the reference face.
static uint32_t crossing_feature(const placed_hull *reference, uint32_t side,
                                 const placed_hull *incident, uint32_t edge) {
  if (!(edge & REFERENCE_SIDE)) {
    return edges_feature(reference, side, incident, edge);
  }
  // Two sides of the reference face meet in one of its corners.
  const mo_half_edge *edges = reference->hull->half_edges;
  uint32_t other = edge & ~REFERENCE_SIDE;
  return vertex_feature(reference, edges[other].next == side ? edges[side].origin
                                                             : edges[edges[side].next].origin);
}

// A plane through a side of the reference face.
typedef struct clip_plane {
  mo_vec3 normal; // unit, outwards
  double offset;
  double thickness; // points up to this far outside are kept as they are
  uint32_t side;    // half-edge of the reference face
} clip_plane;

// Keeps the part of a convex polygon below a plane (Sutherland and Hodgman 1974). A corner in the
// thickness of the plane stays, and stands for the crossing beside it.
static int clip(const clip_point *in, int count, const clip_plane *plane,
                const placed_hull *reference, const placed_hull *incident, clip_point *out) {
  int kept = 0;
  double height = mo_dot(plane->normal, in[0].position) - plane->offset;
  for (int i = 0; i < count; i++) {
    const clip_point *p = &in[i], *q = &in[i + 1 < count ? i + 1 : 0];
    double next_height = mo_dot(plane->normal, q->position) - plane->offset;
    bool inside = height <= plane->thickness, next_inside = next_height <= plane->thickness;
    uint32_t edge = inside && !next_inside ? (plane->side | REFERENCE_SIDE) : p->edge;
    if (inside && kept < MAX_CLIP_POINTS) {
      out[kept] = *p;
      out[kept++].edge = height > 0.0 ? edge : p->edge;
    }
    if (inside != next_inside && (inside ? height : next_height) <= 0.0 && kept < MAX_CLIP_POINTS) {
      mo_vec3 crossing = mo_lerp(p->position, q->position, height / (height - next_height));
      out[kept++] =
          (clip_point){crossing, crossing_feature(reference, plane->side, incident, p->edge), edge};
    }
    height = next_height;
  }
  return kept;
}

// The part of the incident face over the reference face. `buffers` are used in turn; returns the
// one with the result.
static clip_point *clip_face(const placed_hull *reference, uint32_t face_index, mo_vec3 normal,
                             const placed_hull *incident, clip_point *points, clip_point *spare,
                             int *count) {
  mo_face face = reference->hull->faces[face_index];
  double thickness =
      CLIP_THICKNESS * mo_min(mo_hull_size(reference->hull), mo_hull_size(incident->hull));
  mo_vec3 p = vertex_in_a(reference, reference->hull->half_edges[face.first_vertex].origin);
  for (uint32_t i = 0; i < face.vertex_count && *count != 0; i++) {
    uint32_t side = face.first_vertex + i;
    mo_vec3 q = vertex_in_a(
        reference, reference->hull->half_edges[reference->hull->half_edges[side].next].origin);
    mo_vec3 outwards = mo_normalize(mo_cross(mo_sub(q, p), normal));
    clip_plane plane = {outwards, mo_dot(outwards, p), thickness, side};
    *count = clip(points, *count, &plane, reference, incident, spare);
    clip_point *swap = points;
    points = spare;
    spare = swap;
    p = q;
  }
  return points;
}

static double name_distance(const mo_hull *a, const mo_hull *b) {
  return NAME_DISTANCE * mo_min(mo_hull_size(a), mo_hull_size(b));
}

// Whether a corner lies so near to the line between two others that nothing is lost without it:
// neither area nor depth.
static bool is_flat_corner(const clip_point *corner, const clip_point *from, const clip_point *to,
                           mo_vec3 normal, double reach) {
  mo_vec3 d = mo_sub(corner->position, from->position), e = mo_sub(to->position, from->position);
  mo_vec3 off = mo_add_scaled(d, -mo_dot(d, e) / mo_max(mo_length_squared(e), reach * reach), e);
  return mo_length_squared(off) < reach * reach && fabs(mo_dot(off, normal)) < FLAT_DEPTH;
}

// Drops flat corners while there are more than a manifold has. Sides that are nearly parallel cross
// anywhere, and would turn up in one frame and not in the next.
static int drop_flat_corners(clip_point *points, int count, mo_vec3 normal, double reach) {
  int kept = 0;
  for (int i = 0; i < count; i++) {
    const clip_point *from = kept > 0 ? &points[kept - 1] : &points[count - 1];
    const clip_point *to = i + 1 < count ? &points[i + 1] : &points[0];
    bool surplus = kept + count - i > MO_MANIFOLD_POINTS;
    if (!surplus || !is_flat_corner(&points[i], from, to, normal, reach)) {
      points[kept++] = points[i];
    }
  }
  return kept;
}

// --- names that last -------------------------------------------------------------------------

// The vertex of a face within `reach` of a point, across the normal. UINT32_MAX if there is none.
static uint32_t find_vertex_near(const placed_hull *placed, uint32_t face_index, mo_vec3 point,
                                 mo_vec3 normal, double reach) {
  mo_face face = placed->hull->faces[face_index];
  for (uint32_t i = 0; i < face.vertex_count; i++) {
    uint32_t vertex = placed->hull->half_edges[face.first_vertex + i].origin;
    mo_vec3 d = mo_sub(vertex_in_a(placed, vertex), point);
    if (mo_length_squared(d) - mo_square(mo_dot(d, normal)) < reach * reach) {
      return vertex;
    }
  }
  return UINT32_MAX;
}

// Where vertices nearly coincide or lie on an edge, round-off decides what a point is called.
// Points near a vertex are named after it, unless that name is taken.
static void settle_names(mo_manifold *m, const placed_hull *a, uint32_t face_a,
                         const placed_hull *b, uint32_t face_b) {
  double reach = name_distance(a->hull, b->hull);
  for (int i = 0; i < m->point_count; i++) {
    mo_manifold_point *point = &m->points[i];
    uint32_t vertex_a = find_vertex_near(a, face_a, point->point_a, m->normal, reach);
    uint32_t vertex_b = find_vertex_near(b, face_b, point->point_b, m->normal, reach);
    if (vertex_a == UINT32_MAX && vertex_b == UINT32_MAX) {
      continue;
    }
    uint32_t name = coinciding_feature(vertex_a, vertex_b);
    bool taken = false;
    for (int j = 0; j < m->point_count; j++) {
      taken = taken || (j != i && m->points[j].feature_id == name);
    }
    if (!taken) {
      point->feature_id = name;
    }
  }
}

// --- manifolds -------------------------------------------------------------------------------

// A face of each hull, as a contact has them.
typedef struct face_pair {
  const placed_hull *reference, *incident;
  uint32_t reference_face, incident_face;
  mo_vec3 normal; // of the reference face, frame of A
} face_pair;

// The part of the incident face over the reference face, and `least`, the separation of its deepest
// point. Returns the count of those points that are closer than the margin.
static int find_face_candidates(const face_pair *faces, double margin,
                                mo_contact_candidate *candidates, double *least) {
  const placed_hull *reference = faces->reference, *incident = faces->incident;
  clip_point buffers[2][MAX_CLIP_POINTS];
  int count = load_face(incident, faces->incident_face, buffers[0]);
  clip_point *clipped = clip_face(reference, faces->reference_face, faces->normal, incident,
                                  buffers[0], buffers[1], &count);
  count = drop_flat_corners(clipped, count, faces->normal,
                            name_distance(reference->hull, incident->hull));
  double offset = plane_offset(reference, faces->reference_face, faces->normal);
  int candidate_count = 0;
  *least = INFINITY;
  for (int i = 0; i < count; i++) {
    double separation = mo_dot(faces->normal, clipped[i].position) - offset;
    *least = mo_min(*least, separation);
    if (separation < margin) {
      candidates[candidate_count++] =
          (mo_contact_candidate){clipped[i].position, separation, clipped[i].feature};
    }
  }
  return candidate_count;
}

static void set_reduced_points(mo_manifold *out, const face_pair *faces,
                               const mo_contact_candidate *candidates, int count) {
  bool from_b = faces->reference->is_b;
  int chosen[MO_MANIFOLD_POINTS];
  out->point_count = mo_manifold_reduce(candidates, count, faces->normal, chosen);
  out->normal = from_b ? mo_neg(faces->normal) : faces->normal;
  for (int i = 0; i < out->point_count; i++) {
    const mo_contact_candidate *c = &candidates[chosen[i]];
    mo_vec3 on_reference = mo_add_scaled(c->position, -c->separation, faces->normal);
    out->points[i] =
        (mo_manifold_point){from_b ? c->position : on_reference,
                            from_b ? on_reference : c->position, c->separation, c->feature_id};
  }
}

// A contact of two faces. False, with nothing written, where the deepest point does not have the
// separation of the axis: then it is none.
static bool set_face_points(mo_manifold *out, const contact_axis *axis,
                            const placed_hull *reference, const face_query *query,
                            const placed_hull *incident, double margin) {
  mo_vec3 normal = direction_in_a(reference, reference->hull->faces[query->face].normal);
  face_pair faces = {.reference = reference,
                     .incident = incident,
                     .reference_face = query->face,
                     .incident_face = aligned_face(incident->hull, query->other_edge,
                                                   mo_neg(direction_in_hull(incident, normal))),
                     .normal = normal};
  mo_contact_candidate candidates[MO_MAX_CANDIDATES];
  double least;
  int count = find_face_candidates(&faces, margin, candidates, &least);
  if (!(fabs(least - axis->separation) <= FACE_TOLERANCE) || count == 0) {
    return false;
  }
  set_reduced_points(out, &faces, candidates, count);
  if (reference->is_b) {
    settle_names(out, incident, faces.incident_face, reference, faces.reference_face);
  } else {
    settle_names(out, reference, faces.reference_face, incident, faces.incident_face);
  }
  return true;
}

static void to_world(mo_manifold *m, mo_transform a) {
  m->normal = mo_mat3_mul(a.rotation, m->normal);
  for (int i = 0; i < m->point_count; i++) {
    m->points[i].point_a = mo_transform_point(a, m->points[i].point_a);
    m->points[i].point_b = mo_transform_point(a, m->points[i].point_b);
  }
}

void mo_collide_hulls(const mo_hull *hull_a, mo_transform placement_a, const mo_hull *hull_b,
                      mo_transform placement_b, double margin, mo_manifold *out) {
  out->point_count = 0;
  mo_minkowski pair = mo_minkowski_create(hull_a, placement_a, hull_b, placement_b);
  contact_axis axis;
  if (!find_axis(&pair, margin, &axis)) {
    return;
  }
  placed_hull a = {.hull = hull_a}, b = {.hull = hull_b, .in_a = pair.b_in_a, .is_b = true};
  uint32_t edge_a = axis.features.vertices[0].a, edge_b = axis.features.vertices[0].b;
  face_query on_a = query_face(&a, edge_a, &b, edge_b, axis.normal);
  face_query on_b = query_face(&b, edge_b, &a, edge_a, mo_neg(axis.normal));

  // The face further out is the reference; the other one, if it is aligned too, has a second try.
  bool b_first =
      on_b.aligned && (!on_a.aligned || on_b.separation > on_a.separation + REFERENCE_TIE);
  const placed_hull *hulls[2] = {b_first ? &b : &a, b_first ? &a : &b};
  const face_query *queries[2] = {b_first ? &on_b : &on_a, b_first ? &on_a : &on_b};
  bool found = false;
  for (int i = 0; i < 2 && !found; i++) {
    found = queries[i]->aligned &&
            set_face_points(out, &axis, hulls[i], queries[i], hulls[1 - i], margin);
  }
  if (!found) {
    set_single_point(out, &axis, &a, &b);
  }
  to_world(out, placement_a);
}
