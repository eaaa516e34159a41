/// Block projected Gauss-Seidel for a problem given as a matrix.
#pragma once

#include "solvers/contact_problem.h"
#include "solvers/solver.h"

/// The steps of mo_block_pgs_solve, contact by contact, without the joint normal solve and the
/// acceleration, which need bodies. Unilateral rows have 0 <= x; cones get one normal step and one
/// friction step with 1 / lambda_max(W_tt). For problems with `delassus` whose blocks have only
/// these two bounds.
mo_solve_result mo_matrix_pgs_solve(mo_contact_problem *problem,
                                    const mo_solver_settings *settings);
