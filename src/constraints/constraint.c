/// What all types of constraints share: setting up, checked calls, finite differences.
#include "constraints/constraint.h"

#include "constraints/constraint_class.h"
#include "constraints/drives.h"
#include "constraints/effective_mass.h"
#include "constraints/path.h"
#include "memory/allocator.h"

// m and rad: half of the step of finite differences over poses. It is a power of two, so it adds no
// round-off.
#define POSE_STEP 0x1p-17

// --- setting up ------------------------------------------------------------------------------

// The most rows: own ones, and those of all limits and drives.
static uint32_t most_rows(const mo_constraint *c) {
  uint32_t own = c->base_dimension > c->class->dimension ? c->base_dimension : c->class->dimension;
  return own + MO_DRIVE_ROLES * c->class->coordinate_count;
}

static bool take_memory(mo_constraint *c) {
  uint32_t rows = most_rows(c), coordinates = c->class->coordinate_count;
  c->impulses = mo_allocate(rows * (sizeof *c->impulses + sizeof *c->bounds) +
                            coordinates * sizeof *c->coordinates);
  if (c->impulses) {
    c->bounds = (mo_row_bounds *)(c->impulses + rows);
    c->coordinates = (mo_joint_coordinate *)(c->bounds + rows);
  }
  return c->impulses;
}

// A spring whose rest is not said rests where it is, and later where it rested before.
static void settle_rest(mo_joint_coordinate *coordinate, double rest) {
  if (coordinate->drive.spring_rest != coordinate->drive.spring_rest) {
    coordinate->drive.spring_rest = rest;
  }
}

static void lay_out_rows(mo_constraint *c) {
  for (uint32_t i = 0; i < c->class->coordinate_count; i++) {
    c->roles[i] = mo_drive_roles(&c->coordinates[i].drive);
  }
  c->base_dimension = c->class->own_rows ? c->class->own_rows(c) : c->base_dimension;
  c->dimension = c->base_dimension + mo_drive_row_count(c);
  mo_drives_set_bounds(c);
}

// m: the least length of a rope, whose direction is else unknown.
#define LEAST_LENGTH 1e-9

// The length of a rope that is made taut.
static void init_length(mo_constraint *c, const mo_constraint_place *at) {
  mo_coordinate_drive *drive = &c->coordinates[0].drive;
  mo_coordinate coordinates[MO_CONSTRAINT_COORDINATES] = {{0}};
  if (c->class->starts_taut && drive->upper == INFINITY) {
    mo_constraint_coordinates(c, at, coordinates);
    drive->upper = mo_max(coordinates[0].value, LEAST_LENGTH * at->metre);
  }
}

static void init_rows(mo_constraint *c, const mo_constraint_def *def,
                      const mo_constraint_place *at) {
  for (uint32_t i = 0; i < c->class->coordinate_count; i++) {
    c->coordinates[i] = (mo_joint_coordinate){.drive = def->drives[i]};
    mo_path_limit(c, &c->coordinates[i].drive);
  }
  init_length(c, at);
  lay_out_rows(c);
  for (uint32_t i = 0; i < c->base_dimension; i++) {
    bool is_given = c->class->has_bounds && def->bounds;
    c->bounds[i] = is_given ? def->bounds[i] : mo_row_bounds_bilateral();
  }
}

// rad: of an angle that turns by less in a step the next value is the nearest one. It is half of
// what could be told from a turn the other way.
#define LEAST_TURN (0.5 * MO_PI)

// Moves the values of before by what the coordinates have changed by in a step, if that is so much
// that an angle would be taken for another turn. Returns whether some has.
static bool follow_turns(mo_constraint *c, const mo_constraint_place *at, double dt,
                         const mo_coordinate *coordinates) {
  bool has_turned = false;
  for (uint32_t i = 0; i < c->class->coordinate_count; i++) {
    double change = dt * mo_constraint_rate(c, at, coordinates[i].jacobian);
    if (fabs(change) > LEAST_TURN) {
      c->last_values[i] += change;
      has_turned = true;
    }
  }
  return has_turned;
}

void mo_constraint_follow(mo_constraint *c, const mo_constraint_place *at, double dt) {
  mo_coordinate coordinates[MO_CONSTRAINT_COORDINATES];
  mo_constraint_coordinates(c, at, coordinates);
  if (follow_turns(c, at, dt, coordinates)) {
    mo_constraint_coordinates(c, at, coordinates);
  }
  for (uint32_t i = 0; i < c->class->coordinate_count; i++) {
    c->last_values[i] = coordinates[i].value;
  }
}

void mo_constraint_set_masses(mo_constraint *c, const mo_constraint_place *at,
                              const mo_row_body bodies[MO_ROW_SIDES]) {
  mo_coordinate coordinates[MO_CONSTRAINT_COORDINATES];
  mo_mat3 turning = mo_mat3_add(bodies[0].inverse_inertia, bodies[1].inverse_inertia);
  double trace = turning.cx.x + turning.cy.y + turning.cz.z;
  double moving = bodies[0].inverse_mass + bodies[1].inverse_mass;
  c->linear_mass = moving > 0.0 ? 1.0 / moving : 0.0;
  c->angular_mass = trace > 0.0 ? 3.0 / trace : 0.0;
  mo_constraint_coordinates(c, at, coordinates);
  for (uint32_t i = 0; i < c->class->coordinate_count; i++) {
    const double *row = coordinates[i].jacobian;
    double mobility = mo_constraint_coupling(c, row, row, bodies);
    c->coordinates[i].mass = mobility > 0.0 ? 1.0 / mobility : 0.0;
  }
}

void mo_constraint_change_drive(mo_constraint *c, uint32_t coordinate,
                                const mo_coordinate_drive *drive) {
  double own[MO_CONSTRAINT_ROWS] = {0};
  double driven[MO_CONSTRAINT_COORDINATES][MO_DRIVE_ROLES] = {{0}};
  for (uint32_t i = 0; i < c->base_dimension; i++) {
    own[i] = c->impulses[i];
  }
  for (uint32_t i = c->base_dimension; i < c->dimension; i++) {
    mo_drive_place place = mo_drive_at(c, i - c->base_dimension);
    driven[place.coordinate][place.role] = c->impulses[i];
  }
  uint32_t old = c->base_dimension;
  double rest = c->coordinates[coordinate].drive.spring_rest;
  c->coordinates[coordinate].drive = *drive;
  mo_path_limit(c, &c->coordinates[coordinate].drive);
  settle_rest(&c->coordinates[coordinate], rest);
  lay_out_rows(c);
  for (uint32_t i = 0; i < c->base_dimension; i++) {
    c->impulses[i] = old == c->base_dimension ? own[i] : 0.0; // other locks are other rows
    c->bounds[i] = i < old ? c->bounds[i] : mo_row_bounds_bilateral();
  }
  for (uint32_t i = c->base_dimension; i < c->dimension; i++) {
    mo_drive_place place = mo_drive_at(c, i - c->base_dimension);
    c->impulses[i] = driven[place.coordinate][place.role];
  }
}

void mo_constraint_set_name(mo_constraint *c, const char *name) {
  for (uint32_t i = 0, ended = 0; i < MO_CONSTRAINT_NAME_BYTES; i++) {
    ended = ended || i + 1 == MO_CONSTRAINT_NAME_BYTES || !name[i];
    c->name[i] = ended ? '\0' : name[i];
  }
}

void mo_constraint_set_frames(mo_quat orientation_a, mo_quat orientation_b, mo_vec3 axis_a,
                              mo_vec3 world_axis_b, mo_quat *frame_a, mo_quat *frame_b) {
  mo_vec3 x = {1.0, 0.0, 0.0};
  *frame_a = mo_quat_between(x, axis_a);
  // B's frame is A's frame, rotated so that its axis is B's axis.
  mo_vec3 world_a = mo_quat_rotate(orientation_a, axis_a);
  mo_quat world_frame_a = mo_quat_mul(orientation_a, *frame_a);
  mo_quat world_frame_b = mo_quat_mul(mo_quat_between(world_a, world_axis_b), world_frame_a);
  *frame_b = mo_quat_normalize(mo_quat_mul(mo_quat_conjugate(orientation_b), world_frame_b));
}

static void init_frames(mo_constraint *c, const mo_constraint_def *def,
                        const mo_constraint_place *at) {
  mo_quat a = at->a.orientation, b = at->b.orientation;
  bool has_axis = c->class->has_axes;
  mo_vec3 axis_a = has_axis ? mo_normalize(def->axis_a) : mo_v3(1.0, 0.0, 0.0);
  mo_vec3 world_axis_b =
      has_axis ? mo_quat_rotate(b, mo_normalize(def->axis_b)) : mo_quat_rotate(a, axis_a);
  mo_constraint_set_frames(a, b, axis_a, world_axis_b, &c->frame_a, &c->frame_b);
}

// The part of a reference that says which rows there are.
static void take_frames(mo_constraint *c, const mo_constraint_reference *reference) {
  c->frame_a = mo_quat_keep_unit(reference->frame_a);
  c->frame_b = mo_quat_keep_unit(reference->frame_b);
  if (mo_constraint_joins_four(c) || c->type == MO_CONSTRAINT_WHEEL) {
    c->frame_c = mo_quat_keep_unit(reference->frame_c);
    c->frame_d = mo_quat_keep_unit(reference->frame_d);
  }
  c->length = c->type == MO_CONSTRAINT_DISTANCE ? reference->length : 0.0;
  c->coupled_sum = mo_constraint_joins_four(c) ? reference->sum : 0.0;
}

void mo_constraint_take_reference(mo_constraint *c, const mo_constraint_reference *reference) {
  take_frames(c, reference);
  c->linear_mass = reference->linear_mass;
  c->angular_mass = reference->angular_mass;
  for (uint32_t i = 0; i < c->class->coordinate_count; i++) {
    c->last_values[i] = reference->coordinates[i].value;
    c->coordinates[i].mass = reference->coordinates[i].mass;
  }
}

mo_constraint_reference mo_constraint_reference_of(const mo_constraint *c) {
  mo_constraint_reference reference = {.frame_a = c->frame_a,
                                       .frame_b = c->frame_b,
                                       .frame_c = c->frame_c,
                                       .frame_d = c->frame_d,
                                       .length = c->length,
                                       .sum = c->coupled_sum,
                                       .linear_mass = c->linear_mass,
                                       .angular_mass = c->angular_mass};
  for (uint32_t i = 0; i < c->class->coordinate_count; i++) {
    reference.coordinates[i] = (mo_coordinate_reference){c->last_values[i], c->coordinates[i].mass};
  }
  return reference;
}

bool mo_constraint_init(mo_constraint *c, const mo_constraint_def *def,
                        const uint32_t slots[MO_ROW_SIDES], const mo_constraint_place *at) {
  *c = (mo_constraint){.class = mo_constraint_class_of(def->type),
                       .type = def->type,
                       .slot_a = slots[0],
                       .slot_b = slots[1],
                       .slot_c = slots[2],
                       .slot_d = slots[3],
                       .collide_connected = def->collide_connected,
                       .has_stabilization = def->has_stabilization,
                       .alpha = def->alpha,
                       .beta = def->beta,
                       .compliance = def->compliance,
                       .anchor_a = def->anchor_a,
                       .anchor_b = def->anchor_b,
                       .joint_slots = {MO_WORLD_SLOT, MO_WORLD_SLOT},
                       .ratio = def->ratio,
                       .ground_anchor_a = def->ground_anchor_a,
                       .ground_anchor_b = def->ground_anchor_b,
                       .steering = def->steering,
                       .break_force = def->break_force,
                       .break_torque = def->break_torque};
  c->base_dimension = c->class->dimension;
  mo_constraint_set_name(c, c->class->name);
  init_frames(c, def, at);
  if (c->class->init) {
    c->class->init(c, def, at);
  }
  if (def->has_reference) {
    take_frames(c, &def->reference);
  }
  if ((c->type == MO_CONSTRAINT_PATH && !c->curve) || !take_memory(c)) {
    return false;
  }
  init_rows(c, def, at);
  mo_constraint_follow(c, at, 0.0);
  for (uint32_t i = 0; i < c->class->coordinate_count; i++) {
    settle_rest(&c->coordinates[i], c->last_values[i]);
  }
  return true;
}

bool mo_constraint_restore_arrays(mo_constraint *c) {
  c->base_dimension = c->type == MO_CONSTRAINT_CUSTOM ? c->dimension : c->class->dimension;
  return take_memory(c);
}

bool mo_constraint_restore_rows(mo_constraint *c) {
  uint32_t dimension = c->dimension;
  lay_out_rows(c);
  return c->dimension == dimension;
}

void mo_constraint_free(mo_constraint *c) {
  mo_release(c->impulses);
  mo_curve_release(c->curve);
  *c = (mo_constraint){0};
}

uint32_t mo_constraint_slots(const mo_constraint *c, uint32_t slots[MO_ROW_SIDES]) {
  const uint32_t all[MO_ROW_SIDES] = {c->slot_a, c->slot_b, c->slot_c, c->slot_d};
  uint32_t count = 0;
  for (int i = 0; i < MO_ROW_SIDES; i++) {
    bool is_new = all[i] != MO_WORLD_SLOT;
    for (uint32_t k = 0; k < count; k++) {
      is_new = is_new && slots[k] != all[i];
    }
    if (is_new) {
      slots[count++] = all[i];
    }
  }
  return count;
}

bool mo_row_bounds_are_valid(mo_row_bounds bounds) {
  mo_row_bounds again;
  switch (bounds.kind) {
  case MO_BOUND_BILATERAL:
    return bounds.lower == -INFINITY && bounds.upper == INFINITY;
  case MO_BOUND_UNILATERAL:
    return bounds.lower == 0.0 && bounds.upper == INFINITY;
  case MO_BOUND_BOX:
    return mo_row_bounds_box(bounds.lower, bounds.upper, &again) == MO_OK &&
           again.kind == bounds.kind;
  case MO_BOUND_CONE:
    return mo_row_bounds_cone(bounds.friction, &again) == MO_OK;
  }
  return false;
}

// --- evaluating ------------------------------------------------------------------------------

mo_constraint_body mo_constraint_body_of(mo_body_id id, const mo_motion *motion) {
  return (mo_constraint_body){.body = id,
                              .position = motion->position,
                              .orientation = motion->orientation,
                              .center_of_mass = motion->center_of_mass,
                              .linear_velocity = motion->linear_velocity,
                              .angular_velocity = motion->angular_velocity};
}

mo_constraint_body mo_constraint_body_world(void) {
  return (mo_constraint_body){.orientation = mo_quat_identity()};
}

static void clear(double *numbers, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    numbers[i] = 0.0;
  }
}

static bool are_finite(const double *numbers, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (!mo_is_finite(numbers[i])) {
      return false;
    }
  }
  return true;
}

mo_constraint_failure mo_constraint_evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                             double *out) {
  clear(out, c->dimension);
  mo_constraint_failure failure = c->class->evaluate ? c->class->evaluate(c, at, out) : NULL;
  mo_drives_evaluate(c, at, out + c->base_dimension);
  return failure || are_finite(out, c->dimension) ? failure
                                                  : "evaluate gave a number that is not finite";
}

mo_constraint_failure mo_constraint_jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                             double *out) {
  uint32_t count = mo_jacobian_columns(c) * c->dimension;
  clear(out, count);
  mo_constraint_failure failure = c->class->jacobian ? c->class->jacobian(c, at, out) : NULL;
  mo_drives_jacobian(c, at, out + (size_t)mo_jacobian_columns(c) * c->base_dimension);
  return failure || are_finite(out, count) ? failure : "jacobian gave a number that is not finite";
}

mo_constraint_failure mo_constraint_time_derivative(const mo_constraint *c,
                                                    const mo_constraint_place *at, double *out) {
  clear(out, c->dimension);
  if (!c->class->time_derivative) {
    return NULL;
  }
  mo_constraint_failure failure = c->class->time_derivative(c, at, out);
  return failure || are_finite(out, c->dimension)
             ? failure
             : "timeDerivative gave a number that is not finite";
}

void mo_constraint_coordinates(const mo_constraint *c, const mo_constraint_place *at,
                               mo_coordinate *out) {
  for (uint32_t i = 0; i < c->class->coordinate_count; i++) {
    out[i] = (mo_coordinate){.value = 0.0};
  }
  if (c->class->coordinates) {
    c->class->coordinates(c, at, out);
  }
}

double mo_constraint_rate(const mo_constraint *c, const mo_constraint_place *at,
                          const double *row) {
  const mo_constraint_body *bodies[MO_ROW_SIDES] = {&at->a, &at->b, &at->c, &at->d};
  double rate = 0.0;
  for (uint32_t k = 0; k < mo_jacobian_columns(c); k += 6) {
    rate += mo_dot(mo_get_vec3(&row[k]), bodies[k / 6]->linear_velocity);
    rate += mo_dot(mo_get_vec3(&row[k + 3]), bodies[k / 6]->angular_velocity);
  }
  return rate;
}

mo_constraint_failure mo_constraint_find_active(const mo_constraint *c,
                                                const mo_constraint_place *at, bool *out) {
  *out = c->class->makes_rows;
  return c->class->is_active ? c->class->is_active(c, at, out) : NULL;
}

mo_constraint_failure mo_constraint_reaction_of(const mo_constraint *c,
                                                const mo_constraint_place *at,
                                                mo_constraint_reaction *out) {
  double jacobian[MO_JACOBIAN_NUMBERS];
  mo_constraint_failure failure = mo_constraint_jacobian(c, at, jacobian);
  *out = (mo_constraint_reaction){mo_v3_zero(), mo_v3_zero()};
  for (uint32_t i = 0; !failure && i < c->dimension; i++) {
    const double *on_b = &jacobian[(size_t)mo_jacobian_columns(c) * i + MO_JACOBIAN_COLUMNS / 2];
    out->linear = mo_add_scaled(out->linear, c->impulses[i], mo_get_vec3(on_b));
    out->angular = mo_add_scaled(out->angular, c->impulses[i], mo_get_vec3(on_b + 3));
  }
  mo_vec3 arm = mo_anchors_at(c, at).arm_b;
  out->angular = mo_sub(out->angular, mo_cross(arm, out->linear));
  return failure;
}

// --- finite differences ----------------------------------------------------------------------

// The body moved along (0, 1, 2) or rotated about (3, 4, 5) a world axis through its centre of
// mass.
static mo_constraint_body displaced(mo_constraint_body body, uint32_t coordinate, double by) {
  uint32_t axis = coordinate % 3;
  mo_vec3 d = {axis == 0 ? by : 0.0, axis == 1 ? by : 0.0, axis == 2 ? by : 0.0};
  if (coordinate < 3) {
    body.position = mo_add(body.position, d);
    body.center_of_mass = mo_add(body.center_of_mass, d);
    return body;
  }
  mo_quat turn = mo_quat_exp(d);
  mo_vec3 arm = mo_sub(body.position, body.center_of_mass);
  body.position = mo_add(body.center_of_mass, mo_quat_rotate(turn, arm));
  body.orientation = mo_quat_normalize(mo_quat_mul(turn, body.orientation));
  return body;
}

static mo_constraint_body *body_of(mo_constraint_place *at, uint32_t side) {
  mo_constraint_body *bodies[MO_ROW_SIDES] = {&at->a, &at->b, &at->c, &at->d};
  return bodies[side];
}

mo_constraint_failure mo_constraint_difference_jacobian(const mo_constraint *c,
                                                        const mo_constraint_place *at,
                                                        double *out) {
  const uint32_t slots[MO_ROW_SIDES] = {c->slot_a, c->slot_b, c->slot_c, c->slot_d};
  uint32_t columns = mo_jacobian_columns(c);
  for (uint32_t k = 0; k < columns; k++) {
    if (slots[k / 6] == MO_WORLD_SLOT) {
      continue;
    }
    mo_constraint_place before = *at, after = *at;
    mo_constraint_body *minus = body_of(&before, k / 6), *plus = body_of(&after, k / 6);
    double step = k % 6 < 3 ? POSE_STEP * at->metre : POSE_STEP;
    *minus = displaced(*minus, k % 6, -step);
    *plus = displaced(*plus, k % 6, step);
    double low[MO_CONSTRAINT_ROWS], high[MO_CONSTRAINT_ROWS];
    mo_constraint_failure failure = mo_constraint_evaluate(c, &before, low);
    if (!failure) {
      failure = mo_constraint_evaluate(c, &after, high);
    }
    if (failure) {
      return failure;
    }
    for (uint32_t i = 0; i < c->dimension; i++) {
      out[columns * i + k] = (high[i] - low[i]) / (2.0 * step);
    }
  }
  return NULL;
}
