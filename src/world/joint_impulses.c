/// Impulses of soft-step's joints on their way back to the constraints.
#include "constraints/substep_joint_form.h"
#include "solvers/soft_step/substep_joints.h"
#include "world/constraints.h"

void mo_world_settle_joints(const mo_world *world) {
  const mo_joint_store *store = &world->joints;
  if (!store->is_ahead) {
    return;
  }
  mo_substep_joints_take(&store->joints, store->substeps);
  for (uint32_t i = 0; i < store->joints.count; i++) {
    if (store->is_quiet[i]) {
      mo_constraint_take_substep_impulses(&world->constraints[store->slots[i]],
                                          &store->joints.joints[i], NULL, NULL);
    }
  }
  // What users see of a world does not change by this, and so it may be const.
  ((mo_world *)world)->joints.is_ahead = false;
}

void mo_world_watch_joints(const mo_world *world) {
  mo_world_settle_joints(world);
  ((mo_world *)world)->joints.is_watched = true;
}

void mo_world_forget_joints(mo_world *world) {
  mo_world_settle_joints(world);
  world->joints.is_made = false;
}
