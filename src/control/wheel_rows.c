#include "control/wheel_rows.h"

#include "math/scalar.h"

// Sweeps of a solve, which ends earlier where nothing changes any more. Four wheels on level ground
// take about forty.
#define MOST_SWEEPS 200
// m/s: a sweep that changes no velocity of a row by more ends the solve. A brake that is as far
// from its answer lets the vehicle creep by a micrometre in a quarter of an hour.
#define SMALLEST_CHANGE 1e-9

// --- one row ---------------------------------------------------------------------------------

static mo_wheel_row_end end_of(const mo_wheel_body *body, mo_vec3 arm, mo_vec3 direction) {
  mo_vec3 moment = mo_cross(arm, direction);
  return (mo_wheel_row_end){moment, mo_mat3_mul(body->inverse_inertia, moment)};
}

static double inverse_mass_of(const mo_wheel_body *body, const mo_wheel_row_end *end) {
  return body->inverse_mass + mo_dot(end->moment, end->spin);
}

static void prepare_row(const mo_wheel_contact *contact, mo_wheel_row *row) {
  row->impulse = 0.0;
  row->chassis = end_of(contact->chassis, contact->chassis_arm, row->direction);
  row->ground = end_of(contact->ground, contact->ground_arm, row->direction);
  row->inverse_mass = inverse_mass_of(contact->chassis, &row->chassis) +
                      inverse_mass_of(contact->ground, &row->ground);
}

static bool has_mass(const mo_wheel_body *body) {
  const mo_mat3 *inverse = &body->inverse_inertia;
  double trace = inverse->cx.x + inverse->cy.y + inverse->cz.z;
  return body->inverse_mass > 0.0 || trace > 0.0;
}

void mo_wheel_contact_prepare(mo_wheel_contact *contact) {
  contact->ground_moves = has_mass(contact->ground);
  prepare_row(contact, &contact->normal);
  prepare_row(contact, &contact->forward);
  prepare_row(contact, &contact->side);
}

double mo_wheel_row_velocity(const mo_wheel_contact *contact, const mo_wheel_row *row) {
  const mo_wheel_body *chassis = contact->chassis, *ground = contact->ground;
  double linear = mo_dot(row->direction, mo_sub(chassis->linear_velocity, ground->linear_velocity));
  return linear + (mo_dot(row->chassis.moment, chassis->angular_velocity) -
                   mo_dot(row->ground.moment, ground->angular_velocity));
}

static void push(mo_wheel_body *body, const mo_wheel_row_end *end, mo_vec3 direction,
                 double impulse) {
  double speed = impulse * body->inverse_mass;
  body->linear_velocity = mo_add_scaled(body->linear_velocity, speed, direction);
  body->angular_velocity = mo_add_scaled(body->angular_velocity, impulse, end->spin);
}

// Gives a row another impulse. Returns the change of its velocity.
static double set_impulse(mo_wheel_contact *contact, mo_wheel_row *row, double impulse) {
  double change = impulse - row->impulse;
  push(contact->chassis, &row->chassis, row->direction, change);
  if (contact->ground_moves) {
    push(contact->ground, &row->ground, row->direction, -change);
  }
  row->impulse = impulse;
  return fabs(change) * row->inverse_mass;
}

// The impulse with which a row would have a velocity, from the one that it has.
static double impulse_for(const mo_wheel_row *row, double now, double velocity) {
  return row->impulse + (velocity - now) / row->inverse_mass;
}

// --- one wheel -------------------------------------------------------------------------------

// The spring, implicit: push - give u = impulse, where u is the velocity with that impulse. Where
// it would not hold the strut, the stop does.
static double solve_normal(mo_wheel_contact *contact) {
  mo_wheel_row *row = &contact->normal;
  double now = mo_wheel_row_velocity(contact, row), others = now - row->impulse * row->inverse_mass;
  double spring =
      (contact->push - contact->give * others) / (1.0 + contact->give * row->inverse_mass);
  double bounded = mo_clamp(spring, 0.0, contact->max_push);
  double stop = impulse_for(row, now, contact->stop_velocity);
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

static double impulse_to_rest(const mo_wheel_contact *contact, const mo_wheel_row *row) {
  return impulse_for(row, mo_wheel_row_velocity(contact, row), 0.0);
}

static double solve_friction(mo_wheel_contact *contact) {
  double rest = impulse_to_rest(contact, &contact->forward) - contact->engine;
  double forward = contact->engine + mo_clamp(rest, -contact->brake, contact->brake);
  double side = impulse_to_rest(contact, &contact->side);
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
