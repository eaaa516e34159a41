/// Checks of vectors and matrices, component by component.
#pragma once

#include "collision_oracle.h"

#define assert_near_v3(actual, expected, tolerance)                                                \
  do {                                                                                             \
    mo_vec3 assert_expected = (expected);                                                          \
    assert_vector_near(actual, assert_expected.x, assert_expected.y, assert_expected.z,            \
                       tolerance);                                                                 \
  } while (0)

#define assert_near_mat3(actual, expected, tolerance)                                              \
  do {                                                                                             \
    mo_mat3 assert_matrix = (actual), assert_expected_matrix = (expected);                         \
    assert_near_v3(assert_matrix.cx, assert_expected_matrix.cx, tolerance);                        \
    assert_near_v3(assert_matrix.cy, assert_expected_matrix.cy, tolerance);                        \
    assert_near_v3(assert_matrix.cz, assert_expected_matrix.cz, tolerance);                        \
  } while (0)
