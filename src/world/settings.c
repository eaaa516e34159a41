/// Settings of a world: their defaults, their checks, and what a change of them does.
#include "world/checks.h"
#include "world/state_fields.h"

#define MAX_ITERATIONS 100000u
#define MAX_SUBSTEPS 64u

mo_world_def mo_world_def_default(void) {
  return (mo_world_def){.gravity = {0.0, -9.81, 0.0},
                        .solver = MO_SOLVER_SOFT_STEP,
                        .stabilization = MO_STABILIZATION_SPLIT,
                        .integrator = MO_INTEGRATOR_SEMI_IMPLICIT_EULER,
                        .iterations = 20,
                        .tolerance = 1e-8,
                        .restitution_threshold = -1.0,
                        .linear_slop = -1.0,
                        .error_reduction = 0.2,
                        .max_correction_speed = 3.0,
                        .friction_law = MO_FRICTION_COULOMB,
                        .effort = MO_EFFORT_STEP,
                        .max_iterations = 400,
                        .exact_memory_limit = 256.0 * 1024.0 * 1024.0,
                        .substeps = 4,
                        .contact_hertz = 30.0,
                        .contact_damping = 10.0,
                        .joint_hertz = 120.0,
                        .joint_damping = 1.0,
                        .allow_sleep = true,
                        .sleep_threshold = -1.0,
                        .time_to_sleep = 0.5};
}

static mo_result check_substep_settings(mo_world *world, const char *function,
                                        const mo_world_def *def) {
  const mo_result bad = MO_ERROR_INVALID_ARGUMENT;
  if (def->solver == MO_SOLVER_SOFT_STEP && def->integrator != MO_INTEGRATOR_SEMI_IMPLICIT_EULER) {
    return mo_world_refuse(world, bad, function, "integrator",
                           "must be semi-implicit-euler for the solver soft-step, which moves "
                           "bodies by itself",
                           (double)def->integrator);
  }
  if (def->substeps < 1 || def->substeps > MAX_SUBSTEPS) {
    return mo_world_refuse(world, bad, function, "substeps", "must be 1 to 64", def->substeps);
  }
  MO_RETURN_IF_REFUSED(mo_check_above_zero(world, function, "contact_hertz", def->contact_hertz));
  MO_RETURN_IF_REFUSED(mo_check_above_zero(world, function, "joint_hertz", def->joint_hertz));
  static const char *const must = "must be finite, 0 or more";
  MO_RETURN_IF_REFUSED(mo_check_range(world, function, "contact_damping", def->contact_damping, 0.0,
                                      INFINITY, must));
  MO_RETURN_IF_REFUSED(
      mo_check_range(world, function, "joint_damping", def->joint_damping, 0.0, INFINITY, must));
  MO_RETURN_IF_REFUSED(mo_check_range(world, function, "sleep_threshold", def->sleep_threshold,
                                      -INFINITY, INFINITY, "must be finite, in m/s"));
  return mo_check_range(world, function, "time_to_sleep", def->time_to_sleep, 0.0, INFINITY,
                        "must be finite, 0 or more seconds");
}

static mo_result check_exact_settings(mo_world *world, const char *function,
                                      const mo_world_def *def) {
  const mo_result bad = MO_ERROR_INVALID_ARGUMENT;
  if ((unsigned)def->friction_law > MO_FRICTION_CONVEX) {
    return mo_world_refuse(world, bad, function, "friction_law", "must be one of mo_friction_law",
                           (double)def->friction_law);
  }
  if ((unsigned)def->effort > MO_EFFORT_OFFLINE) {
    return mo_world_refuse(world, bad, function, "effort", "must be one of mo_effort",
                           (double)def->effort);
  }
  if (def->max_iterations < 1 || def->max_iterations > MAX_ITERATIONS) {
    return mo_world_refuse(world, bad, function, "max_iterations", "must be 1 to 100000",
                           def->max_iterations);
  }
  if (!(def->exact_memory_limit >= 1.0 && def->exact_memory_limit <= (double)(SIZE_MAX / 2))) {
    return mo_world_refuse(world, bad, function, "exact_memory_limit",
                           "must be 1 byte to half of the address space", def->exact_memory_limit);
  }
  return MO_OK;
}

mo_result mo_check_settings(mo_world *world, const char *function, const mo_world_def *def) {
  const mo_result bad = MO_ERROR_INVALID_ARGUMENT;
  if (!mo_v3_is_finite(def->gravity)) {
    return mo_world_refuse_vec3(world, bad, function, "gravity", "must be finite", def->gravity);
  }
  if ((unsigned)def->solver > MO_SOLVER_SOFT_STEP) {
    return mo_world_refuse(world, bad, function, "solver", "must be one of mo_solver",
                           (double)def->solver);
  }
  if ((unsigned)def->stabilization > MO_STABILIZATION_NONE) {
    return mo_world_refuse(world, bad, function, "stabilization", "must be one of mo_stabilization",
                           (double)def->stabilization);
  }
  if ((unsigned)def->integrator > MO_INTEGRATOR_IMPLICIT_MIDPOINT) {
    return mo_world_refuse(world, bad, function, "integrator", "must be one of mo_integrator",
                           (double)def->integrator);
  }
  if (def->iterations < 1 || def->iterations > MAX_ITERATIONS) {
    return mo_world_refuse(world, bad, function, "iterations", "must be 1 to 100000",
                           def->iterations);
  }
  if (!(def->tolerance >= 0.0 && mo_is_finite(def->tolerance))) {
    return mo_world_refuse(world, bad, function, "tolerance", "must be finite and 0 or more m/s",
                           def->tolerance);
  }
  if (!mo_is_finite(def->restitution_threshold)) {
    return mo_world_refuse(world, bad, function, "restitution_threshold", "must be finite, in m/s",
                           def->restitution_threshold);
  }
  if (!mo_is_finite(def->linear_slop)) {
    return mo_world_refuse(world, bad, function, "linear_slop", "must be finite, in metres",
                           def->linear_slop);
  }
  if (!(def->error_reduction >= 0.0 && def->error_reduction <= 1.0)) {
    return mo_world_refuse(world, bad, function, "error_reduction", "must be 0 to 1",
                           def->error_reduction);
  }
  if (!(def->max_correction_speed >= 0.0 && mo_is_finite(def->max_correction_speed))) {
    return mo_world_refuse(world, bad, function, "max_correction_speed",
                           "must be finite and 0 or more m/s", def->max_correction_speed);
  }
  MO_RETURN_IF_REFUSED(check_substep_settings(world, function, def));
  return check_exact_settings(world, function, def);
}

// Approach speeds below this never bounce by default; above it, below what two steps of gravity
// give, they are resting contacts and not impacts.
#define LEAST_RESTITUTION_THRESHOLD 0.01

double mo_world_restitution_threshold(const mo_world *world, double dt) {
  double threshold = world->settings.restitution_threshold;
  if (threshold >= 0.0) {
    return threshold;
  }
  return mo_max(LEAST_RESTITUTION_THRESHOLD, 2.0 * mo_length(world->settings.gravity) * dt);
}

// m. Soft contacts are deeper than that by what their springs give way, and a slop in proportion
// lets neighbours settle without a quiver.
#define SUBSTEP_LINEAR_SLOP 0.005
#define ROW_LINEAR_SLOP 0.001

double mo_world_linear_slop(const mo_world *world, bool fast) {
  double slop = world->settings.linear_slop;
  return slop >= 0.0 ? slop : fast ? SUBSTEP_LINEAR_SLOP : ROW_LINEAR_SLOP;
}

// Whether a body that sleeps may do something else by now.
static bool is_disturbed(const mo_world *world, const mo_world_def *before, const mo_body *body) {
  const mo_world_def *now = &world->settings;
  bool has_gravity = body->type == MO_BODY_DYNAMIC && body->gravity_scale != 0.0;
  return (before->allow_sleep && !now->allow_sleep) ||
         (has_gravity && !mo_v3_equal(before->gravity, now->gravity)) ||
         (!body->has_solver && before->solver != now->solver);
}

static void wake_disturbed(mo_world *world, const mo_world_def *before) {
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    if (world->ids.alive[slot] && is_disturbed(world, before, &world->bodies[slot])) {
      mo_world_wake_slot(world, slot);
    }
  }
}

mo_result mo_world_set_settings(mo_world *world, const mo_world_def *def) {
  static const char *const function = "mo_world_set_settings";
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, function));
  MO_RETURN_IF_REFUSED(mo_check_settings(world, function, def));
  mo_world_def before = world->settings;
  world->settings = *def;
  if (!mo_settings_equal(&before, def)) {
    mo_world_forget_joints(world);
    world->kept.is_valid = false;
    wake_disturbed(world, &before);
  }
  return MO_OK;
}

mo_world_def mo_world_get_settings(const mo_world *world) { return world->settings; }
