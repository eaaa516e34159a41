/// Forces and energies of the smooth motion: applied forces, gravity, potentials.
#include "dynamics/locks.h"
#include "dynamics/potential.h"
#include "world/checks.h"

// --- the bodies of a potential ---------------------------------------------------------------

// One call of a potential's functions: its bodies, and their slots.
typedef struct pull {
  uint32_t slot_a, slot_b;
  bool has_b;
  mo_potential_body a, b;
  mo_potential_scene scene;
} pull;

// What the calls of all potentials have in common.
typedef struct question {
  const mo_world *world;
  const mo_motion *motions; // per slot
  double time, dt;          // s; dt is 0 in a read-out
  double *dragged;          // two per slot (potential.h), or null
} question;

static question question_of_now(const mo_world *world) {
  return (question){.world = world, .motions = world->motions, .time = world->time};
}

// How many calls a potential needs; some of them may have no effect.
static uint32_t pull_count(const mo_world *world, const mo_potential_def *def) {
  if (mo_potential_kind_of(def->type)->is_pair) {
    return 1;
  }
  return def->body_count > 0 ? def->body_count : world->ids.slot_count;
}

static mo_potential_body potential_body(const question *q, mo_body_id id) {
  uint32_t slot = mo_body_id_slot(id);
  return mo_potential_body_from(id, &q->world->bodies[slot].mass, &q->motions[slot]);
}

static mo_potential_scene scene_of(const question *q, uint32_t slot) {
  return (mo_potential_scene){.time = q->time,
                              .dt = q->dt,
                              .gravity = q->world->settings.gravity,
                              .body = &q->world->bodies[slot],
                              .dragged = q->dragged ? &q->dragged[2 * (size_t)slot] : NULL};
}

// Whether a body is alive and takes part.
static bool is_there(const mo_world *world, mo_body_id id) {
  return mo_body_is_alive(world, id) && world->bodies[mo_body_id_slot(id)].is_enabled;
}

static bool is_dynamic(const mo_world *world, mo_body_id id) {
  return is_there(world, id) && mo_world_is_dynamic(world, mo_body_id_slot(id));
}

// A pair acts while its bodies take part and one of them can move.
static bool pair_pull(const question *q, const mo_potential_def *def, pull *out) {
  const mo_world *world = q->world;
  mo_body_id a = def->bodies[0], b = def->body_count > 1 ? def->bodies[1] : MO_NULL_BODY_ID;
  out->has_b = !mo_body_id_is_null(b);
  if (!is_there(world, a) || (out->has_b && !is_there(world, b)) ||
      !(is_dynamic(world, a) || is_dynamic(world, b))) {
    return false;
  }
  out->slot_a = mo_body_id_slot(a);
  out->slot_b = mo_body_id_slot(b);
  out->a = potential_body(q, a);
  if (out->has_b) {
    out->b = potential_body(q, b);
  }
  return true;
}

static bool is_in_region(const mo_region *region, mo_vec3 point) {
  mo_vec3 from = mo_sub(point, region->center);
  if (region->type == MO_REGION_BOX) {
    mo_vec3 local = mo_v3_abs(mo_quat_rotate_inverse(region->orientation, from));
    return local.x <= region->half_extents.x && local.y <= region->half_extents.y &&
           local.z <= region->half_extents.z;
  }
  return region->type != MO_REGION_SPHERE || mo_length(from) <= region->radius;
}

static mo_body_id body_of_call(const mo_world *world, const mo_potential_def *def, uint32_t index) {
  return def->body_count > 0 ? def->bodies[index] : mo_world_body_in_slot(world, index);
}

// The bodies of call `index` of a potential. Returns false if there is nothing to act on.
static bool find_pull(const question *q, const mo_potential_def *def, uint32_t index, pull *out) {
  *out = (pull){0};
  if (mo_potential_kind_of(def->type)->is_pair) {
    return pair_pull(q, def, out);
  }
  mo_body_id id = body_of_call(q->world, def, index);
  if (!is_dynamic(q->world, id)) {
    return false;
  }
  out->slot_a = mo_body_id_slot(id);
  if (!is_in_region(&def->region, q->motions[out->slot_a].center_of_mass)) {
    return false;
  }
  out->a = potential_body(q, id);
  out->scene = scene_of(q, out->slot_a);
  return true;
}

// Whether another body of a mutual potential acts on that of the pull; then it becomes its second.
static bool find_other(const question *q, const mo_potential_def *def, uint32_t index, pull *p) {
  mo_body_id id = body_of_call(q->world, def, index);
  if (mo_body_id_equals(id, p->a.id) || !is_there(q->world, id) ||
      (def->body_count == 0 && !is_dynamic(q->world, id))) {
    return false;
  }
  p->b = potential_body(q, id);
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

// The wrench of one call. Returns false if a function of the user failed.
static bool ask_wrench(const question *q, const mo_potential_def *def, pull *p, mo_wrench *on_a,
                       mo_wrench *on_b) {
  const mo_potential_kind *kind = mo_potential_kind_of(def->type);
  *on_a = *on_b = (mo_wrench){0};
  if (!kind->is_mutual) {
    return kind->wrench(def, &p->a, p->has_b ? &p->b : NULL, &p->scene, on_a,
                        p->has_b ? on_b : NULL);
  }
  uint32_t count = pull_count(q->world, def);
  for (uint32_t i = 0; i < count; i++) {
    mo_wrench by_one = {0};
    if (find_other(q, def, i, p) && kind->wrench(def, &p->a, &p->b, &p->scene, &by_one, NULL)) {
      add_wrench(on_a, &by_one);
    }
  }
  return true;
}

// Returns the reason of a failure, or null.
static const char *add_potential(const question *q, const mo_potential_def *def,
                                 mo_wrench *wrenches) {
  uint32_t count = pull_count(q->world, def);
  for (uint32_t i = 0; i < count; i++) {
    pull p;
    if (!find_pull(q, def, i, &p) || !(mo_world_is_awake(q->world, p.slot_a) ||
                                       (p.has_b && mo_world_is_awake(q->world, p.slot_b)))) {
      continue;
    }
    mo_wrench on_a, on_b;
    if (!ask_wrench(q, def, &p, &on_a, &on_b)) {
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

static mo_result add_potentials(mo_world *world, const question *q, mo_wrench *wrenches) {
  for (uint32_t slot = 0; slot < world->potential_ids.slot_count; slot++) {
    if (!world->potential_ids.alive[slot]) {
      continue;
    }
    const char *wrong = add_potential(q, &world->potentials[slot], wrenches);
    if (wrong) {
      return mo_world_refuse_potential(world, "mo_world_step", slot, wrong);
    }
  }
  return MO_OK;
}

static bool has_drag(const mo_world *world) {
  for (uint32_t slot = 0; slot < world->potential_ids.slot_count; slot++) {
    if (world->potential_ids.alive[slot] && world->potentials[slot].type == MO_POTENTIAL_DRAG) {
      return true;
    }
  }
  return false;
}

// Takes the components along locked axes, which the locks bear, out of all forces.
static void lock_forces(const mo_world *world, mo_wrench *wrenches) {
  // bodies with locked translation are among those that soft-step leaves to the rows
  for (uint32_t i = 0; world->solver_override_count > 0 && i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    wrenches[slot].force = mo_lock_translation(&world->bodies[slot], wrenches[slot].force);
  }
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
    lock_forces(world, wrenches);
    return MO_OK;
  }
  question q = {.world = world, .motions = motions, .time = time, .dt = world->running_dt};
  if (has_drag(world)) {
    q.dragged = MO_ARENA_TAKE(&world->step_arena, double, 2 * (size_t)world->ids.slot_count);
    if (!q.dragged) {
      return MO_ERROR_OUT_OF_MEMORY;
    }
  }
  world->is_locked = true; // custom potentials call functions of the user
  mo_result result = add_potentials(world, &q, wrenches);
  world->is_locked = false;
  lock_forces(world, wrenches);
  return result;
}

// --- read-outs -------------------------------------------------------------------------------

// The energy of one call; of a mutual potential, half of that with each other body.
static bool ask_energy(const question *q, const mo_potential_def *def, pull *p, double *energy) {
  const mo_potential_kind *kind = mo_potential_kind_of(def->type);
  *energy = 0.0;
  if (!kind->is_mutual) {
    return kind->energy(def, &p->a, p->has_b ? &p->b : NULL, &p->scene, energy);
  }
  uint32_t count = pull_count(q->world, def);
  for (uint32_t i = 0; i < count; i++) {
    double with_one = 0.0;
    if (find_other(q, def, i, p) && kind->energy(def, &p->a, &p->b, &p->scene, &with_one)) {
      // one that cannot move is never asked itself
      *energy += is_dynamic(q->world, p->b.id) ? with_one : 2.0 * with_one;
    }
  }
  return true;
}

static bool sum_energy(mo_world *world, const mo_potential_def *def, double *energy) {
  *energy = 0.0;
  if (!mo_potential_kind_of(def->type)->energy) {
    return true;
  }
  question q = question_of_now(world);
  uint32_t count = pull_count(world, def);
  for (uint32_t i = 0; i < count; i++) {
    pull p;
    double one;
    if (!find_pull(&q, def, i, &p)) {
      continue;
    }
    if (!ask_energy(&q, def, &p, &one)) {
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
  question q = question_of_now(world);
  uint32_t count = pull_count(world, def);
  for (uint32_t i = 0; i < count; i++) {
    pull p;
    bool acts = find_pull(&q, def, i, &p);
    if (!acts || (p.slot_a != slot && !(p.has_b && p.slot_b == slot))) {
      continue;
    }
    mo_wrench on_a, on_b;
    if (!ask_wrench(&q, def, &p, &on_a, &on_b)) {
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
