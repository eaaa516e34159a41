/// Fast shapes in front of meshes: the triangles that a moving convex shape comes to.
#pragma once

#include "collision/convex/time_of_impact.h"

/// Called with a triangle of the surface as a shape of its own.
typedef void mo_swept_triangle_function(void *user, const mo_sweep *triangle);

/// Calls `function` with every triangle whose plane the convex shape approaches in the step, from a
/// side that the surface has, and that it may come nearer to than `reach` metres.
void mo_sweep_over_surface(const mo_sweep *convex, const mo_sweep *surface, double reach,
                           double metre, mo_swept_triangle_function *function, void *user);
