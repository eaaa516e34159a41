/// The certificate: how well impulses obey the contact laws, computed from scratch and sharing no
/// code with any solver.
#pragma once

#include "solvers/contact_problem.h"

/// Evaluates the impulses in the problem's rows. The velocities are recomputed as v* + M^-1 J^T
/// impulse, so that momentum balances by construction. With u = J v + bias, d_i = tr(J_i M^-1
/// J_i^T) / 3 and u^ = u + friction |u_t| n (de Saxce and Feng 1998), a contact's error is the
/// natural map |d g - P_K(d g - u^)| in m/s (Acary and Brogliato 2008, chapter 13). Beyond friction
/// 1, where that hides an approach or counts a slip many times, it is the length of
/// min(d g_n, u_n) and d g_t - P_disc(d g_t - u_t), with a disc of radius friction d g_n.
/// Rows in a box: |d g - clamp(d g - u, d lower, d upper)|; bilateral rows: |u|.
/// @param law by which friction is judged; the convex one is without the shift
/// @param[out] out all zero where there are no rows
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_certificate_evaluate(const mo_row_problem *problem, mo_friction_law law,
                                  mo_arena *arena, mo_residual *out);

/// The same of one island's problem.
/// @param velocities w of each row at the problem's impulses, m/s
mo_residual mo_certificate_of_contact_problem(const mo_contact_problem *problem,
                                              mo_friction_law law, const double *velocities);
/// The same with the velocities computed here; `worst` is NaN without memory.
mo_residual mo_certificate_of_impulses(const mo_contact_problem *problem, mo_friction_law law,
                                       mo_arena *arena);
