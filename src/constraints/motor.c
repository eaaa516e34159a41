/// A motor between two bodies: it brings B to a pose relative to A, or brakes, with a force and a
/// torque of bounded length.
///
/// Its rows are along and about the axes of the world, with box bounds. The box of a step is the
/// one inscribed in the ball of the impulses that are allowed, whose corner lies towards the
/// impulse that is expected: that of the last step and what the velocities at the start of this one
/// ask for. So the length is never more than allowed, and all of it is there along the direction
/// that is needed.
#include "constraints/constraint_class.h"
#include "constraints/constraint_table.h"
#include "constraints/drives.h"
#include "constraints/pose_arrival.h"

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

static mo_vec3 anchor_rate(const mo_constraint *c, const mo_constraint_place *at) {
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_vec3 on_a = mo_cross(at->a.angular_velocity, mo_add(anchors.arm_a, anchors.offset));
  mo_vec3 on_b = mo_cross(at->b.angular_velocity, anchors.arm_b);
  return mo_sub(mo_add(at->b.linear_velocity, on_b), mo_add(at->a.linear_velocity, on_a));
}

static mo_motor_part part_of(const mo_constraint *c, const mo_constraint_place *at, bool turns,
                             const mo_constraint_settings *settings) {
  const mo_pose_motor *motor = &c->pose_motor;
  bool has_target = turns ? motor->has_orientation : motor->has_position;
  double mass = turns ? c->angular_mass : c->linear_mass;
  return (mo_motor_part){.error = turns ? angular_error(c, at) : linear_error(c, at),
                         .rate = turns ? mo_sub(at->b.angular_velocity, at->a.angular_velocity)
                                       : anchor_rate(c, at),
                         .last = mo_get_vec3(&c->impulses[turns ? 3 : 0]),
                         .mass = mass,
                         .most = settings->dt * (turns ? motor->max_torque : motor->max_force),
                         .stiffness = has_target ? mo_spring_stiffness(&motor->gains, mass) : 0.0,
                         .damping = has_target ? mo_spring_damping(&motor->gains, mass) : 0.0,
                         .substeps = settings->substeps > 1 ? settings->substeps : 1};
}

// One without a target is a brake.
static mo_motor_aim brake_of(const mo_motor_part *p) {
  return (mo_motor_aim){.velocity = mo_v3_zero(), .change = mo_scale(-p->mass, p->rate)};
}

static mo_motor_aim aim_of(const mo_constraint *c, const mo_constraint_place *at, bool turns,
                           const mo_row_body bodies[MO_ROW_SIDES],
                           const mo_constraint_settings *settings) {
  const mo_motor_part parts[2] = {part_of(c, at, false, settings), part_of(c, at, true, settings)};
  mo_motor_aim aims[2] = {brake_of(&parts[0]), brake_of(&parts[1])};
  if (mo_constraint_arrives(c)) {
    mo_pose_arrival(c, at, bodies, parts, settings->dt, aims);
  }
  return aims[turns];
}

// The impulse of the last step, as far as a load needed it. What was against the change that is
// wanted now, and less than twice of it, has sped up the motion that is to end: together they would
// seem to need hardly any impulse where braking needs all that there is.
static mo_vec3 load_of(const mo_motor_part *p, mo_vec3 change) {
  double along = mo_dot(p->last, change), squared = mo_dot(change, change);
  bool is_reversed = along < 0.0 && along > -2.0 * squared;
  return is_reversed ? mo_add_scaled(p->last, -along / squared, change) : p->last;
}

static mo_vec3 wanted_impulse(const mo_motor_part *p, mo_vec3 change, double dt) {
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
static double bound_of(const mo_motor_part *p, mo_vec3 wanted, uint32_t axis) {
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
  mo_motor_part p = part_of(c, at, turns, settings);
  mo_motor_aim aim = aim_of(c, at, turns, bodies, settings);
  double firmness = p.damping + dt * p.stiffness;
  if (firmness > 0.0) {
    to->bias = p.stiffness * component(p.error, axis) / firmness;
    to->softening = 1.0 / (dt * firmness);
  } else {
    to->bias = -component(aim.velocity, axis);
  }
  to->plastic_bias = to->bias;
  block->upper = bound_of(&p, wanted_impulse(&p, aim.change, dt), axis);
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
