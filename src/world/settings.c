/// Settings of a world: their defaults, their checks, and what a change of them does.
#include "world/checks.h"
#include "world/state_fields.h"

#include <stddef.h>

// s: steps of soft-step that are longer have more substeps, because contacts can only be as stiff
// as a substep is short.
#define LONGEST_STEP (1.0 / 60.0)
// Part of that step by which a step may be longer by round-off of its dt.
#define STEP_ROUND_OFF 1e-6
// Ratio of the lengths of two steps beyond which impulses are not transferred.
#define MAX_STEP_RATIO 100.0
// The most substeps that a long step is given.
#define MOST_SUBSTEPS 1024.0

// --- the options, as a table -------------------------------------------------------------------

// What a member of mo_world_def is.
typedef enum option_kind {
  OPTION_VECTOR,   // mo_vec3
  OPTION_WORD,     // an enum
  OPTION_WHOLE,    // uint32_t
  OPTION_NUMBER,   // double, finite
  OPTION_POSITIVE, // double, finite and above 0, and so is its inverse
  OPTION_FLAG,     // bool
} option_kind;

typedef struct world_option {
  const char *name;
  option_kind kind;
  size_t offset;     // of the member in mo_world_def
  double initial[3]; // its default; one number of what is no vector
  bool per_length;   // the default has metres, to the power of one
  double least, most;
  const char *must; // what a refusal says; of OPTION_POSITIVE nothing
} world_option;

static const world_option options[] = {
    // clang-format off
    // Made from bindings/schema by scripts/generate-bindings.mjs.
    {"length_unit", OPTION_POSITIVE, offsetof(mo_world_def, length_unit), {1}, false, -INFINITY, INFINITY, ""},
    {"gravity", OPTION_VECTOR, offsetof(mo_world_def, gravity), {0, -9.81, 0}, true, -INFINITY, INFINITY, "must be finite"},
    {"solver", OPTION_WORD, offsetof(mo_world_def, solver), {MO_SOLVER_AUTO}, false, 0, 6, "must be one of mo_solver"},
    {"stabilization", OPTION_WORD, offsetof(mo_world_def, stabilization), {MO_STABILIZATION_SPLIT}, false, 0, 2, "must be one of mo_stabilization"},
    {"integrator", OPTION_WORD, offsetof(mo_world_def, integrator), {MO_INTEGRATOR_SEMI_IMPLICIT_EULER}, false, 0, 4, "must be one of mo_integrator"},
    {"iterations", OPTION_WHOLE, offsetof(mo_world_def, iterations), {20}, false, 1, 100000, "must be 1 to 100000"},
    {"tolerance", OPTION_NUMBER, offsetof(mo_world_def, tolerance), {1e-8}, true, 0, INFINITY, "must be finite and 0 or more m/s"},
    {"restitution_threshold", OPTION_NUMBER, offsetof(mo_world_def, restitution_threshold), {-1}, false, -INFINITY, INFINITY, "must be finite, in m/s"},
    {"impact_law", OPTION_WORD, offsetof(mo_world_def, impact_law), {MO_IMPACT_NEWTON}, false, 0, 1, "must be one of mo_impact_law"},
    {"linear_slop", OPTION_NUMBER, offsetof(mo_world_def, linear_slop), {-1}, false, -INFINITY, INFINITY, "must be finite, in metres"},
    {"error_reduction", OPTION_NUMBER, offsetof(mo_world_def, error_reduction), {0.2}, false, 0, 1, "must be 0 to 1"},
    {"max_correction_speed", OPTION_NUMBER, offsetof(mo_world_def, max_correction_speed), {3}, true, 0, INFINITY, "must be finite and 0 or more m/s"},
    {"friction_law", OPTION_WORD, offsetof(mo_world_def, friction_law), {MO_FRICTION_COULOMB}, false, 0, 1, "must be one of mo_friction_law"},
    {"effort", OPTION_WORD, offsetof(mo_world_def, effort), {MO_EFFORT_FRAME}, false, 0, 2, "must be one of mo_effort"},
    {"max_iterations", OPTION_WHOLE, offsetof(mo_world_def, max_iterations), {400}, false, 1, 100000, "must be 1 to 100000"},
    {"work_budget", OPTION_NUMBER, offsetof(mo_world_def, work_budget), {-1}, false, -INFINITY, INFINITY, "must be finite, in floating-point operations"},
    {"exact_memory_limit", OPTION_NUMBER, offsetof(mo_world_def, exact_memory_limit), {268435456}, false, 1, (double)(SIZE_MAX / 2), "must be 1 byte to half of the address space"},
    {"substeps", OPTION_WHOLE, offsetof(mo_world_def, substeps), {4}, false, 1, 64, "must be 1 to 64"},
    {"contact_hertz", OPTION_POSITIVE, offsetof(mo_world_def, contact_hertz), {30}, false, -INFINITY, INFINITY, ""},
    {"contact_damping", OPTION_NUMBER, offsetof(mo_world_def, contact_damping), {10}, false, 0, INFINITY, "must be finite, 0 or more"},
    {"joint_hertz", OPTION_POSITIVE, offsetof(mo_world_def, joint_hertz), {120}, false, -INFINITY, INFINITY, ""},
    {"joint_damping", OPTION_NUMBER, offsetof(mo_world_def, joint_damping), {1}, false, 0, INFINITY, "must be finite, 0 or more"},
    {"allow_sleep", OPTION_FLAG, offsetof(mo_world_def, allow_sleep), {true}, false, -INFINITY, INFINITY, ""},
    {"sleep_threshold", OPTION_NUMBER, offsetof(mo_world_def, sleep_threshold), {-1}, false, -INFINITY, INFINITY, "must be finite, in m/s"},
    {"time_to_sleep", OPTION_NUMBER, offsetof(mo_world_def, time_to_sleep), {0.5}, false, 0, INFINITY, "must be finite, 0 or more seconds"},
    {"certify", OPTION_FLAG, offsetof(mo_world_def, certify), {false}, false, -INFINITY, INFINITY, ""},
    {"hit_threshold", OPTION_NUMBER, offsetof(mo_world_def, hit_threshold), {1}, true, 0, INFINITY, "must be finite and 0 or more m/s"},
    {"contact_force_threshold", OPTION_NUMBER, offsetof(mo_world_def, contact_force_threshold), {0}, false, 0, INFINITY, "must be finite and 0 or more newtons"},
    // End of what is made.
    // clang-format on
};
#define OPTION_COUNT (sizeof options / sizeof options[0])

// Enums are read and written as the whole numbers that they are.
_Static_assert(sizeof(mo_solver) == sizeof(uint32_t), "an enum has 32 bits");

// `metre`: in units of the world.
static void set_default(mo_world_def *def, const world_option *option, double metre) {
  void *member = (char *)def + option->offset;
  const double scale = option->per_length ? metre : 1.0, *initial = option->initial;
  switch (option->kind) {
  case OPTION_VECTOR:
    *(mo_vec3 *)member = mo_scale(scale, mo_v3(initial[0], initial[1], initial[2]));
    break;
  case OPTION_WORD:
  case OPTION_WHOLE:
    *(uint32_t *)member = (uint32_t)initial[0];
    break;
  case OPTION_NUMBER:
  case OPTION_POSITIVE:
    *(double *)member = scale * initial[0];
    break;
  case OPTION_FLAG:
    *(bool *)member = initial[0] != 0.0;
    break;
  }
}

mo_world_def mo_world_def_in_units(double length_unit) {
  mo_world_def def = {0};
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    set_default(&def, &options[i], 1.0 / length_unit);
  }
  def.length_unit = length_unit;
  return def;
}

mo_world_def mo_world_def_default(void) { return mo_world_def_in_units(1.0); }

static mo_result check_option(mo_world *world, const char *function, const world_option *option,
                              const mo_world_def *def) {
  const void *member = (const char *)def + option->offset;
  switch (option->kind) {
  case OPTION_VECTOR:
    return mo_check_vec3(world, function, option->name, *(const mo_vec3 *)member);
  case OPTION_WORD:
  case OPTION_WHOLE:
    return mo_check_range(world, function, option->name, *(const uint32_t *)member, option->least,
                          option->most, option->must);
  case OPTION_NUMBER:
    return mo_check_range(world, function, option->name, *(const double *)member, option->least,
                          option->most, option->must);
  case OPTION_POSITIVE:
    return mo_check_above_zero(world, function, option->name, *(const double *)member);
  case OPTION_FLAG:
    break;
  }
  return MO_OK;
}

mo_result mo_check_settings(mo_world *world, const char *function, const mo_world_def *def) {
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    MO_RETURN_IF_REFUSED(check_option(world, function, &options[i], def));
  }
  if (mo_is_substep_solver(def->solver) && def->integrator != MO_INTEGRATOR_SEMI_IMPLICIT_EULER) {
    return mo_world_refuse(
        world, MO_ERROR_INVALID_ARGUMENT, function, "integrator",
        "must be semi-implicit-euler for the solvers soft-step and auto, which move "
        "bodies by themselves",
        (double)def->integrator);
  }
  return MO_OK;
}

// --- values that follow from the settings ----------------------------------------------------

// m/s: approach speeds below this never bounce by default. Faster contacts are still resting
// contacts if two steps of gravity give that speed.
#define LEAST_RESTITUTION_THRESHOLD 0.01

double mo_world_restitution_threshold(const mo_world *world, double dt) {
  double threshold = world->settings.restitution_threshold;
  if (threshold >= 0.0) {
    return threshold;
  }
  return mo_max(LEAST_RESTITUTION_THRESHOLD * mo_world_metre(world),
                2.0 * mo_length(world->settings.gravity) * dt);
}

// m: contacts of soft-step are deeper than the slop, because their springs yield; a slop in
// proportion lets neighbours settle without vibration.
#define SUBSTEP_LINEAR_SLOP 0.005
// m: the slop of the row solvers.
#define ROW_LINEAR_SLOP 0.001
// m: the same for what auto gives to them: light bodies under heavy ones, which every impact on the
// heavy one presses down to the slop, layer by layer.
#define AUTO_LINEAR_SLOP 0.0002

double mo_world_warm_start_scale(const mo_world *world, double dt) {
  double last_dt = world->last_step.dt;
  bool related = last_dt > 0.0 && dt < MAX_STEP_RATIO * last_dt && last_dt < MAX_STEP_RATIO * dt;
  return related ? dt / last_dt : 0.0;
}

uint32_t mo_world_substeps(const mo_world *world, double dt) {
  double steps = mo_max(1.0, dt / LONGEST_STEP - STEP_ROUND_OFF);
  return (uint32_t)ceil(mo_min(world->settings.substeps * steps, MOST_SUBSTEPS));
}

double mo_world_linear_slop(const mo_world *world, bool soft) {
  double slop = world->settings.linear_slop;
  if (slop >= 0.0) {
    return slop;
  }
  double metres =
      soft ? SUBSTEP_LINEAR_SLOP
           : (world->settings.solver == MO_SOLVER_AUTO ? AUTO_LINEAR_SLOP : ROW_LINEAR_SLOP);
  return metres * mo_world_metre(world);
}

// Whether the change of settings may affect a sleeping body.
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
    wake_disturbed(world, &before);
  }
  return MO_OK;
}

mo_world_def mo_world_get_settings(const mo_world *world) { return world->settings; }
