/*
 * Exports of the function that decides about contacts.
 */
#include "callback.h"

/* Doubles per point behind a pair, and of the answer behind the points. */
#define POINT_NUMBERS 4
#define ANSWER_NUMBERS 2

static double
    contact_question[CONTACT_PAIR_NUMBERS + MO_MANIFOLD_POINTS * POINT_NUMBERS + ANSWER_NUMBERS];

/* Where friction is: after both ids, both shapes and the normal. */
#define FRICTION_PLACE 7

static void write_points(cursor *at, const mo_contact_pair *pair) {
  for (uint32_t i = 0; i < MO_MANIFOLD_POINTS; i++) {
    write_vec3(at, pair->points[i].position);
    write_number(at, pair->points[i].separation);
  }
  write_number(at, 0.0);
  write_number(at, 0.0);
}

static void read_answer(mo_contact_pair *pair) {
  cursor materials = contact_question + FRICTION_PLACE;
  pair->friction = read_number(&materials);
  pair->restitution = read_number(&materials);
  pair->surface_velocity = read_vec3(&materials);
  cursor at = contact_question + CONTACT_PAIR_NUMBERS + MO_MANIFOLD_POINTS * POINT_NUMBERS;
  pair->is_refused = read_bool(&at);
  uint32_t removed = read_uint(&at);
  for (uint32_t i = 0; i < MO_MANIFOLD_POINTS; i++) {
    pair->points[i].is_removed = removed >> i & 1u;
  }
}

static bool ask_contact(mo_contact_pair *pair, void *user) {
  cursor at = contact_question;
  write_contact_pair(&at, pair);
  write_points(&at, pair);
  if (js_callback(CALLBACK_CONTACT, (uint32_t)(uintptr_t)user, 0, contact_question) != 0) {
    return false;
  }
  read_answer(pair);
  return true;
}

EXPORT(int, world_set_contact_function, mo_world *world, uint32_t handle, int is_on) {
  return (int)mo_world_set_contact_function(world, is_on ? ask_contact : NULL,
                                            (void *)(uintptr_t)handle);
}
