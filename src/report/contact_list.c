#include "report/contact_list.h"

#include "step/soft_step/soft_problem.h"
#include "world/pair_order.h"

typedef struct builder {
  mo_world *world;
  mo_contact *items;
  mo_sort_entry *order;
  uint32_t count;
} builder;

static void add(builder *to, const mo_contact *contact) {
  to->items[to->count] = *contact;
  to->order[to->count] = (mo_sort_entry){
      .key = mo_sort_key_of_both(contact->slot_a, contact->slot_b), .value = to->count};
  to->count++;
}

static mo_pair_order order_of(const mo_contact *contact) {
  return mo_pair_order_of(contact->slot_a, contact->shape_a, contact->slot_b, contact->shape_b);
}

static void add_soft(builder *to, const mo_substep_contact *contacts, uint32_t count) {
  const mo_world *world = to->world;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t a = contacts[i].pair.slot_a, b = contacts[i].pair.slot_b;
    if (world->ids.alive[a] && world->ids.alive[b]) {
      mo_contact contact =
          mo_substep_contact_to_rows(world, &contacts[i], &world->motions[a], &world->motions[b]);
      add(to, &contact);
    }
  }
}

// Sorts the few contacts of the same two bodies by their shapes.
static void order_shapes(mo_contact *items, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    for (uint32_t k = i;
         k > 0 && mo_pair_order_precedes(order_of(&items[k]), order_of(&items[k - 1])); k--) {
      mo_contact swap = items[k];
      items[k] = items[k - 1];
      items[k - 1] = swap;
    }
  }
}

bool mo_contact_list_make(mo_world *world, mo_contact_list *out) {
  const mo_pair_store *pairs = &world->pairs;
  mo_arena *arena = &world->query_arena;
  mo_arena_reset(arena);
  uint32_t most =
      world->contacts_count + mo_pair_store_contact_count(pairs) + pairs->asleep_contacts_count;
  builder all = {.world = world,
                 .items = MO_ARENA_TAKE_RAW(arena, mo_contact, most),
                 .order = MO_ARENA_TAKE_RAW(arena, mo_sort_entry, most)};
  *out = (mo_contact_list){.items = MO_ARENA_TAKE_RAW(arena, mo_contact, most)};
  if (!all.items || !all.order || !out->items) {
    return false;
  }
  for (uint32_t i = 0; i < world->contacts_count; i++) {
    if (world->contacts[i].point_count > 0) {
      add(&all, &world->contacts[i]);
    }
  }
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    add_soft(&all, pairs->colours[c].contacts, pairs->colours[c].contacts_count);
  }
  add_soft(&all, pairs->asleep_contacts, pairs->asleep_contacts_count);
  mo_sort(all.order, all.count);
  out->count = all.count;
  for (uint32_t i = 0; i < all.count; i++) {
    out->items[i] = all.items[all.order[i].value];
  }
  order_shapes(out->items, out->count);
  return true;
}

// --- totals ----------------------------------------------------------------------------------

static void count_soft(mo_contact_totals *totals, const mo_world *world,
                       const mo_substep_contact *contacts, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const mo_substep_contact *contact = &contacts[i];
    if (!world->ids.alive[contact->pair.slot_a] || !world->ids.alive[contact->pair.slot_b]) {
      continue;
    }
    totals->contacts++;
    totals->points += contact->point_count;
    for (uint32_t k = 0; k < contact->point_count; k++) {
      totals->deepest = mo_max(totals->deepest, -(double)contact->separations[k]);
    }
  }
}

mo_contact_totals mo_contact_list_totals(const mo_world *world) {
  const mo_pair_store *pairs = &world->pairs;
  mo_contact_totals totals = {0};
  for (uint32_t i = 0; i < world->contacts_count; i++) {
    const mo_contact *contact = &world->contacts[i];
    totals.contacts += contact->point_count > 0;
    totals.points += contact->point_count;
    for (uint32_t k = 0; k < contact->point_count; k++) {
      totals.deepest = mo_max(totals.deepest, -contact->points[k].separation);
    }
  }
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    count_soft(&totals, world, pairs->colours[c].contacts, pairs->colours[c].contacts_count);
  }
  count_soft(&totals, world, pairs->asleep_contacts, pairs->asleep_contacts_count);
  return totals;
}
