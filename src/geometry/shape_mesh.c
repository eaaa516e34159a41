// Meshes and height fields: surfaces of triangles. They are bounded, but have no convex core.
#include "geometry/shape_content.h"
#include "geometry/shape_pool.h"

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
    .type = MO_SHAPE_MESH, .collider = MO_COLLIDER_MESH, .core = MO_CORE_MANY, .bounds = bounds_of};
const mo_shape_class mo_heightfield_class = {.type = MO_SHAPE_HEIGHTFIELD,
                                             .collider = MO_COLLIDER_MESH,
                                             .core = MO_CORE_MANY,
                                             .bounds = bounds_of};

static double bounding_radius(const mo_mesh *mesh, mo_vec3 centre) {
  double square = 0.0;
  for (uint32_t t = 0; t < mesh->triangle_count; t++) {
    mo_triangle triangle = mo_mesh_triangle(mesh, t);
    for (int k = 0; k < 3; k++) {
      square = mo_max(square, mo_length_squared(mo_sub(triangle.corners[k], centre)));
    }
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
  return mo_shape_allocate(&content, result);
}

static bool is_shape_of(const mo_shape *shape, const void *mesh) {
  return shape->mesh && mo_mesh_equal(shape->mesh, mesh);
}

// The shape of a mesh that is not built: only what it is made of is set.
static mo_shape *find(const mo_shape_class *class, mo_mesh *mesh, mo_result *result) {
  const mo_shape content = {.class = class, .mesh = mesh};
  mo_shape *shape = mo_shape_pool_find(mo_shape_content_hash(&content), is_shape_of, mesh);
  if (shape && result) {
    *result = MO_OK;
  }
  return shape;
}

mo_shape *mo_shape_create_mesh(const mo_mesh_def *def, mo_result *result) {
  mo_result why = MO_ERROR_INVALID_ARGUMENT;
  if (def->vertex_count > UINT32_MAX || def->index_count % 3 != 0 ||
      def->index_count / 3 > UINT32_MAX) {
    return mo_shape_fail(why, result);
  }
  mo_mesh made_of = {.vertex_count = (uint32_t)def->vertex_count,
                     .triangle_count = (uint32_t)(def->index_count / 3),
                     .vertices = (mo_vec3 *)def->vertices,
                     .indices = (uint32_t *)def->indices,
                     .is_one_sided = def->is_one_sided};
  mo_shape *known = def->vertices && def->indices ? find(&mo_mesh_class, &made_of, result) : NULL;
  if (known) {
    return known;
  }
  mo_mesh *mesh = mo_mesh_create(def->vertices, (uint32_t)def->vertex_count, def->indices,
                                 (uint32_t)(def->index_count / 3), def->is_one_sided, &why);
  return mesh ? shape_of(&mo_mesh_class, mesh, result) : mo_shape_fail(why, result);
}

mo_shape *mo_shape_create_heightfield(const mo_heightfield_def *def, mo_result *result) {
  mo_mesh made_of = {.grid = {(double *)def->heights, def->rows, def->columns, def->scale},
                     .is_one_sided = def->is_one_sided};
  mo_shape *known = def->heights ? find(&mo_heightfield_class, &made_of, result) : NULL;
  if (known) {
    return known;
  }
  mo_result why;
  mo_mesh *mesh = mo_mesh_create_field(def, &why);
  return mesh ? shape_of(&mo_heightfield_class, mesh, result) : mo_shape_fail(why, result);
}
