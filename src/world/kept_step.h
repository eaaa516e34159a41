/// What a step at rest keeps for the next one. Private to src.
///
/// If all bodies in rows move by almost nothing, their contacts stay those of the step before. Such
/// a step runs no narrow phase, and neither makes nor packs rows.
#pragma once

#include "dynamics/body.h"
#include "solvers/block_pgs/kept_rows.h"

/// A body of the problem when its rows were made.
typedef struct mo_kept_body {
  mo_vec3 center_of_mass;
  mo_quat orientation;
  double displacement; ///< m: world->displacements of the body
  double reach;        ///< m: how far any of its points would have moved without contacts
} mo_kept_body;

/// Begins as zeros. Its arrays are in the world's problem_arena, with the problem.
typedef struct mo_kept_step {
  bool is_valid;
  double dt; ///< s
  mo_kept_rows rows;
  uint32_t body_count;
  mo_kept_body *bodies; ///< per body of last_step.problem
  uint32_t *contacts;   ///< per block: its contact
  uint32_t *points;     ///< per block: its point of that contact
} mo_kept_step;
