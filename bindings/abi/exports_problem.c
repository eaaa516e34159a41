/*
 * Exports of contact problems that are given as matrices.
 */
#include "../generated/abi.h"

/* Reads a problem, its settings, and where impulses and velocities are to be written; writes the
 * result. */
EXPORT(int, problem_solve, void) {
  cursor at = io;
  mo_problem_def def;
  read_problem_def(&at, &def);
  mo_problem_settings settings = mo_problem_settings_default();
  read_problem_settings(&at, &settings);
  abi_problem_answer answer;
  read_problem_answer(&at, &answer);
  mo_problem_result out;
  mo_result result = mo_problem_solve(&def, &settings, answer.impulses, answer.velocities, &out);
  at = io;
  write_problem_result(&at, &out);
  return (int)result;
}

/* Reads M, H and a reduction; writes the address of what is wrong, or 0. */
EXPORT(int, problem_reduce, void) {
  cursor at = io;
  mo_triplets mass, jacobian;
  read_triplets(&at, &mass);
  read_triplets(&at, &jacobian);
  abi_reduction to;
  read_reduction(&at, &to);
  const char *refused;
  mo_result result = mo_problem_reduce(&mass, &jacobian, to.force, to.offset, to.delassus,
                                       to.free_velocity, &refused);
  at = io;
  write_pointer(&at, refused);
  return (int)result;
}
