/*
 * Exports of joints and constraints.
 */
#include "block.h"
#include "callback.h"

// What JavaScript is asked for; the same numbers as PHASE in
// bindings/definitions/constraint-callbacks.mjs.
enum { PHASE_EVALUATE = 0, PHASE_JACOBIAN = 1, PHASE_TIME_DERIVATIVE = 2, PHASE_IS_ACTIVE = 3 };

// Time, address of the answer, and both bodies. The same order as in
// bindings/definitions/constraint-callbacks.mjs.
static double constraint_question[2 + 2 * CALLBACK_BODY_NUMBERS];

static bool ask_javascript(int phase, void *user, const mo_constraint_body *a,
                           const mo_constraint_body *b, double time, double *out) {
  cursor at = constraint_question;
  write_number(&at, time);
  write_number(&at, (double)(uintptr_t)out);
  WRITE_CALLBACK_BODY(&at, a);
  if (b) {
    WRITE_CALLBACK_BODY(&at, b);
  }
  return js_callback(CALLBACK_CONSTRAINT, (uint32_t)(uintptr_t)user, phase, constraint_question) ==
         0;
}

static bool ask_evaluate(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                         double time, double *out) {
  return ask_javascript(PHASE_EVALUATE, user, a, b, time, out);
}
static bool ask_jacobian(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                         double time, double *out) {
  return ask_javascript(PHASE_JACOBIAN, user, a, b, time, out);
}
static bool ask_time_derivative(void *user, const mo_constraint_body *a,
                                const mo_constraint_body *b, double time, double *out) {
  return ask_javascript(PHASE_TIME_DERIVATIVE, user, a, b, time, out);
}
static bool ask_is_active(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                          double time, double *out) {
  return ask_javascript(PHASE_IS_ACTIVE, user, a, b, time, out);
}

// A direction or a point of the world in both bodies' frames, or what was given for each.
static void read_frames(cursor *at, const mo_world *world, mo_constraint_def *def) {
  bool has_world_anchor = read_bool(at);
  def->anchor_a = read_vec3(at);
  def->anchor_b = read_vec3(at);
  bool has_world_axis = read_bool(at);
  def->axis_a = read_vec3(at);
  def->axis_b = read_vec3(at);
  if (has_world_anchor) {
    def->anchor_a = mo_body_local_point(world, def->body_a, def->anchor_a);
    def->anchor_b = mo_body_local_point(world, def->body_b, def->anchor_b);
  }
  if (has_world_axis) {
    def->axis_a = mo_body_local_vector(world, def->body_a, def->axis_a);
    def->axis_b = mo_body_local_vector(world, def->body_b, def->axis_b);
  }
}

// The name of a custom constraint with its end. JavaScript sends no longer one.
#define NAME_BYTES 32

// Fills `name`, which is all zeros before, of NAME_BYTES.
static void read_custom(cursor *at, mo_constraint_def *def, mo_row_bounds *bounds, char *name) {
  def->user = (void *)(uintptr_t)read_uint(at);
  def->evaluate = ask_evaluate;
  def->jacobian = read_bool(at) ? ask_jacobian : NULL;
  def->time_derivative = read_bool(at) ? ask_time_derivative : NULL;
  def->is_active = read_bool(at) ? ask_is_active : NULL;
  def->dimension = read_uint(at);
  def->bounds = bounds;
  for (uint32_t i = 0; i < def->dimension && i < MO_CONSTRAINT_ROWS; i++) {
    bounds[i].kind = (mo_bound)read_uint(at);
    bounds[i].lower = read_number(at);
    bounds[i].upper = read_number(at);
    bounds[i].friction = read_number(at);
  }
  uint32_t length = read_count(at, 1);
  for (uint32_t i = 0; i < length && i < NAME_BYTES - 1; i++) {
    name[i] = (char)read_uint(at);
  }
  def->name = name;
}

/* Reads a definition; the id, or 0 and last_result. */
EXPORT(js_id, constraint_create, mo_world *world) {
  cursor at = io;
  mo_row_bounds bounds[MO_CONSTRAINT_ROWS];
  char name[NAME_BYTES] = {0};
  mo_constraint_def def = mo_constraint_def_default((mo_constraint_type)read_uint(&at));
  def.body_a = body_of(world, read_number(&at));
  def.body_b = body_of(world, read_number(&at));
  def.collide_connected = read_bool(&at);
  read_frames(&at, world, &def);
  def.lower = read_number(&at);
  def.upper = read_number(&at);
  def.has_length = read_bool(&at);
  def.length = read_number(&at);
  def.has_stabilization = read_bool(&at);
  def.alpha = read_number(&at);
  def.beta = read_number(&at);
  def.compliance = read_number(&at);
  if (def.type == MO_CONSTRAINT_CUSTOM) {
    read_custom(&at, &def, bounds, name);
  }
  mo_constraint_id id = mo_constraint_create(world, &def);
  last_result = mo_constraint_id_is_null(id) ? mo_world_last_result(world) : MO_OK;
  return id_of_constraint(id);
}
EXPORT(int, constraint_destroy, mo_world *world, js_id constraint) {
  return (int)mo_constraint_destroy(world, constraint_of(world, constraint));
}

/* Writes dimension, whether it had rows, and its coordinate. */
EXPORT(int, constraint_get_state, const mo_world *world, js_id constraint) {
  mo_constraint_state state;
  mo_result result = mo_constraint_get_state(world, constraint_of(world, constraint), &state);
  if (result == MO_OK) {
    cursor at = io;
    write_number(&at, state.dimension);
    write_number(&at, state.is_active);
    write_number(&at, state.coordinate);
  }
  return (int)result;
}
EXPORT(const double *, constraint_impulses, const mo_world *world, js_id constraint) {
  return mo_constraint_impulses(world, constraint_of(world, constraint));
}

/* Writes C, or with `is_rate` its time derivative. */
EXPORT(int, constraint_violation, mo_world *world, js_id constraint, int is_rate) {
  double numbers[MO_CONSTRAINT_ROWS] = {0}; // callbacks may use the shared block
  mo_result result =
      is_rate ? mo_constraint_velocity_violation(world, constraint_of(world, constraint), numbers)
              : mo_constraint_violation(world, constraint_of(world, constraint), numbers);
  cursor at = io;
  for (uint32_t i = 0; i < MO_CONSTRAINT_ROWS; i++) {
    write_number(&at, numbers[i]);
  }
  return (int)result;
}
