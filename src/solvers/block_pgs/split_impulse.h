/// Removal of overlap by pseudo-velocities that move bodies but are never part of their velocity:
/// what the field calls split impulses.
#pragma once

#include "solvers/solver.h"

typedef struct mo_split_impulse_settings {
  double error_reduction;      ///< part of the overlap beyond the slop that the step removes
  double linear_slop;          ///< m
  double max_correction_speed; ///< m/s
  uint32_t max_iterations;
  double tolerance; ///< m/s
} mo_split_impulse_settings;

/// The pseudo-velocity that a row's gap at the end of the step asks for, m/s: of what is beyond the
/// slop (of a bilateral row: of all) the part `error_reduction` within dt, capped; where nothing
/// is, how fast the row may close.
double mo_position_target(double gap_after, bool bilateral, double dt,
                          const mo_split_impulse_settings *settings);

/// Finds pseudo-velocities with J v_p >= target for every unilateral and normal row (J v_p = target
/// for bilateral ones) by projected Gauss-Seidel with impulses of their own. The target is
/// error_reduction (overlap - slop) / dt, capped, of the overlap that the solved velocities leave
/// at the end of the step; where none is left, the row may close by what is open.
/// @param velocities solved, one per body
/// @param[out] pseudo one per body; all zero where nothing overlaps by more than the slop
mo_result mo_split_impulse_solve(const mo_row_problem *problem, const mo_velocity *velocities,
                                 const mo_split_impulse_settings *settings, mo_arena *arena,
                                 mo_velocity *pseudo);
