/// How soft-step removes errors of joints and of rows that hold positions.
#pragma once

#include "math/scalar.h"
#include "solvers/soft_step/substep_hertz.h"

/// A soft constraint (Catto 2011): with the effective mass M of rows with the velocity w and the
/// error C, their impulse changes by -mass_scale M (w + bias_rate C) - impulse_scale impulse. That
/// is a spring and damper by implicit Euler.
typedef struct mo_joint_softness {
  float bias_rate; ///< 1/s: the rate at which errors decrease
  float mass_scale, impulse_scale;
  float inverse_h;    ///< 1/s: of a substep
  bool moves_springs; ///< springs of joints are solved; else their impulses stay
} mo_joint_softness;

/// For the relax pass, which leaves errors alone.
static inline mo_joint_softness mo_joint_softness_rigid(const mo_substep_settings *settings) {
  return (mo_joint_softness){.mass_scale = 1.0f,
                             .inverse_h = (float)(settings->substeps / settings->dt)};
}

/// For a spring-damper of `hertz`, above 0, and a damping ratio, with the effective mass of the
/// rows.
static inline mo_joint_softness mo_joint_softness_spring(const mo_substep_settings *settings,
                                                         double hertz, double damping) {
  mo_joint_softness softness = mo_joint_softness_rigid(settings);
  double h = settings->dt / settings->substeps, omega = 2.0 * MO_PI * hertz;
  double a1 = 2.0 * damping + h * omega, a2 = h * omega * a1;
  softness.bias_rate = (float)(omega / a1);
  softness.mass_scale = (float)(a2 / (1.0 + a2));
  softness.impulse_scale = (float)(1.0 / (1.0 + a2));
  return softness;
}

/// For the solve pass, from joint_hertz and joint_damping.
static inline mo_joint_softness mo_joint_softness_of(const mo_substep_settings *settings) {
  double h = settings->dt / settings->substeps;
  double hertz = mo_min(settings->joint_hertz, mo_substep_most_joint_hertz(h));
  mo_joint_softness softness =
      hertz > 0.0 ? mo_joint_softness_spring(settings, hertz, settings->joint_damping)
                  : mo_joint_softness_rigid(settings);
  softness.moves_springs = true;
  return softness;
}
