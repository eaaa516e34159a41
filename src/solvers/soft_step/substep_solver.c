#include "solvers/soft_step/substep_solver.h"

#include "dynamics/rotation.h"
#include "parallel/parallel.h"
#include "solvers/soft_step/contacts/contact_surface.h"
#include "solvers/soft_step/joint_closing.h"
#include "solvers/soft_step/joints/joint_softness.h"
#include "solvers/soft_step/substep_hertz.h"
#include "solvers/soft_step/substep_joints.h"
#include "solvers/soft_step/touched_bodies.h"

#include <string.h>

/// m per substep: the largest displacement of a body in joints.
#define LARGEST_DISPLACEMENT 10.0f
// rad per substep: its largest rotation.
#define LARGEST_TURN 1.5f
/// Separation in slops up to which points carry friction.
#define MARGIN_SLOPS 8.0
/// m: that separation in a world without slop.
#define LEAST_MARGIN 0.02
/// Further sweeps over the contacts of what is carried, before it moves in a substep.
///
/// Friction of the last substep would leave what is carried behind, by what the place of each body
/// gains less or more than in that one: on a turntable always to the same side. The first substep
/// in which a carrier speeds up needs friction of all bodies that rest on it at once, and friction
/// below a centre of mass tips a body back until the normals stop that. A sweep leaves some 0.6 of
/// the error of a cube on a cube, and 0.9 of what a light body under a heavy one transmits.
#define CARRIED_SWEEPS 7

// --- softness --------------------------------------------------------------------------------

/// The spring-damper of a contact.
static mo_contact_spring spring(const mo_substep_settings *settings, double hertz, double damping) {
  if (!(hertz > 0.0)) {
    return (mo_contact_spring){.stiffness = INFINITY};
  }
  mo_joint_softness softness = mo_joint_softness_spring(settings, hertz, damping);
  float compliance = softness.impulse_scale / softness.mass_scale;
  return (mo_contact_spring){.push_rate = softness.bias_rate,
                             .softness = softness.mass_scale,
                             .compliance = compliance,
                             .stiffness = 1.0f / compliance};
}

/// Contacts keep the impulse of a substep, which lasts longer if the last step had fewer of them.
static double substep_ratio(const mo_substep_settings *settings) {
  return settings->last_substeps > 0 ? (double)settings->last_substeps / settings->substeps : 1.0;
}

static mo_contact_solve contact_solve(const mo_substep_solver *step, double h) {
  const mo_substep_settings *settings = &step->settings;
  double hertz = mo_substep_contact_hertz(settings, h);
  mo_contact_solve solve = {
      .step = step,
      .inverse_h = (float)(1.0 / h),
      .warm_scale = (float)(settings->impulse_scale * substep_ratio(settings)),
      .push_limit = (float)settings->max_correction_speed,
      .restitution_threshold = (float)settings->restitution_threshold,
      .friction_margin =
          (float)mo_max(MARGIN_SLOPS * settings->linear_slop, LEAST_MARGIN * settings->metre)};
  // A slop per step. What trembles at rest parts a hundred times as slowly, what a jam lets go by
  // up to a few metres per second.
  solve.parting_speed = (float)((double)solve.friction_margin / MARGIN_SLOPS / settings->dt);
  solve.spring = spring(settings, hertz, settings->contact_damping);
  return solve;
}

// --- bodies ----------------------------------------------------------------------------------

typedef enum body_stage { FIRST_SUBSTEP, LATER_SUBSTEP } body_stage;

typedef struct velocity_limit {
  float most, third_of_square;
} velocity_limit;

/// A pass over all bodies. Index 0 takes part and stays zero. A range begins with a copy of it, or
/// its pointers would be read again after every write to a body.
typedef struct body_pass {
  const mo_contact_solve *solve;
  mo_solver_body *bodies;
  const mo_solver_mass *masses;
  const mo_solver_loss *losses;
  mo_substep_spin *spins;
  mo_substep_carry *carry;
  body_stage stage;
  float h;
  float sign; ///< of what the carry gets
  bool has_contacts;
  const bool *in_joints; ///< per body, so that none feels joints of others; null: there are none
  const bool *touched;   ///< per body: it has contacts; null: there are no joints, or no contacts
  velocity_limit speed, spin; ///< m/s, rad/s: of bodies in joints
} body_pass;

static inline bool is_joined(const body_pass *pass, uint32_t i) {
  return pass->in_joints && pass->in_joints[i];
}

/// Whether both joints and contacts change the velocity of a body, so that its carry is to leave
/// out what joints do.
static inline bool is_shared(const body_pass *pass, uint32_t i) {
  return is_joined(pass, i) && pass->touched && pass->touched[i];
}

static mo_vec3 vec3_of(mo_f32x4 row) { return mo_v3(row[0], row[1], row[2]); }

/// The gyroscopic change of a body's spin in a substep, rad/s. Like all geometry, its axes are
/// those of the start of the step. So the spin is what it would be if the body had not turned
/// since, and keeps its energy. At the end of the step it turns with the body.
static mo_f32x4 turn_in_frozen_axes(const mo_solver_mass *mass, mo_f32x4 spin, float h) {
  mo_mat3 inverse = mo_solver_inverse_inertia(mass);
  mo_mass in_axes = {.inertia = mo_mat3_inverse(inverse), .inverse_inertia = inverse};
  mo_motion motion = {.orientation = mo_quat_identity(), .angular_velocity = vec3_of(spin)};
  mo_vec3 end = mo_integrate_rotation(&in_axes, &motion, mo_v3_zero(), (double)h);
  return mo_row_of(mo_sub(end, motion.angular_velocity));
}

/// Its change by the rule of body `i`.
MO_APART mo_f32x4 turn_of_spin(const body_pass *pass, uint32_t i, mo_f32x4 spin) {
  if (pass->masses[i].spin_rule == MO_SPIN_IN_FROZEN_AXES) {
    return turn_in_frozen_axes(&pass->masses[i], spin, pass->h);
  }
  mo_vec3 now = vec3_of(spin);
  return mo_row_of(mo_sub(mo_substep_spin_begin(&pass->spins[i], now, (double)pass->h), now));
}

/// Velocities += forces + warm start of the contacts. Because all geometry is frozen, the impulses
/// from which a substep starts change a body's velocity by exactly as much as contacts did in the
/// substep before. That change is kept in the carry instead of being summed again. Changes by
/// joints in between are excluded: the carry loses the velocity before them and gains the velocity
/// after them.
static void start_range(void *context, uint32_t first, uint32_t last) {
  const body_pass copy = *(const body_pass *)context, *pass = &copy;
  for (uint32_t i = first; i < last; i++) {
    mo_solver_body *body = &pass->bodies[i];
    mo_f32x4 v = mo_f32x4_load(body->linear_velocity), w = mo_f32x4_load(body->angular_velocity);
    mo_f32x4 started_v = v, started_w = w;
    mo_add_forces(pass->masses, pass->losses, i, &started_v, &started_w);
    if (pass->masses[i].spin_rule != MO_SPIN_BY_GAIN) {
      started_w += turn_of_spin(pass, i, w);
    }
    if (pass->has_contacts && (!is_joined(pass, i) || is_shared(pass, i))) {
      mo_substep_carry *carry = &pass->carry[i];
      mo_f32x4 dv = mo_f32x4_load(carry->linear), dw = mo_f32x4_load(carry->angular);
      if (pass->stage == LATER_SUBSTEP) {
        dv = v - dv;
        dw = w - dw;
      }
      v = started_v;
      w = started_w;
      started_v += dv;
      started_w += dw;
      if (is_joined(pass, i)) {
        v -= started_v;
        w -= started_w;
      }
      mo_f32x4_store(carry->linear, v);
      mo_f32x4_store(carry->angular, w);
    }
    mo_f32x4_store(body->linear_velocity, started_v);
    mo_f32x4_store(body->angular_velocity, started_w);
  }
}

static velocity_limit limit_of(float most) {
  return (velocity_limit){most, most * most * (1.0f / 3.0f)};
}

/// Whether a row of three may be longer than a limit: some of its numbers is above the limit by the
/// root of three.
static mo_i32x4 may_exceed(mo_f32x4 row, velocity_limit limit) {
  return row * row > mo_f32x4_splat(limit.third_of_square);
}

/// Scales a row of three down to a limit.
static mo_f32x4 limited(mo_f32x4 row, velocity_limit limit) {
  mo_f32x4 square = row * row;
  float squared = square[0] + square[1] + square[2];
  if (mo_i32x4_bits(may_exceed(row, limit)) != 0 && squared > limit.most * limit.most) {
    row *= mo_f32x4_splat(limit.most / sqrtf(squared));
  }
  return row;
}

/// Limits the speed of a body in joints to what the next substep can follow. This is a safety
/// measure, not physics, and few bodies need it.
static inline void limit_velocities(const body_pass *pass, uint32_t i) {
  mo_solver_body *body = &pass->bodies[i];
  mo_f32x4 v = mo_f32x4_load(body->linear_velocity), w = mo_f32x4_load(body->angular_velocity);
  mo_i32x4 exceeds = may_exceed(v, pass->speed) | may_exceed(w, pass->spin);
  if (mo_i32x4_bits(exceeds) != 0 && pass->masses[i].inverse_mass > 0.0f) {
    mo_f32x4_store(body->linear_velocity, limited(v, pass->speed));
    mo_f32x4_store(body->angular_velocity, limited(w, pass->spin));
  }
}

/// Displacement and rotation += h velocities.
static inline void move_body(const body_pass *pass, uint32_t i) {
  mo_solver_body *body = &pass->bodies[i];
  mo_f32x4 h = mo_f32x4_splat(pass->h), w = mo_f32x4_load(body->angular_velocity);
  mo_f32x4_store(body->displacement,
                 mo_f32x4_load(body->displacement) + h * mo_f32x4_load(body->linear_velocity));
  mo_f32x4 turn = mo_f32x4_load(body->rotation) + h * w;
  if (pass->masses[i].spin_rule == MO_SPIN_BY_MOMENTUM) {
    turn = mo_row_of(mo_substep_spin_turn(&pass->spins[i], vec3_of(w), (double)pass->h));
  }
  mo_f32x4_store(body->rotation, turn);
}

static void move_range(void *context, uint32_t first, uint32_t last) {
  const body_pass copy = *(const body_pass *)context, *pass = &copy;
  for (uint32_t i = first; i < last; i++) {
    if (is_joined(pass, i)) {
      limit_velocities(pass, i);
    }
    move_body(pass, i);
  }
}

static void carry_range(void *context, uint32_t first, uint32_t last) {
  const body_pass copy = *(const body_pass *)context, *pass = &copy;
  for (uint32_t i = first; i < last; i++) {
    if (is_shared(pass, i)) {
      mo_carry_velocities(&pass->carry[i], &pass->bodies[i], pass->sign);
    }
  }
}

static void run_bodies(body_pass *pass, mo_range_function *function) {
  mo_parallel_for(pass->solve->step->body_count, MO_BODIES_AT_ONCE, function, pass);
}

/// Adds `sign` times the velocities of the bodies that both joints and contacts change to the
/// carry.
static void carry_bodies(body_pass *pass, float sign) {
  pass->sign = sign;
  run_bodies(pass, carry_range);
}

static void mean_range(void *context, uint32_t first, uint32_t last) {
  const body_pass *pass = context;
  for (uint32_t i = first; i < last; i++) {
    mo_mean_start(pass->solve, i);
  }
}

static void solve_joints(body_pass *pass, mo_substep_solver *step, bool with_bias) {
  if (step->joints) {
    mo_substep_joints_solve(step->joints, step, with_bias);
    if (pass->touched) {
      carry_bodies(pass, 1.0f);
    }
  }
}

// --- the step --------------------------------------------------------------------------------

typedef void contact_stage(mo_contact_solve *solve, uint32_t first, uint32_t last);

typedef struct group_pass {
  mo_contact_solve *solve;
  contact_stage *stage;
  uint32_t first; ///< group at which the range starts to count
} group_pass;

static void run_groups(void *context, uint32_t first, uint32_t last) {
  const group_pass *pass = context;
  pass->stage(pass->solve, pass->first + first, pass->first + last);
}

/// The first group of each colour of a section; after the last section comes the number of groups.
static const uint32_t *firsts_of(const mo_contact_solve *solve, uint32_t section) {
  return &solve->firsts[(size_t)section * MO_SUBSTEP_COLOURS];
}

static void run_blocks(void *context, uint32_t first, uint32_t last) {
  const group_pass *pass = context;
  pass->stage(pass->solve, *firsts_of(pass->solve, first), *firsts_of(pass->solve, last));
}

/// Runs the colours of a section one after the other, of which a small world has few.
static void run_section(group_pass *pass, uint32_t section) {
  const uint32_t *firsts = firsts_of(pass->solve, section);
  for (uint32_t left = pass->solve->colours[section]; left != 0; left &= left - 1) {
    uint32_t c = (uint32_t)__builtin_ctz(left);
    pass->first = firsts[c];
    mo_parallel_for(firsts[c + 1] - firsts[c], MO_GROUPS_AT_ONCE, run_groups, pass);
  }
}

/// Runs a stage on all groups; the last colour of the last section runs in order.
static void run(mo_contact_solve *solve, contact_stage *stage) {
  group_pass pass = {solve, stage, 0};
  uint32_t blocks = solve->block_count;
  if (*firsts_of(solve, blocks + 1) == 0) {
    return; // there are no groups
  }
  if (blocks > 1) {
    mo_parallel_for(blocks, 1, run_blocks, &pass);
  } else {
    run_section(&pass, 0);
  }
  run_section(&pass, blocks);
  const uint32_t *end = firsts_of(solve, blocks + 1);
  stage(solve, end[-1], *end);
}

/// Takes impulses that would throw bodies apart out of the warm start. Returns false without
/// memory.
static bool leave_thrown(body_pass *pass, mo_contact_solve *solve) {
  const mo_substep_solver *step = solve->step;
  if (!pass->has_contacts) {
    return true;
  }
  solve->means = MO_ARENA_TAKE_RAW(step->arena, mo_substep_mean, step->body_count);
  solve->is_thrown = MO_ARENA_TAKE(step->arena, bool, step->body_count);
  if (!solve->means || !solve->is_thrown) {
    return false;
  }
  run_bodies(pass, mean_range);
  run(solve, mo_contacts_find_thrown);
  if (solve->throws) {
    run(solve, mo_contacts_start_cold);
  }
  return true;
}

// --- closing joints --------------------------------------------------------------------------

/// Solves once more what contacts have opened (joint_closing.h).
static bool close_joints(body_pass *pass, mo_substep_solver *step) {
  mo_substep_joints *joints = step->joints;
  if (!pass->touched) {
    return true;
  }
  carry_bodies(pass, -1.0f);
  mo_substep_joints_close(joints, step);
  if (!step->stirred->any) {
    return true;
  }
  if (!step->closing && !mo_joint_closing_make(step, joints->groups)) {
    return false;
  }
  mo_joint_closing_run(step->closing);
  return true;
}

static bool has_contacts(const mo_substep_solver *step) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < MO_SUBSTEP_COLOURS; i++) {
    count += step->colours[i].contacts_count;
  }
  return count > 0;
}

// Where there are no joints to close, nobody asks.
static bool make_stirred(mo_substep_solver *step) {
  step->closing = NULL;
  if (!step->joints) {
    return true;
  }
  step->stirred = MO_ARENA_TAKE(step->arena, mo_stirred_bodies, 1);
  if (step->stirred) {
    step->stirred->are = MO_ARENA_TAKE(step->arena, bool, step->body_count);
  }
  return step->stirred && step->stirred->are;
}

bool mo_substep_solve(mo_substep_solver *step) {
  uint32_t substeps = step->settings.substeps;
  double h = step->settings.dt / substeps;
  mo_contact_solve *solve = step->contacts = MO_ARENA_TAKE(step->arena, mo_contact_solve, 1);
  if (!solve) {
    return false;
  }
  *solve = contact_solve(step, h);
  for (uint32_t i = 0; i < step->body_count; i++) {
    mo_f32x4_store(step->bodies[i].displacement, mo_f32x4_zero());
    mo_f32x4_store(step->bodies[i].rotation, mo_f32x4_zero());
  }
  if (!make_stirred(step) || !mo_contacts_lay_out(solve, step) ||
      (step->joints && !mo_substep_joints_prepare(step->joints, step))) {
    return false;
  }
  run(solve, mo_contacts_prepare);
  body_pass pass = {.solve = solve,
                    .bodies = step->bodies,
                    .masses = step->masses,
                    .losses = step->losses,
                    .spins = step->spins,
                    .carry = solve->carry,
                    .h = (float)h,
                    .has_contacts = has_contacts(step),
                    .in_joints = step->in_joints,
                    .speed =
                        limit_of(LARGEST_DISPLACEMENT * (float)step->settings.metre / (float)h),
                    .spin = limit_of(LARGEST_TURN / (float)h)};
  step->touched = NULL;
  if (pass.has_contacts && step->joints) {
    if (!mo_touched_bodies_find(step, step->joints->groups)) {
      return false;
    }
    pass.touched = step->touched->are;
  }
  if (!leave_thrown(&pass, solve)) {
    return false;
  }
  for (uint32_t i = 0; i < substeps; i++) {
    pass.stage = i == 0 ? FIRST_SUBSTEP : LATER_SUBSTEP;
    solve->substep = i;
    run_bodies(&pass, start_range);
    solve_joints(&pass, step, true);
    run(solve, mo_contacts_solve_biased);
    for (uint32_t k = 0; step->carried && k < CARRIED_SWEEPS; k++) {
      run(solve, mo_contacts_solve_carried);
    }
    if (!close_joints(&pass, step)) {
      return false;
    }
    run_bodies(&pass, move_range);
    solve_joints(&pass, step, false);
    run(solve, mo_contacts_relax);
    if (solve->bounces) {
      run(solve, mo_contacts_restitute);
    }
  }
  for (uint32_t i = 1; i < step->body_count; i++) {
    if (is_joined(&pass, i)) {
      limit_velocities(&pass, i);
    }
  }
  return true;
}

uint32_t mo_substep_store(mo_substep_solver *step) {
  run(step->contacts, mo_contacts_store);
  mo_contact_surfaces_store(step->contacts);
  for (uint32_t i = 0; i < step->struck_count; i++) {
    const mo_struck_point *struck = &step->struck[i];
    struck->contact->normal_impulses[struck->point] += struck->impulse;
  }
  uint32_t sorted = mo_contacts_sort(step->contacts);
  if (step->joints) {
    mo_substep_joints_store(step->joints, step);
  }
  return sorted;
}
