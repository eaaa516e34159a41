#include "constraints/pose_arrival.h"

#include "constraints/arrival.h"
#include "constraints/constraint_class.h"
#include "constraints/effective_mass.h"
#include "math/semidefinite.h"

// Fraction of the cube of the trace below which a determinant is round-off of locked rotation: that
// of a rod of 1e5 to 1 is 1e-10.
#define LEAST_DETERMINANT 1e-14

// A force at anchors off the centres of mass turns the bodies too, and torques move the anchors. So
// what the force has to move depends on what the torque holds, and the other way round.

// --- masses ----------------------------------------------------------------------------------

// J M^-1 J^T of the rows, and its factors. Zeros of parts that have no impulse.
typedef struct mobility {
  double rows[6][6], factors[6][6];
} mobility;

static void factor(mobility *m) {
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 6; k++) {
      m->factors[i][k] = m->rows[i][k];
    }
  }
  mo_semidefinite_factor(m->factors, 6);
}

// Bodies that a force alone pulls by anchors off their centres swing until all of their mass is
// behind these.
static void find_mobility_of_masses(const mo_motor_part *p, mobility *out) {
  for (int i = 0; i < 3; i++) {
    out->rows[i][i] = p->mass > 0.0 && p->most > 0.0 ? 1.0 / p->mass : 0.0;
  }
}

static void find_mobility_of_rows(const mo_constraint *c, const mo_constraint_place *at,
                                  const mo_row_body bodies[MO_ROW_SIDES], bool has_force,
                                  mobility *out) {
  double rows[6][MO_JACOBIAN_COLUMNS];
  bool moves[6];
  c->class->jacobian(c, at, rows[0]);
  for (int i = 0; i < 6; i++) {
    moves[i] = (has_force || i >= 3) && mo_constraint_row_moves(c, rows[i], bodies);
    for (int k = 0; k <= i; k++) {
      double coupling = mo_constraint_coupling(c, rows[i], rows[k], bodies);
      out->rows[i][k] = out->rows[k][i] = moves[i] && moves[k] ? coupling : 0.0;
    }
  }
}

static mobility mobility_of(const mo_constraint *c, const mo_constraint_place *at,
                            const mo_row_body bodies[MO_ROW_SIDES], const mo_motor_part parts[2]) {
  mobility m = {.rows = {{0.0}}};
  if (parts[1].most > 0.0) {
    find_mobility_of_rows(c, at, bodies, parts[0].most > 0.0, &m);
  } else {
    find_mobility_of_masses(&parts[0], &m);
  }
  factor(&m);
  return m;
}

// The impulses of both parts that change their velocities.
static void find_impulses(const mobility *m, const mo_vec3 changes[2], mo_vec3 out[2]) {
  double x[6];
  mo_put_vec3(mo_put_vec3(x, 1.0, changes[0]), 1.0, changes[1]);
  mo_semidefinite_solve(m->factors, 6, x);
  out[0] = mo_get_vec3(x);
  out[1] = mo_get_vec3(x + 3);
}

// The impulse of one part that changes its velocity by `change`, with nothing of the other.
static mo_vec3 impulse_alone(const mobility *m, int turns, mo_vec3 change) {
  mobility alone = *m;
  mo_vec3 changes[2] = {mo_v3_zero(), mo_v3_zero()}, impulses[2];
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 6; k++) {
      alone.rows[i][k] = i / 3 == turns && k / 3 == turns ? m->rows[i][k] : 0.0;
    }
  }
  factor(&alone);
  changes[turns] = change;
  find_impulses(&alone, changes, impulses);
  return impulses[turns];
}

// By how much a unit of the other part's impulse pushes this one at most, seen as its own impulse:
// a lever.
static double lever(const mobility *m, int turns) {
  double squared = 0.0;
  for (int i = 0; i < 3; i++) {
    const double *row = m->rows[turns ? i : 3 + i] + (turns ? 3 : 0);
    squared += mo_length_squared(impulse_alone(m, turns, mo_get_vec3(row)));
  }
  return sqrt(squared);
}

// --- loads -----------------------------------------------------------------------------------

// The angular acceleration by which a body without torques keeps its angular momentum. Locks of
// rotation, which leave no inertia to invert, bear the torque.
static mo_vec3 gyroscopic(const mo_row_body *body, mo_vec3 spin) {
  mo_mat3 inverse = body->inverse_inertia;
  double trace = inverse.cx.x + inverse.cy.y + inverse.cz.z;
  if (!(mo_mat3_determinant(inverse) > LEAST_DETERMINANT * trace * trace * trace)) {
    return mo_v3_zero();
  }
  mo_vec3 momentum = mo_mat3_mul(mo_mat3_inverse(inverse), spin);
  return mo_mat3_mul(inverse, mo_cross(momentum, spin));
}

// The impulses that the parts need in a step for what turns to go on as it does: towards the axis,
// and against the gyroscopic torque.
static void find_loads(const mo_constraint *c, const mo_constraint_place *at,
                       const mo_row_body bodies[MO_ROW_SIDES], const mobility *m, double dt,
                       mo_vec3 out[2]) {
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_vec3 spin_a = at->a.angular_velocity, spin_b = at->b.angular_velocity;
  mo_vec3 gyro_a = gyroscopic(&bodies[0], spin_a), gyro_b = gyroscopic(&bodies[1], spin_b);
  mo_vec3 circling = mo_cross(spin_b, anchors.arm_b);
  mo_vec3 passing = mo_sub(mo_add(at->b.linear_velocity, circling), at->a.linear_velocity);
  mo_vec3 on_a =
      mo_add(mo_cross(spin_a, passing), mo_cross(gyro_a, mo_add(anchors.arm_a, anchors.offset)));
  mo_vec3 on_b = mo_add(mo_cross(spin_b, circling), mo_cross(gyro_b, anchors.arm_b));
  const mo_vec3 changes[2] = {mo_scale(dt, mo_sub(on_a, on_b)),
                              mo_scale(dt, mo_sub(gyro_a, gyro_b))};
  find_impulses(m, changes, out);
}

// How much of the most impulse is there against `push`, beside the load.
static double left_beside(mo_vec3 load, mo_vec3 push, double most) {
  double along = mo_dot(load, mo_normalize(push));
  double rest = most * most - (mo_length_squared(load) - along * along);
  return rest > 0.0 ? mo_max(along + sqrt(rest), 0.0) : 0.0;
}

// --- ways ------------------------------------------------------------------------------------

static double quotient(double most, double needed) {
  return needed > 0.0 ? most / needed : INFINITY;
}

// The part of an impulse that another deceleration takes.
static double share(double needed, double deceleration, double most) {
  double impulse = needed > 0.0 && most < INFINITY ? needed * deceleration : 0.0;
  return impulse > 0.0 ? impulse / most : 0.0;
}

// The deceleration that a part can count on, whatever the other one does with its bounded impulse.
static double sure_deceleration(const mobility *m, const mo_motor_part parts[2], int turns,
                                double left, mo_vec3 direction, double dt) {
  double other = parts[1 - turns].most;
  if (!(other > 0.0 && other < INFINITY)) {
    return 0.0; // there is no other, or nothing is sure
  }
  double sure = left - lever(m, turns) * other;
  return quotient(sure / dt, mo_length(impulse_alone(m, turns, direction)));
}

// What a part can do while the other one moves as it is told.
typedef struct braking {
  mo_vec3 pushes[2]; // of both parts, for a unit of velocity along the way
  double left;       // of the most impulse of a step
  double together;   // m/s^2 or rad/s^2
} braking;

static braking braking_of(const mobility *m, const mo_motor_part parts[2], int turns, mo_vec3 load,
                          mo_vec3 direction, double dt) {
  braking b;
  mo_vec3 changes[2] = {mo_v3_zero(), mo_v3_zero()};
  changes[turns] = direction;
  find_impulses(m, changes, b.pushes);
  b.left = left_beside(load, b.pushes[turns], parts[turns].most);
  b.together = quotient(b.left / dt, mo_length(b.pushes[turns]));
  return b;
}

// No more than what it takes to arrive in this step.
static double asked_deceleration(const braking *b, const mo_motor_part *p, double dt) {
  return mo_min(b->together, (mo_length(p->rate) + mo_length(p->error) / dt) / dt);
}

// The most with which the parts can slow down both at once, along their ways.
static void find_decelerations(const mobility *m, const mo_motor_part parts[2],
                               const mo_vec3 directions[2], const braking b[2], double dt,
                               double out[2]) {
  double taken = 0.0;
  for (int i = 0; i < 2; i++) {
    double asked = asked_deceleration(&b[i], &parts[i], dt);
    taken = mo_max(taken, share(mo_length(b[i].pushes[1 - i]), asked, b[1 - i].left / dt));
  }
  for (int i = 0; i < 2; i++) {
    double sure = sure_deceleration(m, parts, i, b[i].left, directions[i], dt);
    bool is_bounded = b[i].together < INFINITY;
    out[i] = is_bounded ? mo_max(b[i].together / (1.0 + taken), sure) : INFINITY;
  }
}

// It arrives within the step, and from further away is no faster than it can brake, or get within
// the step: a torque that is asked for more leaves the axis, as it has none left against the
// gyroscopic torque.
static mo_vec3 arriving_velocity(const mo_motor_part *p, mo_vec3 direction, double deceleration,
                                 double acceleration, double dt) {
  mo_arrival arrival = {.way = mo_length(p->error),
                        .rate = mo_dot(p->rate, direction),
                        .deceleration = deceleration,
                        .dt = dt,
                        .substeps = p->substeps};
  double speed = mo_arriving_speed(&arrival), reach = arrival.rate + dt * acceleration;
  return mo_is_finite(speed) ? mo_scale(mo_min(speed, reach), direction) : mo_v3_zero();
}

void mo_pose_arrival(const mo_constraint *c, const mo_constraint_place *at,
                     const mo_row_body bodies[MO_ROW_SIDES], const mo_motor_part parts[2],
                     double dt, mo_motor_aim out[2]) {
  mobility m = mobility_of(c, at, bodies, parts);
  mo_vec3 directions[2], loads[2], changes[2], impulses[2];
  double decelerations[2];
  braking b[2];
  find_loads(c, at, bodies, &m, dt, loads);
  for (int i = 0; i < 2; i++) {
    directions[i] = mo_neg(mo_normalize(parts[i].error));
    b[i] = braking_of(&m, parts, i, loads[i], directions[i], dt);
  }
  find_decelerations(&m, parts, directions, b, dt, decelerations);
  mo_vec3 turning = impulse_alone(&m, 1, directions[1]);
  const double accelerations[2] = {INFINITY, quotient(b[1].left / dt, mo_length(turning))};
  for (int i = 0; i < 2; i++) {
    out[i].velocity =
        arriving_velocity(&parts[i], directions[i], decelerations[i], accelerations[i], dt);
    changes[i] = mo_sub(out[i].velocity, parts[i].rate);
  }
  find_impulses(&m, changes, impulses);
  for (int i = 0; i < 2; i++) {
    out[i].change = impulses[i];
  }
}
