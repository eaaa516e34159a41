/*
 * Exports of what only looks: collision and distance of two shapes, and rays in a world.
 */
#include "../generated/abi.h"

// --- two shapes ------------------------------------------------------------------------------

static abi_pose_pair read_poses(void) {
  cursor at = io;
  abi_pose_pair poses;
  read_pose_pair(&at, &poses);
  return poses;
}

/* Reads two poses, writes the collision and its points if there is one. */
EXPORT(int, collide, const mo_shape *a, const mo_shape *b) {
  abi_pose_pair poses = read_poses();
  mo_collision collision;
  if (!a || !b || !mo_collide(a, poses.a, b, poses.b, &collision)) {
    return 0;
  }
  cursor at = io;
  write_collision(&at, &collision);
  for (int i = 0; i < collision.point_count; i++) {
    abi_collision_point point = {collision.points[i].position,
                                 collision.points[i].penetration_depth};
    write_collision_point(&at, &point);
  }
  return 1;
}

/* Reads two poses, writes the result. */
EXPORT(void, distance, const mo_shape *a, const mo_shape *b) {
  abi_pose_pair poses = read_poses();
  mo_distance_result result = {0};
  if (a && b) {
    result = mo_distance(a, poses.a, b, poses.b);
  }
  cursor at = io;
  write_distance(&at, &result);
}

// --- rays ------------------------------------------------------------------------------------

// JavaScript writes and reads these structs in place.
static struct {
  mo_query_hit hit;
  mo_ray ray;
} cast;

/* Where the ray of the next cast is to be, behind the hit of the last. */
EXPORT(void *, ray_address, void) { return &cast; }
EXPORT(int, world_cast_ray, mo_world *world, js_id exclude) {
  cast.ray.filter.exclude = body_of(world, exclude);
  return (int)mo_world_cast_ray(world, &cast.ray, &cast.hit);
}
/* Writes the count and the address of the hits. */
EXPORT(int, world_cast_ray_all, mo_world *world, js_id exclude) {
  cast.ray.filter.exclude = body_of(world, exclude);
  const mo_query_hit *hits;
  uint32_t count;
  mo_result result = mo_world_cast_ray_all(world, &cast.ray, &hits, &count);
  if (result == MO_OK) {
    abi_ray_hits list = {.count = count, .address = (void *)(uintptr_t)hits};
    cursor at = io;
    write_ray_hits(&at, &list);
  }
  return (int)result;
}
