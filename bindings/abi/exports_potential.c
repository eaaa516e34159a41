/*
 * Exports of potentials.
 */
#include "callback.h"
#include "functions.h"

#include <stdlib.h>

// Behind the question is room for the answer: a wrench, or an energy.
static double potential_question[POTENTIAL_QUESTION_NUMBERS + WRENCH_NUMBERS];
static double *const potential_answer = &potential_question[POTENTIAL_QUESTION_NUMBERS];

static bool ask_potential(int phase, const mo_potential_body *body, double time, void *user) {
  abi_potential_question question = {.time = time, .body = body};
  cursor at = potential_question;
  write_potential_question(&at, &question);
  return js_callback(CALLBACK_POTENTIAL, (uint32_t)(uintptr_t)user, phase, potential_question) == 0;
}

static bool ask_wrench(const mo_potential_body *body, double time, mo_wrench *wrench, void *user) {
  bool good = ask_potential(PHASE_WRENCH, body, time, user);
  cursor at = potential_answer;
  read_wrench(&at, wrench);
  return good;
}

static bool ask_energy(const mo_potential_body *body, double time, double *energy, void *user) {
  bool good = ask_potential(PHASE_ENERGY, body, time, user);
  *energy = *potential_answer;
  return good;
}

mo_user_functions potential_functions(uint32_t handle, uint32_t has) {
  return (mo_user_functions){.wrench = ask_wrench,
                             .energy = has & HAS_ENERGY ? ask_energy : NULL,
                             .user = (void *)(uintptr_t)handle};
}

// The numbers of any type, and the functions of a custom one.
static mo_potential_def read_definition(cursor *at) {
  mo_potential_def def = mo_potential_def_default(MO_POTENTIAL_CUSTOM);
  read_potential_def(at, &def);
  abi_potential_targets targets;
  read_potential_targets(at, &targets);
  def.user = (void *)(uintptr_t)targets.handle;
  def.wrench = ask_wrench;
  def.energy = targets.has_energy ? ask_energy : NULL;
  def.body_count = targets.body_count;
  return def;
}

/* Reads a definition and its bodies; the id, or 0 and last_result. */
EXPORT(js_id, potential_create, mo_world *world) {
  cursor at = io;
  mo_potential_def def = read_definition(&at);
  mo_body_id *bodies = allocate_list(at, def.body_count, 1, sizeof *bodies);
  if (!bodies) {
    return 0;
  }
  for (uint32_t i = 0; i < def.body_count; i++) {
    bodies[i] = tagged_body(world, read_body_id(&at));
  }
  def.bodies = bodies;
  js_id id = id_of_potential(mo_potential_create(world, &def));
  free(bodies);
  last_result = id == 0 ? mo_world_last_result(world) : MO_OK;
  return id;
}
/* Reads a definition; its bodies and functions stay. */
EXPORT(int, potential_set_def, mo_world *world, js_id potential) {
  cursor at = io;
  mo_potential_def def = mo_potential_def_default(MO_POTENTIAL_CUSTOM);
  read_potential_def(&at, &def);
  return (int)mo_potential_set_def(world, potential_of(world, potential), &def);
}
EXPORT(int, potential_destroy, mo_world *world, js_id potential) {
  return (int)mo_potential_destroy(world, potential_of(world, potential));
}

/* Writes its energy. */
EXPORT(int, potential_get_energy, mo_world *world, js_id potential) {
  double energy = 0.0;
  mo_result result = mo_potential_get_energy(world, potential_of(world, potential), &energy);
  cursor at = io;
  write_number(&at, energy);
  return (int)result;
}

/* Writes force and torque. */
EXPORT(int, potential_get_wrench, mo_world *world, js_id potential, js_id body) {
  mo_wrench wrench = {0};
  mo_result result =
      mo_potential_get_wrench(world, potential_of(world, potential), body_of(world, body), &wrench);
  cursor at = io;
  write_wrench(&at, &wrench);
  return (int)result;
}
