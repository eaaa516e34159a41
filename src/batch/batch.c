/// Worlds that begin alike and are stepped in one call.
#include "batch/channel.h"
#include "memory/allocator.h"
#include "memory/scratch.h"
#include "parallel/parallel.h"
#include "world/checks.h"
#include "world/known_shapes.h"

#define LISTS 3

struct mo_batch {
  uint32_t count;
  uint32_t slot_count; // of the template
  mo_world **worlds;
  mo_channel_list lists[LISTS]; // by mo_batch_list
  double *usual;                // the row of starts that the template has
  uint32_t *results;
  float *transforms; // null: nobody asked
  void *bytes;       // the template's snapshot, without its shapes: all worlds hold them
  size_t byte_count;
};

static const char *const function = "mo_batch_create";

// --- creation --------------------------------------------------------------------------------

static bool has_user_functions(const mo_world *world) {
  for (uint32_t i = 0; i < world->constraint_ids.slot_count; i++) {
    if (world->constraint_ids.alive[i] && world->constraints[i].user_evaluate) {
      return true;
    }
  }
  for (uint32_t i = 0; i < world->potential_ids.slot_count; i++) {
    if (world->potential_ids.alive[i] && world->potentials[i].type == MO_POTENTIAL_CUSTOM) {
      return true;
    }
  }
  return world->contact_rule.function != NULL;
}

static mo_result check(mo_world *world, const mo_batch_def *def) {
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, function));
  MO_RETURN_IF_REFUSED(mo_check_range(world, function, "count", def->count, 1, MO_BATCH_WORLDS,
                                      "must be a whole number from 1 to 1048576"));
  return has_user_functions(world)
             ? mo_world_refuse_text(world, MO_ERROR_NOT_SUPPORTED, function,
                                    "the template must have no functions of the user: no custom "
                                    "constraint or potential, no function for contacts")
             : MO_OK;
}

static bool copy_bytes(mo_batch *batch, mo_bytes bytes) {
  batch->bytes = mo_allocate(bytes.count);
  if (batch->bytes) {
    memcpy(batch->bytes, bytes.bytes, bytes.count);
    batch->byte_count = bytes.count;
  }
  return batch->bytes;
}

// Makes a world of the template's bytes, with the template's shapes and its tag in ids.
static mo_result make_world(mo_batch *batch, mo_world *from, const mo_known_shape *shapes,
                            uint32_t shape_count) {
  mo_result result = MO_OK;
  mo_world *world = mo_world_create_tagged(&from->settings, from->tag, &result);
  if (!world) {
    return result;
  }
  batch->worlds[batch->count++] = world;
  for (uint32_t i = 0; i < shape_count; i++) {
    if (!mo_world_keep_asset(world, shapes[i].shape)) {
      return MO_ERROR_OUT_OF_MEMORY;
    }
  }
  return mo_world_restore(world, batch->bytes, batch->byte_count, NULL);
}

static mo_result make_worlds(mo_batch *batch, mo_world *from, uint32_t count) {
  mo_bytes bytes = {0};
  MO_RETURN_IF_REFUSED(mo_world_snapshot(from, false, &bytes));
  if (!copy_bytes(batch, bytes)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_arena_reset(&from->query_arena);
  uint32_t shape_count;
  const mo_known_shape *shapes = mo_world_list_shapes(from, &from->query_arena, &shape_count);
  batch->worlds = mo_allocate((size_t)count * sizeof(mo_world *));
  batch->results = mo_allocate((size_t)count * sizeof *batch->results);
  mo_result result = shapes && batch->worlds && batch->results ? MO_OK : MO_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < count && result == MO_OK; i++) {
    result = make_world(batch, from, shapes, shape_count);
  }
  batch->slot_count = from->ids.slot_count;
  return result;
}

static mo_result make_lists(mo_batch *batch, mo_world *from, const mo_batch_def *def) {
  const mo_batch_channel *channels[LISTS] = {def->actions, def->observations, def->starts};
  const uint32_t counts[LISTS] = {def->action_count, def->observation_count, def->start_count};
  for (int i = 0; i < LISTS; i++) {
    mo_channel_list *list = &batch->lists[i];
    MO_RETURN_IF_REFUSED(mo_channels_init(list, from, (mo_batch_list)i, channels[i], counts[i]));
    uint64_t numbers = (uint64_t)list->row_size * def->count;
    list->numbers =
        numbers <= SIZE_MAX / sizeof(double) ? mo_allocate((size_t)numbers * sizeof(double)) : NULL;
    if (!list->numbers) {
      return MO_ERROR_OUT_OF_MEMORY;
    }
  }
  return MO_OK;
}

// A world's row of an array.
static double *row_of(const mo_batch *batch, mo_batch_list list, uint32_t index) {
  const mo_channel_list *of = &batch->lists[list];
  return &of->numbers[(size_t)of->row_size * index];
}

static void observe(mo_batch *batch, uint32_t index) {
  mo_channels_observe(&batch->lists[MO_BATCH_OBSERVATIONS], batch->worlds[index],
                      row_of(batch, MO_BATCH_OBSERVATIONS, index));
}

// Fills the rows of starts and observations from worlds that are as the template.
static mo_result fill_rows(mo_batch *batch) {
  const mo_channel_list *starts = &batch->lists[MO_BATCH_STARTS];
  batch->usual = mo_allocate(starts->row_size * sizeof(double));
  if (!batch->usual) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_channels_observe(starts, batch->worlds[0], batch->usual);
  for (uint32_t i = 0; i < batch->count; i++) {
    memcpy(row_of(batch, MO_BATCH_STARTS, i), batch->usual, starts->row_size * sizeof(double));
    observe(batch, i);
  }
  return MO_OK;
}

static mo_result build(mo_batch *batch, mo_world *from, const mo_batch_def *def) {
  MO_RETURN_IF_REFUSED(check(from, def));
  MO_RETURN_IF_REFUSED(make_lists(batch, from, def));
  MO_RETURN_IF_REFUSED(make_worlds(batch, from, def->count));
  return fill_rows(batch);
}

mo_batch *mo_batch_create(mo_world *template_world, const mo_batch_def *def, mo_result *result) {
  mo_batch *batch = mo_allocate(sizeof *batch);
  *result = batch ? build(batch, template_world, def) : MO_ERROR_OUT_OF_MEMORY;
  if (*result == MO_OK) {
    return batch;
  }
  if (*result == MO_ERROR_OUT_OF_MEMORY) {
    mo_world_refuse_text(template_world, *result, function, "no memory for the worlds");
  }
  mo_batch_destroy(batch);
  return NULL;
}

void mo_batch_destroy(mo_batch *batch) {
  if (!batch) {
    return;
  }
  for (uint32_t i = 0; i < batch->count; i++) {
    mo_world_free(batch->worlds[i]);
  }
  mo_scratch_free();
  for (int i = 0; i < LISTS; i++) {
    mo_channels_free(&batch->lists[i]);
  }
  mo_release(batch->worlds);
  mo_release(batch->usual);
  mo_release(batch->results);
  mo_release(batch->transforms);
  mo_release(batch->bytes);
  mo_release(batch);
}

// --- steps -----------------------------------------------------------------------------------

typedef struct stepping {
  mo_batch *batch;
  double dt;
  uint32_t steps;
} stepping;

static mo_result step_world(const stepping *s, uint32_t index) {
  const mo_channel_list *actions = &s->batch->lists[MO_BATCH_ACTIONS];
  const double *row = row_of(s->batch, MO_BATCH_ACTIONS, index);
  mo_world *world = s->batch->worlds[index];
  mo_result result = MO_OK;
  for (uint32_t i = 0; i < s->steps && result == MO_OK; i++) {
    result = mo_channels_act(actions, world, row, i == 0);
    result = result == MO_OK ? mo_world_step(world, s->dt) : result;
  }
  if (result != MO_OK) {
    mo_channels_clear_forces(actions, world);
  }
  return result;
}

static void step_range(void *context, uint32_t first, uint32_t last) {
  const stepping *s = context;
  for (uint32_t i = first; i < last; i++) {
    s->batch->results[i] = (uint32_t)step_world(s, i);
    observe(s->batch, i);
  }
}

uint32_t mo_batch_step(mo_batch *batch, double dt, uint32_t steps) {
  stepping s = {.batch = batch, .dt = dt, .steps = steps};
  mo_parallel_for(batch->count, 1, step_range, &s);
  uint32_t refused = 0;
  for (uint32_t i = 0; i < batch->count; i++) {
    refused += batch->results[i] != MO_OK;
  }
  return refused;
}

// --- resets ----------------------------------------------------------------------------------

// Makes a world the template again, in which a start was refused, and keeps the reason.
static void take_back(mo_batch *batch, mo_world *world) {
  mo_result result = world->last_result;
  char reason[MO_ERROR_TEXT_BYTES];
  memcpy(reason, world->last_error, sizeof reason);
  mo_world_restore(world, batch->bytes, batch->byte_count, NULL);
  memcpy(world->last_error, reason, sizeof reason);
  world->last_result = result;
}

static mo_result reset_world(mo_batch *batch, uint32_t index) {
  mo_world *world = batch->worlds[index];
  MO_RETURN_IF_REFUSED(mo_world_restore(world, batch->bytes, batch->byte_count, NULL));
  mo_result result = mo_channels_start(&batch->lists[MO_BATCH_STARTS], world,
                                       row_of(batch, MO_BATCH_STARTS, index), batch->usual);
  if (result != MO_OK) {
    take_back(batch, world);
  }
  return result;
}

uint32_t mo_batch_reset(mo_batch *batch, const uint8_t *mask) {
  uint32_t refused = 0;
  for (uint32_t i = 0; i < batch->count; i++) {
    if (!mask || mask[i]) {
      mo_result result = reset_world(batch, i);
      batch->results[i] = (uint32_t)result;
      refused += result != MO_OK;
      observe(batch, i);
    }
  }
  return refused;
}

// --- reading ---------------------------------------------------------------------------------

uint32_t mo_batch_count(const mo_batch *batch) { return batch->count; }

double *mo_batch_array(mo_batch *batch, mo_batch_list list, uint32_t *row_size) {
  *row_size = batch->lists[list].row_size;
  return batch->lists[list].numbers;
}

const uint32_t *mo_batch_results(const mo_batch *batch) { return batch->results; }

mo_world *mo_batch_world(mo_batch *batch, uint32_t index) { return batch->worlds[index]; }

const float *mo_batch_transforms(mo_batch *batch, uint32_t *slot_count) {
  size_t row = 8 * (size_t)batch->slot_count;
  *slot_count = batch->slot_count;
  if (!batch->transforms && row <= SIZE_MAX / sizeof(float) / batch->count) {
    batch->transforms = mo_allocate(row * batch->count * sizeof(float));
  }
  // Worlds without bodies may have no array.
  for (uint32_t i = 0; batch->transforms && row > 0 && i < batch->count; i++) {
    memcpy(&batch->transforms[row * i], batch->worlds[i]->transforms, row * sizeof(float));
  }
  return batch->transforms;
}
