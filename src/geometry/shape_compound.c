#include "geometry/shape_compound.h"

#include "memory/allocator.h"

static mo_combine first_rule(mo_combine part, mo_combine whole) {
  return part == MO_COMBINE_DEFAULT ? whole : part;
}

void mo_shape_write_parts(const mo_placed_shape *placed, mo_placed_shape *parts) {
  const mo_shape *shape = placed->shape;
  if (!shape->parts) {
    parts[0] = *placed;
    return;
  }
  for (uint32_t i = 0; i < shape->part_count; i++) {
    const mo_placed_shape *part = &shape->parts[i];
    parts[i] = (mo_placed_shape){
        .shape = part->shape,
        .pose = mo_pose_mul(placed->pose, part->pose),
        .density = part->density >= 0.0 ? part->density : placed->density,
        .friction = part->friction >= 0.0 ? part->friction : placed->friction,
        .restitution = part->restitution >= 0.0 ? part->restitution : placed->restitution,
        .friction_combine = first_rule(part->friction_combine, placed->friction_combine),
        .restitution_combine = first_rule(part->restitution_combine, placed->restitution_combine),
        .sensor = part->sensor || placed->sensor,
        .has_filter = part->has_filter || placed->has_filter,
        .filter = part->has_filter ? part->filter : placed->filter};
  }
}

// --- the class -------------------------------------------------------------------------------

static mo_bounds bounds_of(const mo_shape *shape, const mo_transform *placement) {
  mo_bounds all = {mo_v3(INFINITY, INFINITY, INFINITY), mo_v3(-INFINITY, -INFINITY, -INFINITY)};
  for (uint32_t i = 0; i < shape->part_count; i++) {
    mo_transform at = mo_shape_part_placement(placement, &shape->parts[i]);
    mo_bounds bounds = mo_shape_bounds(shape->parts[i].shape, &at);
    all.lower = mo_v3_min(all.lower, bounds.lower);
    all.upper = mo_v3_max(all.upper, bounds.upper);
  }
  return all;
}

const mo_shape_class mo_compound_class = {.type = MO_SHAPE_COMPOUND,
                                          .collider = MO_COLLIDER_COMPOUND,
                                          .core = MO_CORE_MANY,
                                          .bounds = bounds_of};

// --- the constructor -------------------------------------------------------------------------

// What is below zero is open.
static bool is_good_part(const mo_placed_shape *part) {
  return part->shape && !mo_shape_is_unbounded(part->shape) &&
         mo_v3_is_finite(part->pose.position) &&
         mo_is_positive(mo_quat_norm_squared(part->pose.orientation)) && part->density < INFINITY &&
         part->friction < INFINITY && part->restitution <= 1.0;
}

static uint32_t count_parts(const mo_placed_shape *shapes, uint32_t count) {
  uint64_t parts = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!is_good_part(&shapes[i])) {
      return 0;
    }
    parts += mo_shape_part_count(shapes[i].shape);
  }
  return parts <= UINT32_MAX / sizeof *shapes ? (uint32_t)parts : 0;
}

// Surface, volume and moments of homogeneous parts; overlaps count twice.
static void measure(mo_shape *compound) {
  mo_vec3 moment = mo_v3_zero();
  for (uint32_t i = 0; i < compound->part_count; i++) {
    const mo_shape *part = compound->parts[i].shape;
    mo_transform at = mo_transform_from_pose(compound->parts[i].pose);
    compound->volume += part->volume;
    compound->surface_area += part->surface_area;
    moment = mo_add_scaled(moment, part->volume, mo_transform_point(at, part->centroid));
  }
  if (compound->volume > 0.0) {
    compound->centroid = mo_scale(1.0 / compound->volume, moment);
  }
  compound->inner_radius = INFINITY;
  for (uint32_t i = 0; i < compound->part_count; i++) {
    const mo_shape *part = compound->parts[i].shape;
    mo_transform at = mo_transform_from_pose(compound->parts[i].pose);
    mo_vec3 offset = mo_sub(mo_transform_point(at, part->centroid), compound->centroid);
    double share = compound->volume > 0.0 ? part->volume / compound->volume : 0.0;
    mo_mat3 own = mo_mat3_rotate_symmetric(at.rotation, part->inertia_per_mass);
    compound->inertia_per_mass =
        mo_mat3_add(compound->inertia_per_mass,
                    mo_mat3_add(mo_mat3_scale(share, own), mo_mat3_parallel_axis(share, offset)));
    compound->bounding_radius =
        mo_max(compound->bounding_radius, mo_length(offset) + part->bounding_radius);
    compound->inner_radius = mo_min(compound->inner_radius, part->inner_radius);
  }
}

mo_shape *mo_shape_create_compound(const mo_placed_shape *shapes, uint32_t count,
                                   mo_result *result) {
  uint32_t part_count = shapes ? count_parts(shapes, count) : 0;
  if (part_count == 0) {
    return mo_shape_fail(MO_ERROR_INVALID_ARGUMENT, result);
  }
  mo_shape content = {.class = &mo_compound_class,
                      .core = {.kind = MO_CORE_MANY},
                      .parts = mo_allocate((size_t)part_count * sizeof *content.parts),
                      .part_count = part_count};
  if (!content.parts) {
    return mo_shape_fail(MO_ERROR_OUT_OF_MEMORY, result);
  }
  for (uint32_t i = 0, at = 0; i < count; i++) {
    mo_placed_shape placed = shapes[i];
    placed.pose.orientation = mo_quat_normalize(placed.pose.orientation);
    mo_shape_write_parts(&placed, &content.parts[at]);
    at += mo_shape_part_count(placed.shape);
  }
  measure(&content);
  for (uint32_t i = 0; i < part_count; i++) {
    mo_shape_retain(content.parts[i].shape);
  }
  return mo_shape_allocate(&content, result);
}
