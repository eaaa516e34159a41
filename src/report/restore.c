/// A world from the bytes of a snapshot. Another world is made from them first; if all is well, it
/// and the present one change places.
#include "report/snapshot_format.h"

#include "geometry/shape_stream.h"
#include "memory/allocator.h"
#include "memory/array.h"
#include "memory/scratch.h"
#include "memory/sort.h"
#include "world/checks.h"
#include "world/state_fields.h"

// --- the header ------------------------------------------------------------------------------

// Checks what frames the bytes, and leaves the reader behind the header, without the checksum.
static bool read_header(mo_byte_reader *in, uint64_t magic) {
  mo_snapshot_header header = {0};
  uint64_t checksum;
  bool is_long = in->count >= sizeof header + sizeof checksum;
  if (!mo_reader_expect(in, is_long, "it is too short for a snapshot")) {
    return false;
  }
  mo_read_bytes(in, &header, sizeof header);
  if (!mo_reader_expect(in, header.magic == magic, "it does not begin as a snapshot of Moreau") ||
      !mo_reader_expect(in, header.version == MO_SNAPSHOT_VERSION,
                        "it is a snapshot of another version of Moreau") ||
      !mo_reader_expect(in, header.layout == mo_snapshot_layout(),
                        "it is a snapshot of another version of Moreau, with other fields") ||
      !mo_reader_expect(in, header.count == in->count, "its length is not the one that it names")) {
    return false;
  }
  in->count -= sizeof checksum;
  memcpy(&checksum, in->bytes + in->count, sizeof checksum);
  return mo_reader_expect(in, checksum == mo_checksum(in->bytes, in->count),
                          "its checksum is wrong: it was damaged");
}

// --- shapes ----------------------------------------------------------------------------------

// A growing list of shapes. The list has a reference to each.
typedef struct shape_list {
  mo_known_shape *items;
  uint32_t items_count, items_capacity;
} shape_list;

static void free_shapes(shape_list *list) {
  for (uint32_t i = 0; i < list->items_count; i++) {
    mo_shape_release(list->items[i].shape);
  }
  mo_release(list->items);
}

// Where shapes are looked for that the bytes do not have: assets of the call, of the world, and the
// shapes of its bodies.
typedef struct shape_sources {
  const shape_list *given;
  const mo_world *world;
  const mo_known_shape *present;
  uint32_t present_count;
} shape_sources;

static mo_shape *find(const shape_sources *from, uint64_t content) {
  mo_shape *shape = mo_find_shape(from->present, from->present_count, content);
  shape = shape ? shape : mo_find_shape(from->world->assets, from->world->assets_count, content);
  return shape || !from->given
             ? shape
             : mo_find_shape(from->given->items, from->given->items_count, content);
}

// One shape of the table: found, or made from its data. Null where it is neither.
static mo_shape *take_shape(mo_restore *r, const shape_sources *from, uint64_t content,
                            uint32_t length) {
  size_t end = r->in.at + length;
  mo_shape *shape = from ? find(from, content) : NULL;
  if (shape) {
    mo_shape_retain(shape);
    r->in.at = end;
  } else if (length > 0) {
    shape = mo_read_shape(&r->in, &r->has_memory);
    bool fits = shape && shape->content == content && r->in.at == end;
    mo_restore_expect(r, fits || !r->has_memory, "a shape is damaged");
  }
  return shape;
}

// The table of shapes, ascending. Those without data that are not found are left out.
static void read_shapes(mo_restore *r, const shape_sources *from, shape_list *list) {
  uint32_t count = mo_read_count(&r->in, sizeof(uint64_t) + sizeof(uint32_t));
  uint64_t last = 0;
  for (uint32_t i = 0; i < count && mo_restore_is_good(r); i++) {
    uint64_t content = mo_read_long(&r->in);
    uint32_t length = mo_read_word(&r->in);
    bool fits = (i == 0 || content > last) && length <= mo_reader_plain_rest(&r->in);
    if (!mo_restore_expect(r, fits, "the table of shapes is damaged") ||
        !mo_restore_got(r, MO_RESERVE(list, items, list->items_count + 1))) {
      return;
    }
    last = content;
    mo_shape *shape = take_shape(r, from, content, length);
    if (shape) {
      list->items[list->items_count++] = (mo_known_shape){content, shape};
    }
  }
}

static void read_assets(mo_restore *r, const mo_restore_options *options, shape_list *given) {
  mo_byte_reader whole = r->in;
  r->in = (mo_byte_reader){
      .bytes = options->assets, .count = options->assets_count, .memory = whole.memory};
  if (read_header(&r->in, MO_ASSETS_MAGIC)) {
    read_shapes(r, NULL, given);
  }
  whole.problem = r->in.problem ? "its assets are damaged, or not those of mo_world_assets" : NULL;
  r->in = whole;
}

// --- state -----------------------------------------------------------------------------------

static void read_prelude(mo_restore *r) {
  mo_restore_prelude *p = &r->prelude;
  p->proxy_count = mo_read_count(&r->in, sizeof(uint16_t));
  uint16_t *generations = MO_ARENA_TAKE(&r->arena, uint16_t, p->proxy_count);
  if (mo_restore_got(r, generations != NULL)) {
    mo_read_bytes(&r->in, generations, p->proxy_count * sizeof *generations);
  }
  p->proxy_generations = generations;
  p->contact_count = mo_read_count(&r->in, 1);
  uint8_t *flags = MO_ARENA_TAKE(&r->arena, uint8_t, p->contact_count);
  if (mo_restore_got(r, flags != NULL)) {
    mo_read_bytes(&r->in, flags, p->contact_count);
  }
  p->contact_flags = flags;
}

// The settings make the new world. It has the tag of the old one, which is in all ids.
static void make_world(mo_restore *r, const mo_world *old) {
  mo_world_def settings = old->settings;
  mo_result result = MO_OK;
  mo_read_records(&r->in, &mo_snapshot_settings, &settings, 1); // the end of the prelude
  mo_read_records(&r->in, &mo_state_settings, &settings, 1);
  if (!mo_restore_is_good(r)) {
    return;
  }
  r->world = mo_world_create_tagged(&settings, old->tag, &result);
  mo_restore_got(r, result != MO_ERROR_OUT_OF_MEMORY);
  mo_restore_expect(r, r->world || !r->has_memory, "its settings are damaged");
}

static void read_world(mo_restore *r) {
  mo_world *world = r->world;
  mo_read_records(&r->in, &mo_state_world, world, 1);
  bool fits =
      mo_is_finite(world->time) && mo_is_finite(world->last_step.dt) && world->last_step.dt >= 0.0;
  mo_restore_expect(r, fits, "its time is damaged");
}

static void read_state(mo_restore *r) {
  void (*const parts[])(mo_restore *) = {
      read_world,       mo_restore_bodies,  mo_restore_constraints, mo_restore_potentials,
      mo_restore_pairs, mo_restore_contacts};
  for (uint32_t i = 0; i < sizeof parts / sizeof *parts && mo_restore_is_good(r); i++) {
    parts[i](r);
  }
}

// --- the rest --------------------------------------------------------------------------------

static void read_bodies(mo_restore *r) {
  mo_world *world = r->world;
  for (uint32_t slot = 0, count; (count = mo_id_pool_run(&world->ids, &slot)); slot += count) {
    float *displacements = &world->step_displacements[slot];
    mo_read_records(&r->in, &mo_snapshot_body, &world->bodies[slot], count);
    mo_read_records(&r->in, &mo_state_floats, displacements, count);
    for (uint32_t i = 0; i < count; i++) {
      mo_restore_expect(r, displacements[i] >= 0.0f, "a displacement is damaged");
    }
  }
}

static void read_constraints(mo_restore *r) {
  mo_world *world = r->world;
  for (uint32_t slot = 0; slot < world->constraint_ids.slot_count && mo_restore_is_good(r);
       slot++) {
    mo_constraint *c = &world->constraints[slot];
    if (world->constraint_ids.alive[slot]) {
      mo_read_records(&r->in, &mo_snapshot_constraint, c, 1);
      mo_restore_expect(r, c->name[MO_CONSTRAINT_NAME_BYTES - 1] == '\0', "a name is too long");
    }
  }
}

static mo_body_id read_id(mo_restore *r) {
  uint32_t slot = mo_read_word(&r->in), generation = mo_read_word(&r->in);
  return mo_restore_body_id(r, slot, generation);
}

static void read_touch(mo_restore *r, mo_touch *touch) {
  mo_read_records(&r->in, &mo_snapshot_touch, touch, 1);
  touch->body_a = read_id(r);
  touch->body_b = read_id(r);
  touch->slots =
      mo_sort_key_of_both(mo_body_id_slot(touch->body_a), mo_body_id_slot(touch->body_b));
  uint32_t proxies = r->world->broad_phase.proxies_count;
  mo_restore_expect(r,
                    touch->proxy_a < proxies && touch->proxy_b < proxies &&
                        touch->pushed_count <= MO_MANIFOLD_POINTS,
                    "an event is damaged");
}

static void read_touches(mo_restore *r, mo_touches *touches) {
  uint32_t count = mo_read_count(&r->in, 4 * sizeof(uint32_t));
  if (!mo_restore_is_good(r) || !mo_restore_got(r, mo_touches_reserve(touches, count))) {
    return;
  }
  touches->items_count = count;
  for (uint32_t i = 0; i < count && mo_restore_is_good(r); i++) {
    read_touch(r, &touches->items[i]);
  }
}

static void read_rest(mo_restore *r) {
  read_bodies(r);
  read_constraints(r);
  r->world->watched = mo_read_word(&r->in) & (MO_WATCH_CONTACTS | MO_WATCH_SENSORS);
  if (mo_restore_is_good(r)) {
    read_touches(r, &r->world->contact_touches);
    read_touches(r, &r->world->sensor_touches);
  }
  mo_restore_expect(r, mo_reader_rest(&r->in) == 0, "it has more than a snapshot has");
}

// --- functions of the user -------------------------------------------------------------------

static bool is_same(const mo_id_pool *a, const mo_id_pool *b, uint32_t slot) {
  return slot < a->slot_count && a->alive[slot] && a->generation[slot] == b->generation[slot];
}

static bool find_for_constraint(const mo_restore *r, const mo_world *old,
                                const mo_restore_options *options, uint32_t slot,
                                mo_user_functions *out) {
  if (options && options->find) {
    return options->find(options->context, false, slot, out) && out->evaluate;
  }
  if (!is_same(&old->constraint_ids, &r->world->constraint_ids, slot)) {
    return false;
  }
  const mo_constraint *before = &old->constraints[slot];
  if (before->type != MO_CONSTRAINT_CUSTOM) {
    return false;
  }
  *out = (mo_user_functions){.evaluate = before->user_evaluate,
                             .jacobian = before->user_jacobian,
                             .time_derivative = before->user_time_derivative,
                             .is_active = before->user_is_active,
                             .user = before->user};
  return true;
}

static bool find_for_potential(const mo_restore *r, const mo_world *old,
                               const mo_restore_options *options, uint32_t slot,
                               mo_user_functions *out) {
  if (options && options->find) {
    return options->find(options->context, true, slot, out) && out->wrench;
  }
  if (!is_same(&old->potential_ids, &r->world->potential_ids, slot)) {
    return false;
  }
  const mo_potential_def *before = &old->potentials[slot];
  if (before->type != MO_POTENTIAL_CUSTOM) {
    return false;
  }
  *out =
      (mo_user_functions){.wrench = before->wrench, .energy = before->energy, .user = before->user};
  return true;
}

static void give_functions(mo_restore *r, const mo_world *old, const mo_restore_options *options) {
  mo_world *world = r->world;
  static const char *const missing =
      "it has a custom constraint or potential whose functions are not known here";
  for (uint32_t slot = 0; slot < world->constraint_ids.slot_count; slot++) {
    mo_constraint *c = &world->constraints[slot];
    mo_user_functions f = {0};
    if (world->constraint_ids.alive[slot] && c->type == MO_CONSTRAINT_CUSTOM &&
        mo_restore_expect(r, find_for_constraint(r, old, options, slot, &f), missing)) {
      c->user_evaluate = f.evaluate;
      c->user_jacobian = f.jacobian;
      c->user_time_derivative = f.time_derivative;
      c->user_is_active = f.is_active;
      c->user = f.user;
    }
  }
  for (uint32_t slot = 0; slot < world->potential_ids.slot_count; slot++) {
    mo_potential_def *p = &world->potentials[slot];
    mo_user_functions f = {0};
    if (world->potential_ids.alive[slot] && p->type == MO_POTENTIAL_CUSTOM &&
        mo_restore_expect(r, find_for_potential(r, old, options, slot, &f), missing)) {
      p->wrench = f.wrench;
      p->energy = f.energy;
      p->user = f.user;
    }
  }
}

// --- the change ------------------------------------------------------------------------------

#define SWAP(a, b, type)                                                                           \
  do {                                                                                             \
    type kept = (a);                                                                               \
    (a) = (b);                                                                                     \
    (b) = kept;                                                                                    \
  } while (0)

// What belongs to the world as the user holds it, and working memory, go back where they were.
static void keep_own(mo_world *world, mo_world *fresh) {
  SWAP(world->contact_rule, fresh->contact_rule, mo_contact_rule);
  SWAP(world->profiler, fresh->profiler, mo_profiler);
  SWAP(world->assets, fresh->assets, mo_known_shape *);
  SWAP(world->assets_count, fresh->assets_count, uint32_t);
  SWAP(world->assets_capacity, fresh->assets_capacity, uint32_t);
  SWAP(world->snapshot, fresh->snapshot, mo_byte_writer *);
  SWAP(world->journal, fresh->journal, mo_journal);
  SWAP(world->step_arena, fresh->step_arena, mo_arena);
  SWAP(world->spare_problem_arena, fresh->spare_problem_arena, mo_arena);
  SWAP(world->trial_arena, fresh->trial_arena, mo_arena);
  SWAP(world->query_arena, fresh->query_arena, mo_arena);
  SWAP(world->vehicle_arena, fresh->vehicle_arena, mo_arena);
  SWAP(world->exact, fresh->exact, mo_exact_workspace);
  world->pairs.journal = world->islands.journal = &world->journal;
  fresh->pairs.journal = fresh->islands.journal = &fresh->journal;
}

static void change_places(mo_world *world, mo_world *fresh) {
  SWAP(*world, *fresh, mo_world);
  keep_own(world, fresh);
  world->moved_count = 0;
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    mo_world_publish_slot(world, slot);
    if (world->ids.alive[slot]) {
      world->moved[world->moved_count++] = slot;
    }
  }
}

// What is watched stays. Where the snapshot has no list of what touched, one is begun.
static void watch_again(mo_restore *r, uint32_t watched) {
  r->world->watched &= watched;
  mo_restore_got(r, mo_world_watch(r->world, watched) == MO_OK);
}

static void read_all(mo_restore *r, mo_world *old, const mo_restore_options *options) {
  shape_list given = {0}, shapes = {0};
  shape_sources from = {.world = old};
  if (options && options->assets) {
    read_assets(r, options, &given);
    from.given = &given;
  }
  from.present = mo_world_list_shapes(old, &r->arena, &from.present_count);
  if (mo_restore_got(r, from.present != NULL) && read_header(&r->in, MO_SNAPSHOT_MAGIC)) {
    read_shapes(r, &from, &shapes);
    r->shapes = shapes.items;
    r->shape_count = shapes.items_count;
    read_prelude(r);
    make_world(r, old);
  }
  if (r->world && mo_restore_is_good(r)) {
    read_state(r);
  }
  if (r->world && mo_restore_is_good(r)) {
    read_rest(r);
  }
  if (r->world && mo_restore_is_good(r)) {
    give_functions(r, old, options);
  }
  if (r->world && mo_restore_is_good(r)) {
    watch_again(r, old->watched);
  }
  free_shapes(&shapes);
  free_shapes(&given);
}

static mo_result refuse(mo_world *world, const char *function, const mo_restore *r) {
  return r->in.problem ? mo_world_refuse_text(world, MO_ERROR_BAD_SNAPSHOT, function, r->in.problem)
                       : mo_world_refuse_text(world, MO_ERROR_OUT_OF_MEMORY, function, "no memory");
}

mo_result mo_snapshot_read(mo_world *world, const char *function, mo_bytes bytes,
                           mo_record_streams *streams, const mo_restore_options *options) {
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, function));
  mo_restore r = {.present = world,
                  .in = {.bytes = bytes.bytes, .count = bytes.count, .streams = streams},
                  .has_memory = true};
  mo_scratch_take(&r.arena);
  r.in.memory = MO_ARENA_TAKE_RAW(&r.arena, mo_record_memory, 1);
  if (mo_restore_got(&r, r.in.memory != NULL)) {
    mo_record_memory_begin(r.in.memory);
    read_all(&r, world, options);
  }
  mo_scratch_give(&r.arena);
  mo_arena_free(&r.arena); // where there was no place for it
  mo_result result = MO_OK;
  if (mo_restore_is_good(&r)) {
    change_places(world, r.world);
  } else {
    result = refuse(world, function, &r);
  }
  mo_world_free(r.world);
  return result;
}

mo_result mo_world_restore(mo_world *world, const void *bytes, size_t count,
                           const mo_restore_options *options) {
  return mo_snapshot_read(world, "mo_world_restore", (mo_bytes){bytes, count}, NULL, options);
}
