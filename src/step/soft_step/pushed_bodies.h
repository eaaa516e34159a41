/// The displacement of bodies that other forces than gravity push. Private to src/step/soft_step.
///
/// Forces are those of the start of the step. Soft-step spreads them over n substeps, so that a
/// load that rests meets the same impulse in each; in flight a force a then moves a body by
/// c dt^2 a, c = (n + 1) / 2n. For a force that depends on the position, the map of a step from
/// (x, v) to (x, v) has the determinant 1 - (1 - c) dt^2 da/dx: it keeps areas for c = 1 only,
/// which is the symplectic Euler method (Hairer, Lubich and Wanner 2006, VI.3), and a spring gains
/// energy for any smaller c. So these bodies are displaced by the missing (1 - c) dt (v1 - v0).
/// Gravity is uniform, and its map keeps areas for any c.
///
/// A body that rests has v1 = v0 and is not displaced. In an impact v1 - v0 is mostly not due to
/// forces. Constraints that do no work obey (v1 - v0) . M (v1 - v0) = dt f . (v1 - v0), so the
/// right side over the left one, at most 1, is the part of the change that is displaced. Joints
/// hand forces on, so this is one ratio for all jointed bodies of an island.
#pragma once

#include "dynamics/potential.h"
#include "step/soft_step/soft_step.h"

/// Whether other forces than the world's gravity act on a dynamic body in this step.
static inline bool mo_body_is_pushed(const mo_soft_step *s, uint32_t slot) {
  const mo_body *body = &s->world->bodies[slot];
  const mo_wrench *wrench = &s->soft->wrenches[slot];
  mo_wrench gravity =
      mo_gravity_wrench(mo_scale(body->gravity_scale, s->world->settings.gravity), body->mass.mass);
  return body->type == MO_BODY_DYNAMIC && !(mo_v3_equal(wrench->force, gravity.force) &&
                                            mo_v3_equal(wrench->torque, gravity.torque));
}
/// Sums up the islands with joints, after the solve. Returns false without memory.
bool mo_pushed_bodies_sum(mo_soft_step *step);
/// The factor, s, of the change of a body's velocities in the step that gives the missing
/// displacement; 0 for bodies that are not pushed. Only for steps with `has_pushed`.
double mo_pushed_body_lag(const mo_soft_step *step, uint32_t slot);
