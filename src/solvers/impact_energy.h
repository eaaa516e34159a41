/// Impacts that add energy, and the reduction of their restitution.
#pragma once

#include "solvers/island_partition.h"

/// Newton's law of restitution can add energy in eccentric impacts, by friction (Kane and Levinson
/// 1985) or by a contact that another impact closes. This sums the work of an island's impulses,
/// lambda (u before + u after) / 2 per row with u = J v. If an island gains energy, the biases of
/// its impacts move towards `plastic_bias`, and the problem must be solved again.
/// @param velocities solved, one per body
/// @param keep fraction of the restitution that such an island keeps, 0 to 1
/// @param[out] changed per island: whether restitution was reduced
/// @return J, summed over all islands that gained energy
double mo_impact_energy_cure(mo_row_problem *problem, const mo_island_partition *partition,
                             const mo_velocity *velocities, double keep, bool *changed);
