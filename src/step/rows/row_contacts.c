/// From poses to contacts: broad phase, narrow phase, and the transfer of last step's impulses.
#include "constraints/contact_loads.h"
#include "memory/array.h"
#include "memory/sort.h"
#include "step/boundary.h"
#include "step/contact_function.h"
#include "step/speculation.h"
#include "step/stages.h"
#include "step/surface_contacts.h"
#include "step/union_contacts.h"
#include "step/union_plane.h"
#include "world/checks.h"
#include "world/pair_order.h"

#include <string.h>

// What the stage reads and writes.
typedef struct stage {
  mo_world *world;
  double dt;
  const mo_solver_choice *choice;
  const mo_free_motions *free;
  mo_row_contacts *contacts;
  mo_vec3 *on_shapes; // per point of the fresh contacts: on body A, and after its points on B
} stage;

// m: bodies closer than this have a contact although they may not meet in the step. It keeps the
// feature ids, and so the warm start, of contacts that open and close by round-off or by a fraction
// of the slop.
#define LEAST_MARGIN 1e-3
static double least_margin(const mo_world *world) { return LEAST_MARGIN * mo_world_metre(world); }
// Fraction of a body's radius beyond which a speculative contact reaches no further. The contact is
// a plane; further away the body would bounce off things that it passes.
#define MARGIN_PER_RADIUS 0.5

// The pairs to collide, by their indices in `near`.
typedef struct candidates {
  mo_ordered_pair *items;
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
      mo_world_cover_body(world, slot, &world->motions[slot], margin + 0.5 * least_margin(world),
                          mo_v3_zero());
    }
  }
  return mo_world_complete_pairs(world);
}

static bool sort_candidates(candidates *all, mo_arena *arena) {
  mo_ordered_pair *spare = MO_ARENA_TAKE_RAW(arena, mo_ordered_pair, all->count);
  all->items = spare ? mo_pair_order_sort(all->items, spare, all->count) : all->items;
  return spare != NULL;
}

static bool list_candidates(stage *s, candidates *out) {
  mo_world *world = s->world;
  mo_pair_store *pairs = &world->pairs;
  out->count = 0;
  out->items = MO_ARENA_TAKE_RAW(&world->step_arena, mo_ordered_pair, pairs->near_count);
  for (uint32_t i = pairs->near_count; out->items && i-- > 0;) {
    const mo_pair *pair = &pairs->near[i];
    if (mo_broad_phase_overlaps(&world->broad_phase, pair->proxy_a, pair->proxy_b)) {
      continue;
    }
    if (!mo_world_drop_parts(world, pair->contact) || !mo_world_reserve_drop(world)) {
      return false;
    }
    mo_world_drop_contact(world, pair->contact);
  }
  for (uint32_t i = 0; out->items && i < pairs->near_count; i++) {
    const mo_pair *pair = &pairs->near[i];
    if (mo_step_is_in_rows(s->choice, pair->slot_a) ||
        mo_step_is_in_rows(s->choice, pair->slot_b)) {
      s->contacts->has_woken_others =
          s->contacts->has_woken_others || mo_boundary_misses(world, s->choice, pair);
      out->items[out->count++] = mo_ordered_pair_of(world, pair, i);
    }
  }
  return out->items && sort_candidates(out, &world->step_arena);
}

// --- contacts of the last step ---------------------------------------------------------------

static mo_vec3 *points_on_shapes(const stage *s, uint32_t contact) {
  return &s->on_shapes[(size_t)(2 * MO_MANIFOLD_POINTS) * contact];
}

static void add_contact(stage *s, const mo_contact *contact, bool is_solved) {
  s->contacts->is_solved[s->contacts->count] = is_solved;
  mo_vec3 *on_shapes = points_on_shapes(s, s->contacts->count);
  for (uint32_t i = 0; i < contact->point_count; i++) {
    on_shapes[i] = on_shapes[MO_MANIFOLD_POINTS + i] = contact->points[i].position;
  }
  s->world->fresh_contacts[s->contacts->count++] = *contact;
}

static bool is_asleep(const mo_world *world, const mo_contact *contact) {
  return contact->point_count > 0 && !mo_world_is_awake(world, contact->slot_a) &&
         !mo_world_is_awake(world, contact->slot_b);
}

// Copies the contacts of sleeping bodies from `cursor` on that come before the pair `before`, or
// all of them if it is null.
static void keep_asleep(stage *s, const mo_ordered_pair *before, uint32_t *cursor) {
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

// The contacts of the pair in the last step.
typedef struct old_contacts {
  const mo_contact *items;
  uint32_t count;
} old_contacts;

static old_contacts find_old_contacts(const mo_world *world, const mo_pair *pair) {
  const mo_contact_record *record = mo_pair_record(&world->pairs, pair);
  uint32_t count = record->manifold_count;
  return (old_contacts){count > 0 ? &world->contacts[record->first_manifold] : NULL, count};
}

// The one whose normal is nearest to that of a manifold; null if there is none.
static const mo_contact *most_aligned(old_contacts old, mo_vec3 normal) {
  const mo_contact *best = NULL;
  double greatest = -INFINITY;
  for (uint32_t i = 0; i < old.count; i++) {
    double cosine = mo_dot(old.items[i].normal, normal);
    best = cosine > greatest ? &old.items[i] : best;
    greatest = mo_max(greatest, cosine);
  }
  return best;
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
                           .free_velocity = s->free->velocities[slot],
                           .metre = mo_world_metre(s->world)};
}

// Two shapes whose contacts are looked for.
typedef struct collided_pair {
  mo_moving_shape a, b;
  double ahead; // m: how far they may come nearer in the step
  double impulse_scale;
  old_contacts old;
} collided_pair;

static mo_contact empty_contact(const stage *s, const mo_pair *pair, const collided_pair *shapes) {
  const mo_contact_record *record = mo_pair_record(&s->world->pairs, pair);
  return (mo_contact){.contact = pair->contact,
                      .slot_a = pair->slot_a,
                      .slot_b = pair->slot_b,
                      .shape_a = shapes->a.shape,
                      .shape_b = shapes->b.shape,
                      .friction = record->friction,
                      .restitution = record->restitution,
                      .rolling_friction = record->rolling_friction,
                      .spinning_friction = record->spinning_friction,
                      .surface_velocity =
                          mo_world_surface_velocity(s->world, pair->slot_a, pair->slot_b)};
}

// Where the impulse of a contact acts: on the surface of the body that it moves, whose lever arm is
// its own also while there is a gap. Between two such bodies half-way, so that it changes no
// angular momentum.
static double acting_at(const collided_pair *shapes) {
  bool moves_a = shapes->a.body->type == MO_BODY_DYNAMIC,
       moves_b = shapes->b.body->type == MO_BODY_DYNAMIC;
  return moves_a == moves_b ? 0.5 : moves_a ? 0.0 : 1.0;
}

// Starts a new contact with the load that the structure lays on it (overload.c), so that a tower
// which is put up is solved from near its solution.
static void start_with_load(const stage *s, mo_contact *contact) {
  double impulse = -s->dt * mo_dot(contact->normal, s->world->settings.gravity);
  double load = s->choice->laid[impulse > 0.0 ? contact->slot_b : contact->slot_a];
  for (uint32_t i = 0; i < contact->point_count; i++) {
    contact->points[i].normal_impulse = load * fabs(impulse) / contact->point_count;
  }
}

static void put_contact(stage *s, const mo_pair *pair, const collided_pair *shapes,
                        const mo_manifold *manifold) {
  mo_contact contact = empty_contact(s, pair, shapes);
  const mo_contact *old = most_aligned(shapes->old, manifold->normal);
  mo_contact_update(&contact, manifold, acting_at(shapes), old, shapes->impulse_scale);
  if (asks_for_exact(s, pair->slot_a) || asks_for_exact(s, pair->slot_b)) {
    mo_contact_even_out_loads(&contact);
  }
  if (s->choice->laid && !old) {
    start_with_load(s, &contact);
  }
  add_contact(s, &contact, true);
  mo_vec3 *on_shapes = points_on_shapes(s, s->contacts->count - 1);
  for (int i = 0; i < manifold->point_count; i++) {
    on_shapes[i] = manifold->points[i].point_a;
    on_shapes[MO_MANIFOLD_POINTS + i] = manifold->points[i].point_b;
  }
}

static double reach_of(const stage *s, const collided_pair *shapes) {
  return shapes->ahead + least_margin(s->world);
}

// Collides two shapes of which none is a mesh.
static void collide_shapes(const stage *s, const mo_moving_shape *a, const mo_moving_shape *b,
                           double reach, mo_collision_cache *cache, mo_manifold *out) {
  double gap;
  mo_transform at_a = mo_moving_shape_placement(a), at_b = mo_moving_shape_placement(b);
  mo_collide_pair(mo_moving_shape_of(a), &at_a, mo_moving_shape_of(b), &at_b, reach, a->metre,
                  cache, &gap, out);
  mo_speculate(a, b, s->dt, *cache, out);
}

// Gives a contact its points of the plane that its face is part of, if there is one.
static void share_plane(const stage *s, const mo_pair *pair, const collided_pair *shapes,
                        mo_manifold *manifold) {
  int side = mo_union_plane_side(s->world, pair);
  if (side < 0 || manifold->point_count == 0 ||
      !mo_union_may_have_plane(s->world, pair, side, true)) {
    return;
  }
  mo_union_pair sides = mo_union_pair_of(pair, &shapes->a, &shapes->b, side, true);
  mo_union_share share = MO_UNION_NO_PLANE;
  mo_union_plane plane;
  mo_union_plane_begin(s->world, &sides, manifold, side, &plane);
  while (share == MO_UNION_NO_PLANE && mo_union_plane_next(&plane)) {
    mo_collision_cache cache = {.kind = 0};
    mo_manifold all;
    collide_shapes(s, side == 0 ? &shapes->a : &plane.moving,
                   side == 0 ? &plane.moving : &shapes->b, reach_of(s, shapes), &cache, &all);
    share = mo_union_plane_share(&plane, side, mo_v3_zero(), manifold, &all);
    *manifold = share == MO_UNION_NO_PLANE ? *manifold : all;
  }
}

static void collide_surface(stage *s, const mo_pair *pair, const collided_pair *shapes) {
  mo_mesh_manifolds all;
  mo_find_surface_contacts(&shapes->a, &shapes->b, s->dt, least_margin(s->world), shapes->ahead,
                           false, &all);
  for (int i = 0; i < all.count; i++) {
    share_plane(s, pair, shapes, &all.manifolds[i]);
  }
  mo_union_drop_doubles(&all);
  for (int i = 0; i < all.count; i++) {
    put_contact(s, pair, shapes, &all.manifolds[i]);
  }
}

// Adds the contacts of one pair.
static void collide_pair(stage *s, mo_pair *pair, double impulse_scale) {
  collided_pair shapes = {.a = moving_shape(s, pair->slot_a, pair->proxy_a),
                          .b = moving_shape(s, pair->slot_b, pair->proxy_b),
                          .impulse_scale = impulse_scale,
                          .old = find_old_contacts(s->world, pair)};
  const mo_moving_shape *a = &shapes.a, *b = &shapes.b;
  shapes.ahead = motion_margin(a->body, &a->free_velocity, s->dt) +
                 motion_margin(b->body, &b->free_velocity, s->dt);
  if (mo_is_surface_pair(a, b)) {
    collide_surface(s, pair, &shapes);
    return;
  }
  mo_manifold manifold;
  collide_shapes(s, a, b, reach_of(s, &shapes), &pair->cache, &manifold);
  share_plane(s, pair, &shapes, &manifold);
  if (manifold.point_count > 0) {
    put_contact(s, pair, &shapes, &manifold);
  }
}

// Asks the function of the user, if there is one, about the contacts from `first` on, and drops
// those that it leaves without points.
static mo_result ask_about_contacts(stage *s, uint32_t first) {
  mo_world *world = s->world;
  if (!world->contact_rule.function) {
    return MO_OK;
  }
  uint32_t kept = first;
  for (uint32_t i = first; i < s->contacts->count; i++) {
    MO_RETURN_IF_REFUSED(mo_step_ask_contact_function(world, &world->fresh_contacts[i]));
    if (world->fresh_contacts[i].point_count > 0) {
      world->fresh_contacts[kept] = world->fresh_contacts[i];
      memcpy(points_on_shapes(s, kept), points_on_shapes(s, i),
             (size_t)(2 * MO_MANIFOLD_POINTS) * sizeof *s->on_shapes);
      s->contacts->is_solved[kept++] = true;
    }
  }
  s->contacts->count = kept;
  return MO_OK;
}

// Collides a candidate, keeps the cache of its pair, and wakes the bodies that it touches.
static mo_result update_candidate(stage *s, const mo_ordered_pair *one, double impulse_scale) {
  mo_world *world = s->world;
  mo_pair pair = world->pairs.near[one->value];
  uint32_t before = s->contacts->count;
  collide_pair(s, &pair, impulse_scale);
  if (!mo_pair_store_reserve_notes(&world->pairs, 1)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  bool touches = s->contacts->count > before;
  pair.allowance = touches ? MO_NOT_COMPARED : MO_FOUND_APART;
  mo_pair_store_set_near(&world->pairs, one->value, &pair);
  MO_RETURN_IF_REFUSED(ask_about_contacts(s, before));
  if (s->contacts->count == before) {
    return MO_OK;
  }
  bool has_woken;
  bool is_noted = mo_world_wake_pair(world, pair.slot_a, pair.slot_b, &has_woken);
  s->contacts->has_woken_others = s->contacts->has_woken_others || has_woken;
  return is_noted ? MO_OK : MO_ERROR_OUT_OF_MEMORY;
}

// Drops the contacts that are none of the union of what they touch.
static bool drop_void(stage *s) {
  mo_contact *all = s->world->fresh_contacts;
  if (!mo_step_drop_void_contacts(s->world, all, s->on_shapes, s->contacts->count)) {
    return false;
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->contacts->count; i++) {
    if (all[i].point_count > 0) {
      s->contacts->is_solved[kept] = s->contacts->is_solved[i];
      all[kept++] = all[i];
    }
  }
  s->contacts->count = kept;
  return true;
}

// The most contacts that the candidates may have.
static uint32_t count_manifolds(const mo_world *world, const candidates *pairs) {
  uint32_t most = pairs->count;
  for (uint32_t i = 0; i < pairs->count; i++) {
    const mo_pair *pair = &world->pairs.near[pairs->items[i].value];
    const mo_contact_record *record = mo_pair_record(&world->pairs, pair);
    most += record->flags & MO_CONTACT_HAS_PARTS ? MO_MESH_MANIFOLDS - 1 : 0;
  }
  return most;
}

mo_result mo_step_find_contacts(mo_world *world, double dt, const mo_solver_choice *choice,
                                const mo_free_motions *free, mo_row_contacts *contacts) {
  stage all = {world, dt, choice, free, contacts, NULL}, *s = &all;
  candidates pairs;
  s->contacts->count = 0;
  if (!cover_bodies(s) || !list_candidates(s, &pairs)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  uint32_t most = count_manifolds(world, &pairs) + world->contacts_count;
  s->contacts->is_solved = MO_ARENA_TAKE_RAW(&world->step_arena, uint8_t, most);
  s->on_shapes =
      MO_ARENA_TAKE_RAW(&world->step_arena, mo_vec3, (size_t)(2 * MO_MANIFOLD_POINTS) * most + 1);
  if (!s->contacts->is_solved || !s->on_shapes || !MO_RESERVE(world, fresh_contacts, most)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  double impulse_scale = mo_world_warm_start_scale(world, s->dt);
  uint32_t cursor = 0;
  for (uint32_t i = 0; i < pairs.count; i++) {
    keep_asleep(s, &pairs.items[i], &cursor);
    mo_result result = update_candidate(s, &pairs.items[i], impulse_scale);
    if (result != MO_OK) {
      return result;
    }
  }
  keep_asleep(s, NULL, &cursor);
  return drop_void(s) ? MO_OK : MO_ERROR_OUT_OF_MEMORY;
}
