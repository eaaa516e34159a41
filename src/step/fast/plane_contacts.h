/// Contacts of soft-step with a plane that shapes of a union make together (union_plane.h). Private
/// to the fast step.
#pragma once

#include "step/fast/fast_contacts.h"
#include "step/union_plane.h"

/// What a contact has of a plane.
typedef struct mo_plane_share {
  double room; ///< m: points may go over to other parts when bodies move by more; or infinite
  bool lies;   ///< the body lies on more points than roll, of which other parts have some
} mo_plane_share;

/// Gives a contact its points of the plane that its face is part of, if there is one.
/// @param lead s: how far ahead the shapes were compared
/// @param ahead m: how far they may come nearer in the step
/// @param[in,out] manifold of now
mo_plane_share mo_fast_share_plane(const mo_world *world, const mo_contact_reach *reach,
                                   const mo_pair *pair, double lead, double ahead,
                                   mo_manifold *manifold);
