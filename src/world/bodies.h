/// Checks that the calls on bodies share. Each returns MO_OK or records the refusal.
#pragma once

#include "world/world.h"

mo_result mo_check_body(mo_world *world, mo_body_id id, const char *function);
mo_result mo_check_vec3(mo_world *world, const char *function, const char *name, mo_vec3 v);
/// lower <= x <= upper and finite; `must` says so in words.
mo_result mo_check_range(mo_world *world, const char *function, const char *name, double x,
                         double lower, double upper, const char *must);
/// Finite and not zero.
mo_result mo_check_orientation(mo_world *world, const char *function, mo_quat q);
/// A static body has no velocity.
mo_result mo_check_static_velocity(mo_world *world, const char *function, mo_body_type type,
                                   mo_vec3 velocity);
