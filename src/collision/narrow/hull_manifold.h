/// Contact manifold of two convex polyhedra.
#pragma once

#include "collision/narrow/hull_pair.h"
#include "collision/narrow/manifold.h"

/// m: the largest difference between the deepest point of a face contact and the least separation.
/// It is less than the required 1e-6 of a depth, and more than a stack needs: 1 mm of overlap
/// tilted by 0.03 rad.
#define MO_FACE_TOLERANCE 5e-7
/// The same for a core, relative to the radius around it. Cores are apart by about that, and a face
/// contact whose normal is off by an angle t is longer by 1 - cos t times as much: so t stays below
/// 0.6 degrees, as it does without this where the radius is 1 cm.
#define MO_FACE_TOLERANCE_OF_ROUNDING 5e-5
/// Cosine: a face that is tilted by more than 2.6 degrees against the axis makes no face contact.
/// Without this, every edge contact that barely touches would pass the test above.
#define MO_FACE_ALIGNMENT 0.999

/// The tolerance for cores with radii of this sum; 0: sharp hulls.
static inline double mo_face_tolerance(double rounding, double metre) {
  double relative = MO_FACE_TOLERANCE_OF_ROUNDING * rounding;
  double most = MO_FACE_TOLERANCE * metre;
  return rounding > 0.0 && relative < most ? relative : most;
}

/// Like mo_collide_pair, for two hulls; `out` has no points yet. On ties A has the reference face.
/// Feature ids are the same in every step, whichever face was the reference. Where vertices of A
/// and B coincide, the lower index gives the name, so ids do not depend on the order of two equal
/// hulls either (except for vertices of equal index).
/// @param rounding m: the sum of the radii around the hulls, which is part of the margin
void mo_collide_hulls(const mo_hull *a, const mo_transform *placement_a, const mo_hull *b,
                      const mo_transform *placement_b, double margin, double rounding, double metre,
                      mo_collision_cache *cache, double *gap, mo_manifold *out);

/// Makes a contact of two edges: the one point where their lines are closest. Returns false, with
/// nothing written, if that is beyond an end of an edge.
/// @param[out] clearance m: the distance of the point from the sides of the parallelogram that the
/// edges make in the Minkowski difference
bool mo_edge_contact_point(const mo_hull_pair *pair, const mo_hull_axis *axis, mo_manifold *out,
                           double *clearance);
