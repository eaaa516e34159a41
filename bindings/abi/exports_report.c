/*
 * Exports of what the last step came to: energy, residual, statistics, hash, sleep events, contact
 * points, islands, the contact problem itself and the times of the stages.
 */
#include "callback.h"

#include <stdlib.h>

EXPORT(void, world_energy, mo_world *world) {
  mo_energy energy = mo_world_energy(world);
  cursor at = io;
  write_energy(&at, &energy);
}

EXPORT(void, world_momentum, const mo_world *world) {
  mo_momentum momentum = mo_world_momentum(world);
  cursor at = io;
  write_momentum(&at, &momentum);
}

EXPORT(void, world_residual, mo_world *world) {
  mo_residual residual = mo_world_residual(world);
  cursor at = io;
  write_residual(&at, &residual);
}

EXPORT(void, world_stats, mo_world *world) {
  mo_stats stats = mo_world_stats(world);
  cursor at = io;
  write_stats(&at, &stats);
}

EXPORT(void, world_event_counts, const mo_world *world) {
  mo_event_counts counts = mo_world_event_counts(world);
  cursor at = io;
  write_event_counts(&at, &counts);
}

/* Writes the warnings; returns their count. */
EXPORT(uint32_t, world_warnings, const mo_world *world) {
  mo_warning warnings[MO_WARNING_COUNT];
  uint32_t count = mo_world_warnings(world, warnings);
  cursor at = io;
  for (uint32_t i = 0; i < count; i++) {
    write_warning(&at, &warnings[i]);
  }
  return count;
}

/* Writes the hash. */
EXPORT(void, world_hash, const mo_world *world) {
  uint64_t number = mo_world_hash(world);
  abi_hash hash = {.high = (uint32_t)(number >> 32), .low = (uint32_t)number};
  cursor at = io;
  write_hash(&at, &hash);
}

// --- sleep events ----------------------------------------------------------------------------

// JavaScript reads the structs in place.

EXPORT(const mo_sleep_event *, world_sleep_events, const mo_world *world) {
  uint32_t count;
  return mo_world_sleep_events(world, &count);
}
EXPORT(uint32_t, world_sleep_event_count, const mo_world *world) {
  uint32_t count = 0;
  mo_world_sleep_events(world, &count);
  return count;
}

// --- events of contacts and sensors ------------------------------------------------------------

// JavaScript reads the structs in place.

/* Bits of MO_WATCH_.... */
EXPORT(int, world_watch, mo_world *world, uint32_t what) {
  return (int)mo_world_watch(world, what);
}
EXPORT(const mo_contact_event *, world_contact_events, const mo_world *world) {
  uint32_t count;
  return mo_world_contact_events(world, &count);
}
EXPORT(uint32_t, world_contact_event_count, const mo_world *world) {
  uint32_t count = 0;
  mo_world_contact_events(world, &count);
  return count;
}
EXPORT(const mo_contact_point *, world_contact_event_points, const mo_world *world) {
  uint32_t count;
  return mo_world_contact_event_points(world, &count);
}
EXPORT(const mo_sensor_event *, world_sensor_events, const mo_world *world) {
  uint32_t count;
  return mo_world_sensor_events(world, &count);
}
EXPORT(uint32_t, world_sensor_event_count, const mo_world *world) {
  uint32_t count = 0;
  mo_world_sensor_events(world, &count);
  return count;
}

// --- contact points --------------------------------------------------------------------------

// JavaScript reads the structs in place.
static mo_contact_point *contact_points;
static uint32_t contact_points_capacity;

/* Copies the contact points of the last step to `contact_points_address`; their count, or
 * UINT32_MAX without memory. */
EXPORT(uint32_t, world_contact_points, mo_world *world) {
  uint32_t count = mo_world_contact_point_count(world);
  if (count > contact_points_capacity) {
    uint32_t capacity = count + count / 2;
    mo_contact_point *larger = allocate_array(capacity, sizeof(mo_contact_point));
    if (!larger) {
      return UINT32_MAX;
    }
    free(contact_points);
    contact_points = larger;
    contact_points_capacity = capacity;
  }
  return mo_world_contact_points(world, contact_points, count);
}
EXPORT(const mo_contact_point *, contact_points_address, void) { return contact_points; }

// --- debug lines -----------------------------------------------------------------------------

static mo_debug_lines debug_lines;

// Room for `count` lines. Returns false without memory.
static bool reserve_debug_lines(uint32_t count) {
  float *vertices = allocate_array(count, 6 * sizeof(float));
  float *colors = allocate_array(count, 8 * sizeof(float));
  if (!vertices || !colors) {
    free(vertices);
    free(colors);
    return false;
  }
  free(debug_lines.vertices);
  free(debug_lines.colors);
  debug_lines = (mo_debug_lines){.vertices = vertices, .colors = colors, .capacity = count};
  return true;
}

/* Writes the lines of a world to `debug_vertices_address` and `debug_colors_address`; their count,
 * or UINT32_MAX without memory. */
EXPORT(uint32_t, world_debug_lines, mo_world *world, uint32_t parts) {
  if (mo_world_debug_lines(world, parts, &debug_lines) != MO_OK) {
    return UINT32_MAX;
  }
  uint32_t count = debug_lines.count;
  if (count <= debug_lines.capacity) {
    return count;
  }
  bool has_room = reserve_debug_lines(count + count / 2);
  return has_room && mo_world_debug_lines(world, parts, &debug_lines) == MO_OK ? count : UINT32_MAX;
}
EXPORT(const float *, debug_vertices_address, void) { return debug_lines.vertices; }
EXPORT(const float *, debug_colors_address, void) { return debug_lines.colors; }

// --- islands ---------------------------------------------------------------------------------

static mo_island *islands;
static uint32_t islands_capacity;

EXPORT(uint32_t, world_island_count, mo_world *world) { return mo_world_island_count(world); }

/* Writes the islands of the last step, of which there are `count`, to the block, which has the
 * room; returns their count, or 0 without memory. */
EXPORT(uint32_t, world_islands, mo_world *world, uint32_t count) {
  if (count > islands_capacity) {
    mo_island *larger = allocate_array(count, 2 * sizeof(mo_island));
    if (!larger) {
      return 0;
    }
    free(islands);
    islands = larger;
    islands_capacity = 2 * count;
  }
  uint32_t found = mo_world_islands(world, islands, count);
  cursor at = io;
  for (uint32_t i = 0; i < found && i < count && i < io_capacity / ISLAND_NUMBERS; i++) {
    write_island(&at, &islands[i]);
  }
  return found;
}
EXPORT(uint32_t, world_missed_islands, const mo_world *world) {
  return mo_world_missed_island_count(world);
}
EXPORT(uint32_t, world_refused_pairs, const mo_world *world) {
  return mo_world_refused_pair_count(world);
}

/* Records the last step's contact problem; writes its contact count and the addresses of W, q and
 * mu. */
EXPORT(int, world_record_problem, mo_world *world) {
  mo_problem_record record;
  mo_result result = mo_world_record_problem(world, &record);
  if (result == MO_OK) {
    cursor at = io;
    write_problem_record(&at, &record);
  }
  return (int)result;
}

EXPORT(void, world_release_record, mo_world *world) { mo_world_release_record(world); }

// --- profile ---------------------------------------------------------------------------------

static double ask_clock(void *user) {
  (void)user;
  double seconds = 0.0;
  js_callback(CALLBACK_CLOCK, 0, 0, &seconds);
  return seconds;
}
EXPORT(void, world_set_profiling, mo_world *world, int is_on) {
  mo_world_set_clock(world, is_on ? ask_clock : NULL, NULL);
}
/* Writes the seconds of each stage. */
EXPORT(void, world_profile, const mo_world *world) {
  mo_profile profile = mo_world_profile(world);
  cursor at = io;
  for (int i = 0; i < MO_PROFILE_STAGE_COUNT; i++) {
    write_number(&at, profile.seconds[i]);
  }
}
