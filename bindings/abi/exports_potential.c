/*
 * Exports of potentials.
 */
#include "block.h"
#include "callback.h"

#include <stdlib.h>

// What JavaScript is asked for; the same numbers as PHASE in
// bindings/definitions/potential-callbacks.mjs.
enum { PHASE_WRENCH = 0, PHASE_ENERGY = 1 };

// Time, id and mass of the body, the body as constraints have it, and room for the answer: force
// and torque, or the energy. The same order as in bindings/definitions/potential-callbacks.mjs.
#define POTENTIAL_ANSWER (3 + CALLBACK_BODY_NUMBERS)
static double potential_question[POTENTIAL_ANSWER + 6];

static bool ask_potential(int phase, const mo_potential_body *body, double time, void *user) {
  cursor at = potential_question;
  write_number(&at, time);
  write_number(&at, id_of_body(body->id));
  write_number(&at, body->mass);
  WRITE_CALLBACK_BODY(&at, body);
  return js_callback(CALLBACK_POTENTIAL, (uint32_t)(uintptr_t)user, phase, potential_question) == 0;
}

static bool ask_wrench(const mo_potential_body *body, double time, mo_wrench *wrench, void *user) {
  bool good = ask_potential(PHASE_WRENCH, body, time, user);
  cursor at = &potential_question[POTENTIAL_ANSWER];
  wrench->force = read_vec3(&at);
  wrench->torque = read_vec3(&at);
  return good;
}

static bool ask_energy(const mo_potential_body *body, double time, double *energy, void *user) {
  bool good = ask_potential(PHASE_ENERGY, body, time, user);
  *energy = potential_question[POTENTIAL_ANSWER];
  return good;
}

// All numbers of any type, in the order of mo_potential_def.
static mo_potential_def read_potential(cursor *at) {
  mo_potential_def def = mo_potential_def_default((mo_potential_type)read_uint(at));
  def.gravity = read_vec3(at);
  def.center = read_vec3(at);
  def.mu = read_number(at);
  def.softening = read_number(at);
  def.moment = read_vec3(at);
  def.field = read_vec3(at);
  def.source_moment = read_vec3(at);
  def.linear_drag = read_number(at);
  def.quadratic_drag = read_number(at);
  def.angular_drag = read_number(at);
  def.anchor_a = read_vec3(at);
  def.anchor_b = read_vec3(at);
  def.stiffness = read_number(at);
  def.rest_length = read_number(at);
  def.damping = read_number(at);
  def.user = (void *)(uintptr_t)read_uint(at);
  def.wrench = ask_wrench;
  def.energy = read_bool(at) ? ask_energy : NULL;
  return def;
}

/* Reads a definition and its bodies, the number of them first; the id, or 0 and last_result. */
EXPORT(js_id, potential_create, mo_world *world) {
  cursor at = io;
  mo_potential_def def = read_potential(&at);
  def.body_count = read_count(&at, 1);
  mo_body_id *bodies = NULL;
  if (def.body_count > 0) {
    bodies = allocate_array(def.body_count, sizeof *bodies);
    if (!bodies) {
      last_result = MO_ERROR_OUT_OF_MEMORY;
      return 0;
    }
  }
  for (uint32_t i = 0; i < def.body_count; i++) {
    bodies[i] = body_of(world, read_number(&at));
  }
  def.bodies = bodies;
  mo_potential_id id = mo_potential_create(world, &def);
  free(bodies);
  last_result = mo_potential_id_is_null(id) ? mo_world_last_result(world) : MO_OK;
  return id_of_potential(id);
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
  write_vec3(&at, wrench.force);
  write_vec3(&at, wrench.torque);
  return (int)result;
}
