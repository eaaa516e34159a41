#include "step/rows/gyroscopes.h"

#include "math/scalar.h"
#include "step/constraint_rows.h"

// rad per step: in a second of slower spins the error of first order stays below a tenth of what a
// torque turns the body by.
#define LEAST_TURN 0.02

// Per body: the largest m |w x r|^2 of its joints' arms r, J. A joint that holds the body at the
// end of an arm makes it move with twice this energy as its centre circles the anchor.
static double *find_swings(const mo_world *world, const mo_row_set *rows, mo_arena *arena) {
  double *swings = MO_ARENA_TAKE(arena, double, rows->problem.body_count);
  for (uint32_t i = 0; swings && i < world->constraint_ids.slot_count; i++) {
    const mo_constraint *c = &world->constraints[i];
    if (!world->constraint_ids.alive[i] || rows->constraint_rows[i] >= MO_OUTSIDE_PROBLEM) {
      continue;
    }
    const uint32_t slots[2] = {c->slot_a, c->slot_b};
    const mo_vec3 anchors[2] = {c->anchor_a, c->anchor_b};
    for (int side = 0; side < 2; side++) {
      if (slots[side] == MO_WORLD_SLOT) {
        continue;
      }
      const mo_mass *mass = &world->bodies[slots[side]].mass;
      const mo_motion *motion = &world->motions[slots[side]];
      mo_vec3 spin = mo_quat_rotate_inverse(motion->orientation, motion->angular_velocity);
      mo_vec3 speed = mo_cross(spin, mo_sub(anchors[side], mass->center_of_mass));
      double *swing = &swings[rows->row_bodies[slots[side]]];
      *swing = mo_max(*swing, mass->mass * mo_length_squared(speed));
    }
  }
  return swings;
}

bool mo_gyroscopes_find(const mo_world *world, double dt, const mo_row_set *rows, mo_arena *arena,
                        mo_gyroscopes *found) {
  *found = (mo_gyroscopes){.are = MO_ARENA_TAKE(arena, uint8_t, rows->problem.body_count)};
  const double *swings = find_swings(world, rows, arena);
  if (!found->are || !swings) {
    return false;
  }
  for (uint32_t i = 1; i < rows->problem.body_count; i++) {
    uint32_t slot = rows->row_slots[i];
    const mo_body *body = &world->bodies[slot];
    const mo_motion *motion = &world->motions[slot];
    mo_vec3 spin = mo_quat_rotate_inverse(motion->orientation, motion->angular_velocity);
    double turn = dt * mo_length(spin);
    double energy = mo_dot(spin, mo_mat3_mul(body->mass.inertia, spin));
    if (body->type == MO_BODY_DYNAMIC && !body->mass.is_isotropic && turn > LEAST_TURN &&
        world->constraint_counts[slot] > 0 && energy > swings[i]) {
      found->are[i] = 1;
      found->any = true;
      found->most_turn = mo_max(found->most_turn, turn);
    }
  }
  return true;
}
