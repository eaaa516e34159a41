/// From poses to contacts: broad phase, narrow phase, and the hand-over of last step's impulses.
#include "constraints/contact_loads.h"
#include "memory/array.h"
#include "world/joined_pairs.h"
#include "world/speculation.h"

// Bodies closer than this have a contact although they may not meet in the step: it keeps the
// feature ids, and so the warm start, of contacts that open and close by round-off or by a fraction
// of the slop. Metres.
#define LEAST_MARGIN 1e-3
// A speculative contact is a plane. Beyond this part of a body's radius it says too little about
// where the body will be, and the body would bounce off things that it passes.
#define MARGIN_PER_RADIUS 0.5

// Steps whose lengths differ by more than this factor start cold.
#define MAX_STEP_RATIO 100.0

// Where the proxy of the same index comes from.
typedef struct proxy_source {
  uint32_t slot, shape;
  double margin; // m: how far the body may move in the step
} proxy_source;

static mo_moving_shape moving_shape(const mo_world *world, const proxy_source *source,
                                    const mo_velocity *free_velocities) {
  return (mo_moving_shape){.body = &world->bodies[source->slot],
                           .motion = &world->motions[source->slot],
                           .shape = source->shape,
                           .free_velocity = free_velocities[source->slot]};
}

// How far any point of the body travels in the step, as far as speculation goes.
static double motion_margin(const mo_body *body, const mo_velocity *velocity, double dt) {
  if (body->type == MO_BODY_STATIC) {
    return 0.0;
  }
  double reach = mo_length(velocity->linear) + body->bounding_radius * mo_length(velocity->angular);
  return mo_min(dt * reach, MARGIN_PER_RADIUS * body->bounding_radius);
}

// Fills the broad phase, in slot order. Null without memory.
static proxy_source *insert_proxies(mo_world *world, const mo_velocity *free_velocities,
                                    double dt) {
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    count += world->bodies[slot].shape_count;
  }
  proxy_source *sources = MO_ARENA_TAKE(&world->step_arena, proxy_source, count);
  mo_broad_phase_reset(&world->broad_phase);
  count = 0;
  for (uint32_t slot = 0; sources && slot < world->ids.slot_count; slot++) {
    const mo_body *body = &world->bodies[slot];
    double margin = body->shape_count > 0 ? motion_margin(body, &free_velocities[slot], dt) : 0.0;
    for (uint32_t shape = 0; shape < body->shape_count; shape++) {
      sources[count] = (proxy_source){slot, shape, margin};
      mo_moving_shape moving = moving_shape(world, &sources[count], free_velocities);
      mo_bounds bounds =
          mo_shape_bounds(body->shapes[shape].shape, mo_moving_shape_placement(&moving));
      mo_proxy proxy = {.bounds = mo_bounds_expand(bounds, margin + 0.5 * LEAST_MARGIN),
                        .movable = body->type == MO_BODY_DYNAMIC};
      count++;
      if (!mo_broad_phase_insert(&world->broad_phase, proxy)) {
        return NULL;
      }
    }
  }
  return sources;
}

// --- contacts of the last step ---------------------------------------------------------------

// Pairs come sorted by proxy, and proxies by (slot, shape); so this orders contacts as pairs are
// ordered.
static int compare_contact(const mo_contact *contact, const proxy_source *low,
                           const proxy_source *high) {
  bool a_is_low = contact->slot_a < contact->slot_b;
  uint32_t contact_keys[4] = {
      a_is_low ? contact->slot_a : contact->slot_b, a_is_low ? contact->shape_a : contact->shape_b,
      a_is_low ? contact->slot_b : contact->slot_a, a_is_low ? contact->shape_b : contact->shape_a};
  uint32_t pair_keys[4] = {low->slot, low->shape, high->slot, high->shape};
  for (int i = 0; i < 4; i++) {
    if (contact_keys[i] != pair_keys[i]) {
      return contact_keys[i] < pair_keys[i] ? -1 : 1;
    }
  }
  return 0;
}

// The contact that the pair had in the last step, or null. `cursor` moves up with the sorted pairs.
static const mo_contact *find_old_contact(const mo_world *world, const proxy_source *low,
                                          const proxy_source *high, uint32_t *cursor) {
  while (*cursor < world->contacts_count &&
         compare_contact(&world->contacts[*cursor], low, high) < 0) {
    (*cursor)++;
  }
  bool found =
      *cursor < world->contacts_count && compare_contact(&world->contacts[*cursor], low, high) == 0;
  return found ? &world->contacts[*cursor] : NULL;
}

// --- narrow phase ----------------------------------------------------------------------------

static double shape_friction(const mo_body *body, uint32_t shape) {
  return body->shapes[shape].friction >= 0.0 ? body->shapes[shape].friction : body->friction;
}

static double shape_restitution(const mo_body *body, uint32_t shape) {
  return body->shapes[shape].restitution >= 0.0 ? body->shapes[shape].restitution
                                                : body->restitution;
}

// What a step's pairs have in common.
typedef struct pair_context {
  const mo_world *world;
  const mo_velocity *free_velocities; // per slot
  double dt, impulse_scale;
} pair_context;

static bool asks_for_exact(const mo_world *world, const mo_body *body) {
  return body->type == MO_BODY_DYNAMIC && mo_world_body_solver(world, body) != MO_SOLVER_BLOCK_PGS;
}

// Collides one pair. A contact without points: they do not meet.
static mo_contact collide_pair(const pair_context *context, const proxy_source *low,
                               const proxy_source *high, const mo_contact *old) {
  const mo_world *world = context->world;
  bool low_first = world->bodies[low->slot].serial < world->bodies[high->slot].serial;
  const proxy_source *a = low_first ? low : high, *b = low_first ? high : low;
  mo_moving_shape moving_a = moving_shape(world, a, context->free_velocities);
  mo_moving_shape moving_b = moving_shape(world, b, context->free_velocities);
  mo_contact contact = {
      .slot_a = a->slot, .slot_b = b->slot, .shape_a = a->shape, .shape_b = b->shape};
  mo_manifold manifold;
  mo_collide_shapes(moving_a.body->shapes[a->shape].shape, mo_moving_shape_placement(&moving_a),
                    moving_b.body->shapes[b->shape].shape, mo_moving_shape_placement(&moving_b),
                    a->margin + b->margin + LEAST_MARGIN, &manifold);
  mo_speculate(&moving_a, &moving_b, context->dt, &manifold);
  if (manifold.point_count > 0) {
    contact.friction =
        sqrt(shape_friction(moving_a.body, a->shape) * shape_friction(moving_b.body, b->shape));
    contact.restitution = sqrt(shape_restitution(moving_a.body, a->shape) *
                               shape_restitution(moving_b.body, b->shape));
    mo_contact_update(&contact, &manifold, old, context->impulse_scale);
    if (asks_for_exact(world, moving_a.body) || asks_for_exact(world, moving_b.body)) {
      mo_contact_even_out_loads(&contact);
    }
  }
  return contact;
}

double mo_world_warm_start_scale(const mo_world *world, double dt) {
  double last_dt = world->last_step.dt;
  bool related = last_dt > 0.0 && dt < MAX_STEP_RATIO * last_dt && last_dt < MAX_STEP_RATIO * dt;
  return related ? dt / last_dt : 0.0;
}

mo_result mo_world_find_contacts(mo_world *world, const mo_velocity *free_velocities, double dt,
                                 uint32_t *contact_count, uint32_t *pair_count) {
  mo_broad_phase *broad_phase = &world->broad_phase;
  const proxy_source *sources = insert_proxies(world, free_velocities, dt);
  mo_joined_pairs joined;
  if (!sources || !mo_broad_phase_find_pairs(broad_phase) ||
      !mo_joined_pairs_find(world, &world->step_arena, &joined) ||
      !MO_RESERVE(world, fresh_contacts, broad_phase->pairs_count)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  pair_context context = {.world = world,
                          .free_velocities = free_velocities,
                          .dt = dt,
                          .impulse_scale = mo_world_warm_start_scale(world, dt)};
  uint32_t cursor = 0;
  *contact_count = 0;
  *pair_count = broad_phase->pairs_count;
  for (uint32_t i = 0; i < broad_phase->pairs_count; i++) {
    const proxy_source *low = &sources[broad_phase->pairs[i].a],
                       *high = &sources[broad_phase->pairs[i].b];
    if (low->slot == high->slot || mo_joined_pairs_have(&joined, low->slot, high->slot)) {
      continue; // two shapes of one body, or bodies of a joint
    }
    const mo_contact *old = find_old_contact(world, low, high, &cursor);
    mo_contact contact = collide_pair(&context, low, high, old);
    if (contact.point_count > 0) {
      world->fresh_contacts[(*contact_count)++] = contact;
    }
  }
  return MO_OK;
}

void mo_world_forget_contacts(mo_world *world, uint32_t slot) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < world->contacts_count; i++) {
    const mo_contact *contact = &world->contacts[i];
    if (contact->slot_a != slot && contact->slot_b != slot) {
      world->contacts[kept++] = *contact;
    }
  }
  world->contacts_count = kept;
}
