/// Kinematic bodies that carry others. Private to src/step.
///
/// Velocities. A kinematic body of the velocity V moves by dt V in a step, so V is the mean of its
/// velocity over the step. Over n substeps it goes on from the velocity s at which it ended the
/// last step, by g = 2 (V - s) / (n + 1) in each: the mean of s + g, .. s + n g is V, and what
/// follows these velocities by friction has moved by dt V too. An error of s dies out by the factor
/// (1 - n) / (1 + n) per step.
///
/// Places. Rows at the geometry of the start of the step lead the points of a body that turns by
/// the vector T along their tangents, by T x r. They go round on circles, to R(T) r. The difference
/// is their bend. Two bodies that turn together keep their places on each other if the rows of
/// their contacts add the bends. It is so for all contacts of what a turning body carries, except
/// those that roll: their point of contact goes with the bodies and not with their material
/// (soft_step/look_ahead.h).
#pragma once

#include "step/stages.h"

/// Whether a kinematic body turns or has another velocity than at the end of the last step.
bool mo_carrier_accelerates(const mo_world *world, uint32_t slot);
/// What a kinematic body's velocities gain in each of n substeps. A change above the speed from
/// which bodies rebound is an impact, and is there from the start.
mo_velocity mo_carrier_gain(const mo_world *world, uint32_t slot, double dt, uint32_t n);
/// The velocities with which a kinematic body ends the step, before it has new ones.
mo_velocity mo_carrier_end(const mo_world *world, uint32_t slot, double dt);

/// Notes that two bodies touch: what the island of a dynamic one is carried by. Returns false
/// without memory.
bool mo_carriers_note(mo_carriers *carriers, mo_world *world, uint32_t slot_a, uint32_t slot_b);
/// A contact of two bodies whose places may bend.
typedef struct mo_carried_contact {
  uint32_t slot_a, slot_b, shape_a, shape_b, point_count;
} mo_carried_contact;
/// Whether its rows are to add bends.
bool mo_carriers_bend(const mo_carriers *carriers, const mo_world *world,
                      const mo_carried_contact *contact);
/// m: R(turn) arm - arm - turn x arm.
mo_vec3 mo_bend_of(mo_vec3 turn, mo_vec3 arm);
