/// Bodies that fixed joints make one: no two of them can move against each other, so a contact
/// between them could only fight the joints. Where a joint may break, the contact keeps its load.
#include "memory/array.h"
#include "memory/union_find.h"
#include "world/world.h"

// Rows of a joint that leaves no freedom.
#define ALL_FREEDOMS 6u

bool mo_constraint_is_rigid(const mo_constraint *c) {
  bool may_be = c->type == MO_CONSTRAINT_FIXED || c->type == MO_CONSTRAINT_SIX_DOF;
  return may_be && c->base_dimension == ALL_FREEDOMS && c->compliance == 0.0 &&
         !c->collide_connected && !mo_constraint_may_break(c);
}

// The node of a body among the slots, after which comes the world.
static uint32_t node_of(const mo_world *world, uint32_t slot) {
  return slot == MO_WORLD_SLOT ? world->ids.slot_count : slot;
}

static uint32_t join_all(const mo_world *world, uint32_t *roots) {
  const mo_id_pool *ids = &world->constraint_ids;
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < ids->slot_count; slot++) {
    const mo_constraint *c = &world->constraints[slot];
    if (ids->alive[slot] && mo_constraint_is_rigid(c)) {
      mo_union_find_join(roots, node_of(world, c->slot_a), node_of(world, c->slot_b));
      count++;
    }
  }
  return count;
}

// The pairs of a body that has come into another group are asked again, and found again.
static void note_change(mo_world *world, uint32_t slot, uint32_t before, uint32_t now) {
  if (before != now && world->ids.alive[slot]) {
    mo_world_recheck_contacts(world, slot);
    mo_world_touch_proxies(world, slot);
  }
}

static void keep(mo_joined_pairs *joined, uint32_t slots) {
  uint32_t *groups = joined->groups, capacity = joined->groups_capacity;
  joined->groups = joined->roots;
  joined->groups_capacity = joined->roots_capacity;
  joined->groups_count = slots;
  joined->roots = groups;
  joined->roots_capacity = capacity;
}

bool mo_world_find_rigid_groups(mo_world *world) {
  mo_joined_pairs *joined = &world->joined;
  uint32_t slots = world->ids.slot_count;
  if (!MO_RESERVE(joined, roots, slots + 1)) {
    return false;
  }
  mo_union_find_reset(joined->roots, slots + 1);
  joined->rigid_count = join_all(world, joined->roots);
  for (uint32_t slot = 0; slot <= slots; slot++) {
    joined->roots[slot] = mo_union_find_root(joined->roots, slot);
  }
  keep(joined, slots);
  return true;
}

// After `keep` the groups before are where the roots were made.
void mo_world_update_rigid_groups(mo_world *world) {
  mo_joined_pairs *joined = &world->joined;
  uint32_t known = joined->groups_count;
  joined->groups_are_stale = !mo_world_find_rigid_groups(world);
  for (uint32_t slot = 0; !joined->groups_are_stale && slot < joined->groups_count; slot++) {
    note_change(world, slot, slot < known ? joined->roots[slot] : slot, joined->groups[slot]);
  }
}

bool mo_joined_pairs_are_rigid(const mo_joined_pairs *pairs, uint32_t slot_a, uint32_t slot_b) {
  uint32_t higher = slot_a < slot_b ? slot_b : slot_a;
  return pairs->rigid_count > 0 && higher < pairs->groups_count &&
         pairs->groups[slot_a] == pairs->groups[slot_b];
}
