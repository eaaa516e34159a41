/// Creation, destruction and mass of bodies. Every call checks all of its arguments before it
/// changes anything.
#include "world/body_measures.h"
#include "world/checks.h"
#include "world/constraints.h"

#include "dynamics/locks.h"
#include "memory/allocator.h"
#include "memory/array.h"

#include <string.h>

mo_body_def mo_body_def_default(void) {
  return (mo_body_def){.type = MO_BODY_DYNAMIC,
                       .orientation = {0.0, 0.0, 0.0, 1.0},
                       .density = 1000.0,
                       .friction = 0.5,
                       .gravity_scale = 1.0,
                       .filter = mo_filter_default(),
                       .is_enabled = true,
                       .allow_sleep = true};
}

// --- checks of a definition ------------------------------------------------------------------

static mo_result check_surface(mo_world *world, const mo_body_def *def) {
  static const char *const function = "mo_body_create";
  MO_RETURN_IF_REFUSED(
      mo_check_combine(world, function, "friction_combine", def->friction_combine));
  MO_RETURN_IF_REFUSED(
      mo_check_combine(world, function, "restitution_combine", def->restitution_combine));
  MO_RETURN_IF_REFUSED(mo_check_range(world, function, "rolling_friction", def->rolling_friction,
                                      0.0, INFINITY, "must be finite, 0 or more"));
  MO_RETURN_IF_REFUSED(mo_check_range(world, function, "spinning_friction", def->spinning_friction,
                                      0.0, INFINITY, "must be finite, 0 or more"));
  return mo_check_vec3(world, function, "surface_velocity", def->surface_velocity);
}

static mo_result check_target(mo_world *world, const mo_body_def *def) {
  static const char *const function = "mo_body_create";
  const mo_target *target = &def->target;
  if (target->state == MO_TARGET_NONE) {
    return MO_OK;
  }
  MO_RETURN_IF_REFUSED(mo_check_range(world, function, "target state", (double)target->state, 0.0,
                                      (double)MO_TARGET_REACHED, "must be one of mo_target_state"));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, "target position", target->pose.position));
  MO_RETURN_IF_REFUSED(mo_check_orientation(world, function, target->pose.orientation));
  MO_RETURN_IF_REFUSED(mo_check_range(world, function, "target time", target->time, 0.0, INFINITY,
                                      "must be finite, 0 or more seconds"));
  return def->type == MO_BODY_KINEMATIC
             ? MO_OK
             : mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                    "only a kinematic body has a target");
}

static mo_result check_push(mo_world *world, const mo_body_def *def) {
  static const char *const function = "mo_body_create";
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, "force", def->force));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, "torque", def->torque));
  bool is_pushed =
      !mo_v3_equal(def->force, mo_v3_zero()) || !mo_v3_equal(def->torque, mo_v3_zero());
  return def->type == MO_BODY_DYNAMIC || !is_pushed
             ? MO_OK
             : mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                    "force and torque must be 0 for a body that is not dynamic");
}

static mo_result check_def(mo_world *world, const mo_body_def *def) {
  static const char *const function = "mo_body_create";
  if ((unsigned)def->type > MO_BODY_DYNAMIC) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, "type",
                           "must be one of mo_body_type", (double)def->type);
  }
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, "position", def->position));
  MO_RETURN_IF_REFUSED(mo_check_orientation(world, function, def->orientation));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, "linear_velocity", def->linear_velocity));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, "angular_velocity", def->angular_velocity));
  MO_RETURN_IF_REFUSED(mo_check_static_velocity(world, function, def->type, def->linear_velocity));
  MO_RETURN_IF_REFUSED(mo_check_static_velocity(world, function, def->type, def->angular_velocity));
  MO_RETURN_IF_REFUSED(mo_check_above_zero(world, function, "density", def->density));
  MO_RETURN_IF_REFUSED(mo_check_range(world, function, "friction", def->friction, 0.0, INFINITY,
                                      "must be finite, 0 or more"));
  MO_RETURN_IF_REFUSED(
      mo_check_range(world, function, "restitution", def->restitution, 0.0, 1.0, "must be 0 to 1"));
  MO_RETURN_IF_REFUSED(mo_check_range(world, function, "linear_damping", def->linear_damping, 0.0,
                                      INFINITY, "must be finite, 0 or more"));
  MO_RETURN_IF_REFUSED(mo_check_range(world, function, "angular_damping", def->angular_damping, 0.0,
                                      INFINITY, "must be finite, 0 or more"));
  MO_RETURN_IF_REFUSED(mo_check_range(world, function, "gravity_scale", def->gravity_scale,
                                      -INFINITY, INFINITY, "must be finite"));
  MO_RETURN_IF_REFUSED(check_surface(world, def));
  MO_RETURN_IF_REFUSED(mo_check_locks(world, function, "lock_translation", def->lock_translation));
  MO_RETURN_IF_REFUSED(mo_check_locks(world, function, "lock_rotation", def->lock_rotation));
  MO_RETURN_IF_REFUSED(check_target(world, def));
  MO_RETURN_IF_REFUSED(check_push(world, def));
  if (def->has_solver) {
    MO_RETURN_IF_REFUSED(mo_check_range(world, function, "solver", (double)def->solver, 0.0,
                                        (double)MO_SOLVER_AUTO, "must be one of mo_solver"));
  }
  if (def->has_mass) {
    MO_RETURN_IF_REFUSED(mo_check_above_zero(world, function, "mass", def->mass));
  }
  if (def->has_inertia) {
    MO_RETURN_IF_REFUSED(mo_check_inertia(world, function, def->inertia));
  }
  if (def->has_center_of_mass) {
    MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, "center_of_mass", def->center_of_mass));
  }
  if (def->shape_count > 0 && !def->shapes) {
    return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                "shapes must not be null");
  }
  for (uint32_t i = 0; i < def->shape_count; i++) {
    MO_RETURN_IF_REFUSED(mo_check_placed_shape(world, function, def->type, &def->shapes[i]));
  }
  if (def->type == MO_BODY_DYNAMIC && def->shape_count == 0 && !def->has_mass) {
    return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                "a dynamic body without a shape needs a mass");
  }
  return MO_OK;
}

// --- life ------------------------------------------------------------------------------------

bool mo_world_reserve_slots(mo_world *world, uint32_t slots) {
  return MO_RESERVE(world, bodies, slots) && MO_RESERVE(world, motions, slots) &&
         MO_RESERVE(world, body_ids, slots) && MO_RESERVE(world, moved, slots) &&
         MO_RESERVE(world, transforms, 8 * slots) && MO_RESERVE(world, transforms64, 8 * slots) &&
         MO_RESERVE(world, velocities, 8 * slots) && mo_world_reserve_activity(world, slots);
}

static bool reserve_body(mo_world *world, const mo_body_def *def, const mo_placed_shape *shapes) {
  return mo_world_reserve_proxies(world, def->type, shapes, def->shape_count) &&
         mo_world_reserve_slots(world, world->ids.slot_count + 1);
}

// What the definition gives of the mass.
static mo_given_mass given_of(const mo_body_def *def) {
  return (mo_given_mass){def->has_mass, def->has_inertia, def->has_center_of_mass};
}

static mo_mass mass_of_def(const mo_body_def *def, const mo_placed_shape *shapes) {
  mo_mass values = {
      .mass = def->mass, .inertia = def->inertia, .center_of_mass = def->center_of_mass};
  return mo_body_mass_of(given_of(def), &values, shapes, def->shape_count);
}

// An owned copy of the shapes, whose open fields are filled in from the body. Null without memory.
static mo_placed_shape *copy_shapes(const mo_body_def *def, uint32_t count) {
  mo_placed_shape *shapes = mo_allocate_shapes(count);
  if (shapes) {
    mo_write_parts(def->shapes, def->shape_count, shapes);
  }
  for (uint32_t i = 0; shapes && i < count; i++) {
    shapes[i] = mo_complete_shape(&shapes[i], def->density, def->sensor);
  }
  return shapes;
}

static mo_quat unit_of_def(const mo_body_def *def, mo_quat given) {
  return def->is_exact ? mo_quat_keep_unit(given) : mo_quat_normalize(given);
}

// The first motion of a body of this definition.
static mo_motion motion_of_def(const mo_body_def *def, mo_vec3 center_of_mass) {
  mo_motion motion = {.position = def->position,
                      .orientation = unit_of_def(def, def->orientation),
                      .linear_velocity = def->linear_velocity,
                      .angular_velocity = def->angular_velocity};
  mo_motion_update_center(&motion, center_of_mass);
  return motion;
}

// Brings the inverse inertia and the velocities of a body in line with its locks.
static void apply_locks(mo_world *world, uint32_t slot) {
  mo_body *body = &world->bodies[slot];
  mo_body_apply_locks(body, &world->motions[slot]);
  if (body->type == MO_BODY_DYNAMIC) {
    mo_body_lock_velocities(body, &world->motions[slot]);
  }
}

static mo_target target_of_def(const mo_body_def *def) {
  mo_target target = def->target;
  if (target.state == MO_TARGET_NONE) {
    return (mo_target){.state = MO_TARGET_NONE};
  }
  target.pose.orientation = unit_of_def(def, target.pose.orientation);
  return target;
}

// The part of a velocity along and about locked axes that steps may leave, as soft-step does by
// round-off of single precision: some ten times 2^-24.
#define LOCK_ROUND_OFF 1e-6

static bool is_small_change(mo_vec3 from, mo_vec3 to) {
  return mo_distance_between(from, to) <= LOCK_ROUND_OFF * mo_length(from);
}

// Whether a body has moved with its locks before: to take what is left along locked axes off would
// only round its velocities.
static bool obeys_locks(const mo_body *body, const mo_motion *motion) {
  mo_vec3 linear = motion->linear_velocity, angular = motion->angular_velocity;
  return is_small_change(linear, mo_lock_translation(body, linear)) &&
         is_small_change(angular, mo_lock_rotation(body, angular));
}

// Sets up a slot that was allocated.
static void set_up(mo_world *world, uint32_t slot, const mo_body_def *def, mo_placed_shape *shapes,
                   const mo_mass *mass) {
  mo_body *body = &world->bodies[slot];
  *body = (mo_body){.serial = world->next_serial++,
                    .type = def->type,
                    .shapes = shapes,
                    .proxies = (uint32_t *)(shapes + def->shape_count),
                    .shape_count = def->shape_count,
                    .mass = *mass,
                    .friction = def->friction,
                    .restitution = def->restitution,
                    .linear_damping = def->linear_damping,
                    .angular_damping = def->angular_damping,
                    .gravity_scale = def->gravity_scale,
                    .density = def->density,
                    .given = given_of(def),
                    .filter = def->filter,
                    .is_enabled = def->is_enabled,
                    .bullet = def->bullet,
                    .allow_sleep = def->allow_sleep,
                    .has_solver = def->has_solver,
                    .solver = def->has_solver ? def->solver : (mo_solver)0,
                    .friction_combine = mo_combine_or_default(def->friction_combine),
                    .restitution_combine = mo_combine_or_default(def->restitution_combine),
                    .rolling_friction = def->rolling_friction,
                    .spinning_friction = def->spinning_friction,
                    .surface_velocity = def->surface_velocity,
                    .force = def->force,
                    .torque = def->torque,
                    .target = target_of_def(def),
                    .locks = (uint8_t)(def->lock_translation | def->lock_rotation << 3)};
  mo_body_measure(body);
  world->motions[slot] = motion_of_def(def, body->mass.center_of_mass);
  world->target_count += body->target.state != MO_TARGET_NONE;
  mo_motion given = world->motions[slot];
  if (body->locks) {
    apply_locks(world, slot);
  }
  if (def->is_exact && obeys_locks(body, &given)) {
    world->motions[slot] = given;
  }
  body->last_linear_velocity = world->motions[slot].linear_velocity;
  body->last_angular_velocity = world->motions[slot].angular_velocity;
}

// Allocates a slot, sets it up and adds the body to the broad phase. Returns MO_NO_SLOT if any of
// that fails, with nothing changed.
static uint32_t add_body(mo_world *world, const mo_body_def *def, mo_placed_shape *shapes,
                         const mo_mass *mass, mo_result *result) {
  *result = MO_ERROR_OUT_OF_MEMORY;
  uint32_t slot =
      reserve_body(world, def, shapes) ? mo_id_pool_take(&world->ids, result) : MO_NO_SLOT;
  if (slot == MO_NO_SLOT) {
    return MO_NO_SLOT;
  }
  mo_world_drop_dead_pairs(world);
  set_up(world, slot, def, shapes, mass);
  mo_world_add_proxies(world, slot);
  mo_world_begin_activity(world, slot);
  world->bodies[slot].needs_double = mo_body_needs_double(&world->bodies[slot]);
  world->solver_override_count += mo_body_may_override(&world->bodies[slot]);
  mo_world_note_mass(world, &world->bodies[slot]);
  mo_world_count_surface(world, slot, true);
  return slot;
}

// Checks that involve several members of the definition.
static mo_result check_placement(mo_world *world, const mo_body_def *def,
                                 const mo_placed_shape *shapes, const mo_mass *mass) {
  static const char *const function = "mo_body_create";
  MO_RETURN_IF_REFUSED(mo_check_body_mass(world, function, def->type, mass));
  mo_motion motion = motion_of_def(def, mass->center_of_mass);
  return mo_check_extent(world, function, &motion,
                         mo_body_bounding_radius(shapes, def->shape_count, mass->center_of_mass));
}

mo_body_id mo_body_create(mo_world *world, const mo_body_def *given) {
  if (mo_check_unlocked(world, "mo_body_create") != MO_OK || check_def(world, given) != MO_OK) {
    return MO_NULL_BODY_ID;
  }
  mo_body_def whole = *given; // without compounds
  const mo_body_def *def = &whole;
  whole.shape_count = mo_count_parts(given->shapes, given->shape_count);
  mo_placed_shape *shapes = copy_shapes(given, whole.shape_count);
  mo_mass mass = shapes ? mass_of_def(def, shapes) : (mo_mass){0};
  if (shapes && check_placement(world, def, shapes, &mass) != MO_OK) {
    mo_release(shapes);
    return MO_NULL_BODY_ID;
  }
  mo_result result = MO_ERROR_OUT_OF_MEMORY;
  uint32_t slot = shapes ? add_body(world, def, shapes, &mass, &result) : MO_NO_SLOT;
  if (slot == MO_NO_SLOT) {
    mo_release(shapes);
    mo_world_refuse_text(world, result, "mo_body_create",
                         result == MO_ERROR_CAPACITY ? "all body ids are in use"
                                                     : "no memory for another body");
    return MO_NULL_BODY_ID;
  }
  for (uint32_t i = 0; i < def->shape_count; i++) {
    mo_shape_retain(shapes[i].shape);
  }
  mo_world_publish_slot(world, slot);
  return mo_world_body_in_slot(world, slot);
}

mo_result mo_body_destroy(mo_world *world, mo_body_id id) {
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, "mo_body_destroy"));
  uint32_t slot = mo_body_id_slot(id);
  mo_body *body = &world->bodies[slot];
  mo_world_wake_slot(world, slot); // it wakes, and so does everything that rested on it
  mo_world_wake_touching(world, slot);
  mo_world_forget_contacts(world, slot);
  mo_world_forget_constraints(world, slot);
  mo_world_remove_proxies(world, slot);
  mo_world_end_activity(world, slot);
  mo_world_end_contacts(world, slot);
  world->solver_override_count -= mo_body_may_override(body);
  mo_world_count_surface(world, slot, false);
  mo_world_end_target(world, slot);
  for (uint32_t i = 0; i < body->shape_count; i++) {
    mo_shape_release(body->shapes[i].shape);
  }
  mo_release(body->shapes);
  *body = (mo_body){0};
  world->motions[slot] = (mo_motion){0};
  mo_id_pool_give_back(&world->ids, slot);
  mo_world_publish_slot(world, slot);
  return MO_OK;
}

// --- mass of an existing body ----------------------------------------------------------------

mo_result mo_body_set_type(mo_world *world, mo_body_id id, mo_body_type type) {
  static const char *const function = "mo_body_set_type";
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, function));
  mo_body *body = &world->bodies[mo_body_id_slot(id)];
  if ((unsigned)type > MO_BODY_DYNAMIC) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, "type",
                           "must be one of mo_body_type", (double)type);
  }
  for (uint32_t i = 0; i < body->shape_count; i++) {
    const char *why = mo_why_no_shape(type, body->shapes[i].shape);
    if (why) {
      return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function, why);
    }
  }
  if (type == MO_BODY_DYNAMIC && !(body->mass.mass > 0.0)) {
    return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                "a dynamic body without a shape needs a mass");
  }
  if (!mo_world_change_type(world, mo_body_id_slot(id), type)) {
    return mo_world_refuse_text(world, MO_ERROR_OUT_OF_MEMORY, function, "no memory");
  }
  mo_world_note_mass(world, body);
  mo_world_end_target(world, mo_body_id_slot(id));
  if (body->locks) {
    apply_locks(world, mo_body_id_slot(id));
    mo_world_publish_slot(world, mo_body_id_slot(id));
  }
  if (type != MO_BODY_DYNAMIC) {
    body->force = mo_v3_zero();
    body->torque = mo_v3_zero();
  }
  if (type == MO_BODY_STATIC) {
    mo_motion *motion = &world->motions[mo_body_id_slot(id)];
    motion->linear_velocity = mo_v3_zero();
    motion->angular_velocity = mo_v3_zero();
    mo_world_publish_slot(world, mo_body_id_slot(id));
  }
  return MO_OK;
}

static mo_result set_mass(mo_world *world, mo_body_id id, const char *function, double mass) {
  mo_body *body = &world->bodies[mo_body_id_slot(id)];
  mo_mass changed = body->mass;
  mo_mass_set(&changed, mass);
  MO_RETURN_IF_REFUSED(mo_check_body_mass(world, function, body->type, &changed));
  body->mass = changed;
  body->given.mass = true;
  if (body->locks) {
    apply_locks(world, mo_body_id_slot(id));
  }
  mo_world_note_mass(world, body);
  mo_world_update_solver(world, mo_body_id_slot(id));
  mo_world_wake_slot(world, mo_body_id_slot(id));
  return MO_OK;
}

mo_result mo_body_set_mass(mo_world *world, mo_body_id id, double mass) {
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, "mo_body_set_mass"));
  MO_RETURN_IF_REFUSED(mo_check_above_zero(world, "mo_body_set_mass", "mass", mass));
  return set_mass(world, id, "mo_body_set_mass", mass);
}

mo_result mo_body_set_density(mo_world *world, mo_body_id id, double density) {
  static const char *const function = "mo_body_set_density";
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, function));
  MO_RETURN_IF_REFUSED(mo_check_above_zero(world, function, "density", density));
  mo_body *body = &world->bodies[mo_body_id_slot(id)];
  double volume = mo_volume_of_shapes(body->shapes, body->shape_count);
  if (!(volume > 0.0)) {
    return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                "density needs a shape with a volume");
  }
  MO_RETURN_IF_REFUSED(set_mass(world, id, function, density * volume));
  // From now on the mass follows the shapes again, with these densities.
  double factor = density * volume / mo_mass_of_shapes(body->shapes, body->shape_count).mass;
  for (uint32_t i = 0; i < body->shape_count && mo_is_finite(factor); i++) {
    body->shapes[i].density *= factor;
  }
  body->given.mass = false;
  body->density = density;
  return MO_OK;
}

mo_result mo_body_set_inertia(mo_world *world, mo_body_id id, mo_mat3 inertia) {
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, "mo_body_set_inertia"));
  MO_RETURN_IF_REFUSED(mo_check_inertia(world, "mo_body_set_inertia", inertia));
  mo_body *body = &world->bodies[mo_body_id_slot(id)];
  mo_mass changed = body->mass;
  changed.inertia = inertia;
  mo_mass_complete(&changed);
  MO_RETURN_IF_REFUSED(mo_check_body_mass(world, "mo_body_set_inertia", body->type, &changed));
  body->mass = changed;
  body->given.inertia = true;
  if (body->locks) {
    apply_locks(world, mo_body_id_slot(id));
    mo_world_publish_slot(world, mo_body_id_slot(id));
  }
  mo_world_weigh_constraints(world, mo_body_id_slot(id));
  mo_world_wake_slot(world, mo_body_id_slot(id));
  return MO_OK;
}

mo_result mo_body_set_center_of_mass(mo_world *world, mo_body_id id, mo_vec3 center_of_mass) {
  static const char *const function = "mo_body_set_center_of_mass";
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, function));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, "center_of_mass", center_of_mass));
  uint32_t slot = mo_body_id_slot(id);
  mo_body *body = &world->bodies[slot];
  mo_motion motion = world->motions[slot];
  mo_motion_update_center(&motion, center_of_mass);
  // The motion of the body stays the same; the velocity refers to another point of it.
  mo_vec3 shift = mo_sub(motion.center_of_mass, world->motions[slot].center_of_mass);
  motion.linear_velocity = mo_add(motion.linear_velocity, mo_cross(motion.angular_velocity, shift));
  double radius = mo_body_bounding_radius(body->shapes, body->shape_count, center_of_mass);
  MO_RETURN_IF_REFUSED(mo_check_extent(world, function, &motion, radius));
  MO_RETURN_IF_REFUSED(
      mo_check_vec3(world, function, "velocity of the centre of mass", motion.linear_velocity));
  world->motions[slot] = motion;
  body->mass.center_of_mass = center_of_mass;
  body->given.center_of_mass = true;
  mo_body_measure(body);
  if (body->locks) {
    apply_locks(world, slot);
  }
  mo_world_update_solver(world, slot);
  mo_world_weigh_constraints(world, slot);
  mo_world_forget_joints(world);
  mo_world_forget_path(world, slot);
  mo_world_wake_slot(world, slot);
  mo_world_end_target(world, slot);
  mo_world_drop_pairs_of(world, slot); // lever arms start at the centre of mass
  mo_world_publish_slot(world, slot);
  return MO_OK;
}

// --- locks -----------------------------------------------------------------------------------

mo_result mo_body_set_locks(mo_world *world, mo_body_id id, uint32_t translation,
                            uint32_t rotation) {
  static const char *const function = "mo_body_set_locks";
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, function));
  MO_RETURN_IF_REFUSED(mo_check_locks(world, function, "translation", translation));
  MO_RETURN_IF_REFUSED(mo_check_locks(world, function, "rotation", rotation));
  uint32_t slot = mo_body_id_slot(id);
  mo_body *body = &world->bodies[slot];
  uint8_t locks = (uint8_t)(translation | rotation << 3);
  if (body->locks == locks) {
    return MO_OK;
  }
  body->locks = locks;
  apply_locks(world, slot);
  mo_world_update_solver(world, slot);
  mo_world_forget_joints(world);
  mo_world_forget_path(world, slot);
  mo_world_wake_slot(world, slot);
  mo_world_wake_touching(world, slot);
  mo_world_publish_slot(world, slot);
  return MO_OK;
}
