/*
 * Exports of batches of worlds.
 */
#include "../generated/abi.h"

#include <stdlib.h>

static void read_channels(cursor *at, const mo_world *world, mo_batch_channel *channels,
                          uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    abi_batch_channel given;
    read_batch_channel(at, &given);
    channels[i] = (mo_batch_channel){.quantity = given.quantity,
                                     .body = tagged_body(world, given.body),
                                     .other = tagged_body(world, given.other),
                                     .joint = constraint_of(world, given.joint),
                                     .coordinate = given.coordinate,
                                     .is_local = given.is_local};
  }
}

/* Reads a batch and its channels. */
EXPORT(mo_batch *, batch_create, mo_world *world) {
  cursor at = io;
  abi_batch given;
  read_batch(&at, &given);
  // As they are 32-bit, their sum may wrap around; the room for each of them is checked too.
  uint32_t room = fitting(at, UINT32_MAX, BATCH_CHANNEL_NUMBERS);
  uint32_t total = given.actions + given.observations + given.starts;
  bool fits = given.actions <= room && given.observations <= room && given.starts <= room;
  last_result = MO_ERROR_INVALID_ARGUMENT;
  mo_batch_channel *channels =
      fits ? allocate_list(at, total, BATCH_CHANNEL_NUMBERS, sizeof *channels) : NULL;
  if (!channels) {
    return NULL;
  }
  read_channels(&at, world, channels, total);
  const mo_batch_def def = {.count = given.count,
                            .actions = channels,
                            .observations = channels + given.actions,
                            .starts = channels + given.actions + given.observations,
                            .action_count = given.actions,
                            .observation_count = given.observations,
                            .start_count = given.starts};
  mo_batch *batch = mo_batch_create(world, &def, &last_result);
  free(channels);
  return batch;
}
EXPORT(void, batch_destroy, mo_batch *batch) { mo_batch_destroy(batch); }

EXPORT(double *, batch_array, mo_batch *batch, uint32_t list) {
  uint32_t row_size;
  return mo_batch_array(batch, (mo_batch_list)list, &row_size);
}
EXPORT(uint32_t, batch_row_size, mo_batch *batch, uint32_t list) {
  uint32_t row_size;
  mo_batch_array(batch, (mo_batch_list)list, &row_size);
  return row_size;
}

EXPORT(uint32_t, batch_step, mo_batch *batch, double dt, uint32_t steps) {
  return mo_batch_step(batch, dt, steps);
}
/* A mask of 0: all worlds. */
EXPORT(uint32_t, batch_reset, mo_batch *batch, const uint8_t *mask) {
  return mo_batch_reset(batch, mask);
}
EXPORT(const uint32_t *, batch_results, const mo_batch *batch) { return mo_batch_results(batch); }
EXPORT(mo_world *, batch_world, mo_batch *batch, uint32_t index) {
  return index < mo_batch_count(batch) ? mo_batch_world(batch, index) : NULL;
}

/* 0 without memory. */
EXPORT(const float *, batch_transforms, mo_batch *batch) {
  uint32_t slot_count;
  return mo_batch_transforms(batch, &slot_count);
}
