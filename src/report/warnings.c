/// Options that the last step did not follow in full.
#include "solvers/soft_step/substep_hertz.h"
#include "world/world.h"

// An option at or below its default says no more than "as stiff as it goes" where that is above the
// bound: only a higher one was asked for.
static uint32_t warn(mo_warning_code code, double value, double usual, double bound,
                     mo_warning *out) {
  *out = (mo_warning){code, value, bound};
  return value > usual && value > bound;
}

uint32_t mo_world_warnings(const mo_world *world, mo_warning out[MO_WARNING_COUNT]) {
  const mo_world_def *def = &world->settings;
  double dt = world->last_step.dt;
  bool is_soft = def->solver == MO_SOLVER_SOFT_STEP || def->solver == MO_SOLVER_AUTO;
  if (!(dt > 0.0) || !is_soft) {
    return 0;
  }
  mo_world_def usual = mo_world_def_default();
  double h = dt / mo_world_substeps(world, dt);
  uint32_t count = warn(MO_WARNING_CONTACT_HERTZ, def->contact_hertz, usual.contact_hertz,
                        mo_substep_most_contact_hertz(def->contact_damping, h), &out[0]);
  return count + warn(MO_WARNING_JOINT_HERTZ, def->joint_hertz, usual.joint_hertz,
                      mo_substep_most_joint_hertz(h), &out[count]);
}
