/// Energy that joints would add. Private to src/step/soft_step.
///
/// Joints without drives do no work. But soft-step draws them shut by moving bodies along Jacobians
/// of a substep, and hands the impulse of a light limb that hits the floor on to a chain in a few
/// sweeps: where limbs are long and light, a step so gains up to a hundredth of the kinetic energy
/// that nothing has given. That is taken back here, from the motion of the bodies relative to
/// their island as a rigid body: what remains has the same momentum and angular momentum, holds the
/// same joints, and has no more energy than forces account for (energy projection with momenta
/// kept: Dinev et al. 2018, "FEPR: Fast Energy Projection for Real-Time Simulation of Deformable
/// Objects"). An island that is held by what does not move has no momentum to keep: there all of
/// the motion is scaled. Joints of thin bodies that turn by a tenth of a radian and more in a
/// substep may even give an island momenta, which no joint can: such an island goes on as a rigid
/// body with the momenta that it had.
///
/// A swing gains in some steps what it loses in others, since substeps are steps of the symplectic
/// Euler method, which keep another energy than the true one. To take only the gains would bring
/// every pendulum to rest. So what is taken from an island that touches nothing goes to a tank, and
/// comes back where the island loses (energy tanks: Franken et al. 2011, "Bilateral
/// Telemanipulation with Time Delays: A Two-Layer Approach Combining Passivity and Transparency").
/// What it lost, it may gain again, by very little in a step. So its energy is never above the
/// highest that it was given. A tank is bounded, and contacts, which dissipate, empty it.
#pragma once

#include "step/soft_step/soft_step.h"

/// Limits the energy of the islands with joints at the end of the step. Islands with drives, with
/// functions of the user, with kinematic bodies and with surfaces that move, which all do work, are
/// left as they are; those with constraints that soft-step solves as rows, unless a step more than
/// doubles their energy. Returns false without memory.
bool mo_joint_energy_limit(mo_soft_step *step);

/// Keeps what is in the tanks for the next step.
void mo_joint_energy_commit(const mo_soft_step *step);
