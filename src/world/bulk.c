/// The arrays by slot that users read directly, without a call per body.
#include "math/simd.h"
#include "world/world.h"

static inline mo_f64x2 first_two(const mo_vec3 *v) { return (mo_f64x2){v->x, v->y}; }
static inline mo_f64x2 last_one(const mo_vec3 *v) { return (mo_f64x2){v->z, 0.0}; }

static inline void put_four(double *to, mo_f64x2 first, mo_f64x2 last) {
  mo_f64x2_store(to, first);
  mo_f64x2_store(to + 2, last);
}

// By vectors, which are half as many stores.
void mo_world_publish_motion(mo_world *world, uint32_t slot) {
  const mo_motion *m = &world->motions[slot];
  const mo_quat *q = &m->orientation;
  mo_f64x2 xy = first_two(&m->position), z = last_one(&m->position);
  mo_f64x2 turn_xy = {q->x, q->y}, turn_zw = {q->z, q->w};
  size_t first = (size_t)8 * slot;
  double *pose = &world->transforms64[first], *velocity = &world->velocities[first];
  float *rounded = &world->transforms[first];
  mo_f64x2 v = first_two(&m->linear_velocity), w = first_two(&m->angular_velocity);
  mo_f64x2 v_z = last_one(&m->linear_velocity), w_z = last_one(&m->angular_velocity);
  put_four(pose, xy, z);
  put_four(pose + 4, turn_xy, turn_zw);
  put_four(velocity, v, v_z);
  put_four(velocity + 4, w, w_z);
  mo_f32x4_store(rounded, mo_f32x4_nearest(xy, z));
  mo_f32x4_store(rounded + 4, mo_f32x4_nearest(turn_xy, turn_zw));
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
