#include "sequence.h"

#include "failing_allocator.h"
#include "fuzz_world.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// After the last call: what is wrong with caches shows in the steps that follow.
#define LAST_STEPS 5
#define LAST_DT (1.0 / 60.0)
// By callbacks, in a whole sequence.
#define MOST_READS 100

// --- what it says ----------------------------------------------------------------------------

void fuzz_say(const fuzz_world *f, const char *format, ...) {
  if (f->is_verbose) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
  }
}

void fuzz_fail(fuzz_world *f, const char *what, double value) {
  if (!f->failure) {
    f->failure = what;
    f->failed_value = value;
    fuzz_say(f, " FAILS: %s (%g)", what, value);
  }
}

// --- the world at the beginning --------------------------------------------------------------

// Of 256 numbers so many are extreme: none, some or many of a sequence's.
static uint32_t choose_wildness(choices *c) {
  static const uint32_t parts[] = {0, 0, 3, 3, 10, 40};
  return parts[choose_below(c, 6)];
}

// A plane, a mesh or a height field.
static void add_floor(fuzz_world *f, choices *c) {
  static const uint32_t kinds[] = {3, 3, 3, 3, 3, 7, 11, 15};
  mo_placed_shape floor = mo_placed_shape_default(f->shapes[kinds[choose_below(c, 8)]]);
  mo_body_def def = mo_body_def_default();
  def.type = MO_BODY_STATIC;
  def.shapes = &floor;
  def.shape_count = 1;
  f->bodies[0] = mo_body_create(f->world, &def);
}

// False: settings that no world can have.
static bool begin(fuzz_world *f, choices *c) {
  mo_result result;
  mo_world_def def = fuzz_choose_settings(c);
  f->world = mo_world_create(&def, &result);
  if (!f->world) {
    return false;
  }
  for (uint32_t i = 0; i < TABLE; i++) {
    f->shapes[i] = fuzz_default_shape(f->shapes, i);
  }
  if (choose_if(c, 200)) {
    add_floor(f, c);
  }
  uint32_t bodies = choose_below(c, TABLE);
  for (uint32_t i = 1; i < bodies; i++) {
    fuzz_say(f, "  body");
    (void)fuzz_create_body(f, c, i);
    fuzz_say(f, "\n");
  }
  fuzz_say(f, "  world: solver %d integrator %d stabilization %d, extremes %u of 256\n", def.solver,
           def.integrator, def.stabilization, c->wild_part);
  return true;
}

static void end(fuzz_world *f) {
  mo_world_destroy(f->world);
  for (uint32_t i = 0; i < TABLE; i++) {
    mo_shape_release(f->shapes[i]);
  }
}

// --- calls -----------------------------------------------------------------------------------

static const operation *operation_of(uint32_t number) {
  const operation *lists[] = {fuzz_world_operations,
                              fuzz_body_operations,
                              fuzz_shape_operations,
                              fuzz_constraint_operations,
                              fuzz_potential_operations,
                              fuzz_query_operations,
                              fuzz_event_operations,
                              fuzz_state_operations,
                              fuzz_batch_operations,
                              fuzz_other_operations,
                              NULL};
  for (const operation **list = lists; *list; list++) {
    for (const operation *o = *list; o->name; o++) {
      if (number < o->weight) {
        return o;
      }
      number -= o->weight;
    }
  }
  return NULL;
}

// A run of a sequence.
typedef struct run {
  fuzz_world f;
  const uint8_t *bytes;
  size_t size;
  uint32_t wild_part;
  bool is_checking; // refused calls
  bool is_armed;    // an allocation of the next call fails
} run;

// What is left of the operations: allocations of the next call that fail.
static outcome fail_allocation(run *r, choices *c) {
  uint32_t count = choose_if(c, 128) ? choose_below(c, 4) : choose_byte(c);
  bool is_lasting = choose_if(c, 128);
  fuzz_say(&r->f, " after %u, lasting %d", count, is_lasting);
  failing_allocator_arm(count, is_lasting);
  r->is_armed = true;
  return READ;
}

static outcome call(run *r, uint32_t index) {
  fuzz_world *f = &r->f;
  size_t from = (size_t)RECORD_BYTES * (index + 1);
  choices c = choices_begin(r->bytes + from, r->size - from, r->wild_part);
  const operation *o = operation_of(choose_byte(&c));
  bool was_armed = r->is_armed;
  uint64_t before = mo_world_hash(f->world);
  f->record = index;
  fuzz_say(f, "  %3u %s", index, o ? o->name : "fail allocation");
  outcome result = o ? o->run(f, &c) : fail_allocation(r, &c);
  if (was_armed) {
    failing_allocator_disarm();
    r->is_armed = false;
  }
  fuzz_say(f, "%s\n", result == REFUSED ? ": refused" : "");
  if (result == REFUSED && r->is_checking && mo_world_hash(f->world) != before) {
    fuzz_fail(f, "a refused call changed the hash", 0.0);
  }
  if (f->is_reading && !r->is_armed) {
    uint64_t hash = mo_world_hash(f->world);
    fuzz_read_all(f);
    if (mo_world_hash(f->world) != hash) {
      fuzz_fail(f, "a read-out changed the hash", 0.0);
    }
  }
  return result;
}

// --- whole sequences -------------------------------------------------------------------------

// What the first run leaves for the second to be compared with.
typedef struct trace {
  uint32_t count;
  uint8_t outcomes[MOST_RECORDS];
  uint64_t hashes[MOST_RECORDS];
  int last_results[LAST_STEPS];
  uint64_t last_hash;
} trace;

static bool prepare(run *r, const uint8_t *bytes, size_t size, bool is_verbose) {
  choices c = choices_begin(bytes, size, 0);
  *r = (run){.bytes = bytes, .size = size, .f = {.is_verbose = is_verbose}};
  r->wild_part = choose_wildness(&c);
  c.wild_part = r->wild_part;
  r->f.reads_left = MOST_READS;
  return begin(&r->f, &c);
}

static void step_on(run *r, trace *t) {
  for (int i = 0; i < LAST_STEPS; i++) {
    t->last_results[i] = mo_world_step(r->f.world, LAST_DT);
  }
  t->last_hash = mo_world_hash(r->f.world);
}

static void run_all(run *r, trace *t) {
  size_t records = r->size / RECORD_BYTES;
  t->count = records > 1 ? (uint32_t)records - 1 : 0;
  t->count = t->count < MOST_RECORDS ? t->count : MOST_RECORDS;
  for (uint32_t i = 0; i < t->count && !r->f.failure; i++) {
    t->outcomes[i] = (uint8_t)call(r, i);
    t->hashes[i] = mo_world_hash(r->f.world);
  }
  failing_allocator_disarm();
  if (!r->f.failure) {
    step_on(r, t);
  }
}

// The calls that were not refused, alone.
static void replay(run *r, const trace *t) {
  trace own = {0};
  fuzz_say(&r->f, "  without the refused calls:\n");
  for (uint32_t i = 0; i < t->count && !r->f.failure; i++) {
    if (t->outcomes[i] != DONE) {
      continue;
    }
    if (call(r, i) != DONE) {
      fuzz_fail(&r->f, "a call is refused that was not", i);
    } else if (mo_world_hash(r->f.world) != t->hashes[i]) {
      fuzz_fail(&r->f, "refused calls or read-outs change what comes later", i);
    }
  }
  if (!r->f.failure) {
    r->f.record = t->count;
    step_on(r, &own);
    if (memcmp(own.last_results, t->last_results, sizeof own.last_results) != 0 ||
        own.last_hash != t->last_hash) {
      fuzz_fail(&r->f, "refused calls or read-outs change the last steps", t->count);
    }
  }
}

static void report(const run *r, const trace *t, sequence_result *out) {
  out->failure = r->f.failure;
  out->value = r->f.failed_value;
  out->record = r->f.record;
  for (uint32_t i = 0; i < t->count; i++) {
    out->done += t->outcomes[i] == DONE;
    out->refused += t->outcomes[i] == REFUSED;
  }
  out->steps = (uint32_t)mo_world_step_count(r->f.world);
  out->hash = t->last_hash;
}

static sequence_result run_both(const uint8_t *bytes, size_t size, const sequence_options *options,
                                run *r, trace *t) {
  sequence_result result = {0};
  if (!prepare(r, bytes, size, options->is_verbose)) {
    return result;
  }
  r->f.is_reading = true;
  r->is_checking = !options->skip_transactions;
  run_all(r, t);
  report(r, t, &result);
  end(&r->f);
  if (!result.failure && r->is_checking && prepare(r, bytes, size, options->is_verbose)) {
    replay(r, t);
    result.failure = r->f.failure;
    result.value = r->f.failed_value;
    result.record = r->f.record;
    end(&r->f);
  }
  return result;
}

sequence_result sequence_run(const uint8_t *bytes, size_t size, const sequence_options *options) {
  failing_allocator_install();
  size_t held = mo_allocated_bytes();
  run *r = calloc(1, sizeof *r);
  trace *t = calloc(1, sizeof *t);
  sequence_result result = run_both(bytes, size, options, r, t);
  free(t);
  free(r);
  if (!result.failure && mo_allocated_bytes() != held) {
    result.failure = "memory is not given back";
    result.value = (double)(mo_allocated_bytes() - held);
  }
  return result;
}
