/// The state of a world as bytes.
#include "report/snapshot_format.h"

#include "geometry/shape_stream.h"
#include "memory/allocator.h"
#include "memory/scratch.h"
#include "memory/word_hash.h"
#include "world/checks.h"
#include "world/state_fields.h"

// --- layout ----------------------------------------------------------------------------------

#define NUMBERS(record, member) MO_FIELD(record, member, double)
#define WORDS(record, member) MO_FIELD(record, member, uint32_t)
#define HALVES(record, member) MO_FIELD(record, member, uint16_t)

static const mo_field body_fields[] = {NUMBERS(mo_body, linear_acceleration),
                                       NUMBERS(mo_body, angular_acceleration)};
const mo_record_type mo_snapshot_body =
    MO_STREAM_RECORD(mo_body, body_fields, MO_INDEX_BODY_REPORT);

static const mo_field constraint_fields[] = {NUMBERS(mo_constraint, force),
                                             NUMBERS(mo_constraint, torque),
                                             MO_FIELD(mo_constraint, name, char)};
const mo_record_type mo_snapshot_constraint =
    MO_STREAM_RECORD(mo_constraint, constraint_fields, MO_INDEX_CONSTRAINT_REPORT);

static const mo_field touch_fields[] = {
    WORDS(mo_touch, proxy_a),       WORDS(mo_touch, proxy_b), HALVES(mo_touch, generation_a),
    HALVES(mo_touch, generation_b), WORDS(mo_touch, shape_a), WORDS(mo_touch, shape_b),
    WORDS(mo_touch, pushed_count),  WORDS(mo_touch, pushed)};
const mo_record_type mo_snapshot_touch = MO_STREAM_RECORD(mo_touch, touch_fields, MO_INDEX_TOUCH);

static const mo_field settings_fields[] = {MO_FLAG(mo_world_def, certify),
                                           NUMBERS(mo_world_def, hit_threshold),
                                           NUMBERS(mo_world_def, contact_force_threshold)};
const mo_record_type mo_snapshot_settings = MO_RECORD(mo_world_def, settings_fields);

static uint64_t hash_type(uint64_t hash, const mo_record_type *type) {
  hash = mo_word_hash_mix(hash, type->field_count);
  for (uint32_t f = 0; f < type->field_count; f++) {
    const mo_field *field = &type->fields[f];
    hash = mo_word_hash_mix(hash, (uint64_t)field->item_size << 16 | field->byte_count);
  }
  return hash;
}

uint64_t mo_snapshot_layout(void) {
  uint64_t hash = MO_SUBSTEP_COLOURS;
  for (uint32_t i = 0; mo_state_types[i]; i++) {
    hash = hash_type(hash, mo_state_types[i]);
  }
  return hash;
}

// --- parts -----------------------------------------------------------------------------------

static void write_header(mo_byte_writer *w, uint64_t magic) {
  const mo_snapshot_header header = {
      .magic = magic, .version = MO_SNAPSHOT_VERSION, .layout = mo_snapshot_layout()};
  mo_write_bytes(w, &header, sizeof header);
}

// The data of a shape, preceded by its length; 0 stands for none.
static void write_shape_data(mo_byte_writer *w, const mo_shape *shape, bool has_data) {
  uint32_t at = w->bytes_count;
  mo_write_word(w, 0);
  if (has_data) {
    mo_write_shape(w, shape);
  }
  if (!w->has_failed) {
    uint32_t length = w->bytes_count - at - (uint32_t)sizeof length;
    memcpy(w->bytes + at, &length, sizeof length);
  }
}

static void write_shapes(mo_byte_writer *w, const mo_known_shape *shapes, uint32_t count,
                         bool with_assets) {
  mo_write_word(w, count);
  for (uint32_t i = 0; i < count; i++) {
    mo_write_long(w, shapes[i].content);
    write_shape_data(w, shapes[i].shape, with_assets || mo_shape_is_small(shapes[i].shape));
  }
}

static void write_prelude(mo_byte_writer *w, const mo_world *world) {
  const mo_broad_phase *bp = &world->broad_phase;
  const mo_contact_store *store = &world->pairs.records;
  mo_write_word(w, bp->proxies_count);
  unsigned char *generations = mo_write_room(w, bp->proxies_count * sizeof(uint16_t));
  for (uint32_t i = 0; generations && i < bp->proxies_count; i++) {
    memcpy(generations + i * sizeof(uint16_t), &bp->proxies[i].generation, sizeof(uint16_t));
  }
  mo_write_word(w, store->records_count);
  unsigned char *flags = mo_write_room(w, store->records_count);
  for (uint32_t i = 0; flags && i < store->records_count; i++) {
    flags[i] = store->records[i].flags;
  }
  mo_write_records(w, &mo_snapshot_settings, &world->settings, 1);
}

static void write_records(void *context, const mo_record_type *type, const void *records,
                          size_t count) {
  mo_write_records(context, type, records, count);
}

static void write_bodies(mo_byte_writer *w, const mo_world *world) {
  for (uint32_t slot = 0, count; (count = mo_id_pool_run(&world->ids, &slot)); slot += count) {
    mo_write_records(w, &mo_snapshot_body, &world->bodies[slot], count);
    mo_write_records(w, &mo_state_floats, &world->step_displacements[slot], count);
  }
}

static void write_constraints(mo_byte_writer *w, const mo_world *world) {
  for (uint32_t slot = 0; slot < world->constraint_ids.slot_count; slot++) {
    if (world->constraint_ids.alive[slot]) {
      mo_write_records(w, &mo_snapshot_constraint, &world->constraints[slot], 1);
    }
  }
}

static void write_id(mo_byte_writer *w, mo_body_id id) {
  mo_write_word(w, mo_body_id_slot(id));
  mo_write_word(w, mo_body_id_generation(id));
}

static void write_touches(mo_byte_writer *w, const mo_touches *touches, bool is_watched) {
  uint32_t count = is_watched ? touches->items_count : 0;
  mo_write_word(w, count);
  for (uint32_t i = 0; i < count; i++) {
    mo_write_records(w, &mo_snapshot_touch, &touches->items[i], 1);
    write_id(w, touches->items[i].body_a);
    write_id(w, touches->items[i].body_b);
  }
}

static void write_rest(mo_byte_writer *w, mo_world *world) {
  write_bodies(w, world);
  write_constraints(w, world);
  mo_write_word(w, world->watched);
  write_touches(w, &world->contact_touches, world->watched & MO_WATCH_CONTACTS);
  write_touches(w, &world->sensor_touches, world->watched & MO_WATCH_SENSORS);
}

// --- the whole -------------------------------------------------------------------------------

// The writer, emptied; null without memory. It is done with the arena once the bytes are written.
static mo_byte_writer *begin(mo_world *world, mo_record_streams *streams, mo_arena *arena) {
  if (!world->snapshot) {
    world->snapshot = mo_allocate(sizeof *world->snapshot);
  }
  mo_scratch_take(arena);
  mo_byte_writer *w = world->snapshot;
  mo_record_memory *memory = MO_ARENA_TAKE_RAW(arena, mo_record_memory, 1);
  if (!w || !memory) {
    return NULL;
  }
  mo_record_memory_begin(memory);
  w->memory = memory;
  w->streams = streams;
  w->bytes_count = 0;
  w->has_failed = false;
  return w;
}

static mo_result no_memory(mo_world *world, const char *function) {
  return mo_world_refuse_text(world, MO_ERROR_OUT_OF_MEMORY, function, "no memory for the bytes");
}

// Completes the header, adds the checksum, and gives back what `begin` has taken.
static mo_result end(mo_world *world, const char *function, mo_byte_writer *w, mo_arena *arena,
                     mo_bytes *out) {
  mo_scratch_give(arena);
  mo_arena_free(arena); // where there was no place for it
  if (!w) {
    return no_memory(world, function);
  }
  w->memory = NULL;
  if (!w->has_failed) {
    uint64_t count = (uint64_t)w->bytes_count + sizeof count;
    memcpy(w->bytes + offsetof(mo_snapshot_header, count), &count, sizeof count);
    mo_write_long(w, mo_checksum(w->bytes, w->bytes_count));
  }
  if (w->has_failed) {
    return no_memory(world, function);
  }
  *out = (mo_bytes){w->bytes, w->bytes_count};
  return MO_OK;
}

static mo_result check_shapes(mo_world *world, const char *function, const mo_known_shape *shapes,
                              uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (!mo_shape_can_be_written(shapes[i].shape)) {
      return mo_world_refuse_text(world, MO_ERROR_NOT_SUPPORTED, function,
                                  "the class of a shape is not in geometry/shape_table.h");
    }
  }
  return MO_OK;
}

static bool keep_assets(mo_world *world, const mo_known_shape *shapes, uint32_t count) {
  bool kept = true;
  for (uint32_t i = 0; i < count; i++) {
    kept =
        kept && (mo_shape_is_small(shapes[i].shape) || mo_world_keep_asset(world, shapes[i].shape));
  }
  return kept;
}

mo_result mo_snapshot_write(mo_world *world, const char *function, bool with_assets,
                            mo_record_streams *streams, mo_bytes *out) {
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, function));
  mo_arena_reset(&world->query_arena);
  uint32_t count;
  mo_known_shape *shapes = mo_world_list_shapes(world, &world->query_arena, &count);
  MO_RETURN_IF_REFUSED(check_shapes(world, function, shapes, shapes ? count : 0));
  mo_arena arena = {0};
  mo_byte_writer *w = shapes ? begin(world, streams, &arena) : NULL;
  w = with_assets || (w && keep_assets(world, shapes, count)) ? w : NULL;
  if (w) {
    write_header(w, MO_SNAPSHOT_MAGIC);
    write_shapes(w, shapes, count, with_assets);
    write_prelude(w, world);
    mo_world_visit_state(world, write_records, w);
    write_rest(w, world);
  }
  return end(world, function, w, &arena, out);
}

mo_result mo_world_snapshot(mo_world *world, bool with_assets, mo_bytes *out) {
  return mo_snapshot_write(world, "mo_world_snapshot", with_assets, NULL, out);
}

mo_result mo_world_assets(mo_world *world, mo_bytes *out) {
  static const char *const function = "mo_world_assets";
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, function));
  mo_arena_reset(&world->query_arena);
  uint32_t count, kept = 0;
  mo_known_shape *shapes = mo_world_list_shapes(world, &world->query_arena, &count);
  MO_RETURN_IF_REFUSED(check_shapes(world, function, shapes, shapes ? count : 0));
  mo_arena arena = {0};
  mo_byte_writer *w = shapes ? begin(world, NULL, &arena) : NULL;
  for (uint32_t i = 0; w && i < count; i++) {
    if (!mo_shape_is_small(shapes[i].shape)) {
      shapes[kept++] = shapes[i];
    }
  }
  if (w) {
    write_header(w, MO_ASSETS_MAGIC);
    write_shapes(w, shapes, kept, true);
  }
  return end(world, function, w, &arena, out);
}
