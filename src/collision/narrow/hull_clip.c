#include "collision/narrow/hull_clip.h"

#include "collision/convex/gjk.h"
#include "collision/narrow/feature.h"

// Relative to the smaller hull: corners that are outside the reference face by less are kept. So
// corners that coincide (equal boxes in a stack) are vertices in every step, and not crossings of
// edges by round-off.
#define CLIP_THICKNESS 1e-7
// Relative to the smaller hull: a clipped point this close to a vertex gets its name, and a corner
// this close to the line between its neighbours may be dropped.
#define NAME_DISTANCE 1e-3
// m: the depth that dropping such a corner may cost. Together with the tolerance of a face contact
// (hull_manifold.h) it is below the required 1e-6.
#define FLAT_DEPTH 1e-7
// The most points of a clipped face. Faces with more corners are thinned out.
#define MAX_CLIP_POINTS MO_MAX_CANDIDATES
// Set in clip_point.edge if the edge lies on a side of the reference face.
#define REFERENCE_SIDE 0x80000000u

typedef struct clip_point {
  mo_vec3 position;
  uint32_t feature;
  uint32_t edge; // the edge to the next point: a half-edge of the incident face, or of the
                 // reference face with REFERENCE_SIDE
} clip_point;

// --- names -----------------------------------------------------------------------------------

static uint32_t edge_name(const mo_hull *hull, uint32_t half_edge) {
  uint32_t twin = hull->half_edges[half_edge].twin;
  return half_edge < twin ? half_edge : twin;
}

uint32_t mo_edges_name(const mo_hull *a, uint32_t edge_a, const mo_hull *b, uint32_t edge_b) {
  return mo_feature_edges(edge_name(a, edge_a), edge_name(b, edge_b));
}

// The name of a vertex of A that coincides with one of B. It is the lower index, whichever side
// that is on, so the name stays the same if A and B are exchanged.
uint32_t mo_coinciding_name(uint32_t vertex_a, uint32_t vertex_b) {
  return vertex_b < vertex_a ? mo_feature_vertex_b(vertex_b) : mo_feature_vertex_a(vertex_a);
}

static uint32_t vertex_name(bool is_b, uint32_t vertex) {
  return is_b ? mo_feature_vertex_b(vertex) : mo_feature_vertex_a(vertex);
}

// --- clipping --------------------------------------------------------------------------------

void mo_face_contact_begin(mo_face_contact *contact, const mo_hull_pair *pair, bool from_b,
                           uint32_t reference_face, uint32_t vertex) {
  contact->reference = from_b ? pair->b.hull : pair->a.hull;
  contact->incident = from_b ? pair->a.hull : pair->b.hull;
  mo_transform b_in_a = pair->b.in_a;
  contact->incident_in_reference =
      from_b ? (mo_transform){mo_mat3_transpose(b_in_a.rotation),
                              mo_neg(mo_mat3_mul_transposed(b_in_a.rotation, b_in_a.translation))}
             : b_in_a;
  contact->from_b = from_b;
  contact->metre = pair->metre;
  contact->reference_face = reference_face;
  contact->normal = contact->reference->faces[reference_face].normal;
  contact->incident_face = mo_hull_face_at_vertex(
      contact->incident, vertex,
      mo_neg(mo_mat3_mul_transposed(contact->incident_in_reference.rotation, contact->normal)));
}

static uint32_t face_stride(const mo_face *face) {
  return (face->vertex_count + MAX_CLIP_POINTS - 1) / MAX_CLIP_POINTS;
}

static int load_incident(mo_face_contact *contact, clip_point *points) {
  const mo_hull *incident = contact->incident;
  const mo_face *face = &incident->faces[contact->incident_face];
  uint32_t stride = face_stride(face);
  int count = 0;
  for (uint32_t i = 0; i < face->vertex_count; i += stride) {
    uint32_t edge = face->first_vertex + i, vertex = incident->face_loops[edge];
    points[count].position = contact->incident_vertices[count] =
        mo_transform_point(contact->incident_in_reference, incident->vertices[vertex]);
    points[count].feature = vertex_name(!contact->from_b, vertex);
    points[count++].edge = edge;
  }
  return count;
}

// The name of the point where an edge of the clipped polygon crosses side `side` of the reference
// face.
static uint32_t crossing_name(const mo_face_contact *contact, uint32_t side, uint32_t edge) {
  const mo_hull *reference = contact->reference;
  if (!(edge & REFERENCE_SIDE)) {
    return contact->from_b ? mo_edges_name(contact->incident, edge, reference, side)
                           : mo_edges_name(reference, side, contact->incident, edge);
  }
  // Two sides of the reference face meet at one of its corners.
  const mo_half_edge *edges = reference->half_edges;
  uint32_t other = edge & ~REFERENCE_SIDE;
  return vertex_name(contact->from_b, edges[other].next == side ? edges[side].origin
                                                                : edges[edges[side].next].origin);
}

// The polygon during clipping: `points` and `spare` alternate.
typedef struct clip_polygon {
  clip_point *points, *spare;
  int count;
  double thickness; // m: points outside a side by less are kept
} clip_polygon;

// Keeps the part of the polygon below the plane through a side of the reference face. A corner
// within the thickness of the plane stays, and replaces the crossing beside it.
static void clip(clip_polygon *polygon, const mo_face_contact *contact, const double *heights,
                 uint32_t side) {
  const clip_point *in = polygon->points;
  clip_point *out = polygon->spare;
  int kept = 0;
  for (int i = 0; i < polygon->count; i++) {
    int next = i + 1 < polygon->count ? i + 1 : 0;
    double height = heights[i], next_height = heights[next];
    bool inside = height <= polygon->thickness, next_inside = next_height <= polygon->thickness;
    uint32_t edge = inside && !next_inside ? (side | REFERENCE_SIDE) : in[i].edge;
    if (inside && kept < MAX_CLIP_POINTS) {
      out[kept] = in[i];
      out[kept++].edge = height > 0.0 ? edge : in[i].edge;
    }
    if (inside != next_inside && (inside ? height : next_height) <= 0.0 && kept < MAX_CLIP_POINTS) {
      out[kept].position =
          mo_lerp(in[i].position, in[next].position, height / (height - next_height));
      out[kept].feature = crossing_name(contact, side, in[i].edge);
      out[kept++].edge = edge;
    }
  }
  polygon->spare = polygon->points;
  polygon->points = out;
  polygon->count = kept;
}

static void clip_to_sides(clip_polygon *polygon, const mo_face_contact *contact) {
  const mo_face *face = &contact->reference->faces[contact->reference_face];
  const mo_plane *sides = contact->reference->features.sides;
  double heights[MAX_CLIP_POINTS];
  for (uint32_t i = 0; i < face->vertex_count && polygon->count != 0; i++) {
    uint32_t side = face->first_vertex + i;
    mo_vec3 normal = sides[side].normal;
    double offset = sides[side].offset;
    bool is_outside = false;
    for (int k = 0; k < polygon->count; k++) {
      heights[k] = mo_dot(normal, polygon->points[k].position) - offset;
      is_outside |= !(heights[k] <= polygon->thickness);
    }
    if (is_outside) {
      clip(polygon, contact, heights, side);
    }
  }
}

static double name_distance(const mo_hull *a, const mo_hull *b) {
  return NAME_DISTANCE * mo_min(mo_hull_size(a), mo_hull_size(b));
}

// Whether a corner is so close to the line between two others that dropping it costs neither area
// nor depth.
static bool is_flat_corner(const clip_point *corner, const clip_point *from, const clip_point *to,
                           mo_vec3 normal, double reach, double flat_depth) {
  mo_vec3 d = mo_sub(corner->position, from->position), e = mo_sub(to->position, from->position);
  mo_vec3 off = mo_add_scaled(d, -mo_dot(d, e) / mo_max(mo_length_squared(e), reach * reach), e);
  return mo_length_squared(off) < reach * reach && fabs(mo_dot(off, normal)) < flat_depth;
}

// Drops flat corners while there are more than a manifold can hold. Nearly parallel sides cross
// anywhere, so such corners would come and go from step to step.
static int drop_flat_corners(const mo_face_contact *contact, clip_point *points, int count) {
  double reach = name_distance(contact->reference, contact->incident);
  double flat_depth = FLAT_DEPTH * contact->metre;
  int kept = 0;
  for (int i = 0; i < count; i++) {
    const clip_point *from = kept > 0 ? &points[kept - 1] : &points[count - 1];
    const clip_point *to = i + 1 < count ? &points[i + 1] : &points[0];
    bool surplus = kept + count - i > MO_MANIFOLD_POINTS;
    if (!surplus || !is_flat_corner(&points[i], from, to, contact->normal, reach, flat_depth)) {
      points[kept++] = points[i];
    }
  }
  return kept;
}

void mo_clip_faces(mo_face_contact *contact, double margin) {
  clip_point buffers[2][MAX_CLIP_POINTS];
  const mo_hull *a = contact->reference, *b = contact->incident;
  clip_polygon polygon = {.points = buffers[0],
                          .spare = buffers[1],
                          .count = load_incident(contact, buffers[0]),
                          .thickness = CLIP_THICKNESS * mo_min(mo_hull_size(a), mo_hull_size(b))};
  clip_to_sides(&polygon, contact);
  int count = polygon.count <= MO_MANIFOLD_POINTS
                  ? polygon.count
                  : drop_flat_corners(contact, polygon.points, polygon.count);
  double offset = a->faces[contact->reference_face].offset;
  contact->least = INFINITY;
  contact->count = 0;
  for (int i = 0; i < count; i++) {
    const clip_point *p = &polygon.points[i];
    double separation = mo_dot(contact->normal, p->position) - offset;
    if (separation < contact->least) {
      contact->least = separation;
      contact->deepest = p->position;
      contact->deepest_name = p->feature;
    }
    if (separation < margin) {
      contact->candidates[contact->count++] =
          (mo_contact_candidate){p->position, separation, p->feature};
    }
  }
}

// --- points ----------------------------------------------------------------------------------

// The points of a manifold in lanes, relative to the middle of the reference hull, and the vertex
// near each, or UINT32_MAX. Single precision is enough to decide what is near.
typedef struct named_points {
  mo_vec3x4 positions, normal;
  mo_f32x4 reach_squared;
  uint32_t on_reference[4], on_incident[4];
} named_points;

// Records the points that are within reach of a vertex, perpendicular to the normal.
static void note_vertex(const named_points *points, mo_vec3 position, uint32_t vertex,
                        uint32_t *near) {
  mo_vec3x4 d = {points->positions.x - mo_f32x4_splat((float)position.x),
                 points->positions.y - mo_f32x4_splat((float)position.y),
                 points->positions.z - mo_f32x4_splat((float)position.z)};
  mo_f32x4 up = mo_vec3x4_dot(d, points->normal);
  int lanes = mo_i32x4_bits(mo_vec3x4_dot(d, d) - up * up < points->reach_squared);
  for (int i = 0; lanes != 0; i++, lanes >>= 1) {
    if ((lanes & 1) && near[i] == UINT32_MAX) {
      near[i] = vertex;
    }
  }
}

static void note_vertices(const mo_face_contact *c, named_points *points) {
  mo_vec3 centre = c->reference->features.centre;
  const mo_face *face = &c->reference->faces[c->reference_face];
  const uint32_t *loop = c->reference->face_loops + face->first_vertex;
  for (uint32_t i = 0; i < face->vertex_count; i++) {
    note_vertex(points, mo_sub(c->reference->vertices[loop[i]], centre), loop[i],
                points->on_reference);
  }
  face = &c->incident->faces[c->incident_face];
  loop = c->incident->face_loops + face->first_vertex;
  uint32_t stride = face_stride(face);
  for (uint32_t i = 0, k = 0; i < face->vertex_count; i += stride, k++) {
    note_vertex(points, mo_sub(c->incident_vertices[k], centre), loop[i], points->on_incident);
  }
}

static bool is_taken(const mo_manifold *m, int point, uint32_t name) {
  for (int i = 0; i < m->point_count; i++) {
    if (i != point && m->points[i].feature_id == name) {
      return true;
    }
  }
  return false;
}

// Where vertices nearly coincide or lie on an edge, round-off would decide the name of a point.
// Points near a vertex get its name, unless another point has it.
static void settle_names(const mo_face_contact *c, named_points *points, mo_manifold *m) {
  note_vertices(c, points);
  for (int i = 0; i < m->point_count; i++) {
    uint32_t on_a = c->from_b ? points->on_incident[i] : points->on_reference[i];
    uint32_t on_b = c->from_b ? points->on_reference[i] : points->on_incident[i];
    if (on_a == UINT32_MAX && on_b == UINT32_MAX) {
      continue;
    }
    uint32_t name = mo_coinciding_name(on_a, on_b);
    if (!is_taken(m, i, name)) {
      m->points[i].feature_id = name;
    }
  }
}

void mo_face_contact_points(const mo_face_contact *contact, const mo_transform *reference,
                            mo_manifold *out) {
  int chosen[MO_MANIFOLD_POINTS];
  float x[4] = {0}, y[4] = {0}, z[4] = {0};
  mo_vec3 normal = mo_mat3_mul(reference->rotation, contact->normal);
  mo_vec3 centre = contact->reference->features.centre;
  // A face that spins on a larger one keeps its points.
  mo_vec3 ties = mo_mat3_mul(contact->incident_in_reference.rotation, mo_tie_direction());
  out->point_count = mo_manifold_reduce(contact->candidates, contact->count, contact->normal, ties,
                                        contact->metre, chosen);
  out->normal = contact->from_b ? mo_neg(normal) : normal;
  for (int i = 0; i < out->point_count; i++) {
    const mo_contact_candidate *c = &contact->candidates[chosen[i]];
    mo_manifold_point *point = &out->points[i];
    mo_vec3 on_incident = mo_transform_point(*reference, c->position);
    mo_vec3 on_reference = mo_add_scaled(on_incident, -c->separation, normal);
    point->point_a = contact->from_b ? on_incident : on_reference;
    point->point_b = contact->from_b ? on_reference : on_incident;
    point->separation = c->separation;
    point->feature_id = c->feature_id;
    x[i] = (float)(c->position.x - centre.x);
    y[i] = (float)(c->position.y - centre.y);
    z[i] = (float)(c->position.z - centre.z);
  }
  mo_vec3 n = contact->normal;
  float reach = (float)name_distance(contact->reference, contact->incident);
  named_points named = {.positions = {mo_f32x4_load(x), mo_f32x4_load(y), mo_f32x4_load(z)},
                        .normal = {mo_f32x4_splat((float)n.x), mo_f32x4_splat((float)n.y),
                                   mo_f32x4_splat((float)n.z)},
                        .reach_squared = mo_f32x4_splat(reach * reach),
                        .on_reference = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
                        .on_incident = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}};
  settle_names(contact, &named, out);
}
