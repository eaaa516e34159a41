#include "collision/narrow/feature.h"
#include "collision/narrow/manifold_reduction.h"
#include "collision/narrow/pairs.h"

mo_placed_plane mo_plane_in_frame(const mo_transform *frame, const mo_shape *plane,
                                  const mo_transform *placement) {
  mo_vec3 normal = mo_mat3_mul(placement->rotation, plane->normal);
  double offset =
      plane->offset + mo_dot(normal, mo_sub(placement->translation, frame->translation));
  return (mo_placed_plane){mo_mat3_mul_transposed(frame->rotation, normal), offset};
}

// A plane relative to a point, along the axes of the world.
static mo_placed_plane plane_about(mo_vec3 point, const mo_shape *plane,
                                   const mo_transform *placement) {
  mo_transform frame = {mo_mat3_identity(), point};
  return mo_plane_in_frame(&frame, plane, placement);
}

// Adds the contact of a ball with a plane, both relative to `origin`, if they are near enough.
static void add_ball(mo_manifold *out, mo_vec3 origin, mo_vec3 centre, double radius,
                     const mo_placed_plane *plane, double separation, uint32_t name) {
  mo_vec3 on_ball = mo_add_scaled(centre, -radius, plane->normal);
  out->normal = mo_neg(plane->normal);
  out->points[out->point_count++] = (mo_manifold_point){
      mo_add(origin, on_ball), mo_add(origin, mo_add_scaled(on_ball, -separation, plane->normal)),
      separation, name};
}

void mo_collide_sphere_plane(const mo_shape *a, const mo_transform *placement_a, const mo_shape *b,
                             const mo_transform *placement_b, double margin, double *gap,
                             mo_manifold *out) {
  mo_placed_plane plane = plane_about(placement_a->translation, b, placement_b);
  double separation = -plane.offset - a->radius;
  *gap = separation;
  if (separation < margin) {
    add_ball(out, placement_a->translation, mo_v3_zero(), a->radius, &plane, separation,
             MO_FEATURE_ROUND);
  }
}

void mo_collide_capsule_plane(const mo_shape *a, const mo_transform *placement_a, const mo_shape *b,
                              const mo_transform *placement_b, double margin, double *gap,
                              mo_manifold *out) {
  mo_placed_plane plane = plane_about(placement_a->translation, b, placement_b);
  mo_vec3 half = mo_scale(a->half_height, placement_a->rotation.cy);
  *gap = INFINITY;
  for (uint32_t end = 0; end < 2; end++) {
    mo_vec3 centre = end ? half : mo_neg(half);
    double separation = mo_dot(plane.normal, centre) - plane.offset - a->radius;
    *gap = mo_min(*gap, separation);
    if (separation < margin) {
      add_ball(out, placement_a->translation, centre, a->radius, &plane, separation,
               mo_feature_vertex_a(end));
    }
  }
}

// Adds a candidate; in a full list it takes the place of the shallowest if it is deeper.
static int add_candidate(mo_contact_candidate *candidates, int count,
                         mo_contact_candidate candidate) {
  if (count < MO_MAX_CANDIDATES) {
    candidates[count] = candidate;
    return count + 1;
  }
  int shallowest = 0;
  for (int i = 1; i < count; i++) {
    if (candidates[i].separation > candidates[shallowest].separation) {
      shallowest = i;
    }
  }
  if (candidate.separation < candidates[shallowest].separation) {
    candidates[shallowest] = candidate;
  }
  return count;
}

void mo_collide_hull_plane(const mo_shape *a, const mo_transform *placement_a, const mo_shape *b,
                           const mo_transform *placement_b, double margin, double *gap,
                           mo_manifold *out) {
  const mo_hull *hull = a->hull;
  mo_placed_plane plane = mo_plane_in_frame(placement_a, b, placement_b);
  uint32_t lowest = mo_hull_support_vertex(hull, mo_neg(plane.normal));
  *gap = mo_dot(plane.normal, hull->vertices[lowest]) - plane.offset;
  if (!(*gap < margin)) {
    return;
  }
  mo_contact_candidate candidates[MO_MAX_CANDIDATES];
  int count = 0;
  for (uint32_t i = 0; i < hull->vertex_count; i++) {
    mo_vec3 vertex = hull->vertices[i];
    double separation = mo_dot(plane.normal, vertex) - plane.offset;
    if (separation < margin) {
      count = add_candidate(candidates, count,
                            (mo_contact_candidate){vertex, separation, mo_feature_vertex_a(i)});
    }
  }
  int chosen[MO_MANIFOLD_POINTS];
  out->normal = mo_neg(mo_mat3_mul(placement_a->rotation, plane.normal));
  out->point_count = mo_manifold_reduce(candidates, count, plane.normal, chosen);
  for (int i = 0; i < out->point_count; i++) {
    const mo_contact_candidate *c = &candidates[chosen[i]];
    mo_vec3 on_plane = mo_add_scaled(c->position, -c->separation, plane.normal);
    out->points[i] = (mo_manifold_point){mo_transform_point(*placement_a, c->position),
                                         mo_transform_point(*placement_a, on_plane), c->separation,
                                         c->feature_id};
  }
}
