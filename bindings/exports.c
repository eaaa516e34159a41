/*
 * The surface of the WebAssembly module: small flat functions over moreau.h, for bindings/ and for
 * nobody else.
 *
 * A few numbers cross the boundary as wasm scalars. Anything longer goes through one shared block
 * of doubles, `io`: the caller writes the fields in order and the callee reads them in the same
 * order, or the other way round. Each order is written down once here (the read_... and write_...
 * functions) and once in the JavaScript that belongs to it. Bulk data is read in place, by address.
 * Pointers, ids and enums are exact as doubles: they are 32-bit here.
 */
#include "moreau.h"

#include <stddef.h>
#include <stdlib.h>

// Declares and begins a function that JavaScript sees under `name`. A prototype first, as
// -Wmissing-prototypes wants one.
#define EXPORT(type, name, ...)                                                                    \
  type js_##name(__VA_ARGS__);                                                                     \
  __attribute__((export_name(#name))) type js_##name(__VA_ARGS__)

// --- the shared block ------------------------------------------------------------------------

// Enough for everything of fixed length, and for a body with eight shapes; io_reserve makes it
// longer.
#define IO_INITIAL_CAPACITY 144u

static double io_initial[IO_INITIAL_CAPACITY];
static double *io = io_initial;
static uint32_t io_capacity = IO_INITIAL_CAPACITY;

// What the last function that returns a pointer or an id came to.
static mo_result last_result;

// As malloc, but for a size that does not fit into an address there is no memory.
static void *allocate_array(size_t count, size_t size) {
  return count > SIZE_MAX / size ? NULL : malloc(count * size);
}

/* Room for `count` doubles: the address of the block, or 0 without memory. Its contents are not
 * kept. */
EXPORT(double *, io_reserve, uint32_t count) {
  if (count > io_capacity) {
    double *larger = allocate_array(count, sizeof(double));
    if (!larger) {
      return NULL;
    }
    if (io != io_initial) {
      free(io);
    }
    io = larger;
    io_capacity = count;
  }
  return io;
}

/* A temporary block of bytes, for points; 0 without memory. */
EXPORT(void *, allocate, size_t bytes) { return malloc(bytes); }
EXPORT(void, release, void *block) { free(block); }

EXPORT(int, last_result, void) { return (int)last_result; }
EXPORT(const char *, result_name, int result) { return mo_result_name((mo_result)result); }
EXPORT(double, allocated_bytes, void) { return (double)mo_allocated_bytes(); }
EXPORT(double, allocation_count, void) { return (double)mo_allocation_count(); }

// A place in the block. Readers and writers move it on.
typedef double *cursor;

static double read_number(cursor *at) { return *(*at)++; }
static bool read_bool(cursor *at) { return read_number(at) != 0.0; }
// 0 for what is no 32-bit number, whose conversion C leaves open.
static uint32_t read_uint(cursor *at) {
  double number = read_number(at);
  return number >= 0.0 && number <= UINT32_MAX ? (uint32_t)number : 0;
}
// How many things of `size` numbers each follow: no more than the block can hold.
static uint32_t read_count(cursor *at, uint32_t size) {
  uint32_t count = read_uint(at);
  uint32_t room = (uint32_t)(io + io_capacity - *at) / size;
  return count < room ? count : room;
}
static int32_t read_int(cursor *at) {
  double number = read_number(at);
  return number >= INT32_MIN && number <= INT32_MAX ? (int32_t)number : 0;
}
static void *read_pointer(cursor *at) { return (void *)(uintptr_t)read_uint(at); }

static mo_vec3 read_vec3(cursor *at) {
  mo_vec3 v;
  v.x = read_number(at);
  v.y = read_number(at);
  v.z = read_number(at);
  return v;
}

static mo_quat read_quat(cursor *at) {
  mo_quat q;
  q.x = read_number(at);
  q.y = read_number(at);
  q.z = read_number(at);
  q.w = read_number(at);
  return q;
}

static mo_pose read_pose(cursor *at) {
  mo_pose pose;
  pose.position = read_vec3(at);
  pose.orientation = read_quat(at);
  return pose;
}

// By rows, as JavaScript has it.
static mo_mat3 read_mat3(cursor *at) {
  mo_vec3 row_x = read_vec3(at);
  mo_vec3 row_y = read_vec3(at);
  mo_vec3 row_z = read_vec3(at);
  return (mo_mat3){
      {row_x.x, row_y.x, row_z.x}, {row_x.y, row_y.y, row_z.y}, {row_x.z, row_y.z, row_z.z}};
}

static void write_number(cursor *at, double value) { *(*at)++ = value; }

static void write_vec3(cursor *at, mo_vec3 v) {
  write_number(at, v.x);
  write_number(at, v.y);
  write_number(at, v.z);
}

static void write_quat(cursor *at, mo_quat q) {
  write_number(at, q.x);
  write_number(at, q.y);
  write_number(at, q.z);
  write_number(at, q.w);
}

static void write_mat3(cursor *at, mo_mat3 m) {
  write_vec3(at, (mo_vec3){m.cx.x, m.cy.x, m.cz.x});
  write_vec3(at, (mo_vec3){m.cx.y, m.cy.y, m.cz.y});
  write_vec3(at, (mo_vec3){m.cx.z, m.cy.z, m.cz.z});
}

// --- callbacks -------------------------------------------------------------------------------

// What a callback belongs to; the same numbers as KIND in bindings/callbacks.mjs.
enum { CALLBACK_CONSTRAINT = 0, CALLBACK_POTENTIAL = 1, CALLBACK_CLOCK = 2 };

/* The module's one import: has JavaScript do `phase` of the object that it gave `handle` to, which
 * reads and writes `values`. 0, or a code where that failed. Never unwinds. */
__attribute__((import_module("moreau"), import_name("callback"))) int
js_callback(int kind, uint32_t handle, int phase, double *values);

// --- convex hulls ----------------------------------------------------------------------------

/* points: 3 doubles each, in a block of `allocate`. */
EXPORT(mo_hull *, hull_create, const mo_vec3 *points, size_t count) {
  mo_hull *hull = NULL;
  last_result = mo_hull_create(points, count, &hull);
  return hull;
}
EXPORT(void, hull_release, mo_hull *hull) { mo_hull_release(hull); }
EXPORT(int, hull_last_qhull_error, void) { return mo_hull_last_qhull_error(); }

EXPORT(size_t, hull_vertex_count, const mo_hull *hull) { return mo_hull_vertex_count(hull); }
EXPORT(const mo_vec3 *, hull_vertices, const mo_hull *hull) { return mo_hull_vertices(hull); }
EXPORT(size_t, hull_facet_count, const mo_hull *hull) { return mo_hull_facet_count(hull); }
EXPORT(size_t, hull_face_count, const mo_hull *hull) { return mo_hull_face_count(hull); }
EXPORT(const uint32_t *, hull_face_loops, const mo_hull *hull) { return mo_hull_face_loops(hull); }

EXPORT(void, hull_facet, const mo_hull *hull, size_t index) {
  mo_facet facet = mo_hull_facet(hull, index);
  cursor at = io;
  for (int i = 0; i < 3; i++) {
    write_number(&at, facet.vertices[i]);
  }
  write_vec3(&at, facet.normal);
  write_number(&at, facet.offset);
}

EXPORT(void, hull_face, const mo_hull *hull, size_t index) {
  mo_face face = mo_hull_face(hull, index);
  cursor at = io;
  write_number(&at, face.first_vertex);
  write_number(&at, face.vertex_count);
  write_vec3(&at, face.normal);
  write_number(&at, face.offset);
}

EXPORT(void, hull_measures, const mo_hull *hull) {
  mo_vec3 lower, upper;
  mo_hull_bounds(hull, &lower, &upper);
  cursor at = io;
  write_number(&at, mo_hull_volume(hull));
  write_number(&at, mo_hull_surface_area(hull));
  write_vec3(&at, mo_hull_centroid(hull));
  write_vec3(&at, lower);
  write_vec3(&at, upper);
}

EXPORT(void, hull_inertia, const mo_hull *hull, double mass) {
  cursor at = io;
  write_mat3(&at, mo_hull_inertia(hull, mass));
}

EXPORT(double, hull_signed_distance, const mo_hull *hull, double x, double y, double z) {
  return mo_hull_signed_distance(hull, (mo_vec3){x, y, z});
}
EXPORT(int, hull_contains, const mo_hull *hull, double x, double y, double z, double tolerance) {
  return mo_hull_contains(hull, (mo_vec3){x, y, z}, tolerance);
}

// --- shapes ----------------------------------------------------------------------------------

EXPORT(mo_shape *, shape_create_sphere, double radius) {
  return mo_shape_create_sphere(radius, &last_result);
}
EXPORT(mo_shape *, shape_create_capsule, double radius, double half_height) {
  return mo_shape_create_capsule(radius, half_height, &last_result);
}
EXPORT(mo_shape *, shape_create_box, double x, double y, double z) {
  return mo_shape_create_box((mo_vec3){x, y, z}, &last_result);
}
EXPORT(mo_shape *, shape_create_hull, mo_hull *hull) {
  return mo_shape_create_hull(hull, &last_result);
}
EXPORT(mo_shape *, shape_create_plane, double x, double y, double z, double offset) {
  return mo_shape_create_plane((mo_vec3){x, y, z}, offset, &last_result);
}
EXPORT(void, shape_release, mo_shape *shape) { mo_shape_release(shape); }

/* Reads two poses, writes the collision if there is one. */
EXPORT(int, collide, const mo_shape *a, const mo_shape *b) {
  cursor at = io;
  mo_pose pose_a = read_pose(&at);
  mo_pose pose_b = read_pose(&at);
  mo_collision collision;
  if (!mo_collide(a, pose_a, b, pose_b, &collision)) {
    return 0;
  }
  at = io;
  write_vec3(&at, collision.normal);
  write_number(&at, collision.penetration_depth);
  write_vec3(&at, collision.point_a);
  write_vec3(&at, collision.point_b);
  write_number(&at, collision.point_count);
  for (int i = 0; i < collision.point_count; i++) {
    write_vec3(&at, collision.points[i].position);
    write_number(&at, collision.points[i].penetration_depth);
  }
  return 1;
}

/* Reads two poses, writes the result. */
EXPORT(void, distance, const mo_shape *a, const mo_shape *b) {
  cursor at = io;
  mo_pose pose_a = read_pose(&at);
  mo_pose pose_b = read_pose(&at);
  mo_distance_result result = mo_distance(a, pose_a, b, pose_b);
  at = io;
  write_number(&at, result.distance);
  write_vec3(&at, result.point_a);
  write_vec3(&at, result.point_b);
  write_vec3(&at, result.normal);
}

// --- worlds ----------------------------------------------------------------------------------

static mo_world_def read_settings(void) {
  mo_world_def def = mo_world_def_default();
  cursor at = io;
  def.gravity = read_vec3(&at);
  def.solver = (mo_solver)read_uint(&at);
  def.stabilization = (mo_stabilization)read_uint(&at);
  def.iterations = read_uint(&at);
  def.tolerance = read_number(&at);
  def.restitution_threshold = read_number(&at);
  def.linear_slop = read_number(&at);
  def.error_reduction = read_number(&at);
  def.max_correction_speed = read_number(&at);
  def.friction_law = (mo_friction_law)read_uint(&at);
  def.effort = (mo_effort)read_uint(&at);
  def.max_iterations = read_uint(&at);
  def.exact_memory_limit = read_number(&at);
  def.integrator = (mo_integrator)read_uint(&at);
  def.substeps = read_uint(&at);
  def.contact_hertz = read_number(&at);
  def.contact_damping = read_number(&at);
  def.joint_hertz = read_number(&at);
  def.joint_damping = read_number(&at);
  def.allow_sleep = read_bool(&at);
  def.sleep_threshold = read_number(&at);
  def.time_to_sleep = read_number(&at);
  def.certify = read_bool(&at);
  def.friction_per_point = read_bool(&at);
  return def;
}

static void write_settings(mo_world_def def) {
  cursor at = io;
  write_vec3(&at, def.gravity);
  write_number(&at, def.solver);
  write_number(&at, def.stabilization);
  write_number(&at, def.iterations);
  write_number(&at, def.tolerance);
  write_number(&at, def.restitution_threshold);
  write_number(&at, def.linear_slop);
  write_number(&at, def.error_reduction);
  write_number(&at, def.max_correction_speed);
  write_number(&at, def.friction_law);
  write_number(&at, def.effort);
  write_number(&at, def.max_iterations);
  write_number(&at, def.exact_memory_limit);
  write_number(&at, def.integrator);
  write_number(&at, def.substeps);
  write_number(&at, def.contact_hertz);
  write_number(&at, def.contact_damping);
  write_number(&at, def.joint_hertz);
  write_number(&at, def.joint_damping);
  write_number(&at, def.allow_sleep);
  write_number(&at, def.sleep_threshold);
  write_number(&at, def.time_to_sleep);
  write_number(&at, def.certify);
  write_number(&at, def.friction_per_point);
}

EXPORT(void, world_default_settings, void) { write_settings(mo_world_def_default()); }
EXPORT(mo_world *, world_create, void) {
  mo_world_def def = read_settings();
  return mo_world_create(&def, &last_result);
}
EXPORT(void, world_destroy, mo_world *world) { mo_world_destroy(world); }
EXPORT(void, world_get_settings, const mo_world *world) {
  write_settings(mo_world_get_settings(world));
}
EXPORT(int, world_set_settings, mo_world *world) {
  mo_world_def def = read_settings();
  return (int)mo_world_set_settings(world, &def);
}
EXPORT(const char *, world_last_error, const mo_world *world) { return mo_world_last_error(world); }

EXPORT(int, world_step, mo_world *world, double dt) { return (int)mo_world_step(world, dt); }
/* Makes good for a call that ended by an exception of the host. */
EXPORT(void, world_abandon_call, mo_world *world) { mo_world_abandon_call(world); }
EXPORT(double, world_time, const mo_world *world) { return mo_world_time(world); }
EXPORT(double, world_step_count, const mo_world *world) {
  return (double)mo_world_step_count(world);
}

EXPORT(uint32_t, world_slot_count, const mo_world *world) { return mo_world_slot_count(world); }
EXPORT(const float *, world_transforms, const mo_world *world) {
  return mo_world_transforms(world);
}
EXPORT(const double *, world_transforms64, const mo_world *world) {
  return mo_world_transforms64(world);
}
EXPORT(const double *, world_velocities, const mo_world *world) {
  return mo_world_velocities(world);
}
EXPORT(const uint32_t *, world_body_ids, const mo_world *world) { return mo_world_body_ids(world); }
EXPORT(uint32_t, world_awake_count, const mo_world *world) { return mo_world_awake_count(world); }
EXPORT(const uint32_t *, world_moved, const mo_world *world) {
  uint32_t count;
  return mo_world_moved(world, &count);
}
EXPORT(uint32_t, world_moved_count, const mo_world *world) {
  uint32_t count = 0;
  mo_world_moved(world, &count);
  return count;
}

// JavaScript reads the structs in place.
_Static_assert(sizeof(mo_sleep_event) == 8 && offsetof(mo_sleep_event, is_awake) == 4,
               "bindings/events.mjs");

EXPORT(const mo_sleep_event *, world_sleep_events, const mo_world *world) {
  uint32_t count;
  return mo_world_sleep_events(world, &count);
}
EXPORT(uint32_t, world_sleep_event_count, const mo_world *world) {
  uint32_t count = 0;
  mo_world_sleep_events(world, &count);
  return count;
}

EXPORT(void, world_energy, mo_world *world) {
  mo_energy energy = mo_world_energy(world);
  cursor at = io;
  write_number(&at, energy.kinetic);
  write_number(&at, energy.potential);
  write_number(&at, energy.total);
}

EXPORT(void, world_momentum, const mo_world *world) {
  mo_momentum momentum = mo_world_momentum(world);
  cursor at = io;
  write_vec3(&at, momentum.linear);
  write_vec3(&at, momentum.angular);
}

EXPORT(int, world_last_result, const mo_world *world) { return (int)mo_world_last_result(world); }

EXPORT(void, world_residual, mo_world *world) {
  mo_residual residual = mo_world_residual(world);
  cursor at = io;
  write_number(&at, residual.worst);
  write_number(&at, residual.rms);
  write_number(&at, residual.cone);
  write_number(&at, residual.dual);
  write_number(&at, residual.complementarity);
  write_number(&at, residual.bilateral);
  write_number(&at, residual.contacts);
}

EXPORT(void, world_stats, mo_world *world) {
  mo_stats stats = mo_world_stats(world);
  cursor at = io;
  write_number(&at, stats.bodies);
  write_number(&at, stats.awake);
  write_number(&at, stats.contacts);
  write_number(&at, stats.contact_points);
  write_number(&at, stats.pairs);
  write_number(&at, stats.status);
  write_number(&at, stats.iterations);
  write_number(&at, stats.factorisations);
  write_number(&at, stats.islands);
  write_number(&at, stats.missed_islands);
  write_number(&at, stats.residual);
  write_number(&at, stats.cured_energy_gain);
  write_number(&at, stats.max_penetration);
  write_number(&at, (double)stats.step_bytes);
}

/* Writes the hash as two 32-bit halves, the high one first: a 64-bit result would be a BigInt in
 * JavaScript. */
EXPORT(void, world_hash, const mo_world *world) {
  uint64_t hash = mo_world_hash(world);
  cursor at = io;
  write_number(&at, (double)(uint32_t)(hash >> 32));
  write_number(&at, (double)(uint32_t)hash);
}

// A contact point is two 32-bit ids and eleven doubles. JavaScript reads the structs in place.
_Static_assert(sizeof(mo_contact_point) == 96 && offsetof(mo_contact_point, position) == 8,
               "bindings/contacts.mjs");

static mo_contact_point *contact_points;
static uint32_t contact_points_capacity;

/* Copies the contact points of the last step to `contact_points_address`; their count, or
 * UINT32_MAX without memory. */
EXPORT(uint32_t, world_contact_points, mo_world *world) {
  uint32_t count = mo_world_contact_point_count(world);
  if (count > contact_points_capacity) {
    uint32_t capacity = count + count / 2;
    mo_contact_point *larger = allocate_array(capacity, sizeof(mo_contact_point));
    if (!larger) {
      return UINT32_MAX;
    }
    free(contact_points);
    contact_points = larger;
    contact_points_capacity = capacity;
  }
  return mo_world_contact_points(world, contact_points, count);
}
EXPORT(const mo_contact_point *, contact_points_address, void) { return contact_points; }

// JavaScript writes and reads these structs in place. A ray is seven doubles and three 32-bit
// numbers, a hit two 32-bit numbers and seven doubles.
_Static_assert(sizeof(mo_ray) == 72 && offsetof(mo_ray, filter) == 56 &&
                   offsetof(mo_query_filter, exclude) == 8 && sizeof(mo_ray_hit) == 64 &&
                   offsetof(mo_ray_hit, position) == 8,
               "bindings/queries.mjs");

static struct {
  mo_ray_hit hit;
  mo_ray ray;
} cast;

/* Where the ray of the next cast is to be, behind the hit of the last. */
EXPORT(void *, ray_address, void) { return &cast; }
EXPORT(int, world_cast_ray, mo_world *world) {
  return (int)mo_world_cast_ray(world, &cast.ray, &cast.hit);
}
/* Writes the count and the address of the hits. */
EXPORT(int, world_cast_ray_all, mo_world *world) {
  const mo_ray_hit *hits;
  uint32_t count;
  mo_result result = mo_world_cast_ray_all(world, &cast.ray, &hits, &count);
  if (result == MO_OK) {
    cursor at = io;
    write_number(&at, count);
    write_number(&at, (double)(uintptr_t)hits);
  }
  return (int)result;
}

static double ask_clock(void *user) {
  (void)user;
  double seconds = 0.0;
  js_callback(CALLBACK_CLOCK, 0, 0, &seconds);
  return seconds;
}
EXPORT(void, world_set_profiling, mo_world *world, int is_on) {
  mo_world_set_clock(world, is_on ? ask_clock : NULL, NULL);
}
/* Writes the seconds of each stage. */
EXPORT(void, world_profile, const mo_world *world) {
  mo_profile profile = mo_world_profile(world);
  cursor at = io;
  for (int i = 0; i < MO_PROFILE_STAGE_COUNT; i++) {
    write_number(&at, profile.seconds[i]);
  }
}

#define ISLAND_NUMBERS 10 // that are written of each

static mo_island *islands;
static uint32_t islands_capacity;

EXPORT(uint32_t, world_island_count, mo_world *world) { return mo_world_island_count(world); }

/* Writes the islands of the last step, of which there are `count`, to the block, which has the
 * room; returns their count, or 0 without memory. */
EXPORT(uint32_t, world_islands, mo_world *world, uint32_t count) {
  if (count > islands_capacity) {
    mo_island *larger = allocate_array(count, 2 * sizeof(mo_island));
    if (!larger) {
      return 0;
    }
    free(islands);
    islands = larger;
    islands_capacity = 2 * count;
  }
  uint32_t found = mo_world_islands(world, islands, count);
  cursor at = io;
  for (uint32_t i = 0; i < found && i < count && i < io_capacity / ISLAND_NUMBERS; i++) {
    const mo_island *island = &islands[i];
    write_number(&at, island->solver);
    write_number(&at, island->status);
    write_number(&at, island->event);
    write_number(&at, island->iterations);
    write_number(&at, island->factorisations);
    write_number(&at, island->bodies);
    write_number(&at, island->rows);
    write_number(&at, island->first_body);
    write_number(&at, island->residual);
    write_number(&at, island->condition);
  }
  return found;
}
EXPORT(uint32_t, world_missed_islands, const mo_world *world) {
  return mo_world_missed_island_count(world);
}

/* Records the last step's contact problem; writes its contact count and the addresses of W, q and
 * mu. */
EXPORT(int, world_record_problem, mo_world *world) {
  mo_problem_record record;
  mo_result result = mo_world_record_problem(world, &record);
  if (result == MO_OK) {
    cursor at = io;
    write_number(&at, record.contact_count);
    write_number(&at, (double)(uintptr_t)record.delassus);
    write_number(&at, (double)(uintptr_t)record.free_velocity);
    write_number(&at, (double)(uintptr_t)record.friction);
  }
  return (int)result;
}

EXPORT(void, world_release_record, mo_world *world) { mo_world_release_record(world); }

// --- contact problems ------------------------------------------------------------------------

/* Reads a problem: contact count, addresses of W, q, mu and the impulses to start from (0: none),
 * of the impulses and velocities to write, and the settings. Writes the result. */
EXPORT(int, problem_solve, void) {
  cursor at = io;
  mo_problem_def def = {.contact_count = read_uint(&at)};
  def.delassus = read_pointer(&at);
  def.free_velocity = read_pointer(&at);
  def.friction = read_pointer(&at);
  def.warm_start = read_pointer(&at);
  double *impulses = read_pointer(&at);
  double *velocities = read_pointer(&at);
  mo_problem_settings settings = mo_problem_settings_default();
  settings.solver = (mo_solver)read_uint(&at);
  settings.tolerance = read_number(&at);
  settings.max_iterations = read_uint(&at);
  settings.friction_law = (mo_friction_law)read_uint(&at);
  settings.effort = (mo_effort)read_uint(&at);
  mo_problem_result out;
  mo_result result = mo_problem_solve(&def, &settings, impulses, velocities, &out);
  at = io;
  write_number(&at, out.solver);
  write_number(&at, out.status);
  write_number(&at, out.iterations);
  write_number(&at, out.factorisations);
  write_number(&at, (double)(uintptr_t)out.refused);
  write_number(&at, out.refused_at);
  write_number(&at, out.residual.worst);
  write_number(&at, out.residual.rms);
  write_number(&at, out.residual.cone);
  write_number(&at, out.residual.dual);
  write_number(&at, out.residual.complementarity);
  write_number(&at, out.residual.bilateral);
  write_number(&at, out.residual.contacts);
  return (int)result;
}

static mo_triplets read_triplets(cursor *at) {
  mo_triplets t;
  t.rows = read_uint(at);
  t.columns = read_uint(at);
  t.count = read_uint(at);
  t.row = read_pointer(at);
  t.column = read_pointer(at);
  t.value = read_pointer(at);
  return t;
}

/* Reads M, H and the addresses of f, w, W and q; writes the address of what is wrong, or 0. */
EXPORT(int, problem_reduce, void) {
  cursor at = io;
  mo_triplets mass = read_triplets(&at);
  mo_triplets jacobian = read_triplets(&at);
  const double *force = read_pointer(&at);
  const double *offset = read_pointer(&at);
  double *delassus = read_pointer(&at);
  double *free_velocity = read_pointer(&at);
  const char *refused;
  mo_result result =
      mo_problem_reduce(&mass, &jacobian, force, offset, delassus, free_velocity, &refused);
  at = io;
  write_number(&at, (double)(uintptr_t)refused);
  return (int)result;
}

// --- bodies ----------------------------------------------------------------------------------

static mo_filter read_filter(cursor *at) {
  mo_filter filter;
  filter.category = read_uint(at);
  filter.mask = read_uint(at);
  filter.group = read_int(at);
  return filter;
}

static void write_filter(cursor *at, mo_filter filter) {
  write_number(at, filter.category);
  write_number(at, filter.mask);
  write_number(at, filter.group);
}

#define PLACED_SHAPE_NUMBERS 11

static mo_placed_shape read_placed_shape(cursor *at) {
  mo_placed_shape placed;
  placed.shape = read_pointer(at);
  placed.pose = read_pose(at);
  placed.density = read_number(at);
  placed.friction = read_number(at);
  placed.restitution = read_number(at);
  return placed;
}

EXPORT(void, body_default, void) {
  mo_body_def def = mo_body_def_default();
  cursor at = io;
  write_number(&at, def.density);
  write_number(&at, def.friction);
  write_number(&at, def.restitution);
  write_number(&at, def.linear_damping);
  write_number(&at, def.angular_damping);
  write_number(&at, def.gravity_scale);
  write_filter(&at, def.filter);
  write_number(&at, def.allow_sleep);
}

/* Reads a body definition and its shapes; the id, or 0 and last_result. */
EXPORT(mo_body_id, body_create, mo_world *world) {
  cursor at = io;
  mo_body_def def = mo_body_def_default();
  def.type = (mo_body_type)read_uint(&at);
  def.position = read_vec3(&at);
  def.orientation = read_quat(&at);
  def.linear_velocity = read_vec3(&at);
  def.angular_velocity = read_vec3(&at);
  def.density = read_number(&at);
  def.has_mass = read_bool(&at);
  def.mass = read_number(&at);
  def.has_inertia = read_bool(&at);
  def.inertia = read_mat3(&at);
  def.has_center_of_mass = read_bool(&at);
  def.center_of_mass = read_vec3(&at);
  def.friction = read_number(&at);
  def.restitution = read_number(&at);
  def.linear_damping = read_number(&at);
  def.angular_damping = read_number(&at);
  def.gravity_scale = read_number(&at);
  def.has_solver = read_bool(&at);
  def.solver = (mo_solver)read_uint(&at);
  def.filter = read_filter(&at);
  def.bullet = read_bool(&at);
  def.allow_sleep = read_bool(&at);
  def.shape_count = read_count(&at, PLACED_SHAPE_NUMBERS);

  mo_placed_shape *shapes = NULL;
  if (def.shape_count > 0) {
    shapes = allocate_array(def.shape_count, sizeof(mo_placed_shape));
    if (!shapes) {
      last_result = MO_ERROR_OUT_OF_MEMORY;
      return MO_NULL_ID;
    }
    for (uint32_t i = 0; i < def.shape_count; i++) {
      shapes[i] = read_placed_shape(&at);
    }
  }
  def.shapes = shapes;
  mo_body_id body = mo_body_create(world, &def);
  last_result = body == MO_NULL_ID ? mo_world_last_result(world) : MO_OK;
  free(shapes);
  return body;
}

EXPORT(int, body_destroy, mo_world *world, mo_body_id body) {
  return (int)mo_body_destroy(world, body);
}

/* Writes all that can be read of a body: the order is that of STATE in bindings/body.mjs. */
EXPORT(int, body_get_state, const mo_world *world, mo_body_id body) {
  mo_body_state state;
  mo_result result = mo_body_get_state(world, body, &state);
  if (result != MO_OK) {
    return (int)result;
  }
  cursor at = io;
  write_number(&at, state.type);
  write_vec3(&at, state.position);
  write_quat(&at, state.orientation);
  write_vec3(&at, state.linear_velocity);
  write_vec3(&at, state.angular_velocity);
  write_vec3(&at, state.world_center_of_mass);
  write_vec3(&at, state.linear_acceleration);
  write_vec3(&at, state.angular_acceleration);
  write_vec3(&at, state.center_of_mass);
  write_number(&at, state.mass);
  write_number(&at, state.density);
  write_mat3(&at, state.inertia);
  write_number(&at, state.friction);
  write_number(&at, state.restitution);
  write_number(&at, state.linear_damping);
  write_number(&at, state.angular_damping);
  write_number(&at, state.gravity_scale);
  write_number(&at, state.has_solver ? (double)state.solver : -1.0);
  write_number(&at, state.kinetic_energy);
  write_vec3(&at, state.angular_momentum);
  write_filter(&at, state.filter);
  write_number(&at, state.bullet);
  write_number(&at, state.allow_sleep);
  write_number(&at, state.is_awake);
  return MO_OK;
}

EXPORT(int, body_set_position, mo_world *world, mo_body_id body, double x, double y, double z) {
  return (int)mo_body_set_position(world, body, (mo_vec3){x, y, z});
}
EXPORT(int, body_set_orientation, mo_world *world, mo_body_id body, double x, double y, double z,
       double w) {
  return (int)mo_body_set_orientation(world, body, (mo_quat){x, y, z, w});
}
EXPORT(int, body_set_linear_velocity, mo_world *world, mo_body_id body, double x, double y,
       double z) {
  return (int)mo_body_set_linear_velocity(world, body, (mo_vec3){x, y, z});
}
EXPORT(int, body_set_angular_velocity, mo_world *world, mo_body_id body, double x, double y,
       double z) {
  return (int)mo_body_set_angular_velocity(world, body, (mo_vec3){x, y, z});
}
EXPORT(int, body_set_type, mo_world *world, mo_body_id body, int type) {
  return (int)mo_body_set_type(world, body, (mo_body_type)type);
}
EXPORT(int, body_set_density, mo_world *world, mo_body_id body, double density) {
  return (int)mo_body_set_density(world, body, density);
}
EXPORT(int, body_set_mass, mo_world *world, mo_body_id body, double mass) {
  return (int)mo_body_set_mass(world, body, mass);
}
/* Reads a matrix. */
EXPORT(int, body_set_inertia, mo_world *world, mo_body_id body) {
  cursor at = io;
  return (int)mo_body_set_inertia(world, body, read_mat3(&at));
}
EXPORT(int, body_set_center_of_mass, mo_world *world, mo_body_id body, double x, double y,
       double z) {
  return (int)mo_body_set_center_of_mass(world, body, (mo_vec3){x, y, z});
}
EXPORT(int, body_set_friction, mo_world *world, mo_body_id body, double friction) {
  return (int)mo_body_set_friction(world, body, friction);
}
EXPORT(int, body_set_restitution, mo_world *world, mo_body_id body, double restitution) {
  return (int)mo_body_set_restitution(world, body, restitution);
}
EXPORT(int, body_set_linear_damping, mo_world *world, mo_body_id body, double damping) {
  return (int)mo_body_set_linear_damping(world, body, damping);
}
EXPORT(int, body_set_angular_damping, mo_world *world, mo_body_id body, double damping) {
  return (int)mo_body_set_angular_damping(world, body, damping);
}
/* Below 0: the world's solver. */
EXPORT(int, body_set_solver, mo_world *world, mo_body_id body, int solver) {
  return (int)mo_body_set_solver(world, body, solver >= 0, solver >= 0 ? (mo_solver)solver : 0);
}
EXPORT(int, body_set_gravity_scale, mo_world *world, mo_body_id body, double scale) {
  return (int)mo_body_set_gravity_scale(world, body, scale);
}
EXPORT(int, body_set_filter, mo_world *world, mo_body_id body, uint32_t category, uint32_t mask,
       int32_t group) {
  return (int)mo_body_set_filter(world, body, (mo_filter){category, mask, group});
}
EXPORT(int, body_set_bullet, mo_world *world, mo_body_id body, int is_bullet) {
  return (int)mo_body_set_bullet(world, body, is_bullet != 0);
}
EXPORT(int, body_set_allow_sleep, mo_world *world, mo_body_id body, int allow_sleep) {
  return (int)mo_body_set_allow_sleep(world, body, allow_sleep != 0);
}
EXPORT(int, body_sleep, mo_world *world, mo_body_id body) {
  return (int)mo_body_sleep(world, body);
}
EXPORT(int, body_wake, mo_world *world, mo_body_id body) { return (int)mo_body_wake(world, body); }

/* Reads a force and a point; the point counts where has_point is not 0. */
EXPORT(int, body_apply_force, mo_world *world, mo_body_id body, int has_point) {
  cursor at = io;
  mo_vec3 force = read_vec3(&at);
  mo_vec3 point = read_vec3(&at);
  return (int)mo_body_apply_force(world, body, force, has_point ? &point : NULL);
}
EXPORT(int, body_apply_impulse, mo_world *world, mo_body_id body, int has_point) {
  cursor at = io;
  mo_vec3 impulse = read_vec3(&at);
  mo_vec3 point = read_vec3(&at);
  return (int)mo_body_apply_impulse(world, body, impulse, has_point ? &point : NULL);
}
EXPORT(int, body_apply_torque, mo_world *world, mo_body_id body, double x, double y, double z) {
  return (int)mo_body_apply_torque(world, body, (mo_vec3){x, y, z});
}
EXPORT(int, body_apply_angular_impulse, mo_world *world, mo_body_id body, double x, double y,
       double z) {
  return (int)mo_body_apply_angular_impulse(world, body, (mo_vec3){x, y, z});
}
EXPORT(int, body_clear_forces, mo_world *world, mo_body_id body) {
  return (int)mo_body_clear_forces(world, body);
}

// --- constraints -----------------------------------------------------------------------------

// What JavaScript is asked for; the same numbers as PHASE in bindings/constraint-callbacks.mjs.
enum { PHASE_EVALUATE = 0, PHASE_JACOBIAN = 1, PHASE_TIME_DERIVATIVE = 2, PHASE_IS_ACTIVE = 3 };

// Time, address of the answer, and both bodies: position, orientation, centre of mass, linear and
// angular velocity. The same order as in bindings/constraint-callbacks.mjs.
#define CONSTRAINT_BODY_NUMBERS 16
static double constraint_question[2 + 2 * CONSTRAINT_BODY_NUMBERS];

static void write_constraint_body(cursor *at, const mo_constraint_body *body) {
  write_vec3(at, body->position);
  write_quat(at, body->orientation);
  write_vec3(at, body->center_of_mass);
  write_vec3(at, body->linear_velocity);
  write_vec3(at, body->angular_velocity);
}

static bool ask_javascript(int phase, void *user, const mo_constraint_body *a,
                           const mo_constraint_body *b, double time, double *out) {
  cursor at = constraint_question;
  write_number(&at, time);
  write_number(&at, (double)(uintptr_t)out);
  write_constraint_body(&at, a);
  if (b) {
    write_constraint_body(&at, b);
  }
  return js_callback(CALLBACK_CONSTRAINT, (uint32_t)(uintptr_t)user, phase, constraint_question) ==
         0;
}

static bool ask_evaluate(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                         double time, double *out) {
  return ask_javascript(PHASE_EVALUATE, user, a, b, time, out);
}
static bool ask_jacobian(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                         double time, double *out) {
  return ask_javascript(PHASE_JACOBIAN, user, a, b, time, out);
}
static bool ask_time_derivative(void *user, const mo_constraint_body *a,
                                const mo_constraint_body *b, double time, double *out) {
  return ask_javascript(PHASE_TIME_DERIVATIVE, user, a, b, time, out);
}
static bool ask_is_active(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                          double time, double *out) {
  return ask_javascript(PHASE_IS_ACTIVE, user, a, b, time, out);
}

// A direction or a point of the world in both bodies' frames, or what was given for each.
static void read_frames(cursor *at, const mo_world *world, mo_constraint_def *def) {
  bool has_world_anchor = read_bool(at);
  def->anchor_a = read_vec3(at);
  def->anchor_b = read_vec3(at);
  bool has_world_axis = read_bool(at);
  def->axis_a = read_vec3(at);
  def->axis_b = read_vec3(at);
  if (has_world_anchor) {
    def->anchor_a = mo_body_local_point(world, def->body_a, def->anchor_a);
    def->anchor_b = mo_body_local_point(world, def->body_b, def->anchor_b);
  }
  if (has_world_axis) {
    def->axis_a = mo_body_local_vector(world, def->body_a, def->axis_a);
    def->axis_b = mo_body_local_vector(world, def->body_b, def->axis_b);
  }
}

// The name of a custom constraint with its end. JavaScript sends no longer one.
#define NAME_BYTES 32

// Fills `name`, which is all zeros before, of NAME_BYTES.
static void read_custom(cursor *at, mo_constraint_def *def, mo_row_bounds *bounds, char *name) {
  def->user = (void *)(uintptr_t)read_uint(at);
  def->evaluate = ask_evaluate;
  def->jacobian = read_bool(at) ? ask_jacobian : NULL;
  def->time_derivative = read_bool(at) ? ask_time_derivative : NULL;
  def->is_active = read_bool(at) ? ask_is_active : NULL;
  def->dimension = read_uint(at);
  def->bounds = bounds;
  for (uint32_t i = 0; i < def->dimension && i < MO_CONSTRAINT_ROWS; i++) {
    bounds[i].kind = (mo_bound)read_uint(at);
    bounds[i].lower = read_number(at);
    bounds[i].upper = read_number(at);
    bounds[i].friction = read_number(at);
  }
  uint32_t length = read_count(at, 1);
  for (uint32_t i = 0; i < length && i < NAME_BYTES - 1; i++) {
    name[i] = (char)read_uint(at);
  }
  def->name = name;
}

/* Reads a definition; the id, or 0 and last_result. */
EXPORT(mo_constraint_id, constraint_create, mo_world *world) {
  cursor at = io;
  mo_row_bounds bounds[MO_CONSTRAINT_ROWS];
  char name[NAME_BYTES] = {0};
  mo_constraint_def def = mo_constraint_def_default((mo_constraint_type)read_uint(&at));
  def.body_a = read_uint(&at);
  def.body_b = read_uint(&at);
  def.collide_connected = read_bool(&at);
  read_frames(&at, world, &def);
  def.lower = read_number(&at);
  def.upper = read_number(&at);
  def.has_length = read_bool(&at);
  def.length = read_number(&at);
  def.has_stabilization = read_bool(&at);
  def.alpha = read_number(&at);
  def.beta = read_number(&at);
  def.compliance = read_number(&at);
  if (read_bool(&at)) { // it has functions
    read_custom(&at, &def, bounds, name);
  }
  mo_constraint_id id = mo_constraint_create(world, &def);
  last_result = id == MO_NULL_ID ? mo_world_last_result(world) : MO_OK;
  return id;
}
EXPORT(int, constraint_destroy, mo_world *world, mo_constraint_id constraint) {
  return (int)mo_constraint_destroy(world, constraint);
}

/* Writes dimension, whether it had rows, and its coordinate. */
EXPORT(int, constraint_get_state, const mo_world *world, mo_constraint_id constraint) {
  mo_constraint_state state;
  mo_result result = mo_constraint_get_state(world, constraint, &state);
  if (result == MO_OK) {
    cursor at = io;
    write_number(&at, state.dimension);
    write_number(&at, state.is_active);
    write_number(&at, state.coordinate);
  }
  return (int)result;
}
EXPORT(const double *, constraint_impulses, const mo_world *world, mo_constraint_id constraint) {
  return mo_constraint_impulses(world, constraint);
}

/* Writes C, or with `is_rate` its time derivative. */
EXPORT(int, constraint_violation, mo_world *world, mo_constraint_id constraint, int is_rate) {
  double numbers[MO_CONSTRAINT_ROWS] = {0}; // callbacks may use the shared block
  mo_result result = is_rate ? mo_constraint_velocity_violation(world, constraint, numbers)
                             : mo_constraint_violation(world, constraint, numbers);
  cursor at = io;
  for (uint32_t i = 0; i < MO_CONSTRAINT_ROWS; i++) {
    write_number(&at, numbers[i]);
  }
  return (int)result;
}

// --- potentials ------------------------------------------------------------------------------

// What JavaScript is asked for; the same numbers as PHASE in bindings/potential-callbacks.mjs.
enum { PHASE_WRENCH = 0, PHASE_ENERGY = 1 };

// Time, id and mass of the body, the body as constraints have it, and room for the answer: force
// and torque, or the energy. The same order as in bindings/potential-callbacks.mjs.
#define POTENTIAL_ANSWER (3 + CONSTRAINT_BODY_NUMBERS)
static double potential_question[POTENTIAL_ANSWER + 6];

static bool ask_potential(int phase, const mo_potential_body *body, double time, void *user) {
  cursor at = potential_question;
  write_number(&at, time);
  write_number(&at, body->id);
  write_number(&at, body->mass);
  write_vec3(&at, body->position);
  write_quat(&at, body->orientation);
  write_vec3(&at, body->center_of_mass);
  write_vec3(&at, body->linear_velocity);
  write_vec3(&at, body->angular_velocity);
  return js_callback(CALLBACK_POTENTIAL, (uint32_t)(uintptr_t)user, phase, potential_question) == 0;
}

static bool ask_wrench(const mo_potential_body *body, double time, mo_wrench *wrench, void *user) {
  bool good = ask_potential(PHASE_WRENCH, body, time, user);
  cursor at = &potential_question[POTENTIAL_ANSWER];
  wrench->force = read_vec3(&at);
  wrench->torque = read_vec3(&at);
  return good;
}

static bool ask_energy(const mo_potential_body *body, double time, double *energy, void *user) {
  bool good = ask_potential(PHASE_ENERGY, body, time, user);
  *energy = potential_question[POTENTIAL_ANSWER];
  return good;
}

// All numbers of any type, in the order of mo_potential_def.
static mo_potential_def read_potential(cursor *at) {
  mo_potential_def def = mo_potential_def_default((mo_potential_type)read_uint(at));
  def.gravity = read_vec3(at);
  def.center = read_vec3(at);
  def.mu = read_number(at);
  def.softening = read_number(at);
  def.moment = read_vec3(at);
  def.field = read_vec3(at);
  def.source_moment = read_vec3(at);
  def.linear_drag = read_number(at);
  def.quadratic_drag = read_number(at);
  def.angular_drag = read_number(at);
  def.anchor_a = read_vec3(at);
  def.anchor_b = read_vec3(at);
  def.stiffness = read_number(at);
  def.rest_length = read_number(at);
  def.damping = read_number(at);
  def.user = (void *)(uintptr_t)read_uint(at);
  def.wrench = ask_wrench;
  def.energy = read_bool(at) ? ask_energy : NULL;
  return def;
}

/* Reads a definition and its bodies, the number of them first; the id, or 0 and last_result. */
EXPORT(mo_potential_id, potential_create, mo_world *world) {
  cursor at = io;
  mo_potential_def def = read_potential(&at);
  def.body_count = read_count(&at, 1);
  mo_body_id *bodies = NULL;
  if (def.body_count > 0) {
    bodies = allocate_array(def.body_count, sizeof *bodies);
    if (!bodies) {
      last_result = MO_ERROR_OUT_OF_MEMORY;
      return MO_NULL_ID;
    }
  }
  for (uint32_t i = 0; i < def.body_count; i++) {
    bodies[i] = read_uint(&at);
  }
  def.bodies = bodies;
  mo_potential_id id = mo_potential_create(world, &def);
  free(bodies);
  last_result = id == MO_NULL_ID ? mo_world_last_result(world) : MO_OK;
  return id;
}
EXPORT(int, potential_destroy, mo_world *world, mo_potential_id potential) {
  return (int)mo_potential_destroy(world, potential);
}

/* Writes its energy. */
EXPORT(int, potential_get_energy, mo_world *world, mo_potential_id potential) {
  double energy = 0.0;
  mo_result result = mo_potential_get_energy(world, potential, &energy);
  cursor at = io;
  write_number(&at, energy);
  return (int)result;
}

/* Writes force and torque. */
EXPORT(int, potential_get_wrench, mo_world *world, mo_potential_id potential, mo_body_id body) {
  mo_wrench wrench = {0};
  mo_result result = mo_potential_get_wrench(world, potential, body, &wrench);
  cursor at = io;
  write_vec3(&at, wrench.force);
  write_vec3(&at, wrench.torque);
  return (int)result;
}
