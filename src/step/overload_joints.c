#include "constraints/drives.h"
#include "constraints/substep_joint_form.h"
#include "math/scalar.h"
#include "solvers/joint_graph.h"
#include "step/overload.h"

// The ratio of two masses that a joint links. It is larger than that of contacts, because soft-step
// solves trees of joints directly, which bears more than sweeps do.
#define JOINT_OVERLOAD 100.0

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
//
// A motor that is to arrive within a step moves all that hangs on it. In a tree of joints with
// locks soft-step solves it with all of these; elsewhere sweeps bring such motors in series only a
// part of the way, and the rest grows.

// Whether soft-step has the form of a joint with locks for it: not for distances, pose motors, and
// what couples joints.
static bool has_locks(const mo_constraint *c) {
  return mo_constraint_has_substep_form(c) && c->class->substep_kinds[0] != MO_SUBSTEP_LENGTH;
}

static void count_joints(const mo_world *world, mo_joint_graph *graph) {
  uint32_t slots[MO_ROW_SIDES];
  for (uint32_t i = 0; i < world->constraint_ids.slot_count; i++) {
    uint32_t count = mo_world_joined_slots(world, i, slots);
    if (count > 0 && has_locks(&world->constraints[i])) {
      mo_joint_graph_count_joint(graph, slots, count);
    } else if (count > 0) {
      mo_joint_graph_component(graph, slots[0])->needs_sweeps = true;
    }
  }
  mo_joint_graph_count_members(graph);
}

// Adds the bodies of motors that sweeps would bring only a part of the way.
static void want_motors(const mo_world *world, mo_joint_graph *graph, uint8_t *wanted) {
  uint32_t slots[MO_ROW_SIDES];
  if (world->arriving_count == 0) {
    return;
  }
  count_joints(world, graph);
  for (uint32_t i = 0; i < world->constraint_ids.slot_count; i++) {
    if (mo_world_joined_slots(world, i, slots) > 0 &&
        mo_constraint_arrives(&world->constraints[i])) {
      const mo_joint_component *of = mo_joint_graph_component(graph, slots[0]);
      wanted[mo_joint_graph_root(graph, slots[0])] |=
          of->members > 1 && !mo_joint_component_is_sparse(of);
    }
  }
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
  uint32_t slots = world->ids.slot_count, joined[MO_ROW_SIDES];
  mo_joint_graph graph;
  uint8_t *wanted = MO_ARENA_TAKE(arena, uint8_t, slots),
          *closed = MO_ARENA_TAKE(arena, uint8_t, slots);
  if (!wanted || !closed || !mo_joint_graph_begin(&graph, slots, arena)) {
    return false;
  }
  for (uint32_t i = 0; i < world->constraint_ids.slot_count; i++) {
    mo_joint_graph_link(&graph, joined, mo_world_joined_slots(world, i, joined));
  }
  for (uint32_t i = 0; i < world->constraint_ids.slot_count; i++) {
    uint32_t count = mo_world_joined_slots(world, i, joined);
    for (uint32_t k = 0; count > 1 && k < count; k++) {
      uint32_t root = mo_joint_graph_root(&graph, joined[0]);
      wanted[root] |= are_unequal(world, joined, count);
      closed[root] |= !mo_overload_is_open(world, joined[k]);
    }
  }
  want_motors(world, &graph, wanted);
  for (uint32_t slot = 0; slot < slots; slot++) {
    wanted[mo_joint_graph_root(&graph, slot)] |= chosen[slot];
  }
  for (uint32_t slot = 0; slot < slots; slot++) {
    uint32_t root = mo_joint_graph_root(&graph, slot);
    chosen[slot] = wanted[root] && !closed[root];
  }
  return true;
}
