#include "collision/convex/triangle_shape.h"

static mo_vec3 support(const mo_convex *core, mo_vec3 direction) {
  const mo_triangle *t = core->context;
  double a = mo_dot(direction, t->corners[0]), b = mo_dot(direction, t->corners[1]),
         c = mo_dot(direction, t->corners[2]);
  return t->corners[a >= b && a >= c ? 0 : b >= c ? 1 : 2];
}

mo_vec3 mo_triangle_core(const mo_triangle *triangle, mo_triangle *at, mo_convex *core) {
  const mo_vec3 *c = triangle->corners;
  mo_vec3 centroid = mo_scale(1.0 / 3.0, mo_add(c[0], mo_add(c[1], c[2])));
  double furthest = 0.0;
  for (int k = 0; k < 3; k++) {
    at->corners[k] = mo_sub(c[k], centroid);
    furthest = mo_max(furthest, mo_length(at->corners[k]));
  }
  *core = mo_convex_curved(support, mo_v3(furthest, 0.0, 0.0), 0.0);
  core->context = at;
  return centroid;
}

static const mo_shape_class triangle_class = {
    .type = MO_SHAPE_MESH, .collider = MO_COLLIDER_CONVEX, .bounds = mo_shape_support_bounds};

void mo_triangle_shape_make(const mo_triangle *triangle, double inner_radius,
                            mo_triangle_shape *out) {
  mo_convex core;
  out->centroid = mo_triangle_core(triangle, &out->at, &core);
  out->shape = (mo_shape){.class = &triangle_class,
                          .core = core,
                          .bounding_radius = core.half_extents.x,
                          .inner_radius = inner_radius};
}
