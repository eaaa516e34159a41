#include "geometry/shape.h"

#include "geometry/shape_content.h"
#include "memory/allocator.h"

static void set_result(mo_result *result, mo_result value) {
  if (result) {
    *result = value;
  }
}

static bool is_positive(double x) { return mo_is_finite(x) && x > 0.0; }

// A size whose volume or inertia over- or underflows is as little use as one that is not finite.
static bool has_usable_mass(const mo_shape *shape) {
  return is_positive(shape->volume) && mo_mat3_is_finite(shape->inertia_per_mass) &&
         is_positive(shape->inertia_per_mass.cx.x) && is_positive(shape->inertia_per_mass.cy.y) &&
         is_positive(shape->inertia_per_mass.cz.z);
}

// Moves a filled-in shape to the heap. Null and `result` without memory.
static mo_shape *allocate_shape(const mo_shape *content, mo_result *result) {
  mo_shape *shape = mo_allocate(sizeof *shape);
  if (!shape) {
    set_result(result, MO_ERROR_OUT_OF_MEMORY);
    return NULL;
  }
  *shape = *content;
  shape->reference_count = 1;
  shape->content = mo_shape_content_hash(shape);
  set_result(result, MO_OK);
  return shape;
}

mo_shape *mo_shape_create_sphere(double radius, mo_result *result) {
  double inertia = 0.4 * radius * radius;
  mo_shape shape = {.type = MO_SHAPE_SPHERE,
                    .radius = radius,
                    .volume = 4.0 / 3.0 * MO_PI * radius * radius * radius,
                    .inertia_per_mass = mo_mat3_diagonal(inertia, inertia, inertia),
                    .bounding_radius = radius};
  if (!is_positive(radius) || !has_usable_mass(&shape)) {
    set_result(result, MO_ERROR_INVALID_ARGUMENT);
    return NULL;
  }
  return allocate_shape(&shape, result);
}

// Mass properties of a capsule: those of the cylinder and of the two half balls, whose centres of
// mass are 3/8 of the radius from their flat sides.
static mo_shape capsule_content(double radius, double half_height) {
  double r = radius, h = half_height;
  double cylinder = 2.0 * MO_PI * r * r * h, balls = 4.0 / 3.0 * MO_PI * r * r * r;
  double volume = cylinder + balls;
  double about_axis = (cylinder * 0.5 + balls * 0.4) * r * r / volume;
  double across =
      (cylinder * (0.25 * r * r + h * h / 3.0) + balls * (0.4 * r * r + h * h + 0.75 * h * r)) /
      volume;
  return (mo_shape){.type = MO_SHAPE_CAPSULE,
                    .radius = r,
                    .half_height = h,
                    .volume = volume,
                    .inertia_per_mass = mo_mat3_diagonal(across, about_axis, across),
                    .bounding_radius = h + r};
}

mo_shape *mo_shape_create_capsule(double radius, double half_height, mo_result *result) {
  mo_shape content = capsule_content(radius, half_height);
  if (!is_positive(radius) || !is_positive(half_height) || !has_usable_mass(&content)) {
    set_result(result, MO_ERROR_INVALID_ARGUMENT);
    return NULL;
  }
  content.core = mo_hull_create_segment(half_height);
  if (!content.core) {
    set_result(result, MO_ERROR_OUT_OF_MEMORY);
    return NULL;
  }
  mo_shape *shape = allocate_shape(&content, result);
  if (!shape) {
    mo_hull_release(content.core);
  }
  return shape;
}

// The parts that a shape has from its hull; the hull is taken over, not retained.
static mo_shape hull_shape(mo_shape_type type, mo_hull *hull) {
  mo_shape shape = {.type = type,
                    .hull = hull,
                    .volume = hull->volume,
                    .centroid = hull->centroid,
                    .inertia_per_mass = hull->inertia_per_mass};
  for (uint32_t i = 0; i < hull->vertex_count; i++) {
    shape.bounding_radius =
        mo_max(shape.bounding_radius, mo_distance_between(hull->vertices[i], hull->centroid));
  }
  return shape;
}

mo_shape *mo_shape_create_box(mo_vec3 half_extents, mo_result *result) {
  if (!is_positive(half_extents.x) || !is_positive(half_extents.y) ||
      !is_positive(half_extents.z)) {
    set_result(result, MO_ERROR_INVALID_ARGUMENT);
    return NULL;
  }
  mo_hull *hull = mo_hull_create_box(half_extents);
  if (!hull) {
    set_result(result, MO_ERROR_OUT_OF_MEMORY);
    return NULL;
  }
  mo_shape content = hull_shape(MO_SHAPE_BOX, hull);
  mo_shape *shape = NULL;
  if (has_usable_mass(&content)) {
    shape = allocate_shape(&content, result);
  } else {
    set_result(result, MO_ERROR_INVALID_ARGUMENT);
  }
  if (!shape) {
    mo_hull_release(hull);
  }
  return shape;
}

mo_shape *mo_shape_create_hull(mo_hull *hull, mo_result *result) {
  if (!hull) {
    set_result(result, MO_ERROR_INVALID_ARGUMENT);
    return NULL;
  }
  mo_shape content = hull_shape(MO_SHAPE_HULL, hull);
  mo_shape *shape = allocate_shape(&content, result);
  if (shape) {
    mo_hull_retain(hull);
  }
  return shape;
}

mo_shape *mo_shape_create_plane(mo_vec3 normal, double offset, mo_result *result) {
  // The largest component is divided out first, so that neither huge nor tiny normals overflow when
  // squared.
  double size = mo_v3_max_component(mo_v3_abs(normal));
  if (!mo_v3_is_finite(normal) || !is_positive(size) || !mo_is_finite(offset)) {
    set_result(result, MO_ERROR_INVALID_ARGUMENT);
    return NULL;
  }
  mo_vec3 direction = mo_v3(normal.x / size, normal.y / size, normal.z / size);
  mo_shape shape = {.type = MO_SHAPE_PLANE,
                    .normal = mo_normalize(direction),
                    .offset = offset,
                    .bounding_radius = INFINITY};
  return allocate_shape(&shape, result);
}

void mo_shape_retain(mo_shape *shape) { shape->reference_count++; }

void mo_shape_release(mo_shape *shape) {
  if (shape && --shape->reference_count == 0) {
    mo_hull_release(shape->hull);
    mo_hull_release(shape->core);
    mo_release(shape);
  }
}

mo_shape_type mo_shape_get_type(const mo_shape *shape) { return shape->type; }

// --- bounds ----------------------------------------------------------------------------------

static mo_bounds hull_bounds(const mo_hull *hull, mo_transform placement) {
  mo_bounds bounds = {mo_v3(INFINITY, INFINITY, INFINITY), mo_v3(-INFINITY, -INFINITY, -INFINITY)};
  for (uint32_t i = 0; i < hull->vertex_count; i++) {
    mo_vec3 vertex = mo_transform_point(placement, hull->vertices[i]);
    bounds.lower = mo_v3_min(bounds.lower, vertex);
    bounds.upper = mo_v3_max(bounds.upper, vertex);
  }
  return bounds;
}

// The solid side of a plane along +normal ends at the offset; only an axis-aligned plane is bounded
// by that.
static mo_bounds plane_bounds(const mo_shape *shape, mo_transform placement) {
  mo_vec3 n = mo_mat3_mul(placement.rotation, shape->normal);
  double offset = shape->offset + mo_dot(n, placement.translation);
  mo_bounds bounds = {mo_v3(-INFINITY, -INFINITY, -INFINITY), mo_v3(INFINITY, INFINITY, INFINITY)};
  if (n.y == 0.0 && n.z == 0.0) {
    *(n.x > 0.0 ? &bounds.upper.x : &bounds.lower.x) = n.x > 0.0 ? offset : -offset;
  } else if (n.x == 0.0 && n.z == 0.0) {
    *(n.y > 0.0 ? &bounds.upper.y : &bounds.lower.y) = n.y > 0.0 ? offset : -offset;
  } else if (n.x == 0.0 && n.y == 0.0) {
    *(n.z > 0.0 ? &bounds.upper.z : &bounds.lower.z) = n.z > 0.0 ? offset : -offset;
  }
  return bounds;
}

mo_bounds mo_shape_bounds(const mo_shape *shape, mo_transform placement) {
  switch (shape->type) {
  case MO_SHAPE_SPHERE: {
    mo_vec3 r = mo_v3(shape->radius, shape->radius, shape->radius);
    return (mo_bounds){mo_sub(placement.translation, r), mo_add(placement.translation, r)};
  }
  case MO_SHAPE_CAPSULE: {
    mo_vec3 half = mo_scale(shape->half_height, mo_v3_abs(placement.rotation.cy));
    mo_vec3 reach = mo_add(half, mo_v3(shape->radius, shape->radius, shape->radius));
    return (mo_bounds){mo_sub(placement.translation, reach), mo_add(placement.translation, reach)};
  }
  case MO_SHAPE_BOX: {
    mo_vec3 half = shape->hull->upper;
    mo_vec3 reach = mo_add(mo_add(mo_scale(half.x, mo_v3_abs(placement.rotation.cx)),
                                  mo_scale(half.y, mo_v3_abs(placement.rotation.cy))),
                           mo_scale(half.z, mo_v3_abs(placement.rotation.cz)));
    return (mo_bounds){mo_sub(placement.translation, reach), mo_add(placement.translation, reach)};
  }
  case MO_SHAPE_PLANE:
    return plane_bounds(shape, placement);
  case MO_SHAPE_HULL:
    break;
  }
  return hull_bounds(shape->hull, placement);
}

double mo_shape_inner_radius(const mo_shape *shape) {
  if (!shape->hull) {
    return shape->type == MO_SHAPE_PLANE ? INFINITY : shape->radius;
  }
  double height;
  mo_hull_nearest_face(shape->hull, shape->hull->centroid, &height);
  return -height;
}
