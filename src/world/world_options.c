#include "world/world_options.h"

#include "world/checks.h"

#include <stddef.h>

const mo_world_option mo_world_options[] = {
    // clang-format off
    // Made from bindings/schema by scripts/generate-bindings.mjs.
    {"gravity", MO_OPTION_VECTOR, offsetof(mo_world_def, gravity), {0, -9.81, 0}, -INFINITY, INFINITY, "must be finite", true},
    {"solver", MO_OPTION_WORD, offsetof(mo_world_def, solver), {MO_SOLVER_SOFT_STEP}, 0, 5, "must be one of mo_solver", true},
    {"stabilization", MO_OPTION_WORD, offsetof(mo_world_def, stabilization), {MO_STABILIZATION_SPLIT}, 0, 2, "must be one of mo_stabilization", true},
    {"integrator", MO_OPTION_WORD, offsetof(mo_world_def, integrator), {MO_INTEGRATOR_SEMI_IMPLICIT_EULER}, 0, 4, "must be one of mo_integrator", true},
    {"iterations", MO_OPTION_WHOLE, offsetof(mo_world_def, iterations), {20}, 1, 100000, "must be 1 to 100000", true},
    {"tolerance", MO_OPTION_NUMBER, offsetof(mo_world_def, tolerance), {1e-8}, 0, INFINITY, "must be finite and 0 or more m/s", true},
    {"restitution_threshold", MO_OPTION_NUMBER, offsetof(mo_world_def, restitution_threshold), {-1}, -INFINITY, INFINITY, "must be finite, in m/s", true},
    {"linear_slop", MO_OPTION_NUMBER, offsetof(mo_world_def, linear_slop), {-1}, -INFINITY, INFINITY, "must be finite, in metres", true},
    {"error_reduction", MO_OPTION_NUMBER, offsetof(mo_world_def, error_reduction), {0.2}, 0, 1, "must be 0 to 1", true},
    {"max_correction_speed", MO_OPTION_NUMBER, offsetof(mo_world_def, max_correction_speed), {3}, 0, INFINITY, "must be finite and 0 or more m/s", true},
    {"friction_law", MO_OPTION_WORD, offsetof(mo_world_def, friction_law), {MO_FRICTION_COULOMB}, 0, 1, "must be one of mo_friction_law", true},
    {"effort", MO_OPTION_WORD, offsetof(mo_world_def, effort), {MO_EFFORT_STEP}, 0, 1, "must be one of mo_effort", true},
    {"max_iterations", MO_OPTION_WHOLE, offsetof(mo_world_def, max_iterations), {400}, 1, 100000, "must be 1 to 100000", true},
    {"exact_memory_limit", MO_OPTION_NUMBER, offsetof(mo_world_def, exact_memory_limit), {268435456}, 1, (double)(SIZE_MAX / 2), "must be 1 byte to half of the address space", true},
    {"substeps", MO_OPTION_WHOLE, offsetof(mo_world_def, substeps), {4}, 1, 64, "must be 1 to 64", true},
    {"contact_hertz", MO_OPTION_POSITIVE, offsetof(mo_world_def, contact_hertz), {30}, -INFINITY, INFINITY, "", true},
    {"contact_damping", MO_OPTION_NUMBER, offsetof(mo_world_def, contact_damping), {10}, 0, INFINITY, "must be finite, 0 or more", true},
    {"joint_hertz", MO_OPTION_POSITIVE, offsetof(mo_world_def, joint_hertz), {120}, -INFINITY, INFINITY, "", true},
    {"joint_damping", MO_OPTION_NUMBER, offsetof(mo_world_def, joint_damping), {1}, 0, INFINITY, "must be finite, 0 or more", true},
    {"allow_sleep", MO_OPTION_FLAG, offsetof(mo_world_def, allow_sleep), {true}, -INFINITY, INFINITY, "", true},
    {"friction_per_point", MO_OPTION_FLAG, offsetof(mo_world_def, friction_per_point), {false}, -INFINITY, INFINITY, "", true},
    {"sleep_threshold", MO_OPTION_NUMBER, offsetof(mo_world_def, sleep_threshold), {-1}, -INFINITY, INFINITY, "must be finite, in m/s", true},
    {"time_to_sleep", MO_OPTION_NUMBER, offsetof(mo_world_def, time_to_sleep), {0.5}, 0, INFINITY, "must be finite, 0 or more seconds", true},
    {"certify", MO_OPTION_FLAG, offsetof(mo_world_def, certify), {false}, -INFINITY, INFINITY, "", false},
    // End of what is made.
    // clang-format on
};
const size_t mo_world_option_count = sizeof mo_world_options / sizeof mo_world_options[0];

// Enums are read and written as the whole numbers that they are.
_Static_assert(sizeof(mo_solver) == sizeof(uint32_t), "an enum has 32 bits");

static void set_default(mo_world_def *def, const mo_world_option *option) {
  void *member = (char *)def + option->offset;
  const double *initial = option->initial;
  switch (option->kind) {
  case MO_OPTION_VECTOR:
    *(mo_vec3 *)member = mo_v3(initial[0], initial[1], initial[2]);
    break;
  case MO_OPTION_WORD:
  case MO_OPTION_WHOLE:
    *(uint32_t *)member = (uint32_t)initial[0];
    break;
  case MO_OPTION_NUMBER:
  case MO_OPTION_POSITIVE:
    *(double *)member = initial[0];
    break;
  case MO_OPTION_FLAG:
    *(bool *)member = initial[0] != 0.0;
    break;
  }
}

mo_world_def mo_world_def_default(void) {
  mo_world_def def = {0};
  for (size_t i = 0; i < mo_world_option_count; i++) {
    set_default(&def, &mo_world_options[i]);
  }
  return def;
}

static mo_result check_option(mo_world *world, const char *function, const mo_world_option *option,
                              const mo_world_def *def) {
  const void *member = (const char *)def + option->offset;
  switch (option->kind) {
  case MO_OPTION_VECTOR:
    return mo_check_vec3(world, function, option->name, *(const mo_vec3 *)member);
  case MO_OPTION_WORD:
  case MO_OPTION_WHOLE:
    return mo_check_range(world, function, option->name, *(const uint32_t *)member, option->least,
                          option->most, option->must);
  case MO_OPTION_NUMBER:
    return mo_check_range(world, function, option->name, *(const double *)member, option->least,
                          option->most, option->must);
  case MO_OPTION_POSITIVE:
    return mo_check_above_zero(world, function, option->name, *(const double *)member);
  case MO_OPTION_FLAG:
    break;
  }
  return MO_OK;
}

mo_result mo_check_world_options(mo_world *world, const char *function, const mo_world_def *def) {
  for (size_t i = 0; i < mo_world_option_count; i++) {
    MO_RETURN_IF_REFUSED(check_option(world, function, &mo_world_options[i], def));
  }
  return MO_OK;
}
