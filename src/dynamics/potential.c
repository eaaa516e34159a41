#include "dynamics/potential.h"

mo_wrench mo_gravity_wrench(mo_vec3 gravity, double mass) {
  return (mo_wrench){mo_scale(mass, gravity), mo_v3_zero()};
}

double mo_gravity_energy(mo_vec3 gravity, double mass, mo_vec3 center_of_mass) {
  return -mass * mo_dot(gravity, center_of_mass);
}
