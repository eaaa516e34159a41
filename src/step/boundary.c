#include "step/boundary.h"

static bool is_soft(const mo_world *world, const mo_solver_choice *choice, uint32_t slot) {
  return mo_world_is_dynamic(world, slot) && mo_world_is_awake(world, slot) &&
         !choice->in_rows[slot];
}

bool mo_boundary_find(mo_world *world, mo_solver_choice *choice) {
  choice->boundary = NULL;
  if (!choice->chosen || !choice->has_soft) {
    return true;
  }
  choice->boundary = MO_ARENA_TAKE(&world->step_arena, uint8_t, world->ids.slot_count);
  for (uint32_t i = 0; choice->boundary && i < world->pairs.near_count; i++) {
    const mo_pair *pair = &world->pairs.near[i];
    if (mo_boundary_misses(world, choice, pair)) {
      uint32_t slot = choice->in_rows[pair->slot_a] ? pair->slot_b : pair->slot_a;
      choice->boundary[slot] = choice->row_alive[slot] = 1;
    }
  }
  return choice->boundary;
}

bool mo_boundary_misses(const mo_world *world, const mo_solver_choice *choice,
                        const mo_pair *pair) {
  if (!choice->boundary) {
    return false;
  }
  uint32_t a = pair->slot_a, b = pair->slot_b;
  return (choice->in_rows[a] && is_soft(world, choice, b) && !choice->boundary[b]) ||
         (choice->in_rows[b] && is_soft(world, choice, a) && !choice->boundary[a]);
}

// --- constraints -----------------------------------------------------------------------------

static bool is_at_boundary(const mo_world *world, const mo_solver_choice *choice,
                           const mo_constraint *constraint) {
  uint32_t slots[MO_ROW_SIDES], count = mo_world_dynamic_slots(world, constraint, slots);
  for (uint32_t i = 0; i < count; i++) {
    if (choice->boundary[slots[i]]) {
      return true;
    }
  }
  return false;
}

bool mo_boundary_skip_constraints(mo_world *world, const mo_solver_choice *choice,
                                  uint8_t **skipped) {
  uint32_t count = world->constraint_ids.slot_count;
  *skipped = NULL;
  if (!choice->boundary || count == 0) {
    return true;
  }
  *skipped = MO_ARENA_TAKE(&world->step_arena, uint8_t, count);
  for (uint32_t i = 0; *skipped && i < count; i++) {
    (*skipped)[i] =
        world->constraint_ids.alive[i] && is_at_boundary(world, choice, &world->constraints[i]);
  }
  return *skipped;
}

// --- loads -----------------------------------------------------------------------------------

// An impulse that acts at a point of a body in the rows.
static void push_at(mo_row_body *body, mo_vec3 arm, mo_vec3 impulse) {
  body->free_linear = mo_add_scaled(body->free_linear, body->inverse_mass, impulse);
  body->free_angular =
      mo_add(body->free_angular, mo_mat3_mul(body->inverse_inertia, mo_cross(arm, impulse)));
}

static void push_about(mo_row_body *body, mo_vec3 twist) {
  body->free_angular = mo_add(body->free_angular, mo_mat3_mul(body->inverse_inertia, twist));
}

// Adds what a contact did in the last step to one of its bodies. `sign` is 1 for B.
static void add_load(const mo_substep_contact *contact, double scale, double sign,
                     mo_row_body *body) {
  mo_vec3 normal = mo_v3_from_floats(contact->normal), centre = mo_v3_zero();
  double total = 0.0;
  for (uint32_t k = 0; k < contact->point_count; k++) {
    const mo_substep_point *point = &contact->points[k];
    mo_vec3 arm = mo_v3_from_floats(sign > 0.0 ? point->arm_b : point->arm_a);
    double impulse = contact->normal_impulses[k];
    push_at(body, arm, mo_scale(sign * scale * impulse, normal));
    centre = mo_add_scaled(centre, impulse, arm);
    total += impulse;
  }
  if (total > 0.0) {
    push_at(body, mo_scale(1.0 / total, centre),
            mo_scale(sign * scale, mo_v3_from_floats(contact->tangent_impulse)));
    push_about(body, mo_scale(sign * scale * contact->twist_impulse, normal));
  }
}

void mo_boundary_add_loads(const mo_world *world, double dt, const mo_solver_choice *choice,
                           mo_row_set *rows) {
  if (!choice->boundary) {
    return;
  }
  double scale = mo_world_warm_start_scale(world, dt);
  mo_contact_walk walk = {0};
  for (const mo_substep_contact *c;
       scale > 0.0 && (c = mo_pair_store_next(&world->pairs, &walk));) {
    uint32_t a = c->pair.slot_a, b = c->pair.slot_b;
    if (choice->boundary[a]) {
      add_load(c, scale, -1.0, &rows->problem.bodies[rows->row_bodies[a]]);
    }
    if (choice->boundary[b]) {
      add_load(c, scale, 1.0, &rows->problem.bodies[rows->row_bodies[b]]);
    }
  }
}

// --- pushes ----------------------------------------------------------------------------------

static void add_push(mo_wrench *push, mo_vec3 linear, mo_vec3 angular, double force) {
  push->force = mo_add_scaled(push->force, force, linear);
  push->torque = mo_add_scaled(push->torque, force, angular);
}

bool mo_boundary_find_pushes(mo_world *world, double dt, const mo_solver_choice *choice,
                             const mo_row_set *rows, const mo_wrench **pushes) {
  *pushes = NULL;
  if (!choice->boundary) {
    return true;
  }
  mo_wrench *all = MO_ARENA_TAKE(&world->step_arena, mo_wrench, world->ids.slot_count);
  const mo_row_problem *problem = &rows->problem;
  for (uint32_t i = 0; all && i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    uint32_t a = rows->row_slots[block->body_a], b = rows->row_slots[block->body_b];
    for (uint32_t k = block->first_row; k < block->first_row + block->row_count; k++) {
      const mo_row *row = &problem->rows[k];
      if (block->body_a > 0 && choice->boundary[a]) {
        add_push(&all[a], row->linear_a, row->angular_a, row->impulse / dt);
      }
      if (block->body_b > 0 && choice->boundary[b]) {
        add_push(&all[b], row->linear_b, row->angular_b, row->impulse / dt);
      }
    }
  }
  *pushes = all;
  return all;
}
