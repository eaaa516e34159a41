/* libFuzzer over vertices and indices: meshes, and what meets them. */
#include "moreau.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_VERTICES 64
#define MOST_INDICES 600

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(bool holds, const char *what, double value) {
  if (!holds) {
    fprintf(stderr, "meshes: %s (%.17g)\n", what, value);
    abort();
  }
}

// --- input -----------------------------------------------------------------------------------

typedef struct input {
  mo_vec3 vertices[MOST_VERTICES];
  uint32_t indices[MOST_INDICES];
  mo_mesh_def def;
} input;

// Coordinates on a coarse grid, so that vertices are equal and triangles flat, or any doubles.
static size_t read_vertices(const uint8_t *bytes, size_t size, size_t count, input *in) {
  bool is_any = bytes[1] % 4 == 3;
  double scale = ldexp(1.0, bytes[2] % 32 - 16);
  size_t width = is_any ? sizeof(double) : 1, at = 4;
  for (; in->def.vertex_count < count && at + 3 * width <= size; at += 3 * width) {
    double x[3];
    for (size_t i = 0; i < 3; i++) {
      x[i] = scale * (int8_t)bytes[at + i * width];
      if (is_any) {
        memcpy(&x[i], bytes + at + i * width, width);
      }
    }
    in->vertices[in->def.vertex_count++] = (mo_vec3){x[0], x[1], x[2]};
  }
  return at;
}

static bool read_input(const uint8_t *bytes, size_t size, input *in) {
  if (size < 4) {
    return false;
  }
  in->def =
      (mo_mesh_def){.vertices = in->vertices, .indices = in->indices, .is_one_sided = bytes[1] & 4};
  size_t at = read_vertices(bytes, size, bytes[0] % MOST_VERTICES, in);
  bool is_raw = bytes[3] == 0; // indices that lead to nothing too
  size_t count = in->def.vertex_count > 0 ? in->def.vertex_count : 1;
  for (; at < size && in->def.index_count < MOST_INDICES; at++) {
    in->indices[in->def.index_count++] = is_raw ? bytes[at] : bytes[at] % (uint32_t)count;
  }
  return true;
}

// --- what must hold --------------------------------------------------------------------------

static void check_measures(const mo_shape *mesh, const input *in) {
  mo_solid_check solid = mo_shape_check_solid(mesh);
  check(mo_shape_surface_area(mesh) >= 0.0, "surface", mo_shape_surface_area(mesh));
  bool has_edge = solid.result == MO_ERROR_MESH_OPEN || solid.result == MO_ERROR_MESH_ORIENTATION;
  for (int i = 0; i < 2 && has_edge; i++) {
    check(solid.edge[i] < in->def.vertex_count, "an edge's vertex", solid.edge[i]);
  }
  if (solid.result == MO_OK) {
    check(mo_shape_volume(mesh) >= 0.0, "volume", mo_shape_volume(mesh));
  }
}

static void check_collision(const mo_shape *mesh, const mo_shape *other) {
  mo_pose a = {.orientation = {0, 0, 0, 1}}, b = {{0.5, 0.1, 0.0}, {0.6, 0, 0, 0.8}};
  mo_collision collision;
  if (mo_collide(mesh, a, other, b, &collision)) {
    check(collision.penetration_depth == collision.penetration_depth, "depth", 0.0);
    check(collision.point_count >= 1 && collision.point_count <= MO_MANIFOLD_POINTS, "points",
          collision.point_count);
  }
  double distance = mo_distance(mesh, a, other, b).distance;
  check(distance >= 0.0, "distance", distance);
}

static mo_body_id add(mo_world *world, mo_body_type type, mo_shape *shape, double y) {
  mo_placed_shape placed = mo_placed_shape_default(shape);
  mo_body_def def = mo_body_def_default();
  def.type = type;
  def.shapes = &placed;
  def.shape_count = 1;
  def.position.y = y;
  return mo_body_create(world, &def);
}

// Two bodies fall onto the mesh, a ray and a shape are cast at it.
static void check_world(mo_shape *mesh, mo_shape *box, mo_shape *ball, mo_solver solver) {
  mo_world_def def = mo_world_def_default();
  mo_result result;
  def.solver = solver;
  mo_world *world = mo_world_create(&def, &result);
  (void)add(world, MO_BODY_STATIC, mesh, 0.0);
  mo_body_id body = add(world, MO_BODY_DYNAMIC, box, 0.4);
  (void)add(world, MO_BODY_DYNAMIC, ball, 1.2);
  (void)mo_world_watch(world, MO_WATCH_CONTACTS);
  for (int step = 0; step < 4; step++) {
    (void)mo_world_step(world, 1.0 / 60.0);
  }
  mo_body_state state;
  if (mo_body_get_state(world, body, &state) == MO_OK) {
    check(isfinite(state.position.y) && isfinite(state.linear_velocity.y), "a body's motion",
          state.position.y);
  }
  mo_ray ray = mo_ray_default();
  mo_shape_cast cast = mo_shape_cast_default();
  ray.origin = cast.pose.position = (mo_vec3){0.3, 50.0, 0.2};
  ray.direction = cast.direction = (mo_vec3){0.0, -1.0, 0.01};
  cast.pose.orientation.w = 1.0;
  cast.shape = box;
  mo_query_hit hit = {0};
  if (mo_world_cast_ray(world, &ray, &hit) == MO_OK && !mo_body_id_is_null(hit.body)) {
    check(hit.distance >= 0.0, "distance of a ray", hit.distance);
  }
  if (mo_world_cast_shape(world, &cast, &hit) == MO_OK && !mo_body_id_is_null(hit.body)) {
    check(hit.distance >= 0.0, "distance of a cast", hit.distance);
  }
  mo_world_destroy(world);
}

static void check_mesh(mo_shape *mesh, const input *in, mo_solver solver) {
  mo_result result;
  mo_shape *box = mo_shape_create_box((mo_vec3){1.0, 0.5, 0.25}, &result);
  mo_shape *ball = mo_shape_create_sphere(0.4, &result);
  check_measures(mesh, in);
  check_collision(mesh, box);
  check_collision(mesh, ball);
  check_world(mesh, box, ball, solver);
  mo_shape_release(ball);
  mo_shape_release(box);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static input in;
  size_t held = mo_allocated_bytes();
  mo_result result;
  if (!read_input(bytes, size, &in)) {
    return -1;
  }
  mo_shape *mesh = mo_shape_create_mesh(&in.def, &result);
  check((mesh != NULL) == (result == MO_OK), "result of a mesh", result);
  if (mesh) {
    check_mesh(mesh, &in, bytes[1] & 8 ? MO_SOLVER_BLOCK_PGS : MO_SOLVER_SOFT_STEP);
    mo_shape_release(mesh);
  }
  check(mo_allocated_bytes() == held, "bytes that are not given back", (double)held);
  return 0;
}
