/*
 * Exports of contact problems that are given as matrices.
 */
#include "block.h"

/* Reads a problem: contact count, addresses of W, q, mu and the impulses to start from (0: none),
 * of the impulses and velocities to write, and the settings. Writes the result. */
EXPORT(int, problem_solve, void) {
  cursor at = io;
  mo_problem_def def = {.contact_count = read_uint(&at)};
  def.delassus = read_pointer(&at);
  def.free_velocity = read_pointer(&at);
  def.friction = read_pointer(&at);
  def.warm_start = read_pointer(&at);
  double *impulses = read_pointer(&at);
  double *velocities = read_pointer(&at);
  mo_problem_settings settings = mo_problem_settings_default();
  settings.solver = (mo_solver)read_uint(&at);
  settings.tolerance = read_number(&at);
  settings.max_iterations = read_uint(&at);
  settings.friction_law = (mo_friction_law)read_uint(&at);
  settings.effort = (mo_effort)read_uint(&at);
  mo_problem_result out;
  mo_result result = mo_problem_solve(&def, &settings, impulses, velocities, &out);
  at = io;
  write_number(&at, out.solver);
  write_number(&at, out.status);
  write_number(&at, out.iterations);
  write_number(&at, out.factorisations);
  write_number(&at, (double)(uintptr_t)out.refused);
  write_number(&at, out.refused_at);
  write_number(&at, out.residual.worst);
  write_number(&at, out.residual.rms);
  write_number(&at, out.residual.cone);
  write_number(&at, out.residual.dual);
  write_number(&at, out.residual.complementarity);
  write_number(&at, out.residual.bilateral);
  write_number(&at, out.residual.contacts);
  return (int)result;
}

static mo_triplets read_triplets(cursor *at) {
  mo_triplets t;
  t.rows = read_uint(at);
  t.columns = read_uint(at);
  t.count = read_uint(at);
  t.row = read_pointer(at);
  t.column = read_pointer(at);
  t.value = read_pointer(at);
  return t;
}

/* Reads M, H and the addresses of f, w, W and q; writes the address of what is wrong, or 0. */
EXPORT(int, problem_reduce, void) {
  cursor at = io;
  mo_triplets mass = read_triplets(&at);
  mo_triplets jacobian = read_triplets(&at);
  const double *force = read_pointer(&at);
  const double *offset = read_pointer(&at);
  double *delassus = read_pointer(&at);
  double *free_velocity = read_pointer(&at);
  const char *refused;
  mo_result result =
      mo_problem_reduce(&mass, &jacobian, force, offset, delassus, free_velocity, &refused);
  at = io;
  write_number(&at, (double)(uintptr_t)refused);
  return (int)result;
}
