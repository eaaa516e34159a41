/* Writes the snapshots from which libfuzzer-snapshots begins to a folder:
 *
 *     snapshot-seeds <folder>
 *
 * They are no files of the repository, because each version of the format has others. */
#include "moreau.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define BODIES 6

static void fail(const char *what, const char *detail) {
  fprintf(stderr, "snapshot-seeds: %s: %s\n", what, detail);
  exit(1);
}

static mo_body_id add(mo_world *world, mo_body_type type, mo_shape *shape, mo_vec3 position) {
  mo_body_def def = mo_body_def_default();
  mo_placed_shape placed = mo_placed_shape_default(shape);
  def.type = type;
  def.position = position;
  def.shapes = &placed;
  def.shape_count = 1;
  mo_body_id id = mo_body_create(world, &def);
  mo_shape_release(shape);
  if (mo_body_id_is_null(id)) {
    fail("no body", mo_world_last_error(world));
  }
  return id;
}

// --- what the worlds have --------------------------------------------------------------------

static mo_shape *mesh_floor(void) {
  static const mo_vec3 vertices[] = {{-4, 0, -4}, {-4, 0, 4}, {4, 0, 4}, {4, 0, -4}};
  static const uint32_t indices[] = {0, 1, 2, 0, 2, 3};
  const mo_mesh_def def = {vertices, 4, indices, 6, false};
  mo_result result;
  return mo_shape_create_mesh(&def, &result);
}

static mo_shape *tetrahedron(void) {
  static const mo_vec3 points[] = {{0, 0.4, 0}, {0.4, -0.3, 0}, {-0.3, -0.3, 0.3}, {0, -0.3, -0.4}};
  mo_hull *hull;
  mo_result result = mo_hull_create(points, 4, &hull);
  if (result != MO_OK) {
    fail("no hull", mo_result_name(result));
  }
  mo_shape *shape = mo_shape_create_hull(hull, &result);
  mo_hull_release(hull);
  return shape;
}

static mo_shape *pair_of_balls(void) {
  mo_result result;
  mo_shape *ball = mo_shape_create_sphere(0.2, &result);
  mo_placed_shape parts[2] = {mo_placed_shape_default(ball), mo_placed_shape_default(ball)};
  parts[1].pose.position.x = 0.3;
  mo_shape *shape = mo_shape_create_compound(parts, 2, &result);
  mo_shape_release(ball);
  return shape;
}

// One shape after the other, in a heap.
static void add_bodies(mo_world *world, mo_body_id bodies[BODIES]) {
  mo_result result;
  mo_shape *shapes[BODIES] = {mo_shape_create_box((mo_vec3){0.3, 0.2, 0.3}, &result),
                              mo_shape_create_sphere(0.3, &result),
                              mo_shape_create_capsule(0.2, 0.2, &result),
                              mo_shape_create_cylinder(0.3, 0.2, 0.0, &result),
                              tetrahedron(),
                              pair_of_balls()};
  for (int i = 0; i < BODIES; i++) {
    bodies[i] = add(world, MO_BODY_DYNAMIC, shapes[i], (mo_vec3){0.25 * (i % 2), 0.3 + 0.5 * i, 0});
  }
}

// Joints of a type between neighbours.
static void add_joints(mo_world *world, const mo_body_id bodies[BODIES], mo_constraint_type type) {
  for (int i = 0; i + 1 < BODIES; i += 2) {
    mo_constraint_def def = mo_constraint_def_default(type);
    def.body_a = bodies[i];
    def.body_b = bodies[i + 1];
    def.ground_anchor_a = (mo_vec3){0, 5, 0};
    def.ground_anchor_b = (mo_vec3){1, 5, 0};
    const mo_vec3 points[] = {{-1, 0, 0}, {0, 1, 0}, {1, 0, 0}};
    def.path = (mo_path_def){points, 3, i % 4 == 0, MO_PATH_ALIGN_FRAME};
    if (mo_constraint_id_is_null(mo_constraint_create(world, &def))) {
      fail("no joint", mo_world_last_error(world));
    }
  }
}

static void add_others(mo_world *world, const mo_body_id bodies[BODIES]) {
  mo_result result;
  mo_potential_def spring = mo_potential_def_default(MO_POTENTIAL_DRAG);
  spring.linear_drag = 0.1;
  spring.bodies = bodies;
  spring.body_count = 2;
  (void)mo_potential_create(world, &spring);
  mo_body_id lift =
      add(world, MO_BODY_KINEMATIC, mo_shape_create_box((mo_vec3){0.5, 0.1, 0.5}, &result),
          (mo_vec3){1.5, 0.5, 0});
  (void)mo_body_move_to(world, lift, (mo_pose){{1.5, 1, 0}, {0, 0, 0, 1}}, 2.0);
  (void)mo_world_watch(world, MO_WATCH_CONTACTS | MO_WATCH_SENSORS);
}

// --- the files -------------------------------------------------------------------------------

static void write(mo_world *world, const char *folder, const char *kind, int number, int steps) {
  char path[1024];
  mo_bytes bytes;
  (void)snprintf(path, sizeof path, "%s/%s-%d-%d", folder, kind, number, steps);
  if (mo_world_snapshot(world, true, &bytes) != MO_OK) {
    fail("no snapshot", mo_world_last_error(world));
  }
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes.bytes, 1, bytes.count, file) != bytes.count || fclose(file) != 0) {
    fail("cannot write", path);
  }
}

// After some steps in which all falls, and after many, when all lies.
static void write_world(const char *folder, const char *kind, mo_solver solver,
                        mo_constraint_type joint) {
  mo_world_def settings = mo_world_def_default();
  mo_body_id bodies[BODIES];
  mo_result result;
  settings.solver = solver;
  mo_world *world = mo_world_create(&settings, &result);
  (void)add(world, MO_BODY_STATIC, mesh_floor(), (mo_vec3){0, 0, 0});
  add_bodies(world, bodies);
  add_others(world, bodies);
  if (joint != MO_CONSTRAINT_CUSTOM) {
    add_joints(world, bodies, joint);
  }
  for (int step = 0; step <= 300; step++) {
    if (step == 20 || step == 300) {
      write(world, folder, kind, joint, step);
    }
    (void)mo_world_step(world, 1.0 / 60.0);
  }
  mo_world_destroy(world);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    mo_solver solver;
  } solvers[] = {{"soft-step", MO_SOLVER_SOFT_STEP},
                 {"block-pgs", MO_SOLVER_BLOCK_PGS},
                 {"exact", MO_SOLVER_EXACT}};
  static const mo_constraint_type joints[] = {MO_CONSTRAINT_HINGE, MO_CONSTRAINT_PULLEY,
                                              MO_CONSTRAINT_SIX_DOF, MO_CONSTRAINT_WHEEL,
                                              MO_CONSTRAINT_PATH};
  if (argc != 2) {
    fail("usage", "snapshot-seeds <folder>");
  }
  for (int i = 0; i < 3; i++) {
    write_world(argv[1], solvers[i].name, solvers[i].solver, MO_CONSTRAINT_CUSTOM);
  }
  for (int i = 0; i < 5; i++) {
    write_world(argv[1], "joints", MO_SOLVER_SOFT_STEP, joints[i]);
  }
  return 0;
}
