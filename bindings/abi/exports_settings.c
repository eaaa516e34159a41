/*
 * Exports of the settings of worlds.
 */
#include "../generated/abi.h"

static void write(mo_world_def settings) {
  cursor at = io;
  write_settings(&at, &settings);
}

static mo_world_def read(void) {
  cursor at = io;
  mo_world_def settings = mo_world_def_default();
  read_settings(&at, &settings);
  return settings;
}

EXPORT(void, world_default_settings, double length_unit) {
  write(mo_world_def_in_units(length_unit));
}
EXPORT(mo_world *, world_create, void) {
  mo_world_def settings = read();
  return mo_world_create(&settings, &last_result);
}
EXPORT(void, world_get_settings, const mo_world *world) { write(mo_world_get_settings(world)); }
EXPORT(int, world_set_settings, mo_world *world) {
  mo_world_def settings = read();
  return (int)mo_world_set_settings(world, &settings);
}
