/// The speed that a motor without gains asks for, in the steps of a body that has no other load.
#include "constraints/arrival.h"
#include "assert_near.h"
#include "test_group.h"

#include <math.h>

#define DT 0.01

typedef struct ride {
  double place, speed, most; // most: the furthest place
  int steps;                 // until it stands at the target
} ride;

// The way to 0 from `place` below it: pushes of the same force in each substep towards the speed
// that the law asked for at the start of the step.
static ride ride_from(double place, double speed, double deceleration, uint32_t substeps) {
  ride r = {.place = place, .speed = speed, .most = place};
  double h = DT / substeps, push = deceleration * h;
  for (int i = 1; i <= 5000; i++) {
    double sign = r.place > 0.0 ? -1.0 : 1.0;
    double wanted = sign * mo_arriving_speed(&(mo_arrival){.way = fabs(r.place),
                                                           .rate = sign * r.speed,
                                                           .deceleration = deceleration,
                                                           .dt = DT,
                                                           .substeps = substeps});
    for (uint32_t k = 0; k < substeps; k++) {
      r.speed += fmax(-push, fmin(push, wanted - r.speed));
      r.place += h * r.speed;
    }
    r.most = fmax(r.most, r.place);
    r.steps = fabs(r.place) > 1e-9 * fabs(place) ? i + 1 : r.steps;
  }
  return r;
}

// The best that bounded force can do is to speed up for half of the way and to brake for the other.
static void assert_arrives_in_time(double way, double deceleration, uint32_t substeps) {
  ride r = ride_from(-way, 0.0, deceleration, substeps);
  assert_true(r.most < 1e-12 * way);
  assert_near(r.place, 0.0, 1e-12 * way);
  assert_near(r.speed, 0.0, 1e-12 * way / DT);
  assert_true(r.steps <= 2.0 * sqrt(way / deceleration) / DT + 1.0);
}

static void it_stops_at_the_target_in_time(void **state) {
  (void)state;
  const double ways[] = {1e-6, 1e-3, 0.037, 0.5, 1.6, 7.0};
  const double decelerations[] = {0.1, 4.0, 33.0, 1e3, 1e6};
  for (uint32_t substeps = 1; substeps <= 9; substeps++) {
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
      for (size_t k = 0; k < sizeof decelerations / sizeof *decelerations; k++) {
        assert_arrives_in_time(ways[i], decelerations[k], substeps);
      }
    }
  }
}

// Who comes too fast to stop in time brakes with all that there is, and comes back.
static void it_comes_back_from_too_fast(void **state) {
  (void)state;
  for (uint32_t substeps = 1; substeps <= 9; substeps++) {
    ride r = ride_from(-0.1, 3.0, 10.0, substeps);
    assert_true(r.most > 0.3 && r.most < 0.5 * 3.0 * 3.0 / 10.0 - 0.1 + 1e-9);
    assert_near(r.place, 0.0, 1e-9);
    assert_near(r.speed, 0.0, 1e-9);
    r = ride_from(-0.1, -3.0, 10.0, substeps);
    assert_true(r.most < 1e-12);
    assert_near(r.place, 0.0, 1e-9);
  }
}

static void without_a_bound_it_arrives_in_one_step(void **state) {
  (void)state;
  const double decelerations[] = {1e6, 1e300, (double)INFINITY};
  for (size_t i = 0; i < 3; i++) {
    mo_arrival arrival = {
        .way = 2.0, .rate = -5.0, .deceleration = decelerations[i], .dt = DT, .substeps = 4};
    assert_near(mo_arriving_speed(&arrival), 2.0 / DT, 1e-12 / DT);
    arrival.substeps = 0;
    assert_near(mo_arriving_speed(&arrival), 2.0 / DT, 1e-12 / DT);
  }
}

static void at_the_target_it_stands(void **state) {
  (void)state;
  for (uint32_t substeps = 0; substeps <= 4; substeps++) {
    mo_arrival arrival = {.deceleration = 4.0, .dt = DT, .substeps = substeps};
    assert_near(mo_arriving_speed(&arrival), 0.0, 0.0);
    arrival.rate = 1.0;
    assert_near(mo_arriving_speed(&arrival), 0.0, 0.0);
  }
}

TEST_GROUP(arrival) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_stops_at_the_target_in_time),
      cmocka_unit_test(it_comes_back_from_too_fast),
      cmocka_unit_test(without_a_bound_it_arrives_in_one_step),
      cmocka_unit_test(at_the_target_it_stands),
  };
  return run_group(tests, NULL, NULL);
}
