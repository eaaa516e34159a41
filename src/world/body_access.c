/// Reading, setting and pushing of bodies.
#include "world/bodies.h"

mo_result mo_body_get_state(const mo_world *world, mo_body_id id, mo_body_state *out) {
  if (!mo_id_pool_is_alive(&world->ids, id)) {
    return MO_ERROR_STALE_HANDLE;
  }
  const mo_body *body = &world->bodies[mo_id_slot(id)];
  const mo_motion *motion = &world->motions[mo_id_slot(id)];
  mo_mass mass = mo_body_effective_mass(body);
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
                         .inertia = mass.inertia,
                         .friction = body->friction,
                         .restitution = body->restitution,
                         .linear_damping = body->linear_damping,
                         .angular_damping = body->angular_damping,
                         .gravity_scale = body->gravity_scale,
                         .kinetic_energy = mo_body_kinetic_energy(&mass, motion),
                         .angular_momentum = mo_body_angular_momentum(&mass, motion)};
  return MO_OK;
}

// --- setters
// ----------------------------------------------------------------------------------------------------------

mo_result mo_body_set_position(mo_world *world, mo_body_id id, mo_vec3 position) {
  mo_result result = mo_check_body(world, id, "mo_body_set_position");
  if (result == MO_OK) {
    result = mo_check_vec3(world, "mo_body_set_position", "position", position);
  }
  if (result == MO_OK) {
    uint32_t slot = mo_id_slot(id);
    world->motions[slot].position = position;
    mo_motion_update_center(&world->motions[slot], world->bodies[slot].mass.center_of_mass);
    mo_world_publish_slot(world, slot);
  }
  return result;
}

static mo_result set_velocity(mo_world *world, mo_body_id id, const char *function,
                              mo_vec3 velocity, size_t field) {
  mo_result result = mo_check_body(world, id, function);
  if (result == MO_OK) {
    result = mo_check_vec3(world, function, "velocity", velocity);
  }
  if (result == MO_OK) {
    result =
        mo_check_static_velocity(world, function, world->bodies[mo_id_slot(id)].type, velocity);
  }
  if (result == MO_OK) {
    uint32_t slot = mo_id_slot(id);
    *(mo_vec3 *)((char *)&world->motions[slot] + field) = velocity;
    mo_world_publish_slot(world, slot);
  }
  return result;
}

mo_result mo_body_set_linear_velocity(mo_world *world, mo_body_id id, mo_vec3 velocity) {
  return set_velocity(world, id, "mo_body_set_linear_velocity", velocity,
                      offsetof(mo_motion, linear_velocity));
}

mo_result mo_body_set_angular_velocity(mo_world *world, mo_body_id id, mo_vec3 velocity) {
  return set_velocity(world, id, "mo_body_set_angular_velocity", velocity,
                      offsetof(mo_motion, angular_velocity));
}

mo_result mo_body_set_orientation(mo_world *world, mo_body_id id, mo_quat orientation) {
  mo_result result = mo_check_body(world, id, "mo_body_set_orientation");
  if (result == MO_OK) {
    result = mo_check_orientation(world, "mo_body_set_orientation", orientation);
  }
  if (result == MO_OK) {
    uint32_t slot = mo_id_slot(id);
    mo_motion *motion = &world->motions[slot];
    motion->orientation = mo_quat_normalize(orientation);
    mo_motion_update_center(motion, world->bodies[slot].mass.center_of_mass);
    mo_world_publish_slot(world, slot);
  }
  return result;
}

static mo_result set_number(mo_world *world, mo_body_id id, const char *function, const char *name,
                            double value, double lower, double upper, const char *must,
                            size_t field) {
  mo_result result = mo_check_body(world, id, function);
  if (result == MO_OK) {
    result = mo_check_range(world, function, name, value, lower, upper, must);
  }
  if (result == MO_OK) {
    *(double *)((char *)&world->bodies[mo_id_slot(id)] + field) = value;
  }
  return result;
}

mo_result mo_body_set_friction(mo_world *world, mo_body_id id, double friction) {
  return set_number(world, id, "mo_body_set_friction", "friction", friction, 0.0, INFINITY,
                    "must be finite, 0 or more", offsetof(mo_body, friction));
}

mo_result mo_body_set_restitution(mo_world *world, mo_body_id id, double restitution) {
  return set_number(world, id, "mo_body_set_restitution", "restitution", restitution, 0.0, 1.0,
                    "must be 0 to 1", offsetof(mo_body, restitution));
}

mo_result mo_body_set_linear_damping(mo_world *world, mo_body_id id, double damping) {
  return set_number(world, id, "mo_body_set_linear_damping", "damping", damping, 0.0, INFINITY,
                    "must be finite, 0 or more", offsetof(mo_body, linear_damping));
}

mo_result mo_body_set_angular_damping(mo_world *world, mo_body_id id, double damping) {
  return set_number(world, id, "mo_body_set_angular_damping", "damping", damping, 0.0, INFINITY,
                    "must be finite, 0 or more", offsetof(mo_body, angular_damping));
}

mo_result mo_body_set_gravity_scale(mo_world *world, mo_body_id id, double scale) {
  return set_number(world, id, "mo_body_set_gravity_scale", "scale", scale, -INFINITY, INFINITY,
                    "must be finite", offsetof(mo_body, gravity_scale));
}

// --- forces and impulses
// ----------------------------------------------------------------------------------------------

// The checks of a push: living body, finite vector, finite point if there is one.
static mo_result check_push(mo_world *world, mo_body_id id, const char *function, const char *name,
                            mo_vec3 push, const mo_vec3 *point) {
  mo_result result = mo_check_body(world, id, function);
  if (result == MO_OK) {
    result = mo_check_vec3(world, function, name, push);
  }
  if (result == MO_OK && point) {
    result = mo_check_vec3(world, function, "point", *point);
  }
  return result;
}

// Torque or angular impulse of a push at a point.
static mo_vec3 moment_of(const mo_motion *motion, mo_vec3 push, const mo_vec3 *point) {
  return point ? mo_cross(mo_sub(*point, motion->center_of_mass), push) : mo_v3_zero();
}

mo_result mo_body_apply_force(mo_world *world, mo_body_id id, mo_vec3 force, const mo_vec3 *point) {
  mo_result result = check_push(world, id, "mo_body_apply_force", "force", force, point);
  if (result == MO_OK) {
    mo_body *body = &world->bodies[mo_id_slot(id)];
    body->force = mo_add(body->force, force);
    body->torque = mo_add(body->torque, moment_of(&world->motions[mo_id_slot(id)], force, point));
  }
  return result;
}

mo_result mo_body_apply_torque(mo_world *world, mo_body_id id, mo_vec3 torque) {
  mo_result result = check_push(world, id, "mo_body_apply_torque", "torque", torque, NULL);
  if (result == MO_OK) {
    mo_body *body = &world->bodies[mo_id_slot(id)];
    body->torque = mo_add(body->torque, torque);
  }
  return result;
}

static void change_velocity(mo_world *world, uint32_t slot, mo_vec3 impulse,
                            mo_vec3 angular_impulse) {
  mo_motion *motion = &world->motions[slot];
  mo_mass mass = mo_body_effective_mass(&world->bodies[slot]);
  mo_vec3 turn = mo_mat3_mul(mo_motion_world_tensor(motion, mass.inverse_inertia), angular_impulse);
  motion->linear_velocity = mo_add_scaled(motion->linear_velocity, mass.inverse_mass, impulse);
  motion->angular_velocity = mo_add(motion->angular_velocity, turn);
  mo_world_publish_slot(world, slot);
}

mo_result mo_body_apply_impulse(mo_world *world, mo_body_id id, mo_vec3 impulse,
                                const mo_vec3 *point) {
  mo_result result = check_push(world, id, "mo_body_apply_impulse", "impulse", impulse, point);
  if (result == MO_OK) {
    uint32_t slot = mo_id_slot(id);
    change_velocity(world, slot, impulse, moment_of(&world->motions[slot], impulse, point));
  }
  return result;
}

mo_result mo_body_apply_angular_impulse(mo_world *world, mo_body_id id, mo_vec3 impulse) {
  mo_result result =
      check_push(world, id, "mo_body_apply_angular_impulse", "impulse", impulse, NULL);
  if (result == MO_OK) {
    change_velocity(world, mo_id_slot(id), mo_v3_zero(), impulse);
  }
  return result;
}

mo_result mo_body_clear_forces(mo_world *world, mo_body_id id) {
  mo_result result = mo_check_body(world, id, "mo_body_clear_forces");
  if (result == MO_OK) {
    mo_body *body = &world->bodies[mo_id_slot(id)];
    body->force = mo_v3_zero();
    body->torque = mo_v3_zero();
  }
  return result;
}
