/// Closing joints by displacements at the end of a step of soft-step.
#include "solvers/substep/joint_groups.h"
#include "solvers/substep/substep_joints.h"

// m: joints that are open by more are closed.
#define MOST_OPENING 1e-3f
// Rounds over the joints of the bodies that were displaced. In piles of ragdolls 60 close no more;
// long chains go on in the next step.
#define PROJECTION_ROUNDS 8

typedef struct projection {
  const mo_substep_solver *step;
  uint8_t *moved; // per body: it was displaced
  bool has_moved; // in this round
} projection;

static bool is_any_moved(const projection *p, const mo_joint_lanes *lanes) {
  uint8_t moved = 0;
  for (int i = 0; i < 4; i++) {
    moved |= p->moved[lanes->body_a[i]] | p->moved[lanes->body_b[i]];
  }
  return moved != 0;
}

static void project_lanes(projection *p, mo_joint_lanes *lanes) {
  if (is_any_moved(p, lanes)) {
    mo_joint_lanes_refresh(lanes, p->step->bodies);
  }
  if (mo_joint_lanes_project(lanes, p->step, MOST_OPENING)) {
    p->has_moved = true;
    for (int i = 0; i < 4; i++) {
      p->moved[lanes->body_a[i]] = p->step->masses[lanes->body_a[i]].inverse_mass > 0.0f;
      p->moved[lanes->body_b[i]] = p->step->masses[lanes->body_b[i]].inverse_mass > 0.0f;
    }
  }
}

bool mo_substep_joints_project(mo_substep_joints *joints, mo_substep_solver *step) {
  const struct mo_substep_joint_groups *groups = joints->groups;
  projection p = {.step = step, .moved = MO_ARENA_TAKE(step->arena, uint8_t, step->body_count)};
  if (!p.moved) {
    return false;
  }
  p.has_moved = true;
  for (int round = 0; p.has_moved && round < PROJECTION_ROUNDS; round++) {
    p.has_moved = false;
    for (uint32_t i = 0; i < groups->lane_count; i++) {
      project_lanes(&p, &groups->lanes[i]);
    }
  }
  return true;
}
