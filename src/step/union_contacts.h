/// Contacts with the union of what moves as one. Private to src/step.
///
/// Shapes that move as one are one solid to what touches them. A contact with one of them is none
/// of the solid if another one is beside it: a face that is covered, or an edge from which the
/// surface goes on. Of contact i and another contact k of the same body, i is void at its point p
/// if, where p is on the plane of k (moved there, if p is under it by no more than the body is),
///   1. p is on both shapes, to within a tolerance,
///   2. the shape of k rises from p along the normal of i: there is something nearer beside p,
///   3. the shape of i does not rise from p along the normal of k: p is in no corner of the union.
/// A contact is void if all of its points are. 3 excludes that two contacts void each other.
#pragma once

#include "step/speculation.h"

/// A manifold of a body that can move with one that is part of a union.
typedef struct mo_union_contact {
  const mo_shape *mover, *fixed;
  mo_transform mover_at, fixed_at;
  mo_vec3 path;   ///< m: of the mover in the step if nothing stops it
  mo_vec3 normal; ///< from the fixed shape to the mover
  uint32_t point_count;
  mo_vec3 points[MO_MANIFOLD_POINTS]; ///< on the fixed shape, world
} mo_union_contact;

typedef enum mo_union_verdict {
  MO_UNION_KEPT,
  MO_UNION_VOID,
  MO_UNION_TURNED, ///< the face is covered, and above its rim the surface has another normal
} mo_union_verdict;

/// A contact of one point with that normal.
typedef struct mo_union_turn {
  mo_vec3 normal, point; ///< of the surface
  mo_vec3 on_mover, on_fixed;
  double separation;
} mo_union_turn;

/// The most shapes near a mover of which one may cover a face.
#define MO_UNION_COVERS 32

/// Shapes of the union that are near a mover, touched or not: listed when one is asked for.
typedef struct mo_union_covers {
  const mo_world *world;
  uint32_t slot, fixed; ///< of the mover and of the union
  bool is_listed;
  uint32_t count;
  const mo_shape *shapes[MO_UNION_COVERS];
  mo_transform at[MO_UNION_COVERS];
} mo_union_covers;

/// What contact i is because of contact k. What covers it is the shape of k, or another one that
/// does not rise over the plane of k.
/// @param[out] turn written for MO_UNION_TURNED
mo_union_verdict mo_union_judge(const mo_union_contact *i, const mo_union_contact *k,
                                mo_union_covers *covers, mo_union_turn *turn);
/// Whether two bodies are parts of one solid: both are static, or they are one body that no contact
/// moves.
bool mo_union_has_both(const mo_world *world, uint32_t slot, uint32_t other);

/// Whether one body of a pair moves. Only such a contact can be void.
static inline bool mo_union_may_have(const mo_world *world, const mo_pair *pair) {
  return mo_world_is_dynamic(world, pair->slot_a) != mo_world_is_dynamic(world, pair->slot_b);
}
/// Drops void contacts of soft-step among those that were updated.
/// @param updated records, pairs with parts among them
/// @return false without memory
bool mo_union_drop_fast(mo_world *world, double dt, const uint32_t *updated, uint32_t count);
/// Marks void contacts of the row solvers: their point_count becomes 0.
/// @param on_fixed MO_MANIFOLD_POINTS per contact: its points on the body that does not move
/// @param free per slot: velocities with this step's forces
/// @return false without memory
bool mo_union_drop_rows(mo_world *world, double dt, mo_contact *contacts, const mo_vec3 *on_fixed,
                        const mo_velocity *free, uint32_t count);
