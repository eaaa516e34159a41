/// Read-outs of constraints.
#include "constraints/drives.h"
#include "constraints/effective_mass.h"
#include "constraints/joint_rotation.h"
#include "dynamics/locks.h"
#include "world/checks.h"
#include "world/constraints.h"

#include <string.h>

// The constraint of an id; null if the id is stale.
static const mo_constraint *find(const mo_world *world, mo_constraint_id id) {
  return mo_constraint_is_alive(world, id) ? &world->constraints[mo_constraint_id_slot(id)] : NULL;
}

mo_result mo_constraint_get_state(const mo_world *world, mo_constraint_id id,
                                  mo_constraint_state *out) {
  MO_RETURN_IF_REFUSED(mo_find_constraint(world, id));
  const mo_constraint *constraint = find(world, id);
  mo_constraint_place at =
      mo_world_constraint_place(world, world->motions, world->time, constraint);
  mo_coordinate coordinates[MO_CONSTRAINT_COORDINATES] = {{0}};
  mo_constraint_coordinates(constraint, &at, coordinates);
  *out = (mo_constraint_state){.type = constraint->type,
                               .body_a = mo_world_body_in_slot(world, constraint->slot_a),
                               .body_b = mo_world_body_in_slot(world, constraint->slot_b),
                               .body_c = mo_world_body_in_slot(world, constraint->slot_c),
                               .body_d = mo_world_body_in_slot(world, constraint->slot_d),
                               .dimension = constraint->dimension,
                               .is_active = constraint->is_active,
                               .ratio = constraint->ratio,
                               .steering = constraint->steering,
                               .path_length =
                                   constraint->curve ? mo_curve_length(constraint->curve) : 0.0,
                               .coordinate = coordinates[0].value,
                               .coordinate_count = constraint->class->coordinate_count,
                               .collide_connected = constraint->collide_connected,
                               .break_force = constraint->break_force,
                               .break_torque = constraint->break_torque};
  return MO_OK;
}

// Its bodies; or the joints that it couples, which give them.
static void put_bodies(const mo_world *world, const mo_constraint *c, mo_constraint_def *out) {
  if (c->joint_slots[0] != MO_WORLD_SLOT) {
    out->joint_a = mo_world_constraint_in_slot(world, c->joint_slots[0]);
    out->joint_b = mo_world_constraint_in_slot(world, c->joint_slots[1]);
    return;
  }
  out->body_a = mo_world_body_in_slot(world, c->slot_a);
  out->body_b = mo_world_body_in_slot(world, c->slot_b);
  out->body_c = mo_world_body_in_slot(world, c->slot_c);
  out->body_d = mo_world_body_in_slot(world, c->slot_d);
}

static mo_path_def path_of(const mo_constraint *c) {
  mo_path_def path = {.alignment = c->path_alignment};
  if (c->curve) {
    path.points = mo_curve_points(c->curve, &path.point_count);
    path.is_closed = mo_curve_is_closed(c->curve);
  }
  return path;
}

// The frame whose axis a definition gives as `axis_b`.
static mo_quat second_frame(const mo_constraint *c) {
  return mo_constraint_joins_four(c)      ? c->frame_c
         : c->type == MO_CONSTRAINT_WHEEL ? c->frame_d
                                          : c->frame_b;
}

mo_result mo_constraint_get_definition(const mo_world *world, mo_constraint_id id,
                                       mo_constraint_def *out) {
  MO_RETURN_IF_REFUSED(mo_find_constraint(world, id));
  const mo_constraint *c = find(world, id);
  mo_vec3 x = {1.0, 0.0, 0.0};
  *out = (mo_constraint_def){.type = c->type,
                             .collide_connected = c->collide_connected,
                             .anchor_a = c->anchor_a,
                             .anchor_b = c->anchor_b,
                             .axis_a = mo_quat_rotate(c->frame_a, x),
                             .axis_b = mo_quat_rotate(second_frame(c), x),
                             .pose_motor = c->pose_motor,
                             .has_length = c->type == MO_CONSTRAINT_DISTANCE,
                             .length = c->length,
                             .break_force = c->break_force,
                             .break_torque = c->break_torque,
                             .ratio = c->ratio,
                             .ground_anchor_a = c->ground_anchor_a,
                             .ground_anchor_b = c->ground_anchor_b,
                             .steering = c->steering,
                             .path = path_of(c),
                             .name = c->name,
                             .dimension = c->base_dimension,
                             .bounds = c->bounds,
                             .evaluate = c->user_evaluate,
                             .jacobian = c->user_jacobian,
                             .time_derivative = c->user_time_derivative,
                             .is_active = c->user_is_active,
                             .user = c->user,
                             .has_stabilization = c->has_stabilization,
                             .alpha = c->alpha,
                             .beta = c->beta,
                             .compliance = c->compliance,
                             .has_reference = true,
                             .reference = mo_constraint_reference_of(c)};
  put_bodies(world, c, out);
  for (uint32_t i = 0; i < MO_CONSTRAINT_COORDINATES; i++) {
    out->drives[i] =
        i < c->class->coordinate_count ? c->coordinates[i].drive : mo_coordinate_drive_default();
  }
  return MO_OK;
}

mo_result mo_constraint_get_coordinate(mo_world *world, mo_constraint_id id, uint32_t coordinate,
                                       mo_coordinate_state *out) {
  MO_RETURN_IF_REFUSED(
      mo_check_constraint_coordinate(world, "mo_constraint_get_coordinate", id, coordinate));
  const mo_constraint *constraint = find(world, id);
  mo_constraint_place at =
      mo_world_constraint_place(world, world->motions, world->time, constraint);
  mo_coordinate coordinates[MO_CONSTRAINT_COORDINATES];
  mo_constraint_coordinates(constraint, &at, coordinates);
  const mo_coordinate *one = &coordinates[coordinate];
  *out = (mo_coordinate_state){.is_angle = constraint->class->coordinate_kinds[coordinate] ==
                                           MO_COORDINATE_ANGLE,
                               .value = one->value,
                               .rate = mo_constraint_rate(constraint, &at, one->jacobian)};
  return MO_OK;
}

mo_path_point mo_world_path_point(const mo_world *world, const mo_constraint *path, double length) {
  mo_constraint_place at = mo_world_constraint_place(world, world->motions, world->time, path);
  mo_curve_point point = mo_curve_at_length(path->curve, length);
  mo_quat a = at.a.orientation;
  return (mo_path_point){mo_add(at.a.position, mo_quat_rotate(a, point.position)),
                         mo_quat_rotate(a, point.tangent)};
}

mo_result mo_constraint_get_path_point(mo_world *world, mo_constraint_id id, double length,
                                       mo_path_point *out) {
  const char *function = "mo_constraint_get_path_point";
  MO_RETURN_IF_REFUSED(mo_check_constraint_id(world, function, id));
  MO_RETURN_IF_REFUSED(
      mo_check_range(world, function, "length", length, -INFINITY, INFINITY, "must be finite"));
  const mo_constraint *path = find(world, id);
  if (!path->curve) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, "constraint",
                           "must be a path", path->type);
  }
  *out = mo_world_path_point(world, path, length);
  return MO_OK;
}

mo_result mo_constraint_get_angle_at(mo_world *world, mo_constraint_id id, mo_quat orientation,
                                     double *angle) {
  const char *function = "mo_constraint_get_angle_at";
  MO_RETURN_IF_REFUSED(mo_check_constraint_id(world, function, id));
  MO_RETURN_IF_REFUSED(mo_check_orientation(world, function, orientation));
  const mo_constraint *constraint = find(world, id);
  if (constraint->type != MO_CONSTRAINT_HINGE) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, "constraint",
                           "must be a hinge", constraint->type);
  }
  mo_quat unit = mo_quat_normalize(orientation);
  mo_quat relative =
      mo_quat_mul(mo_quat_mul(mo_quat_conjugate(constraint->frame_a), unit), constraint->frame_b);
  mo_vec3 rate;
  *angle = mo_hinge_angle(relative, constraint->last_values[0], &rate);
  return MO_OK;
}

const char *mo_constraint_type_name(const mo_world *world, mo_constraint_id id) {
  const mo_constraint *constraint = find(world, id);
  return constraint ? constraint->name : NULL;
}

const double *mo_constraint_impulses(const mo_world *world, mo_constraint_id id) {
  const mo_constraint *constraint = find(world, id);
  mo_world_watch_joints(world);
  return constraint ? constraint->impulses : NULL;
}

// J v + dC/dt.
static mo_constraint_failure find_rates(const mo_constraint *constraint,
                                        const mo_constraint_place *at, double *out) {
  double jacobian[MO_JACOBIAN_NUMBERS];
  mo_constraint_failure failure = mo_constraint_jacobian(constraint, at, jacobian);
  if (!failure) {
    failure = mo_constraint_time_derivative(constraint, at, out);
  }
  uint32_t columns = mo_jacobian_columns(constraint);
  for (uint32_t i = 0; !failure && i < constraint->dimension; i++) {
    out[i] += mo_constraint_rate(constraint, at, &jacobian[(size_t)columns * i]);
    failure = mo_is_finite(out[i]) ? failure : "its rate of change overflows";
  }
  return failure;
}

mo_result mo_constraint_get_drawing(const mo_world *world, mo_constraint_id id,
                                    mo_constraint_drawing *out) {
  const mo_constraint *c = find(world, id);
  if (!c) {
    return MO_ERROR_STALE_HANDLE;
  }
  mo_constraint_place at = mo_world_constraint_place(world, world->motions, world->time, c);
  *out = (mo_constraint_drawing){
      .parts = c->class->drawing,
      .anchor_a = mo_add(at.a.position, mo_quat_rotate(at.a.orientation, c->anchor_a)),
      .anchor_b = mo_add(at.b.position, mo_quat_rotate(at.b.orientation, c->anchor_b)),
      .frame_a = mo_quat_mul(at.a.orientation, c->frame_a),
      .frame_b = mo_quat_mul(at.b.orientation, c->frame_b),
      .lower = c->class->coordinate_count ? c->coordinates[0].drive.lower : -INFINITY,
      .upper = c->class->coordinate_count ? c->coordinates[0].drive.upper : INFINITY,
      .limits_turn = c->class->coordinate_kinds[0] == MO_COORDINATE_ANGLE};
  if (c->curve) {
    out->anchor_a = mo_world_path_point(world, c, c->last_values[0]).position;
  }
  return MO_OK;
}

typedef mo_constraint_failure question(const mo_constraint *constraint,
                                       const mo_constraint_place *at, double *out);

// Evaluates a constraint at the present state, with the world locked.
static mo_result ask(mo_world *world, mo_constraint_id id, const char *function, question *about,
                     double *out) {
  MO_RETURN_IF_REFUSED(mo_check_constraint_id(world, function, id));
  const mo_constraint *constraint = find(world, id);
  mo_constraint_place at =
      mo_world_constraint_place(world, world->motions, world->time, constraint);
  bool was_locked = world->is_locked;
  world->is_locked = true;
  mo_constraint_failure failure = about(constraint, &at, out);
  world->is_locked = was_locked;
  return failure ? mo_world_refuse_constraint(world, function, mo_constraint_id_slot(id), failure)
                 : MO_OK;
}

mo_result mo_constraint_get_reaction(mo_world *world, mo_constraint_id id,
                                     mo_constraint_reaction *out) {
  static const char *const function = "mo_constraint_get_reaction";
  MO_RETURN_IF_REFUSED(mo_check_constraint_id(world, function, id));
  mo_world_settle_joints(world);
  const mo_constraint *constraint = find(world, id);
  mo_constraint_place at =
      mo_world_constraint_place(world, world->motions, world->time, constraint);
  bool was_locked = world->is_locked;
  world->is_locked = true;
  mo_constraint_failure failure = mo_constraint_reaction_of(constraint, &at, out);
  world->is_locked = was_locked;
  return failure ? mo_world_refuse_constraint(world, function, mo_constraint_id_slot(id), failure)
                 : MO_OK;
}

// --- rows ------------------------------------------------------------------------------------

// Rows 0 to 2 of a motor to a pose are of its force, the others of its torque.
static void tell_pose_motor(const mo_pose_motor *motor, uint32_t row, mo_constraint_row *out) {
  double most = row < 3 ? motor->max_force : motor->max_torque;
  out->role = MO_ROW_MOTOR;
  mo_row_bounds_box(-most, most, &out->bounds);
}

static void tell_role(const mo_constraint *c, uint32_t row, mo_constraint_row *out) {
  if (c->type == MO_CONSTRAINT_MOTOR) {
    tell_pose_motor(&c->pose_motor, row, out);
  }
  if (row < c->base_dimension) {
    return;
  }
  mo_drive_place place = mo_drive_at(c, row - c->base_dimension);
  out->role = (mo_row_role)((int)MO_ROW_LOWER + (int)place.role);
  out->coordinate = place.coordinate;
}

static mo_constraint_row tell_row(const mo_constraint *c, uint32_t row, const double *jacobian,
                                  const mo_row_body bodies[MO_ROW_SIDES]) {
  uint32_t columns = mo_jacobian_columns(c);
  const double *j = &jacobian[(size_t)columns * row];
  double mobility = mo_constraint_coupling(c, j, j, bodies);
  mo_constraint_row out = {.bounds = c->bounds[row], .impulse = c->impulses[row]};
  // Round-off must not make a mass of what locks of axes leave.
  bool moves = mo_constraint_row_moves(c, j, bodies);
  out.effective_mass = moves ? 1.0 / mobility : INFINITY;
  tell_role(c, row, &out);
  memcpy(out.jacobian, j, columns * sizeof *j);
  return out;
}

// What impulses of a step move, locks of axes included.
static void find_row_bodies(const mo_world *world, const mo_constraint *c,
                            mo_row_body out[MO_ROW_SIDES]) {
  const uint32_t slots[MO_ROW_SIDES] = {c->slot_a, c->slot_b, c->slot_c, c->slot_d};
  mo_world_constraint_row_bodies(world, c, out);
  for (uint32_t i = 0; i < MO_ROW_SIDES; i++) {
    if (slots[i] != MO_WORLD_SLOT) {
      out[i].locked_translation = world->bodies[slots[i]].locks & MO_LOCKED_TRANSLATION;
    }
  }
}

mo_result mo_constraint_get_rows(mo_world *world, mo_constraint_id id, mo_constraint_row *out) {
  static const char *const function = "mo_constraint_get_rows";
  double jacobian[MO_JACOBIAN_NUMBERS];
  MO_RETURN_IF_REFUSED(ask(world, id, function, mo_constraint_jacobian, jacobian));
  mo_world_settle_joints(world);
  const mo_constraint *c = find(world, id);
  mo_row_body bodies[MO_ROW_SIDES];
  find_row_bodies(world, c, bodies);
  for (uint32_t row = 0; row < c->dimension; row++) {
    out[row] = tell_row(c, row, jacobian, bodies);
  }
  return MO_OK;
}

// --- drives ----------------------------------------------------------------------------------

// m or rad: how near to a limit a motor counts as held by it. Soft-step lets a limit give way by
// less than this at rest (limits-and-motors.test.mjs).
#define AT_LIMIT 1e-3

// The direction in which a motor without gains, to a place beyond a limit, presses against it: 1,
// -1, or 0 if it does not.
static double press_of(const mo_coordinate_drive *drive, double value, double metre) {
  bool has_place = drive->motor == MO_MOTOR_POSITION && !mo_spring_is_elastic(&drive->gains);
  double infinitely_far = drive->motor == MO_MOTOR_VELOCITY && drive->target_velocity != 0.0
                              ? copysign(INFINITY, drive->target_velocity)
                              : 0.5 * (drive->lower + drive->upper);
  double target = has_place ? drive->target_position : infinitely_far;
  double near = AT_LIMIT * metre;
  return target > drive->upper && value >= drive->upper - near   ? 1.0
         : target < drive->lower && value <= drive->lower + near ? -1.0
                                                                 : 0.0;
}

// A motor that a limit holds presses against it with all of its force. Both act on one line and
// only their sum moves bodies, so it is not solved for (drives.c) but told here.
static void add_press(const mo_world *world, const mo_constraint *c, uint32_t coordinate,
                      mo_drive_impulses *out) {
  const mo_coordinate_drive *drive = &c->coordinates[coordinate].drive;
  double sign = press_of(drive, c->last_values[coordinate], mo_world_metre(world));
  double press = sign * drive->max_force * world->last_step.dt - out->motor;
  if (sign != 0.0 && mo_is_finite(press) && sign * press > 0.0) {
    out->motor += press;
    out->limits -= press;
  }
}

mo_result mo_constraint_get_drive_impulses(mo_world *world, mo_constraint_id id,
                                           uint32_t coordinate, mo_drive_impulses *out) {
  static const char *const function = "mo_constraint_get_drive_impulses";
  MO_RETURN_IF_REFUSED(mo_check_constraint_coordinate(world, function, id, coordinate));
  const mo_constraint *c = find(world, id);
  double sums[MO_DRIVE_ROLES] = {0.0};
  for (uint32_t row = c->base_dimension; row < c->dimension; row++) {
    mo_drive_place place = mo_drive_at(c, row - c->base_dimension);
    sums[place.role] += place.coordinate == coordinate ? c->impulses[row] : 0.0;
  }
  *out = (mo_drive_impulses){.limits = sums[MO_DRIVE_LOWER] - sums[MO_DRIVE_UPPER],
                             .spring = sums[MO_DRIVE_SPRING],
                             .motor = sums[MO_DRIVE_MOTOR],
                             .friction = sums[MO_DRIVE_FRICTION]};
  add_press(world, c, coordinate, out);
  return MO_OK;
}

mo_result mo_constraint_violation(mo_world *world, mo_constraint_id id, double *out) {
  return ask(world, id, "mo_constraint_violation", mo_constraint_evaluate, out);
}

mo_result mo_constraint_velocity_violation(mo_world *world, mo_constraint_id id, double *out) {
  return ask(world, id, "mo_constraint_velocity_violation", find_rates, out);
}

// --- frames ----------------------------------------------------------------------------------

mo_vec3 mo_body_local_point(const mo_world *world, mo_body_id body, mo_vec3 world_point) {
  if (!mo_body_is_alive(world, body)) {
    return world_point;
  }
  const mo_motion *motion = &world->motions[mo_body_id_slot(body)];
  return mo_quat_rotate_inverse(motion->orientation, mo_sub(world_point, motion->position));
}

mo_vec3 mo_body_local_vector(const mo_world *world, mo_body_id body, mo_vec3 world_vector) {
  bool is_alive = mo_body_is_alive(world, body);
  return is_alive ? mo_quat_rotate_inverse(world->motions[mo_body_id_slot(body)].orientation,
                                           world_vector)
                  : world_vector;
}
