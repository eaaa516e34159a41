/// The search for the impulses of joints in the smooth motion of a part of a step. Private to
/// joint_flow.c.
#pragma once

#include "step/constraint_rows.h"
#include "step/rows/gyroscopes.h"
#include "step/stages.h"

/// What the stage reads and writes.
typedef struct mo_joint_stage {
  mo_world *world;
  double dt;
  const mo_solver_choice *choice;
  mo_free_motions *free;
  mo_row_set *rows;
  mo_row_ends *ends;
} mo_joint_stage;

typedef struct mo_joint_trial {
  mo_joint_stage *stage;
  const mo_integrator_kind *integrator;
  const mo_gyroscopes *gyroscopes;
  const mo_motion *start; ///< per slot: at the start of the part
  double after, h;        ///< s: from the start of the step to that of the part, and its length
  mo_flow_joints joints;
  mo_motion *end;      ///< per slot: at the end of the part
  mo_motion *spare;    ///< per slot: room for the end of the next part
  uint8_t *takes_part; ///< per constraint block of the step's problem
  uint8_t *let_open;   ///< per block of the step's problem: a contact or limit of such an island
  uint8_t *released;   ///< per constraint block: a taut limit that would have had to push
  uint8_t *refused;    ///< per island: it is solved without the flow
  mo_island_partition partition; ///< of the step's problem
  mo_row_problem rows;           ///< of all constraints, at the trial motions
  uint32_t *first_rows;          ///< of those, per constraint
  double *impulses;              ///< per row, N s, of the part
  double *sums;                  ///< per row, N s, of all parts
  double *start_rates;           ///< per row, J v + bias at the start of the step
  double *least;                 ///< per row, N s, the least of any part
  double *errors;                ///< per row, C at the end
  mo_wrench *pushes;             ///< per slot
  mo_row_problem linear;         ///< blocks that take part
} mo_joint_trial;

/// Evaluates the rows of all constraints at a trial state, `after` seconds into the step, with the
/// numbers that they have in the problem.
mo_result mo_joint_trial_evaluate_rows(mo_joint_trial *t, const mo_motion *motions, double after);
/// Whether no body in the flow swings between its joints faster than steps of RATTLE can follow. It
/// is explicit, and unstable where (w h)^2 exceeds 4: the joints would hold, and the energy grow.
/// The midpoint rule is implicit, and follows every swing that its iteration finds.
/// @param[out] follows whether it is so with the impulses found
mo_result mo_joint_trial_follows(mo_joint_trial *t, bool *follows);
/// Iterates until the joints hold at the end of the part; then `found` is true.
mo_result mo_joint_trial_find_impulses(mo_joint_trial *t, bool *found);
/// Makes the velocities at the end of a part fit the joints there, J v = 0, by further impulses.
mo_result mo_joint_trial_fit_velocities(mo_joint_trial *t);
/// Replaces the rows of islands that take part, and the free velocities of their bodies, by those
/// of the end of the step, for the solve of the step.
mo_result mo_joint_trial_rewrite_problem(mo_joint_trial *t);

/// The inverse inertia of the body in a slot, world frame.
mo_mat3 mo_joint_trial_inverse_inertia(const mo_joint_stage *s, const mo_motion *motions,
                                       uint32_t slot);
/// J v + bias of a row of a problem for bodies in a given state.
double mo_joint_trial_row_rate(const mo_joint_stage *s, const mo_row_problem *problem,
                               const mo_row_block *block, uint32_t index, const mo_motion *motions);
/// The constraints in the state at `motions`, `after` seconds into the step.
mo_constraint_pass mo_joint_trial_pass(const mo_joint_trial *t, const mo_motion *motions,
                                       double after);
