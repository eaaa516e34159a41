/*
 * The one import of the module: functions of the user, which the engine calls in the middle of one
 * of its own calls.
 */
#ifndef MOREAU_ABI_CALLBACK_H
#define MOREAU_ABI_CALLBACK_H

#include "../generated/abi.h"

/* The module's one import: has JavaScript do `phase` of the object that it gave `handle` to, which
 * reads and writes `values`. 0, or a code where that failed. Never unwinds. */
__attribute__((import_module("moreau"), import_name("callback"))) int
js_callback(int kind, uint32_t handle, int phase, double *values);

#endif
