/// Checks the functions of math/simd.h that have several forms, each lane against plain C, bit by
/// bit. Two groups include this: one with the intrinsics of the processor, and one without any.
#pragma once

#include "math/simd.h"
#include "random_fixture.h"
#include "test_group.h"

#include <stdlib.h>

/// How often each function is called with other numbers.
#define SIMD_ROUNDS 4000

static uint64_t simd_state = 1;

/// 64 bits, of which the fixture gives 31 at a time.
static inline uint64_t simd_random(void) {
  uint64_t bits = random_bits(&simd_state);
  bits = bits << 31 ^ random_bits(&simd_state);
  return bits << 31 ^ random_bits(&simd_state);
}

/// Numbers of all magnitudes, and at times what is special: zeros of both signs, subnormal numbers,
/// infinities, NaN, and what is half-way between two floats.
static inline double simd_double(void) {
  static const double special[] = {0.0,      -0.0,      INFINITY,       -INFINITY, NAN,
                                   1e-310,   1.0,       1.0 + 0x1p-24,  0x1p-149,  0x1.8p-149,
                                   0x1p-150, 3.4028e38, 3.40282357e38,  -1.0,      0x1.000003p0,
                                   5e-324,   1e300,     0x1.fffffefp+1, -1e-45,    16777217.0};
  uint64_t bits = simd_random();
  if (bits % 4 == 0) {
    return special[(bits >> 32) % (sizeof special / sizeof special[0])];
  }
  int exponent = (int)((bits >> 2) % 64) - 32;
  return ldexp((double)(int64_t)simd_random() * 0x1p-63, exponent);
}
static inline float simd_float(void) { return (float)simd_double(); }

static inline mo_f64x2 simd_doubles(void) {
  double x = simd_double();
  return (mo_f64x2){x, simd_double()};
}
static inline mo_f32x4 simd_floats(void) {
  float v[4];
  for (int i = 0; i < 4; i++) {
    v[i] = simd_float();
  }
  return mo_f32x4_load(v);
}
static inline mo_i32x4 simd_words(void) {
  int32_t v[4];
  for (int i = 0; i < 4; i++) {
    v[i] = (int32_t)simd_random();
  }
  return mo_i32x4_load(v);
}
static inline void simd_bytes(uint8_t *out, int count) {
  for (int i = 0; i < count; i++) {
    out[i] = (uint8_t)(simd_random() >> 56);
  }
}

/// All NaN are the same: which of their bits are set is open in IEEE 754.
static inline void assert_same_double(double a, double b) {
  assert_true((isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0);
}
static inline void assert_same_float(float a, float b) {
  assert_true((isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0);
}

static void largest_and_smallest_of_lanes(void **state) {
  (void)state;
  for (int round = 0; round < SIMD_ROUNDS; round++) {
    mo_f64x2 a = simd_doubles(), b = simd_doubles(), most = mo_f64x2_max(a, b);
    for (int i = 0; i < 2; i++) {
      assert_same_double(most[i], a[i] > b[i] ? a[i] : b[i]);
    }
    mo_f32x4 c = simd_floats(), d = simd_floats();
    mo_f32x4 larger = mo_f32x4_max(c, d), smaller = mo_f32x4_min(c, d);
    mo_f32x4 x = simd_floats(), clamped = mo_f32x4_clamp(x, c, d);
    for (int i = 0; i < 4; i++) {
      assert_same_float(larger[i], c[i] > d[i] ? c[i] : d[i]);
      assert_same_float(smaller[i], c[i] < d[i] ? c[i] : d[i]);
      float raised = x[i] > c[i] ? x[i] : c[i];
      assert_same_float(clamped[i], raised < d[i] ? raised : d[i]);
    }
  }
}

static void square_roots_of_lanes(void **state) {
  (void)state;
  for (int round = 0; round < SIMD_ROUNDS; round++) {
    mo_f64x2 a = simd_doubles(), root = mo_f64x2_sqrt(a);
    mo_f32x4 b = simd_floats(), roots = mo_f32x4_sqrt(b);
    for (int i = 0; i < 4; i++) {
      assert_same_double(root[i % 2], sqrt(a[i % 2]));
      assert_same_float(roots[i], sqrtf(b[i]));
    }
  }
}

static void floats_and_doubles(void **state) {
  (void)state;
  for (int round = 0; round < SIMD_ROUNDS; round++) {
    mo_f64x2 a = simd_doubles(), b = simd_doubles();
    mo_f32x4 nearest = mo_f32x4_nearest(a, b);
    mo_f32x4 x = round % 2 == 0 ? nearest : simd_floats();
    mo_i32x4 above = mo_f32x4_above(x, a, b);
    for (int i = 0; i < 4; i++) {
      double of = i < 2 ? a[i] : b[i - 2];
      assert_same_float(nearest[i], (float)of);
      assert_int_equal(above[i], (double)x[i] > of ? -1 : 0);
    }
  }
}

static void masks_are_numbers(void **state) {
  (void)state;
  for (int round = 0; round < SIMD_ROUNDS; round++) {
    mo_i32x4 words = simd_words();
    mo_i64x2 pair = {(int64_t)simd_random(), (int64_t)simd_random()};
    uint8_t bytes[16];
    simd_bytes(bytes, 16);
    int of_words = 0, of_pair = 0, of_bytes = 0, count = 0;
    for (int i = 0; i < 4; i++) {
      of_words |= words[i] < 0 ? 1 << i : 0;
      count += words[i] < 0;
    }
    for (int i = 0; i < 2; i++) {
      of_pair |= pair[i] < 0 ? 1 << i : 0;
    }
    for (int i = 0; i < 16; i++) {
      of_bytes |= bytes[i] >= 128 ? 1 << i : 0;
    }
    assert_int_equal(mo_i32x4_bits(words), of_words);
    assert_int_equal(mo_i32x4_count(of_words), count);
    assert_int_equal(mo_i64x2_bits(pair), of_pair);
    assert_int_equal(mo_u8x16_bits(mo_u8x16_load(bytes)), of_bytes);
  }
}

static void lanes_of_bytes(void **state) {
  (void)state;
  for (int round = 0; round < SIMD_ROUNDS; round++) {
    uint8_t bytes[9];
    simd_bytes(bytes, 9);
    const uint8_t *odd = bytes + 1;
    mo_i32x4 words = mo_i32x4_load_bytes(odd), a = simd_words(), b = simd_words();
    mo_f32x4 first, last;
    mo_f32x4_load_bytes(odd, &first, &last);
    for (int i = 0; i < 4; i++) {
      assert_int_equal(words[i], odd[i]);
      assert_same_float(first[i], odd[i]);
      assert_same_float(last[i], odd[4 + i]);
    }
    mo_u8x16 spread[3];
    mo_u8x16_spread(a, b, spread);
    const int32_t sources[6] = {b[0], b[1], b[2], a[0], a[1], a[2]};
    for (int i = 0; i < 48; i++) {
      assert_int_equal(spread[i / 16][i % 16], (uint8_t)sources[i / 8]);
    }
  }
}

static void some_lanes_are_stored_and_loaded(void **state) {
  (void)state;
  for (int mask = 0; mask < 16; mask++) {
    mo_i32x4 v = simd_words(), others = simd_words();
    unsigned char stored[32] = {0};
    unsigned char *end = mo_i32x4_store_some(stored, v, mask);
    mo_i32x4 loaded = mo_i32x4_load_some(stored, others, mask);
    int at = 0;
    for (int i = 0; i < 4; i++) {
      bool is_named = (mask >> i & 1) != 0;
      int32_t word;
      memcpy(&word, stored + 4 * at, sizeof word);
      assert_true(!is_named || word == v[i]);
      assert_int_equal(loaded[i], is_named ? v[i] : others[i]);
      at += is_named;
    }
    assert_ptr_equal(end, stored + 4 * at);
  }
}

static void rows_become_columns(void **state) {
  (void)state;
  mo_f32x4 rows[4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}};
  mo_f32x4_transpose(&rows[0], &rows[1], &rows[2], &rows[3]);
  for (int i = 0; i < 16; i++) {
    assert_same_float(rows[i / 4][i % 4], (float)(4 * (i % 4) + i / 4));
  }
}

static inline int run_simd_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(largest_and_smallest_of_lanes),
      cmocka_unit_test(square_roots_of_lanes),
      cmocka_unit_test(floats_and_doubles),
      cmocka_unit_test(masks_are_numbers),
      cmocka_unit_test(lanes_of_bytes),
      cmocka_unit_test(some_lanes_are_stored_and_loaded),
      cmocka_unit_test(rows_become_columns),
  };
  return run_group(tests, NULL, NULL);
}
