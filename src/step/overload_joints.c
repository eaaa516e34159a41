#include "constraints/drives.h"
#include "constraints/substep_joint_form.h"
#include "math/scalar.h"
#include "memory/union_find.h"
#include "solvers/soft_step/joints/joint_data.h"
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

// --- motors that arrive ----------------------------------------------------------------------

// Bodies that joints link, by their mo_union_find_root. A motor that is to arrive within a step
// moves all that hangs on it. In a tree of joints with locks soft-step solves it with all of these;
// elsewhere sweeps bring such motors in series only a part of the way, and the rest grows.
typedef struct linkage {
  const mo_world *world;
  uint32_t *parents;
  uint32_t *members, *links; // per root: bodies, and joints with locks between two of them
  uint32_t *at_body;         // per slot: joints with locks
  uint8_t *arrives;          // per root: it has a motor that is to arrive
  uint8_t *has_others;       // per root: constraints of another form, which sweeps solve
} linkage;

static bool take_linkage(linkage *l, mo_arena *arena) {
  uint32_t slots = l->world->ids.slot_count;
  l->members = MO_ARENA_TAKE(arena, uint32_t, slots);
  l->links = MO_ARENA_TAKE(arena, uint32_t, slots);
  l->at_body = MO_ARENA_TAKE(arena, uint32_t, slots);
  l->arrives = MO_ARENA_TAKE(arena, uint8_t, slots);
  l->has_others = MO_ARENA_TAKE(arena, uint8_t, slots);
  return l->members && l->links && l->at_body && l->arrives && l->has_others;
}

// Whether soft-step has the form of a joint with locks for it: not for distances, pose motors, and
// what couples joints.
static bool has_locks(const mo_constraint *c) {
  return mo_constraint_has_substep_form(c) && c->class->substep_kinds[0] != MO_SUBSTEP_LENGTH;
}

static void count_joint(linkage *l, const mo_constraint *c, const uint32_t *slots, uint32_t count) {
  uint32_t root = mo_union_find_root(l->parents, slots[0]);
  l->arrives[root] |= mo_constraint_arrives(c);
  if (!has_locks(c)) {
    l->has_others[root] = 1;
    return;
  }
  l->links[root] += count > 1;
  for (uint32_t k = 0; k < count; k++) {
    l->at_body[slots[k]]++;
  }
}

static void count_joints(linkage *l) {
  uint32_t slots[MO_ROW_SIDES];
  for (uint32_t i = 0; i < l->world->constraint_ids.slot_count; i++) {
    uint32_t count = bodies_of(l->world, i, slots);
    if (count > 0) {
      count_joint(l, &l->world->constraints[i], slots, count);
    }
  }
  for (uint32_t slot = 0; slot < l->world->ids.slot_count; slot++) {
    uint32_t root = mo_union_find_root(l->parents, slot);
    l->members[root]++;
    l->has_others[root] |= l->at_body[slot] > MO_MOST_JOINTS_AT_BODY;
  }
}

// Adds the bodies of motors that sweeps would bring only a part of the way.
static bool want_motors(linkage *l, mo_arena *arena, uint8_t *wanted) {
  if (l->world->arriving_count == 0) {
    return true;
  }
  if (!take_linkage(l, arena)) {
    return false;
  }
  count_joints(l);
  for (uint32_t slot = 0; slot < l->world->ids.slot_count; slot++) {
    bool is_tree = !l->has_others[slot] && l->links[slot] + 1 == l->members[slot];
    wanted[slot] |= l->arrives[slot] && l->members[slot] > 1 && !is_tree;
  }
  return true;
}

// --- all -------------------------------------------------------------------------------------

static bool may_choose(const mo_world *world, bool some_are_chosen) {
  const mo_mass_bounds *bounds = &world->mass_bounds;
  return world->constraint_ids.alive_count > 0 &&
         (some_are_chosen || world->arriving_count > 0 ||
          bounds->heaviest * bounds->largest_inverse >= JOINT_OVERLOAD);
}

bool mo_overload_choose_by_joints(mo_world *world, bool some_are_chosen, uint8_t *chosen) {
  if (!may_choose(world, some_are_chosen)) {
    return true;
  }
  mo_arena *arena = &world->step_arena;
  uint32_t slots = world->ids.slot_count;
  uint32_t *parents = MO_ARENA_TAKE_RAW(arena, uint32_t, slots);
  uint8_t *wanted = MO_ARENA_TAKE(arena, uint8_t, slots),
          *closed = MO_ARENA_TAKE(arena, uint8_t, slots);
  if (!parents || !wanted || !closed) {
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
      wanted[root] |= are_unequal(world, joined, count);
      closed[root] |= !mo_overload_is_open(world, joined[k]);
    }
  }
  linkage l = {.world = world, .parents = parents};
  if (!want_motors(&l, arena, wanted)) {
    return false;
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
