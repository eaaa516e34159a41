/// Removal of overlap by pseudo-velocities, which move bodies but are never part of their velocity
/// (split impulses).
#pragma once

#include "solvers/linear/ordering_cache.h"
#include "solvers/solver.h"

typedef struct mo_split_impulse_settings {
  double error_reduction;      ///< fraction of the overlap beyond the slop that the step removes
  double linear_slop;          ///< m
  double metre;                ///< in the unit of lengths here
  double max_correction_speed; ///< m/s
  uint32_t max_iterations;
  double tolerance; ///< m/s
} mo_split_impulse_settings;

/// The pseudo-velocity that a row's gap at the end of the step needs, m/s. It closes the fraction
/// `error_reduction` of the error within dt, at a limited speed; the error is the overlap beyond
/// the slop, or the whole gap of a bilateral row. Without error it is the speed at which the row
/// may close.
double mo_position_target(double gap_after, bool bilateral, double dt,
                          const mo_split_impulse_settings *settings);

/// Finds pseudo-velocities with J v_p >= target for every unilateral and normal row (J v_p = target
/// for bilateral ones), by projected Gauss-Seidel with impulses of their own; the joints of trees
/// are solved together (joined_rows.h). The target is
/// error_reduction (overlap - slop) / dt, limited, for the overlap that the solved velocities leave
/// at the end of the step. Without overlap the row may close by its gap.
/// @param velocities solved, one per body
/// @param cache may be null
/// @param[out] pseudo one per body; all zero if nothing overlaps by more than the slop
mo_result mo_split_impulse_solve(const mo_row_problem *problem, const mo_velocity *velocities,
                                 const mo_split_impulse_settings *settings,
                                 mo_ordering_cache *cache, mo_arena *arena, mo_velocity *pseudo);
