#include "collision/narrow/feature.h"
#include "collision/narrow/manifold_reduction.h"
#include "collision/narrow/pairs.h"
#include "collision/narrow/support_polygon.h"
#include "geometry/placed_plane.h"

// A plane relative to a point, in world axes.
static mo_placed_plane plane_about(mo_vec3 point, const mo_shape *plane,
                                   const mo_transform *placement) {
  mo_transform frame = {mo_mat3_identity(), point};
  return mo_plane_in_frame(&frame, plane, placement);
}

// Adds the contact of a ball with a plane, both relative to `origin`, if they are close enough.
static void add_ball(mo_manifold *out, mo_vec3 origin, mo_vec3 centre, double radius,
                     const mo_placed_plane *plane, double separation, uint32_t name) {
  mo_vec3 on_ball = mo_add_scaled(centre, -radius, plane->normal);
  out->normal = mo_neg(plane->normal);
  out->points[out->point_count++] = (mo_manifold_point){
      mo_add(origin, on_ball), mo_add(origin, mo_add_scaled(on_ball, -separation, plane->normal)),
      separation, name};
}

void mo_collide_sphere_plane(const mo_shape_pair *pair, double *gap, mo_manifold *out) {
  mo_vec3 centre = pair->placement_a->translation;
  double radius = pair->a->core.radius;
  mo_placed_plane plane = plane_about(centre, pair->b, pair->placement_b);
  double separation = -plane.offset - radius;
  *gap = separation;
  if (separation < pair->margin) {
    add_ball(out, centre, mo_v3_zero(), radius, &plane, separation, MO_FEATURE_ROUND);
  }
}

void mo_collide_capsule_plane(const mo_shape_pair *pair, double *gap, mo_manifold *out) {
  mo_vec3 origin = pair->placement_a->translation;
  double radius = pair->a->core.radius;
  mo_placed_plane plane = plane_about(origin, pair->b, pair->placement_b);
  mo_vec3 half = mo_scale(pair->a->core.half_extents.y, pair->placement_a->rotation.cy);
  *gap = INFINITY;
  for (uint32_t end = 0; end < 2; end++) {
    mo_vec3 centre = end ? half : mo_neg(half);
    double separation = mo_dot(plane.normal, centre) - plane.offset - radius;
    *gap = mo_min(*gap, separation);
    if (separation < pair->margin) {
      add_ball(out, origin, centre, radius, &plane, separation, mo_feature_vertex_a(end));
    }
  }
}

// Adds a candidate. In a full list it replaces the shallowest if it is deeper.
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

// Makes a manifold of candidates in the frame of A, whose separations are those from the plane.
static void set_points_on_plane(const mo_shape_pair *pair, const mo_placed_plane *plane,
                                const mo_contact_candidate *candidates, int count,
                                mo_manifold *out) {
  const mo_transform *placement = pair->placement_a;
  int chosen[MO_MANIFOLD_POINTS];
  out->normal = mo_neg(mo_mat3_mul(placement->rotation, plane->normal));
  out->point_count =
      mo_manifold_reduce(candidates, count, plane->normal, mo_tie_direction(), pair->metre, chosen);
  for (int i = 0; i < out->point_count; i++) {
    const mo_contact_candidate *c = &candidates[chosen[i]];
    mo_vec3 on_plane = mo_add_scaled(c->position, -c->separation, plane->normal);
    out->points[i] =
        (mo_manifold_point){mo_transform_point(*placement, c->position),
                            mo_transform_point(*placement, on_plane), c->separation, c->feature_id};
  }
}

static bool is_of_face(const mo_hull *hull, const mo_face *face, uint32_t vertex) {
  const uint32_t *loop = &hull->face_loops[face->first_vertex];
  for (uint32_t i = 0; i < face->vertex_count; i++) {
    if (loop[i] == vertex) {
      return true;
    }
  }
  return false;
}

static int add_vertex(const mo_hull *hull, uint32_t vertex, const mo_placed_plane *plane,
                      double margin, mo_contact_candidate *candidates, int count) {
  mo_vec3 at = hull->vertices[vertex];
  double separation = mo_dot(plane->normal, at) - plane->offset;
  return separation < margin
             ? add_candidate(candidates, count,
                             (mo_contact_candidate){at, separation, mo_feature_vertex_a(vertex)})
             : count;
}

// The vertices near a plane. Those of the face that looks to it come first and in its order, as
// they do where it is clipped by the face of a box: what solves points one after another then ends
// alike on both.
static int find_vertices(const mo_hull *hull, uint32_t lowest, const mo_placed_plane *plane,
                         double margin, mo_contact_candidate *candidates) {
  const mo_face *face = &hull->faces[mo_hull_face_at_vertex(hull, lowest, mo_neg(plane->normal))];
  int count = 0;
  for (uint32_t i = 0; i < face->vertex_count; i++) {
    uint32_t vertex = hull->face_loops[face->first_vertex + i];
    count = add_vertex(hull, vertex, plane, margin, candidates, count);
  }
  for (uint32_t i = 0; i < hull->vertex_count; i++) {
    count =
        is_of_face(hull, face, i) ? count : add_vertex(hull, i, plane, margin, candidates, count);
  }
  return count;
}

void mo_collide_hull_plane(const mo_shape_pair *pair, double *gap, mo_manifold *out) {
  const mo_hull *hull = pair->a->hull;
  double radius = pair->a->core.radius, margin = pair->margin + radius;
  mo_placed_plane plane = mo_plane_in_frame(pair->placement_a, pair->b, pair->placement_b);
  uint32_t lowest = mo_hull_support_vertex(hull, mo_neg(plane.normal));
  *gap = mo_dot(plane.normal, hull->vertices[lowest]) - plane.offset;
  if (*gap < margin) {
    mo_contact_candidate candidates[MO_MAX_CANDIDATES];
    int count = find_vertices(hull, lowest, &plane, margin, candidates);
    set_points_on_plane(pair, &plane, candidates, count, out);
  }
  mo_round_manifold(radius, 0.0, gap, out);
}

// The points of the side that faces the plane, as a face of any other shape would have them. The
// deepest comes first, where it is none of them.
static int find_side_points(const mo_convex *core, const mo_placed_plane *plane, double margin,
                            const mo_support_polygon *side, mo_contact_candidate *candidates) {
  double lowest = mo_dot(plane->normal, side->deepest) - plane->offset;
  int count = 0;
  if (side->is_point || side->count < 2) {
    candidates[count++] = (mo_contact_candidate){side->deepest, lowest, MO_FEATURE_ROUND};
  }
  for (int i = 0; i < side->count && side->count > 1; i++) {
    double separation = mo_dot(plane->normal, side->points[i]) - plane->offset;
    if (separation < margin) {
      candidates[count++] =
          (mo_contact_candidate){side->points[i], separation, mo_feature_vertex_a(side->names[i])};
    }
  }
  count = mo_join_candidates(candidates, count, core->scale);
  return mo_keep_quarters(core, false, candidates, count);
}

void mo_collide_convex_plane(const mo_shape_pair *pair, double *gap, mo_manifold *out) {
  const mo_convex *core = &pair->a->core;
  double margin = pair->margin + core->radius;
  mo_placed_plane plane = mo_plane_in_frame(pair->placement_a, pair->b, pair->placement_b);
  mo_support_polygon side = mo_find_support_polygon(core, mo_neg(plane.normal));
  *gap = mo_dot(plane.normal, side.deepest) - plane.offset;
  if (*gap < margin) {
    mo_contact_candidate candidates[MO_SUPPORT_POINTS + 1];
    int count = find_side_points(core, &plane, margin, &side, candidates);
    set_points_on_plane(pair, &plane, candidates, count, out);
  }
  mo_round_manifold(core->radius, 0.0, gap, out);
}
