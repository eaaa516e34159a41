/// Worlds for tests of joints: up is z, and nothing falls asleep but where a test has it.
#pragma once

#include "world_fixture.h"

#include "math/vec3.h"

#define MO_TEST_PI 3.14159265358979323846
#define FREE_SOLVERS 3

static const mo_solver joint_solvers[FREE_SOLVERS] = {MO_SOLVER_EXACT, MO_SOLVER_BLOCK_PGS,
                                                      MO_SOLVER_SOFT_STEP};

static inline mo_world_def joint_settings(mo_solver solver, double gravity) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = solver;
  settings.gravity = vec(0, 0, -gravity);
  settings.allow_sleep = false;
  settings.iterations = 200;
  settings.tolerance = 1e-10;
  return settings;
}

static inline mo_world *joint_world(mo_solver solver, double gravity) {
  return make_world(joint_settings(solver, gravity));
}

/// A body of a given mass and principal moments, which collides with nothing nearby.
static inline mo_body_id add_wheel(mo_world *world, mo_vec3 position, double mass,
                                   mo_vec3 moments) {
  mo_body_def def = body_at(position.x, position.y, position.z, mass);
  def.has_inertia = true;
  def.inertia.cx.x = moments.x;
  def.inertia.cy.y = moments.y;
  def.inertia.cz.z = moments.z;
  def.filter.mask = 0;
  return add_body(world, def, sphere(0.1));
}

static inline mo_constraint_id add_joint(mo_world *world, const mo_constraint_def *def) {
  mo_constraint_id id = mo_constraint_create(world, def);
  if (mo_constraint_id_is_null(id)) {
    print_error("%s\n", mo_world_last_error(world));
  }
  assert_false(mo_constraint_id_is_null(id));
  return id;
}

/// A hinge or slider of a body to another one, or to the world, along an axis of both. The anchor
/// is B's origin.
static inline mo_constraint_id add_axle(mo_world *world, mo_constraint_type type, mo_body_id a,
                                        mo_body_id b, mo_vec3 axis) {
  mo_constraint_def def = mo_constraint_def_default(type);
  def.body_a = a;
  def.body_b = b;
  def.anchor_a = mo_body_local_point(world, a, state_of(world, b).position);
  def.axis_a = mo_body_local_vector(world, a, axis);
  def.axis_b = mo_body_local_vector(world, b, axis);
  return add_joint(world, &def);
}

static inline double coordinate_at(const mo_world *world, mo_constraint_id id) {
  mo_constraint_state state;
  assert_int_equal(mo_constraint_get_state(world, id, &state), MO_OK);
  return state.coordinate;
}

static inline void assert_near(double got, double expected, double tolerance) {
  if (!(fabs(got - expected) <= tolerance)) {
    print_error("%.12g instead of %.12g, off by %g\n", got, expected, got - expected);
  }
  assert_true(fabs(got - expected) <= tolerance);
}
