#include "geometry/shape.h"

#include "geometry/shape_content.h"
#include "geometry/shape_pool.h"
#include "memory/allocator.h"

static mo_shape *finish(mo_shape *shape, mo_result why, mo_result *result) {
  if (result) {
    *result = why;
  }
  return shape;
}

mo_shape *mo_shape_fail(mo_result why, mo_result *result) { return finish(NULL, why, result); }

void mo_shape_release_contents(const mo_shape *shape) {
  mo_hull_release(shape->hull);
  mo_mesh_destroy(shape->mesh);
  for (uint32_t i = 0; i < shape->part_count; i++) {
    mo_shape_release(shape->parts[i].shape);
  }
  mo_release(shape->parts);
}

// A shape that has its hash.
static mo_shape *allocate(const mo_shape *content, mo_result *result) {
  mo_shape *shape = mo_shape_pool_find_equal(content);
  if (shape) {
    mo_shape_release_contents(content);
    return finish(shape, MO_OK, result);
  }
  shape = mo_allocate(sizeof *shape);
  if (!shape) {
    mo_shape_release_contents(content);
    return mo_shape_fail(MO_ERROR_OUT_OF_MEMORY, result);
  }
  *shape = *content;
  shape->reference_count = 1;
  shape->is_made = false; // mo_shape_allocate says so
  mo_shape_pool_add(shape);
  return finish(shape, MO_OK, result);
}

mo_shape *mo_shape_allocate_read(const mo_shape *content, mo_result *result) {
  return allocate(content, result);
}

mo_shape *mo_shape_allocate(const mo_shape *content, mo_result *result) {
  mo_shape whole = *content;
  whole.core.kind = content->class->core;
  whole.core.support = content->class->support;
  whole.content = mo_shape_content_hash(&whole);
  mo_shape *shape = allocate(&whole, result);
  if (shape) {
    shape->is_made = true;
  }
  return shape;
}

mo_shape *mo_shape_allocate_solid(const mo_shape *content, mo_result *result) {
  mo_mat3 inertia = content->inertia_per_mass;
  bool is_usable = content->class->core != MO_CORE_NONE && mo_is_positive(content->volume) &&
                   mo_mat3_is_finite(inertia) && mo_is_positive(inertia.cx.x) &&
                   mo_is_positive(inertia.cy.y) && mo_is_positive(inertia.cz.z);
  if (!is_usable) {
    mo_shape_release_contents(content);
    return mo_shape_fail(MO_ERROR_INVALID_ARGUMENT, result);
  }
  return mo_shape_allocate(content, result);
}

// The extent of a core along an axis of the world, from the origin of its frame.
static double reach(const mo_convex *core, mo_vec3 axis, uint32_t *vertex) {
  return mo_dot(axis, mo_convex_support(core, vertex, axis));
}

mo_bounds mo_shape_support_bounds(const mo_shape *shape, const mo_transform *placement) {
  const mo_convex *core = &shape->core;
  mo_mat3 axes = mo_mat3_transpose(placement->rotation); // of the world, in the frame of the shape
  uint32_t vertex = mo_convex_first_vertex(core);
  mo_vec3 upper = {reach(core, axes.cx, &vertex), reach(core, axes.cy, &vertex),
                   reach(core, axes.cz, &vertex)};
  mo_vec3 lower = {-reach(core, mo_neg(axes.cx), &vertex), -reach(core, mo_neg(axes.cy), &vertex),
                   -reach(core, mo_neg(axes.cz), &vertex)};
  mo_bounds bounds = {mo_add(placement->translation, lower), mo_add(placement->translation, upper)};
  return mo_bounds_expand(bounds, core->radius);
}

void mo_shape_retain(mo_shape *shape) { shape->reference_count++; }

void mo_shape_release(mo_shape *shape) {
  if (shape && --shape->reference_count == 0) {
    mo_shape_pool_remove(shape);
    mo_shape_release_contents(shape);
    mo_release(shape);
  }
}

mo_shape_type mo_shape_get_type(const mo_shape *shape) { return shape->class->type; }
double mo_shape_volume(const mo_shape *shape) { return shape->volume; }
double mo_shape_surface_area(const mo_shape *shape) { return shape->surface_area; }
mo_vec3 mo_shape_centroid(const mo_shape *shape) { return shape->centroid; }
mo_mat3 mo_shape_inertia(const mo_shape *shape, double mass) {
  return mo_mat3_scale(mass, shape->inertia_per_mass);
}

mo_solid_check mo_shape_check_solid(const mo_shape *shape) {
  if (mo_shape_is_unbounded(shape)) {
    return (mo_solid_check){.result = MO_ERROR_NOT_SUPPORTED};
  }
  mo_mesh_defect defect = shape->mesh ? shape->mesh->defect : (mo_mesh_defect){.result = MO_OK};
  return (mo_solid_check){defect.result, {defect.edge[0], defect.edge[1]}};
}

uint32_t mo_shape_part_count(const mo_shape *shape) { return shape->parts ? shape->part_count : 1; }
