#include "constraints/drives.h"
#include "math/scalar.h"
#include "memory/union_find.h"
#include "step/overload.h"

// The ratio of two masses that a joint links. It is larger than that of contacts, because soft-step
// solves trees of joints directly, which bears more than sweeps do.
#define JOINT_OVERLOAD 100.0

// The dynamic bodies of a constraint. Returns their number.
static uint32_t bodies_of(const mo_world *world, uint32_t index, uint32_t slots[MO_ROW_SIDES]) {
  return world->constraint_ids.alive[index]
             ? mo_world_dynamic_slots(world, &world->constraints[index], slots)
             : 0;
}

// Whether the masses of bodies that a constraint links overload one of them.
static bool are_unequal(const mo_world *world, const uint32_t *slots, uint32_t count) {
  double least = INFINITY, most = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    least = mo_min(least, world->bodies[slots[i]].mass.mass);
    most = mo_max(most, world->bodies[slots[i]].mass.mass);
  }
  return count > 1 && most >= JOINT_OVERLOAD * least;
}

// Whether a motor is to arrive within a step, which moves all that hangs on it. Sweeps bring such
// motors in series only a part of the way, and the rest grows.
static bool arrives(const mo_world *world, uint32_t index) {
  return world->constraint_ids.alive[index] && world->arriving_count > 0 &&
         mo_constraint_arrives(&world->constraints[index]);
}

bool mo_overload_choose_by_joints(mo_world *world, uint8_t *chosen) {
  mo_arena *arena = &world->step_arena;
  uint32_t slots = world->ids.slot_count;
  uint32_t *parents = MO_ARENA_TAKE_RAW(arena, uint32_t, slots);
  uint8_t *wanted = MO_ARENA_TAKE(arena, uint8_t, slots),
          *closed = MO_ARENA_TAKE(arena, uint8_t, slots),
          *is_linked = MO_ARENA_TAKE(arena, uint8_t, slots);
  if (!parents || !wanted || !closed || !is_linked) {
    return false;
  }
  mo_union_find_reset(parents, slots);
  uint32_t joined[MO_ROW_SIDES];
  for (uint32_t i = 0; i < world->constraint_ids.slot_count; i++) {
    uint32_t count = bodies_of(world, i, joined);
    for (uint32_t k = 1; k < count; k++) {
      mo_union_find_join(parents, joined[0], joined[k]);
    }
  }
  for (uint32_t i = 0; i < world->constraint_ids.slot_count; i++) {
    uint32_t count = bodies_of(world, i, joined);
    for (uint32_t k = 0; count > 1 && k < count; k++) {
      uint32_t root = mo_union_find_root(parents, joined[0]);
      is_linked[root] = 1;
      wanted[root] |= are_unequal(world, joined, count);
      closed[root] |= !mo_overload_is_open(world, joined[k]);
    }
  }
  for (uint32_t i = 0; i < world->constraint_ids.slot_count; i++) {
    if (arrives(world, i) && bodies_of(world, i, joined) > 0) {
      uint32_t root = mo_union_find_root(parents, joined[0]);
      wanted[root] |= is_linked[root];
    }
  }
  for (uint32_t slot = 0; slot < slots; slot++) {
    wanted[mo_union_find_root(parents, slot)] |= chosen[slot];
  }
  for (uint32_t slot = 0; slot < slots; slot++) {
    uint32_t root = mo_union_find_root(parents, slot);
    chosen[slot] = wanted[root] && !closed[root];
  }
  return true;
}
