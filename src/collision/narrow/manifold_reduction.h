/// Chooses the few points of a contact patch that a solver needs.
#pragma once

#include "collision/convex/tie_break.h"
#include "collision/narrow/manifold.h"

/// The most candidates of one patch.
#define MO_MAX_CANDIDATES 128

/// A point of a patch that may become a point of the manifold.
typedef struct mo_contact_candidate {
  mo_vec3 position;
  double separation;
  uint32_t feature_id;
} mo_contact_candidate;

/// Keeps at most MO_MANIFOLD_POINTS of `count` candidates. First it chooses among those that touch,
/// which are all that are hardly higher than the deepest: the deepest, the one furthest from it,
/// the one that makes the largest triangle with both, and the one that adds the largest area to the
/// triangle (Gregorius, GDC 2015). Open points then fill the remaining places in the same way,
/// those of the lowest level first: of an edge that lies higher both ends, not its middle. Areas
/// are measured perpendicular to `normal`. Depths within 1e-7 m count as equal, where `metre`
/// is one; ties are broken along the direction `ties`, so that the choice is the same in the next
/// step. That direction should turn with the shape whose corners the candidates are. Returns the
/// number; `chosen` has their indices in ascending order.
int mo_manifold_reduce(const mo_contact_candidate *candidates, int count, mo_vec3 normal,
                       mo_vec3 ties, double metre, int chosen[MO_MANIFOLD_POINTS]);

/// Joins candidates in one place. The first, which is the nearest point, takes the name of one that
/// was found there too, as that lasts; of others the deeper stays.
/// @param size m, of the smaller shape
/// @return how many are left
int mo_join_candidates(mo_contact_candidate *candidates, int count, double size);
