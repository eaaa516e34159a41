#include "solvers/soft_step/substep_hertz.h"

#include "math/scalar.h"

#include <math.h>

// Frequency of a contact per settings.contact_hertz. A tall stack of soft contacts buckles under
// its own weight like a column (Euler 1744), so contacts are as stiff as four substeps of 1/240 s
// allow.
#define CONTACT_STIFFNESS 1.75
// The largest joint frequency times h. Stiffer joints correct errors faster than one pass per
// substep can spread them along a chain, and the errors grow again.
#define STIFFEST_JOINT (1.0 / 3.0)

// The highest frequency at which the sweeps over contacts are stable, whatever else they act on.
//
// One sweep changes a motion in which many contacts take part, such as the leaning of a stack, by
// only a fraction e of the error. Its impulse p then follows p' = -(e m / h) (2 v + b x) - c p:
// both sweeps of a substep act against the velocity v, only the one with bias against the
// displacement x, and the spring forgets p at the rate c. With x'' = p' / (m h) the characteristic
// polynomial is s^3 + c s^2 + (2 e / h^2) s + e b / h^2, and it is stable for every e if b <= 2 c
// (Routh 1877). With omega the spring's angular frequency and z its damping ratio, b h = omega h /
// (2 z + omega h) and c h = 1 / (1 + omega h (2 z + omega h)), so that b <= 2 c becomes omega h /
// (2 z + omega h) + (omega h)^2 <= 2. The bound here lies within for all z: the first term is at
// most 1 / (1 + z).
static double stable_hertz(double damping, double h) {
  return sqrt(2.0 - 1.0 / (1.0 + damping)) / (2.0 * MO_PI * h);
}

double mo_substep_most_contact_hertz(double damping, double h) {
  return stable_hertz(damping, h) / CONTACT_STIFFNESS;
}

double mo_substep_most_joint_hertz(double h) { return STIFFEST_JOINT / h; }

double mo_substep_contact_hertz(const mo_substep_settings *settings, double h) {
  return mo_min(CONTACT_STIFFNESS * settings->contact_hertz,
                stable_hertz(settings->contact_damping, h));
}
