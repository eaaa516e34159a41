/// Contact manifold of two convex polyhedra.
#pragma once

#include "collision/narrow/hull_pair.h"
#include "collision/narrow/manifold.h"

/// m: how far the deepest point of a face contact may be from the least separation. Less than the
/// 1e-6 that is asked of a depth; more than a stack needs: 1 mm of overlap tilted by 0.03 rad.
#define MO_FACE_TOLERANCE 5e-7
/// Cosine: a face that is tilted further than 2.6 degrees against the axis is no face contact.
/// Without it every edge contact that only just touches would pass the test above.
#define MO_FACE_ALIGNMENT 0.999

/// As mo_collide_cached, for two hulls; `out` has no points yet. On ties A makes the reference
/// face. Feature ids are the same in every step and whichever face was the reference; where
/// vertices of A and B coincide the lower index has the name, so that ids do not depend either on
/// which of two equal hulls is A (but for vertices of equal index).
void mo_collide_hulls(const mo_hull *a, const mo_transform *placement_a, const mo_hull *b,
                      const mo_transform *placement_b, double margin, mo_collision_cache *cache,
                      double *gap, mo_manifold *out);

/// A contact of two edges: the one point where their lines are closest. False, with nothing
/// written, where that is beyond an end of an edge.
/// @param[out] clearance m: how far inside of the parallelogram that the edges make in the
///   Minkowski difference the point is
bool mo_edge_contact_point(const mo_hull_pair *pair, const mo_hull_axis *axis, mo_manifold *out,
                           double *clearance);
