/// Rigid bodies: their mass and shapes (cold data) and their motion (hot data).
#pragma once

#include "geometry/shape.h"

/// The motion of a body, contiguous by slot and read by every stage of the step.
typedef struct mo_motion {
  mo_vec3 position;         ///< of the body's origin, world
  mo_quat orientation;      ///< world from body, unit
  mo_vec3 center_of_mass;   ///< world
  mo_vec3 linear_velocity;  ///< of the centre of mass, m/s
  mo_vec3 angular_velocity; ///< rad/s, world
} mo_motion;

/// Mass, inertia and their inverses. For bodies that no force moves all are zero except
/// `center_of_mass`, so that static and kinematic bodies need no code of their own. The tensors are
/// last, because soft-step reads them in single precision.
typedef struct mo_mass {
  double mass;            ///< kg
  double inverse_mass;    ///< 1/kg
  mo_vec3 center_of_mass; ///< body frame
  bool is_isotropic;      ///< inertia is a multiple of the identity: no gyroscopic torque
  /// Body axes, single precision: xx yy zz xy xz yz of the inertia over its trace, then the same of
  /// its inverse.
  float single[12];
  mo_mat3 inertia;         ///< kg m^2, about the centre of mass, body axes
  mo_mat3 inverse_inertia; ///< body axes
} mo_mass;

/// Which parts of a body's mass the user gave.
typedef struct mo_given_mass {
  bool mass, inertia, center_of_mass;
} mo_given_mass;

/// A body without its motion. What every step reads is first, in four lines of the cache; what is
/// behind the mass is read when contacts begin and by calls of the user.
typedef struct mo_body {
  mo_body_type type;
  mo_placed_shape *shapes; ///< owned copy; negative friction or restitution stands for the body's
  uint32_t *proxies;       ///< of the shapes, in the broad phase; behind `shapes` in memory
  uint32_t shape_count;
  bool shapes_are_at_origin; ///< all have the identity pose
  bool is_enabled;           ///< false: it takes part in nothing
  bool bullet, allow_sleep;
  bool has_solver;
  bool needs_double;    ///< its contacts exceed single precision, or its translation is locked, so
                        ///< soft-step leaves it to the rows
  uint8_t locks;        ///< bits of locked axes (locks.h)
  uint32_t joint_count; ///< of its constraints, also of those that do not act
  uint32_t elastic_joints; ///< number of its joints with springs, of those that act
  double bounding_radius;  ///< m, about the centre of mass
  double inner_radius;     ///< m: of the smallest of the balls inside its solid shapes; without
                           ///< any, the bounding radius
  double gravity_scale;
  double linear_damping, angular_damping;
  mo_vec3 force, torque; ///< N and N m, for the next step
  mo_vec3 linear_acceleration, angular_acceleration;
  mo_mass mass; ///< as a dynamic body; kept while it has another type
  double friction, restitution;
  double density;      ///< kg/m^3: of shapes that come without one
  mo_given_mass given; ///< what the user gave, and so does not follow the shapes
  mo_filter filter;
  mo_solver solver; ///< the solver it asks for instead of the world's
  uint64_t serial;  ///< number of its creation in the world; the lower one is body A of a contact
  /// m/s and rad/s: the velocities with which a kinematic body ended the last step (carriers.h).
  mo_vec3 last_linear_velocity, last_angular_velocity;
  mo_combine friction_combine, restitution_combine; ///< never MO_COMBINE_DEFAULT
  double rolling_friction, spinning_friction;       ///< m
  mo_vec3 surface_velocity;                         ///< m/s, body frame
  mo_target target;                                 ///< of a kinematic body
} mo_body;

/// Copies a motion number by number, which compiles to loads and stores. An assignment of the whole
/// struct is a call of memcpy in WebAssembly, and steps copy every body several times.
static inline void mo_motion_copy(mo_motion *to, const mo_motion *from) {
  to->position = from->position;
  to->orientation = from->orientation;
  to->center_of_mass = from->center_of_mass;
  to->linear_velocity = from->linear_velocity;
  to->angular_velocity = from->angular_velocity;
}
static inline mo_pose mo_motion_pose(const mo_motion *motion) {
  return (mo_pose){motion->position, motion->orientation};
}
/// Whether all of its numbers are finite. An orientation whose length overflowed is normalized to
/// zeros, and is no rotation any more.
static inline bool mo_motion_is_finite(const mo_motion *m) {
  return mo_v3_is_finite(m->position) && mo_v3_is_finite(m->center_of_mass) &&
         mo_v3_is_finite(m->linear_velocity) && mo_v3_is_finite(m->angular_velocity) &&
         mo_is_finite(mo_quat_norm_squared(m->orientation)) &&
         mo_quat_norm_squared(m->orientation) > 0.0;
}

/// Friction, filter and restitution of a shape: its own, or those of the body.
static inline double mo_body_friction(const mo_body *body, uint32_t shape) {
  return body->shapes[shape].friction >= 0.0 ? body->shapes[shape].friction : body->friction;
}
/// A body that is not enabled meets nothing.
static inline mo_filter mo_body_filter(const mo_body *body, uint32_t shape) {
  if (!body->is_enabled) {
    return (mo_filter){0};
  }
  return body->shapes[shape].has_filter ? body->shapes[shape].filter : body->filter;
}
static inline double mo_body_restitution(const mo_body *body, uint32_t shape) {
  return body->shapes[shape].restitution >= 0.0 ? body->shapes[shape].restitution
                                                : body->restitution;
}

/// The velocity of the surface against the body, m/s, world.
static inline mo_vec3 mo_body_surface_velocity(const mo_body *body, mo_quat orientation) {
  return mo_v3_equal(body->surface_velocity, mo_v3_zero())
             ? mo_v3_zero()
             : mo_quat_rotate(orientation, body->surface_velocity);
}

/// The rules by which friction and restitution of a shape are combined with those of another.
static inline mo_combine mo_body_friction_combine(const mo_body *body, uint32_t shape) {
  mo_combine own = body->shapes[shape].friction_combine;
  return own == MO_COMBINE_DEFAULT ? body->friction_combine : own;
}
static inline mo_combine mo_body_restitution_combine(const mo_body *body, uint32_t shape) {
  mo_combine own = body->shapes[shape].restitution_combine;
  return own == MO_COMBINE_DEFAULT ? body->restitution_combine : own;
}

/// The pose of a placed shape in the world, with the body at a motion.
static inline mo_pose mo_body_shape_pose(const mo_body *body, uint32_t shape,
                                         const mo_motion *motion) {
  mo_pose pose = mo_motion_pose(motion);
  return body->shapes_are_at_origin ? pose : mo_pose_mul(pose, body->shapes[shape].pose);
}
/// The same, with the rotation as a matrix.
static inline mo_transform mo_body_shape_transform(const mo_body *body, uint32_t shape,
                                                   const mo_motion *motion) {
  return mo_transform_from_pose(mo_body_shape_pose(body, shape, motion));
}

/// The same, as far as it can be seen: a ball looks the same in every orientation.
static inline mo_transform mo_body_visible_transform(const mo_body *body, uint32_t shape,
                                                     const mo_motion *motion) {
  if (body->shapes[shape].shape->class->ignores_orientation) {
    return (mo_transform){mo_mat3_identity(), mo_body_shape_pose(body, shape, motion).position};
  }
  return mo_body_shape_transform(body, shape, motion);
}

/// The mass for a step: that of a dynamic body, or zero.
mo_mass mo_body_effective_mass(const mo_body *body);

/// Completes inverses and flags of a mass whose `mass`, `inertia` and `center_of_mass` are set.
/// Zero inertia has the inverse zero: such a body does not rotate.
void mo_mass_complete(mo_mass *mass);
/// The factor for torques that are used with `single`: 1 over the trace of the inertia, or 0 for a
/// body that does not rotate.
double mo_mass_single_scale(const mo_mass *mass);
/// Mass, centre and inertia of shapes with their densities (kg/m^3).
mo_mass mo_mass_of_shapes(const mo_placed_shape *shapes, uint32_t count);
/// Volume of shapes, m^3.
double mo_volume_of_shapes(const mo_placed_shape *shapes, uint32_t count);
/// Sets the mass in kg, above zero, and scales the inertia of a body that had a mass.
void mo_mass_set(mo_mass *mass, double kilograms);
/// Whether mass, inertia and their inverses are finite, that is, did not overflow.
bool mo_mass_is_finite(const mo_mass *mass);

/// Sets the world centre of mass from position and orientation.
void mo_motion_update_center(mo_motion *motion, mo_vec3 local_center);
/// Sets the world position of the origin from centre of mass and orientation.
void mo_motion_update_origin(mo_motion *motion, mo_vec3 local_center);
/// R I R^T of a tensor in body axes.
mo_mat3 mo_motion_world_tensor(const mo_motion *motion, mo_mat3 body_tensor);

/// Kinetic energy of the centre of mass, 1/2 m v^2, J. Infinite if it overflows, never NaN.
double mo_body_translational_energy(const mo_mass *mass, const mo_motion *motion);
/// Kinetic energy about the centre of mass, 1/2 omega . I omega, J. Likewise.
double mo_body_rotational_energy(const mo_mass *mass, const mo_motion *motion);
/// Both, J. Likewise.
double mo_body_kinetic_energy(const mo_mass *mass, const mo_motion *motion);
/// The kinetic energies of a body at two motions, J, at once: the same bits in less time.
void mo_body_kinetic_energies(const mo_mass *mass, const mo_motion *a, const mo_motion *b,
                              double energies[2]);
/// Angular momentum about the centre of mass, world. Infinite if it overflows, never NaN.
mo_vec3 mo_body_angular_momentum(const mo_mass *mass, const mo_motion *motion);
