/// Operations that make a batch of the world, step it with numbers of any kind and begin again.
#include "fuzz_world.h"

#include <string.h>

// Channels of a list, and worlds of a batch, at most.
#define CHANNELS 4
#define MOST_WORLDS 4

static mo_batch_channel choose_channel(const fuzz_world *f, choices *c) {
  // one number more than there are quantities
  return (mo_batch_channel){.quantity = (mo_batch_quantity)choose_below(c, MO_BATCH_TORQUE + 2),
                            .body = f->bodies[choose_below(c, TABLE)],
                            .other = choose_if(c, 128) ? f->bodies[choose_below(c, TABLE)]
                                                       : MO_NULL_BODY_ID,
                            .joint = f->constraints[choose_below(c, TABLE)],
                            .coordinate = choose_below(c, 3),
                            .is_local = choose_if(c, 128)};
}

// Few of the channels that are chosen at random may be had: most are tried alone first.
static uint32_t choose_channels(const fuzz_world *f, choices *c, mo_batch_list list,
                                mo_batch_channel *out) {
  uint32_t count = 0, wanted = choose_below(c, CHANNELS + 1);
  for (int attempt = 0; attempt < 24 && count < wanted; attempt++) {
    mo_batch_def def = {.count = 1};
    const mo_batch_channel **lists[] = {&def.actions, &def.observations, &def.starts};
    uint32_t *counts[] = {&def.action_count, &def.observation_count, &def.start_count};
    out[count] = choose_channel(f, c);
    *lists[list] = &out[count];
    *counts[list] = 1;
    mo_result result;
    mo_batch *batch = mo_batch_create(f->world, &def, &result);
    count += batch || choose_if(c, 2);
    mo_batch_destroy(batch);
  }
  return count;
}

static mo_batch *make_batch(fuzz_world *f, choices *c, mo_result *result) {
  mo_batch_channel channels[3][CHANNELS];
  uint32_t counts[3];
  for (int i = 0; i < 3; i++) {
    counts[i] = choose_channels(f, c, (mo_batch_list)i, channels[i]);
  }
  const mo_batch_def def = {.count = 1 + choose_below(c, MOST_WORLDS),
                            .actions = channels[0],
                            .observations = channels[1],
                            .starts = channels[2],
                            .action_count = counts[0],
                            .observation_count = counts[1],
                            .start_count = counts[2]};
  return mo_batch_create(f->world, &def, result);
}

// Every world gets the same row of numbers.
static void fill(mo_batch *batch, choices *c, mo_batch_list list, double scale) {
  uint32_t size;
  double *numbers = mo_batch_array(batch, list, &size);
  for (uint32_t i = 0; i < size; i++) {
    numbers[i] = choose_number(c, scale);
  }
  for (uint32_t k = 1; k < mo_batch_count(batch); k++) {
    memcpy(&numbers[(size_t)k * size], numbers, size * sizeof *numbers);
  }
}

// Worlds that are given the same come to the same.
static void expect_equal_worlds(fuzz_world *f, mo_batch *batch) {
  const uint32_t *results = mo_batch_results(batch);
  for (uint32_t k = 1; k < mo_batch_count(batch); k++) {
    if (results[k] != results[0] ||
        mo_world_hash(mo_batch_world(batch, k)) != mo_world_hash(mo_batch_world(batch, 0))) {
      fuzz_fail(f, "worlds of a batch differ", k);
    }
  }
}

static void expect_template(fuzz_world *f, mo_batch *batch) {
  for (uint32_t k = 0; k < mo_batch_count(batch); k++) {
    if (mo_world_hash(mo_batch_world(batch, k)) != mo_world_hash(f->world)) {
      fuzz_fail(f, "a world of a batch is not the template", k);
    }
  }
}

static outcome run_batch(fuzz_world *f, choices *c) {
  mo_result result;
  mo_batch *batch = make_batch(f, c, &result);
  if (!batch) {
    return READ;
  }
  expect_template(f, batch);
  for (int i = 0; i < 3; i++) {
    fill(batch, c, MO_BATCH_ACTIONS, 20.0);
    mo_batch_step(batch, choose_if(c, 16) ? choose_number(c, 1.0) : 1.0 / 60.0, 1 + i);
    expect_equal_worlds(f, batch);
  }
  mo_batch_reset(batch, NULL);
  expect_template(f, batch);
  fill(batch, c, MO_BATCH_STARTS, 2.0);
  mo_batch_reset(batch, NULL);
  expect_equal_worlds(f, batch);
  mo_batch_step(batch, 1.0 / 60.0, 2);
  expect_equal_worlds(f, batch);
  uint32_t slots;
  mo_batch_transforms(batch, &slots);
  mo_batch_destroy(batch);
  return READ;
}

const operation fuzz_batch_operations[] = {{"run_batch", 2, run_batch}, {0}};
