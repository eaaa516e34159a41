#include "step/surface_contacts.h"

#include "collision/narrow/joined_facets.h"
#include "dynamics/integrator.h"
#include "step/surface_sweep.h"

// Part of the near reach. Shapes that come nearer by less have all their contacts already. What is
// as near to a face soon carries it: this is half of what a body in a flat contact may move before
// its manifold is evaluated again.
#define SOON_PART 0.5
// Cosine of 8 degrees: an impact ahead with such a normal is one with a surface that is touched
// now.
#define KNOWN_NORMAL 0.99

typedef struct surface_pair {
  const mo_moving_shape *convex, *surface;
  mo_sweep convex_sweep, surface_sweep;
  double dt, near;
  bool joins;
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
  double target = MO_MEETING_PART * pair->near;
  mo_toi toi = mo_time_of_impact(&pair->convex_sweep, triangle, target, mo_toi_tolerance(target));
  if (toi.status == MO_TOI_HIT && !toi.began_near) {
    pair->fraction = mo_min(pair->fraction, toi.fraction);
  }
}

// Whether one of the manifolds has almost this normal.
static bool knows(const mo_mesh_manifolds *all, int count, mo_vec3 normal) {
  for (int i = 0; i < count; i++) {
    if (mo_dot(all->manifolds[i].normal, normal) > KNOWN_NORMAL) {
      return true;
    }
  }
  return false;
}

static mo_transform placement_at(const mo_sweep *sweep, double fraction) {
  return mo_transform_from_pose(mo_pose_mul(mo_sweep_pose(sweep, fraction), sweep->shape_pose));
}

static double least_separation(const mo_manifold *manifold) {
  double least = INFINITY;
  for (int i = 0; i < manifold->point_count; i++) {
    least = mo_min(least, manifold->points[i].separation);
  }
  return least;
}

// Keeps the faces that are touched, each with all points that it may have before the step ends.
static void keep_touched(const surface_pair *pair, mo_mesh_manifolds *all) {
  int kept = 0;
  for (int i = 0; i < all->count; i++) {
    if (least_separation(&all->manifolds[i]) < pair->near) {
      all->manifolds[kept++] = all->manifolds[i];
    }
  }
  all->count = kept;
}

static void join(const surface_pair *pair, const mo_transform *convex, mo_mesh_manifolds *all) {
  if (pair->joins) {
    mo_join_facets(mo_moving_shape_of(pair->convex), convex, SOON_PART * pair->near,
                   pair->convex->metre, all);
  }
}

// Finds what is touched at the first impact. It is found where the shapes are then: of a shape that
// turns other features are over the surface at the start of the step.
static void find_met(surface_pair *pair, double ahead, mo_mesh_manifolds *met) {
  pair->convex_sweep = sweep_of(pair->convex, pair->dt);
  pair->surface_sweep = sweep_of(pair->surface, pair->dt);
  mo_sweep_over_surface(&pair->convex_sweep, &pair->surface_sweep, pair->near, pair->convex->metre,
                        meet, pair);
  met->count = 0;
  if (pair->fraction < 1.0) {
    mo_transform convex = placement_at(&pair->convex_sweep, pair->fraction),
                 surface = placement_at(&pair->surface_sweep, pair->fraction);
    mo_collide_mesh(mo_moving_shape_of(pair->convex), &convex, mo_moving_shape_of(pair->surface),
                    &surface, pair->near + (1.0 - pair->fraction) * ahead, pair->convex->metre,
                    met);
    keep_touched(pair, met);
    join(pair, &convex, met);
  }
}

// Adds what is touched at the first impact and is not touched now.
static void add_met(const surface_pair *pair, mo_mesh_manifolds *met, mo_mesh_manifolds *out) {
  int known = out->count;
  for (int i = 0; i < met->count && out->count < MO_MESH_MANIFOLDS; i++) {
    mo_manifold *impact = &met->manifolds[i];
    if (!knows(out, known, impact->normal)) {
      mo_manifold_bring_back(pair->convex, pair->surface, pair->fraction * pair->dt, impact);
      out->manifolds[out->count++] = *impact;
    }
  }
}

void mo_find_surface_contacts(const mo_moving_shape *a, const mo_moving_shape *b, double dt,
                              double near, double ahead, bool joins, mo_mesh_manifolds *out) {
  bool is_first = mo_shape_is_surface(mo_moving_shape_of(a));
  surface_pair pair = {.convex = is_first ? b : a,
                       .surface = is_first ? a : b,
                       .dt = dt,
                       .near = near,
                       .joins = joins,
                       .fraction = 1.0};
  mo_transform convex = mo_moving_shape_placement(pair.convex),
               surface = mo_moving_shape_placement(pair.surface);
  bool is_fast = ahead > SOON_PART * near;
  mo_mesh_manifolds met = {.count = 0};
  mo_collide_mesh(mo_moving_shape_of(pair.convex), &convex, mo_moving_shape_of(pair.surface),
                  &surface, is_fast ? near + ahead : near, a->metre, out);
  if (is_fast && out->gap < near + ahead) {
    keep_touched(&pair, out);
    find_met(&pair, ahead, &met);
  }
  join(&pair, &convex, out);
  add_met(&pair, &met, out);
  if (is_first) {
    mo_mesh_manifolds_swap(out);
  }
}
