/// Checks of arguments. Each returns MO_OK, or records the refusal and returns its code.
#pragma once

#include "world/world.h"

/// Returns from the calling function with the code of a check that refused.
#define MO_RETURN_IF_REFUSED(call)                                                                 \
  do {                                                                                             \
    mo_result refused = (call);                                                                    \
    if (refused != MO_OK) {                                                                        \
      return refused;                                                                              \
    }                                                                                              \
  } while (0)

/// No callback of the user is running. Every function that changes the world checks this first.
mo_result mo_check_unlocked(mo_world *world, const char *function);
/// The id belongs to this world (else MO_ERROR_INVALID_ARGUMENT) and names something alive (else
/// MO_ERROR_STALE_HANDLE). All checks of ids are here (ids.c).
mo_result mo_check_body_id(mo_world *world, const char *function, const char *argument,
                           mo_body_id id);
mo_result mo_check_constraint_id(mo_world *world, const char *function, mo_constraint_id id);
mo_result mo_check_joint_id(mo_world *world, const char *function, const char *argument,
                            mo_constraint_id id);
mo_result mo_check_potential_id(mo_world *world, const char *function, mo_potential_id id);
/// Unlocked, and mo_check_body_id.
mo_result mo_check_body(mo_world *world, mo_body_id id, const char *function);
/// The same without a text, for functions that only read.
mo_result mo_find_body(const mo_world *world, mo_body_id id);
mo_result mo_find_constraint(const mo_world *world, mo_constraint_id id);
mo_result mo_check_vec3(mo_world *world, const char *function, const char *name, mo_vec3 v);
/// lower <= x <= upper and finite; `must` is the text for that.
mo_result mo_check_range(mo_world *world, const char *function, const char *name, double x,
                         double lower, double upper, const char *must);
/// Above 0 and finite, and so is its inverse.
mo_result mo_check_above_zero(mo_world *world, const char *function, const char *name, double x);
/// Finite and not zero.
mo_result mo_check_orientation(mo_world *world, const char *function, mo_quat q);
/// Finite, symmetric and positive definite, by leading minors (Sylvester).
mo_result mo_check_inertia(mo_world *world, const char *function, mo_mat3 m);
/// One of mo_combine.
mo_result mo_check_combine(mo_world *world, const char *function, const char *name,
                           mo_combine rule);
/// Bits of three axes.
mo_result mo_check_locks(mo_world *world, const char *function, const char *name, uint32_t axes);
/// A static body has no velocity.
mo_result mo_check_static_velocity(mo_world *world, const char *function, mo_body_type type,
                                   mo_vec3 velocity);
/// The settings of a world.
mo_result mo_check_settings(mo_world *world, const char *function, const mo_world_def *def);
