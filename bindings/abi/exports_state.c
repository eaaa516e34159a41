/*
 * Exports of snapshots: bytes out of a world and back.
 */
#include "block.h"
#include "functions.h"

#include <stdlib.h>

// Writes where the bytes are, and how many.
static int write_bytes(mo_result result, mo_bytes bytes) {
  cursor at = io;
  write_number(&at, (double)(uintptr_t)bytes.bytes);
  write_number(&at, (double)bytes.count);
  return (int)result;
}

EXPORT(int, world_snapshot, mo_world *world, bool with_assets) {
  mo_bytes bytes = {0};
  mo_result result = mo_world_snapshot(world, with_assets, &bytes);
  return write_bytes(result, bytes);
}

EXPORT(int, world_assets, mo_world *world) {
  mo_bytes bytes = {0};
  mo_result result = mo_world_assets(world, &bytes);
  return write_bytes(result, bytes);
}

// Of a custom constraint or potential: what it is, its slot, the handle of its functions, and which
// of them it has.
typedef struct given_functions {
  uint32_t is_potential, slot, handle, has;
} given_functions;

typedef struct all_functions {
  const given_functions *items;
  uint32_t count;
} all_functions;

static bool find(void *context, bool is_potential, uint32_t slot, mo_user_functions *out) {
  const all_functions *all = context;
  for (uint32_t i = 0; i < all->count; i++) {
    const given_functions *given = &all->items[i];
    if ((given->is_potential != 0) == is_potential && given->slot == slot) {
      *out = is_potential ? potential_functions(given->handle, given->has)
                          : constraint_functions(given->handle, given->has);
      return true;
    }
  }
  return false;
}

// Writes the length of the last step.
static int write_last_dt(mo_result result, const mo_world *world) {
  cursor at = io;
  write_number(&at, mo_world_last_dt(world));
  return (int)result;
}

/* Assets may be none. Writes the length of the last step. */
EXPORT(int, world_restore, mo_world *world, const void *bytes, size_t count, const void *assets,
       size_t assets_count, const given_functions *functions, uint32_t function_count) {
  all_functions all = {functions, function_count};
  const mo_restore_options options = {
      .assets = assets, .assets_count = assets_count, .find = find, .context = &all};
  return write_last_dt(mo_world_restore(world, bytes, count, &options), world);
}

EXPORT(mo_delta_coder *, delta_coder_create, void) { return mo_delta_coder_create(); }
EXPORT(void, delta_coder_destroy, mo_delta_coder *coder) { mo_delta_coder_destroy(coder); }

EXPORT(int, delta_coder_write, mo_delta_coder *coder, mo_world *world, bool is_key) {
  mo_bytes bytes = {0};
  mo_result result = mo_delta_coder_write(coder, world, is_key, &bytes);
  return write_bytes(result, bytes);
}

EXPORT(int, delta_coder_read, mo_delta_coder *coder, const void *bytes, size_t count) {
  return (int)mo_delta_coder_read(coder, bytes, count);
}

/* Writes the length of the last step. */
EXPORT(int, delta_coder_restore, mo_delta_coder *coder, mo_world *world,
       const given_functions *functions, uint32_t function_count) {
  all_functions all = {functions, function_count};
  const mo_restore_options options = {.find = find, .context = &all};
  return write_last_dt(mo_delta_coder_restore(coder, world, &options), world);
}
