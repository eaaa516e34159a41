#include "geometry/ray_cast.h"

// A ray in the frame of a shape.
typedef struct local_ray {
  mo_vec3 origin, direction; // the direction of unit length
} local_ray;

// Where it enters, in that frame.
typedef struct local_hit {
  double distance; // infinite: nowhere
  mo_vec3 position, normal;
} local_hit;

static local_hit miss(void) { return (local_hit){.distance = INFINITY}; }

static local_hit started_inside(const local_ray *ray) {
  return (local_hit){0.0, ray->origin, mo_neg(ray->direction)};
}

static mo_vec3 point_at(const local_ray *ray, double distance) {
  return mo_add_scaled(ray->origin, distance, ray->direction);
}

// --- round shapes ----------------------------------------------------------------------------

// A ball that the ray does not start in. Its middle is the point of the ray closest to the centre:
// the usual discriminant would lose the digits of the radius where the ray starts far away.
static local_hit enter_ball(const local_ray *ray, mo_vec3 center, double radius) {
  mo_vec3 from_center = mo_sub(ray->origin, center);
  double closest = -mo_dot(from_center, ray->direction);
  mo_vec3 middle = mo_add_scaled(from_center, closest, ray->direction);
  double half_chord_squared = mo_square(radius) - mo_length_squared(middle);
  if (!(half_chord_squared >= 0.0 && closest > 0.0)) {
    return miss();
  }
  double half_chord = sqrt(half_chord_squared);
  mo_vec3 from_middle = mo_add_scaled(middle, -half_chord, ray->direction);
  return (local_hit){mo_max(0.0, closest - half_chord), mo_add(center, from_middle),
                     mo_normalize(from_middle)};
}

static local_hit cast_at_sphere(const mo_shape *sphere, const local_ray *ray) {
  return mo_length(ray->origin) < sphere->radius ? started_inside(ray)
                                                 : enter_ball(ray, mo_v3_zero(), sphere->radius);
}

// The straight part of a capsule, without its ends: a tube about the y axis.
static local_hit enter_tube(const local_ray *ray, double radius, double half_height) {
  mo_vec3 across = mo_v3(ray->direction.x, 0.0, ray->direction.z);
  mo_vec3 from_axis = mo_v3(ray->origin.x, 0.0, ray->origin.z);
  double slope_squared = mo_length_squared(across);
  if (!(slope_squared > 0.0)) {
    return miss(); // along the axis: an end is met first
  }
  double closest = -mo_dot(from_axis, across) / slope_squared;
  mo_vec3 middle = mo_add_scaled(from_axis, closest, across);
  double half_chord_squared = mo_square(radius) - mo_length_squared(middle);
  if (!(half_chord_squared >= 0.0 && closest > 0.0)) {
    return miss();
  }
  double half_chord = sqrt(half_chord_squared / slope_squared);
  double distance = mo_max(0.0, closest - half_chord);
  double height = ray->origin.y + distance * ray->direction.y;
  if (!(fabs(height) <= half_height)) {
    return miss();
  }
  mo_vec3 surface = mo_add_scaled(middle, -half_chord, across);
  return (local_hit){distance, mo_add(surface, mo_v3(0.0, height, 0.0)), mo_normalize(surface)};
}

static local_hit cast_at_capsule(const mo_shape *capsule, const local_ray *ray) {
  double half_height = capsule->half_height;
  mo_vec3 on_axis = mo_v3(0.0, mo_clamp(ray->origin.y, -half_height, half_height), 0.0);
  if (mo_distance_between(ray->origin, on_axis) < capsule->radius) {
    return started_inside(ray);
  }
  // The shape is the union of a tube and two balls: it is entered where the first of them is.
  local_hit first = enter_tube(ray, capsule->radius, half_height);
  for (int end = -1; end <= 1; end += 2) {
    local_hit hit = enter_ball(ray, mo_v3(0.0, end * half_height, 0.0), capsule->radius);
    first = hit.distance < first.distance ? hit : first;
  }
  return first;
}

// --- flat faces ------------------------------------------------------------------------------

// The part of a ray that is inside of all half-spaces so far.
typedef struct clip {
  double enter, leave;
  mo_vec3 normal;   // of the face that it enters through
  bool has_entered; // through a face
  bool is_inside;   // it starts inside of all
} clip;

static clip clip_begin(void) { return (clip){.leave = INFINITY, .is_inside = true}; }

// Cuts by one half-space: the ray starts `height` above its plane and rises by `slope` per metre.
// False where nothing is left.
static bool clip_by(clip *c, double height, double slope, mo_vec3 normal) {
  c->is_inside = c->is_inside && height < 0.0;
  if (slope < 0.0 && height >= 0.0) {
    double distance = height / -slope;
    if (!c->has_entered || distance > c->enter) {
      c->has_entered = true;
      c->enter = distance;
      c->normal = normal;
    }
  } else if (slope > 0.0 && height <= 0.0) {
    c->leave = mo_min(c->leave, -height / slope);
  } else if (!(height <= 0.0)) {
    return false; // it starts above and does not come down
  }
  return c->enter <= c->leave;
}

static local_hit clip_end(const clip *c, const local_ray *ray) {
  if (c->is_inside) {
    return started_inside(ray);
  }
  // Without a face to enter through the ray starts on the surface and goes along it or away.
  return c->has_entered ? (local_hit){c->enter, point_at(ray, c->enter), c->normal} : miss();
}

static local_hit cast_at_hull(const mo_hull *hull, const local_ray *ray) {
  clip c = clip_begin();
  for (uint32_t i = 0; i < hull->face_count; i++) {
    const mo_face *face = &hull->faces[i];
    double height = mo_dot(face->normal, ray->origin) - face->offset;
    if (!clip_by(&c, height, mo_dot(face->normal, ray->direction), face->normal)) {
      return miss();
    }
  }
  return clip_end(&c, ray);
}

// The same with the faces of a box two by two (slabs, Kay and Kajiya 1986): of each pair the ray
// meets the one before the other.
static local_hit cast_at_box(mo_vec3 half_extents, const local_ray *ray) {
  const double origin[3] = {ray->origin.x, ray->origin.y, ray->origin.z};
  const double direction[3] = {ray->direction.x, ray->direction.y, ray->direction.z};
  const double half[3] = {half_extents.x, half_extents.y, half_extents.z};
  double normal[3] = {0.0, 0.0, 0.0};
  double enter = -1.0, leave = INFINITY;
  int face = 0;
  bool is_inside = true;
  for (int i = 0; i < 3; i++) {
    double sign = direction[i] < 0.0 ? -1.0 : 1.0, slope = sign * direction[i];
    double above_first = -sign * origin[i] - half[i], above_last = sign * origin[i] - half[i];
    if (!(above_last <= 0.0 && (above_first <= 0.0 || slope > 0.0))) {
      return miss();
    }
    is_inside = is_inside && above_first < 0.0 && above_last < 0.0;
    if (slope > 0.0) {
      leave = mo_min(leave, -above_last / slope);
    }
    if (slope > 0.0 && above_first >= 0.0 && above_first / slope > enter) {
      enter = above_first / slope;
      face = i;
    }
  }
  if (is_inside) {
    return started_inside(ray);
  }
  if (!(enter >= 0.0 && enter <= leave)) {
    return miss();
  }
  normal[face] = direction[face] < 0.0 ? 1.0 : -1.0;
  return (local_hit){enter, point_at(ray, enter), mo_v3(normal[0], normal[1], normal[2])};
}

static local_hit cast_at_plane(const mo_shape *plane, const local_ray *ray) {
  clip c = clip_begin();
  double height = mo_dot(plane->normal, ray->origin) - plane->offset;
  return clip_by(&c, height, mo_dot(plane->normal, ray->direction), plane->normal)
             ? clip_end(&c, ray)
             : miss();
}

// --- any shape -------------------------------------------------------------------------------

static local_hit cast(const mo_shape *shape, const local_ray *ray) {
  switch (shape->type) {
  case MO_SHAPE_SPHERE:
    return cast_at_sphere(shape, ray);
  case MO_SHAPE_CAPSULE:
    return cast_at_capsule(shape, ray);
  case MO_SHAPE_BOX:
    return cast_at_box(shape->hull->upper, ray);
  case MO_SHAPE_HULL:
    return cast_at_hull(shape->hull, ray);
  case MO_SHAPE_PLANE:
    return cast_at_plane(shape, ray);
  }
  return miss();
}

bool mo_shape_cast_ray(const mo_shape *shape, mo_transform placement, mo_vec3 origin,
                       mo_vec3 unit_direction, double max_distance, mo_surface_hit *out) {
  local_ray ray = {mo_transform_point_inverse(placement, origin),
                   mo_mat3_mul_transposed(placement.rotation, unit_direction)};
  local_hit hit = cast(shape, &ray);
  // Numbers that overflowed meet nothing.
  if (!(hit.distance <= max_distance && mo_is_finite(hit.distance))) {
    return false;
  }
  mo_vec3 position = hit.distance > 0.0 ? mo_transform_point(placement, hit.position) : origin;
  *out = (mo_surface_hit){hit.distance, position, mo_mat3_mul(placement.rotation, hit.normal)};
  return true;
}
