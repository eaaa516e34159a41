/// A motor between two bodies: it brings B to a pose relative to A, or brakes, with a force and a
/// torque of bounded length.
///
/// Its rows are along and about the axes of the world, with box bounds. The box of a step is the
/// one inscribed in the ball of the impulses that are allowed, whose corner lies towards the
/// impulse that is expected: that of the last step and what the velocities at the start of this one
/// ask for. So the length is never more than allowed, and all of it is there along the direction
/// that is needed.
#include "constraints/arrival.h"
#include "constraints/constraint_class.h"
#include "constraints/constraint_table.h"
#include "constraints/drives.h"
#include "constraints/effective_mass.h"
#include "math/semidefinite.h"

// --- definition ------------------------------------------------------------------------------

static mo_constraint_refusal check_limit(const char *name, double limit) {
  return limit >= 0.0 ? (mo_constraint_refusal){0}
                      : (mo_constraint_refusal){name, "must be 0 or more", limit};
}

mo_constraint_refusal mo_pose_motor_check(const mo_pose_motor *motor) {
  mo_constraint_refusal refusal = check_limit("max_force", motor->max_force);
  refusal = refusal.argument ? refusal : check_limit("max_torque", motor->max_torque);
  refusal = refusal.argument ? refusal : mo_spring_check(&motor->gains);
  if (refusal.argument) {
    return refusal;
  }
  if (!mo_v3_is_finite(motor->target_position)) {
    return (mo_constraint_refusal){"target_position", "must be finite", motor->target_position.x};
  }
  double norm = mo_quat_norm_squared(motor->target_orientation);
  return norm > 0.0 && mo_is_finite(norm)
             ? (mo_constraint_refusal){0}
             : (mo_constraint_refusal){"target_orientation", "must be finite and not zero", norm};
}

static mo_constraint_refusal check(const mo_constraint_def *def) {
  return mo_pose_motor_check(&def->pose_motor);
}

static void init(mo_constraint *c, const mo_constraint_def *def, const mo_constraint_place *at) {
  (void)at;
  mo_constraint_set_pose(c, &def->pose_motor);
  if (def->has_reference) {
    mo_quat target = def->pose_motor.target_orientation;
    c->pose_motor.target_orientation = mo_quat_keep_unit(target);
  }
}

void mo_constraint_set_pose(mo_constraint *c, const mo_pose_motor *motor) {
  c->pose_motor = *motor;
  c->pose_motor.target_orientation = mo_quat_normalize(motor->target_orientation);
}

// --- rows ------------------------------------------------------------------------------------

// From where B's anchor is to be, to where it is.
static mo_vec3 linear_error(const mo_constraint *c, const mo_constraint_place *at) {
  mo_vec3 target = mo_quat_rotate(at->a.orientation, c->pose_motor.target_position);
  return c->pose_motor.has_position ? mo_sub(mo_anchors_at(c, at).offset, target) : mo_v3_zero();
}

// The rotation that takes the orientation that B is to have to the one that it has.
static mo_vec3 angular_error(const mo_constraint *c, const mo_constraint_place *at) {
  mo_quat target = mo_quat_mul(at->a.orientation, c->pose_motor.target_orientation);
  mo_quat turn = mo_quat_mul(at->b.orientation, mo_quat_conjugate(target));
  return c->pose_motor.has_orientation ? mo_quat_log(turn) : mo_v3_zero();
}

static mo_constraint_failure evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_put_vec3(mo_put_vec3(out, 1.0, linear_error(c, at)), 1.0, angular_error(c, at));
  return NULL;
}

static mo_constraint_failure jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  const mo_vec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  for (int i = 0; i < 3; i++) {
    out = mo_put_row(out, 1.0, mo_offset_row(&anchors, axes[i], true));
  }
  for (int i = 0; i < 3; i++) {
    out =
        mo_put_row(out, 1.0, (mo_jacobian_row){.angular_a = mo_neg(axes[i]), .angular_b = axes[i]});
  }
  return NULL;
}

// --- laws ------------------------------------------------------------------------------------

// Three of its rows: the force, or the torque.
typedef struct part {
  mo_vec3 error, rate;       // at the start of the step
  mo_vec3 last;              // the impulse of the last step
  double mass, most;         // effective; the most impulse of a step
  double stiffness, damping; // zeros: rigid
  uint32_t substeps;         // 1: the step is one push
} part;

static mo_vec3 anchor_rate(const mo_constraint *c, const mo_constraint_place *at) {
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_vec3 on_a = mo_cross(at->a.angular_velocity, mo_add(anchors.arm_a, anchors.offset));
  mo_vec3 on_b = mo_cross(at->b.angular_velocity, anchors.arm_b);
  return mo_sub(mo_add(at->b.linear_velocity, on_b), mo_add(at->a.linear_velocity, on_a));
}

static part part_of(const mo_constraint *c, const mo_constraint_place *at, bool turns,
                    const mo_constraint_settings *settings) {
  const mo_pose_motor *motor = &c->pose_motor;
  bool has_target = turns ? motor->has_orientation : motor->has_position;
  double mass = turns ? c->angular_mass : c->linear_mass;
  return (part){.error = turns ? angular_error(c, at) : linear_error(c, at),
                .rate = turns ? mo_sub(at->b.angular_velocity, at->a.angular_velocity)
                              : anchor_rate(c, at),
                .last = mo_get_vec3(&c->impulses[turns ? 3 : 0]),
                .mass = mass,
                .most = settings->dt * (turns ? motor->max_torque : motor->max_force),
                .stiffness = has_target ? mo_spring_stiffness(&motor->gains, mass) : 0.0,
                .damping = has_target ? mo_spring_damping(&motor->gains, mass) : 0.0,
                .substeps = settings->substeps > 1 ? settings->substeps : 1};
}

// --- motors without gains --------------------------------------------------------------------
//
// A force at anchors off the centres of mass turns the bodies too, and torques move the anchors. So
// what the force has to move depends on what the torque holds, and the other way round.

// What a part of a motor without gains is to do.
typedef struct aim {
  mo_vec3 velocity; // that it is to have
  mo_vec3 change;   // the impulse that gives it this velocity, with that of the other part
} aim;

// One without a target is a brake.
static aim brake_of(const part *p) {
  return (aim){.velocity = mo_v3_zero(), .change = mo_scale(-p->mass, p->rate)};
}

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
static void find_mobility_of_masses(const part *p, mobility *out) {
  for (int i = 0; i < 3; i++) {
    out->rows[i][i] = p->mass > 0.0 && p->most > 0.0 ? 1.0 / p->mass : 0.0;
  }
}

static void find_mobility_of_rows(const mo_constraint *c, const mo_constraint_place *at,
                                  const mo_row_body bodies[MO_ROW_SIDES], bool has_force,
                                  mobility *out) {
  double rows[6][MO_JACOBIAN_COLUMNS];
  jacobian(c, at, rows[0]);
  for (int i = has_force ? 0 : 3; i < 6; i++) {
    for (int k = has_force ? 0 : 3; k < 6; k++) {
      out->rows[i][k] = mo_constraint_coupling(c, rows[i], rows[k], bodies);
    }
  }
}

static mobility mobility_of(const mo_constraint *c, const mo_constraint_place *at,
                            const mo_row_body bodies[MO_ROW_SIDES], const part parts[2]) {
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
    const double *row = &m->rows[3 * (1 - turns) + i][3 * turns];
    squared += mo_length_squared(impulse_alone(m, turns, mo_get_vec3(row)));
  }
  return sqrt(squared);
}

// The angular acceleration by which a body without torques keeps its angular momentum. Locks of
// rotation, which leave no inertia to invert, bear the torque.
static mo_vec3 gyroscopic(const mo_row_body *body, mo_vec3 spin) {
  mo_mat3 inverse = body->inverse_inertia;
  if (!(mo_mat3_determinant(inverse) > 0.0)) {
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

static double quotient(double most, double needed) {
  return needed > 0.0 ? most / needed : INFINITY;
}

// The part of an impulse that another deceleration takes.
static double share(double needed, double deceleration, double most) {
  double impulse = needed > 0.0 && most < INFINITY ? needed * deceleration : 0.0;
  return impulse > 0.0 ? impulse / most : 0.0;
}

// The deceleration that a part can count on, whatever the other one does with its bounded impulse.
static double sure_deceleration(const mobility *m, const part parts[2], int turns, double left,
                                mo_vec3 direction, double dt) {
  double other = parts[1 - turns].most, arm = other > 0.0 ? lever(m, turns) : 0.0;
  double sure = left - (arm > 0.0 ? arm * other : 0.0);
  return quotient(sure / dt, mo_length(impulse_alone(m, turns, direction)));
}

// What a part can do: with the other one, which moves as it is told, and with it out of the way.
typedef struct braking {
  mo_vec3 pushes[2]; // of both parts, for a unit of velocity along the way
  double left;       // of the most impulse of a step
  double together;   // m/s^2 or rad/s^2
} braking;

static braking braking_of(const mobility *m, const part parts[2], int turns, mo_vec3 load,
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
static double asked_deceleration(const braking *b, const part *p, double dt) {
  return mo_min(b->together, (mo_length(p->rate) + mo_length(p->error) / dt) / dt);
}

// The most with which the parts can slow down both at once, along their ways.
static void find_decelerations(const mobility *m, const part parts[2], const mo_vec3 directions[2],
                               const braking b[2], double dt, double out[2]) {
  double taken = 0.0;
  for (int i = 0; i < 2; i++) {
    double asked = asked_deceleration(&b[i], &parts[i], dt);
    taken = mo_max(taken, share(mo_length(b[i].pushes[1 - i]), asked, b[1 - i].left / dt));
  }
  for (int i = 0; i < 2; i++) {
    out[i] = mo_max(b[i].together / (1.0 + taken),
                    sure_deceleration(m, parts, i, b[i].left, directions[i], dt));
  }
}

// It arrives within the step, and from further away is no faster than it can brake.
static mo_vec3 arriving_velocity(const part *p, mo_vec3 direction, double deceleration,
                                 double acceleration, double dt) {
  mo_arrival arrival = {.way = mo_length(p->error),
                        .rate = mo_dot(p->rate, direction),
                        .deceleration = deceleration,
                        .dt = dt,
                        .substeps = p->substeps};
  double speed = mo_min(mo_arriving_speed(&arrival), arrival.rate + dt * acceleration);
  return mo_is_finite(speed) ? mo_scale(speed, direction) : mo_v3_zero();
}

static void find_aims(const mo_constraint *c, const mo_constraint_place *at,
                      const mo_row_body bodies[MO_ROW_SIDES], const part parts[2], double dt,
                      aim out[2]) {
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
  for (int i = 0; i < 2; i++) {
    double alone = i == 0
                       ? INFINITY
                       : quotient(b[i].left / dt, mo_length(impulse_alone(&m, i, directions[i])));
    out[i].velocity = arriving_velocity(&parts[i], directions[i], decelerations[i], alone, dt);
    changes[i] = mo_sub(out[i].velocity, parts[i].rate);
  }
  find_impulses(&m, changes, impulses);
  for (int i = 0; i < 2; i++) {
    out[i].change = impulses[i];
  }
}

// --- bounds of impulses ----------------------------------------------------------------------

// The impulse of the last step, as far as a load needed it. What was against the change that is
// wanted now, and less than twice of it, has sped up the motion that is to end: together they would
// seem to need hardly any impulse where braking needs all that there is.
static mo_vec3 load_of(const part *p, mo_vec3 change) {
  double along = mo_dot(p->last, change), squared = mo_dot(change, change);
  bool is_reversed = along < 0.0 && along > -2.0 * squared;
  return is_reversed ? mo_add_scaled(p->last, -along / squared, change) : p->last;
}

static mo_vec3 wanted_impulse(const part *p, mo_vec3 change, double dt) {
  double firmness = p->damping + dt * p->stiffness;
  if (firmness > 0.0) {
    mo_vec3 pull = mo_scale(-dt * p->stiffness, p->error);
    return mo_add_scaled(pull, -dt * firmness, p->rate);
  }
  // In soft-step the first substep is to make the change, with its part of the impulse.
  mo_vec3 all = mo_scale(p->substeps, change);
  return mo_add(load_of(p, all), all);
}

static double component(mo_vec3 v, uint32_t axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// Half the edge of the box along an axis.
static double bound_of(const part *p, mo_vec3 wanted, uint32_t axis) {
  double along = component(wanted, axis), length = mo_length(wanted);
  if (!(p->most < INFINITY)) {
    return INFINITY;
  }
  if (length >= p->most) {
    return length > 0.0 ? fabs(along) * (p->most / length) : 0.0;
  }
  return sqrt(along * along + (p->most * p->most - length * length) / 3.0);
}

static void apply_law(const mo_constraint *c, const mo_constraint_place *at, uint32_t row,
                      const mo_row_body bodies[MO_ROW_SIDES],
                      const mo_constraint_settings *settings, mo_row *to, mo_row_block *block) {
  uint32_t axis = row % 3;
  bool turns = row >= 3;
  double dt = settings->dt;
  part p = part_of(c, at, turns, settings);
  double firmness = p.damping + dt * p.stiffness;
  aim aims[2] = {brake_of(&p), brake_of(&p)};
  if (mo_constraint_arrives(c)) {
    const part parts[2] = {part_of(c, at, false, settings), part_of(c, at, true, settings)};
    find_aims(c, at, bodies, parts, dt, aims);
  }
  const aim *aimed = &aims[turns];
  if (firmness > 0.0) {
    to->bias = p.stiffness * component(p.error, axis) / firmness;
    to->softening = 1.0 / (dt * firmness);
  } else {
    to->bias = -component(aimed->velocity, axis);
  }
  to->plastic_bias = to->bias;
  block->upper = bound_of(&p, wanted_impulse(&p, aimed->change, dt), axis);
  block->lower = -block->upper;
  block->bound = block->upper < INFINITY ? MO_BOUND_BOX : MO_BOUND_BILATERAL;
  block->arrives = mo_constraint_arrives(c);
  block->holds_position = false;
}

const mo_constraint_class mo_motor_class = {.name = "motor",
                                            .check = check,
                                            .init = init,
                                            .dimension = 6,
                                            .makes_rows = true,
                                            .evaluate = evaluate,
                                            .jacobian = jacobian,
                                            .apply_law = apply_law,
                                            .drawing = MO_DRAW_ANCHORS | MO_DRAW_FRAMES};
