#include "solvers/soft_step/substep_spin.h"

#include "math/scalar.h"

// rad^2 per substep: the most of the product of a rod's turn about its axis and of that across it.
// The spin of a substep is the mean of a free rotation, and that about the axis follows the axis.
// Where a joint turns the axis by another angle, the difference appears as a spin across the axis,
// which the joint takes for an error. With 0.1 ragdolls that land reach it, and lie open by a
// little more.
#define MOST_TUMBLE 0.15

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

// Of a body whose own axes are not principal ones, a little less.
static double largest_moment(const mo_substep_spin *of) {
  const mo_mat3 *i = &of->mass->inertia;
  return mo_max(i->cx.x, mo_max(i->cy.y, i->cz.z));
}

// What takes most of the spin about the axis of a small moment, and little of the others: I L by
// its Rayleigh quotient. By Cauchy and Schwarz it has no more energy than L.
static mo_vec3 steadier(const mo_substep_spin *of, mo_vec3 momentum) {
  mo_vec3 by_inertia = mo_mat3_mul(world_tensor(of->orientation, of->mass->inertia), momentum);
  return mo_scale(mo_length_squared(momentum) / mo_dot(momentum, by_inertia), by_inertia);
}

// Takes so much of a tumbling too fast to be followed that it can be.
static void calm_tumble(mo_substep_spin *of, double h) {
  mo_vec3 l = of->momentum;
  double tumble = mo_square(h) * mo_length(mo_cross(spin_of(of, l), l)) / largest_moment(of);
  if (tumble > MOST_TUMBLE) {
    of->momentum = mo_lerp(steadier(of, l), l, MOST_TUMBLE / tumble);
  }
}

mo_vec3 mo_substep_spin_begin(mo_substep_spin *of, mo_vec3 spin, double h) {
  of->momentum = momentum_of(of, spin);
  calm_tumble(of, h);
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
