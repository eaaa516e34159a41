/// Which islands fall asleep, and the events of falling asleep and waking.
#include "world/activity.h"
#include "world/checks.h"

// m/s: speed below which bodies of soft-step count as still, because its contacts are springs that
// always oscillate a little.
#define SUBSTEP_SLEEP_THRESHOLD 0.05
// m/s: the same for the row solvers, with which a body that drifts slowly really moves.
#define ROW_SLEEP_THRESHOLD 1e-4

// The last part of the time to sleep, in which a body may not drift. Before, it may still settle.
#define DRIFT_TIME_PART 0.25f
// The part of the sleep threshold with which a body drifts, on average over that time. What rests
// moves about its place, much slower on average than now and then; what slides or rolls does not.
#define DRIFT_SPEED_PART 0.1

static double sleep_threshold(const mo_world *world) {
  double threshold = world->settings.sleep_threshold;
  if (threshold >= 0.0) {
    return threshold;
  }
  bool is_substep = mo_is_substep_solver(world->settings.solver);
  return (is_substep ? SUBSTEP_SLEEP_THRESHOLD : ROW_SLEEP_THRESHOLD) * mo_world_metre(world);
}

// The part of the threshold below which a body on a spring counts as still. What a damped spring
// pulls home is slower the nearer it comes: at the threshold itself a heavily damped one would fall
// asleep a centimetre away.
#define SPRING_SPEED_PART 0.005

// The threshold of a body.
static double threshold_of(const mo_body *body, double threshold) {
  return body->elastic_joints > 0 ? SPRING_SPEED_PART * threshold : threshold;
}

static bool moves(const mo_motion *m) {
  return mo_length_squared(m->linear_velocity) > 0.0 ||
         mo_length_squared(m->angular_velocity) > 0.0;
}

// Radius, m, at which turns of a body count. For a body without shapes it is 1 m.
static double radius_of(const mo_world *world, const mo_body *body) {
  return body->shape_count > 0 ? body->bounding_radius : mo_world_metre(world);
}

// Bound of the speed of a body's points, m/s.
static double speed_of(const mo_world *world, const mo_body *body, const mo_motion *m) {
  return mo_length(m->linear_velocity) + radius_of(world, body) * mo_length(m->angular_velocity);
}

static void note_still_place(mo_world *world, uint32_t slot) {
  const mo_motion *m = &world->motions[slot];
  world->still_places[slot] = (mo_still_place){m->center_of_mass, m->orientation};
}

// The way of a body from its still place, m: what its speed adds up to if it goes straight on. The
// turn is small, and so about twice the sine of its half.
static double way_of(const mo_world *world, uint32_t slot) {
  const mo_still_place *place = &world->still_places[slot];
  const mo_motion *m = &world->motions[slot];
  mo_quat turn = mo_quat_mul(m->orientation, mo_quat_conjugate(place->orientation));
  double angle = 2.0 * mo_length(mo_v3(turn.x, turn.y, turn.z));
  return mo_distance_between(place->center_of_mass, m->center_of_mass) +
         radius_of(world, &world->bodies[slot]) * angle;
}

// Whether a body has moved for `seconds` and would move on, however slowly. It would not if it
// stopped, by slowing down as it did, within the way that one at rest may go in the time to sleep.
static bool drifts(const mo_world *world, uint32_t slot, double seconds) {
  double least = DRIFT_SPEED_PART * threshold_of(&world->bodies[slot], sleep_threshold(world));
  double mean = way_of(world, slot) / seconds;
  double speed = speed_of(world, &world->bodies[slot], &world->motions[slot]);
  double slowing = (mean - speed) / (0.5 * seconds); // m/s^2
  return mean > least && mo_square(speed) > 2.0 * slowing * (least * world->settings.time_to_sleep);
}

// Continues the time for which a body has been still. As long as it drifts, that never lasts for
// the time to sleep. One that has to wait for its island is looked at again and again.
static void count_still_time(mo_world *world, uint32_t slot, float dt) {
  float enough = (float)world->settings.time_to_sleep, last = DRIFT_TIME_PART * enough;
  float before = world->still_times[slot], now = before + dt;
  if (before == 0.0f || (before < enough - last && now >= enough - last)) {
    note_still_place(world, slot);
  }
  if ((before < enough && now >= enough) || now >= enough + last) {
    now = drifts(world, slot, (double)last) ? enough - last : enough;
    note_still_place(world, slot);
  }
  world->still_times[slot] = now;
}

// Counts how long each body has been still. Returns whether some body has been for long enough.
static bool count_still_times(mo_world *world, double dt) {
  double sleep = sleep_threshold(world);
  float long_enough = (float)world->settings.time_to_sleep;
  bool any = false;
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    const mo_body *body = &world->bodies[slot];
    const mo_motion *m = &world->motions[slot];
    if (body->type == MO_BODY_KINEMATIC) {
      any = any || !moves(m);
      continue;
    }
    double threshold = threshold_of(body, sleep);
    // A body that is pushed out of an overlap, or back to its joint, moves without a velocity.
    bool is_still = body->allow_sleep && speed_of(world, body, m) < threshold &&
                    world->step_displacements[slot] < threshold * dt;
    if (is_still) {
      count_still_time(world, slot, (float)dt);
    } else {
      world->still_times[slot] = 0.0f;
    }
    any = any || world->still_times[slot] >= long_enough;
  }
  return any;
}

static void link_contacts(mo_world *world) {
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    const mo_substep_colour *colour = &world->pairs.colours[c];
    for (uint32_t i = 0; i < colour->contacts_count; i++) {
      mo_world_link(world, colour->contacts[i].pair.slot_a, colour->contacts[i].pair.slot_b);
    }
  }
  for (uint32_t i = 0; i < world->contacts_count; i++) {
    mo_world_link(world, world->contacts[i].slot_a, world->contacts[i].slot_b);
  }
}

// The smallest and the largest still time of each island's members.
static void measure_islands(const mo_world *world, float *least, float *greatest) {
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t name = world->islands.names[world->awake[i]];
    least[name] = INFINITY;
    greatest[name] = 0.0f;
  }
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t name = world->islands.names[world->awake[i]];
    float still = world->still_times[world->awake[i]];
    least[name] = still < least[name] ? still : least[name];
    greatest[name] = still > greatest[name] ? still : greatest[name];
  }
}

// Splits loose islands that have fallen apart, among those with a body that may sleep. Returns
// whether any was checked.
static bool renew_loose_islands(mo_world *world, const float *greatest) {
  mo_island_sets *sets = &world->islands;
  float long_enough = (float)world->settings.time_to_sleep;
  bool any = false;
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    if (sets->loose[sets->names[slot]] && greatest[sets->names[slot]] >= long_enough) {
      mo_island_sets_take_apart(sets, slot);
      any = true;
    }
  }
  if (any) {
    link_contacts(world);
    mo_world_link_constraints(world);
  }
  return any;
}

// Keeps bodies awake that nothing holds: they have neither contact nor joint, and move or will.
static void keep_awake_in_flight(mo_world *world, float *least, float *held) {
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    held[slot] = world->pairs.contact_counts[slot] > 0 || mo_world_is_in_joints(world, slot);
  }
  for (uint32_t i = 0; i < world->contacts_count; i++) {
    held[world->contacts[i].slot_a] = held[world->contacts[i].slot_b] = 1.0f;
  }
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    const mo_body *body = &world->bodies[slot];
    if (held[slot] == 0.0f && body->type == MO_BODY_DYNAMIC &&
        (moves(&world->motions[slot]) || mo_length_squared(body->linear_acceleration) > 0.0 ||
         mo_length_squared(body->angular_acceleration) > 0.0)) {
      least[world->islands.names[slot]] = world->still_times[slot] = 0.0f;
    }
  }
}

// Keeps bodies awake that a moving kinematic body touches.
static void keep_awake_beside_kinematic(const mo_world *world, float *least) {
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    const mo_substep_colour *colour = &world->pairs.colours[c];
    for (uint32_t i = 0; i < colour->contacts_count; i++) {
      const mo_pair *pair = &colour->contacts[i].pair;
      if (moves(&world->motions[pair->slot_a]) && !mo_world_is_dynamic(world, pair->slot_a)) {
        least[world->islands.names[pair->slot_b]] = 0.0f;
      }
      if (moves(&world->motions[pair->slot_b]) && !mo_world_is_dynamic(world, pair->slot_b)) {
        least[world->islands.names[pair->slot_a]] = 0.0f;
      }
    }
  }
  for (uint32_t i = 0; i < world->contacts_count; i++) {
    uint32_t a = world->contacts[i].slot_a, b = world->contacts[i].slot_b;
    if (moves(&world->motions[a]) && !mo_world_is_dynamic(world, a)) {
      least[world->islands.names[b]] = 0.0f;
    }
    if (moves(&world->motions[b]) && !mo_world_is_dynamic(world, b)) {
      least[world->islands.names[a]] = 0.0f;
    }
  }
}

// Keeps bodies awake that are joined to a moving kinematic body.
static void keep_awake_on_kinematic(const mo_world *world, float *least) {
  const mo_joined_pairs *joined = &world->joined;
  for (uint32_t i = 0; i < joined->carried_count; i++) {
    if (mo_world_carrier_moves(world, &joined->carried[i])) {
      least[world->islands.names[joined->carried[i].carried]] = 0.0f;
    }
  }
}

static void stop(mo_world *world, uint32_t slot) {
  world->motions[slot].linear_velocity = mo_v3_zero();
  world->motions[slot].angular_velocity = mo_v3_zero();
  world->bodies[slot].last_linear_velocity = world->bodies[slot].last_angular_velocity =
      mo_v3_zero();
  world->bodies[slot].linear_acceleration = mo_v3_zero();
  world->bodies[slot].angular_acceleration = mo_v3_zero();
  mo_world_publish_slot(world, slot);
}

static bool falls_asleep(const mo_world *world, uint32_t slot, const float *least) {
  if (world->bodies[slot].type == MO_BODY_KINEMATIC) {
    return !moves(&world->motions[slot]);
  }
  return least[world->islands.names[slot]] >= (float)world->settings.time_to_sleep;
}

void mo_world_put_to_sleep(mo_world *world, double dt, float *room) {
  if (!world->settings.allow_sleep || !count_still_times(world, dt)) {
    return;
  }
  float *least = room, *greatest = room + world->ids.slot_count;
  measure_islands(world, least, greatest);
  if (renew_loose_islands(world, greatest)) {
    measure_islands(world, least, greatest);
  }
  keep_awake_beside_kinematic(world, least);
  keep_awake_on_kinematic(world, least);
  keep_awake_in_flight(world, least, room + 2 * (size_t)world->ids.slot_count);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    if (falls_asleep(world, slot, least)) {
      world->awake_places[slot] = MO_NOT_AWAKE;
      stop(world, slot);
    } else {
      world->awake_places[slot] = kept;
      world->awake[kept++] = slot;
    }
  }
  if (kept < world->awake_count) {
    world->has_fallen_asleep = true;
    world->has_activity_changed = true;
    mo_world_forget_joints(world);
  }
  world->awake_count = kept;
}

mo_result mo_body_sleep(mo_world *world, mo_body_id id) {
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, "mo_body_sleep"));
  uint32_t slot = mo_body_id_slot(id), member = slot;
  do {
    if (world->bodies[member].type != MO_BODY_STATIC) {
      mo_world_leave_awake(world, member);
      stop(world, member);
    }
    member = world->islands.next[member];
  } while (member != slot);
  world->has_fallen_asleep = true;
  world->has_activity_changed = true;
  return MO_OK;
}

// --- events ----------------------------------------------------------------------------------

void mo_world_collect_sleep_events(mo_world *world) {
  world->sleep_events_count = 0;
  if (!world->has_activity_changed) {
    return;
  }
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    bool is_awake = mo_world_is_awake(world, slot);
    // Only an enabled dynamic body sleeps or is awake to a user. What was told of it before it was
    // something else stays what counts.
    if (mo_world_is_dynamic(world, slot) && world->bodies[slot].is_enabled &&
        is_awake != (world->was_awake[slot] != 0)) {
      world->sleep_events[world->sleep_events_count++] =
          (mo_sleep_event){.body = mo_world_body_in_slot(world, slot), .is_awake = is_awake};
      world->was_awake[slot] = is_awake;
    }
  }
  world->has_activity_changed = false;
}

const mo_sleep_event *mo_world_sleep_events(const mo_world *world, uint32_t *count) {
  *count = world->sleep_events_count;
  return world->sleep_events;
}
