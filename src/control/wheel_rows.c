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
  mo_wheel_row_end end = {.jacobian = mo_wheel_twist_of(direction, moment)};
  if (body->moves) {
    end.response = mo_wheel_twist_of(mo_scale(body->inverse_mass, direction),
                                     mo_mat3_mul(body->inverse_inertia, moment));
  }
  return end;
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

// The velocity along a row per impulse along another one, 1/kg.
static double coupling(const mo_wheel_row *row, const mo_wheel_row *other) {
  return dot(&row->chassis.jacobian, &other->chassis.response) +
         dot(&row->ground.jacobian, &other->ground.response);
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
  contact->forward_by_normal = coupling(&contact->forward, &contact->normal);
  contact->side_by_normal = coupling(&contact->side, &contact->normal);
}

double mo_wheel_row_velocity(const mo_wheel_contact *contact, const mo_wheel_row *row) {
  double chassis = dot(&row->chassis.jacobian, &contact->chassis->velocity);
  return chassis - (contact->ground->moves ? dot(&row->ground.jacobian, &contact->ground->velocity)
                                           : row->ground_velocity);
}

// The impulse with which a row would have a velocity, from the one that it has.
static double impulse_for(const mo_wheel_row *row, double now, double velocity) {
  return row->impulse + (velocity - now) * row->mass;
}

// --- one wheel -------------------------------------------------------------------------------

// The impulses of a wheel, and the velocities along its rows with those that it has.
typedef struct triple {
  double normal, forward, side;
} triple;

// The spring, implicit: push - give u = impulse, where u is the velocity with that impulse. Where
// it would not hold the strut, the stop does.
static double normal_impulse(const mo_wheel_contact *contact, double now) {
  const mo_wheel_row *row = &contact->normal;
  double others = now - row->impulse * row->inverse_mass;
  double spring = contact->share * (contact->push - contact->give * others);
  double bounded = mo_clamp(spring, 0.0, contact->max_push);
  return mo_max(bounded, impulse_for(row, now, contact->stop_velocity));
}

// Scales both impulses into the ellipse of friction.
static bool bound_by_friction(const mo_wheel_contact *contact, triple *impulse) {
  double most_forward = contact->friction * impulse->normal;
  double most_side = contact->side_friction * impulse->normal;
  if (!(most_forward > 0.0) || !(most_side > 0.0)) {
    impulse->forward =
        most_forward > 0.0 ? mo_clamp(impulse->forward, -most_forward, most_forward) : 0.0;
    impulse->side = most_side > 0.0 ? mo_clamp(impulse->side, -most_side, most_side) : 0.0;
    return true;
  }
  double x = impulse->forward / most_forward, y = impulse->side / most_side;
  double square = x * x + y * y;
  if (square <= 1.0) {
    return false;
  }
  double scale = 1.0 / sqrt(square);
  impulse->forward *= scale;
  impulse->side *= scale;
  return true;
}

// Those of friction feel the change of that along the normal.
static triple impulses_of(mo_wheel_contact *contact, triple now) {
  const mo_wheel_row *forward = &contact->forward, *side = &contact->side;
  triple next = {.normal = normal_impulse(contact, now.normal)};
  double change = next.normal - contact->normal.impulse;
  next.forward = contact->engine;
  if (contact->brake > 0.0) {
    double rest = impulse_for(forward, now.forward + contact->forward_by_normal * change, 0.0);
    next.forward += mo_clamp(rest - contact->engine, -contact->brake, contact->brake);
  }
  next.side = impulse_for(side, now.side + contact->side_by_normal * change, 0.0);
  contact->is_sliding = bound_by_friction(contact, &next);
  return next;
}

static void push(mo_wheel_body *body, const triple *change, const mo_wheel_row_end *normal,
                 const mo_wheel_row_end *forward, const mo_wheel_row_end *side) {
  add_scaled(&body->velocity, change->normal, &normal->response);
  add_scaled(&body->velocity, change->forward, &forward->response);
  add_scaled(&body->velocity, change->side, &side->response);
}

static void solve_contact(mo_wheel_contact *contact) {
  mo_wheel_row *normal = &contact->normal, *forward = &contact->forward, *side = &contact->side;
  triple now = {.normal = mo_wheel_row_velocity(contact, normal),
                .side = mo_wheel_row_velocity(contact, side)};
  if (contact->brake > 0.0) {
    now.forward = mo_wheel_row_velocity(contact, forward);
  }
  triple next = impulses_of(contact, now);
  triple change = {next.normal - normal->impulse, next.forward - forward->impulse,
                   next.side - side->impulse};
  push(contact->chassis, &change, &normal->chassis, &forward->chassis, &side->chassis);
  if (contact->ground->moves) {
    change = (triple){-change.normal, -change.forward, -change.side};
    push(contact->ground, &change, &normal->ground, &forward->ground, &side->ground);
  }
  normal->impulse = next.normal;
  forward->impulse = next.forward;
  side->impulse = next.side;
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
    if (system->bodies[i].moves) {
      system->bodies[i].before = system->bodies[i].velocity;
    }
  }
  for (uint32_t i = 0; i < system->contact_count; i++) {
    solve_contact(&system->contacts[i]);
  }
  double change = 0.0;
  for (uint32_t i = 0; i < system->body_count; i++) {
    const mo_wheel_body *body = &system->bodies[i];
    change = body->moves ? mo_max(change, difference(body, &body->before)) : change;
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
