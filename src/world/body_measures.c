/// What the engine works out of the shapes of a body and of its given mass, and the checks of both.
#include "world/body_measures.h"

#include "dynamics/locks.h"
#include "geometry/shape_compound.h"
#include "memory/allocator.h"
#include "world/checks.h"
#include "world/constraints.h"

// A shape's friction or restitution that is the body's, as is any number below 0.
#define OF_BODY (-1.0)

mo_placed_shape mo_placed_shape_default(mo_shape *shape) {
  return (mo_placed_shape){.shape = shape,
                           .pose = mo_pose_identity(),
                           .density = -1.0,
                           .friction = OF_BODY,
                           .restitution = OF_BODY,
                           .filter = mo_filter_default()};
}

mo_placed_shape *mo_allocate_shapes(uint32_t count) {
  return mo_allocate((size_t)count * (sizeof(mo_placed_shape) + sizeof(uint32_t)));
}

mo_placed_shape mo_complete_shape(const mo_placed_shape *given, double density, bool is_sensor) {
  mo_placed_shape shape = *given;
  shape.pose.orientation = mo_quat_normalize(shape.pose.orientation);
  shape.density = shape.density >= 0.0 ? shape.density : density;
  shape.friction = mo_max(shape.friction, OF_BODY);
  shape.restitution = mo_max(shape.restitution, OF_BODY);
  shape.sensor = shape.sensor || is_sensor;
  shape.filter = shape.has_filter ? shape.filter : mo_filter_default(); // which nobody reads
  return shape;
}

uint32_t mo_count_parts(const mo_placed_shape *shapes, uint32_t count) {
  uint32_t parts = 0;
  for (uint32_t i = 0; i < count; i++) {
    parts += mo_shape_part_count(shapes[i].shape);
  }
  return parts;
}

void mo_write_parts(const mo_placed_shape *shapes, uint32_t count, mo_placed_shape *parts) {
  for (uint32_t i = 0; i < count; i++) {
    mo_placed_shape placed = shapes[i];
    placed.pose.orientation = mo_quat_normalize(placed.pose.orientation);
    mo_shape_write_parts(&placed, parts);
    parts += mo_shape_part_count(placed.shape);
  }
}

const char *mo_why_no_shape(mo_body_type type, const mo_shape *shape) {
  if (mo_shape_is_unbounded(shape) && type != MO_BODY_STATIC) {
    return "a plane has no mass: only a static body can have one";
  }
  if (type == MO_BODY_DYNAMIC && mo_shape_is_surface(shape)) {
    return mo_shape_get_type(shape) == MO_SHAPE_MESH
               ? "a mesh has no inside: a dynamic body cannot have one; give it a compound of hulls"
               : "a heightfield has no inside: a dynamic body cannot have one; give it a compound "
                 "of hulls";
  }
  return NULL;
}

// The same for all parts of a shape.
static const char *why_no_part(mo_body_type type, const mo_shape *shape) {
  const char *why = mo_why_no_shape(type, shape);
  for (uint32_t i = 0; i < shape->part_count && !why; i++) {
    why = mo_why_no_shape(type, shape->parts[i].shape);
  }
  return why;
}

mo_result mo_check_placed_shape(mo_world *world, const char *function, mo_body_type type,
                                const mo_placed_shape *placed) {
  if (!placed->shape) {
    return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                "shapes must not hold a null shape");
  }
  const char *why = why_no_part(type, placed->shape);
  if (why) {
    return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function, why);
  }
  mo_result result = mo_check_vec3(world, function, "shape position", placed->pose.position);
  if (result == MO_OK) {
    result = mo_check_orientation(world, function, placed->pose.orientation);
  }
  if (result == MO_OK && placed->density >= 0.0) {
    result = placed->sensor && placed->density == 0.0
                 ? MO_OK
                 : mo_check_above_zero(world, function, "shape density", placed->density);
  }
  if (result == MO_OK && placed->friction >= 0.0) {
    result = mo_check_range(world, function, "shape friction", placed->friction, 0.0, INFINITY,
                            "must be finite, 0 or more");
  }
  if (result == MO_OK) {
    result = mo_check_combine(world, function, "shape friction_combine", placed->friction_combine);
  }
  if (result == MO_OK) {
    result =
        mo_check_combine(world, function, "shape restitution_combine", placed->restitution_combine);
  }
  if (result == MO_OK && placed->restitution >= 0.0) {
    result = mo_check_range(world, function, "shape restitution", placed->restitution, 0.0, 1.0,
                            "must be 0 to 1");
  }
  if (placed->density != placed->density || placed->friction != placed->friction ||
      placed->restitution != placed->restitution) {
    result = mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                  "density, friction and restitution of a shape must not be NaN");
  }
  return result;
}

mo_mass mo_body_mass_of(mo_given_mass given, const mo_mass *values, const mo_placed_shape *shapes,
                        uint32_t count) {
  mo_mass mass = mo_mass_of_shapes(shapes, count);
  if (given.center_of_mass && mass.mass > 0.0) {
    mo_vec3 offset = mo_sub(mass.center_of_mass, values->center_of_mass);
    mass.inertia = mo_mat3_add(mass.inertia, mo_mat3_parallel_axis(mass.mass, offset));
  }
  if (given.center_of_mass) {
    mass.center_of_mass = values->center_of_mass;
  }
  if (given.mass) {
    mo_mass_set(&mass, values->mass);
  }
  if (given.inertia) {
    mass.inertia = values->inertia;
  }
  mo_mass_complete(&mass);
  return mass;
}

mo_result mo_check_body_mass(mo_world *world, const char *function, mo_body_type type,
                             const mo_mass *mass) {
  if (!mo_mass_is_finite(mass) || (type == MO_BODY_DYNAMIC && !(mass->mass > 0.0))) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, "mass",
                           "must come out as a finite number above 0, inertia and inverses too",
                           mass->mass);
  }
  return MO_OK;
}

mo_result mo_check_extent(mo_world *world, const char *function, const mo_motion *motion,
                          double radius) {
  if (!mo_v3_is_finite(motion->center_of_mass)) {
    return mo_world_refuse_vec3(world, MO_ERROR_INVALID_ARGUMENT, function, "center_of_mass",
                                "must be finite in the world too", motion->center_of_mass);
  }
  return mo_is_finite(radius)
             ? MO_OK
             : mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, "center_of_mass",
                               "must be less than 1e150 m from all shapes; their distance", radius);
}

// Only static bodies have planes, and they need no radius.
double mo_body_bounding_radius(const mo_placed_shape *shapes, uint32_t count,
                               mo_vec3 center_of_mass) {
  double radius = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    if (mo_shape_is_unbounded(shapes[i].shape)) {
      continue;
    }
    mo_vec3 center =
        mo_transform_point(mo_transform_from_pose(shapes[i].pose), shapes[i].shape->centroid);
    radius = mo_max(radius,
                    mo_distance_between(center, center_of_mass) + shapes[i].shape->bounding_radius);
  }
  return radius;
}

// The smallest inner radius of the solid shapes, m; the bounding radius if there are none.
static double inner_radius_of(const mo_body *body) {
  double least = INFINITY;
  for (uint32_t i = 0; i < body->shape_count; i++) {
    const mo_placed_shape *placed = &body->shapes[i];
    least = placed->sensor ? least : mo_min(least, placed->shape->inner_radius);
  }
  return least < INFINITY ? least : body->bounding_radius;
}

// Whether all shapes have the pose of the body.
static bool are_shapes_at_origin(const mo_body *body) {
  for (uint32_t i = 0; i < body->shape_count; i++) {
    const mo_pose *pose = &body->shapes[i].pose;
    if (!mo_v3_equal(pose->position, mo_v3_zero()) || pose->orientation.w != 1.0) {
      return false;
    }
  }
  return true;
}

void mo_body_measure(mo_body *body) {
  body->shapes_are_at_origin = are_shapes_at_origin(body);
  body->bounding_radius =
      mo_body_bounding_radius(body->shapes, body->shape_count, body->mass.center_of_mass);
  body->inner_radius = inner_radius_of(body);
}

// kg: below this mass, soft-step would count impulses of friction as zero (MO_FRICTION_TINY).
#define LEAST_SINGLE_MASS 1e-12
// kg: up to this mass, single precision holds the squares of impulses and their products with arms.
#define LARGEST_SINGLE_MASS 1e18
// m: the same for the arms of a body.
#define LARGEST_SINGLE_RADIUS 1e9

bool mo_body_needs_double(const mo_body *body) {
  double mass = body->mass.mass;
  if (body->locks & MO_LOCKED_TRANSLATION) {
    return true;
  }
  return body->shape_count > 0 && mass > 0.0 &&
         !(mass >= LEAST_SINGLE_MASS && mass <= LARGEST_SINGLE_MASS &&
           body->bounding_radius <= LARGEST_SINGLE_RADIUS);
}

bool mo_body_may_override(const mo_body *body) { return body->has_solver || body->needs_double; }

// A body that crosses the limit starts without its old impulses, which were of another order of
// magnitude.
void mo_world_update_solver(mo_world *world, uint32_t slot) {
  mo_body *body = &world->bodies[slot];
  if (body->needs_double == mo_body_needs_double(body)) {
    return;
  }
  world->solver_override_count -= mo_body_may_override(body);
  body->needs_double = !body->needs_double;
  world->solver_override_count += mo_body_may_override(body);
  mo_world_drop_pairs_of(world, slot);
}

void mo_world_note_mass(mo_world *world, const mo_body *body) {
  mo_world_weigh_constraints(world, (uint32_t)(body - world->bodies));
  mo_world_note_mass_bounds(world, body);
}

void mo_world_note_mass_bounds(mo_world *world, const mo_body *body) {
  if (body->type == MO_BODY_DYNAMIC) {
    mo_mass_bounds *bounds = &world->mass_bounds;
    bounds->heaviest = mo_max(bounds->heaviest, body->mass.mass);
    bounds->largest_inverse = mo_max(bounds->largest_inverse, 1.0 / body->mass.mass);
  }
}
