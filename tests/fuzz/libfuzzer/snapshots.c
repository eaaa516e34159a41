/* libFuzzer over the bytes of snapshots: whatever they are, they make a world that can be stepped,
 * or none. Header and checksum are made good first, so that what lies behind them is read. */
#include "moreau.h"

#include "memory/byte_stream.h"
#include "report/snapshot_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of a setting that repeats work: with more a step takes as long as was asked for.
#define MOST_TURNS 64

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(bool holds, const char *what, double value) {
  if (!holds) {
    fprintf(stderr, "snapshots: %s (%.17g)\n", what, value);
    abort();
  }
}

static uint8_t *repaired(const uint8_t *bytes, size_t size) {
  const mo_snapshot_header header = {.magic = MO_SNAPSHOT_MAGIC,
                                     .version = MO_SNAPSHOT_VERSION,
                                     .layout = mo_snapshot_layout(),
                                     .count = size};
  uint8_t *copy = malloc(size);
  check(copy != NULL, "memory", (double)size);
  memcpy(copy, bytes, size);
  memcpy(copy, &header, sizeof header);
  uint64_t checksum = mo_checksum(copy, size - sizeof checksum);
  memcpy(copy + size - sizeof checksum, &checksum, sizeof checksum);
  return copy;
}

// Of custom constraints: they hold.
static bool stay(void *user, const mo_constraint_body *a, const mo_constraint_body *b, double time,
                 double *out) {
  (void)user;
  (void)a;
  (void)b;
  (void)time;
  (void)out;
  return true;
}

static bool find(void *context, bool is_potential, uint32_t slot, mo_user_functions *out) {
  (void)context;
  (void)slot;
  *out = (mo_user_functions){.evaluate = stay};
  return !is_potential;
}

// What was accepted has bytes of its own, and they are as good.
static void go_through_bytes(mo_world *world) {
  const mo_restore_options options = {.find = find};
  uint64_t hash = mo_world_hash(world);
  mo_bytes bytes;
  if (mo_world_snapshot(world, true, &bytes) == MO_OK) {
    mo_result result = mo_world_restore(world, bytes.bytes, bytes.count, &options);
    check(result == MO_OK, mo_world_last_error(world), result);
    check(mo_world_hash(world) == hash, "a restored world has another hash", 0.0);
  }
}

static void use(mo_world *world) {
  const mo_world_def *settings = &world->settings;
  go_through_bytes(world);
  if (settings->substeps <= MOST_TURNS && settings->iterations <= MOST_TURNS &&
      settings->max_iterations <= MOST_TURNS) {
    for (int i = 0; i < 3; i++) {
      (void)mo_world_step(world, 1.0 / 60.0);
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size < sizeof(mo_snapshot_header) + sizeof(uint64_t)) {
    return -1; // not worth keeping
  }
  const mo_restore_options options = {.find = find};
  const mo_world_def settings = mo_world_def_default();
  size_t held = mo_allocated_bytes();
  mo_result result;
  mo_world *world = mo_world_create(&settings, &result);
  uint64_t hash = mo_world_hash(world);
  uint8_t *good = repaired(bytes, size);
  result = mo_world_restore(world, good, size, &options);
  check(result == MO_OK || result == MO_ERROR_BAD_SNAPSHOT || result == MO_ERROR_OUT_OF_MEMORY,
        "an unknown answer", result);
  check(result == MO_OK || mo_world_hash(world) == hash, "refused bytes change the world", 0.0);
  if (result == MO_OK) {
    use(world);
  }
  free(good);
  mo_world_destroy(world);
  check(mo_allocated_bytes() == held, "bytes that are not given back", (double)held);
  return 0;
}
