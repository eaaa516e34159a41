/// Resistance of a medium at rest or in motion. It dissipates and has no energy.
///
/// The force is that of the start of the step, but no larger than what stops the motion relative to
/// the medium within the step: explicit forces beyond that would turn it round and grow.
#include "dynamics/potential.h"

// The coefficient that takes no more of a motion than is left of it in the step.
// inertia: kg or kg m^2
// dragged: the part that earlier potentials take, 0 to 1
static double bounded(double coefficient, double inertia, const mo_potential_scene *scene,
                      double *dragged) {
  if (!(scene->dt > 0.0) || !dragged) {
    return coefficient;
  }
  double whole = inertia / scene->dt, left = whole * (1.0 - *dragged);
  if (coefficient < left) {
    *dragged += coefficient / whole;
    return coefficient;
  }
  *dragged = 1.0;
  return left;
}

// The least moment of inertia, from below: the inverse of the inverse's trace.
static double least_moment(const mo_mass *mass) {
  mo_mat3 j = mass->inverse_inertia;
  double trace = j.cx.x + j.cy.y + j.cz.z;
  return trace > 0.0 ? 1.0 / trace : 0.0;
}

// F = -(c1 + c2 |u|) u with u = v - velocity of the medium, torque -c3 w
static bool drag_wrench(const mo_potential_def *def, const mo_potential_body *a,
                        const mo_potential_body *b, const mo_potential_scene *scene,
                        mo_wrench *on_a, mo_wrench *on_b) {
  (void)b;
  (void)on_b;
  mo_vec3 relative = mo_sub(a->linear_velocity, def->velocity);
  double *dragged = scene->dragged;
  double linear = bounded(def->linear_drag + def->quadratic_drag * mo_length(relative), a->mass,
                          scene, dragged);
  double angular = bounded(def->angular_drag, least_moment(&scene->body->mass), scene,
                           dragged ? dragged + 1 : NULL);
  *on_a = (mo_wrench){mo_scale(-linear, relative), mo_scale(-angular, a->angular_velocity)};
  return true;
}

const mo_potential_kind mo_potential_drag = {.name = "drag", .wrench = drag_wrench};
