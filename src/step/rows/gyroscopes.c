#include "step/rows/gyroscopes.h"

#include "math/scalar.h"
#include "memory/union_find.h"
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

// The motion of an island as a whole.
typedef struct island_motion {
  double mass;
  mo_vec3 momentum;
} island_motion;

// Per body: the motion of its island, at the place of its root in `parents`. Null without memory.
static island_motion *find_island_motions(const mo_world *world, const mo_row_set *rows,
                                          uint32_t *parents, mo_arena *arena) {
  uint32_t count = rows->problem.body_count;
  island_motion *islands = MO_ARENA_TAKE(arena, island_motion, count);
  if (!islands) {
    return NULL;
  }
  mo_island_partition_join(&rows->problem, parents);
  for (uint32_t i = 1; i < count; i++) {
    const mo_body *body = &world->bodies[rows->row_slots[i]];
    if (body->type == MO_BODY_DYNAMIC) {
      island_motion *island = &islands[mo_union_find_root(parents, i)];
      island->mass += body->mass.mass;
      island->momentum = mo_add_scaled(island->momentum, body->mass.mass,
                                       world->motions[rows->row_slots[i]].linear_velocity);
    }
  }
  return islands;
}

// Twice the kinetic energy of a body's centre in its island, J.
static double travel(const mo_body *body, const mo_motion *motion, const island_motion *island) {
  mo_vec3 mean = mo_scale(1.0 / island->mass, island->momentum);
  return body->mass.mass * mo_length_squared(mo_sub(motion->linear_velocity, mean));
}

bool mo_gyroscopes_find(const mo_world *world, double dt, const mo_row_set *rows, mo_arena *arena,
                        mo_gyroscopes *found) {
  uint32_t count = rows->problem.body_count;
  *found = (mo_gyroscopes){.are = MO_ARENA_TAKE(arena, uint8_t, count)};
  uint32_t *parents = MO_ARENA_TAKE(arena, uint32_t, count);
  const double *swings = find_swings(world, rows, arena);
  const island_motion *islands = parents ? find_island_motions(world, rows, parents, arena) : NULL;
  if (!found->are || !swings || !islands) {
    return false;
  }
  for (uint32_t i = 1; i < count; i++) {
    uint32_t slot = rows->row_slots[i];
    const mo_body *body = &world->bodies[slot];
    const mo_motion *motion = &world->motions[slot];
    mo_vec3 spin = mo_quat_rotate_inverse(motion->orientation, motion->angular_velocity);
    double turn = dt * mo_length(spin);
    double energy = mo_dot(spin, mo_mat3_mul(body->mass.inertia, spin));
    if (body->type == MO_BODY_DYNAMIC && !body->mass.is_isotropic && turn > LEAST_TURN &&
        mo_world_is_in_joints(world, slot) && energy > swings[i] &&
        energy > travel(body, motion, &islands[mo_union_find_root(parents, i)])) {
      found->are[i] = 1;
      found->any = true;
      found->most_turn = mo_max(found->most_turn, turn);
    }
  }
  return true;
}
