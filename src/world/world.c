/// Creation and destruction of a world.
#include "world/checks.h"

#include "memory/allocator.h"
#include "memory/scratch.h"

mo_world *mo_world_create_tagged(const mo_world_def *def, uint16_t tag, mo_result *result) {
  mo_world *world = mo_allocate(sizeof *world);
  if (!world) {
    *result = MO_ERROR_OUT_OF_MEMORY;
    return NULL;
  }
  *result = mo_check_settings(world, "mo_world_create", def);
  if (*result != MO_OK) {
    mo_release(world);
    return NULL;
  }
  world->tag = tag;
  world->settings = *def;
  world->pairs.journal = world->islands.journal = &world->journal;
  return world;
}

mo_world *mo_world_create(const mo_world_def *def, mo_result *result) {
  mo_world *world = mo_world_create_tagged(def, 0, result);
  if (world) {
    world->tag = mo_next_world_tag();
  }
  return world;
}

void mo_world_release_record(mo_world *world) {
  mo_release(world->problem_record);
  world->problem_record = NULL;
}

// What lives gives back what it owns. Nothing is told of it: all lists end with the world.
static void free_living(mo_world *world) {
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    mo_body *body = &world->bodies[slot];
    for (uint32_t i = 0; i < body->shape_count; i++) {
      mo_shape_release(body->shapes[i].shape);
    }
    mo_release(body->shapes);
  }
  for (uint32_t slot = 0; slot < world->constraint_ids.slot_count; slot++) {
    mo_constraint_free(&world->constraints[slot]);
  }
}

void mo_world_free(mo_world *world) {
  if (!world) {
    return;
  }
  free_living(world);
  mo_world_free_potentials(world);
  mo_id_pool_free(&world->ids);
  mo_id_pool_free(&world->constraint_ids);
  mo_release(world->constraints);
  mo_release(world->broken);
  mo_release(world->bodies);
  mo_release(world->motions);
  mo_release(world->transforms);
  mo_release(world->transforms64);
  mo_release(world->velocities);
  mo_release(world->body_ids);
  mo_release(world->moved);
  mo_release(world->awake);
  mo_release(world->awake_places);
  mo_release(world->still_times);
  mo_release(world->still_places);
  mo_release(world->energy_tanks);
  mo_release(world->constraint_counts);
  mo_release(world->displacements);
  mo_release(world->step_displacements);
  mo_release(world->box_limits);
  mo_release(world->sleep_events);
  mo_release(world->was_awake);
  mo_release(world->joined.entries);
  mo_release(world->joined.firsts);
  mo_release(world->joined.carried);
  mo_release(world->joined.groups);
  mo_release(world->joined.roots);
  mo_island_sets_free(&world->islands);
  mo_pair_store_free(&world->pairs);
  mo_release(world->contacts);
  mo_release(world->fresh_contacts);
  mo_broad_phase_free(&world->broad_phase);
  mo_release(world->query_hits);
  mo_release(world->contact_rule.answers);
  mo_touches_free(&world->contact_touches);
  mo_touches_free(&world->sensor_touches);
  mo_release(world->touch_order);
  mo_release(world->contact_events);
  mo_release(world->event_points);
  mo_release(world->sensor_events);
  for (uint32_t i = 0; i < world->assets_count; i++) {
    mo_shape_release(world->assets[i].shape);
  }
  mo_release(world->assets);
  if (world->snapshot) {
    mo_release(world->snapshot->bytes);
  }
  mo_release(world->snapshot);
  mo_journal_free(&world->journal);
  mo_arena_free(&world->step_arena);
  mo_arena_free(&world->problem_arena);
  mo_arena_free(&world->spare_problem_arena);
  mo_arena_free(&world->trial_arena);
  mo_arena_free(&world->query_arena);
  mo_arena_free(&world->vehicle_arena);
  mo_arena_free(&world->joints.arena);
  mo_world_release_record(world);
  mo_exact_workspace_free(&world->exact);
  mo_release(world);
}

void mo_world_destroy(mo_world *world) {
  if (world && !world->is_locked) {
    mo_world_free(world);
    mo_scratch_free();
  }
}

double mo_world_time(const mo_world *world) { return world->time; }
double mo_world_last_dt(const mo_world *world) { return world->last_step.dt; }
uint64_t mo_world_step_count(const mo_world *world) { return world->step_count; }
mo_result mo_world_set_time(mo_world *world, double time, uint64_t step_count) {
  static const char *const function = "mo_world_set_time";
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, function));
  MO_RETURN_IF_REFUSED(
      mo_check_range(world, function, "time", time, -INFINITY, INFINITY, "must be finite"));
  world->time = time;
  world->step_count = step_count;
  return MO_OK;
}
