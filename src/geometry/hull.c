#include "geometry/hull.h"

#include "geometry/hull_assembly.h"
#include "geometry/hull_pool.h"
#include "memory/allocator.h"

void mo_hull_retain(mo_hull *hull) { hull->reference_count++; }

void mo_hull_release(mo_hull *hull) {
  if (hull && --hull->reference_count == 0) {
    mo_hull_pool_remove(hull);
    mo_release(hull); // the arrays are in the same block
  }
}

// --- boxes -----------------------------------------------------------------------------------

#define BOX_FACES 6u
#define BOX_HALF_EDGES 24u

// Vertex i has +x if bit 0 of i is set, +y for bit 1, +z for bit 2. The faces -y, -z, -x, +x, +y,
// +z are in the order of the hull builder.
static const uint32_t box_loops[BOX_HALF_EDGES] = {0, 1, 5, 4, 0, 2, 3, 1, 0, 4, 6, 2,
                                                   1, 3, 7, 5, 2, 6, 7, 3, 4, 5, 7, 6};

static mo_hull *build_box(mo_vec3 half_extents) {
  mo_hull *hull = mo_hull_allocate(8, BOX_FACES, BOX_HALF_EDGES);
  if (!hull) {
    return NULL;
  }
  hull->is_box = true;
  mo_vec3 h = half_extents;
  for (uint32_t i = 0; i < 8; i++) {
    hull->vertices[i] = mo_v3(i & 1u ? h.x : -h.x, i & 2u ? h.y : -h.y, i & 4u ? h.z : -h.z);
  }
  for (uint32_t i = 0; i < BOX_HALF_EDGES; i++) {
    hull->face_loops[i] = box_loops[i];
  }
  hull->faces[0] = (mo_face){0, 4, {0.0, -1.0, 0.0}, h.y};
  hull->faces[1] = (mo_face){4, 4, {0.0, 0.0, -1.0}, h.z};
  hull->faces[2] = (mo_face){8, 4, {-1.0, 0.0, 0.0}, h.x};
  hull->faces[3] = (mo_face){12, 4, {1.0, 0.0, 0.0}, h.x};
  hull->faces[4] = (mo_face){16, 4, {0.0, 1.0, 0.0}, h.y};
  hull->faces[5] = (mo_face){20, 4, {0.0, 0.0, 1.0}, h.z};
  if (mo_hull_link(hull) != MO_OK) {
    mo_hull_release(hull);
    return NULL;
  }
  mo_hull_finish(hull);
  double xx = h.x * h.x, yy = h.y * h.y, zz = h.z * h.z;
  hull->volume = 8.0 * h.x * h.y * h.z;
  hull->surface_area = 8.0 * (h.x * h.y + h.y * h.z + h.z * h.x);
  hull->inertia_per_mass = mo_mat3_diagonal((yy + zz) / 3.0, (xx + zz) / 3.0, (xx + yy) / 3.0);
  return mo_hull_pool_share(hull);
}

mo_hull *mo_hull_create_box(mo_vec3 half_extents) {
  mo_hull *known = mo_hull_pool_find_box(half_extents);
  return known ? known : build_box(half_extents);
}

// --- read-outs -------------------------------------------------------------------------------

size_t mo_hull_vertex_count(const mo_hull *hull) { return hull->vertex_count; }
const mo_vec3 *mo_hull_vertices(const mo_hull *hull) { return hull->vertices; }
size_t mo_hull_facet_count(const mo_hull *hull) { return hull->facet_count; }
mo_facet mo_hull_facet(const mo_hull *hull, size_t index) {
  return index < hull->facet_count ? hull->facets[index] : (mo_facet){0};
}
size_t mo_hull_face_count(const mo_hull *hull) { return hull->face_count; }
mo_face mo_hull_face(const mo_hull *hull, size_t index) {
  return index < hull->face_count ? hull->faces[index] : (mo_face){0};
}
const uint32_t *mo_hull_face_loops(const mo_hull *hull) { return hull->face_loops; }
double mo_hull_volume(const mo_hull *hull) { return hull->volume; }
double mo_hull_surface_area(const mo_hull *hull) { return hull->surface_area; }
mo_vec3 mo_hull_centroid(const mo_hull *hull) { return hull->centroid; }
void mo_hull_bounds(const mo_hull *hull, mo_vec3 *lower, mo_vec3 *upper) {
  *lower = hull->lower;
  *upper = hull->upper;
}
mo_mat3 mo_hull_inertia(const mo_hull *hull, double mass) {
  return mo_mat3_scale(mass, hull->inertia_per_mass);
}

uint32_t mo_hull_nearest_face(const mo_hull *hull, mo_vec3 point, double *height) {
  uint32_t nearest = 0;
  *height = -INFINITY;
  for (uint32_t f = 0; f < hull->face_count; f++) {
    // Relative to a vertex of the face: n . x - offset would lose digits for a hull far from its
    // origin.
    const mo_face *face = &hull->faces[f];
    mo_vec3 on_face = hull->vertices[hull->face_loops[face->first_vertex]];
    double lift = face->offset - mo_dot(face->normal, on_face);
    double above = mo_dot(face->normal, mo_sub(point, on_face)) - lift;
    if (above > *height) {
      *height = above;
      nearest = f;
    }
  }
  return nearest;
}

double mo_hull_signed_distance(const mo_hull *hull, mo_vec3 point) {
  double height;
  mo_hull_nearest_face(hull, point, &height);
  return height;
}

bool mo_hull_contains(const mo_hull *hull, mo_vec3 point, double tolerance) {
  return mo_hull_signed_distance(hull, point) <= tolerance;
}
