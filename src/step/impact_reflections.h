/// Impacts that happen at once, by generalized reflections (Smith, Kaufman, Vouga, Tamstorf and
/// Grinspun, "Reflections on simultaneous impact", ACM Transactions on Graphics 31, 2012).
///
/// All contacts that approach are reflected together: v + 2 M^-1 J^T p with the smallest impulses
/// 0 <= p that stop them, which keeps momentum, energy and symmetry. That may make others approach,
/// which are reflected next, and so on until none does: an impact goes on through balls that touch.
/// A contact with restitution e leaves with e times the speed that this gives it, and 1 - e times
/// that of the plastic impact, in which all contacts are stopped at once.
///
/// Friction has no part in it; it acts in the solve that follows. Rigid joints hold in each
/// reflection; limits and motors have no part.
#pragma once

#include "step/stages.h"

/// What impacts ask for.
typedef struct mo_impact_targets {
  bool any;           ///< some contact is hit hard enough to rebound
  bool *is_hit;       ///< per block of the problem: a contact that bears an impact
  double *speeds;     ///< per block, m/s: with which such a contact parts
  double *impulses;   ///< per block, N s: that it takes
  mo_velocity *start; ///< per body of the problem: its velocity before the impacts
} mo_impact_targets;

/// Begins without impacts. Returns false without memory.
bool mo_impact_targets_begin(mo_impact_targets *targets, const mo_row_problem *problem,
                             mo_velocity *start, mo_arena *arena);

/// Finds them for a problem that has all contacts and joints. A body's free velocities, with the
/// forces of the step, only decide what comes into contact in this step.
/// @param restitutions per block of the problem: of a contact; below 0: it is none
/// @param start per body of the problem: its velocity before the forces
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_impacts_find(mo_world *world, const mo_row_problem *problem,
                          const double *restitutions, mo_velocity *start, mo_arena *arena,
                          mo_impact_targets *out);

/// Gives the bodies the least change of velocity that makes the contacts part with their speeds.
/// @param velocities per body: `start`; out, after the impacts
/// @param[out] impulses per block of the problem: of its normal row, N s
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_impacts_separate(mo_world *world, const mo_row_problem *problem,
                              const mo_impact_targets *targets, mo_velocity *velocities,
                              double *impulses, mo_arena *arena);
