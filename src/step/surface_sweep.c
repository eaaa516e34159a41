#include "step/surface_sweep.h"

#include "collision/convex/triangle_shape.h"

// m: a plane that the shape approaches by less is that of a surface on which it slides.
#define LEAST_CLOSING 1e-4
// rad: between two poses that differ by this turn a shape gets lower than at both by less than a
// hundredth of its size (1 - cos(turn / 2)).
#define TURN_PER_POSE 0.25
// Poses: those of 4 rad. What turns by more is looked at as often.
#define MOST_POSES 16

typedef struct surface_search {
  const mo_sweep *convex, *surface;
  int pose_count;
  mo_transform poses[1 + MOST_POSES]; // of the convex shape in the frame of the mesh, from the
                                      // start of the step to its end
  double reach;                       // m: how near is touched
  double slack;                       // m: how far paths are from straight, and the reach
  double least_closing;               // m
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

// How far any point of the shape moves against the normal, from one pose to another.
static double greatest_fall(const mo_shape *convex, mo_transform from, mo_transform to,
                            mo_vec3 normal) {
  mo_vec3 along = mo_sub(mo_mat3_mul_transposed(from.rotation, normal),
                         mo_mat3_mul_transposed(to.rotation, normal));
  double by_turn = mo_length_squared(along) > 0.0
                       ? mo_dot(along, mo_convex_furthest(&convex->core, along))
                       : 0.0;
  return mo_dot(normal, mo_sub(from.translation, to.translation)) + by_turn;
}

// Whether the shape ever comes nearer to a triangle than `slack` along the way from it to the
// centroid at the start.
static bool comes_over(const surface_search *s, const mo_triangle *t, mo_vec3 centroid) {
  mo_vec3 closest = mo_triangle_closest_point(t, centroid);
  mo_vec3 out = mo_normalize(mo_sub(centroid, closest));
  for (int i = 0; i < s->pose_count; i++) {
    if (lowest(s->convex->shape, s->poses[i], out, closest) < s->slack) {
      return true;
    }
  }
  return false;
}

// Whether the shape comes nearer to the plane of a triangle than `slack`. If all of it is in front
// of that plane, its lowest point tells: that of a wheel which rolls on the plane stays as low as
// it is. Of a shape that is on both sides of the plane, beside the triangle, the lowest point need
// not be over the triangle: that of a rod which turns is on its other arm. Then any point tells
// that falls by more than the reach; what falls by less is touched before.
static bool approaches(const surface_search *s, const mo_triangle *t) {
  const mo_shape *shape = s->convex->shape;
  mo_vec3 normal = mo_triangle_normal(t);
  mo_vec3 centroid = mo_transform_point(s->poses[0], shape->centroid);
  if (mo_dot(normal, mo_sub(centroid, t->corners[0])) < 0.0) {
    if (s->surface->shape->mesh->is_one_sided) {
      return false;
    }
    normal = mo_neg(normal);
  }
  double start = lowest(shape, s->poses[0], normal, t->corners[0]);
  bool is_in_front = start > -s->reach, is_near = false, falls = false;
  double least = is_in_front ? s->least_closing : s->reach;
  for (int i = 1; i < s->pose_count && !(is_near && falls); i++) {
    double height = lowest(shape, s->poses[i], normal, t->corners[0]);
    double fall =
        is_in_front ? start - height : greatest_fall(shape, s->poses[0], s->poses[i], normal);
    is_near = is_near || height < s->slack;
    falls = falls || fall > least;
  }
  return is_near && falls && comes_over(s, t, centroid);
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

// Lists the poses, of which any two that follow one another differ by a small turn.
static void list_poses(surface_search *s) {
  double turn = mo_length(mo_sub(s->convex->rotation, s->surface->rotation));
  bool is_long = !(turn < TURN_PER_POSE * MOST_POSES); // also where it is no number
  int steps = is_long ? MOST_POSES : (int)mo_max(ceil(turn / TURN_PER_POSE), 1.0);
  for (int i = 0; i <= steps; i++) {
    double fraction = (double)i / steps;
    s->poses[i] = mo_transform_relative(placement_of(s->surface, fraction),
                                        placement_of(s->convex, fraction));
  }
  s->pose_count = steps + 1;
}

void mo_sweep_over_surface(const mo_sweep *convex, const mo_sweep *surface, double reach,
                           double metre, mo_swept_triangle_function *function, void *user) {
  surface_search s = {.convex = convex,
                      .surface = surface,
                      .reach = reach,
                      .least_closing = LEAST_CLOSING * metre,
                      .function = function,
                      .user = user};
  list_poses(&s);
  // A surface that turns sees a straight path as an arc, whose rise over the chord is radius times
  // angle^2 / 8. A shape that turns may reach further in between.
  double angle = mo_length(surface->rotation);
  double away = mo_distance_between(surface->center_start, convex->center_start) +
                mo_distance_between(convex->center_start, convex->center_end);
  double turn = mo_min(mo_length(convex->rotation), 2.0) * convex->shape->bounding_radius;
  s.slack = reach + away * mo_square(angle) / 8.0 + turn;
  mo_bounds from = mo_shape_bounds(convex->shape, &s.poses[0]),
            to = mo_shape_bounds(convex->shape, &s.poses[s.pose_count - 1]);
  mo_bounds all = {mo_v3_min(from.lower, to.lower), mo_v3_max(from.upper, to.upper)};
  mo_mesh_search(surface->shape->mesh, mo_bounds_expand(all, s.slack), look_at, &s);
}
