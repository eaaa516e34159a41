#include "geometry/curve_parts.h"

#include "math/scalar.h"
#include "memory/allocator.h"

#include <string.h>

/// Sweeps over the equations of the slopes, of which each halves the error or better: the diagonal
/// is twice as big as the rest of a row.
#define SLOPE_SWEEPS 64
#define NEWTON_STEPS 16
#define THIRDS 80

// --- slopes ----------------------------------------------------------------------------------

static uint32_t next_of(const mo_curve *c, uint32_t i) {
  return i + 1 < c->point_count ? i + 1 : 0;
}

static mo_vec3 chord(const mo_curve *c, uint32_t segment) {
  return mo_sub(c->points[next_of(c, segment)], c->points[segment]);
}

// One of the equations: the second derivative is continuous at a point, or zero at an end.
static mo_vec3 slope_at(const mo_curve *c, uint32_t i) {
  uint32_t last = c->point_count - 1;
  uint32_t before = i > 0 ? i - 1 : last, after = next_of(c, i);
  bool is_first = !c->is_closed && i == 0, is_last = !c->is_closed && i == last;
  mo_vec3 in = is_first ? mo_v3_zero() : chord(c, before);
  mo_vec3 out = is_last ? mo_v3_zero() : chord(c, i);
  double h_in = mo_length(in), h_out = mo_length(out);
  if (is_first || is_last) {
    mo_vec3 line = is_first ? mo_scale(1.0 / h_out, out) : mo_scale(1.0 / h_in, in);
    return mo_scale(0.5, mo_sub(mo_scale(3.0, line), c->slopes[is_first ? after : before]));
  }
  mo_vec3 sum = mo_add(mo_scale(3.0 * h_out / h_in, in), mo_scale(3.0 * h_in / h_out, out));
  sum = mo_add_scaled(sum, -h_out, c->slopes[before]);
  sum = mo_add_scaled(sum, -h_in, c->slopes[after]);
  return mo_scale(0.5 / (h_in + h_out), sum);
}

static void find_slopes(mo_curve *c) {
  for (uint32_t i = 0; i < c->point_count; i++) {
    c->slopes[i] = mo_v3_zero();
  }
  for (int sweep = 0; sweep < SLOPE_SWEEPS; sweep++) {
    for (uint32_t i = 0; i < c->point_count; i++) {
      c->slopes[i] = slope_at(c, i);
    }
  }
}

// --- points ----------------------------------------------------------------------------------

// The segment of a parameter, and how many turns of a closed curve are before it.
static uint32_t segment_of(const mo_curve *c, double u, double *turns) {
  double count = c->segment_count;
  *turns = c->is_closed ? floor(u / count) : 0.0;
  double segment = floor(u - *turns * count);
  return segment > 0.0 ? (uint32_t)mo_min(segment, count - 1.0) : 0; // also of what is no number
}

mo_curve_cubic mo_curve_cubic_of(const mo_curve *c, uint32_t segment) {
  mo_vec3 line = chord(c, segment);
  double h = mo_length(line);
  mo_vec3 from = mo_scale(h, c->slopes[segment]), to = mo_scale(h, c->slopes[next_of(c, segment)]);
  mo_vec3 twice = mo_add(from, from);
  return (mo_curve_cubic){c->points[segment], from, mo_sub(mo_sub(mo_scale(3.0, line), twice), to),
                          mo_sub(mo_add(from, to), mo_scale(2.0, line))};
}

void mo_curve_set_derivatives(const mo_curve_cubic *q, double t, mo_curve_point *out) {
  out->velocity = mo_add(q->b, mo_add(mo_scale(2.0 * t, q->c), mo_scale(3.0 * t * t, q->d)));
  out->curvature = mo_add(mo_scale(2.0, q->c), mo_scale(6.0 * t, q->d));
}

mo_curve_point mo_curve_locate(const mo_curve *c, double u) {
  double turns;
  uint32_t segment = segment_of(c, u, &turns);
  double t = u - turns * c->segment_count - segment, inside = mo_clamp(t, 0.0, 1.0);
  mo_curve_cubic q = mo_curve_cubic_of(c, segment);
  mo_curve_point out = {.u = u};
  mo_curve_set_derivatives(&q, inside, &out);
  mo_vec3 bent = mo_add(mo_scale(inside, q.c), mo_scale(inside * inside, q.d));
  out.position = mo_add(q.a, mo_scale(inside, mo_add(q.b, bent)));
  if (t != inside) {
    out.position = mo_add_scaled(out.position, t - inside, out.velocity);
    out.curvature = mo_v3_zero();
  }
  return out;
}

static double speed_in(const mo_curve_cubic *q, double t) {
  mo_curve_point at;
  mo_curve_set_derivatives(q, t, &at);
  return mo_length(at.velocity);
}

const double mo_gauss_places[] = {0.0, 0.5384693101056831, 0.9061798459386640};
const double mo_gauss_weights[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};

double mo_curve_length_between(const mo_curve_cubic *q, double from, double to) {
  double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double sum = mo_gauss_weights[0] * speed_in(q, middle);
  for (int i = 1; i < 3; i++) {
    double away = half * mo_gauss_places[i];
    sum += mo_gauss_weights[i] * (speed_in(q, middle - away) + speed_in(q, middle + away));
  }
  return half * sum;
}

const mo_curve_start *mo_curve_start_at(const mo_curve *c, double u, double *turns) {
  uint32_t segment = segment_of(c, u, turns);
  double t = u - *turns * c->segment_count - segment;
  uint32_t part = t > 0.0 ? (uint32_t)mo_min(MO_CURVE_PARTS * t, MO_CURVE_PARTS - 1.0) : 0;
  return &c->starts[MO_CURVE_PARTS * segment + part];
}

static double length_to(const mo_curve *c, double u) {
  double turns;
  const mo_curve_start *start = mo_curve_start_at(c, u, &turns);
  uint32_t index = (uint32_t)(start - c->starts), segment = index / MO_CURVE_PARTS;
  double t = u - turns * c->segment_count - segment, inside = mo_clamp(t, 0.0, 1.0);
  mo_curve_cubic q = mo_curve_cubic_of(c, segment);
  return turns * c->length + start->length +
         mo_curve_length_between(&q, (double)(index % MO_CURVE_PARTS) / MO_CURVE_PARTS, inside) +
         (t - inside) * speed_in(&q, inside);
}

void mo_curve_set_tangent(mo_curve_point *at) {
  double speed = mo_length(at->velocity);
  double scale = speed > 0.0 ? 1.0 / speed : 0.0;
  at->tangent = mo_scale(scale, at->velocity);
  mo_vec3 along = mo_scale(mo_dot(at->curvature, at->tangent), at->tangent);
  at->bend = mo_scale(scale * scale, mo_sub(at->curvature, along));
}

mo_curve_point mo_curve_at(const mo_curve *c, double u) {
  mo_curve_point out = mo_curve_locate(c, u);
  out.length = length_to(c, u);
  mo_curve_set_tangent(&out);
  return out;
}

// --- searching -------------------------------------------------------------------------------

mo_curve_point mo_curve_at_length(const mo_curve *c, double length) {
  double turns = c->is_closed ? floor(length / c->length) : 0.0, rest = length - turns * c->length;
  uint32_t first = 0, last = MO_CURVE_PARTS * c->segment_count;
  while (last - first > 1) {
    uint32_t middle = first + (last - first) / 2;
    *(c->starts[middle].length <= rest ? &first : &last) = middle;
  }
  double u = turns * c->segment_count + (double)first / MO_CURVE_PARTS;
  for (int i = 0; i < NEWTON_STEPS; i++) {
    double speed = mo_length(mo_curve_locate(c, u).velocity), lacks = length - length_to(c, u);
    double step = speed > 0.0 ? lacks / speed : 0.0;
    u += step;
    if (!(fabs(step) > 1e-15 * (1.0 + fabs(u)))) {
      break;
    }
  }
  return mo_curve_at(c, u);
}

// A step of Newton's method towards the foot of the perpendicular, no longer than half a segment.
static double step_towards(const mo_curve *c, mo_vec3 to, double u) {
  mo_curve_point at = mo_curve_locate(c, u);
  mo_vec3 away = mo_sub(at.position, to);
  double slope = mo_dot(away, at.velocity), square = mo_length_squared(at.velocity);
  double bent = square + mo_dot(away, at.curvature);
  // Where it is bent away, the way along the tangent leads down.
  double by = bent > 0.1 * square ? bent : square;
  return by > 0.0 ? mo_clamp(-slope / by, -0.5, 0.5) : 0.0;
}

mo_curve_point mo_curve_project(const mo_curve *c, mo_vec3 to, double u) {
  for (int i = 0; i < NEWTON_STEPS; i++) {
    double step = step_towards(c, to, u);
    u += step;
    if (!(fabs(step) > 1e-14 * (1.0 + fabs(u)))) {
      break;
    }
  }
  return mo_curve_at(c, u);
}

static double distance_to_start(const mo_curve *c, uint32_t i, mo_vec3 to) {
  return mo_distance_between(c->starts[i].position, to);
}

// Of the starts, in both directions.
static bool is_least(const mo_curve *c, uint32_t i, mo_vec3 to) {
  double here = distance_to_start(c, i, to);
  bool is_first = i == 0, is_last = i == MO_CURVE_PARTS * c->segment_count;
  return (is_first || here <= distance_to_start(c, i - 1, to)) &&
         (is_last || here < distance_to_start(c, i + 1, to));
}

static double distance_at(const mo_curve *c, double u, mo_vec3 to) {
  return mo_distance_between(mo_curve_locate(c, u).position, to);
}

// The least distance within the parts beside a start, by thirds, as Newton's method may leave them.
static double least_beside(const mo_curve *c, uint32_t i, mo_vec3 to) {
  double from = (i - 1.0) / MO_CURVE_PARTS, until = (i + 1.0) / MO_CURVE_PARTS;
  from = c->is_closed ? from : mo_max(from, 0.0);
  until = c->is_closed ? until : mo_min(until, c->segment_count);
  for (int k = 0; k < THIRDS; k++) {
    double third = (until - from) / 3.0;
    bool is_left = distance_at(c, from + third, to) <= distance_at(c, until - third, to);
    *(is_left ? &until : &from) = is_left ? until - third : from + third;
  }
  return 0.5 * (from + until);
}

mo_curve_point mo_curve_search(const mo_curve *c, mo_vec3 to) {
  mo_curve_point nearest = mo_curve_at(c, 0.0);
  for (uint32_t i = 0; i <= MO_CURVE_PARTS * c->segment_count; i++) {
    if (is_least(c, i, to)) {
      mo_curve_point found = mo_curve_at(c, least_beside(c, i, to));
      bool is_nearer =
          mo_distance_between(found.position, to) < mo_distance_between(nearest.position, to);
      nearest = is_nearer ? found : nearest;
    }
  }
  return nearest;
}

// --- making one ------------------------------------------------------------------------------

mo_curve *mo_curve_create(const mo_vec3 *points, uint32_t count, bool closed) {
  uint32_t segments = closed ? count : count - 1;
  size_t starts = (size_t)MO_CURVE_PARTS * segments + 1;
  mo_curve *c =
      mo_allocate(sizeof *c + starts * sizeof *c->starts + 2 * (size_t)count * sizeof *points);
  if (!c) {
    return NULL;
  }
  *c = (mo_curve){
      .reference_count = 1, .point_count = count, .segment_count = segments, .is_closed = closed};
  c->starts = (mo_curve_start *)(c + 1);
  c->points = (mo_vec3 *)(c->starts + starts);
  c->slopes = c->points + count;
  for (uint32_t i = 0; i < count; i++) {
    c->points[i] = points[i];
  }
  find_slopes(c);
  mo_curve_find_starts(c);
  return c;
}

mo_curve *mo_curve_retain(mo_curve *curve) {
  curve->reference_count++;
  return curve;
}

void mo_curve_release(mo_curve *curve) {
  if (curve && --curve->reference_count == 0) {
    mo_release(curve);
  }
}

bool mo_curve_goes_through(const mo_curve *curve, const mo_vec3 *points, uint32_t count,
                           bool closed) {
  return curve->point_count == count && curve->is_closed == closed &&
         memcmp(curve->points, points, count * sizeof *points) == 0;
}

const mo_vec3 *mo_curve_points(const mo_curve *curve, uint32_t *count) {
  *count = curve->point_count;
  return curve->points;
}

bool mo_curve_is_closed(const mo_curve *curve) { return curve->is_closed; }

double mo_curve_length(const mo_curve *curve) { return curve->length; }
