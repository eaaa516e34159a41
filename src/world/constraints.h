/// Ending, changing and breaking constraints. Private to src/world and src/step.
#pragma once

#include "world/world.h"

/// Destroys a constraint that is alive, and the gears and racks that couple it. Must not be called
/// in a step.
void mo_world_end_constraint(mo_world *world, uint32_t slot);
/// The first slot, `from` on, of a constraint of a body; the number of slots if none.
uint32_t mo_world_next_constraint(const mo_world *world, uint32_t body_slot, uint32_t from);
/// Whether no body of a constraint is disabled. One that does not act is to the other bodies as if
/// it were not there.
bool mo_world_constraint_acts(const mo_world *world, const mo_constraint *constraint);
/// Counts a constraint, if it acts, once more (+1) or less (-1) at its bodies.
void mo_world_count_acting(mo_world *world, const mo_constraint *constraint, int change);
/// Does so for all constraints of a body: before it is disabled or enabled, and after that.
void mo_world_count_acting_of(mo_world *world, uint32_t body_slot, int change);

// --- gears and racks of joints (couplings.c) ------------------------------------------------

/// Checks the joints that a definition names, if any, and gives it their bodies.
mo_result mo_world_take_coupled_bodies(mo_world *world, mo_constraint_def *def);
/// Gives a new constraint the joints of its checked definition, if any. Cannot fail.
void mo_world_couple(mo_world *world, const mo_constraint_def *def, const mo_constraint_place *at,
                     mo_constraint *constraint);
/// Part of the end of a constraint: ends the gears and racks of it, and frees its joints.
void mo_world_uncouple(mo_world *world, uint32_t slot);
/// The first slot, `from` on, of a gear or rack that couples a joint; the number of slots if none.
uint32_t mo_world_next_user(const mo_world *world, uint32_t joint_slot, uint32_t from);

/// The point of a path at a length, with A where it is.
mo_path_point mo_world_path_point(const mo_world *world, const mo_constraint *path, double length);

/// The bodies A, B, C and D of a constraint as far as pushes move them; zeros for none.
void mo_world_constraint_row_bodies(const mo_world *world, const mo_constraint *constraint,
                                    mo_row_body out[MO_ROW_SIDES]);
/// Sets the effective masses of a constraint's coordinates, and of all at a body.
void mo_world_weigh_constraint(const mo_world *world, mo_constraint *constraint);
void mo_world_weigh_constraints(mo_world *world, uint32_t body_slot);
/// Ends the effect of those constraints of a body that have none any more, as it takes part in
/// another way: they are not active, and have no impulses.
void mo_world_silence_constraints(mo_world *world, uint32_t body_slot);

// --- checks of definitions and setters (constraints.c) ---------------------------------------

mo_result mo_check_drive(mo_world *world, const char *function, const mo_constraint_class *class,
                         uint32_t coordinate, const mo_coordinate_drive *drive);
mo_result mo_check_break(mo_world *world, const char *function, const mo_constraint_class *class,
                         double force, double torque);
/// Whether a constraint is alive and has a coordinate of that number.
mo_result mo_check_constraint_coordinate(mo_world *world, const char *function, mo_constraint_id id,
                                         uint32_t coordinate);

// --- breaking (constraint_breaks.c) ----------------------------------------------------------
//
// A function of the user that runs in a step may ask to break a constraint, which that step still
// needs. The request is a mark on the constraint: it takes no memory, and asking twice is the same
// as asking once.

/// Whether there is memory to tell of all constraints that may break in a step, and of `more`.
bool mo_world_reserve_breaks(mo_world *world, uint32_t more);
/// Part of the commit of a step that has solved a constraint: marks it if its load is too much.
void mo_world_check_load(mo_world *world, mo_constraint *constraint, double dt);
/// Breaks the marked constraints by ascending slot, and reports them in
/// mo_world_broken_constraints. It is the last part of the commit of a step, whose journal is
/// closed.
void mo_world_break_marked(mo_world *world);
/// Removes the marks because the step is refused.
void mo_world_forget_breaks(mo_world *world);
