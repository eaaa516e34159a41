/// A cone as anyone would add it: one class, one support function, one constructor. The engine has
/// no code for it anywhere else, but for the line of the class in the table of shapes, which a
/// program of tests has in its place (step/toy_consumers.c).
#pragma once

#include "geometry/shape.h"

/// The tip, or the rim of the base towards the direction.
static inline mo_vec3 toy_cone_support(const mo_convex *core, mo_vec3 d) {
  double radius = core->half_extents.x, half = core->half_extents.y;
  double across = sqrt(d.x * d.x + d.z * d.z), part = across > 0.0 ? radius / across : 0.0;
  mo_vec3 rim = mo_v3(part * d.x, -half, part * d.z), tip = mo_v3(0.0, half, 0.0);
  return mo_dot(tip, d) > mo_dot(rim, d) ? tip : rim;
}

static const mo_shape_class toy_cone_class = {.type = (mo_shape_type)100, // one that is free
                                              .collider = MO_COLLIDER_CONVEX,
                                              .core = MO_CORE_CURVED,
                                              .support = toy_cone_support,
                                              .bounds = mo_shape_support_bounds};

/// The origin is at half of the height, the tip at +y, the centroid at a quarter of the height.
static inline mo_shape *toy_cone_create(double radius, double half_height) {
  double r = radius, h = 2.0 * half_height, slant = sqrt(r * r + h * h);
  double across = 0.15 * r * r + 0.0375 * h * h;
  mo_shape cone = {
      .class = &toy_cone_class,
      .core = mo_convex_curved(toy_cone_support, mo_v3(r, half_height, r), 0.0),
      .volume = MO_PI * r * r * h / 3.0,
      .centroid = mo_v3(0.0, -0.25 * h, 0.0),
      .inertia_per_mass = mo_mat3_diagonal(across, 0.3 * r * r, across),
      .bounding_radius = mo_max(0.75 * h, sqrt(r * r + h * h / 16.0)),
      .inner_radius = mo_min(0.25 * h, 0.75 * h * r / slant),
  };
  cone.core.centre = cone.centroid;
  return mo_shape_allocate_solid(&cone, NULL);
}
