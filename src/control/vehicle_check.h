/// What a vehicle may be. Private to src/control.
#pragma once

#include "world/world.h"

/// The name of the public function, for errors.
#define MO_VEHICLE_UPDATE "mo_vehicle_update"
/// The least cosine of the angle between a strut and the normal of the ground with which the strut
/// carries: beyond 84 degrees the force along the normal would be more than ten times the spring's.
#define MO_WHEEL_LEAST_COSINE 0.1

/// Whether a wheel has the directions of the one before, as most wheels have.
static inline bool mo_wheel_is_like_before(const mo_vehicle *vehicle, const mo_wheel *wheel) {
  const mo_wheel *before = wheel - 1;
  return wheel > vehicle->wheels && mo_v3_is_same(wheel->direction, before->direction) &&
         mo_v3_is_same(wheel->axle, before->axle);
}

mo_result mo_vehicle_check(mo_world *world, const mo_vehicle *vehicle, double dt);
