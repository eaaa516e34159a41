#include "solvers/substep/substep_spin.h"

static mo_mat3 world_tensor(mo_quat orientation, mo_mat3 tensor) {
  mo_motion motion = {.orientation = orientation};
  return mo_motion_world_tensor(&motion, tensor);
}

mo_substep_spin mo_substep_spin_at(const mo_mass *mass, const mo_motion *motion) {
  mo_mat3 inertia = mo_motion_world_tensor(motion, mass->inertia);
  return (mo_substep_spin){.mass = mass,
                           .inertia = inertia,
                           .start = motion->orientation,
                           .orientation = motion->orientation,
                           .momentum = mo_mat3_mul(inertia, motion->angular_velocity),
                           .given = motion->angular_velocity};
}

// The angular momentum now, after the impulses since the start of the substep.
static mo_vec3 momentum_of(const mo_substep_spin *of, mo_vec3 spin) {
  return mo_add(of->momentum, mo_mat3_mul(of->inertia, mo_sub(spin, of->given)));
}

static mo_vec3 spin_of(const mo_substep_spin *of, mo_vec3 momentum) {
  return mo_mat3_mul(world_tensor(of->orientation, of->mass->inverse_inertia), momentum);
}

mo_vec3 mo_substep_spin_begin(mo_substep_spin *of, mo_vec3 spin, double h) {
  of->momentum = momentum_of(of, spin);
  of->given = mo_mean_free_spin(of->mass, of->orientation, spin_of(of, of->momentum), h);
  return of->given;
}

mo_vec3 mo_substep_spin_turn(mo_substep_spin *of, mo_vec3 spin, double h) {
  of->orientation = mo_quat_normalize(mo_quat_mul(mo_quat_exp(mo_scale(h, spin)), of->orientation));
  return mo_quat_log(mo_quat_mul(of->orientation, mo_quat_conjugate(of->start)));
}

mo_vec3 mo_substep_spin_end(const mo_substep_spin *of, mo_vec3 spin) {
  return spin_of(of, momentum_of(of, spin));
}
