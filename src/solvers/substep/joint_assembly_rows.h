/// Rows of the joints of an assembly. Private to them.
#pragma once

#include "solvers/substep/joint_assemblies.h"

/// Ratio of masses from which on a solution is refined by a second one of what it has missed. Light
/// bodies get the difference of impulses that move the heavy ones. The velocities that one of them
/// alone would give are larger by that ratio, and are rounded to floats, with 24 bits: beyond it a
/// hundredth of the heavy ones' would be lost.
#define MO_REFINED_RATIO 1e5

/// A lane of four vectors.
static inline mo_vec3 mo_lane_vector(const mo_vec3x4 *v, uint32_t lane) {
  return mo_v3(v->x[lane], v->y[lane], v->z[lane]);
}

static inline double mo_assembly_row_rate_at(const double row[6], const mo_solver_body *body) {
  const float *v = body->linear_velocity, *w = body->angular_velocity;
  return row[0] * (double)v[0] + row[1] * (double)v[1] + row[2] * (double)v[2] +
         row[3] * (double)w[0] + row[4] * (double)w[1] + row[5] * (double)w[2];
}

/// The rate of a row at the present velocities.
static inline double mo_assembly_row_rate(const mo_assembly_joint *j, uint32_t row,
                                          const mo_solver_body *bodies) {
  return mo_assembly_row_rate_at(j->jacobian[0][row], &bodies[j->body_a]) +
         mo_assembly_row_rate_at(j->jacobian[1][row], &bodies[j->body_b]);
}

/// Makes the matrix of the rows that are held, and its factors.
void mo_assembly_factorise(mo_assembly *assembly);
