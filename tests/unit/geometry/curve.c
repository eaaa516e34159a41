// Curves through points: what they interpolate, their derivatives, lengths and frames.
#include "geometry/curve.h"
#include "assert_near.h"
#include "test_group.h"

#define STEP 1e-5
#define PI 3.14159265358979323846

static mo_curve *circle_of(uint32_t count, double radius) {
  mo_vec3 points[64];
  for (uint32_t i = 0; i < count; i++) {
    double angle = 2.0 * PI * i / count;
    points[i] = mo_v3(radius * cos(angle), radius * sin(angle), 0);
  }
  mo_curve *curve = mo_curve_create(points, count, true);
  assert_non_null(curve);
  return curve;
}

// A way through random points that never turns back.
static mo_curve *wandering(uint32_t seed, uint32_t count, bool closed) {
  mo_vec3 points[64];
  double x = 0.37 * seed;
  for (uint32_t i = 0; i < count; i++) {
    double angle = 2.0 * PI * i / count, wild = sin(7.0 * x + 3.0 * i);
    double radius = 2.0 + 0.7 * wild;
    points[i] = mo_v3(radius * cos(angle), radius * sin(angle), 0.8 * cos(5.0 * x + 2.0 * i));
  }
  mo_curve *curve = mo_curve_create(points, count, closed);
  assert_non_null(curve);
  return curve;
}

static void near_v3(mo_vec3 got, mo_vec3 expected, double tolerance) {
  if (!(mo_distance_between(got, expected) <= tolerance)) {
    print_message("%g %g %g instead of %g %g %g\n", got.x, got.y, got.z, expected.x, expected.y,
                  expected.z);
  }
  assert_near(got.x, expected.x, tolerance);
  assert_near(got.y, expected.y, tolerance);
  assert_near(got.z, expected.z, tolerance);
}

static void a_circle_is_round(void **state) {
  (void)state;
  mo_curve *curve = circle_of(32, 2.0);
  assert_near(mo_curve_length(curve), 4.0 * PI, 1e-4);
  for (int i = 0; i < 200; i++) {
    mo_curve_point at = mo_curve_at_length(curve, 0.0631 * i);
    assert_near(mo_length(at.position), 2.0, 1e-5);
    near_v3(at.bend, mo_scale(-0.25, at.position), 5e-3);
    assert_near(mo_dot(at.tangent, at.position), 0.0, 2e-4);
    assert_near(at.length, 0.0631 * i, 1e-12);
  }
  mo_curve_release(curve);
}

static void a_line_is_straight_and_goes_on(void **state) {
  (void)state;
  const mo_vec3 points[] = {{0, 0, 0}, {1, 2, 2}, {3, 6, 6}};
  mo_curve *curve = mo_curve_create(points, 3, false);
  assert_near(mo_curve_length(curve), 9.0, 1e-12);
  for (double length = -5.0; length < 15.0; length += 0.7) {
    mo_curve_point at = mo_curve_at_length(curve, length);
    near_v3(at.position, mo_scale(length / 3.0, mo_v3(1, 2, 2)), 1e-10);
    near_v3(at.bend, mo_v3(0, 0, 0), 1e-12);
  }
  mo_curve_release(curve);
}

static void it_passes_through_its_points(void **state) {
  (void)state;
  for (uint32_t closed = 0; closed < 2; closed++) {
    mo_curve *curve = wandering(3, 9, closed);
    uint32_t count;
    const mo_vec3 *points = mo_curve_points(curve, &count);
    for (uint32_t i = 0; i < count; i++) {
      near_v3(mo_curve_at(curve, i).position, points[i], 1e-13);
    }
    mo_curve_release(curve);
  }
}

// Across points too: the first two derivatives are continuous.
static void tangent_bend_and_length_are_derivatives(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < 20; seed++) {
    mo_curve *curve = wandering(seed, 7, seed % 2);
    for (double u = -1.0; u < 8.0; u += 0.125) {
      mo_curve_point at = mo_curve_at(curve, u);
      mo_curve_point before = mo_curve_at_length(curve, at.length - STEP);
      mo_curve_point after = mo_curve_at_length(curve, at.length + STEP);
      double way = after.length - before.length;
      near_v3(mo_scale(1.0 / way, mo_sub(after.position, before.position)), at.tangent, 1e-7);
      bool is_end = seed % 2 == 0 && (u == 0.0 || u == 6.0);
      near_v3(mo_scale(1.0 / way, mo_sub(after.tangent, before.tangent)), at.bend,
              is_end ? 1e-3 : 2e-4);
    }
    mo_curve_release(curve);
  }
}

// The area that the tangent sweeps has the sign that the frame needs.
static void the_frame_turns_as_it_says(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < 20; seed++) {
    mo_curve *curve = wandering(seed, 7, seed % 2);
    for (double u = 0.03; u < 6.0; u += 0.11) {
      mo_curve_point at = mo_curve_at(curve, u);
      mo_curve_point before = mo_curve_at(curve, u - STEP), after = mo_curve_at(curve, u + STEP);
      mo_curve_frame frame = mo_curve_frame_at(curve, &at);
      mo_quat a = mo_curve_frame_at(curve, &before).orientation;
      mo_quat b = mo_curve_frame_at(curve, &after).orientation;
      mo_vec3 turn = mo_quat_log(mo_quat_mul(b, mo_quat_conjugate(a)));
      mo_vec3 rate = mo_scale(1.0 / (after.length - before.length), turn);
      mo_vec3 said = mo_add_scaled(mo_cross(at.tangent, at.bend), frame.twist, at.tangent);
      near_v3(mo_quat_rotate(frame.orientation, mo_v3(1, 0, 0)), at.tangent, 1e-12);
      near_v3(rate, said, 5e-4);
    }
    mo_curve_release(curve);
  }
}

static void the_frame_of_a_closed_curve_comes_back(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < 10; seed++) {
    mo_curve *curve = wandering(seed, 8, true);
    mo_curve_point begin = mo_curve_at(curve, 0.0), end = mo_curve_at(curve, 8.0 - 1e-9);
    mo_quat a = mo_curve_frame_at(curve, &begin).orientation;
    mo_quat b = mo_curve_frame_at(curve, &end).orientation;
    near_v3(mo_quat_rotate(a, mo_v3(0, 1, 0)), mo_quat_rotate(b, mo_v3(0, 1, 0)), 1e-7);
    near_v3(mo_curve_at(curve, 8.0).position, begin.position, 1e-13);
    assert_near(mo_curve_at(curve, 8.0).length, mo_curve_length(curve), 1e-12);
    mo_curve_release(curve);
  }
}

static void the_nearest_point_is_found(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < 20; seed++) {
    mo_curve *curve = wandering(seed, 7, seed % 2);
    for (int i = 0; i < 20; i++) {
      mo_vec3 to = mo_v3(3.0 * sin(i + seed), 3.0 * cos(2.0 * i), sin(3.0 * i));
      mo_curve_point found = mo_curve_search(curve, to);
      double least = INFINITY;
      for (double u = 0.0; u <= 6.0 + seed % 2; u += 1e-3) {
        least = fmin(least, mo_distance_between(mo_curve_at(curve, u).position, to));
      }
      assert_true(mo_distance_between(found.position, to) < least + 1e-6);
      assert_true(seed % 2 == 1 || (found.u >= 0.0 && found.u <= 6.0));
    }
    mo_curve_release(curve);
  }
}

// A way that turns back on itself has no tangent there; it must not break.
static void a_cusp_gives_finite_numbers(void **state) {
  (void)state;
  const mo_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}};
  mo_curve *curve = mo_curve_create(points, 3, false);
  for (double u = -1.0; u < 3.0; u += 0.0625) {
    mo_curve_point at = mo_curve_at(curve, u);
    mo_curve_frame frame = mo_curve_frame_at(curve, &at);
    assert_true(mo_v3_is_finite(at.position) && mo_v3_is_finite(at.tangent));
    assert_true(isfinite(at.length) && isfinite(frame.twist) && isfinite(frame.orientation.w));
    assert_true(isfinite(mo_curve_project(curve, mo_v3(0.5, 1, 0), u).u));
  }
  mo_curve_release(curve);
}

TEST_GROUP(curve) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_circle_is_round),
      cmocka_unit_test(a_line_is_straight_and_goes_on),
      cmocka_unit_test(it_passes_through_its_points),
      cmocka_unit_test(tangent_bend_and_length_are_derivatives),
      cmocka_unit_test(the_frame_turns_as_it_says),
      cmocka_unit_test(the_frame_of_a_closed_curve_comes_back),
      cmocka_unit_test(the_nearest_point_is_found),
      cmocka_unit_test(a_cusp_gives_finite_numbers),
  };
  return run_group(tests, NULL, NULL);
}
