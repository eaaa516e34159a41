/// What a step that rests leaves for the next. Private to src.
///
/// Where all bodies that rows move merely creep, the contacts of a step are those of the one
/// before. Such a step has no narrow phase, makes no rows and packs none.
#pragma once

#include "dynamics/body.h"
#include "solvers/block_pgs/kept_rows.h"

/// A body of the problem when its rows were made.
typedef struct mo_kept_body {
  mo_vec3 center_of_mass;
  mo_quat orientation;
  double displacement; ///< m: of the world's displacements
  double reach;        ///< m: how far any of its points would have come without contacts
} mo_kept_body;

/// Begins as zeros. Its arrays are in the world's problem_arena, with the problem.
typedef struct mo_kept_step {
  bool is_valid;
  double dt; ///< s
  mo_kept_rows rows;
  uint32_t body_count;
  mo_kept_body *bodies; ///< per body of last_step.problem
  uint32_t *contacts;   ///< per block of it: its contact
  uint32_t *points;     ///< per block: its point there
} mo_kept_step;
