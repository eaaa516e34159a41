/// Contact manifolds two at a time: the part of block-pgs that has to be fast.
///
/// All rows of a manifold depend on the relative motion of its two bodies at one reference point
/// alone, so a visit works with six velocities instead of twelve rows, in the frame (n, t1, t2) of
/// the contact: the velocity of a point p is V + W x p, the impulses f_i of the points are a force
/// sum f_i and a torque sum p_i x f_i. Two manifolds that share no moving body are the lanes of a
/// vector.
#pragma once

#include "solvers/solver.h"

#include "math/simd.h"

#define MO_LANES 2
/// Contact points of one pair of bodies that are relaxed in one visit.
#define MO_LANE_POINTS 4

/// The normal impulses of a pair are solved together, in rounds that cost a fraction of a visit: a
/// half-way normal solve tilts the body, and friction then locks the tilt in. Four corners of a box
/// converge by a factor of 8 per round, and a warm start needs one or two.
#define MO_NORMAL_ROUNDS 8
/// Of the first round's change of velocity: what is left is below what friction does in the same
/// visit.
#define MO_NORMAL_ACCURACY 1e-3

/// Friction whose square is above this part of that of its limit slips.
#define MO_AT_LIMIT (1.0 - 1e-9)

/// Consecutive contact blocks (`point_contact`) of one pair of bodies with one frame.
typedef struct mo_manifold_range {
  uint32_t first_block, point_count;
} mo_manifold_range;

/// A force and a torque about the reference point, or their impulses.
typedef struct mo_wrench_lanes {
  mo_vec3x2 force, torque;
} mo_wrench_lanes;

/// Two manifolds. Local means: components along n, t1, t2.
typedef struct mo_manifold_lanes {
  mo_vec3x2 normal, tangent_1, tangent_2; ///< world
  mo_vec3x2 arm_a, arm_b; ///< world, from the centres of mass to the reference point
  mo_f64x2 inverse_mass_a, inverse_mass_b;
  mo_f64x2 inverse_inertia_a[6], inverse_inertia_b[6]; ///< world: xx, yy, zz, xy, xz, yz
  mo_vec3x2 points[MO_LANE_POINTS];                    ///< local, from the reference point
  mo_f64x2 weights[MO_LANE_POINTS]; ///< 1; 0 for points that a lane does not have, or that stay
                                    ///< open where the others stick
  mo_f64x2 weight;                  ///< their sum
  mo_vec3x2 extent;                 ///< local, largest |points|
  mo_f64x2 friction;
  mo_f64x2 normal_biases[MO_LANE_POINTS];
  mo_f64x2 gaps[MO_LANE_POINTS];       ///< m, of the normal rows
  mo_f64x2 first_gaps[MO_LANE_POINTS]; ///< the same in the problem that was packed first
  mo_vec3x2 bias;       ///< of the normal rows, as velocities: linear n, angular t1 and t2
  mo_f64x2 spread[6];   ///< sum of |p|^2 - p p^T: torque from a spread of impulses
  mo_f64x2 solve[6][6]; ///< relative motion to the spread of impulses that stops it
  mo_i64x2 solvable;    ///< lanes whose `solve` is good
  mo_vec3x2 impulses[MO_LANE_POINTS];
  mo_vec3x2 changes[MO_LANE_POINTS];    ///< by the last sweep
  mo_vec3x2 directions[MO_LANE_POINTS]; ///< of the acceleration
  mo_wrench_lanes change, direction;    ///< of the above
  mo_f64x2 free;                        ///< 1, or 0 for lanes that slip and are left to the sweeps
  uint32_t body_a[MO_LANES], body_b[MO_LANES];
  uint32_t first_block[MO_LANES], lane_points[MO_LANES];
  bool has_point_rows; ///< whether its mo_point_rows are made
  bool leaves_out;     ///< whether a point that a lane has is of no weight
  bool all_faces;      ///< whether both lanes stop all six relative velocities where they stick
} mo_manifold_lanes;

/// What single points need besides; made when a lane first does not stick.
typedef struct mo_point_rows {
  mo_f64x2 normal_couplings[MO_LANE_POINTS][MO_LANE_POINTS]; ///< J M^-1 J^T
  mo_f64x2 effective_masses[MO_LANE_POINTS];                 ///< of the normal rows
  mo_f64x2 mobilities[MO_LANE_POINTS]; ///< rho of the tangents: lambda_max of their K
  mo_f64x2 steps[MO_LANE_POINTS];      ///< 1 / rho
  mo_f64x2 tangent_couplings[MO_LANE_POINTS][MO_LANE_POINTS][2][2]; ///< above the diagonal
  mo_f64x2 torque_response[3][6]; ///< linear n, angular t1 and t2 per force and torque
  mo_vec3x2 normal_solve[3];      ///< those three to the spread of normal impulses that stops them
  mo_i64x2 normals_solvable;      ///< lanes whose normal_solve is good
} mo_point_rows;

typedef struct mo_contact_lanes {
  mo_manifold_lanes *manifolds;
  mo_point_rows *point_rows;
  uint32_t count;
} mo_contact_lanes;

/// What a sweep did.
typedef struct mo_sweep_report {
  double moved;  ///< m/s: a bound of the change of any row's velocity
  double length; ///< J: how far the impulses moved, in the metric of the mobilities
} mo_sweep_report;

/// Packs manifolds of a problem. Those that share a moving body never come into one pair of lanes.
/// @param misfit m/s: by how much the biases of a manifold may differ from those of one motion for
/// it to be solved as a whole
/// @return false without memory
bool mo_contact_lanes_make(const mo_row_problem *problem, const mo_manifold_range *ranges,
                           uint32_t range_count, double misfit, mo_arena *arena,
                           mo_contact_lanes *out);

/// Packs two manifolds anew, with the impulses and biases of `problem`.
void mo_manifold_lanes_repack(const mo_row_problem *problem, double misfit, mo_manifold_lanes *m);

/// Adds what the impulses do to the velocities, and forgets the directions of an earlier solve.
void mo_contact_lanes_warm_start(const mo_contact_lanes *lanes, mo_velocity *velocities);

/// First moves the impulses on by `beta` times their directions (the velocities know of that
/// already), then relaxes each manifold once.
void mo_contact_lanes_sweep(const mo_contact_lanes *lanes, double beta, double tolerance,
                            mo_velocity *velocities, mo_sweep_report *report);

/// Takes what slipping manifolds do out of velocities that come from all changes and directions.
void mo_contact_lanes_leave_out_slipping(const mo_contact_lanes *lanes, mo_velocity *changes,
                                         mo_velocity *directions);

/// Pulls friction back onto its discs.
void mo_contact_lanes_finish(const mo_contact_lanes *lanes, mo_velocity *velocities);

/// Copies the impulses of two manifolds to their rows.
void mo_manifold_lanes_write(const mo_manifold_lanes *m, mo_row_problem *problem);
