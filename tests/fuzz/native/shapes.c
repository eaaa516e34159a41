/// Shapes of all types: of ordinary and extreme measures, and some that cannot be.
#include "fuzz_world.h"

#include <stdlib.h>

// --- convex shapes ---------------------------------------------------------------------------

static double choose_rounding(choices *c) {
  return choose_below(c, 2) ? choose_number(c, 0.2) : 0.0;
}

static mo_shape *choose_hull_shape(choices *c, mo_result *result) {
  mo_vec3 points[24];
  mo_hull *hull;
  uint32_t count = 3 + choose_below(c, 22);
  for (uint32_t i = 0; i < count; i++) {
    points[i] = choose_vec3(c, 0.5);
  }
  double radius = choose_if(c, 64) ? choose_number(c, 0.1) : 0.0;
  *result = mo_hull_create(points, count, &hull);
  mo_shape *shape = *result == MO_OK ? mo_shape_create_rounded_hull(hull, radius, result) : NULL;
  mo_hull_release(hull);
  return shape;
}

static mo_shape *choose_round_shape(choices *c, mo_shape_type type, mo_result *result) {
  double radius = choose_positive(c, 0.4), half_height = choose_positive(c, 0.5);
  double other = choose_below(c, 2) ? choose_number(c, 0.4) : radius;
  switch (type) {
  case MO_SHAPE_CAPSULE:
    return mo_shape_create_tapered_capsule(radius, other, half_height, result);
  case MO_SHAPE_CYLINDER:
    return mo_shape_create_tapered_cylinder(radius, other, half_height, choose_rounding(c), result);
  case MO_SHAPE_CONE:
    return mo_shape_create_cone(radius, half_height, choose_rounding(c), result);
  default:
    return mo_shape_create_sphere(radius, result);
  }
}

static mo_shape *choose_box(choices *c, mo_result *result) {
  double x = choose_positive(c, 0.6), y = choose_positive(c, 0.6), z = choose_positive(c, 0.6);
  return mo_shape_create_rounded_box((mo_vec3){x, y, z}, choose_rounding(c), result);
}

static mo_shape *choose_plane(choices *c, mo_result *result) {
  mo_vec3 normal = choose_vec3(c, 1.0);
  return mo_shape_create_plane(normal, choose_number(c, 1.0), result);
}

// --- surfaces --------------------------------------------------------------------------------

#define MOST_VERTICES 24
#define MOST_TRIANGLES 40

// Any triangles; vertices are often equal or in a plane. Now and then an index leads to nothing.
static mo_shape *choose_mesh(choices *c, mo_result *result) {
  mo_vec3 vertices[MOST_VERTICES];
  uint32_t indices[3 * MOST_TRIANGLES];
  uint32_t count = 3 + choose_below(c, MOST_VERTICES - 2);
  uint32_t triangles = 1 + choose_below(c, MOST_TRIANGLES);
  for (uint32_t i = 0; i < count; i++) {
    vertices[i] = choose_vec3(c, 2.0);
  }
  bool is_beyond = choose_if(c, c->wild_part);
  for (uint32_t i = 0; i < 3 * triangles; i++) {
    indices[i] = choose_below(c, count + is_beyond);
  }
  const mo_mesh_def def = {vertices, count, indices, 3 * (size_t)triangles, choose_if(c, 128)};
  return mo_shape_create_mesh(&def, result);
}

#define MOST_LINES 7

static mo_shape *choose_heightfield(choices *c, mo_result *result) {
  double heights[MOST_LINES * MOST_LINES];
  uint32_t rows = 2 + choose_below(c, MOST_LINES - 1),
           columns = 2 + choose_below(c, MOST_LINES - 1);
  double roughness = choose_if(c, 64) ? 0.0 : choose_positive(c, 0.5);
  for (uint32_t i = 0; i < rows * columns; i++) {
    heights[i] = choose_number(c, roughness);
  }
  double x = choose_positive(c, 2.0), y = choose_positive(c, 2.0), z = choose_positive(c, 2.0);
  const mo_heightfield_def def = {heights, rows, columns, {x, y, z}, choose_if(c, 128)};
  return mo_shape_create_heightfield(&def, result);
}

// --- several ---------------------------------------------------------------------------------

#define MOST_PARTS 4

// Of shapes of the table, which may be compounds, planes (refused) or surfaces.
static mo_shape *choose_compound(const fuzz_world *f, choices *c, mo_result *result) {
  mo_placed_shape parts[MOST_PARTS];
  uint32_t count = choose_below(c, MOST_PARTS + 1);
  for (uint32_t i = 0; i < count; i++) {
    parts[i] = fuzz_choose_placed_shape(f, c, false);
  }
  return mo_shape_create_compound(parts, count, result);
}

mo_shape *fuzz_choose_shape(const fuzz_world *f, choices *c, mo_shape_type type,
                            mo_result *result) {
  switch (type) {
  case MO_SHAPE_BOX:
    return choose_box(c, result);
  case MO_SHAPE_PLANE:
    return choose_plane(c, result);
  case MO_SHAPE_MESH:
    return choose_mesh(c, result);
  case MO_SHAPE_HEIGHTFIELD:
    return choose_heightfield(c, result);
  case MO_SHAPE_COMPOUND:
    return choose_compound(f, c, result);
  case MO_SHAPE_HULL:
    return choose_hull_shape(c, result);
  default:
    return choose_round_shape(c, type, result);
  }
}

// --- those of the table at the beginning -----------------------------------------------------

// A bowl of two slopes, over which things roll together.
static mo_shape *default_mesh(mo_result *result) {
  static const mo_vec3 vertices[] = {{-3, 1, -3}, {-3, 1, 3}, {0, 0, -3},
                                     {0, 0, 3},   {3, 1, -3}, {3, 1, 3}};
  static const uint32_t indices[] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5};
  const mo_mesh_def def = {vertices, 6, indices, 12, false};
  return mo_shape_create_mesh(&def, result);
}

static mo_shape *default_heightfield(mo_result *result) {
  static const double heights[] = {0.3, 0.1, 0.2, 0.0, 0.0, 0.1, 0.2, 0.0, 0.3};
  const mo_heightfield_def def = {heights, 3, 3, {2.0, 1.0, 2.0}, false};
  return mo_shape_create_heightfield(&def, result);
}

static mo_shape *default_compound(mo_shape *const *before, mo_result *result) {
  mo_placed_shape parts[2] = {mo_placed_shape_default(before[0]),
                              mo_placed_shape_default(before[1])};
  parts[0].pose.position.x = -0.3;
  parts[1].pose.position.x = 0.3;
  return mo_shape_create_compound(parts, 2, result);
}

mo_shape *fuzz_default_shape(mo_shape *const *before, uint32_t index) {
  mo_result result;
  uint32_t round = index / 4; // through the four simple types
  double size = 0.2 + 0.05 * round;
  switch (index) {
  case 5:
    return mo_shape_create_cylinder(size, 0.2, 0.0, &result);
  case 8:
    return mo_shape_create_cone(size, 0.3, 0.02, &result);
  case 10:
    return default_compound(before, &result);
  case 11:
    return default_mesh(&result);
  case 13:
    return mo_shape_create_tapered_capsule(0.5 * size, 0.1, 0.3, &result);
  case 15:
    return default_heightfield(&result);
  default:
    break;
  }
  switch (index % 4) {
  case 0:
    return mo_shape_create_box((mo_vec3){size, 0.3, 0.25}, &result);
  case 1:
    return mo_shape_create_sphere(size, &result);
  case 2:
    return mo_shape_create_capsule(0.5 * size, 0.3, &result);
  default:
    return mo_shape_create_plane((mo_vec3){0.0, 1.0, 0.1 * (round % 2)}, 0.0, &result);
  }
}

// --- placed in a body ------------------------------------------------------------------------

static void choose_material(choices *c, mo_placed_shape *placed) {
  placed->density = choose_number(c, 1000.0);
  placed->friction = choose_number(c, 1.0);
  placed->friction_combine = (mo_combine)choose_below(c, 6);
  placed->restitution_combine = (mo_combine)choose_below(c, 6);
  placed->sensor = choose_if(c, 48);
  placed->has_filter = choose_if(c, 32);
  placed->filter = (mo_filter){1u << choose_below(c, 3), choose_below(c, 8), 0};
}

mo_placed_shape fuzz_choose_placed_shape(const fuzz_world *f, choices *c, bool is_plain) {
  mo_placed_shape placed = mo_placed_shape_default(f->shapes[choose_below(c, TABLE)]);
  if (!is_plain) {
    placed.pose = choose_pose(c, 0.5);
    choose_material(c, &placed);
  }
  return placed;
}
