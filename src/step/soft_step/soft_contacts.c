#include "step/soft_step/soft_contacts.h"

#include "collision/narrow/feature.h"
#include "memory/array.h"
#include "parallel/parallel.h"
#include "step/soft_step/due_pairs.h"
#include "step/soft_step/look_ahead.h"
#include "step/soft_step/moving_arms.h"
#include "step/soft_step/plane_contacts.h"
#include "step/union_contacts.h"
#include "world/activity.h"
#include "world/pair_order.h"

#include <string.h>

// Contact updates that a thread takes at a time: some ten microseconds of work.
#define UPDATES_AT_ONCE 16u
// The update of one pair.
typedef struct contact_update {
  uint32_t colour, index;      // where it is
  mo_substep_contact *contact; // in its place, or `begun`. Without points the shapes do not touch
  mo_substep_contact begun;    // of a pair that is in `near`
  mo_vec3 acceleration;        // m/s^2 (moving_arms.h)
} contact_update;

typedef struct update_batch {
  const mo_world *world;
  const mo_contact_reach *reach;
  contact_update *items;
  uint32_t count;
} update_batch;

// --- the pairs of an update ------------------------------------------------------------------

// Contacts are changed in their places, as they are large. Returns false without memory.
static bool list_updates(mo_world *world, const mo_pair_position *places, update_batch *out) {
  mo_pair_store *pairs = &world->pairs;
  if (!mo_pair_store_reserve_notes(pairs, out->count)) {
    return false;
  }
  for (uint32_t i = 0; i < out->count; i++) {
    contact_update *update = &out->items[i];
    update->colour = places[i].colour;
    update->index = places[i].index;
    if (update->colour == MO_IN_NEAR) {
      update->contact = &update->begun;
      update->begun.pair = pairs->near[update->index];
      update->begun.point_count = 0;
    } else {
      update->contact = mo_pair_store_change_contact(pairs, update->colour, update->index);
    }
  }
  return true;
}

// --- one pair --------------------------------------------------------------------------------

mo_moving_shape mo_soft_moving_shape(const mo_world *world, uint32_t slot, uint32_t shape) {
  const mo_motion *motion = &world->motions[slot];
  return (mo_moving_shape){&world->bodies[slot],
                           motion,
                           shape,
                           {motion->linear_velocity, motion->angular_velocity},
                           mo_world_metre(world)};
}

mo_moving_shape mo_soft_falling_shape(const mo_world *world, const mo_contact_reach *reach,
                                      uint32_t slot, uint32_t shape) {
  mo_moving_shape moving = mo_soft_moving_shape(world, slot, shape);
  if (moving.body->type == MO_BODY_DYNAMIC) {
    double time = 0.5 * (reach->dt + reach->substep);
    moving.free_velocity.linear = mo_add_scaled(
        moving.free_velocity.linear, time * moving.body->gravity_scale, world->settings.gravity);
  }
  return moving;
}

void mo_soft_bring_back(const mo_world *world, const mo_pair *pair, double lead,
                        mo_manifold *manifold) {
  mo_moving_shape a = mo_soft_moving_shape(world, pair->slot_a, 0),
                  b = mo_soft_moving_shape(world, pair->slot_b, 0);
  mo_manifold_bring_back(&a, &b, lead, manifold);
}

// Adds points to those at which an edge or a corner of fast bodies touches. What joints hold does
// not turn as it would alone.
static void add_to_edge(const mo_contact_reach *reach, const mo_moving_shape *a,
                        const mo_moving_shape *b, bool has_joints, mo_collision_cache cache,
                        mo_manifold *manifold) {
  bool is_hit = !has_joints && mo_speculate_impact(a, b, reach->dt, reach->near, cache, manifold);
  if (!is_hit && manifold->point_count == 1) {
    mo_speculate_turn(a, b, reach->dt, cache, manifold);
  }
}

void mo_soft_speculate(const mo_world *world, const mo_contact_reach *reach, const mo_pair *pair,
                       const mo_moving_shape *a, const mo_moving_shape *b, double gap, double ahead,
                       mo_manifold *manifold) {
  if (gap > 2.0 * reach->near) {
    mo_speculate_far(a, b, reach->dt, 2.0 * reach->near, ahead, pair->cache, manifold);
  }
  bool is_edge = (manifold->point_count == 1 || manifold->point_count == 2) &&
                 manifold->points[0].feature_id != MO_FEATURE_ROUND;
  if (is_edge) {
    bool has_joints =
        mo_world_is_in_joints(world, pair->slot_a) || mo_world_is_in_joints(world, pair->slot_b);
    add_to_edge(reach, a, b, has_joints, pair->cache, manifold);
  }
}

// Looks ahead where the shapes are far apart or come nearer.
static void speculate(const update_batch *all, const mo_pair *pair, double gap, double ahead,
                      mo_manifold *manifold) {
  bool is_far = gap > 2.0 * all->reach->near;
  if (manifold->point_count == 0 || (!is_far && ahead == 0.0)) {
    return;
  }
  const mo_proxy *proxies = all->world->broad_phase.proxies;
  mo_moving_shape a = mo_soft_falling_shape(all->world, all->reach, pair->slot_a,
                                            proxies[pair->proxy_a].shape),
                  b = mo_soft_falling_shape(all->world, all->reach, pair->slot_b,
                                            proxies[pair->proxy_b].shape);
  mo_soft_speculate(all->world, all->reach, pair, &a, &b, gap, ahead, manifold);
}

// One side of a pair in an update.
typedef struct placed_side {
  mo_pose body_pose;
  mo_vec3 center_of_mass;        // of the body
  const mo_placed_shape *placed; // in the body; null: at its origin
  const mo_shape *shape;
  mo_transform placement;
} placed_side;

typedef struct placed_pair {
  placed_side a, b;
} placed_pair;

static inline void read_side(const mo_world *world, uint32_t slot, uint32_t proxy,
                             placed_side *side) {
  const mo_body *body = &world->bodies[slot];
  const mo_motion *motion = &world->motions[slot];
  const mo_placed_shape *placed = &body->shapes[world->broad_phase.proxies[proxy].shape];
  side->body_pose = mo_motion_pose(motion);
  side->center_of_mass = motion->center_of_mass;
  side->placed = body->shapes_are_at_origin ? NULL : placed;
  side->shape = placed->shape;
}

// Sets where the shape is, as far as it can be seen: a ball looks the same in every orientation.
static inline void place_side(placed_side *side) {
  mo_pose pose = side->placed ? mo_pose_mul(side->body_pose, side->placed->pose) : side->body_pose;
  side->placement = side->shape->class->ignores_orientation
                        ? (mo_transform){mo_mat3_identity(), pose.position}
                        : mo_transform_from_pose(pose);
}

// Whether a side has the same geometry however its body turns: a ball about its centre of mass, or
// what does not turn.
static bool ignores_turns(const mo_world *world, uint32_t slot, const placed_side *side) {
  return world->bodies[slot].type == MO_BODY_STATIC ||
         (side->shape->class->ignores_orientation && !side->placed &&
          mo_v3_equal(side->body_pose.position, side->center_of_mass));
}

static void lead_side(const mo_world *world, uint32_t slot, double time, placed_side *side) {
  mo_motion motion = world->motions[slot];
  mo_soft_move_ahead(&world->bodies[slot], time, &motion);
  side->body_pose = mo_motion_pose(&motion);
}

// Moves the sides of a pair that rolls to where they are compared. Returns how far ahead, s.
static double lead_pair(const update_batch *all, const mo_substep_contact *contact,
                        placed_pair *placed) {
  const mo_world *world = all->world;
  const mo_pair *pair = &contact->pair;
  if (pair->lies || !mo_shapes_roll(placed->a.shape, placed->b.shape, contact->point_count) ||
      (ignores_turns(world, pair->slot_a, &placed->a) &&
       ignores_turns(world, pair->slot_b, &placed->b))) {
    return 0.0;
  }
  double lead = mo_soft_contact_lead(world, all->reach, pair);
  if (lead > 0.0) {
    lead_side(world, pair->slot_a, lead, &placed->a);
    lead_side(world, pair->slot_b, lead, &placed->b);
  }
  return lead;
}

// Takes the manifold of a comparison `lead` ahead.
static inline void renew_contact(const update_batch *all, double lead, const placed_pair *placed,
                                 const mo_manifold *manifold, contact_update *update) {
  if (lead > 0.0) {
    update->acceleration =
        mo_moving_arms_renew(all->world, all->reach, lead, manifold, update->contact);
  } else {
    update->acceleration = mo_v3_zero();
    mo_soft_contact_renew(all->world, manifold, placed->a.center_of_mass, placed->b.center_of_mass,
                          update->contact);
  }
}

// Returns false where the sides are led beyond the end of the contact, or land.
static bool update_pair(const update_batch *all, contact_update *update, double lead,
                        const placed_pair *placed) {
  const mo_world *world = all->world;
  mo_substep_contact *contact = update->contact;
  mo_pair *pair = &contact->pair;
  double displacement = world->displacements[pair->slot_a] + world->displacements[pair->slot_b],
         near = 2.0 * all->reach->near, gap;
  mo_manifold manifold;
  double ahead = mo_soft_contacts_ahead(world, all->reach, pair);
  mo_collide_pair(placed->a.shape, &placed->a.placement, placed->b.shape, &placed->b.placement,
                  near + ahead, mo_world_metre(world), &pair->cache, &gap, &manifold);
  if (lead > 0.0) {
    mo_soft_bring_back(world, pair, lead, &manifold);
    if (manifold.point_count == 0 ||
        mo_soft_contact_lands(world, all->reach, pair, lead, &manifold)) {
      return false;
    }
  }
  speculate(all, pair, gap, ahead, &manifold);
  mo_plane_share share = mo_soft_share_plane(world, all->reach, pair, lead, ahead, &manifold);
  pair->lies = share.lies;
  uint32_t points = (uint32_t)manifold.point_count;
  bool rolls = mo_shapes_roll(placed->a.shape, placed->b.shape, points);
  pair->allowance =
      displacement +
      (points > 0 || share.room < INFINITY
           ? mo_min(share.room, mo_soft_contact_allowance(world, all->reach, pair, rolls))
           : gap - near);
  if (points > 0) {
    renew_contact(all, lead, placed, &manifold, update);
  } else {
    contact->point_count = 0;
  }
  return true;
}

static void read_pair(const mo_world *world, const mo_pair *pair, placed_pair *placed) {
  read_side(world, pair->slot_a, pair->proxy_a, &placed->a);
  read_side(world, pair->slot_b, pair->proxy_b, &placed->b);
}

static void place_pair(placed_pair *placed) {
  place_side(&placed->a);
  place_side(&placed->b);
}

// Reads the bodies of some pairs before it compares any, so that a processor waits for all of them
// at once: in a large world they are far apart in memory, and in no cache.
static void update_some(const update_batch *all, uint32_t first, uint32_t count) {
  placed_pair placed[UPDATES_AT_ONCE];
  for (uint32_t i = 0; i < count; i++) {
    read_pair(all->world, &all->items[first + i].contact->pair, &placed[i]);
  }
  for (uint32_t i = 0; i < count; i++) {
    contact_update *update = &all->items[first + i];
    double lead = lead_pair(all, update->contact, &placed[i]);
    place_pair(&placed[i]);
    while (!update_pair(all, update, lead, &placed[i])) {
      lead = 0.0;
      read_pair(all->world, &update->contact->pair, &placed[i]);
      place_pair(&placed[i]);
    }
  }
}

static void update_range(void *context, uint32_t first, uint32_t last) {
  for (uint32_t i = first; i < last; i += UPDATES_AT_ONCE) {
    update_some(context, i, last - i < UPDATES_AT_ONCE ? last - i : UPDATES_AT_ONCE);
  }
}

// --- changes of the store --------------------------------------------------------------------

// The contacts that an update begins, which begin in the order of their pairs: colours are given in
// the order in which contacts begin, and the arms go by colours. The order in `near` would not
// do: it depends on which other pairs have left it.
typedef struct begun_contacts {
  const mo_substep_contact **items;
  mo_ordered_pair *order; // by index in `items`
  uint32_t count;
} begun_contacts;

// Returns false without memory, as do all that follow.
static bool make_begun(mo_arena *arena, uint32_t most, begun_contacts *out) {
  *out = (begun_contacts){
      .items = MO_ARENA_TAKE_RAW(arena, const mo_substep_contact *, (size_t)most + 1),
      .order = MO_ARENA_TAKE_RAW(arena, mo_ordered_pair, 2 * (size_t)most + 1)};
  return out->items && out->order;
}

static bool keep_begun(mo_world *world, const contact_update *update, begun_contacts *begun) {
  mo_substep_contact *kept = MO_ARENA_TAKE_RAW(&world->step_arena, mo_substep_contact, 1);
  if (kept) {
    *kept = update->begun;
    begun->items[begun->count] = kept;
    begun->order[begun->count] = mo_ordered_pair_of(world, &kept->pair, begun->count);
    begun->count++;
  }
  return kept != NULL;
}

static bool begin_contact(mo_world *world, const mo_substep_contact *contact) {
  mo_pair_store *pairs = &world->pairs;
  uint32_t a = contact->pair.slot_a, b = contact->pair.slot_b;
  bool moves_a = mo_world_is_dynamic(world, a), moves_b = mo_world_is_dynamic(world, b);
  if (!mo_pair_store_reserve_contact(pairs, &contact->pair, moves_a, moves_b)) {
    return false;
  }
  mo_pair_store_take_near(pairs, mo_pair_record(pairs, &contact->pair)->index);
  mo_pair_store_add_contact(pairs, contact, moves_a, moves_b);
  if (world->contact_rule.function) {
    return true; // it decides first (asked_contacts.h)
  }
  bool has_woken;
  if (!mo_world_wake_pair(world, a, b, &has_woken) ||
      !mo_island_sets_reserve_notes(&world->islands, a, b)) {
    return false;
  }
  mo_world_link(world, a, b);
  return true;
}

// From the last pair on: a pyramid takes 7 % fewer instructions a step so than from the first on.
static bool begin_contacts(mo_world *world, const begun_contacts *begun) {
  uint32_t i = begun->count;
  const mo_ordered_pair *order = mo_pair_order_sort(begun->order, &begun->order[i], i);
  while (i > 0 && begin_contact(world, begun->items[order[i - 1].value])) {
    i--;
  }
  return i == 0;
}

static bool end_contact(mo_world *world, const contact_update *update) {
  mo_pair_store *pairs = &world->pairs;
  if (!mo_pair_store_reserve_notes(pairs, 1)) {
    return false;
  }
  const mo_pair pair = mo_pair_store_take_contact(pairs, update->colour, update->index).pair;
  mo_pair_store_add_near(pairs, &pair);
  if (!mo_island_sets_reserve_notes(&world->islands, pair.slot_a, pair.slot_b)) {
    return false;
  }
  mo_island_sets_loosen(&world->islands, pair.slot_a);
  mo_island_sets_loosen(&world->islands, pair.slot_b);
  return true;
}

static bool store_near(mo_world *world, const contact_update *update) {
  const mo_pair *pair = &update->begun.pair;
  if (!mo_world_reserve_drop(world)) {
    return false;
  }
  if (mo_broad_phase_overlaps(&world->broad_phase, pair->proxy_a, pair->proxy_b)) {
    mo_pair_store_set_near(&world->pairs, update->index, pair);
  } else {
    mo_world_drop_contact(world, pair->contact);
  }
  return true;
}

// Stores the result of one update. The last item of an array replaces one that leaves it, so
// updates are stored from the last to the first.
static bool store_update(mo_world *world, const contact_update *update, begun_contacts *begun,
                         mo_moving_arm **arms) {
  if (update->colour == MO_IN_NEAR) {
    return update->begun.point_count > 0 ? keep_begun(world, update, begun)
                                         : store_near(world, update);
  }
  const mo_substep_colour *colour = &world->pairs.colours[update->colour];
  const mo_substep_contact *contact = &colour->contacts[update->index];
  return contact->point_count > 0
             ? mo_moving_arms_note(world, arms, contact->pair.contact, update->acceleration)
             : end_contact(world, update);
}

static bool store_updates(mo_world *world, const update_batch *batch, begun_contacts *begun,
                          mo_moving_arm **arms) {
  for (uint32_t i = batch->count; i-- > 0;) {
    if (!store_update(world, &batch->items[i], begun, arms)) {
      return false;
    }
  }
  return true;
}

// --- all -------------------------------------------------------------------------------------

// What an update of all contacts works on.
typedef struct contacts_update {
  mo_pair_position *places;
  uint32_t due; // places that are left
  mo_surface_list surfaces;
  begun_contacts begun;
  uint32_t *touched, touched_count; // contacts that may be void in the union
  update_batch batch;
  mo_moving_arm **arms;
} contacts_update;

static bool prepare_update(mo_world *world, const uint8_t *in_rows, const mo_contact_reach *reach,
                           contacts_update *all) {
  mo_arena *arena = &world->step_arena;
  uint32_t near_count = world->pairs.near_count;
  uint32_t pair_count = near_count + mo_pair_store_contact_count(&world->pairs);
  all->places = MO_ARENA_TAKE_RAW(arena, mo_pair_position, pair_count + 1);
  all->surfaces.contacts = MO_ARENA_TAKE_RAW(arena, uint32_t, near_count + 1);
  if (!all->places || !all->surfaces.contacts ||
      !mo_find_due_pairs(world, in_rows, reach, all->places, &all->due, &all->surfaces) ||
      !make_begun(arena, all->due, &all->begun)) {
    return false;
  }
  uint32_t most = all->due < MO_UPDATES_OF_BATCH ? all->due : MO_UPDATES_OF_BATCH;
  all->touched = MO_ARENA_TAKE_RAW(arena, uint32_t, all->due + all->surfaces.count + 1);
  all->batch = (update_batch){
      .world = world, .reach = reach, .items = MO_ARENA_TAKE_RAW(arena, contact_update, most)};
  // There must be room in `near` for contacts that end.
  return all->touched && all->batch.items && MO_RESERVE(&world->pairs, near, pair_count);
}

static void note_touched(const mo_world *world, contacts_update *all) {
  for (uint32_t i = 0; i < all->batch.count; i++) {
    const mo_substep_contact *contact = all->batch.items[i].contact;
    if (contact->point_count > 0 &&
        mo_union_moving_sides(world, contact->pair.slot_a, contact->pair.slot_b) != 0) {
      all->touched[all->touched_count++] = contact->pair.contact;
    }
  }
}

static bool update_batches(mo_world *world, contacts_update *all) {
  update_batch *batch = &all->batch;
  for (; all->due > 0; all->due -= batch->count) {
    batch->count = all->due < MO_UPDATES_OF_BATCH ? all->due : MO_UPDATES_OF_BATCH;
    if (!list_updates(world, &all->places[all->due - batch->count], batch)) {
      return false;
    }
    mo_parallel_for(batch->count, UPDATES_AT_ONCE, update_range, batch);
    note_touched(world, all);
    if (!store_updates(world, batch, &all->begun, all->arms)) {
      return false;
    }
  }
  return true;
}

bool mo_soft_contacts_update(mo_world *world, const uint8_t *in_rows, const mo_contact_reach *reach,
                             mo_moving_arm **arms) {
  contacts_update all = {.due = 0, .arms = arms};
  if (!prepare_update(world, in_rows, reach, &all) || !update_batches(world, &all) ||
      !begin_contacts(world, &all.begun)) {
    return false;
  }
  uint32_t surface_count = all.surfaces.count;
  memcpy(&all.touched[all.touched_count], all.surfaces.contacts,
         surface_count * sizeof *all.touched);
  return mo_surface_parts_update(world, reach, &all.surfaces, arms) &&
         mo_soft_contacts_drop_void(world, all.touched, all.touched_count + surface_count);
}
