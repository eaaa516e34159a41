/// Kinematic bodies that carry others. Private to src/step.
///
/// A kinematic body moves by dt V in a step, whatever its velocity V was before, and its points go
/// round on circles. What stands on it follows by friction. If a solver spreads the change of V
/// over substeps, because friction can give no more in each, what follows has moved less than dt V
/// at the end; and it has moved along the tangent. So it is displaced by what is missing. As the
/// same holds for what stands on what follows, this is for all bodies of an island.
#pragma once

#include "step/stages.h"

/// Whether a kinematic body turns or has another velocity than in the last step.
bool mo_carrier_accelerates(const mo_world *world, uint32_t slot);
/// The change of a kinematic body's velocities since the last step that counts as smooth. Larger
/// ones are impacts: above the speed from which bodies rebound none of it does.
mo_velocity mo_carrier_smooth_change(const mo_world *world, uint32_t slot, double dt);
/// Notes that two bodies touch. The first carrier of an island stays. Returns false without memory.
bool mo_carriers_note(mo_carriers *carriers, mo_world *world, uint32_t slot_a, uint32_t slot_b);
/// The displacement (m and rad) that a dynamic body lacks at the end of the step of dt seconds:
/// along the change of velocity of its place on its carrier it moves as its place does, but for its
/// velocity relative to it at the end.
/// velocity: of the body at the end
/// moved: m and rad, its displacement so far
mo_velocity mo_carriers_lag(const mo_carriers *carriers, const mo_world *world, uint32_t slot,
                            mo_velocity velocity, mo_velocity moved, double dt);
