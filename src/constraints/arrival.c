#include "constraints/arrival.h"

#include "math/scalar.h"

// Let a be the deceleration and h the length of a substep. Here speeds are in units of a h and ways
// of a h^2: so a motor that brakes is slower by 1 in each substep, and goes as far as its speed. A
// continuous motion would come to rest after q^2 / 2, this one after q + (q - 1) + (q - 2) + ...
//
// A motor is told one speed q for all n substeps of a step. If it is at speed p and q is less, it
// has p - 1, p - 2, ... and then q, and after the step it can stop from q. That is at the target if
//   max(q, p - 1) + ... + max(q, p - n + 1) + q + (q - 1) + (q - 2) + ... = way,
// without terms below 0 at the end. One that speeds up goes a little less far in this step than
// that, and makes up for it in the next.

// Where the tangent of the left side at q has the value `way`.
static double next_guess(double way, double rate, double substeps, double q) {
  double stopping = floor(q); // terms behind the first q
  double faster = mo_clamp(ceil(rate - q) - 1.0, 0.0, substeps - 1.0);
  double gone = faster * rate - 0.5 * faster * (faster + 1.0);
  double slope = substeps - faster + stopping;
  return (way - gone + 0.5 * stopping * (stopping + 1.0)) / slope;
}

// The left side is convex and made of straight pieces, so Newton's method comes from above, piece
// by piece, and ends on the one with the solution: mostly the second or third.
static double stopping_speed(double way, double rate, double substeps) {
  double q = sqrt(2.0 * way), next = next_guess(way, rate, substeps, q);
  while (next < q && next > 0.0) {
    q = next;
    next = next_guess(way, rate, substeps, q);
  }
  return mo_max(mo_min(next, q), 0.0);
}

double mo_arriving_speed(const mo_arrival *arrival) {
  double substeps = arrival->substeps > 1 ? arrival->substeps : 1.0, h = arrival->dt / substeps;
  double unit = arrival->deceleration * h;
  if (!(unit < INFINITY)) {
    return arrival->way / arrival->dt;
  }
  return unit * stopping_speed(arrival->way / (unit * h), arrival->rate / unit, substeps);
}
