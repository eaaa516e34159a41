/**
 * Moreau: rigid-body physics that proves its step. The C interface.
 *
 * This is the only header that a C program or the JavaScript bindings include. Conventions: SI
 * units, radians, double precision, right-handed frames, no built-in up axis. Quaternions are x y z
 * w, unit, world from body. A contact normal points from body A to body B, A being the body created
 * first; relative velocities are B minus A; impulses are in N s and act with + on B and with - on
 * A.
 *
 * Errors: a function returns mo_result, or an id or pointer that is null on failure. The text of
 * the last error of a world is kept by it (mo_world_last_error). A refused call changes nothing.
 * Nothing aborts and nothing prints. Pointer arguments must not be null unless the comment says so.
 *
 * Threads: one at a time. The allocator and the hull builder have state of the whole process.
 */
#ifndef MOREAU_H
#define MOREAU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a call came to. Values are stable: the JavaScript side maps them to MoreauError codes. */
typedef enum mo_result {
  MO_OK = 0,
  MO_ERROR_INVALID_ARGUMENT = 1, ///< a value out of its allowed range; the error text names it
  MO_ERROR_STALE_HANDLE = 2,     ///< the id names nothing that is alive
  MO_ERROR_OUT_OF_MEMORY = 3,    ///< the allocator refused; the world is as it was before the call
  MO_ERROR_NOT_SUPPORTED = 4,    ///< asked for something that this version does not do
  MO_ERROR_NOT_FINITE = 5,       ///< a sum or motion overflowed; the world is as it was before
  MO_ERROR_CAPACITY = 6,         ///< all ids are in use or used up; too many points for a hull
  // Convex hulls. One code per way in which points do not span a volume.
  MO_ERROR_HULL_EMPTY = 16,          ///< no points
  MO_ERROR_HULL_TOO_FEW_POINTS = 17, ///< fewer than 4 points
  MO_ERROR_HULL_NOT_FINITE = 18,     ///< a coordinate is NaN, infinite or above 1e90 m
  MO_ERROR_HULL_ALL_EQUAL = 19,      ///< all points coincide
  MO_ERROR_HULL_COLLINEAR = 20,      ///< all points lie on a line
  MO_ERROR_HULL_COPLANAR = 21,       ///< all points lie in a plane
  MO_ERROR_HULL_QHULL = 22,          ///< Qhull gave up: mo_hull_last_qhull_error
} mo_result;

/** A short constant name of a result ("ok", "invalid-argument", ...). Never null. */
const char *mo_result_name(mo_result result);

/** A vector or point. */
typedef struct mo_vec3 {
  double x, y, z;
} mo_vec3;

/** A quaternion, x y z w. Unit length where it is an orientation. */
typedef struct mo_quat {
  double x, y, z, w;
} mo_quat;

/** A 3 x 3 matrix by columns. */
typedef struct mo_mat3 {
  mo_vec3 cx, cy, cz;
} mo_mat3;

/** Origin and orientation of a frame in the world. */
typedef struct mo_pose {
  mo_vec3 position;
  mo_quat orientation;
} mo_pose;

// --- memory ----------------------------------------------------------------------------------

/** Takes the place of malloc: returns bytes aligned for any type, or null. */
typedef void *mo_allocate_function(size_t bytes, void *user);
/** Takes the place of free. */
typedef void mo_release_function(void *memory, void *user);

/**
 * Replaces the allocator of everything that is created from now on. If either function is null,
 * malloc and free come back. To be called while nothing of Moreau is alive. `user` is handed to
 * both functions.
 */
void mo_set_allocator(mo_allocate_function *allocate, mo_release_function *release, void *user);

/** Bytes held at this moment by everything of Moreau, as asked from the allocator. */
size_t mo_allocated_bytes(void);

/** Calls to the allocator since the start. Equal before and after a step: the step allocated
 * nothing. */
uint64_t mo_allocation_count(void);

// --- convex hulls and shapes -----------------------------------------------------------------

/** An immutable convex polyhedron, reference-counted. */
typedef struct mo_hull mo_hull;

/**
 * The convex hull of points (Barber, Dobkin and Huhdanpaa 1996, by Qhull; planes, volume and mass
 * are ours).
 * @param points count points in metres, in any order; repeated and interior points are legal
 * @param[out] hull the hull, with one reference held by the caller; null on error
 * @return MO_OK, one of the MO_ERROR_HULL_... codes, MO_ERROR_OUT_OF_MEMORY, MO_ERROR_CAPACITY
 * above 1e8 points, or MO_ERROR_INVALID_ARGUMENT for null pointers
 */
mo_result mo_hull_create(const mo_vec3 *points, size_t count, mo_hull **hull);
/** Gives back one reference. Null is legal. */
void mo_hull_release(mo_hull *hull);
/**
 * The number (the nnnn of QHnnnn) of the last MO_ERROR_HULL_QHULL, 0 if there was none. 6999 is not
 * Qhull's: its facets did not make a closed convex surface.
 */
int mo_hull_last_qhull_error(void);

/** Vertices of the hull, ordered as they first appear in the input. */
size_t mo_hull_vertex_count(const mo_hull *hull);
const mo_vec3 *mo_hull_vertices(const mo_hull *hull);

/** A triangle of the surface; counter-clockwise seen from outside; normal . x = offset on its
 * plane. */
typedef struct mo_facet {
  uint32_t vertices[3];
  mo_vec3 normal;
  double offset;
} mo_facet;
size_t mo_hull_facet_count(const mo_hull *hull);
/** Facet `index` of [0, mo_hull_facet_count). */
mo_facet mo_hull_facet(const mo_hull *hull, size_t index);

/** A flat face: coplanar facets merged. Its loop is counter-clockwise seen from outside. */
typedef struct mo_face {
  uint32_t first_vertex; ///< where its loop starts in mo_hull_face_loops
  uint32_t vertex_count;
  mo_vec3 normal;
  double offset;
} mo_face;
size_t mo_hull_face_count(const mo_hull *hull);
mo_face mo_hull_face(const mo_hull *hull, size_t index);
/** Vertex indices of all face loops, one after the other. */
const uint32_t *mo_hull_face_loops(const mo_hull *hull);

double mo_hull_volume(const mo_hull *hull);       ///< m^3
double mo_hull_surface_area(const mo_hull *hull); ///< m^2
mo_vec3 mo_hull_centroid(const mo_hull *hull);    ///< m, of the solid, in the frame of its points
/** The axis-aligned box around the hull, m. */
void mo_hull_bounds(const mo_hull *hull, mo_vec3 *lower, mo_vec3 *upper);
/**
 * Inertia tensor about the centroid of a homogeneous body of this shape (Mirtich 1996, relative to
 * a vertex).
 * @param mass kg, above zero
 */
mo_mat3 mo_hull_inertia(const mo_hull *hull, double mass);
/**
 * The largest signed distance of a point to the planes of the faces: below zero inside, where it is
 * the exact distance to the surface; outside a lower bound of it.
 */
double mo_hull_signed_distance(const mo_hull *hull, mo_vec3 point);
/** Whether the point is inside or within `tolerance` metres of the surface (by
 * mo_hull_signed_distance). */
bool mo_hull_contains(const mo_hull *hull, mo_vec3 point, double tolerance);

typedef enum mo_shape_type {
  MO_SHAPE_SPHERE = 0,
  MO_SHAPE_BOX = 1,
  MO_SHAPE_HULL = 2,
  MO_SHAPE_PLANE = 3
} mo_shape_type;

/** An immutable collision shape, reference-counted; any number of bodies in any number of worlds
 * may share it. */
typedef struct mo_shape mo_shape;

/**
 * Shapes. Each call returns null and sets `result` to MO_ERROR_INVALID_ARGUMENT (a measure that is
 * not finite, not above 0, or whose volume or inertia overflows) or MO_ERROR_OUT_OF_MEMORY; else
 * the caller holds one reference and `result` is MO_OK. Lengths are metres in the shape's frame.
 */

/** A ball about the origin. */
mo_shape *mo_shape_create_sphere(double radius, mo_result *result);
/** A box about the origin. */
mo_shape *mo_shape_create_box(mo_vec3 half_extents, mo_result *result);
/** A convex polyhedron. Takes a reference of its own to the hull. */
mo_shape *mo_shape_create_hull(mo_hull *hull, mo_result *result);
/** The half-space normal . x <= offset is solid. The normal is normalised; it must not be zero.
 * Static bodies only. */
mo_shape *mo_shape_create_plane(mo_vec3 normal, double offset, mo_result *result);
/** Takes one more reference. */
void mo_shape_retain(mo_shape *shape);
/** Gives back one reference. Null is legal. */
void mo_shape_release(mo_shape *shape);
mo_shape_type mo_shape_get_type(const mo_shape *shape);

// --- collision of two shapes -----------------------------------------------------------------

/** At most this many points in a manifold. */
#define MO_MANIFOLD_POINTS 4

/** How two shapes touch. All in world coordinates. */
typedef struct mo_collision {
  mo_vec3 normal;           ///< unit, from A to B
  double penetration_depth; ///< metres, above zero where they overlap
  mo_vec3 point_a;          ///< deepest point of A in B: on the surface of A
  mo_vec3 point_b;          ///< deepest point of B in A: on the surface of B
  int point_count;          ///< points of the manifold, 1 to MO_MANIFOLD_POINTS
  struct {
    mo_vec3 position; ///< half-way between both surfaces
    double penetration_depth;
  } points[MO_MANIFOLD_POINTS];
} mo_collision;

/**
 * Collides two shapes (GJK: Gilbert, Johnson and Keerthi 1988; EPA: van den Bergen 2001; clipping:
 * Sutherland and Hodgman 1974).
 * Orientations must be of unit length. Gaps up to 1e-12 m count as touching.
 * @return whether they touch or overlap; `out` is written only then
 */
bool mo_collide(const mo_shape *a, mo_pose pose_a, const mo_shape *b, mo_pose pose_b,
                mo_collision *out);

/** Closest points of two shapes. */
typedef struct mo_distance_result {
  double distance; ///< metres; 0 where they touch or overlap
  mo_vec3 point_a; ///< on A, world
  mo_vec3 point_b; ///< on B, world
  mo_vec3 normal;  ///< unit, from A to B; zero where they overlap
} mo_distance_result;

/** The distance of two shapes and their closest points. Overlapping shapes have distance 0. */
mo_distance_result mo_distance(const mo_shape *a, mo_pose pose_a, const mo_shape *b,
                               mo_pose pose_b);

// --- worlds ----------------------------------------------------------------------------------

typedef struct mo_world mo_world;

typedef enum mo_stabilization {
  MO_STABILIZATION_SPLIT = 0,     ///< overlap is removed by pseudo-velocities that carry no energy
  MO_STABILIZATION_BAUMGARTE = 1, ///< overlap is removed through the velocities (Baumgarte 1972)
  MO_STABILIZATION_NONE = 2,
} mo_stabilization;

typedef enum mo_solver {
  MO_SOLVER_BLOCK_PGS = 0,
} mo_solver;

/** Settings of a world. Start from mo_world_def_default. */
typedef struct mo_world_def {
  mo_vec3 gravity;  ///< m/s^2, default (0, -9.81, 0)
  mo_solver solver; ///< default MO_SOLVER_BLOCK_PGS
  mo_stabilization stabilization;
  uint32_t iterations; ///< sweeps of the solver per solve, 1 to 100000, default 20
  double tolerance;    ///< m/s: a sweep that changes no contact velocity by more ends the solve,
                       ///< default 1e-8
  double restitution_threshold; ///< m/s of approach below which nothing bounces; below zero:
                                ///< max(0.01, 2 |g| dt), the default
  double linear_slop;           ///< m of overlap that is left alone, default 0.001
  double error_reduction;      ///< part of the overlap beyond the slop that a step removes, 0 to 1,
                               ///< default 0.2
  double max_correction_speed; ///< m/s, cap of that removal, default 3
} mo_world_def;

mo_world_def mo_world_def_default(void);
/** A new, empty world, or null and `result`. */
mo_world *mo_world_create(const mo_world_def *def, mo_result *result);
/** Frees the world and all in it. Null is legal. */
void mo_world_destroy(mo_world *world);
/** Changes the settings of a world between two steps. */
mo_result mo_world_set_settings(mo_world *world, const mo_world_def *def);
mo_world_def mo_world_get_settings(const mo_world *world);
/** What the last refused call on this world was refused for; names the argument and its value.
 * Empty if none was. */
const char *mo_world_last_error(const mo_world *world);

/**
 * Advances the world by one step: potentials and forces, collision, contact solve, integration.
 * @param dt seconds, usually 1/60; 0 does nothing; below zero or not finite is refused
 * @return MO_OK, or an error with the world as it was before the call
 */
mo_result mo_world_step(mo_world *world, double dt);
double mo_world_time(const mo_world *world);         ///< s since creation
uint64_t mo_world_step_count(const mo_world *world); ///< steps since creation

// --- bodies ----------------------------------------------------------------------------------

/** 20 bits of slot and 12 bits of generation; 0 is null. An old id never names a newer body. */
typedef uint32_t mo_body_id;
#define MO_NULL_ID 0u
/** The slot of an id: the index of the body in the bulk arrays, fixed for its life. */
static inline uint32_t mo_id_slot(uint32_t id) { return id & 0xFFFFFu; }

typedef enum mo_body_type {
  MO_BODY_STATIC = 0,
  MO_BODY_KINEMATIC = 1,
  MO_BODY_DYNAMIC = 2
} mo_body_type;

/** A shape placed in the frame of a body. */
typedef struct mo_placed_shape {
  mo_shape *shape;
  mo_pose pose;       ///< shape frame in body frame
  double density;     ///< kg/m^3 of this shape; below zero: that of the body definition
  double friction;    ///< Coulomb coefficient, below zero: that of the body
  double restitution; ///< 0 to 1, below zero: that of the body
} mo_placed_shape;

/** How a body begins. Start from mo_body_def_default. */
typedef struct mo_body_def {
  mo_body_type type;
  mo_vec3 position;         ///< of the body's origin
  mo_quat orientation;      ///< normalised by the engine; must not be zero
  mo_vec3 linear_velocity;  ///< of the centre of mass, m/s, world
  mo_vec3 angular_velocity; ///< rad/s, world
  const mo_placed_shape *shapes;
  uint32_t shape_count;
  double density; ///< kg/m^3, default 1000, where no mass is given
  bool has_mass;
  double mass; ///< kg, above zero; spread over the shapes by their volume and density
  bool has_inertia;
  mo_mat3 inertia; ///< kg m^2, about the centre of mass, body axes, symmetric positive definite
  bool has_center_of_mass;
  mo_vec3 center_of_mass; ///< body frame; default: where the shapes put it
  double friction;        ///< default 0.5
  double restitution;     ///< default 0
  double linear_damping;  ///< 1/s
  double angular_damping; ///< 1/s
  double gravity_scale;   ///< default 1
} mo_body_def;

mo_body_def mo_body_def_default(void);
/** A new body, or MO_NULL_ID with the reason in mo_world_last_result and mo_world_last_error. */
mo_body_id mo_body_create(mo_world *world, const mo_body_def *def);
/** The code that belongs to mo_world_last_error. */
mo_result mo_world_last_result(const mo_world *world);
/** Removes a body, its contacts and its references to shapes. MO_ERROR_STALE_HANDLE if it is not
 * alive. */
mo_result mo_body_destroy(mo_world *world, mo_body_id body);
bool mo_body_is_alive(const mo_world *world, mo_body_id body);
/** Bodies alive. */
uint32_t mo_world_body_count(const mo_world *world);
/** One more than the highest slot ever used: the length of the bulk arrays. */
uint32_t mo_world_slot_count(const mo_world *world);
/** The body in a slot, or MO_NULL_ID. */
mo_body_id mo_world_body_in_slot(const mo_world *world, uint32_t slot);

/** All that can be read of a body at once. */
typedef struct mo_body_state {
  mo_body_type type;
  mo_vec3 position;             ///< of the body's origin, m, world
  mo_quat orientation;          ///< world from body, unit
  mo_vec3 linear_velocity;      ///< of the centre of mass, m/s, world
  mo_vec3 angular_velocity;     ///< rad/s, world
  mo_vec3 world_center_of_mass; ///< m
  mo_vec3 linear_acceleration;  ///< m/s^2: change of the velocity in the last step / dt
  mo_vec3 angular_acceleration; ///< rad/s^2, likewise
  mo_vec3 center_of_mass;       ///< m, body frame
  double mass;                  ///< kg; 0 for static and kinematic bodies
  double density;               ///< kg/m^3: mass over the volume of the shapes; 0 without either
  mo_mat3 inertia;              ///< kg m^2, about the centre of mass, body axes; 0 likewise
  double friction, restitution, linear_damping, angular_damping, gravity_scale; ///< as set
  double kinetic_energy;                                                        ///< J
  mo_vec3 angular_momentum; ///< kg m^2/s, about the centre of mass, world
} mo_body_state;
/** MO_OK, or MO_ERROR_STALE_HANDLE with `out` as it was. */
mo_result mo_body_get_state(const mo_world *world, mo_body_id body, mo_body_state *out);

/**
 * Setters take effect at once. Each refuses a stale id, and a value that is not finite or out of
 * the range named, and then changes nothing. Positions are those of the body's origin in m,
 * velocities those of the centre of mass in m/s and rad/s, all in the world frame; orientations are
 * normalised and must not be zero.
 */
mo_result mo_body_set_position(mo_world *world, mo_body_id body, mo_vec3 position);
mo_result mo_body_set_orientation(mo_world *world, mo_body_id body, mo_quat orientation);
mo_result mo_body_set_linear_velocity(mo_world *world, mo_body_id body, mo_vec3 velocity);
mo_result mo_body_set_angular_velocity(mo_world *world, mo_body_id body, mo_vec3 velocity);
/**
 * Static bodies lose their velocities; bodies that are not dynamic lose the forces that wait for
 * the next step. A plane must stay static, and a body without mass cannot become dynamic.
 */
mo_result mo_body_set_type(mo_world *world, mo_body_id body, mo_body_type type);
/** Mass in kg (above zero); the inertia is scaled with it. */
mo_result mo_body_set_mass(mo_world *world, mo_body_id body, double mass);
/**
 * Mass by mean density in kg/m^3, above zero: density times the volume of the shapes. Refused where
 * they have none.
 */
mo_result mo_body_set_density(mo_world *world, mo_body_id body, double density);
/** Inertia about the centre of mass in body axes, kg m^2, symmetric positive definite. */
mo_result mo_body_set_inertia(mo_world *world, mo_body_id body, mo_mat3 inertia);
/** In the body frame, m. The body goes on moving as it did; inertia stays as it is about the new
 * centre. */
mo_result mo_body_set_center_of_mass(mo_world *world, mo_body_id body, mo_vec3 center_of_mass);
/** Coulomb coefficient of the body's shapes, 0 or more; used from the next step on. */
mo_result mo_body_set_friction(mo_world *world, mo_body_id body, double friction);
/** 0 to 1. */
mo_result mo_body_set_restitution(mo_world *world, mo_body_id body, double restitution);
/** Drag coefficients in 1/s, 0 or more: v' = -damping v, by implicit Euler. */
mo_result mo_body_set_linear_damping(mo_world *world, mo_body_id body, double damping);
mo_result mo_body_set_angular_damping(mo_world *world, mo_body_id body, double damping);
/** Factor on the world's gravity, any finite number. */
mo_result mo_body_set_gravity_scale(mo_world *world, mo_body_id body, double scale);

/** Adds a force in N for the next step, at a world point (null: the centre of mass). Dynamic bodies
 * only; others ignore it. */
mo_result mo_body_apply_force(mo_world *world, mo_body_id body, mo_vec3 force,
                              const mo_vec3 *point);
/** Adds a torque in N m for the next step. */
mo_result mo_body_apply_torque(mo_world *world, mo_body_id body, mo_vec3 torque);
/** Changes the velocities at once by an impulse in N s at a world point (null: the centre of mass).
 */
mo_result mo_body_apply_impulse(mo_world *world, mo_body_id body, mo_vec3 impulse,
                                const mo_vec3 *point);
/** Changes the angular velocity at once by an angular impulse in N m s. */
mo_result mo_body_apply_angular_impulse(mo_world *world, mo_body_id body, mo_vec3 impulse);
/** Drops the forces and torques that were added since the last step. */
mo_result mo_body_clear_forces(mo_world *world, mo_body_id body);

// --- bulk read-outs ---------------------------------------------------------------------------
//
// By slot, rewritten by every step and kept current by setters. Pointers hold until the next body
// is created.

const float *mo_world_transforms(const mo_world *world);    ///< 8 per slot: x y z 0 qx qy qz qw
const double *mo_world_transforms64(const mo_world *world); ///< the same in double
const double *mo_world_velocities(const mo_world *world);   ///< 8 per slot: vx vy vz 0 wx wy wz 0
const uint32_t *mo_world_body_ids(const mo_world *world);   ///< 1 per slot, 0 where it is free
/** Slots whose transform changed in the last step, ascending; those of bodies destroyed since are
 * still listed. */
const uint32_t *mo_world_moved(const mo_world *world, uint32_t *count);
/** Bodies that are not static. */
uint32_t mo_world_awake_count(const mo_world *world);

// --- diagnostics -----------------------------------------------------------------------------

typedef struct mo_energy {
  double kinetic, potential, total; ///< J; the potential energy is -m g . r, zero at the origin
} mo_energy;
/** Of all dynamic bodies. */
mo_energy mo_world_energy(const mo_world *world);

typedef struct mo_momentum {
  mo_vec3 linear;  ///< kg m/s
  mo_vec3 angular; ///< kg m^2/s, about the world's origin
} mo_momentum;
/** Of all dynamic bodies. */
mo_momentum mo_world_momentum(const mo_world *world);

/** How well the last step obeys the contact laws; every entry is the worst over the rows unless it
 * says otherwise. */
typedef struct mo_residual {
  double worst;           ///< m/s: natural map of the Coulomb law, the certificate
  double rms;             ///< m/s: root mean square of the same over contacts
  double cone;            ///< m/s: friction outside of the cone
  double dual;            ///< m/s: approach velocity that is left over
  double complementarity; ///< J
  double bilateral;       ///< m/s: error of joint rows
  uint32_t contacts;      ///< contact points looked at
} mo_residual;
/** The certificate of the last step, computed from its rows when asked for, by code that no solver
 * shares. */
mo_residual mo_world_residual(mo_world *world);

typedef enum mo_solve_status {
  MO_SOLVE_NONE = 0,          ///< there was nothing to solve
  MO_SOLVE_CONVERGED = 1,     ///< a sweep changed no row's velocity by more than the tolerance
  MO_SOLVE_MAX_ITERATIONS = 2 ///< the sweeps were used up
} mo_solve_status;

/** Counts of the last step, `bodies` and `awake` of now. */
typedef struct mo_stats {
  uint32_t bodies;         ///< alive
  uint32_t awake;          ///< not static
  uint32_t contacts;       ///< pairs of shapes within reach of each other
  uint32_t contact_points; ///< in all of their manifolds
  uint32_t pairs;          ///< that the broad phase found
  mo_solve_status status;
  uint32_t iterations;    ///< sweeps made, also by solving again after an impact that gained energy
  double max_penetration; ///< m, deepest overlap at the start of the step
  size_t step_bytes;      ///< working memory used
} mo_stats;
mo_stats mo_world_stats(const mo_world *world);

/** A contact point of the last step. */
typedef struct mo_contact_point {
  mo_body_id body_a, body_b;
  mo_vec3 position;        ///< world, half-way between both surfaces
  mo_vec3 normal;          ///< unit, from A to B
  double separation;       ///< m, below zero where they overlap
  double normal_impulse;   ///< N s
  mo_vec3 tangent_impulse; ///< N s, world, on B
} mo_contact_point;
uint32_t mo_world_contact_point_count(const mo_world *world);
/** Copies up to `capacity` contact points, ordered by pair; returns how many there are. */
uint32_t mo_world_contact_points(const mo_world *world, mo_contact_point *out, uint32_t capacity);

/** 64-bit FNV-1a over the state of the world, field by field in slot order. */
uint64_t mo_world_hash(const mo_world *world);

#ifdef __cplusplus
}
#endif

#endif
