/// Targets of kinematic bodies.
#include "world/checks.h"

// Part of a step by which the time that is left to a target may exceed the step, and still be over
// with it: more than the round-off of sums of steps.
#define SAME_TIME 1e-9

static bool is_last(const mo_target *target, double dt) {
  return !(target->time > (1.0 + SAME_TIME) * dt);
}

void mo_world_end_target(mo_world *world, uint32_t slot) {
  mo_target *target = &world->bodies[slot].target;
  if (target->state != MO_TARGET_NONE) {
    *target = (mo_target){.state = MO_TARGET_NONE};
    world->target_count--;
  }
}

mo_result mo_body_move_to(mo_world *world, mo_body_id id, mo_pose pose, double time) {
  static const char *const function = "mo_body_move_to";
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, function));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, "position", pose.position));
  MO_RETURN_IF_REFUSED(mo_check_orientation(world, function, pose.orientation));
  MO_RETURN_IF_REFUSED(mo_check_range(world, function, "time", time, 0.0, INFINITY,
                                      "must be finite, 0 or more seconds"));
  uint32_t slot = mo_body_id_slot(id);
  mo_body *body = &world->bodies[slot];
  if (body->type != MO_BODY_KINEMATIC) {
    return mo_world_refuse_text(
        world, MO_ERROR_INVALID_ARGUMENT, function,
        "body must be kinematic: others are moved by forces, or not at all");
  }
  pose.orientation = mo_quat_normalize(pose.orientation);
  world->target_count += body->target.state == MO_TARGET_NONE;
  body->target = (mo_target){MO_TARGET_AHEAD, pose, time};
  mo_world_wake_slot(world, slot);
  mo_world_wake_touching(world, slot);
  return MO_OK;
}

// --- steps -----------------------------------------------------------------------------------

// The rotation vector of the shorter way between two orientations.
static mo_vec3 turn_between(mo_quat from, mo_quat to) {
  mo_quat turn = mo_quat_mul(to, mo_quat_conjugate(from));
  return mo_quat_log(turn.w < 0.0 ? (mo_quat){-turn.x, -turn.y, -turn.z, -turn.w} : turn);
}

static mo_velocity velocity_to(const mo_body *body, const mo_motion *motion, double dt) {
  const mo_target *target = &body->target;
  if (target->state == MO_TARGET_REACHED) {
    return (mo_velocity){mo_v3_zero(), mo_v3_zero()};
  }
  double rate = 1.0 / (is_last(target, dt) ? dt : target->time);
  mo_motion end = {.position = target->pose.position, .orientation = target->pose.orientation};
  mo_motion_update_center(&end, body->mass.center_of_mass);
  return (mo_velocity){mo_scale(rate, mo_sub(end.center_of_mass, motion->center_of_mass)),
                       mo_scale(rate, turn_between(motion->orientation, end.orientation))};
}

// Functions of the user can read the velocities of the step, so none of them may be infinite.
static mo_result aim(mo_world *world, uint32_t slot, double dt) {
  mo_motion *motion = &world->motions[slot];
  mo_velocity velocity = velocity_to(&world->bodies[slot], motion, dt);
  if (!mo_v3_is_finite(velocity.linear) || !mo_v3_is_finite(velocity.angular)) {
    return mo_world_refuse_target(world, slot);
  }
  size_t bytes = MO_NOTE_BYTES(sizeof(mo_motion)) + MO_NOTE_BYTES(sizeof(double));
  if (!mo_journal_reserve(&world->journal, bytes)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  MO_NOTE_ITEM(&world->journal, world->motions, slot);
  MO_NOTE_ITEM(&world->journal, world->box_limits, slot);
  motion->linear_velocity = velocity.linear;
  motion->angular_velocity = velocity.angular;
  mo_world_forget_path(world, slot);
  return MO_OK;
}

mo_result mo_world_aim_at_targets(mo_world *world, double dt) {
  for (uint32_t slot = 0; world->target_count > 0 && slot < world->ids.slot_count; slot++) {
    if (world->bodies[slot].target.state != MO_TARGET_NONE) {
      MO_RETURN_IF_REFUSED(aim(world, slot, dt));
    }
  }
  return MO_OK;
}

void mo_world_follow_target(mo_world *world, uint32_t slot, double dt) {
  mo_body *body = &world->bodies[slot];
  mo_target *target = &body->target;
  if (target->state == MO_TARGET_REACHED) {
    mo_world_end_target(world, slot);
  } else if (target->state == MO_TARGET_AHEAD && is_last(target, dt)) {
    mo_motion *motion = &world->motions[slot];
    motion->position = target->pose.position;
    motion->orientation = target->pose.orientation;
    mo_motion_update_center(motion, body->mass.center_of_mass);
    target->state = MO_TARGET_REACHED;
  } else if (target->state == MO_TARGET_AHEAD) {
    target->time -= dt;
  }
}
