/// Joints of soft-step that are solved together, by a sparse direct factorisation.
///
/// One sweep over joints one by one takes only a part of an error away that moves many of them, or
/// a heavy body on light ones: a chain with a load stretches, a row of fixed bodies sags. The
/// joints of such an assembly are therefore solved as one system, K p = -(J v + bias) with K = J
/// M^-1 J^T, by block LDL^T with the joints as nodes. Chains and trees have next to no fill, so
/// that the time is linear in the number of joints (Baraff 1996). A coordinate with limits or
/// drives is one more row of its joint. Limits alone count while they are met; drives are solved
/// with all else, because a motor turns whatever hangs on its joint (joint_assembly_drives.h).
#pragma once

#include "solvers/linear/block_sparse.h"
#include "solvers/soft_step/assembly/coordinate_law.h"
#include "solvers/soft_step/assembly/joint_assembly_search.h"
#include "solvers/soft_step/joints/joint_lanes.h"

/// A coordinate with drives: the law of these and of its limits.
typedef struct mo_assembly_drive {
  uint32_t joint, row; ///< of the assembly, and of that joint
  double mass;         ///< kg or kg m^2: effective, of the joint alone; 0: nothing moves it
  // The row of the coordinate, which the joint has only while the law holds the rate.
  double jacobian[2][6], push[2][6];
  mo_law_part parts[MO_LAW_PARTS];
  mo_law_piece piece, next; ///< on which the law is solved now, and the one that fits
  double guess;             ///< N s or N m s: the impulse of the pass before
  double impulses[MO_LAW_PARTS], totals[MO_LAW_PARTS]; ///< of the last substep and of the step
} mo_assembly_drive;

/// A coordinate's row. Without drives it is that of the limit which is met, or none.
typedef struct mo_assembly_coordinate {
  const mo_joint_coordinate_lanes *lanes;
  mo_assembly_drive *drive; ///< null: it has limits alone
  uint32_t index;           ///< of the step's coordinates
  float sign;               ///< 1: the lower limit is met, -1: the upper one, 0: none
  float gap;                ///< m or rad: the distance from the limit that is met
} mo_assembly_coordinate;

/// A joint's rows at one of its bodies. Components are linear, then angular, in the world. Numbers
/// beyond the last row are zero.
typedef struct mo_assembly_side {
  double jacobian[6][MO_NODE_SIZE]; ///< J^T
  double push[6][MO_NODE_SIZE];     ///< M^-1 J^T; not set where impulses do not move the body
} mo_assembly_side;

/// A joint of an assembly. Its rows are those of the point lock, of the angle lock, and of
/// coordinates.
typedef struct mo_assembly_joint {
  uint32_t joint; ///< of the step's joints
  uint32_t body_a, body_b;
  bool moves[2];               ///< whether impulses move A and B
  const mo_joint_lanes *lanes; ///< hold its Jacobians and errors, in the lane
  uint32_t lane;
  uint32_t point_rows, lock_rows, row_count;
  mo_assembly_coordinate coordinates[MO_JOINT_COORDINATES];
  mo_assembly_side sides[2];                         ///< A, B
  double impulse[MO_NODE_SIZE], total[MO_NODE_SIZE]; ///< of the last substep and of the step
} mo_assembly_joint;

/// A block of K off the diagonal: joints that share a moving body.
typedef struct mo_assembly_coupling {
  uint32_t row, column; ///< joints of the assembly
  double *block;        ///< in the matrix
  uint32_t row_side, column_side;
} mo_assembly_coupling;

typedef struct mo_assembly {
  mo_assembly_joint *joints;
  uint32_t joint_count;
  mo_assembly_coupling *couplings;
  uint32_t coupling_count;
  double mass_ratio; ///< of its heaviest body to its lightest one
  mo_assembly_drive *drives;
  uint32_t drive_count;
  mo_block_matrix matrix;
  bool is_left_out; ///< that would be too much work, so that it has no joints
  bool is_factorised;
  double *vector;      ///< MO_NODE_SIZE per joint
  uint32_t *body_ends; ///< per body that impulses move: a joint * 2 + side that it is at
  uint32_t body_count;
} mo_assembly;

typedef struct mo_assemblies {
  mo_assembly *all;
  uint32_t count;
  mo_assembly_joint *joints; ///< of all assemblies
  uint32_t joint_count;
  uint32_t *places; ///< per joint of the step: its place in `joints`, or MO_NO_JOINT
} mo_assemblies;

/// Which joints the assemblies are of, and what of them.
typedef struct mo_assembly_plan {
  const mo_substep_joints *joints;
  const mo_substep_solver *step;
  mo_island_joints members;
  const uint32_t *at_body; ///< per body: joints with locks at it
  bool has_coordinates;    ///< limits and drives are solved with the locks
  double most_work;        ///< islands whose factorisation takes more are left out; 0: no limit
  mo_arena *arena;         ///< keeps the assemblies
} mo_assembly_plan;

/// Makes the assemblies. Returns false without memory.
bool mo_assemblies_make(mo_assemblies *assemblies, const mo_assembly_plan *plan);
/// Starts a step from the lanes at its start.
void mo_assembly_begin(mo_assembly *assembly, const mo_substep_solver *step,
                       const mo_substep_joints *joints);
/// Takes over the Jacobians of the lanes.
void mo_assembly_refresh(mo_assembly *assembly, const mo_substep_solver *step);
/// Brings the rates of all locks to -bias_rate times their errors, and coordinates to their laws.
void mo_assembly_solve(mo_assembly *assembly, const mo_substep_solver *step,
                       const mo_joint_softness *softness);
/// The same if the points of one of the joints part at more than a speed, m/s.
/// @return whether they do
bool mo_assembly_close(mo_assembly *assembly, const mo_substep_solver *step,
                       const mo_joint_softness *softness, float speed);
/// Starts a substep without impulses.
void mo_assembly_forget(mo_assembly *assembly);
/// Adds the impulses of a substep to the sums.
void mo_assembly_sum(mo_assembly *assembly);
/// Adds a joint's sums over the step, and its impulses for the next one, to those of its lanes.
void mo_assembly_joint_take(const mo_assembly_joint *from, double substeps,
                            const mo_substep_joints *joints);
