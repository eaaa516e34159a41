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
 * Callbacks: custom constraints and potentials are functions of the user that a world calls in its
 * step. While one runs, that world is locked: it can be read, and what would change it is refused
 * with MO_ERROR_WORLD_LOCKED. Other worlds are free.
 *
 * Threads: one at a time. The allocator, the hull builder and the pool of shapes have state of the
 * whole process.
 */
#ifndef MOREAU_H
#define MOREAU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The result of a call. Values are stable: the JavaScript side maps them to MoreauError codes. */
typedef enum mo_result {
  MO_OK = 0,
  MO_ERROR_INVALID_ARGUMENT = 1,  ///< a value out of its allowed range; the error text names it
  MO_ERROR_STALE_HANDLE = 2,      ///< the id names nothing that is alive any more
  MO_ERROR_OUT_OF_MEMORY = 3,     ///< the allocator refused; the world is as it was before the call
  MO_ERROR_NOT_SUPPORTED = 4,     ///< asked for something that this version does not do
  MO_ERROR_NOT_FINITE = 5,        ///< a sum or motion overflowed; the world is as it was before
  MO_ERROR_CAPACITY = 6,          ///< all ids are in use or used up; too many points for a hull
  MO_ERROR_WORLD_LOCKED = 7,      ///< a callback of this world tried to change it
  MO_ERROR_CONSTRAINT_FAILED = 8, ///< a constraint's callback failed or gave a number that is not
                                  ///< finite; the world is as it was before the call
  MO_ERROR_POTENTIAL_FAILED = 9,  ///< a potential failed or gave a number that is not finite; the
                                  ///< world is as it was before the call
  MO_ERROR_CALLBACK_FAILED = 10, ///< a function of the user for contacts failed; the world is as it
                                 ///< was before the call
  // Convex hulls. One code per way in which points do not span a volume.
  MO_ERROR_HULL_EMPTY = 16,          ///< no points
  MO_ERROR_HULL_TOO_FEW_POINTS = 17, ///< fewer than 4 points
  MO_ERROR_HULL_NOT_FINITE = 18,     ///< a coordinate is NaN, infinite or above 1e90 m
  MO_ERROR_HULL_ALL_EQUAL = 19,      ///< all points coincide
  MO_ERROR_HULL_COLLINEAR = 20,      ///< all points lie on a line
  MO_ERROR_HULL_COPLANAR = 21,       ///< all points lie in a plane
  MO_ERROR_HULL_QHULL = 22,          ///< Qhull failed: mo_hull_create_reporting gives its message
  // Meshes that enclose no volume (mo_shape_check_solid).
  MO_ERROR_MESH_OPEN = 32,        ///< an edge has an odd number of triangles
  MO_ERROR_MESH_ORIENTATION = 33, ///< neighbours have the same direction along an edge
  MO_ERROR_MESH_INSIDE_OUT = 34,  ///< all triangles show their backs to the outside
  /// Bytes that are no snapshot of this version, or damaged; the error text says which. The world
  /// is as it was before the call.
  MO_ERROR_BAD_SNAPSHOT = 48,
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

/** Replaces malloc: returns bytes aligned for any type, or null. */
typedef void *mo_allocate_function(size_t bytes, void *user);
/** Replaces free. */
typedef void mo_release_function(void *memory, void *user);

/**
 * Replaces the allocator of everything that is created from now on. If either function is null,
 * malloc and free are used again. Call it while no object of Moreau exists. `user` is handed to
 * both functions. In builds with MO_THREADS the worlds of a batch call them on several threads at
 * once.
 */
void mo_set_allocator(mo_allocate_function *allocate, mo_release_function *release, void *user);

/** Bytes that Moreau holds at present, as requested from the allocator. */
size_t mo_allocated_bytes(void);

/** Calls to the allocator since the start. Equal before and after a step: the step allocated
 * nothing. */
uint64_t mo_allocation_count(void);

// --- convex hulls and shapes -----------------------------------------------------------------

/** An immutable convex polyhedron, reference-counted. Equal ones are one object. */
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
/**
 * The same, and where it fails with MO_ERROR_HULL_QHULL the number of Qhull's message.
 * @param[out] qhull_error the nnnn of QHnnnn, else 0. 6999 is not Qhull's: its facets did not make
 * a closed convex surface
 */
mo_result mo_hull_create_reporting(const mo_vec3 *points, size_t count, mo_hull **hull,
                                   int *qhull_error);
/** Gives back one reference. Null is legal. */
void mo_hull_release(mo_hull *hull);

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
  MO_SHAPE_PLANE = 3,
  MO_SHAPE_CAPSULE = 4,
  MO_SHAPE_CYLINDER = 5,
  MO_SHAPE_CONE = 6,
  MO_SHAPE_MESH = 7,
  MO_SHAPE_HEIGHTFIELD = 8,
  MO_SHAPE_COMPOUND = 9
} mo_shape_type;

/** An immutable collision shape, reference-counted; any number of bodies in any number of worlds
 * may share it. Shapes that are equal in all numbers are one object, so each call below either
 * makes a shape or gives one more reference to the equal one that is in use. */
typedef struct mo_shape mo_shape;

/**
 * Shapes. Each call returns null and sets `result` to MO_ERROR_INVALID_ARGUMENT (a measure that is
 * not finite, not above 0, or whose volume or inertia overflows) or MO_ERROR_OUT_OF_MEMORY; else
 * the caller holds one reference and `result` is MO_OK. Lengths are metres in the shape's frame.
 */

/** A ball about the origin. */
mo_shape *mo_shape_create_sphere(double radius, mo_result *result);
/** All points within the radius of the segment from -half_height to half_height on the y axis: a
 * cylinder of twice that height between two half balls. */
mo_shape *mo_shape_create_capsule(double radius, double half_height, mo_result *result);
/** A box about the origin. */
mo_shape *mo_shape_create_box(mo_vec3 half_extents, mo_result *result);
/** A convex polyhedron. Takes a reference of its own to the hull. */
mo_shape *mo_shape_create_hull(mo_hull *hull, mo_result *result);
/** All points within `radius` metres of a box or a hull. A radius of 0 leaves the edges sharp. */
mo_shape *mo_shape_create_rounded_box(mo_vec3 half_extents, double radius, mo_result *result);
mo_shape *mo_shape_create_rounded_hull(mo_hull *hull, double radius, mo_result *result);
/**
 * A cylinder about the y axis, from -half_height to half_height; a truncated cone, of which one
 * radius may be 0; a cone with its base at -half_height and its tip at half_height. To each come
 * all points within `rounding` metres; 0 leaves the edges sharp.
 */
mo_shape *mo_shape_create_cylinder(double radius, double half_height, double rounding,
                                   mo_result *result);
mo_shape *mo_shape_create_tapered_cylinder(double radius_top, double radius_bottom,
                                           double half_height, double rounding, mo_result *result);
mo_shape *mo_shape_create_cone(double radius, double half_height, double rounding,
                               mo_result *result);
/** The convex hull of two balls about half_height (top) and -half_height (bottom) on the y axis.
 * Neither may be inside the other: the radii, of which one may be 0, differ by less than twice the
 * half height. */
mo_shape *mo_shape_create_tapered_capsule(double radius_top, double radius_bottom,
                                          double half_height, mo_result *result);
/** The half-space normal . x <= offset is solid. The normal is normalised; it must not be zero.
 * Static bodies only. */
mo_shape *mo_shape_create_plane(mo_vec3 normal, double offset, mo_result *result);

// Surfaces of triangles. They have no inside, and only static and kinematic bodies can have one.

/** A triangle mesh. The front of a triangle is the side from which its corners are
 * counter-clockwise. */
typedef struct mo_mesh_def {
  const mo_vec3 *vertices; ///< m, at most 1e18; copied
  size_t vertex_count;
  const uint32_t *indices; ///< three per triangle; copied
  size_t index_count;      ///< a multiple of 3, above 0
  bool is_one_sided;       ///< only the fronts are touched and met by rays
} mo_mesh_def;
/**
 * A mesh. Edges are matched by the positions of their vertices; contacts do not feel edges between
 * flat or concave neighbours. Triangles without an area are ignored. In addition to the results
 * above there is MO_ERROR_NOT_FINITE, for a vertex.
 */
mo_shape *mo_shape_create_mesh(const mo_mesh_def *def, mo_result *result);

/** A field of heights over a grid in the plane of x and z; its fronts look along y. Sample (i, j)
 * is heights[i * columns + j], at ((j - (columns - 1) / 2) x, heights y, (i - (rows - 1) / 2) z) of
 * the scale; each cell is divided from (i, j) to (i + 1, j + 1). */
typedef struct mo_heightfield_def {
  const double *heights;  ///< rows * columns; copied
  uint32_t rows, columns; ///< 2 or more
  mo_vec3 scale;          ///< m per column, per unit of height and per row; above 0
  bool is_one_sided;      ///< as of a mesh
} mo_heightfield_def;
/** A height field. Triangles 2 c and 2 c + 1 are those of cell c = i * (columns - 1) + j. Results
 * as for a mesh. */
mo_shape *mo_shape_create_heightfield(const mo_heightfield_def *def, mo_result *result);

/** Why a shape has no volume to compute with. */
typedef struct mo_solid_check {
  mo_result result; ///< MO_OK; MO_ERROR_MESH_OPEN, MO_ERROR_MESH_ORIENTATION,
                    ///< MO_ERROR_MESH_INSIDE_OUT; MO_ERROR_NOT_SUPPORTED for a plane
  uint32_t edge[2]; ///< the vertices of an edge that is open or turned
} mo_solid_check;
/** Whether volume, centroid and inertia of a shape are defined: a mesh must be closed and
 * consistently oriented, with its fronts outwards. */
mo_solid_check mo_shape_check_solid(const mo_shape *shape);

typedef struct mo_placed_shape mo_placed_shape;
/**
 * Several shapes as one. Each part keeps its pose, density, friction and restitution; those below
 * zero are those of the compound where it is placed. Compounds in it are dissolved into their
 * parts. A body takes a compound as if its parts had been given one by one, in their order.
 * @param parts copied; one or more, no planes; poses, densities and frictions finite, restitutions
 * not above 1
 */
mo_shape *mo_shape_create_compound(const mo_placed_shape *parts, uint32_t count, mo_result *result);
/** The number of shapes that a body gets of a shape: that of its parts, or 1. */
uint32_t mo_shape_part_count(const mo_shape *shape);

/**
 * Which shapes may touch. Two shapes with the same group other than 0 always meet if it is above 0
 * and never if it is below. All others meet if each one's category has a bit in the other's mask.
 */
typedef struct mo_filter {
  uint32_t category; ///< bits of what the shape is, default 1
  uint32_t mask;     ///< bits of what it meets, default all
  int32_t group;     ///< default 0: none
} mo_filter;
/** The filter of a shape that meets everything: {1, 0xFFFFFFFF, 0}. */
mo_filter mo_filter_default(void);

/** Takes one more reference. */
void mo_shape_retain(mo_shape *shape);
/** Gives back one reference. Null is legal. */
void mo_shape_release(mo_shape *shape);
mo_shape_type mo_shape_get_type(const mo_shape *shape);
/** m^3; 0 for a plane. */
double mo_shape_volume(const mo_shape *shape);
/** m^2; 0 for a plane. */
double mo_shape_surface_area(const mo_shape *shape);
/** The centre of its volume, in the frame of the shape, m; for a plane the origin. */
mo_vec3 mo_shape_centroid(const mo_shape *shape);
/** Inertia tensor of a homogeneous body of this shape about its centroid, along the axes of the
 * shape, kg m^2; zero for a plane. */
mo_mat3 mo_shape_inertia(const mo_shape *shape, double mass);
/**
 * The support point of a shape with its rounding: a point of it that is furthest in a direction, in
 * the frame of the shape, m. Of a compound it is that of the convex hull of its parts.
 * @param direction in the frame of the shape, of any length but 0
 * @return MO_OK; MO_ERROR_INVALID_ARGUMENT for a direction that is 0 or not finite;
 * MO_ERROR_NOT_SUPPORTED for planes, meshes and height fields, which are not convex and bounded
 */
mo_result mo_shape_support(const mo_shape *shape, mo_vec3 direction, mo_vec3 *out);

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

// --- contact problems ------------------------------------------------------------------------
//
// Frictional contact without a world: find impulses g and velocities w = W g + q with, per contact,
// g in the cone |g_t| <= mu g_n, w_n + mu |w_t| and w_t in its dual, and the two perpendicular
// (Signorini's and Coulomb's laws in the form of De Saxce and Feng 1998).

/** The solver of contacts and joints. The exact ones solve island by island. */
typedef enum mo_solver {
  MO_SOLVER_BLOCK_PGS = 0,  ///< block projected Gauss-Seidel: sweeps
  MO_SOLVER_EXACT = 1,      ///< the one of the next three that suits the island
  MO_SOLVER_BILATERAL = 2,  ///< sparse factorisation: joints without limits
  MO_SOLVER_ACTIVE_SET = 3, ///< the exact complementarity problem without friction
  MO_SOLVER_CONE = 4,       ///< the exact Coulomb law
  MO_SOLVER_SOFT_STEP = 5,  ///< substepped soft constraints, which are fast. For worlds and
                            ///< bodies, not for contact problems. It works in single precision:
                            ///< dynamic bodies with shapes whose mass is not 1e-12 to 1e18 kg, or
                            ///< whose radius exceeds 1e9 m, use block-pgs instead
  MO_SOLVER_AUTO = 6, ///< MO_SOLVER_SOFT_STEP, and MO_SOLVER_EXACT for bodies that carry many times
                      ///< their own mass, and for joints between such. For worlds and bodies
} mo_solver;

/** The law of friction. */
typedef enum mo_friction_law {
  MO_FRICTION_COULOMB = 0, ///< the Coulomb law with Signorini's condition
  MO_FRICTION_CONVEX = 1,  ///< its convex relaxation (Anitescu 2006): sliding contacts separate
                           ///< with mu times their speed
} mo_friction_law;

/** What the exact solvers may spend in a step, in counted work. The times are those of one core of
 * a server, in WebAssembly; they differ by machine, the results do not. */
typedef enum mo_effort {
  MO_EFFORT_FRAME = 0,   ///< 2e8 operations, about 12 ms, beside which a step has what everything
                         ///< else in it costs. 2e7 where MO_SOLVER_AUTO alone asks for them
  MO_EFFORT_STEP = 1,    ///< five times as much: the solution is wanted, a frame may be late
  MO_EFFORT_OFFLINE = 2, ///< no bound, and arclength continuation too: thousands of factorisations
} mo_effort;

typedef enum mo_solve_status {
  MO_SOLVE_NONE = 0,      ///< there was nothing to solve
  MO_SOLVE_CONVERGED = 1, ///< the certificate is within the tolerance
  MO_SOLVE_BUDGET = 2,    ///< it is not, and the work, the iterations, sweeps or substeps were used
                          ///< up: more of them may help
  MO_SOLVE_STALLED = 3    ///< it is not, and no method made progress with what was left
} mo_solve_status;

/** How well impulses obey the contact laws; every entry is the worst over the rows unless it says
 * otherwise. */
typedef struct mo_residual {
  double worst;           ///< m/s: natural map of the Coulomb law, the certificate
  double rms;             ///< m/s: root mean square of the same over contacts
  double cone;            ///< m/s: friction outside of the cone
  double dual;            ///< m/s: remaining approach velocity
  double complementarity; ///< J
  double bilateral;       ///< m/s: error of joint rows
  uint32_t contacts;      ///< number of contact points and limits that were evaluated
} mo_residual;

/** A sparse matrix as a list of entries; entries of the same place add up. */
typedef struct mo_triplets {
  uint32_t rows, columns, count;
  const uint32_t *row, *column; ///< per entry
  const double *value;
} mo_triplets;

/** A contact problem. Contacts have three rows each: normal, tangent 1, tangent 2. It is given by W
 * and q, u = W g + q; or by M, H, f and w: M v = H g + f, u = H^T v + w. */
typedef struct mo_problem_def {
  uint32_t contact_count;
  const double *delassus;      ///< W, 1/kg: (3 contact_count)^2 numbers by rows, positive
                               ///< semidefinite; its symmetric part (W + W^T) / 2 is used. Null:
                               ///< with masses
  const double *free_velocity; ///< q, m/s: 3 contact_count; w with masses
  const double *friction;      ///< mu, 0 or more: contact_count
  const double *warm_start;    ///< impulses to start from, N s: 3 contact_count; or null
  /** M, positive definite, of which the lower half is used, and H: as many rows, 3 contact_count
   * columns. Rows of M that no entry couples are bodies by themselves. Where no contact acts on
   * more than 24 rows of their bodies, and the solver is not block-pgs, the memory grows with the
   * contacts and not with their square. */
  const mo_triplets *mass, *jacobian;
  const double *force; ///< f, N s: as many as M has rows
} mo_problem_def;

typedef struct mo_problem_settings {
  mo_solver solver;        ///< EXACT: cone, or active-set without friction; BILATERAL is refused
  double tolerance;        ///< m/s
  uint32_t max_iterations; ///< sweeps of block-pgs, factorisations of the others
  mo_friction_law friction_law;
  mo_effort effort; ///< no work is bounded here: OFFLINE allows arclength continuation, the others
                    ///< are the same
} mo_problem_settings;
/** Solver EXACT, tolerance 1e-8 m/s, 400 iterations, the Coulomb law, MO_EFFORT_STEP. */
mo_problem_settings mo_problem_settings_default(void);

typedef struct mo_problem_result {
  mo_solver solver; ///< that was used
  mo_solve_status status;
  uint32_t iterations;
  uint32_t factorisations;
  mo_residual residual; ///< of the impulses, on the symmetric part of W
  const char *refused;  ///< what is wrong with the input, in words; null if nothing is
  uint32_t refused_at;  ///< index in the array that it is about
  double refused_value; ///< the number that is refused; NaN where it is not about one
} mo_problem_result;

/**
 * Solves a contact problem.
 * @param[out] impulses g, N s, 3 contact_count
 * @param[out] velocities w = W g + q, m/s, 3 contact_count; may be null
 * @return MO_OK, also where `status` says that the tolerance was not reached;
 * MO_ERROR_INVALID_ARGUMENT or MO_ERROR_NOT_FINITE with `refused` set (the latter also where the
 * answer overflows: impulses and velocities are of no use then); MO_ERROR_OUT_OF_MEMORY
 */
mo_result mo_problem_solve(const mo_problem_def *def, const mo_problem_settings *settings,
                           double *impulses, double *velocities, mo_problem_result *out);

/**
 * Converts M v = H g + f, u = H^T v + w to the form u = W g + q: W = H^T M^-1 H, q = w + H^T M^-1
 * f.
 * @param mass M, symmetric positive definite; uncoupled blocks are inverted separately
 * @param transposed_jacobian H: as many rows as M, as many columns as W
 * @param[out] delassus columns^2 numbers by rows
 * @param[out] free_velocity columns numbers
 * @param[out] refused as in mo_problem_result
 * @return MO_OK, MO_ERROR_INVALID_ARGUMENT (sizes; M not positive definite), MO_ERROR_OUT_OF_MEMORY
 */
mo_result mo_problem_reduce(const mo_triplets *mass, const mo_triplets *transposed_jacobian,
                            const double *force, const double *offset, double *delassus,
                            double *free_velocity, const char **refused);

// --- worlds ----------------------------------------------------------------------------------

typedef struct mo_world mo_world;

typedef enum mo_stabilization {
  MO_STABILIZATION_SPLIT = 0,     ///< overlap is removed by pseudo-velocities that carry no energy
  MO_STABILIZATION_BAUMGARTE = 1, ///< overlap is removed through the velocities (Baumgarte 1972)
  MO_STABILIZATION_NONE = 2,
} mo_stabilization;

/** How the smooth motion is integrated. The gyroscopic term is always integrated by the implicit
 * midpoint rule. With the Euler methods, and in impacts with every integrator, a body that a
 * contact pushes moves with its velocity at the end of the step; in sliding and rolling the others
 * move it with the mean of those at the start and the end. */
typedef enum mo_integrator {
  MO_INTEGRATOR_SEMI_IMPLICIT_EULER = 0, ///< first order, symplectic
  MO_INTEGRATOR_EXPLICIT_EULER = 1,      ///< first order, gains energy: for teaching
  MO_INTEGRATOR_VELOCITY_VERLET = 2,     ///< second order, symplectic; joints: RATTLE
  MO_INTEGRATOR_RK4 = 3,                 ///< fourth order; loses energy slowly; joints: as the next
  MO_INTEGRATOR_IMPLICIT_MIDPOINT = 4,   ///< second order, on the Lie group: conserves momentum,
                                         ///< angular momentum and quadratic energies
} mo_integrator;

/** How fast bodies part after impacts that happen at once. */
typedef enum mo_impact_law {
  /** Newton's: each contact that is hit parts with its restitution times the speed of its own
   * approach. */
  MO_IMPACT_NEWTON = 0,
  /** Generalized reflections (Smith, Kaufman, Vouga, Tamstorf and Grinspun 2012): all contacts that
   * approach are reflected together, and those that approach after that, until none does.
   * Restitution below 1 is a mean of that and of the plastic impact. */
  MO_IMPACT_GENERALIZED_REFLECTIONS = 1,
} mo_impact_law;

/** Settings of a world. Start from mo_world_def_default. */
typedef struct mo_world_def {
  // Made from bindings/schema by scripts/generate-bindings.mjs.
  /**
   * m, above 0: how long the unit is in which the world has its lengths: 0.01 where they are in
   * centimetres. Tolerances inside of the engine and options below 0 follow it; the other defaults
   * do in mo_world_def_in_units. Default 1.
   */
  double length_unit;
  /**
   * m/s^2: acceleration of all dynamic bodies, times their gravity_scale. Default (0, -9.81, 0).
   */
  mo_vec3 gravity;
  /**
   * What solves contacts and joints, where a body does not ask for another. MO_SOLVER_SOFT_STEP has
   * an integrator of its own, and is refused with one that is not
   * MO_INTEGRATOR_SEMI_IMPLICIT_EULER. Default MO_SOLVER_AUTO.
   */
  mo_solver solver;
  /** How overlap is removed. Default MO_STABILIZATION_SPLIT. */
  mo_stabilization stabilization;
  /** How the smooth motion is integrated. Default MO_INTEGRATOR_SEMI_IMPLICIT_EULER. */
  mo_integrator integrator;
  /**
   * 1 to 100000: sweeps of block-pgs per solve at the most; a step is solved again, up to five
   * times, if its impacts would create energy. Default 20.
   */
  uint32_t iterations;
  /**
   * m/s, 0 or more: a sweep of block-pgs that changes no velocity of a row by more ends the solve
   * (sweeps that stall at rest end earlier); what the certificate of an exactly solved island must
   * reach. Default 1e-8.
   */
  double tolerance;
  /**
   * m/s: approach speed below which nothing bounces; below 0 it is max(0.01, 2 |gravity| dt), with
   * the length of a substep for dt in soft-step. Default -1.
   */
  double restitution_threshold;
  /** What becomes of impacts that happen at once. Default MO_IMPACT_NEWTON. */
  mo_impact_law impact_law;
  /**
   * m: overlap that is left alone. In soft-step it is the scale of what counts as near: contacts
   * begin four slops apart. Below 0 it is 0.005 there, else 0.001. Default -1.
   */
  double linear_slop;
  /** 0 to 1: the part of the overlap beyond the slop that a step removes. Default 0.2. */
  double error_reduction;
  /** m/s, 0 or more: cap of the speed at which overlap is removed, with every solver. Default 3. */
  double max_correction_speed;
  /** What friction obeys in the exact solvers. Default MO_FRICTION_COULOMB. */
  mo_friction_law friction_law;
  /** What the exact solvers may spend in a step. Default MO_EFFORT_FRAME. */
  mo_effort effort;
  /**
   * 1 to 100000: matrix factorisations that an exact solver may spend on an island in a step.
   * Default 400.
   */
  uint32_t max_iterations;
  /**
   * Floating-point operations, as they are counted, that the exact solvers may spend in a step on
   * all islands together. Below 0 it is what effort says. An island that does not converge within
   * its share keeps the best impulses found, by certificate. Default -1.
   */
  double work_budget;
  /**
   * bytes: working memory that an island's exact solve may take; an island that needs more is
   * solved by block-pgs. Default 268435456.
   */
  double exact_memory_limit;
  /**
   * 1 to 64: substeps that soft-step makes of each step of up to 1/60 s; of longer steps in
   * proportion. Default 4.
   */
  uint32_t substeps;
  /**
   * 1/s, above 0: how stiff contacts of soft-step are; stiffer ones than a substep can follow
   * without gaining energy are not used: with the default damping more than substeps / (8 dt).
   * Default 30.
   */
  double contact_hertz;
  /** 0 or more: damping ratio of contacts of soft-step. Default 10. */
  double contact_damping;
  /**
   * 1/s, above 0: how stiff joints of soft-step are; more than substeps / (3 dt) is not used.
   * Default 120.
   */
  double joint_hertz;
  /** 0 or more: damping ratio of joints of soft-step. Default 1. */
  double joint_damping;
  /**
   * Whether islands of bodies that lie still fall asleep: they are not stepped until something
   * wakes them. Default true.
   */
  bool allow_sleep;
  /**
   * m/s: no point of a body that falls asleep is faster; below 0 it is 0.05 where soft-step solves,
   * else 0.0001. Default -1.
   */
  double sleep_threshold;
  /** s, 0 or more: how long all bodies of an island have to be that slow. Default 0.5. */
  double time_to_sleep;
  /**
   * Soft-step evaluates the certificate of every step, for mo_stats.residual; mo_world_residual is
   * there without. Default false.
   */
  bool certify;
  /** m/s, 0 or more: approach speed above which what begins to push is a hit, too. Default 1. */
  double hit_threshold;
  /**
   * N, 0 or more: normal force above which two shapes have an event in each step; 0: never. Default
   * 0.
   */
  double contact_force_threshold;
  // End of what is made.
} mo_world_def;

mo_world_def mo_world_def_default(void);
/**
 * The same for a world that has its lengths in another unit: gravity, speeds and accuracies are
 * converted, so that they are what they are in metres.
 * @param length_unit m, above 0: 0.01 for centimetres
 */
mo_world_def mo_world_def_in_units(double length_unit);
/** A new, empty world, or null and `result`. */
mo_world *mo_world_create(const mo_world_def *def, mo_result *result);
/** Frees the world and all in it. Null is legal. Does nothing inside of a callback of that world.
 */
void mo_world_destroy(mo_world *world);
/** Its tag in the ids that it makes. */
uint16_t mo_world_tag(const mo_world *world);
/** Changes the settings of a world between two steps. */
mo_result mo_world_set_settings(mo_world *world, const mo_world_def *def);
mo_world_def mo_world_get_settings(const mo_world *world);
/** Why the last refused call on this world was refused, with the argument and its value. Empty if
 * none was. */
const char *mo_world_last_error(const mo_world *world);

/**
 * Advances the world by one step: potentials and forces, collision, contact solve, integration.
 * Steps of more than 0.04 s per substep are solved by block-pgs where soft-step is asked for.
 * @param dt seconds, usually 1/60; 0 does nothing; below zero or not finite is refused
 * @return MO_OK, or an error with the world as it was before the call
 */
mo_result mo_world_step(mo_world *world, double dt);
/**
 * Cleans up after a call on this world that never returned, because a callback of the user left it
 * by longjmp or an exception. A step counts as refused, with the world as it was before, and the
 * world is no longer locked. Call it outside all calls on this world and before the next one. It
 * changes nothing if every call returned.
 */
void mo_world_abandon_call(mo_world *world);
double mo_world_time(const mo_world *world);         ///< s since creation
uint64_t mo_world_step_count(const mo_world *world); ///< steps since creation
/**
 * Sets both, as if the world had come that far: for a world that is built from a file.
 * @param time s, finite
 * @return MO_OK, MO_ERROR_INVALID_ARGUMENT, or MO_ERROR_WORLD_LOCKED
 */
mo_result mo_world_set_time(mo_world *world, double time, uint64_t step_count);

// --- ids -------------------------------------------------------------------------------------

/**
 * Bodies, constraints and potentials are named by ids: one struct per kind, so that no compiler
 * takes one for another. It has one member, so that compilers pass it in a register, WebAssembly's
 * too. An id that is all zeros is null and names nothing. An id names one body, constraint or
 * potential of one world for good: it never comes back for a newer one.
 *
 * The low 32 bits are index1, the slot + 1; 16 bits are the generation, which counts the lives of
 * the slot before; the high 16 are the tag of the world that made the id. Worlds are numbered 1, 2,
 * ... 65535, 1, ... in the order of their creation in the process. So an id of another world is
 * refused, unless 65535 worlds were created between the two: MO_ERROR_INVALID_ARGUMENT. One whose
 * body, constraint or potential is gone, and null where that is not allowed, gives
 * MO_ERROR_STALE_HANDLE. No result depends on tags.
 *
 * A slot has 65536 lives, of generations 0, 1, ...; then it is never taken again. A world holds up
 * to 16777216 of each kind. Texts of errors give an id as the number generation 2^32 + index1.
 *
 * Each kind has these functions, here of bodies:
 *   mo_body_id_is_null(id)
 *   mo_body_id_equals(a, b)
 *   mo_body_id_slot(id): of an id that is not null. The slot is fixed for life
 *   mo_body_id_generation(id)
 *   mo_body_id_world(id): the tag of its world
 *   mo_body_id_store(id): as a number, for storage beside a program; null gives 0
 *   mo_body_id_load(number): the id that was stored
 */
// NOLINTBEGIN(bugprone-macro-parentheses): a name that is declared cannot be in parentheses.
#define MO_DEFINE_ID(name)                                                                         \
  typedef struct name {                                                                            \
    uint64_t bits;                                                                                 \
  } name;                                                                                          \
  static inline bool name##_is_null(name id) { return (uint32_t)id.bits == 0; }                    \
  static inline bool name##_equals(name a, name b) { return a.bits == b.bits; }                    \
  static inline uint32_t name##_slot(name id) { return (uint32_t)id.bits - 1; }                    \
  static inline uint16_t name##_generation(name id) { return (uint16_t)(id.bits >> 32); }          \
  static inline uint16_t name##_world(name id) { return (uint16_t)(id.bits >> 48); }               \
  static inline uint64_t name##_store(name id) { return id.bits; }                                 \
  static inline name name##_load(uint64_t number) {                                                \
    name id = {number};                                                                            \
    return id;                                                                                     \
  }

MO_DEFINE_ID(mo_body_id)
MO_DEFINE_ID(mo_constraint_id)
MO_DEFINE_ID(mo_potential_id)
#undef MO_DEFINE_ID
// NOLINTEND(bugprone-macro-parentheses)

static const mo_body_id MO_NULL_BODY_ID = {0};
static const mo_constraint_id MO_NULL_CONSTRAINT_ID = {0};
static const mo_potential_id MO_NULL_POTENTIAL_ID = {0};

// --- bodies ----------------------------------------------------------------------------------

typedef enum mo_body_type {
  MO_BODY_STATIC = 0,
  MO_BODY_KINEMATIC = 1,
  MO_BODY_DYNAMIC = 2
} mo_body_type;

/** How the coefficients of two materials become that of their contact. Of two different rules the
 * one with the lower number counts (the order of glTF). */
typedef enum mo_combine {
  MO_COMBINE_DEFAULT = 0, ///< of a shape: that of its body; of a body: the geometric mean
  MO_COMBINE_AVERAGE = 1,
  MO_COMBINE_MINIMUM = 2,
  MO_COMBINE_MAXIMUM = 3,
  MO_COMBINE_MULTIPLY = 4,
  MO_COMBINE_GEOMETRIC_MEAN = 5
} mo_combine;

/** A shape placed in the frame of a body. */
struct mo_placed_shape {
  mo_shape *shape;
  bool sensor; ///< it touches nothing, and reports what it overlaps (mo_sensor_event)
  bool has_filter;
  mo_filter filter;   ///< what it may touch; without, that of the body
  mo_pose pose;       ///< shape frame in body frame
  double density;     ///< kg/m^3 of this shape; below zero: that of the body definition
  double friction;    ///< Coulomb coefficient, below zero: that of the body
  double restitution; ///< 0 to 1, below zero: that of the body
  mo_combine friction_combine, restitution_combine; ///< default: those of the body
};
/** A shape at the body's origin with the body's density, material and filter. */
mo_placed_shape mo_placed_shape_default(mo_shape *shape);

/** Bits of axes, for locks. */
#define MO_AXIS_X 1u
#define MO_AXIS_Y 2u
#define MO_AXIS_Z 4u

/** Whether a kinematic body is on its way to a pose. */
typedef enum mo_target_state {
  MO_TARGET_NONE = 0,
  MO_TARGET_AHEAD = 1,   ///< the next steps lead to it
  MO_TARGET_REACHED = 2, ///< in the last step: the body stops in the next
} mo_target_state;

/** Where a kinematic body is going (mo_body_move_to). */
typedef struct mo_target {
  mo_target_state state; ///< default MO_TARGET_NONE
  mo_pose pose;          ///< of the body's origin, world
  double time;           ///< s, that are left; 0: the next step, however long it is
} mo_target;

/** The definition of a body. Start from mo_body_def_default. */
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
  mo_vec3 center_of_mass; ///< body frame; default: that of the shapes
  double friction;        ///< default 0.5
  double restitution;     ///< default 0
  double linear_damping;  ///< 1/s
  double angular_damping; ///< 1/s
  double gravity_scale;   ///< default 1
  bool has_solver;
  mo_solver solver; ///< default: the world's. An island is solved by the most exact solver that any
                    ///< of its bodies asks for
  mo_filter filter; ///< of its shapes; default mo_filter_default
  bool sensor;      ///< default false; true: all of its shapes are sensors
  bool is_enabled;  ///< default true; mo_body_set_enabled
  bool bullet; ///< default false; true: it and moving bodies do not pass through each other in a
               ///< step, however fast they are, as bodies and static ones do not
  bool allow_sleep;                                 ///< default true
  mo_combine friction_combine, restitution_combine; ///< default: the geometric mean
  double rolling_friction;  ///< m, 0 or more, default 0: in a contact that bears the force N, the
                            ///< torque against rolling is at most this times N
  double spinning_friction; ///< m, 0 or more, default 0: the same against spinning about the normal
  mo_vec3 surface_velocity; ///< m/s, body frame, default 0: of the surface against the body, as
                            ///< that of a conveyor; its part along the plane of a contact counts
  uint32_t lock_translation; ///< MO_AXIS_... bits: axes of the world along which the centre of mass
                             ///< of a dynamic body cannot move, default none
  uint32_t lock_rotation;    ///< the same, about which it cannot turn
  mo_vec3 force, torque;     ///< N, N m, world, default 0: on a dynamic body, for the next step
  mo_target target;          ///< of a kinematic body
  bool is_exact; ///< default false; true: orientations that are unit but for round-off, and
                 ///< velocities that obey the locks likewise, are taken to the bit. What was read
                 ///< by mo_body_get_definition then gives the same body
} mo_body_def;

mo_body_def mo_body_def_default(void);
/** A new body, or MO_NULL_BODY_ID with the reason in mo_world_last_result and mo_world_last_error.
 */
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
/** The body in a slot, or MO_NULL_BODY_ID. */
mo_body_id mo_world_body_in_slot(const mo_world *world, uint32_t slot);

/** Everything that can be read of a body, at once. */
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
  bool has_solver;                                                              ///< as set
  mo_solver solver;                                                             ///< as set
  mo_filter filter;                                                             ///< as set
  bool is_enabled, bullet, allow_sleep;                                         ///< as set
  mo_combine friction_combine, restitution_combine; ///< as set; never MO_COMBINE_DEFAULT
  double rolling_friction, spinning_friction;       ///< m, as set
  mo_vec3 surface_velocity;                         ///< m/s, body frame, as set
  uint32_t lock_translation, lock_rotation;         ///< as set
  bool has_target;                                  ///< it is on its way (mo_body_move_to)
  bool sensor;                                      ///< it has shapes, and all of them are sensors
  bool is_awake;            ///< it takes part in steps; static bodies never do
  double kinetic_energy;    ///< J
  mo_vec3 angular_momentum; ///< kg m^2/s, about the centre of mass, world
} mo_body_state;
/** MO_OK, or MO_ERROR_STALE_HANDLE with `out` as it was. */
mo_result mo_body_get_state(const mo_world *world, mo_body_id body, mo_body_state *out);
/**
 * The smallest box along the axes of the world that holds the shapes of a body, sensors included:
 * m, world; infinite for a plane, the position for a body without shapes.
 */
mo_result mo_body_get_bounds(const mo_world *world, mo_body_id body, mo_vec3 *lower,
                             mo_vec3 *upper);
/**
 * The support point of a body: a point of its shapes, sensors included, that is furthest in a
 * direction; world, m. Of several shapes it is that of their convex hull, and the position of a
 * body without shapes.
 * @param direction world, of any length but 0
 * @return as mo_shape_support, or MO_ERROR_STALE_HANDLE
 */
mo_result mo_body_support(mo_world *world, mo_body_id body, mo_vec3 direction, mo_vec3 *out);

/** How the velocity of a body changes by an impulse: v by inverse_mass P, the spin by
 * inverse_inertia L, L being about the centre of mass. */
typedef struct mo_body_inverse_mass {
  double inverse_mass;     ///< 1/kg, along all axes that are not locked
  mo_mat3 inverse_inertia; ///< 1/(kg m^2), along the axes of the world, with locked rotations
                           ///< taken out
} mo_body_inverse_mass;
/** Of a body at present; zero for static and kinematic ones.
 * @return MO_OK or MO_ERROR_STALE_HANDLE */
mo_result mo_body_get_inverse_mass(const mo_world *world, mo_body_id body,
                                   mo_body_inverse_mass *out);
/**
 * The inverse of mo_body_create: the definition of a body that is as this one is now. Mass, inertia
 * and centre of mass are in it if they were given, or are not what the shapes and the rest of the
 * definition make them. It does not say whether the body sleeps.
 * @param[out] out `shapes` are without compounds and belong to the body: they are valid until it is
 *   changed
 * @return MO_OK, or MO_ERROR_STALE_HANDLE with `out` as it was
 */
mo_result mo_body_get_definition(const mo_world *world, mo_body_id body, mo_body_def *out);

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
 * Static bodies lose their velocities. Bodies that are not dynamic lose the forces applied for the
 * next step. A plane must stay static, and a body without mass cannot become dynamic.
 */
mo_result mo_body_set_type(mo_world *world, mo_body_id body, mo_body_type type);
/** Mass in kg (above zero); the inertia is scaled with it. */
mo_result mo_body_set_mass(mo_world *world, mo_body_id body, double mass);
/**
 * Mass by mean density in kg/m^3, above zero: density times the volume of the shapes. Refused if
 * they have none.
 */
mo_result mo_body_set_density(mo_world *world, mo_body_id body, double density);
/** Inertia about the centre of mass in body axes, kg m^2, symmetric positive definite. */
mo_result mo_body_set_inertia(mo_world *world, mo_body_id body, mo_mat3 inertia);
/** In the body frame, m. The motion of the body stays the same, and its inertia is unchanged
 * about the new centre. */
mo_result mo_body_set_center_of_mass(mo_world *world, mo_body_id body, mo_vec3 center_of_mass);
/**
 * Shapes of a living body, by their index in it. A refused call changes nothing. Mass, inertia and
 * centre of mass follow the shapes, but for what was given to the body by its definition or a
 * setter; its origin and the motion of its points stay. Contacts of shapes that go end in the next
 * step; those of the others go on. The body and all that it touches wake.
 */
uint32_t mo_body_shape_count(const mo_world *world, mo_body_id body); ///< 0 for a stale id
/** MO_OK, MO_ERROR_STALE_HANDLE or MO_ERROR_INVALID_ARGUMENT, with `out` as it was. */
mo_result mo_body_get_shape(const mo_world *world, mo_body_id body, uint32_t index,
                            mo_placed_shape *out);
/** Adds a shape behind the others. */
mo_result mo_body_add_shape(mo_world *world, mo_body_id body, const mo_placed_shape *shape);
/** Removes a shape; those behind it move up by one. The last shape of a dynamic body without a
 * given mass stays. */
mo_result mo_body_remove_shape(mo_world *world, mo_body_id body, uint32_t index);
/** Replaces all shapes. */
mo_result mo_body_set_shapes(mo_world *world, mo_body_id body, const mo_placed_shape *shapes,
                             uint32_t count);
/** Makes sensors of all of its shapes, or of none. */
mo_result mo_body_set_sensor(mo_world *world, mo_body_id body, bool sensor);
/** Replaces one shape, which counts as the same shape for events. */
mo_result mo_body_change_shape(mo_world *world, mo_body_id body, uint32_t index,
                               const mo_placed_shape *shape);
/** Coulomb coefficient of the body's shapes, 0 or more; used from the next step on. */
mo_result mo_body_set_friction(mo_world *world, mo_body_id body, double friction);
/** 0 to 1. */
mo_result mo_body_set_restitution(mo_world *world, mo_body_id body, double restitution);
/** How friction and restitution are combined with those of other bodies; MO_COMBINE_DEFAULT is the
 * geometric mean. */
mo_result mo_body_set_friction_combine(mo_world *world, mo_body_id body, mo_combine rule);
mo_result mo_body_set_restitution_combine(mo_world *world, mo_body_id body, mo_combine rule);
/** m, 0 or more; combined as friction is. Each bounds the length of its torque by itself. */
mo_result mo_body_set_rolling_friction(mo_world *world, mo_body_id body, double length);
mo_result mo_body_set_spinning_friction(mo_world *world, mo_body_id body, double length);
/** m/s, body frame. What touches the body wakes. */
mo_result mo_body_set_surface_velocity(mo_world *world, mo_body_id body, mo_vec3 velocity);
/**
 * Axes of the world (MO_AXIS_... bits) along which the centre of mass of a dynamic body cannot
 * move, and about which it cannot turn. Velocities that it has along and about them are taken at
 * once, as by the impulse of the lock. soft-step leaves bodies with locked translation to
 * block-pgs.
 */
mo_result mo_body_set_locks(mo_world *world, mo_body_id body, uint32_t translation,
                            uint32_t rotation);
/**
 * Moves a kinematic body to a pose within a time in seconds: the next steps give it the velocities
 * that lead there (the rotation the short way), and contacts see these. It reaches the pose
 * exactly, and stops then unless it has a new one. A time of 0 is the next step, however long it
 * is. Setting its pose, velocity or type ends the move. MO_ERROR_INVALID_ARGUMENT for other types
 * of bodies.
 */
mo_result mo_body_move_to(mo_world *world, mo_body_id body, mo_pose pose, double time);
/** Sets position and orientation at once, whatever is in the way; velocities stay. */
mo_result mo_body_set_pose(mo_world *world, mo_body_id body, mo_pose pose);
/** Drag coefficients in 1/s, 0 or more: v' = -damping v, by implicit Euler. */
mo_result mo_body_set_linear_damping(mo_world *world, mo_body_id body, double damping);
mo_result mo_body_set_angular_damping(mo_world *world, mo_body_id body, double damping);
/** Factor on the world's gravity, any finite number. */
mo_result mo_body_set_gravity_scale(mo_world *world, mo_body_id body, double scale);
/** The solver that the body asks for instead of the world's, or without `has_solver` none. */
mo_result mo_body_set_solver(mo_world *world, mo_body_id body, bool has_solver, mo_solver solver);
/** What the body's shapes may touch, from the next step on. Wakes the body. */
mo_result mo_body_set_filter(mo_world *world, mo_body_id body, mo_filter filter);
/**
 * A body that is not enabled keeps its place, its velocities, shapes and constraints, but takes
 * part in nothing: it does not move, nothing touches it and no query finds it, and its constraints
 * and potentials have no effect on others. What rested on it or was joined to it wakes. The change
 * gives up forces that wait for the next step, and the move to a target.
 */
mo_result mo_body_set_enabled(mo_world *world, mo_body_id body, bool is_enabled);
mo_result mo_body_set_bullet(mo_world *world, mo_body_id body, bool bullet);
/** If false, the body and all that it touches stay awake, and the body wakes. */
mo_result mo_body_set_allow_sleep(mo_world *world, mo_body_id body, bool allow_sleep);
/** Puts the body and its island to sleep, with velocities zero. Does nothing to static bodies. */
mo_result mo_body_sleep(mo_world *world, mo_body_id body);
/** Wakes the body and its island. Everything that changes a body's motion or mass does that too. */
mo_result mo_body_wake(mo_world *world, mo_body_id body);

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

// --- constraints -----------------------------------------------------------------------------

/** The law for the impulse and the velocity w = J v + bias + compliance * impulse of a row. */
typedef enum mo_bound {
  MO_BOUND_BILATERAL,  ///< w = 0
  MO_BOUND_UNILATERAL, ///< 0 <= impulse, w >= 0, one of them 0
  MO_BOUND_BOX,        ///< lower <= impulse <= upper; w >= 0 at lower, <= 0 at upper, else 0
  MO_BOUND_CONE,       ///< 3 consecutive rows n, t1, t2: the Coulomb law with `friction`
} mo_bound;

/** The bounds of a row's impulse. Made by one of the functions below. */
typedef struct mo_row_bounds {
  mo_bound kind;
  double lower, upper; ///< N s: (-inf, inf) bilateral, [0, inf) unilateral and for a cone's normal
  double friction;     ///< cone: |impulse_t| <= friction * impulse_n
} mo_row_bounds;
mo_row_bounds mo_row_bounds_bilateral(void);
mo_row_bounds mo_row_bounds_unilateral(void);
/** A box [lower, upper]. (-inf, inf) is bilateral and [0, inf) unilateral: each row has one kind.
 * @return MO_OK, or MO_ERROR_INVALID_ARGUMENT with `out` as it was: NaN, lower > upper, or a box
 * that holds no finite number */
mo_result mo_row_bounds_box(double lower, double upper, mo_row_bounds *out);
/** A Coulomb cone over three rows. @return MO_OK, or MO_ERROR_INVALID_ARGUMENT with `out` as it
 * was: friction is not finite or below 0 */
mo_result mo_row_bounds_cone(double friction, mo_row_bounds *out);

typedef enum mo_constraint_type {
  MO_CONSTRAINT_CUSTOM = 0,           ///< functions of the user
  MO_CONSTRAINT_UNIT_QUATERNION = 1,  ///< |Q|^2 - 1 = 0 of body A
  MO_CONSTRAINT_DISTANCE = 2,         ///< of two points: fixed, or within limits
  MO_CONSTRAINT_BALL = 3,             ///< two points coincide
  MO_CONSTRAINT_FIXED = 4,            ///< two frames coincide
  MO_CONSTRAINT_HINGE = 5,            ///< two points coincide, and two axes
  MO_CONSTRAINT_SLIDER = 6,           ///< B moves along an axis of A and does not turn
  MO_CONSTRAINT_MOTOR = 7,            ///< B is driven to a pose relative to A, or braked
  MO_CONSTRAINT_ROPE = 8,             ///< two points are at most a length apart
  MO_CONSTRAINT_UNIVERSAL = 9,        ///< two points coincide, and two axes stay perpendicular
  MO_CONSTRAINT_GEAR = 10,            ///< coordinate A + ratio coordinate B = const
  MO_CONSTRAINT_RACK_AND_PINION = 11, ///< travel B - ratio angle A = const
  MO_CONSTRAINT_PULLEY = 12,          ///< length A + ratio length B is at most a length
  MO_CONSTRAINT_SPRING = 13,          ///< a spring and damper between two points
  MO_CONSTRAINT_SIX_DOF = 14,         ///< each axis is locked, free or within limits
  MO_CONSTRAINT_WHEEL = 15,           ///< B moves along an axis of A and turns about an axle
  MO_CONSTRAINT_PATH = 16,            ///< a point of B moves along a curve that is fixed in A
} mo_constraint_type;

/** The most rows of a constraint. */
#define MO_CONSTRAINT_ROWS 32
/** The most bodies of a constraint. */
#define MO_CONSTRAINT_BODIES 4

/** A body in the evaluation of a constraint. Its pose may be a trial pose and differ from the one
 * in the world. The world itself has the identity pose and does not move. */
typedef struct mo_constraint_body {
  mo_body_id body;          ///< MO_NULL_BODY_ID: the world
  mo_vec3 position;         ///< of the body's origin, m, world
  mo_quat orientation;      ///< world from body, unit
  mo_vec3 center_of_mass;   ///< m, world
  mo_vec3 linear_velocity;  ///< of the centre of mass, m/s, world
  mo_vec3 angular_velocity; ///< rad/s, world
} mo_constraint_body;

/**
 * A function of a custom constraint. It must depend on its arguments alone, because it is called at
 * trial poses and times too. The world is locked while it runs.
 * @param b null for a constraint of one body
 * @param time s
 * @param[out] out zeros; as many numbers as the member of mo_constraint_def says
 * @return false if it failed; then the call of the engine that needed it fails too
 */
typedef bool mo_constraint_function(void *user, const mo_constraint_body *a,
                                    const mo_constraint_body *b, double time, double *out);

/** The most coordinates of a joint. */
#define MO_CONSTRAINT_COORDINATES 6

/** A linear spring and damper of a coordinate, by implicit Euler: stable for every dt. All zeros:
 * none. Of hertz and stiffness one is 0, and so of damping and damping_coefficient. The effective
 * mass is 1 / (J M^-1 J^T) of the coordinate when the joint was made or a mass was set. */
typedef struct mo_spring {
  double hertz;               ///< stiffness = mass (2 pi hertz)^2
  double damping;             ///< ratio: coefficient = 2 damping sqrt(mass stiffness); 1: critical
  double stiffness;           ///< N/m, or N m/rad
  double damping_coefficient; ///< N s/m, or N m s/rad
} mo_spring;

typedef enum mo_motor_mode {
  MO_MOTOR_NONE = 0,
  MO_MOTOR_VELOCITY = 1, ///< brings the coordinate's rate to target_velocity
  /** Brings the coordinate to target_position: as `gains` say, with target_velocity as the rate at
   * which their damper is at rest; without gains in one step, as far as max_force allows, and from
   * further away no faster than max_force can brake the effective mass. */
  MO_MOTOR_POSITION = 2,
} mo_motor_mode;

/** Limits and drives of a coordinate of a joint: its angle or translation, of B relative to A, 0 at
 * creation; of a distance the distance. Any of them may be combined. */
typedef struct mo_coordinate_drive {
  double lower, upper; ///< rad or m; infinite, the default: no limit
  mo_spring spring;
  double
      spring_rest; ///< rad or m, where the spring is relaxed; default NaN: where it is at creation
  mo_motor_mode motor;
  double target_velocity; ///< rad/s or m/s
  double target_position; ///< rad or m
  double max_force;       ///< N m or N, 0 or more; default infinite
  mo_spring gains;        ///< of a motor to a position
  double friction;        ///< N m or N, the most that it resists with; default 0
  /** MO_CONSTRAINT_SIX_DOF: the coordinate stays at 0. Nothing else may be set then. */
  bool locked;
} mo_coordinate_drive;
mo_coordinate_drive mo_coordinate_drive_default(void);

/** What a constraint of type MO_CONSTRAINT_MOTOR does. Without a target it brakes. */
typedef struct mo_pose_motor {
  bool has_position, has_orientation; ///< default false
  mo_vec3 target_position;            ///< of B's anchor, from A's, in the frame of A, m
  mo_quat target_orientation;         ///< of B in the frame of A; made unit
  double max_force, max_torque;       ///< N, N m: of their lengths; default infinite
  /** Of the force and of the torque towards the target, with the reduced mass of both bodies and
   * the mean of their moments of inertia. None: in one step, as far as the limits allow, and from
   * further away no faster than they can brake. */
  mo_spring gains;
} mo_pose_motor;

/** What of B follows a path. */
typedef enum mo_path_alignment {
  MO_PATH_ALIGN_NONE = 0,    ///< its anchor alone
  MO_PATH_ALIGN_TANGENT = 1, ///< and the axis of it that is along the tangent at creation
  /** And all of its orientation: it turns with the curve, about the tangent no more than it must.
   */
  MO_PATH_ALIGN_FRAME = 2,
} mo_path_alignment;

/** The curve of a path: a cubic spline through points with two continuous derivatives, of an open
 * one without curvature at its ends (de Boor 1978). */
typedef struct mo_path_def {
  const mo_vec3 *points; ///< m, in the frame of A; copied. Neighbours must differ
  uint32_t point_count;  ///< 2 to 65536; of a closed path 3 or more
  bool is_closed;        ///< it goes on from the last point to the first one
  mo_path_alignment alignment;
} mo_path_def;

/** What a joint keeps of a coordinate from the poses before. */
typedef struct mo_coordinate_reference {
  double value; ///< rad or m: at the end of the last step. Full turns are counted from it
  double mass;  ///< kg or kg m^2: effective, for springs in hertz; 0 or more
} mo_coordinate_reference;

/** What a joint or a distance keeps of the poses at which it was made: where its coordinates are 0,
 * and its effective masses. Parts that the type does not have are not read. */
typedef struct mo_constraint_reference {
  mo_quat frame_a, frame_b; ///< of the joint in A and in B; x is the axis
  /** Gear, rack: the same of the joint between C and D. Wheel: of the axle in A straight ahead, and
   * in B. */
  mo_quat frame_c, frame_d;
  double length; ///< distance: m, that it has without limits and drives
  double sum;    ///< gear, rack: of both coordinates with their factors, where the row holds
  double linear_mass, angular_mass; ///< kg, kg m^2: effective, of a motor to a pose
  mo_coordinate_reference coordinates[MO_CONSTRAINT_COORDINATES];
} mo_constraint_reference;

/** The definition of a constraint. Start from mo_constraint_def_default. A violated bilateral row
 * has C != 0, a violated unilateral one C < 0. */
typedef struct mo_constraint_def {
  mo_constraint_type type;
  /** Different bodies. MO_NULL_BODY_ID is the world: for joints and distances one of both, for
   * custom constraints (of one body then) B, for MO_CONSTRAINT_UNIT_QUATERNION B always. */
  mo_body_id body_a, body_b;
  /** Two more bodies, of types that couple the joint between A and B with a joint between C and D:
   * likewise different ones, of which one may be the world. They may be bodies of the first joint
   * too. Of other types, as are all of mo_constraint_type, null, the default. */
  mo_body_id body_c, body_d;
  bool collide_connected; ///< false, the default: no contacts between A and B. Custom constraints
                          ///< and those of one body do not affect contacts

  // Joints and distances. At the poses of creation the angle of a hinge and the angular errors of a
  // fixed joint and of a slider are zero; axes that differ are aligned first. The translation of a
  // slider is that of the anchors.
  mo_vec3 anchor_a, anchor_b; ///< body frame, m; world frame where the body is the world
  mo_vec3 axis_a, axis_b;     ///< likewise, any length above 0. Wheel: the axis of the suspension
                              ///< in A, and the axle in B. Universal: the arms of the cross. Of
                              ///< both they must not be parallel, by default x and y; of others
                              ///< both are x
  /** Of its coordinates, in the order of its type: hinge: the angle; slider: the translation;
   * distance, rope, spring: the distance, that of a rope with the upper limit at creation if it has
   * none; ball: the angle between x of both frames, then the twist; gear, rack: that of the first
   * joint; pulley: the length of both sides, as for a rope; wheel: the travel of the suspension,
   * then the spin; sixDof: translations along x, y, z of A's frame, then the turns; path: the
   * length along it from its first point, which of an open one is limited to its ends. */
  mo_coordinate_drive drives[MO_CONSTRAINT_COORDINATES];
  mo_pose_motor pose_motor; ///< motor
  bool has_length;
  double length; ///< distance without limits and drives: m, 0 or more; default: that of the anchors
  /** N and N m: a joint whose load in a step is more breaks after it; default infinite. The load is
   * its impulse / dt; of the torque, the couple about the anchor. Not of custom constraints. */
  double break_force, break_torque;

  // Gears, racks and pulleys.
  /** What a gear couples: hinges or sliders, and for a rack the hinge of the pinion and the slider
   * of the rack. They give the bodies, which are then null here, anchors and axes. Destroying one
   * of them destroys the gear. Null: the bodies A and B turn about `axis_a` of A, C and D about
   * `axis_b` of C. */
  mo_constraint_id joint_a, joint_b;
  double
      ratio; ///< not 0; pulley: above 0. Default 1. Rack: m/rad; else 1, or m/rad of what it joins
  mo_vec3 ground_anchor_a, ground_anchor_b; ///< of a pulley: m, world frame
  double steering; ///< of a wheel: rad, turns the axle about the axis of the suspension

  mo_path_def path; ///< of a path; `anchor_a` is not read then

  // Custom constraints.
  const char *name;            ///< for messages; copied, cut after 31 bytes; null: "custom"
  uint32_t dimension;          ///< rows, 1 to MO_CONSTRAINT_ROWS
  const mo_row_bounds *bounds; ///< one per row, a cone's three times; copied; null: all bilateral
  mo_constraint_function *evaluate; ///< C: m, rad or any unit of the user's
  /** dimension x 6 (one body) or x 12 (two) by rows: C's derivatives by velocity, v of the centre
   * of mass and w of A, then of B, world frame. Null: by central differences of `evaluate`. */
  mo_constraint_function *jacobian;
  mo_constraint_function *time_derivative; ///< dC/dt at fixed poses; null: by central differences
  mo_constraint_function
      *is_active; ///< writes 0 where there are no rows in this step; null: always
  void *user;

  /** Whether position errors are removed with alpha and beta: the row's target is
   * J v = -dC/dt - alpha C / (beta + alpha dt), an implicit spring and damper. Default true for
   * custom constraints; joints and distances use the world's stabilization otherwise. */
  bool has_stabilization;
  double alpha; ///< 1/s^2, 0 or more, default 10
  double beta;  ///< 1/s, 0 or more, default 10
  /** gamma, 1/kg (1/(kg m^2) for angles), 0 or more, default 0: the row aims at J v + bias =
   * -gamma * impulse. With alpha = k, beta = c and gamma = 1 / (dt (c + k dt)) a row is a spring of
   * stiffness k N/m and damping c N s/m by implicit Euler. */
  double compliance;

  /** Default false: the poses at creation are the reference, and the axes say where the frames are.
   * With a reference, orientations that are unit but for round-off are taken to the bit. */
  bool has_reference;
  mo_constraint_reference reference;
} mo_constraint_def;

mo_constraint_def mo_constraint_def_default(mo_constraint_type type);
/** A new constraint, or MO_NULL_CONSTRAINT_ID with the reason in mo_world_last_result and
 * mo_world_last_error. No function of the user is called. */
mo_constraint_id mo_constraint_create(mo_world *world, const mo_constraint_def *def);
/** Destroying one of its bodies destroys the constraint too. Refused while the world is locked. */
mo_result mo_constraint_destroy(mo_world *world, mo_constraint_id constraint);
/**
 * Ends a constraint and reports it. Functions of the user that run in a step may ask for that too.
 * The constraint then ends with the step; if the step is refused it stays. A function that runs at
 * trial poses should decide by the state of the world.
 * @return MO_OK, MO_ERROR_STALE_HANDLE, MO_ERROR_OUT_OF_MEMORY, or MO_ERROR_WORLD_LOCKED in a
 * function that is called by a read-out
 */
mo_result mo_constraint_break(mo_world *world, mo_constraint_id constraint);
/** A constraint that was broken; its id is stale. */
typedef struct mo_broken_constraint {
  mo_constraint_id constraint;
  double force, torque;      ///< N, N m: the load that was too much; 0 after mo_constraint_break
  mo_body_id body_a, body_b; ///< as they were; null: the world
  mo_body_id body_c, body_d; ///< of types of four bodies
} mo_broken_constraint;
/** Those that broke in the last step, in the order of their slots, and since then, in the order of
 * the calls. Valid until the next step or call of mo_constraint_break. */
const mo_broken_constraint *mo_world_broken_constraints(const mo_world *world, uint32_t *count);
bool mo_constraint_is_alive(const mo_world *world, mo_constraint_id constraint);
/** Changes limits and drives of a coordinate, whose number is its place in
 * mo_constraint_def.drives. This and the following wake the bodies. @return MO_OK,
 * MO_ERROR_STALE_HANDLE, MO_ERROR_INVALID_ARGUMENT, or MO_ERROR_WORLD_LOCKED in a step */
mo_result mo_constraint_set_drive(mo_world *world, mo_constraint_id constraint, uint32_t coordinate,
                                  const mo_coordinate_drive *drive);
mo_result mo_constraint_get_drive(mo_world *world, mo_constraint_id constraint, uint32_t coordinate,
                                  mo_coordinate_drive *out);
/** Of a gear or a rack, which goes on from where it is, and of a pulley, whose length then is what
 * it is now. */
mo_result mo_constraint_set_ratio(mo_world *world, mo_constraint_id constraint, double ratio);
/** Of a wheel, rad, -pi to pi. */
mo_result mo_constraint_set_steering(mo_world *world, mo_constraint_id constraint, double angle);
/** The same of a MO_CONSTRAINT_MOTOR. */
mo_result mo_constraint_set_pose_motor(mo_world *world, mo_constraint_id constraint,
                                       const mo_pose_motor *motor);
mo_result mo_constraint_get_pose_motor(mo_world *world, mo_constraint_id constraint,
                                       mo_pose_motor *out);
mo_result mo_constraint_set_break(mo_world *world, mo_constraint_id constraint, double force,
                                  double torque);
mo_result mo_constraint_set_collide_connected(mo_world *world, mo_constraint_id constraint,
                                              bool collide_connected);
/** Constraints alive. */
uint32_t mo_world_constraint_count(const mo_world *world);
/** One more than the highest slot ever used by a constraint. */
uint32_t mo_world_constraint_slot_count(const mo_world *world);
/** The constraint in a slot, or MO_NULL_CONSTRAINT_ID. */
mo_constraint_id mo_world_constraint_in_slot(const mo_world *world, uint32_t slot);

/** What can be read of a constraint without calling its functions. */
typedef struct mo_constraint_state {
  mo_constraint_type type;
  mo_body_id body_a, body_b;
  mo_body_id body_c, body_d; ///< of types of four bodies
  uint32_t dimension;
  bool is_active; ///< it had rows in the last step, and its bodies have been enabled since
  /** Hinge: rad, continuous over many turns. Slider, distance: m. 0 for others. */
  double coordinate;
  uint32_t coordinate_count; ///< those that limits and drives are of
  bool collide_connected;
  double break_force, break_torque; ///< N, N m
  double ratio;                     ///< of gears, racks and pulleys
  double steering;                  ///< of a wheel, rad
  double path_length;               ///< of a path, m: from its first point to its last, or around
} mo_constraint_state;
/** MO_OK, or MO_ERROR_STALE_HANDLE with `out` as it was. */
mo_result mo_constraint_get_state(const mo_world *world, mo_constraint_id constraint,
                                  mo_constraint_state *out);
/**
 * The inverse of mo_constraint_create: the definition of a constraint that is as this one is now,
 * with its reference. The impulses from which the next step starts are not in it.
 * @param[out] out `bounds`, `name` and `path.points` belong to the constraint: they are valid until
 * it is changed
 * @return MO_OK, or MO_ERROR_STALE_HANDLE with `out` as it was
 */
mo_result mo_constraint_get_definition(const mo_world *world, mo_constraint_id constraint,
                                       mo_constraint_def *out);
/** A coordinate of a joint at the present poses and velocities. */
typedef struct mo_coordinate_state {
  bool is_angle;
  double value; ///< rad, continuous over many turns, or m
  double rate;  ///< rad/s or m/s
} mo_coordinate_state;
/** MO_OK, MO_ERROR_STALE_HANDLE, or MO_ERROR_INVALID_ARGUMENT without such a coordinate. */
mo_result mo_constraint_get_coordinate(mo_world *world, mo_constraint_id constraint,
                                       uint32_t coordinate, mo_coordinate_state *out);
/** A point of a path at the present pose of A. */
typedef struct mo_path_point {
  mo_vec3 position; ///< m, world
  mo_vec3 tangent;  ///< unit, world
} mo_path_point;
/** The point of a path at a length from its first point, m; an open path goes on straight beyond
 * its ends. MO_OK, MO_ERROR_STALE_HANDLE, or MO_ERROR_INVALID_ARGUMENT for another type of joint.
 */
mo_result mo_constraint_get_path_point(mo_world *world, mo_constraint_id constraint, double length,
                                       mo_path_point *out);
/** The angle at which a hinge has B nearest to an orientation: that of its twist about the axis. Of
 * those that differ by full turns the one next to where the hinge is. For a motor that follows an
 * animation.
 * @param orientation of B in the frame of A, need not be unit
 * @param[out] angle rad
 * @return MO_OK, MO_ERROR_STALE_HANDLE, or MO_ERROR_INVALID_ARGUMENT for another type of joint */
mo_result mo_constraint_get_angle_at(mo_world *world, mo_constraint_id constraint,
                                     mo_quat orientation, double *angle);
/** Parts of a constraint that can be drawn. */
typedef enum mo_drawing_part {
  MO_DRAW_ANCHORS = 1, ///< both anchors
  MO_DRAW_LINE = 2,    ///< a line from anchor to anchor
  MO_DRAW_AXES = 4,    ///< x of both frames
  MO_DRAW_FRAMES = 8,  ///< all axes of both frames
  MO_DRAW_CONE = 16,   ///< the cone of the angle `upper` about x of A's frame, if that is finite
  MO_DRAW_PATH = 32,   ///< the curve of a path (mo_constraint_get_path_point), and the anchor on B
} mo_drawing_part;
/** What a debug renderer draws of a constraint: in the world frame, m. */
typedef struct mo_constraint_drawing {
  uint32_t parts; ///< bits of mo_drawing_part: the valid parts of the following; 0: none
  mo_vec3 anchor_a, anchor_b;
  mo_quat frame_a, frame_b; ///< world from joint frame on A and on B
  double lower, upper;      ///< limits of the coordinate; infinite where there is none
  bool limits_turn;         ///< the limits are rad about x, from y on; else m
} mo_constraint_drawing;
/** MO_OK, or MO_ERROR_STALE_HANDLE with `out` as it was. */
mo_result mo_constraint_get_drawing(const mo_world *world, mo_constraint_id constraint,
                                    mo_constraint_drawing *out);
/** "distance", "hinge", ..., or the name of a custom constraint; null if the id is stale. Valid
 * until the next constraint is created or destroyed. */
const char *mo_constraint_type_name(const mo_world *world, mo_constraint_id constraint);
/** Impulses of the last step, N s (N m s for angles), `dimension` of them; zeros before the first
 * step. + on B and - on A for joints; J^T impulse in any case. Null if the id is stale. Valid until
 * the next constraint is created or destroyed. */
const double *mo_constraint_impulses(const mo_world *world, mo_constraint_id constraint);
/** What a constraint did to B in the last step: of a gear or a rack, to B of its first joint. */
typedef struct mo_constraint_reaction {
  mo_vec3 linear;  ///< N s
  mo_vec3 angular; ///< N m s, about B's anchor
} mo_constraint_reaction;
/** Zeros before the first step. MO_OK, MO_ERROR_STALE_HANDLE or MO_ERROR_CONSTRAINT_FAILED. */
mo_result mo_constraint_get_reaction(mo_world *world, mo_constraint_id constraint,
                                     mo_constraint_reaction *out);
/** What a row of a constraint is there for. */
typedef enum mo_row_role {
  MO_ROW_HOLD = 0,  ///< what the type of constraint itself holds
  MO_ROW_LOWER = 1, ///< a limit of a coordinate, as is
  MO_ROW_UPPER = 2,
  MO_ROW_SPRING = 3, ///< a drive of a coordinate, as are
  MO_ROW_MOTOR = 4,
  MO_ROW_FRICTION = 5,
} mo_row_role;

/** A row of a constraint: C' = J v + dC/dt, and the momentum J^T impulse that it gave. */
typedef struct mo_constraint_row {
  mo_row_role role;
  uint32_t coordinate; ///< of limits and drives: its place in mo_constraint_def.drives; else 0
  /** Of the force, N or N m; of a custom constraint of the impulse, N s. Of a motor to a pose they
   * bound the length of its force and of its torque. */
  mo_row_bounds bounds;
  /** J: per body its linear part, for the velocity of the centre of mass, and its angular part,
   * both in world axes. A, B, and C, D of types of four bodies. The world's part moves nothing. */
  double jacobian[6 * MO_CONSTRAINT_BODIES];
  /** 1 / (J M^-1 J^T): kg, or kg m^2 of an angle. Infinite where impulses along the row move
   * nothing. */
  double effective_mass;
  double impulse; ///< of the last step: that of mo_constraint_impulses
} mo_constraint_row;
/** All rows at the present poses, at which mo_constraint_violation and mo_constraint_get_reaction
 * see the constraint too. Calls the user's function.
 * @param[out] out `dimension` rows
 * @return MO_OK, MO_ERROR_STALE_HANDLE or MO_ERROR_CONSTRAINT_FAILED with `out` as it was */
mo_result mo_constraint_get_rows(mo_world *world, mo_constraint_id constraint,
                                 mo_constraint_row *out);
/** Impulses of the last step along a coordinate, on B: N s, or N m s of an angle. */
typedef struct mo_drive_impulses {
  double limits, spring, motor, friction;
} mo_drive_impulses;
mo_result mo_constraint_get_drive_impulses(mo_world *world, mo_constraint_id constraint,
                                           uint32_t coordinate, mo_drive_impulses *out);
/** C at the present poses and time. Calls the user's function.
 * @param[out] out `dimension` numbers
 * @return MO_OK, MO_ERROR_STALE_HANDLE or MO_ERROR_CONSTRAINT_FAILED */
mo_result mo_constraint_violation(mo_world *world, mo_constraint_id constraint, double *out);
/** J v + dC/dt at the present poses, velocities and time, `dimension` numbers; the same errors. */
mo_result mo_constraint_velocity_violation(mo_world *world, mo_constraint_id constraint,
                                           double *out);

/** A point in the frame of a body (in the world's frame for MO_NULL_BODY_ID and stale ids). */
mo_vec3 mo_body_local_point(const mo_world *world, mo_body_id body, mo_vec3 world_point);
/** A direction, likewise. */
mo_vec3 mo_body_local_vector(const mo_world *world, mo_body_id body, mo_vec3 world_vector);

// --- potentials ------------------------------------------------------------------------------

/** The types of potentials. All act on dynamic bodies only. */
typedef enum mo_potential_type {
  MO_POTENTIAL_GRAVITY = 0,       ///< uniform: F = m g; V = -m g . r
  MO_POTENTIAL_POINT_GRAVITY = 1, ///< of a fixed point mass: V = -mu m / sqrt(r^2 + softening^2)
  MO_POTENTIAL_TIDAL = 2,         ///< the effect of such a field's gradient on an extended body:
                          ///< V = -mu / (2 r^3) (tr I - 3 n.In) (MacCullagh 1840), a force and the
                          ///< torque 3 mu / r^3 n x I n; use beside point gravity
  MO_POTENTIAL_MAGNETIC = 3, ///< a dipole fixed in the body at its centre of mass: V = -m . B,
                             ///< torque m x B, F = grad (m . B); B of a uniform field and of a
                             ///< fixed dipole
  MO_POTENTIAL_DRAG = 4,     ///< F = -(linear + quadratic |v|) v, torque -angular w; no energy
  MO_POTENTIAL_SPRING = 5,   ///< between two points, with a damper along it: V = k/2 (l - l0)^2
  MO_POTENTIAL_CUSTOM = 6,   ///< functions of the user
  MO_POTENTIAL_BUOYANCY = 7, ///< F = -density V g at the centroid of the part of the shapes, of
                             ///< volume V, with normal . x <= offset; g is the world's gravity
  MO_POTENTIAL_MUTUAL_GRAVITY = 8, ///< of the bodies on each other: V = -G m_a m_b / sqrt(r^2 +
                                   ///< softening^2), summed over all pairs
} mo_potential_type;

/** Where a potential acts. */
typedef enum mo_region_type {
  MO_REGION_EVERYWHERE = 0,
  MO_REGION_SPHERE = 1,
  MO_REGION_BOX = 2
} mo_region_type;

/** A part of the world. A body is in it if its centre of mass is. */
typedef struct mo_region {
  mo_region_type type;
  mo_vec3 center;       ///< m, world
  double radius;        ///< sphere: m, above 0
  mo_vec3 half_extents; ///< box: m, above 0
  mo_quat orientation;  ///< box: world from box; normalised, must not be zero
} mo_region;

/** A force and a torque on a body. */
typedef struct mo_wrench {
  mo_vec3 force;  ///< N, through the centre of mass
  mo_vec3 torque; ///< N m, about the centre of mass, world
} mo_wrench;

/** A body as a potential sees it. */
typedef struct mo_potential_body {
  mo_body_id id;
  double mass;              ///< kg
  mo_mat3 inertia;          ///< kg m^2, about the centre of mass, body axes
  mo_vec3 position;         ///< of the body's origin, m, world
  mo_quat orientation;      ///< world from body, unit
  mo_vec3 center_of_mass;   ///< m, world
  mo_vec3 linear_velocity;  ///< of the centre of mass, m/s, world
  mo_vec3 angular_velocity; ///< rad/s, world
} mo_potential_body;

/**
 * Force and torque of a user's potential on one body at a time in seconds. Integrators
 * evaluate trial states, so it must be a function of its arguments alone; the world itself holds
 * the state before the step.
 * @param[out] wrench zero when called
 * @return false on failure: the step fails with MO_ERROR_POTENTIAL_FAILED, as for results that are
 * not finite
 */
typedef bool mo_potential_wrench_function(const mo_potential_body *body, double time,
                                          mo_wrench *wrench, void *user);
/** Its energy in J, likewise. */
typedef bool mo_potential_energy_function(const mo_potential_body *body, double time,
                                          double *energy, void *user);

/** A potential. Start from mo_potential_def_default; fields of other types are ignored. */
typedef struct mo_potential_def {
  mo_potential_type type;
  /** Bodies that it acts on, copied; none: every dynamic body. A spring takes one or two: the
   * second, or MO_NULL_BODY_ID for the world. */
  const mo_body_id *bodies;
  uint32_t body_count;
  mo_vec3 gravity;        ///< gravity: m/s^2; comes on top of the world's
  mo_vec3 center;         ///< point gravity, tidal, magnetic: where the source is, m, world
  double mu;              ///< point gravity, tidal: G M of the source, m^3/s^2, 0 or more
  double softening;       ///< point gravity, mutual gravity: m, 0 or more
  mo_vec3 moment;         ///< magnetic: of the body, A m^2, body axes
  mo_vec3 field;          ///< magnetic: uniform field, T, world
  mo_vec3 source_moment;  ///< magnetic: of a dipole at `center`, A m^2, world; zero: none is there
  double linear_drag;     ///< drag: N s/m, 0 or more
  double quadratic_drag;  ///< drag: N s^2/m^2, 0 or more
  double angular_drag;    ///< drag: N m s, 0 or more
  mo_vec3 velocity;       ///< drag: of the medium, m/s, world
  double fluid_density;   ///< buoyancy: kg/m^3, 0 or more
  mo_vec3 surface_normal; ///< buoyancy: out of the fluid, world; normalised, must not be zero
  double surface_offset;  ///< buoyancy: m from the origin along the normal
  double gravitational_constant; ///< mutual gravity: m^3/(kg s^2), 0 or more; default 6.6743e-11
  mo_region region;              ///< of all but springs and mutual gravity; default everywhere
  mo_vec3 anchor_a;              ///< spring: its end in the frame of the first body, m
  mo_vec3 anchor_b;              ///< spring: in the frame of the second body, or the world
  double stiffness;              ///< spring: N/m, 0 or more
  double rest_length;            ///< spring: m, 0 or more
  double damping;                ///< spring: N s/m along the spring, 0 or more
  mo_potential_wrench_function *wrench; ///< custom
  mo_potential_energy_function *energy; ///< custom; null: it has none
  void *user;                           ///< custom: handed to both
} mo_potential_def;

mo_potential_def mo_potential_def_default(mo_potential_type type);
/**
 * A new potential, or MO_NULL_POTENTIAL_ID with the reason in mo_world_last_result and
 * mo_world_last_error. Forces are explicit: a step should be well below 2 sqrt(m / stiffness). Drag
 * takes no more of a motion in a step than all of it. Bodies that are destroyed leave its list; a
 * spring without one of its bodies has no effect.
 */
mo_potential_id mo_potential_create(mo_world *world, const mo_potential_def *def);
/** The definition of a potential, as the engine keeps it; its bodies are valid until the next call
 * that changes the world. MO_ERROR_STALE_HANDLE with `out` as it was. */
mo_result mo_potential_get_def(mo_world *world, mo_potential_id potential, mo_potential_def *out);
/**
 * Changes a potential, from the next step on: all fields but its type, its bodies and its
 * functions. The bodies that it acts on wake. A moving surface of a fluid is set so in every step.
 * MO_ERROR_STALE_HANDLE, or MO_ERROR_INVALID_ARGUMENT with nothing changed, also for another type.
 */
mo_result mo_potential_set_def(mo_world *world, mo_potential_id potential,
                               const mo_potential_def *def);
mo_result mo_potential_destroy(mo_world *world, mo_potential_id potential);
bool mo_potential_is_alive(const mo_world *world, mo_potential_id potential);
uint32_t mo_world_potential_count(const mo_world *world); ///< alive
/** Its energy in J at present, over all of its bodies; drag has 0. MO_ERROR_STALE_HANDLE, or
 * MO_ERROR_POTENTIAL_FAILED if a user's function failed or the energy is not finite. */
mo_result mo_potential_get_energy(mo_world *world, mo_potential_id potential, double *energy);
/** Its force and torque on a body at present; zero where it does not act. Errors likewise. */
mo_result mo_potential_get_wrench(mo_world *world, mo_potential_id potential, mo_body_id body,
                                  mo_wrench *wrench);

// --- queries ----------------------------------------------------------------------------------
//
// They see the present poses of all bodies, sleeping ones too, and are allowed in callbacks.

/**
 * Whether a query takes a shape that it has met: called once for each shape that would become a
 * result. The world is locked meanwhile: it can be read, also by other queries.
 * @param shape index in the body's shapes
 */
typedef bool mo_query_predicate(mo_body_id body, uint32_t shape, void *user);

/** The shapes of a query: those whose category has a bit in `mask` and whose mask has one in
 * `category`. Groups do not matter. */
typedef struct mo_query_filter {
  uint32_t category;             ///< bits of what the query is, default all
  uint32_t mask;                 ///< bits of the shapes that it may find, default all
  mo_body_id exclude;            ///< a body that it passes through; default MO_NULL_BODY_ID: none
  bool include_sensors;          ///< whether it meets sensors too; default false
  mo_query_predicate *predicate; ///< default null: every shape is taken
  void *user;                    ///< handed to the predicate
} mo_query_filter;
/** The filter of a query that meets everything. */
mo_query_filter mo_query_filter_default(void);

/** A ray. Start from mo_ray_default. */
typedef struct mo_ray {
  mo_vec3 origin;      ///< m, world
  mo_vec3 direction;   ///< world, of any length above 0
  double max_distance; ///< m, 0 or more; default infinite
  mo_query_filter filter;
} mo_ray;
mo_ray mo_ray_default(void);

/** A shape that moves along a line without rotation. Start from mo_shape_cast_default. */
typedef struct mo_shape_cast {
  const mo_shape *shape; ///< not a plane
  mo_pose pose;          ///< at the start, world; the orientation is normalised by the engine
  mo_vec3 direction;     ///< world, of any length above 0
  double max_distance;   ///< m, 0 or more; default infinite
  /** Whether every shape that it overlaps at the start is met. Otherwise only those are that it
   * moves deeper into. Default true. */
  bool stop_at_penetration;
  mo_query_filter filter;
} mo_shape_cast;
mo_shape_cast mo_shape_cast_default(void);

/** Stands for no index. */
#define MO_NO_INDEX UINT32_MAX

/** What a query met. */
typedef struct mo_query_hit {
  mo_body_id body;   ///< MO_NULL_BODY_ID: nothing was met
  uint32_t shape;    ///< index in the body's shapes
  uint32_t triangle; ///< of a mesh that a ray met; else MO_NO_INDEX
  mo_vec3 position;  ///< m, world, on the surface of the shape that was met
  mo_vec3 normal;    ///< unit, world, out of that shape
  double distance;   ///< m along the ray or cast; of a point: from the surface, below 0 inside
  double
      penetration_depth; ///< m, of a cast: how far out `normal` leads if it overlaps at the start
} mo_query_hit;

/**
 * The first shape that a ray meets. Shapes are solid: one that the ray starts inside of is met at
 * distance 0 with the normal against the direction; one that it starts on the surface of is met if
 * it goes inwards. Of several at one distance that of the lowest slot and shape is given.
 * @param[out] hit with a null body where nothing is met
 * @return MO_OK; MO_ERROR_INVALID_ARGUMENT, or MO_ERROR_STALE_HANDLE for the excluded body, with
 * `hit` as it was
 */
mo_result mo_world_cast_ray(mo_world *world, const mo_ray *ray, mo_query_hit *hit);
/**
 * All shapes that a ray meets, each where it enters: ascending by distance, then by slot and shape.
 * @param[out] hits valid until the next query of this world that gives a list
 * @return as above, or MO_ERROR_OUT_OF_MEMORY
 */
mo_result mo_world_cast_ray_all(mo_world *world, const mo_ray *ray, const mo_query_hit **hits,
                                uint32_t *count);

/**
 * The first shape that a moving shape meets (conservative advancement, Mirtich 1996; van den Bergen
 * 2004), to 1e-12 m. A shape that it overlaps at the start is met at distance 0; position and
 * normal are then those of the shortest way out. A shape that it touches at the start is met if the
 * two approach. Of several at one distance the one that it overlaps most is given, then that of the
 * lowest slot and shape.
 * @param[out] hit with a null body where nothing is met
 * @return as mo_world_cast_ray
 */
mo_result mo_world_cast_shape(mo_world *world, const mo_shape_cast *cast, mo_query_hit *hit);
/** All shapes that a moving shape meets, each where it does first, in the same order.
 * @param[out] hits as mo_world_cast_ray_all */
mo_result mo_world_cast_shape_all(mo_world *world, const mo_shape_cast *cast,
                                  const mo_query_hit **hits, uint32_t *count);

/**
 * The shapes that a placed shape overlaps or touches, ascending by slot and shape.
 * @param shape not a plane
 * @param filter null: everything
 * @param[out] hits only body and shape are set; as mo_world_cast_ray_all
 */
mo_result mo_world_overlap(mo_world *world, const mo_shape *shape, mo_pose pose,
                           const mo_query_filter *filter, const mo_query_hit **hits,
                           uint32_t *count);

/**
 * The point of all surfaces with the least signed distance to a point: the closest one, or that of
 * the shape that the point is deepest in. Of several the one of the lowest slot and shape.
 * @param max_distance m, 0 or more; may be infinite
 * @param filter null: everything
 * @param[out] hit with a null body where nothing is that close
 */
mo_result mo_world_closest_point(mo_world *world, mo_vec3 point, double max_distance,
                                 const mo_query_filter *filter, mo_query_hit *hit);
/**
 * Whether a point is inside of a shape, not only on its surface.
 * @param filter null: everything
 * @param[out] contains as it was if the call is refused
 */
mo_result mo_world_contains(mo_world *world, mo_vec3 point, const mo_query_filter *filter,
                            bool *contains);

// --- characters -------------------------------------------------------------------------------
//
// A character is a shape that the program moves and the world stops: no body, but a value that the
// program keeps. All that a move depends on is in its arguments and the world, so a replay with the
// same values has the same bits.

/** What a character is like. Start from mo_character_def_default. */
typedef struct mo_character_def {
  const mo_shape *shape; ///< not a plane, mesh or height field, nor a compound of several
  mo_vec3 up;            ///< of any length above 0; default y
  double offset;         ///< m, above 0: the gap that it keeps to everything; default 0.01
  double step_height;    ///< m, 0 or more: steps up to this height are climbed; default 0.3
  double step_down;   ///< m, 0 or more: how far down it follows the ground; below 0, the default:
                      ///< step_height
  double slope_limit; ///< rad, 0 to pi/2: steeper slopes are walls; default pi/4
  double slide_angle; ///< rad, slope_limit to pi/2: steeper ones are no ground; below 0, the
                      ///< default: slope_limit
  double push_force;  ///< N, 0 or more: at most this is what pushes dynamic bodies; default 0
  double push_mass;   ///< kg, 0 or more: it pushes no heavier body; default infinity
  mo_query_filter filter; ///< what stops it
} mo_character_def;
mo_character_def mo_character_def_default(void);

/** Where a character is, and what it stands on. Start from zeros, with a position and an
 * orientation; the rest is written by moves. */
typedef struct mo_character {
  mo_vec3 position;           ///< m, world: the origin of its shape
  mo_quat orientation;        ///< world from shape, unit
  mo_vec3 velocity;           ///< m/s: of the last move, with what carried it
  mo_vec3 ground_velocity;    ///< m/s: of what carried it in the last move
  mo_vec3 ground_normal;      ///< unit, out of the ground; zero in the air
  mo_body_id ground;          ///< the body that it stands on; null in the air
  mo_vec3 ground_position;    ///< m, world: of that body's origin, after the last move
  mo_quat ground_orientation; ///< of that body, likewise
  bool grounded;              ///< it stands on something not too steep
} mo_character;

/** What a move met: at most this many. */
#define MO_CHARACTER_CONTACTS 8
typedef struct mo_character_contacts {
  uint32_t count;
  mo_query_hit contacts[MO_CHARACTER_CONTACTS]; ///< distances are those of the parts of the move
} mo_character_contacts;

/**
 * Moves a character by a displacement relative to what it stands on: carried by its ground, pushed
 * out of what overlaps it, sliding along walls, up and down steps and slopes, and back to the
 * ground. On ground that it can walk on the length of the horizontal part is kept along the ground.
 * A displacement upwards leaves the ground; gravity is the caller's. Dynamic bodies in its way are
 * pushed, by no more than the push force times dt and no faster than it moves.
 * @param displacement m, world
 * @param dt s, above 0: the time that the move takes
 * @param[out] contacts may be null
 * @return MO_OK, or MO_ERROR_INVALID_ARGUMENT, MO_ERROR_STALE_HANDLE (excluded body) or
 * MO_ERROR_WORLD_LOCKED with the character as it was
 */
mo_result mo_character_move(mo_world *world, const mo_character_def *def, mo_character *character,
                            mo_vec3 displacement, double dt, mo_character_contacts *contacts);
/**
 * Gives a character another shape, with its feet where they are, if there is room for it.
 * @param shape likewise
 * @param[out] fits whether there is; if not, nothing changes. def->shape is the caller's to change
 */
mo_result mo_character_change_shape(mo_world *world, const mo_character_def *def,
                                    mo_character *character, const mo_shape *shape, bool *fits);

// --- explosions -------------------------------------------------------------------------------

/** An explosion. Start from mo_explosion_default. */
typedef struct mo_explosion {
  mo_vec3 position;       ///< m, world
  double radius;          ///< m, 0 or more: up to here the impulse is whole
  double falloff;         ///< m, 0 or more: over this distance beyond it falls to zero, linearly
  double impulse;         ///< N s, that each body gets; below zero it pulls
  mo_query_filter filter; ///< of shapes; neither its predicate nor `include_sensors` count
} mo_explosion;
mo_explosion mo_explosion_default(void);
/**
 * Pushes the dynamic bodies near a point, each once: at the point of its surface that is nearest to
 * the position, away from there, with the part of the impulse that the distance of that point
 * leaves. Only shapes that the filter meets have a surface here, and no sensors. A body that holds
 * the position in one of them gets all of it at its centre of mass, away from the position. A body
 * without shapes, or with sensors only, is its centre of mass, and its own filter counts. Bodies
 * that get an impulse wake.
 * @return MO_OK; MO_ERROR_INVALID_ARGUMENT, MO_ERROR_STALE_HANDLE for the excluded body, or
 * MO_ERROR_NOT_FINITE if a velocity would overflow, with nothing changed
 */
mo_result mo_world_explode(mo_world *world, const mo_explosion *explosion);

// --- vehicles ---------------------------------------------------------------------------------
//
// A vehicle is a dynamic body, its chassis, on wheels that are rays: each has a strut from a point
// of the chassis to the ground, a spring in it, and friction where it meets the ground. It has no
// memory of its own but the angles of its wheels and what carried the ground below them.

/** A wheel: how it is built, in the frame of the chassis, and what the driver does to it. */
typedef struct mo_wheel {
  mo_vec3 position;   ///< m: upper end of the strut
  mo_vec3 direction;  ///< from there to the ground, of any length above 0; default -y
  mo_vec3 axle;       ///< rolling forwards turns the wheel about it, by the right hand; default -z
  double radius;      ///< m, above 0
  double rest_length; ///< m, 0 or more: of the strut without a load
  double travel;      ///< m, 0 or more: the strut gets no shorter than its rest length less that
  double stiffness;   ///< N/m, 0 or more
  double compression; ///< N s/m, 0 or more: damping while the strut gets shorter
  double relaxation;  ///< the same while it gets longer
  double max_force;   ///< N, 0 or more: of spring and damper; default infinite
  double anti_roll;   ///< N/m, 0 or more: of the bar to `anti_roll_wheel`
  uint32_t anti_roll_wheel; ///< the wheel at the other end of it
  double friction;          ///< coefficient along the way that it rolls, 0 or more
  double side_friction;     ///< across it; both bound an ellipse
  double engine_force;      ///< N at the ground, forwards
  double brake;             ///< N at the ground, 0 or more: the most that resists rolling
  double steering;          ///< rad about -`direction`
} mo_wheel;
mo_wheel mo_wheel_default(void);

/** What became of a wheel. Zeros at first; `rotation` and `spin` go on from update to update, and
 * `ground` and its forecast tell the next update what else carries the ground. */
typedef struct mo_wheel_state {
  bool is_in_contact, is_sliding; ///< sliding: friction is at its bound
  mo_body_id ground;              ///< what it stands on, or MO_NULL_BODY_ID
  mo_vec3 contact_point;          ///< m, world
  mo_vec3 contact_normal;         ///< unit, world, out of the ground
  double suspension_length;       ///< m: of the strut; the rest length in the air
  double suspension_force;        ///< N along the contact normal
  double forward_impulse;         ///< N s of the next step, on the chassis, forwards
  double side_impulse;            ///< the same along the axle
  double rotation;                ///< rad about the axle
  double spin;                    ///< rad/s
  /// m/s and rad/s: of the ground at the end of the step, if nothing but gravity, the forces
  /// applied so far and the wheels changes how it moves
  mo_vec3 forecast_linear, forecast_angular;
} mo_wheel_state;

typedef struct mo_vehicle {
  mo_body_id chassis;     ///< a dynamic body
  mo_query_filter filter; ///< of the rays, which pass through the chassis anyway
  const mo_wheel *wheels;
  uint32_t wheel_count;
} mo_vehicle;

/**
 * Puts the wheels to the ground and applies their forces to the chassis, and against them to the
 * ground, for the next step, which is to be of `dt` seconds. All wheels are solved together: an
 * implicit spring and damper along the normal of each contact, brake and side friction that aim at
 * no slip at the end of the step, within an ellipse (Pacejka, Tire and Vehicle Dynamics, 2012,
 * section 4.3). A tyre that rolls gives way a little: at the bound of friction, or at its load
 * where friction is above 1, it slips by 1 % of the rolling speed, so that the wheels of an axle
 * share what they bear; what stands does not slip. What they aim at is right under the world's
 * gravity and forces that were applied before; other potentials make them creep. A dynamic ground
 * is expected to be carried as it was in the last step.
 * @param[in,out] states one per wheel
 * @return MO_OK; MO_ERROR_INVALID_ARGUMENT, MO_ERROR_NOT_FINITE or MO_ERROR_STALE_HANDLE, with
 * nothing applied and `states` as it was; MO_ERROR_OUT_OF_MEMORY
 */
mo_result mo_vehicle_update(mo_world *world, const mo_vehicle *vehicle, double dt,
                            mo_wheel_state *states);

// --- bulk read-outs ---------------------------------------------------------------------------
//
// By slot, rewritten by every step and kept current by setters. Pointers hold until the next body
// is created.

const float *mo_world_transforms(const mo_world *world);    ///< 8 per slot: x y z 0 qx qy qz qw
const double *mo_world_transforms64(const mo_world *world); ///< the same in double
const double *mo_world_velocities(const mo_world *world);   ///< 8 per slot: vx vy vz 0 wx wy wz 0
const mo_body_id *mo_world_body_ids(const mo_world *world); ///< 1 per slot, null where it is free
/** Numbers per slot of mo_world_get_motions. */
#define MO_MOTION_NUMBERS 16
/**
 * Writes how all bodies move, for a world in another thread that is to show it: per slot
 * `x y z a qx qy qz qw vx vy vz 0 wx wy wz 0`, where a is 1 for awake and 0 for the others. Free
 * slots read as zeros.
 * @param out room for MO_MOTION_NUMBERS per slot (mo_world_slot_count)
 */
void mo_world_get_motions(const mo_world *world, double *out);
/**
 * Has the bodies move as these numbers of another world with the same bodies say, to the bit, and
 * be awake or asleep as there. Nothing wakes by it, whatever is in the way. A slot whose `a` is
 * below 0 stays as it is, and so do slots beyond `count`. Contacts, and what solvers start from,
 * are not among the numbers: for a world that does so, use mo_world_snapshot.
 * @param count of slots
 * @return MO_OK; MO_ERROR_INVALID_ARGUMENT with the world as it was
 */
mo_result mo_world_set_motions(mo_world *world, const double *records, uint32_t count);

/** Slots whose transform changed in the last step, ascending; those of bodies destroyed since are
 * still listed. */
const uint32_t *mo_world_moved(const mo_world *world, uint32_t *count);

/** A body that fell asleep in the last step, or woke since the step before it. */
typedef struct mo_sleep_event {
  mo_body_id body;
  bool is_awake; ///< as it is after the step
} mo_sleep_event;
/** Sleep events of the last step, ascending by slot. Valid until the next step. */
const mo_sleep_event *mo_world_sleep_events(const mo_world *world, uint32_t *count);
/** A contact point of the last step. */
typedef struct mo_contact_point {
  mo_body_id body_a, body_b;
  mo_vec3 position;        ///< world, half-way between both surfaces
  mo_vec3 normal;          ///< unit, from A to B
  double separation;       ///< m, below zero where they overlap
  double normal_impulse;   ///< N s
  mo_vec3 tangent_impulse; ///< N s, world, on B
} mo_contact_point;

/** What happened to two shapes in a step: bits. Two shapes touch in a step when an impulse pushes
 * them apart in it, or when they overlap at its end. */
enum {
  MO_CONTACT_EVENT_BEGIN = 1, ///< they touch, and did not in the step before
  MO_CONTACT_EVENT_END = 2,   ///< they touched in the step before, and do not
  MO_CONTACT_EVENT_HIT = 4,   ///< a point that was not pushed in the step before is pushed, with an
                              ///< approach speed above mo_world_def.hit_threshold
  MO_CONTACT_EVENT_FORCE = 8, ///< the normal force is above mo_world_def.contact_force_threshold
};
/** Contact events of two shapes. Of an end only the shapes have meaning. */
typedef struct mo_contact_event {
  uint32_t types;            ///< MO_CONTACT_EVENT_...
  uint32_t shape_a, shape_b; ///< indices in the shapes of the bodies, when they last touched
  uint32_t first_point;      ///< in the list of points
  uint32_t point_count;
  mo_body_id body_a, body_b; ///< A was created first; of an end, one may be destroyed
  mo_vec3 position;          ///< m, world: mean of the points by their impulses
  mo_vec3 normal;            ///< unit, from A to B; of the point that is pushed most
  double approach_speed;   ///< m/s: of the fastest point, before the forces of the step; 0 or more
  double impulse;          ///< N s: normal impulses of all points
  double force;            ///< N: mean over the step
  mo_vec3 tangent_impulse; ///< N s, world, on B
} mo_contact_event;

/** Two shapes that may touch in a step, as a contact function sees and changes them. */
typedef struct mo_contact_pair {
  mo_body_id body_a, body_b; ///< A was created first
  uint32_t shape_a, shape_b; ///< indices in the shapes of the bodies
  mo_vec3 normal;            ///< unit, from A to B
  double friction;           ///< of this contact in this step; may be changed, finite and 0 or more
  double restitution;        ///< likewise, 0 to 1
  mo_vec3 surface_velocity;  ///< m/s, world: of the surface of B against that of A, besides the
                             ///< motion of the bodies; may be changed, finite
  bool is_refused;           ///< set it, and the shapes pass through each other in this step
  uint32_t point_count;
  struct {
    mo_vec3 position;  ///< m, world
    double separation; ///< m, below zero where the shapes overlap
    bool is_removed;   ///< set it, and nothing is pushed here in this step
  } points[MO_MANIFOLD_POINTS];
} mo_contact_pair;
/**
 * Decides about a contact. It is called once in a step for each two shapes that are near enough to
 * meet in it: those of the row solvers in the order of their bodies, then those of soft-step. The
 * world is locked and shows the state before the step. Islands that sleep are not asked about.
 * @return false on failure: the step fails with MO_ERROR_CALLBACK_FAILED
 */
typedef bool mo_contact_function(mo_contact_pair *pair, void *user);
/** Sets the contact function of a world; null, the default: none.
 * @return MO_OK or MO_ERROR_WORLD_LOCKED */
mo_result mo_world_set_contact_function(mo_world *world, mo_contact_function *function, void *user);

/** A shape that came into a sensor, or left it. Overlap is judged at the end of a step. */
typedef struct mo_sensor_event {
  bool is_inside; ///< as it is after the step
  mo_body_id sensor_body, body;
  uint32_t sensor_shape, shape; ///< indices in the shapes of the bodies, when they last overlapped
} mo_sensor_event;

/** What a world watches: bits. */
enum {
  MO_WATCH_CONTACTS = 1,
  MO_WATCH_SENSORS = 2,
  MO_WATCH_AT_ONCE = 4, ///< for mo_world_watch
};
/**
 * Has a world watch contacts and sensors (bits; 0: nothing), without which it makes no events of
 * them. What touches when a watch begins has begun before; what is in a sensor comes in with the
 * next step. With MO_WATCH_AT_ONCE both are events of the last step; inside of a function that the
 * world calls they are events of the step that runs, or of the next one. No step depends on what is
 * watched.
 * @return MO_OK, MO_ERROR_OUT_OF_MEMORY or, without MO_WATCH_AT_ONCE, MO_ERROR_WORLD_LOCKED, with
 * the watch as it was
 */
mo_result mo_world_watch(mo_world *world, uint32_t what);
/** Bits of what it watches. */
uint32_t mo_world_watched(const mo_world *world);
/** Contact events of the last step, by the slots of the bodies, the lower first. Valid until the
 * next step. */
const mo_contact_event *mo_world_contact_events(const mo_world *world, uint32_t *count);
/** Their points, with the impulses of the step. Valid likewise. */
const mo_contact_point *mo_world_contact_event_points(const mo_world *world, uint32_t *count);
/** Sensor events of the last step, likewise. Sensors see the shapes of dynamic and kinematic bodies
 * that their filters meet, asleep too, but no sensors and none of their own body. */
const mo_sensor_event *mo_world_sensor_events(const mo_world *world, uint32_t *count);
/** Bodies that take part in steps: neither static nor asleep. */
uint32_t mo_world_awake_count(const mo_world *world);

// --- diagnostics -----------------------------------------------------------------------------

typedef struct mo_energy {
  double kinetic;
  double potential; ///< of the world's gravity, -m g . r, zero at the origin, and of potentials
  double total;
} mo_energy; ///< J
/** Of all dynamic bodies. The potential energy is NaN where a user's function for it failed; what
 * overflows counts as 1e300 J per body. */
mo_energy mo_world_energy(mo_world *world);

/** Energy of a body, J; all 0 if it is not dynamic. */
typedef struct mo_body_energy {
  double translational; ///< 1/2 m v^2
  double rotational;    ///< 1/2 omega . I omega, about the centre of mass
  double kinetic;       ///< the sum of both
  double potential;     ///< -m g . r of the world's gravity, times the body's gravity scale. Forces
                        ///< between bodies and potentials have energies of their own
  double total;         ///< kinetic and potential
} mo_body_energy;
/** @return MO_OK or MO_ERROR_STALE_HANDLE */
mo_result mo_body_get_energy(const mo_world *world, mo_body_id body, mo_body_energy *out);
/** Energy in the springs of a joint, J; 0 without.
 * @return MO_OK or MO_ERROR_STALE_HANDLE */
mo_result mo_constraint_get_energy(const mo_world *world, mo_constraint_id constraint,
                                   double *energy);

typedef struct mo_momentum {
  mo_vec3 linear;  ///< kg m/s
  mo_vec3 angular; ///< kg m^2/s, about the world's origin
} mo_momentum;
/** Of all dynamic bodies. What overflows counts as 1e300 per body. */
mo_momentum mo_world_momentum(const mo_world *world);

/** The certificate of the last step. It is computed from the step's rows in this call, by code that
 * no solver shares. */
mo_residual mo_world_residual(mo_world *world);

/** Counts of the last step, `bodies` and `awake` of now. */
typedef struct mo_stats {
  uint32_t bodies;            ///< alive
  uint32_t awake;             ///< neither static nor asleep
  uint32_t contacts;          ///< pairs of shapes within reach of each other
  uint32_t contact_points;    ///< in all of their manifolds
  uint32_t pairs;             ///< that the broad phase found
  uint32_t refused_pairs;     ///< that it found and did not take, as they were too many for so few
                              ///< shapes: bodies in each other by the hundred
  mo_solve_status status;     ///< the worst of all islands
  uint32_t converged_islands; ///< whose certificate is within mo_world_def.tolerance
  uint32_t budget_islands;  ///< whose certificate is not, because what the step may spend ran out.
                            ///< Those of soft-step, which makes its substeps and does not look, are
                            ///< among them, unless mo_world_def.certify finds them good
  uint32_t stalled_islands; ///< whose certificate is not, with work left
  uint32_t iterations;      ///< sweeps, including repeated solves after impacts that added energy
  uint32_t factorisations;  ///< of matrices by the exact solvers
  double work;              ///< floating-point operations of the exact solvers, as they are counted
                            ///< against mo_world_def.work_budget
  uint32_t islands;         ///< groups of bodies that constraints link
  uint32_t missed_islands;  ///< that an exact solver left outside of the tolerance or with open
                            ///< joints, or could not take
  double residual;          ///< m/s: worst certificate of the islands solved exactly, with
                            ///< mo_world_def.certify of those of soft-step too; 0 if there are none
  double cured_energy_gain; ///< J that impacts would have added by Newton's restitution with
                            ///< friction, without the reduction of their restitution; or 0
  double max_penetration;   ///< m, deepest overlap at the start of the step
  size_t step_bytes;        ///< working memory used
} mo_stats;
mo_stats mo_world_stats(mo_world *world);

/** How many events the last step had. Those of contacts and sensors are made only while the world
 * watches them (mo_world_watch). */
typedef struct mo_event_counts {
  uint32_t contact_begin, contact_end, contact_hit, contact_force; ///< pairs of shapes
  uint32_t sensor_enter, sensor_exit;                              ///< shapes and sensors
  uint32_t joint_break;                                            ///< constraints that broke
  uint32_t asleep, awake; ///< bodies that fell asleep in it, and that woke since the one before it
} mo_event_counts;
mo_event_counts mo_world_event_counts(const mo_world *world);

/** An option of soft-step that is higher than its substeps can follow. */
typedef enum mo_warning_code {
  MO_WARNING_CONTACT_HERTZ = 0, ///< mo_world_def.contact_hertz
  MO_WARNING_JOINT_HERTZ = 1,   ///< mo_world_def.joint_hertz
  MO_WARNING_COUNT = 2,         ///< of codes
} mo_warning_code;

typedef struct mo_warning {
  mo_warning_code code;
  double value; ///< of the option
  double bound; ///< of it that was in force in the last step
} mo_warning;
/** Options of soft-step that were set above their default and above what is stable with the
 * substeps of the last step, so that a lower bound is in force: stiffer contacts or joints would
 * gain energy. More substeps raise it. One warning per code at the most.
 * @return how many there are; none before the first step */
uint32_t mo_world_warnings(const mo_world *world, mo_warning out[MO_WARNING_COUNT]);

/** How an island's solution in the last step differs from what was asked for. */
typedef enum mo_island_event {
  MO_ISLAND_AS_ASKED = 0,
  MO_ISLAND_STALLED = 1,     ///< MO_SOLVE_STALLED: the best impulses found, by certificate, were
                             ///< used
  MO_ISLAND_TOO_BIG = 2,     ///< for the memory limit: solved by block-pgs
  MO_ISLAND_OPEN_JOINTS = 3, ///< with MO_STABILIZATION_SPLIT a joint is left open at the end of
                             ///< the step by more than 1e-6 m or rad, by block-pgs by more than the
                             ///< slop and that; its residual may be good
  MO_ISLAND_BUDGET = 4,      ///< MO_SOLVE_BUDGET: the same, because the work was used up
} mo_island_event;

/** A group of bodies that constraints link, as the last step solved it. */
typedef struct mo_island {
  mo_solver solver; ///< that solved it
  mo_solve_status status;
  mo_island_event event;
  uint32_t iterations;     ///< sweeps, or Newton steps
  uint32_t factorisations; ///< of matrices
  uint32_t bodies;         ///< that impulses move
  uint32_t rows;           ///< of constraints
  mo_body_id first_body;   ///< a member: the one in the lowest slot
  double residual;         ///< m/s: its certificate
  double condition;        ///< bilateral: estimated condition number of its matrix; else 0
} mo_island;
/** Islands of the last step, ordered by their first body. */
uint32_t mo_world_island_count(mo_world *world);
/** Copies up to `capacity` of them; returns how many there are. The certificates of islands that
 * block-pgs solved are computed in this call. 0, and the reason in mo_world_last_error,
 * without memory. */
uint32_t mo_world_islands(mo_world *world, mo_island *out, uint32_t capacity);

/** Islands of the last step whose event is not MO_ISLAND_AS_ASKED. */
uint32_t mo_world_missed_island_count(const mo_world *world);
/** mo_stats.refused_pairs, without the cost of the others. */
uint32_t mo_world_refused_pair_count(const mo_world *world);

/** The contact problem that the last step solved, as a matrix: w = W x + q, three rows (normal, two
 * tangents) per contact point. */
typedef struct mo_problem_record {
  uint32_t contact_count;
  const double *delassus;      ///< W, 3 contact_count squared, by rows, 1/kg
  const double *free_velocity; ///< q, 3 contact_count, m/s; biases included
  const double *friction;      ///< contact_count
} mo_problem_record;
/**
 * Records the last step's contact problem. The world owns the arrays; they hold until the next
 * record, the next step or mo_world_release_record. W has 72 bytes per pair of contacts: 1000
 * contacts take 72 MB.
 * @return MO_OK; MO_ERROR_NOT_SUPPORTED where joints or custom constraints have rows in it, which
 * this form has no place for; MO_ERROR_OUT_OF_MEMORY
 */
mo_result mo_world_record_problem(mo_world *world, mo_problem_record *out);
/** Gives the memory of the last record back. Without one it does nothing. */
void mo_world_release_record(mo_world *world);

/** Parts of a world that a debug renderer draws. */
typedef enum mo_debug_part {
  MO_DEBUG_SHAPES = 1,           ///< outlines of shapes, coloured by type and sleep of their bodies
  MO_DEBUG_BOUNDS = 2,           ///< the boxes of the broad phase
  MO_DEBUG_CONTACTS = 4,         ///< contact points with their normals
  MO_DEBUG_JOINTS = 8,           ///< anchors, axes, limits, and lines to the centres of mass
  MO_DEBUG_ISLANDS = 16,         ///< outlines of shapes, with a colour per island
  MO_DEBUG_CENTERS_OF_MASS = 32, ///< axes of dynamic bodies at their centres of mass
} mo_debug_part;
/** Line segments in arrays of the caller. */
typedef struct mo_debug_lines {
  float *vertices;   ///< m, world: x y z of both ends, 6 numbers per line
  float *colors;     ///< 0 to 1: red, green, blue, alpha of both ends, 8 numbers per line
  uint32_t capacity; ///< lines that both arrays hold
  uint32_t count;    ///< lines that there are; those beyond the capacity are not written
} mo_debug_lines;
/** Writes the parts (bits of mo_debug_part) of a world as it is at present, and sets the count.
 * @return MO_OK or MO_ERROR_OUT_OF_MEMORY */
mo_result mo_world_debug_lines(mo_world *world, uint32_t parts, mo_debug_lines *lines);

uint32_t mo_world_contact_point_count(const mo_world *world);
/** Copies up to `capacity` contact points, ordered by pair; returns how many there are. */
uint32_t mo_world_contact_points(mo_world *world, mo_contact_point *out, uint32_t capacity);

// --- profile ----------------------------------------------------------------------------------
//
// The engine has no clock, so that none can reach a result. Who wants to know where the time of a
// step goes gives it one.

/** Seconds since some moment in the past. */
typedef double mo_clock_function(void *user);

/** The stages of a step. */
typedef enum mo_profile_stage {
  MO_PROFILE_STEP = 0,     ///< the whole step; the others are parts of it
  MO_PROFILE_FORCES,       ///< potentials, user forces, velocities without contacts
  MO_PROFILE_BROAD_PHASE,  ///< which shapes are near each other
  MO_PROFILE_NARROW_PHASE, ///< how they touch
  MO_PROFILE_ISLANDS,      ///< islands and colours
  MO_PROFILE_PREPARE,      ///< rows and constraints of the solver
  MO_PROFILE_SOLVE,
  MO_PROFILE_INTEGRATE,  ///< poses; soft-step's are part of the solve
  MO_PROFILE_CONTINUOUS, ///< times of impact of fast bodies
  MO_PROFILE_SLEEP,      ///< falling asleep and waking
  MO_PROFILE_COMMIT,     ///< taking over the results, bulk arrays
  MO_PROFILE_CERTIFICATE,
  MO_PROFILE_STAGE_COUNT
} mo_profile_stage;
/** "step", "broad_phase", ...; null beyond the last stage. */
const char *mo_profile_stage_name(mo_profile_stage stage);

typedef struct mo_profile {
  double seconds[MO_PROFILE_STAGE_COUNT];
} mo_profile;
/** Times the steps from the next one on by a clock, which is called some dozen times per step.
 * Null, the default: not at all. The clock must not call into the engine. */
void mo_world_set_clock(mo_world *world, mo_clock_function *clock, void *user);
/** Seconds that the last step under a clock spent in each stage; zeros if none did. */
mo_profile mo_world_profile(const mo_world *world);

/** A hash of 64 bits over the state of the world, field by field in slot order. */
uint64_t mo_world_hash(const mo_world *world);

/** s: the length of the last step; 0 before the first. */
double mo_world_last_dt(const mo_world *world);

// --- snapshots --------------------------------------------------------------------------------

/** Bytes that the world owns, valid until the next call of mo_world_snapshot or mo_world_assets. */
typedef struct mo_bytes {
  const uint8_t *bytes;
  size_t count;
} mo_bytes;

/**
 * Everything on which the next steps depend, as bytes that are the same on all machines. Not in
 * them: functions of the user, what is watched, the data of the last step for read-outs, vehicles
 * and characters.
 * @param with_assets with the hulls, triangles and compounds; else with their hashes alone, and the
 * world keeps them until it is destroyed, so that it can always go back to the snapshot
 * @return MO_OK; MO_ERROR_OUT_OF_MEMORY, or MO_ERROR_WORLD_LOCKED in a callback
 */
mo_result mo_world_snapshot(mo_world *world, bool with_assets, mo_bytes *out);
/** The hulls, triangles and compounds of the world's shapes, for mo_world_restore. Returns as
 * mo_world_snapshot. */
mo_result mo_world_assets(mo_world *world, mo_bytes *out);

/** The functions of a custom constraint or potential. */
typedef struct mo_user_functions {
  mo_constraint_function *evaluate, *jacobian, *time_derivative, *is_active; ///< of a constraint
  mo_potential_wrench_function *wrench;                                      ///< of a potential
  mo_potential_energy_function *energy;
  void *user;
} mo_user_functions;

/** Finds the functions of a custom constraint or potential that a snapshot has, by the slot that it
 * had there. Returns false if there are none. */
typedef bool mo_find_functions(void *context, bool is_potential, uint32_t slot,
                               mo_user_functions *out);

typedef struct mo_restore_options {
  const void *assets; ///< of mo_world_assets; null: those that the world has
  size_t assets_count;
  mo_find_functions *find; ///< null: those that the world's own have in the same slot, with that id
  void *context;
} mo_restore_options;

/**
 * Makes the world what it was at a snapshot, of this world or another one. Its steps then are what
 * they would have been, to the last bit. Ids are those of the snapshot, with the tag of this world.
 * Settings are those of the snapshot, too. What is watched, the clock and the functions for
 * contacts stay; there are no events until the next step.
 * @param options null: defaults
 * @return MO_OK; MO_ERROR_BAD_SNAPSHOT, also where assets or functions are missing,
 * MO_ERROR_OUT_OF_MEMORY or MO_ERROR_WORLD_LOCKED, with the world as it was
 */
mo_result mo_world_restore(mo_world *world, const void *bytes, size_t count,
                           const mo_restore_options *options);

// --- frames ------------------------------------------------------------------------------------

/** What writes the frames of a world, each as its difference from the one before, and reads them
 * again. It holds one frame: the one that it wrote or read last. */
typedef struct mo_delta_coder mo_delta_coder;

/** Returns null without memory. */
mo_delta_coder *mo_delta_coder_create(void);
/** Null is allowed. */
void mo_delta_coder_destroy(mo_delta_coder *coder);
/**
 * Writes the world as it is now as a frame, which the coder holds from then on. A frame that does
 * not differ from the one before has some 100 bytes, others some 500 bytes for each body that
 * moves. Assets are not in it: the world keeps them, as for mo_world_snapshot without them.
 * @param is_key by itself, not as a difference. Those of a coder that holds no frame always are
 * @param out valid until the next call for this coder
 * @return MO_OK, MO_ERROR_OUT_OF_MEMORY or MO_ERROR_WORLD_LOCKED; without memory for the bytes the
 * coder holds no frame any more
 */
mo_result mo_delta_coder_write(mo_delta_coder *coder, mo_world *world, bool is_key, mo_bytes *out);
/**
 * Reads a frame that a coder has written after the one that this coder holds, or that is a key.
 * This coder then holds it.
 * @return MO_OK; MO_ERROR_BAD_SNAPSHOT for damaged bytes and those after another frame, with the
 * coder as it was, or, if only their content showed it, without a frame; MO_ERROR_OUT_OF_MEMORY,
 * without a frame
 */
mo_result mo_delta_coder_read(mo_delta_coder *coder, const void *bytes, size_t count);
/** As mo_world_restore, of the frame that the coder holds. Refused as bad where it holds none. */
mo_result mo_delta_coder_restore(mo_delta_coder *coder, mo_world *world,
                                 const mo_restore_options *options);

// --- batches of worlds ------------------------------------------------------------------------

/** Worlds that begin alike, stepped in one call, with inputs and outputs in flat arrays. They share
 * their shapes. A world of a batch comes to the same bits as a world by itself, whatever the others
 * do, and in builds with MO_THREADS on whatever thread it runs. */
typedef struct mo_batch mo_batch;

/** What a number of an array of a batch is about. */
typedef enum mo_batch_quantity {
  // Of bodies and joints, which may be observed, and set when a world begins.
  MO_BATCH_POSITION = 0,         ///< 3 numbers: of the body's origin, m, world
  MO_BATCH_ORIENTATION = 1,      ///< 4: x y z w
  MO_BATCH_LINEAR_VELOCITY = 2,  ///< 3: of the centre of mass, m/s
  MO_BATCH_ANGULAR_VELOCITY = 3, ///< 3: rad/s
  MO_BATCH_COORDINATE = 4, ///< 1: of a joint, rad or m. Only that of a hinge or slider may be set:
                           ///< what hangs on the joint moves with it
  MO_BATCH_RATE = 5,       ///< 1: of the same, rad/s or m/s
  // Observed.
  MO_BATCH_CENTER_OF_MASS = 6, ///< 3: m, world
  MO_BATCH_CONTACT = 7, ///< 1: 1 if something pressed against the body in the last step, else 0
  MO_BATCH_CONTACT_FORCE = 8, ///< 3: N, world: of the contacts on the body, mean of the last step
  MO_BATCH_TIME = 9,          ///< 1: of the world, s
  MO_BATCH_RESIDUAL = 10,     ///< 1: the certificate of the last step, m/s
  // Actions.
  MO_BATCH_TARGET_VELOCITY = 11, ///< 1: of the motor of a joint's coordinate, rad/s or m/s
  MO_BATCH_TARGET_POSITION = 12, ///< 1: rad or m
  MO_BATCH_EFFORT = 13, ///< 1: N m or N along a coordinate, on its bodies as action and reaction
  MO_BATCH_FORCE = 14,  ///< 3: N, at the centre of mass
  MO_BATCH_TORQUE = 15, ///< 3: N m
} mo_batch_quantity;

/** One quantity of each world: a few numbers of a row of an array. Members that it has no use for
 * are not read. */
typedef struct mo_batch_channel {
  mo_batch_quantity quantity;
  mo_body_id body;        ///< of the template
  mo_body_id other;       ///< contact, contact force: with this body alone; null: with any
  mo_constraint_id joint; ///< of the template
  uint32_t coordinate;    ///< its number, as of mo_constraint_get_coordinate
  bool is_local; ///< velocities, forces and torques are in the frame of the body, not of the world
} mo_batch_channel;

/** The most worlds of a batch. */
#define MO_BATCH_WORLDS 1048576u

typedef struct mo_batch_def {
  uint32_t count;                                          ///< of worlds, 1 to MO_BATCH_WORLDS
  const mo_batch_channel *actions, *observations, *starts; ///< copied
  uint32_t action_count, observation_count, start_count;
} mo_batch_def;

/**
 * Makes worlds that are what the template is now, which may be destroyed afterwards. Their ids are
 * those of the template.
 * @return null, with the reason in `result` and in mo_world_last_error of the template:
 * MO_ERROR_INVALID_ARGUMENT, MO_ERROR_STALE_HANDLE, MO_ERROR_NOT_SUPPORTED for a template with
 * functions of the user, MO_ERROR_OUT_OF_MEMORY, MO_ERROR_WORLD_LOCKED
 */
mo_batch *mo_batch_create(mo_world *template_world, const mo_batch_def *def, mo_result *result);
/** Frees the worlds and all arrays. Null is legal. */
void mo_batch_destroy(mo_batch *batch);
uint32_t mo_batch_count(const mo_batch *batch);

/** The arrays of a batch. */
typedef enum mo_batch_list {
  MO_BATCH_ACTIONS = 0,      ///< written by the user, read by each step; zeros at first
  MO_BATCH_OBSERVATIONS = 1, ///< written by steps and resets
  /** What worlds begin with at a reset; at first that of the template. A quantity that is equal to
   * the template's, to the bit, is left as it is. */
  MO_BATCH_STARTS = 2,
} mo_batch_list;
/**
 * An array: a row per world, in which the channels follow one another. It stays where it is.
 * @param[out] row_size numbers of a row
 */
double *mo_batch_array(mo_batch *batch, mo_batch_list list, uint32_t *row_size);

/**
 * Takes the actions, makes `steps` steps with them, and writes the observations, in each world.
 * Targets of motors are set before the first step, where they differ; efforts, forces and torques
 * that are not zero act in all of them.
 *
 * A world that refuses a number or a step stops there, as it was before that step; the others go
 * on. It takes part in the next call again.
 * @param dt s, 0 or more
 * @return the number of worlds that refused (mo_batch_results)
 */
uint32_t mo_batch_step(mo_batch *batch, double dt, uint32_t steps);
/**
 * Makes worlds what the template was, except for what MO_BATCH_STARTS says, and writes their
 * observations.
 * @param mask one byte per world, 0: it goes on; null: all begin again
 * @return the number of worlds, among these, that refused their start; they are as the template
 */
uint32_t mo_batch_reset(mo_batch *batch, const uint8_t *mask);
/** What the last step or reset of each world came to: values of mo_result. */
const uint32_t *mo_batch_results(const mo_batch *batch);

/**
 * One of the worlds, to read from: its error, hash, bodies and so on. It is the batch's. Steps and
 * other changes of it are legal and as those of any world, except that bodies and joints that
 * channels name should stay: without them a channel reads NaN, and an action does nothing.
 * @param index below the count
 */
mo_world *mo_batch_world(mo_batch *batch, uint32_t index);
/**
 * The poses of all bodies of all worlds as they are now, laid out like mo_world_transforms, one
 * world behind the other. Made by this call.
 * @param[out] slot_count of the template: numbers per world are 8 times this
 */
const float *mo_batch_transforms(mo_batch *batch, uint32_t *slot_count);

#ifdef __cplusplus
}
#endif

#endif
