/// Vectors of four floats or two doubles, which WebAssembly and the oldest x86-64 have. This is the
/// only file with vector types and intrinsics.
///
/// Arithmetic (+ - * / and unary -) and comparisons are operators of the vector extension of gcc
/// and clang. Compilers turn them into SSE2, NEON or wasm SIMD, lane by lane according to IEEE 754,
/// so that all builds give the same bits. Other operations are functions here. Each of them also
/// has a form without intrinsics, for other processors and for builds with MO_SCALAR, which show
/// that the intrinsics change no bit.
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(MO_SCALAR)
// No intrinsics.
#elif defined(__wasm_simd128__)
#define MO_SIMD_WASM
#include <wasm_simd128.h>
#elif defined(__SSE2__)
#define MO_SIMD_SSE2
#include <emmintrin.h>
#endif

// --- two doubles -----------------------------------------------------------------------------

typedef double mo_f64x2 __attribute__((vector_size(16), may_alias));

/// From any address.
static inline mo_f64x2 mo_f64x2_load(const double *p) {
  mo_f64x2 v;
  memcpy(&v, p, sizeof v);
  return v;
}

/// To any address.
static inline void mo_f64x2_store(double *p, mo_f64x2 v) { memcpy(p, &v, sizeof v); }

/// Two integers, or the result of a comparison of mo_f64x2: all bits of a lane are set where it
/// holds.
typedef int64_t mo_i64x2 __attribute__((vector_size(16), may_alias));

static inline mo_f64x2 mo_f64x2_splat(double x) { return (mo_f64x2){x, x}; }
static inline mo_i64x2 mo_i64x2_splat(int64_t x) { return (mo_i64x2){x, x}; }

/// The first lanes of a and b.
static inline mo_f64x2 mo_f64x2_first(mo_f64x2 a, mo_f64x2 b) { return (mo_f64x2){a[0], b[0]}; }
/// The second lanes of a and b.
static inline mo_f64x2 mo_f64x2_second(mo_f64x2 a, mo_f64x2 b) { return (mo_f64x2){a[1], b[1]}; }

/// Lane by lane: a > b ? a : b.
static inline mo_f64x2 mo_f64x2_max(mo_f64x2 a, mo_f64x2 b) {
#if defined(MO_SIMD_WASM)
  return (mo_f64x2)wasm_f64x2_pmax((v128_t)b, (v128_t)a);
#elif defined(MO_SIMD_SSE2)
  return (mo_f64x2)_mm_max_pd((__m128d)a, (__m128d)b);
#else
  return (mo_f64x2){a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]};
#endif
}

static inline mo_f64x2 mo_f64x2_sqrt(mo_f64x2 a) {
#if defined(MO_SIMD_WASM)
  return (mo_f64x2)wasm_f64x2_sqrt((v128_t)a);
#elif defined(MO_SIMD_SSE2)
  return (mo_f64x2)_mm_sqrt_pd((__m128d)a);
#else
  return (mo_f64x2){sqrt(a[0]), sqrt(a[1])};
#endif
}

/// Bits of `a` where `mask` has ones, of `b` elsewhere.
static inline mo_f64x2 mo_f64x2_select(mo_i64x2 mask, mo_f64x2 a, mo_f64x2 b) {
  return (mo_f64x2)((mask & (mo_i64x2)a) | (~mask & (mo_i64x2)b));
}

/// `a` where `mask` has ones, 0 elsewhere.
static inline mo_f64x2 mo_f64x2_keep(mo_i64x2 mask, mo_f64x2 a) {
  return (mo_f64x2)(mask & (mo_i64x2)a);
}

static inline mo_f64x2 mo_f64x2_abs(mo_f64x2 a) {
  return (mo_f64x2)((mo_i64x2)a & mo_i64x2_splat(INT64_MAX));
}

/// Bit i: the sign bit of lane i, so the mask of a comparison as a number of 0 to 3.
static inline int mo_i64x2_bits(mo_i64x2 mask) {
#if defined(MO_SIMD_WASM)
  return (int)wasm_i64x2_bitmask((v128_t)mask);
#elif defined(MO_SIMD_SSE2)
  return _mm_movemask_pd((__m128d)mask);
#else
  return (mask[0] < 0) | (mask[1] < 0) << 1;
#endif
}

// --- two vectors -----------------------------------------------------------------------------

/// Two vectors, one per lane.
typedef struct mo_vec3x2 {
  mo_f64x2 x, y, z;
} mo_vec3x2;

static inline mo_vec3x2 mo_vec3x2_add(mo_vec3x2 a, mo_vec3x2 b) {
  return (mo_vec3x2){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline mo_vec3x2 mo_vec3x2_sub(mo_vec3x2 a, mo_vec3x2 b) {
  return (mo_vec3x2){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline mo_vec3x2 mo_vec3x2_scale(mo_f64x2 s, mo_vec3x2 a) {
  return (mo_vec3x2){s * a.x, s * a.y, s * a.z};
}
/// a + s b.
static inline mo_vec3x2 mo_vec3x2_add_scaled(mo_vec3x2 a, mo_f64x2 s, mo_vec3x2 b) {
  return (mo_vec3x2){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static inline mo_f64x2 mo_vec3x2_dot(mo_vec3x2 a, mo_vec3x2 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline mo_vec3x2 mo_vec3x2_cross(mo_vec3x2 a, mo_vec3x2 b) {
  return (mo_vec3x2){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// --- four floats -----------------------------------------------------------------------------

typedef float mo_f32x4 __attribute__((vector_size(16), may_alias));
/// Four integers, or the result of a comparison of mo_f32x4: all bits of a lane are set where it
/// holds.
typedef int32_t mo_i32x4 __attribute__((vector_size(16), may_alias));

/// From any address.
static inline mo_f32x4 mo_f32x4_load(const float *p) {
  mo_f32x4 v;
  memcpy(&v, p, sizeof v);
  return v;
}

/// To any address.
static inline void mo_f32x4_store(float *p, mo_f32x4 v) { memcpy(p, &v, sizeof v); }

/// The bits of four integers, from any address.
static inline mo_i32x4 mo_i32x4_load(const void *p) {
  mo_i32x4 v;
  memcpy(&v, p, sizeof v);
  return v;
}

/// Four bytes, from any address, as integers.
static inline mo_i32x4 mo_i32x4_load_bytes(const uint8_t *p) {
#if defined(MO_SIMD_WASM)
  return (mo_i32x4)wasm_u32x4_extend_low_u16x8(
      wasm_u16x8_extend_low_u8x16(wasm_v128_load32_zero(p)));
#elif defined(MO_SIMD_SSE2)
  int bytes;
  memcpy(&bytes, p, sizeof bytes);
  __m128i zero = _mm_setzero_si128();
  return (mo_i32x4)_mm_unpacklo_epi16(_mm_unpacklo_epi8(_mm_cvtsi32_si128(bytes), zero), zero);
#else
  return (mo_i32x4){p[0], p[1], p[2], p[3]};
#endif
}

/// Eight bytes, from any address, as floats.
static inline void mo_f32x4_load_bytes(const uint8_t *p, mo_f32x4 *first, mo_f32x4 *last) {
#if defined(MO_SIMD_WASM)
  // LLVM makes lane by lane of the conversion of 16 bits to a float. So the bytes become the last
  // ones of floats from 2^23 on, which are whole numbers.
  v128_t wide = wasm_u16x8_load8x8(p), base = wasm_f32x4_splat(0x1p23f);
  v128_t low = wasm_u32x4_extend_low_u16x8(wide), high = wasm_u32x4_extend_high_u16x8(wide);
  *first = (mo_f32x4)wasm_f32x4_sub(wasm_v128_or(low, base), base);
  *last = (mo_f32x4)wasm_f32x4_sub(wasm_v128_or(high, base), base);
#elif defined(MO_SIMD_SSE2)
  __m128i zero = _mm_setzero_si128();
  __m128i wide = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)p), zero);
  *first = (mo_f32x4)_mm_cvtepi32_ps(_mm_unpacklo_epi16(wide, zero));
  *last = (mo_f32x4)_mm_cvtepi32_ps(_mm_unpackhi_epi16(wide, zero));
#else
  *first = (mo_f32x4){p[0], p[1], p[2], p[3]};
  *last = (mo_f32x4){p[4], p[5], p[6], p[7]};
#endif
}

static inline mo_f32x4 mo_f32x4_set(float x, float y, float z, float w) {
  return (mo_f32x4){x, y, z, w};
}
static inline mo_f32x4 mo_f32x4_splat(float x) { return (mo_f32x4){x, x, x, x}; }
static inline mo_f32x4 mo_f32x4_zero(void) { return mo_f32x4_splat(0.0f); }
static inline mo_i32x4 mo_i32x4_splat(int32_t x) { return (mo_i32x4){x, x, x, x}; }

/// The floats nearest to four doubles, those of `a` first.
static inline mo_f32x4 mo_f32x4_nearest(mo_f64x2 a, mo_f64x2 b) {
#if defined(MO_SIMD_WASM)
  return (mo_f32x4)wasm_i32x4_shuffle(wasm_f32x4_demote_f64x2_zero((v128_t)a),
                                      wasm_f32x4_demote_f64x2_zero((v128_t)b), 0, 1, 4, 5);
#elif defined(MO_SIMD_SSE2)
  return (mo_f32x4)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)a), _mm_cvtpd_ps((__m128d)b));
#else
  return (mo_f32x4){(float)a[0], (float)a[1], (float)b[0], (float)b[1]};
#endif
}

/// Lanes of floats that are above four doubles, those of `a` first.
static inline mo_i32x4 mo_f32x4_above(mo_f32x4 x, mo_f64x2 a, mo_f64x2 b) {
#if defined(MO_SIMD_WASM)
  v128_t high = wasm_i32x4_shuffle((v128_t)x, (v128_t)x, 2, 3, 2, 3);
  return (mo_i32x4)wasm_i32x4_shuffle(
      wasm_f64x2_gt(wasm_f64x2_promote_low_f32x4((v128_t)x), (v128_t)a),
      wasm_f64x2_gt(wasm_f64x2_promote_low_f32x4(high), (v128_t)b), 0, 2, 4, 6);
#elif defined(MO_SIMD_SSE2)
  __m128 high = _mm_movehl_ps((__m128)x, (__m128)x);
  __m128d over_a = _mm_cmpgt_pd(_mm_cvtps_pd((__m128)x), (__m128d)a);
  __m128d over_b = _mm_cmpgt_pd(_mm_cvtps_pd(high), (__m128d)b);
  return (mo_i32x4)_mm_shuffle_ps(_mm_castpd_ps(over_a), _mm_castpd_ps(over_b), 0x88);
#else
  return (mo_i32x4){-((double)x[0] > a[0]), -((double)x[1] > a[1]), -((double)x[2] > b[0]),
                    -((double)x[3] > b[1])};
#endif
}

/// Lane by lane: a < b ? a : b. So the result is b if one of them is NaN, and b for two zeros.
static inline mo_f32x4 mo_f32x4_min(mo_f32x4 a, mo_f32x4 b) {
#if defined(MO_SIMD_WASM)
  return (mo_f32x4)wasm_f32x4_pmin((v128_t)b, (v128_t)a);
#elif defined(MO_SIMD_SSE2)
  return (mo_f32x4)_mm_min_ps((__m128)a, (__m128)b);
#else
  mo_f32x4 r;
  for (int i = 0; i < 4; i++) {
    r[i] = a[i] < b[i] ? a[i] : b[i];
  }
  return r;
#endif
}

/// Lane by lane: a > b ? a : b.
static inline mo_f32x4 mo_f32x4_max(mo_f32x4 a, mo_f32x4 b) {
#if defined(MO_SIMD_WASM)
  return (mo_f32x4)wasm_f32x4_pmax((v128_t)b, (v128_t)a);
#elif defined(MO_SIMD_SSE2)
  return (mo_f32x4)_mm_max_ps((__m128)a, (__m128)b);
#else
  mo_f32x4 r;
  for (int i = 0; i < 4; i++) {
    r[i] = a[i] > b[i] ? a[i] : b[i];
  }
  return r;
#endif
}

static inline mo_f32x4 mo_f32x4_clamp(mo_f32x4 x, mo_f32x4 lower, mo_f32x4 upper) {
  return mo_f32x4_min(mo_f32x4_max(x, lower), upper);
}

static inline mo_f32x4 mo_f32x4_sqrt(mo_f32x4 a) {
#if defined(MO_SIMD_WASM)
  return (mo_f32x4)wasm_f32x4_sqrt((v128_t)a);
#elif defined(MO_SIMD_SSE2)
  return (mo_f32x4)_mm_sqrt_ps((__m128)a);
#else
  return (mo_f32x4){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])};
#endif
}

/// Bits of `a` where `mask` has ones, of `b` elsewhere.
static inline mo_f32x4 mo_f32x4_select(mo_i32x4 mask, mo_f32x4 a, mo_f32x4 b) {
  return (mo_f32x4)((mask & (mo_i32x4)a) | (~mask & (mo_i32x4)b));
}

/// `a` where `mask` has ones, 0 elsewhere.
static inline mo_f32x4 mo_f32x4_keep(mo_i32x4 mask, mo_f32x4 a) {
  return (mo_f32x4)(mask & (mo_i32x4)a);
}

static inline mo_f32x4 mo_f32x4_abs(mo_f32x4 a) {
  return (mo_f32x4)((mo_i32x4)a & mo_i32x4_splat(0x7FFFFFFF));
}

/// Bit i: the sign bit of lane i, so the mask of a comparison as a number of 0 to 15.
static inline int mo_i32x4_bits(mo_i32x4 mask) {
#if defined(MO_SIMD_WASM)
  return wasm_i32x4_bitmask((v128_t)mask);
#elif defined(MO_SIMD_SSE2)
  return _mm_movemask_ps((__m128)mask);
#else
  return (mask[0] < 0) | (mask[1] < 0) << 1 | (mask[2] < 0) << 2 | (mask[3] < 0) << 3;
#endif
}

/// The mask of which these are the bits.
static inline mo_i32x4 mo_i32x4_of_bits(uint32_t bits) {
  mo_i32x4 each = {1, 2, 4, 8};
  return (mo_i32x4)((mo_i32x4_splat((int32_t)bits) & each) == each);
}

/// The number of ones in a mask of 0 to 15.
static inline int mo_i32x4_count(int mask) {
#if defined(MO_SIMD_WASM)
  return __builtin_popcount((unsigned)mask);
#else
  return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3);
#endif
}

#if defined(MO_SIMD_WASM)
// The bytes of lanes, for wasm_i8x16_swizzle, which gives 0 for numbers that are none.
#define MO_LANE_0 0x03020100
#define MO_LANE_1 0x07060504
#define MO_LANE_2 0x0b0a0908
#define MO_LANE_3 0x0f0e0d0c
#define MO_NO_LANE 0x10101010
#endif

/// Stores the lanes that a mask of 0 to 15 names, one after the other. Returns the end, behind
/// which up to the 16th byte has been written, too.
static inline unsigned char *mo_i32x4_store_some(unsigned char *to, mo_i32x4 v, int mask) {
#if defined(MO_SIMD_WASM)
  enum { A = MO_LANE_0, B = MO_LANE_1, C = MO_LANE_2, D = MO_LANE_3 };
  static const int32_t lanes[16][4] = {
      {0, 0, 0, 0}, {A, 0, 0, 0}, {B, 0, 0, 0}, {A, B, 0, 0}, {C, 0, 0, 0}, {A, C, 0, 0},
      {B, C, 0, 0}, {A, B, C, 0}, {D, 0, 0, 0}, {A, D, 0, 0}, {B, D, 0, 0}, {A, B, D, 0},
      {C, D, 0, 0}, {A, C, D, 0}, {B, C, D, 0}, {A, B, C, D},
  };
  wasm_v128_store(to, wasm_i8x16_swizzle((v128_t)v, wasm_v128_load(lanes[mask])));
  return to + 4 * (size_t)mo_i32x4_count(mask);
#else
  int32_t lanes[4];
  memcpy(lanes, &v, sizeof lanes);
  for (int i = 0; i < 4; i++, mask >>= 1) {
    memcpy(to, &lanes[i], sizeof lanes[i]);
    to += (size_t)(mask & 1) * 4;
  }
  return to;
#endif
}

/// The inverse: lanes that the mask names are read one after the other, the others are those of
/// `v`. Reads 16 bytes.
static inline mo_i32x4 mo_i32x4_load_some(const unsigned char *from, mo_i32x4 v, int mask) {
#if defined(MO_SIMD_WASM)
  enum { A = MO_LANE_0, B = MO_LANE_1, C = MO_LANE_2, D = MO_LANE_3, N = MO_NO_LANE };
  static const int32_t lanes[16][4] = {
      {N, N, N, N}, {A, N, N, N}, {N, A, N, N}, {A, B, N, N}, {N, N, A, N}, {A, N, B, N},
      {N, A, B, N}, {A, B, C, N}, {N, N, N, A}, {A, N, N, B}, {N, A, N, B}, {A, B, N, C},
      {N, N, A, B}, {A, N, B, C}, {N, A, B, C}, {A, B, C, D},
  };
  mo_i32x4 places = mo_i32x4_load(lanes[mask]);
  v128_t read = wasm_i8x16_swizzle(wasm_v128_load(from), (v128_t)places);
  return (mo_i32x4)read | (v & (places == mo_i32x4_splat(N)));
#else
  int32_t lanes[4];
  memcpy(lanes, &v, sizeof lanes);
  for (int i = 0; i < 4; i++, mask >>= 1) {
    int32_t word;
    memcpy(&word, from, sizeof word);
    lanes[i] = mask & 1 ? word : lanes[i];
    from += (size_t)(mask & 1) * 4;
  }
  return mo_i32x4_load(lanes);
#endif
}

// Four of the eight lanes of a and b, by their numbers.
#if defined(MO_SIMD_WASM)
// Named byte by byte: of a shuffle of which some lanes go unused LLVM makes one with zeros for
// these, which V8 knows no instruction for. It takes eleven then.
#define MO_F32X4_LANES(a, b, i, j, k, l)                                                           \
  ((mo_f32x4)wasm_i32x4_shuffle((v128_t)(a), (v128_t)(b), i, j, k, l))
#elif defined(__clang__)
#define MO_F32X4_LANES(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define MO_F32X4_LANES(a, b, i, j, k, l) __builtin_shuffle(a, b, (mo_i32x4){i, j, k, l})
#endif

/// Rows become columns.
static inline void mo_f32x4_transpose(mo_f32x4 *a, mo_f32x4 *b, mo_f32x4 *c, mo_f32x4 *d) {
  mo_f32x4 ab_low = MO_F32X4_LANES(*a, *b, 0, 4, 1, 5),
           ab_high = MO_F32X4_LANES(*a, *b, 2, 6, 3, 7);
  mo_f32x4 cd_low = MO_F32X4_LANES(*c, *d, 0, 4, 1, 5),
           cd_high = MO_F32X4_LANES(*c, *d, 2, 6, 3, 7);
  *a = MO_F32X4_LANES(ab_low, cd_low, 0, 1, 4, 5);
  *b = MO_F32X4_LANES(ab_low, cd_low, 2, 3, 6, 7);
  *c = MO_F32X4_LANES(ab_high, cd_high, 0, 1, 4, 5);
  *d = MO_F32X4_LANES(ab_high, cd_high, 2, 3, 6, 7);
}

// --- bytes -----------------------------------------------------------------------------------

/// Sixteen bytes, or the result of a comparison of them.
typedef uint8_t mo_u8x16 __attribute__((vector_size(16), may_alias));

/// From any address.
static inline mo_u8x16 mo_u8x16_load(const uint8_t *p) {
  mo_u8x16 v;
  memcpy(&v, p, sizeof v);
  return v;
}

/// Eight times each the last bytes of b[0], b[1], b[2], a[0], a[1] and a[2], two of them in each
/// vector.
static inline void mo_u8x16_spread(mo_i32x4 a, mo_i32x4 b, mo_u8x16 out[3]) {
#if defined(MO_SIMD_WASM)
  v128_t first = (v128_t)b, last = (v128_t)a;
  out[0] =
      (mo_u8x16)wasm_i8x16_shuffle(first, first, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4);
  out[1] = (mo_u8x16)wasm_i8x16_shuffle(first, last, 8, 8, 8, 8, 8, 8, 8, 8, 16, 16, 16, 16, 16, 16,
                                        16, 16);
  out[2] = (mo_u8x16)wasm_i8x16_shuffle(last, last, 4, 4, 4, 4, 4, 4, 4, 4, 8, 8, 8, 8, 8, 8, 8, 8);
#elif defined(MO_SIMD_SSE2)
  __m128i byte = _mm_set1_epi32(255);
  __m128i words = _mm_packs_epi32(_mm_and_si128((__m128i)a, byte), _mm_and_si128((__m128i)b, byte));
  __m128i twice = _mm_or_si128(words, _mm_slli_epi16(words, 8));
  __m128i last = _mm_unpacklo_epi16(twice, twice), first = _mm_unpackhi_epi16(twice, twice);
  out[0] = (mo_u8x16)_mm_shuffle_epi32(first, 0x50);
  out[1] = (mo_u8x16)_mm_unpacklo_epi64(_mm_shuffle_epi32(first, 0xAA), _mm_shuffle_epi32(last, 0));
  out[2] = (mo_u8x16)_mm_shuffle_epi32(last, 0xA5);
#else
  for (int i = 0; i < 16; i++) {
    out[0][i] = (uint8_t)b[i / 8];
    out[1][i] = (uint8_t)(i < 8 ? b[2] : a[0]);
    out[2][i] = (uint8_t)a[1 + i / 8];
  }
#endif
}

/// Bit i: the highest bit of byte i.
static inline int mo_u8x16_bits(mo_u8x16 mask) {
#if defined(MO_SIMD_WASM)
  return (int)wasm_i8x16_bitmask((v128_t)mask);
#elif defined(MO_SIMD_SSE2)
  return _mm_movemask_epi8((__m128i)mask);
#else
  int bits = 0;
  for (int i = 0; i < 16; i++) {
    bits |= mask[i] >> 7 << i;
  }
  return bits;
#endif
}

// --- four vectors ----------------------------------------------------------------------------

/// Four vectors, one per lane.
typedef struct mo_vec3x4 {
  mo_f32x4 x, y, z;
} mo_vec3x4;

static inline mo_vec3x4 mo_vec3x4_zero(void) {
  return (mo_vec3x4){mo_f32x4_zero(), mo_f32x4_zero(), mo_f32x4_zero()};
}
static inline mo_vec3x4 mo_vec3x4_neg(mo_vec3x4 a) { return (mo_vec3x4){-a.x, -a.y, -a.z}; }
static inline mo_vec3x4 mo_vec3x4_add(mo_vec3x4 a, mo_vec3x4 b) {
  return (mo_vec3x4){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline mo_vec3x4 mo_vec3x4_sub(mo_vec3x4 a, mo_vec3x4 b) {
  return (mo_vec3x4){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline mo_vec3x4 mo_vec3x4_select(mo_i32x4 mask, mo_vec3x4 a, mo_vec3x4 b) {
  return (mo_vec3x4){mo_f32x4_select(mask, a.x, b.x), mo_f32x4_select(mask, a.y, b.y),
                     mo_f32x4_select(mask, a.z, b.z)};
}
static inline mo_vec3x4 mo_vec3x4_scale(mo_f32x4 s, mo_vec3x4 a) {
  return (mo_vec3x4){s * a.x, s * a.y, s * a.z};
}
/// a + s b.
static inline mo_vec3x4 mo_vec3x4_add_scaled(mo_vec3x4 a, mo_f32x4 s, mo_vec3x4 b) {
  return (mo_vec3x4){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static inline mo_f32x4 mo_vec3x4_dot(mo_vec3x4 a, mo_vec3x4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline mo_vec3x4 mo_vec3x4_cross(mo_vec3x4 a, mo_vec3x4 b) {
  return (mo_vec3x4){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
