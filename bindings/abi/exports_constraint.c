/*
 * Exports of joints and constraints.
 */
#include "callback.h"
#include "functions.h"

static double constraint_question[CONSTRAINT_QUESTION_NUMBERS];

static bool ask_javascript(int phase, void *user, const mo_constraint_body *a,
                           const mo_constraint_body *b, double time, double *out) {
  abi_constraint_question question = {.time = time, .answer = out, .a = a, .b = b ? b : a};
  cursor at = constraint_question;
  write_constraint_question(&at, &question);
  return js_callback(CALLBACK_CONSTRAINT, (uint32_t)(uintptr_t)user, phase, constraint_question) ==
         0;
}

static bool ask_evaluate(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                         double time, double *out) {
  return ask_javascript(PHASE_EVALUATE, user, a, b, time, out);
}
static bool ask_jacobian(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                         double time, double *out) {
  return ask_javascript(PHASE_JACOBIAN, user, a, b, time, out);
}
static bool ask_time_derivative(void *user, const mo_constraint_body *a,
                                const mo_constraint_body *b, double time, double *out) {
  return ask_javascript(PHASE_TIME_DERIVATIVE, user, a, b, time, out);
}
static bool ask_is_active(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                          double time, double *out) {
  return ask_javascript(PHASE_IS_ACTIVE, user, a, b, time, out);
}

mo_user_functions constraint_functions(uint32_t handle, uint32_t has) {
  return (mo_user_functions){.evaluate = ask_evaluate,
                             .jacobian = has & HAS_JACOBIAN ? ask_jacobian : NULL,
                             .time_derivative =
                                 has & HAS_TIME_DERIVATIVE ? ask_time_derivative : NULL,
                             .is_active = has & HAS_IS_ACTIVE ? ask_is_active : NULL,
                             .user = (void *)(uintptr_t)handle};
}

// Turns what is given in the frame of the world into the frames of both bodies.
static void place_frames(const abi_constraint_given *given, const mo_world *world,
                         mo_constraint_def *def) {
  if (given->has_world_anchor) {
    def->anchor_a = mo_body_local_point(world, def->body_a, def->anchor_a);
    def->anchor_b = mo_body_local_point(world, def->body_b, def->anchor_b);
  }
  if (given->has_world_axis) {
    def->axis_a = mo_body_local_vector(world, def->body_a, def->axis_a);
    def->axis_b = mo_body_local_vector(world, def->body_b, def->axis_b);
  }
}

// The name of a custom constraint with its end.
#define NAME_BYTES 32

// What the definition of a custom constraint points to.
typedef struct custom_parts {
  mo_row_bounds bounds[MO_CONSTRAINT_ROWS];
  char name[NAME_BYTES];
} custom_parts;

// Bounds and name, of which no more is copied than there is room for here and in the block.
static void read_parts(cursor *at, const abi_custom_constraint *custom, custom_parts *parts) {
  for (uint32_t i = 0; i < custom->dimension && i < MO_CONSTRAINT_ROWS; i++) {
    read_row_bounds(at, &parts->bounds[i]);
  }
  uint32_t length = fitting(*at, custom->name_length, 1);
  for (uint32_t i = 0; i < length && i < NAME_BYTES - 1; i++) {
    parts->name[i] = (char)read_uint(at);
  }
}

static void read_custom(cursor *at, mo_constraint_def *def, custom_parts *parts) {
  abi_custom_constraint custom;
  read_custom_constraint(at, &custom);
  read_parts(at, &custom, parts);
  def->user = (void *)(uintptr_t)custom.handle;
  def->evaluate = ask_evaluate;
  def->jacobian = custom.has_jacobian ? ask_jacobian : NULL;
  def->time_derivative = custom.has_time_derivative ? ask_time_derivative : NULL;
  def->is_active = custom.has_is_active ? ask_is_active : NULL;
  def->dimension = custom.dimension;
  def->bounds = parts->bounds;
  def->name = parts->name;
}

static void read_reference(cursor *at, mo_constraint_reference *reference) {
  read_constraint_reference(at, reference);
  for (uint32_t i = 0; i < MO_CONSTRAINT_COORDINATES; i++) {
    read_coordinate_reference(at, &reference->coordinates[i]);
  }
}

// The points stay in the block.
static void read_path(cursor *at, mo_path_def *path) {
  abi_path_given given;
  read_path_given(at, &given);
  *path = (mo_path_def){.points = (const mo_vec3 *)*at,
                        .point_count = fitting(*at, given.point_count, 3),
                        .is_closed = given.is_closed,
                        .alignment = given.alignment};
  *at += (size_t)3 * path->point_count;
}

/* Reads a definition; the id, or 0 and last_result. */
EXPORT(js_id, constraint_create, mo_world *world) {
  cursor at = io;
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_CUSTOM);
  read_constraint_def(&at, &def);
  def.body_a = tagged_body(world, def.body_a);
  def.body_b = tagged_body(world, def.body_b);
  def.body_c = tagged_body(world, def.body_c);
  def.body_d = tagged_body(world, def.body_d);
  abi_constraint_given given;
  read_constraint_given(&at, &given);
  def.joint_a = constraint_of(world, given.joint_a);
  def.joint_b = constraint_of(world, given.joint_b);
  place_frames(&given, world, &def);
  for (uint32_t i = 0; i < given.drive_count && i < MO_CONSTRAINT_COORDINATES; i++) {
    read_coordinate_drive(&at, &def.drives[i]);
  }
  if (given.has_pose_motor) {
    read_pose_motor(&at, &def.pose_motor);
  }
  def.has_reference = given.has_reference;
  if (given.has_reference) {
    read_reference(&at, &def.reference);
  }
  if (given.has_path) {
    read_path(&at, &def.path);
  }
  custom_parts parts = {0};
  if (given.has_functions) {
    read_custom(&at, &def, &parts);
  }
  js_id id = id_of_constraint(mo_constraint_create(world, &def));
  last_result = id == 0 ? mo_world_last_result(world) : MO_OK;
  return id;
}
/* Writes a definition and its reference. */
EXPORT(int, constraint_get_definition, const mo_world *world, js_id constraint) {
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_CUSTOM);
  mo_result result = mo_constraint_get_definition(world, constraint_of(world, constraint), &def);
  cursor at = io;
  write_constraint_def(&at, &def);
  write_constraint_reference(&at, &def.reference);
  for (uint32_t i = 0; i < MO_CONSTRAINT_COORDINATES; i++) {
    write_coordinate_reference(&at, &def.reference.coordinates[i]);
  }
  return (int)result;
}
EXPORT(int, constraint_destroy, mo_world *world, js_id constraint) {
  return (int)mo_constraint_destroy(world, constraint_of(world, constraint));
}

/* Reads what a coordinate is to have. */
EXPORT(int, constraint_set_drive, mo_world *world, js_id constraint, uint32_t coordinate) {
  cursor at = io;
  mo_coordinate_drive drive = mo_coordinate_drive_default();
  read_coordinate_drive(&at, &drive);
  return (int)mo_constraint_set_drive(world, constraint_of(world, constraint), coordinate, &drive);
}
/* Writes what it has. */
EXPORT(int, constraint_get_drive, mo_world *world, js_id constraint, uint32_t coordinate) {
  mo_coordinate_drive drive = mo_coordinate_drive_default();
  mo_result result =
      mo_constraint_get_drive(world, constraint_of(world, constraint), coordinate, &drive);
  cursor at = io;
  write_coordinate_drive(&at, &drive);
  return (int)result;
}
EXPORT(int, constraint_set_ratio, mo_world *world, js_id constraint, double ratio) {
  return (int)mo_constraint_set_ratio(world, constraint_of(world, constraint), ratio);
}
EXPORT(int, constraint_set_steering, mo_world *world, js_id constraint, double angle) {
  return (int)mo_constraint_set_steering(world, constraint_of(world, constraint), angle);
}
/* The same of a motor to a pose. */
EXPORT(int, constraint_set_pose_motor, mo_world *world, js_id constraint) {
  cursor at = io;
  mo_pose_motor motor = {0};
  read_pose_motor(&at, &motor);
  return (int)mo_constraint_set_pose_motor(world, constraint_of(world, constraint), &motor);
}
EXPORT(int, constraint_get_pose_motor, mo_world *world, js_id constraint) {
  mo_pose_motor motor = {0};
  mo_result result = mo_constraint_get_pose_motor(world, constraint_of(world, constraint), &motor);
  cursor at = io;
  write_pose_motor(&at, &motor);
  return (int)result;
}
EXPORT(int, constraint_set_break, mo_world *world, js_id constraint, double force, double torque) {
  return (int)mo_constraint_set_break(world, constraint_of(world, constraint), force, torque);
}
EXPORT(int, constraint_set_collide_connected, mo_world *world, js_id constraint, int collide) {
  return (int)mo_constraint_set_collide_connected(world, constraint_of(world, constraint),
                                                  collide != 0);
}

/* Writes the value and the rate of a coordinate. */
EXPORT(int, constraint_get_coordinate, mo_world *world, js_id constraint, uint32_t coordinate) {
  mo_coordinate_state state = {0};
  mo_result result =
      mo_constraint_get_coordinate(world, constraint_of(world, constraint), coordinate, &state);
  cursor at = io;
  write_coordinate_state(&at, &state);
  return (int)result;
}
/* Writes the energy of its springs. */
EXPORT(int, constraint_get_energy, const mo_world *world, js_id constraint) {
  double energy = 0.0;
  mo_result result = mo_constraint_get_energy(world, constraint_of(world, constraint), &energy);
  *io = energy;
  return (int)result;
}
/* Writes the angle. */
EXPORT(int, constraint_angle_at, mo_world *world, js_id constraint, double x, double y, double z,
       double w) {
  double angle = 0.0;
  mo_quat orientation = {x, y, z, w};
  mo_constraint_id id = constraint_of(world, constraint);
  mo_result result = mo_constraint_get_angle_at(world, id, orientation, &angle);
  cursor at = io;
  write_number(&at, angle);
  return (int)result;
}
/* Writes what a path is: no points for a joint of another type. The points are valid until it ends.
 */
EXPORT(int, constraint_get_path, const mo_world *world, js_id constraint) {
  mo_constraint_def def = {0};
  mo_constraint_state about = {0};
  mo_constraint_id id = constraint_of(world, constraint);
  mo_result result = mo_constraint_get_definition(world, id, &def);
  (void)mo_constraint_get_state(world, id, &about);
  abi_path_state state = {.points = (void *)def.path.points,
                          .point_count = def.path.point_count,
                          .is_closed = def.path.is_closed,
                          .alignment = def.path.alignment,
                          .length = about.path_length};
  cursor at = io;
  write_path_state(&at, &state);
  return (int)result;
}
/* Writes a point of a path. */
EXPORT(int, constraint_path_point, mo_world *world, js_id constraint, double length) {
  mo_path_point point = {0};
  mo_constraint_id id = constraint_of(world, constraint);
  mo_result result = mo_constraint_get_path_point(world, id, length, &point);
  cursor at = io;
  write_path_point(&at, &point);
  return (int)result;
}
/* Writes the impulses along a coordinate. */
EXPORT(int, constraint_get_drive_impulses, mo_world *world, js_id constraint, uint32_t coordinate) {
  mo_drive_impulses impulses = {0};
  mo_result result = mo_constraint_get_drive_impulses(world, constraint_of(world, constraint),
                                                      coordinate, &impulses);
  cursor at = io;
  write_drive_impulses(&at, &impulses);
  return (int)result;
}
/* Writes impulse and moment on B. Functions of the user may run. */
EXPORT(int, constraint_get_reaction, mo_world *world, js_id constraint) {
  mo_constraint_reaction reaction = {0};
  mo_result result = mo_constraint_get_reaction(world, constraint_of(world, constraint), &reaction);
  cursor at = io;
  write_constraint_reaction(&at, &reaction);
  return (int)result;
}

// JavaScript reads the structs in place.
EXPORT(const mo_broken_constraint *, world_broken_constraints, const mo_world *world) {
  uint32_t count;
  return mo_world_broken_constraints(world, &count);
}
EXPORT(uint32_t, world_broken_constraint_count, const mo_world *world) {
  uint32_t count;
  mo_world_broken_constraints(world, &count);
  return count;
}

/* Writes dimension, whether it had rows, its coordinate, and what can be set. */
EXPORT(int, constraint_get_state, const mo_world *world, js_id constraint) {
  mo_constraint_state state;
  mo_result result = mo_constraint_get_state(world, constraint_of(world, constraint), &state);
  if (result == MO_OK) {
    cursor at = io;
    write_constraint_state(&at, &state);
  }
  return (int)result;
}
EXPORT(const double *, constraint_impulses, const mo_world *world, js_id constraint) {
  return mo_constraint_impulses(world, constraint_of(world, constraint));
}

/* Writes `dimension` rows, each with its Jacobian. Functions of the user may run, which may use the
 * shared block. */
EXPORT(int, constraint_get_rows, mo_world *world, js_id constraint, uint32_t dimension) {
  mo_constraint_row rows[MO_CONSTRAINT_ROWS];
  mo_result result = mo_constraint_get_rows(world, constraint_of(world, constraint), rows);
  cursor at = io;
  for (uint32_t i = 0; result == MO_OK && i < dimension; i++) {
    write_constraint_row(&at, &rows[i]);
    for (uint32_t k = 0; k < 6 * MO_CONSTRAINT_BODIES; k++) {
      write_number(&at, rows[i].jacobian[k]);
    }
  }
  return (int)result;
}

/* Writes C, or with `is_rate` its time derivative. */
EXPORT(int, constraint_violation, mo_world *world, js_id constraint, int is_rate) {
  double numbers[MO_CONSTRAINT_ROWS] = {0}; // callbacks may use the shared block
  mo_result result =
      is_rate ? mo_constraint_velocity_violation(world, constraint_of(world, constraint), numbers)
              : mo_constraint_violation(world, constraint_of(world, constraint), numbers);
  cursor at = io;
  for (uint32_t i = 0; i < MO_CONSTRAINT_ROWS; i++) {
    write_number(&at, numbers[i]);
  }
  return (int)result;
}
