/// Contacts with the union of what moves as one.
///
/// All bodies that no contact moves are one solid to what touches them, at each instant, whatever
/// their velocities are: a platform that is level with the floor beside it is one with it then. The
/// shapes of any body are one solid, and so are bodies that a joint holds together so that they do
/// not collide: a hinge whose plates are level is no seam. A contact with one of them is none
/// of the solid if another one is beside it: a face that is covered, or an edge from which the
/// surface goes on. Of contact i and another contact k of the same body, i is void at its point p
/// if, where p is on the plane of k (moved there, if p is under it by no more than the body is),
///   1. a shape of the union at p rises along the normal of i: there is something nearer beside p,
///   2. the shape of i is at p and does not rise along the normal of k: p is in no corner.
/// A contact is void if all of its points are. 2 excludes that two contacts void each other. It
/// restores that a surface is felt in one way whatever it is made of (docs/physics.md, One surface;
/// tests/invariance, ground).
#pragma once

#include "step/speculation.h"

/// A manifold of a body that can move with one that is part of a union.
typedef struct mo_union_contact {
  const mo_shape *mover, *fixed;
  mo_transform mover_at, fixed_at;
  double size;    ///< m: with what cracks and steps are measured, see mo_union_size
  mo_vec3 normal; ///< from the fixed shape to the mover
  uint32_t point_count;
  mo_vec3 points[MO_MANIFOLD_POINTS]; ///< on the fixed shape, world
  /// Whether `fixed_at` and `mover_at` are set. They are, when they are looked at, from the shapes
  /// of these bodies: that is seldom.
  bool is_placed, is_mover_placed;
  uint32_t mover_slot, mover_shape, fixed_slot, fixed_shape;
} mo_union_contact;

typedef enum mo_union_verdict {
  MO_UNION_KEPT,
  MO_UNION_VOID,
  MO_UNION_TURNED, ///< the face is covered, and above its rim the surface has another normal
} mo_union_verdict;

/// A contact of one point with that normal.
typedef struct mo_union_turn {
  mo_vec3 normal, point; ///< of the surface
  mo_vec3 on_mover, on_fixed;
  double separation;
} mo_union_turn;

/// Squares of sines. A contact of several points has the normal of a face, which tips with the
/// mover by so much, 0.36 degrees. Of one point it has none, and those that differ by 1e-4 rad,
/// some hundred times the round-off of single precision, are of different planes.
#define MO_UNION_FACE_TIPS 4e-5
#define MO_UNION_POINT_TIPS 1e-8
/// Whether normals differ by less than a tip, the square of a sine.
static inline bool mo_union_is_within(mo_vec3 a, mo_vec3 b, double tip) {
  return mo_dot(a, b) > 0.0 && mo_length_squared(mo_cross(a, b)) < tip;
}
/// Whether a contact of some points is one with the plane of another normal, with which it is not
/// compared.
static inline bool mo_union_has_one_plane(mo_vec3 normal, uint32_t point_count, mo_vec3 other) {
  return mo_union_is_within(normal, other,
                            point_count > 1 ? MO_UNION_FACE_TIPS : MO_UNION_POINT_TIPS);
}

/// Whether a shape covers a point of a contact.
typedef bool mo_union_cover_test(void *user, const mo_shape *shape, const mo_transform *at);
/// Asks the shapes of a solid near a box, touched or not, until the test says yes. It is no matter
/// in which order. Returns whether it did.
typedef bool mo_union_find_cover(const void *context, const mo_aabb *box, mo_union_cover_test *test,
                                 void *user);

/// A contact that is compared with the others of its mover.
typedef struct mo_union_judgement {
  const mo_world *world;
  mo_union_contact contact;
  mo_union_find_cover *find_cover; ///< null: the pairs of the mover are asked
  const void *context;             ///< of `find_cover`
  mo_union_verdict verdict;
  mo_union_turn turn; ///< of MO_UNION_TURNED
} mo_union_judgement;

/// Begins without a contact, which the caller sets.
static inline void mo_union_begin(const mo_world *world, mo_union_judgement *out) {
  out->world = world;
  out->contact.point_count = 0;
  out->find_cover = NULL;
  out->verdict = MO_UNION_KEPT;
}
/// Takes in what the contact is because of another one, k. What covers it is the shape of k, or
/// another one that does not rise over the plane of k. Of k one point is enough.
/// @returns whether it is void, so that the others need not be asked
bool mo_union_judge(mo_union_judgement *judgement, mo_union_contact *k);
/// Whether two bodies are parts of one solid. world->joined must be up to date.
static inline bool mo_union_has_both(const mo_world *world, uint32_t slot, uint32_t other) {
  const mo_body *a = &world->bodies[slot], *b = &world->bodies[other];
  return slot == other || (a->type != MO_BODY_DYNAMIC && b->type != MO_BODY_DYNAMIC) ||
         (a->joint_count > 0 && b->joint_count > 0 &&
          mo_joined_pairs_have(&world->joined, slot, other));
}
/// Whether a body is a solid of its own.
static inline bool mo_union_is_alone(const mo_world *world, uint32_t slot) {
  const mo_body *body = &world->bodies[slot];
  return body->type == MO_BODY_DYNAMIC && body->joint_count == 0;
}
/// Whether a body may have several parts, of its own or with others: that of one that contacts move
/// and that has one shape and no joint is alone.
static inline bool mo_union_has_parts(const mo_world *world, uint32_t slot) {
  return world->bodies[slot].shape_count > 1 || !mo_union_is_alone(world, slot);
}
/// The sides of a contact that touch what may have several parts: bit 0 for body A, which then is
/// the mover, and bit 1 for body B. Without any it cannot be void.
static inline uint32_t mo_union_moving_sides(const mo_world *world, uint32_t a, uint32_t b) {
  bool is_of_a = mo_world_is_dynamic(world, a) && mo_union_has_parts(world, b);
  bool is_of_b = mo_world_is_dynamic(world, b) && mo_union_has_parts(world, a);
  return (uint32_t)is_of_a | (uint32_t)is_of_b << 1;
}
/// m: the bounding radius of the mover; of what a body of several parts may have parts that are
/// much smaller, so it is no more than the radius of that, if contacts move it.
static inline double mo_union_size(const mo_world *world, const mo_shape *mover, uint32_t fixed) {
  const mo_body *body = &world->bodies[fixed];
  double radius = mover->bounding_radius;
  return body->type == MO_BODY_DYNAMIC ? mo_min(radius, body->bounding_radius) : radius;
}
/// Sets the shapes of a contact between those of two bodies, and its size.
void mo_union_set_shapes(const mo_world *world, uint32_t mover_slot, uint32_t mover_shape,
                         uint32_t fixed_slot, uint32_t fixed_shape, mo_union_contact *contact);
/// Brings the points of a contact onto its fixed shape, as it is now, if that is of a kinematic
/// body. Those of an impact ahead have the lever arms of that time, which on a body that turns are
/// others than now. Bodies that contacts move are taken as they are: they turn little in a step.
void mo_union_bring_back(const mo_world *world, mo_union_contact *contact);

/// Of the bounding radius of the mover: the round-off of the narrow phase. Points that are as near
/// are one.
#define MO_UNION_ROUND_OFF 1e-6

/// m: up to where what is built of parts is as if it were one, to a mover.
typedef struct mo_union_tolerances {
  double look;          ///< how far beside a point a shape is looked at
  double width, height; ///< of cracks and of steps that are none
  double limit;         ///< what goes on by less, seen from as far as it is looked, does not rise
  double least;         ///< what is over a point by less does not rise from it
} mo_union_tolerances;

/// @param shape with a point, placed `at`: of a mesh they are wider by the rounding of its corners
/// @param size m, the bounding radius of the mover
mo_union_tolerances mo_union_tolerances_of(const mo_shape *shape, const mo_transform *at,
                                           mo_vec3 point, double size);
/// Whether a shape is at a point and rises from it along a direction.
bool mo_union_rises(const mo_shape *shape, const mo_transform *at, mo_vec3 point, mo_vec3 direction,
                    const mo_union_tolerances *tolerances);

/// Whether contacts with one and the same shape have been compared by the narrow phase: of a mesh
/// it knows which triangles are neighbours.
bool mo_union_is_settled(const mo_shape *shape);

/// Marks void contacts of the row solvers: their point_count becomes 0.
/// @param on_shapes MO_MANIFOLD_POINTS per contact and body: its points on A, and then on B
/// @return false without memory
bool mo_step_drop_void_contacts(mo_world *world, mo_contact *contacts, const mo_vec3 *on_shapes,
                                uint32_t count);
