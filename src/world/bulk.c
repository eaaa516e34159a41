/// The arrays by slot that users read directly, without a call per body.
#include "world/world.h"

void mo_world_publish_slot(mo_world *world, uint32_t slot) {
  const mo_motion *m = &world->motions[slot];
  size_t first = (size_t)8 * slot;
  double *pose = &world->transforms64[first];
  double *velocity = &world->velocities[first];
  world->body_ids[slot] = mo_world_body_in_slot(world, slot);
  // A free slot reads as zeros: its motion is zeroed when it is freed.
  const double pose_values[8] = {
      m->position.x,    m->position.y,    m->position.z,    0.0,
      m->orientation.x, m->orientation.y, m->orientation.z, m->orientation.w};
  const double velocity_values[8] = {
      m->linear_velocity.x,  m->linear_velocity.y,  m->linear_velocity.z,  0.0,
      m->angular_velocity.x, m->angular_velocity.y, m->angular_velocity.z, 0.0};
  for (uint32_t i = 0; i < 8; i++) {
    pose[i] = pose_values[i];
    world->transforms[first + i] = (float)pose_values[i];
    velocity[i] = velocity_values[i];
  }
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
