#include "collision/narrow/feature.h"
#include "collision/narrow/hull_clip.h"
#include "collision/narrow/pairs.h"

// Sine: axes at a larger angle touch at one point, whatever their distance.
#define PARALLEL 0.02
// Relative to the smaller radius: how much closer a second point of two capsules may seem than the
// surfaces are there, because the angle between the axes moves the points sideways.
#define ASIDE 1e-3
// m: the largest difference between the deeper of two points and the least separation, as for faces
// of hulls.
#define PAIR_TOLERANCE 5e-7
// Relative to the smaller radius: ends this close to each other have one name.
#define NAME_DISTANCE 1e-3

void mo_set_round_contact(mo_vec3 centre_a, double radius_a, mo_vec3 between, double radius_b,
                          mo_vec3 fallback, double margin, double *gap, mo_manifold *out) {
  double length = mo_length(between), separation = length - radius_a - radius_b;
  *gap = separation;
  if (!(separation < margin)) {
    return;
  }
  mo_vec3 normal = length > 0.0 ? mo_scale(1.0 / length, between) : fallback;
  out->normal = normal;
  out->point_count = 1;
  out->points[0] = (mo_manifold_point){mo_add_scaled(centre_a, radius_a, normal),
                                       mo_add(centre_a, mo_add_scaled(between, -radius_b, normal)),
                                       separation, MO_FEATURE_ROUND};
}

void mo_collide_spheres(const mo_shape_pair *pair, double *gap, mo_manifold *out) {
  mo_vec3 centre_a = pair->placement_a->translation, centre_b = pair->placement_b->translation;
  // For two balls with one centre every direction is equally good; y by convention.
  mo_set_round_contact(centre_a, pair->a->core.radius, mo_sub(centre_b, centre_a),
                       pair->b->core.radius, mo_v3(0.0, 1.0, 0.0), pair->margin, gap, out);
}

static mo_vec3 any_across(mo_vec3 axis) {
  mo_vec3 across, other;
  mo_tangent_basis(axis, &across, &other);
  return across;
}

static double half_height(const mo_shape *capsule) { return capsule->core.half_extents.y; }

static double clamp_to(const mo_shape *capsule, double x) {
  return mo_clamp(x, -half_height(capsule), half_height(capsule));
}

void mo_collide_capsule_sphere(const mo_shape_pair *pair, double *gap, mo_manifold *out) {
  const mo_transform *placement_a = pair->placement_a;
  mo_vec3 axis = placement_a->rotation.cy;
  mo_vec3 to_b = mo_sub(pair->placement_b->translation, placement_a->translation);
  double s = clamp_to(pair->a, mo_dot(axis, to_b));
  mo_set_round_contact(mo_add_scaled(placement_a->translation, s, axis), pair->a->core.radius,
                       mo_add_scaled(to_b, -s, axis), pair->b->core.radius, any_across(axis),
                       pair->margin, gap, out);
}

// Two capsules, relative to the centre of A.
typedef struct capsule_pair {
  const mo_shape *a, *b;
  mo_vec3 axis_a, axis_b;
  mo_vec3 to_b;  // centre of B
  double cosine; // of the axes
  double metre;  // in the unit of all lengths here
} capsule_pair;

// From the point s along the axis of A to the point t along that of B.
static mo_vec3 between(const capsule_pair *p, double s, double t) {
  return mo_sub(mo_add_scaled(p->to_b, t, p->axis_b), mo_scale(s, p->axis_a));
}

static void find_closest(const capsule_pair *p, double *s, double *t) {
  double along_a = mo_dot(p->axis_a, p->to_b), along_b = mo_dot(p->axis_b, p->to_b);
  mo_vec3 cross = mo_cross(p->axis_a, p->axis_b);
  double sine_squared = mo_length_squared(cross);
  // (along_a - cosine along_b) without its cancellation.
  double numerator = mo_dot(mo_cross(p->to_b, p->axis_b), cross);
  *s = clamp_to(p->a, sine_squared > 0.0 ? numerator / sine_squared : 0.0);
  *t = clamp_to(p->b, p->cosine * *s - along_b);
  *s = clamp_to(p->a, along_a + p->cosine * *t);
}

// Adds the contact at s along A, beside it on B. Returns false, with nothing added, if the distance
// of the surfaces exceeds their separation along the normal.
static bool add_beside(const capsule_pair *p, double s, mo_vec3 origin, double margin,
                       mo_manifold *out) {
  double smaller = mo_min(p->a->core.radius, p->b->core.radius);
  double t = clamp_to(p->b, (s - mo_dot(p->axis_a, p->to_b)) / p->cosine);
  mo_vec3 d = between(p, s, t);
  double along = mo_dot(d, out->normal), separation = along - p->a->core.radius - p->b->core.radius;
  if (!(mo_length(d) - fabs(along) <= ASIDE * smaller)) {
    return false;
  }
  bool at_end_a = half_height(p->a) - fabs(s) <= NAME_DISTANCE * smaller;
  bool at_end_b = half_height(p->b) - fabs(t) <= NAME_DISTANCE * smaller;
  uint32_t name =
      mo_coinciding_name(at_end_a ? s > 0.0 : UINT32_MAX, at_end_b ? t > 0.0 : UINT32_MAX);
  if (separation < margin) {
    mo_vec3 on_a = mo_add_scaled(mo_scale(s, p->axis_a), p->a->core.radius, out->normal);
    mo_vec3 on_b =
        mo_add_scaled(mo_add_scaled(p->to_b, t, p->axis_b), -p->b->core.radius, out->normal);
    out->points[out->point_count++] =
        (mo_manifold_point){mo_add(origin, on_a), mo_add(origin, on_b), separation, name};
  }
  return true;
}

// Adds the ends of the part where the axes lie side by side. Returns false, with `out` unchanged,
// if that gives no contact of two points.
static bool add_pair_of_points(const capsule_pair *p, mo_vec3 origin, double margin,
                               mo_manifold *out) {
  if (mo_length(mo_cross(p->axis_a, p->axis_b)) > PARALLEL) {
    return false;
  }
  double middle = mo_dot(p->axis_a, p->to_b), half = half_height(p->b) * fabs(p->cosine);
  double from = mo_max(-half_height(p->a), middle - half);
  double to = mo_min(half_height(p->a), middle + half);
  if (!(to - from > NAME_DISTANCE * mo_min(p->a->core.radius, p->b->core.radius))) {
    return false;
  }
  mo_manifold pair = {.normal = out->normal, .point_count = 0};
  if (!add_beside(p, from, origin, margin, &pair) || !add_beside(p, to, origin, margin, &pair) ||
      pair.point_count < 2) {
    return false;
  }
  double least = mo_min(pair.points[0].separation, pair.points[1].separation);
  if (!(fabs(least - out->points[0].separation) <= PAIR_TOLERANCE * p->metre)) {
    return false;
  }
  out->point_count = 2;
  out->points[0] = pair.points[0];
  out->points[1] = pair.points[1];
  return true;
}

void mo_collide_capsules(const mo_shape_pair *pair, double *gap, mo_manifold *out) {
  const mo_transform *placement_a = pair->placement_a, *placement_b = pair->placement_b;
  capsule_pair p = {.a = pair->a,
                    .b = pair->b,
                    .axis_a = placement_a->rotation.cy,
                    .axis_b = placement_b->rotation.cy,
                    .to_b = mo_sub(placement_b->translation, placement_a->translation),
                    .metre = pair->metre};
  p.cosine = mo_dot(p.axis_a, p.axis_b);
  double s, t;
  find_closest(&p, &s, &t);
  mo_vec3 fallback = mo_cross(p.axis_a, p.axis_b);
  fallback = mo_length_squared(fallback) > 0.0 ? mo_normalize(fallback) : any_across(p.axis_a);
  mo_vec3 origin = placement_a->translation;
  mo_set_round_contact(mo_add_scaled(origin, s, p.axis_a), p.a->core.radius, between(&p, s, t),
                       p.b->core.radius, fallback, pair->margin, gap, out);
  if (out->point_count == 1) {
    add_pair_of_points(&p, origin, pair->margin, out);
  }
}
