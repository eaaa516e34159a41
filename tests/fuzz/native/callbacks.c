/// Functions of the user, about rows, wrenches, energies, contacts and shapes of queries: they
/// depend on time and place, fail, give what is no number, and read the world that calls them.
#include "fuzz_world.h"

#include <string.h>

enum { FAULT_NONE, FAULT_GIVES_UP, FAULT_NAN, FAULT_INFINITE, FAULT_COUNT };
enum { ALWAYS, BY_TIME, BY_PLACE, ACTIVITY_FAILS, ACTIVITY_COUNT };
// Nested callbacks: a callback reads a violation, whose callback reads one.
#define MOST_DEPTH 2

// --- what they do besides --------------------------------------------------------------------

static uint64_t mix(uint64_t hash, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (hash ^ bits) * 0x9E3779B97F4A7C15u;
}

// What would change the world is refused while a callback runs.
static void try_to_change(fuzz_world *f) {
  mo_vec3 zero = {0.0, 0.0, 0.0};
  mo_body_def def = mo_body_def_default();
  def.has_mass = true;
  def.mass = 1.0;
  mo_world_def settings = mo_world_get_settings(f->world);
  mo_placed_shape placed = mo_placed_shape_default(f->shapes[0]);
  mo_coordinate_drive drive = mo_coordinate_drive_default();
  mo_pose pose = {.orientation = {0.0, 0.0, 0.0, 1.0}};
  mo_explosion explosion = mo_explosion_default();
  mo_world_destroy(f->world);
  if (mo_world_step(f->world, 0.01) != MO_ERROR_WORLD_LOCKED ||
      !mo_body_id_is_null(mo_body_create(f->world, &def)) ||
      mo_world_last_result(f->world) != MO_ERROR_WORLD_LOCKED ||
      mo_body_set_position(f->world, f->bodies[0], zero) != MO_ERROR_WORLD_LOCKED ||
      mo_body_destroy(f->world, f->bodies[1]) != MO_ERROR_WORLD_LOCKED ||
      mo_body_wake(f->world, f->bodies[2]) != MO_ERROR_WORLD_LOCKED ||
      mo_constraint_destroy(f->world, f->constraints[0]) != MO_ERROR_WORLD_LOCKED ||
      mo_potential_destroy(f->world, f->potentials[0]) != MO_ERROR_WORLD_LOCKED ||
      mo_body_add_shape(f->world, f->bodies[3], &placed) != MO_ERROR_WORLD_LOCKED ||
      mo_body_set_pose(f->world, f->bodies[4], pose) != MO_ERROR_WORLD_LOCKED ||
      mo_constraint_set_drive(f->world, f->constraints[1], 0, &drive) != MO_ERROR_WORLD_LOCKED ||
      mo_world_explode(f->world, &explosion) != MO_ERROR_WORLD_LOCKED ||
      mo_world_watch(f->world, MO_WATCH_CONTACTS) != MO_ERROR_WORLD_LOCKED ||
      mo_world_set_contact_function(f->world, NULL, NULL) != MO_ERROR_WORLD_LOCKED ||
      mo_world_set_settings(f->world, &settings) != MO_ERROR_WORLD_LOCKED) {
    fuzz_fail(f, "a callback changed its world", 0.0);
  }
}

// Reading changes nothing, so how often it is done may depend on anything.
static void look_around(const callback *call, uint64_t hash) {
  fuzz_world *f = call->fuzz;
  if (!f->is_reading || f->depth >= MOST_DEPTH || f->reads_left == 0 ||
      (hash >> 40) % 256 >= call->reads) {
    return;
  }
  f->reads_left--;
  f->depth++;
  try_to_change(f);
  fuzz_read_all(f);
  f->depth--;
}

// Whether the function fails for a body there at that time.
static bool is_faulty(const callback *call, mo_vec3 position, double time) {
  return call->fault != FAULT_NONE &&
         (fabs(position.x) > call->limit || fmod(fabs(time) * call->rate, 1.0) > 0.9);
}

// The answer of a function that fails: into `out`, or false.
static bool answer_wrongly(const callback *call, double *out) {
  *out = call->fault == FAULT_NAN ? (double)NAN : (double)INFINITY;
  return call->fault != FAULT_GIVES_UP;
}

// --- constraints -----------------------------------------------------------------------------

static double dot(mo_vec3 a, mo_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static uint64_t hash_of(const mo_constraint_body *a, double time) {
  return mix(mix(mix(mix(1, a->position.x), a->orientation.y), a->linear_velocity.z), time);
}

// The direction of a row: the rows of a constraint are independent.
static mo_vec3 direction_of(const callback *call, uint32_t row) {
  mo_vec3 d = call->direction;
  return row % 3 == 0 ? d : row % 3 == 1 ? (mo_vec3){d.y, d.z, d.x} : (mo_vec3){d.z, d.x, d.y};
}

// Rows hold the centre of A, or its distance from that of B, to a plane that moves.
static bool evaluate(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                     double time, double *out) {
  const callback *call = user;
  look_around(call, hash_of(a, time));
  if (is_faulty(call, a->position, time)) {
    return answer_wrongly(call, out);
  }
  mo_vec3 from = b ? b->center_of_mass : call->offset, to = a->center_of_mass;
  mo_vec3 way = {to.x - from.x, to.y - from.y, to.z - from.z};
  for (uint32_t i = 0; i < call->dimension; i++) {
    out[i] = call->scale * (dot(direction_of(call, i), way) + (call->kind % 2) * time);
    if (call->kind >= 2) { // one that is not linear and depends on how A is turned
      out[i] += call->scale * (a->orientation.x * way.x + way.y * way.z);
    }
  }
  return true;
}

static bool jacobian(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                     double time, double *out) {
  const callback *call = user;
  look_around(call, hash_of(a, time) * 3);
  if (is_faulty(call, a->position, time)) {
    return answer_wrongly(call, out);
  }
  for (uint32_t i = 0; i < call->dimension; i++) {
    mo_vec3 d = direction_of(call, i);
    double *row = &out[(size_t)i * (b ? 12u : 6u)];
    row[0] = call->scale * d.x, row[1] = call->scale * d.y, row[2] = call->scale * d.z;
    if (b) {
      row[6] = -row[0], row[7] = -row[1], row[8] = -row[2];
    }
  }
  return true;
}

static bool time_derivative(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                            double time, double *out) {
  (void)b;
  const callback *call = user;
  look_around(call, hash_of(a, time) * 5);
  for (uint32_t i = 0; i < call->dimension; i++) {
    out[i] = call->scale * (call->kind % 2);
  }
  return !is_faulty(call, a->position, time) || answer_wrongly(call, out);
}

static bool is_active(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                      double time, double *out) {
  (void)b;
  const callback *call = user;
  look_around(call, hash_of(a, time) * 7);
  // Times within a step differ from those at its ends, so rows come and go inside of steps.
  bool by_time = fmod(fabs(time) * call->rate, 2.0) < 1.0;
  out[0] = call->activity == BY_TIME    ? by_time
           : call->activity == BY_PLACE ? a->position.y > call->offset.y
                                        : 1.0;
  return call->activity != ACTIVITY_FAILS || by_time || answer_wrongly(call, out);
}

// --- potentials ------------------------------------------------------------------------------

static uint64_t hash_of_body(const mo_potential_body *body, double time) {
  return mix(mix(mix(1, body->position.x), body->linear_velocity.y), time) * 11;
}

static bool wrench(const mo_potential_body *body, double time, mo_wrench *out, void *user) {
  const callback *call = user;
  look_around(call, hash_of_body(body, time));
  if (is_faulty(call, body->position, time)) {
    return answer_wrongly(call, &out->force.y);
  }
  out->force.x = call->scale * (call->offset.x - body->position.x);
  out->force.y = call->scale * (call->kind % 2) * sqrt(fabs(time));
  out->torque.z = -call->scale * body->angular_velocity.z;
  return true;
}

static bool energy(const mo_potential_body *body, double time, double *out, void *user) {
  const callback *call = user;
  look_around(call, hash_of_body(body, time) * 13);
  double x = call->offset.x - body->position.x;
  *out = 0.5 * call->scale * x * x;
  return !is_faulty(call, body->position, time) || answer_wrongly(call, out);
}

// --- contacts and queries --------------------------------------------------------------------

static bool decide_contact(mo_contact_pair *pair, void *user) {
  const callback *call = user;
  double time = mo_world_time(call->fuzz->world);
  look_around(call, mix(mix(17, pair->normal.x), time + pair->shape_b));
  if (is_faulty(call, pair->points[0].position, time)) {
    return answer_wrongly(call, call->kind % 2 ? &pair->friction : &pair->restitution);
  }
  pair->friction *= call->kind == 1 ? fabs(call->scale) : 1.0;
  pair->surface_velocity.x += call->kind == 2 ? call->scale : 0.0;
  pair->is_refused = call->activity == BY_TIME && fmod(time * call->rate, 2.0) < 1.0;
  pair->points[pair->point_count - 1].is_removed = call->activity == BY_PLACE;
  if (call->kind == 3 && fmod(time * call->rate, 4.0) < 1.0) {
    (void)mo_constraint_break(call->fuzz->world, call->fuzz->constraints[call->dimension]);
  }
  return true;
}

static bool take_shape(mo_body_id body, uint32_t shape, void *user) {
  const callback *call = user;
  look_around(call, mix(19, call->offset.x + mo_body_id_slot(body) + shape));
  return (mo_body_id_slot(body) + shape + call->kind) % 3 != 0;
}

// --- choice ----------------------------------------------------------------------------------

static callback *choose_callback(fuzz_world *f, choices *c) {
  callback *call = &f->callbacks[f->record];
  call->fuzz = f;
  call->kind = (uint8_t)choose_below(c, 4);
  call->fault = (uint8_t)(choose_if(c, 200) ? FAULT_NONE : choose_below(c, FAULT_COUNT));
  call->activity = (uint8_t)choose_below(c, ACTIVITY_COUNT);
  call->reads = (uint8_t)(choose_if(c, 128) ? 4 : choose_byte(c));
  // Some switch within most steps, some every few steps.
  call->rate = choose_if(c, 128) ? 61.7 : 3.3;
  call->limit = 1.5;
  call->direction = choose_vec3(c, 1.0);
  call->offset = choose_vec3(c, 2.0);
  call->scale = choose_if(c, 192) ? 1.0 : choose_number(c, 10.0);
  return call;
}

void fuzz_choose_constraint_functions(fuzz_world *f, choices *c, mo_constraint_def *def) {
  uint32_t given = choose_byte(c);
  callback *call = choose_callback(f, c);
  call->dimension = (uint8_t)def->dimension;
  def->evaluate = evaluate;
  def->jacobian = (given & 1) != 0 ? jacobian : NULL;
  def->time_derivative = (given & 2) != 0 ? time_derivative : NULL;
  def->is_active = (given & 12) != 0 ? is_active : NULL;
  def->user = call;
  fuzz_say(f, " kind %u fault %u activity %u rate %g reads %u given %u", call->kind, call->fault,
           call->activity, call->rate, call->reads, given & 15);
}

void fuzz_choose_potential_functions(fuzz_world *f, choices *c, mo_potential_def *def) {
  callback *call = choose_callback(f, c);
  def->wrench = wrench;
  def->energy = choose_if(c, 200) ? energy : NULL;
  def->user = call;
  fuzz_say(f, " kind %u fault %u rate %g reads %u", call->kind, call->fault, call->rate,
           call->reads);
}

void fuzz_choose_predicate(fuzz_world *f, choices *c, mo_query_filter *filter) {
  filter->user = choose_callback(f, c);
  filter->predicate = take_shape;
}

mo_result fuzz_choose_contact_function(fuzz_world *f, choices *c) {
  callback *call = choose_callback(f, c);
  call->dimension = (uint8_t)choose_below(c, TABLE);
  fuzz_say(f, " kind %u fault %u activity %u rate %g reads %u", call->kind, call->fault,
           call->activity, call->rate, call->reads);
  return mo_world_set_contact_function(f->world, decide_contact, call);
}
