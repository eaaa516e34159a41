/// Times of soft-step's joints: the sheet of 780 and the chains of 1000 ball joints, hinges with
/// limits. Nanoseconds per joint: prepare and store per step; warm start, solve and relax per
/// substep.
#include "../unit/substep_joint_fixture.h"

#include <stdio.h>
#include <time.h>

#define STEPS 600

static double now_ns(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

enum { PREPARE, SOLVE, RELAX, STORE, PARTS };

static bool timed_step(substep_scene *s, double parts[PARTS]) {
  mo_substep_joints joints;
  mo_substep_solver step;
  if (!soft_step_begin(s, &joints, &step)) {
    return false;
  }
  double start = now_ns();
  if (!mo_substep_joints_prepare(&joints, &step)) {
    return false;
  }
  parts[PREPARE] = now_ns() - start;
  parts[SOLVE] = parts[RELAX] = 0.0;
  for (uint32_t k = 0; k < step.settings.substeps; k++) {
    soft_push_bodies(&step);
    start = now_ns();
    mo_substep_joints_solve(&joints, &step, true);
    parts[SOLVE] += (now_ns() - start) / step.settings.substeps;
    soft_move_bodies(&step);
    start = now_ns();
    mo_substep_joints_solve(&joints, &step, false);
    parts[RELAX] += (now_ns() - start) / step.settings.substeps;
  }
  start = now_ns();
  mo_substep_joints_store(&joints, &step);
  parts[STORE] = now_ns() - start;
  soft_step_end(s, &step);
  return true;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The lower quartile over the steps: other programs run as well.
static void measure(const char *name, substep_scene s) {
  static double parts[PARTS][STEPS];
  for (int i = 0; i < STEPS; i++) {
    double step[PARTS];
    if (!timed_step(&s, step)) {
      return;
    }
    for (int k = 0; k < PARTS; k++) {
      parts[k][i] = step[k] / s.joint_count;
    }
  }
  for (int k = 0; k < PARTS; k++) {
    qsort(parts[k], STEPS, sizeof(double), by_size);
  }
  printf("%-16s %5u joints: prepare %5.1f store %4.1f | warm start + solve %5.1f relax %5.1f\n",
         name, s.joint_count, parts[PREPARE][STEPS / 4], parts[STORE][STEPS / 4],
         parts[SOLVE][STEPS / 4], parts[RELAX][STEPS / 4]);
  substep_scene_end(&s);
}

static substep_scene sheet(void) { return soft_sheet(20); }
static substep_scene chains(void) { return soft_chains(10, 100, 1.0); }
static substep_scene hinges(void) {
  substep_scene s = soft_chains(100, 10, 1.0);
  for (uint32_t i = 0; i < s.joint_count; i++) {
    s.joints[i].angle = MO_SUBSTEP_ANGLE_HINGE;
    s.joints[i].frame_a = s.joints[i].frame_b = mo_quat_exp(mo_v3(0.0, 0.0, 0.5 * MO_PI));
    double limit = i % 10 == 0 ? 3.0 : 0.3;
    substep_coordinate(&s, &s.joints[i], MO_SUBSTEP_TURN, -limit, limit);
  }
  return s;
}
static substep_scene fixed(void) {
  substep_scene s = soft_chains(100, 10, 1.0);
  for (uint32_t i = 0; i < s.joint_count; i++) {
    s.joints[i].angle = i % 10 == 0 ? MO_SUBSTEP_ANGLE_FREE : MO_SUBSTEP_ANGLE_FIXED;
  }
  return s;
}

int main(void) {
  measure("sheet", sheet());
  measure("chains", chains());
  measure("limited hinges", hinges());
  measure("fixed", fixed());
  return 0;
}
