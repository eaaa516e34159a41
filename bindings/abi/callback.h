/*
 * The one import of the module: functions of the user, which the engine calls in the middle of one
 * of its own calls.
 */
#ifndef MOREAU_ABI_CALLBACK_H
#define MOREAU_ABI_CALLBACK_H

#include "block.h"

// What a callback belongs to; the same numbers as KIND in bindings/core/callbacks.mjs.
enum { CALLBACK_CONSTRAINT = 0, CALLBACK_POTENTIAL = 1, CALLBACK_CLOCK = 2 };

/* The module's one import: has JavaScript do `phase` of the object that it gave `handle` to, which
 * reads and writes `values`. 0, or a code where that failed. Never unwinds. */
__attribute__((import_module("moreau"), import_name("callback"))) int
js_callback(int kind, uint32_t handle, int phase, double *values);

/** Numbers of a body as callbacks see it. */
#define CALLBACK_BODY_NUMBERS 16

/** Position, orientation, centre of mass, linear and angular velocity of a body: the order of
 * bindings/definitions/body-view.mjs. A macro, as constraints and potentials have structs of their
 * own with the same members. */
#define WRITE_CALLBACK_BODY(at, body)                                                              \
  do {                                                                                             \
    write_vec3(at, (body)->position);                                                              \
    write_quat(at, (body)->orientation);                                                           \
    write_vec3(at, (body)->center_of_mass);                                                        \
    write_vec3(at, (body)->linear_velocity);                                                       \
    write_vec3(at, (body)->angular_velocity);                                                      \
  } while (false)

#endif
