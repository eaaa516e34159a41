#include "geometry/shape_content.h"

#include "memory/hash.h"

static void hash_vec3(uint64_t *hash, mo_vec3 v) {
  mo_hash_double(hash, v.x);
  mo_hash_double(hash, v.y);
  mo_hash_double(hash, v.z);
}

// The numbers from which everything else about a hull follows.
static void hash_hull(uint64_t *hash, const mo_hull *hull) {
  mo_hash_u32(hash, hull->vertex_count);
  for (uint32_t i = 0; i < hull->vertex_count; i++) {
    hash_vec3(hash, hull->vertices[i]);
  }
  mo_hash_u32(hash, hull->half_edge_count);
  for (uint32_t i = 0; i < hull->half_edge_count; i++) {
    mo_hash_u32(hash, hull->half_edges[i].origin);
    mo_hash_u32(hash, hull->half_edges[i].face);
  }
}

uint64_t mo_shape_content_hash(const mo_shape *shape) {
  uint64_t hash = MO_HASH_START;
  mo_hash_u32(&hash, (uint32_t)shape->class->type);
  mo_hash_double(&hash, shape->core.radius);
  mo_hash_double(&hash, shape->core.half_extents.y);
  hash_vec3(&hash, shape->normal);
  mo_hash_double(&hash, shape->offset);
  if (shape->hull) {
    hash_hull(&hash, shape->hull);
  }
  for (int end = 0; shape->core.kind == MO_CORE_REVOLVED && end < 2; end++) {
    mo_hash_double(&hash, shape->core.ends[end].disc);
    mo_hash_double(&hash, shape->core.ends[end].ball);
  }
  // For a curved core: the half extents, and values of its support function.
  if (shape->core.kind == MO_CORE_CURVED) {
    hash_vec3(&hash, shape->core.half_extents);
    mo_hash_double(&hash, shape->volume);
  }
  return hash;
}
