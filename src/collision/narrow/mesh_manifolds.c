#include "collision/narrow/mesh_manifolds.h"

#include "collision/convex/tie_break.h"
#include "collision/narrow/feature.h"
#include "collision/narrow/mesh_pair.h"
#include "collision/narrow/support_polygon.h"

// Cosine of 1 degree: contacts whose normals differ by less are one manifold.
#define SAME_NORMAL 0.99985
// Cosine of 25 degrees: where there are too many normals, a contact joins a manifold up to this.
#define SIMILAR_NORMAL 0.906
// Cosine: a deep contact that pushes against a shallower one by more than this is on the far side.
#define OPPOSED (-0.1)
// Fraction of the inner radius by which the centroid may be behind the front of a triangle and the
// shape still counts as in front. A shape that rests on the back has its centroid further behind.
#define BEHIND_PART 0.75
// Fraction of the bounding radius: closer points count as one.
#define SAME_PLACE 1e-6
// The same where corners were rounded to single precision: up to this.
#define MOST_PLACE 2e-3
// Fraction of the bounding radius by which the search looks further than the margin, so that a
// shape in flight is not compared in every step, and one that keeps close over the ground, as the
// chassis of a car does, is not in most.
#define OUTLOOK 0.5
#define CLOSE_OUTLOOK 0.1

// --- clusters --------------------------------------------------------------------------------

static mo_mesh_cluster *most_aligned(mo_mesh_pair *pair, mo_vec3 normal, double *cosine) {
  mo_mesh_cluster *best = NULL;
  *cosine = -INFINITY;
  for (int i = 0; i < pair->count; i++) {
    double c = mo_dot(pair->clusters[i].normal, normal);
    if (c > *cosine) {
      *cosine = c;
      best = &pair->clusters[i];
    }
  }
  return best;
}

static mo_mesh_cluster *start(mo_mesh_cluster *cluster, const mo_mesh_touch *touch) {
  cluster->normal = touch->normal;
  cluster->least = INFINITY;
  cluster->is_deep = touch->is_deep;
  cluster->count = 0;
  return cluster;
}

// The shallowest cluster, if the contact is deeper.
static mo_mesh_cluster *replaceable(mo_mesh_pair *pair, const mo_mesh_touch *touch) {
  mo_mesh_cluster *highest = &pair->clusters[0];
  for (int i = 1; i < pair->count; i++) {
    highest = pair->clusters[i].least > highest->least ? &pair->clusters[i] : highest;
  }
  return touch->separation < highest->least ? highest : NULL;
}

// The cluster that a contact belongs to; null: it is dropped.
static mo_mesh_cluster *cluster_of(mo_mesh_pair *pair, const mo_mesh_touch *touch) {
  double cosine;
  mo_mesh_cluster *best = most_aligned(pair, touch->normal, &cosine);
  if (best && cosine > SAME_NORMAL) {
    return best;
  }
  if (pair->count < MO_MESH_MANIFOLDS) {
    return start(&pair->clusters[pair->count++], touch);
  }
  if (cosine > SIMILAR_NORMAL) {
    return best;
  }
  mo_mesh_cluster *worst = replaceable(pair, touch);
  return worst ? start(worst, touch) : NULL;
}

// Keeps the best points of a full cluster.
static void reduce(mo_mesh_pair *pair, mo_mesh_cluster *cluster) {
  int chosen[MO_MANIFOLD_POINTS];
  mo_vec3 ties = mo_mat3_mul(pair->turn, mo_tie_direction());
  int count = mo_manifold_reduce(cluster->candidates, cluster->count, cluster->normal, ties,
                                 pair->metre, chosen);
  for (int i = 0; i < count; i++) {
    cluster->candidates[i] = cluster->candidates[chosen[i]];
  }
  cluster->count = count;
}

void mo_mesh_add(mo_mesh_pair *pair, const mo_mesh_touch *touch) {
  pair->gap = mo_min(pair->gap, touch->separation);
  if (!(touch->separation < pair->margin)) {
    return;
  }
  mo_mesh_cluster *cluster = cluster_of(pair, touch);
  if (!cluster) {
    return;
  }
  cluster->least = mo_min(cluster->least, touch->separation);
  for (int i = 0; i < cluster->count; i++) {
    mo_contact_candidate *known = &cluster->candidates[i];
    if (known->feature_id == touch->feature_id ||
        mo_distance_between(known->position, touch->position) <= pair->same_place) {
      if (touch->separation < known->separation) {
        known->separation = touch->separation;
        known->position = touch->position;
        // The impulse of a single point is through its own facet's normal, or it turns a ball.
        cluster->normal = cluster->count == 1 ? touch->normal : cluster->normal;
      }
      return;
    }
  }
  if (cluster->count == MO_MESH_CANDIDATES) {
    reduce(pair, cluster);
  }
  cluster->candidates[cluster->count++] =
      (mo_contact_candidate){touch->position, touch->separation, touch->feature_id};
}

// --- triangles -------------------------------------------------------------------------------

static bool is_beyond(mo_edge_kind kind, bool from_back) {
  return kind == MO_EDGE_BORDER || kind == (from_back ? MO_EDGE_CONCAVE : MO_EDGE_CONVEX);
}

// Makes the back of a triangle its front. Edge k becomes edge 2 - k.
static void turn_over(mo_mesh_facet *facet) {
  mo_vec3 second = facet->at.corners[1];
  uint32_t vertex = facet->vertices[1];
  facet->at.corners[1] = facet->at.corners[2];
  facet->at.corners[2] = second;
  facet->vertices[1] = facet->vertices[2];
  facet->vertices[2] = vertex;
  facet->normal = mo_neg(facet->normal);
  facet->height = -facet->height;
}

// Returns false for a triangle that shows its back to the shape and has none.
static bool make_facet(const mo_mesh_pair *pair, uint32_t triangle, mo_mesh_facet *facet) {
  const mo_mesh *mesh = pair->mesh;
  facet->index = triangle;
  facet->at = mo_mesh_triangle(mesh, triangle);
  mo_mesh_corners(mesh, triangle, facet->vertices);
  for (int k = 0; k < 3; k++) {
    facet->at.corners[k] = mo_sub(facet->at.corners[k], pair->origin);
  }
  facet->normal = mo_triangle_normal(&facet->at);
  facet->height = mo_dot(facet->normal, mo_sub(pair->centroid, facet->at.corners[0]));
  double limit = (pair->fronts_only ? 1.0 : BEHIND_PART) * pair->convex->inner_radius;
  bool from_back = facet->height < -limit && mo_mesh_is_behind(pair, facet);
  if (from_back && pair->fronts_only) {
    return false;
  }
  if (from_back) {
    turn_over(facet);
  }
  for (int k = 0; k < 3; k++) {
    mo_edge_kind kind = mo_mesh_edge_kind(mesh, triangle, from_back ? 2 - k : k);
    facet->is_border[k] = kind == MO_EDGE_BORDER;
    facet->is_flat[k] = kind == MO_EDGE_FLAT;
    facet->is_active[k] = is_beyond(kind, from_back);
  }
  facet->is_smooth = mo_mesh_is_smooth(mesh, triangle, from_back);
  return true;
}

// Whether a triangle is further than the margin from the bounds of a polyhedron along its own axes.
// The bounds along the axes of the mesh, by which triangles are searched, are much larger where it
// is turned.
static bool is_beyond_bounds(const mo_mesh_pair *pair, uint32_t triangle) {
  if (pair->convex->core.kind != MO_CORE_HULL) {
    return false;
  }
  const mo_hull *hull = pair->convex->core.hull;
  double reach = pair->margin + pair->convex->core.radius + pair->same_place;
  mo_triangle at = mo_mesh_triangle(pair->mesh, triangle);
  mo_vec3 corners[3];
  for (int k = 0; k < 3; k++) {
    corners[k] = mo_mat3_mul_transposed(pair->turn, mo_sub(at.corners[k], pair->origin));
  }
  mo_vec3 lower = mo_v3_min(corners[0], mo_v3_min(corners[1], corners[2]));
  mo_vec3 upper = mo_v3_max(corners[0], mo_v3_max(corners[1], corners[2]));
  return lower.x > hull->upper.x + reach || lower.y > hull->upper.y + reach ||
         lower.z > hull->upper.z + reach || upper.x < hull->lower.x - reach ||
         upper.y < hull->lower.y - reach || upper.z < hull->lower.z - reach;
}

// Whether the lowest point of the core is over the inside of the triangle, by more than its depth
// from active edges. Then no way out over an edge is shorter than that along the normal.
static bool is_over_inside(const mo_mesh_facet *facet, mo_vec3 lowest, double height) {
  for (int k = 0; k < 3; k++) {
    mo_vec3 along = mo_sub(facet->at.corners[(k + 1) % 3], facet->at.corners[k]);
    mo_vec3 outwards = mo_normalize(mo_cross(along, facet->normal));
    double inside = -mo_dot(outwards, mo_sub(lowest, facet->at.corners[k]));
    if (!(inside >= mo_max(0.0, -height))) {
      return false;
    }
  }
  return true;
}

// Whether the centroid is outside of a mesh that encloses a volume: the first triangle on a ray
// from there, if there is one, shows its front.
static bool is_outside(const mo_mesh_pair *pair) {
  if (pair->mesh->defect.result != MO_OK) {
    return false;
  }
  mo_local_ray ray = {.origin = mo_add(pair->centroid, pair->origin),
                      .direction = mo_normalize(mo_tie_direction())};
  mo_mesh_hit hit = mo_mesh_cast_ray(pair->mesh, &ray, INFINITY);
  if (hit.triangle == MO_NO_TRIANGLE) {
    return true;
  }
  mo_triangle triangle = mo_mesh_triangle(pair->mesh, hit.triangle);
  return mo_dot(mo_triangle_normal(&triangle), ray.direction) < 0.0;
}

// Which sides of triangles the shape can touch is found out at the first of them.
static void find_fronts(mo_mesh_pair *pair) {
  if (!pair->has_fronts) {
    pair->fronts_only = pair->mesh->is_one_sided || is_outside(pair);
    pair->has_fronts = true;
  }
}

static bool collide_triangle(void *user, uint32_t triangle) {
  mo_mesh_pair *pair = user;
  if (is_beyond_bounds(pair, triangle)) {
    return true;
  }
  mo_mesh_facet facet;
  find_fronts(pair);
  if (!make_facet(pair, triangle, &facet)) {
    return true;
  }
  mo_vec3 lowest = mo_mesh_core_support(pair, mo_neg(facet.normal));
  double height = mo_dot(facet.normal, mo_sub(lowest, facet.at.corners[0]));
  double radius = pair->convex->core.radius;
  if (height - radius >= pair->margin) {
    pair->gap = mo_min(pair->gap, height - radius);
  } else if (facet.is_smooth || is_over_inside(&facet, lowest, height)) {
    mo_mesh_touch_face(pair, &facet, -INFINITY);
  } else {
    mo_mesh_touch_rim(pair, &facet);
  }
  return true;
}

// --- the result ------------------------------------------------------------------------------

// Whether a deep cluster pushes to the far side: against another one that is less deep.
static bool is_far_side(const mo_mesh_pair *pair, const mo_mesh_cluster *deep) {
  for (int i = 0; i < pair->count && deep->is_deep; i++) {
    const mo_mesh_cluster *other = &pair->clusters[i];
    if (other != deep && mo_dot(other->normal, deep->normal) < OPPOSED &&
        other->least > deep->least) {
      return true;
    }
  }
  return false;
}

static void write_manifold(mo_mesh_pair *pair, mo_mesh_cluster *cluster,
                           const mo_transform *placement, mo_manifold *out) {
  cluster->count =
      mo_keep_quarters(&pair->convex->core, false, cluster->candidates, cluster->count);
  reduce(pair, cluster);
  out->normal = mo_neg(mo_mat3_mul(placement->rotation, cluster->normal));
  out->point_count = cluster->count;
  for (int i = 0; i < cluster->count; i++) {
    const mo_contact_candidate *c = &cluster->candidates[i];
    mo_vec3 on_mesh = mo_transform_point(*placement, mo_add(c->position, pair->origin));
    out->points[i] = (mo_manifold_point){mo_add_scaled(on_mesh, -c->separation, out->normal),
                                         on_mesh, c->separation, c->feature_id};
  }
}

static mo_bounds bounds_of(const mo_mesh_pair *pair, double reach) {
  mo_transform placement = {pair->turn, pair->origin};
  return mo_bounds_expand(mo_shape_bounds(pair->convex, &placement), reach);
}

static bool find_any(void *user, uint32_t triangle) {
  (void)triangle;
  *(bool *)user = true;
  return false;
}

// Whether any triangle is near, within a wider reach than the margin.
static bool is_any_within(const mo_mesh_pair *pair, double reach) {
  bool is_any = false;
  mo_mesh_search(pair->mesh, bounds_of(pair, reach), find_any, &is_any);
  return is_any;
}

// How far around a shape there is no triangle, of a few reaches; at least the margin.
static double free_reach(const mo_mesh_pair *pair, double radius) {
  double wide = pair->margin + OUTLOOK * radius;
  if (!is_any_within(pair, wide)) {
    return wide;
  }
  double close = pair->margin + CLOSE_OUTLOOK * radius;
  return is_any_within(pair, close) ? pair->margin : close;
}

// Searches the triangles in reach. Where there are none near, the gap is at least the reach of a
// wider search that finds none either.
static void search(mo_mesh_pair *pair) {
  pair->gap = pair->margin + OUTLOOK * pair->convex->bounding_radius;
  mo_mesh_search(pair->mesh, bounds_of(pair, pair->margin), collide_triangle, pair);
  if (pair->count == 0 && pair->has_way_out) {
    mo_mesh_add(pair, &pair->way_out);
  } else if (pair->count == 0) {
    // Triangles beyond the margin were not looked at.
    pair->gap = free_reach(pair, pair->convex->bounding_radius);
  }
}

void mo_collide_mesh(const mo_shape *convex, const mo_transform *placement_convex,
                     const mo_shape *mesh, const mo_transform *placement_mesh, double margin,
                     double metre, mo_mesh_manifolds *out) {
  mo_transform relative = mo_transform_relative(*placement_mesh, *placement_convex);
  mo_mesh_pair pair;
  pair.convex = convex;
  pair.mesh = mesh->mesh;
  pair.origin = relative.translation;
  pair.turn = relative.rotation;
  pair.centroid = mo_mat3_mul(relative.rotation, convex->centroid);
  pair.margin = margin;
  pair.metre = metre;
  pair.same_place = mo_clamp(mo_mesh_rounding(pair.origin), SAME_PLACE * convex->bounding_radius,
                             MOST_PLACE * convex->bounding_radius);
  pair.count = 0;
  pair.has_fronts = pair.has_way_out = false;
  search(&pair);
  out->count = 0;
  out->gap = pair.gap;
  for (int i = 0; i < pair.count; i++) {
    if (!is_far_side(&pair, &pair.clusters[i])) {
      write_manifold(&pair, &pair.clusters[i], placement_mesh, &out->manifolds[out->count++]);
    }
  }
}

void mo_mesh_manifolds_swap(mo_mesh_manifolds *all) {
  for (int i = 0; i < all->count; i++) {
    mo_manifold *m = &all->manifolds[i];
    m->normal = mo_neg(m->normal);
    for (int k = 0; k < m->point_count; k++) {
      mo_manifold_point *p = &m->points[k];
      *p = (mo_manifold_point){p->point_b, p->point_a, p->separation,
                               mo_feature_swap(p->feature_id)};
    }
  }
}
