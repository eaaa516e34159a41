#include "geometry/mesh_leaves.h"

#include "memory/allocator.h"

// Relative to the square of the longest edge: triangles with a smaller area vector have none. Their
// normals would be round-off.
#define LEAST_AREA 1e-12

// --- triangles -------------------------------------------------------------------------------

mo_vec3 mo_triangle_normal(const mo_triangle *t) {
  mo_vec3 u = mo_sub(t->corners[1], t->corners[0]), v = mo_sub(t->corners[2], t->corners[0]);
  double size_u = mo_v3_size(u), size_v = mo_v3_size(v);
  u = mo_scale(1.0 / size_u, u); // so that products of tiny edges do not vanish
  v = mo_scale(1.0 / size_v, v);
  mo_vec3 across = mo_cross(u, v), last = mo_sub(v, u);
  double square = mo_length_squared(across);
  double longest =
      mo_max(mo_length_squared(last), mo_max(mo_length_squared(u), mo_length_squared(v)));
  return square > mo_square(LEAST_AREA * longest) ? mo_normalize(across) : mo_v3_zero();
}

// The closest point of an edge, and the square of its distance.
static double closest_on_edge(mo_vec3 from, mo_vec3 to, mo_vec3 point, mo_vec3 *closest) {
  mo_vec3 along = mo_sub(to, from);
  double square = mo_length_squared(along);
  double s = square > 0.0 ? mo_clamp(mo_dot(along, mo_sub(point, from)) / square, 0.0, 1.0) : 0.0;
  *closest = mo_add_scaled(from, s, along);
  return mo_length_squared(mo_sub(point, *closest));
}

mo_vec3 mo_triangle_closest_point(const mo_triangle *t, mo_vec3 point) {
  mo_vec3 normal = mo_triangle_normal(t);
  bool is_above = mo_length_squared(normal) > 0.0;
  for (int k = 0; k < 3 && is_above; k++) {
    mo_vec3 from = t->corners[k], along = mo_sub(t->corners[(k + 1) % 3], from);
    is_above = mo_dot(mo_cross(normal, along), mo_sub(point, from)) >= 0.0;
  }
  if (is_above) {
    return mo_add_scaled(point, -mo_dot(normal, mo_sub(point, t->corners[0])), normal);
  }
  mo_vec3 best = t->corners[0];
  double least = INFINITY;
  for (int k = 0; k < 3; k++) {
    mo_vec3 closest;
    double square = closest_on_edge(t->corners[k], t->corners[(k + 1) % 3], point, &closest);
    if (square < least) {
      least = square;
      best = closest;
    }
  }
  return best;
}

// --- the tree --------------------------------------------------------------------------------

static mo_bounds bounds_of(const mo_triangle *t) {
  const mo_vec3 *c = t->corners;
  return (mo_bounds){mo_v3_min(c[0], mo_v3_min(c[1], c[2])),
                     mo_v3_max(c[0], mo_v3_max(c[1], c[2]))};
}

// Memory of a build, freed at its end.
typedef struct tree_room {
  mo_aabb *boxes;
  mo_bvh_workspace work;
} tree_room;

static bool take_room(tree_room *room, uint32_t count) {
  room->boxes = mo_allocate((size_t)count * sizeof *room->boxes);
  room->work.points = mo_allocate((size_t)count * sizeof *room->work.points);
  room->work.spare = mo_allocate((size_t)count * sizeof *room->work.spare);
  room->work.level = mo_allocate(((size_t)count + 7) / 8 * sizeof *room->work.level);
  return room->boxes && room->work.points && room->work.spare && room->work.level;
}

static void free_room(tree_room *room) {
  mo_release(room->boxes);
  mo_release(room->work.points);
  mo_release(room->work.spare);
  mo_release(room->work.level);
}

static void add_item(mo_mesh *mesh, tree_room *room, uint32_t at, uint32_t item, mo_bounds bounds) {
  mesh->bounds.lower = mo_v3_min(mesh->bounds.lower, bounds.lower);
  mesh->bounds.upper = mo_v3_max(mesh->bounds.upper, bounds.upper);
  room->boxes[item] = mo_aabb_from_bounds(bounds);
  room->work.points[at].item = item;
}

static bool has_area(const mo_triangle *triangle) {
  return mo_length_squared(mo_triangle_normal(triangle)) > 0.0;
}

// Lists the triangles with an area. Returns their number.
static uint32_t list_triangles(mo_mesh *mesh, tree_room *room) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; t++) {
    mo_triangle triangle = mo_mesh_triangle(mesh, t);
    if (has_area(&triangle)) {
      add_item(mesh, room, count++, t, bounds_of(&triangle));
    }
  }
  return count;
}

// Lists the blocks of a height field, unless no triangle has an area. Returns their number.
static uint32_t list_blocks(mo_mesh *mesh, tree_room *room) {
  uint32_t blocks = mo_height_block_count(&mesh->grid);
  for (uint32_t block = 0; block < blocks; block++) {
    add_item(mesh, room, block, block, mo_height_block_bounds(&mesh->grid, block));
  }
  for (uint32_t t = 0; t < mesh->triangle_count; t++) {
    mo_triangle triangle = mo_mesh_triangle(mesh, t);
    if (has_area(&triangle)) {
      return blocks;
    }
  }
  return 0;
}

static bool list_order(mo_mesh *mesh, const mo_bvh_point *order, uint32_t count) {
  if (!mesh->grid.heights) {
    return mo_mesh_build_leaves(mesh, order, count);
  }
  mesh->blocks = mo_allocate((size_t)count * sizeof *mesh->blocks);
  for (uint32_t i = 0; i < count && mesh->blocks; i++) {
    mesh->blocks[i] = order[i].item;
  }
  return mesh->blocks != NULL;
}

static bool sort_into_tree(mo_mesh *mesh, tree_room *room, uint32_t count) {
  mo_bvh_point *points = room->work.points;
  mo_bvh_sort(&room->work, count, room->boxes);
  return mo_packed_bvh_build(&mesh->bvh, points, count, room->boxes, room->work.level) &&
         list_order(mesh, points, count);
}

static mo_result build_tree(mo_mesh *mesh) {
  bool is_field = mesh->grid.heights != NULL;
  uint32_t most = is_field ? mo_height_block_count(&mesh->grid) : mesh->triangle_count;
  tree_room room = {0};
  mo_result result = MO_ERROR_OUT_OF_MEMORY;
  if (take_room(&room, most)) {
    mesh->bounds =
        (mo_bounds){mo_v3(INFINITY, INFINITY, INFINITY), mo_v3(-INFINITY, -INFINITY, -INFINITY)};
    uint32_t count = is_field ? list_blocks(mesh, &room) : list_triangles(mesh, &room);
    result = count > 0 ? MO_ERROR_OUT_OF_MEMORY : MO_ERROR_INVALID_ARGUMENT;
    if (count > 0 && sort_into_tree(mesh, &room, count)) {
      result = MO_OK;
    }
  }
  free_room(&room);
  return result;
}

// --- life ------------------------------------------------------------------------------------

static mo_result check(const mo_vec3 *vertices, uint32_t vertex_count, const uint32_t *indices,
                       uint32_t triangle_count) {
  if (!vertices || !indices || triangle_count == 0 || triangle_count >= MO_BVH_ITEM / 4) {
    return MO_ERROR_INVALID_ARGUMENT;
  }
  for (uint32_t i = 0; i < vertex_count; i++) {
    if (!mo_v3_is_finite(vertices[i])) {
      return MO_ERROR_NOT_FINITE;
    }
    if (mo_v3_max_component(mo_v3_abs(vertices[i])) > MO_MESH_LARGEST) {
      return MO_ERROR_INVALID_ARGUMENT;
    }
  }
  for (size_t i = 0; i < 3 * (size_t)triangle_count; i++) {
    if (indices[i] >= vertex_count) {
      return MO_ERROR_INVALID_ARGUMENT;
    }
  }
  return MO_OK;
}

static mo_result check_field(const mo_heightfield_def *def) {
  bool has_cells = def->heights && def->rows >= 2 && def->columns >= 2 &&
                   (uint64_t)def->rows * def->columns <= MO_BVH_ITEM / 8;
  mo_vec3 scale = def->scale;
  if (!has_cells || !mo_is_positive(scale.x) || !mo_is_positive(scale.y) ||
      !mo_is_positive(scale.z) || def->columns * scale.x > 2.0 * MO_MESH_LARGEST ||
      def->rows * scale.z > 2.0 * MO_MESH_LARGEST) {
    return MO_ERROR_INVALID_ARGUMENT;
  }
  for (uint32_t i = 0; i < def->rows * def->columns; i++) {
    double y = def->heights[i] * scale.y;
    if (!mo_is_finite(y)) {
      return MO_ERROR_NOT_FINITE;
    }
    if (fabs(y) > MO_MESH_LARGEST) {
      return MO_ERROR_INVALID_ARGUMENT;
    }
  }
  return MO_OK;
}

static void *copy(const void *from, size_t bytes) {
  void *to = mo_allocate(bytes);
  if (to) {
    memcpy(to, from, bytes);
  }
  return to;
}

static bool copy_arrays(mo_mesh *mesh, const mo_vec3 *vertices, const uint32_t *indices) {
  mesh->vertices = copy(vertices, (size_t)mesh->vertex_count * sizeof *vertices);
  mesh->indices = copy(indices, 3 * (size_t)mesh->triangle_count * sizeof *indices);
  return mesh->vertices && mesh->indices;
}

void mo_mesh_destroy(mo_mesh *mesh) {
  if (mesh) {
    mo_release(mesh->vertices);
    mo_release(mesh->indices);
    mo_release(mesh->grid.heights);
    mo_release(mesh->edges);
    mo_release(mesh->leaves);
    mo_release(mesh->leaf_starts);
    mo_release(mesh->blocks);
    mo_packed_bvh_free(&mesh->bvh);
    mo_release(mesh);
  }
}

static bool are_equal_grids(const mo_height_grid *a, const mo_height_grid *b) {
  return a->heights && b->heights && a->rows == b->rows && a->columns == b->columns &&
         mo_v3_is_same(a->scale, b->scale) &&
         memcmp(a->heights, b->heights, (size_t)a->rows * a->columns * sizeof *a->heights) == 0;
}

bool mo_mesh_equal(const mo_mesh *a, const mo_mesh *b) {
  if (a->is_one_sided != b->is_one_sided) {
    return false;
  }
  if (a->grid.heights || b->grid.heights) {
    return are_equal_grids(&a->grid, &b->grid);
  }
  return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
         memcmp(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices) == 0 &&
         memcmp(a->indices, b->indices, 3 * (size_t)a->triangle_count * sizeof *a->indices) == 0;
}

// Makes the rest of a mesh that has its vertices and triangles. Without memory, or without a
// triangle with an area, there is none.
static mo_mesh *complete(mo_mesh *mesh, bool is_copied, mo_result *result) {
  *result = MO_ERROR_OUT_OF_MEMORY;
  if (is_copied && (mesh->edges = mo_allocate(mesh->triangle_count)) != NULL) {
    *result = build_tree(mesh);
  }
  if (*result == MO_OK && !mo_mesh_classify_edges(mesh)) {
    *result = MO_ERROR_OUT_OF_MEMORY;
  }
  if (*result != MO_OK) {
    mo_mesh_destroy(mesh);
    return NULL;
  }
  mo_mesh_measure(mesh);
  return mesh;
}

mo_mesh *mo_mesh_create(const mo_vec3 *vertices, uint32_t vertex_count, const uint32_t *indices,
                        uint32_t triangle_count, bool is_one_sided, mo_result *result) {
  *result = check(vertices, vertex_count, indices, triangle_count);
  mo_mesh *mesh = *result == MO_OK ? mo_allocate(sizeof *mesh) : NULL;
  if (!mesh) {
    *result = *result == MO_OK ? MO_ERROR_OUT_OF_MEMORY : *result;
    return NULL;
  }
  mesh->vertex_count = vertex_count;
  mesh->triangle_count = triangle_count;
  mesh->is_one_sided = is_one_sided;
  return complete(mesh, copy_arrays(mesh, vertices, indices), result);
}

mo_mesh *mo_mesh_create_field(const mo_heightfield_def *def, mo_result *result) {
  *result = check_field(def);
  mo_mesh *mesh = *result == MO_OK ? mo_allocate(sizeof *mesh) : NULL;
  if (!mesh) {
    *result = *result == MO_OK ? MO_ERROR_OUT_OF_MEMORY : *result;
    return NULL;
  }
  mesh->vertex_count = def->rows * def->columns;
  mesh->triangle_count = 2 * (def->rows - 1) * (def->columns - 1);
  mesh->is_one_sided = def->is_one_sided;
  size_t bytes = (size_t)mesh->vertex_count * sizeof *def->heights;
  mesh->grid = (mo_height_grid){copy(def->heights, bytes), def->rows, def->columns, def->scale};
  return complete(mesh, mesh->grid.heights != NULL, result);
}
