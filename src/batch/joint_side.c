/// Setting the coordinate of a hinge or slider in a world of maximal coordinates: everything that
/// hangs on one side of the joint moves with it as one rigid body.
#include "batch/channel.h"
#include "memory/allocator.h"

// --- who moves -------------------------------------------------------------------------------

static bool is_held(const mo_world *world, uint32_t slot) {
  return slot == MO_WORLD_SLOT || world->bodies[slot].type == MO_BODY_STATIC;
}

// The bodies that are reached from one without passing the joint.
typedef struct walk {
  const mo_world *world;
  uint32_t joint;
  uint32_t *slots; // in the order in which they are found
  uint32_t count;
  uint8_t *is_found; // per slot
  bool is_held;      // the world, or what cannot move, is reached
} walk;

static void visit(walk *w, uint32_t slot) {
  if (is_held(w->world, slot)) {
    w->is_held = true;
  } else if (!w->is_found[slot]) {
    w->is_found[slot] = 1;
    w->slots[w->count++] = slot;
  }
}

// Visits the other bodies of a constraint that a body is part of.
static void pass(walk *w, const mo_constraint *constraint, uint32_t from) {
  uint32_t slots[MO_ROW_SIDES], count = mo_constraint_slots(constraint, slots);
  bool is_part = false;
  for (uint32_t i = 0; i < count; i++) {
    is_part = is_part || slots[i] == from;
  }
  for (uint32_t i = 0; is_part && i < count; i++) {
    visit(w, slots[i]);
  }
  w->is_held = w->is_held || (is_part && count < 2);
}

static void walk_from(walk *w, uint32_t slot) {
  const mo_id_pool *ids = &w->world->constraint_ids;
  w->count = 0;
  w->is_held = false;
  memset(w->is_found, 0, w->world->ids.slot_count);
  visit(w, slot);
  for (uint32_t next = 0; next < w->count; next++) {
    for (uint32_t i = 0; i < ids->slot_count; i++) {
      if (ids->alive[i] && i != w->joint) {
        pass(w, &w->world->constraints[i], w->slots[next]);
      }
    }
  }
}

static bool reaches(const walk *w, uint32_t slot) {
  return slot != MO_WORLD_SLOT && w->is_found[slot];
}

// The side of B if it can move, else that of A. Returns what is wrong, or null.
static const char *choose_side(walk *w, const mo_constraint *joint, double *sign) {
  static const char *const loop = "must be no part of a loop where its coordinate is set";
  *sign = 1.0;
  walk_from(w, joint->slot_b);
  if (reaches(w, joint->slot_a)) {
    return loop;
  }
  if (!w->is_held) {
    return NULL;
  }
  *sign = -1.0;
  walk_from(w, joint->slot_a);
  return w->is_held ? loop : NULL; // through the world
}

mo_result mo_joint_side_find(const mo_world *world, mo_constraint_id id, mo_channel_side *out,
                             const char **must) {
  uint32_t slot = mo_constraint_id_slot(id), bodies = world->ids.slot_count;
  const mo_constraint *joint = &world->constraints[slot];
  *must = "must be a hinge or a slider where its coordinate is set";
  if (joint->type != MO_CONSTRAINT_HINGE && joint->type != MO_CONSTRAINT_SLIDER) {
    return MO_ERROR_INVALID_ARGUMENT;
  }
  walk w = {.world = world, .joint = slot};
  w.slots = mo_allocate((size_t)bodies * sizeof *w.slots);
  w.is_found = mo_allocate(bodies);
  if (!w.slots || !w.is_found) {
    mo_release(w.slots);
    mo_release(w.is_found);
    return MO_ERROR_OUT_OF_MEMORY;
  }
  *must = choose_side(&w, joint, &out->sign);
  mo_release(w.is_found);
  if (*must) {
    mo_release(w.slots);
    return MO_ERROR_INVALID_ARGUMENT;
  }
  out->slots = w.slots;
  out->count = w.count;
  return MO_OK;
}

// --- moving ----------------------------------------------------------------------------------

// The axis of a joint, and a point of it on the side that stays.
typedef struct axis {
  mo_vec3 point, direction;
  bool is_hinge;
} axis;

static axis axis_of(mo_world *world, const mo_channel *channel) {
  mo_constraint_drawing drawing = {0};
  mo_constraint_get_drawing(world, channel->def.joint, &drawing);
  uint32_t slot = mo_constraint_id_slot(channel->def.joint);
  return (axis){.point = channel->side.sign > 0.0 ? drawing.anchor_a : drawing.anchor_b,
                .direction =
                    mo_scale(channel->side.sign, mo_quat_rotate(drawing.frame_a, mo_v3(1, 0, 0))),
                .is_hinge = world->constraints[slot].type == MO_CONSTRAINT_HINGE};
}

// The slot of the body that stays, or MO_WORLD_SLOT.
static uint32_t base_of(const mo_world *world, const mo_channel *channel) {
  const mo_constraint *joint = &world->constraints[mo_constraint_id_slot(channel->def.joint)];
  return channel->side.sign > 0.0 ? joint->slot_a : joint->slot_b;
}

// The velocity that a point has as part of a body.
static mo_velocity velocity_with(const mo_world *world, uint32_t slot, mo_vec3 point) {
  if (slot == MO_WORLD_SLOT) {
    return (mo_velocity){mo_v3_zero(), mo_v3_zero()};
  }
  const mo_motion *m = &world->motions[slot];
  mo_vec3 arm = mo_sub(point, m->center_of_mass);
  return (mo_velocity){mo_add(m->linear_velocity, mo_cross(m->angular_velocity, arm)),
                       m->angular_velocity};
}

static mo_result set_velocity(mo_world *world, uint32_t slot, mo_velocity velocity) {
  mo_body_id id = mo_world_body_in_slot(world, slot);
  mo_result result = mo_body_set_linear_velocity(world, id, velocity.linear);
  return result == MO_OK ? mo_body_set_angular_velocity(world, id, velocity.angular) : result;
}

// Moves a body about or along an axis. Its velocity relative to the side that stays moves with it.
static mo_result place_body(mo_world *world, uint32_t slot, uint32_t base, const axis *a,
                            double change) {
  mo_motion old = world->motions[slot];
  mo_quat turn = a->is_hinge ? mo_quat_exp(mo_scale(change, a->direction)) : (mo_quat){0, 0, 0, 1};
  mo_vec3 shift = a->is_hinge ? mo_v3_zero() : mo_scale(change, a->direction);
  mo_vec3 arm = mo_quat_rotate(turn, mo_sub(old.position, a->point));
  mo_pose pose = {mo_add(mo_add(a->point, arm), shift), mo_quat_mul(turn, old.orientation)};
  mo_velocity was = velocity_with(world, base, old.center_of_mass);
  mo_result result = mo_body_set_pose(world, mo_world_body_in_slot(world, slot), pose);
  if (result != MO_OK) {
    return result;
  }
  mo_velocity is = velocity_with(world, base, world->motions[slot].center_of_mass);
  mo_vec3 linear = mo_quat_rotate(turn, mo_sub(old.linear_velocity, was.linear));
  mo_vec3 angular = mo_quat_rotate(turn, mo_sub(old.angular_velocity, was.angular));
  return set_velocity(world, slot,
                      (mo_velocity){mo_add(is.linear, linear), mo_add(is.angular, angular)});
}

mo_result mo_joint_side_place(mo_world *world, const mo_channel *channel, double value) {
  mo_coordinate_state state = {0};
  mo_result result = mo_constraint_get_coordinate(world, channel->def.joint, 0, &state);
  axis a = axis_of(world, channel);
  uint32_t base = base_of(world, channel);
  for (uint32_t i = 0; i < channel->side.count && result == MO_OK; i++) {
    result = place_body(world, channel->side.slots[i], base, &a, value - state.value);
  }
  if (result == MO_OK) { // full turns are counted from there
    world->constraints[mo_constraint_id_slot(channel->def.joint)].last_values[0] = value;
  }
  return result;
}

mo_result mo_joint_side_speed(mo_world *world, const mo_channel *channel, double rate) {
  mo_coordinate_state state = {0};
  mo_result result = mo_constraint_get_coordinate(world, channel->def.joint, 0, &state);
  axis a = axis_of(world, channel);
  mo_vec3 change = mo_scale(rate - state.rate, a.direction);
  for (uint32_t i = 0; i < channel->side.count && result == MO_OK; i++) {
    uint32_t slot = channel->side.slots[i];
    const mo_motion *m = &world->motions[slot];
    mo_velocity v = {m->linear_velocity, m->angular_velocity};
    if (a.is_hinge) {
      mo_vec3 arm = mo_sub(m->center_of_mass, a.point);
      v = (mo_velocity){mo_add(v.linear, mo_cross(change, arm)), mo_add(v.angular, change)};
    } else {
      v.linear = mo_add(v.linear, change);
    }
    result = set_velocity(world, slot, v);
  }
  return result;
}
