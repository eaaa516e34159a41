#include "step/contact_function.h"

#include "memory/array.h"
#include "world/checks.h"

void mo_step_begin_contact_function(mo_world *world) {
  world->contact_rule.step++; // no answer is of this number
}

bool mo_step_has_asked(const mo_world *world, uint32_t contact) {
  const mo_contact_rule *rule = &world->contact_rule;
  return contact < rule->answers_capacity && rule->answers[contact].step == rule->step;
}

static mo_contact_pair pair_of(const mo_world *world, const mo_contact *contact) {
  mo_contact_pair pair = {.body_a = mo_world_body_in_slot(world, contact->slot_a),
                          .body_b = mo_world_body_in_slot(world, contact->slot_b),
                          .shape_a = contact->shape_a,
                          .shape_b = contact->shape_b,
                          .normal = contact->normal,
                          .friction = contact->friction,
                          .restitution = contact->restitution,
                          .surface_velocity = contact->surface_velocity,
                          .point_count = contact->point_count};
  for (uint32_t i = 0; i < contact->point_count; i++) {
    pair.points[i].position = contact->points[i].position;
    pair.points[i].separation = contact->points[i].separation;
  }
  return pair;
}

static mo_result ask(mo_world *world, const mo_contact *contact, mo_contact_pair *pair) {
  static const char *const function = "mo_world_step";
  const mo_contact_rule *rule = &world->contact_rule;
  *pair = pair_of(world, contact);
  bool was_locked = world->is_locked;
  world->is_locked = true;
  bool is_answered = rule->function(pair, rule->user);
  world->is_locked = was_locked;
  if (!is_answered) {
    return mo_world_refuse_text(world, MO_ERROR_CALLBACK_FAILED, function,
                                "the contact function failed; nothing was changed");
  }
  bool is_good = pair->friction >= 0.0 && mo_is_finite(pair->friction) &&
                 pair->restitution >= 0.0 && pair->restitution <= 1.0 &&
                 mo_v3_is_finite(pair->surface_velocity);
  return is_good ? MO_OK
                 : mo_world_refuse_text(world, MO_ERROR_CALLBACK_FAILED, function,
                                        "the contact function must leave a finite friction of 0 or "
                                        "more, a restitution of 0 to 1 and a finite surface "
                                        "velocity");
}

static void apply(const mo_contact_answer *answer, mo_contact *contact) {
  contact->friction = answer->friction;
  contact->restitution = answer->restitution;
  contact->surface_velocity = answer->surface_velocity;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < contact->point_count; i++) {
    if (!(answer->removed >> i & 1u)) {
      contact->points[kept++] = contact->points[i];
    }
  }
  contact->point_count = kept;
}

mo_result mo_step_ask_contact_function(mo_world *world, mo_contact *contact) {
  mo_contact_rule *rule = &world->contact_rule;
  if (!mo_step_has_asked(world, contact->contact)) {
    mo_contact_pair pair;
    MO_RETURN_IF_REFUSED(ask(world, contact, &pair));
    if (!MO_RESERVE(rule, answers, contact->contact + 1)) {
      return MO_ERROR_OUT_OF_MEMORY;
    }
    mo_contact_answer answer = {.step = rule->step,
                                .friction = pair.friction,
                                .restitution = pair.restitution,
                                .surface_velocity = pair.surface_velocity,
                                .is_refused = pair.is_refused};
    for (uint32_t i = 0; i < contact->point_count; i++) {
      bool is_removed = pair.is_refused || pair.points[i].is_removed;
      answer.removed |= (uint32_t)is_removed << i;
    }
    rule->answers[contact->contact] = answer;
  }
  apply(&rule->answers[contact->contact], contact);
  return MO_OK;
}

bool mo_step_has_refused(const mo_world *world, uint32_t proxy_a, uint32_t proxy_b) {
  const mo_contact_store *store = &world->pairs.records;
  uint32_t slot = world->broad_phase.proxies[proxy_a].slot;
  for (uint32_t edge = store->firsts[slot]; edge != MO_NO_CONTACT; edge = store->edges[edge].next) {
    uint32_t contact = mo_contact_of_edge(edge);
    const mo_contact_record *record = &store->records[contact];
    bool is_theirs = (record->proxy_a == proxy_a && record->proxy_b == proxy_b) ||
                     (record->proxy_a == proxy_b && record->proxy_b == proxy_a);
    if (is_theirs && mo_step_has_asked(world, contact)) {
      return world->contact_rule.answers[contact].is_refused;
    }
  }
  return false;
}

mo_result mo_world_set_contact_function(mo_world *world, mo_contact_function *function,
                                        void *user) {
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, "mo_world_set_contact_function"));
  bool had = world->contact_rule.function != NULL;
  world->contact_rule.function = function;
  world->contact_rule.user = user;
  for (uint32_t slot = 0; had && slot < world->ids.slot_count; slot++) {
    if (world->ids.alive[slot] && world->bodies[slot].type == MO_BODY_DYNAMIC) {
      mo_world_drop_pairs_of(world, slot); // contacts as they are without it
    }
  }
  return MO_OK;
}
