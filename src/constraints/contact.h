/// Contacts of two bodies: the manifold with its impulses, and its rows.
#pragma once

#include "collision/narrow/manifold.h"
#include "constraints/rows.h"

typedef struct mo_contact_point_state {
  mo_vec3 position;  ///< world, where its impulse acts
  double separation; ///< m, negative for an overlap
  uint32_t feature_id;
  double normal_impulse;   ///< N s of the last step
  mo_vec3 tangent_impulse; ///< N s of the last step, world, on B. A vector, so that the choice of
                           ///< tangents is free each step
} mo_contact_point_state;

/// A pair of placed shapes within reach of each other. Kept from step to step, ordered by (slot,
/// shape) of both sides.
typedef struct mo_contact {
  uint32_t slot_a, slot_b;                    ///< bodies; A is the one created first
  uint32_t shape_a, shape_b;                  ///< index of the placed shape in its body
  double friction, restitution;               ///< combined
  double rolling_friction, spinning_friction; ///< m, combined
  mo_vec3 twist_impulse;    ///< N m s of the last step, world, on B: of both of these
  mo_vec3 normal;           ///< unit, from A to B
  mo_vec3 surface_velocity; ///< m/s, world: of the surface of B against that of A, besides the
                            ///< motion of the bodies
  mo_vec3 bend;     ///< m/s, world: what the rows leave out of the velocity of the place on B
                    ///< against that on A, in the mean over the step (step/carriers.h)
  uint32_t contact; ///< in the world, if there is one
  uint32_t point_count;
  mo_contact_point_state points[MO_MANIFOLD_POINTS];
} mo_contact;

/// Replaces the manifold: positions come from `manifold`, and impulses from `old` for equal feature
/// ids (`old` may be null).
/// @param at where impulses act: 0 on the surface of A, 1 on that of B
/// @param impulse_scale new dt / old dt, because forces persist and not impulses
void mo_contact_update(mo_contact *contact, const mo_manifold *manifold, double at,
                       const mo_contact *old, double impulse_scale);

/// The settings of the rows of contacts.
typedef struct mo_contact_settings {
  double dt;
  double restitution_threshold; ///< m/s; infinite: rows have no rebounds
  double baumgarte;             ///< 1/s: error_reduction / dt, or 0 without
  double linear_slop;           ///< m
  double metre;                 ///< in the unit of lengths here
  double max_correction_speed;  ///< m/s
  double potential_lag;         ///< of the integrator, in steps
} mo_contact_settings;

/// One side of a contact at the start of the step.
typedef struct mo_contact_side {
  uint32_t body;          ///< index in the row problem
  mo_vec3 center_of_mass; ///< world
  mo_velocity velocity;   ///< before this step's forces
} mo_contact_side;

/// Rows of the block of a contact point: 3 with friction (normal, two tangents), 1 without.
static inline uint32_t mo_contact_row_count(const mo_contact *contact) {
  return contact->friction > 0.0 ? 3 : 1;
}

/// Appends one block per point of the contact to the problem, which must have room.
///
/// The normal row aims at w = v_n + bias >= 0 (docs/physics.md). For an impact the bias is e v_n^-,
/// with the work of gravity over the remaining gap. For a gap beyond 1e-8 m that stays open or
/// closes without impact it is gap / dt. For an overlap it is -baumgarte (overlap - slop).
void mo_contact_append_rows(mo_row_problem *problem, const mo_contact *contact,
                            const mo_contact_side *a, const mo_contact_side *b,
                            const mo_contact_settings *settings);

/// Rows of rolling and spinning friction, one per block: at most this many.
#define MO_CONTACT_TWIST_ROWS 3
/// Appends them behind the rows of the contact's points: boxes whose bounds follow the normal
/// impulses. Rolling has two axes, the first along the rolling that the bodies would have without
/// contact, so that the bound of the length is exact where the contact rolls.
/// @param first_block of the points of the contact
void mo_contact_append_twist_rows(mo_row_problem *problem, const mo_contact *contact,
                                  uint32_t first_block, const mo_contact_side *a,
                                  const mo_contact_side *b);
/// Rows that mo_contact_append_twist_rows appends.
uint32_t mo_contact_twist_row_count(const mo_contact *contact);
/// Copies the impulses of these rows back, from `first_block` on. Returns the block after the last.
uint32_t mo_contact_read_twist(mo_contact *contact, const mo_row_problem *problem,
                               uint32_t first_block);

/// The speed, m/s, with which a contact parts `gap` metres before its surface.
/// @param speed_squared m^2/s^2, of what an impact without other forces asks for
/// @param returned the fraction of the energy of its own approach that returns, e^2
/// @param acceleration m/s^2, towards the surface
double mo_contact_rebound(double speed_squared, double returned, double acceleration, double gap,
                          const mo_contact_settings *settings);
/// The bias of a normal row that does not bounce, m/s.
double mo_contact_bias(double gap, const mo_contact_settings *settings);

/// Copies the impulses of the contact's blocks back, from `first_block` on. Returns the block after
/// the last.
uint32_t mo_contact_read_impulses(mo_contact *contact, const mo_row_problem *problem,
                                  uint32_t first_block);
