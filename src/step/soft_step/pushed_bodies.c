#include "step/soft_step/pushed_bodies.h"

// Both sides of the balance of a body's or island's step, J.
typedef struct balance {
  double work;   // dt f . (v1 - v0)
  double change; // (v1 - v0) . M (v1 - v0)
} balance;

struct mo_push_sum {
  balance of;
  bool is_pushed;
};

// The balance of a body that the solver moved.
static balance balance_of(const mo_soft_step *s, uint32_t slot) {
  const mo_motion *start = &s->world->motions[slot];
  const mo_mass *mass = &s->world->bodies[slot].mass;
  const mo_wrench *wrench = &s->soft->wrenches[slot];
  const mo_solver_body *end = &s->soft->step.bodies[s->soft->indices[slot]];
  mo_vec3 linear = mo_sub(mo_v3_from_floats(end->linear_velocity), start->linear_velocity);
  mo_vec3 angular = mo_sub(mo_v3_from_floats(end->angular_velocity), start->angular_velocity);
  mo_vec3 momentum = mo_mat3_mul(mo_motion_world_tensor(start, mass->inertia), angular);
  return (balance){s->dt * (mo_dot(wrench->force, linear) + mo_dot(wrench->torque, angular)),
                   mass->mass * mo_length_squared(linear) + mo_dot(angular, momentum)};
}

// Whether the solver moves a body together with others that joints join it to.
static bool is_jointed(const mo_soft_step *s, uint32_t slot) {
  return s->soft->indices[slot] > 0 && mo_world_is_in_joints(s->world, slot) &&
         s->world->bodies[slot].type == MO_BODY_DYNAMIC;
}

bool mo_pushed_bodies_sum(mo_soft_step *s) {
  mo_world *world = s->world;
  if (!s->soft->has_pushed || world->constraint_ids.alive_count == 0) {
    return true;
  }
  mo_push_sum *sums = MO_ARENA_TAKE(&world->step_arena, mo_push_sum, world->ids.slot_count);
  if (!sums) {
    return false;
  }
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    if (is_jointed(s, slot)) {
      mo_push_sum *sum = &sums[world->islands.names[slot]];
      balance one = balance_of(s, slot);
      sum->of.work += one.work;
      sum->of.change += one.change;
      sum->is_pushed = sum->is_pushed || mo_body_is_pushed(s, slot);
    }
  }
  s->soft->push_sums = sums;
  return true;
}

double mo_pushed_body_lag(const mo_soft_step *s, uint32_t slot) {
  double n = s->substeps, missing = s->dt * (n - 1.0) / (2.0 * n);
  balance of;
  if (s->soft->push_sums && is_jointed(s, slot)) {
    const mo_push_sum *sum = &s->soft->push_sums[s->world->islands.names[slot]];
    of = sum->is_pushed ? sum->of : (balance){0.0, 1.0};
  } else if (mo_body_is_pushed(s, slot)) {
    of = balance_of(s, slot);
  } else {
    return 0.0;
  }
  return of.work > 0.0 && of.change > 0.0 ? missing * mo_min(1.0, of.work / of.change) : 0.0;
}
