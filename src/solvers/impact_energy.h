/// Impacts that create energy, and their cure.
#pragma once

#include "constraints/rows.h"
#include "memory/arena.h"

typedef struct mo_impact_report {
  bool changed; ///< restitution was reduced: solve again
  double gain;  ///< J, over all islands that gained
} mo_impact_report;

/// Newton's law of restitution can create energy in eccentric impacts, by friction (Kane and
/// Levinson 1985) or by a contact that another impact presses shut. Adds up, per island, the work
/// of its impulses, lambda (u before + u after) / 2 per row with u = J v. Where an island gains,
/// the biases of its impacts move towards `plastic_bias`, and the problem is to be solved again.
/// @param velocities solved, one per body
/// @param keep part of the restitution that a gaining island keeps, 0 to 1
/// @param[out] out whether any row was changed, and the energy that the islands gained
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_impact_energy_cure(mo_row_problem *problem, const mo_velocity *velocities, double keep,
                                mo_arena *arena, mo_impact_report *out);
