/// The arrays by slot that users read directly, without a call per body.
#include "world/world.h"

static void put_four(double *to, double x, double y, double z, double w) {
  to[0] = x, to[1] = y, to[2] = z, to[3] = w;
}

static void put_four_floats(float *to, double x, double y, double z, double w) {
  to[0] = (float)x, to[1] = (float)y, to[2] = (float)z, to[3] = (float)w;
}

void mo_world_publish_motion(mo_world *world, uint32_t slot) {
  const mo_motion *m = &world->motions[slot];
  mo_vec3 x = m->position, v = m->linear_velocity, w = m->angular_velocity;
  mo_quat q = m->orientation;
  size_t first = (size_t)8 * slot;
  double *pose = &world->transforms64[first], *velocity = &world->velocities[first];
  put_four(pose, x.x, x.y, x.z, 0.0);
  put_four(pose + 4, q.x, q.y, q.z, q.w);
  put_four(velocity, v.x, v.y, v.z, 0.0);
  put_four(velocity + 4, w.x, w.y, w.z, 0.0);
  put_four_floats(&world->transforms[first], x.x, x.y, x.z, 0.0);
  put_four_floats(&world->transforms[first + 4], q.x, q.y, q.z, q.w);
}

// A free slot reads as zeros: its motion is zeroed when it is freed.
void mo_world_publish_slot(mo_world *world, uint32_t slot) {
  world->body_ids[slot] = mo_world_body_in_slot(world, slot);
  mo_world_publish_motion(world, slot);
}

const float *mo_world_transforms(const mo_world *world) { return world->transforms; }
const double *mo_world_transforms64(const mo_world *world) { return world->transforms64; }
const double *mo_world_velocities(const mo_world *world) { return world->velocities; }
const mo_body_id *mo_world_body_ids(const mo_world *world) { return world->body_ids; }
const uint32_t *mo_world_moved(const mo_world *world, uint32_t *count) {
  *count = world->moved_count;
  return world->moved;
}
uint32_t mo_world_body_count(const mo_world *world) { return world->ids.alive_count; }
uint32_t mo_world_slot_count(const mo_world *world) { return world->ids.slot_count; }
uint32_t mo_world_awake_count(const mo_world *world) { return world->awake_count; }
