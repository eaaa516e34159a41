/// Groups of rows, one at a time: everything that block-pgs relaxes except contact manifolds. These
/// are joints, motors, limits, and contacts without friction or with rows that are not those of
/// points.
#pragma once

#include "solvers/block_pgs/contact_lanes.h"
#include "solvers/block_pgs/joined_rows.h"

typedef struct mo_row_group mo_row_group;
typedef struct mo_packed_row mo_packed_row;
typedef struct mo_packed_pair mo_packed_pair;

/// The joined rows among the groups.
typedef struct mo_joined_groups {
  mo_joined_rows joined;
  uint32_t *rows, *groups; ///< per joined row: its packed row, and the group of that
} mo_joined_groups;

typedef struct mo_row_groups {
  mo_row_group *groups;
  mo_packed_row *rows;
  uint32_t count;
  mo_joined_groups *joined; ///< null: no joints share a body
} mo_row_groups;

/// Packs the blocks of a problem that contact lanes do not take. Neighbouring contact points of the
/// same two bodies become one group.
/// @param taken per block
/// @return false without memory
bool mo_row_groups_make(const mo_row_problem *problem, const bool *taken, mo_arena *arena,
                        mo_row_groups *out);
/// Lets the joints that form trees be solved together. Their blocks must not be taken.
/// @param cache may be null
/// @return false without memory
bool mo_joined_groups_make(const mo_row_problem *problem, mo_ordering_cache *cache, mo_arena *arena,
                           mo_row_groups *groups);
/// Solves the joined rows. Returns the largest change of a row's velocity, m/s.
double mo_joined_groups_relax(mo_row_groups *groups, mo_velocity *velocities);

/// Adds the change by the impulses to the velocities.
void mo_row_groups_warm_start(const mo_row_groups *groups, mo_velocity *velocities);

/// Adds `beta` times their directions to the impulses (the velocities have that change already),
/// then relaxes each group once, and all joined rows.
void mo_row_groups_sweep(mo_row_groups *groups, double beta, double tolerance,
                         mo_velocity *velocities, mo_sweep_report *report);

/// Subtracts the part of slipping groups from velocities that belong to all changes and directions.
void mo_row_groups_leave_out_slipping(const mo_row_groups *groups, mo_velocity *changes,
                                      mo_velocity *directions);

/// Projects friction onto its discs and copies the impulses to the rows.
void mo_row_groups_finish(const mo_row_groups *groups, mo_row_problem *problem,
                          mo_velocity *velocities);
