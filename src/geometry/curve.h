/// Smooth curves through points: cubic splines with two continuous derivatives (de Boor 1978,
/// chapter IV), with their arc length and a frame that moves along them.
///
/// The parameter u is i at point i. An open curve is natural: it has no curvature at its ends, and
/// goes on straight beyond them. A closed one goes on periodically.
///
/// The frame has the tangent as x. It turns about the tangent no more than it must (Bishop 1975),
/// but for an even twist that closes it after a turn around a closed curve.
#pragma once

#include "math/quat.h"

/// The least and the most points of a curve.
#define MO_CURVE_LEAST_POINTS 2
#define MO_CURVE_LEAST_CLOSED_POINTS 3
#define MO_CURVE_MOST_POINTS 65536

typedef struct mo_curve mo_curve;

/// A point of a curve.
typedef struct mo_curve_point {
  double u;
  double length;               ///< m from the first point; of a closed curve with full turns
  mo_vec3 position;            ///< m
  mo_vec3 tangent;             ///< unit
  mo_vec3 bend;                ///< 1/m: the derivative of the tangent by the length
  mo_vec3 velocity, curvature; ///< the first two derivatives of the position by `u`, m
} mo_curve_point;

/// A frame of a curve, and how it turns.
typedef struct mo_curve_frame {
  mo_quat orientation; ///< x is the tangent
  double twist;        ///< rad/m about the tangent; about the others it turns with the tangent
} mo_curve_frame;

/// A curve through points, of which neighbours must differ. Null without memory. It never changes,
/// so that many may share it: it lives until each of them has released it.
mo_curve *mo_curve_create(const mo_vec3 *points, uint32_t count, bool closed);
mo_curve *mo_curve_retain(mo_curve *curve);
void mo_curve_release(mo_curve *curve);
/// Whether a curve is the one through these points, to the bit.
bool mo_curve_goes_through(const mo_curve *curve, const mo_vec3 *points, uint32_t count,
                           bool closed);

const mo_vec3 *mo_curve_points(const mo_curve *curve, uint32_t *count);
bool mo_curve_is_closed(const mo_curve *curve);
/// m, from the first point to the last one, or around.
double mo_curve_length(const mo_curve *curve);

mo_curve_point mo_curve_at(const mo_curve *curve, double u);
/// The point at a length from the first point.
mo_curve_point mo_curve_at_length(const mo_curve *curve, double length);
/// The point that is nearest to `to`, of the whole curve. An open curve ends at its ends here.
mo_curve_point mo_curve_search(const mo_curve *curve, mo_vec3 to);
/// The point from which the way to `to` is perpendicular to the curve, near a parameter.
mo_curve_point mo_curve_project(const mo_curve *curve, mo_vec3 to, double near_u);
mo_curve_frame mo_curve_frame_at(const mo_curve *curve, const mo_curve_point *at);
