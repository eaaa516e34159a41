/// Contacts of soft-step with a plane that shapes of a union make together (union_plane.h). Private
/// to the fast step.
#pragma once

#include "step/fast/fast_contacts.h"
#include "step/union_plane.h"

/// Gives a contact its points of the plane that its face is part of, if there is one.
/// @param lead s: how far ahead the shapes were compared
/// @param ahead m: how far they may come nearer in the step
/// @param[in,out] manifold of now
/// @return m: how far the bodies may move until points of the plane may go over to other parts;
/// infinite where no other part has points
double mo_fast_share_plane(const mo_world *world, const mo_contact_reach *reach,
                           const mo_pair *pair, double lead, double ahead, mo_manifold *manifold);
