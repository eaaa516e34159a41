#include "math/quat.h"
#include "test_group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void sine_and_cosine_agree_with_the_c_library(void **state) {
  (void)state;
  for (int i = -200000; i <= 200000; i++) {
    double x = i * 0.000173;
    mo_sin_cos sc = mo_sine_cosine(x);
    assert_true(fabs(sc.sin - sin(x)) < 3e-16);
    assert_true(fabs(sc.cos - cos(x)) < 3e-16);
  }
  for (int i = 0; i < 1000; i++) {
    double x = 97.3 * i;
    mo_sin_cos sc = mo_sine_cosine(x);
    assert_true(fabs(sc.sin - sin(x)) < 4e-16);
    assert_true(fabs(sc.cos - cos(x)) < 4e-16);
  }
}

static void sine_of_the_infinite_is_nan(void **state) {
  (void)state;
  assert_true(isnan(mo_sine_cosine((double)INFINITY).sin));
  assert_true(isnan(mo_sine_cosine((double)NAN).cos));
}

// An angle of more turns than a double can tell apart is still an angle.
static void sine_and_cosine_of_any_angle_are_those_of_an_angle(void **state) {
  (void)state;
  for (int k = 0; k < 1000; k++) {
    mo_sin_cos sc = mo_sine_cosine(ldexp(k % 2 ? -1.7 : 1.3, k));
    assert_true(fabs(sc.sin * sc.sin + sc.cos * sc.cos - 1.0) < 1e-12);
  }
}

static void exponential_map_of_half_a_turn_about_z(void **state) {
  (void)state;
  mo_vec3 turned = mo_quat_rotate(mo_quat_exp(mo_v3(0, 0, MO_PI / 2)), mo_v3(1, 0, 0));
  assert_true(mo_distance_between(turned, mo_v3(0, 1, 0)) < 1e-15);
  // Small angles take the series: the joint between both forms must not show.
  for (double angle = 1e-5; angle < 1e-3; angle *= 1.1) {
    mo_quat q = mo_quat_exp(mo_v3(angle, 0, 0));
    assert_true(fabs(q.x - sin(0.5 * angle)) < 1e-19);
    assert_true(fabs(mo_quat_norm_squared(q) - 1.0) < 3e-16);
  }
}

static void rotation_matrix_and_quaternion_agree(void **state) {
  (void)state;
  mo_quat q = mo_quat_normalize((mo_quat){0.3, -0.5, 0.2, 0.9});
  mo_mat3 r = mo_quat_to_mat3(q);
  mo_vec3 v = mo_v3(1.5, -2.0, 0.7);
  assert_true(mo_distance_between(mo_mat3_mul(r, v), mo_quat_rotate(q, v)) < 1e-15);
  assert_true(mo_distance_between(mo_mat3_mul_transposed(r, v), mo_quat_rotate_inverse(q, v)) <
              1e-15);
  assert_true(fabs(mo_mat3_determinant(r) - 1.0) < 1e-15);
}

static void inverse_times_matrix_is_the_identity(void **state) {
  (void)state;
  mo_mat3 m = {{2, 0.3, -0.1}, {0.3, 1.5, 0.2}, {-0.1, 0.2, 0.9}};
  mo_mat3 product = mo_mat3_mul_mat3(mo_mat3_inverse(m), m);
  assert_true(mo_distance_between(product.cx, mo_v3(1, 0, 0)) < 1e-15);
  assert_true(mo_distance_between(product.cy, mo_v3(0, 1, 0)) < 1e-15);
  assert_true(mo_distance_between(product.cz, mo_v3(0, 0, 1)) < 1e-15);
}

static void tangents_make_a_right_handed_frame_with_every_normal(void **state) {
  (void)state;
  for (int i = 0; i < 500; i++) {
    mo_vec3 n = mo_normalize(mo_v3(sin(i * 1.1), cos(i * 2.3), sin(i * 0.7 + 1.0)));
    mo_vec3 t1, t2;
    mo_tangent_basis(n, &t1, &t2);
    assert_true(fabs(mo_dot(n, t1)) < 1e-15 && fabs(mo_length(t1) - 1.0) < 1e-15 &&
                fabs(mo_length(t2) - 1.0) < 1e-15);
    assert_true(mo_distance_between(mo_cross(t1, t2), n) < 1e-15);
  }
}

TEST_GROUP(math) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sine_and_cosine_agree_with_the_c_library),
      cmocka_unit_test(sine_of_the_infinite_is_nan),
      cmocka_unit_test(sine_and_cosine_of_any_angle_are_those_of_an_angle),
      cmocka_unit_test(exponential_map_of_half_a_turn_about_z),
      cmocka_unit_test(rotation_matrix_and_quaternion_agree),
      cmocka_unit_test(inverse_times_matrix_is_the_identity),
      cmocka_unit_test(tangents_make_a_right_handed_frame_with_every_normal),
  };
  return run_group(tests, NULL, NULL);
}
