#include "geometry/submerged.h"

#include "geometry/submerged_parts.h"

static mo_submerged finish(double volume, mo_vec3 moment) {
  bool is_some = volume > 0.0;
  return (mo_submerged){is_some ? volume : 0.0,
                        is_some ? mo_scale(1.0 / volume, moment) : mo_v3_zero()};
}

// --- balls -----------------------------------------------------------------------------------

// The part of a ball about the origin: a cap of height h has pi h^2 (r - h / 3), and its first
// moment along the normal is -pi (r^2 - s^2)^2 / 4 for a plane at s.
static mo_submerged part_of_ball(double radius, mo_vec3 normal, double offset) {
  double s = mo_clamp(offset, -radius, radius), h = s + radius;
  double volume = MO_PI * h * h * (radius - h / 3.0);
  double moment = -0.25 * MO_PI * mo_square(radius * radius - s * s);
  return finish(volume, mo_scale(moment, normal));
}

// --- polyhedra -------------------------------------------------------------------------------

void mo_solid_sum_add(mo_solid_sum *sum, mo_vec3 a, mo_vec3 b, mo_vec3 c) {
  mo_vec3 p = mo_sub(a, sum->tip), q = mo_sub(b, sum->tip), r = mo_sub(c, sum->tip);
  double volume = mo_dot(p, mo_cross(q, r));
  sum->volume += volume;
  sum->moment = mo_add_scaled(sum->moment, volume, mo_add(p, mo_add(q, r)));
}

void mo_solid_sum_add_clipped(mo_solid_sum *sum, const mo_vec3 corners[3],
                              const double heights[3]) {
  mo_vec3 kept[4];
  int count = 0;
  for (int i = 0; i < 3; i++) {
    int next = (i + 1) % 3;
    if (heights[i] <= 0.0) {
      kept[count++] = corners[i];
    }
    if ((heights[i] <= 0.0) != (heights[next] <= 0.0)) {
      double part = heights[i] / (heights[i] - heights[next]);
      kept[count++] = mo_lerp(corners[i], corners[next], part);
    }
  }
  for (int i = 2; i < count; i++) {
    mo_solid_sum_add(sum, kept[0], kept[i - 1], kept[i]);
  }
}

mo_submerged mo_solid_sum_part(const mo_solid_sum *sum) {
  mo_submerged part = finish(sum->volume / 6.0, mo_scale(1.0 / 24.0, sum->moment));
  if (part.volume > 0.0) {
    part.centroid = mo_add(sum->tip, part.centroid);
  }
  return part;
}

static mo_submerged part_of_hull(const mo_hull *hull, mo_vec3 normal, double offset) {
  double above = mo_dot(normal, hull->centroid) - offset;
  mo_solid_sum sum = {.tip = mo_add_scaled(hull->centroid, -above, normal)};
  for (uint32_t i = 0; i < hull->facet_count; i++) {
    mo_vec3 corners[3];
    double heights[3];
    for (int k = 0; k < 3; k++) {
      corners[k] = hull->vertices[hull->facets[i].vertices[k]];
      heights[k] = mo_dot(normal, mo_sub(corners[k], sum.tip));
    }
    mo_solid_sum_add_clipped(&sum, corners, heights);
  }
  return mo_solid_sum_part(&sum);
}

// --- all -------------------------------------------------------------------------------------

mo_submerged mo_shape_submerged(const mo_shape *shape, mo_vec3 normal, double offset) {
  if (!(shape->volume > 0.0)) {
    return (mo_submerged){0};
  }
  double above = mo_dot(normal, shape->centroid) - offset;
  if (above >= shape->bounding_radius) {
    return (mo_submerged){0};
  }
  if (above <= -shape->bounding_radius) {
    return (mo_submerged){shape->volume, shape->centroid};
  }
  if (shape->core.kind == MO_CORE_POINT) {
    return part_of_ball(shape->core.radius, normal, offset);
  }
  if (shape->core.kind == MO_CORE_HULL && shape->core.radius == 0.0) {
    return part_of_hull(shape->core.hull, normal, offset);
  }
  mo_profile_piece pieces[MO_PROFILE_PIECES];
  uint32_t count = shape->class->profile ? shape->class->profile(shape, pieces) : 0;
  return count > 0 ? mo_submerged_revolution(pieces, count, normal, offset)
                   : mo_submerged_support(shape, normal, offset);
}
