/// Searches in a mesh: triangles in a box, along a ray, and near a point.
#include "geometry/bvh_ray.h"
#include "geometry/bvh_search.h"
#include "geometry/height_search.h"

// --- boxes -----------------------------------------------------------------------------------

// Looks at an item of the tree. Returns false at the end of the search.
static bool search_item(const mo_mesh *mesh, uint32_t item, const mo_bounds *box,
                        mo_triangle_function *function, void *user) {
  return mesh->grid.heights ? mo_height_search_block(mesh, item, box, function, user)
                            : function(user, item);
}

void mo_mesh_search(const mo_mesh *mesh, mo_bounds box, mo_triangle_function *function,
                    void *user) {
  mo_aabb around = mo_aabb_from_bounds(box);
  mo_bvh_search search;
  uint32_t places[MO_BVH_BATCH], count;
  mo_bvh_search_begin(&search, &mesh->bvh, &around, MO_BVH_ALL);
  while ((count = mo_bvh_search_next(&search, places)) > 0) {
    for (uint32_t i = 0; i < count; i++) {
      uint32_t child = mesh->bvh.nodes[places[i] / 4].child[places[i] % 4];
      if (!search_item(mesh, child & ~MO_BVH_ITEM, &box, function, user)) {
        return;
      }
    }
  }
}

// --- rays ------------------------------------------------------------------------------------

// A ray in coordinates in which it is the axis along which it goes fastest: x and y of a point are
// where a parallel of the ray through it meets the plane across. Each vertex is projected once for
// all of its triangles, and the sign of a difference of two products is never wrong, at most zero.
// So no ray passes between triangles.
typedef struct sheared_ray {
  const mo_local_ray *ray;
  int axis, x, y; // of the vectors of the mesh
  double shear_x, shear_y;
} sheared_ray;

static double component(mo_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static sheared_ray shear(const mo_local_ray *ray) {
  mo_vec3 size = mo_v3_abs(ray->direction);
  int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  double along = component(ray->direction, axis);
  int x = (axis + 1) % 3, y = (axis + 2) % 3;
  return (sheared_ray){.ray = ray,
                       .axis = axis,
                       .x = x,
                       .y = y,
                       .shear_x = component(ray->direction, x) / along,
                       .shear_y = component(ray->direction, y) / along};
}

static void project(const sheared_ray *s, mo_vec3 corner, double at[2]) {
  mo_vec3 p = mo_sub(corner, s->ray->origin);
  const double parts[3] = {p.x, p.y, p.z}; // an index costs less than a choice per number
  at[0] = parts[s->x] - s->shear_x * parts[s->axis];
  at[1] = parts[s->y] - s->shear_y * parts[s->axis];
}

static double side(const double p[2], const double q[2]) { return p[0] * q[1] - p[1] * q[0]; }

// The distance at which a ray meets a triangle; infinite if it misses it.
static double meet(const mo_triangle *t, const sheared_ray *s, bool fronts_only) {
  double a[2], b[2], c[2];
  project(s, t->corners[0], a);
  project(s, t->corners[1], b);
  project(s, t->corners[2], c);
  double u = side(b, c), v = side(c, a), w = side(a, b);
  if (!((u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0))) {
    return INFINITY;
  }
  mo_vec3 across = mo_triangle_area_vector(t);
  double speed = mo_dot(across, s->ray->direction);
  if (speed == 0.0 || (fronts_only && speed > 0.0)) {
    return INFINITY;
  }
  double distance = mo_dot(across, mo_sub(t->corners[0], s->ray->origin)) / speed;
  return distance >= 0.0 ? distance : INFINITY;
}

typedef struct ray_search {
  const mo_mesh *mesh;
  sheared_ray sheared;
  mo_mesh_hit hit;
} ray_search;

static bool look_along(void *user, uint32_t triangle) {
  ray_search *search = user;
  mo_mesh_hit *hit = &search->hit;
  mo_triangle t = mo_mesh_triangle(search->mesh, triangle);
  double distance = meet(&t, &search->sheared, search->mesh->is_one_sided);
  bool is_met = distance < INFINITY;
  if (is_met &&
      (distance < hit->distance || (distance == hit->distance && triangle < hit->triangle))) {
    hit->distance = distance;
    hit->triangle = triangle;
  }
  return true;
}

mo_mesh_hit mo_mesh_cast_ray(const mo_mesh *mesh, const mo_local_ray *ray, double max_distance) {
  ray_search along = {mesh, shear(ray), {.distance = max_distance, .triangle = MO_NO_TRIANGLE}};
  mo_mesh_hit *hit = &along.hit;
  float reach = mo_round_up(mo_min(max_distance, FLT_MAX));
  mo_bvh_ray search;
  mo_bvh_ray_begin(&search, ray->origin, mo_v3_zero(), ray->direction, max_distance);
  mo_bvh_ray_enter(&search, &mesh->bvh);
  for (uint32_t item; (item = mo_bvh_ray_next(&search, reach)) != MO_BVH_EMPTY;) {
    if (mesh->grid.heights) {
      mo_height_search_along(mesh, item, ray, hit->distance, look_along, &along);
    } else {
      look_along(&along, item);
    }
    reach = mo_round_up(mo_min(hit->distance, FLT_MAX));
  }
  if (hit->triangle != MO_NO_TRIANGLE) {
    mo_triangle triangle = mo_mesh_triangle(mesh, hit->triangle);
    mo_vec3 normal = mo_triangle_normal(&triangle);
    hit->normal = mo_dot(normal, ray->direction) > 0.0 ? mo_neg(normal) : normal;
  }
  return *hit;
}

// --- the neighbourhood of a box ----------------------------------------------------------------

// The distances of a box from those of a node's children, m, as lower bounds.
static void measure_children(const mo_bvh_node *node, const mo_bounds *box, double distances[4]) {
  const double lower[3] = {box->lower.x, box->lower.y, box->lower.z};
  const double upper[3] = {box->upper.x, box->upper.y, box->upper.z};
  for (int lane = 0; lane < 4; lane++) {
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
      double below = (double)node->lower[i][lane] - upper[i];
      double above = lower[i] - (double)node->upper[i][lane];
      square += mo_square(mo_max(0.0, mo_max(below, above)));
    }
    distances[lane] = sqrt(square);
  }
}

typedef struct near_entry {
  double distance; // m
  uint32_t child;
} near_entry;

// Pushes the children of a node that are within reach, the nearest last.
static uint32_t push_near(const mo_bvh_node *node, const mo_bounds *box, double reach,
                          near_entry *stack, uint32_t depth) {
  double distances[4];
  measure_children(node, box, distances);
  uint32_t bottom = depth;
  for (int lane = 0; lane < 4; lane++) {
    if (node->child[lane] == MO_BVH_EMPTY || !(distances[lane] <= reach)) {
      continue;
    }
    uint32_t i = depth++;
    for (; i > bottom && stack[i - 1].distance < distances[lane]; i--) {
      stack[i] = stack[i - 1];
    }
    stack[i] = (near_entry){distances[lane], node->child[lane]};
  }
  return depth;
}

static double near_item(const mo_mesh *mesh, uint32_t item, const mo_bounds *box, double reach,
                        mo_near_triangle_function *function, void *user) {
  return mesh->grid.heights ? mo_height_search_near(mesh, item, box, reach, function, user)
                            : function(user, item, reach);
}

void mo_mesh_search_near(const mo_mesh *mesh, mo_bounds box, double reach,
                         mo_near_triangle_function *function, void *user) {
  near_entry stack[MO_BVH_STACK];
  uint32_t depth = mesh->bvh.item_count > 0;
  stack[0] = (near_entry){0.0, mesh->bvh.root};
  while (depth > 0) {
    near_entry next = stack[--depth];
    if (!(next.distance <= reach)) {
      continue;
    }
    if ((next.child & MO_BVH_ITEM) != 0) {
      reach = near_item(mesh, next.child & ~MO_BVH_ITEM, &box, reach, function, user);
    } else {
      depth = push_near(&mesh->bvh.nodes[next.child], &box, reach, stack, depth);
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
