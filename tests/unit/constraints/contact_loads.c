#include "constraints/contact_loads.h"
#include "test_group.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define FRICTION 0.5

static void assert_near(double actual, double expected, double tolerance) {
  if (!(fabs(actual - expected) <= tolerance)) {
    fail_msg("%.17g, expected %.17g", actual, expected);
  }
}

// Four points in the plane z = 0 that slide along x.
static mo_contact sliding_contact(const double points[4][2], const double loads[4]) {
  mo_contact contact = {.friction = FRICTION, .normal = {0, 0, 1}, .point_count = 4};
  for (int i = 0; i < 4; i++) {
    contact.points[i] =
        (mo_contact_point_state){.position = {points[i][0], points[i][1], 0.0},
                                 .normal_impulse = loads[i],
                                 .tangent_impulse = {-FRICTION * loads[i], 0.0, 0.0}};
  }
  return contact;
}

// Sum, moments and sum of squares of the loads; all friction at its limit.
static void measure(const mo_contact *contact, double out[4]) {
  for (int k = 0; k < 4; k++) {
    out[k] = 0.0;
  }
  for (uint32_t i = 0; i < contact->point_count; i++) {
    const mo_contact_point_state *p = &contact->points[i];
    assert_true(p->normal_impulse >= 0.0);
    out[0] += p->normal_impulse;
    out[1] += p->normal_impulse * p->position.x;
    out[2] += p->normal_impulse * p->position.y;
    out[3] += p->normal_impulse * p->normal_impulse;
  }
}

static void square_on_two_corners_comes_to_stand_on_four(void **state) {
  (void)state;
  const double corners[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  const double loads[4] = {2, 0, 2, 0};
  mo_contact contact = sliding_contact(corners, loads);
  mo_contact_even_out_loads(&contact);
  for (int i = 0; i < 4; i++) {
    assert_near(contact.points[i].normal_impulse, 1.0, 1e-15);
  }
  assert_near(contact.points[0].tangent_impulse.x, -FRICTION, 1e-15);
  assert_near(contact.points[1].tangent_impulse.x, 0.0, 0.0); // had no direction
}

static void any_quadrilateral_keeps_its_resultant(void **state) {
  (void)state;
  const double corners[4][2] = {{1, 2}, {-3, 1}, {-1, -2}, {2, -1}};
  const double loads[4] = {3, 1, 4, 2};
  mo_contact contact = sliding_contact(corners, loads);
  double before[4], after[4];
  measure(&contact, before);
  mo_contact_even_out_loads(&contact);
  measure(&contact, after);
  for (int k = 0; k < 3; k++) {
    assert_near(after[k], before[k], 1e-13);
  }
  assert_true(after[3] < before[3]);
  for (int i = 0; i < 4; i++) {
    assert_near(mo_length(contact.points[i].tangent_impulse),
                FRICTION * contact.points[i].normal_impulse, 1e-15);
  }
  // Once more changes nothing: it was the least.
  mo_contact again = contact;
  mo_contact_even_out_loads(&again);
  for (int i = 0; i < 4; i++) {
    assert_near(again.points[i].normal_impulse, contact.points[i].normal_impulse, 1e-14);
  }
}

// The pressure is off centre: in the even spread a corner would pull.
static void no_corner_ever_pulls(void **state) {
  (void)state;
  const double corners[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  const double loads[4] = {4, 0.1, 0, 0.1};
  mo_contact contact = sliding_contact(corners, loads);
  mo_contact_even_out_loads(&contact);
  for (int i = 0; i < 4; i++) {
    assert_near(contact.points[i].normal_impulse, loads[i], 0.0);
  }
}

static void sticking_contacts_and_degenerate_ones_are_left_alone(void **state) {
  (void)state;
  const double corners[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  const double line[4][2] = {{1, 0}, {-1, 0}, {-2, 0}, {3, 0}};
  const double loads[4] = {2, 0, 2, 0}, nothing[4] = {0, 0, 0, 0};
  mo_contact sticks = sliding_contact(corners, loads);
  sticks.points[2].tangent_impulse.x *= 0.9;
  mo_contact on_line = sliding_contact(line, loads), unloaded = sliding_contact(corners, nothing);
  mo_contact *contacts[] = {&sticks, &on_line, &unloaded};
  for (int c = 0; c < 3; c++) {
    mo_contact before = *contacts[c];
    mo_contact_even_out_loads(contacts[c]);
    for (int i = 0; i < 4; i++) {
      assert_near(contacts[c]->points[i].normal_impulse, before.points[i].normal_impulse, 0.0);
    }
  }
}

TEST_GROUP(contact_loads) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(square_on_two_corners_comes_to_stand_on_four),
      cmocka_unit_test(any_quadrilateral_keeps_its_resultant),
      cmocka_unit_test(no_corner_ever_pulls),
      cmocka_unit_test(sticking_contacts_and_degenerate_ones_are_left_alone),
  };
  return run_group(tests, NULL, NULL);
}
