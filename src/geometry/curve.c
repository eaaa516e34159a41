#include "geometry/curve.h"

#include "math/scalar.h"
#include "memory/allocator.h"

/// Parts of a segment between two points, from each of which lengths and frames are continued.
#define PARTS 16
/// Sweeps over the equations of the slopes, of which each halves the error or better: the diagonal
/// is twice as big as the rest of a row.
#define SLOPE_SWEEPS 64
#define NEWTON_STEPS 16
#define THIRDS 80
/// One more than the cosine of the most that a tangent turns within a part, beyond which its frame
/// is not followed exactly.
#define LEAST_COSINE 0.1

/// Where a part of a segment begins.
typedef struct part_start {
  double length; // m, from the first point
  mo_vec3 position, tangent;
  mo_quat frame; // without the twist that closes it
} part_start;

struct mo_curve {
  uint32_t point_count, segment_count;
  bool is_closed;
  double length; // m
  double twist;  // rad/m
  mo_vec3 *points;
  mo_vec3 *slopes;    // per point: the derivative by the length of the chords
  part_start *starts; // PARTS * segment_count + 1 of them
};

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

// a + b t + c t^2 + d t^3 of a segment.
typedef struct cubic {
  mo_vec3 a, b, c, d;
} cubic;

static cubic cubic_of(const mo_curve *c, uint32_t segment) {
  mo_vec3 line = chord(c, segment);
  double h = mo_length(line);
  mo_vec3 from = mo_scale(h, c->slopes[segment]), to = mo_scale(h, c->slopes[next_of(c, segment)]);
  mo_vec3 twice = mo_add(from, from);
  return (cubic){c->points[segment], from, mo_sub(mo_sub(mo_scale(3.0, line), twice), to),
                 mo_sub(mo_add(from, to), mo_scale(2.0, line))};
}

static void set_derivatives(const cubic *q, double t, mo_curve_point *out) {
  out->velocity = mo_add(q->b, mo_add(mo_scale(2.0 * t, q->c), mo_scale(3.0 * t * t, q->d)));
  out->curvature = mo_add(mo_scale(2.0, q->c), mo_scale(6.0 * t, q->d));
}

// Of an open curve the part beyond an end is straight.
static mo_curve_point locate(const mo_curve *c, double u) {
  double turns;
  uint32_t segment = segment_of(c, u, &turns);
  double t = u - turns * c->segment_count - segment, inside = mo_clamp(t, 0.0, 1.0);
  cubic q = cubic_of(c, segment);
  mo_curve_point out = {.u = u};
  set_derivatives(&q, inside, &out);
  mo_vec3 bent = mo_add(mo_scale(inside, q.c), mo_scale(inside * inside, q.d));
  out.position = mo_add(q.a, mo_scale(inside, mo_add(q.b, bent)));
  if (t != inside) {
    out.position = mo_add_scaled(out.position, t - inside, out.velocity);
    out.curvature = mo_v3_zero();
  }
  return out;
}

static double speed_in(const cubic *q, double t) {
  mo_curve_point at;
  set_derivatives(q, t, &at);
  return mo_length(at.velocity);
}

// Of Gauss and Legendre with five points, from the middle outwards.
static const double gauss_places[] = {0.0, 0.5384693101056831, 0.9061798459386640};
static const double gauss_weights[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};

// The length of a segment between two parameters.
static double length_between(const cubic *q, double from, double to) {
  double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double sum = gauss_weights[0] * speed_in(q, middle);
  for (int i = 1; i < 3; i++) {
    double away = half * gauss_places[i];
    sum += gauss_weights[i] * (speed_in(q, middle - away) + speed_in(q, middle + away));
  }
  return half * sum;
}

// The part that a parameter is in.
static const part_start *part_at(const mo_curve *c, double u, double *turns) {
  uint32_t segment = segment_of(c, u, turns);
  double t = u - *turns * c->segment_count - segment;
  uint32_t part = t > 0.0 ? (uint32_t)mo_min(PARTS * t, PARTS - 1.0) : 0;
  return &c->starts[PARTS * segment + part];
}

static double length_to(const mo_curve *c, double u) {
  double turns;
  const part_start *start = part_at(c, u, &turns);
  uint32_t index = (uint32_t)(start - c->starts), segment = index / PARTS;
  double t = u - turns * c->segment_count - segment, inside = mo_clamp(t, 0.0, 1.0);
  cubic q = cubic_of(c, segment);
  return turns * c->length + start->length +
         length_between(&q, (double)(index % PARTS) / PARTS, inside) +
         (t - inside) * speed_in(&q, inside);
}

// Tangent and bend from the derivatives; zeros where the way turns back.
static void set_tangent(mo_curve_point *at) {
  double speed = mo_length(at->velocity);
  double scale = speed > 0.0 ? 1.0 / speed : 0.0;
  at->tangent = mo_scale(scale, at->velocity);
  mo_vec3 along = mo_scale(mo_dot(at->curvature, at->tangent), at->tangent);
  at->bend = mo_scale(scale * scale, mo_sub(at->curvature, along));
}

mo_curve_point mo_curve_at(const mo_curve *c, double u) {
  mo_curve_point out = locate(c, u);
  out.length = length_to(c, u);
  set_tangent(&out);
  return out;
}

// --- searching -------------------------------------------------------------------------------

mo_curve_point mo_curve_at_length(const mo_curve *c, double length) {
  double turns = c->is_closed ? floor(length / c->length) : 0.0, rest = length - turns * c->length;
  uint32_t first = 0, last = PARTS * c->segment_count;
  while (last - first > 1) {
    uint32_t middle = first + (last - first) / 2;
    *(c->starts[middle].length <= rest ? &first : &last) = middle;
  }
  double u = turns * c->segment_count + (double)first / PARTS;
  for (int i = 0; i < NEWTON_STEPS; i++) {
    double speed = mo_length(locate(c, u).velocity), lacks = length - length_to(c, u);
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
  mo_curve_point at = locate(c, u);
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
  bool is_first = i == 0, is_last = i == PARTS * c->segment_count;
  return (is_first || here <= distance_to_start(c, i - 1, to)) &&
         (is_last || here < distance_to_start(c, i + 1, to));
}

static double distance_at(const mo_curve *c, double u, mo_vec3 to) {
  return mo_distance_between(locate(c, u).position, to);
}

// The least distance within the parts beside a start, by thirds, as Newton's method may leave them.
static double least_beside(const mo_curve *c, uint32_t i, mo_vec3 to) {
  double from = (i - 1.0) / PARTS, until = (i + 1.0) / PARTS;
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
  for (uint32_t i = 0; i <= PARTS * c->segment_count; i++) {
    if (is_least(c, i, to)) {
      mo_curve_point found = mo_curve_at(c, least_beside(c, i, to));
      bool is_nearer =
          mo_distance_between(found.position, to) < mo_distance_between(nearest.position, to);
      nearest = is_nearer ? found : nearest;
    }
  }
  return nearest;
}

// --- frames ----------------------------------------------------------------------------------

// The area between the way of the tangent and the arc from where it began, by parameter.
static double sweep_at(const cubic *q, mo_vec3 began, double t) {
  mo_curve_point at;
  set_derivatives(q, t, &at);
  set_tangent(&at);
  return mo_length(at.velocity) * mo_dot(mo_cross(began, at.tangent), at.bend) /
         mo_max(1.0 + mo_dot(began, at.tangent), LEAST_COSINE);
}

// The frame of a part, carried on to a point within it. The shortest turn of the tangent turns it
// about the tangent by the area that that sweeps (Hanson and Ma 1995), which is taken back.
static mo_quat carried(const part_start *start, const cubic *q, double from, double to) {
  mo_curve_point at;
  set_derivatives(q, to, &at);
  set_tangent(&at);
  double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double sum = gauss_weights[0] * sweep_at(q, start->tangent, middle);
  for (int i = 1; i < 3; i++) {
    double away = half * gauss_places[i];
    sum += gauss_weights[i] * (sweep_at(q, start->tangent, middle - away) +
                               sweep_at(q, start->tangent, middle + away));
  }
  mo_quat turned = mo_quat_mul(mo_quat_between(start->tangent, at.tangent), start->frame);
  return mo_quat_mul(mo_quat_exp(mo_scale(half * sum, at.tangent)), turned);
}

static void find_starts(mo_curve *c) {
  uint32_t count = PARTS * c->segment_count;
  double length = 0.0;
  mo_quat frame = mo_quat_identity();
  for (uint32_t i = 0; i <= count; i++) {
    uint32_t segment = i < count ? i / PARTS : c->segment_count - 1;
    cubic q = cubic_of(c, segment);
    mo_curve_point at = locate(c, (double)i / PARTS);
    part_start *start = &c->starts[i];
    start->length = length;
    start->position = at.position;
    start->tangent = mo_normalize(at.velocity);
    start->frame = i > 0 ? frame : mo_quat_between(mo_v3(1.0, 0.0, 0.0), start->tangent);
    double t = (double)(i % PARTS) / PARTS;
    if (i < count) {
      length += length_between(&q, t, t + 1.0 / PARTS);
      frame = mo_quat_normalize(carried(start, &q, t, t + 1.0 / PARTS));
    }
  }
  c->length = length;
}

// The angle from `from` to `to` about a unit axis to which both are perpendicular.
static double angle_about(mo_vec3 axis, mo_vec3 from, mo_vec3 to) {
  return mo_arc_tangent(mo_dot(axis, mo_cross(from, to)), mo_dot(from, to));
}

// The frame of a closed curve must come back to where it began.
static void close_frame(mo_curve *c) {
  const part_start *first = &c->starts[0], *last = first + (size_t)PARTS * c->segment_count;
  mo_vec3 y = {0.0, 1.0, 0.0};
  mo_vec3 began = mo_quat_rotate(first->frame, y), ended = mo_quat_rotate(last->frame, y);
  c->twist = c->is_closed ? angle_about(first->tangent, ended, began) / c->length : 0.0;
}

mo_curve_frame mo_curve_frame_at(const mo_curve *c, const mo_curve_point *at) {
  double turns;
  const part_start *start = part_at(c, at->u, &turns);
  uint32_t index = (uint32_t)(start - c->starts);
  uint32_t segment = index / PARTS;
  double t = at->u - turns * c->segment_count - segment;
  cubic q = cubic_of(c, segment);
  mo_quat even = carried(start, &q, (double)(index % PARTS) / PARTS, mo_clamp(t, 0.0, 1.0));
  mo_vec3 turn = mo_scale(c->twist * (at->length - turns * c->length), at->tangent);
  return (mo_curve_frame){mo_quat_normalize(mo_quat_mul(mo_quat_exp(turn), even)), c->twist};
}

// --- making one ------------------------------------------------------------------------------

mo_curve *mo_curve_create(const mo_vec3 *points, uint32_t count, bool closed) {
  uint32_t segments = closed ? count : count - 1;
  size_t starts = (size_t)PARTS * segments + 1;
  mo_curve *c =
      mo_allocate(sizeof *c + starts * sizeof *c->starts + 2 * (size_t)count * sizeof *points);
  if (!c) {
    return NULL;
  }
  *c = (mo_curve){.point_count = count, .segment_count = segments, .is_closed = closed};
  c->starts = (part_start *)(c + 1);
  c->points = (mo_vec3 *)(c->starts + starts);
  c->slopes = c->points + count;
  for (uint32_t i = 0; i < count; i++) {
    c->points[i] = points[i];
  }
  find_slopes(c);
  find_starts(c);
  close_frame(c);
  return c;
}

void mo_curve_destroy(mo_curve *curve) { mo_release(curve); }

const mo_vec3 *mo_curve_points(const mo_curve *curve, uint32_t *count) {
  *count = curve->point_count;
  return curve->points;
}

bool mo_curve_is_closed(const mo_curve *curve) { return curve->is_closed; }

double mo_curve_length(const mo_curve *curve) { return curve->length; }
