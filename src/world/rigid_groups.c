/// Bodies that fixed joints make one: no two of them can move against each other, so a contact
/// between them could only fight the joints. Where a joint may break, the contact keeps its load.
/// All static bodies and the world are one, too.
#include "memory/array.h"
#include "memory/union_find.h"
#include "world/constraints.h"
#include "world/world.h"

// Rows of a joint that leaves no freedom.
#define ALL_FREEDOMS 6u

static bool is_rigid(const mo_constraint *c) {
  bool may_be = c->type == MO_CONSTRAINT_FIXED || c->type == MO_CONSTRAINT_SIX_DOF;
  return may_be && c->base_dimension == ALL_FREEDOMS && c->compliance == 0.0 &&
         !c->collide_connected && !mo_constraint_may_break(c);
}

// The node of a body among the slots, after which comes what does not move.
static uint32_t node_of(const mo_world *world, uint32_t slot) {
  bool moves = slot != MO_WORLD_SLOT && world->bodies[slot].type != MO_BODY_STATIC;
  return moves ? slot : world->ids.slot_count;
}

static uint32_t join_all(const mo_world *world, uint32_t *roots) {
  const mo_id_pool *ids = &world->constraint_ids;
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < ids->slot_count; slot++) {
    const mo_constraint *c = &world->constraints[slot];
    if (ids->alive[slot] && mo_world_constraint_acts(world, c) && is_rigid(c)) {
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

// Names each body's group by its root. What does not move belongs to the group of what is fixed to
// it, if there is some.
static void resolve_roots(const mo_world *world, uint32_t *roots) {
  uint32_t slots = world->ids.slot_count, still = mo_union_find_root(roots, slots);
  for (uint32_t slot = 0; slot < slots; slot++) {
    bool is_still = world->ids.alive[slot] && node_of(world, slot) == slots;
    roots[slot] = is_still && still < slots ? still : mo_union_find_root(roots, slot);
  }
}

static uint32_t root_before(const mo_joined_pairs *joined, uint32_t slot) {
  return slot < joined->groups_count ? joined->groups[slot] : slot;
}

static void note_changes(mo_world *world, const uint32_t *roots, uint32_t slots) {
  const mo_joined_pairs *joined = &world->joined;
  for (uint32_t slot = 0; slot < slots; slot++) {
    note_change(world, slot, root_before(joined, slot), roots[slot]);
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

bool mo_world_update_rigid_groups(mo_world *world) {
  mo_joined_pairs *joined = &world->joined;
  uint32_t slots = world->ids.slot_count;
  if (!MO_RESERVE(joined, roots, slots + 1)) {
    return false;
  }
  mo_union_find_reset(joined->roots, slots + 1);
  joined->rigid_count = join_all(world, joined->roots);
  resolve_roots(world, joined->roots);
  note_changes(world, joined->roots, slots);
  keep(joined, slots);
  return true;
}

bool mo_joined_pairs_are_rigid(const mo_joined_pairs *pairs, uint32_t slot_a, uint32_t slot_b) {
  uint32_t higher = slot_a < slot_b ? slot_b : slot_a;
  return pairs->rigid_count > 0 && higher < pairs->groups_count &&
         pairs->groups[slot_a] == pairs->groups[slot_b];
}
