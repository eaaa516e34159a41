#include "control/wheel_rows.h"

#include "math/scalar.h"

// Sweeps of a solve, which ends earlier where nothing changes any more. Four wheels on level ground
// take about forty.
#define MOST_SWEEPS 200
// m/s: a sweep that changes no velocity of a row by more ends the solve. A brake that is as far
// from its answer lets the vehicle creep by a micrometre in a quarter of an hour.
#define SMALLEST_CHANGE 1e-9

// --- one row ---------------------------------------------------------------------------------

static double inverse_mass_of(const mo_wheel_body *body, mo_vec3 arm, mo_vec3 direction) {
  mo_vec3 turn = mo_cross(arm, direction);
  return body->inverse_mass + mo_dot(turn, mo_mat3_mul(body->inverse_inertia, turn));
}

static void prepare_row(const mo_wheel_contact *contact, mo_wheel_row *row) {
  row->impulse = 0.0;
  row->inverse_mass = inverse_mass_of(contact->chassis, contact->chassis_arm, row->direction) +
                      inverse_mass_of(contact->ground, contact->ground_arm, row->direction);
}

void mo_wheel_contact_prepare(mo_wheel_contact *contact) {
  prepare_row(contact, &contact->normal);
  prepare_row(contact, &contact->forward);
  prepare_row(contact, &contact->side);
}

static mo_vec3 velocity_at(const mo_wheel_body *body, mo_vec3 arm) {
  return mo_add(body->linear_velocity, mo_cross(body->angular_velocity, arm));
}

double mo_wheel_row_velocity(const mo_wheel_contact *contact, const mo_wheel_row *row) {
  mo_vec3 chassis = velocity_at(contact->chassis, contact->chassis_arm);
  return mo_dot(row->direction, mo_sub(chassis, velocity_at(contact->ground, contact->ground_arm)));
}

static void push(mo_wheel_body *body, mo_vec3 arm, mo_vec3 impulse) {
  body->linear_velocity = mo_add_scaled(body->linear_velocity, body->inverse_mass, impulse);
  body->angular_velocity =
      mo_add(body->angular_velocity, mo_mat3_mul(body->inverse_inertia, mo_cross(arm, impulse)));
}

// Gives a row another impulse. Returns the change of its velocity.
static double set_impulse(mo_wheel_contact *contact, mo_wheel_row *row, double impulse) {
  double change = impulse - row->impulse;
  mo_vec3 on_chassis = mo_scale(change, row->direction);
  push(contact->chassis, contact->chassis_arm, on_chassis);
  push(contact->ground, contact->ground_arm, mo_neg(on_chassis));
  row->impulse = impulse;
  return fabs(change) * row->inverse_mass;
}

// The impulse with which a row would have a velocity.
static double impulse_for(const mo_wheel_contact *contact, const mo_wheel_row *row,
                          double velocity) {
  double missing = velocity - mo_wheel_row_velocity(contact, row);
  return row->impulse + missing / row->inverse_mass;
}

// --- one wheel -------------------------------------------------------------------------------

// The spring, implicit: push - give u = impulse, where u is the velocity with that impulse. Where
// it would not hold the strut, the stop does.
static double solve_normal(mo_wheel_contact *contact) {
  mo_wheel_row *row = &contact->normal;
  double others = mo_wheel_row_velocity(contact, row) - row->impulse * row->inverse_mass;
  double spring =
      (contact->push - contact->give * others) / (1.0 + contact->give * row->inverse_mass);
  double bounded = mo_clamp(spring, 0.0, contact->max_push);
  double stop = impulse_for(contact, row, contact->stop_velocity);
  return set_impulse(contact, row, mo_max(bounded, stop));
}

// Scales both impulses into the ellipse of friction.
static bool bound_by_friction(const mo_wheel_contact *contact, double *forward, double *side) {
  double most_forward = contact->friction * contact->normal.impulse;
  double most_side = contact->side_friction * contact->normal.impulse;
  if (!(most_forward > 0.0) || !(most_side > 0.0)) {
    *forward = most_forward > 0.0 ? mo_clamp(*forward, -most_forward, most_forward) : 0.0;
    *side = most_side > 0.0 ? mo_clamp(*side, -most_side, most_side) : 0.0;
    return true;
  }
  double x = *forward / most_forward, y = *side / most_side, square = x * x + y * y;
  if (square <= 1.0) {
    return false;
  }
  *forward /= sqrt(square);
  *side /= sqrt(square);
  return true;
}

static double solve_friction(mo_wheel_contact *contact) {
  double rest = impulse_for(contact, &contact->forward, 0.0) - contact->engine;
  double forward = contact->engine + mo_clamp(rest, -contact->brake, contact->brake);
  double side = impulse_for(contact, &contact->side, 0.0);
  contact->is_sliding = bound_by_friction(contact, &forward, &side);
  double change = set_impulse(contact, &contact->forward, forward);
  return mo_max(change, set_impulse(contact, &contact->side, side));
}

void mo_wheel_contacts_solve(mo_wheel_contact *contacts, uint32_t count) {
  double change = INFINITY;
  for (int sweep = 0; sweep < MOST_SWEEPS && change > SMALLEST_CHANGE; sweep++) {
    change = 0.0;
    for (uint32_t i = 0; i < count; i++) {
      change = mo_max(change, solve_normal(&contacts[i]));
      change = mo_max(change, solve_friction(&contacts[i]));
    }
  }
}
