/// The part of a step that soft-step solves. Private to src.
#pragma once

#include "step/stages.h"

/// Finds the contacts, constraints and motions at the end of the step of all awake bodies of
/// soft-step. In the world it writes only what its journal records, and the joints, which a refused
/// step makes again.
mo_result mo_soft_stage_run(mo_world *world, double dt, const mo_solver_choice *choice,
                            mo_soft_stage *soft);
/// Keeps contacts and impulses, and moves the boxes of the broad phase to the new motions. Cannot
/// fail.
void mo_soft_stage_commit(mo_world *world, double dt, const mo_solver_choice *choice,
                          mo_soft_stage *soft);
/// What read-outs need of the step.
mo_soft_record mo_soft_stage_record(const mo_world *world, const mo_soft_stage *soft);
