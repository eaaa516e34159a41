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

static void hash_field(uint64_t *hash, const mo_height_grid *grid) {
  mo_hash_u32(hash, grid->rows);
  mo_hash_u32(hash, grid->columns);
  hash_vec3(hash, grid->scale);
  for (uint32_t i = 0; i < grid->rows * grid->columns; i++) {
    mo_hash_double(hash, grid->heights[i]);
  }
}

static void hash_mesh(uint64_t *hash, const mo_mesh *mesh) {
  mo_hash_u32(hash, mesh->is_one_sided);
  if (mesh->grid.heights) {
    hash_field(hash, &mesh->grid);
    return;
  }
  mo_hash_u32(hash, mesh->vertex_count);
  for (uint32_t i = 0; i < mesh->vertex_count; i++) {
    hash_vec3(hash, mesh->vertices[i]);
  }
  mo_hash_u32(hash, mesh->triangle_count);
  for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
    mo_hash_u32(hash, mesh->indices[i]);
  }
}

static void hash_parts(uint64_t *hash, const mo_shape *compound) {
  mo_hash_u32(hash, compound->part_count);
  for (uint32_t i = 0; i < compound->part_count; i++) {
    const mo_placed_shape *part = &compound->parts[i];
    mo_hash_u64(hash, part->shape->content);
    hash_vec3(hash, part->pose.position);
    hash_vec3(hash,
              mo_v3(part->pose.orientation.x, part->pose.orientation.y, part->pose.orientation.z));
    mo_hash_double(hash, part->pose.orientation.w);
    hash_vec3(hash, mo_v3(part->density, part->friction, part->restitution));
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
  if (shape->mesh) {
    hash_mesh(&hash, shape->mesh);
  }
  if (shape->parts) {
    hash_parts(&hash, shape);
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
