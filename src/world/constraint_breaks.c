#include "memory/array.h"
#include "world/checks.h"
#include "world/constraints.h"

bool mo_world_reserve_breaks(mo_world *world, uint32_t more) {
  uint32_t told = world->journal.is_open ? world->breaking_count : world->broken_count;
  return MO_RESERVE(world, broken, told + world->breakable_count + more);
}

void mo_world_check_load(mo_world *world, mo_constraint *constraint, double dt) {
  if (!mo_constraint_may_break(constraint) || constraint->is_breaking || !constraint->is_active) {
    return;
  }
  mo_constraint_place at =
      mo_world_constraint_place(world, world->motions, world->time, constraint);
  mo_constraint_reaction reaction;
  if (mo_constraint_reaction_of(constraint, &at, &reaction)) {
    return;
  }
  double force = mo_length(reaction.linear) / dt, torque = mo_length(reaction.angular) / dt;
  if (force > constraint->break_force || torque > constraint->break_torque) {
    constraint->force = force;
    constraint->torque = torque;
    constraint->is_breaking = true;
    world->breaking_count++;
  }
}

// Ends a constraint and records its break; there is room for the record.
static void end_broken(mo_world *world, uint32_t slot) {
  const mo_constraint *constraint = &world->constraints[slot];
  world->broken[world->broken_count++] =
      (mo_broken_constraint){.constraint = mo_world_constraint_in_slot(world, slot),
                             .force = constraint->force,
                             .torque = constraint->torque,
                             .body_a = mo_world_body_in_slot(world, constraint->slot_a),
                             .body_b = mo_world_body_in_slot(world, constraint->slot_b),
                             .body_c = mo_world_body_in_slot(world, constraint->slot_c),
                             .body_d = mo_world_body_in_slot(world, constraint->slot_d)};
  mo_world_end_constraint(world, slot);
}

mo_result mo_constraint_break(mo_world *world, mo_constraint_id id) {
  static const char *const function = "mo_constraint_break";
  bool in_step = world->journal.is_open;
  if (!in_step) {
    MO_RETURN_IF_REFUSED(mo_check_unlocked(world, function));
  }
  MO_RETURN_IF_REFUSED(mo_check_constraint_id(world, function, id));
  mo_constraint *constraint = &world->constraints[mo_constraint_id_slot(id)];
  if (constraint->is_breaking) {
    return MO_OK;
  }
  if (!mo_world_reserve_breaks(world, 1)) {
    return mo_world_refuse_text(world, MO_ERROR_OUT_OF_MEMORY, function,
                                "no memory to tell of another broken constraint");
  }
  if (in_step) {
    constraint->is_breaking = true;
    world->breaking_count++;
  } else {
    end_broken(world, mo_constraint_id_slot(id));
  }
  return MO_OK;
}

void mo_world_break_marked(mo_world *world) {
  world->broken_count = 0;
  for (uint32_t slot = 0; world->breaking_count > 0; slot++) {
    if (world->constraint_ids.alive[slot] && world->constraints[slot].is_breaking) {
      world->breaking_count--;
      end_broken(world, slot);
    }
  }
}

void mo_world_forget_breaks(mo_world *world) {
  for (uint32_t slot = 0; world->breaking_count > 0; slot++) {
    if (world->constraint_ids.alive[slot] && world->constraints[slot].is_breaking) {
      world->breaking_count--;
      world->constraints[slot].is_breaking = false;
    }
  }
}

const mo_broken_constraint *mo_world_broken_constraints(const mo_world *world, uint32_t *count) {
  *count = world->broken_count;
  return world->broken;
}
