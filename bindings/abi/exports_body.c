/*
 * Exports of bodies.
 */
#include "../generated/abi.h"

#include <stdlib.h>

EXPORT(void, body_default, void) {
  mo_body_def def = mo_body_def_default();
  cursor at = io;
  write_body_defaults(&at, &def);
}

/* Reads a body definition and its shapes; the id, or 0 and last_result. */
EXPORT(js_id, body_create, mo_world *world) {
  cursor at = io;
  mo_body_def def = mo_body_def_default();
  read_body_def(&at, &def);
  mo_placed_shape *shapes =
      allocate_list(at, def.shape_count, PLACED_SHAPE_NUMBERS, sizeof *shapes);
  if (!shapes) {
    return 0;
  }
  for (uint32_t i = 0; i < def.shape_count; i++) {
    read_placed_shape(&at, &shapes[i]);
  }
  def.shapes = shapes;
  js_id body = id_of_body(mo_body_create(world, &def));
  last_result = body == 0 ? mo_world_last_result(world) : MO_OK;
  free(shapes);
  return body;
}

/* Writes a body definition without its shapes. */
EXPORT(int, body_get_definition, const mo_world *world, js_id body) {
  mo_body_def def = mo_body_def_default();
  mo_result result = mo_body_get_definition(world, body_of(world, body), &def);
  cursor at = io;
  write_body_def(&at, &def);
  return (int)result;
}
/* Writes the state of each of the first `count` shapes, of which compounds have several. */
EXPORT(int, body_get_shapes, const mo_world *world, js_id body, uint32_t count) {
  mo_body_def def = mo_body_def_default();
  mo_result result = mo_body_get_definition(world, body_of(world, body), &def);
  cursor at = io;
  for (uint32_t i = 0; i < count && i < def.shape_count; i++) {
    abi_shape_state state = {.density = def.shapes[i].density, .sensor = def.shapes[i].sensor};
    write_shape_state(&at, &state);
  }
  return (int)result;
}

EXPORT(int, body_destroy, mo_world *world, js_id body) {
  return (int)mo_body_destroy(world, body_of(world, body));
}

/* Reads as many placed shapes. */
EXPORT(int, body_set_shapes, mo_world *world, js_id body, uint32_t count) {
  cursor at = io;
  mo_placed_shape *shapes = allocate_list(at, count, PLACED_SHAPE_NUMBERS, sizeof *shapes);
  if (!shapes) {
    return (int)last_result;
  }
  for (uint32_t i = 0; i < count; i++) {
    read_placed_shape(&at, &shapes[i]);
  }
  int result = (int)mo_body_set_shapes(world, body_of(world, body), shapes, count);
  free(shapes);
  return result;
}
/* Reads a placed shape. */
EXPORT(int, body_add_shape, mo_world *world, js_id body) {
  cursor at = io;
  mo_placed_shape shape;
  read_placed_shape(&at, &shape);
  return (int)mo_body_add_shape(world, body_of(world, body), &shape);
}
EXPORT(int, body_set_sensor, mo_world *world, js_id body, int sensor) {
  return (int)mo_body_set_sensor(world, body_of(world, body), sensor != 0);
}
EXPORT(int, body_remove_shape, mo_world *world, js_id body, uint32_t index) {
  return (int)mo_body_remove_shape(world, body_of(world, body), index);
}
/* Reads a placed shape. */
EXPORT(int, body_change_shape, mo_world *world, js_id body, uint32_t index) {
  cursor at = io;
  mo_placed_shape shape;
  read_placed_shape(&at, &shape);
  return (int)mo_body_change_shape(world, body_of(world, body), index, &shape);
}

/* Writes all that can be read of a body. */
EXPORT(int, body_get_state, const mo_world *world, js_id body) {
  mo_body_state state;
  mo_result result = mo_body_get_state(world, body_of(world, body), &state);
  if (result == MO_OK) {
    cursor at = io;
    write_body_state(&at, &state);
  }
  return (int)result;
}

EXPORT(int, body_get_energy, const mo_world *world, js_id body) {
  mo_body_energy energy = {0};
  mo_result result = mo_body_get_energy(world, body_of(world, body), &energy);
  cursor at = io;
  write_body_energy(&at, &energy);
  return (int)result;
}

/* Writes 1/mass and the inverse inertia by rows. */
EXPORT(int, body_get_inverse_mass, const mo_world *world, js_id body) {
  mo_body_inverse_mass inverse = {0};
  mo_result result = mo_body_get_inverse_mass(world, body_of(world, body), &inverse);
  cursor at = io;
  write_number(&at, inverse.inverse_mass);
  write_mat3(&at, inverse.inverse_inertia);
  return (int)result;
}

/* Writes the point. */
EXPORT(int, body_support, mo_world *world, js_id body, double x, double y, double z) {
  mo_vec3 point = {0};
  mo_result result = mo_body_support(world, body_of(world, body), (mo_vec3){x, y, z}, &point);
  cursor at = io;
  write_vec3(&at, point);
  return (int)result;
}

/* Writes the smallest box around the body's shapes. */
EXPORT(int, body_get_bounds, const mo_world *world, js_id body) {
  abi_body_bounds bounds = {0};
  mo_result result = mo_body_get_bounds(world, body_of(world, body), &bounds.lower, &bounds.upper);
  cursor at = io;
  write_body_bounds(&at, &bounds);
  return (int)result;
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
EXPORT(int, body_set_friction_combine, mo_world *world, js_id body, int rule) {
  return (int)mo_body_set_friction_combine(world, body_of(world, body), (mo_combine)rule);
}
EXPORT(int, body_set_restitution_combine, mo_world *world, js_id body, int rule) {
  return (int)mo_body_set_restitution_combine(world, body_of(world, body), (mo_combine)rule);
}
EXPORT(int, body_set_rolling_friction, mo_world *world, js_id body, double length) {
  return (int)mo_body_set_rolling_friction(world, body_of(world, body), length);
}
EXPORT(int, body_set_spinning_friction, mo_world *world, js_id body, double length) {
  return (int)mo_body_set_spinning_friction(world, body_of(world, body), length);
}
EXPORT(int, body_set_surface_velocity, mo_world *world, js_id body, double x, double y, double z) {
  return (int)mo_body_set_surface_velocity(world, body_of(world, body), (mo_vec3){x, y, z});
}
EXPORT(int, body_set_locks, mo_world *world, js_id body, uint32_t translation, uint32_t rotation) {
  return (int)mo_body_set_locks(world, body_of(world, body), translation, rotation);
}

static mo_pose read_given_pose(void) {
  cursor at = io;
  mo_pose pose;
  read_pose(&at, &pose);
  return pose;
}

/* Reads a pose. */
EXPORT(int, body_set_pose, mo_world *world, js_id body) {
  return (int)mo_body_set_pose(world, body_of(world, body), read_given_pose());
}
/* Reads a pose. */
EXPORT(int, body_move_to, mo_world *world, js_id body, double time) {
  return (int)mo_body_move_to(world, body_of(world, body), read_given_pose(), time);
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
EXPORT(int, body_set_enabled, mo_world *world, js_id body, int is_enabled) {
  return (int)mo_body_set_enabled(world, body_of(world, body), is_enabled != 0);
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

static abi_push read_given_push(void) {
  cursor at = io;
  abi_push push;
  read_push(&at, &push);
  return push;
}

/* Reads a force and a point; the point counts where has_point is not 0. */
EXPORT(int, body_apply_force, mo_world *world, js_id body, int has_point) {
  abi_push given = read_given_push();
  return (int)mo_body_apply_force(world, body_of(world, body), given.push,
                                  has_point ? &given.point : NULL);
}
EXPORT(int, body_apply_impulse, mo_world *world, js_id body, int has_point) {
  abi_push given = read_given_push();
  return (int)mo_body_apply_impulse(world, body_of(world, body), given.push,
                                    has_point ? &given.point : NULL);
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
