/// Contacts with the union of what moves as one. Private to src/step.
///
/// Shapes that move as one are one solid to what touches them. A contact with one of them is none
/// of the solid if another one is beside it: a face that is covered, or an edge from which the
/// surface goes on. Of contact i and another contact k of the same body, i is void at its point p
/// if, where p is on the plane of k (moved there, if p is under it by no more than the body is),
///   1. a shape of the union at p rises along the normal of i: there is something nearer beside p,
///   2. the shape of i is at p and does not rise along the normal of k: p is in no corner.
/// A contact is void if all of its points are. 2 excludes that two contacts void each other. It
/// restores that a surface is felt in one way whatever it is made of (docs/physics.md, One surface;
/// tests/invariance, ground).
#pragma once

#include "step/speculation.h"

/// A manifold of a body that can move with one that is part of a union.
typedef struct mo_union_contact {
  const mo_shape *mover, *fixed;
  mo_transform mover_at, fixed_at;
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

/// Cosine of 0.36 degrees: such normals are of one plane.
#define MO_UNION_SAME_NORMAL 0.99998
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

/// A contact that is compared with the others of its mover.
typedef struct mo_union_judgement {
  mo_union_contact contact;
  mo_union_covers covers;
  mo_union_verdict verdict;
  mo_union_turn turn; ///< of MO_UNION_TURNED
} mo_union_judgement;

/// Begins with a contact of a mover with a body, of which the caller sets the members of `contact`.
void mo_union_begin(const mo_world *world, uint32_t slot, uint32_t fixed, mo_union_judgement *out);
/// Takes in what the contact is because of another one, k. What covers it is the shape of k, or
/// another one that does not rise over the plane of k.
/// @returns whether it is void, so that the others need not be asked
bool mo_union_judge(mo_union_judgement *judgement, const mo_union_contact *k);
/// Whether two bodies are parts of one solid: both are static, or they are one body that no contact
/// moves.
bool mo_union_has_both(const mo_world *world, uint32_t slot, uint32_t other);

/// The side of a contact that moves: 0 or 1; -1 if none or both do, and it cannot be void.
int mo_union_moving_side(const mo_world *world, uint32_t a, uint32_t b);
/// Whether contacts with one and the same shape have been compared by the narrow phase: of a mesh
/// it knows which triangles are neighbours.
bool mo_union_is_settled(const mo_shape *shape);
/// A shape of a body, and where it is.
void mo_union_place(const mo_world *world, uint32_t slot, uint32_t shape, const mo_shape **out,
                    mo_transform *at);

/// Marks void contacts of the row solvers: their point_count becomes 0.
/// @param on_fixed MO_MANIFOLD_POINTS per contact: its points on the body that does not move
/// @return false without memory
bool mo_step_drop_void_contacts(mo_world *world, mo_contact *contacts, const mo_vec3 *on_fixed,
                                uint32_t count);
