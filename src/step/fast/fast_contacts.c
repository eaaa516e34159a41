#include "step/fast/fast_contacts.h"

#include "collision/narrow/feature.h"
#include "math/simd.h"
#include "memory/array.h"
#include "parallel/parallel.h"
#include "step/fast/surface_parts.h"
#include "step/speculation.h"
#include "world/activity.h"

#include <string.h>

// Slops that the bodies of a flat contact may move before its manifold is evaluated again; until
// then its normal is out of date and new features are missing.
#define FLAT_TOLERANCE 4.0
// The same for a round contact: a ball rolls off sooner than a face tilts.
#define ROUND_TOLERANCE 1.0

// Contact updates that a thread takes at a time: some ten microseconds of work.
#define UPDATES_AT_ONCE 16u
// Updates that are computed before their results are stored, which bounds the memory for them.
#define BATCH 256u

// Near reaches that a body moves in a step from which on contacts are looked for along its path:
// the first for small bodies, the second for those whose size allows it. What moves less overlaps
// by less than that before it is stopped.
#define FAST_REACHES 3.0
#define MOST_FAST_REACHES 6.0
// Part of the inner radius of a body that it may move unseen.
#define FAST_PART 0.5
// m: along longer paths no contacts are looked for; their separations would be too coarse in
// floats. Only bodies that do not move stop what is so fast (continuous.c).
#define LONGEST_PATH 100.0

// Stands for the colour of a pair that is in `near`.
#define IN_NEAR MO_SUBSTEP_COLOURS

// The update of one pair.
typedef struct contact_update {
  uint32_t colour, index;      // where it is
  mo_substep_contact *contact; // in its place, or `begun`. Without points the shapes do not touch
  mo_substep_contact begun;    // of a pair that is in `near`
} contact_update;

typedef struct update_batch {
  const mo_world *world;
  const mo_contact_reach *reach;
  contact_update *items;
  uint32_t count;
} update_batch;

// --- fast bodies -----------------------------------------------------------------------------

// How far the surface of a body may move by its rotation in the step, m.
static double turn_ahead(const mo_world *world, uint32_t slot, double dt) {
  const mo_body *body = &world->bodies[slot];
  double spin = mo_length(world->motions[slot].angular_velocity);
  if (spin == 0.0) {
    return 0.0;
  }
  return mo_min(dt * spin * body->bounding_radius, body->bounding_radius - body->inner_radius);
}

// The path in a step, m, from which on contacts are looked for along it. A late impact pushes the
// body out of an overlap, which would open its joints.
static double fast_path(const mo_world *world, uint32_t slot, const mo_contact_reach *reach) {
  bool has_joints = world->constraint_counts[slot] > 0;
  double part = has_joints ? 0.0 : FAST_PART * world->bodies[slot].inner_radius;
  return mo_clamp(part, FAST_REACHES * reach->near, MOST_FAST_REACHES * reach->near);
}

// Whether a body turns so slowly that its surface moves by less than half of what is fast. This
// runs for every awake body, so it takes no square root.
static bool turns_slowly(const mo_world *world, uint32_t slot, const mo_contact_reach *reach) {
  double square = mo_square(reach->dt * world->bodies[slot].bounding_radius) *
                  mo_length_squared(world->motions[slot].angular_velocity);
  return square < mo_square(0.5 * FAST_REACHES * reach->near);
}

// Whether a body moves so far in the step that contacts have to be looked for along its path.
static bool is_fast(const mo_world *world, uint32_t slot, const mo_contact_reach *reach) {
  const mo_motion *motion = &world->motions[slot];
  double square = reach->dt * reach->dt * mo_length_squared(motion->linear_velocity);
  double least = fast_path(world, slot, reach);
  return square < mo_square(LONGEST_PATH) &&
         (square > mo_square(least) ||
          (!turns_slowly(world, slot, reach) && turn_ahead(world, slot, reach->dt) > least));
}

// Moves the boxes of a body to where it is now, and to hold its path if it is fast.
static void cover(mo_world *world, uint32_t slot, const mo_contact_reach *reach) {
  const mo_motion *motion = &world->motions[slot];
  bool fast = is_fast(world, slot, reach);
  mo_vec3 path = fast ? mo_scale(reach->dt, motion->linear_velocity) : mo_v3_zero();
  double turn = fast ? turn_ahead(world, slot, reach->dt) : 0.0;
  double free = mo_world_cover_body(world, slot, motion, mo_max(turn, reach->near), path);
  world->box_limits[slot] = world->displacements[slot] + free;
}

// Whether a body was fast in the last step: most that are, still are.
static bool was_fast(const mo_world *world, uint32_t slot, const mo_contact_reach *reach) {
  return (double)world->step_displacements[slot] > FAST_REACHES * reach->near;
}

void mo_fast_contacts_cover_all(mo_world *world, const uint8_t *in_rows,
                                const mo_contact_reach *reach) {
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    bool is_out = world->displacements[slot] > world->box_limits[slot];
    if ((is_out || was_fast(world, slot, reach)) && !(in_rows && in_rows[slot])) {
      cover(world, slot, reach);
    }
  }
}

// Whether the last step has left the boxes of a fast body where they hold its path, and no call has
// changed its velocity, which sets the limit to zero.
static bool is_covered(const mo_world *world, uint32_t slot, const mo_contact_reach *reach) {
  return reach->dt == world->last_step.dt && was_fast(world, slot, reach) &&
         world->displacements[slot] <= world->box_limits[slot];
}

// Moves the boxes of a fast body to hold its path.
static bool cover_path(mo_world *world, uint32_t slot, const mo_contact_reach *reach) {
  uint32_t shape_count = world->bodies[slot].shape_count;
  if (!mo_journal_reserve(&world->journal, MO_NOTE_BYTES(sizeof(double))) ||
      !mo_broad_phase_reserve_changes(&world->broad_phase, shape_count)) {
    return false;
  }
  MO_NOTE_ITEM(&world->journal, world->box_limits, slot);
  cover(world, slot, reach);
  return true;
}

// Begins the list of how far bodies move. Returns false without memory, as do those above and
// below.
static bool begin_list(mo_world *world, mo_contact_reach *reach) {
  uint32_t slots = world->ids.slot_count;
  reach->moved = MO_ARENA_TAKE_RAW(&world->step_arena, double, slots);
  reach->turns = MO_ARENA_TAKE(&world->step_arena, double, slots);
  if (!reach->moved || !reach->turns) {
    return false;
  }
  memcpy(reach->moved, world->displacements, slots * sizeof *reach->moved);
  for (uint32_t i = 0; i < world->awake_count; i++) {
    reach->turns[world->awake[i]] = turn_ahead(world, world->awake[i], reach->dt);
  }
  return true;
}

// Lists how far a fast body moves.
static bool reach_along_path(mo_world *world, uint32_t slot, mo_contact_reach *reach) {
  if (!reach->moved && !begin_list(world, reach)) {
    return false;
  }
  reach->moved[slot] +=
      reach->dt * mo_length(world->motions[slot].linear_velocity) + reach->turns[slot];
  return is_covered(world, slot, reach) || cover_path(world, slot, reach);
}

bool mo_fast_contacts_reach_ahead(mo_world *world, const uint8_t *in_rows,
                                  mo_contact_reach *reach) {
  mo_world_list_awake(world);
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    if (is_fast(world, slot, reach) && !(in_rows && in_rows[slot]) &&
        !reach_along_path(world, slot, reach)) {
      return false;
    }
  }
  return world->broad_phase.moved_count == 0 || mo_world_complete_pairs(world);
}

static bool is_pair_fast(const mo_world *world, const mo_contact_reach *reach,
                         const mo_pair *pair) {
  uint32_t a = pair->slot_a, b = pair->slot_b;
  return reach->moved &&
         reach->moved[a] + reach->moved[b] != world->displacements[a] + world->displacements[b];
}

static mo_vec3 relative_velocity(const mo_world *world, const mo_pair *pair) {
  return mo_sub(world->motions[pair->slot_a].linear_velocity,
                world->motions[pair->slot_b].linear_velocity);
}

// How far the shapes of a pair may come nearer in the step, if a body is fast, m.
double mo_fast_contacts_ahead(const mo_world *world, const mo_contact_reach *reach,
                              const mo_pair *pair) {
  return is_pair_fast(world, reach, pair)
             ? reach->dt * mo_length(relative_velocity(world, pair)) + reach->turns[pair->slot_a] +
                   reach->turns[pair->slot_b]
             : 0.0;
}

// Whether that is more than `gap`, m.
static bool is_ahead_over(const mo_world *world, const mo_contact_reach *reach, const mo_pair *pair,
                          double gap) {
  double rest = gap - (reach->turns[pair->slot_a] + reach->turns[pair->slot_b]);
  double square = mo_square(reach->dt) * mo_length_squared(relative_velocity(world, pair));
  return !(rest >= 0.0 && square <= mo_square(rest));
}

// Whether the balls around two bodies come nearer in the step than the near reach takes in. Bodies
// that do not move are large, or planes, of which a ball takes in nothing.
static bool balls_meet(const mo_world *world, const mo_contact_reach *reach, const mo_pair *pair) {
  if (!mo_world_is_dynamic(world, pair->slot_a) || !mo_world_is_dynamic(world, pair->slot_b)) {
    return true;
  }
  const mo_motion *a = &world->motions[pair->slot_a], *b = &world->motions[pair->slot_b];
  mo_vec3 apart = mo_sub(b->center_of_mass, a->center_of_mass);
  mo_vec3 path = mo_scale(reach->dt, mo_sub(b->linear_velocity, a->linear_velocity));
  double square = mo_length_squared(path), along = -mo_dot(apart, path);
  double nearest = square > 0.0 ? mo_clamp(along / square, 0.0, 1.0) : 0.0;
  double radii = world->bodies[pair->slot_a].bounding_radius +
                 world->bodies[pair->slot_b].bounding_radius + 2.0 * reach->near;
  return !(mo_length_squared(mo_add_scaled(apart, nearest, path)) > radii * radii);
}

// --- pairs that need an update ---------------------------------------------------------------

static bool is_due(const mo_world *world, const mo_pair *pair) {
  return !(world->displacements[pair->slot_a] + world->displacements[pair->slot_b] <=
           pair->allowance);
}

// Whether the shapes of a near pair with a fast body may meet in the step.
MO_APART bool may_meet(const mo_world *world, const mo_contact_reach *reach, const mo_pair *pair) {
  double moved = world->displacements[pair->slot_a] + world->displacements[pair->slot_b];
  return !(moved <= pair->allowance) ||
         (is_ahead_over(world, reach, pair, pair->allowance - moved) &&
          balls_meet(world, reach, pair));
}

static bool is_near_due(const mo_world *world, const mo_contact_reach *reach, const mo_pair *pair) {
  if (!reach->moved) {
    return is_due(world, pair);
  }
  return !(reach->moved[pair->slot_a] + reach->moved[pair->slot_b] <= pair->allowance) &&
         may_meet(world, reach, pair);
}

// The position of a pair.
typedef struct pair_place {
  uint32_t colour, index;
} pair_place;

// Whether a pair belongs to the row solvers, which took its contact from the colours.
static bool is_in_rows(const uint8_t *in_rows, const mo_pair *pair) {
  return in_rows && (in_rows[pair->slot_a] || in_rows[pair->slot_b]);
}

// Lists the pairs that need an update, those with meshes apart from the others. Returns the number
// of the others.
static uint32_t find_due_pairs(const mo_world *world, const uint8_t *in_rows,
                               const mo_contact_reach *reach, pair_place *out,
                               mo_surface_list *surfaces) {
  const mo_pair_store *pairs = &world->pairs;
  uint32_t count = 0;
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    const mo_substep_colour *colour = &pairs->colours[c];
    for (uint32_t i = 0; i < colour->contacts_count; i++) {
      out[count] = (pair_place){c, i};
      count += is_due(world, &colour->contacts[i].pair);
    }
  }
  for (uint32_t i = 0; i < pairs->near_count; i++) {
    const mo_pair *pair = &pairs->near[i];
    bool due = is_near_due(world, reach, pair) && !is_in_rows(in_rows, pair);
    out[count] = (pair_place){IN_NEAR, i};
    count += due && !pair->has_parts;
    surfaces->contacts[surfaces->count] = pair->contact;
    surfaces->count += due && pair->has_parts;
  }
  return count;
}

// Contacts are changed in their places, as they are large. Returns false without memory.
static bool list_updates(mo_world *world, const pair_place *places, update_batch *out) {
  mo_pair_store *pairs = &world->pairs;
  if (!mo_pair_store_reserve_notes(pairs, out->count)) {
    return false;
  }
  for (uint32_t i = 0; i < out->count; i++) {
    contact_update *update = &out->items[i];
    update->colour = places[i].colour;
    update->index = places[i].index;
    if (update->colour == IN_NEAR) {
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

// The largest number, also in m, whose square fits single precision: for friction and lever arms.
#define LARGEST_SINGLE 1e18

static float to_single(double x) { return (float)mo_clamp(x, -LARGEST_SINGLE, LARGEST_SINGLE); }

static void set_arm(mo_vec3 point, mo_vec3 center_of_mass, float *arm) {
  mo_vec3 from = mo_sub(point, center_of_mass);
  if (mo_length_squared(from) < LARGEST_SINGLE * LARGEST_SINGLE) {
    mo_v3_to_floats(from, arm);
    return;
  }
  arm[0] = to_single(from.x);
  arm[1] = to_single(from.y);
  arm[2] = to_single(from.z);
}

// Replaces the manifold of a contact. Points whose features are the same keep their impulses.
static void set_manifold(const mo_manifold *manifold, mo_vec3 center_a, mo_vec3 center_b,
                         mo_substep_contact *contact) {
  // Of the old points; copied one by one, which is quicker than calls that copy so few bytes.
  uint32_t features[MO_MANIFOLD_POINTS], old_count = contact->point_count;
  float starts[MO_MANIFOLD_POINTS], impulses[MO_MANIFOLD_POINTS];
  mo_f32x4_store(impulses, mo_f32x4_load(contact->normal_impulses));
  for (uint32_t k = 0; k < old_count; k++) {
    features[k] = contact->points[k].feature_id;
    starts[k] = contact->points[k].start_impulse;
  }
  mo_v3_to_floats(manifold->normal, contact->normal);
  contact->point_count = (uint32_t)manifold->point_count;
  for (int k = 0; k < manifold->point_count; k++) {
    mo_substep_point *point = &contact->points[k];
    *point = (mo_substep_point){.feature_id = manifold->points[k].feature_id};
    set_arm(manifold->points[k].point_a, center_a, point->arm_a);
    set_arm(manifold->points[k].point_b, center_b, point->arm_b);
    contact->separations[k] = to_single(manifold->points[k].separation);
    contact->normal_impulses[k] = 0.0f;
    for (uint32_t i = 0; i < old_count; i++) {
      if (features[i] == point->feature_id) {
        point->start_impulse = starts[i];
        contact->normal_impulses[k] = impulses[i];
        break;
      }
    }
  }
  // Points that a contact does not have are zero, but for one that begins.
  uint32_t end = old_count > 0 ? old_count : MO_MANIFOLD_POINTS;
  for (uint32_t k = contact->point_count; k < end; k++) {
    contact->points[k] = (mo_substep_point){0};
    contact->separations[k] = 0.0f;
    contact->normal_impulses[k] = 0.0f;
  }
}

static void set_materials(const mo_world *world, mo_substep_contact *contact) {
  const mo_contact_record *record = mo_pair_record(&world->pairs, &contact->pair);
  contact->friction = to_single(record->friction);
  contact->restitution = (float)record->restitution;
  contact->pair.has_new_materials = false;
}

void mo_fast_contact_renew(const mo_world *world, const mo_manifold *manifold, mo_vec3 center_a,
                           mo_vec3 center_b, mo_substep_contact *contact) {
  if (contact->point_count == 0 || contact->pair.has_new_materials) {
    set_materials(world, contact);
  }
  if (contact->point_count == 0) { // the contact begins
    contact->twist_impulse = contact->start_twist = 0.0f;
    mo_v3_to_floats(mo_v3_zero(), contact->tangent_impulse);
    mo_v3_to_floats(mo_v3_zero(), contact->start_tangent);
  }
  set_manifold(manifold, center_a, center_b, contact);
}

double mo_fast_contact_allowance(const mo_contact_reach *reach, const mo_manifold *manifold) {
  bool is_round = manifold->points[0].feature_id == MO_FEATURE_ROUND;
  return (is_round ? ROUND_TOLERANCE : FLAT_TOLERANCE) * reach->slop;
}

mo_moving_shape mo_fast_moving_shape(const mo_world *world, uint32_t slot, uint32_t shape) {
  const mo_motion *motion = &world->motions[slot];
  return (mo_moving_shape){
      &world->bodies[slot], motion, shape, {motion->linear_velocity, motion->angular_velocity}};
}

// Removes the points of shapes that are far apart and do not meet in the step, and adds points to
// the one at which fast bodies touch.
static void speculate(const update_batch *all, const mo_pair *pair, double gap, double ahead,
                      mo_manifold *manifold) {
  bool is_far = gap > 2.0 * all->reach->near;
  if (manifold->point_count == 0 || (!is_far && ahead == 0.0)) {
    return;
  }
  const mo_proxy *proxies = all->world->broad_phase.proxies;
  mo_moving_shape a = mo_fast_moving_shape(all->world, pair->slot_a, proxies[pair->proxy_a].shape);
  mo_moving_shape b = mo_fast_moving_shape(all->world, pair->slot_b, proxies[pair->proxy_b].shape);
  if (is_far) {
    mo_speculate_far(&a, &b, all->reach->dt, manifold);
  }
  if (manifold->point_count == 1 && manifold->points[0].feature_id != MO_FEATURE_ROUND) {
    mo_speculate_turn(&a, &b, all->reach->dt, manifold);
  }
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

static void update_pair(const update_batch *all, contact_update *update,
                        const placed_pair *placed) {
  const mo_world *world = all->world;
  mo_substep_contact *contact = update->contact;
  mo_pair *pair = &contact->pair;
  double displacement = world->displacements[pair->slot_a] + world->displacements[pair->slot_b],
         near = 2.0 * all->reach->near, gap;
  mo_manifold manifold;
  double ahead = mo_fast_contacts_ahead(world, all->reach, pair);
  mo_collide_pair(placed->a.shape, &placed->a.placement, placed->b.shape, &placed->b.placement,
                  near + ahead, &pair->cache, &gap, &manifold);
  speculate(all, pair, gap, ahead, &manifold);
  if (manifold.point_count == 0) {
    contact->point_count = 0;
    pair->allowance = displacement + (gap - near);
    return;
  }
  mo_fast_contact_renew(world, &manifold, placed->a.center_of_mass, placed->b.center_of_mass,
                        contact);
  pair->allowance = displacement + mo_fast_contact_allowance(all->reach, &manifold);
}

// Reads the bodies of some pairs before it compares any, so that a processor waits for all of them
// at once: in a large world they are far apart in memory, and in no cache.
static void update_some(const update_batch *all, uint32_t first, uint32_t count) {
  placed_pair placed[UPDATES_AT_ONCE];
  for (uint32_t i = 0; i < count; i++) {
    const mo_pair *pair = &all->items[first + i].contact->pair;
    read_side(all->world, pair->slot_a, pair->proxy_a, &placed[i].a);
    read_side(all->world, pair->slot_b, pair->proxy_b, &placed[i].b);
  }
  for (uint32_t i = 0; i < count; i++) {
    place_side(&placed[i].a);
    place_side(&placed[i].b);
    update_pair(all, &all->items[first + i], &placed[i]);
  }
}

static void update_range(void *context, uint32_t first, uint32_t last) {
  for (uint32_t i = first; i < last; i += UPDATES_AT_ONCE) {
    update_some(context, i, last - i < UPDATES_AT_ONCE ? last - i : UPDATES_AT_ONCE);
  }
}

// --- changes of the store --------------------------------------------------------------------

// Returns false without memory, as do all that follow.
static bool begin_contact(mo_world *world, const contact_update *update) {
  mo_pair_store *pairs = &world->pairs;
  const mo_pair *pair = &update->begun.pair;
  uint32_t a = pair->slot_a, b = pair->slot_b;
  bool moves_a = mo_world_is_dynamic(world, a), moves_b = mo_world_is_dynamic(world, b);
  if (!mo_pair_store_reserve_contact(pairs, pair, moves_a, moves_b)) {
    return false;
  }
  mo_pair_store_take_near(pairs, update->index);
  mo_pair_store_add_contact(pairs, &update->begun, moves_a, moves_b);
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
static bool store_update(mo_world *world, const contact_update *update) {
  if (update->colour == IN_NEAR) {
    return update->begun.point_count > 0 ? begin_contact(world, update) : store_near(world, update);
  }
  const mo_substep_colour *colour = &world->pairs.colours[update->colour];
  return colour->contacts[update->index].point_count > 0 || end_contact(world, update);
}

static bool store_updates(mo_world *world, const update_batch *batch) {
  for (uint32_t i = batch->count; i-- > 0;) {
    if (!store_update(world, &batch->items[i])) {
      return false;
    }
  }
  return true;
}

// --- all -------------------------------------------------------------------------------------

bool mo_fast_contacts_update(mo_world *world, const uint8_t *in_rows,
                             const mo_contact_reach *reach) {
  mo_arena *arena = &world->step_arena;
  uint32_t pair_count = world->pairs.near_count + mo_pair_store_contact_count(&world->pairs);
  pair_place *places = MO_ARENA_TAKE_RAW(arena, pair_place, pair_count + 1);
  mo_surface_list surfaces = {.contacts =
                                  MO_ARENA_TAKE_RAW(arena, uint32_t, world->pairs.near_count + 1)};
  if (!places || !surfaces.contacts) {
    return false;
  }
  uint32_t due = find_due_pairs(world, in_rows, reach, places, &surfaces);
  update_batch batch = {.world = world,
                        .reach = reach,
                        .items =
                            MO_ARENA_TAKE_RAW(arena, contact_update, due < BATCH ? due : BATCH)};
  // There must be room in `near` for contacts that end.
  if (!batch.items || !MO_RESERVE(&world->pairs, near, pair_count)) {
    return false;
  }
  for (; due > 0; due -= batch.count) {
    batch.count = due < BATCH ? due : BATCH;
    if (!list_updates(world, &places[due - batch.count], &batch)) {
      return false;
    }
    mo_parallel_for(batch.count, UPDATES_AT_ONCE, update_range, &batch);
    if (!store_updates(world, &batch)) {
      return false;
    }
  }
  return mo_surface_parts_update(world, reach, &surfaces);
}
