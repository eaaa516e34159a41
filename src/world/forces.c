/// Forces and energies of the smooth motion: applied forces, gravity, potentials.
#include "dynamics/potential.h"
#include "world/checks.h"

// --- the bodies of a potential ---------------------------------------------------------------

// One call of a potential's functions: its bodies, and their slots.
typedef struct pull {
  uint32_t slot_a, slot_b;
  bool has_b;
  mo_potential_body a, b;
} pull;

// How many calls a potential needs; some of them may have no effect.
static uint32_t pull_count(const mo_world *world, const mo_potential_def *def) {
  if (mo_potential_kind_of(def->type)->is_pair) {
    return 1;
  }
  return def->body_count > 0 ? def->body_count : world->ids.slot_count;
}

static mo_potential_body potential_body(const mo_world *world, const mo_motion *motions,
                                        mo_body_id id) {
  uint32_t slot = mo_body_id_slot(id);
  return mo_potential_body_from(id, &world->bodies[slot].mass, &motions[slot]);
}

static bool is_dynamic(const mo_world *world, mo_body_id id) {
  return mo_body_is_alive(world, id) && world->bodies[mo_body_id_slot(id)].type == MO_BODY_DYNAMIC;
}

// A pair acts while its bodies are alive and one of them can move.
static bool pair_pull(const mo_world *world, const mo_potential_def *def, const mo_motion *motions,
                      pull *out) {
  mo_body_id a = def->bodies[0], b = def->body_count > 1 ? def->bodies[1] : MO_NULL_BODY_ID;
  out->has_b = !mo_body_id_is_null(b);
  if (!mo_body_is_alive(world, a) || (out->has_b && !mo_body_is_alive(world, b)) ||
      !(is_dynamic(world, a) || is_dynamic(world, b))) {
    return false;
  }
  out->slot_a = mo_body_id_slot(a);
  out->slot_b = mo_body_id_slot(b);
  out->a = potential_body(world, motions, a);
  if (out->has_b) {
    out->b = potential_body(world, motions, b);
  }
  return true;
}

// The bodies of call `index` of a potential. Returns false if there is nothing to act on.
static bool find_pull(const mo_world *world, const mo_potential_def *def, uint32_t index,
                      const mo_motion *motions, pull *out) {
  *out = (pull){0};
  if (mo_potential_kind_of(def->type)->is_pair) {
    return pair_pull(world, def, motions, out);
  }
  mo_body_id id = def->body_count > 0 ? def->bodies[index] : mo_world_body_in_slot(world, index);
  if (!is_dynamic(world, id)) {
    return false;
  }
  out->slot_a = mo_body_id_slot(id);
  out->a = potential_body(world, motions, id);
  return true;
}

// --- forces ----------------------------------------------------------------------------------

static bool wrench_is_finite(const mo_wrench *w) {
  return mo_v3_is_finite(w->force) && mo_v3_is_finite(w->torque);
}

static void add_wrench(mo_wrench *sum, const mo_wrench *w) {
  sum->force = mo_add(sum->force, w->force);
  sum->torque = mo_add(sum->torque, w->torque);
}

// Returns the reason of a failure, or null.
static const char *add_potential(const mo_world *world, const mo_potential_def *def,
                                 const mo_motion *motions, double time, mo_wrench *wrenches) {
  const mo_potential_kind *kind = mo_potential_kind_of(def->type);
  uint32_t count = pull_count(world, def);
  for (uint32_t i = 0; i < count; i++) {
    pull p;
    if (!find_pull(world, def, i, motions, &p) ||
        !(mo_world_is_awake(world, p.slot_a) || (p.has_b && mo_world_is_awake(world, p.slot_b)))) {
      continue;
    }
    mo_wrench on_a = {0}, on_b = {0};
    if (!kind->wrench(def, &p.a, p.has_b ? &p.b : NULL, time, &on_a, p.has_b ? &on_b : NULL)) {
      return "it gave up";
    }
    if (!wrench_is_finite(&on_a) || !wrench_is_finite(&on_b)) {
      return "its force or torque is not finite";
    }
    add_wrench(&wrenches[p.slot_a], &on_a);
    if (p.has_b) {
      add_wrench(&wrenches[p.slot_b], &on_b);
    }
  }
  return NULL;
}

static mo_result add_potentials(mo_world *world, const mo_motion *motions, double time,
                                mo_wrench *wrenches) {
  for (uint32_t slot = 0; slot < world->potential_ids.slot_count; slot++) {
    if (!world->potential_ids.alive[slot]) {
      continue;
    }
    const char *wrong = add_potential(world, &world->potentials[slot], motions, time, wrenches);
    if (wrong) {
      return mo_world_refuse_potential(world, "mo_world_step", slot, wrong);
    }
  }
  return MO_OK;
}

mo_result mo_world_evaluate_forces(mo_world *world, const mo_motion *motions, double time,
                                   mo_wrench *wrenches) {
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    const mo_body *body = &world->bodies[slot];
    wrenches[slot] = (mo_wrench){0};
    if (body->type != MO_BODY_DYNAMIC) {
      continue;
    }
    mo_wrench gravity =
        mo_gravity_wrench(mo_scale(body->gravity_scale, world->settings.gravity), body->mass.mass);
    wrenches[slot] =
        (mo_wrench){mo_add(body->force, gravity.force), mo_add(body->torque, gravity.torque)};
  }
  if (world->potential_ids.alive_count == 0) {
    return MO_OK;
  }
  world->is_locked = true; // custom potentials call functions of the user
  mo_result result = add_potentials(world, motions, time, wrenches);
  world->is_locked = false;
  return result;
}

// --- read-outs -------------------------------------------------------------------------------

static bool sum_energy(mo_world *world, const mo_potential_def *def, double *energy) {
  const mo_potential_kind *kind = mo_potential_kind_of(def->type);
  *energy = 0.0;
  if (!kind->energy) {
    return true;
  }
  uint32_t count = pull_count(world, def);
  for (uint32_t i = 0; i < count; i++) {
    pull p;
    if (!find_pull(world, def, i, world->motions, &p)) {
      continue;
    }
    double one = 0.0;
    if (!kind->energy(def, &p.a, p.has_b ? &p.b : NULL, world->time, &one)) {
      return false;
    }
    *energy += one;
  }
  return mo_is_finite(*energy);
}

bool mo_world_potential_energy(mo_world *world, uint32_t potential_slot, double *energy) {
  bool was_locked = world->is_locked;
  world->is_locked = true;
  bool good = sum_energy(world, &world->potentials[potential_slot], energy);
  world->is_locked = was_locked;
  return good;
}

static bool sum_wrench(const mo_world *world, const mo_potential_def *def, uint32_t slot,
                       mo_wrench *wrench) {
  const mo_potential_kind *kind = mo_potential_kind_of(def->type);
  uint32_t count = pull_count(world, def);
  for (uint32_t i = 0; i < count; i++) {
    pull p;
    bool acts = find_pull(world, def, i, world->motions, &p);
    if (!acts || (p.slot_a != slot && !(p.has_b && p.slot_b == slot))) {
      continue;
    }
    mo_wrench on_a = {0}, on_b = {0};
    if (!kind->wrench(def, &p.a, p.has_b ? &p.b : NULL, world->time, &on_a,
                      p.has_b ? &on_b : NULL)) {
      return false;
    }
    if (p.slot_a == slot) {
      add_wrench(wrench, &on_a);
    }
    if (p.has_b && p.slot_b == slot) {
      add_wrench(wrench, &on_b);
    }
  }
  return wrench_is_finite(wrench);
}

mo_result mo_potential_get_wrench(mo_world *world, mo_potential_id id, mo_body_id body,
                                  mo_wrench *wrench) {
  static const char *const function = "mo_potential_get_wrench";
  MO_RETURN_IF_REFUSED(mo_check_potential_id(world, function, id));
  MO_RETURN_IF_REFUSED(mo_check_body_id(world, function, "body", body));
  const mo_potential_def *def = &world->potentials[mo_potential_id_slot(id)];
  mo_wrench sum = {0};
  bool was_locked = world->is_locked;
  world->is_locked = true;
  bool good = world->bodies[mo_body_id_slot(body)].type != MO_BODY_DYNAMIC ||
              sum_wrench(world, def, mo_body_id_slot(body), &sum);
  world->is_locked = was_locked;
  if (!good) {
    return mo_world_refuse_potential(world, function, mo_potential_id_slot(id),
                                     "it gave up, or its force or torque is not finite");
  }
  *wrench = sum;
  return MO_OK;
}
