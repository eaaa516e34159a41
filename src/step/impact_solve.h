/// The solves of which a law of impact is made: the least impulses with which chosen contacts do
/// not approach, while rigid joints hold.
#pragma once

#include "step/stages.h"

/// m: a gap up to this counts as closed; solvers leave such gaps open.
#define MO_CLOSED_GAP 1e-8

/// Of the fastest approach: what approaches more slowly does not. The energy of that is 1e-12 times
/// as large.
#define MO_SLOWEST_APPROACH 1e-6

/// Impacts in turn in a step. A row of n balls needs about 2 n, a ball between a wall and one that
/// is n times as heavy 1.6 sqrt(n). What approaches after that many is stopped, as with restitution
/// 0.
#define MO_MOST_IMPACTS 200

typedef struct mo_impact_solve {
  mo_world *world;
  const mo_row_problem *problem;
  const double *restitutions;
  const mo_velocity *start;
  double slowest;       ///< m/s
  bool *may_be_hit;     ///< per block: a contact of an island with impacts
  bool *is_held;        ///< per block: a rigid joint of such an island
  bool *chosen;         ///< per block: contacts of the present solve
  double *biases;       ///< per block, of the present solve; null: 0
  double *impulses;     ///< per block, N s, of the present solve
  mo_row_problem part;  ///< blocks of the present solve
  mo_velocity *changed; ///< per body: after the present solve
} mo_impact_solve;

/// @return false without memory
bool mo_impact_solve_make_room(mo_impact_solve *r, mo_arena *arena);
/// Finds the contacts that begin an impact, and the islands that it may reach.
/// @return false without memory
bool mo_impact_solve_find_islands(mo_impact_solve *r, mo_arena *arena, bool *any);
/// The speed with which a contact parts, m/s.
double mo_impact_normal_speed(const mo_impact_solve *r, uint32_t block,
                              const mo_velocity *velocities);
/// Whether a contact is hit in this step by bodies with these velocities.
bool mo_impact_approaches(const mo_impact_solve *r, uint32_t block, const mo_velocity *velocities);
/// Finds the least impulses with which no chosen contact approaches, and the velocities after them.
mo_result mo_impact_solve_stop(mo_impact_solve *r, const mo_velocity *velocities);
