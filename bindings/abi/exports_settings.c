/*
 * Exports of the settings of worlds.
 */
#include "block.h"

static mo_world_def read_settings(void) {
  mo_world_def def = mo_world_def_default();
  cursor at = io;
  def.gravity = read_vec3(&at);
  def.solver = (mo_solver)read_uint(&at);
  def.stabilization = (mo_stabilization)read_uint(&at);
  def.iterations = read_uint(&at);
  def.tolerance = read_number(&at);
  def.restitution_threshold = read_number(&at);
  def.linear_slop = read_number(&at);
  def.error_reduction = read_number(&at);
  def.max_correction_speed = read_number(&at);
  def.friction_law = (mo_friction_law)read_uint(&at);
  def.effort = (mo_effort)read_uint(&at);
  def.max_iterations = read_uint(&at);
  def.exact_memory_limit = read_number(&at);
  def.integrator = (mo_integrator)read_uint(&at);
  def.substeps = read_uint(&at);
  def.contact_hertz = read_number(&at);
  def.contact_damping = read_number(&at);
  def.joint_hertz = read_number(&at);
  def.joint_damping = read_number(&at);
  def.allow_sleep = read_bool(&at);
  def.sleep_threshold = read_number(&at);
  def.time_to_sleep = read_number(&at);
  def.certify = read_bool(&at);
  def.friction_per_point = read_bool(&at);
  return def;
}

static void write_settings(mo_world_def def) {
  cursor at = io;
  write_vec3(&at, def.gravity);
  write_number(&at, def.solver);
  write_number(&at, def.stabilization);
  write_number(&at, def.iterations);
  write_number(&at, def.tolerance);
  write_number(&at, def.restitution_threshold);
  write_number(&at, def.linear_slop);
  write_number(&at, def.error_reduction);
  write_number(&at, def.max_correction_speed);
  write_number(&at, def.friction_law);
  write_number(&at, def.effort);
  write_number(&at, def.max_iterations);
  write_number(&at, def.exact_memory_limit);
  write_number(&at, def.integrator);
  write_number(&at, def.substeps);
  write_number(&at, def.contact_hertz);
  write_number(&at, def.contact_damping);
  write_number(&at, def.joint_hertz);
  write_number(&at, def.joint_damping);
  write_number(&at, def.allow_sleep);
  write_number(&at, def.sleep_threshold);
  write_number(&at, def.time_to_sleep);
  write_number(&at, def.certify);
  write_number(&at, def.friction_per_point);
}

EXPORT(void, world_default_settings, void) { write_settings(mo_world_def_default()); }
EXPORT(mo_world *, world_create, void) {
  mo_world_def def = read_settings();
  return mo_world_create(&def, &last_result);
}
EXPORT(void, world_get_settings, const mo_world *world) {
  write_settings(mo_world_get_settings(world));
}
EXPORT(int, world_set_settings, mo_world *world) {
  mo_world_def def = read_settings();
  return (int)mo_world_set_settings(world, &def);
}
