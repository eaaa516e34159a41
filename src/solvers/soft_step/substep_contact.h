/// A pair of shapes that touch or may touch in the step, which soft-step keeps from step to step.
#pragma once

#include "collision/narrow/manifold.h"

/// m: allowance of a pair whose shapes soft-step has not compared since it got the pair.
#define MO_NOT_COMPARED (-1.0)
/// m: the same, but the rows found the shapes apart.
#define MO_FOUND_APART (-0.5)

/// The narrow phase's data of a pair of shapes. Every step visits it, so it is small, and it is the
/// same for touching and near pairs.
typedef struct mo_pair {
  uint32_t contact;          ///< the contact of the pair
  uint32_t proxy_a, proxy_b; ///< the shapes; A is of the body that was created first
  uint32_t slot_a, slot_b;   ///< their bodies
  bool has_new_materials;    ///< the materials of the contact changed since the last update
  bool lies;                 ///< on a plane of several shapes, so it does not roll on this one
  bool has_parts;            ///< one shape is a mesh, so each manifold is a contact of its own
  double allowance;          ///< m: updated again when the displacements of both bodies exceed it
  mo_collision_cache cache;
} mo_pair;

/// The largest number whose square fits single precision, in any unit.
#define MO_LARGEST_SINGLE 1e18
/// N s, N m s: the largest impulse that a step starts with.
#define MO_LARGEST_IMPULSE 1e30f

/// One point.
typedef struct mo_substep_point {
  float arm_a[3];      ///< m, from A's centre of mass to A's surface, world axes
  float arm_b[3];      ///< the same for B
  float start_impulse; ///< N s, of the last substep, from which the next one starts
  uint32_t feature_id;
} mo_substep_point;

/// The manifold, with the impulses of the solver.
///
/// Normal and arms are those of the last narrow-phase update. Separations follow the motion from
/// step to step, to first order in the rotation since. The frozen geometry gives a resting contact
/// the same Jacobian in every step, so that it comes to rest, and a tall stack does not react to
/// its own leaning.
typedef struct mo_substep_contact {
  mo_pair pair;
  uint32_t point_count; ///< 1 to MO_MANIFOLD_POINTS
  float restitution;    ///< of the pair, like friction
  float normal[3];      ///< unit, from A to B, world
  float friction;
  float start_tangent[3]; ///< N s, world, on B, at the friction centre, of the last substep
  float start_twist;      ///< N m s about the normal, on B, of the last substep
  float separations[MO_MANIFOLD_POINTS]; ///< m, at the end of the last step or at the last update
  mo_substep_point points[MO_MANIFOLD_POINTS];
  // Sums over the substeps of the whole step.
  float normal_impulses[MO_MANIFOLD_POINTS]; ///< N s, per point
  float tangent_impulse[3];                  ///< N s, world, on B, at the friction centre
  float twist_impulse;                       ///< N m s about the normal, on B
} mo_substep_contact;
