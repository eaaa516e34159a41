/// Convex cores: the form of a convex shape for distances, penetration depths, times of impact and
/// ray casts.
///
/// A convex shape is the Minkowski sum of a core and a ball. The core is known by its support
/// mapping, which gives the point that is furthest in a direction (Gilbert, Johnson and Keerthi
/// 1988; van den Bergen, Collision Detection in Interactive 3D Environments, 2003, section 4.3).
/// GJK and EPA work on the cores, and the radii are added to their results. A sphere is a point
/// with a radius and a capsule is a segment with a radius, so both are exact.
#pragma once

#include "geometry/hull.h"

/// Stands for the vertex of a core that has none.
#define MO_NO_FEATURE UINT32_MAX

typedef enum mo_core_kind {
  MO_CORE_NONE,     ///< the shape is not convex and bounded: a plane
  MO_CORE_POINT,    ///< the origin of its frame
  MO_CORE_SEGMENT,  ///< on the y axis, from -half_extents.y to half_extents.y
  MO_CORE_HULL,     ///< a polyhedron
  MO_CORE_REVOLVED, ///< the hull of a disc and a ball at each end of the segment (revolved.h)
  MO_CORE_CURVED,   ///< anything else, known by its support mapping
  MO_CORE_MANY,     ///< not convex, but bounded: a surface of triangles, or several parts
} mo_core_kind;

typedef struct mo_convex mo_convex;

/// The point of a curved core that is furthest in a direction of any length but zero.
typedef mo_vec3 mo_support_function(const mo_convex *core, mo_vec3 direction);

/// One end of a solid of revolution: all points within `ball` of a disc about the y axis, m.
typedef struct mo_revolved_end {
  double disc, ball;
} mo_revolved_end;

struct mo_convex {
  mo_core_kind kind;
  const mo_hull *hull;          ///< of MO_CORE_HULL
  mo_support_function *support; ///< of MO_CORE_CURVED, as is the next
  const void *context;          ///< what the support function needs in addition to the half extents
  mo_vec3 half_extents;       ///< m: half the size of a segment or a curved core about its origin;
                              ///< of a revolved core the height of its ends
  mo_revolved_end ends[2];    ///< of a revolved core, without its radius: at -half_extents.y, at
                              ///< half_extents.y
  double side_y, side_across; ///< normal of its straight side: along y and away from the axis
  mo_vec3 centre;             ///< a point inside, in the frame of the shape
  double radius;              ///< m: radius of the ball, 0 or more
  double scale;               ///< m: the scale of tolerances
};

static inline mo_convex mo_convex_point(double radius) {
  return (mo_convex){.kind = MO_CORE_POINT, .radius = radius};
}

static inline mo_convex mo_convex_segment(double half_height, double radius) {
  return (mo_convex){.kind = MO_CORE_SEGMENT,
                     .half_extents = {0.0, half_height, 0.0},
                     .radius = radius,
                     .scale = half_height};
}

/// Half of the diagonal of the bounds, m.
static inline double mo_hull_size(const mo_hull *hull) { return hull->half_diagonal; }

/// Fraction of their distance from the origin that counts as the size of a hull whose vertices are
/// far away: their coordinates have the round-off of that distance. The tolerances of GJK and EPA
/// are at least 1e3 times the round-off of the size, so they suffice up to this ratio.
#define MO_FAR_VERTICES 1e-3

/// The core of a hull, which is not retained.
static inline mo_convex mo_convex_hull(const mo_hull *hull, double radius) {
  return (mo_convex){.kind = MO_CORE_HULL,
                     .hull = hull,
                     .centre = hull->centroid,
                     .radius = radius,
                     .scale = mo_max(mo_hull_size(hull), MO_FAR_VERTICES * hull->radius)};
}

/// A core about the origin of its frame that is given by its support function.
static inline mo_convex mo_convex_curved(mo_support_function *support, mo_vec3 half_extents,
                                         double radius) {
  return (mo_convex){.kind = MO_CORE_CURVED,
                     .support = support,
                     .half_extents = half_extents,
                     .radius = radius,
                     .scale = mo_length(half_extents)};
}

/// The lower end of a segment (0) or the upper one.
static inline mo_vec3 mo_segment_end(const mo_convex *core, uint32_t end) {
  return mo_v3(0.0, end ? core->half_extents.y : -core->half_extents.y, 0.0);
}

/// The vertices of a core; a null pointer and a count of 0 for a round one.
/// @param ends memory for the vertices of a segment
static inline const mo_vec3 *mo_convex_vertices(const mo_convex *core, mo_vec3 ends[2],
                                                uint32_t *count) {
  switch (core->kind) {
  case MO_CORE_HULL:
    *count = core->hull->vertex_count;
    return core->hull->vertices;
  case MO_CORE_POINT:
    *count = 1;
    ends[0] = mo_v3_zero();
    return ends;
  case MO_CORE_SEGMENT:
    *count = 2;
    ends[0] = mo_segment_end(core, 0);
    ends[1] = mo_segment_end(core, 1);
    return ends;
  default:
    *count = 0;
    return NULL;
  }
}

/// The furthest point of a revolved core in a direction of any length (revolved.c).
mo_vec3 mo_revolved_support(const mo_convex *core, mo_vec3 direction);

/// The point of a core that is furthest in `direction` (frame of the shape, any length).
/// @param[in,out] vertex where the search starts, and the vertex that it found: for a hull a
/// half-edge
/// that starts there, for a segment 0 or 1, otherwise MO_NO_FEATURE
static inline mo_vec3 mo_convex_support(const mo_convex *core, uint32_t *vertex,
                                        mo_vec3 direction) {
  switch (core->kind) {
  case MO_CORE_HULL:
    *vertex = mo_hull_climb(core->hull, *vertex, direction);
    return core->hull->vertices[core->hull->half_edges[*vertex].origin];
  case MO_CORE_SEGMENT: {
    double height = core->half_extents.y * direction.y;
    *vertex = height > -height;
    return mo_segment_end(core, *vertex);
  }
  case MO_CORE_REVOLVED:
    return mo_revolved_support(core, direction);
  case MO_CORE_CURVED:
    return core->support(core, direction);
  default:
    return mo_v3_zero();
  }
}

/// The position of a vertex from mo_convex_support.
static inline mo_vec3 mo_convex_vertex(const mo_convex *core, uint32_t vertex) {
  switch (core->kind) {
  case MO_CORE_HULL:
    return core->hull->vertices[core->hull->half_edges[vertex].origin];
  case MO_CORE_SEGMENT:
    return mo_segment_end(core, vertex);
  default:
    return mo_v3_zero();
  }
}

/// The vertex at which a search on a core starts.
static inline uint32_t mo_convex_first_vertex(const mo_convex *core) {
  return core->kind == MO_CORE_HULL || core->kind == MO_CORE_SEGMENT ? 0 : MO_NO_FEATURE;
}

/// The point of mo_convex_support where no start for a search is known.
static inline mo_vec3 mo_convex_furthest(const mo_convex *core, mo_vec3 direction) {
  if (core->kind == MO_CORE_HULL) {
    return core->hull->vertices[mo_hull_support_vertex(core->hull, direction)];
  }
  uint32_t vertex = mo_convex_first_vertex(core);
  return mo_convex_support(core, &vertex, direction);
}
