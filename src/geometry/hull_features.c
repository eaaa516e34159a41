#include "geometry/hull_features.h"

#include "geometry/hull.h"
#include "geometry/hull_assembly.h"

// m: single precision holds the squares and cubes of larger sizes.
#define LEAST_SIZE 1e-8
// m: single precision holds the squares and cubes of smaller sizes.
#define MOST_SIZE 1e8
// Vertices up to which a hull is searched by comparing all of them.
#define SCAN_VERTICES 64

static void set_lane(mo_vec3x4 *group, uint32_t lane, mo_vec3 v) {
  group->x[lane] = (float)v.x;
  group->y[lane] = (float)v.y;
  group->z[lane] = (float)v.z;
}

static void fill_vertices(mo_hull *hull) {
  mo_hull_features *f = &hull->features;
  f->centre = mo_lerp(hull->lower, hull->upper, 0.5);
  for (uint32_t i = 0; i < 4u * f->vertex_groups; i++) {
    uint32_t vertex = i < hull->vertex_count ? i : hull->vertex_count - 1u;
    mo_vec3 v = mo_sub(hull->vertices[vertex], f->centre);
    f->size = mo_max(f->size, mo_length(v));
    set_lane(&f->vertices[i / 4u], i % 4u, v);
  }
  f->is_usable = f->size > LEAST_SIZE && f->size < MOST_SIZE;
}

static void fill_planes(mo_hull *hull) {
  mo_hull_features *f = &hull->features;
  f->inner_radius = INFINITY;
  for (uint32_t i = 0; i < 4u * f->face_groups; i++) {
    uint32_t face = i < hull->face_count ? i : hull->face_count - 1u;
    mo_vec3 normal = hull->faces[face].normal;
    mo_vec3 on_face = hull->vertices[hull->face_loops[hull->faces[face].first_vertex]];
    set_lane(&f->faces[i / 4u].normal, i % 4u, normal);
    f->faces[i / 4u].offset[i % 4u] = (float)mo_dot(normal, mo_sub(on_face, f->centre));
    f->inner_radius = mo_min(f->inner_radius, mo_dot(normal, mo_sub(on_face, hull->centroid)));
  }
}

static void fill_edges(mo_hull *hull) {
  mo_hull_features *f = &hull->features;
  const mo_half_edge *half_edges = hull->half_edges;
  uint32_t count = 0;
  for (uint32_t h = hull->half_edge_count; h-- > 0;) {
    f->vertex_half_edges[half_edges[h].origin] = h;
  }
  for (uint32_t h = 0; h < hull->half_edge_count; h++) {
    if (h < half_edges[h].twin) {
      f->edge_half_edges[count++] = h;
    }
  }
  for (uint32_t i = 0; i < 4u * f->edge_groups; i++) {
    mo_half_edge edge = half_edges[f->edge_half_edges[i < count ? i : count - 1u]];
    mo_half_edge twin = half_edges[edge.twin];
    mo_vec3 start = hull->vertices[edge.origin], end = hull->vertices[twin.origin];
    mo_edge_group *group = &f->edges[i / 4u];
    set_lane(&group->start, i % 4u, mo_sub(start, f->centre));
    set_lane(&group->end, i % 4u, mo_sub(end, f->centre));
    set_lane(&group->direction, i % 4u, mo_normalize(mo_sub(end, start)));
    set_lane(&group->left, i % 4u, hull->faces[edge.face].normal);
    set_lane(&group->right, i % 4u, hull->faces[twin.face].normal);
  }
}

static void fill_sides(mo_hull *hull) {
  for (uint32_t h = 0; h < hull->half_edge_count; h++) {
    mo_half_edge edge = hull->half_edges[h];
    mo_vec3 start = hull->vertices[edge.origin];
    mo_vec3 end = hull->vertices[hull->half_edges[edge.twin].origin];
    mo_vec3 outwards = mo_normalize(mo_cross(mo_sub(end, start), hull->faces[edge.face].normal));
    hull->features.sides[h] = (mo_plane){outwards, mo_dot(outwards, start)};
  }
}

void mo_hull_fill_features(mo_hull *hull) {
  fill_sides(hull);
  fill_vertices(hull);
  fill_planes(hull);
  fill_edges(hull);
}

// --- support ---------------------------------------------------------------------------------

static uint32_t support_in_double(const mo_hull *hull, mo_vec3 direction) {
  uint32_t best = 0;
  double furthest = mo_dot(hull->vertices[0], direction);
  for (uint32_t i = 1; i < hull->vertex_count; i++) {
    double reach = mo_dot(hull->vertices[i], direction);
    if (reach > furthest) {
      furthest = reach;
      best = i;
    }
  }
  return best;
}

static inline mo_f32x4 heights(const mo_vec3x4 *group, mo_vec3x4 direction) {
  return mo_vec3x4_dot(*group, direction);
}

// Compares four at a time in single precision; then, in double, those that are equal to its
// round-off.
uint32_t mo_hull_support_vertex(const mo_hull *hull, mo_vec3 direction) {
  const mo_hull_features *f = &hull->features;
  if (hull->is_box) { // the bits of a vertex are its sides
    return (uint32_t)(direction.x > 0.0) | (uint32_t)(direction.y > 0.0) << 1 |
           (uint32_t)(direction.z > 0.0) << 2;
  }
  double length = mo_v3_max_component(mo_v3_abs(direction));
  if (!f->is_usable || !(length > LEAST_SIZE && length < MOST_SIZE)) {
    return support_in_double(hull, direction);
  }
  mo_vec3x4 d = {mo_f32x4_splat((float)direction.x), mo_f32x4_splat((float)direction.y),
                 mo_f32x4_splat((float)direction.z)};
  mo_f32x4 most = heights(&f->vertices[0], d);
  for (uint32_t g = 1; g < f->vertex_groups; g++) {
    most = mo_f32x4_max(heights(&f->vertices[g], d), most);
  }
  float top = mo_max_float(mo_max_float(most[0], most[1]), mo_max_float(most[2], most[3]));
  mo_f32x4 near_top = mo_f32x4_splat((float)(top - MO_HEIGHT_ROUND_OFF * f->size * length));
  uint32_t best = UINT32_MAX;
  double furthest = -INFINITY;
  for (uint32_t g = 0; g < f->vertex_groups; g++) {
    int lanes = mo_i32x4_bits(heights(&f->vertices[g], d) >= near_top);
    for (uint32_t i = 4u * g; lanes != 0; i++, lanes >>= 1) {
      if ((lanes & 1) && i < hull->vertex_count) {
        double reach = mo_dot(hull->vertices[i], direction);
        if (reach > furthest) {
          furthest = reach;
          best = i;
        }
      }
    }
  }
  return best == UINT32_MAX ? support_in_double(hull, direction) : best;
}

uint32_t mo_hull_climb(const mo_hull *hull, uint32_t start, mo_vec3 direction) {
  const mo_half_edge *edges = hull->half_edges;
  if (hull->vertex_count <= SCAN_VERTICES) {
    return hull->features.vertex_half_edges[mo_hull_support_vertex(hull, direction)];
  }
  uint32_t top = start;
  double height = mo_dot(hull->vertices[edges[top].origin], direction);
  // Each round moves strictly upwards, so the search ends. On a convex surface a vertex without a
  // higher neighbour is the highest. But edges may be concave by about 1e-7 of the size (hull.h),
  // and behind such an edge the search can end at a vertex that is lower by about as much. Then a
  // distance is too large, or a depth too small, by that, and the result may depend on `start`. The
  // callers end all the same, because they stop when a support vertex makes no progress.
  for (;;) {
    uint32_t higher = top, edge = top;
    do {
      uint32_t twin = edges[edge].twin;
      double reach = mo_dot(hull->vertices[edges[twin].origin], direction);
      if (reach > height) {
        height = reach;
        higher = twin;
      }
      edge = edges[twin].next;
    } while (edge != top);
    if (higher == top) {
      return top;
    }
    top = higher;
  }
}

// The bits of a vertex are its sides.
static uint32_t box_face_at_vertex(uint32_t vertex, mo_vec3 d) {
  static const uint32_t faces[3][2] = {{2, 3}, {0, 4}, {1, 5}}; // mo_hull_create_box
  double x = vertex & 1u ? d.x : -d.x, y = vertex & 2u ? d.y : -d.y, z = vertex & 4u ? d.z : -d.z;
  int axis = x >= y ? (x >= z ? 0 : 2) : (y >= z ? 1 : 2);
  return faces[axis][vertex >> axis & 1u];
}

uint32_t mo_hull_face_at_vertex(const mo_hull *hull, uint32_t vertex, mo_vec3 direction) {
  if (hull->is_box) {
    return box_face_at_vertex(vertex, direction);
  }
  uint32_t first = hull->features.vertex_half_edges[vertex], edge = first, best = 0;
  double most = -INFINITY;
  do {
    uint32_t face = hull->half_edges[edge].face;
    double alignment = mo_dot(hull->faces[face].normal, direction);
    if (alignment > most) {
      most = alignment;
      best = face;
    }
    edge = hull->half_edges[hull->half_edges[edge].twin].next;
  } while (edge != first);
  return best;
}
