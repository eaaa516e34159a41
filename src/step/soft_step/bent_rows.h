/// Rows of soft-step whose directions change within a step, as those of a path do and of a body
/// that swings along the edge of a ball joint's cone. Private to src/step/soft_step.
///
/// After each move of a substep they are made at the poses of its end, so that the pass that
/// follows gives the velocity the direction of the way there. Before each move they ask for
/// J v = -h/2 d^2C/dt^2, which leads along the chord of the way. Speed is kept to the fourth order
/// of the angle by which the way turns in a substep.
#pragma once

#include "solvers/soft_step/joints/substep_rows.h"
#include "step/soft_step/soft_step.h"

/// Has the bent rows of the problem followed, if there are any.
/// @param firsts per constraint slot: its first row
mo_result mo_bent_rows_find(const mo_soft_step *step, mo_substep_rows *rows,
                            const uint32_t *firsts);
