/// Contacts of a convex shape with the edges and corners of triangles.
#include "collision/convex/epa.h"
#include "collision/convex/triangle_shape.h"
#include "collision/narrow/feature.h"
#include "collision/narrow/hull_manifold.h"
#include "collision/narrow/mesh_pair.h"

// Sine: a direction that rises over a neighbour by less is no approach to it. It is the accuracy of
// flat edges.
#define RISE MO_MESH_FLAT
// Of the bounding radius of the shape: how far over a point it is looked whether a triangle rises.
#define LOOK 0.1
// Cosine of 0.6 degrees: a normal this near to that of the triangle is taken for it.
#define IS_FACE 0.99995
// Sine: an edge of a triangle that is inclined to a face by less lies on it.
#define LIES_ON 0.01

// --- where the core and the triangle are nearest -----------------------------------------------

typedef struct nearest {
  bool is_apart;
  mo_vec3 normal; // from the triangle to the core
  mo_vec3 on_core, on_triangle;
  double distance; // of the core, negative for an overlap
} nearest;

// Returns false if they are further apart than the margin, or if no direction is known.
static bool find_nearest(mo_mesh_pair *pair, const mo_mesh_facet *facet, nearest *found) {
  mo_triangle at;
  mo_convex triangle;
  mo_vec3 centroid = mo_triangle_core(&facet->at, &at, &triangle);
  mo_minkowski search =
      mo_minkowski_of(&triangle, &pair->convex->core, (mo_transform){pair->turn, mo_neg(centroid)});
  double radius = pair->convex->core.radius;
  mo_gjk_result gjk = mo_gjk(&search, pair->margin + radius);
  if (gjk.status == MO_GJK_BEYOND) {
    pair->gap = mo_min(pair->gap, gjk.distance - radius);
    return false;
  }
  *found =
      (nearest){gjk.status == MO_GJK_APART, gjk.normal, gjk.point_b, gjk.point_a, gjk.distance};
  if (!found->is_apart && pair->convex->core.kind >= MO_CORE_HULL) {
    mo_epa_result epa = mo_epa(&search, &gjk.simplex);
    *found = (nearest){false, epa.normal, epa.point_b, epa.point_a, -epa.depth};
  }
  found->on_core = mo_add(found->on_core, centroid);
  found->on_triangle = mo_add(found->on_triangle, centroid);
  return mo_length_squared(found->normal) > 0.0;
}

// --- local minima ----------------------------------------------------------------------------

// A point of the surface, and the direction to the core.
typedef struct minimum_test {
  const mo_mesh_pair *pair;
  mo_vec3 point, direction;
  bool fails;
} minimum_test;

// Whether a triangle that contains the point comes nearer to the core beside it.
static bool test_beside(void *user, uint32_t index) {
  minimum_test *test = user;
  mo_triangle t = mo_mesh_triangle(test->pair->mesh, index);
  bool rises = false;
  for (int k = 0; k < 3; k++) {
    t.corners[k] = mo_sub(t.corners[k], test->pair->origin);
    rises = rises ||
            mo_dot(test->direction, mo_sub(t.corners[k], test->point)) > test->pair->same_place;
  }
  if (rises) {
    mo_vec3 closest = mo_triangle_closest_point(&t, test->point);
    if (mo_distance_between(closest, test->point) <= 4.0 * test->pair->same_place) {
      // How far the nearest point moves tells the slope, however thin the triangle is.
      double look = LOOK * test->pair->convex->bounding_radius;
      mo_vec3 ahead = mo_add_scaled(closest, look, test->direction);
      mo_vec3 way = mo_sub(mo_triangle_closest_point(&t, ahead), closest);
      double least = RISE * look + 2.0 * test->pair->same_place;
      test->fails = mo_dot(test->direction, way) > 0.0 && mo_length_squared(way) > least * least;
    }
  }
  return !test->fails;
}

// Whether no point of the surface beside a point of it is nearer in a direction.
static bool is_minimum(const mo_mesh_pair *pair, mo_vec3 point, mo_vec3 direction) {
  minimum_test test = {pair, point, direction, false};
  mo_vec3 in_mesh = mo_add(point, pair->origin);
  mo_bounds around = mo_bounds_expand((mo_bounds){in_mesh, in_mesh}, 4.0 * pair->same_place);
  mo_mesh_search(pair->mesh, around, test_beside, &test);
  return !test.fails;
}

// --- contacts --------------------------------------------------------------------------------

static void add(mo_mesh_pair *pair, const mo_mesh_facet *facet, mo_vec3 normal, mo_vec3 position,
                double separation, uint32_t name) {
  mo_mesh_touch touch = {normal, position, separation, name, facet->height < 0.0};
  mo_mesh_add(pair, &touch);
}

// The part of an edge of the triangle that is under a flat side of the core, as fractions. Returns
// false if none is.
static bool clip_edge(const mo_mesh_side *side, mo_vec3 from, mo_vec3 to, double *first,
                      double *last) {
  *first = 0.0;
  *last = 1.0;
  for (int i = 0; i < side->count; i++) {
    mo_vec3 p = side->points[i], q = side->points[i + 1 < side->count ? i + 1 : 0];
    mo_vec3 outwards = mo_cross(mo_sub(q, p), side->normal);
    double start = mo_dot(outwards, mo_sub(from, p)), end = mo_dot(outwards, mo_sub(to, p));
    if (start > 0.0 && end > 0.0) {
      return false;
    }
    if (start > 0.0) {
      *first = mo_max(*first, start / (start - end));
    } else if (end > 0.0) {
      *last = mo_min(*last, start / (start - end));
    }
  }
  return *first <= *last;
}

// Adds both ends of edge k of the triangle where it lies under a flat side of the core.
static bool add_edge(mo_mesh_pair *pair, const mo_mesh_facet *facet, const mo_mesh_side *side,
                     mo_vec3 normal, int k) {
  mo_vec3 from = facet->at.corners[k], to = facet->at.corners[(k + 1) % 3];
  double ends[2];
  if (!clip_edge(side, from, to, &ends[0], &ends[1])) {
    return false;
  }
  double along = mo_dot(normal, side->normal);
  uint32_t edge = mo_mesh_edge_name(facet->vertices[k], facet->vertices[(k + 1) % 3]);
  for (int i = 0; i < 2; i++) {
    mo_vec3 at = mo_lerp(from, to, ends[i]);
    double separation = mo_dot(side->normal, mo_sub(side->points[0], at)) / along;
    bool is_corner = ends[i] == (i == 0 ? 0.0 : 1.0);
    uint32_t name = is_corner ? mo_feature_vertex_b(facet->vertices[(k + i) % 3])
                              : mo_feature_edges((uint32_t)i, edge);
    add(pair, facet, normal, at, separation - pair->convex->core.radius, name);
  }
  return true;
}

static bool is_on_edge(const mo_mesh_facet *facet, int k, mo_vec3 point, double tolerance) {
  mo_vec3 from = facet->at.corners[k], along = mo_sub(facet->at.corners[(k + 1) % 3], from);
  mo_vec3 across = mo_cross(mo_normalize(along), mo_sub(point, from));
  return mo_length(across) <= tolerance;
}

// A capsule that lies along an edge touches it with both ends of the common part.
static bool add_parallel(mo_mesh_pair *pair, const mo_mesh_facet *facet, const mo_mesh_side *line,
                         mo_vec3 normal, int k) {
  mo_vec3 from = facet->at.corners[k], to = facet->at.corners[(k + 1) % 3];
  mo_vec3 along = mo_sub(to, from), axis = mo_sub(line->points[1], line->points[0]);
  double squared = mo_length_squared(along), own = mo_length_squared(axis);
  if (mo_length_squared(mo_cross(along, axis)) > LIES_ON * LIES_ON * squared * own) {
    return false;
  }
  double p = mo_dot(along, mo_sub(line->points[0], from)) / squared;
  double q = mo_dot(along, mo_sub(line->points[1], from)) / squared;
  double ends[2] = {mo_max(0.0, mo_min(p, q)), mo_min(1.0, mo_max(p, q))};
  if (!(ends[0] < ends[1])) {
    return false;
  }
  uint32_t edge = mo_mesh_edge_name(facet->vertices[k], facet->vertices[(k + 1) % 3]);
  for (int i = 0; i < 2; i++) {
    mo_vec3 at = mo_lerp(from, to, ends[i]);
    double s = mo_clamp((ends[i] - p) / (q - p), 0.0, 1.0);
    double height = mo_dot(normal, mo_sub(mo_lerp(line->points[0], line->points[1], s), at));
    add(pair, facet, normal, at, height - pair->convex->core.radius,
        mo_feature_edges((uint32_t)i, edge));
  }
  return true;
}

// Adds the contact of the core with an edge or a corner, or with both ends of an edge on which a
// flat side of the core lies.
static void add_minimum(mo_mesh_pair *pair, const mo_mesh_facet *facet, const nearest *found) {
  mo_mesh_side side;
  mo_mesh_find_side(pair, mo_neg(found->normal), &side);
  bool is_flat = side.is_face && mo_dot(side.normal, found->normal) < -MO_FACE_ALIGNMENT;
  bool is_added = false;
  for (int k = 0; k < 3; k++) {
    mo_vec3 along = mo_sub(facet->at.corners[(k + 1) % 3], facet->at.corners[k]);
    if (facet->is_active[k] && (is_flat || side.count == 2) &&
        fabs(mo_dot(along, found->normal)) <= LIES_ON * mo_length(along) &&
        is_on_edge(facet, k, found->on_triangle, 4.0 * pair->same_place)) {
      bool is_line = is_flat ? add_edge(pair, facet, &side, found->normal, k)
                             : add_parallel(pair, facet, &side, found->normal, k);
      is_added = is_added || is_line;
    }
  }
  if (!is_added) {
    bool is_round = pair->convex->core.kind == MO_CORE_POINT;
    uint32_t name =
        is_round ? MO_FEATURE_ROUND
                 : mo_feature_edges(side.vertices[0],
                                    mo_mesh_edge_name(facet->vertices[0], facet->vertices[1]));
    add(pair, facet, found->normal, found->on_triangle, found->distance - pair->convex->core.radius,
        name);
  }
}

// Whether the core is nearest to the triangle along a normal of its edge or corner. A direction to
// the back of the triangle belongs to the neighbour, if there is one.
static bool is_on_rim(const mo_mesh_pair *pair, const mo_mesh_facet *facet, const nearest *found) {
  bool is_allowed = mo_dot(found->normal, facet->normal) >= -RISE;
  for (int k = 0; k < 3; k++) {
    is_allowed = is_allowed || (facet->is_border[k] &&
                                is_on_edge(facet, k, found->on_triangle, 4.0 * pair->same_place));
  }
  return is_allowed && is_minimum(pair, found->on_triangle, found->normal);
}

static int count_points(const mo_mesh_pair *pair) {
  int count = 0;
  for (int i = 0; i < pair->count; i++) {
    count += pair->clusters[i].count;
  }
  return count;
}

void mo_mesh_touch_rim(mo_mesh_pair *pair, const mo_mesh_facet *facet) {
  nearest found;
  bool is_known = find_nearest(pair, facet, &found);
  if (!is_known && pair->convex->core.kind >= MO_CORE_HULL) {
    return;
  }
  if (is_known && mo_dot(found.normal, facet->normal) < IS_FACE && is_on_rim(pair, facet, &found)) {
    add_minimum(pair, facet, &found);
    return;
  }
  // What is below the triangle although the core does not cut it, is beside it.
  bool is_apart = is_known && found.is_apart && facet->height >= 0.0;
  int points = count_points(pair);
  mo_mesh_touch_face(pair, facet, is_apart ? -pair->same_place : -INFINITY);
  if (is_apart && count_points(pair) == points && is_on_rim(pair, facet, &found)) {
    add_minimum(pair, facet, &found); // just beside the face, with almost its normal
  }
  if (pair->count == 0 && is_known && !found.is_apart) {
    mo_mesh_note_way_out(pair, facet);
  }
}
