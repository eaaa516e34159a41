/// What a curve is made of. Private to src/geometry.
#pragma once

#include "geometry/curve.h"

/// Parts of a segment between two points, from each of which lengths and frames are continued.
#define MO_CURVE_PARTS 16

/// Where a part of a segment begins.
typedef struct mo_curve_start {
  double length; // m, from the first point
  mo_vec3 position, tangent;
  mo_quat frame; // without the twist that closes it
} mo_curve_start;

struct mo_curve {
  uint32_t reference_count;
  uint32_t point_count, segment_count;
  bool is_closed;
  double length; // m
  double twist;  // rad/m
  mo_vec3 *points;
  mo_vec3 *slopes;        // per point: the derivative by the length of the chords
  mo_curve_start *starts; // MO_CURVE_PARTS * segment_count + 1 of them
};

/// a + b t + c t^2 + d t^3 of a segment.
typedef struct mo_curve_cubic {
  mo_vec3 a, b, c, d;
} mo_curve_cubic;

mo_curve_cubic mo_curve_cubic_of(const mo_curve *curve, uint32_t segment);
void mo_curve_set_derivatives(const mo_curve_cubic *cubic, double t, mo_curve_point *out);
/// Tangent and bend from the derivatives; zeros where the way turns back.
void mo_curve_set_tangent(mo_curve_point *at);
/// The point of a parameter, without length, tangent and bend. Of an open curve the part beyond an
/// end is straight.
mo_curve_point mo_curve_locate(const mo_curve *curve, double u);
/// The start of the part that a parameter is in.
const mo_curve_start *mo_curve_start_at(const mo_curve *curve, double u, double *turns);

/// Of Gauss and Legendre with five points, from the middle outwards.
extern const double mo_gauss_places[3];
extern const double mo_gauss_weights[3];
/// The length of a segment between two parameters.
double mo_curve_length_between(const mo_curve_cubic *cubic, double from, double to);

/// Sets the starts of the parts, and with them length and twist (curve_frame.c).
void mo_curve_find_starts(mo_curve *curve);
