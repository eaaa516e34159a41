/// The contacts of soft-step: which pairs touch, and where. Private to src.
#pragma once

#include "step/soft_step/soft_step.h"
#include "step/speculation.h"

/// Updates that are computed before their results are stored, which bounds the memory for them.
#define MO_UPDATES_OF_BATCH 256u

/// How far contacts are looked for.
typedef struct mo_contact_reach {
  double dt, substep; ///< s, of the step and of a substep
  double slop;        ///< m
  double near;        ///< m: a gap of twice that is a contact whatever the velocities
  /// Per slot, m: its displacement, and how far it moves in this step if it is soft; null: none is.
  double *moved;
  double *turns; ///< per slot, m: how far its surface moves by rotation in this step; or null
} mo_contact_reach;

/// Moves the boxes of all awake bodies, but those in `in_rows`, to where they are now, and of fast
/// ones to hold their paths in the next step if it is of the same length.
void mo_soft_contacts_cover_all(mo_world *world, const uint8_t *in_rows,
                                const mo_contact_reach *reach);

/// Lists how far fast bodies move in the step, and adds the pairs that they come near to: a contact
/// stops bodies where they meet only if it is there before they meet.
/// @return false without memory
bool mo_soft_contacts_reach_ahead(mo_world *world, const uint8_t *in_rows, mo_contact_reach *reach);

/// Updates the contacts of world->pairs to the present poses. Pairs whose bodies moved by less than
/// their allowance are passed over. Wakes bodies that awake ones begin to touch.
/// @param in_rows per slot: the body and its contacts belong to the row solvers; null: no body does
/// @param[out] arms those that go round on their bodies
/// @return false without memory
bool mo_soft_contacts_update(mo_world *world, const uint8_t *in_rows, const mo_contact_reach *reach,
                             mo_moving_arm **arms);

// --- for what takes contacts away or changes them ----------------------------------------------

/// Takes a contact out of the colours. Its pair is compared again when its bodies are displaced by
/// more than the allowance, m; of a part, which ends, that is the pair of the whole.
/// @return false without memory, as do those below
bool mo_soft_contact_leave(mo_world *world, uint32_t contact, double allowance);
/// Has the pair of a part compared again, which alone finds manifolds with a mesh.
bool mo_soft_compare_whole(mo_world *world, const mo_contact_record *part, double allowance);
/// Drops the void ones among contacts that were updated (union_contacts.h), and turns those that
/// have another normal.
/// @param updated records, pairs with parts among them
bool mo_soft_contacts_drop_void(mo_world *world, const uint32_t *updated, uint32_t count);

// --- for surface_parts.c ----------------------------------------------------------------------

/// How far the shapes of a pair may come nearer in the step, if a body is soft, m.
double mo_soft_contacts_ahead(const mo_world *world, const mo_contact_reach *reach,
                              const mo_pair *pair);
/// A shape with the velocities that its body has now.
mo_moving_shape mo_soft_moving_shape(const mo_world *world, uint32_t slot, uint32_t shape);
/// A shape with the mean velocity of its body's fall in the step: substeps that begin with the
/// change of velocity move it by v dt + g dt (dt + h) / 2.
mo_moving_shape mo_soft_falling_shape(const mo_world *world, const mo_contact_reach *reach,
                                      uint32_t slot, uint32_t shape);
/// Makes of a manifold at the poses after `lead`, s, one of now.
void mo_soft_bring_back(const mo_world *world, const mo_pair *pair, double lead,
                        mo_manifold *manifold);
/// Removes the points of shapes that are far apart and do not meet in the step, and adds points to
/// those at which an edge or a corner of fast bodies touches.
/// @param pair with a cache of these shapes
/// @param gap m, between the shapes
/// @param ahead m: how far they may come nearer in the step
void mo_soft_speculate(const mo_world *world, const mo_contact_reach *reach, const mo_pair *pair,
                       const mo_moving_shape *a, const mo_moving_shape *b, double gap, double ahead,
                       mo_manifold *manifold);
/// Replaces the manifold of a contact, which has points. Points whose features are the same keep
/// their impulses. The centres of mass are those of the bodies.
void mo_soft_contact_renew(const mo_world *world, const mo_manifold *manifold, mo_vec3 center_a,
                           mo_vec3 center_b, mo_substep_contact *contact);

/// m, world: the means of the arms of a contact's points.
typedef struct mo_place_arms {
  mo_vec3 a, b;
} mo_place_arms;

mo_place_arms mo_place_arms_of(const mo_substep_contact *contact);
