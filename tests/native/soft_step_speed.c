// Measures the contact solver of soft-step alone, on a pyramid and a pile whose contacts are made
// by hand: nanoseconds per point and substep, and how well the pyramid stands.
//
//   soft_step_speed [scene: pyramid | pile | spheres] [rows or bodies] [steps]
#include "../unit/substep_scene.h"

#include <stdio.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double sorted_at(double *times, int count, double part) {
  for (int i = 1; i < count; i++) {
    for (int j = i; j > 0 && times[j] < times[j - 1]; j--) {
      double t = times[j];
      times[j] = times[j - 1];
      times[j - 1] = t;
    }
  }
  return times[(int)(part * (count - 1))];
}

// --- scenes ----------------------------------------------------------------------------------

static const mo_vec3 half = {0.5, 0.5, 0.5};

/// Row by row, each box on two.
static substep_scene *pyramid(int rows) {
  substep_scene *s = substep_scene_create((uint32_t)(rows * (rows + 1) / 2 + 1));
  substep_scene_add(s, 0.0, mo_v3_zero(), mo_v3_zero());
  mo_vec3 feet[4], left[4], right[4];
  substep_scene_feet(half, feet);
  for (int i = 0; i < 4; i++) {
    left[i] = mo_v3(feet[i].x < 0.0 ? -0.5 : -0.025, -0.5, feet[i].z);
    right[i] = mo_v3(feet[i].x < 0.0 ? 0.025 : 0.5, -0.5, feet[i].z);
  }
  uint32_t below = 0;
  for (int row = 0; row < rows; row++) {
    uint32_t first = s->body_count;
    for (int k = 0; k < rows - row; k++) {
      double x = 1.05 * (k + 0.5 * row);
      uint32_t box = substep_scene_add_box(s, 1.0, half, mo_v3(x, 0.5 + row, 0.0));
      if (row == 0) {
        substep_scene_touch(s, MO_SUBSTEP_COLOURS - 2, 0, box, mo_v3(0, 1, 0), mo_v3_zero(), feet,
                            4, 0.6);
        continue;
      }
      for (int side = 0; side < 2; side++) {
        uint32_t a = below + (uint32_t)(k + side);
        substep_scene_touch(s, substep_scene_colour(s, a, box, 8), a, box, mo_v3(0, 1, 0),
                            mo_v3(0, 0.5, 0), side == 0 ? left : right, 4, 0.6);
      }
    }
    below = first;
  }
  return s;
}

static uint32_t random_state = 1;
static double random_unit(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return (random_state >> 8) * (1.0 / 16777216.0);
}

/// Bodies in a lattice that touch neighbours at random, with 1 to 4 points (or 1).
static substep_scene *pile(uint32_t count, int most_points) {
  substep_scene *s = substep_scene_create(count + 1);
  substep_scene_add(s, 0.0, mo_v3_zero(), mo_v3_zero());
  uint32_t side = 1;
  while (side * side * side < count) {
    side++;
  }
  mo_vec3 feet[4];
  substep_scene_feet(half, feet);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t x = i % side, y = i / (side * side), z = i / side % side;
    uint32_t body = substep_scene_add_box(s, 1.0, half, mo_v3(x, 0.5 + y, z));
    int points = most_points == 1 || random_unit() > 0.9 ? 1 : random_unit() > 0.9 ? 2 : 4;
    if (y == 0) {
      substep_scene_touch(s, MO_SUBSTEP_COLOURS - 2, 0, body, mo_v3(0, 1, 0), mo_v3_zero(), feet,
                          (uint32_t)points, 0.6);
      continue;
    }
    for (int k = 0; k < 2; k++) { // what is below it and one beside that
      uint32_t below = body - side * side + (k == 1 && x + 1 < side ? 1 : 0);
      if (k == 0 || below != body - side * side) {
        substep_scene_touch(s, substep_scene_colour(s, below, body, MO_SUBSTEP_COLOURS - 2), below,
                            body, mo_v3(0, 1, 0), mo_v3(0, 0.5, 0), feet, (uint32_t)points, 0.6);
      }
    }
  }
  return s;
}

// --- figures ---------------------------------------------------------------------------------

static void print_quality(const substep_scene *s) {
  double overlap = 0.0, worst = 0.0, speed = 0.0, drift = 0.0;
  uint32_t points = 0;
  for (int c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    for (uint32_t i = 0; i < s->colours[c].contacts_count; i++) {
      const mo_substep_contact *contact = &s->colours[c].contacts[i];
      for (uint32_t k = 0; k < contact->point_count; k++) {
        double depth = mo_max(-(double)contact->separations[k], 0.0);
        overlap += depth;
        worst = mo_max(worst, depth);
        points++;
      }
    }
  }
  for (uint32_t i = 0; i < s->body_count; i++) {
    speed = mo_max(speed, mo_length(s->motions[i].linear_velocity));
    drift = mo_max(drift, fabs(s->motions[i].position.z));
  }
  printf("overlap mean %.2f mm, worst %.2f mm; speed %.2g m/s; sideways %.2f mm; top at %.4f m\n",
         1e3 * overlap / points, 1e3 * worst, speed, 1e3 * drift,
         s->motions[s->body_count - 1].position.y);
}

static uint64_t hash_bodies(const substep_scene *s) {
  uint64_t hash = 14695981039346656037u;
  for (uint32_t i = 0; i < s->step.body_count; i++) {
    float lanes[12];
    memcpy(lanes, s->bodies[i].linear_velocity, 12);
    memcpy(lanes + 3, s->bodies[i].angular_velocity, 12);
    memcpy(lanes + 6, s->bodies[i].displacement, 12);
    memcpy(lanes + 9, s->bodies[i].rotation, 12);
    for (size_t k = 0; k < sizeof lanes; k++) {
      hash = (hash ^ ((unsigned char *)lanes)[k]) * 1099511628211u;
    }
  }
  return hash;
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "pyramid";
  int size = argc > 2 ? atoi(argv[2]) : 40, steps = argc > 3 ? atoi(argv[3]) : 300;
  bool is_pyramid = strcmp(name, "pyramid") == 0;
  substep_scene *s = is_pyramid ? pyramid(size) : pile((uint32_t)size, *name == 's' ? 1 : 4);
  uint32_t contacts = 0, points = 0;
  for (int c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    contacts += s->colours[c].contacts_count;
    for (uint32_t i = 0; i < s->colours[c].contacts_count; i++) {
      points += s->colours[c].contacts[i].point_count;
    }
  }
  double *times = malloc((size_t)steps * sizeof *times);
  for (int i = 0; i < steps; i++) {
    substep_scene_begin(s);
    mo_arena_reset(&s->arena);
    double start = now();
    mo_substep_solve(&s->step);
    mo_substep_store(&s->step);
    times[i] = now() - start;
    substep_scene_end(s);
  }
  double least = sorted_at(times, steps, 0.0), median = sorted_at(times, steps, 0.5);
  printf("%s %d: %u bodies, %u contacts, %u points: %.3f ms (median %.3f), %.1f ns per point and "
         "substep\n",
         name, size, s->body_count, contacts, points, 1e3 * least, 1e3 * median,
         1e9 * least / (points * s->step.settings.substeps));
  if (is_pyramid) {
    print_quality(s);
  }
  printf("hash %016llx\n", (unsigned long long)hash_bodies(s));
  free(times);
  substep_scene_free(s);
  return 0;
}
