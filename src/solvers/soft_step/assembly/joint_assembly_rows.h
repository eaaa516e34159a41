/// Rows of the joints of an assembly. Private to them.
#pragma once

#include "solvers/linear/block_kernels.h"
#include "solvers/soft_step/assembly/joint_assemblies.h"

/// Ratio of masses from which on a solution is refined by a second one of what it has missed. Light
/// bodies get the difference of impulses that move the heavy ones. The velocities that one of them
/// alone would give are larger by that ratio, and are rounded to floats, with 24 bits: beyond it a
/// hundredth of the heavy ones' would be lost.
#define MO_REFINED_RATIO 1e5

/// The rates of all rows at the velocities of a body.
static inline mo_block_row mo_assembly_rates_at(const mo_assembly_joint *j, uint32_t side,
                                                const mo_solver_body *body) {
  const mo_assembly_side *of = &j->sides[side];
  const float *v = body->linear_velocity, *w = body->angular_velocity;
  mo_block_row sum = mo_row_scaled((double)v[0], mo_row_load(of->jacobian[0]));
  sum = mo_row_plus_scaled(sum, (double)v[1], mo_row_load(of->jacobian[1]));
  sum = mo_row_plus_scaled(sum, (double)v[2], mo_row_load(of->jacobian[2]));
  sum = mo_row_plus_scaled(sum, (double)w[0], mo_row_load(of->jacobian[3]));
  sum = mo_row_plus_scaled(sum, (double)w[1], mo_row_load(of->jacobian[4]));
  return mo_row_plus_scaled(sum, (double)w[2], mo_row_load(of->jacobian[5]));
}

/// The rates of all rows at the present velocities.
static inline mo_block_row mo_assembly_rates(const mo_assembly_joint *j,
                                             const mo_solver_body *bodies) {
  return mo_row_sum(mo_assembly_rates_at(j, 0, &bodies[j->body_a]),
                    mo_assembly_rates_at(j, 1, &bodies[j->body_b]));
}

/// Makes the matrix of the rows that are held, and its factors.
void mo_assembly_factorise(mo_assembly *assembly);
/// Gives the joints and their bodies the impulses in the vector.
void mo_assembly_push(mo_assembly *assembly, mo_solver_body *bodies);
