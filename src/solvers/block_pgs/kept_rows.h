/// Rows of contacts that rest, kept from one step to the next. Private to src/world.
///
/// Where all bodies that rows move merely creep, the contacts of a step are those of the one before
/// and so, within what a solver makes of them, are their Jacobians. What differs are the free
/// velocities, and the gaps, which follow from the Jacobians and the way of the bodies since they
/// were made. Such a step has no narrow phase, makes no rows and packs none.
#pragma once

#include "dynamics/body.h"
#include "solvers/block_pgs/block_pgs.h"

/// A body of the problem when its rows were made.
typedef struct mo_kept_body {
  mo_vec3 center_of_mass;
  mo_quat orientation;
  double displacement; ///< m: world->displacements
  double reach;        ///< m: how far any of its points would have come without contacts
} mo_kept_body;

/// Begins as zeros. Its arrays are in the world's problem_arena, with the problem.
typedef struct mo_kept_rows {
  bool is_valid;
  bool is_ahead;    ///< gaps, biases and impulses are in `packed`, not in the rows
  double dt;        ///< s
  double least_gap; ///< m, of all rows
  mo_packed_rows packed;
  mo_kept_body *bodies; ///< per body of last_step.problem
  uint32_t *contacts;   ///< per block of it: its contact
  uint32_t *points;     ///< per block: its point there
} mo_kept_rows;

/// Brings the rows of the last step up to date.
void mo_kept_rows_write_down(mo_kept_rows *kept, mo_row_problem *problem);
