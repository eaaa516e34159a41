// Meshes and height fields: surfaces of triangles. They are bounded, but have no convex core.
#include "geometry/shape.h"

#include "memory/allocator.h"

static mo_bounds bounds_of(const mo_shape *shape, const mo_transform *placement) {
  mo_bounds local = shape->mesh->bounds;
  mo_vec3 middle = mo_lerp(local.lower, local.upper, 0.5);
  mo_vec3 half = mo_sub(local.upper, middle);
  mo_vec3 reach = mo_add(mo_add(mo_scale(half.x, mo_v3_abs(placement->rotation.cx)),
                                mo_scale(half.y, mo_v3_abs(placement->rotation.cy))),
                         mo_scale(half.z, mo_v3_abs(placement->rotation.cz)));
  mo_vec3 centre = mo_transform_point(*placement, middle);
  return (mo_bounds){mo_sub(centre, reach), mo_add(centre, reach)};
}

// Rays that are cast at them say which triangle they meet (ray_cast.c).
const mo_shape_class mo_mesh_class = {
    .type = MO_SHAPE_MESH, .collider = MO_COLLIDER_MESH, .bounds = bounds_of};
const mo_shape_class mo_heightfield_class = {
    .type = MO_SHAPE_HEIGHTFIELD, .collider = MO_COLLIDER_MESH, .bounds = bounds_of};

static double bounding_radius(const mo_mesh *mesh, mo_vec3 centre) {
  double square = 0.0;
  for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
    square = mo_max(square, mo_length_squared(mo_sub(mesh->vertices[mesh->indices[i]], centre)));
  }
  return sqrt(square);
}

// A shape that owns the mesh. A mesh that encloses no volume has none, and no inertia.
static mo_shape *shape_of(const mo_shape_class *class, mo_mesh *mesh, mo_result *result) {
  bool is_solid = mesh->defect.result == MO_OK;
  mo_vec3 middle = mo_lerp(mesh->bounds.lower, mesh->bounds.upper, 0.5);
  mo_shape content = {.class = class,
                      .core = {.kind = MO_CORE_MANY},
                      .mesh = mesh,
                      .volume = mesh->solid.volume,
                      .surface_area = mesh->surface_area,
                      .centroid = is_solid ? mesh->solid.centroid : middle,
                      .inertia_per_mass = mesh->solid.inertia_per_mass};
  content.bounding_radius = bounding_radius(mesh, content.centroid);
  mo_shape *shape = mo_shape_allocate(&content, result);
  if (!shape) {
    mo_mesh_destroy(mesh);
  }
  return shape;
}

mo_shape *mo_shape_create_mesh(const mo_mesh_def *def, mo_result *result) {
  mo_result why = MO_ERROR_INVALID_ARGUMENT;
  if (def->vertex_count > UINT32_MAX || def->index_count % 3 != 0 ||
      def->index_count / 3 > UINT32_MAX) {
    return mo_shape_fail(why, result);
  }
  mo_mesh *mesh = mo_mesh_create(def->vertices, (uint32_t)def->vertex_count, def->indices,
                                 (uint32_t)(def->index_count / 3), def->is_one_sided, &why);
  return mesh ? shape_of(&mo_mesh_class, mesh, result) : mo_shape_fail(why, result);
}

// --- height fields ---------------------------------------------------------------------------

static void place_samples(const mo_heightfield_def *def, mo_vec3 *vertices) {
  double middle_row = 0.5 * (def->rows - 1), middle_column = 0.5 * (def->columns - 1);
  for (uint32_t i = 0; i < def->rows; i++) {
    for (uint32_t j = 0; j < def->columns; j++) {
      size_t at = (size_t)i * def->columns + j;
      vertices[at] = mo_v3((j - middle_column) * def->scale.x, def->heights[at] * def->scale.y,
                           (i - middle_row) * def->scale.z);
    }
  }
}

// Two triangles per cell, with their fronts along y.
static void list_cells(const mo_heightfield_def *def, uint32_t *indices) {
  for (uint32_t i = 0; i + 1 < def->rows; i++) {
    for (uint32_t j = 0; j + 1 < def->columns; j++) {
      uint32_t here = i * def->columns + j, below = here + def->columns;
      const uint32_t corners[6] = {here, below, below + 1, here, below + 1, here + 1};
      memcpy(indices, corners, sizeof corners);
      indices += 6;
    }
  }
}

static mo_mesh *mesh_of_field(const mo_heightfield_def *def, mo_result *why) {
  size_t samples = (size_t)def->rows * def->columns;
  size_t cells = (size_t)(def->rows - 1) * (def->columns - 1);
  mo_vec3 *vertices = mo_allocate(samples * sizeof *vertices);
  uint32_t *indices = mo_allocate(6 * cells * sizeof *indices);
  mo_mesh *mesh = NULL;
  *why = MO_ERROR_OUT_OF_MEMORY;
  if (vertices && indices) {
    place_samples(def, vertices);
    list_cells(def, indices);
    mesh = mo_mesh_create(vertices, (uint32_t)samples, indices, (uint32_t)(2 * cells),
                          def->is_one_sided, why);
  }
  mo_release(vertices);
  mo_release(indices);
  return mesh;
}

mo_shape *mo_shape_create_heightfield(const mo_heightfield_def *def, mo_result *result) {
  mo_vec3 scale = def->scale;
  if (!def->heights || def->rows < 2 || def->columns < 2 ||
      (uint64_t)def->rows * def->columns > MO_BVH_ITEM / 8 || !mo_is_positive(scale.x) ||
      !mo_is_positive(scale.y) || !mo_is_positive(scale.z)) {
    return mo_shape_fail(MO_ERROR_INVALID_ARGUMENT, result);
  }
  mo_result why;
  mo_mesh *mesh = mesh_of_field(def, &why);
  return mesh ? shape_of(&mo_heightfield_class, mesh, result) : mo_shape_fail(why, result);
}
