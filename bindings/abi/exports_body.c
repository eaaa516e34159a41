/*
 * Exports of bodies.
 */
#include "block.h"

#include <stdlib.h>

static mo_filter read_filter(cursor *at) {
  mo_filter filter;
  filter.category = read_uint(at);
  filter.mask = read_uint(at);
  filter.group = read_int(at);
  return filter;
}

static void write_filter(cursor *at, mo_filter filter) {
  write_number(at, filter.category);
  write_number(at, filter.mask);
  write_number(at, filter.group);
}

#define PLACED_SHAPE_NUMBERS 11

static mo_placed_shape read_placed_shape(cursor *at) {
  mo_placed_shape placed;
  placed.shape = read_pointer(at);
  placed.pose = read_pose(at);
  placed.density = read_number(at);
  placed.friction = read_number(at);
  placed.restitution = read_number(at);
  return placed;
}

EXPORT(void, body_default, void) {
  mo_body_def def = mo_body_def_default();
  cursor at = io;
  write_number(&at, def.density);
  write_number(&at, def.friction);
  write_number(&at, def.restitution);
  write_number(&at, def.linear_damping);
  write_number(&at, def.angular_damping);
  write_number(&at, def.gravity_scale);
  write_filter(&at, def.filter);
  write_number(&at, def.allow_sleep);
}

/* Reads a body definition and its shapes; the id, or 0 and last_result. */
EXPORT(js_id, body_create, mo_world *world) {
  cursor at = io;
  mo_body_def def = mo_body_def_default();
  def.type = (mo_body_type)read_uint(&at);
  def.position = read_vec3(&at);
  def.orientation = read_quat(&at);
  def.linear_velocity = read_vec3(&at);
  def.angular_velocity = read_vec3(&at);
  def.density = read_number(&at);
  def.has_mass = read_bool(&at);
  def.mass = read_number(&at);
  def.has_inertia = read_bool(&at);
  def.inertia = read_mat3(&at);
  def.has_center_of_mass = read_bool(&at);
  def.center_of_mass = read_vec3(&at);
  def.friction = read_number(&at);
  def.restitution = read_number(&at);
  def.linear_damping = read_number(&at);
  def.angular_damping = read_number(&at);
  def.gravity_scale = read_number(&at);
  def.has_solver = read_bool(&at);
  def.solver = (mo_solver)read_uint(&at);
  def.filter = read_filter(&at);
  def.bullet = read_bool(&at);
  def.allow_sleep = read_bool(&at);
  def.shape_count = read_count(&at, PLACED_SHAPE_NUMBERS);

  mo_placed_shape *shapes = NULL;
  if (def.shape_count > 0) {
    shapes = allocate_array(def.shape_count, sizeof(mo_placed_shape));
    if (!shapes) {
      last_result = MO_ERROR_OUT_OF_MEMORY;
      return 0;
    }
    for (uint32_t i = 0; i < def.shape_count; i++) {
      shapes[i] = read_placed_shape(&at);
    }
  }
  def.shapes = shapes;
  mo_body_id body = mo_body_create(world, &def);
  last_result = mo_body_id_is_null(body) ? mo_world_last_result(world) : MO_OK;
  free(shapes);
  return id_of_body(body);
}

EXPORT(int, body_destroy, mo_world *world, js_id body) {
  return (int)mo_body_destroy(world, body_of(world, body));
}

/* Writes all that can be read of a body: the order is that of STATE in bindings/objects/body.mjs.
 */
EXPORT(int, body_get_state, const mo_world *world, js_id body) {
  mo_body_state state;
  mo_result result = mo_body_get_state(world, body_of(world, body), &state);
  if (result != MO_OK) {
    return (int)result;
  }
  cursor at = io;
  write_number(&at, state.type);
  write_vec3(&at, state.position);
  write_quat(&at, state.orientation);
  write_vec3(&at, state.linear_velocity);
  write_vec3(&at, state.angular_velocity);
  write_vec3(&at, state.world_center_of_mass);
  write_vec3(&at, state.linear_acceleration);
  write_vec3(&at, state.angular_acceleration);
  write_vec3(&at, state.center_of_mass);
  write_number(&at, state.mass);
  write_number(&at, state.density);
  write_mat3(&at, state.inertia);
  write_number(&at, state.friction);
  write_number(&at, state.restitution);
  write_number(&at, state.linear_damping);
  write_number(&at, state.angular_damping);
  write_number(&at, state.gravity_scale);
  write_number(&at, state.has_solver ? (double)state.solver : -1.0);
  write_number(&at, state.kinetic_energy);
  write_vec3(&at, state.angular_momentum);
  write_filter(&at, state.filter);
  write_number(&at, state.bullet);
  write_number(&at, state.allow_sleep);
  write_number(&at, state.is_awake);
  return MO_OK;
}

EXPORT(int, body_set_position, mo_world *world, js_id body, double x, double y, double z) {
  return (int)mo_body_set_position(world, body_of(world, body), (mo_vec3){x, y, z});
}
EXPORT(int, body_set_orientation, mo_world *world, js_id body, double x, double y, double z,
       double w) {
  return (int)mo_body_set_orientation(world, body_of(world, body), (mo_quat){x, y, z, w});
}
EXPORT(int, body_set_linear_velocity, mo_world *world, js_id body, double x, double y, double z) {
  return (int)mo_body_set_linear_velocity(world, body_of(world, body), (mo_vec3){x, y, z});
}
EXPORT(int, body_set_angular_velocity, mo_world *world, js_id body, double x, double y, double z) {
  return (int)mo_body_set_angular_velocity(world, body_of(world, body), (mo_vec3){x, y, z});
}
EXPORT(int, body_set_type, mo_world *world, js_id body, int type) {
  return (int)mo_body_set_type(world, body_of(world, body), (mo_body_type)type);
}
EXPORT(int, body_set_density, mo_world *world, js_id body, double density) {
  return (int)mo_body_set_density(world, body_of(world, body), density);
}
EXPORT(int, body_set_mass, mo_world *world, js_id body, double mass) {
  return (int)mo_body_set_mass(world, body_of(world, body), mass);
}
/* Reads a matrix. */
EXPORT(int, body_set_inertia, mo_world *world, js_id body) {
  cursor at = io;
  return (int)mo_body_set_inertia(world, body_of(world, body), read_mat3(&at));
}
EXPORT(int, body_set_center_of_mass, mo_world *world, js_id body, double x, double y, double z) {
  return (int)mo_body_set_center_of_mass(world, body_of(world, body), (mo_vec3){x, y, z});
}
EXPORT(int, body_set_friction, mo_world *world, js_id body, double friction) {
  return (int)mo_body_set_friction(world, body_of(world, body), friction);
}
EXPORT(int, body_set_restitution, mo_world *world, js_id body, double restitution) {
  return (int)mo_body_set_restitution(world, body_of(world, body), restitution);
}
EXPORT(int, body_set_linear_damping, mo_world *world, js_id body, double damping) {
  return (int)mo_body_set_linear_damping(world, body_of(world, body), damping);
}
EXPORT(int, body_set_angular_damping, mo_world *world, js_id body, double damping) {
  return (int)mo_body_set_angular_damping(world, body_of(world, body), damping);
}
/* Below 0: the world's solver. */
EXPORT(int, body_set_solver, mo_world *world, js_id body, int solver) {
  return (int)mo_body_set_solver(world, body_of(world, body), solver >= 0,
                                 solver >= 0 ? (mo_solver)solver : 0);
}
EXPORT(int, body_set_gravity_scale, mo_world *world, js_id body, double scale) {
  return (int)mo_body_set_gravity_scale(world, body_of(world, body), scale);
}
EXPORT(int, body_set_filter, mo_world *world, js_id body, uint32_t category, uint32_t mask,
       int32_t group) {
  return (int)mo_body_set_filter(world, body_of(world, body), (mo_filter){category, mask, group});
}
EXPORT(int, body_set_bullet, mo_world *world, js_id body, int is_bullet) {
  return (int)mo_body_set_bullet(world, body_of(world, body), is_bullet != 0);
}
EXPORT(int, body_set_allow_sleep, mo_world *world, js_id body, int allow_sleep) {
  return (int)mo_body_set_allow_sleep(world, body_of(world, body), allow_sleep != 0);
}
EXPORT(int, body_sleep, mo_world *world, js_id body) {
  return (int)mo_body_sleep(world, body_of(world, body));
}
EXPORT(int, body_wake, mo_world *world, js_id body) {
  return (int)mo_body_wake(world, body_of(world, body));
}

/* Reads a force and a point; the point counts where has_point is not 0. */
EXPORT(int, body_apply_force, mo_world *world, js_id body, int has_point) {
  cursor at = io;
  mo_vec3 force = read_vec3(&at);
  mo_vec3 point = read_vec3(&at);
  return (int)mo_body_apply_force(world, body_of(world, body), force, has_point ? &point : NULL);
}
EXPORT(int, body_apply_impulse, mo_world *world, js_id body, int has_point) {
  cursor at = io;
  mo_vec3 impulse = read_vec3(&at);
  mo_vec3 point = read_vec3(&at);
  return (int)mo_body_apply_impulse(world, body_of(world, body), impulse,
                                    has_point ? &point : NULL);
}
EXPORT(int, body_apply_torque, mo_world *world, js_id body, double x, double y, double z) {
  return (int)mo_body_apply_torque(world, body_of(world, body), (mo_vec3){x, y, z});
}
EXPORT(int, body_apply_angular_impulse, mo_world *world, js_id body, double x, double y, double z) {
  return (int)mo_body_apply_angular_impulse(world, body_of(world, body), (mo_vec3){x, y, z});
}
EXPORT(int, body_clear_forces, mo_world *world, js_id body) {
  return (int)mo_body_clear_forces(world, body_of(world, body));
}
