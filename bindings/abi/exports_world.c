/*
 * Exports of worlds: their lives, steps and bulk arrays.
 */
#include "../generated/abi.h"

EXPORT(void, world_destroy, mo_world *world) { mo_world_destroy(world); }
EXPORT(const char *, world_last_error, const mo_world *world) { return mo_world_last_error(world); }

EXPORT(int, world_step, mo_world *world, double dt) { return (int)mo_world_step(world, dt); }
/* Makes good for a call that ended by an exception of the host. */
EXPORT(void, world_abandon_call, mo_world *world) { mo_world_abandon_call(world); }
EXPORT(double, world_time, const mo_world *world) { return mo_world_time(world); }
EXPORT(double, world_metre, const mo_world *world) {
  return 1.0 / mo_world_get_settings(world).length_unit;
}
EXPORT(double, world_step_count, const mo_world *world) {
  return (double)mo_world_step_count(world);
}
EXPORT(int, world_set_time, mo_world *world, double time, double steps) {
  return (int)mo_world_set_time(world, time, (uint64_t)steps);
}

EXPORT(uint32_t, world_slot_count, const mo_world *world) { return mo_world_slot_count(world); }
EXPORT(const float *, world_transforms, const mo_world *world) {
  return mo_world_transforms(world);
}
EXPORT(const double *, world_transforms64, const mo_world *world) {
  return mo_world_transforms64(world);
}
EXPORT(const double *, world_velocities, const mo_world *world) {
  return mo_world_velocities(world);
}
EXPORT(void, world_get_motions, const mo_world *world, double *out) {
  mo_world_get_motions(world, out);
}
EXPORT(int, world_set_motions, mo_world *world, const double *records, uint32_t count) {
  return (int)mo_world_set_motions(world, records, count);
}
EXPORT(uint32_t, world_awake_count, const mo_world *world) { return mo_world_awake_count(world); }
EXPORT(const uint32_t *, world_moved, const mo_world *world) {
  uint32_t count;
  return mo_world_moved(world, &count);
}
EXPORT(uint32_t, world_moved_count, const mo_world *world) {
  uint32_t count = 0;
  mo_world_moved(world, &count);
  return count;
}

EXPORT(int, world_last_result, const mo_world *world) { return (int)mo_world_last_result(world); }

/* Reads an explosion and its targets. */
EXPORT(int, world_explode, mo_world *world) {
  cursor at = io;
  mo_explosion explosion = mo_explosion_default();
  read_explosion(&at, &explosion);
  abi_explosion_targets targets;
  read_explosion_targets(&at, &targets);
  explosion.filter.category = targets.category;
  explosion.filter.mask = targets.mask;
  explosion.filter.exclude = tagged_body(world, targets.exclude);
  return (int)mo_world_explode(world, &explosion);
}
