#include "choices.h"

#include <math.h>
#include <string.h>

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

uint64_t random_next(uint64_t *state) {
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

choices choices_begin(const uint8_t *bytes, size_t size, uint32_t wild_part) {
  choices c = {.wild_part = wild_part, .state = 0xCBF29CE484222325u};
  if (size > 0) {
    memcpy(c.record, bytes, size < RECORD_BYTES ? size : RECORD_BYTES);
  }
  for (int i = 0; i < RECORD_BYTES; i++) {
    c.state = (c.state ^ c.record[i]) * 0x100000001B3u;
  }
  return c;
}

uint32_t choose_byte(choices *c) {
  return c->used < RECORD_BYTES ? c->record[c->used++] : (uint32_t)(random_next(&c->state) >> 56);
}

uint32_t choose_below(choices *c, uint32_t count) {
  uint32_t number = choose_byte(c);
  if (count > 256) {
    number = number << 8 | choose_byte(c);
  }
  return number % count;
}

bool choose_if(choices *c, uint32_t part) { return choose_byte(c) < part; }

// About where squares, cubes and sums overflow or vanish in double and in single precision.
static double extreme_number(choices *c) {
  static const double extremes[] = {0.0,   5e-324, 1e-300,  1e-160,   1e-45,      1e-38, 1e-30,
                                    1e-20, 1e-9,   1e9,     1e20,     1e30,       1e38,  1e39,
                                    1e50,  1e77,   1e90,    1e127,    1e150,      1e160, 1e290,
                                    1e300, 1e307,  1.7e308, INFINITY, (double)NAN};
  double x = extremes[choose_below(c, COUNT(extremes))];
  return choose_if(c, 128) ? -x : x;
}

double choose_number(choices *c, double scale) {
  if (choose_if(c, c->wild_part)) {
    return extreme_number(c);
  }
  // Round numbers come often: bodies that touch exactly, poses that are equal.
  uint32_t whole = choose_byte(c);
  double part = whole < 64 ? (whole % 16) / 8.0 - 1.0 : (whole - 64.0) / 95.5 - 1.0;
  return scale * part;
}

double choose_positive(choices *c, double scale) {
  double x = choose_number(c, scale);
  return choose_if(c, c->wild_part) ? x : fabs(x);
}

mo_vec3 choose_vec3(choices *c, double scale) {
  double x = choose_number(c, scale), y = choose_number(c, scale), z = choose_number(c, scale);
  return (mo_vec3){x, y, z};
}

mo_quat choose_quat(choices *c) {
  if (choose_if(c, 96)) {
    return (mo_quat){0.0, 0.0, 0.0, 1.0};
  }
  double x = choose_number(c, 1.0), y = choose_number(c, 1.0), z = choose_number(c, 1.0);
  return (mo_quat){x, y, z, choose_number(c, 1.0)};
}

mo_pose choose_pose(choices *c, double scale) {
  mo_vec3 position = choose_vec3(c, scale);
  return (mo_pose){position, choose_quat(c)};
}
