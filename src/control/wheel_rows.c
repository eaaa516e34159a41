#include "control/wheel_rows.h"

#include "math/scalar.h"
#include "math/simd.h"

// Sweeps of a solve, which ends earlier where nothing changes any more. Four wheels that a brake
// holds on level ground take about forty.
#define MOST_SWEEPS 200
// m/s: a sweep that changes no body's velocity at a contact by more ends the solve. A brake that is
// as far from its answer lets the vehicle creep by a micrometre in a quarter of an hour.
#define SMALLEST_CHANGE 1e-9
// The same for wheels that roll, per speed: tyres slip by hundreds of times as much. The contact
// normals of uneven ground let held wheels push against each other while they roll, and that
// push, which moves nothing, takes hundreds of sweeps to grow.
#define SMALLEST_SLIP 1e-5

// --- twists ----------------------------------------------------------------------------------

static inline double dot(const mo_wheel_twist *a, const mo_wheel_twist *b) {
  mo_f64x2 x = mo_f64x2_load(a->parts) * mo_f64x2_load(b->parts);
  mo_f64x2 y = mo_f64x2_load(a->parts + 2) * mo_f64x2_load(b->parts + 2);
  mo_f64x2 z = mo_f64x2_load(a->parts + 4) * mo_f64x2_load(b->parts + 4);
  mo_f64x2 sum = x + y + z;
  return sum[0] + sum[1];
}

static inline void add_scaled(mo_wheel_twist *to, double factor, const mo_wheel_twist *twist) {
  mo_f64x2 f = mo_f64x2_splat(factor);
  for (int i = 0; i < 6; i += 2) {
    mo_f64x2 sum = mo_f64x2_load(to->parts + i) + f * mo_f64x2_load(twist->parts + i);
    mo_f64x2_store(to->parts + i, sum);
  }
}

// --- rows ------------------------------------------------------------------------------------

static mo_wheel_row_end end_of(const mo_wheel_body *body, mo_vec3 arm, mo_vec3 direction) {
  mo_vec3 moment = mo_cross(arm, direction);
  return (mo_wheel_row_end){mo_wheel_twist_of(direction, moment),
                            mo_wheel_twist_of(mo_scale(body->inverse_mass, direction),
                                              mo_mat3_mul(body->inverse_inertia, moment))};
}

static void prepare_row(const mo_wheel_contact *contact, mo_wheel_row *row) {
  row->impulse = 0.0;
  row->chassis = end_of(contact->chassis, contact->chassis_arm, row->direction);
  row->ground = end_of(contact->ground, contact->ground_arm, row->direction);
  row->ground_velocity = dot(&row->ground.jacobian, &contact->ground->velocity);
  row->inverse_mass = dot(&row->chassis.jacobian, &row->chassis.response) +
                      dot(&row->ground.jacobian, &row->ground.response);
  row->mass = 1.0 / row->inverse_mass;
}

void mo_wheel_body_prepare(mo_wheel_body *body) {
  const mo_mat3 *inverse = &body->inverse_inertia;
  double trace = inverse->cx.x + inverse->cy.y + inverse->cz.z;
  body->moves = body->inverse_mass > 0.0 || trace > 0.0;
}

void mo_wheel_contact_prepare(mo_wheel_contact *contact) {
  mo_wheel_body *chassis = contact->chassis, *ground = contact->ground;
  chassis->reach = mo_max(chassis->reach, mo_length(contact->chassis_arm));
  ground->reach = mo_max(ground->reach, mo_length(contact->ground_arm));
  prepare_row(contact, &contact->normal);
  prepare_row(contact, &contact->forward);
  prepare_row(contact, &contact->side);
}

double mo_wheel_row_velocity(const mo_wheel_contact *contact, const mo_wheel_row *row) {
  double chassis = dot(&row->chassis.jacobian, &contact->chassis->velocity);
  return chassis - (contact->ground->moves ? dot(&row->ground.jacobian, &contact->ground->velocity)
                                           : row->ground_velocity);
}

static void set_impulse(mo_wheel_contact *contact, mo_wheel_row *row, double impulse) {
  double change = impulse - row->impulse;
  add_scaled(&contact->chassis->velocity, change, &row->chassis.response);
  if (contact->ground->moves) {
    add_scaled(&contact->ground->velocity, -change, &row->ground.response);
  }
  row->impulse = impulse;
}

// The impulse with which a row would have a velocity, from the one that it has.
static double impulse_for(const mo_wheel_row *row, double now, double velocity) {
  return row->impulse + (velocity - now) * row->mass;
}

// --- one wheel -------------------------------------------------------------------------------

// The spring, implicit: push - give u = impulse, where u is the velocity with that impulse. Where
// it would not hold the strut, the stop does.
static void solve_normal(mo_wheel_contact *contact) {
  mo_wheel_row *row = &contact->normal;
  double now = mo_wheel_row_velocity(contact, row), others = now - row->impulse * row->inverse_mass;
  double spring =
      (contact->push - contact->give * others) / (1.0 + contact->give * row->inverse_mass);
  double bounded = mo_clamp(spring, 0.0, contact->max_push);
  double stop = impulse_for(row, now, contact->stop_velocity);
  set_impulse(contact, row, mo_max(bounded, stop));
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

static void solve_friction(mo_wheel_contact *contact) {
  double rest = impulse_to_rest(contact, &contact->forward) - contact->engine;
  double forward = contact->engine + mo_clamp(rest, -contact->brake, contact->brake);
  double side = impulse_to_rest(contact, &contact->side);
  contact->is_sliding = bound_by_friction(contact, &forward, &side);
  set_impulse(contact, &contact->forward, forward);
  set_impulse(contact, &contact->side, side);
}

// --- all wheels ------------------------------------------------------------------------------

// By how much the velocity at a contact differs from another one, at the most.
static double difference(const mo_wheel_body *body, const mo_wheel_twist *velocity) {
  const double *a = body->velocity.parts, *b = velocity->parts;
  double linear = fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]);
  double angular = fabs(a[3] - b[3]) + fabs(a[4] - b[4]) + fabs(a[5] - b[5]);
  return linear + body->reach * angular;
}

// Solves each contact once. Returns by how much that changes a velocity at a contact, m/s.
static double sweep(mo_wheel_system *system) {
  for (uint32_t i = 0; i < system->body_count; i++) {
    system->bodies[i].before = system->bodies[i].velocity;
  }
  for (uint32_t i = 0; i < system->contact_count; i++) {
    solve_normal(&system->contacts[i]);
    solve_friction(&system->contacts[i]);
  }
  double change = 0.0;
  for (uint32_t i = 0; i < system->body_count; i++) {
    change = mo_max(change, difference(&system->bodies[i], &system->bodies[i].before));
  }
  return change;
}

static double rolling_speed(const mo_wheel_system *system) {
  double speed = 0.0;
  for (uint32_t i = 0; i < system->contact_count; i++) {
    const mo_wheel_contact *contact = &system->contacts[i];
    speed = mo_max(speed, fabs(mo_wheel_row_velocity(contact, &contact->forward)));
  }
  return speed;
}

void mo_wheel_system_solve(mo_wheel_system *system) {
  double enough = SMALLEST_CHANGE + SMALLEST_SLIP * rolling_speed(system);
  for (int i = 0; i < MOST_SWEEPS && sweep(system) > enough; i++) {
  }
}
