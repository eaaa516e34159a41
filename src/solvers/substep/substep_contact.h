/// A pair of shapes that touch or may touch in the step, as soft-step keeps it from step to step.
#pragma once

#include "collision/narrow/manifold.h"

/// What the search for contacts knows of a pair of shapes. Walked every step: small, and the same
/// for pairs that touch and pairs that are only near.
typedef struct mo_pair {
  uint32_t contact;        ///< whose pair it is
  uint32_t slot_a, slot_b; ///< A is the body that was created first
  double allowance;        ///< m: looked at again when the ways of both bodies add up to more
  mo_collision_cache cache;
} mo_pair;

/// N s, N m s: the most that a step begins with.
#define MO_LARGEST_IMPULSE 1e30f

/// One point.
typedef struct mo_substep_point {
  float arm_a[3];      ///< m, from A's centre of mass, world axes: where A's surface was
  float arm_b[3];      ///< the same of B
  float start_impulse; ///< N s of the last substep: what the next one begins with
  uint32_t feature_id;
} mo_substep_point;

/// The manifold with what the solver learnt about it.
///
/// Normal and arms are those of the moment when the two were last looked at; separations follow the
/// motion from step to step, to first order in the turn since. What is frozen gives a contact that
/// rests the same Jacobian in every step, so that it comes to rest and a tall stack does not feel
/// itself lean.
typedef struct mo_substep_contact {
  mo_pair pair;
  uint32_t point_count; ///< 1 to MO_MANIFOLD_POINTS
  float restitution;    ///< of the pair, as is friction
  float normal[3];      ///< unit, from A to B, world
  float friction;
  float start_tangent[3]; ///< N s, world, on B, at the friction centre: of the last substep
  float start_twist;      ///< N m s about the normal, on B: likewise
  float separations[MO_MANIFOLD_POINTS]; ///< m, at the end of the last step or when looked at
  mo_substep_point points[MO_MANIFOLD_POINTS];
  // Of the whole step, the sums over its substeps.
  float normal_impulses[MO_MANIFOLD_POINTS]; ///< N s, per point
  float tangent_impulse[3];                  ///< N s, world, on B, at the friction centre
  float twist_impulse;                       ///< N m s about the normal, on B
} mo_substep_contact;
