/// Creation, destruction and read-outs of potentials.
#include "dynamics/potential.h"

#include "memory/allocator.h"
#include "memory/array.h"
#include "world/checks.h"

#include <string.h>

// m^3/(kg s^2), CODATA 2018.
#define GRAVITATIONAL_CONSTANT 6.6743e-11

static const char *const create = "mo_potential_create";

mo_potential_def mo_potential_def_default(mo_potential_type type) {
  return (mo_potential_def){.type = type,
                            .surface_normal = {0.0, 1.0, 0.0},
                            .gravitational_constant = GRAVITATIONAL_CONSTANT,
                            .region = {.orientation = {0.0, 0.0, 0.0, 1.0}}};
}

// --- checks of a definition ------------------------------------------------------------------

static mo_result check_not_negative(mo_world *world, const char *name, double x) {
  return mo_check_range(world, create, name, x, 0.0, INFINITY, "must be finite, 0 or more");
}

static mo_result check_gravities(mo_world *world, const mo_potential_def *def) {
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, create, "gravity", def->gravity));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, create, "center", def->center));
  MO_RETURN_IF_REFUSED(check_not_negative(world, "mu", def->mu));
  return check_not_negative(world, "softening", def->softening);
}

static mo_result check_magnetic(mo_world *world, const mo_potential_def *def) {
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, create, "center", def->center));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, create, "moment", def->moment));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, create, "field", def->field));
  return mo_check_vec3(world, create, "source_moment", def->source_moment);
}

static mo_result check_drag(mo_world *world, const mo_potential_def *def) {
  MO_RETURN_IF_REFUSED(check_not_negative(world, "linear_drag", def->linear_drag));
  MO_RETURN_IF_REFUSED(check_not_negative(world, "quadratic_drag", def->quadratic_drag));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, create, "velocity", def->velocity));
  return check_not_negative(world, "angular_drag", def->angular_drag);
}

static mo_result check_spring(mo_world *world, const mo_potential_def *def) {
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, create, "anchor_a", def->anchor_a));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, create, "anchor_b", def->anchor_b));
  MO_RETURN_IF_REFUSED(check_not_negative(world, "stiffness", def->stiffness));
  MO_RETURN_IF_REFUSED(check_not_negative(world, "rest_length", def->rest_length));
  MO_RETURN_IF_REFUSED(check_not_negative(world, "damping", def->damping));
  if (def->body_count < 1 || def->body_count > 2) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, create, "body_count",
                           "of a spring must be 1 or 2", def->body_count);
  }
  if (def->body_count == 2 && mo_body_id_equals(def->bodies[0], def->bodies[1])) {
    return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, create,
                                "bodies of a spring must be two different ones");
  }
  return MO_OK;
}

static mo_result check_buoyancy(mo_world *world, const mo_potential_def *def) {
  MO_RETURN_IF_REFUSED(check_not_negative(world, "fluid_density", def->fluid_density));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, create, "surface_normal", def->surface_normal));
  if (mo_v3_equal(mo_normalize(def->surface_normal), mo_v3_zero())) {
    return mo_world_refuse_vec3(world, MO_ERROR_INVALID_ARGUMENT, create, "surface_normal",
                                "must not be zero", def->surface_normal);
  }
  return mo_check_range(world, create, "surface_offset", def->surface_offset, -INFINITY, INFINITY,
                        "must be finite");
}

static mo_result check_region(mo_world *world, const mo_region *region) {
  if ((unsigned)region->type > MO_REGION_BOX) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, create, "region.type",
                           "must be one of mo_region_type", (double)region->type);
  }
  if (region->type == MO_REGION_EVERYWHERE) {
    return MO_OK;
  }
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, create, "region.center", region->center));
  if (region->type == MO_REGION_SPHERE) {
    return mo_check_above_zero(world, create, "region.radius", region->radius);
  }
  const double extents[3] = {region->half_extents.x, region->half_extents.y,
                             region->half_extents.z};
  for (int i = 0; i < 3; i++) {
    MO_RETURN_IF_REFUSED(mo_check_above_zero(world, create, "region.half_extents", extents[i]));
  }
  return mo_check_orientation(world, create, region->orientation);
}

static mo_result check_fields(mo_world *world, const mo_potential_def *def) {
  switch (def->type) {
  case MO_POTENTIAL_GRAVITY:
  case MO_POTENTIAL_POINT_GRAVITY:
  case MO_POTENTIAL_TIDAL:
    return check_gravities(world, def);
  case MO_POTENTIAL_MAGNETIC:
    return check_magnetic(world, def);
  case MO_POTENTIAL_DRAG:
    return check_drag(world, def);
  case MO_POTENTIAL_SPRING:
    return check_spring(world, def);
  case MO_POTENTIAL_CUSTOM:
    return def->wrench ? MO_OK
                       : mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, create,
                                              "a custom potential needs a wrench function");
  case MO_POTENTIAL_BUOYANCY:
    return check_buoyancy(world, def);
  case MO_POTENTIAL_MUTUAL_GRAVITY:
    MO_RETURN_IF_REFUSED(check_not_negative(world, "softening", def->softening));
    return check_not_negative(world, "gravitational_constant", def->gravitational_constant);
  }
  return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, create, "type",
                         "must be one of mo_potential_type", (double)def->type);
}

static mo_result check_bodies(mo_world *world, const mo_potential_def *def) {
  if (def->body_count > 0 && !def->bodies) {
    return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, create,
                                "bodies must not be null");
  }
  for (uint32_t i = 0; i < def->body_count; i++) {
    bool may_be_world = def->type == MO_POTENTIAL_SPRING && i == 1;
    if (!(may_be_world && mo_body_id_is_null(def->bodies[i]))) {
      MO_RETURN_IF_REFUSED(mo_check_body_id(world, create, "bodies", def->bodies[i]));
    }
  }
  return MO_OK;
}

bool mo_world_is_good_potential(mo_world *world, const mo_potential_def *def) {
  bool is_custom = def->type == MO_POTENTIAL_CUSTOM; // its functions come later
  return (is_custom || check_fields(world, def) == MO_OK) &&
         check_region(world, &def->region) == MO_OK;
}

// --- creation and destruction ----------------------------------------------------------------

// Allocates a slot and the list of bodies. Returns MO_NO_SLOT without memory, with nothing changed.
static uint32_t make_room(mo_world *world, uint32_t body_count, mo_body_id **bodies,
                          mo_result *result) {
  *bodies = NULL;
  *result = MO_ERROR_OUT_OF_MEMORY;
  if (!MO_RESERVE(world, potentials, world->potential_ids.slot_count + 1)) {
    return MO_NO_SLOT;
  }
  if (body_count > 0) {
    *bodies = mo_allocate((size_t)body_count * sizeof **bodies);
    if (!*bodies) {
      return MO_NO_SLOT;
    }
  }
  uint32_t slot = mo_id_pool_take(&world->potential_ids, result);
  if (slot == MO_NO_SLOT) {
    mo_release(*bodies);
  }
  return slot;
}

// A field was created or destroyed: the bodies in it wake.
static void wake_bodies(mo_world *world, const mo_potential_def *def) {
  if (!def->bodies) {
    mo_world_wake_all(world);
    return;
  }
  for (uint32_t i = 0; i < def->body_count; i++) {
    if (mo_body_is_alive(world, def->bodies[i])) {
      mo_world_wake_slot(world, mo_body_id_slot(def->bodies[i]));
    }
  }
}

// With directions of unit length. A spring and masses that attract each other have no region.
static mo_potential_def normalized(const mo_potential_def *def) {
  mo_potential_def out = *def;
  bool has_region = def->type != MO_POTENTIAL_SPRING && def->type != MO_POTENTIAL_MUTUAL_GRAVITY;
  out.surface_normal = mo_normalize(def->surface_normal);
  out.region.type = has_region ? def->region.type : MO_REGION_EVERYWHERE;
  if (out.region.type == MO_REGION_BOX) {
    out.region.orientation = mo_quat_normalize(def->region.orientation);
  }
  return out;
}

mo_potential_id mo_potential_create(mo_world *world, const mo_potential_def *def) {
  if (mo_check_unlocked(world, create) != MO_OK || check_bodies(world, def) != MO_OK ||
      check_fields(world, def) != MO_OK || check_region(world, &def->region) != MO_OK) {
    return MO_NULL_POTENTIAL_ID;
  }
  mo_body_id *bodies;
  mo_result result;
  uint32_t slot = make_room(world, def->body_count, &bodies, &result);
  if (slot == MO_NO_SLOT) {
    mo_world_refuse_text(world, result, create, "no memory or no id for one more potential");
    return MO_NULL_POTENTIAL_ID;
  }
  if (bodies) {
    memcpy(bodies, def->bodies, (size_t)def->body_count * sizeof *bodies);
  }
  mo_potential_def *potential = &world->potentials[slot];
  *potential = normalized(def);
  potential->bodies = bodies;
  wake_bodies(world, potential);
  return mo_world_potential_in_slot(world, slot);
}

static void drop(mo_world *world, uint32_t slot) {
  mo_potential_def *potential = &world->potentials[slot];
  mo_release((void *)potential->bodies); // allocated in this file
  *potential = (mo_potential_def){0};
  mo_id_pool_give_back(&world->potential_ids, slot);
}

mo_result mo_potential_destroy(mo_world *world, mo_potential_id id) {
  static const char *const function = "mo_potential_destroy";
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, function));
  MO_RETURN_IF_REFUSED(mo_check_potential_id(world, function, id));
  wake_bodies(world, &world->potentials[mo_potential_id_slot(id)]);
  drop(world, mo_potential_id_slot(id));
  return MO_OK;
}

mo_result mo_potential_get_def(mo_world *world, mo_potential_id id, mo_potential_def *out) {
  MO_RETURN_IF_REFUSED(mo_check_potential_id(world, "mo_potential_get_def", id));
  *out = world->potentials[mo_potential_id_slot(id)];
  return MO_OK;
}

mo_result mo_potential_set_def(mo_world *world, mo_potential_id id, const mo_potential_def *def) {
  static const char *const function = "mo_potential_set_def";
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, function));
  MO_RETURN_IF_REFUSED(mo_check_potential_id(world, function, id));
  mo_potential_def *potential = &world->potentials[mo_potential_id_slot(id)];
  if (def->type != potential->type) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, "type",
                           "must be that of the potential", (double)def->type);
  }
  mo_potential_def changed = *def;
  changed.bodies = potential->bodies;
  changed.body_count = potential->body_count;
  changed.wrench = potential->wrench;
  changed.energy = potential->energy;
  changed.user = potential->user;
  MO_RETURN_IF_REFUSED(check_fields(world, &changed));
  MO_RETURN_IF_REFUSED(check_region(world, &changed.region));
  *potential = normalized(&changed);
  wake_bodies(world, potential);
  return MO_OK;
}

void mo_world_free_potentials(mo_world *world) {
  for (uint32_t slot = 0; slot < world->potential_ids.slot_count; slot++) {
    if (world->potential_ids.alive[slot]) {
      drop(world, slot);
    }
  }
  mo_id_pool_free(&world->potential_ids);
  mo_release(world->potentials);
}

// --- read-outs -------------------------------------------------------------------------------

uint32_t mo_world_potential_count(const mo_world *world) {
  return world->potential_ids.alive_count;
}

mo_result mo_potential_get_energy(mo_world *world, mo_potential_id id, double *energy) {
  static const char *const function = "mo_potential_get_energy";
  MO_RETURN_IF_REFUSED(mo_check_potential_id(world, function, id));
  double sum;
  if (!mo_world_potential_energy(world, mo_potential_id_slot(id), &sum)) {
    return mo_world_refuse_potential(world, function, mo_potential_id_slot(id),
                                     "it gave up, or its energy is not finite");
  }
  *energy = sum;
  return MO_OK;
}
