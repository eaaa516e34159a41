/// Potentials: fields and springs that act on bodies with a force, a torque and an energy.
///
/// A kind is a row of a table: a name and two functions. Callers use that interface and know no
/// kind. A force is minus the gradient of the energy over the centre of mass, and a torque minus
/// its gradient over a rotation vector in world axes: E(q) has dE = -force . dx - torque . dtheta,
/// with q rotated by exp(dtheta) from the left. Dissipation (drag, the damping of a spring) is part
/// of the force but not of the energy.
#pragma once

#include "dynamics/body.h"

/// What a potential may know beside the bodies that it acts on.
typedef struct mo_potential_scene {
  double time;         ///< s
  double dt;           ///< s, of the step that asks; 0: a read-out
  mo_vec3 gravity;     ///< m/s^2, of the world
  const mo_body *body; ///< of `a`
  /// Of `a`: the parts of its velocity and of its spin that drag takes in the step, 0 to 1, so far;
  /// null in a read-out.
  double *dragged;
} mo_potential_scene;

/// How a kind of potential acts. Both functions return false if a user's function failed, and write
/// only sums over the given bodies.
typedef struct mo_potential_kind {
  const char *name;
  /// Whether it acts between bodies[0] and bodies[1] of its definition. Otherwise it acts on each
  /// body of the list separately, and `b` and `on_b` are null.
  bool is_pair;
  /// Whether it acts between all bodies of the list, or all dynamic ones: b is then each of the
  /// others in turn, and only `on_a` counts.
  bool is_mutual;
  /// @param b the second body of a pair; null for the world
  bool (*wrench)(const mo_potential_def *def, const mo_potential_body *a,
                 const mo_potential_body *b, const mo_potential_scene *scene, mo_wrench *on_a,
                 mo_wrench *on_b);
  /// J. Null for kinds that only dissipate.
  bool (*energy)(const mo_potential_def *def, const mo_potential_body *a,
                 const mo_potential_body *b, const mo_potential_scene *scene, double *energy);
} mo_potential_kind;

/// The kind of a type. `type` must be one of mo_potential_type.
const mo_potential_kind *mo_potential_kind_of(mo_potential_type type);

extern const mo_potential_kind mo_potential_gravity, mo_potential_point_gravity, mo_potential_tidal,
    mo_potential_magnetic, mo_potential_drag, mo_potential_spring, mo_potential_custom,
    mo_potential_buoyancy, mo_potential_mutual_gravity;

/// A body in the form for potentials.
mo_potential_body mo_potential_body_from(mo_body_id id, const mo_mass *mass,
                                         const mo_motion *motion);

/// Uniform gravity g (m/s^2) on a mass: F = m g, no torque. The force is minus the gradient of
/// mo_gravity_energy.
static inline mo_wrench mo_gravity_wrench(mo_vec3 gravity, double mass) {
  return (mo_wrench){mo_scale(mass, gravity), mo_v3_zero()};
}
/// V = -m g . r with the centre of mass r: zero at the origin, and above zero higher up. J.
double mo_gravity_energy(mo_vec3 gravity, double mass, mo_vec3 center_of_mass);
