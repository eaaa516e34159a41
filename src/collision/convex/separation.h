/// The axis along which two convex cores are furthest apart: the signed distance of solids of
/// revolution, segments and polyhedra, to round-off.
///
/// The separation along a unit normal n is -h(n), where h is the support function of A - B. Its
/// greatest value over all n is the distance of the cores or, where they overlap, minus the
/// penetration depth. GJK and EPA converge slowly to it on round shapes, and for a gap near 0 they
/// lose the normal. So they only give a first normal, and the maximum is then found on the sphere
/// of normals itself, where nothing happens as the gap goes through 0.
#pragma once

#include "collision/convex/gjk.h"

typedef struct mo_separation {
  mo_vec3 normal;  ///< unit, from A to B, frame of A
  double distance; ///< m along the normal, negative for an overlap
} mo_separation;

/// Whether a normal of the core can be refined: it is not known by a support function alone.
static inline bool mo_can_refine(const mo_convex *core) { return core->kind != MO_CORE_CURVED; }

/// The greatest separation near a normal.
/// @param normal unit, frame of A; within about 0.1 rad of the greatest separation
mo_separation mo_refine_separation(mo_minkowski *pair, mo_vec3 normal);
