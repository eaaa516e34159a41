/// Tests of a layer are one program, which test_main.c runs. A file tests/unit/<layer>/<group>.c is
/// a group of them and ends like this:
///
///   TEST_GROUP(cone) {
///     const struct CMUnitTest tests[] = {cmocka_unit_test(...), ...};
///     return run_group(tests, NULL, NULL);
///   }
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define TEST_GROUP(name)                                                                           \
  int test_group_##name(void);                                                                     \
  int test_group_##name(void)

/// Runs what was asked for of an array of tests, between two functions that are called once, or
/// NULL.
#define run_group(tests, setup, teardown)                                                          \
  run_test_group(tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)

/// The number of tests that failed.
int run_test_group(const struct CMUnitTest *tests, size_t count, CMFixtureFunction setup,
                   CMFixtureFunction teardown);
