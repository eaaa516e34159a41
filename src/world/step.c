#include "world/step.h"
#include "world/checks.h"
#include "world/constraint_rows.h"

static mo_vec3 rate_of_change(mo_vec3 before, mo_vec3 after, double dt) {
  return mo_scale(1.0 / dt, mo_sub(after, before));
}

static bool pose_differs(const mo_motion *a, const mo_motion *b) {
  return !mo_v3_equal(a->position, b->position) || a->orientation.x != b->orientation.x ||
         a->orientation.y != b->orientation.y || a->orientation.z != b->orientation.z ||
         a->orientation.w != b->orientation.w;
}

static void commit_bodies(mo_step *s) {
  mo_world *world = s->world;
  world->moved_count = 0;
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    if (!world->ids.alive[slot]) {
      continue;
    }
    mo_body *body = &world->bodies[slot];
    mo_motion *old = &world->motions[slot], *new = &s->motions[slot];
    body->linear_acceleration = rate_of_change(old->linear_velocity, new->linear_velocity, s->dt);
    body->angular_acceleration =
        rate_of_change(old->angular_velocity, new->angular_velocity, s->dt);
    body->force = mo_v3_zero();
    body->torque = mo_v3_zero();
    if (body->type == MO_BODY_STATIC) {
      continue;
    }
    if (pose_differs(old, new)) {
      world->moved[world->moved_count++] = slot;
    }
    *old = *new;
    mo_world_publish_slot(world, slot);
  }
}

static void commit_contacts(mo_step *s) {
  mo_world *world = s->world;
  uint32_t block = s->constraint_block_count;
  for (uint32_t i = 0; i < s->contact_count; i++) {
    block = mo_contact_read_impulses(&world->fresh_contacts[i], &s->problem, block);
  }
  mo_contact *contacts = world->contacts;
  uint32_t capacity = world->contacts_capacity;
  world->contacts = world->fresh_contacts;
  world->contacts_capacity = world->fresh_contacts_capacity;
  world->contacts_count = s->contact_count;
  world->fresh_contacts = contacts;
  world->fresh_contacts_capacity = capacity;
}

static mo_stats collect_stats(const mo_step *s) {
  const mo_world *world = s->world;
  mo_stats stats = {.contacts = world->contacts_count,
                    .contact_points = s->problem.block_count - s->constraint_block_count,
                    .pairs = s->pair_count,
                    .status = s->by_island.total.status,
                    .iterations = s->by_island.total.iterations,
                    .factorisations = s->by_island.total.factorisations,
                    .cured_energy_gain = s->cured_gain,
                    .step_bytes = world->step_arena.used_bytes + world->problem_arena.used_bytes};
  for (uint32_t i = 0; i < s->by_island.partition.island_count; i++) {
    const mo_island_solution *solution = &s->by_island.solutions[i];
    stats.missed_islands += solution->event != MO_ISLAND_AS_ASKED;
    if (solution->solver != MO_SOLVER_BLOCK_PGS) {
      stats.residual = mo_max(stats.residual, solution->residual);
    }
  }
  for (uint32_t i = 0; i < world->contacts_count; i++) {
    for (uint32_t k = 0; k < world->contacts[i].point_count; k++) {
      stats.max_penetration =
          mo_max(stats.max_penetration, -world->contacts[i].points[k].separation);
    }
  }
  return stats;
}

static void commit(mo_step *s) {
  commit_bodies(s);
  commit_contacts(s);
  mo_world_take_constraint_impulses(s->world, &s->problem, s->turn_impulses, s->constraint_rows);
  mo_arena last = s->world->problem_arena;
  s->world->problem_arena = s->world->spare_problem_arena;
  s->world->spare_problem_arena = last;
  s->world->time += s->dt;
  s->world->step_count++;
  s->world->last_step = (mo_step_record){.problem = s->problem,
                                         .row_slots = s->row_slots,
                                         .by_island = s->by_island,
                                         .friction_law = s->world->settings.friction_law,
                                         .stats = collect_stats(s),
                                         .dt = s->dt};
}

static mo_result run(mo_step *s) {
  mo_result result = mo_step_find_free_velocities(s);
  if (result == MO_OK) {
    result = mo_world_find_contacts(s->world, s->free_velocities, s->dt, &s->contact_count,
                                    &s->pair_count);
  }
  if (result == MO_OK) {
    result = mo_step_make_rows(s);
  }
  if (result == MO_OK) {
    result = mo_step_flow_joints(s);
  }
  if (result == MO_OK) {
    result = mo_step_solve(s);
  }
  if (result == MO_OK) {
    result = mo_step_integrate_poses(s);
  }
  return result == MO_OK ? mo_step_project_joints(s) : result;
}

mo_result mo_world_step(mo_world *world, double dt) {
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, "mo_world_step"));
  if (dt == 0.0) {
    return MO_OK;
  }
  if (!(dt > 0.0 && mo_is_finite(dt) && mo_is_finite(1.0 / dt))) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, "mo_world_step", "dt",
                           "must be 0 or a finite number of seconds above 1e-308", dt);
  }
  mo_step s = {.world = world, .dt = dt, .problem = {.dt = dt}};
  mo_arena_reset(&world->step_arena);
  mo_arena_reset(&world->spare_problem_arena);
  world->exact.arena.limit_bytes = (size_t)world->settings.exact_memory_limit;
  mo_result result = run(&s);
  if (result == MO_OK) {
    commit(&s);
    return MO_OK;
  }
  if (result == MO_ERROR_CONSTRAINT_FAILED || result == MO_ERROR_POTENTIAL_FAILED) {
    return result; // and the text says which
  }
  return mo_world_refuse_text(world, result, "mo_world_step",
                              result == MO_ERROR_NOT_FINITE
                                  ? "a body's motion overflowed; nothing was changed"
                                  : "no memory for the step; nothing was changed");
}
