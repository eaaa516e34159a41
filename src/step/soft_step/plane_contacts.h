/// Contacts of soft-step with a plane that shapes of a union make together (union_plane.h). Private
/// to the step of soft-step.
#pragma once

#include "step/soft_step/soft_contacts.h"
#include "step/union_plane.h"

/// What a contact has of a plane.
typedef struct mo_plane_share {
  double room; ///< m: points may go over to other parts when bodies move by more; or infinite
  bool lies;   ///< the body lies on more points than roll, of which other parts have some
} mo_plane_share;

/// Gives a contact of a body with what no contact moves its points of the plane of a face.
/// @param side of the mover, 0 for A
/// @param lead s: how far ahead the shapes were compared
/// @param ahead m: how far they may come nearer in the step
/// @param[in,out] manifold of now, with points
mo_plane_share mo_soft_share_plane_of(const mo_world *world, const mo_contact_reach *reach,
                                      const mo_pair *pair, int side, double lead, double ahead,
                                      mo_manifold *manifold);

/// The same for any contact.
static inline mo_plane_share mo_soft_share_plane(const mo_world *world,
                                                 const mo_contact_reach *reach, const mo_pair *pair,
                                                 double lead, double ahead, mo_manifold *manifold) {
  int side = mo_union_plane_side(world, pair);
  return side >= 0 && manifold->point_count > 0 && mo_union_may_have_plane(world, pair, side, false)
             ? mo_soft_share_plane_of(world, reach, pair, side, lead, ahead, manifold)
             : (mo_plane_share){INFINITY, false};
}
