/// Contact manifold of two convex polyhedra.
#pragma once

#include "collision/manifold.h"

/// As mo_collide_shapes, for two hulls. On ties A makes the reference face. Feature ids are the
/// same in every step and whichever face was the reference; where vertices of A and B coincide the
/// lower index has the name, so that ids do not depend either on which of two equal hulls is A (but
/// for vertices of equal index).
void mo_collide_hulls(const mo_hull *a, mo_transform placement_a, const mo_hull *b,
                      mo_transform placement_b, double margin, mo_manifold *out);
