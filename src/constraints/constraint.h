/// The one interface of all constraints except contacts: C, its Jacobian and time derivative at any
/// pose, bounds of the impulses, and the rows made from these.
///
/// A constraint is a pure function of the motions of its bodies, up to four, and of the time. Its
/// only state is the angle of a hinge at the end of the last step, from which turns are counted. So
/// it can be evaluated at trial poses.
#pragma once

#include "constraints/rows.h"
#include "constraints/substep_joint.h"
#include "dynamics/body.h"

/// Stands for the slot of the world.
#define MO_WORLD_SLOT UINT32_MAX

#define MO_CONSTRAINT_NAME_BYTES 32
/// Numbers per row of a Jacobian: v_A, w_A, v_B, w_B.
#define MO_JACOBIAN_COLUMNS 12
/// The most numbers of a Jacobian. Constraints of four bodies have twice the columns, and at most
/// half the rows.
#define MO_JACOBIAN_NUMBERS (MO_CONSTRAINT_ROWS * MO_JACOBIAN_COLUMNS)

/// The reason why a function of a constraint failed, as the end of a message; null for success.
typedef const char *mo_constraint_failure;

/// Where a constraint is evaluated.
typedef struct mo_constraint_place {
  mo_constraint_body a, b;
  mo_constraint_body c, d; ///< zeros for constraints of two bodies
  double time;             ///< s
} mo_constraint_place;

typedef struct mo_constraint mo_constraint;

/// Impulses that a constraint keeps for soft-step: first those of the locks, then of both limits.
#define MO_CONSTRAINT_SUBSTEP_IMPULSES (MO_SUBSTEP_LOCK_IMPULSES + 2)

/// Which bodies a constraint may have. The world is no body.
typedef enum mo_constraint_bodies {
  MO_CONSTRAINT_JOINS_TWO,     ///< two bodies, one of which may be the world
  MO_CONSTRAINT_STARTS_WITH_A, ///< A is a body; B is another one or the world
  MO_CONSTRAINT_HAS_ONE,       ///< A is a body, and there is no B
  /// A and B are two bodies, one of which may be the world, and so are C and D. A body may be one
  /// of both pairs, as the frame is of the two joints that a gear couples.
  MO_CONSTRAINT_JOINS_FOUR,
} mo_constraint_bodies;

/// What the limits measure, which gives their unit.
typedef enum mo_coordinate_kind {
  MO_COORDINATE_NONE,   ///< the constraint has no coordinate
  MO_COORDINATE_LENGTH, ///< m
  MO_COORDINATE_ANGLE,  ///< rad
} mo_coordinate_kind;

/// What is wrong with a definition: "`argument` `must`, got `got`". No argument means that it is
/// right.
typedef struct mo_constraint_refusal {
  const char *argument, *must;
  double got;
} mo_constraint_refusal;

/// A type of constraint: everything that the engine knows of it. A new joint is one such class in a
/// file of its own, and a line in constraint_table.h.
///
/// `out` of each function is zeroed before. A null function is one that the type does not need.
typedef struct mo_constraint_class {
  const char *name;

  // Fields of the definition, and the initial state.
  mo_constraint_bodies bodies;
  bool has_axes;          ///< reads axis_a and axis_b; else the axes are x of A's body
  bool has_bounds;        ///< reads bounds; otherwise rows are bilateral and limits unilateral
  bool stabilizes_itself; ///< has_stabilization is true by default
  bool leaves_contacts;   ///< its bodies collide with each other, whatever collide_connected says
  mo_coordinate_kind limits; ///< the kind of lower and upper; none: they must be infinite
  /// Checks the fields that only this type reads.
  mo_constraint_refusal (*check)(const mo_constraint_def *def);
  /// Sets up what only this type has. Anchors, frames and limits are set before.
  void (*init)(mo_constraint *constraint, const mo_constraint_def *def,
               const mo_constraint_place *at);

  // Its rows.
  uint32_t dimension; ///< without the rows of limits, unless `init` sets another base_dimension
  bool makes_rows;    ///< false: the integrator satisfies it by itself
  /// C, `dimension` numbers.
  mo_constraint_failure (*evaluate)(const mo_constraint *constraint, const mo_constraint_place *at,
                                    double *out);
  /// dimension x mo_jacobian_columns by rows, in world axes, with v of the centres of mass. Null: C
  /// does not depend on velocities.
  mo_constraint_failure (*jacobian)(const mo_constraint *constraint, const mo_constraint_place *at,
                                    double *out);
  /// dC/dt at fixed poses. Null: C does not depend on time.
  mo_constraint_failure (*time_derivative)(const mo_constraint *constraint,
                                           const mo_constraint_place *at, double *out);
  /// Null: always active.
  mo_constraint_failure (*is_active)(const mo_constraint *constraint, const mo_constraint_place *at,
                                     bool *out);
  /// The coordinate of the limits: rad or m. Null: there is none.
  double (*coordinate)(const mo_constraint *constraint, const mo_constraint_place *at);

  /// The form for soft-step: sets the locks of a joint that has the points and frames of the
  /// constraint. Limits become a coordinate of the joint. Null: there is no such form, and
  /// soft-step solves the rows.
  void (*substep_form)(const mo_constraint *constraint, mo_substep_joint *joint);

  uint32_t drawing; ///< bits of mo_drawing_part: its parts that can be drawn
} mo_constraint_class;

/// How errors are removed, and how impulses of the last step are used.
typedef struct mo_constraint_settings {
  double dt;
  double baumgarte;            ///< 1/s: error_reduction / dt, or 0; for constraints without alpha
  double max_correction_speed; ///< m/s, for the same
  double impulse_scale;        ///< of the warm start: new dt / old dt
} mo_constraint_settings;

struct mo_constraint {
  const mo_constraint_class *class;
  mo_constraint_type type;
  uint32_t slot_a, slot_b; ///< MO_WORLD_SLOT: the world
  uint32_t slot_c, slot_d; ///< likewise, and so without more than two bodies
  bool collide_connected;
  bool has_stabilization; ///< by alpha and beta; false: as the world's settings say
  double alpha, beta;     ///< 1/s^2, 1/s
  double compliance;      ///< gamma, 1/kg

  // Joints and distances.
  mo_vec3 anchor_a, anchor_b; ///< body frame
  mo_quat frame_a, frame_b;   ///< of the joint in the body; x is the axis
  double lower, upper;        ///< limits; infinite where there is none
  double length;              ///< of a distance without limits, m
  double last_coordinate;     ///< at the end of the last step; counts the full turns of a hinge

  // Custom constraints.
  char name[MO_CONSTRAINT_NAME_BYTES];
  mo_constraint_function *user_evaluate, *user_jacobian, *user_time_derivative, *user_is_active;
  void *user;

  uint32_t base_dimension;   ///< without the rows of limits
  uint32_t dimension;        ///< all rows
  bool is_active;            ///< it had rows in the last step
  bool is_breaking;          ///< a function of the user asked in this step to end it
  double *impulses;          ///< N s of the last step; owned, followed in memory by `bounds`
  mo_row_bounds *bounds;     ///< per row
  bool has_substep_impulses; ///< soft-step solved it as a joint in the last step, and starts from:
  double substep_impulses[MO_CONSTRAINT_SUBSTEP_IMPULSES];
  double steady_impulses[MO_CONSTRAINT_SUBSTEP_IMPULSES]; ///< of them: what has lasted at rest
};

// --- making one ------------------------------------------------------------------------------

/// The class of a type, or null for an unknown one (constraint_table.c).
const mo_constraint_class *mo_constraint_class_of(mo_constraint_type type);
/// Sets up a constraint from a checked definition. Returns false without memory.
/// @param slots of the bodies A, B, C and D
/// @param at the present motions of the bodies
bool mo_constraint_init(mo_constraint *constraint, const mo_constraint_def *def,
                        const uint32_t slots[MO_ROW_SIDES], const mo_constraint_place *at);
void mo_constraint_free(mo_constraint *constraint);
/// The number of rows of the limits: 0 to 2.
static inline uint32_t mo_limit_count(const mo_constraint *constraint) {
  return (constraint->lower > -INFINITY) + (constraint->upper < INFINITY);
}
/// Whether a constraint has the bodies C and D.
static inline bool mo_constraint_joins_four(const mo_constraint *constraint) {
  return constraint->class->bodies == MO_CONSTRAINT_JOINS_FOUR;
}
/// Numbers per row of its Jacobian: v_A, w_A, v_B, w_B, and v_C, w_C, v_D, w_D if it has them.
static inline uint32_t mo_jacobian_columns(const mo_constraint *constraint) {
  return mo_constraint_joins_four(constraint) ? 2 * MO_JACOBIAN_COLUMNS : MO_JACOBIAN_COLUMNS;
}
/// The slots of its bodies in the order A, B, C, D, each once and without the world. Returns their
/// number.
uint32_t mo_constraint_slots(const mo_constraint *constraint, uint32_t slots[MO_ROW_SIDES]);
/// Whether bounds come from one of the constructors of moreau.h.
bool mo_row_bounds_are_valid(mo_row_bounds bounds);

// --- evaluating it ---------------------------------------------------------------------------

/// The body as constraints see it.
mo_constraint_body mo_constraint_body_of(mo_body_id id, const mo_motion *motion);
/// The world as constraints see it.
mo_constraint_body mo_constraint_body_world(void);

/// The functions of the class, checked for numbers that are not finite. `out` need not be zeroed.
mo_constraint_failure mo_constraint_evaluate(const mo_constraint *constraint,
                                             const mo_constraint_place *at, double *out);
mo_constraint_failure mo_constraint_jacobian(const mo_constraint *constraint,
                                             const mo_constraint_place *at, double *out);
mo_constraint_failure mo_constraint_time_derivative(const mo_constraint *constraint,
                                                    const mo_constraint_place *at, double *out);
mo_constraint_failure mo_constraint_find_active(const mo_constraint *constraint,
                                                const mo_constraint_place *at, bool *out);

/// The Jacobian by central differences of `evaluate` over translations and rotations of all bodies
/// about their centres of mass.
mo_constraint_failure mo_constraint_difference_jacobian(const mo_constraint *constraint,
                                                        const mo_constraint_place *at, double *out);

// --- its rows --------------------------------------------------------------------------------

/// Appends the rows of an active constraint, `dimension` of them, and their blocks to a problem
/// with room for them (never more blocks than rows).
///
/// A row's velocity is w = J v + bias + compliance impulse, with bias = dC/dt + a correction of C.
/// The correction is alpha C / (beta + alpha dt), or without alpha baumgarte C, limited. A row that
/// may be open, with C > 0, has C / dt: it may close within the step.
///
/// The rows of a constraint of four bodies have each body once, and pairs if these are more than
/// two: not more of them than rows.
/// @param bodies A, B, C and D: indices in the problem; 0 for the world and for no body
mo_constraint_failure mo_constraint_append_rows(const mo_constraint *constraint,
                                                const mo_constraint_place *at,
                                                const uint32_t bodies[MO_ROW_SIDES],
                                                const mo_constraint_settings *settings,
                                                mo_row_problem *problem);
