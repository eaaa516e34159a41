/*
 * Runs a recorded scene natively and prints the hash of its state, for
 * tests/node/determinism.test.mjs: native and wasm must agree to the bit.
 *
 *     replay <file>
 *
 * The file is words separated by white space. Numbers are C hex floats, so that they arrive as they
 * were. See the readers below for the order of the words.
 */
#include "moreau.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *input;

static void fail(const char *what, const char *detail) {
  fprintf(stderr, "replay: %s%s%s\n", what, detail[0] ? ": " : "", detail);
  exit(1);
}

static double read_number(void) {
  double number;
  if (fscanf(input, "%la", &number) != 1)
    fail("a number is missing or malformed", "");
  return number;
}

static uint32_t read_count(void) { return (uint32_t)read_number(); }

static mo_vec3 read_vec3(void) {
  mo_vec3 v;
  v.x = read_number();
  v.y = read_number();
  v.z = read_number();
  return v;
}

static mo_quat read_quat(void) {
  mo_quat q;
  q.x = read_number();
  q.y = read_number();
  q.z = read_number();
  q.w = read_number();
  return q;
}

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory)
    fail("out of memory", "");
  return memory;
}

/* The type (a number of mo_shape_type), then its measures. */
static mo_shape *read_shape(void) {
  mo_result result = MO_OK;
  mo_shape *shape = NULL;
  uint32_t type = read_count();
  if (type == MO_SHAPE_SPHERE) {
    shape = mo_shape_create_sphere(read_number(), &result);
  } else if (type == MO_SHAPE_CAPSULE) {
    double radius = read_number();
    shape = mo_shape_create_capsule(radius, read_number(), &result);
  } else if (type == MO_SHAPE_BOX) {
    shape = mo_shape_create_box(read_vec3(), &result);
  } else if (type == MO_SHAPE_PLANE) {
    mo_vec3 normal = read_vec3();
    shape = mo_shape_create_plane(normal, read_number(), &result);
  } else if (type == MO_SHAPE_HULL) {
    uint32_t count = read_count();
    mo_vec3 *points = allocate(count, sizeof *points);
    for (uint32_t i = 0; i < count; i++)
      points[i] = read_vec3();
    mo_hull *hull;
    result = mo_hull_create(points, count, &hull);
    if (hull)
      shape = mo_shape_create_hull(hull, &result);
    mo_hull_release(hull);
    free(points);
  }
  if (!shape)
    fail("no shape", mo_result_name(result));
  return shape;
}

static mo_world *read_world(void) {
  mo_world_def def = mo_world_def_default();
  def.gravity = read_vec3();
  def.solver = (mo_solver)read_count();
  def.stabilization = (mo_stabilization)read_count();
  def.iterations = read_count();
  def.tolerance = read_number();
  def.restitution_threshold = read_number();
  def.linear_slop = read_number();
  def.error_reduction = read_number();
  def.max_correction_speed = read_number();
  def.substeps = read_count();
  def.contact_hertz = read_number();
  def.contact_damping = read_number();
  def.joint_hertz = read_number();
  def.joint_damping = read_number();
  def.allow_sleep = read_count() != 0;
  def.sleep_threshold = read_number();
  def.time_to_sleep = read_number();
  mo_result result;
  mo_world *world = mo_world_create(&def, &result);
  if (!world)
    fail("no world", mo_result_name(result));
  return world;
}

/* A body with one shape, given by its number. Optional values are preceded by 1, or are 0. */
static mo_body_id read_body(mo_world *world, mo_shape **shapes, uint32_t shape_count) {
  mo_body_def def = mo_body_def_default();
  def.type = (mo_body_type)read_count();
  uint32_t shape = read_count();
  if (shape >= shape_count)
    fail("a body has a shape that is not there", "");
  mo_placed_shape placed = {
      .shape = shapes[shape],
      .pose = {.orientation = {.w = 1.0}},
      .density = -1.0,
      .friction = -1.0,
      .restitution = -1.0,
  };
  def.shapes = &placed;
  def.shape_count = 1;
  def.position = read_vec3();
  def.orientation = read_quat();
  def.linear_velocity = read_vec3();
  def.angular_velocity = read_vec3();
  def.density = read_number();
  def.has_mass = read_count() != 0;
  if (def.has_mass)
    def.mass = read_number();
  def.has_inertia = read_count() != 0;
  if (def.has_inertia) {
    // Diagonal only: symmetric, so rows are columns.
    mo_vec3 diagonal = read_vec3();
    def.inertia = (mo_mat3){{diagonal.x, 0, 0}, {0, diagonal.y, 0}, {0, 0, diagonal.z}};
  }
  def.friction = read_number();
  def.restitution = read_number();
  def.linear_damping = read_number();
  def.angular_damping = read_number();
  def.gravity_scale = read_number();
  def.filter.category = read_count();
  def.filter.mask = read_count();
  def.filter.group = (int32_t)read_number();
  def.bullet = read_count() != 0;
  def.allow_sleep = read_count() != 0;
  mo_body_id body = mo_body_create(world, &def);
  if (body == MO_NULL_ID)
    fail("no body", mo_world_last_error(world));
  return body;
}

/* A joint between bodies given by their numbers, 0 for the world and 1 for the first. */
static void read_joint(mo_world *world, const mo_body_id *bodies, uint32_t body_count) {
  mo_constraint_def def = mo_constraint_def_default((mo_constraint_type)read_count());
  uint32_t a = read_count(), b = read_count();
  if (a > body_count || b > body_count)
    fail("a joint has a body that is not there", "");
  def.body_a = a ? bodies[a - 1] : MO_NULL_ID;
  def.body_b = b ? bodies[b - 1] : MO_NULL_ID;
  def.anchor_a = read_vec3();
  def.anchor_b = read_vec3();
  def.axis_a = read_vec3();
  def.axis_b = read_vec3();
  if (read_count() != 0) {
    def.lower = read_number();
    def.upper = read_number();
  }
  if (mo_constraint_create(world, &def) == MO_NULL_ID)
    fail("no joint", mo_world_last_error(world));
}

int main(int argc, char **argv) {
  if (argc != 2)
    fail("usage: replay <file>", "");
  input = fopen(argv[1], "r");
  if (!input)
    fail("cannot read", argv[1]);

  mo_world *world = read_world();
  uint32_t shape_count = read_count();
  mo_shape **shapes = allocate(shape_count, sizeof *shapes);
  for (uint32_t i = 0; i < shape_count; i++)
    shapes[i] = read_shape();
  uint32_t body_count = read_count();
  mo_body_id *bodies = allocate(body_count, sizeof *bodies);
  for (uint32_t i = 0; i < body_count; i++)
    bodies[i] = read_body(world, shapes, shape_count);
  uint32_t joint_count = read_count();
  for (uint32_t i = 0; i < joint_count; i++)
    read_joint(world, bodies, body_count);

  double dt = read_number();
  uint32_t steps = read_count();
  for (uint32_t i = 0; i < steps; i++) {
    if (mo_world_step(world, dt) != MO_OK)
      fail("a step failed", mo_world_last_error(world));
  }
  printf("%016" PRIx64 "\n", mo_world_hash(world));

  mo_world_destroy(world);
  for (uint32_t i = 0; i < shape_count; i++)
    mo_shape_release(shapes[i]);
  free(shapes);
  free(bodies);
  fclose(input);
  return 0;
}
