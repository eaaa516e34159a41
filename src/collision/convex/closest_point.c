#include "collision/convex/closest_point.h"

#include "collision/convex/epa.h"

// In the frame of the shape, with the normal and the signed distance of the whole shape.
static mo_surface_point surface_of_core(mo_vec3 on_core, mo_vec3 normal, double core_distance,
                                        double radius) {
  return (mo_surface_point){core_distance - radius, mo_add_scaled(on_core, radius, normal), normal};
}

// --- inside of the core ----------------------------------------------------------------------

// A core without an inside: any direction across it is one of the shortest ways out.
static mo_surface_point leave_line(const mo_convex *core, mo_vec3 point) {
  return surface_of_core(point, mo_v3(1.0, 0.0, 0.0), 0.0, core->radius);
}

static mo_surface_point leave_hull(const mo_convex *core, mo_vec3 point) {
  double height;
  uint32_t face = mo_hull_nearest_face(core->hull, point, &height);
  mo_vec3 normal = core->hull->faces[face].normal;
  return surface_of_core(mo_add_scaled(point, -height, normal), normal, height, core->radius);
}

static mo_surface_point leave_curved(mo_minkowski *pair, const mo_simplex *simplex, mo_vec3 point) {
  mo_epa_result epa = mo_epa(pair, simplex);
  mo_vec3 on_core = mo_add_scaled(point, epa.depth, epa.normal);
  return surface_of_core(on_core, epa.normal, -epa.depth, pair->a->radius);
}

static mo_surface_point leave_core(mo_minkowski *pair, const mo_simplex *simplex, mo_vec3 point) {
  switch (pair->a->kind) {
  case MO_CORE_POINT:
  case MO_CORE_SEGMENT:
    return leave_line(pair->a, point);
  case MO_CORE_HULL:
    return leave_hull(pair->a, point);
  default:
    return leave_curved(pair, simplex, point);
  }
}

// --- any shape -------------------------------------------------------------------------------

static bool closest_on_core(const mo_convex *core, mo_vec3 point, double max_distance,
                            mo_surface_point *out) {
  mo_convex tip = mo_convex_point(0.0);
  mo_minkowski pair = mo_minkowski_of(core, &tip, (mo_transform){mo_mat3_identity(), point});
  mo_gjk_result gjk = mo_gjk(&pair, max_distance + core->radius);
  if (gjk.status == MO_GJK_BEYOND) {
    return false;
  }
  *out = gjk.status == MO_GJK_OVERLAP
             ? leave_core(&pair, &gjk.simplex, point)
             : surface_of_core(gjk.point_a, gjk.normal, gjk.distance, core->radius);
  return true;
}

static mo_surface_point closest_on_plane(const mo_shape *shape, mo_vec3 point) {
  double height = mo_dot(shape->normal, point) - shape->offset;
  return (mo_surface_point){height, mo_add_scaled(point, -height, shape->normal), shape->normal};
}

// A mesh has no inside: the normal is that of the side on which the point is.
static bool closest_on_mesh(const mo_mesh *mesh, mo_vec3 point, double max_distance,
                            mo_surface_point *out) {
  mo_mesh_point found = mo_mesh_closest_point(mesh, point, max_distance);
  if (found.triangle == MO_NO_TRIANGLE) {
    return false;
  }
  mo_triangle triangle = mo_mesh_triangle(mesh, found.triangle);
  mo_vec3 normal = found.distance > 0.0 ? mo_normalize(mo_sub(point, found.position))
                                        : mo_triangle_normal(&triangle);
  *out = (mo_surface_point){found.distance, found.position, normal};
  return true;
}

bool mo_shape_closest_point(const mo_shape *shape, mo_transform placement, mo_vec3 point,
                            double max_distance, mo_surface_point *out) {
  mo_vec3 local = mo_transform_point_inverse(placement, point);
  mo_surface_point closest;
  if (mo_shape_is_unbounded(shape)) {
    closest = closest_on_plane(shape, local);
  } else if (mo_shape_is_surface(shape)) {
    if (!closest_on_mesh(shape->mesh, local, max_distance, &closest)) {
      return false;
    }
  } else if (!closest_on_core(&shape->core, local, max_distance, &closest)) {
    return false;
  }
  // Numbers that overflowed are no distance.
  if (!(closest.distance <= max_distance && mo_is_finite(closest.distance))) {
    return false;
  }
  *out = (mo_surface_point){closest.distance, mo_transform_point(placement, closest.position),
                            mo_mat3_mul(placement.rotation, closest.normal)};
  return true;
}
