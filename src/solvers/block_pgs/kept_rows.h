/// Packed contact rows that serve more than one step.
///
/// If bodies move by almost nothing, the Jacobians of a step are those of the one before, to the
/// accuracy of the solver. What differs are the free velocities and the gaps, which follow from the
/// Jacobians and the displacements of the bodies since the rows were made.
#pragma once

#include "constraints/contact.h"
#include "memory/journal.h"
#include "memory/record.h"
#include "solvers/block_pgs/block_pgs.h"

typedef struct mo_kept_rows {
  mo_packed_rows packed;
  double least_gap; ///< m, of all rows
  bool is_ahead;    ///< gaps, biases and impulses are newer in `packed` than in the rows
} mo_kept_rows;

/// The values of each two manifolds of `packed` from which the next step starts.
extern const mo_record_type mo_kept_manifold_record;

/// The smallest gap of the rows of a problem, m.
double mo_least_gap(const mo_row_problem *problem);

/// Updates gaps and biases, and packs manifolds again whose biases changed.
/// @param displacements per body, m and rad, since the rows were made
/// @param misfit m/s, as for mo_contact_lanes_make
/// @param journal records what is changed
/// @return false without memory
bool mo_kept_rows_refresh(mo_kept_rows *kept, mo_row_problem *problem,
                          const mo_velocity *displacements, const mo_contact_settings *settings,
                          double misfit, mo_journal *journal);
/// Sets marks[body] = mark for the bodies that an impulse pushes.
void mo_kept_rows_mark_pushed(const mo_kept_rows *kept, uint8_t *marks, uint8_t mark);

/// A contact point as its rows describe it.
typedef struct mo_kept_point {
  uint32_t block;          ///< of the problem
  double separation;       ///< m
  double normal_impulse;   ///< N s
  mo_vec3 tangent_impulse; ///< N s, world, on B
} mo_kept_point;

typedef void mo_kept_point_function(void *context, const mo_kept_point *point);
/// Calls `function` with every point.
void mo_kept_rows_visit_points(const mo_kept_rows *kept, mo_kept_point_function *function,
                               void *context);
/// Writes the present values into the rows of the problem.
void mo_kept_rows_write_down(mo_kept_rows *kept, mo_row_problem *problem);
