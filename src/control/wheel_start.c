/// Where the sweeps over the rows of wheels begin.
#include "control/wheel_rows.h"
#include "math/scalar.h"

// Without its bounds the problem is linear, and of the bodies the chassis moves alone: its rows are
// eliminated one after the other, by what is left of its response to them. (These are the factors
// L D L^T of the matrix of all rows, which itself is not needed.) Soft rows may say the same, as
// those across the two wheels of an axle do: they share the impulse.
typedef struct elimination {
  mo_wheel_pivot *pivots;
  uint32_t count;
  mo_wheel_twist velocity; // of the chassis with all rows so far
} elimination;

static void eliminate(elimination *e, const mo_wheel_row *row) {
  const mo_wheel_twist *jacobian = &row->chassis.jacobian;
  mo_wheel_twist response = row->chassis.response;
  for (uint32_t i = 0; i < e->count; i++) {
    const mo_wheel_pivot *before = &e->pivots[i];
    double coupling = mo_wheel_twist_dot(&before->response, jacobian);
    mo_wheel_twist_add(&response, -coupling * before->mass, &before->response);
  }
  double share = 1.0 / (1.0 + row->give * mo_wheel_twist_dot(&response, jacobian));
  double now = mo_wheel_twist_dot(&e->velocity, jacobian) - row->ground_velocity;
  mo_wheel_twist_add(&e->velocity, share * (row->push - row->give * now), &response);
  e->pivots[e->count++] = (mo_wheel_pivot){response, share * row->give};
}

// What the engine and a brake that does not hold give a wheel whose forward velocity is known.
static double rolling_impulse(const mo_wheel_contact *contact, double velocity) {
  return contact->engine + (velocity > 0.0 ? -contact->brake : contact->brake);
}

// A brake holds that can bring the wheel's part of the chassis to rest. Returns whether nothing is
// left to be found out about it.
static bool begin_forward(elimination *e, mo_wheel_contact *contact, double chassis_part) {
  mo_wheel_row *row = &contact->forward;
  double velocity = mo_wheel_row_velocity(contact, row);
  double rest = -velocity * chassis_part - contact->engine;
  contact->is_held = contact->brake > 0.0 && fabs(rest) <= contact->brake;
  if (!contact->is_held) {
    row->impulse = rolling_impulse(contact, velocity);
    mo_wheel_twist_add(&e->velocity, row->impulse, &row->chassis.response);
  }
  return contact->is_held || contact->brake == 0.0;
}

static double impulse_at(const mo_wheel_row *row, const mo_wheel_twist *velocity, double *now) {
  *now = mo_wheel_twist_dot(velocity, &row->chassis.jacobian) - row->ground_velocity;
  return row->push - row->give * *now;
}

// Returns whether nothing bounds the contact. Where a ground moves the sweeps go on anyway.
static bool begin_contact(mo_wheel_contact *contact, const mo_wheel_twist *velocity) {
  double closing, slip;
  double normal = impulse_at(&contact->normal, velocity, &closing);
  mo_wheel_impulses begin = {.normal = mo_clamp(normal, 0.0, contact->max_push),
                             .forward = contact->is_held
                                            ? impulse_at(&contact->forward, velocity, &slip)
                                            : contact->forward.impulse,
                             .side = impulse_at(&contact->side, velocity, &slip)};
  bool is_stopped = closing < contact->stop_velocity || begin.normal != normal;
  bool is_overcome = contact->is_held && fabs(begin.forward - contact->engine) > contact->brake;
  contact->is_sliding = mo_wheel_bound_friction(contact, &begin);
  contact->forward.impulse = 0.0;
  mo_wheel_contact_push(contact, begin);
  return !is_stopped && !is_overcome && !contact->is_sliding && !contact->ground->moves;
}

bool mo_wheel_system_start(mo_wheel_system *system) {
  const mo_wheel_body *chassis = &system->bodies[0];
  elimination e = {.pivots = system->pivots, .velocity = chassis->velocity};
  double part = 1.0 / (chassis->inverse_mass * system->contact_count);
  bool is_solved = true;
  for (uint32_t i = 0; i < system->contact_count; i++) {
    is_solved &= begin_forward(&e, &system->contacts[i], part);
  }
  for (uint32_t i = 0; i < system->contact_count; i++) {
    eliminate(&e, &system->contacts[i].normal);
  }
  for (uint32_t i = 0; i < system->contact_count; i++) {
    eliminate(&e, &system->contacts[i].side);
    if (system->contacts[i].is_held) {
      eliminate(&e, &system->contacts[i].forward);
    }
  }
  for (uint32_t i = 0; i < system->contact_count; i++) {
    is_solved &= begin_contact(&system->contacts[i], &e.velocity);
  }
  return is_solved;
}
