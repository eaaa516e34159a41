// Two convex shapes of any kind. GJK or, on overlap, EPA finds the normal; for solids of
// revolution, segments and polyhedra it is then refined to round-off. If both shapes have a flat
// side or an edge there, one is clipped by the other (Sutherland and Hodgman 1974). The points on
// the cap of a solid of revolution are on the sides of a polygon in its rim, or on the rim. The
// sides of shapes that are known only by their support functions are polygons of support points,
// which lie inside.
#include "collision/convex/epa.h"
#include "collision/convex/separation.h"
#include "collision/narrow/feature.h"
#include "collision/narrow/manifold_reduction.h"
#include "collision/narrow/pairs.h"
#include "collision/narrow/support_polygon.h"

// Clipping adds a point for each side of the other polygon.
#define MAX_POINTS (2 * MO_SUPPORT_POINTS)
// Sine: edges at a larger angle touch at one point.
#define PARALLEL 0.02
// Cosine: a polygon whose plane is more inclined to the normal is a sliver.
#define SLIVER 0.9
// m: clipped points that are deeper than the nearest points by more than this contradict them.
#define DEPTH_TOLERANCE 5e-7
// Relative to the length of an edge: what is beyond its end by less is on it.
#define BEYOND_END 1e-3
// Added to the number of a side of the reference, for edges that lie on it.
#define ON_SIDE ((uint32_t)MO_SUPPORT_POINTS)

// --- clipping --------------------------------------------------------------------------------

typedef struct clip_point {
  mo_vec3 position;
  uint32_t name; // feature id
  uint32_t edge; // to the next point: a side of the incident polygon, or ON_SIDE plus one of the
                 // reference
} clip_point;

// All in the frame of A.
typedef struct clip {
  const mo_support_polygon *reference, *incident;
  bool from_b;       // B is the reference
  mo_vec3 direction; // from the reference to the incident shape
  mo_vec3 normal;    // of the plane of the reference, unit
  int count;
  clip_point points[MAX_POINTS];
} clip;

static void load_incident(clip *c) {
  c->count = c->incident->count;
  for (int i = 0; i < c->count; i++) {
    uint32_t name = c->incident->names[i];
    c->points[i] = (clip_point){c->incident->points[i],
                                c->from_b ? mo_feature_vertex_a(name) : mo_feature_vertex_b(name),
                                (uint32_t)i};
  }
}

// Keeps the part on the inner side of a plane through a corner of the reference.
static void clip_by(clip *c, mo_vec3 corner, mo_vec3 outwards, uint32_t side) {
  clip_point kept[MAX_POINTS];
  int count = 0;
  for (int i = 0; i < c->count; i++) {
    const clip_point *from = &c->points[i], *to = &c->points[i + 1 < c->count ? i + 1 : 0];
    double height = mo_dot(outwards, mo_sub(from->position, corner));
    double next_height = mo_dot(outwards, mo_sub(to->position, corner));
    bool inside = height <= 0.0, next_inside = next_height <= 0.0;
    if (inside && count < MAX_POINTS) {
      kept[count++] = *from;
    }
    bool is_side = c->incident->count > 2 || i == 0; // an edge has no way back
    if (inside != next_inside && is_side && count < MAX_POINTS) {
      uint32_t name =
          c->from_b ? mo_feature_edges(from->edge, side) : mo_feature_edges(side, from->edge);
      kept[count++] =
          (clip_point){mo_lerp(from->position, to->position, height / (height - next_height)), name,
                       inside ? side + ON_SIDE : from->edge};
    }
  }
  c->count = count;
  for (int i = 0; i < count; i++) {
    c->points[i] = kept[i];
  }
}

// Clips an edge of each. Returns false if they are not parallel, or if one is no flat edge.
static bool clip_edges(clip *c) {
  if (c->reference->count != 2 || c->incident->count != 2 ||
      !(c->reference->is_flat && c->incident->is_flat)) {
    return false;
  }
  const mo_vec3 *r = c->reference->points, *p = c->incident->points;
  mo_vec3 along = mo_normalize(mo_sub(r[1], r[0])), other = mo_normalize(mo_sub(p[1], p[0]));
  if (mo_length(mo_cross(along, other)) > PARALLEL) {
    return false;
  }
  c->normal = mo_normalize(mo_add_scaled(c->direction, -mo_dot(c->direction, along), along));
  load_incident(c);
  clip_by(c, r[0], mo_neg(along), 0);
  clip_by(c, r[1], along, 1);
  return true;
}

// Returns false if the reference is a sliver.
static bool clip_sides(clip *c) {
  const mo_support_polygon *r = c->reference;
  c->normal = mo_v3_zero();
  for (int i = 2; i < r->count; i++) {
    c->normal = mo_add(c->normal, mo_cross(mo_sub(r->points[i - 1], r->points[0]),
                                           mo_sub(r->points[i], r->points[0])));
  }
  c->normal = mo_normalize(c->normal);
  if (!(mo_dot(c->normal, c->direction) > SLIVER)) {
    return false;
  }
  load_incident(c);
  for (int i = 0; i < r->count; i++) {
    mo_vec3 corner = r->points[i], next = r->points[i + 1 < r->count ? i + 1 : 0];
    clip_by(c, corner, mo_cross(mo_sub(next, corner), c->direction), (uint32_t)i);
  }
  return true;
}

// --- the normal ------------------------------------------------------------------------------

// Where the cores are nearest, in the frame of A. The point is only known without a refinement.
typedef struct nearest {
  mo_vec3 normal, point_a;
  double distance; // negative for an overlap
  bool has_point;
} nearest;

// Returns false if they are not closer than `margin`; then the distance is a lower bound.
static bool find_nearest(mo_minkowski *pair, double margin, nearest *found) {
  pair->is_rough = mo_can_refine(pair->a) && mo_can_refine(pair->b);
  mo_gjk_result gjk = mo_gjk(pair, margin);
  *found = (nearest){gjk.normal, gjk.point_a, gjk.distance, !pair->is_rough};
  if (gjk.status == MO_GJK_BEYOND) {
    return false;
  }
  if (gjk.status == MO_GJK_OVERLAP) {
    mo_epa_result epa = mo_epa(pair, &gjk.simplex);
    *found = (nearest){epa.normal, epa.point_a, -epa.depth, !pair->is_rough};
  }
  if (pair->is_rough) {
    mo_separation refined = mo_refine_separation(pair, found->normal);
    found->normal = refined.normal;
    found->distance = refined.distance;
  }
  return found->distance < margin;
}

// --- the manifold ----------------------------------------------------------------------------

static mo_support_polygon polygon_of_b(const mo_minkowski *pair, mo_vec3 normal) {
  mo_support_polygon polygon = mo_find_support_polygon(
      pair->b, mo_neg(mo_mat3_mul_transposed(pair->b_in_a.rotation, normal)));
  polygon.deepest = mo_transform_point(pair->b_in_a, polygon.deepest);
  for (int i = 0; i < polygon.count; i++) {
    polygon.points[i] = mo_transform_point(pair->b_in_a, polygon.points[i]);
  }
  return polygon;
}

// Whether the deepest point of one side is on the other one, moved there along the normal. An edge
// that the normal is perpendicular to but for round-off has a deepest end that may be far from the
// other shape.
static bool is_on(const mo_support_polygon *other, mo_vec3 point) {
  if (other->count != 2) {
    return true;
  }
  mo_vec3 from = other->points[0], along = mo_sub(other->points[1], from);
  double length = mo_length(along), at = mo_dot(along, mo_sub(point, from)) / length;
  return at >= -BEYOND_END * length && at <= (1.0 + BEYOND_END) * length;
}

// The point on A of the deepest contact, if one of the cores has only one point there.
static void find_nearest_point(const mo_support_polygon *a, const mo_support_polygon *b,
                               nearest *found) {
  mo_vec3 way = mo_scale(found->distance, found->normal);
  mo_vec3 of_a = a->deepest, of_b = mo_sub(b->deepest, way);
  bool is_of_a = a->is_point && is_on(b, of_a), is_of_b = b->is_point && is_on(a, of_b);
  if (!found->has_point && (is_of_a || is_of_b)) {
    found->has_point = true;
    found->point_a = is_of_a ? of_a : of_b;
  }
}

// Where the line of an edge crosses that of another one, seen along the normal, as a part of its
// length.
static double crossing_of(const mo_support_polygon *edge, const mo_support_polygon *other,
                          mo_vec3 normal) {
  mo_vec3 along = mo_sub(edge->points[1], edge->points[0]);
  mo_vec3 across = mo_cross(normal, mo_sub(other->points[1], other->points[0]));
  return mo_dot(across, mo_sub(other->points[0], edge->points[0])) / mo_dot(across, along);
}

// The point on A where two edges cross, seen along the normal. Returns false where they do not.
static bool find_crossing(const mo_support_polygon *a, const mo_support_polygon *b, mo_vec3 normal,
                          mo_vec3 *on_a) {
  if (a->count != 2 || b->count != 2) {
    return false;
  }
  double part = crossing_of(a, b, normal), on_b = crossing_of(b, a, normal);
  *on_a = mo_lerp(a->points[0], a->points[1], part);
  return part >= 0.0 && part <= 1.0 && on_b >= 0.0 && on_b <= 1.0;
}

// The nearest point on A by search: what lies beside a side that it nearly touches has no part over
// it.
static mo_vec3 search_point_on_a(mo_minkowski *pair, double margin) {
  pair->is_rough = false;
  mo_gjk_result gjk = mo_gjk(pair, margin);
  return gjk.status == MO_GJK_OVERLAP ? mo_epa(pair, &gjk.simplex).point_a : gjk.point_a;
}

static bool is_flat_side(const mo_support_polygon *p) { return p->count > 2 && p->is_flat; }

// The reference is a flat side, or one of two edges. A disc is clipped by a polygon, so that points
// on its rim are what remains.
static bool is_reference_b(const mo_support_polygon *a, const mo_support_polygon *b) {
  if (is_flat_side(a) != is_flat_side(b)) {
    return is_flat_side(b);
  }
  return a->is_disc == b->is_disc ? b->count > a->count : a->is_disc;
}

static clip begin_clip(const mo_support_polygon *a, const mo_support_polygon *b, mo_vec3 normal) {
  bool from_b = is_reference_b(a, b);
  return (clip){.reference = from_b ? b : a,
                .incident = from_b ? a : b,
                .from_b = from_b,
                .direction = from_b ? mo_neg(normal) : normal};
}

// The clipped points as candidates on the surface of A. Returns no candidates if they contradict
// the distance.
static int clip_candidates(clip *c, const nearest *found, double margin, double metre,
                           mo_contact_candidate *candidates) {
  bool is_clipped =
      c->incident->count > 1 && (is_flat_side(c->reference) ? clip_sides(c) : clip_edges(c));
  int count = 0;
  for (int i = 0; i < c->count && is_clipped; i++) {
    mo_vec3 p = c->points[i].position;
    double separation =
        mo_dot(c->normal, mo_sub(p, c->reference->points[0])) / mo_dot(c->normal, c->direction);
    if (separation < found->distance - DEPTH_TOLERANCE * metre) {
      return 0;
    }
    if (separation < margin) {
      mo_vec3 on_a = c->from_b ? p : mo_add_scaled(p, -separation, found->normal);
      candidates[count++] = (mo_contact_candidate){on_a, separation, c->points[i].name};
    }
  }
  return count;
}

// The candidates of a contact on the surface of A. The nearest point comes first, if it is known or
// nothing else is.
static int find_candidates(mo_minkowski *pair, nearest *found, double margin, double metre,
                           mo_contact_candidate *candidates) {
  mo_support_polygon a = mo_find_support_polygon(pair->a, found->normal);
  mo_support_polygon b = polygon_of_b(pair, found->normal);
  find_nearest_point(&a, &b, found);
  clip c = begin_clip(&a, &b, found->normal);
  int count = clip_candidates(&c, found, margin, metre, candidates + 1);
  if (count > 0 && !found->has_point) {
    candidates[0] = candidates[count];
    return count;
  }
  if (!found->has_point && !find_crossing(&a, &b, found->normal, &found->point_a)) {
    found->point_a = search_point_on_a(pair, margin);
  }
  found->has_point = true;
  candidates[0] = (mo_contact_candidate){found->point_a, found->distance, MO_FEATURE_ROUND};
  return count + 1;
}

void mo_collide_convex(const mo_shape_pair *shapes, double *gap, mo_manifold *out) {
  const mo_convex *a = &shapes->a->core, *b = &shapes->b->core;
  mo_minkowski pair = mo_minkowski_create(a, *shapes->placement_a, b, *shapes->placement_b);
  double margin = shapes->margin + (a->radius + b->radius);
  nearest found;
  bool is_near = find_nearest(&pair, margin, &found);
  *gap = found.distance;
  if (is_near) {
    mo_contact_candidate candidates[MAX_POINTS + 1];
    int chosen[MO_MANIFOLD_POINTS],
        count = find_candidates(&pair, &found, margin, shapes->metre, candidates);
    count = mo_join_candidates(candidates, count, mo_min(a->scale, b->scale));
    count = mo_keep_quarters(a, false, candidates, count);
    count = mo_keep_quarters(b, true, candidates, count);
    out->normal = mo_mat3_mul(shapes->placement_a->rotation, found.normal);
    out->point_count = mo_manifold_reduce(candidates, count, found.normal, mo_tie_direction(),
                                          shapes->metre, chosen);
    for (int i = 0; i < out->point_count; i++) {
      const mo_contact_candidate *c = &candidates[chosen[i]];
      mo_vec3 on_a = mo_transform_point(*shapes->placement_a, c->position);
      out->points[i] = (mo_manifold_point){on_a, mo_add_scaled(on_a, c->separation, out->normal),
                                           c->separation, c->feature_id};
    }
  }
  mo_round_manifold(a->radius, b->radius, gap, out);
}
