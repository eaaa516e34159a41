/// Potentials: fields that act on every dynamic body with a force, a torque and an energy.
#pragma once

#include "dynamics/body.h"

typedef struct mo_wrench {
  mo_vec3 force;  ///< N, through the centre of mass
  mo_vec3 torque; ///< N m, about the centre of mass, world
} mo_wrench;

/// Uniform gravity g (m/s^2) on a mass: F = m g, no torque. The force is minus the gradient of
/// mo_gravity_energy.
mo_wrench mo_gravity_wrench(mo_vec3 gravity, double mass);
/// V = -m g . r, r the centre of mass: zero at the origin, above zero higher up. J.
double mo_gravity_energy(mo_vec3 gravity, double mass, mo_vec3 center_of_mass);
