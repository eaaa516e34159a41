/// Bodies in the broad phase, and the pairs that come and go with them.
#include "memory/array.h"
#include "world/activity.h"
#include "world/joined_pairs.h"

// How far the boxes of a body reach beyond what the step asks for: a part of its size, so that a
// small body has few neighbours, up to what pays for a large one. Metres.
#define FAT_PER_RADIUS 0.25
#define LARGEST_FAT 0.05

static mo_tree_kind kind_of(mo_body_type type) {
  switch (type) {
  case MO_BODY_STATIC:
    return MO_TREE_STATIC;
  case MO_BODY_KINEMATIC:
    return MO_TREE_KINEMATIC;
  case MO_BODY_DYNAMIC:
    break;
  }
  return MO_TREE_DYNAMIC;
}

static double fat_of(const mo_body *body) {
  return body->type == MO_BODY_STATIC ? 0.0
                                      : mo_min(FAT_PER_RADIUS * body->bounding_radius, LARGEST_FAT);
}

static mo_bounds bounds_at(const mo_body *body, uint32_t shape, const mo_motion *motion) {
  return mo_shape_bounds(body->shapes[shape].shape, mo_body_visible_transform(body, shape, motion));
}

bool mo_world_reserve_proxies(mo_world *world, mo_body_type type, uint32_t count) {
  return mo_broad_phase_reserve(&world->broad_phase, kind_of(type), count);
}

void mo_world_add_proxies(mo_world *world, uint32_t slot) {
  mo_body *body = &world->bodies[slot];
  for (uint32_t i = 0; i < body->shape_count; i++) {
    body->proxies[i] = mo_broad_phase_add(&world->broad_phase, kind_of(body->type),
                                          bounds_at(body, i, &world->motions[slot]), fat_of(body),
                                          slot, i, body->filter);
  }
}

void mo_world_remove_proxies(mo_world *world, uint32_t slot) {
  const mo_body *body = &world->bodies[slot];
  for (uint32_t i = 0; i < body->shape_count; i++) {
    mo_broad_phase_remove(&world->broad_phase, body->proxies[i]);
  }
}

void mo_world_touch_proxies(mo_world *world, uint32_t slot) {
  const mo_body *body = &world->bodies[slot];
  for (uint32_t i = 0; i < body->shape_count; i++) {
    world->broad_phase.proxies[body->proxies[i]].filter = body->filter;
    mo_broad_phase_touch(&world->broad_phase, body->proxies[i]);
  }
}

void mo_world_move_proxies(mo_world *world, uint32_t slot) {
  const mo_body *body = &world->bodies[slot];
  for (uint32_t i = 0; i < body->shape_count; i++) {
    mo_broad_phase_move(&world->broad_phase, body->proxies[i],
                        bounds_at(body, i, &world->motions[slot]), fat_of(body));
  }
  world->box_limits[slot] = 0.0;
}

bool mo_world_set_proxy_kinds(mo_world *world, uint32_t slot, mo_body_type type) {
  const mo_body *body = &world->bodies[slot];
  for (uint32_t i = 0; i < body->shape_count; i++) {
    if (!mo_broad_phase_set_kind(&world->broad_phase, body->proxies[i], kind_of(type))) {
      while (i-- > 0) { // back to a kind that there was room for
        mo_broad_phase_set_kind(&world->broad_phase, body->proxies[i], kind_of(body->type));
      }
      return false;
    }
  }
  return true;
}

// The least way from a side of a box to that of the box around it.
static float clearance(const mo_aabb *outer, const mo_aabb *inner) {
  float least = INFINITY;
  for (int i = 0; i < 3; i++) {
    float below = inner->lower[i] - outer->lower[i], above = outer->upper[i] - inner->upper[i];
    least = below < least ? below : least;
    least = above < least ? above : least;
  }
  return least;
}

double mo_world_cover_body(mo_world *world, uint32_t slot, const mo_motion *motion, double reach) {
  const mo_body *body = &world->bodies[slot];
  double free_displacement = INFINITY;
  for (uint32_t i = 0; i < body->shape_count; i++) {
    mo_bounds bounds = mo_bounds_expand(bounds_at(body, i, motion), reach);
    mo_aabb tight = mo_aabb_from_bounds(bounds);
    mo_broad_phase_move_box(&world->broad_phase, body->proxies[i], &tight, (float)fat_of(body));
    free_displacement = mo_min(
        free_displacement, (double)clearance(&world->broad_phase.boxes[body->proxies[i]], &tight));
  }
  return free_displacement;
}

// --- pairs -----------------------------------------------------------------------------------

static bool may_pair(void *user, const mo_proxy *a, const mo_proxy *b) {
  const mo_world *world = user;
  return !mo_joined_pairs_have(&world->joined, a->slot, b->slot);
}

// Whether a body of a pair went.
static bool is_dead(const mo_world *world, const mo_pair *pair, uint32_t slot) {
  (void)slot;
  const mo_proxy *proxies = world->broad_phase.proxies;
  return !proxies[pair->proxy_a].is_alive || !proxies[pair->proxy_b].is_alive;
}

// Whether a pair may no longer be one.
static bool is_stale(const mo_world *world, const mo_pair *pair, uint32_t slot) {
  const mo_proxy *a = &world->broad_phase.proxies[pair->proxy_a];
  const mo_proxy *b = &world->broad_phase.proxies[pair->proxy_b];
  return is_dead(world, pair, slot) || (a->kind != MO_TREE_DYNAMIC && b->kind != MO_TREE_DYNAMIC) ||
         !mo_filters_meet(a->filter, b->filter) ||
         mo_joined_pairs_have(&world->joined, pair->slot_a, pair->slot_b);
}

// A contact goes: what rested on it wakes. False without memory for the notes.
static bool wake_parted(mo_world *world, const mo_pair *pair) {
  const uint32_t slots[2] = {pair->slot_a, pair->slot_b};
  for (int i = 0; i < 2; i++) {
    if (!world->ids.alive[slots[i]] || !mo_world_is_dynamic(world, slots[i])) {
      continue;
    }
    if (!mo_island_sets_reserve_notes(&world->islands, slots[i], slots[i])) {
      return false;
    }
    mo_island_sets_loosen(&world->islands, slots[i]);
    if (!mo_world_reserve_wake(world, slots[i])) {
      return false;
    }
    mo_world_wake_slot(world, slots[i]);
  }
  return true;
}

static void forget(mo_world *world, const mo_pair *pair) {
  mo_broad_phase_forget_pair(&world->broad_phase, pair->proxy_a, pair->proxy_b);
}

typedef bool pair_predicate(const mo_world *world, const mo_pair *pair, uint32_t slot);

// Room for the notes of one pair that goes.
static bool reserve_drop(mo_world *world) {
  return mo_pair_store_reserve_notes(&world->pairs, 1) &&
         mo_broad_phase_reserve_changes(&world->broad_phase, 1);
}

static bool drop_near(mo_world *world, pair_predicate *goes, uint32_t slot) {
  mo_pair_store *pairs = &world->pairs;
  for (uint32_t i = pairs->near_count; i-- > 0;) {
    if (!goes(world, &pairs->near[i], slot)) {
      continue;
    }
    if (!reserve_drop(world)) {
      return false;
    }
    mo_pair pair = mo_pair_store_take_near(pairs, i);
    forget(world, &pair);
  }
  for (uint32_t i = pairs->asleep_count; i-- > 0;) {
    if (!goes(world, &pairs->asleep[i], slot)) {
      continue;
    }
    if (!reserve_drop(world)) {
      return false;
    }
    mo_pair pair = mo_pair_store_take_asleep(pairs, i);
    forget(world, &pair);
  }
  return true;
}

static bool drop_contacts(mo_world *world, uint32_t colour, pair_predicate *goes, uint32_t slot) {
  mo_pair_store *pairs = &world->pairs;
  for (uint32_t i = pairs->colours[colour].contacts_count; i-- > 0;) {
    if (!goes(world, &pairs->colours[colour].contacts[i].pair, slot)) {
      continue;
    }
    if (!reserve_drop(world)) {
      return false;
    }
    mo_substep_contact contact = mo_pair_store_take_contact(pairs, colour, i);
    forget(world, &contact.pair);
    if (!wake_parted(world, &contact.pair)) {
      return false;
    }
  }
  return true;
}

static bool drop_asleep_contacts(mo_world *world, pair_predicate *goes, uint32_t slot) {
  mo_pair_store *pairs = &world->pairs;
  for (uint32_t i = pairs->asleep_contacts_count; i-- > 0;) {
    if (!goes(world, &pairs->asleep_contacts[i].pair, slot)) {
      continue;
    }
    if (!reserve_drop(world)) {
      return false;
    }
    mo_substep_contact contact = mo_pair_store_take_asleep_contact(pairs, i);
    forget(world, &contact.pair);
    if (!wake_parted(world, &contact.pair)) {
      return false;
    }
  }
  return true;
}

static bool drop_where(mo_world *world, pair_predicate *goes, uint32_t slot) {
  bool is_done = drop_near(world, goes, slot);
  for (uint32_t c = 0; is_done && c < MO_SUBSTEP_COLOURS; c++) {
    is_done = drop_contacts(world, c, goes, slot);
  }
  return is_done && drop_asleep_contacts(world, goes, slot);
}

void mo_world_drop_dead_pairs(mo_world *world) {
  if (world->has_dead_pairs) {
    drop_where(world, is_dead, 0);
    world->has_dead_pairs = false;
  }
}

// False without memory for the notes.
static bool drop_stale_pairs(mo_world *world) {
  if (!world->has_dead_pairs && !world->has_stale_pairs) {
    return true;
  }
  world->kept.is_valid = false;
  world->has_dead_pairs = world->has_stale_pairs = false;
  return drop_where(world, is_stale, 0);
}

static bool is_of(const mo_world *world, const mo_pair *pair, uint32_t slot) {
  (void)world;
  return pair->slot_a == slot || pair->slot_b == slot;
}

void mo_world_drop_pairs_of(mo_world *world, uint32_t slot) {
  drop_where(world, is_of, slot);
  mo_world_touch_proxies(world, slot);
}

static mo_pair make_pair(const mo_world *world, mo_proxy_pair found) {
  const mo_proxy *a = &world->broad_phase.proxies[found.a],
                 *b = &world->broad_phase.proxies[found.b];
  bool in_order = world->bodies[a->slot].serial < world->bodies[b->slot].serial;
  mo_pair pair = {.proxy_a = found.a, .proxy_b = found.b, .slot_a = a->slot, .slot_b = b->slot};
  if (!in_order) {
    pair = (mo_pair){.proxy_a = found.b, .proxy_b = found.a, .slot_a = b->slot, .slot_b = a->slot};
  }
  pair.allowance = -1.0; // to be looked at
  return pair;
}

// Takes over what the search found.
static bool take_new_pairs(mo_world *world) {
  const mo_broad_phase *bp = &world->broad_phase;
  mo_pair_store *pairs = &world->pairs;
  uint32_t found = bp->new_pairs_count;
  if (!MO_RESERVE(pairs, near, pairs->near_count + found) ||
      !MO_RESERVE(pairs, asleep, pairs->asleep_count + found)) {
    return false;
  }
  for (uint32_t i = 0; i < found; i++) {
    mo_pair pair = make_pair(world, bp->new_pairs[i]);
    if (mo_world_is_active_pair(world, &pair)) {
      mo_pair_store_add_near(pairs, &pair);
    } else {
      mo_pair_store_add_asleep(pairs, &pair);
    }
  }
  world->kept.is_valid = world->kept.is_valid && found == 0;
  return true;
}

bool mo_world_complete_pairs(mo_world *world) {
  return mo_world_update_joined_pairs(world) && drop_stale_pairs(world) &&
         mo_broad_phase_find_new_pairs(&world->broad_phase, may_pair, world) &&
         take_new_pairs(world) && mo_world_sort_pairs_by_activity(world);
}
