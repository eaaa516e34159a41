#include "control/wheel_rows.h"

#include "math/scalar.h"

// Sweeps of a solve, which ends earlier where nothing changes any more. Four wheels that a brake
// holds on uneven ground take about sixty until they lie still, and thirty then.
#define MOST_SWEEPS 200
// m/s: a sweep that changes no body's velocity at a contact by more ends the solve. A brake that is
// as far from its answer lets the vehicle creep by a micrometre in a quarter of an hour.
#define SMALLEST_CHANGE 1e-9
// The same for wheels that roll, per speed: tyres slip by hundreds of times as much. The contact
// normals of uneven ground let held wheels push against each other while they roll, and that
// push, which moves nothing, takes hundreds of sweeps to grow.
#define SMALLEST_SLIP 1e-5
// Of the rolling speed: how fast a tyre slips that is about to slide. Real ones slip by ten times
// as much; less would let the wheels of an axle that are not steered exactly as the bend needs it
// push against each other up to the bound of friction.
#define SLIP 0.01
// Tyres of more friction are no stiffer: a car whose wheels never slide, as those of other engines
// with a friction of 1000, would stop in a bend.
#define STIFFEST_FRICTION 1.0
// Kilogrammes of a row that a tyre is stiff, at the least and at the most: it slips by no more than
// the bodies give way, and by so little that round-off has no part in what is left.
#define LEAST_STIFFNESS 1.0
#define MOST_STIFFNESS 1e8

// --- rows ------------------------------------------------------------------------------------

static mo_wheel_row_end end_of(const mo_wheel_body *body, mo_vec3 arm, mo_vec3 direction) {
  mo_vec3 moment = mo_cross(arm, direction);
  return (mo_wheel_row_end){.jacobian = mo_wheel_twist_of(direction, moment),
                            .response =
                                mo_wheel_twist_of(mo_scale(body->inverse_mass, direction),
                                                  mo_mat3_mul(body->inverse_inertia, moment))};
}

static void prepare_row(const mo_wheel_contact *contact, mo_vec3 ground_velocity,
                        mo_wheel_row *row) {
  row->impulse = 0.0;
  row->chassis = end_of(contact->chassis, contact->chassis_arm, row->direction);
  row->ground_velocity = mo_dot(row->direction, ground_velocity);
  row->inverse_mass = mo_wheel_twist_dot(&row->chassis.jacobian, &row->chassis.response);
  if (contact->ground->moves) {
    row->ground = end_of(contact->ground, contact->ground_arm, row->direction);
    row->inverse_mass += mo_wheel_twist_dot(&row->ground.jacobian, &row->ground.response);
  }
  row->mass = 1.0 / row->inverse_mass;
}

// The velocity along a row per impulse along another one, 1/kg.
static double coupling(const mo_wheel_contact *contact, const mo_wheel_row *row,
                       const mo_wheel_row *other) {
  double chassis = mo_wheel_twist_dot(&row->chassis.jacobian, &other->chassis.response);
  return contact->ground->moves
             ? chassis + mo_wheel_twist_dot(&row->ground.jacobian, &other->ground.response)
             : chassis;
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
  mo_vec3 velocity = mo_wheel_twist_at(&ground->velocity, contact->ground_arm);
  prepare_row(contact, velocity, &contact->normal);
  prepare_row(contact, velocity, &contact->forward);
  prepare_row(contact, velocity, &contact->side);
  contact->forward_by_normal = coupling(contact, &contact->forward, &contact->normal);
  contact->side_by_normal = coupling(contact, &contact->side, &contact->normal);
}

static double velocity_with(const mo_wheel_contact *contact, const mo_wheel_row *row,
                            const mo_wheel_twist *chassis) {
  double velocity = mo_wheel_twist_dot(&row->chassis.jacobian, chassis);
  return velocity - (contact->ground->moves
                         ? mo_wheel_twist_dot(&row->ground.jacobian, &contact->ground->velocity)
                         : row->ground_velocity);
}

double mo_wheel_row_velocity(const mo_wheel_contact *contact, const mo_wheel_row *row) {
  return velocity_with(contact, row, &contact->chassis->velocity);
}

// --- one wheel -------------------------------------------------------------------------------

// The impulse of a spring, damper or tyre: push - give u, where u is the velocity with that
// impulse.
static double soft_impulse(const mo_wheel_row *row, double now) {
  double others = now - row->impulse * row->inverse_mass;
  return row->share * (row->push - row->give * others);
}

// Where the spring would not hold the strut, the stop does.
static double normal_impulse(const mo_wheel_contact *contact, double now) {
  const mo_wheel_row *row = &contact->normal;
  double bounded = mo_clamp(soft_impulse(row, now), 0.0, contact->max_push);
  return mo_max(bounded, row->impulse + (contact->stop_velocity - now) * row->mass);
}

bool mo_wheel_bound_friction(const mo_wheel_contact *contact, mo_wheel_impulses *impulses) {
  double most_forward = contact->friction * impulses->normal;
  double most_side = contact->side_friction * impulses->normal;
  if (!(most_forward > 0.0) || !(most_side > 0.0)) {
    impulses->forward =
        most_forward > 0.0 ? mo_clamp(impulses->forward, -most_forward, most_forward) : 0.0;
    impulses->side = most_side > 0.0 ? mo_clamp(impulses->side, -most_side, most_side) : 0.0;
    return true;
  }
  double x = impulses->forward * contact->inverse_friction;
  double y = impulses->side * contact->inverse_side_friction;
  double square = x * x + y * y;
  if (square <= impulses->normal * impulses->normal) {
    return false;
  }
  double scale = impulses->normal / sqrt(square);
  impulses->forward *= scale;
  impulses->side *= scale;
  return true;
}

// Those of friction feel the change of that along the normal.
static mo_wheel_impulses impulses_of(mo_wheel_contact *contact, mo_wheel_impulses now) {
  const mo_wheel_row *forward = &contact->forward, *side = &contact->side;
  mo_wheel_impulses next = {.normal = normal_impulse(contact, now.normal)};
  double change = next.normal - contact->normal.impulse;
  next.forward = contact->engine;
  if (contact->brake > 0.0) {
    double rest = soft_impulse(forward, now.forward + contact->forward_by_normal * change);
    next.forward += mo_clamp(rest - contact->engine, -contact->brake, contact->brake);
  }
  next.side = soft_impulse(side, now.side + contact->side_by_normal * change);
  contact->is_sliding = mo_wheel_bound_friction(contact, &next);
  return next;
}

static void push_ground(const mo_wheel_contact *contact, const mo_wheel_impulses *change) {
  mo_wheel_twist *velocity = &contact->ground->velocity;
  mo_wheel_twist_add(velocity, -change->normal, &contact->normal.ground.response);
  mo_wheel_twist_add(velocity, -change->forward, &contact->forward.ground.response);
  mo_wheel_twist_add(velocity, -change->side, &contact->side.ground.response);
}

// Adds to the impulses of a contact. Returns the velocity of its chassis with them.
static mo_wheel_twist pushed(mo_wheel_contact *contact, mo_wheel_twist chassis,
                             mo_wheel_impulses change) {
  mo_wheel_row *normal = &contact->normal, *forward = &contact->forward, *side = &contact->side;
  mo_wheel_twist_add(&chassis, change.normal, &normal->chassis.response);
  mo_wheel_twist_add(&chassis, change.forward, &forward->chassis.response);
  mo_wheel_twist_add(&chassis, change.side, &side->chassis.response);
  if (contact->ground->moves) {
    push_ground(contact, &change);
  }
  normal->impulse += change.normal;
  forward->impulse += change.forward;
  side->impulse += change.side;
  return chassis;
}

void mo_wheel_contact_push(mo_wheel_contact *contact, mo_wheel_impulses change) {
  contact->chassis->velocity = pushed(contact, contact->chassis->velocity, change);
}

static mo_wheel_twist solve_contact(mo_wheel_contact *contact, mo_wheel_twist chassis) {
  mo_wheel_row *normal = &contact->normal, *forward = &contact->forward, *side = &contact->side;
  mo_wheel_impulses now = {.normal = velocity_with(contact, normal, &chassis),
                           .side = velocity_with(contact, side, &chassis)};
  if (contact->brake > 0.0) {
    now.forward = velocity_with(contact, forward, &chassis);
  }
  mo_wheel_impulses next = impulses_of(contact, now);
  return pushed(contact, chassis,
                (mo_wheel_impulses){next.normal - normal->impulse, next.forward - forward->impulse,
                                    next.side - side->impulse});
}

// --- all wheels ------------------------------------------------------------------------------

// Solves each contact once. Returns by how much that changes a velocity at a contact, m/s.
static double sweep(mo_wheel_system *system) {
  mo_wheel_body *chassis = &system->bodies[0];
  for (uint32_t i = 1; i < system->body_count; i++) {
    system->bodies[i].before = system->bodies[i].velocity;
    if (system->bodies[i].moves) {
      mo_wheel_body_carry_again(&system->bodies[i]);
    }
  }
  mo_wheel_twist velocity = chassis->velocity;
  for (uint32_t i = 0; i < system->contact_count; i++) {
    velocity = solve_contact(&system->contacts[i], velocity);
  }
  double change = mo_wheel_twist_distance(&velocity, &chassis->velocity, chassis->reach);
  chassis->velocity = velocity;
  for (uint32_t i = 1; i < system->body_count; i++) {
    const mo_wheel_body *body = &system->bodies[i];
    change = mo_max(change, mo_wheel_twist_distance(&body->velocity, &body->before, body->reach));
  }
  return change;
}

// Not of the velocities that the step would end with, which gravity gives to what stands on a
// slope.
static double rolling_speed(const mo_wheel_system *system) {
  double speed = 0.0;
  for (uint32_t i = 0; i < system->contact_count; i++) {
    const mo_wheel_row *forward = &system->contacts[i].forward;
    double chassis = mo_wheel_twist_dot(&forward->chassis.jacobian, &system->bodies[0].before);
    speed = mo_max(speed, fabs(chassis - forward->ground_velocity));
  }
  return speed;
}

// A tyre under its spring's load slips by `slip` where friction is at its bound.
static void set_tyre(mo_wheel_row *row, double load, double friction, double slip) {
  double most = mo_min(friction, STIFFEST_FRICTION) * load;
  double stiffness = mo_clamp(most / slip, LEAST_STIFFNESS * row->mass, MOST_STIFFNESS * row->mass);
  row->push = 0.0;
  row->give = stiffness;
  row->share = 1.0 / (1.0 + stiffness * row->inverse_mass);
}

static void set_tyres(mo_wheel_system *system, double slip) {
  for (uint32_t i = 0; i < system->contact_count; i++) {
    mo_wheel_contact *contact = &system->contacts[i];
    double load = mo_min(contact->normal.push, contact->max_push);
    if (contact->brake > 0.0) {
      set_tyre(&contact->forward, load, contact->friction, slip);
    }
    set_tyre(&contact->side, load, contact->side_friction, slip);
  }
}

void mo_wheel_system_solve(mo_wheel_system *system) {
  double speed = rolling_speed(system), least = SMALLEST_CHANGE * system->metre;
  double enough = least + SMALLEST_SLIP * speed;
  set_tyres(system, least + SLIP * speed);
  bool is_solved = mo_wheel_system_start(system);
  for (int i = 0; !is_solved && i < MOST_SWEEPS; i++) {
    is_solved = !(sweep(system) > enough);
  }
}
