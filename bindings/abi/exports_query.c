/*
 * Exports of what only looks: collision and distance of two shapes, and rays in a world.
 */
#include "block.h"

#include <stddef.h>

// --- two shapes ------------------------------------------------------------------------------

/* Reads two poses, writes the collision if there is one. */
EXPORT(int, collide, const mo_shape *a, const mo_shape *b) {
  cursor at = io;
  mo_pose pose_a = read_pose(&at);
  mo_pose pose_b = read_pose(&at);
  mo_collision collision;
  if (!mo_collide(a, pose_a, b, pose_b, &collision)) {
    return 0;
  }
  at = io;
  write_vec3(&at, collision.normal);
  write_number(&at, collision.penetration_depth);
  write_vec3(&at, collision.point_a);
  write_vec3(&at, collision.point_b);
  write_number(&at, collision.point_count);
  for (int i = 0; i < collision.point_count; i++) {
    write_vec3(&at, collision.points[i].position);
    write_number(&at, collision.points[i].penetration_depth);
  }
  return 1;
}

/* Reads two poses, writes the result. */
EXPORT(void, distance, const mo_shape *a, const mo_shape *b) {
  cursor at = io;
  mo_pose pose_a = read_pose(&at);
  mo_pose pose_b = read_pose(&at);
  mo_distance_result result = mo_distance(a, pose_a, b, pose_b);
  at = io;
  write_number(&at, result.distance);
  write_vec3(&at, result.point_a);
  write_vec3(&at, result.point_b);
  write_vec3(&at, result.normal);
}
// --- rays ------------------------------------------------------------------------------------

// JavaScript writes and reads these structs in place. A ray is seven doubles, two 32-bit numbers
// and an id, which comes as an argument; a hit is an id, a 32-bit number and seven doubles.
_Static_assert(sizeof(mo_ray) == 72 && offsetof(mo_ray, filter) == 56 && sizeof(mo_ray_hit) == 72 &&
                   offsetof(mo_ray_hit, position) == 16,
               "bindings/objects/queries.mjs");

static struct {
  mo_ray_hit hit;
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
  const mo_ray_hit *hits;
  uint32_t count;
  mo_result result = mo_world_cast_ray_all(world, &cast.ray, &hits, &count);
  if (result == MO_OK) {
    cursor at = io;
    write_number(&at, count);
    write_number(&at, (double)(uintptr_t)hits);
  }
  return (int)result;
}
