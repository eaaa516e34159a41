#include "geometry/mesh_leaves.h"

#include "memory/allocator.h"

// A leaf while it is made.
typedef struct leaf_draft {
  mo_mesh_leaf head;
  uint32_t vertex_count;
  mo_vec3 vertices[3 * MO_PACKED_LANES];
} leaf_draft;

static_assert(sizeof(mo_mesh_leaf) % sizeof(double) == 0, "vertices follow it");

// The number of a vertex in a leaf, which has one at the same place once only: searches see places,
// so meshes whose triangles share no vertices have leaves as small as others.
static uint8_t take_vertex(leaf_draft *draft, mo_vec3 at) {
  uint32_t i = 0;
  while (i < draft->vertex_count && !mo_v3_is_same(draft->vertices[i], at)) {
    i++;
  }
  draft->vertices[i] = at;
  draft->vertex_count += i == draft->vertex_count;
  return (uint8_t)i;
}

static void draft_leaf(const mo_mesh *mesh, const mo_bvh_point *order, uint32_t count,
                       leaf_draft *draft) {
  draft->head = (mo_mesh_leaf){0};
  draft->vertex_count = 0;
  for (uint32_t lane = 0; lane < count && lane < MO_PACKED_LANES; lane++) {
    uint32_t triangle = order[lane].item;
    mo_triangle t = mo_mesh_triangle(mesh, triangle);
    draft->head.triangles[lane] = triangle;
    for (int k = 0; k < 3; k++) {
      draft->head.corners[lane][k] = take_vertex(draft, t.corners[k]);
    }
  }
}

static bool are_floats(const mo_vec3 *vertices, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    mo_vec3 v = vertices[i];
    if (!mo_v3_equal(mo_v3((float)v.x, (float)v.y, (float)v.z), v)) {
      return false;
    }
  }
  return true;
}

static uint32_t lines_of(const mo_mesh *mesh, const leaf_draft *draft) {
  size_t each = mesh->has_float_leaves ? 3 * sizeof(float) : sizeof(mo_vec3);
  size_t bytes = sizeof draft->head + draft->vertex_count * each;
  return (uint32_t)((bytes + MO_CACHE_LINE - 1) / MO_CACHE_LINE);
}

static void write_leaf(const mo_mesh *mesh, const leaf_draft *draft, uint8_t *to) {
  memcpy(to, &draft->head, sizeof draft->head);
  to += sizeof draft->head;
  if (!mesh->has_float_leaves) {
    memcpy(to, draft->vertices, draft->vertex_count * sizeof *draft->vertices);
    return;
  }
  for (uint32_t i = 0; i < draft->vertex_count; i++) {
    mo_vec3 v = draft->vertices[i];
    const float parts[3] = {(float)v.x, (float)v.y, (float)v.z};
    memcpy(to + i * sizeof parts, parts, sizeof parts);
  }
}

// Sets where each leaf begins. Returns the lines of all.
static uint32_t place_leaves(mo_mesh *mesh, const mo_bvh_point *order, uint32_t count) {
  uint32_t lines = 0;
  for (uint32_t first = 0; first < count; first += MO_PACKED_LANES) {
    leaf_draft draft;
    draft_leaf(mesh, order + first, count - first, &draft);
    mesh->leaf_starts[first / MO_PACKED_LANES] = lines;
    lines += lines_of(mesh, &draft);
  }
  return lines;
}

bool mo_mesh_build_leaves(mo_mesh *mesh, const mo_bvh_point *order, uint32_t count) {
  mesh->has_float_leaves = are_floats(mesh->vertices, mesh->vertex_count);
  uint32_t leaves = (count + MO_PACKED_LANES - 1) / MO_PACKED_LANES;
  mesh->leaf_starts = mo_allocate((size_t)leaves * sizeof *mesh->leaf_starts);
  if (!mesh->leaf_starts) {
    return false;
  }
  mesh->leaves = mo_allocate(place_leaves(mesh, order, count) * MO_CACHE_LINE);
  for (uint32_t leaf = 0; leaf < leaves && mesh->leaves; leaf++) {
    leaf_draft draft;
    uint32_t first = leaf * MO_PACKED_LANES;
    draft_leaf(mesh, order + first, count - first, &draft);
    write_leaf(mesh, &draft, mesh->leaves + mesh->leaf_starts[leaf] * MO_CACHE_LINE);
  }
  return mesh->leaves != NULL;
}
