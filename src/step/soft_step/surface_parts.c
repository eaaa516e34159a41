#include "step/soft_step/surface_parts.h"

#include "parallel/parallel.h"
#include "step/soft_step/look_ahead.h"
#include "step/soft_step/moving_arms.h"
#include "step/soft_step/plane_contacts.h"
#include "step/surface_contacts.h"
#include "world/activity.h"

// Cosine: a manifold whose normal is turned by more is no continuation of a part.
#define SAME_PART 0.5

_Static_assert(MO_CONTACT_PARTS == MO_MESH_MANIFOLDS, "each manifold is a part");

// One pair: its contact, and what was found.
typedef struct surface_update {
  mo_pair pair;
  mo_mesh_manifolds found;
  double lead; // s: how far ahead it was found
} surface_update;

typedef struct surface_batch {
  mo_world *world;
  const mo_contact_reach *reach;
  surface_update *items;
  mo_moving_arm **arms;
} surface_batch;

// --- narrow phase ----------------------------------------------------------------------------

// How far the bodies may move: less if they roll on some manifold.
static double allowance_of(const surface_batch *all, const surface_update *update,
                           const mo_moving_shape *a, const mo_moving_shape *b) {
  bool rolls = false;
  for (int i = 0; i < update->found.count; i++) {
    uint32_t points = (uint32_t)update->found.manifolds[i].point_count;
    rolls |= mo_shapes_roll(mo_moving_shape_of(a), mo_moving_shape_of(b), points);
  }
  return mo_soft_contact_allowance(all->world, all->reach, &update->pair, rolls);
}

static const mo_substep_contact *contact_of(const mo_world *world, uint32_t part) {
  return mo_pair_store_manifold(&world->pairs, &world->pairs.records.records[part]);
}

// s: how far ahead a part is compared.
static double part_lead(const surface_batch *all, const mo_substep_contact *part,
                        const mo_moving_shape *a, const mo_moving_shape *b) {
  bool rolls = mo_shapes_roll(mo_moving_shape_of(a), mo_moving_shape_of(b), part->point_count);
  return rolls ? mo_soft_contact_lead(all->world, all->reach, &part->pair) : 0.0;
}

// s: the same of a pair: 0 unless all parts roll.
static double lead_of(const surface_batch *all, const mo_pair *pair, const mo_moving_shape *a,
                      const mo_moving_shape *b) {
  const mo_world *world = all->world;
  uint32_t parts[MO_CONTACT_PARTS];
  mo_contact_store_list_parts(&world->pairs.records, mo_pair_record(&world->pairs, pair), parts);
  double least = pair->lies ? 0.0 : INFINITY;
  for (uint32_t i = 0; i < MO_CONTACT_PARTS; i++) {
    if (parts[i] != MO_NO_CONTACT) {
      least = mo_min(least, part_lead(all, contact_of(world, parts[i]), a, b));
    }
  }
  return least < INFINITY ? least : 0.0;
}

// Finds the manifolds at the poses after a time, with the separations of now. Returns false where
// the bodies are led beyond the end of the contact, or land.
static bool find_ahead(const surface_batch *all, const mo_pair *pair, const mo_moving_shape *now_a,
                       const mo_moving_shape *now_b, double lead, double reach,
                       mo_mesh_manifolds *found) {
  mo_motion after_a = *now_a->motion, after_b = *now_b->motion;
  mo_soft_move_ahead(now_a->body, lead, &after_a);
  mo_soft_move_ahead(now_b->body, lead, &after_b);
  mo_moving_shape a = *now_a, b = *now_b;
  a.motion = &after_a;
  b.motion = &after_b;
  mo_find_surface_contacts(&a, &b, all->reach->dt, 2.0 * all->reach->near, reach, true, found);
  for (int i = 0; i < found->count; i++) {
    mo_manifold_bring_back(now_a, now_b, lead, &found->manifolds[i]);
    if (mo_soft_contact_lands(all->world, all->reach, pair, lead, &found->manifolds[i])) {
      return false;
    }
  }
  return found->count > 0;
}

// Gives the manifolds of a pair their points of planes of the union. Returns how far the bodies may
// move until points go over to other parts, m.
static double share_planes(const surface_batch *all, mo_pair *pair, double lead, double ahead,
                           mo_mesh_manifolds *found) {
  double room = INFINITY;
  pair->lies = false;
  for (int i = 0; i < found->count; i++) {
    mo_plane_share share =
        mo_soft_share_plane(all->world, all->reach, pair, lead, ahead, &found->manifolds[i]);
    room = mo_min(room, share.room);
    pair->lies |= share.lies;
  }
  mo_union_drop_doubles(found);
  return room;
}

static void find_manifolds(const surface_batch *all, surface_update *update) {
  const mo_world *world = all->world;
  mo_pair *pair = &update->pair;
  const mo_proxy *proxies = world->broad_phase.proxies;
  mo_moving_shape a = mo_soft_moving_shape(world, pair->slot_a, proxies[pair->proxy_a].shape);
  mo_moving_shape b = mo_soft_moving_shape(world, pair->slot_b, proxies[pair->proxy_b].shape);
  double near = 2.0 * all->reach->near, ahead = mo_soft_contacts_ahead(world, all->reach, pair);
  double lead = lead_of(all, pair, &a, &b);
  update->found.count = 0;
  if (!(lead > 0.0) || !find_ahead(all, pair, &a, &b, lead, ahead, &update->found)) {
    lead = 0.0;
    update->found.count = 0;
    a = mo_soft_falling_shape(world, all->reach, pair->slot_a, a.shape);
    b = mo_soft_falling_shape(world, all->reach, pair->slot_b, b.shape);
    mo_find_surface_contacts(&a, &b, all->reach->dt, near, ahead, true, &update->found);
  }
  update->lead = lead;
  double room = share_planes(all, pair, lead, ahead, &update->found);
  double free = update->found.count > 0 || room < INFINITY
                    ? mo_min(room, allowance_of(all, update, &a, &b))
                    : update->found.gap - near;
  pair->allowance = world->displacements[pair->slot_a] + world->displacements[pair->slot_b] + free;
}

static void find_range(void *context, uint32_t first, uint32_t last) {
  const surface_batch *all = context;
  for (uint32_t i = first; i < last; i++) {
    find_manifolds(all, &all->items[i]);
  }
}

// --- parts -----------------------------------------------------------------------------------

// Which part each manifold continues, and which parts go on.
typedef struct matching {
  uint32_t parts[MO_CONTACT_PARTS];   // by number; MO_NO_CONTACT: none
  uint32_t numbers[MO_CONTACT_PARTS]; // per manifold: the number of its part
  bool goes_on[MO_CONTACT_PARTS];     // per number
} matching;

// The number of the part whose normal is nearest to that of a manifold; MO_NO_CONTACT for none.
static uint32_t find_part(const mo_world *world, const matching *m, const mo_manifold *manifold) {
  uint32_t best = MO_NO_CONTACT;
  double greatest = SAME_PART;
  for (uint32_t k = 0; k < MO_CONTACT_PARTS; k++) {
    if (m->parts[k] == MO_NO_CONTACT || m->goes_on[k]) {
      continue;
    }
    mo_vec3 normal = mo_v3_from_floats(contact_of(world, m->parts[k])->normal);
    double cosine = mo_dot(normal, manifold->normal);
    best = cosine > greatest ? k : best;
    greatest = mo_max(greatest, cosine);
  }
  return best;
}

static matching match_parts(const mo_world *world, const surface_update *update) {
  matching m = {.goes_on = {false}};
  mo_contact_store_list_parts(&world->pairs.records, mo_pair_record(&world->pairs, &update->pair),
                              m.parts);
  for (int i = 0; i < update->found.count; i++) {
    m.numbers[i] = find_part(world, &m, &update->found.manifolds[i]);
    if (m.numbers[i] != MO_NO_CONTACT) {
      m.goes_on[m.numbers[i]] = true;
    }
  }
  return m;
}

// Ends the parts that no manifold continues. Returns false without memory, as do those below.
static bool end_parts(mo_world *world, const surface_update *update, matching *m) {
  for (uint32_t k = 0; k < MO_CONTACT_PARTS; k++) {
    if (m->parts[k] == MO_NO_CONTACT || m->goes_on[k]) {
      continue;
    }
    uint32_t a = update->pair.slot_a, b = update->pair.slot_b;
    if (!mo_world_drop_part(world, m->parts[k]) ||
        !mo_island_sets_reserve_notes(&world->islands, a, b)) {
      return false;
    }
    mo_island_sets_loosen(&world->islands, a);
    mo_island_sets_loosen(&world->islands, b);
    m->parts[k] = MO_NO_CONTACT;
  }
  return true;
}

static bool renew_part(const surface_batch *all, double lead, uint32_t part,
                       const mo_manifold *manifold) {
  mo_world *world = all->world;
  const mo_contact_record *record = &world->pairs.records.records[part];
  mo_substep_contact contact = *contact_of(world, part);
  mo_vec3 acceleration = mo_moving_arms_renew(world, all->reach, lead, manifold, &contact);
  if (!mo_pair_store_reserve_notes(&world->pairs, 1)) {
    return false;
  }
  mo_pair_store_set_contact(&world->pairs, record->place - MO_PLACE_COLOURS, record->index,
                            &contact);
  return mo_moving_arms_note(world, all->arms, part, acceleration);
}

// Adds the record of a part of a pair; there must be room.
static uint32_t add_record(mo_world *world, const mo_pair *pair, uint32_t number) {
  mo_contact_record record = *mo_pair_record(&world->pairs, pair);
  record.flags = MO_CONTACT_PART;
  record.child_a = record.child_a > 0 ? number + 1 : 0;
  record.child_b = record.child_b > 0 ? number + 1 : 0;
  record.manifold_count = 0;
  return mo_contact_store_add(&world->pairs.records, &record);
}

static bool begin_part(const surface_batch *all, const mo_pair *pair, uint32_t number,
                       const mo_manifold *manifold) {
  mo_world *world = all->world;
  mo_pair_store *pairs = &world->pairs;
  bool moves_a = mo_world_is_dynamic(world, pair->slot_a),
       moves_b = mo_world_is_dynamic(world, pair->slot_b), has_woken;
  if (!mo_contact_store_reserve(&pairs->records, 1) ||
      !mo_pair_store_reserve_contact(pairs, pair, moves_a, moves_b)) {
    return false;
  }
  mo_substep_contact contact = {.pair = *pair};
  contact.pair.contact = add_record(world, pair, number);
  contact.pair.has_parts = false;
  contact.pair.allowance = INFINITY; // its pair says when it is due
  mo_moving_arms_renew(world, all->reach, 0.0, manifold, &contact);
  mo_pair_store_add_contact(pairs, &contact, moves_a, moves_b);
  mo_contact_store_note_change(&pairs->records, pair->contact);
  if (!mo_world_wake_pair(world, pair->slot_a, pair->slot_b, &has_woken) ||
      !mo_island_sets_reserve_notes(&world->islands, pair->slot_a, pair->slot_b)) {
    return false;
  }
  mo_world_link(world, pair->slot_a, pair->slot_b);
  return true;
}

static uint32_t take_free_number(matching *m) {
  uint32_t number = 0;
  while (m->goes_on[number]) {
    number++;
  }
  m->goes_on[number] = true;
  return number;
}

static bool store_manifolds(const surface_batch *all, const surface_update *update, matching *m) {
  for (int i = 0; i < update->found.count; i++) {
    const mo_manifold *manifold = &update->found.manifolds[i];
    bool is_stored = m->numbers[i] != MO_NO_CONTACT
                         ? renew_part(all, update->lead, m->parts[m->numbers[i]], manifold)
                         : begin_part(all, &update->pair, take_free_number(m), manifold);
    if (!is_stored) {
      return false;
    }
  }
  return true;
}

// Stores the pair itself, or drops it if the boxes of its shapes are apart.
static bool store_pair(mo_world *world, const surface_update *update) {
  const mo_pair *pair = &update->pair;
  if (!mo_world_reserve_drop(world)) {
    return false;
  }
  if (update->found.count == 0 &&
      !mo_broad_phase_overlaps(&world->broad_phase, pair->proxy_a, pair->proxy_b)) {
    mo_world_drop_contact(world, pair->contact);
    return true;
  }
  mo_pair_store_set_near(&world->pairs, mo_pair_record(&world->pairs, pair)->index, pair);
  return true;
}

static bool store(const surface_batch *all, const surface_update *update) {
  mo_world *world = all->world;
  matching m = match_parts(world, update);
  return end_parts(world, update, &m) && store_manifolds(all, update, &m) &&
         store_pair(world, update);
}

// --- all -------------------------------------------------------------------------------------

bool mo_surface_parts_update(mo_world *world, const mo_contact_reach *reach,
                             const mo_surface_list *list, mo_moving_arm **arms) {
  if (list->count == 0) {
    return true;
  }
  uint32_t most = list->count < MO_UPDATES_OF_BATCH ? list->count : MO_UPDATES_OF_BATCH;
  surface_batch batch = {world, reach, MO_ARENA_TAKE_RAW(&world->step_arena, surface_update, most),
                         arms};
  if (!batch.items) {
    return false;
  }
  for (uint32_t first = 0; first < list->count; first += most) {
    uint32_t count = list->count - first < most ? list->count - first : most;
    for (uint32_t i = 0; i < count; i++) {
      batch.items[i].pair = *mo_pair_store_find(&world->pairs, list->contacts[first + i]);
    }
    mo_parallel_for(count, 1, find_range, &batch);
    for (uint32_t i = 0; i < count; i++) {
      if (!store(&batch, &batch.items[i])) {
        return false;
      }
    }
  }
  return true;
}
