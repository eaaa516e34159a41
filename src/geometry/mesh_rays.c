/// Rays that meet a mesh.
#include "geometry/height_search.h"
#include "geometry/mesh_leaves.h"
#include "geometry/packed_search.h"

// Areas of triangles: the box of a short ray is no larger than so many, along its two longest
// sides. The tree is then searched for it, which takes half as long as along the ray and finds few
// triangles more.
#define SHORT_AREAS 2.0
// Of the coordinates and the length of a short ray: more than the round-off of where it ends, and
// of where it meets a triangle.
#define END_SLACK 1e-14
// Sine, of 0.6 degrees: what passes the border of a triangle at a smaller angle to it would meet
// its plane a hundred times as far away as it passes.
#define LEAST_SLOPE 0.01

// --- triangles -------------------------------------------------------------------------------

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

typedef struct ray_search {
  const mo_mesh *mesh;
  sheared_ray sheared;
  double most_outside; // m^2: no ray with its slack is further outside of an edge of the mesh
  mo_mesh_hit hit;
  mo_triangle triangle; // that is hit
} ray_search;

// Where a ray passes a triangle, and its edges: twice the areas between each of them and the ray.
typedef struct passage {
  double corners[3][2], areas[3];
  double sign; // of the areas of what is inside
} passage;

// Twice the longest edge of a mesh as it is seen across a ray, times its slack, at the most.
static double most_outside(const mo_mesh *mesh, const mo_local_ray *ray) {
  mo_vec3 size = mo_sub(mesh->bounds.upper, mesh->bounds.lower);
  mo_vec3 corner = mo_v3_max(mo_v3_abs(mesh->bounds.upper), mo_v3_abs(mesh->bounds.lower));
  return ray->slack > 0.0 ? 2.0 * (ray->slack + mo_mesh_rounding(corner)) * mo_length(size) : 0.0;
}

// Whether another triangle may meet an edge than the neighbours that the mesh knows of.
static bool may_be_seam(const mo_mesh *mesh, uint32_t triangle, int k) {
  mo_edge_kind kind = mo_mesh_edge_kind(mesh, triangle, k);
  return kind == MO_EDGE_BORDER || (mesh->has_seams && kind == MO_EDGE_CONVEX);
}

// Whether the ray is outside of an edge by no more than its slack, and that may be a seam.
static bool touches_border(const ray_search *search, const mo_triangle *t, uint32_t triangle,
                           const passage *p, int k) {
  int next = (k + 1) % 3;
  double slack = search->sheared.ray->slack + mo_mesh_rounding(t->corners[k]);
  double x = p->corners[next][0] - p->corners[k][0], y = p->corners[next][1] - p->corners[k][1];
  return -p->sign * p->areas[k] <= slack * sqrt(x * x + y * y) &&
         may_be_seam(search->mesh, triangle, k);
}

static passage passage_of(const ray_search *search, const mo_triangle *t) {
  passage p;
  for (int k = 0; k < 3; k++) {
    project(&search->sheared, t->corners[k], p.corners[k]);
  }
  for (int k = 0; k < 3; k++) {
    p.areas[k] = side(p.corners[k], p.corners[(k + 1) % 3]);
  }
  p.sign = p.areas[0] + p.areas[1] + p.areas[2] < 0.0 ? -1.0 : 1.0;
  return p;
}

// Whether the ray touches the border of a triangle from outside. That is seldom asked.
MO_APART bool touches(const ray_search *search, const mo_triangle *t, uint32_t triangle) {
  passage p = passage_of(search, t);
  for (int k = 0; k < 3; k++) {
    if (p.sign * p.areas[k] < 0.0 && !touches_border(search, t, triangle, &p, k)) {
      return false;
    }
  }
  mo_vec3 across = mo_triangle_area_vector(t);
  double speed = mo_dot(across, search->sheared.ray->direction);
  return speed * speed > LEAST_SLOPE * LEAST_SLOPE * mo_length_squared(across);
}

// Whether the ray goes through a triangle, or touches its border.
static bool goes_through(const ray_search *search, const mo_triangle *t, uint32_t triangle) {
  double a[2], b[2], c[2];
  project(&search->sheared, t->corners[0], a);
  project(&search->sheared, t->corners[1], b);
  project(&search->sheared, t->corners[2], c);
  double u = side(b, c), v = side(c, a), w = side(a, b);
  if ((u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0)) {
    return true;
  }
  double least = mo_min(u, mo_min(v, w)), most = mo_max(u, mo_max(v, w));
  return mo_min(-least, most) < search->most_outside && touches(search, t, triangle);
}

// The distance at which a ray meets a triangle; infinite if it misses it.
static double meet(const ray_search *search, const mo_triangle *t, uint32_t triangle) {
  if (!goes_through(search, t, triangle)) {
    return INFINITY;
  }
  const mo_local_ray *ray = search->sheared.ray;
  mo_vec3 across = mo_triangle_area_vector(t);
  double speed = mo_dot(across, ray->direction);
  if (speed == 0.0 || (search->mesh->is_one_sided && speed > 0.0)) {
    return INFINITY;
  }
  double distance = mo_dot(across, mo_sub(t->corners[0], ray->origin)) / speed;
  return distance >= 0.0 ? distance : INFINITY;
}

static void look_along(ray_search *search, const mo_triangle *t, uint32_t triangle) {
  mo_mesh_hit *hit = &search->hit;
  double distance = meet(search, t, triangle);
  bool is_met = distance < INFINITY;
  if (is_met &&
      (distance < hit->distance || (distance == hit->distance && triangle < hit->triangle))) {
    hit->distance = distance;
    hit->triangle = triangle;
    search->triangle = *t;
  }
}

static bool look_along_cell(void *user, uint32_t triangle) {
  ray_search *search = user;
  mo_triangle t = mo_mesh_triangle(search->mesh, triangle);
  look_along(search, &t, triangle);
  return true;
}

static void look_at_place(ray_search *search, uint32_t place) {
  const mo_mesh *mesh = search->mesh;
  if (mesh->grid.heights) {
    mo_height_search_along(mesh, mesh->blocks[place], search->sheared.ray, search->hit.distance,
                           look_along_cell, search);
    return;
  }
  const mo_mesh_leaf *leaf = mo_mesh_leaf_at(mesh, place);
  mo_triangle t = mo_mesh_leaf_triangle(mesh, leaf, place % MO_PACKED_LANES);
  look_along(search, &t, leaf->triangles[place % MO_PACKED_LANES]);
}

// --- the tree --------------------------------------------------------------------------------

static void follow(ray_search *along, const mo_mesh *mesh, const mo_local_ray *ray,
                   double max_distance) {
  float reach = mo_round_up(mo_min(max_distance, FLT_MAX));
  mo_packed_ray search;
  mo_packed_ray_begin(&search, &mesh->bvh, ray->origin, ray->direction, max_distance);
  for (uint32_t place; (place = mo_packed_ray_next(&search, reach)) != MO_BVH_EMPTY;) {
    look_at_place(along, place);
    reach = mo_round_up(mo_min(along->hit.distance, FLT_MAX));
  }
}

// Everything in the box of a ray.
static void look_around(ray_search *along, const mo_mesh *mesh, const mo_bounds *bounds) {
  mo_aabb box = mo_aabb_from_bounds(*bounds);
  mo_packed_search search;
  mo_packed_search_begin(&search, &mesh->bvh, &box);
  uint32_t first;
  for (int hits; (hits = mo_packed_search_next(&search, &first)) != 0;) {
    for (; hits != 0; hits &= hits - 1) {
      look_at_place(along, first + (uint32_t)__builtin_ctz((unsigned)hits));
    }
  }
}

static mo_bounds bounds_of(const mo_local_ray *ray, double max_distance) {
  mo_vec3 end = mo_ray_point(ray, max_distance);
  mo_bounds bounds = {mo_v3_min(ray->origin, end), mo_v3_max(ray->origin, end)};
  double farthest = mo_v3_max_component(mo_v3_abs(ray->origin)) + max_distance;
  return mo_bounds_expand(bounds, END_SLACK * farthest);
}

// No ray without an end is short, nor one whose numbers are not finite.
static bool is_short(const mo_mesh *mesh, const mo_bounds *bounds) {
  mo_vec3 size = mo_sub(bounds->upper, bounds->lower);
  double smallest = mo_min(size.x, mo_min(size.y, size.z));
  double largest = mo_max(size.x, mo_max(size.y, size.z));
  double between = size.x + size.y + size.z - smallest - largest;
  return largest * between * mesh->triangle_count <= SHORT_AREAS * mesh->surface_area;
}

mo_mesh_hit mo_mesh_cast_ray(const mo_mesh *mesh, const mo_local_ray *ray, double max_distance) {
  ray_search along = {.mesh = mesh,
                      .sheared = shear(ray),
                      .most_outside = most_outside(mesh, ray),
                      .hit = {.distance = max_distance, .triangle = MO_NO_TRIANGLE}};
  mo_mesh_hit *hit = &along.hit;
  mo_bounds bounds = bounds_of(ray, max_distance);
  if (is_short(mesh, &bounds)) {
    look_around(&along, mesh, &bounds);
  } else {
    follow(&along, mesh, ray, max_distance);
  }
  if (hit->triangle != MO_NO_TRIANGLE) {
    mo_vec3 normal = mo_triangle_normal(&along.triangle);
    hit->normal = mo_dot(normal, ray->direction) > 0.0 ? mo_neg(normal) : normal;
  }
  return *hit;
}
