#include "solvers/soft_step/soft_step.h"

#include "parallel/parallel.h"
#include "solvers/soft_step/contact_groups.h"
#include "solvers/soft_step/soft_joints.h"

/// The spring of a contact follows at least this many substeps per period, or it would fight the
/// steps instead of the overlap.
#define SUBSTEPS_PER_PERIOD 5.0
/// m and rad per substep, in a step with joints.
#define LARGEST_WAY 10.0f
#define LARGEST_TURN 1.5f
/// Frequency of a contact of two moving bodies in terms of settings.contact_hertz. A tall stack of
/// soft contacts buckles under its own weight like a column (Euler 1744), so they are as stiff as
/// four substeps of 1/240 s can bear.
#define MOVING_STIFFNESS 1.6
/// Points carry friction up to this many slops of separation.
#define MARGIN_SLOPS 8.0
/// m: where there is no slop.
#define LEAST_MARGIN 0.02
/// Groups and bodies that a thread takes at a time.
#define GROUPS_AT_ONCE 32u
#define BODIES_AT_ONCE 512u

// --- softness --------------------------------------------------------------------------------

/// A spring-damper of a frequency and a damping ratio, solved implicitly with the step h, as the
/// speed it pushes with per metre and the share of the rigid impulse that it takes (Catto 2011,
/// "Soft Constraints", with the mass of the constraint itself).
static void set_softness(double hertz, double damping, double h, float *push_rate,
                         float *softness) {
  double omega = 2.0 * MO_PI * hertz;
  double a1 = 2.0 * damping + h * omega, a2 = h * omega * a1;
  *push_rate = hertz > 0.0 ? (float)(omega / a1) : 0.0f;
  *softness = hertz > 0.0 ? (float)(a2 / (1.0 + a2)) : 0.0f;
}

static mo_contact_solve contact_solve(const mo_soft_step *step, double h) {
  const mo_soft_settings *settings = &step->settings;
  double hertz =
      mo_min(MOVING_STIFFNESS * settings->contact_hertz, 1.0 / (SUBSTEPS_PER_PERIOD * h));
  mo_contact_solve solve = {.step = step,
                            .inverse_h = (float)(1.0 / h),
                            .warm_scale = (float)settings->impulse_scale,
                            .push_limit = (float)settings->max_correction_speed,
                            .restitution_threshold = (float)settings->restitution_threshold,
                            .friction_margin =
                                (float)mo_max(MARGIN_SLOPS * settings->linear_slop, LEAST_MARGIN)};
  set_softness(hertz, settings->contact_damping, h, &solve.push_rate, &solve.softness);
  // what is built on a body that nothing moves must not sag into it
  set_softness(2.0 * hertz, 0.5 * settings->contact_damping, h, &solve.static_push_rate,
               &solve.static_softness);
  return solve;
}

// --- bodies ----------------------------------------------------------------------------------

typedef enum body_stage { FIRST_SUBSTEP, LATER_SUBSTEP } body_stage;

/// Velocities += forces + warm start of the contacts. All geometry being frozen, the impulses that
/// a substep starts with would change a body's velocity by exactly what contacts changed it by in
/// the substep before: that is kept instead of being summed up again.
static void start_substep(const mo_contact_solve *solve, body_stage stage, uint32_t first,
                          uint32_t last) {
  for (uint32_t i = first; i < last; i++) {
    mo_soft_body *body = &solve->step->bodies[i];
    mo_soft_carry *carry = &solve->carry[i];
    const mo_soft_mass *mass = &solve->step->masses[i];
    mo_f32x4 v = mo_f32x4_load(body->linear_velocity), w = mo_f32x4_load(body->angular_velocity);
    mo_f32x4 dv = mo_f32x4_load(carry->linear), dw = mo_f32x4_load(carry->angular);
    if (stage == LATER_SUBSTEP) {
      dv = v - dv;
      dw = w - dw;
    }
    v += mo_f32x4_load(mass->linear_gain);
    w += mo_f32x4_load(mass->angular_gain);
    mo_f32x4_store(carry->linear, v);
    mo_f32x4_store(carry->angular, w);
    mo_f32x4_store(body->linear_velocity, v + dv);
    mo_f32x4_store(body->angular_velocity, w + dw);
  }
}

/// Scales a row of three down to a length of `limit`.
static mo_f32x4 limited(mo_f32x4 row, float limit) {
  mo_f32x4 square = row * row;
  float squared = square[0] + square[1] + square[2];
  if (squared > limit * limit) {
    row *= mo_f32x4_splat(limit / sqrtf(squared));
  }
  return row;
}

/// Brings a body that joints have torn at back to speeds that the next substep can follow: a
/// safety, not physics.
static void limit_velocities(const mo_soft_step *step, float h, uint32_t i) {
  mo_soft_body *body = &step->bodies[i];
  if (step->joints && step->masses[i].inverse_mass > 0.0f) {
    mo_f32x4_store(body->linear_velocity,
                   limited(mo_f32x4_load(body->linear_velocity), LARGEST_WAY / h));
    mo_f32x4_store(body->angular_velocity,
                   limited(mo_f32x4_load(body->angular_velocity), LARGEST_TURN / h));
  }
}

/// Ways += h velocities.
static void move(const mo_soft_step *step, float h, uint32_t first, uint32_t last) {
  mo_f32x4 by = mo_f32x4_splat(h);
  for (uint32_t i = first; i < last; i++) {
    mo_soft_body *body = &step->bodies[i];
    limit_velocities(step, h, i);
    mo_f32x4_store(body->displacement,
                   mo_f32x4_load(body->displacement) + by * mo_f32x4_load(body->linear_velocity));
    mo_f32x4_store(body->rotation,
                   mo_f32x4_load(body->rotation) + by * mo_f32x4_load(body->angular_velocity));
  }
}

/// Adds `sign` times the velocities to the carry: before and after joints, whose share is no
/// contact's.
static void carry_velocities(const mo_contact_solve *solve, float sign, uint32_t first,
                             uint32_t last) {
  mo_f32x4 by = mo_f32x4_splat(sign);
  for (uint32_t i = first; i < last; i++) {
    const mo_soft_body *body = &solve->step->bodies[i];
    mo_soft_carry *carry = &solve->carry[i];
    mo_f32x4_store(carry->linear,
                   mo_f32x4_load(carry->linear) + by * mo_f32x4_load(body->linear_velocity));
    mo_f32x4_store(carry->angular,
                   mo_f32x4_load(carry->angular) + by * mo_f32x4_load(body->angular_velocity));
  }
}

/// What is done to all bodies. Index 0 takes part and stays zero.
typedef struct body_pass {
  const mo_contact_solve *solve;
  body_stage stage;
  float factor; ///< s: of `move`; sign: of `carry_velocities`
} body_pass;

static void start_range(void *context, uint32_t first, uint32_t last) {
  const body_pass *pass = context;
  start_substep(pass->solve, pass->stage, first, last);
}

static void move_range(void *context, uint32_t first, uint32_t last) {
  const body_pass *pass = context;
  move(pass->solve->step, pass->factor, first, last);
}

static void carry_range(void *context, uint32_t first, uint32_t last) {
  const body_pass *pass = context;
  carry_velocities(pass->solve, pass->factor, first, last);
}

static void run_bodies(body_pass pass, mo_range_function *function) {
  mo_parallel_for(pass.solve->step->body_count, BODIES_AT_ONCE, function, &pass);
}

static void solve_joints(const mo_contact_solve *solve, mo_soft_step *step, bool with_bias) {
  if (step->joints) {
    run_bodies((body_pass){.solve = solve, .factor = -1.0f}, carry_range);
    mo_soft_joints_solve(step->joints, step, with_bias);
    run_bodies((body_pass){.solve = solve, .factor = 1.0f}, carry_range);
  }
}

// --- the step --------------------------------------------------------------------------------

typedef void contact_stage(mo_contact_solve *solve, uint32_t colour, uint32_t first, uint32_t last);

typedef struct group_pass {
  mo_contact_solve *solve;
  contact_stage *stage;
  uint32_t colour;
} group_pass;

static void run_groups(void *context, uint32_t first, uint32_t last) {
  const group_pass *pass = context;
  pass->stage(pass->solve, pass->colour, first, last);
}

/// Runs a stage on all groups, colour by colour, the last one in order.
static void run(mo_contact_solve *solve, contact_stage *stage) {
  group_pass pass = {solve, stage, 0};
  for (; pass.colour + 1 < MO_SOFT_COLOURS; pass.colour++) {
    mo_parallel_for(solve->colours[pass.colour].count, GROUPS_AT_ONCE, run_groups, &pass);
  }
  stage(solve, pass.colour, 0, solve->colours[pass.colour].count);
}

bool mo_soft_step_solve(mo_soft_step *step) {
  uint32_t substeps = step->settings.substeps;
  double h = step->settings.dt / substeps;
  mo_contact_solve *solve = step->contacts = MO_ARENA_TAKE(step->arena, mo_contact_solve, 1);
  if (!solve) {
    return false;
  }
  *solve = contact_solve(step, h);
  if (!mo_contacts_lay_out(solve, step) ||
      (step->joints && !mo_soft_joints_prepare(step->joints, step))) {
    return false;
  }
  for (uint32_t i = 0; i < step->body_count; i++) {
    mo_f32x4_store(step->bodies[i].displacement, mo_f32x4_zero());
    mo_f32x4_store(step->bodies[i].rotation, mo_f32x4_zero());
  }
  run(solve, mo_contacts_prepare);
  for (uint32_t i = 0; i < substeps; i++) {
    body_stage stage = i == 0 ? FIRST_SUBSTEP : LATER_SUBSTEP;
    run_bodies((body_pass){.solve = solve, .stage = stage}, start_range);
    solve_joints(solve, step, true);
    run(solve, mo_contacts_solve_biased);
    run_bodies((body_pass){.solve = solve, .factor = (float)h}, move_range);
    solve_joints(solve, step, false);
    run(solve, mo_contacts_relax);
  }
  run(solve, mo_contacts_restitute);
  for (uint32_t i = 1; i < step->body_count; i++) {
    limit_velocities(step, (float)h, i);
  }
  return true;
}

void mo_soft_step_store(mo_soft_step *step) {
  run(step->contacts, mo_contacts_store);
  if (step->joints) {
    mo_soft_joints_store(step->joints, step);
  }
}
