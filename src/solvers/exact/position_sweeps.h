/// Projected Gauss-Seidel on a position problem: what is left where its targets exclude each other.
#pragma once

#include "solvers/contact_problem.h"

/// Sweeps over bilateral and unilateral rows from impulses of zero. Where the targets cannot all be
/// met (a body squeezed between two that no impulse moves) no answer exists, and impulses that
/// come near to one grow without bound; a few sweeps give a compromise that moves bodies by no more
/// than the targets ask for.
/// @param[in,out] problem in body space; its impulses are overwritten
/// @return false without memory
bool mo_position_sweeps(mo_contact_problem *problem, mo_arena *arena);
