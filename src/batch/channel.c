/// The quantities of channels: a table of what each is about and how it is read and written.
#include "batch/channel.h"

#include "constraints/drives.h"
#include "memory/allocator.h"
#include "world/checks.h"
#include "world/constraints.h"

static const char *const list_names[] = {[MO_BATCH_ACTIONS] = "actions",
                                         [MO_BATCH_OBSERVATIONS] = "observations",
                                         [MO_BATCH_STARTS] = "starts"};

// --- refusals --------------------------------------------------------------------------------

#define NAME_BYTES 64u

static char *put(char *at, const char *text) {
  while (*text) {
    *at++ = *text++;
  }
  return at;
}

static char *put_index(char *at, uint32_t index) {
  char digits[10];
  int count = 0;
  do {
    digits[count++] = (char)('0' + index % 10);
    index /= 10;
  } while (index > 0);
  while (count > 0) {
    *at++ = digits[--count];
  }
  return at;
}

mo_result mo_channel_refuse(mo_world *world, mo_result result, const char *function,
                            mo_batch_list list, uint32_t index, const char *member,
                            const char *must, double got) {
  char name[NAME_BYTES], *at = put(name, list_names[list]);
  at = put_index(put(at, "["), index);
  at = put(at, *member ? "]." : "]");
  *put(at, member) = 0;
  return mo_world_refuse(world, result, function, name, must, got);
}

// --- observing -------------------------------------------------------------------------------

static const mo_motion *motion_of(const mo_world *world, const mo_channel *channel) {
  return &world->motions[mo_body_id_slot(channel->def.body)];
}

static void put_vec3(double *out, mo_vec3 v) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}
static mo_vec3 get_vec3(const double *numbers) { return mo_v3(numbers[0], numbers[1], numbers[2]); }
static mo_quat get_quat(const double *numbers) {
  return (mo_quat){numbers[0], numbers[1], numbers[2], numbers[3]};
}

// A vector of the world in the frame of a channel, and back.
static mo_vec3 to_frame(const mo_world *world, const mo_channel *channel, mo_vec3 v) {
  return channel->def.is_local ? mo_quat_rotate_inverse(motion_of(world, channel)->orientation, v)
                               : v;
}
static mo_vec3 to_world(const mo_world *world, const mo_channel *channel, const double *numbers) {
  mo_vec3 v = get_vec3(numbers);
  return channel->def.is_local ? mo_quat_rotate(motion_of(world, channel)->orientation, v) : v;
}

static void observe_position(const mo_channel *channel, mo_world *world, double *out) {
  put_vec3(out, motion_of(world, channel)->position);
}
static void observe_orientation(const mo_channel *channel, mo_world *world, double *out) {
  mo_quat q = motion_of(world, channel)->orientation;
  out[0] = q.x;
  out[1] = q.y;
  out[2] = q.z;
  out[3] = q.w;
}
static void observe_linear_velocity(const mo_channel *channel, mo_world *world, double *out) {
  put_vec3(out, to_frame(world, channel, motion_of(world, channel)->linear_velocity));
}
static void observe_angular_velocity(const mo_channel *channel, mo_world *world, double *out) {
  put_vec3(out, to_frame(world, channel, motion_of(world, channel)->angular_velocity));
}
static void observe_center_of_mass(const mo_channel *channel, mo_world *world, double *out) {
  put_vec3(out, motion_of(world, channel)->center_of_mass);
}

static mo_coordinate_state coordinate_of(const mo_channel *channel, mo_world *world) {
  mo_coordinate_state state = {0};
  mo_constraint_get_coordinate(world, channel->def.joint, channel->def.coordinate, &state);
  return state;
}
static void observe_coordinate(const mo_channel *channel, mo_world *world, double *out) {
  *out = coordinate_of(channel, world).value;
}
static void observe_rate(const mo_channel *channel, mo_world *world, double *out) {
  *out = coordinate_of(channel, world).rate;
}

static bool find_press(const mo_channel *channel, const mo_world *world, mo_vec3 *force) {
  mo_body_id other = channel->def.other;
  uint32_t other_slot = mo_body_id_is_null(other) ? MO_NO_SLOT : mo_body_id_slot(other);
  return mo_body_is_pressed(world, mo_body_id_slot(channel->def.body), other_slot, force);
}
static void observe_contact(const mo_channel *channel, mo_world *world, double *out) {
  mo_vec3 force;
  *out = find_press(channel, world, &force) ? 1.0 : 0.0;
}
static void observe_contact_force(const mo_channel *channel, mo_world *world, double *out) {
  mo_vec3 force;
  find_press(channel, world, &force);
  put_vec3(out, to_frame(world, channel, force));
}

static void observe_time(const mo_channel *channel, mo_world *world, double *out) {
  (void)channel;
  *out = world->time;
}
static void observe_residual(const mo_channel *channel, mo_world *world, double *out) {
  (void)channel;
  *out = mo_world_residual(world).worst;
}

// --- starting --------------------------------------------------------------------------------

static mo_result start_position(const mo_channel *channel, mo_world *world, const double *in) {
  return mo_body_set_position(world, channel->def.body, get_vec3(in));
}
static mo_result start_orientation(const mo_channel *channel, mo_world *world, const double *in) {
  return mo_body_set_orientation(world, channel->def.body, get_quat(in));
}
static mo_result start_linear_velocity(const mo_channel *channel, mo_world *world,
                                       const double *in) {
  mo_vec3 velocity = to_world(world, channel, in);
  return mo_body_set_linear_velocity(world, channel->def.body, velocity);
}
static mo_result start_angular_velocity(const mo_channel *channel, mo_world *world,
                                        const double *in) {
  mo_vec3 velocity = to_world(world, channel, in);
  return mo_body_set_angular_velocity(world, channel->def.body, velocity);
}
static mo_result start_coordinate(const mo_channel *channel, mo_world *world, const double *in) {
  return mo_joint_side_place(world, channel, *in);
}
static mo_result start_rate(const mo_channel *channel, mo_world *world, const double *in) {
  return mo_joint_side_speed(world, channel, *in);
}

// --- acting ----------------------------------------------------------------------------------

// Gives the motor of a coordinate a target. One that has it stays as it is, and its bodies asleep.
static mo_result aim(const mo_channel *channel, mo_world *world, mo_motor_mode mode,
                     double target) {
  uint32_t slot = mo_constraint_id_slot(channel->def.joint), i = channel->def.coordinate;
  mo_coordinate_drive drive = world->constraints[slot].coordinates[i].drive;
  double *at = mode == MO_MOTOR_POSITION ? &drive.target_position : &drive.target_velocity;
  if (drive.motor == mode && *at == target) {
    return MO_OK;
  }
  drive.motor = mode;
  *at = target;
  return mo_constraint_set_drive(world, channel->def.joint, i, &drive);
}
static mo_result act_target_velocity(const mo_channel *channel, mo_world *world, const double *in) {
  return aim(channel, world, MO_MOTOR_VELOCITY, *in);
}
static mo_result act_target_position(const mo_channel *channel, mo_world *world, const double *in) {
  return aim(channel, world, MO_MOTOR_POSITION, *in);
}

// An effort e does the power e dq/dt: by the Jacobian of the coordinate q, whose transpose gives
// the forces (d'Alembert's principle).
static mo_result act_effort(const mo_channel *channel, mo_world *world, const double *in) {
  const mo_constraint *joint = &world->constraints[mo_constraint_id_slot(channel->def.joint)];
  mo_constraint_place at = mo_world_constraint_place(world, world->motions, world->time, joint);
  mo_coordinate coordinates[MO_CONSTRAINT_COORDINATES];
  mo_constraint_coordinates(joint, &at, coordinates);
  const uint32_t slots[MO_ROW_SIDES] = {joint->slot_a, joint->slot_b, joint->slot_c, joint->slot_d};
  uint32_t sides = mo_constraint_joins_four(joint) ? MO_ROW_SIDES : 2;
  mo_result result = MO_OK;
  for (uint32_t i = 0; i < sides && result == MO_OK; i++) {
    const double *row = &coordinates[channel->def.coordinate].jacobian[6 * (size_t)i];
    if (slots[i] != MO_WORLD_SLOT) {
      mo_body_id id = mo_world_body_in_slot(world, slots[i]);
      result = mo_body_apply_force(world, id, mo_scale(*in, get_vec3(row)), NULL);
      result = result == MO_OK ? mo_body_apply_torque(world, id, mo_scale(*in, get_vec3(row + 3)))
                               : result;
    }
  }
  return result;
}
static mo_result act_force(const mo_channel *channel, mo_world *world, const double *in) {
  return mo_body_apply_force(world, channel->def.body, to_world(world, channel, in), NULL);
}
static mo_result act_torque(const mo_channel *channel, mo_world *world, const double *in) {
  return mo_body_apply_torque(world, channel->def.body, to_world(world, channel, in));
}

// --- the table -------------------------------------------------------------------------------

typedef enum subject { OF_WORLD, OF_BODY, OF_JOINT } subject;

typedef struct quantity {
  subject subject;
  uint32_t size;
  bool lasts; // an action that does not end with its step
  void (*observe)(const mo_channel *channel, mo_world *world, double *out);
  mo_result (*start)(const mo_channel *channel, mo_world *world, const double *in);
  mo_result (*act)(const mo_channel *channel, mo_world *world, const double *in);
} quantity;

static const quantity quantities[] = {
    [MO_BATCH_POSITION] = {OF_BODY, 3, false, observe_position, start_position, NULL},
    [MO_BATCH_ORIENTATION] = {OF_BODY, 4, false, observe_orientation, start_orientation, NULL},
    [MO_BATCH_LINEAR_VELOCITY] = {OF_BODY, 3, false, observe_linear_velocity, start_linear_velocity,
                                  NULL},
    [MO_BATCH_ANGULAR_VELOCITY] = {OF_BODY, 3, false, observe_angular_velocity,
                                   start_angular_velocity, NULL},
    [MO_BATCH_COORDINATE] = {OF_JOINT, 1, false, observe_coordinate, start_coordinate, NULL},
    [MO_BATCH_RATE] = {OF_JOINT, 1, false, observe_rate, start_rate, NULL},
    [MO_BATCH_CENTER_OF_MASS] = {OF_BODY, 3, false, observe_center_of_mass, NULL, NULL},
    [MO_BATCH_CONTACT] = {OF_BODY, 1, false, observe_contact, NULL, NULL},
    [MO_BATCH_CONTACT_FORCE] = {OF_BODY, 3, false, observe_contact_force, NULL, NULL},
    [MO_BATCH_TIME] = {OF_WORLD, 1, false, observe_time, NULL, NULL},
    [MO_BATCH_RESIDUAL] = {OF_WORLD, 1, false, observe_residual, NULL, NULL},
    [MO_BATCH_TARGET_VELOCITY] = {OF_JOINT, 1, true, NULL, NULL, act_target_velocity},
    [MO_BATCH_TARGET_POSITION] = {OF_JOINT, 1, true, NULL, NULL, act_target_position},
    [MO_BATCH_EFFORT] = {OF_JOINT, 1, false, NULL, NULL, act_effort},
    [MO_BATCH_FORCE] = {OF_BODY, 3, false, NULL, NULL, act_force},
    [MO_BATCH_TORQUE] = {OF_BODY, 3, false, NULL, NULL, act_torque},
};
#define QUANTITY_COUNT (sizeof quantities / sizeof *quantities)

static const quantity *quantity_of(const mo_channel *channel) {
  return &quantities[channel->def.quantity];
}

// Whether an array may have channels of a quantity.
static bool is_of_list(const quantity *q, mo_batch_list list) {
  return list == MO_BATCH_ACTIONS  ? q->act != NULL
         : list == MO_BATCH_STARTS ? q->start != NULL
                                   : q->observe != NULL;
}

// --- taking a definition ---------------------------------------------------------------------

static const char *const function = "mo_batch_create";

static mo_result check_body(mo_world *world, mo_batch_list list, uint32_t index, const char *member,
                            mo_body_id id) {
  mo_result result = mo_find_body(world, id);
  return result == MO_OK ? MO_OK
                         : mo_channel_refuse(world, result, function, list, index, member,
                                             "must be a body of the template that is alive",
                                             mo_body_id_slot(id) + 1u);
}

static mo_result check_joint(mo_world *world, mo_batch_list list, uint32_t index,
                             const mo_batch_channel *def) {
  uint32_t slot = mo_constraint_id_slot(def->joint);
  mo_result result = mo_find_constraint(world, def->joint);
  if (result != MO_OK) {
    return mo_channel_refuse(world, result, function, list, index, "joint",
                             "must be a joint of the template that is alive", slot + 1u);
  }
  const mo_constraint *joint = &world->constraints[slot];
  if (def->coordinate >= joint->class->coordinate_count) {
    return mo_channel_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, list, index, "coordinate",
                             "must be the number of a coordinate that the joint has",
                             def->coordinate);
  }
  bool is_motor = quantities[def->quantity].lasts;
  return is_motor && joint->coordinates[def->coordinate].drive.locked
             ? mo_channel_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, list, index,
                                 "coordinate", "must not be locked", def->coordinate)
             : MO_OK;
}

static mo_result check(mo_world *world, mo_batch_list list, uint32_t index,
                       const mo_batch_channel *def) {
  if ((uint32_t)def->quantity >= QUANTITY_COUNT || !is_of_list(&quantities[def->quantity], list)) {
    return mo_channel_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, list, index, "quantity",
                             "must be one that this array may have", (uint32_t)def->quantity);
  }
  const quantity *q = &quantities[def->quantity];
  if (q->subject == OF_BODY) {
    MO_RETURN_IF_REFUSED(check_body(world, list, index, "body", def->body));
  }
  if (q->observe == observe_contact || q->observe == observe_contact_force) {
    return mo_body_id_is_null(def->other) ? MO_OK
                                          : check_body(world, list, index, "other", def->other);
  }
  return q->subject == OF_JOINT ? check_joint(world, list, index, def) : MO_OK;
}

static mo_result find_side(mo_channel *channel, mo_world *world, mo_batch_list list,
                           uint32_t index) {
  const char *must = NULL;
  mo_result result = mo_joint_side_find(world, channel->def.joint, &channel->side, &must);
  return result == MO_ERROR_INVALID_ARGUMENT
             ? mo_channel_refuse(world, result, function, list, index, "joint", must,
                                 mo_constraint_id_slot(channel->def.joint) + 1u)
             : result;
}

mo_result mo_channels_init(mo_channel_list *out, mo_world *world, mo_batch_list list,
                           const mo_batch_channel *defs, uint32_t count) {
  out->channels = mo_allocate((size_t)count * sizeof *out->channels);
  if (!out->channels) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t i = 0; i < count; i++) {
    MO_RETURN_IF_REFUSED(check(world, list, i, &defs[i]));
    mo_channel *channel = &out->channels[out->count++];
    channel->def = defs[i];
    channel->first = out->row_size;
    channel->size = quantities[defs[i].quantity].size;
    out->row_size += channel->size;
    if (list == MO_BATCH_STARTS && quantities[defs[i].quantity].subject == OF_JOINT) {
      MO_RETURN_IF_REFUSED(find_side(channel, world, list, i));
    }
  }
  return MO_OK;
}

void mo_channels_free(mo_channel_list *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    mo_release(list->channels[i].side.slots);
  }
  mo_release(list->channels);
  mo_release(list->numbers);
  *list = (mo_channel_list){0};
}

// --- rows ------------------------------------------------------------------------------------

// Whether what a channel is about is there: a joint may have broken.
static bool is_alive(const mo_channel *channel, const mo_world *world) {
  const mo_batch_channel *def = &channel->def;
  switch (quantity_of(channel)->subject) {
  case OF_BODY:
    return mo_find_body(world, def->body) == MO_OK;
  case OF_JOINT:
    return mo_find_constraint(world, def->joint) == MO_OK;
  default:
    return true;
  }
}

void mo_channels_observe(const mo_channel_list *list, mo_world *world, double *row) {
  for (uint32_t i = 0; i < list->count; i++) {
    const mo_channel *channel = &list->channels[i];
    double *out = &row[channel->first];
    if (is_alive(channel, world)) {
      quantity_of(channel)->observe(channel, world, out);
      continue;
    }
    for (uint32_t k = 0; k < channel->size; k++) {
      out[k] = NAN;
    }
  }
}

static mo_result check_numbers(const mo_channel_list *list, mo_world *world, mo_batch_list of,
                               const char *caller, const double *row) {
  for (uint32_t i = 0; i < list->row_size; i++) {
    if (!mo_is_finite(row[i])) {
      return mo_channel_refuse(world, MO_ERROR_INVALID_ARGUMENT, caller, of, i, "",
                               "must be finite", row[i]);
    }
  }
  return MO_OK;
}

static bool is_zero(const mo_channel *channel, const double *in) {
  for (uint32_t i = 0; i < channel->size; i++) {
    if (in[i] != 0.0) {
      return false;
    }
  }
  return true;
}

mo_result mo_channels_act(const mo_channel_list *list, mo_world *world, const double *row,
                          bool is_first) {
  if (is_first) {
    MO_RETURN_IF_REFUSED(check_numbers(list, world, MO_BATCH_ACTIONS, "mo_batch_step", row));
  }
  for (uint32_t i = 0; i < list->count; i++) {
    const mo_channel *channel = &list->channels[i];
    const double *in = &row[channel->first];
    const quantity *q = quantity_of(channel);
    // A force of zero must not wake a body.
    bool acts = q->lasts ? is_first : !is_zero(channel, in);
    if (acts && is_alive(channel, world)) {
      MO_RETURN_IF_REFUSED(q->act(channel, world, in));
    }
  }
  return MO_OK;
}

static void clear_forces(mo_world *world, uint32_t slot) {
  if (slot != MO_WORLD_SLOT) {
    world->bodies[slot].force = world->bodies[slot].torque = mo_v3_zero();
  }
}

void mo_channels_clear_forces(const mo_channel_list *list, mo_world *world) {
  for (uint32_t i = 0; i < list->count; i++) {
    const mo_channel *channel = &list->channels[i];
    if (quantity_of(channel)->lasts || !is_alive(channel, world)) {
      continue;
    }
    if (quantity_of(channel)->subject == OF_BODY) {
      clear_forces(world, mo_body_id_slot(channel->def.body));
      continue;
    }
    uint32_t slots[MO_ROW_SIDES];
    uint32_t count =
        mo_constraint_slots(&world->constraints[mo_constraint_id_slot(channel->def.joint)], slots);
    for (uint32_t k = 0; k < count; k++) {
      clear_forces(world, slots[k]);
    }
  }
}

mo_result mo_channels_start(const mo_channel_list *list, mo_world *world, const double *row,
                            const double *usual) {
  MO_RETURN_IF_REFUSED(check_numbers(list, world, MO_BATCH_STARTS, "mo_batch_reset", row));
  for (uint32_t i = 0; i < list->count; i++) {
    const mo_channel *channel = &list->channels[i];
    const double *in = &row[channel->first];
    if (memcmp(in, &usual[channel->first], channel->size * sizeof *in) != 0) {
      MO_RETURN_IF_REFUSED(quantity_of(channel)->start(channel, world, in));
    }
  }
  return MO_OK;
}
