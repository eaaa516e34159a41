/// Motions of all bodies out of one world and into another, which shows it without stepping.
#include "world/checks.h"

#include <math.h>
#include <string.h>

#define STRIDE MO_MOTION_NUMBERS
// Where in a record each part begins.
enum { POSITION = 0, ACTIVITY = 3, ORIENTATION = 4, LINEAR = 8, ANGULAR = 12 };

// Of the squared length of an orientation, 1: what the engine gives is a unit to a few round-offs.
#define UNIT_TOLERANCE 1e-9

static void write_four(double *to, mo_vec3 v, double fourth) {
  to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = fourth;
}

static void write_record(const mo_world *world, uint32_t slot, double *to) {
  const mo_motion *m = &world->motions[slot];
  mo_quat q = m->orientation;
  write_four(to + POSITION, m->position, mo_world_is_awake(world, slot) ? 1.0 : 0.0);
  write_four(to + ORIENTATION, mo_v3(q.x, q.y, q.z), q.w);
  write_four(to + LINEAR, m->linear_velocity, 0.0);
  write_four(to + ANGULAR, m->angular_velocity, 0.0);
}

void mo_world_get_motions(const mo_world *world, double *out) {
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    if (world->ids.alive[slot]) {
      write_record(world, slot, out + (size_t)STRIDE * slot);
    } else {
      memset(out + (size_t)STRIDE * slot, 0, STRIDE * sizeof *out);
    }
  }
}

// --- into a world ----------------------------------------------------------------------------

static mo_vec3 vector_at(const double *from) { return mo_v3(from[0], from[1], from[2]); }

static mo_motion motion_of(const mo_world *world, uint32_t slot, const double *record) {
  const double *q = record + ORIENTATION;
  mo_motion motion = {.position = vector_at(record + POSITION),
                      .orientation = {q[0], q[1], q[2], q[3]},
                      .linear_velocity = vector_at(record + LINEAR),
                      .angular_velocity = vector_at(record + ANGULAR)};
  mo_motion_update_center(&motion, world->bodies[slot].mass.center_of_mass);
  return motion;
}

static bool is_given(const mo_world *world, uint32_t slot, const double *record) {
  return world->ids.alive[slot] && record[ACTIVITY] >= 0.0;
}

static mo_result check_record(mo_world *world, const char *function, uint32_t slot,
                              const double *record) {
  mo_motion m = motion_of(world, slot, record);
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, "position", m.position));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, "linear_velocity", m.linear_velocity));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, "angular_velocity", m.angular_velocity));
  double norm = mo_quat_norm_squared(m.orientation);
  if (!(fabs(norm - 1.0) <= UNIT_TOLERANCE)) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, "orientation",
                           "must be a unit quaternion; its squared length", norm);
  }
  return mo_check_vec3(world, function, "center_of_mass in the world", m.center_of_mass);
}

static bool has_same_pose(const mo_motion *a, const mo_motion *b) {
  mo_quat p = a->orientation, q = b->orientation;
  return mo_v3_equal(a->position, b->position) && p.x == q.x && p.y == q.y && p.z == q.z &&
         p.w == q.w;
}

// Returns whether the pose is another.
static bool take_motion(mo_world *world, uint32_t slot, const double *record) {
  mo_motion *now = &world->motions[slot], motion = motion_of(world, slot, record);
  bool moves = !has_same_pose(now, &motion);
  if (moves) {
    // Contacts of before are not valid any more, as after mo_body_set_pose.
    world->displacements[slot] +=
        mo_world_displacement_between(&world->bodies[slot], now, &motion) +
        MO_OUT_OF_REACH * mo_world_metre(world);
  }
  *now = motion;
  if (moves) {
    mo_world_move_proxies(world, slot);
  }
  mo_world_publish_motion(world, slot);
  return moves;
}

// Whether records say of all bodies of an island that they sleep: islands fall asleep as a whole.
static bool rests(const mo_world *world, uint32_t slot, const double *records, uint32_t count) {
  uint32_t member = slot;
  do {
    bool says_so = member < count && records[(size_t)STRIDE * member + ACTIVITY] == 0.0;
    if (world->bodies[member].type != MO_BODY_STATIC && !says_so) {
      return false;
    }
    member = world->islands.next[member];
  } while (member != slot);
  return true;
}

static void take_activity(mo_world *world, uint32_t slot, const double *records, uint32_t count) {
  bool is_awake = records[(size_t)STRIDE * slot + ACTIVITY] > 0.0;
  if (is_awake == mo_world_is_awake(world, slot)) {
    return;
  }
  if (is_awake) {
    mo_world_wake_slot(world, slot);
  } else if (rests(world, slot, records, count)) {
    mo_body_sleep(world, mo_world_body_in_slot(world, slot));
  }
}

mo_result mo_world_set_motions(mo_world *world, const double *records, uint32_t count) {
  static const char *const function = "mo_world_set_motions";
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, function));
  count = count < world->ids.slot_count ? count : world->ids.slot_count;
  for (uint32_t slot = 0; slot < count; slot++) {
    const double *record = records + (size_t)STRIDE * slot;
    if (is_given(world, slot, record)) {
      MO_RETURN_IF_REFUSED(check_record(world, function, slot, record));
    }
  }
  bool any = false;
  for (uint32_t slot = 0; slot < count; slot++) {
    const double *record = records + (size_t)STRIDE * slot;
    if (is_given(world, slot, record)) {
      any = take_motion(world, slot, record) || any;
      take_activity(world, slot, records, count);
    }
  }
  if (any) {
    mo_world_forget_joints(world);
  }
  return MO_OK;
}
