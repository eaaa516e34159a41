/// Searches in a mesh: triangles in a box and near a point.
#include "geometry/height_search.h"
#include "geometry/mesh_leaves.h"
#include "geometry/packed_search.h"

// --- boxes -----------------------------------------------------------------------------------

// The search of a tree compares floats, and finds some triangles that are just outside. Those that
// count are whose boxes, rounded outwards to floats, overlap the one that is searched.
typedef struct box_search {
  const mo_mesh *mesh;
  const mo_bounds *box;
  mo_f64x2 above, below; // x and y just outside of the box in floats
  mo_f64x2 z;            // of `above`, and less that of `below`
  mo_triangle_function *function;
  void *user;
} box_search;

static box_search begin_boxes(const mo_mesh *mesh, const mo_bounds *box, const mo_aabb *around,
                              mo_triangle_function *function, void *user) {
  const float *l = around->lower, *u = around->upper;
  return (box_search){.mesh = mesh,
                      .box = box,
                      .above = {-mo_float_below(-u[0]), -mo_float_below(-u[1])},
                      .below = {mo_float_below(l[0]), mo_float_below(l[1])},
                      .z = {-mo_float_below(-u[2]), -mo_float_below(l[2])},
                      .function = function,
                      .user = user};
}

// On both sides of each axis a corner has to be on the right side. No branch depends on which.
static bool overlaps(const box_search *search, const mo_triangle *t) {
  const mo_vec3 *a = &t->corners[0], *b = &t->corners[1], *c = &t->corners[2];
  mo_f64x2 a_xy = {a->x, a->y}, b_xy = {b->x, b->y}, c_xy = {c->x, c->y};
  mo_f64x2 a_z = {a->z, -a->z}, b_z = {b->z, -b->z}, c_z = {c->z, -c->z};
  mo_i64x2 below = (a_xy < search->above) | (b_xy < search->above) | (c_xy < search->above);
  mo_i64x2 above = (a_xy > search->below) | (b_xy > search->below) | (c_xy > search->below);
  mo_i64x2 along_z = (a_z < search->z) | (b_z < search->z) | (c_z < search->z);
  return mo_i64x2_bits(below & above & along_z) == 3;
}

// Looks at an item of the tree. Returns false at the end of the search.
static bool search_item(const box_search *search, uint32_t place) {
  const mo_mesh *mesh = search->mesh;
  if (mesh->grid.heights) {
    return mo_height_search_block(mesh, mesh->blocks[place], search->box, search->function,
                                  search->user);
  }
  const mo_mesh_leaf *leaf = mo_mesh_leaf_at(mesh, place);
  mo_triangle t = mo_mesh_leaf_triangle(mesh, leaf, place % MO_PACKED_LANES);
  return !overlaps(search, &t) ||
         search->function(search->user, leaf->triangles[place % MO_PACKED_LANES]);
}

// The items of each half of a lowest node in their order, the last half first: contacts come in the
// order of triangles, and the bits of a step depend on that.
static bool search_lanes(const box_search *search, uint32_t first, int hits) {
  for (int half = 4; half >= 0; half -= 4) {
    for (int lanes = hits >> half & 15; lanes != 0; lanes &= lanes - 1) {
      uint32_t lane = (uint32_t)(half + __builtin_ctz((unsigned)lanes));
      if (!search_item(search, first + lane)) {
        return false;
      }
    }
  }
  return true;
}

void mo_mesh_search(const mo_mesh *mesh, mo_bounds box, mo_triangle_function *function,
                    void *user) {
  mo_aabb around = mo_aabb_from_bounds(box);
  box_search search = begin_boxes(mesh, &box, &around, function, user);
  mo_packed_search walk;
  mo_packed_search_begin(&walk, &mesh->bvh, &around);
  uint32_t first;
  for (int hits; (hits = mo_packed_search_next(&walk, &first)) != 0;) {
    if (!search_lanes(&search, first, hits)) {
      return;
    }
  }
}

// --- the neighbourhood of a box ----------------------------------------------------------------

static void store_sides(const mo_packed_node *node, int axis, const uint8_t *steps,
                        float to[MO_PACKED_LANES]) {
  mo_f32x4 first, last;
  mo_packed_sides(node, axis, steps, &first, &last);
  mo_f32x4_store(to, first);
  mo_f32x4_store(to + 4, last);
}

// The distances of a box from those of a node's children, m, as lower bounds.
static void measure_children(const mo_packed_node *node, const mo_bounds *box,
                             double distances[MO_PACKED_LANES]) {
  const double lower[3] = {box->lower.x, box->lower.y, box->lower.z};
  const double upper[3] = {box->upper.x, box->upper.y, box->upper.z};
  double squares[MO_PACKED_LANES] = {0};
  for (int i = 0; i < 3; i++) {
    float below[MO_PACKED_LANES], above[MO_PACKED_LANES];
    store_sides(node, i, node->lower[i], below);
    store_sides(node, i, node->upper[i], above);
    for (int lane = 0; lane < MO_PACKED_LANES; lane++) {
      double apart = mo_max((double)below[lane] - upper[i], lower[i] - (double)above[lane]);
      squares[lane] += mo_square(mo_max(0.0, apart));
    }
  }
  for (int lane = 0; lane < MO_PACKED_LANES; lane++) {
    distances[lane] = sqrt(squares[lane]);
  }
}

typedef struct near_entry {
  double distance; // m
  uint32_t child;
} near_entry;

// Pushes the children of a node that are within reach, the nearest last.
static uint32_t push_near(const mo_packed_bvh *bvh, uint32_t index, const mo_bounds *box,
                          double reach, near_entry *stack, uint32_t depth) {
  double distances[MO_PACKED_LANES];
  measure_children(&bvh->nodes[index], box, distances);
  uint32_t bottom = depth, first = mo_packed_first_child(bvh, index);
  int lanes = mo_packed_lanes(&bvh->nodes[index]);
  for (uint32_t lane = 0; lanes >> lane != 0; lane++) {
    if (!(distances[lane] <= reach)) {
      continue;
    }
    uint32_t i = depth++;
    for (; i > bottom && stack[i - 1].distance < distances[lane]; i--) {
      stack[i] = stack[i - 1];
    }
    stack[i] = (near_entry){distances[lane], first + lane};
  }
  return depth;
}

static double near_item(const mo_mesh *mesh, uint32_t place, const mo_bounds *box, double reach,
                        mo_near_triangle_function *function, void *user) {
  return mesh->grid.heights
             ? mo_height_search_near(mesh, mesh->blocks[place], box, reach, function, user)
             : function(user, mo_mesh_leaf_at(mesh, place)->triangles[place % MO_PACKED_LANES],
                        reach);
}

void mo_mesh_search_near(const mo_mesh *mesh, mo_bounds box, double reach,
                         mo_near_triangle_function *function, void *user) {
  near_entry stack[MO_PACKED_STACK];
  uint32_t depth = mesh->bvh.node_count > 0;
  stack[0] = (near_entry){0.0, mesh->bvh.node_count - 1};
  while (depth > 0) {
    near_entry next = stack[--depth];
    if (!(next.distance <= reach)) {
      continue;
    }
    if ((next.child & MO_BVH_ITEM) != 0) {
      reach = near_item(mesh, next.child & ~MO_BVH_ITEM, &box, reach, function, user);
    } else {
      depth = push_near(&mesh->bvh, next.child, &box, reach, stack, depth);
    }
  }
}

// --- points ----------------------------------------------------------------------------------

typedef struct point_search {
  const mo_mesh *mesh;
  mo_vec3 point;
  mo_mesh_point found;
} point_search;

static double look_at(void *user, uint32_t triangle, double reach) {
  point_search *search = user;
  mo_triangle t = mo_mesh_triangle(search->mesh, triangle);
  mo_vec3 closest = mo_triangle_closest_point(&t, search->point);
  double distance = mo_distance_between(search->point, closest);
  mo_mesh_point *found = &search->found;
  if (distance < reach || (distance == reach && triangle < found->triangle)) {
    *found = (mo_mesh_point){distance, closest, triangle};
    return distance;
  }
  return reach;
}

mo_mesh_point mo_mesh_closest_point(const mo_mesh *mesh, mo_vec3 point, double max_distance) {
  point_search search = {mesh, point, {.distance = INFINITY, .triangle = MO_NO_TRIANGLE}};
  mo_mesh_search_near(mesh, (mo_bounds){point, point}, max_distance, look_at, &search);
  return search.found;
}
