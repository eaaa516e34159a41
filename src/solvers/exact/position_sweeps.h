/// Projected Gauss-Seidel for a position problem whose targets exclude each other.
#pragma once

#include "solvers/contact_problem.h"

/// Sweeps over bilateral and unilateral rows from zero impulses. If the targets cannot all be met
/// (a body squeezed between two immovable ones) no solution exists, and impulses that approach one
/// grow without bound. A few sweeps give a compromise that moves bodies by no more than the targets
/// ask for.
/// @param[in,out] problem in body space; its impulses are overwritten
/// @return false without memory
bool mo_position_sweeps(mo_contact_problem *problem, mo_arena *arena);
