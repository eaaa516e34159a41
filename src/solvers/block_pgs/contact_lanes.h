/// Contact manifolds two at a time: the part of block-pgs whose speed matters.
///
/// All rows of a manifold depend only on the relative motion of its two bodies at one reference
/// point. So a visit works with six velocities instead of twelve rows, in the frame (n, t1, t2) of
/// the contact: the velocity of a point p is V + W x p, and the impulses f_i of the points are a
/// force sum f_i and a torque sum p_i x f_i. Two manifolds without a common moving body are the
/// lanes of a vector.
#pragma once

#include "solvers/solver.h"

#include "math/simd.h"

#define MO_LANES 2
/// Contact points of one pair of bodies that are relaxed in one visit.
#define MO_LANE_POINTS 4

/// Rounds of the joint solve of a pair's normal impulses; each costs a fraction of a visit. An
/// incomplete solve would tilt the body, and friction would then hold the tilt. Four corners of a
/// box converge by a factor of 8 per round, and a warm start needs one or two.
#define MO_NORMAL_ROUNDS 8
/// Fraction of the first round's change of velocity below which rounds end: the rest is less than
/// what friction changes in the same visit.
#define MO_NORMAL_ACCURACY 1e-3

/// Fraction of the squared limit above which friction slips.
#define MO_AT_LIMIT (1.0 - 1e-9)

/// Consecutive contact blocks (`point_contact`) of one pair of bodies with one frame.
typedef struct mo_manifold_range {
  uint32_t first_block, point_count;
} mo_manifold_range;

/// A force and a torque about the reference point, or their impulses.
typedef struct mo_wrench_lanes {
  mo_vec3x2 force, torque;
} mo_wrench_lanes;

/// Two manifolds. "Local" means components along n, t1, t2.
typedef struct mo_manifold_lanes {
  mo_vec3x2 normal, tangent_1, tangent_2; ///< world
  mo_vec3x2 arm_a, arm_b; ///< world, from the centres of mass to the reference point
  mo_f64x2 inverse_mass_a, inverse_mass_b;
  mo_f64x2 inverse_inertia_a[6], inverse_inertia_b[6]; ///< world: xx, yy, zz, xy, xz, yz
  mo_vec3x2 points[MO_LANE_POINTS];                    ///< local, from the reference point
  mo_f64x2 weights[MO_LANE_POINTS]; ///< 1; 0 for points that a lane does not have, or that stay
                                    ///< open when the others stick
  mo_f64x2 weight;                  ///< their sum
  mo_vec3x2 extent;                 ///< local, largest |points|
  mo_f64x2 friction;
  mo_f64x2 normal_biases[MO_LANE_POINTS];
  mo_vec3x2 bias;            ///< of the normal rows, as velocities: linear n, angular t1 and t2
  mo_f64x2 slide_1, slide_2; ///< m/s, biases of the tangent rows, which are those of all points
  mo_f64x2 spread[6];        ///< sum of |p|^2 - p p^T: torque from a spread of impulses
  mo_f64x2 solve[6][6];      ///< maps the relative motion to the spread of impulses that stops it
  mo_i64x2 solvable;         ///< lanes in which `solve` is valid
  mo_vec3x2 impulses[MO_LANE_POINTS];
  mo_vec3x2 changes[MO_LANE_POINTS];    ///< by the last sweep
  mo_vec3x2 directions[MO_LANE_POINTS]; ///< for the acceleration
  mo_wrench_lanes change, direction;    ///< wrenches of these
  mo_f64x2 free;                        ///< 1, or 0 for lanes that slip and are not extrapolated
  uint32_t body_a[MO_LANES], body_b[MO_LANES];
  uint32_t first_block[MO_LANES], lane_points[MO_LANES];
  bool has_point_rows; ///< whether its mo_point_rows are made
  bool leaves_out;     ///< whether a lane has a point of weight 0
  bool all_faces;      ///< whether both lanes stop all six relative velocities when they stick
} mo_manifold_lanes;

/// Additional data of single points; made when a lane first does not stick.
typedef struct mo_point_rows {
  mo_f64x2 normal_couplings[MO_LANE_POINTS][MO_LANE_POINTS]; ///< J M^-1 J^T
  mo_f64x2 effective_masses[MO_LANE_POINTS];                 ///< of the normal rows
  mo_f64x2 mobilities[MO_LANE_POINTS]; ///< rho of the tangents: lambda_max of their K
  mo_f64x2 steps[MO_LANE_POINTS];      ///< 1 / rho
  mo_f64x2 tangent_couplings[MO_LANE_POINTS][MO_LANE_POINTS][2][2]; ///< above the diagonal
  mo_f64x2 torque_response[3][6]; ///< linear n, angular t1 and t2 per force and torque
  mo_vec3x2 normal_solve[3]; ///< maps those three to the spread of normal impulses that stops them
  mo_i64x2 normals_solvable; ///< lanes in which normal_solve is valid
} mo_point_rows;

typedef struct mo_contact_lanes {
  mo_manifold_lanes *manifolds;
  mo_point_rows *point_rows;
  uint32_t count;
} mo_contact_lanes;

/// The measures of a sweep.
typedef struct mo_sweep_report {
  double moved;  ///< m/s: an upper bound of the change of any row's velocity
  double length; ///< J: the change of the impulses, in the metric of the mobilities
} mo_sweep_report;

/// Packs the manifolds of a problem. Two that share a moving body are never packed together.
/// @param misfit m/s: by how much the biases of a manifold may differ from those of one motion, if
/// it is to be solved as a whole
/// @return false without memory
bool mo_contact_lanes_make(const mo_row_problem *problem, const mo_manifold_range *ranges,
                           uint32_t range_count, double misfit, mo_arena *arena,
                           mo_contact_lanes *out);

/// Adds the change by the impulses to the velocities, and clears the directions of an earlier
/// solve.
void mo_contact_lanes_warm_start(const mo_contact_lanes *lanes, mo_velocity *velocities);

/// Adds `beta` times their directions to the impulses (the velocities have that change already),
/// then relaxes each manifold once.
void mo_contact_lanes_sweep(const mo_contact_lanes *lanes, double beta, double tolerance,
                            mo_velocity *velocities, mo_sweep_report *report);

/// Subtracts the part of slipping manifolds from velocities that belong to all changes and
/// directions.
void mo_contact_lanes_leave_out_slipping(const mo_contact_lanes *lanes, mo_velocity *changes,
                                         mo_velocity *directions);

/// Projects friction onto its discs.
void mo_contact_lanes_finish(const mo_contact_lanes *lanes, mo_velocity *velocities);

/// Copies the impulses of two manifolds to their rows.
void mo_manifold_lanes_write(const mo_manifold_lanes *m, mo_row_problem *problem);
