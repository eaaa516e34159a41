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

// Ends a constraint and records its break, after those of the gears and racks that couple it; there
// is room for the records.
static void end_broken(mo_world *world, uint32_t slot) {
  mo_constraint *constraint = &world->constraints[slot];
  for (uint32_t user = 0; constraint->users > 0; user++) {
    user = mo_world_next_user(world, slot, user);
    end_broken(world, user);
  }
  world->breaking_count -= constraint->is_breaking;
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

// Marks a constraint to break, and the gears and racks that couple it, which end with it.
static void mark(mo_world *world, uint32_t slot) {
  mo_constraint *constraint = &world->constraints[slot];
  world->breaking_count += !constraint->is_breaking;
  constraint->is_breaking = true;
  for (uint32_t i = 0, user = 0; i < constraint->users; i++, user++) {
    user = mo_world_next_user(world, slot, user);
    mark(world, user);
  }
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
  if (!mo_world_reserve_breaks(world, 1 + constraint->users)) {
    return mo_world_refuse_text(world, MO_ERROR_OUT_OF_MEMORY, function,
                                "no memory to tell of another broken constraint");
  }
  if (in_step) {
    mark(world, mo_constraint_id_slot(id));
  } else {
    end_broken(world, mo_constraint_id_slot(id));
  }
  return MO_OK;
}

void mo_world_break_marked(mo_world *world) {
  world->broken_count = 0;
  for (uint32_t slot = 0; world->breaking_count > 0; slot++) {
    if (world->constraint_ids.alive[slot] && world->constraints[slot].is_breaking) {
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
