/// Fast spins of bodies in joints: angular momentum and orientation, substep by substep. Private to
/// the solver and to those who fill it in.
///
/// The solver adds up spins and knows the inertia at the start of the step only. That is not enough
/// for a gyroscope: its angular momentum L, not its spin, is what torques change. So each substep
/// starts with the mean spin of the free rotation from L, the solver's changes of that spin are
/// impulses, the body turns by the resulting spin, and R1 I w1 = L + impulses gives the spin at the
/// end (Lewis and Simo 1994). Displacements by the mean spin fit what joints ask for.
#pragma once

#include "dynamics/rotation.h"

typedef struct mo_substep_spin {
  const mo_mass *mass;
  mo_mat3 inertia;     ///< kg m^2, world, at the start of the step, as the solver knows it
  mo_quat start;       ///< orientation at the start of the step
  mo_quat orientation; ///< now
  mo_vec3 momentum;    ///< N m s, world, at the start of the substep
  mo_vec3 given;       ///< rad/s, world, the spin with which the substep started
} mo_substep_spin;

/// A spin at the start of a step.
mo_substep_spin mo_substep_spin_at(const mo_mass *mass, const mo_motion *motion);
/// Begins a substep of h seconds. Takes the change of the spin to `spin`, rad/s, as impulses of the
/// last substep. Returns the spin with which the body turns if nothing else acts.
mo_vec3 mo_substep_spin_begin(mo_substep_spin *of, mo_vec3 spin, double h);
/// Turns the body by a spin for h seconds. Returns its rotation vector since the start of the step.
mo_vec3 mo_substep_spin_turn(mo_substep_spin *of, mo_vec3 spin, double h);
/// The spin at the end of a step whose last substep ended with `spin`.
mo_vec3 mo_substep_spin_end(const mo_substep_spin *of, mo_vec3 spin);
