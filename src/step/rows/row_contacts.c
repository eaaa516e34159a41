/// From poses to contacts: broad phase, narrow phase, and the transfer of last step's impulses.
#include "constraints/contact_loads.h"
#include "memory/array.h"
#include "memory/sort.h"
#include "step/boundary.h"
#include "step/speculation.h"
#include "step/stages.h"
#include "world/pair_order.h"

// What the stage reads and writes.
typedef struct stage {
  mo_world *world;
  double dt;
  const mo_solver_choice *choice;
  const mo_free_motions *free;
  mo_row_contacts *contacts;
} stage;

// m: bodies closer than this have a contact although they may not meet in the step. It keeps the
// feature ids, and so the warm start, of contacts that open and close by round-off or by a fraction
// of the slop.
#define LEAST_MARGIN 1e-3
// Fraction of a body's radius beyond which a speculative contact reaches no further. The contact is
// a plane; further away the body would bounce off things that it passes.
#define MARGIN_PER_RADIUS 0.5

// A pair, with its place in an order that stays the same from step to step.
typedef struct candidate {
  mo_pair_order order;
  mo_pair *pair;
} candidate;

typedef struct candidates {
  candidate *items;
  uint32_t count;
} candidates;

// How far any point of the body moves in the step, at most the reach of speculation.
static double motion_margin(const mo_body *body, const mo_velocity *velocity, double dt) {
  if (body->type == MO_BODY_STATIC || body->shape_count == 0) {
    return 0.0;
  }
  double reach = mo_length(velocity->linear) + body->bounding_radius * mo_length(velocity->angular);
  return mo_min(dt * reach, MARGIN_PER_RADIUS * body->bounding_radius);
}

// --- pairs -----------------------------------------------------------------------------------

// Makes boxes that hold all that bodies may reach in the step, and adds the pairs that become near.
static bool cover_bodies(stage *s) {
  mo_world *world = s->world;
  if (!mo_broad_phase_reserve_changes(&world->broad_phase, world->broad_phase.proxies_count)) {
    return false;
  }
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    if (s->choice->row_alive[slot]) {
      double margin = motion_margin(&world->bodies[slot], &s->free->velocities[slot], s->dt);
      mo_world_cover_body(world, slot, &world->motions[slot], margin + 0.5 * LEAST_MARGIN,
                          mo_v3_zero());
    }
  }
  return mo_world_complete_pairs(world);
}

static candidate make_candidate(const mo_world *world, mo_pair *pair) {
  const mo_proxy *proxies = world->broad_phase.proxies;
  return (candidate){.order = mo_pair_order_of(pair->slot_a, proxies[pair->proxy_a].shape,
                                               pair->slot_b, proxies[pair->proxy_b].shape),
                     .pair = pair};
}

// Merge sort from the bottom up (von Neumann 1945): nearly sorted input needs few moves.
static bool sort_candidates(candidates *all, mo_arena *arena) {
  candidate *from = all->items, *to = MO_ARENA_TAKE_RAW(arena, candidate, all->count);
  for (uint32_t width = 1; to && width < all->count; width *= 2) {
    for (uint32_t low = 0; low < all->count; low += 2 * width) {
      uint32_t middle = low + width < all->count ? low + width : all->count;
      uint32_t high = middle + width < all->count ? middle + width : all->count;
      for (uint32_t i = low, j = middle, k = low; k < high; k++) {
        bool left =
            i < middle && (j >= high || !mo_pair_order_precedes(from[j].order, from[i].order));
        to[k] = left ? from[i++] : from[j++];
      }
    }
    candidate *swap = from;
    from = to;
    to = swap;
  }
  all->items = from;
  return to != NULL;
}

static bool list_candidates(stage *s, candidates *out) {
  mo_world *world = s->world;
  mo_pair_store *pairs = &world->pairs;
  out->count = 0;
  out->items = MO_ARENA_TAKE_RAW(&world->step_arena, candidate, pairs->near_count);
  for (uint32_t i = pairs->near_count; out->items && i-- > 0;) {
    const mo_pair *pair = &pairs->near[i];
    if (mo_broad_phase_overlaps(&world->broad_phase, pair->proxy_a, pair->proxy_b)) {
      continue;
    }
    if (!mo_world_reserve_drop(world)) {
      return false;
    }
    mo_world_drop_contact(world, pair->contact);
  }
  for (uint32_t i = 0; out->items && i < pairs->near_count; i++) {
    mo_pair *pair = &pairs->near[i];
    if (mo_step_is_in_rows(s->choice, pair->slot_a) ||
        mo_step_is_in_rows(s->choice, pair->slot_b)) {
      s->contacts->has_woken_others =
          s->contacts->has_woken_others || mo_boundary_misses(world, s->choice, pair);
      out->items[out->count++] = make_candidate(world, pair);
    }
  }
  return out->items && sort_candidates(out, &world->step_arena);
}

// --- contacts of the last step ---------------------------------------------------------------

static void add_contact(stage *s, const mo_contact *contact, bool is_solved) {
  s->contacts->is_solved[s->contacts->count] = is_solved;
  s->world->fresh_contacts[s->contacts->count++] = *contact;
}

static bool is_asleep(const mo_world *world, const mo_contact *contact) {
  return contact->point_count > 0 && !mo_world_is_awake(world, contact->slot_a) &&
         !mo_world_is_awake(world, contact->slot_b);
}

// Copies the contacts of sleeping bodies from `cursor` on that come before the pair `before`, or
// all of them if it is null.
static void keep_asleep(stage *s, const candidate *before, uint32_t *cursor) {
  const mo_world *world = s->world;
  for (; *cursor < world->contacts_count; (*cursor)++) {
    const mo_contact *old = &world->contacts[*cursor];
    if (!is_asleep(world, old)) {
      continue;
    }
    mo_pair_order order = mo_pair_order_of(old->slot_a, old->shape_a, old->slot_b, old->shape_b);
    if (before && !mo_pair_order_precedes(order, before->order)) {
      return;
    }
    add_contact(s, old, false);
  }
}

// The contact of the pair in the last step, or null.
static const mo_contact *find_old_contact(const mo_world *world, const mo_pair *pair) {
  const mo_contact_record *record = mo_pair_record(&world->pairs, pair);
  return record->manifold_count > 0 ? &world->contacts[record->first_manifold] : NULL;
}

// --- narrow phase ----------------------------------------------------------------------------

static bool asks_for_exact(const stage *s, uint32_t slot) {
  return mo_world_is_dynamic(s->world, slot) &&
         mo_step_row_solver(s->world, s->choice, slot) != MO_SOLVER_BLOCK_PGS;
}

static mo_moving_shape moving_shape(const stage *s, uint32_t slot, uint32_t proxy) {
  return (mo_moving_shape){.body = &s->world->bodies[slot],
                           .motion = &s->world->motions[slot],
                           .shape = s->world->broad_phase.proxies[proxy].shape,
                           .free_velocity = s->free->velocities[slot]};
}

// Collides one pair. The contact has no points if the shapes are separate.
static mo_contact collide_pair(const stage *s, mo_pair *pair, const mo_contact *old,
                               double impulse_scale) {
  const mo_contact_record *record = mo_pair_record(&s->world->pairs, pair);
  mo_moving_shape a = moving_shape(s, pair->slot_a, pair->proxy_a);
  mo_moving_shape b = moving_shape(s, pair->slot_b, pair->proxy_b);
  mo_contact contact = {.contact = pair->contact,
                        .slot_a = pair->slot_a,
                        .slot_b = pair->slot_b,
                        .shape_a = a.shape,
                        .shape_b = b.shape,
                        .friction = record->friction,
                        .restitution = record->restitution,
                        .rolling_friction = record->rolling_friction,
                        .spinning_friction = record->spinning_friction};
  double margin = motion_margin(a.body, &a.free_velocity, s->dt) +
                  motion_margin(b.body, &b.free_velocity, s->dt) + LEAST_MARGIN;
  double gap;
  mo_manifold manifold;
  mo_transform placement_a = mo_moving_shape_placement(&a);
  mo_transform placement_b = mo_moving_shape_placement(&b);
  mo_collide_pair(a.body->shapes[a.shape].shape, &placement_a, b.body->shapes[b.shape].shape,
                  &placement_b, margin, &pair->cache, &gap, &manifold);
  mo_speculate(&a, &b, s->dt, &manifold);
  if (manifold.point_count > 0) {
    mo_contact_update(&contact, &manifold, old, impulse_scale);
    if (asks_for_exact(s, pair->slot_a) || asks_for_exact(s, pair->slot_b)) {
      mo_contact_even_out_loads(&contact);
    }
  }
  return contact;
}

// Collides a candidate, keeps the cache of its pair, and wakes the bodies that it touches. Returns
// false without memory.
static bool update_candidate(stage *s, const candidate *one, const mo_contact *old,
                             double impulse_scale) {
  mo_world *world = s->world;
  mo_pair pair = *one->pair;
  mo_contact contact = collide_pair(s, &pair, old, impulse_scale);
  if (!mo_pair_store_reserve_notes(&world->pairs, 1)) {
    return false;
  }
  pair.allowance = contact.point_count > 0 ? MO_NOT_COMPARED : MO_FOUND_APART;
  mo_pair_store_set_near(&world->pairs, (uint32_t)(one->pair - world->pairs.near), &pair);
  if (contact.point_count == 0) {
    return true;
  }
  bool has_woken;
  add_contact(s, &contact, true);
  bool is_noted = mo_world_wake_pair(world, contact.slot_a, contact.slot_b, &has_woken);
  s->contacts->has_woken_others = s->contacts->has_woken_others || has_woken;
  return is_noted;
}

mo_result mo_step_find_contacts(mo_world *world, double dt, const mo_solver_choice *choice,
                                const mo_free_motions *free, mo_row_contacts *contacts) {
  stage all = {world, dt, choice, free, contacts}, *s = &all;
  candidates pairs;
  s->contacts->count = 0;
  if (!cover_bodies(s) || !list_candidates(s, &pairs)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  uint32_t most = pairs.count + world->contacts_count;
  s->contacts->is_solved = MO_ARENA_TAKE_RAW(&world->step_arena, uint8_t, most);
  if (!s->contacts->is_solved || !MO_RESERVE(world, fresh_contacts, most)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  double impulse_scale = mo_world_warm_start_scale(world, s->dt);
  uint32_t cursor = 0;
  for (uint32_t i = 0; i < pairs.count; i++) {
    keep_asleep(s, &pairs.items[i], &cursor);
    const mo_contact *old = find_old_contact(world, pairs.items[i].pair);
    if (!update_candidate(s, &pairs.items[i], old, impulse_scale)) {
      return MO_ERROR_OUT_OF_MEMORY;
    }
  }
  keep_asleep(s, NULL, &cursor);
  return MO_OK;
}
