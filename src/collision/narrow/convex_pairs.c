// Shapes that are known only by their support mappings. GJK, or EPA on overlap, finds the points
// where the cores are nearest; that contact is exact to round-off. If both shapes have a flat side
// or an edge there, one is clipped by the other (Sutherland and Hodgman 1974). Those points are as
// accurate as the polygons of support points that stand for the sides, which lie inside the shapes.
#include "collision/convex/epa.h"
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
// Relative to the sizes: a clipped point this close to the nearest points replaces them.
#define SAME_PLACE 1e-3
// Added to the number of a side of the reference, for edges that lie on it.
#define ON_SIDE 16u

// --- clipping --------------------------------------------------------------------------------

typedef struct clip_point {
  mo_vec3 position;
  uint32_t name; // feature id
  uint32_t edge; // to the next point: an edge of the incident polygon, or ON_SIDE plus a side
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
    c->points[i] =
        (clip_point){c->incident->points[i],
                     c->from_b ? mo_feature_vertex_a(name) : mo_feature_vertex_b(name), name};
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
    if (inside != next_inside && count < MAX_POINTS) {
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

// Clips an edge of each. Returns false if they are not parallel.
static bool clip_edges(clip *c) {
  const mo_vec3 *r = c->reference->points, *p = c->incident->points;
  mo_vec3 along = mo_normalize(mo_sub(r[1], r[0])), other = mo_normalize(mo_sub(p[1], p[0]));
  if (mo_length(mo_cross(along, other)) > PARALLEL) {
    return false;
  }
  c->normal = mo_normalize(mo_add_scaled(c->direction, -mo_dot(c->direction, along), along));
  load_incident(c);
  clip_by(c, r[0], mo_neg(along), c->reference->names[0]);
  clip_by(c, r[1], along, c->reference->names[1]);
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
    clip_by(c, corner, mo_cross(mo_sub(next, corner), c->direction), r->names[i]);
  }
  return true;
}

// --- the manifold ----------------------------------------------------------------------------

// Where the cores are nearest, in the frame of A.
typedef struct nearest {
  mo_vec3 normal, point_a, point_b;
  double distance; // negative for an overlap
} nearest;

// Returns false if they are not closer than `margin`; then the distance is a lower bound.
static bool find_nearest(mo_minkowski *pair, double margin, nearest *found) {
  mo_gjk_result gjk = mo_gjk(pair, margin);
  *found = (nearest){gjk.normal, gjk.point_a, gjk.point_b, gjk.distance};
  if (gjk.status == MO_GJK_OVERLAP) {
    mo_epa_result epa = mo_epa(pair, &gjk.simplex);
    *found = (nearest){epa.normal, epa.point_a, epa.point_b, -epa.depth};
  }
  return gjk.status != MO_GJK_BEYOND && found->distance < margin;
}

static mo_support_polygon polygon_of_b(const mo_minkowski *pair, mo_vec3 normal) {
  mo_support_polygon polygon = mo_find_support_polygon(
      pair->b, mo_neg(mo_mat3_mul_transposed(pair->b_in_a.rotation, normal)));
  for (int i = 0; i < polygon.count; i++) {
    polygon.points[i] = mo_transform_point(pair->b_in_a, polygon.points[i]);
  }
  return polygon;
}

// The candidates of a contact on the surface of A. The nearest points come first.
static int find_candidates(const mo_minkowski *pair, const nearest *found, double margin,
                           mo_contact_candidate *candidates) {
  candidates[0] = (mo_contact_candidate){found->point_a, found->distance, MO_FEATURE_ROUND};
  mo_support_polygon a = mo_find_support_polygon(pair->a, found->normal);
  mo_support_polygon b = polygon_of_b(pair, found->normal);
  clip c = {.from_b = b.count > a.count};
  c.reference = c.from_b ? &b : &a;
  c.incident = c.from_b ? &a : &b;
  c.direction = c.from_b ? mo_neg(found->normal) : found->normal;
  bool is_clipped =
      c.incident->count > 1 && (c.reference->count > 2 ? clip_sides(&c) : clip_edges(&c));
  int count = 1;
  for (int i = 0; i < c.count && is_clipped; i++) {
    mo_vec3 p = c.points[i].position;
    double separation =
        mo_dot(c.normal, mo_sub(p, c.reference->points[0])) / mo_dot(c.normal, c.direction);
    if (separation < found->distance - DEPTH_TOLERANCE) {
      return 1;
    }
    if (separation < margin) {
      mo_vec3 on_a = c.from_b ? p : mo_add_scaled(p, -separation, found->normal);
      candidates[count++] = (mo_contact_candidate){on_a, separation, c.points[i].name};
    }
  }
  return count;
}

// Drops the nearest points if a clipped point is as deep and at the same place.
static int drop_double(mo_contact_candidate *candidates, int count, double reach) {
  for (int i = 1; i < count; i++) {
    if (mo_distance_between(candidates[i].position, candidates[0].position) <= reach) {
      candidates[i].separation = candidates[0].separation;
      candidates[i].position = candidates[0].position;
      candidates[0] = candidates[count - 1];
      return count - 1;
    }
  }
  return count;
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
    int count = find_candidates(&pair, &found, margin, candidates), chosen[MO_MANIFOLD_POINTS];
    count = drop_double(candidates, count, SAME_PLACE * pair.scale);
    out->normal = mo_mat3_mul(shapes->placement_a->rotation, found.normal);
    out->point_count =
        mo_manifold_reduce(candidates, count, found.normal, mo_tie_direction(), chosen);
    for (int i = 0; i < out->point_count; i++) {
      const mo_contact_candidate *c = &candidates[chosen[i]];
      mo_vec3 on_a = mo_transform_point(*shapes->placement_a, c->position);
      out->points[i] = (mo_manifold_point){on_a, mo_add_scaled(on_a, c->separation, out->normal),
                                           c->separation, c->feature_id};
    }
  }
  mo_round_manifold(a->radius, b->radius, gap, out);
}
