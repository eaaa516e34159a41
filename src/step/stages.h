/// The stages of a step, and what each hands on to the next. Private to src.
///
///   choice of solvers -> free motions -> contacts -> rows -> joints in the flow -> solution
///     -> ends -> projection of joints -> continuous collision
///
/// These are the stages of the bodies that are solved by rows; soft_step/soft_stage.h has those of
/// soft-step. A stage takes its inputs as const, and its outputs by pointer. All stages read the
/// world. The table in transaction.h lists what they write into it before the commit, and who
/// undoes it.
#pragma once

#include "dynamics/integrator.h"
#include "math/simd.h"
#include "world/world.h"

// --- what stages hand on -----------------------------------------------------------------------

/// Which bodies are solved by rows, and which by soft-step.
typedef struct mo_solver_choice {
  uint8_t *in_rows;   ///< per slot: awake, and solved by rows; null: no body is
  uint8_t *row_alive; ///< per slot: in_rows, or alive but not dynamic; null: no body is in rows
  bool has_soft;      ///< soft-step has an awake body
  bool is_searched;   ///< `chosen` has been found
  uint8_t *chosen;    ///< per slot: of MO_SOLVER_AUTO, and given to MO_SOLVER_EXACT; null: none
  const double *laid; ///< kg, per slot: what the body lays on each of its supports; or null
  /// Per slot: a body of soft-step beside those in rows. It is in `row_alive`, and a body of the
  /// row problem (boundary.h). Null: none.
  uint8_t *boundary;
} mo_solver_choice;

/// The motions of the bodies in rows at the end of the step without constraints.
typedef struct mo_free_motions {
  mo_motion *flow;         ///< per slot: the integrator's motion at the end of the step
  mo_velocity *velocities; ///< per slot: the velocities of `flow`
} mo_free_motions;

/// The contacts of the bodies in rows; they are in world->fresh_contacts.
typedef struct mo_row_contacts {
  uint32_t count;
  uint8_t *is_solved;    ///< per contact: it has rows; false: its bodies sleep
  bool has_woken_others; ///< bodies woke that slept when the solvers were chosen, or bodies of
                         ///< soft-step came near that were not among its boundary
} mo_row_contacts;

/// The row problem, with the bodies and blocks that it belongs to.
typedef struct mo_row_set {
  mo_row_problem problem;
  uint32_t *row_bodies;            ///< per slot: index in the problem
  const uint32_t *row_slots;       ///< per body of the problem: its slot
  uint32_t *constraint_rows;       ///< per constraint slot: its first row, or MO_NO_ROWS
  uint32_t constraint_block_count; ///< constraint blocks come first in the problem
  uint32_t point_block_end; ///< then those of contact points, then rolling and spinning friction
} mo_row_set;

/// The solvers' result for the row problem.
typedef struct mo_row_solution {
  mo_velocity *velocities;        ///< per body of the problem
  mo_velocity *pseudo_velocities; ///< they change positions only
  mo_by_island by_island;         ///< how the islands were solved
  double cured_gain; ///< J: the energy that impacts would have added with their full restitution
  double *turn_impulses; ///< per row: additional impulses of turned joints, N s; null: none
} mo_row_solution;

/// How a body's pose at the end of a step is found.
typedef enum mo_placed {
  MO_PLACED_BY_CORRECTION, ///< the flow's pose, corrected for the change of velocity by constraints
  MO_PLACED_BY_MEAN,       ///< the same for half of that change: contacts push all through the step
  MO_PLACED_BY_FLOW,       ///< the flow's pose, which obeys the joints
  MO_PLACED_BY_END_VELOCITY, ///< the pose at the start, moved by the velocity at the end
} mo_placed;

/// The motions of the bodies in rows at the end of the step.
typedef struct mo_row_ends {
  uint8_t *placed;    ///< per body of the problem: a mo_placed
  mo_motion *motions; ///< per slot: the motion at the end
} mo_row_ends;

typedef struct mo_push_sum mo_push_sum;

/// By what each island is carried, by the name of the island.
typedef enum mo_carried { MO_NOT_CARRIED, MO_CARRIED, MO_CARRIED_ROUND } mo_carried;
typedef struct mo_carriers {
  uint8_t *of_islands; ///< mo_carried; null: nothing is carried
} mo_carriers;

/// The data of soft-step's stage.
typedef struct mo_soft_stage {
  mo_substep_solver step;
  uint32_t *indices;      ///< per slot: its mo_solver_body; 0: none
  uint32_t *slots;        ///< per mo_solver_body
  mo_motion *start;       ///< per mo_solver_body
  mo_solver_mass *masses; ///< per mo_solver_body
  /// Per awake body that the solver does not move: its velocity after this step's forces.
  mo_velocity *free;
  /// Per slot: what the contacts with bodies in rows add to the forces; null: nothing.
  const mo_wrench *pushes;
  const mo_wrench *wrenches; ///< per slot: forces at the start of the step
  mo_carriers carriers;      ///< of bodies that kinematic bodies carry (carriers.h)
  bool *bounces;             ///< per slot: it has contacts with restitution; null: none has
  bool has_pushed;           ///< other forces than gravity act on some body
  mo_push_sum *push_sums; ///< per island, for bodies in joints (soft_step/pushed_bodies.h); or null
  mo_motion *end;         ///< per awake body
  const float
      *energy_tanks; ///< per slot, of the end of the step (soft_step/joint_energy.h); or null
  /// Per constraint slot: its first row in soft-step's problem, or MO_NO_ROWS.
  uint32_t *row_firsts;
} mo_soft_stage;

// --- the stages --------------------------------------------------------------------------------

/// Decides which solver each awake body uses. Bodies that could touch or are joined form a group,
/// which uses the solver that its members ask for. Contacts of soft-step whose bodies go over to
/// the rows leave its colours.
mo_result mo_step_choose_solvers(mo_world *world, double dt, mo_solver_choice *choice);
/// Velocities and poses after this step's forces, without constraints.
mo_result mo_step_find_free_motions(mo_world *world, double dt, const mo_solver_choice *choice,
                                    mo_free_motions *free);
/// Finds the contacts that may close within the step, with the impulses of the last step, and
/// copies those of sleeping bodies. They are in world->fresh_contacts.
mo_result mo_step_find_contacts(mo_world *world, double dt, const mo_solver_choice *choice,
                                const mo_free_motions *free, mo_row_contacts *contacts);
/// Makes the row problem of all constraints and contacts.
mo_result mo_step_make_rows(mo_world *world, double dt, const mo_solver_choice *choice,
                            const mo_free_motions *free, const mo_row_contacts *contacts,
                            mo_row_set *rows);
/// Sets how fast contacts part after impacts that happen at once, where the world's law of impact
/// is not Newton's (impact_reflections.h).
mo_result mo_step_reflect_impacts(mo_world *world, double dt, const mo_row_contacts *contacts,
                                  mo_row_set *rows);
/// Includes joints in the flow, if the integrator supports it and no contact, limit or softness
/// prevents it. Gives the poses at the end of the step with rows to match, and how each body's pose
/// is found.
mo_result mo_step_flow_joints(mo_world *world, double dt, const mo_solver_choice *choice,
                              mo_free_motions *free, mo_row_set *rows, mo_row_ends *ends);
/// Solves for impulses and velocities that obey the constraints, and for pseudo-velocities that
/// correct positions. Keeps the rows if nothing moves.
mo_result mo_step_solve(mo_world *world, const mo_row_ends *ends, mo_row_set *rows,
                        mo_row_solution *solution);
/// Computes the poses at the end of the step. Returns MO_ERROR_NOT_FINITE if one overflows.
mo_result mo_step_integrate_poses(mo_world *world, double dt, const mo_solver_choice *choice,
                                  const mo_free_motions *free, const mo_row_set *rows,
                                  const mo_row_solution *solution, mo_row_ends *ends);
/// Corrects the remaining joint errors at the end of the step in islands of the exact solvers, and
/// turns the velocities with the joints.
mo_result mo_step_project_joints(mo_world *world, double dt, const mo_row_set *rows,
                                 mo_row_solution *solution, mo_row_ends *ends);
/// Checks that all bodies in rows end the step with finite numbers. Returns MO_OK or
/// MO_ERROR_NOT_FINITE.
mo_result mo_step_check_motions(mo_world *world, double dt, const mo_solver_choice *choice,
                                const mo_row_ends *ends);
/// Stops bodies that would pass through others in the step: all fast bodies at static ones, and
/// bullets at all (continuous.c). Changes the ends of row bodies and of soft-step's.
mo_result mo_step_stop_fast_bodies(mo_world *world, double dt, const mo_solver_choice *choice,
                                   const mo_free_motions *free, mo_row_ends *ends,
                                   mo_soft_stage *soft);

// --- parts that several stages have -------------------------------------------------------------

/// mo_motion_copy by pairs of numbers, for a motion that was written a while ago: a processor waits
/// for a pair of which it has just written the halves.
static inline void mo_step_copy_motion(mo_motion *to, const mo_motion *from) {
  for (size_t i = 0; i < sizeof *to / sizeof(double); i += 2) {
    mo_f64x2_store((double *)to + i, mo_f64x2_load((const double *)from + i));
  }
}

static inline mo_velocity mo_step_velocity(const mo_motion *motion) {
  return (mo_velocity){motion->linear_velocity, motion->angular_velocity};
}
/// m: no body passes another one by moving less in a step. Fraction of the smallest inner radius of
/// its shapes: then its core cannot pass anything, and contacts push it out again.
static inline double mo_step_unseen_path(const mo_body *body) { return 0.5 * body->inner_radius; }
/// The side of a contact that is a body of a row problem.
static inline mo_contact_side mo_step_contact_side(uint32_t row_body, const mo_motion *motion) {
  return (mo_contact_side){row_body, motion->center_of_mass, mo_step_velocity(motion)};
}
/// Mean acceleration over a step of dt between two velocities.
static inline mo_vec3 mo_step_rate_of_change(mo_vec3 before, mo_vec3 after, double dt) {
  return mo_scale(1.0 / dt, mo_sub(after, before));
}
/// The solver that a body has in the rows.
static inline mo_solver mo_step_row_solver(const mo_world *world, const mo_solver_choice *choice,
                                           uint32_t slot) {
  if (choice->chosen && choice->chosen[slot]) {
    return MO_SOLVER_EXACT;
  }
  // Bodies of soft-step are among the rows because others near them need an exact solver.
  mo_solver asked = mo_world_body_solver(world, &world->bodies[slot]);
  return asked == MO_SOLVER_SOFT_STEP ? MO_SOLVER_BLOCK_PGS : asked;
}
static inline bool mo_step_is_in_rows(const mo_solver_choice *choice, uint32_t slot) {
  return choice->in_rows && choice->in_rows[slot];
}

/// The flow of this step for its integrator.
mo_flow mo_step_flow(mo_world *world, double dt, const mo_solver_choice *choice, mo_arena *arena);
/// The settings on which the rows of this step's contacts depend.
mo_contact_settings mo_step_contact_settings(const mo_world *world, double dt);
/// Moves a body's pose at the end of the step by dt seconds of a pseudo-velocity. Its velocity
/// stays, but a spin about unequal moments of inertia turns with the body.
void mo_step_displace(const mo_world *world, double dt, uint32_t slot, mo_velocity pseudo,
                      mo_row_ends *ends);
/// Turns velocities with the joints in islands that an exact solver solved and that only rigid
/// joints push. After that J v = 0 at the end of the step. The change costs no energy to second
/// order, and never adds any. Bodies that the projection displaced to close their joints first get
/// that displacement as a velocity, because it is work on heavy bodies.
/// @param end the rows of all constraints at the end of the step
/// @param carried per body: the velocity of that displacement; zero for other islands
mo_result mo_step_turn_velocities(mo_world *world, double dt, const mo_row_set *rows,
                                  const mo_row_problem *end, const mo_velocity *carried,
                                  mo_row_solution *solution, mo_row_ends *ends);
/// Restores the angular momentum of the free islands of `partition`, of the problem `end`, that the
/// displacement of their bodies since `before` (per slot) changed. Linear momentum stays the same,
/// and so does J v of the island's own constraints. Islands in `carried` (per body, zero for
/// others) also get their centre of mass and linear momentum back.
void mo_step_restore_momentum(const mo_world *world, const mo_row_set *rows,
                              const mo_row_problem *end, const mo_island_partition *partition,
                              const mo_motion *before, const mo_velocity *carried,
                              mo_row_ends *ends);
