/// Inertia that taut joints give to the bodies that hang in them, for all solvers.
///
/// A body with a pull P (N) at a point r from its centre resists a turn t by the torque -K t, K =
/// (P . r) (1 - r r^T / r^2), because the arm turns and the pull does not. Velocity rows do not
/// know that: they are linear. A light link in a chain with a heavy end then yields to the end by
/// turning, faster than steps can follow, and with it the chain opens without bound, though every
/// step solves its rows. An implicit step of dt takes the torque at its end, -K (t + dt w), and so
/// counts dt^2 K as inertia (geometric stiffness: Tournier et al. 2015; Andrews, Teichmann and
/// Kovecses 2017). It can only take energy.
///
/// The step is semi-implicit: swings up to w dt = 1 it follows without help, and keeps their
/// energy. So a body gets only as much of dt^2 K as faster ones need. Its swing s = tr(I^-1 dt^2 K)
/// is no less than (w dt)^2 of any of its axes, and (1 - 1/s) dt^2 K begins with nothing at s = 1.
/// What hangs by one joint alone swings about that with the mass at the end of its arm: it is slow,
/// and a pendulum keeps its period.
#pragma once

#include "math/mat3.h"

/// (w dt)^2 of a swing that a semi-implicit step follows: it is unstable from 4 on.
#define MO_SWING_LIMIT 1.0

/// What joints that hold a point do to a body.
typedef struct mo_taut_body {
  mo_mat3 stiffness; ///< N s m: dt K
  uint32_t joints;
} mo_taut_body;

/// Adds a joint. Only a pull away from the centre is stiff.
/// @param arm m, from the centre of mass
/// @param impulse N s, on the body, of a step of dt seconds
void mo_taut_body_add(mo_taut_body *body, mo_vec3 arm, mo_vec3 impulse, double dt);
/// The swing s of the body (above), (w dt)^2 of its fastest axis or more; 0 if it hangs by one
/// joint.
double mo_taut_body_swing(const mo_taut_body *body, const mo_mat3 *inverse_inertia);
/// Adds the inertia that the body needs.
/// @return whether it needs some
bool mo_taut_body_stiffen(const mo_taut_body *body, mo_mat3 *inverse_inertia);
