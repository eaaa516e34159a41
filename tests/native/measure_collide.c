// Prints what the narrow phase costs per pair, in nanoseconds: the least of several rounds.
#include "collision/narrow/manifold.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define POSES 64
#define ROUNDS 15
#define REPEATS 40

static uint64_t state = 88172645463325252u;
static double random_between(double lower, double upper) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return lower + (upper - lower) * (double)(state >> 11) * 0x1p-53;
}
static mo_vec3 random_in_cube(double half) {
  double x = random_between(-half, half), y = random_between(-half, half);
  return mo_v3(x, y, random_between(-half, half));
}
static double now(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static mo_shape *make_hull(int count) {
  mo_vec3 points[256];
  for (int i = 0; i < count; i++) {
    points[i] = mo_scale(0.5, mo_normalize(random_in_cube(1.0)));
  }
  mo_hull *hull = NULL;
  mo_result result = mo_hull_create(points, (size_t)count, &hull);
  mo_shape *shape = result == MO_OK ? mo_shape_create_hull(hull, &result) : NULL;
  mo_hull_release(hull);
  if (!shape) {
    exit(1);
  }
  return shape;
}

typedef struct pose_pair {
  mo_transform a, b;
  mo_collision_cache cache;
} pose_pair;

// Turns B at random, unless it rests flat, and moves it along a random line until the pair has the
// gap.
static void place(pose_pair *pair, const mo_shape *a, const mo_shape *b, double gap, bool flat) {
  mo_pose pa = {mo_v3(100, 20, -30), mo_quat_exp(flat ? mo_v3_zero() : random_in_cube(2.0))};
  mo_vec3 along = flat ? mo_v3(0, 1, 0) : mo_normalize(random_in_cube(1.0));
  mo_vec3 side =
      flat ? mo_v3(random_between(-0.4, 0.4), 0, random_between(-0.4, 0.4)) : mo_v3_zero();
  mo_quat turn = mo_quat_exp(flat ? random_in_cube(2e-5) : random_in_cube(2.0));
  double reach = 3.0;
  mo_pose pb = {mo_add(pa.position, mo_add_scaled(side, reach, along)), turn};
  for (int i = 0; i < 30; i++) {
    mo_distance_result d = mo_distance(a, pa, b, pb);
    if (fabs(d.distance - mo_max(gap, 1e-6)) < 1e-9) {
      break;
    }
    reach += (gap < 1e-6 ? 1e-6 : gap) - d.distance;
    pb.position = mo_add(pa.position, mo_add_scaled(side, reach, along));
  }
  if (gap < 0.0) {
    pb.position = mo_add_scaled(pb.position, gap, along);
  }
  *pair = (pose_pair){mo_transform_from_pose(pa), mo_transform_from_pose(pb), {0}};
}

static void measure(const char *name, const mo_shape *a, const mo_shape *b, double gap, bool flat) {
  static pose_pair pairs[POSES];
  double best[2] = {INFINITY, INFINITY};
  int points = 0;
  for (int i = 0; i < POSES; i++) {
    place(&pairs[i], a, b, gap, flat);
  }
  mo_manifold m;
  for (int cached = 0; cached < 2; cached++) {
    for (int round = 0; round < ROUNDS; round++) {
      double from = now(), bound;
      points = 0;
      for (int k = 0; k < REPEATS; k++) {
        for (int i = 0; i < POSES; i++) {
          mo_collision_cache cache = cached ? pairs[i].cache : (mo_collision_cache){0};
          mo_collide_pair(a, &pairs[i].a, b, &pairs[i].b, 0.02, 1.0, &cache, &bound, &m);
          pairs[i].cache = cache;
          points += m.point_count;
        }
      }
      best[cached] = mo_min(best[cached], (now() - from) / (POSES * REPEATS));
    }
  }
  printf("%-28s cold %8.1f  cached %8.1f ns, %.2f points\n", name, best[0], best[1],
         (double)points / (POSES * REPEATS));
}

int main(void) {
  mo_result r;
  mo_shape *box = mo_shape_create_box(mo_v3(0.5, 0.5, 0.5), &r),
           *ball = mo_shape_create_sphere(0.5, &r);
  mo_shape *plane = mo_shape_create_plane(mo_v3(0, 1, 0), 0.0, &r);
  mo_shape *hull = make_hull(16), *hull_too = make_hull(16), *round = make_hull(64),
           *large = make_hull(200);
  measure("box-box stacked", box, box, -1e-3, true);
  measure("box-box touching", box, box, -1e-3, false);
  measure("box-box gap 1 cm", box, box, 0.01, false);
  measure("box-box apart", box, box, 0.1, false);
  measure("hull 16-16 touching", hull, hull_too, -1e-3, false);
  measure("hull 16-16 gap 1 cm", hull, hull_too, 0.01, false);
  measure("hull 16-16 apart", hull, hull_too, 0.1, false);
  measure("hull 16-box touching", hull, box, -1e-3, false);
  mo_shape *middle = make_hull(30), *more = make_hull(42);
  measure("hull 30-30 touching", middle, middle, -1e-3, false);
  measure("hull 42-42 touching", more, more, -1e-3, false);
  measure("hull 42-42 deep", more, more, -0.1, false);
  measure("hull 64-64 touching", round, round, -1e-3, false);
  measure("hull 64-64 apart", round, round, 0.1, false);
  measure("hull 200-200 touching", large, large, -1e-3, false);
  measure("hull 200-200 apart", large, large, 0.1, false);
  measure("sphere-sphere touching", ball, ball, -1e-3, false);
  measure("sphere-sphere apart", ball, ball, 0.1, false);
  measure("sphere-box touching", ball, box, -1e-3, false);
  measure("sphere-hull touching", ball, hull, -1e-3, false);
  measure("sphere-hull apart", ball, hull, 0.1, false);
  mo_shape *capsule = mo_shape_create_capsule(0.2, 0.4, &r);
  measure("capsule-capsule touching", capsule, capsule, -1e-3, false);
  measure("capsule-capsule apart", capsule, capsule, 0.1, false);
  measure("capsule-box touching", capsule, box, -1e-3, false);
  measure("capsule-hull touching", capsule, hull, -1e-3, false);
  measure("box inside a plane", box, plane, -1e-3, true);
  measure("plane-box", plane, box, -1e-3, true);
  return 0;
}
