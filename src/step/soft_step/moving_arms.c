#include "step/soft_step/moving_arms.h"

#include "step/soft_step/look_ahead.h"

// Part of gravity: accelerations below change the load of a contact by no more than that.
#define LEAST_ACCELERATION 0.01
// Of the impulse of a step, if its last substep is like all of them: else the rest was an impact.
#define STEADY_PART 0.5

// Whether the contact carried a load all through the last step.
static bool was_loaded(const mo_substep_contact *contact, double substeps) {
  double load = 0.0, impulse = 0.0;
  for (uint32_t i = 0; i < contact->point_count; i++) {
    load += substeps * contact->points[i].start_impulse;
    impulse += contact->normal_impulses[i];
  }
  return load > STEADY_PART * impulse;
}

// What the arms' ways in a step add to the velocities at their ends, by this time.
static mo_vec3 acceleration_of(const mo_world *world, const mo_pair *pair, double dt,
                               mo_place_arms before, mo_place_arms now) {
  mo_vec3 w_a = world->motions[pair->slot_a].angular_velocity,
          w_b = world->motions[pair->slot_b].angular_velocity;
  mo_vec3 of_a = mo_cross(w_a, mo_sub(now.a, before.a)),
          of_b = mo_cross(w_b, mo_sub(now.b, before.b));
  mo_vec3 acceleration = mo_scale(1.0 / dt, mo_sub(of_b, of_a));
  bool is_slow = dt * mo_max(mo_length(w_a), mo_length(w_b)) <= MO_MOST_TURN;
  double least = LEAST_ACCELERATION * mo_length(world->settings.gravity);
  return is_slow && mo_length(acceleration) > least ? acceleration : mo_v3_zero();
}

mo_vec3 mo_moving_arms_renew(const mo_world *world, const mo_contact_reach *reach, double lead,
                             const mo_manifold *manifold, mo_substep_contact *contact) {
  const mo_pair *pair = &contact->pair;
  bool goes_on = lead > 0.0 && contact->point_count == (uint32_t)manifold->point_count &&
                 was_loaded(contact, reach->dt / reach->substep);
  mo_place_arms before = goes_on ? mo_place_arms_of(contact) : (mo_place_arms){0};
  mo_soft_contact_renew(world, manifold, world->motions[pair->slot_a].center_of_mass,
                        world->motions[pair->slot_b].center_of_mass, contact);
  return goes_on ? acceleration_of(world, pair, reach->dt, before, mo_place_arms_of(contact))
                 : mo_v3_zero();
}

bool mo_moving_arms_note(mo_world *world, mo_moving_arm **list, uint32_t contact,
                         mo_vec3 acceleration) {
  if (mo_v3_equal(acceleration, mo_v3_zero())) {
    return true;
  }
  mo_moving_arm *arm = MO_ARENA_TAKE_RAW(&world->step_arena, mo_moving_arm, 1);
  if (arm) {
    *arm = (mo_moving_arm){contact, acceleration, *list};
    *list = arm;
  }
  return arm != NULL;
}

const float *mo_moving_arm_ways(const mo_soft_step *s, mo_vec3 acceleration) {
  float *ways = MO_ARENA_TAKE(&s->world->step_arena, float, 3 * ((size_t)s->substeps + 1));
  double h = s->dt / s->substeps, start = 0.5 * (s->dt - h);
  mo_vec3 way = mo_v3_zero();
  for (uint32_t i = 0; ways && i < s->substeps; i++) {
    way = mo_add_scaled(way, h * ((i + 0.5) * h - start), acceleration);
    mo_v3_to_floats(way, &ways[3 * ((size_t)i + 1)]);
  }
  return ways;
}
