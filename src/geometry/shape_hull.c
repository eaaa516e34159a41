// Convex polyhedra and, as the simplest of them, boxes. Both may be rounded.
#include "geometry/shape_hull.h"

#include "geometry/hull_pool.h"
#include "geometry/ray_clip.h"
#include "geometry/shape_pool.h"

static mo_bounds hull_bounds(const mo_shape *shape, const mo_transform *placement) {
  const mo_hull *hull = shape->hull;
  mo_bounds bounds = {mo_v3(INFINITY, INFINITY, INFINITY), mo_v3(-INFINITY, -INFINITY, -INFINITY)};
  for (uint32_t i = 0; i < hull->vertex_count; i++) {
    mo_vec3 vertex = mo_transform_point(*placement, hull->vertices[i]);
    bounds.lower = mo_v3_min(bounds.lower, vertex);
    bounds.upper = mo_v3_max(bounds.upper, vertex);
  }
  return mo_bounds_expand(bounds, shape->core.radius);
}

static mo_bounds box_bounds(const mo_shape *box, const mo_transform *placement) {
  mo_vec3 half = box->hull->upper;
  mo_vec3 reach = mo_add(mo_add(mo_scale(half.x, mo_v3_abs(placement->rotation.cx)),
                                mo_scale(half.y, mo_v3_abs(placement->rotation.cy))),
                         mo_scale(half.z, mo_v3_abs(placement->rotation.cz)));
  return mo_bounds_expand(
      (mo_bounds){mo_sub(placement->translation, reach), mo_add(placement->translation, reach)},
      box->core.radius);
}

static mo_local_hit cast_at_hull(const mo_shape *shape, const mo_local_ray *ray) {
  const mo_hull *hull = shape->hull;
  mo_ray_clip clip = mo_ray_clip_begin();
  for (uint32_t i = 0; i < hull->face_count; i++) {
    if (!mo_ray_clip_by(&clip, ray, hull->faces[i].normal, hull->faces[i].offset)) {
      return mo_ray_misses();
    }
  }
  return mo_ray_clip_end(&clip, ray);
}

// The same for a box, with pairs of faces (slabs, Kay and Kajiya 1986): of each pair the ray meets
// one before the other.
static mo_local_hit cast_at_box(const mo_shape *box, const mo_local_ray *ray) {
  mo_vec3 half_extents = box->hull->upper;
  const double origin[3] = {ray->origin.x, ray->origin.y, ray->origin.z};
  const double direction[3] = {ray->direction.x, ray->direction.y, ray->direction.z};
  const double half[3] = {half_extents.x, half_extents.y, half_extents.z};
  double normal[3] = {0.0, 0.0, 0.0};
  double enter = -1.0, enters_by = -INFINITY, leave = INFINITY;
  int face = 0;
  bool is_inside = true;
  for (int i = 0; i < 3; i++) {
    double sign = direction[i] < 0.0 ? -1.0 : 1.0, slope = sign * direction[i];
    double above_first = -sign * origin[i] - half[i], above_last = sign * origin[i] - half[i];
    if (!(above_last <= ray->slack && (above_first <= ray->slack || slope > 0.0))) {
      return mo_ray_misses();
    }
    is_inside = is_inside && above_first < 0.0 && above_last < 0.0;
    if (slope > 0.0) {
      leave = mo_min(leave, (ray->slack - above_last) / slope);
    }
    if (slope > 0.0 && above_first >= 0.0 && (above_first - ray->slack) / slope > enters_by) {
      enters_by = (above_first - ray->slack) / slope;
      enter = above_first / slope;
      face = i;
    }
  }
  if (is_inside) {
    return mo_ray_starts_inside(ray);
  }
  if (!(enter >= 0.0 && enters_by <= leave)) {
    return mo_ray_misses();
  }
  normal[face] = direction[face] < 0.0 ? 1.0 : -1.0;
  return (mo_local_hit){enter, mo_ray_point(ray, enter), mo_v3(normal[0], normal[1], normal[2])};
}

const mo_shape_class mo_hull_class = {.type = MO_SHAPE_HULL,
                                      .collider = MO_COLLIDER_HULL,
                                      .core = MO_CORE_HULL,
                                      .bounds = hull_bounds,
                                      .cast_ray = cast_at_hull};
const mo_shape_class mo_box_class = {.type = MO_SHAPE_BOX,
                                     .collider = MO_COLLIDER_HULL,
                                     .core = MO_CORE_HULL,
                                     .bounds = box_bounds,
                                     .cast_ray = cast_at_box};

// Rays are cast at the cores of these hulls, whatever their radius.
const mo_shape_class mo_rounded_hull_class = {.type = MO_SHAPE_HULL,
                                              .collider = MO_COLLIDER_HULL,
                                              .core = MO_CORE_HULL,
                                              .bounds = hull_bounds};
const mo_shape_class mo_rounded_box_class = {
    .type = MO_SHAPE_BOX, .collider = MO_COLLIDER_HULL, .core = MO_CORE_HULL, .bounds = box_bounds};

mo_shape mo_shape_of_hull(const mo_shape_class *class, mo_hull *hull) {
  mo_shape shape = {.class = class,
                    .core = mo_convex_hull(hull, 0.0),
                    .hull = hull,
                    .volume = hull->volume,
                    .surface_area = hull->surface_area,
                    .centroid = hull->centroid,
                    .inertia_per_mass = hull->inertia_per_mass};
  for (uint32_t i = 0; i < hull->vertex_count; i++) {
    shape.bounding_radius =
        mo_max(shape.bounding_radius, mo_distance_between(hull->vertices[i], hull->centroid));
  }
  double height;
  mo_hull_nearest_face(hull, hull->centroid, &height);
  shape.inner_radius = -height;
  return shape;
}

// --- known ones ------------------------------------------------------------------------------

// What a shape with a hull is made of.
typedef struct hull_and_radius {
  const mo_shape_class *class;
  const mo_hull *hull; // null: a box
  mo_vec3 half_extents;
  double radius;
} hull_and_radius;

static bool is_made_of(const mo_shape *shape, const void *wanted) {
  const hull_and_radius *of = wanted;
  const mo_hull *hull = shape->hull;
  bool has_hull = of->hull ? hull == of->hull
                           : hull && hull->is_box && mo_v3_is_same(hull->upper, of->half_extents);
  return has_hull && shape->class == of->class && shape->core.radius == of->radius;
}

static mo_shape *find(const hull_and_radius *of, mo_result *result) {
  uint64_t hull_key = of->hull ? of->hull->node.hash : mo_hull_box_key(of->half_extents);
  uint64_t key = mo_shape_hull_key(of->class, hull_key, of->radius);
  mo_shape *shape = mo_shape_pool_find(key, is_made_of, of);
  if (shape && result) {
    *result = MO_OK;
  }
  return shape;
}

mo_shape *mo_shape_find_box(mo_vec3 half_extents, double radius, mo_result *result) {
  const mo_shape_class *class = radius > 0.0 ? &mo_rounded_box_class : &mo_box_class;
  return find(&(hull_and_radius){class, NULL, half_extents, radius}, result);
}

mo_shape *mo_shape_find_hull(const mo_hull *hull, double radius, mo_result *result) {
  const mo_shape_class *class = radius > 0.0 ? &mo_rounded_hull_class : &mo_hull_class;
  return find(&(hull_and_radius){class, hull, mo_v3_zero(), radius}, result);
}

// --- constructors ----------------------------------------------------------------------------

mo_shape *mo_shape_create_box(mo_vec3 half_extents, mo_result *result) {
  if (!mo_is_positive(half_extents.x) || !mo_is_positive(half_extents.y) ||
      !mo_is_positive(half_extents.z)) {
    return mo_shape_fail(MO_ERROR_INVALID_ARGUMENT, result);
  }
  mo_shape *known = mo_shape_find_box(half_extents, 0.0, result);
  if (known) {
    return known;
  }
  mo_hull *hull = mo_hull_create_box(half_extents);
  if (!hull) {
    return mo_shape_fail(MO_ERROR_OUT_OF_MEMORY, result);
  }
  mo_shape content = mo_shape_of_hull(&mo_box_class, hull);
  return mo_shape_allocate_solid(&content, result);
}

mo_shape *mo_shape_create_hull(mo_hull *hull, mo_result *result) {
  if (!hull) {
    return mo_shape_fail(MO_ERROR_INVALID_ARGUMENT, result);
  }
  mo_shape *known = mo_shape_find_hull(hull, 0.0, result);
  if (known) {
    return known;
  }
  mo_shape content = mo_shape_of_hull(&mo_hull_class, hull);
  mo_hull_retain(hull);
  return mo_shape_allocate(&content, result);
}
