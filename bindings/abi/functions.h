/*
 * Functions of the user in JavaScript, by the handle that it gave to them, as the engine calls
 * them.
 */
#ifndef MOREAU_ABI_FUNCTIONS_H
#define MOREAU_ABI_FUNCTIONS_H

#include "moreau.h"

/* Which functions there are beside `evaluate`, and beside the wrench. */
enum { HAS_JACOBIAN = 1, HAS_TIME_DERIVATIVE = 2, HAS_IS_ACTIVE = 4, HAS_ENERGY = 1 };

mo_user_functions constraint_functions(uint32_t handle, uint32_t has);
mo_user_functions potential_functions(uint32_t handle, uint32_t has);

#endif
