/// Soft-step: contacts and joints as stiff, damped springs that are solved implicitly, in a few
/// substeps with one Gauss-Seidel pass each, four at a time (soft constraints: Catto 2011;
/// substeps: Macklin et al. 2019, "Small Steps in Physics Simulation").
///
///   prepare -> per substep { velocities += forces, warm start, solve with bias, positions += h
///   velocities, relax: solve without bias, restitution } -> store
///
/// Velocities and displacements since the start of the step are floats. Poses may be far from the
/// origin: they are doubles, and only their differences are used.
#pragma once

#include "solvers/soft_step/substep.h"

/// Solves the step and moves `bodies`. Contacts and joints are only read.
/// @return false without memory
bool mo_substep_solve(mo_substep_solver *step);
/// Writes the impulses of a solved step to the contacts and joints.
/// @return bits of the colours whose contacts changed their order
uint32_t mo_substep_store(mo_substep_solver *step);
