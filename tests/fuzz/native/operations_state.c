/// Operations on the state of a world: through the bytes of a snapshot and back, and bytes that are
/// no good snapshot.
#include "fuzz_world.h"

#include "memory/byte_stream.h"

#include <stdlib.h>
#include <string.h>

// A copy of the bytes of a snapshot, to be freed; null if there is none.
static uint8_t *take_snapshot(fuzz_world *f, bool with_assets, size_t *count, mo_result *result) {
  mo_bytes bytes;
  *result = mo_world_snapshot(f->world, with_assets, &bytes);
  if (*result != MO_OK) {
    return NULL;
  }
  uint8_t *copy = malloc(bytes.count);
  if (copy) {
    memcpy(copy, bytes.bytes, bytes.count);
    *count = bytes.count;
  }
  return copy;
}

// The world goes on from its own bytes. The calls that follow must come to what they come to
// without that.
static outcome go_through_bytes(fuzz_world *f, choices *c) {
  uint64_t before = mo_world_hash(f->world);
  size_t count;
  mo_result result;
  uint8_t *bytes = take_snapshot(f, choose_if(c, 128), &count, &result);
  if (!bytes) {
    return outcome_of(result);
  }
  result = mo_world_restore(f->world, bytes, count, NULL);
  free(bytes);
  if (result == MO_ERROR_BAD_SNAPSHOT) {
    fuzz_say(f, " %s", mo_world_last_error(f->world));
    fuzz_fail(f, "a snapshot is refused", 0.0);
  }
  if (mo_world_hash(f->world) != before) {
    fuzz_fail(f, "a restored world has another hash", 0.0);
  }
  return result == MO_OK ? READ : REFUSED;
}

// The checksum at the end of bytes that were changed.
static void write_checksum(uint8_t *bytes, size_t count) {
  uint64_t checksum = mo_checksum(bytes, count - sizeof checksum);
  memcpy(bytes + count - sizeof checksum, &checksum, sizeof checksum);
}

// Steps of a world from bytes that were accepted. What they come to does not matter.
static void use(mo_world *world) {
  for (int i = 0; i < 3; i++) {
    (void)mo_world_step(world, 1.0 / 60.0);
  }
  (void)mo_world_hash(world);
}

static bool find_nothing(void *context, bool is_potential, uint32_t slot, mo_user_functions *out) {
  (void)context;
  (void)is_potential;
  (void)slot;
  (void)out;
  return false;
}

// Bytes that were changed in some places, with a good checksum, go into another world.
static outcome damage_bytes(fuzz_world *f, choices *c) {
  mo_result result;
  size_t count;
  uint8_t *bytes = take_snapshot(f, true, &count, &result);
  mo_world_def settings = mo_world_def_default();
  mo_world *other = bytes ? mo_world_create(&settings, &result) : NULL;
  for (uint32_t i = choose_below(c, 4); other && i < 5; i++) {
    size_t at = (choose_below(c, 65536) * (size_t)65536 + choose_below(c, 65536)) % count;
    bytes[at] ^= (uint8_t)choose_byte(c);
  }
  if (other) {
    const mo_restore_options options = {.find = find_nothing};
    write_checksum(bytes, count);
    if (mo_world_restore(other, bytes, count, &options) == MO_OK) {
      use(other);
    }
  }
  mo_world_destroy(other);
  free(bytes);
  return READ;
}

const operation fuzz_state_operations[] = {
    {"go_through_bytes", 3, go_through_bytes}, {"damage_bytes", 1, damage_bytes}, {0}};
