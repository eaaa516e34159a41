/// How fast a motor without gains goes towards its target, so that it comes to rest there.
#pragma once

#include <stdint.h>

/// A motor at the start of a step, relative to its target.
typedef struct mo_arrival {
  double way;          ///< m or rad that are left; 0 or more
  double rate;         ///< m/s or rad/s, towards the target
  double deceleration; ///< m/s^2 or rad/s^2: the most that its force gives; may be infinite
  double dt;           ///< s, of the step
  uint32_t substeps;   ///< in which the solver pushes; 0: none, the step is one push
} mo_arrival;

/// The speed towards the target to ask for in this step: the most from which it still stops at the
/// target, and no more than brings it there in this step. Not finite where the way is not.
double mo_arriving_speed(const mo_arrival *arrival);
