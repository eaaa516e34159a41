#include "step/surface_sweep.h"

#include "collision/convex/triangle_shape.h"

// m: a plane that the shape approaches by less is that of a surface on which it slides.
#define LEAST_CLOSING 1e-4

typedef struct surface_search {
  const mo_sweep *convex, *surface;
  mo_transform start, end; // of the convex shape in the frame of the mesh
  double slack;            // m: how far paths are from straight, and the reach
  double least_closing;    // m
  mo_swept_triangle_function *function;
  void *user;
} surface_search;

static mo_transform placement_of(const mo_sweep *sweep, double fraction) {
  return mo_transform_from_pose(mo_pose_mul(mo_sweep_pose(sweep, fraction), sweep->shape_pose));
}

// The height of the lowest point of the shape over a plane.
static double lowest(const mo_shape *convex, mo_transform at, mo_vec3 normal, mo_vec3 point) {
  mo_vec3 down = mo_mat3_mul_transposed(at.rotation, mo_neg(normal));
  mo_vec3 furthest = mo_transform_point(at, mo_convex_furthest(&convex->core, down));
  return mo_dot(normal, mo_sub(furthest, point)) - convex->core.radius;
}

// Whether the shape comes nearer to the plane of a triangle than `slack`.
static bool approaches(const surface_search *s, const mo_triangle *t) {
  const mo_shape *shape = s->convex->shape;
  mo_vec3 normal = mo_triangle_normal(t);
  mo_vec3 centroid = mo_transform_point(s->start, shape->centroid);
  if (mo_dot(normal, mo_sub(centroid, t->corners[0])) < 0.0) {
    if (s->surface->shape->mesh->is_one_sided) {
      return false;
    }
    normal = mo_neg(normal);
  }
  double start = lowest(shape, s->start, normal, t->corners[0]);
  double end = lowest(shape, s->end, normal, t->corners[0]);
  return end < s->slack && start - end > s->least_closing;
}

static bool look_at(void *user, uint32_t index) {
  surface_search *s = user;
  const mo_shape *surface = s->surface->shape;
  mo_triangle triangle = mo_mesh_triangle(surface->mesh, index);
  if (approaches(s, &triangle)) {
    mo_triangle_shape shape;
    mo_triangle_shape_make(&triangle, s->convex->shape->inner_radius, &shape);
    mo_pose local = {shape.centroid, mo_quat_identity()};
    mo_sweep sweep = *s->surface;
    sweep.shape = &shape.shape;
    sweep.shape_pose = mo_pose_mul(s->surface->shape_pose, local);
    s->function(s->user, &sweep);
  }
  return true;
}

void mo_sweep_over_surface(const mo_sweep *convex, const mo_sweep *surface, double reach,
                           double metre, mo_swept_triangle_function *function, void *user) {
  surface_search s = {
      .convex = convex,
      .surface = surface,
      .start = mo_transform_relative(placement_of(surface, 0.0), placement_of(convex, 0.0)),
      .end = mo_transform_relative(placement_of(surface, 1.0), placement_of(convex, 1.0)),
      .least_closing = LEAST_CLOSING * metre,
      .function = function,
      .user = user};
  // A surface that turns sees a straight path as an arc, whose rise over the chord is radius times
  // angle^2 / 8. A shape that turns may reach further in between.
  double angle = mo_length(surface->rotation);
  double away = mo_distance_between(surface->center_start, convex->center_start) +
                mo_distance_between(convex->center_start, convex->center_end);
  double turn = mo_min(mo_length(convex->rotation), 2.0) * convex->shape->bounding_radius;
  s.slack = reach + away * mo_square(angle) / 8.0 + turn;
  mo_bounds from = mo_shape_bounds(convex->shape, &s.start),
            to = mo_shape_bounds(convex->shape, &s.end);
  mo_bounds all = {mo_v3_min(from.lower, to.lower), mo_v3_max(from.upper, to.upper)};
  mo_mesh_search(surface->shape->mesh, mo_bounds_expand(all, s.slack), look_at, &s);
}
