#include "geometry/hull_assembly.h"

#include "geometry/polygons.h"
#include "memory/allocator.h"

// Alignment of the arrays, which is enough for every type in them.
#define ARRAY_ALIGNMENT 16u

static size_t aligned(size_t bytes) {
  return (bytes + ARRAY_ALIGNMENT - 1u) / ARRAY_ALIGNMENT * ARRAY_ALIGNMENT;
}

static size_t features_bytes(uint32_t vertex_count, uint32_t face_count, uint32_t half_edge_count) {
  return mo_groups_of_four(vertex_count) * sizeof(mo_vec3x4) +
         mo_groups_of_four(face_count) * sizeof(mo_plane_group) +
         mo_groups_of_four(half_edge_count / 2u) * sizeof(mo_edge_group) +
         half_edge_count * sizeof(mo_plane) +
         (half_edge_count / 2u + vertex_count) * sizeof(uint32_t);
}

static void place_features(mo_hull *hull, unsigned char *block) {
  mo_hull_features *f = &hull->features;
  f->edge_count = hull->half_edge_count / 2u;
  f->vertex_groups = mo_groups_of_four(hull->vertex_count);
  f->face_groups = mo_groups_of_four(hull->face_count);
  f->edge_groups = mo_groups_of_four(f->edge_count);
  f->vertices = (mo_vec3x4 *)block;
  f->faces = (mo_plane_group *)(f->vertices + f->vertex_groups);
  f->edges = (mo_edge_group *)(f->faces + f->face_groups);
  f->sides = (mo_plane *)(f->edges + f->edge_groups);
  f->edge_half_edges = (uint32_t *)(f->sides + hull->half_edge_count);
  f->vertex_half_edges = f->edge_half_edges + f->edge_count;
}

mo_hull *mo_hull_allocate(uint32_t vertex_count, uint32_t face_count, uint32_t half_edge_count) {
  uint32_t facet_count = half_edge_count - 2u * face_count;
  size_t vertices_at = aligned(sizeof(mo_hull));
  size_t facets_at = vertices_at + aligned(vertex_count * sizeof(mo_vec3));
  size_t faces_at = facets_at + aligned(facet_count * sizeof(mo_facet));
  size_t half_edges_at = faces_at + aligned(face_count * sizeof(mo_face));
  size_t loops_at = half_edges_at + aligned(half_edge_count * sizeof(mo_half_edge));
  size_t features_at = loops_at + aligned(half_edge_count * sizeof(uint32_t));
  unsigned char *block =
      mo_allocate(features_at + features_bytes(vertex_count, face_count, half_edge_count));
  if (!block) {
    return NULL;
  }
  mo_hull *hull = (mo_hull *)block;
  hull->reference_count = 1;
  hull->vertex_count = vertex_count;
  hull->facet_count = facet_count;
  hull->face_count = face_count;
  hull->half_edge_count = half_edge_count;
  hull->vertices = (mo_vec3 *)(block + vertices_at);
  hull->facets = (mo_facet *)(block + facets_at);
  hull->faces = (mo_face *)(block + faces_at);
  hull->half_edges = (mo_half_edge *)(block + half_edges_at);
  hull->face_loops = (uint32_t *)(block + loops_at);
  place_features(hull, block + features_at);
  return hull;
}

static void fill_half_edges(mo_hull *hull, const uint32_t *twins) {
  for (uint32_t f = 0; f < hull->face_count; f++) {
    mo_face face = hull->faces[f];
    for (uint32_t i = 0; i < face.vertex_count; i++) {
      uint32_t h = face.first_vertex + i;
      uint32_t next = face.first_vertex + (i + 1u) % face.vertex_count;
      hull->half_edges[h] = (mo_half_edge){hull->face_loops[h], twins[h], next, f};
    }
  }
}

mo_result mo_hull_link(mo_hull *hull) {
  uint32_t *starts =
      mo_allocate((hull->face_count + 1u + hull->half_edge_count) * sizeof(uint32_t));
  if (!starts) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  uint32_t *twins = starts + hull->face_count + 1u;
  for (uint32_t f = 0; f < hull->face_count; f++) {
    starts[f] = hull->faces[f].first_vertex;
  }
  starts[hull->face_count] = hull->half_edge_count;
  mo_polygons surface = {.loops = hull->face_loops, .starts = starts, .count = hull->face_count};
  mo_result result = mo_polygons_pair_edges(&surface, true, twins);
  if (result == MO_OK) {
    fill_half_edges(hull, twins);
  }
  mo_release(starts);
  return result;
}

static void fill_facets(mo_hull *hull) {
  mo_facet *facet = hull->facets;
  for (uint32_t f = 0; f < hull->face_count; f++) {
    mo_face face = hull->faces[f];
    const uint32_t *loop = hull->face_loops + face.first_vertex;
    // A fan has the plane of its face, because the normal of a thin triangle would be noise.
    for (uint32_t i = 2; i < face.vertex_count; i++) {
      *facet++ = (mo_facet){{loop[0], loop[i - 1], loop[i]}, face.normal, face.offset};
    }
  }
}

static void measure_extent(mo_hull *hull) {
  hull->lower = hull->upper = hull->vertices[0];
  hull->radius = 0.0;
  for (uint32_t i = 0; i < hull->vertex_count; i++) {
    hull->lower = mo_v3_min(hull->lower, hull->vertices[i]);
    hull->upper = mo_v3_max(hull->upper, hull->vertices[i]);
    hull->radius = mo_max(hull->radius, mo_length(hull->vertices[i]));
  }
  hull->half_diagonal = 0.5 * mo_distance_between(hull->lower, hull->upper);
}

void mo_hull_finish(mo_hull *hull) {
  fill_facets(hull);
  measure_extent(hull);
  mo_hull_fill_features(hull);
}
