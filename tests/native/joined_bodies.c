/**
 * Runs a small machine of joints, a spring and a floor with every integrator and solver, and
 * prints the hash of each: tests/node/determinism.test.mjs runs the same in wasm.
 */
#include "moreau.h"

#include <inttypes.h>
#include <stdio.h>

#define LINKS 6

static mo_placed_shape placed(mo_shape *shape) {
  return (mo_placed_shape){.shape = shape,
                           .pose = {.orientation = {0, 0, 0, 1}},
                           .density = -1,
                           .friction = -1,
                           .restitution = -1};
}

static void add_floor(mo_world *world) {
  mo_result result;
  mo_shape *shape = mo_shape_create_plane((mo_vec3){0.0, 1.0, 0.0}, -1.5, &result);
  mo_placed_shape floor_shape = placed(shape);
  mo_body_def floor = mo_body_def_default();
  floor.type = MO_BODY_STATIC;
  floor.shapes = &floor_shape;
  floor.shape_count = 1;
  mo_body_create(world, &floor);
  mo_shape_release(shape);
}

static void add_machine(mo_world *world) {
  mo_result result;
  mo_shape *shape = mo_shape_create_box((mo_vec3){0.25, 0.1, 0.05}, &result);
  mo_placed_shape link_shape = placed(shape);
  static const mo_constraint_type kinds[LINKS] = {MO_CONSTRAINT_BALL,     MO_CONSTRAINT_HINGE,
                                                  MO_CONSTRAINT_DISTANCE, MO_CONSTRAINT_FIXED,
                                                  MO_CONSTRAINT_BALL,     MO_CONSTRAINT_SLIDER};
  mo_body_id last = MO_NULL_BODY_ID;
  for (int i = 0; i < LINKS; i++) {
    mo_body_def link = mo_body_def_default();
    link.shapes = &link_shape;
    link.shape_count = 1;
    link.has_mass = true;
    link.mass = 1.0 + i;
    link.position = (mo_vec3){0.5 * i + 0.25, 0.0, 0.0};
    link.angular_velocity = (mo_vec3){0.5, 0.25 * i, 0.0};
    mo_body_id body = mo_body_create(world, &link);
    mo_constraint_def joint = mo_constraint_def_default(kinds[i]);
    joint.body_a = last;
    joint.body_b = body;
    joint.anchor_a = mo_body_id_is_null(last) ? (mo_vec3){0, 0, 0} : (mo_vec3){0.25, 0, 0};
    joint.anchor_b = (mo_vec3){-0.25, 0, 0};
    if (kinds[i] == MO_CONSTRAINT_HINGE || kinds[i] == MO_CONSTRAINT_SLIDER) {
      joint.axis_a = joint.axis_b = (mo_vec3){0, 0, 1};
    }
    mo_constraint_create(world, &joint);
    last = body;
  }
  mo_shape_release(shape);
  mo_potential_def spring = mo_potential_def_default(MO_POTENTIAL_SPRING);
  const mo_body_id ends[2] = {last, MO_NULL_BODY_ID};
  spring.bodies = ends;
  spring.body_count = 2;
  spring.anchor_b = (mo_vec3){3.0, 2.0, 1.0};
  spring.stiffness = 20.0;
  spring.damping = 0.5;
  mo_potential_create(world, &spring);
}

int main(void) {
  static const mo_solver solvers[] = {MO_SOLVER_BLOCK_PGS, MO_SOLVER_EXACT, MO_SOLVER_SOFT_STEP};
  for (int solver = 0; solver < 3; solver++) {
    // soft-step has an integrator of its own
    int last = solvers[solver] == MO_SOLVER_SOFT_STEP ? MO_INTEGRATOR_SEMI_IMPLICIT_EULER
                                                      : MO_INTEGRATOR_IMPLICIT_MIDPOINT;
    for (int integrator = 0; integrator <= last; integrator++) {
      mo_result result;
      mo_world_def settings = mo_world_def_default();
      settings.solver = solvers[solver];
      settings.integrator = (mo_integrator)integrator;
      mo_world *world = mo_world_create(&settings, &result);
      if (!world) {
        return 1;
      }
      add_floor(world);
      add_machine(world);
      for (int step = 0; step < 500; step++) {
        if (mo_world_step(world, 1.0 / 120.0) != MO_OK) {
          fprintf(stderr, "%s\n", mo_world_last_error(world));
          return 1;
        }
      }
      printf("%016" PRIx64 "\n", mo_world_hash(world));
      mo_world_destroy(world);
    }
  }
  return 0;
}
