/*
 * Exports of vehicles.
 */
#include "../generated/abi.h"

#include <stdlib.h>

// Reads the wheels of a vehicle, and of their states what the update goes on from.
static void read_wheels(const mo_world *world, cursor *at, mo_wheel *wheels, mo_wheel_state *states,
                        uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    read_wheel(at, &wheels[i]);
  }
  for (uint32_t i = 0; i < count; i++) {
    abi_wheel_motion motion;
    read_wheel_motion(at, &motion);
    states[i] = (mo_wheel_state){.ground = tagged_body(world, motion.ground),
                                 .rotation = motion.rotation,
                                 .spin = motion.spin,
                                 .forecast_linear = motion.forecast_linear,
                                 .forecast_angular = motion.forecast_angular};
  }
}

static mo_result update(mo_world *world, cursor at, const abi_vehicle *given, mo_wheel *wheels,
                        mo_wheel_state *states) {
  read_wheels(world, &at, wheels, states, given->wheel_count);
  mo_vehicle vehicle = {.chassis = tagged_body(world, given->chassis),
                        .filter = {.category = given->category, .mask = given->mask},
                        .wheels = wheels,
                        .wheel_count = given->wheel_count};
  mo_result result = mo_vehicle_update(world, &vehicle, given->dt, states);
  at = io;
  for (uint32_t i = 0; result == MO_OK && i < given->wheel_count; i++) {
    write_wheel_state(&at, &states[i]);
  }
  return result;
}

/* Reads a vehicle with its wheels and what their update goes on from; writes their states. */
EXPORT(int, vehicle_update, mo_world *world) {
  cursor at = io;
  abi_vehicle given;
  read_vehicle(&at, &given);
  uint32_t numbers = WHEEL_NUMBERS + WHEEL_MOTION_NUMBERS;
  mo_wheel *wheels =
      allocate_list(at, given.wheel_count, numbers, sizeof(mo_wheel) + sizeof(mo_wheel_state));
  mo_result result = last_result;
  if (wheels) {
    mo_wheel_state *states = (mo_wheel_state *)(void *)(wheels + given.wheel_count);
    result = update(world, at, &given, wheels, states);
  }
  free(wheels);
  return (int)result;
}
