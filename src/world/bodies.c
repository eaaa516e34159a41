/// Creation, destruction and mass of bodies. Every call checks all of its arguments before it
/// changes anything.
#include "world/checks.h"
#include "world/constraints.h"

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
                       .allow_sleep = true};
}

// --- checks of a definition ------------------------------------------------------------------

static mo_result check_shape(mo_world *world, const char *function, const mo_body_def *def,
                             const mo_placed_shape *placed) {
  if (!placed->shape) {
    return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                "shapes must not hold a null shape");
  }
  if (mo_shape_is_unbounded(placed->shape) && def->type != MO_BODY_STATIC) {
    return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                "a plane has no mass: only a static body can have one");
  }
  mo_result result = mo_check_vec3(world, function, "shape position", placed->pose.position);
  if (result == MO_OK) {
    result = mo_check_orientation(world, function, placed->pose.orientation);
  }
  if (result == MO_OK && placed->density >= 0.0) {
    result = mo_check_above_zero(world, function, "shape density", placed->density);
  }
  if (result == MO_OK && placed->friction >= 0.0) {
    result = mo_check_range(world, function, "shape friction", placed->friction, 0.0, INFINITY,
                            "must be finite, 0 or more");
  }
  if (result == MO_OK && placed->restitution >= 0.0) {
    result = mo_check_range(world, function, "shape restitution", placed->restitution, 0.0, 1.0,
                            "must be 0 to 1");
  }
  if (placed->density != placed->density || placed->friction != placed->friction ||
      placed->restitution != placed->restitution) {
    result = mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                  "density, friction and restitution of a shape must not be NaN");
  }
  return result;
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
    MO_RETURN_IF_REFUSED(check_shape(world, function, def, &def->shapes[i]));
  }
  if (def->type == MO_BODY_DYNAMIC && def->shape_count == 0 && !def->has_mass) {
    return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                "a dynamic body without a shape needs a mass");
  }
  return MO_OK;
}

// --- mass ------------------------------------------------------------------------------------

static mo_mass mass_of_def(const mo_body_def *def, const mo_placed_shape *shapes) {
  mo_mass mass = mo_mass_of_shapes(shapes, def->shape_count);
  if (def->has_center_of_mass && mass.mass > 0.0) {
    mo_vec3 offset = mo_sub(mass.center_of_mass, def->center_of_mass);
    mass.inertia = mo_mat3_add(mass.inertia, mo_mat3_parallel_axis(mass.mass, offset));
  }
  if (def->has_center_of_mass) {
    mass.center_of_mass = def->center_of_mass;
  }
  if (def->has_mass) {
    mo_mass_set(&mass, def->mass);
  }
  if (def->has_inertia) {
    mass.inertia = def->inertia;
  }
  mo_mass_complete(&mass);
  return mass;
}

// Checks what the checks of single numbers cannot: the product of density and volume may overflow
// or vanish.
static mo_result check_mass(mo_world *world, const char *function, mo_body_type type,
                            const mo_mass *mass) {
  if (!mo_mass_is_finite(mass) || (type == MO_BODY_DYNAMIC && !(mass->mass > 0.0))) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, "mass",
                           "must come out as a finite number above 0, inertia and inverses too",
                           mass->mass);
  }
  return MO_OK;
}

// The same for the sum of finite positions, and their distance.
static mo_result check_extent(mo_world *world, const char *function, const mo_motion *motion,
                              double radius) {
  if (!mo_v3_is_finite(motion->center_of_mass)) {
    return mo_world_refuse_vec3(world, MO_ERROR_INVALID_ARGUMENT, function, "center_of_mass",
                                "must be finite in the world too", motion->center_of_mass);
  }
  return mo_is_finite(radius)
             ? MO_OK
             : mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, "center_of_mass",
                               "must be less than 1e150 m from all shapes; their distance", radius);
}

// Radius of a ball about the centre of mass that contains all shapes. Only static bodies have
// planes, and they need no radius.
static double bounding_radius(const mo_placed_shape *shapes, uint32_t count,
                              mo_vec3 center_of_mass) {
  double radius = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    if (mo_shape_is_unbounded(shapes[i].shape)) {
      continue;
    }
    mo_vec3 center =
        mo_transform_point(mo_transform_from_pose(shapes[i].pose), shapes[i].shape->centroid);
    radius = mo_max(radius,
                    mo_distance_between(center, center_of_mass) + shapes[i].shape->bounding_radius);
  }
  return radius;
}

// The smallest inner radius of the shapes; 0 without shapes.
static double inner_radius(const mo_placed_shape *shapes, uint32_t count) {
  double least = count > 0 ? INFINITY : 0.0;
  for (uint32_t i = 0; i < count; i++) {
    least = mo_min(least, shapes[i].shape->inner_radius);
  }
  return least;
}

// kg: below this mass, soft-step would count impulses of friction as zero (MO_DISC_TINY).
#define LEAST_SINGLE_MASS 1e-12
// kg: up to this mass, single precision holds the squares of impulses and their products with arms.
#define LARGEST_SINGLE_MASS 1e18
// m: the same for the arms of a body.
#define LARGEST_SINGLE_RADIUS 1e9

static bool needs_double(const mo_body *body) {
  double mass = body->mass.mass;
  return body->shape_count > 0 && mass > 0.0 &&
         !(mass >= LEAST_SINGLE_MASS && mass <= LARGEST_SINGLE_MASS &&
           body->bounding_radius <= LARGEST_SINGLE_RADIUS);
}

static bool may_override(const mo_body *body) { return body->has_solver || body->needs_double; }

// Updates which solvers a body can have, after its mass or size changed. A body that crosses the
// limit starts without its old impulses, which were of another order of magnitude.
static void update_solver(mo_world *world, uint32_t slot) {
  mo_body *body = &world->bodies[slot];
  if (body->needs_double == needs_double(body)) {
    return;
  }
  world->solver_override_count -= may_override(body);
  body->needs_double = !body->needs_double;
  world->solver_override_count += may_override(body);
  mo_world_drop_pairs_of(world, slot);
}

static void note_mass(mo_world *world, const mo_body *body) {
  mo_world_weigh_constraints(world, (uint32_t)(body - world->bodies));
  if (body->type == MO_BODY_DYNAMIC) {
    mo_mass_bounds *bounds = &world->mass_bounds;
    bounds->heaviest = mo_max(bounds->heaviest, body->mass.mass);
    bounds->largest_inverse = mo_max(bounds->largest_inverse, 1.0 / body->mass.mass);
  }
}

// --- life ------------------------------------------------------------------------------------

static bool reserve_body(mo_world *world, const mo_body_def *def) {
  uint32_t slots = world->ids.slot_count + 1;
  return mo_world_reserve_proxies(world, def->type, def->shape_count) &&
         MO_RESERVE(world, bodies, slots) && MO_RESERVE(world, motions, slots) &&
         MO_RESERVE(world, body_ids, slots) && MO_RESERVE(world, moved, slots) &&
         MO_RESERVE(world, transforms, 8 * slots) && MO_RESERVE(world, transforms64, 8 * slots) &&
         MO_RESERVE(world, velocities, 8 * slots) && mo_world_reserve_activity(world, slots);
}

// An owned copy of the shapes, whose open fields are filled in from the body. Null without memory.
static mo_placed_shape *copy_shapes(const mo_body_def *def) {
  mo_placed_shape *shapes =
      mo_allocate((size_t)def->shape_count * (sizeof *shapes + sizeof(uint32_t)));
  for (uint32_t i = 0; shapes && i < def->shape_count; i++) {
    shapes[i] = def->shapes[i];
    shapes[i].pose.orientation = mo_quat_normalize(shapes[i].pose.orientation);
    shapes[i].density = shapes[i].density >= 0.0 ? shapes[i].density : def->density;
  }
  return shapes;
}

static bool are_at_origin(const mo_placed_shape *shapes, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const mo_pose *pose = &shapes[i].pose;
    if (!mo_v3_equal(pose->position, mo_v3_zero()) || pose->orientation.w != 1.0) {
      return false;
    }
  }
  return true;
}

// The first motion of a body of this definition.
static mo_motion motion_of_def(const mo_body_def *def, mo_vec3 center_of_mass) {
  mo_motion motion = {.position = def->position,
                      .orientation = mo_quat_normalize(def->orientation),
                      .linear_velocity = def->linear_velocity,
                      .angular_velocity = def->angular_velocity};
  mo_motion_update_center(&motion, center_of_mass);
  return motion;
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
                    .shapes_are_at_origin = are_at_origin(shapes, def->shape_count),
                    .mass = *mass,
                    .friction = def->friction,
                    .restitution = def->restitution,
                    .linear_damping = def->linear_damping,
                    .angular_damping = def->angular_damping,
                    .gravity_scale = def->gravity_scale,
                    .last_linear_velocity = def->linear_velocity,
                    .last_angular_velocity = def->angular_velocity,
                    .filter = def->filter,
                    .bullet = def->bullet,
                    .allow_sleep = def->allow_sleep,
                    .has_solver = def->has_solver,
                    .solver = def->has_solver ? def->solver : (mo_solver)0};
  body->bounding_radius = bounding_radius(shapes, def->shape_count, body->mass.center_of_mass);
  body->inner_radius = inner_radius(shapes, def->shape_count);
  world->motions[slot] = motion_of_def(def, body->mass.center_of_mass);
}

// Allocates a slot, sets it up and adds the body to the broad phase. Returns MO_NO_SLOT if any of
// that fails, with nothing changed.
static uint32_t add_body(mo_world *world, const mo_body_def *def, mo_placed_shape *shapes,
                         const mo_mass *mass, mo_result *result) {
  *result = MO_ERROR_OUT_OF_MEMORY;
  uint32_t slot = reserve_body(world, def) ? mo_id_pool_take(&world->ids, result) : MO_NO_SLOT;
  if (slot == MO_NO_SLOT) {
    return MO_NO_SLOT;
  }
  mo_world_drop_dead_pairs(world);
  set_up(world, slot, def, shapes, mass);
  mo_world_add_proxies(world, slot);
  mo_world_begin_activity(world, slot);
  world->bodies[slot].needs_double = needs_double(&world->bodies[slot]);
  world->solver_override_count += may_override(&world->bodies[slot]);
  note_mass(world, &world->bodies[slot]);
  return slot;
}

// Checks that involve several members of the definition.
static mo_result check_placement(mo_world *world, const mo_body_def *def,
                                 const mo_placed_shape *shapes, const mo_mass *mass) {
  static const char *const function = "mo_body_create";
  MO_RETURN_IF_REFUSED(check_mass(world, function, def->type, mass));
  mo_motion motion = motion_of_def(def, mass->center_of_mass);
  return check_extent(world, function, &motion,
                      bounding_radius(shapes, def->shape_count, mass->center_of_mass));
}

mo_body_id mo_body_create(mo_world *world, const mo_body_def *def) {
  if (mo_check_unlocked(world, "mo_body_create") != MO_OK || check_def(world, def) != MO_OK) {
    return MO_NULL_BODY_ID;
  }
  mo_placed_shape *shapes = copy_shapes(def);
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
  world->solver_override_count -= may_override(body);
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
    if (type != MO_BODY_STATIC && mo_shape_is_unbounded(body->shapes[i].shape)) {
      return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                  "a plane has no mass: only a static body can have one");
    }
  }
  if (type == MO_BODY_DYNAMIC && !(body->mass.mass > 0.0)) {
    return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                "a dynamic body without a shape needs a mass");
  }
  if (!mo_world_change_type(world, mo_body_id_slot(id), type)) {
    return mo_world_refuse_text(world, MO_ERROR_OUT_OF_MEMORY, function, "no memory");
  }
  note_mass(world, body);
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
  MO_RETURN_IF_REFUSED(check_mass(world, function, body->type, &changed));
  body->mass = changed;
  note_mass(world, body);
  update_solver(world, mo_body_id_slot(id));
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
  const mo_body *body = &world->bodies[mo_body_id_slot(id)];
  double volume = mo_volume_of_shapes(body->shapes, body->shape_count);
  if (!(volume > 0.0)) {
    return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                "density needs a shape with a volume");
  }
  return set_mass(world, id, function, density * volume);
}

mo_result mo_body_set_inertia(mo_world *world, mo_body_id id, mo_mat3 inertia) {
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, "mo_body_set_inertia"));
  MO_RETURN_IF_REFUSED(mo_check_inertia(world, "mo_body_set_inertia", inertia));
  mo_body *body = &world->bodies[mo_body_id_slot(id)];
  mo_mass changed = body->mass;
  changed.inertia = inertia;
  mo_mass_complete(&changed);
  MO_RETURN_IF_REFUSED(check_mass(world, "mo_body_set_inertia", body->type, &changed));
  body->mass = changed;
  world->kept.is_valid = false;
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
  double radius = bounding_radius(body->shapes, body->shape_count, center_of_mass);
  MO_RETURN_IF_REFUSED(check_extent(world, function, &motion, radius));
  MO_RETURN_IF_REFUSED(
      mo_check_vec3(world, function, "velocity of the centre of mass", motion.linear_velocity));
  world->kept.is_valid = false;
  world->motions[slot] = motion;
  body->mass.center_of_mass = center_of_mass;
  body->bounding_radius = radius;
  update_solver(world, slot);
  mo_world_weigh_constraints(world, slot);
  mo_world_forget_joints(world);
  mo_world_forget_path(world, slot);
  mo_world_wake_slot(world, slot);
  mo_world_drop_pairs_of(world, slot); // lever arms start at the centre of mass
  mo_world_publish_slot(world, slot);
  return MO_OK;
}
