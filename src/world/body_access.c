/// Reading, setting and pushing of bodies.
#include "dynamics/locks.h"
#include "world/body_measures.h"
#include "world/checks.h"

static bool are_sensors(const mo_body *body) {
  for (uint32_t i = 0; i < body->shape_count; i++) {
    if (!body->shapes[i].sensor) {
      return false;
    }
  }
  return body->shape_count > 0;
}

mo_result mo_body_get_state(const mo_world *world, mo_body_id id, mo_body_state *out) {
  MO_RETURN_IF_REFUSED(mo_find_body(world, id));
  const mo_body *body = &world->bodies[mo_body_id_slot(id)];
  const mo_motion *motion = &world->motions[mo_body_id_slot(id)];
  mo_mass mass = mo_body_effective_mass(body);
  double volume = mo_volume_of_shapes(body->shapes, body->shape_count);
  *out = (mo_body_state){.type = body->type,
                         .position = motion->position,
                         .orientation = motion->orientation,
                         .linear_velocity = motion->linear_velocity,
                         .angular_velocity = motion->angular_velocity,
                         .world_center_of_mass = motion->center_of_mass,
                         .linear_acceleration = body->linear_acceleration,
                         .angular_acceleration = body->angular_acceleration,
                         .center_of_mass = mass.center_of_mass,
                         .mass = mass.mass,
                         .density = volume > 0.0 ? mass.mass / volume : 0.0,
                         .inertia = mass.inertia,
                         .friction = body->friction,
                         .restitution = body->restitution,
                         .linear_damping = body->linear_damping,
                         .angular_damping = body->angular_damping,
                         .gravity_scale = body->gravity_scale,
                         .has_solver = body->has_solver,
                         .solver = body->solver,
                         .filter = body->filter,
                         .is_enabled = body->is_enabled,
                         .bullet = body->bullet,
                         .allow_sleep = body->allow_sleep,
                         .friction_combine = body->friction_combine,
                         .restitution_combine = body->restitution_combine,
                         .rolling_friction = body->rolling_friction,
                         .spinning_friction = body->spinning_friction,
                         .surface_velocity = body->surface_velocity,
                         .lock_translation = body->locks & MO_LOCKED_TRANSLATION,
                         .lock_rotation = body->locks >> 3,
                         .has_target = body->target.state == MO_TARGET_AHEAD,
                         .sensor = are_sensors(body),
                         .is_awake = mo_world_is_awake(world, mo_body_id_slot(id)),
                         .kinetic_energy = mo_body_kinetic_energy(&mass, motion),
                         .angular_momentum = mo_body_angular_momentum(&mass, motion)};
  return MO_OK;
}

mo_result mo_body_get_bounds(const mo_world *world, mo_body_id id, mo_vec3 *lower, mo_vec3 *upper) {
  MO_RETURN_IF_REFUSED(mo_find_body(world, id));
  mo_bounds bounds = mo_world_body_bounds(world, mo_body_id_slot(id));
  *lower = bounds.lower;
  *upper = bounds.upper;
  return MO_OK;
}

mo_result mo_body_get_inverse_mass(const mo_world *world, mo_body_id id,
                                   mo_body_inverse_mass *out) {
  MO_RETURN_IF_REFUSED(mo_find_body(world, id));
  uint32_t slot = mo_body_id_slot(id);
  mo_mass mass = mo_body_effective_mass(&world->bodies[slot]);
  *out = (mo_body_inverse_mass){
      .inverse_mass = mass.inverse_mass,
      .inverse_inertia = mo_motion_world_tensor(&world->motions[slot], mass.inverse_inertia)};
  return MO_OK;
}

mo_result mo_body_support(mo_world *world, mo_body_id id, mo_vec3 direction, mo_vec3 *out) {
  static const char *const function = "mo_body_support";
  MO_RETURN_IF_REFUSED(mo_find_body(world, id));
  const mo_body *body = &world->bodies[mo_body_id_slot(id)];
  const mo_motion *motion = &world->motions[mo_body_id_slot(id)];
  mo_transform placement = mo_transform_from_pose((mo_pose){motion->position, motion->orientation});
  mo_vec3 unit, point = mo_v3_zero();
  if (!mo_support_direction(direction, &unit)) {
    return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                "direction must be finite and not 0");
  }
  mo_vec3 local = mo_mat3_mul_transposed(placement.rotation, unit);
  if (mo_placed_shapes_support(body->shapes, body->shape_count, local, &point) != MO_OK) {
    return mo_world_refuse_text(world, MO_ERROR_NOT_SUPPORTED, function,
                                "planes, meshes and height fields have no support point");
  }
  *out = mo_transform_point(placement, point);
  return MO_OK;
}

// Whether mass, inertia and centre of mass are what a definition makes them.
static mo_given_mass given_or_changed(const mo_body *body) {
  mo_mass made = mo_body_mass_of(body->given, &body->mass, body->shapes, body->shape_count);
  const mo_mat3 *a = &made.inertia, *b = &body->mass.inertia;
  bool has_made_inertia =
      mo_v3_equal(a->cx, b->cx) && mo_v3_equal(a->cy, b->cy) && mo_v3_equal(a->cz, b->cz);
  return (mo_given_mass){.mass = body->given.mass || made.mass != body->mass.mass,
                         .inertia = body->given.inertia || !has_made_inertia,
                         .center_of_mass =
                             body->given.center_of_mass ||
                             !mo_v3_equal(made.center_of_mass, body->mass.center_of_mass)};
}

mo_result mo_body_get_definition(const mo_world *world, mo_body_id id, mo_body_def *out) {
  MO_RETURN_IF_REFUSED(mo_find_body(world, id));
  const mo_body *body = &world->bodies[mo_body_id_slot(id)];
  const mo_motion *motion = &world->motions[mo_body_id_slot(id)];
  mo_given_mass given = given_or_changed(body);
  *out = (mo_body_def){.type = body->type,
                       .position = motion->position,
                       .orientation = motion->orientation,
                       .linear_velocity = motion->linear_velocity,
                       .angular_velocity = motion->angular_velocity,
                       .shapes = body->shapes,
                       .shape_count = body->shape_count,
                       .density = body->density,
                       .has_mass = given.mass,
                       .mass = body->mass.mass,
                       .has_inertia = given.inertia,
                       .inertia = body->mass.inertia,
                       .has_center_of_mass = given.center_of_mass,
                       .center_of_mass = body->mass.center_of_mass,
                       .friction = body->friction,
                       .restitution = body->restitution,
                       .linear_damping = body->linear_damping,
                       .angular_damping = body->angular_damping,
                       .gravity_scale = body->gravity_scale,
                       .has_solver = body->has_solver,
                       .solver = body->solver,
                       .filter = body->filter,
                       .is_enabled = body->is_enabled,
                       .bullet = body->bullet,
                       .allow_sleep = body->allow_sleep,
                       .friction_combine = body->friction_combine,
                       .restitution_combine = body->restitution_combine,
                       .rolling_friction = body->rolling_friction,
                       .spinning_friction = body->spinning_friction,
                       .surface_velocity = body->surface_velocity,
                       .lock_translation = body->locks & MO_LOCKED_TRANSLATION,
                       .lock_rotation = body->locks >> 3,
                       .force = body->force,
                       .torque = body->torque,
                       .target = body->target,
                       .is_exact = true};
  return MO_OK;
}

// --- setters ---------------------------------------------------------------------------------

// Moves a body to another place. Bodies that rested on it or hang from it, or that it meets there,
// wake with it; those that are joined to a dynamic body are in its island.
static mo_result place(mo_world *world, uint32_t slot, const char *function, mo_motion *motion) {
  mo_motion_update_center(motion, world->bodies[slot].mass.center_of_mass);
  MO_RETURN_IF_REFUSED(
      mo_check_vec3(world, function, "center_of_mass in the world", motion->center_of_mass));
  // So large a displacement that no old contact stays valid.
  world->displacements[slot] +=
      mo_world_displacement_between(&world->bodies[slot], &world->motions[slot], motion) +
      MO_OUT_OF_REACH * mo_world_metre(world);
  world->motions[slot] = *motion;
  mo_world_end_target(world, slot);
  if (world->bodies[slot].locks) {
    mo_body_apply_locks(&world->bodies[slot], motion);
    mo_body_lock_velocities(&world->bodies[slot], &world->motions[slot]);
  }
  mo_world_forget_joints(world);
  mo_world_wake_slot(world, slot);
  mo_world_wake_touching(world, slot);
  if (!mo_world_is_dynamic(world, slot)) {
    mo_world_wake_joined(world, slot);
  }
  mo_world_move_proxies(world, slot);
  mo_world_publish_slot(world, slot);
  return MO_OK;
}

mo_result mo_body_set_position(mo_world *world, mo_body_id id, mo_vec3 position) {
  static const char *const function = "mo_body_set_position";
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, function));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, "position", position));
  mo_motion motion = world->motions[mo_body_id_slot(id)];
  motion.position = position;
  return place(world, mo_body_id_slot(id), function, &motion);
}

mo_result mo_body_set_orientation(mo_world *world, mo_body_id id, mo_quat orientation) {
  static const char *const function = "mo_body_set_orientation";
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, function));
  MO_RETURN_IF_REFUSED(mo_check_orientation(world, function, orientation));
  mo_motion motion = world->motions[mo_body_id_slot(id)];
  motion.orientation = mo_quat_normalize(orientation);
  return place(world, mo_body_id_slot(id), function, &motion);
}

mo_result mo_body_set_pose(mo_world *world, mo_body_id id, mo_pose pose) {
  static const char *const function = "mo_body_set_pose";
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, function));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, "position", pose.position));
  MO_RETURN_IF_REFUSED(mo_check_orientation(world, function, pose.orientation));
  mo_motion motion = world->motions[mo_body_id_slot(id)];
  motion.position = pose.position;
  motion.orientation = mo_quat_normalize(pose.orientation);
  return place(world, mo_body_id_slot(id), function, &motion);
}

static mo_result check_velocity(mo_world *world, mo_body_id id, const char *function,
                                mo_vec3 velocity) {
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, function));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, "velocity", velocity));
  return mo_check_static_velocity(world, function, world->bodies[mo_body_id_slot(id)].type,
                                  velocity);
}

// Wakes bodies that rest on one that begins to move, however gently.
static void velocity_changed(mo_world *world, uint32_t slot) {
  const mo_body *body = &world->bodies[slot];
  mo_world_end_target(world, slot);
  if (body->locks && body->type == MO_BODY_DYNAMIC) {
    mo_body_lock_velocities(body, &world->motions[slot]);
  }
  mo_world_forget_path(world, slot);
  mo_world_wake_slot(world, slot);
  if (world->bodies[slot].type == MO_BODY_KINEMATIC) {
    mo_world_wake_touching(world, slot);
  }
  mo_world_publish_slot(world, slot);
}

mo_result mo_body_set_linear_velocity(mo_world *world, mo_body_id id, mo_vec3 velocity) {
  MO_RETURN_IF_REFUSED(check_velocity(world, id, "mo_body_set_linear_velocity", velocity));
  world->motions[mo_body_id_slot(id)].linear_velocity = velocity;
  velocity_changed(world, mo_body_id_slot(id));
  return MO_OK;
}

mo_result mo_body_set_angular_velocity(mo_world *world, mo_body_id id, mo_vec3 velocity) {
  MO_RETURN_IF_REFUSED(check_velocity(world, id, "mo_body_set_angular_velocity", velocity));
  world->motions[mo_body_id_slot(id)].angular_velocity = velocity;
  velocity_changed(world, mo_body_id_slot(id));
  return MO_OK;
}

// Checks that the body is alive and the coefficient finite and 0 or more.
static mo_result check_coefficient(mo_world *world, mo_body_id id, const char *function,
                                   const char *name, double value) {
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, function));
  return mo_check_range(world, function, name, value, 0.0, INFINITY, "must be finite, 0 or more");
}

// The surface of a body changed: bodies that touch it wake, and their contacts are updated.
static void change_surface(mo_world *world, uint32_t slot) {
  world->displacements[slot] += MO_OUT_OF_REACH * mo_world_metre(world);
  mo_world_mix_materials(world, slot);
  mo_world_wake_slot(world, slot);
  mo_world_wake_touching(world, slot);
}

mo_result mo_body_set_friction(mo_world *world, mo_body_id id, double friction) {
  MO_RETURN_IF_REFUSED(check_coefficient(world, id, "mo_body_set_friction", "friction", friction));
  mo_body *body = &world->bodies[mo_body_id_slot(id)];
  if (body->friction != friction) {
    body->friction = friction;
    change_surface(world, mo_body_id_slot(id));
  }
  return MO_OK;
}

mo_result mo_body_set_restitution(mo_world *world, mo_body_id id, double restitution) {
  static const char *const function = "mo_body_set_restitution";
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, function));
  MO_RETURN_IF_REFUSED(
      mo_check_range(world, function, "restitution", restitution, 0.0, 1.0, "must be 0 to 1"));
  mo_body *body = &world->bodies[mo_body_id_slot(id)];
  if (body->restitution != restitution) {
    body->restitution = restitution;
    change_surface(world, mo_body_id_slot(id));
  }
  return MO_OK;
}

static mo_result set_rule(mo_world *world, mo_body_id id, const char *function, mo_combine rule,
                          bool is_friction) {
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, function));
  MO_RETURN_IF_REFUSED(mo_check_combine(world, function, "rule", rule));
  mo_body *body = &world->bodies[mo_body_id_slot(id)];
  mo_combine *of = is_friction ? &body->friction_combine : &body->restitution_combine;
  if (*of != mo_combine_or_default(rule)) {
    *of = mo_combine_or_default(rule);
    change_surface(world, mo_body_id_slot(id));
  }
  return MO_OK;
}

mo_result mo_body_set_friction_combine(mo_world *world, mo_body_id id, mo_combine rule) {
  return set_rule(world, id, "mo_body_set_friction_combine", rule, true);
}

mo_result mo_body_set_restitution_combine(mo_world *world, mo_body_id id, mo_combine rule) {
  return set_rule(world, id, "mo_body_set_restitution_combine", rule, false);
}

void mo_world_count_surface(mo_world *world, uint32_t slot, bool begins) {
  const mo_body *body = &world->bodies[slot];
  bool counts = body->rolling_friction > 0.0 || body->spinning_friction > 0.0 ||
                !mo_v3_equal(body->surface_velocity, mo_v3_zero());
  world->surface_count += begins && counts;
  world->surface_count -= !begins && counts;
}

static mo_result set_length(mo_world *world, mo_body_id id, const char *function, double length,
                            bool is_rolling) {
  MO_RETURN_IF_REFUSED(check_coefficient(world, id, function, "length", length));
  uint32_t slot = mo_body_id_slot(id);
  mo_body *body = &world->bodies[slot];
  double *of = is_rolling ? &body->rolling_friction : &body->spinning_friction;
  if (*of != length) {
    mo_world_count_surface(world, slot, false);
    *of = length;
    mo_world_count_surface(world, slot, true);
    change_surface(world, slot);
  }
  return MO_OK;
}

mo_result mo_body_set_rolling_friction(mo_world *world, mo_body_id id, double length) {
  return set_length(world, id, "mo_body_set_rolling_friction", length, true);
}

mo_result mo_body_set_spinning_friction(mo_world *world, mo_body_id id, double length) {
  return set_length(world, id, "mo_body_set_spinning_friction", length, false);
}

mo_result mo_body_set_surface_velocity(mo_world *world, mo_body_id id, mo_vec3 velocity) {
  static const char *const function = "mo_body_set_surface_velocity";
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, function));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, "velocity", velocity));
  uint32_t slot = mo_body_id_slot(id);
  mo_body *body = &world->bodies[slot];
  if (!mo_v3_equal(body->surface_velocity, velocity)) {
    mo_world_count_surface(world, slot, false);
    body->surface_velocity = velocity;
    mo_world_count_surface(world, slot, true);
    change_surface(world, slot);
  }
  return MO_OK;
}

mo_result mo_body_set_linear_damping(mo_world *world, mo_body_id id, double damping) {
  MO_RETURN_IF_REFUSED(
      check_coefficient(world, id, "mo_body_set_linear_damping", "damping", damping));
  world->bodies[mo_body_id_slot(id)].linear_damping = damping;
  return MO_OK;
}

mo_result mo_body_set_angular_damping(mo_world *world, mo_body_id id, double damping) {
  MO_RETURN_IF_REFUSED(
      check_coefficient(world, id, "mo_body_set_angular_damping", "damping", damping));
  world->bodies[mo_body_id_slot(id)].angular_damping = damping;
  return MO_OK;
}

mo_result mo_body_set_gravity_scale(mo_world *world, mo_body_id id, double scale) {
  static const char *const function = "mo_body_set_gravity_scale";
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, function));
  MO_RETURN_IF_REFUSED(
      mo_check_range(world, function, "scale", scale, -INFINITY, INFINITY, "must be finite"));
  mo_body *body = &world->bodies[mo_body_id_slot(id)];
  if (body->gravity_scale != scale) {
    body->gravity_scale = scale;
    mo_world_wake_slot(world, mo_body_id_slot(id));
  }
  return MO_OK;
}

mo_result mo_body_set_solver(mo_world *world, mo_body_id id, bool has_solver, mo_solver solver) {
  static const char *const function = "mo_body_set_solver";
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, function));
  MO_RETURN_IF_REFUSED(mo_check_range(world, function, "solver", (double)solver, 0.0,
                                      (double)MO_SOLVER_AUTO, "must be one of mo_solver"));
  mo_body *body = &world->bodies[mo_body_id_slot(id)];
  solver = has_solver ? solver : (mo_solver)0;
  if (body->has_solver == has_solver && body->solver == solver) {
    return MO_OK;
  }
  if (!body->needs_double) { // otherwise it is counted already
    world->solver_override_count += has_solver;
    world->solver_override_count -= body->has_solver;
  }
  body->has_solver = has_solver;
  body->solver = solver;
  mo_world_wake_slot(world, mo_body_id_slot(id));
  return MO_OK;
}

mo_result mo_body_set_filter(mo_world *world, mo_body_id id, mo_filter filter) {
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, "mo_body_set_filter"));
  mo_filter *old = &world->bodies[mo_body_id_slot(id)].filter;
  if (old->category == filter.category && old->mask == filter.mask && old->group == filter.group) {
    return MO_OK;
  }
  *old = filter;
  mo_world_touch_proxies(world, mo_body_id_slot(id));
  mo_world_recheck_contacts(world, mo_body_id_slot(id));
  mo_world_wake_slot(world, mo_body_id_slot(id));
  mo_world_wake_touching(world, mo_body_id_slot(id));
  return MO_OK;
}

mo_result mo_body_set_enabled(mo_world *world, mo_body_id id, bool is_enabled) {
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, "mo_body_set_enabled"));
  uint32_t slot = mo_body_id_slot(id);
  mo_body *body = &world->bodies[slot];
  if (body->is_enabled == is_enabled) {
    return MO_OK;
  }
  mo_world_change_enabled(world, slot, is_enabled);
  mo_world_end_target(world, slot);
  body->force = mo_v3_zero();
  body->torque = mo_v3_zero();
  return MO_OK;
}

mo_result mo_body_set_bullet(mo_world *world, mo_body_id id, bool bullet) {
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, "mo_body_set_bullet"));
  world->bodies[mo_body_id_slot(id)].bullet = bullet;
  return MO_OK;
}

mo_result mo_body_set_allow_sleep(mo_world *world, mo_body_id id, bool allow_sleep) {
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, "mo_body_set_allow_sleep"));
  world->bodies[mo_body_id_slot(id)].allow_sleep = allow_sleep;
  if (!allow_sleep) {
    mo_world_wake_slot(world, mo_body_id_slot(id));
  }
  return MO_OK;
}

// --- forces and impulses --------------------------------------------------------------------

// Checks that the body is alive, the vector finite, and the point, if any, too.
static mo_result check_push(mo_world *world, mo_body_id id, const char *function, const char *name,
                            mo_vec3 push, const mo_vec3 *point) {
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, function));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, name, push));
  return point ? mo_check_vec3(world, function, "point", *point) : MO_OK;
}

// Torque or angular impulse of a force or impulse at a point.
static mo_vec3 moment_of(const mo_motion *motion, mo_vec3 push, const mo_vec3 *point) {
  return point ? mo_cross(mo_sub(*point, motion->center_of_mass), push) : mo_v3_zero();
}

static mo_result refuse_overflow(mo_world *world, const char *function) {
  return mo_world_refuse_text(world, MO_ERROR_NOT_FINITE, function,
                              "the sum overflows; nothing was changed");
}

static mo_result add_force(mo_world *world, mo_body_id id, const char *function, mo_vec3 force,
                           mo_vec3 torque) {
  mo_body *body = &world->bodies[mo_body_id_slot(id)];
  if (body->type != MO_BODY_DYNAMIC || !body->is_enabled) {
    return MO_OK; // it has no effect, and must not wait until it has one
  }
  mo_vec3 force_sum = mo_add(body->force, force), torque_sum = mo_add(body->torque, torque);
  if (!mo_v3_is_finite(force_sum) || !mo_v3_is_finite(torque_sum)) {
    return refuse_overflow(world, function);
  }
  mo_world_wake_slot(world, mo_body_id_slot(id));
  body->force = force_sum;
  body->torque = torque_sum;
  return MO_OK;
}

mo_result mo_body_apply_force(mo_world *world, mo_body_id id, mo_vec3 force, const mo_vec3 *point) {
  static const char *const function = "mo_body_apply_force";
  MO_RETURN_IF_REFUSED(check_push(world, id, function, "force", force, point));
  mo_vec3 torque = moment_of(&world->motions[mo_body_id_slot(id)], force, point);
  return add_force(world, id, function, force, torque);
}

mo_result mo_body_apply_torque(mo_world *world, mo_body_id id, mo_vec3 torque) {
  static const char *const function = "mo_body_apply_torque";
  MO_RETURN_IF_REFUSED(check_push(world, id, function, "torque", torque, NULL));
  return add_force(world, id, function, mo_v3_zero(), torque);
}

static mo_result change_velocity(mo_world *world, mo_body_id id, const char *function,
                                 mo_vec3 impulse, mo_vec3 angular_impulse) {
  uint32_t slot = mo_body_id_slot(id);
  mo_motion *motion = &world->motions[slot];
  mo_mass mass = mo_body_effective_mass(&world->bodies[slot]);
  mo_mat3 inverse_inertia = mo_motion_world_tensor(motion, mass.inverse_inertia);
  mo_vec3 push = mo_lock_translation(&world->bodies[slot], impulse);
  mo_vec3 linear = mo_add_scaled(motion->linear_velocity, mass.inverse_mass, push);
  mo_vec3 angular = mo_add(motion->angular_velocity, mo_mat3_mul(inverse_inertia, angular_impulse));
  if (!mo_v3_is_finite(linear) || !mo_v3_is_finite(angular)) {
    return refuse_overflow(world, function);
  }
  mo_world_wake_slot(world, slot);
  motion->linear_velocity = linear;
  motion->angular_velocity = angular;
  mo_world_forget_path(world, slot);
  mo_world_publish_slot(world, slot);
  return MO_OK;
}

mo_result mo_body_apply_impulse(mo_world *world, mo_body_id id, mo_vec3 impulse,
                                const mo_vec3 *point) {
  static const char *const function = "mo_body_apply_impulse";
  MO_RETURN_IF_REFUSED(check_push(world, id, function, "impulse", impulse, point));
  mo_vec3 moment = moment_of(&world->motions[mo_body_id_slot(id)], impulse, point);
  return change_velocity(world, id, function, impulse, moment);
}

mo_result mo_body_apply_angular_impulse(mo_world *world, mo_body_id id, mo_vec3 impulse) {
  static const char *const function = "mo_body_apply_angular_impulse";
  MO_RETURN_IF_REFUSED(check_push(world, id, function, "impulse", impulse, NULL));
  return change_velocity(world, id, function, mo_v3_zero(), impulse);
}

mo_result mo_body_clear_forces(mo_world *world, mo_body_id id) {
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, "mo_body_clear_forces"));
  mo_body *body = &world->bodies[mo_body_id_slot(id)];
  body->force = mo_v3_zero();
  body->torque = mo_v3_zero();
  return MO_OK;
}
