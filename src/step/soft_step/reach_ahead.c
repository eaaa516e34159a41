/// Boxes and paths of fast bodies: what they may meet in a step.
#include "step/soft_step/soft_contacts.h"
#include "step/stages.h"
#include "world/activity.h"

#include <string.h>

// Near reaches that a body moves in a step from which on contacts are looked for along its path:
// the first for small bodies, the second for those whose size allows it. What moves less overlaps
// by less than that before it is stopped.
#define FAST_REACHES 3.0
#define MOST_FAST_REACHES 6.0
// m: along longer paths no contacts are looked for; their separations would be too coarse in
// floats. Only bodies that do not move stop what is so fast (continuous.c).
#define LONGEST_PATH 100.0

// How far the surface of a body may move by its rotation in the step, m.
static inline double turn_ahead(const mo_world *world, uint32_t slot, double dt) {
  const mo_body *body = &world->bodies[slot];
  double spin = mo_length(world->motions[slot].angular_velocity);
  if (spin == 0.0) {
    return 0.0;
  }
  return mo_min(dt * spin * body->bounding_radius, body->bounding_radius - body->inner_radius);
}

// The path in a step, m, from which on contacts are looked for along it. A late impact pushes the
// body out of an overlap, which would open its joints.
static inline double fast_path(const mo_world *world, uint32_t slot,
                               const mo_contact_reach *reach) {
  bool has_joints = mo_world_is_in_joints(world, slot);
  double part = has_joints ? 0.0 : mo_step_unseen_path(&world->bodies[slot]);
  return mo_clamp(part, FAST_REACHES * reach->near, MOST_FAST_REACHES * reach->near);
}

// Whether a body turns so slowly that its surface moves by less than half of what is fast. This
// runs for every awake body, so it takes no square root.
static inline bool turns_slowly(const mo_world *world, uint32_t slot,
                                const mo_contact_reach *reach) {
  double square = mo_square(reach->dt * world->bodies[slot].bounding_radius) *
                  mo_length_squared(world->motions[slot].angular_velocity);
  return square < mo_square(0.5 * FAST_REACHES * reach->near);
}

// Whether a body moves so far in the step that contacts have to be looked for along its path. Of
// most bodies the bounds of what is fast for any of them tell.
static inline bool is_fast(const mo_world *world, uint32_t slot, const mo_contact_reach *reach) {
  const mo_motion *motion = &world->motions[slot];
  double square = reach->dt * reach->dt * mo_length_squared(motion->linear_velocity);
  if (square > mo_square(MOST_FAST_REACHES * reach->near)) {
    return square < mo_square(LONGEST_PATH * mo_world_metre(world));
  }
  bool is_slow = turns_slowly(world, slot, reach);
  if (is_slow && square <= mo_square(FAST_REACHES * reach->near)) {
    return false;
  }
  double least = fast_path(world, slot, reach);
  return square < mo_square(LONGEST_PATH * mo_world_metre(world)) &&
         (square > mo_square(least) || (!is_slow && turn_ahead(world, slot, reach->dt) > least));
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

void mo_soft_contacts_cover_all(mo_world *world, const uint8_t *in_rows,
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

bool mo_soft_contacts_reach_ahead(mo_world *world, const uint8_t *in_rows,
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
