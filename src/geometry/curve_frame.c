/// The frame that moves along a curve.
#include "geometry/curve_parts.h"

#include "math/scalar.h"

/// One more than the cosine of the most that a tangent turns within a part, beyond which its frame
/// is not followed exactly.
#define LEAST_COSINE 0.1

// The area between the way of the tangent and the arc from where it began, by parameter.
static double sweep_at(const mo_curve_cubic *q, mo_vec3 began, double t) {
  mo_curve_point at;
  mo_curve_set_derivatives(q, t, &at);
  mo_curve_set_tangent(&at);
  return mo_length(at.velocity) * mo_dot(mo_cross(began, at.tangent), at.bend) /
         mo_max(1.0 + mo_dot(began, at.tangent), LEAST_COSINE);
}

// The frame of a part, carried on to a point within it. The shortest turn of the tangent turns it
// about the tangent by the area that that sweeps (Hanson and Ma 1995), which is taken back.
static mo_quat carried(const mo_curve_start *start, const mo_curve_cubic *q, double from,
                       double to) {
  mo_curve_point at;
  mo_curve_set_derivatives(q, to, &at);
  mo_curve_set_tangent(&at);
  double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double sum = mo_gauss_weights[0] * sweep_at(q, start->tangent, middle);
  for (int i = 1; i < 3; i++) {
    double away = half * mo_gauss_places[i];
    sum += mo_gauss_weights[i] * (sweep_at(q, start->tangent, middle - away) +
                                  sweep_at(q, start->tangent, middle + away));
  }
  mo_quat turned = mo_quat_mul(mo_quat_between(start->tangent, at.tangent), start->frame);
  return mo_quat_mul(mo_quat_exp(mo_scale(half * sum, at.tangent)), turned);
}

static void find_starts(mo_curve *c) {
  uint32_t count = MO_CURVE_PARTS * c->segment_count;
  double length = 0.0;
  mo_quat frame = mo_quat_identity();
  for (uint32_t i = 0; i <= count; i++) {
    uint32_t segment = i < count ? i / MO_CURVE_PARTS : c->segment_count - 1;
    mo_curve_cubic q = mo_curve_cubic_of(c, segment);
    mo_curve_point at = mo_curve_locate(c, (double)i / MO_CURVE_PARTS);
    mo_curve_start *start = &c->starts[i];
    start->length = length;
    start->position = at.position;
    start->tangent = mo_normalize(at.velocity);
    start->frame = i > 0 ? frame : mo_quat_between(mo_v3(1.0, 0.0, 0.0), start->tangent);
    double t = (double)(i % MO_CURVE_PARTS) / MO_CURVE_PARTS;
    if (i < count) {
      length += mo_curve_length_between(&q, t, t + 1.0 / MO_CURVE_PARTS);
      frame = mo_quat_normalize(carried(start, &q, t, t + 1.0 / MO_CURVE_PARTS));
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
  const mo_curve_start *first = &c->starts[0],
                       *last = first + (size_t)MO_CURVE_PARTS * c->segment_count;
  mo_vec3 y = {0.0, 1.0, 0.0};
  mo_vec3 began = mo_quat_rotate(first->frame, y), ended = mo_quat_rotate(last->frame, y);
  c->twist = c->is_closed ? angle_about(first->tangent, ended, began) / c->length : 0.0;
}

void mo_curve_find_starts(mo_curve *c) {
  find_starts(c);
  close_frame(c);
}

mo_curve_frame mo_curve_frame_at(const mo_curve *c, const mo_curve_point *at) {
  double turns;
  const mo_curve_start *start = mo_curve_start_at(c, at->u, &turns);
  uint32_t index = (uint32_t)(start - c->starts);
  uint32_t segment = index / MO_CURVE_PARTS;
  double t = at->u - turns * c->segment_count - segment;
  mo_curve_cubic q = mo_curve_cubic_of(c, segment);
  mo_quat even =
      carried(start, &q, (double)(index % MO_CURVE_PARTS) / MO_CURVE_PARTS, mo_clamp(t, 0.0, 1.0));
  mo_vec3 turn = mo_scale(c->twist * (at->length - turns * c->length), at->tangent);
  return (mo_curve_frame){mo_quat_normalize(mo_quat_mul(mo_quat_exp(turn), even)), c->twist};
}
