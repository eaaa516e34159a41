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
#include "geometry/curve.h"

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
  double metre;            ///< in the unit of lengths here
} mo_constraint_place;

typedef struct mo_constraint mo_constraint;

/// The step, how errors are removed, and how impulses of the last step are used.
typedef struct mo_constraint_settings {
  double dt;
  uint32_t substeps;           ///< of soft-step; 0 with the other solvers, which have none
  double baumgarte;            ///< 1/s: error_reduction / dt, or 0; for constraints without alpha
  double max_correction_speed; ///< m/s, for the same
  double impulse_scale;        ///< of the warm start: new dt / old dt
  /// Whether rows lead C through a bend (mo_constraint_class.curvature), and whether those of an
  /// exact solver do, which may put joints on C = 0 at the end of the step by itself.
  bool leads, leads_exact;
} mo_constraint_settings;

/// The most coordinates of the joint that is a constraint's form for soft-step.
#define MO_SUBSTEP_FORM_COORDINATES 2
/// Impulses that a constraint keeps for soft-step: first those of the locks, then of coordinates.
#define MO_CONSTRAINT_SUBSTEP_IMPULSES                                                             \
  (MO_SUBSTEP_LOCK_IMPULSES + MO_SUBSTEP_FORM_COORDINATES * MO_SUBSTEP_COORDINATE_IMPULSES)
/// Those of them that may be steady: of the locks, then of the limits of each coordinate.
#define MO_CONSTRAINT_STEADY_IMPULSES                                                              \
  (MO_SUBSTEP_LOCK_IMPULSES + MO_SUBSTEP_FORM_COORDINATES * MO_SUBSTEP_STEADY_LIMITS)

/// Which bodies a constraint may have. The world is no body.
typedef enum mo_constraint_bodies {
  MO_CONSTRAINT_JOINS_TWO,     ///< two bodies, one of which may be the world
  MO_CONSTRAINT_STARTS_WITH_A, ///< A is a body; B is another one or the world
  MO_CONSTRAINT_HAS_ONE,       ///< A is a body, and there is no B
  /// A and B are two bodies, one of which may be the world, and so are C and D. A body may be one
  /// of both pairs, as the frame is of the two joints that a gear couples.
  MO_CONSTRAINT_JOINS_FOUR,
} mo_constraint_bodies;

/// What a coordinate measures, which gives the units of its limits and drives.
typedef enum mo_coordinate_kind {
  MO_COORDINATE_NONE,   ///< the constraint has no coordinate
  MO_COORDINATE_LENGTH, ///< m
  MO_COORDINATE_ANGLE,  ///< rad
} mo_coordinate_kind;

/// A coordinate at a pose.
typedef struct mo_coordinate {
  double value; ///< m or rad
  /// Its derivative by velocities, mo_jacobian_columns of them.
  double jacobian[2 * MO_JACOBIAN_COLUMNS];
} mo_coordinate;

/// What a joint keeps of a coordinate, beside what every step reads.
typedef struct mo_joint_coordinate {
  mo_coordinate_drive drive;
  double mass; ///< kg or kg m^2: effective, for springs in hertz; see mo_constraint_set_masses
} mo_joint_coordinate;

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
  bool couples_joints;    ///< reads joint_a and joint_b; the axes are those of both pairs
  bool starts_taut;       ///< without an upper limit its first coordinate gets the present value
  bool may_lock;          ///< reads drives[].locked
  bool leaves_contacts;   ///< its bodies collide with each other, whatever collide_connected says
  uint32_t coordinate_count; ///< 0 to MO_CONSTRAINT_COORDINATES; limits and drives are of these
  mo_coordinate_kind coordinate_kinds[MO_CONSTRAINT_COORDINATES];
  /// Checks the fields that only this type reads.
  mo_constraint_refusal (*check)(const mo_constraint_def *def);
  /// Sets up what only this type has. Anchors, frames and limits are set before.
  void (*init)(mo_constraint *constraint, const mo_constraint_def *def,
               const mo_constraint_place *at);

  // Its rows.
  uint32_t dimension; ///< without the rows of limits and drives, unless `own_rows` says otherwise
  /// The number of own rows of a constraint. Null: `dimension`.
  uint32_t (*own_rows)(const mo_constraint *constraint);
  bool makes_rows; ///< false: the integrator satisfies it by itself
  /// C of its own rows. Null: it has none.
  mo_constraint_failure (*evaluate)(const mo_constraint *constraint, const mo_constraint_place *at,
                                    double *out);
  /// Of its own rows: that x mo_jacobian_columns by rows, in world axes, with v of the centres of
  /// mass. Null: C does not depend on velocities.
  mo_constraint_failure (*jacobian)(const mo_constraint *constraint, const mo_constraint_place *at,
                                    double *out);
  /// dC/dt at fixed poses. Null: C does not depend on time.
  mo_constraint_failure (*time_derivative)(const mo_constraint *constraint,
                                           const mo_constraint_place *at, double *out);
  /// d^2C/dt^2 of its own rows if all velocities stay as they are, for rows of which C is to be
  /// kept although the way bends, where nobody else puts them there. Null: J v alone leads C
  /// through a step.
  void (*curvature)(const mo_constraint *constraint, const mo_constraint_place *at, double *out);
  /// Whether directions of its rows change as its bodies turn, so that soft-step, where it has no
  /// faster form, makes them again in every substep as it does those of a bent way.
  bool turns_rows;
  /// Null: always active.
  mo_constraint_failure (*is_active)(const mo_constraint *constraint, const mo_constraint_place *at,
                                     bool *out);
  /// Its coordinates, `coordinate_count` of them. The first is the one that read-outs show.
  void (*coordinates)(const mo_constraint *constraint, const mo_constraint_place *at,
                      mo_coordinate *out);

  /// Turns one of its own rows into its law for a step: bias, softening, bounds of the impulse.
  /// Null: own rows are those of a rigid constraint. `bodies` A and B are read if it arrives.
  void (*apply_law)(const mo_constraint *constraint, const mo_constraint_place *at, uint32_t row,
                    const mo_row_body bodies[MO_ROW_SIDES], const mo_constraint_settings *settings,
                    mo_row *to, mo_row_block *block);

  /// Without limits and drives its coordinates are not followed from step to step: nobody counts
  /// their turns then, and it costs time.
  bool follows_if_driven;

  /// The form for soft-step: sets the locks of a joint that has the points and frames of the
  /// constraint. Null: there is no such form, and soft-step solves the rows.
  /// Whether there is one for this constraint. Null: always.
  bool (*has_form)(const mo_constraint *constraint);
  void (*substep_form)(const mo_constraint *constraint, mo_substep_joint *joint);
  /// Of its first coordinates, the kinds for soft-step. A joint with limits or drives of others is
  /// solved by its rows.
  uint32_t substep_coordinate_count;
  mo_substep_coordinate_kind substep_kinds[MO_SUBSTEP_FORM_COORDINATES];

  uint32_t drawing; ///< bits of mo_drawing_part: its parts that can be drawn
} mo_constraint_class;

/// What every step of soft-step reads and writes is first, so that it is in few lines of the cache.
struct mo_constraint {
  const mo_constraint_class *class;
  mo_constraint_type type;
  uint32_t slot_a, slot_b;   ///< MO_WORLD_SLOT: the world
  uint32_t base_dimension;   ///< own rows, without those of limits and drives
  uint32_t dimension;        ///< all rows
  bool is_active;            ///< it had rows in the last step
  bool has_substep_impulses; ///< soft-step solved it as a joint in the last step, and starts from
                             ///< what is below
  /// Per coordinate, bits of mo_drive_role: the rows that its drive has (mo_drive_roles).
  uint8_t roles[MO_CONSTRAINT_COORDINATES];
  double *impulses; ///< N s of the last step; owned, followed in memory by the next two
  /// Per row. Those of springs, motors and friction are of the force, N or N m.
  mo_row_bounds *bounds;
  mo_joint_coordinate *coordinates; ///< as many as the class has
  /// Of its coordinates, at the end of the last step. They count the full turns of angles.
  double last_values[MO_CONSTRAINT_COORDINATES];
  double steady_impulses[MO_CONSTRAINT_STEADY_IMPULSES]; ///< of the next: what has lasted at rest
  double substep_impulses[MO_CONSTRAINT_SUBSTEP_IMPULSES];
  double break_force, break_torque; ///< N, N m; infinite: it does not break
  bool is_breaking;     ///< it ends with this step: a user's function asked for it, or its load was
                        ///< too much, which is
  double force, torque; ///< N, N m

  uint32_t slot_c, slot_d; ///< like the others, and so without more than two bodies
  bool collide_connected;
  bool has_stabilization; ///< by alpha and beta; false: as the world's settings say
  double alpha, beta;     ///< 1/s^2, 1/s
  double compliance;      ///< gamma, 1/kg

  // Joints and distances.
  mo_vec3 anchor_a, anchor_b; ///< body frame
  mo_quat frame_a, frame_b;   ///< of the joint in the body; x is the axis
  double length;              ///< of a distance without limits and drives, m
  mo_pose_motor pose_motor;   ///< of a motor to a pose
  /// Effective, kg and kg m^2: of the bodies A and B.
  double linear_mass, angular_mass;

  double ratio;                             ///< of gears, racks and pulleys
  mo_vec3 ground_anchor_a, ground_anchor_b; ///< of a pulley, world, m

  // Gears and racks, which couple a coordinate of A and B with one of C and D.
  uint32_t joint_slots[2]; ///< that they couple; MO_WORLD_SLOT: none, the pairs of bodies alone
  mo_coordinate_kind coupled_kinds[2]; ///< of both coordinates
  mo_vec3 anchor_c, anchor_d;          ///< of the second pair: body frame
  mo_quat frame_c, frame_d;            ///< likewise; of a wheel, x is the axle in A and in B
  double steering;                     ///< of a wheel, rad
  double coupled_sum; ///< of both coordinates with their factors, where the row holds
  mo_curve *curve;    ///< of a path, in A; retained
  mo_path_alignment path_alignment;
  uint32_t users; ///< of any joint: the gears and racks that couple it

  // Custom constraints.
  char name[MO_CONSTRAINT_NAME_BYTES];
  mo_constraint_function *user_evaluate, *user_jacobian, *user_time_derivative, *user_is_active;
  void *user;
};

// --- making one ------------------------------------------------------------------------------

/// Has a gear or a rack couple the coordinates of two joints, from where they are now: A and B are
/// the bodies of the first one, C and D those of the second.
void mo_coupling_take_joints(mo_constraint *constraint, const mo_constraint *first,
                             const mo_constraint *second, const mo_constraint_place *at);
/// Changes the ratio of a gear or a rack, which goes on from where it is.
void mo_coupling_set_ratio(mo_constraint *constraint, double ratio, const mo_constraint_place *at);

/// The class of a type, or null for an unknown one (constraint_table.c).
const mo_constraint_class *mo_constraint_class_of(mo_constraint_type type);
/// Sets up a constraint from a checked definition. Returns false without memory.
/// @param slots of the bodies A, B, C and D
/// @param at the present motions of the bodies
bool mo_constraint_init(mo_constraint *constraint, const mo_constraint_def *def,
                        const uint32_t slots[MO_ROW_SIDES], const mo_constraint_place *at);
void mo_constraint_free(mo_constraint *constraint);
/// Two steps of making a constraint again whose fields are known, in this order. First memory for
/// its arrays, for a constraint with a class, and for a custom one its dimension. Returns false
/// without memory.
bool mo_constraint_restore_arrays(mo_constraint *constraint);
/// Then, with the fields of its coordinates, what follows from all of them. Returns false if they
/// do not lead to its dimension; bounds are to be read afterwards.
bool mo_constraint_restore_rows(mo_constraint *constraint);
/// Gives a constraint that was set up the reference of its definition, which was checked.
void mo_constraint_take_reference(mo_constraint *constraint,
                                  const mo_constraint_reference *reference);
/// What it keeps of the poses before.
mo_constraint_reference mo_constraint_reference_of(const mo_constraint *constraint);
/// Sets the effective masses of its coordinates at the present motions of the bodies.
/// @param bodies A, B, C and D
void mo_constraint_set_masses(mo_constraint *constraint, const mo_constraint_place *at,
                              const mo_row_body bodies[MO_ROW_SIDES]);
/// Changes limits and drives of a coordinate. Impulses of rows that stay are kept.
void mo_constraint_change_drive(mo_constraint *constraint, uint32_t coordinate,
                                const mo_coordinate_drive *drive);
/// Counts the turns of its angles at the end of a step. The rate at the end tells them as long as
/// it differs by less than half a turn per step from the mean rate.
/// @param dt s, of the step; 0 where there was none
void mo_constraint_follow(mo_constraint *constraint, const mo_constraint_place *at, double dt);
/// Whether loads can break it.
static inline bool mo_constraint_may_break(const mo_constraint *constraint) {
  return constraint->break_force < INFINITY || constraint->break_torque < INFINITY;
}
/// Whether any coordinate has limits or drives.
static inline bool mo_constraint_is_driven(const mo_constraint *constraint) {
  return constraint->dimension > constraint->base_dimension;
}
/// Whether its coordinates are followed from step to step.
static inline bool mo_constraint_is_followed(const mo_constraint *constraint) {
  const mo_constraint_class *class = constraint->class;
  return class->coordinates && (mo_constraint_is_driven(constraint) || !class->follows_if_driven);
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
/// Its coordinates, as many as its class has. `out` need not be zeroed.
void mo_constraint_coordinates(const mo_constraint *constraint, const mo_constraint_place *at,
                               mo_coordinate *out);
/// J v of a row of the Jacobian, `row`, of mo_jacobian_columns numbers.
double mo_constraint_rate(const mo_constraint *constraint, const mo_constraint_place *at,
                          const double *row);

/// The Jacobian by central differences of `evaluate` over translations and rotations of all bodies
/// about their centres of mass.
mo_constraint_failure mo_constraint_difference_jacobian(const mo_constraint *constraint,
                                                        const mo_constraint_place *at, double *out);

/// The impulse of the last step on B, N s, and its moment about B's anchor, N m s, with the present
/// poses.
mo_constraint_failure mo_constraint_reaction_of(const mo_constraint *constraint,
                                                const mo_constraint_place *at,
                                                mo_constraint_reaction *out);

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
