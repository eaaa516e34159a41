/// The certificate: how well impulses obey the contact laws. It is computed from the problem alone,
/// and shares no code with any solver.
#pragma once

#include "solvers/contact_problem.h"

/// Evaluates the impulses in the problem's rows. The velocities are recomputed as v* + M^-1 J^T
/// impulse, so momentum balances by construction. Let u = J v + bias, d_i = tr(J_i M^-1 J_i^T) / 3
/// and u^ = u + friction |u_t| n (De Saxce and Feng 1998). A contact's error is the natural map |d
/// g - P_K(d g - u^)| in m/s (Acary and Brogliato 2008, chapter 13). Beyond friction 1 that map may
/// hide an approach, or count a slip several times. There the error is the length of min(d g_n,
/// u_n) and d g_t - P_disc(d g_t - u_t), with a disc of radius friction d g_n (Alart and Curnier
/// 1991). For rows with bounds it is |d g - clamp(d g - u, d lower, d upper)|, for bilateral rows
/// |u|.
/// @param law the friction law; the convex one has no shift
/// @param[out] out all zero where there are no rows
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_certificate_evaluate(const mo_row_problem *problem, mo_friction_law law,
                                  mo_arena *arena, mo_residual *out);

/// The same for the problem of one island.
/// @param velocities w of each row at the problem's impulses, m/s
mo_residual mo_certificate_of_contact_problem(const mo_contact_problem *problem,
                                              mo_friction_law law, const double *velocities);
/// The same, computing the velocities; `worst` is NaN without memory.
mo_residual mo_certificate_of_impulses(const mo_contact_problem *problem, mo_friction_law law,
                                       mo_arena *arena);
