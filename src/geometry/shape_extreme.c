/// The support mapping of a shape with its rounding: mo_shape_support.
#include "geometry/shape.h"
#include "math/scalar.h"

static mo_vec3 extreme_of_core(const mo_convex *core, mo_vec3 unit) {
  uint32_t vertex = mo_convex_first_vertex(core);
  return mo_add_scaled(mo_convex_support(core, &vertex, unit), core->radius, unit);
}

static mo_result find_extreme(const mo_shape *shape, mo_vec3 unit, mo_vec3 *out) {
  if (mo_shape_is_unbounded(shape) || mo_shape_is_surface(shape)) {
    return MO_ERROR_NOT_SUPPORTED;
  }
  if (shape->part_count > 0) {
    return mo_placed_shapes_support(shape->parts, shape->part_count, unit, out);
  }
  *out = extreme_of_core(&shape->core, unit);
  return MO_OK;
}

mo_result mo_placed_shapes_support(const mo_placed_shape *shapes, uint32_t count, mo_vec3 unit,
                                   mo_vec3 *out) {
  double furthest = -INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    mo_transform placement = mo_transform_from_pose(shapes[i].pose);
    mo_vec3 local = mo_mat3_mul_transposed(placement.rotation, unit), point;
    if (find_extreme(shapes[i].shape, local, &point) != MO_OK) {
      return MO_ERROR_NOT_SUPPORTED;
    }
    point = mo_transform_point(placement, point);
    if (mo_dot(unit, point) > furthest) {
      furthest = mo_dot(unit, point);
      *out = point;
    }
  }
  return MO_OK;
}

bool mo_support_direction(mo_vec3 direction, mo_vec3 *unit) {
  if (!mo_v3_is_finite(direction) || mo_v3_equal(direction, mo_v3_zero())) {
    return false;
  }
  // By its largest component first, so that no square overflows or vanishes.
  *unit = mo_normalize(mo_scale(1.0 / mo_v3_size(direction), direction));
  return true;
}

mo_result mo_shape_support(const mo_shape *shape, mo_vec3 direction, mo_vec3 *out) {
  mo_vec3 unit;
  return mo_support_direction(direction, &unit) ? find_extreme(shape, unit, out)
                                                : MO_ERROR_INVALID_ARGUMENT;
}
