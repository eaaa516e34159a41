/// Restores the angular momentum that a projection of positions changes.
///
/// A projection moves bodies but not their velocities, which then have other lever arms: two bodies
/// on a rod that stretched lose angular momentum when the projection shortens it. Islands on which
/// nothing outside acts get it back as a rotation of the whole island. Such a rotation violates
/// none of its constraints, and changes no linear momentum.
#include "math/scalar.h"
#include "step/stages.h"

// What is read and written.
typedef struct stage {
  const mo_world *world;
  const mo_row_set *rows;
  mo_row_ends *ends;
} stage;

// An island as one rigid body.
typedef struct rigid_island {
  double mass;
  mo_vec3 center, velocity; // of the centre of mass
  mo_mat3 inertia;          // about the centre of mass
  mo_vec3 spin_momentum;    // about the centre of mass
} rigid_island;

static const mo_mass *mass_of(const stage *s, uint32_t body) {
  return &s->world->bodies[s->rows->row_slots[body]].mass;
}

// Whether no impulse from outside can reach an island, and all of its bodies can move and turn.
static bool is_free(const stage *s, const mo_row_problem *rows,
                    const mo_island_partition *partition, uint32_t island) {
  for (uint32_t i = partition->first_block[island]; i < partition->first_block[island + 1]; i++) {
    uint32_t bodies[MO_ROW_SIDES];
    uint32_t count = mo_block_bodies(rows, &rows->blocks[partition->blocks[i]], bodies);
    for (uint32_t k = 0; k < count; k++) {
      if (!mo_row_body_moves(&rows->bodies[bodies[k]])) {
        return false;
      }
    }
  }
  for (uint32_t i = partition->first_body[island]; i < partition->first_body[island + 1]; i++) {
    const mo_mass *mass = mass_of(s, partition->bodies[i]);
    if (!(mass->inverse_mass > 0.0 && mo_mat3_determinant(mass->inverse_inertia) > 0.0)) {
      return false;
    }
  }
  return true;
}

static rigid_island gather(const stage *s, const mo_island_partition *partition, uint32_t island,
                           const mo_motion *motions) {
  rigid_island sum = {.inertia = mo_mat3_zero()};
  uint32_t first = partition->first_body[island], end = partition->first_body[island + 1];
  mo_vec3 near = motions[s->rows->row_slots[partition->bodies[first]]].center_of_mass;
  for (uint32_t i = first; i < end; i++) {
    const mo_mass *mass = mass_of(s, partition->bodies[i]);
    const mo_motion *motion = &motions[s->rows->row_slots[partition->bodies[i]]];
    sum.mass += mass->mass;
    sum.center = mo_add_scaled(sum.center, mass->mass, mo_sub(motion->center_of_mass, near));
    sum.velocity = mo_add_scaled(sum.velocity, mass->mass, motion->linear_velocity);
  }
  sum.center = mo_add(near, mo_scale(1.0 / sum.mass, sum.center));
  sum.velocity = mo_scale(1.0 / sum.mass, sum.velocity);
  for (uint32_t i = first; i < end; i++) {
    const mo_mass *mass = mass_of(s, partition->bodies[i]);
    const mo_motion *motion = &motions[s->rows->row_slots[partition->bodies[i]]];
    mo_vec3 arm = mo_sub(motion->center_of_mass, sum.center);
    mo_vec3 relative = mo_sub(motion->linear_velocity, sum.velocity);
    sum.inertia = mo_mat3_add(sum.inertia, mo_motion_world_tensor(motion, mass->inertia));
    sum.inertia = mo_mat3_add(sum.inertia, mo_mat3_parallel_axis(mass->mass, arm));
    sum.spin_momentum = mo_add(sum.spin_momentum, mo_body_angular_momentum(mass, motion));
    sum.spin_momentum = mo_add_scaled(sum.spin_momentum, mass->mass, mo_cross(arm, relative));
  }
  return sum;
}

static void turn_island(stage *s, const mo_island_partition *partition, uint32_t island,
                        mo_vec3 center, mo_vec3 spin) {
  for (uint32_t i = partition->first_body[island]; i < partition->first_body[island + 1]; i++) {
    mo_motion *motion = &s->ends->motions[s->rows->row_slots[partition->bodies[i]]];
    mo_vec3 arm = mo_sub(motion->center_of_mass, center);
    motion->linear_velocity = mo_add(motion->linear_velocity, mo_cross(spin, arm));
    motion->angular_velocity = mo_add(motion->angular_velocity, spin);
  }
}

static bool is_carried(const mo_island_partition *partition, uint32_t island,
                       const mo_velocity *carried) {
  double sum = 0.0;
  for (uint32_t i = partition->first_body[island]; i < partition->first_body[island + 1]; i++) {
    sum += mo_length_squared(carried[partition->bodies[i]].linear);
  }
  return sum > 0.0;
}

// Moves an island as a whole back to where its centre of mass was, with the velocity that it had. A
// projection that takes all bodies as equally heavy changes both.
static void recenter(stage *s, const mo_island_partition *partition, uint32_t island,
                     const rigid_island *old, const rigid_island *new) {
  mo_vec3 displacement = mo_sub(old->center, new->center), v = mo_sub(old->velocity, new->velocity);
  for (uint32_t i = partition->first_body[island]; i < partition->first_body[island + 1]; i++) {
    mo_motion *motion = &s->ends->motions[s->rows->row_slots[partition->bodies[i]]];
    motion->position = mo_add(motion->position, displacement);
    motion->center_of_mass = mo_add(motion->center_of_mass, displacement);
    motion->linear_velocity = mo_add(motion->linear_velocity, v);
  }
}

void mo_step_restore_momentum(const mo_world *world, const mo_row_set *rows,
                              const mo_row_problem *end, const mo_island_partition *partition,
                              const mo_motion *before, const mo_velocity *carried,
                              mo_row_ends *ends) {
  stage all = {world, rows, ends}, *s = &all;
  for (uint32_t island = 0; island < partition->island_count; island++) {
    if (!is_free(s, end, partition, island)) {
      continue;
    }
    rigid_island old = gather(s, partition, island, before);
    rigid_island new = gather(s, partition, island, s->ends->motions);
    if (is_carried(partition, island, carried)) {
      recenter(s, partition, island, &old, &new);
      new = gather(s, partition, island, s->ends->motions);
    }
    mo_vec3 lost = mo_sub(old.spin_momentum, new.spin_momentum);
    mo_vec3 spin = mo_mat3_mul(mo_mat3_inverse(new.inertia), lost);
    if (mo_v3_is_finite(spin) && mo_length_squared(spin) > 0.0) {
      turn_island(s, partition, island, new.center, spin);
    }
  }
}
