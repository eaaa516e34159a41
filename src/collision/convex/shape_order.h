/// The order of the two shapes of a pair.
#pragma once

#include "collision/convex/tie_break.h"
#include "geometry/shape.h"

/// -1, 0 or 1; 0 if the numbers cannot be compared.
static inline int mo_compare(double x, double y) { return (x > y) - (x < y); }

/// Two shapes are always processed in the same order, so that (B, A) gives the same bits as (A, B).
/// The order must not change while two bodies rest on each other. So it depends on what the shapes
/// are (first on their colliders, as the table of pairs needs) and, for equal ones, on their
/// positions along the direction of ties. When equal shapes pass each other it changes; feature ids
/// stay the same all the same (swap_sides, mo_collide_hulls).
static inline bool mo_shape_comes_first(const mo_shape *a, const mo_transform *placement_a,
                                        const mo_shape *b, const mo_transform *placement_b) {
  int order = (int)b->class->collider - (int)a->class->collider;
  if (order == 0 && a != b) {
    order = mo_compare(a->volume, b->volume);
  }
  if (order == 0 && a->hull && b->hull) {
    order = mo_compare((double)a->hull->vertex_count, (double)b->hull->vertex_count);
  }
  if (order == 0) {
    order =
        mo_compare(mo_tie_break(mo_sub(placement_b->translation, placement_a->translation)), 0.0);
  }
  if (order == 0) {
    mo_mat3 p = placement_a->rotation, q = placement_b->rotation;
    order = mo_compare(p.cx.x + 3.0 * p.cx.y + 5.0 * p.cy.z + 7.0 * p.cz.x,
                       q.cx.x + 3.0 * q.cx.y + 5.0 * q.cy.z + 7.0 * q.cz.x);
  }
  return order >= 0;
}
