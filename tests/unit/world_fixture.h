/// Worlds with a floor for tests of the C interface. Up is z, as in the acceptance cases.
#pragma once

#include "moreau.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static inline mo_vec3 vec(double x, double y, double z) { return (mo_vec3){x, y, z}; }

/// The default settings with block-pgs.
static inline mo_world_def row_settings(void) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = MO_SOLVER_BLOCK_PGS;
  return settings;
}

/// The settings of the acceptance cases: 200 sweeps, no slop, no position correction, everything
/// bounces.
static inline mo_world_def acceptance_settings(void) {
  mo_world_def settings = row_settings();
  settings.gravity = vec(0, 0, -9.81);
  settings.iterations = 200;
  settings.tolerance = 1e-10;
  settings.restitution_threshold = 0.0;
  settings.linear_slop = 0.0;
  settings.stabilization = MO_STABILIZATION_NONE;
  return settings;
}

static inline mo_world *make_world(mo_world_def settings) {
  mo_result result = MO_OK;
  mo_world *world = mo_world_create(&settings, &result);
  assert_int_equal(result, MO_OK);
  return world;
}

static inline mo_placed_shape place(mo_shape *shape) {
  return (mo_placed_shape){.shape = shape,
                           .pose = {.orientation = {0, 0, 0, 1}},
                           .density = -1.0,
                           .friction = -1.0,
                           .restitution = -1.0};
}

#define assert_same_body(a, b) assert_true(mo_body_id_equals((a), (b)))
#define assert_same_constraint(a, b) assert_true(mo_constraint_id_equals((a), (b)))

/// Creates a body with one shape, whose reference it takes over.
static inline mo_body_id add_body(mo_world *world, mo_body_def def, mo_shape *shape) {
  mo_placed_shape placed = place(shape);
  assert_non_null(shape);
  def.shapes = &placed;
  def.shape_count = 1;
  mo_body_id id = mo_body_create(world, &def);
  mo_shape_release(shape);
  return id;
}

static inline mo_shape *box(double hx, double hy, double hz) {
  mo_result result;
  return mo_shape_create_box(vec(hx, hy, hz), &result);
}

static inline mo_shape *sphere(double radius) {
  mo_result result;
  return mo_shape_create_sphere(radius, &result);
}

static inline mo_body_def body_at(double x, double y, double z, double mass) {
  mo_body_def def = mo_body_def_default();
  def.position = vec(x, y, z);
  def.has_mass = mass > 0.0;
  def.mass = mass;
  return def;
}

/// A static slab with its top at z = 0.
static inline mo_body_id add_floor(mo_world *world) {
  mo_body_def def = body_at(0, 0, -0.5, 0);
  def.type = MO_BODY_STATIC;
  return add_body(world, def, box(50, 50, 0.5));
}

/// A static mesh: two slopes that rise by 1 in 3 from the line x = 0 on the floor.
static inline mo_body_id add_bowl(mo_world *world) {
  static const mo_vec3 vertices[] = {{-3, -3, 1}, {-3, 3, 1}, {0, -3, 0},
                                     {0, 3, 0},   {3, -3, 1}, {3, 3, 1}};
  static const uint32_t indices[] = {0, 2, 1, 2, 3, 1, 2, 4, 3, 4, 5, 3};
  const mo_mesh_def mesh = {vertices, 6, indices, 12, false};
  mo_result result;
  mo_body_def def = body_at(0, 0, 0, 0);
  def.type = MO_BODY_STATIC;
  return add_body(world, def, mo_shape_create_mesh(&mesh, &result));
}

static inline mo_body_state state_of(const mo_world *world, mo_body_id body) {
  mo_body_state state;
  assert_int_equal(mo_body_get_state(world, body, &state), MO_OK);
  return state;
}

static inline void step_many(mo_world *world, double dt, int steps) {
  for (int i = 0; i < steps; i++) {
    assert_int_equal(mo_world_step(world, dt), MO_OK);
  }
}
