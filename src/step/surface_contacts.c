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
// Cosine of 0.1 degrees: such normals are of one face, also where surface and shape turn in a step.
#define SAME_FACE 0.9999985

typedef struct surface_pair {
  const mo_moving_shape *convex, *surface;
  mo_sweep convex_sweep, surface_sweep;
  double dt, near;
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

// The manifold with such a normal, to within a cosine; null if there is none.
static const mo_manifold *with_normal(const mo_mesh_manifolds *all, int count, mo_vec3 normal,
                                      double cosine) {
  for (int i = 0; i < count; i++) {
    if (mo_dot(all->manifolds[i].normal, normal) > cosine) {
      return &all->manifolds[i];
    }
  }
  return NULL;
}

static mo_transform placement_at(const mo_sweep *sweep, double fraction) {
  return mo_transform_from_pose(mo_pose_mul(mo_sweep_pose(sweep, fraction), sweep->shape_pose));
}

static const mo_shape *shape_of(const mo_moving_shape *moving) {
  return moving->body->shapes[moving->shape].shape;
}

// Finds what is touched at the first impact.
static void find_met(surface_pair *pair, mo_mesh_manifolds *met) {
  pair->convex_sweep = sweep_of(pair->convex, pair->dt);
  pair->surface_sweep = sweep_of(pair->surface, pair->dt);
  mo_sweep_over_surface(&pair->convex_sweep, &pair->surface_sweep, pair->near, pair->convex->metre,
                        meet, pair);
  met->count = 0;
  if (pair->fraction < 1.0) {
    mo_transform convex = placement_at(&pair->convex_sweep, pair->fraction),
                 surface = placement_at(&pair->surface_sweep, pair->fraction);
    mo_collide_mesh(shape_of(pair->convex), &convex, shape_of(pair->surface), &surface, pair->near,
                    pair->convex->metre, met);
  }
}

static double least_separation(const mo_manifold *manifold) {
  double least = INFINITY;
  for (int i = 0; i < manifold->point_count; i++) {
    least = mo_min(least, manifold->points[i].separation);
  }
  return least;
}

// Keeps of the faces below a fast shape those that it touches now or at its first impact, each with
// all points that it will have in the step, as the face of a polyhedron has.
static void keep_met(const surface_pair *pair, const mo_mesh_manifolds *met,
                     mo_mesh_manifolds *below) {
  int kept = 0;
  for (int i = 0; i < below->count; i++) {
    const mo_manifold *face = &below->manifolds[i];
    if (least_separation(face) < pair->near ||
        with_normal(met, met->count, face->normal, SAME_FACE)) {
      below->manifolds[kept++] = *face;
    }
  }
  below->count = kept;
}

// Adds what is touched at the first impact and is beside the shape now.
static void add_beside(const surface_pair *pair, mo_mesh_manifolds *met, mo_mesh_manifolds *out) {
  int known = out->count;
  for (int i = 0; i < met->count && out->count < MO_MESH_MANIFOLDS; i++) {
    mo_manifold *impact = &met->manifolds[i];
    if (!with_normal(out, known, impact->normal, KNOWN_NORMAL)) {
      mo_manifold_bring_back(pair->convex, pair->surface, pair->fraction * pair->dt, impact);
      out->manifolds[out->count++] = *impact;
    }
  }
}

void mo_find_surface_contacts(const mo_moving_shape *a, const mo_moving_shape *b, double dt,
                              double near, double ahead, bool joins, mo_mesh_manifolds *out) {
  bool is_first = mo_shape_is_surface(shape_of(a));
  surface_pair pair = {.convex = is_first ? b : a,
                       .surface = is_first ? a : b,
                       .dt = dt,
                       .near = near,
                       .fraction = 1.0};
  mo_transform convex = mo_moving_shape_placement(pair.convex),
               surface = mo_moving_shape_placement(pair.surface);
  bool is_fast = ahead > SLOW_PART * near;
  mo_mesh_manifolds met = {.count = 0};
  mo_collide_mesh(shape_of(pair.convex), &convex, shape_of(pair.surface), &surface,
                  is_fast ? near + ahead : near, a->metre, out);
  if (is_fast && out->gap < near + ahead) {
    find_met(&pair, &met);
    keep_met(&pair, &met, out);
  }
  if (joins) {
    mo_join_facets(shape_of(pair.convex), &convex, SUPPORT_PART * near, a->metre, out);
  }
  add_beside(&pair, &met, out);
  if (is_first) {
    mo_mesh_manifolds_swap(out);
  }
}
