/// The limits and drives of a coordinate as one law.
#include "solvers/soft_step/assembly/coordinate_law.h"
#include "assert_near.h"
#include "test_group.h"

#include <math.h>

#define MASS 2.0
#define MOST 1e30
#define MOTOR (MO_SUBSTEP_DRIVE_IMPULSE + MO_SUBSTEP_MOTOR)
#define FRICTION (MO_SUBSTEP_DRIVE_IMPULSE + MO_SUBSTEP_FRICTION)
#define SPRING (MO_SUBSTEP_DRIVE_IMPULSE + MO_SUBSTEP_SPRING)

typedef struct law {
  mo_law_part parts[MO_LAW_PARTS];
} law;

static law with(law of, int part, double speed, double softening, double lower, double upper) {
  of.parts[part] = (mo_law_part){speed, softening, lower, upper};
  return of;
}

static double sum(const double impulses[MO_LAW_PARTS]) {
  double all = 0.0;
  for (int i = 0; i < MO_LAW_PARTS; i++) {
    all += impulses[i];
  }
  return all;
}

// A motor of 3 N s to 1 m/s: what it has to do for the rate, it does if it can.
static void a_motor_holds_its_speed_as_far_as_its_strength_goes(void **state) {
  (void)state;
  law motor = with((law){0}, MOTOR, 1.0, 0.0, -3.0, 3.0);
  static const struct {
    double rate, impulse, expected;
    bool is_held;
  } cases[] = {{0.0, 0.0, 2.0, true},  {-0.6, 0.0, 3.0, false}, {1.0, 3.5, 3.0, false},
               {1.0, 2.5, 2.5, true},  {3.0, 0.0, -3.0, false}, {1.2, 3.0, 2.6, true},
               {0.8, 3.0, 3.0, false}, {-9.0, -3.0, 3.0, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double impulses[MO_LAW_PARTS];
    mo_law_piece piece = mo_law_find(motor.parts, cases[i].rate, cases[i].impulse, MASS, impulses);
    assert_int_equal(piece.is_held, cases[i].is_held);
    assert_near(impulses[MOTOR], cases[i].expected, 1e-12);
    assert_near(piece.is_held ? piece.speed : piece.impulse,
                cases[i].is_held ? 1.0 : cases[i].expected, 1e-12);
    assert_near(piece.softening, 0.0, 0.0);
  }
}

// The motor pushes on, and the limit takes what is too much.
static void a_limit_prevails_over_a_motor(void **state) {
  (void)state;
  law both = with((law){0}, MOTOR, 1.0, 0.0, -3.0, 3.0);
  both = with(both, MO_SUBSTEP_UPPER_IMPULSE, 0.25, 0.0, -MOST, 0.0);
  double impulses[MO_LAW_PARTS];
  mo_law_piece piece = mo_law_find(both.parts, 0.25, 1.5, MASS, impulses);
  assert_true(piece.is_held);
  assert_near(piece.speed, 0.25, 0.0);
  assert_near(impulses[MOTOR], 3.0, 0.0);
  assert_near(impulses[MO_SUBSTEP_UPPER_IMPULSE], -1.5, 1e-12);
  // Pulled away from it by more than the motor gives, it has none.
  piece = mo_law_find(both.parts, -1.0, 3.0, MASS, impulses);
  assert_false(piece.is_held);
  assert_near(piece.impulse, 3.0, 0.0);
  assert_near(impulses[MO_SUBSTEP_UPPER_IMPULSE], 0.0, 0.0);
}

// Two springs side by side are one of half the softening.
static void soft_parts_add_up(void **state) {
  (void)state;
  law springs = with((law){0}, SPRING, 1.0, 0.5, -MOST, MOST);
  springs = with(springs, MOTOR, 3.0, 0.5, -MOST, MOST);
  double impulses[MO_LAW_PARTS];
  mo_law_piece piece = mo_law_find(springs.parts, 2.0, 0.0, MASS, impulses);
  assert_true(piece.is_held);
  assert_near(piece.softening, 0.25, 1e-15);
  assert_near(piece.speed, 2.0, 1e-15);
  assert_near(impulses[SPRING], -2.0, 1e-12);
  assert_near(impulses[MOTOR], 2.0, 1e-12);
}

// A motor with gains beyond its bound of force, and a brake beside it.
static void brakes_stick_and_slip_beside_a_spring(void **state) {
  (void)state;
  law both = with((law){0}, MOTOR, 4.0, 1.0, -1.5, 1.5);
  both = with(both, FRICTION, 0.0, 0.0, -2.0, 2.0);
  double impulses[MO_LAW_PARTS];
  mo_law_piece piece = mo_law_find(both.parts, 0.0, 0.0, MASS, impulses);
  assert_true(piece.is_held);
  assert_near(piece.speed, 0.0, 0.0);
  assert_near(impulses[MOTOR], 1.5, 1e-12);
  assert_near(impulses[FRICTION], -1.5, 1e-12);
  piece = mo_law_find(both.parts, 0.0, -4.0, MASS, impulses);
  assert_false(piece.is_held);
  assert_near(impulses[FRICTION], -2.0, 0.0);
  assert_near(piece.impulse, -0.5, 1e-12);
}

// Whatever the parts: the point found is on the law and on the line.
static void the_point_is_on_law_and_line(void **state) {
  (void)state;
  uint32_t seed = 7;
  for (int round = 0; round < 20000; round++) {
    double numbers[12];
    for (int i = 0; i < 12; i++) {
      seed = seed * 1664525u + 1013904223u;
      numbers[i] = (double)(seed >> 8) / (1 << 23) - 1.0;
    }
    law of = with((law){0}, MO_SUBSTEP_LOWER_IMPULSE, -fabs(numbers[0]), 0.0, 0.0, MOST);
    of = with(of, MO_SUBSTEP_UPPER_IMPULSE, fabs(numbers[1]), 0.0, -MOST, 0.0);
    of = with(of, MOTOR, numbers[2], fmax(numbers[3], 0.0), -fabs(numbers[4]), fabs(numbers[4]));
    of = with(of, FRICTION, 0.0, 0.0, -fmax(numbers[5], 0.0), fmax(numbers[5], 0.0));
    of = with(of, SPRING, numbers[6], 1.5 + numbers[7], -MOST, MOST);
    double rate = 3.0 * numbers[8], impulse = 3.0 * numbers[9], impulses[MO_LAW_PARTS];
    mo_law_piece piece = mo_law_find(of.parts, rate, impulse, MASS, impulses);
    double p = sum(impulses), w = rate + (p - impulse) / MASS;
    assert_near(piece.is_held ? piece.speed - piece.softening * p : w, w, 1e-9);
    assert_near(piece.is_held ? p : piece.impulse, p, 1e-12);
    for (int i = 0; i < MO_LAW_PARTS; i++) {
      const mo_law_part *part = &of.parts[i];
      double lack = part->speed - part->softening * impulses[i] - w;
      assert_true(impulses[i] >= part->lower && impulses[i] <= part->upper);
      assert_true(fabs(lack) < 1e-9 || impulses[i] == (lack > 0.0 ? part->upper : part->lower));
    }
  }
}

TEST_GROUP(coordinate_law) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_motor_holds_its_speed_as_far_as_its_strength_goes),
      cmocka_unit_test(a_limit_prevails_over_a_motor),
      cmocka_unit_test(soft_parts_add_up),
      cmocka_unit_test(brakes_stick_and_slip_beside_a_spring),
      cmocka_unit_test(the_point_is_on_law_and_line),
  };
  return run_group(tests, NULL, NULL);
}
