/// Contacts of a convex shape with the faces of triangles.
#include "collision/narrow/feature.h"
#include "collision/narrow/mesh_pair.h"
#include "collision/narrow/support_polygon.h"

// Clipping by three sides adds at most three corners.
#define MOST_CORNERS (MO_MESH_POLYGON + 3)

// --- the side of the core --------------------------------------------------------------------

mo_vec3 mo_mesh_core_support(const mo_mesh_pair *pair, mo_vec3 direction) {
  mo_vec3 local = mo_mat3_mul_transposed(pair->turn, direction);
  return mo_mat3_mul(pair->turn, mo_convex_furthest(&pair->convex->core, local));
}

// The face of a hull that looks most in a direction. Of a face with too many corners every second
// (or third, ...) one is used.
static void find_hull_side(const mo_hull *hull, mo_vec3 direction, mo_mesh_side *side) {
  uint32_t vertex = mo_hull_support_vertex(hull, direction);
  const mo_face *face = &hull->faces[mo_hull_face_at_vertex(hull, vertex, direction)];
  uint32_t stride = (face->vertex_count + MO_MESH_POLYGON - 1) / MO_MESH_POLYGON;
  side->is_face = true;
  side->normal = face->normal;
  for (uint32_t i = 0; i < face->vertex_count; i += stride) {
    uint32_t edge = face->first_vertex + i, twin = hull->half_edges[edge].twin;
    side->points[side->count] = hull->vertices[hull->face_loops[edge]];
    side->vertices[side->count] = hull->face_loops[edge];
    side->edges[side->count++] = edge < twin ? edge : twin;
  }
}

static void find_curved_side(const mo_convex *core, mo_vec3 direction, mo_mesh_side *side) {
  mo_support_polygon polygon = mo_find_support_polygon(core, direction);
  side->count = polygon.count;
  side->is_face = polygon.count > 2;
  if (side->is_face) {
    side->normal = mo_normalize(mo_cross(mo_sub(polygon.points[1], polygon.points[0]),
                                         mo_sub(polygon.points[2], polygon.points[0])));
  }
  for (int i = 0; i < polygon.count; i++) {
    side->points[i] = polygon.points[i];
    side->vertices[i] = side->edges[i] = polygon.names[i];
  }
}

void mo_mesh_find_side(const mo_mesh_pair *pair, mo_vec3 direction, mo_mesh_side *side) {
  const mo_convex *core = &pair->convex->core;
  mo_vec3 local = mo_mat3_mul_transposed(pair->turn, direction);
  side->count = 0;
  side->is_face = false;
  side->normal = mo_v3_zero();
  if (core->kind == MO_CORE_HULL) {
    find_hull_side(core->hull, local, side);
  } else if (core->kind >= MO_CORE_REVOLVED) {
    find_curved_side(core, local, side);
  } else {
    side->count = core->kind == MO_CORE_SEGMENT ? 2 : 1;
    for (uint32_t i = 0; i < (uint32_t)side->count; i++) {
      side->points[i] = mo_segment_end(core, i);
      side->vertices[i] = i;
      side->edges[i] = 0;
    }
  }
  for (int i = 0; i < side->count; i++) {
    side->points[i] = mo_mat3_mul(pair->turn, side->points[i]);
  }
  side->normal = mo_mat3_mul(pair->turn, side->normal);
}

// --- clipping --------------------------------------------------------------------------------

// A corner of the clipped side.
typedef struct corner {
  mo_vec3 position;
  uint32_t vertex, edge; // of the convex shape; the edge is that to the next corner
  uint32_t cuts;         // bits of the sides of the triangle on which it was cut
} corner;

typedef struct clipped {
  int count;
  corner corners[MOST_CORNERS];
} clipped;

// Where an edge of the side crosses a side of the triangle.
static corner cut(const corner *from, const corner *to, double height, double next, int k) {
  corner at = *from;
  at.position = mo_lerp(from->position, to->position, height / (height - next));
  at.cuts = (from->cuts & to->cuts) | 1u << k;
  return at;
}

// Keeps the part on the inner side of edge k (Sutherland and Hodgman 1974).
static void clip_by(const clipped *c, const mo_mesh_facet *facet, int k, double tolerance,
                    clipped *kept) {
  mo_vec3 start = facet->at.corners[k];
  mo_vec3 along = mo_sub(facet->at.corners[(k + 1) % 3], start);
  mo_vec3 outwards = mo_normalize(mo_cross(along, facet->normal));
  double heights[MOST_CORNERS];
  for (int i = 0; i < c->count; i++) {
    heights[i] = mo_dot(outwards, mo_sub(c->corners[i].position, start)) - tolerance;
  }
  kept->count = 0;
  for (int i = 0; i < c->count; i++) {
    int after = i + 1 < c->count ? i + 1 : 0;
    double height = heights[i], next = heights[after];
    if (height <= 0.0 && kept->count < MOST_CORNERS) {
      kept->corners[kept->count++] = c->corners[i];
    }
    if ((height <= 0.0) != (next <= 0.0) && kept->count < MOST_CORNERS) {
      kept->corners[kept->count++] = cut(&c->corners[i], &c->corners[after], height, next, k);
    }
  }
}

// The part of the side of the core over a facet.
static void clip_side(const mo_mesh_pair *pair, const mo_mesh_facet *facet, clipped *out) {
  mo_mesh_side side;
  mo_mesh_find_side(pair, mo_neg(facet->normal), &side);
  clipped first, second;
  first.count = side.count;
  for (int i = 0; i < side.count; i++) {
    first.corners[i] = (corner){side.points[i], side.vertices[i], side.edges[i], 0};
  }
  clip_by(&first, facet, 0, pair->same_place, out);
  clip_by(out, facet, 1, pair->same_place, &second);
  clip_by(&second, facet, 2, pair->same_place, out);
}

// A corner on edges beyond which the surface goes on flat is none of the contact: it goes on there
// too.
static bool is_inner(const mo_mesh_facet *facet, const corner *c) {
  for (int k = 0; k < 3; k++) {
    if ((c->cuts >> k & 1u) && !facet->is_flat[k]) {
      return false;
    }
  }
  return c->cuts != 0;
}

static uint32_t name_of(const mo_mesh_pair *pair, const mo_mesh_facet *facet, const corner *c) {
  if (pair->convex->core.kind == MO_CORE_POINT) {
    return MO_FEATURE_ROUND;
  }
  if (c->cuts == 0) {
    return mo_feature_vertex_a(c->vertex);
  }
  for (int k = 0; k < 3; k++) {
    int before = (k + 2) % 3;
    if ((c->cuts >> k & 1u) && (c->cuts >> before & 1u)) {
      return mo_feature_vertex_b(facet->vertices[k]);
    }
  }
  int k = c->cuts & 1u ? 0 : c->cuts & 2u ? 1 : 2;
  return mo_feature_edges(c->edge,
                          mo_mesh_edge_name(facet->vertices[k], facet->vertices[(k + 1) % 3]));
}

void mo_mesh_touch_face(mo_mesh_pair *pair, const mo_mesh_facet *facet, double lowest) {
  clipped c;
  clip_side(pair, facet, &c);
  double radius = pair->convex->core.radius;
  for (int i = 0; i < c.count; i++) {
    double height = mo_dot(facet->normal, mo_sub(c.corners[i].position, facet->at.corners[0]));
    mo_mesh_touch touch = {.normal = facet->normal,
                           .position = mo_add_scaled(c.corners[i].position, -height, facet->normal),
                           .separation = height - radius,
                           .feature_id = name_of(pair, facet, &c.corners[i]),
                           .is_deep = facet->height < 0.0};
    pair->gap = mo_min(pair->gap, touch.separation);
    if (height >= lowest && !is_inner(facet, &c.corners[i])) {
      mo_mesh_add(pair, &touch);
    }
  }
}
