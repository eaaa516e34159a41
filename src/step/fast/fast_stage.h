/// The part of a step that soft-step solves. Private to src/world.
#pragma once

#include "step/stages.h"

/// Contacts, constraints and motions at the end of the step of all awake bodies that soft-step
/// moves. Writes nothing of the world but what its journal notes, and the joints, which a refused
/// step makes anew.
mo_result mo_fast_stage_run(mo_world *world, double dt, const mo_solver_choice *choice,
                            mo_fast_stage *fast);
/// Keeps contacts and impulses, and covers the bodies, whose motions are those of the end by now.
/// Cannot fail.
void mo_fast_stage_commit(mo_world *world, double dt, const mo_solver_choice *choice,
                          mo_fast_stage *fast);
/// What is left of it for read-outs.
mo_fast_record mo_fast_stage_record(const mo_world *world, const mo_fast_stage *fast);
