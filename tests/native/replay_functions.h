/*
 * Functions of custom constraints and potentials that tests/golden/functions.mjs has too, in the
 * same order. Both write the same operations in the same order, so that they round alike.
 */
#pragma once

#include "moreau.h"

typedef struct constraint_functions {
  uint32_t dimension;
  bool is_unilateral;
  mo_constraint_function *evaluate, *jacobian;
} constraint_functions;

/* A bead on a parabola that moves along z with 0.125 m/s. */
static bool rail(void *user, const mo_constraint_body *a, const mo_constraint_body *b, double time,
                 double *out) {
  (void)user;
  (void)b;
  mo_vec3 r = a->center_of_mass;
  out[0] = r.y - 0.25 * r.x * r.x;
  out[1] = r.z - 0.125 * time;
  return true;
}

static mo_vec3 between(const mo_constraint_body *a, const mo_constraint_body *b) {
  mo_vec3 from = a->center_of_mass, to = b->center_of_mass;
  return (mo_vec3){to.x - from.x, to.y - from.y, to.z - from.z};
}

/* Centres of mass that are at most 2 m apart. */
static bool leash(void *user, const mo_constraint_body *a, const mo_constraint_body *b, double time,
                  double *out) {
  (void)user;
  (void)time;
  mo_vec3 d = between(a, b);
  out[0] = 4.0 - (d.x * d.x + d.y * d.y + d.z * d.z);
  return true;
}

static bool leash_jacobian(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                           double time, double *out) {
  (void)user;
  (void)time;
  mo_vec3 d = between(a, b);
  out[0] = 2.0 * d.x;
  out[1] = 2.0 * d.y;
  out[2] = 2.0 * d.z;
  out[6] = -2.0 * d.x;
  out[7] = -2.0 * d.y;
  out[8] = -2.0 * d.z;
  return true;
}

static const constraint_functions replay_constraints[] = {
    {.dimension = 2, .evaluate = rail},
    {.dimension = 1, .is_unilateral = true, .evaluate = leash, .jacobian = leash_jacobian},
};

/* A well around the origin with drag in it. */
static bool well(const mo_potential_body *body, double time, mo_wrench *wrench, void *user) {
  (void)time;
  (void)user;
  mo_vec3 r = body->center_of_mass, v = body->linear_velocity, w = body->angular_velocity;
  wrench->force = (mo_vec3){-3.0 * r.x - 0.5 * v.x, -3.0 * r.y - 0.5 * v.y, -3.0 * r.z - 0.5 * v.z};
  wrench->torque = (mo_vec3){-0.0625 * w.x, -0.0625 * w.y, -0.0625 * w.z};
  return true;
}

static mo_potential_wrench_function *const replay_potentials[] = {well};
