#include "report/debug_shapes.h"

#include "math/trig.h"

// Lines of a closed curve.
#define CURVE_LINES 32
// How far the directions of a rim lean out of its plane, per 1 in the plane. The support point of a
// direction within the plane may be at either end of a cylinder.
#define RIM_LEAN 1e-6
// Lines of the grid of a plane in each direction, and the metres between them.
#define GRID_LINES 11
#define GRID_SPACING 1.0

// --- polyhedra -------------------------------------------------------------------------------

// Every half-edge is moved outwards with its face, so a rounded edge becomes two lines; a sharp
// one is drawn once.
static void add_hull(mo_line_list *list, const mo_convex *core, const mo_transform *placement) {
  const mo_hull *hull = core->hull;
  for (uint32_t e = 0; e < hull->half_edge_count; e++) {
    const mo_half_edge *edge = &hull->half_edges[e];
    if (core->radius > 0.0 || e < edge->twin) {
      mo_vec3 out = mo_scale(core->radius, hull->faces[edge->face].normal);
      mo_vec3 from = mo_add(hull->vertices[edge->origin], out);
      mo_vec3 to = mo_add(hull->vertices[hull->half_edges[edge->next].origin], out);
      mo_line_list_add(list, mo_transform_point(*placement, from),
                       mo_transform_point(*placement, to));
    }
  }
}

// --- round shapes ----------------------------------------------------------------------------

static mo_vec3 support(const mo_convex *core, mo_vec3 direction) {
  uint32_t vertex = MO_NO_FEATURE;
  return mo_add_scaled(mo_convex_support(core, &vertex, direction), core->radius,
                       mo_normalize(direction));
}

// The support points of the directions lean + u cos + v sin: a profile, or a rim.
static void add_curve(mo_line_list *list, const mo_shape *shape, const mo_transform *placement,
                      mo_vec3 lean, mo_vec3 u, mo_vec3 v) {
  mo_vec3 first = mo_v3_zero(), last = mo_v3_zero();
  for (int i = 0; i <= CURVE_LINES; i++) {
    mo_sin_cos turn = mo_sine_cosine(2.0 * MO_PI * i / CURVE_LINES);
    mo_vec3 direction = mo_add_scaled(mo_add_scaled(lean, turn.cos, u), turn.sin, v);
    mo_vec3 at = mo_transform_point(*placement, support(&shape->core, direction));
    if (i == 0) {
      first = at;
    } else {
      mo_line_list_add(list, last, i < CURVE_LINES ? at : first);
    }
    last = at;
  }
}

static void add_round(mo_line_list *list, const mo_shape *shape, const mo_transform *placement) {
  const mo_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
  mo_vec3 lean = mo_scale(RIM_LEAN, y);
  add_curve(list, shape, placement, mo_v3_zero(), x, y);
  add_curve(list, shape, placement, mo_v3_zero(), z, y);
  add_curve(list, shape, placement, lean, x, z);
  if (shape->core.kind != MO_CORE_POINT) {
    add_curve(list, shape, placement, mo_neg(lean), x, z);
  }
}

// --- planes ----------------------------------------------------------------------------------

static void add_plane(mo_line_list *list, const mo_shape *plane, const mo_transform *placement,
                      double metre) {
  mo_vec3 normal = mo_mat3_mul(placement->rotation, plane->normal), t1, t2;
  mo_tangent_basis(normal, &t1, &t2);
  mo_vec3 centre = mo_add_scaled(placement->translation, plane->offset, normal);
  double half = 0.5 * GRID_SPACING * metre * (GRID_LINES - 1);
  for (int i = 0; i < GRID_LINES; i++) {
    double offset = GRID_SPACING * metre * i - half;
    mo_vec3 across = mo_add_scaled(centre, offset, t1), along = mo_add_scaled(centre, offset, t2);
    mo_line_list_add(list, mo_add_scaled(across, -half, t2), mo_add_scaled(across, half, t2));
    mo_line_list_add(list, mo_add_scaled(along, -half, t1), mo_add_scaled(along, half, t1));
  }
}

// --- meshes ----------------------------------------------------------------------------------

// Every edge between two triangles is a side of both: it is drawn by the one that lists its ends in
// ascending order, and a border by the only one that has it.
static void add_mesh(mo_line_list *list, const mo_mesh *mesh, const mo_transform *placement) {
  for (uint32_t t = 0; t < mesh->triangle_count; t++) {
    uint32_t corner[3];
    mo_mesh_corners(mesh, t, corner);
    for (int k = 0; k < 3; k++) {
      uint32_t from = corner[k], to = corner[(k + 1) % 3];
      if (from < to || mo_mesh_edge_kind(mesh, t, k) == MO_EDGE_BORDER) {
        mo_line_list_add(list, mo_transform_point(*placement, mo_mesh_vertex(mesh, from)),
                         mo_transform_point(*placement, mo_mesh_vertex(mesh, to)));
      }
    }
  }
}

void mo_line_list_add_shape(mo_line_list *list, const mo_shape *shape,
                            const mo_transform *placement, double metre) {
  if (shape->mesh) {
    add_mesh(list, shape->mesh, placement);
    return;
  }
  switch (shape->core.kind) {
  case MO_CORE_NONE:
    add_plane(list, shape, placement, metre);
    return;
  case MO_CORE_HULL:
    add_hull(list, &shape->core, placement);
    return;
  default:
    add_round(list, shape, placement);
  }
}

void mo_line_list_add_bounds(mo_line_list *list, mo_vec3 lower, mo_vec3 upper) {
  const mo_vec3 size = mo_sub(upper, lower);
  const mo_vec3 sides[3] = {{size.x, 0, 0}, {0, size.y, 0}, {0, 0, size.z}};
  for (int axis = 0; axis < 3; axis++) {
    mo_vec3 u = sides[(axis + 1) % 3], v = sides[(axis + 2) % 3];
    const mo_vec3 corners[4] = {lower, mo_add(lower, u), mo_add(lower, v),
                                mo_add(lower, mo_add(u, v))};
    for (int i = 0; i < 4; i++) {
      mo_line_list_add(list, corners[i], mo_add(corners[i], sides[axis]));
    }
  }
}
