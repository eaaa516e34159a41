/// A check of numbers that says what it got.
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define assert_near(value, expected, tolerance)                                                    \
  assert_true(fabs((value) - (expected)) <= (tolerance) ||                                         \
              (print_message("%s = %.9g\n", #value, (double)(value)), false))
