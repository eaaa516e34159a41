/// A plane in the frame of another shape.
#pragma once

#include "geometry/shape.h"

/// In the frame of another shape: normal . x <= offset is solid.
typedef struct mo_placed_plane {
  mo_vec3 normal;
  double offset;
} mo_placed_plane;

static inline mo_placed_plane mo_plane_in_frame(const mo_transform *frame, const mo_shape *plane,
                                                const mo_transform *placement) {
  mo_vec3 normal = mo_mat3_mul(placement->rotation, plane->normal);
  double offset =
      plane->offset + mo_dot(normal, mo_sub(placement->translation, frame->translation));
  return (mo_placed_plane){mo_mat3_mul_transposed(frame->rotation, normal), offset};
}
