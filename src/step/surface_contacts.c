#include "step/surface_contacts.h"

#include "collision/narrow/joined_facets.h"
#include "dynamics/integrator.h"
#include "step/surface_sweep.h"

// Fraction of the reach at which bodies are about to touch in a sweep.
#define TARGET_PART 0.25
// The same for the tolerance of that distance.
#define TOLERANCE_PART 0.0625
// Shapes that come nearer by less than this part of the near reach have all their contacts already.
#define SLOW_PART 0.5
// The same for how near a face comes to what soon carries it: half of what a body in a flat contact
// may move before its manifold is evaluated again.
#define SUPPORT_PART 0.5
// Cosine of 8 degrees: an impact ahead with such a normal is one with a surface that is touched
// now.
#define KNOWN_NORMAL 0.99

typedef struct surface_pair {
  const mo_moving_shape *convex, *surface;
  mo_sweep convex_sweep, surface_sweep;
  double near;
  double fraction; // of the step, at the first impact
} surface_pair;

static mo_sweep sweep_of(const mo_moving_shape *moving, double dt) {
  const mo_placed_shape *placed = &moving->body->shapes[moving->shape];
  mo_vec3 center = moving->body->mass.center_of_mass;
  mo_motion ahead = *moving->motion;
  if (moving->body->type != MO_BODY_STATIC) {
    mo_integrate_pose(&ahead, center, moving->free_velocity.linear, moving->free_velocity.angular,
                      dt);
  }
  mo_sweep sweep = mo_sweep_between(placed->shape, placed->pose, center,
                                    mo_motion_pose(moving->motion), mo_motion_pose(&ahead));
  mo_sweep_unwind(&sweep, mo_scale(dt, moving->free_velocity.angular));
  return sweep;
}

static void meet(void *user, const mo_sweep *triangle) {
  surface_pair *pair = user;
  mo_toi toi = mo_time_of_impact(&pair->convex_sweep, triangle, TARGET_PART * pair->near,
                                 TOLERANCE_PART * pair->near);
  if (toi.status == MO_TOI_HIT && !toi.began_near) {
    pair->fraction = mo_min(pair->fraction, toi.fraction);
  }
}

static mo_pose pose_at(const mo_sweep *sweep, double fraction) {
  return mo_sweep_pose(sweep, fraction);
}

// Where a point that belongs to a body at some fraction of its sweep is at the start.
static mo_vec3 point_at_start(const mo_sweep *sweep, double fraction, mo_vec3 point) {
  mo_pose then = pose_at(sweep, fraction), start = pose_at(sweep, 0.0);
  mo_vec3 local = mo_quat_rotate_inverse(then.orientation, mo_sub(point, then.position));
  return mo_add(start.position, mo_quat_rotate(start.orientation, local));
}

static void move_back(const surface_pair *pair, mo_manifold *manifold) {
  for (int i = 0; i < manifold->point_count; i++) {
    mo_manifold_point *p = &manifold->points[i];
    p->point_a = point_at_start(&pair->convex_sweep, pair->fraction, p->point_a);
    p->point_b = point_at_start(&pair->surface_sweep, pair->fraction, p->point_b);
    p->separation = mo_dot(manifold->normal, mo_sub(p->point_b, p->point_a));
  }
}

static bool is_known(const mo_mesh_manifolds *all, int count, mo_vec3 normal) {
  for (int i = 0; i < count; i++) {
    if (mo_dot(all->manifolds[i].normal, normal) > KNOWN_NORMAL) {
      return true;
    }
  }
  return false;
}

static void add_impact(surface_pair *pair, mo_mesh_manifolds *out) {
  mo_transform convex = mo_transform_from_pose(
      mo_pose_mul(pose_at(&pair->convex_sweep, pair->fraction), pair->convex_sweep.shape_pose));
  mo_transform surface = mo_transform_from_pose(
      mo_pose_mul(pose_at(&pair->surface_sweep, pair->fraction), pair->surface_sweep.shape_pose));
  mo_mesh_manifolds ahead;
  mo_collide_mesh(pair->convex_sweep.shape, &convex, pair->surface_sweep.shape, &surface,
                  pair->near, &ahead);
  int known = out->count;
  for (int i = 0; i < ahead.count && out->count < MO_MESH_MANIFOLDS; i++) {
    if (!is_known(out, known, ahead.manifolds[i].normal)) {
      move_back(pair, &ahead.manifolds[i]);
      out->manifolds[out->count++] = ahead.manifolds[i];
    }
  }
}

void mo_find_surface_contacts(const mo_moving_shape *a, const mo_moving_shape *b, double dt,
                              double near, double ahead, bool joins, mo_mesh_manifolds *out) {
  bool is_first = mo_shape_is_surface(a->body->shapes[a->shape].shape);
  surface_pair pair = {
      .convex = is_first ? b : a, .surface = is_first ? a : b, .near = near, .fraction = 1.0};
  mo_transform convex = mo_moving_shape_placement(pair.convex),
               surface = mo_moving_shape_placement(pair.surface);
  mo_collide_mesh(pair.convex->body->shapes[pair.convex->shape].shape, &convex,
                  pair.surface->body->shapes[pair.surface->shape].shape, &surface, near, out);
  if (joins) {
    mo_join_facets(pair.convex->body->shapes[pair.convex->shape].shape, &convex,
                   SUPPORT_PART * near, out);
  }
  if (ahead > SLOW_PART * near && !(out->count == 0 && out->gap > near + ahead)) {
    pair.convex_sweep = sweep_of(pair.convex, dt);
    pair.surface_sweep = sweep_of(pair.surface, dt);
    mo_sweep_over_surface(&pair.convex_sweep, &pair.surface_sweep, near, meet, &pair);
    if (pair.fraction < 1.0) {
      add_impact(&pair, out);
    }
  }
  if (is_first) {
    mo_mesh_manifolds_swap(out);
  }
}
