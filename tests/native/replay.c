/*
 * Runs a recorded scene natively and prints the hash of its state, for
 * tests/node/determinism.test.mjs: native and wasm must agree to the bit.
 *
 *     replay [--restored] [--threads n] <file> [step...]
 *
 * With --restored every step is made by a new world from the bytes of a snapshot of the one before,
 * which is destroyed: nothing that is not in them, no cache and no shape, can have a part in what
 * comes out.
 * Builds with MO_THREADS run on that many threads; others have one.
 * With steps, ascending, it prints for each of them the golden hashes of the state after it instead
 * (state_bits.h): the step, the hash of the motion, the hash of the contacts.
 *
 * The file is words separated by white space. Numbers are C hex floats, so that they arrive as they
 * were. See the readers below for the order of the words.
 */
#include "../unit/helper_fixture.h"
#include "memory/scratch.h"
#include "moreau.h"
#include "replay_functions.h"
#include "state_bits.h"
#include "world/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The number of coordinates, the coordinates, the number of indices, the indices. */
static mo_shape *read_mesh(mo_result *result) {
  mo_mesh_def def = {.vertex_count = read_count() / 3};
  mo_vec3 *vertices = allocate((uint32_t)def.vertex_count, sizeof *vertices);
  for (size_t i = 0; i < def.vertex_count; i++)
    vertices[i] = read_vec3();
  def.index_count = read_count();
  uint32_t *indices = allocate((uint32_t)def.index_count, sizeof *indices);
  for (size_t i = 0; i < def.index_count; i++)
    indices[i] = read_count();
  def.vertices = vertices;
  def.indices = indices;
  mo_shape *shape = mo_shape_create_mesh(&def, result);
  free(vertices);
  free(indices);
  return shape;
}

static mo_shape *read_heightfield(mo_result *result) {
  mo_heightfield_def def = {.rows = read_count()};
  def.columns = read_count();
  def.scale = read_vec3();
  double *heights = allocate(def.rows * def.columns, sizeof *heights);
  for (uint32_t i = 0; i < def.rows * def.columns; i++)
    heights[i] = read_number();
  def.heights = heights;
  mo_shape *shape = mo_shape_create_heightfield(&def, result);
  free(heights);
  return shape;
}

static mo_shape *read_shape(void);

/* Where a shape is, and its material. */
static mo_placed_shape read_placement(mo_shape *shape) {
  mo_placed_shape placed = mo_placed_shape_default(shape);
  placed.pose.position = read_vec3();
  placed.pose.orientation = read_quat();
  placed.density = read_number();
  placed.friction = read_number();
  placed.restitution = read_number();
  return placed;
}

/* The number of parts, then each shape and where it is. */
static mo_shape *read_compound(mo_result *result) {
  uint32_t count = read_count();
  mo_placed_shape *parts = allocate(count, sizeof *parts);
  for (uint32_t i = 0; i < count; i++)
    parts[i] = read_placement(read_shape());
  mo_shape *shape = mo_shape_create_compound(parts, count, result);
  for (uint32_t i = 0; i < count; i++)
    mo_shape_release(parts[i].shape);
  free(parts);
  return shape;
}

/* The type (a number of mo_shape_type), then its measures. */
static mo_shape *read_shape(void) {
  mo_result result = MO_OK;
  mo_shape *shape = NULL;
  uint32_t type = read_count();
  if (type == MO_SHAPE_SPHERE) {
    shape = mo_shape_create_sphere(read_number(), &result);
  } else if (type == MO_SHAPE_CAPSULE) {
    double top = read_number(), bottom = read_number();
    shape = mo_shape_create_tapered_capsule(top, bottom, read_number(), &result);
  } else if (type == MO_SHAPE_CYLINDER) {
    double top = read_number(), bottom = read_number(), half_height = read_number();
    shape = mo_shape_create_tapered_cylinder(top, bottom, half_height, read_number(), &result);
  } else if (type == MO_SHAPE_CONE) {
    double radius = read_number(), half_height = read_number();
    shape = mo_shape_create_cone(radius, half_height, read_number(), &result);
  } else if (type == MO_SHAPE_BOX) {
    mo_vec3 half_extents = read_vec3();
    shape = mo_shape_create_rounded_box(half_extents, read_number(), &result);
  } else if (type == MO_SHAPE_PLANE) {
    mo_vec3 normal = read_vec3();
    shape = mo_shape_create_plane(normal, read_number(), &result);
  } else if (type == MO_SHAPE_MESH) {
    shape = read_mesh(&result);
  } else if (type == MO_SHAPE_HEIGHTFIELD) {
    shape = read_heightfield(&result);
  } else if (type == MO_SHAPE_COMPOUND) {
    shape = read_compound(&result);
  } else if (type == MO_SHAPE_HULL) {
    uint32_t count = read_count();
    mo_vec3 *points = allocate(count, sizeof *points);
    for (uint32_t i = 0; i < count; i++)
      points[i] = read_vec3();
    mo_hull *hull;
    result = mo_hull_create(points, count, &hull);
    if (hull)
      shape = mo_shape_create_rounded_hull(hull, read_number(), &result);
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
  def.integrator = (mo_integrator)read_count();
  def.friction_law = (mo_friction_law)read_count();
  def.impact_law = (mo_impact_law)read_count();
  mo_result result;
  mo_world *world = mo_world_create(&def, &result);
  if (!world)
    fail("no world", mo_result_name(result));
  return world;
}

/* A shape, given by its number, and where the body has it. */
static mo_placed_shape read_placed_shape(mo_shape **shapes, uint32_t shape_count) {
  uint32_t shape = read_count();
  if (shape >= shape_count)
    fail("a body has a shape that is not there", "");
  return read_placement(shapes[shape]);
}

/* A body with its shapes. Optional values are preceded by 1, or are 0. */
static mo_body_id read_body(mo_world *world, mo_shape **shapes, uint32_t shape_count) {
  mo_body_def def = mo_body_def_default();
  def.type = (mo_body_type)read_count();
  def.shape_count = read_count();
  mo_placed_shape *placed = allocate(def.shape_count, sizeof *placed);
  for (uint32_t i = 0; i < def.shape_count; i++)
    placed[i] = read_placed_shape(shapes, shape_count);
  def.shapes = placed;
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
    mo_vec3 x = read_vec3(), y = read_vec3(), z = read_vec3(); // rows, which are the columns
    def.inertia = (mo_mat3){x, y, z};
  }
  def.has_center_of_mass = read_count() != 0;
  if (def.has_center_of_mass)
    def.center_of_mass = read_vec3();
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
  def.friction_combine = (mo_combine)read_count();
  def.restitution_combine = (mo_combine)read_count();
  def.rolling_friction = read_number();
  def.spinning_friction = read_number();
  def.surface_velocity = read_vec3();
  def.lock_translation = read_count();
  def.lock_rotation = read_count();
  mo_body_id body = mo_body_create(world, &def);
  free(placed);
  if (mo_body_id_is_null(body))
    fail("no body", mo_world_last_error(world));
  return body;
}

/* A body given by its number, 0 for the world and 1 for the first. */
static mo_body_id read_end(const mo_body_id *bodies, uint32_t body_count) {
  uint32_t number = read_count();
  if (number > body_count)
    fail("a joint has a body that is not there", "");
  return number ? bodies[number - 1] : MO_NULL_BODY_ID;
}

static mo_spring read_spring_gains(void) {
  mo_spring spring;
  spring.hertz = read_number();
  spring.damping = read_number();
  spring.stiffness = read_number();
  spring.damping_coefficient = read_number();
  return spring;
}

static mo_coordinate_drive read_drive(void) {
  mo_coordinate_drive drive = mo_coordinate_drive_default();
  drive.lower = read_number();
  drive.upper = read_number();
  drive.spring = read_spring_gains();
  if (read_count() != 0) {
    drive.spring_rest = read_number();
  }
  drive.motor = (mo_motor_mode)read_count();
  drive.target_velocity = read_number();
  drive.target_position = read_number();
  drive.max_force = read_number();
  drive.gains = read_spring_gains();
  drive.friction = read_number();
  drive.locked = read_count() != 0;
  return drive;
}

static mo_pose_motor read_pose_motor(void) {
  mo_pose_motor motor;
  motor.has_position = read_count() != 0;
  motor.has_orientation = read_count() != 0;
  motor.target_position = read_vec3();
  motor.target_orientation = read_quat();
  motor.max_force = read_number();
  motor.max_torque = read_number();
  motor.gains = read_spring_gains();
  return motor;
}

/* A joint before this one by its number, 0 for none and 1 for the first. */
static mo_constraint_id read_coupled(const mo_constraint_id *joints, uint32_t joint_count) {
  uint32_t number = read_count();
  if (number > joint_count)
    fail("a joint couples one that is not there", "");
  return number ? joints[number - 1] : MO_NULL_CONSTRAINT_ID;
}

/* The most points of a path in a scene. */
#define PATH_POINTS 256

/* Its points stay until the next one is read. */
static mo_path_def read_path(void) {
  static mo_vec3 points[PATH_POINTS];
  mo_path_def path = {.points = points, .point_count = read_count()};
  if (path.point_count > PATH_POINTS)
    fail("a path has too many points", "");
  for (uint32_t i = 0; i < path.point_count; i++)
    points[i] = read_vec3();
  path.is_closed = read_count() != 0;
  path.alignment = (mo_path_alignment)read_count();
  return path;
}

/* What joints of some types have beside ends, anchors, axes and drives. */
static void read_joint_options(mo_constraint_def *def) {
  def->has_length = read_count() != 0;
  if (def->has_length)
    def->length = read_number();
  def->ratio = read_number();
  def->steering = read_number();
  def->ground_anchor_a = read_vec3();
  def->ground_anchor_b = read_vec3();
  def->collide_connected = read_count() != 0;
  def->break_force = read_number();
  def->break_torque = read_number();
  if (def->type == MO_CONSTRAINT_MOTOR)
    def->pose_motor = read_pose_motor();
  if (def->type == MO_CONSTRAINT_PATH)
    def->path = read_path();
}

static mo_constraint_id read_joint(mo_world *world, const mo_body_id *bodies, uint32_t body_count,
                                   const mo_constraint_id *joints, uint32_t joint_count) {
  mo_constraint_def def = mo_constraint_def_default((mo_constraint_type)read_count());
  def.body_a = read_end(bodies, body_count);
  def.body_b = read_end(bodies, body_count);
  def.joint_a = read_coupled(joints, joint_count);
  def.joint_b = read_coupled(joints, joint_count);
  def.anchor_a = read_vec3();
  def.anchor_b = read_vec3();
  def.axis_a = read_vec3();
  def.axis_b = read_vec3();
  read_joint_options(&def);
  uint32_t drive_count = read_count();
  for (uint32_t i = 0; i < drive_count && i < MO_CONSTRAINT_COORDINATES; i++) {
    def.drives[i] = read_drive();
  }
  mo_constraint_id joint = mo_constraint_create(world, &def);
  if (mo_constraint_id_is_null(joint))
    fail("no joint", mo_world_last_error(world));
  return joint;
}

/* A custom constraint, by the number of its functions and its bodies. */
static void read_custom_constraint(mo_world *world, const mo_body_id *bodies, uint32_t body_count) {
  uint32_t number = read_count();
  if (number >= sizeof replay_constraints / sizeof replay_constraints[0])
    fail("a custom constraint has functions that are not there", "");
  const constraint_functions *functions = &replay_constraints[number];
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_CUSTOM);
  def.body_a = read_end(bodies, body_count);
  def.body_b = read_end(bodies, body_count);
  def.dimension = functions->dimension;
  def.evaluate = functions->evaluate;
  def.jacobian = functions->jacobian;
  mo_row_bounds bounds[MO_CONSTRAINT_ROWS];
  for (uint32_t i = 0; i < def.dimension; i++)
    bounds[i] = functions->is_unilateral ? mo_row_bounds_unilateral() : mo_row_bounds_bilateral();
  def.bounds = bounds;
  if (mo_constraint_id_is_null(mo_constraint_create(world, &def)))
    fail("no custom constraint", mo_world_last_error(world));
}

/* A spring with its ends and numbers, or a custom potential of all bodies with the number of its
 * function. */
static void read_potential(mo_world *world, const mo_body_id *bodies, uint32_t body_count) {
  mo_potential_def def = mo_potential_def_default((mo_potential_type)read_count());
  mo_body_id ends[2];
  if (def.type == MO_POTENTIAL_SPRING) {
    ends[0] = read_end(bodies, body_count);
    ends[1] = read_end(bodies, body_count);
    def.bodies = ends;
    def.body_count = 2;
    def.anchor_a = read_vec3();
    def.anchor_b = read_vec3();
    def.stiffness = read_number();
    def.rest_length = read_number();
    def.damping = read_number();
  } else if (def.type == MO_POTENTIAL_DRAG) {
    def.linear_drag = read_number();
    def.quadratic_drag = read_number();
    def.angular_drag = read_number();
    def.velocity = read_vec3();
  } else if (def.type == MO_POTENTIAL_BUOYANCY) {
    def.fluid_density = read_number();
    def.surface_normal = read_vec3();
    def.surface_offset = read_number();
  } else {
    uint32_t number = read_count();
    if (number >= sizeof replay_potentials / sizeof replay_potentials[0])
      fail("a potential has a function that is not there", "");
    def.wrench = replay_potentials[number];
  }
  if (mo_potential_id_is_null(mo_potential_create(world, &def)))
    fail("no potential", mo_world_last_error(world));
}

/* The functions that a custom constraint or potential has in the world `context`. */
static bool find_functions(void *context, bool is_potential, uint32_t slot,
                           mo_user_functions *out) {
  const mo_world *old = context;
  if (is_potential) {
    const mo_potential_def *p = &old->potentials[slot];
    *out = (mo_user_functions){.wrench = p->wrench, .energy = p->energy, .user = p->user};
    return true;
  }
  const mo_constraint *c = &old->constraints[slot];
  *out = (mo_user_functions){.evaluate = c->user_evaluate,
                             .jacobian = c->user_jacobian,
                             .time_derivative = c->user_time_derivative,
                             .is_active = c->user_is_active,
                             .user = c->user};
  return true;
}

/* Restores `next` from the state of `world`, which it must have then. */
static void go_on(mo_world *next, mo_world *world, bool with_assets) {
  const mo_restore_options options = {.find = find_functions, .context = world};
  mo_bytes bytes;
  uint64_t hash = mo_world_hash(world);
  if (mo_world_snapshot(world, with_assets, &bytes) != MO_OK)
    fail("no snapshot", mo_world_last_error(world));
  if (mo_world_restore(next, bytes.bytes, bytes.count, &options) != MO_OK)
    fail("not restored", mo_world_last_error(next));
  if (mo_world_hash(next) != hash)
    fail("the restored world has another hash", "");
}

/* A new world that goes on from the bytes of `world`, with shapes of its own and without any other
 * memory: all that only saves time is gone. Before every second step the old one first goes back to
 * its own bytes, where it finds its shapes. */
static mo_world *restored(mo_world *world, uint32_t step) {
  if (step % 2 == 0)
    go_on(world, world, false);
  mo_result result;
  mo_world_def settings = mo_world_def_default();
  mo_world *next = mo_world_create(&settings, &result);
  if (!next)
    fail("no world", mo_result_name(result));
  go_on(next, world, true);
  mo_world_destroy(world);
  mo_scratch_free();
  return next;
}

/* Steps of the world, and golden hashes after those that `marks` lists, ascending. Returns the
 * world at the end. */
static mo_world *run(mo_world *world, bool is_restored, double dt, uint32_t steps, char **marks,
                     int mark_count) {
  int next = 0;
  for (uint32_t i = 1; i <= steps; i++) {
    if (is_restored)
      world = restored(world, i);
    if (mo_world_step(world, dt) != MO_OK)
      fail("a step failed", mo_world_last_error(world));
    if (next == mark_count || strtoul(marks[next], NULL, 10) != i)
      continue;
    next++;
    printf("%u %016" PRIx64 " %016" PRIx64 "\n", i, hash_motion(world), hash_contacts(world));
  }
  if (next < mark_count)
    fail("no such step", marks[next]);
  return world;
}

int main(int argc, char **argv) {
  uint32_t threads = 1;
  bool is_restored = argc > 1 && strcmp(argv[1], "--restored") == 0;
  argc -= is_restored;
  argv += is_restored;
  if (argc > 2 && strcmp(argv[1], "--threads") == 0) {
    threads = (uint32_t)strtoul(argv[2], NULL, 10);
    argc -= 2;
    argv += 2;
  }
  if (argc < 2 || threads < 1 || threads > MOST_HELPERS + 1)
    fail("usage: replay [--restored] [--threads n] <file> [step...]", "");
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
  mo_constraint_id *joints = allocate(joint_count, sizeof *joints);
  for (uint32_t i = 0; i < joint_count; i++)
    joints[i] = read_joint(world, bodies, body_count, joints, i);

  uint32_t constraint_count = read_count();
  for (uint32_t i = 0; i < constraint_count; i++)
    read_custom_constraint(world, bodies, body_count);
  uint32_t potential_count = read_count();
  for (uint32_t i = 0; i < potential_count; i++)
    read_potential(world, bodies, body_count);

  double dt = read_number();
  uint32_t steps = read_count();
  start_threads(threads);
  world = run(world, is_restored, dt, steps, argv + 2, argc - 2);
  stop_threads();
  if (argc == 2)
    printf("%016" PRIx64 "\n", mo_world_hash(world));

  mo_world_destroy(world);
  for (uint32_t i = 0; i < shape_count; i++)
    mo_shape_release(shapes[i]);
  free(shapes);
  free(bodies);
  free(joints);
  fclose(input);
  return 0;
}
