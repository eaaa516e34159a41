#include "solvers/soft_step/assembly/coordinate_law.h"

#include "math/scalar.h"

#include <math.h>

// A law and the line that it meets: p = impulse + mass (w - rate).
typedef struct meeting {
  const mo_law_part *parts;
  double rate, impulse, mass;
} meeting;

// The rate at which the impulse of a part leaves one of its bounds.
static double bend(const mo_law_part *part, double bound) {
  return part->speed - part->softening * bound;
}

static bool is_given(const mo_law_part *part) { return part->lower == part->upper; }

// The impulse of a part at a rate; of a rigid one at its own speed, where it jumps, it is `jump`.
static double impulse_at(const mo_law_part *part, double rate, double jump) {
  if (is_given(part) || rate < bend(part, part->upper)) {
    return part->upper;
  }
  if (rate > bend(part, part->lower)) {
    return part->lower;
  }
  return part->softening > 0.0
             ? mo_clamp((part->speed - rate) / part->softening, part->lower, part->upper)
             : jump;
}

// By how much the law is above the line just below a rate (from_below), or just above it.
static double height(const meeting *m, double rate, bool from_below) {
  double sum = -m->impulse - m->mass * (rate - m->rate);
  for (int i = 0; i < MO_LAW_PARTS; i++) {
    const mo_law_part *part = &m->parts[i];
    sum += impulse_at(part, rate, from_below ? part->upper : part->lower);
  }
  return sum;
}

// The rates between which nothing bends, or the one at which they meet.
typedef struct span {
  double low, high;
} span;

static void narrow(const meeting *m, span *s, double rate) {
  if (rate > s->low && rate < s->high) {
    double below = height(m, rate, true), above = height(m, rate, false);
    s->low = below >= 0.0 ? rate : s->low;
    s->high = above < 0.0 || (above == 0.0 && below > 0.0) ? rate : s->high;
  }
}

static span span_of(const meeting *m) {
  span s = {-INFINITY, INFINITY};
  for (int i = 0; i < MO_LAW_PARTS; i++) {
    if (!is_given(&m->parts[i])) {
      narrow(m, &s, bend(&m->parts[i], m->parts[i].upper));
      narrow(m, &s, bend(&m->parts[i], m->parts[i].lower));
    }
  }
  return s;
}

// Rigid parts of one speed share what the others leave to them, in their order.
static mo_law_piece held_piece(const meeting *m, double rate, double impulses[MO_LAW_PARTS]) {
  double left = m->impulse + m->mass * (rate - m->rate);
  for (int i = 0; i < MO_LAW_PARTS; i++) {
    impulses[i] = impulse_at(&m->parts[i], rate, 0.0);
    left -= impulses[i];
  }
  for (int i = 0; i < MO_LAW_PARTS; i++) {
    const mo_law_part *part = &m->parts[i];
    if (part->softening == 0.0 && part->speed == rate && !is_given(part)) {
      impulses[i] = mo_clamp(left, part->lower, part->upper);
      left -= impulses[i];
    }
  }
  return (mo_law_piece){.is_held = true, .speed = rate};
}

// Between two bends each part has its bound or is a line.
static mo_law_piece smooth_piece(const meeting *m, span s, double impulses[MO_LAW_PARTS]) {
  double given = 0.0, firmness = 0.0, driven = 0.0;
  for (int i = 0; i < MO_LAW_PARTS; i++) {
    const mo_law_part *part = &m->parts[i];
    bool is_high = s.high <= bend(part, part->upper), is_low = s.low >= bend(part, part->lower);
    bool bends = !is_given(part) && !is_high && !is_low;
    given += bends ? 0.0 : is_high ? part->upper : part->lower;
    firmness += bends ? 1.0 / part->softening : 0.0;
    driven += bends ? part->speed / part->softening : 0.0;
  }
  double rate = (given + driven - m->impulse + m->mass * m->rate) / (m->mass + firmness);
  for (int i = 0; i < MO_LAW_PARTS; i++) {
    impulses[i] = impulse_at(&m->parts[i], rate, 0.0);
  }
  return firmness > 0.0 ? (mo_law_piece){.is_held = true,
                                         .speed = (given + driven) / firmness,
                                         .softening = 1.0 / firmness}
                        : (mo_law_piece){.impulse = given};
}

mo_law_piece mo_law_find(const mo_law_part parts[MO_LAW_PARTS], double rate, double impulse,
                         double mass, double impulses[MO_LAW_PARTS]) {
  meeting m = {parts, rate, impulse, mass};
  span s = span_of(&m);
  return s.low == s.high ? held_piece(&m, s.low, impulses) : smooth_piece(&m, s, impulses);
}
