/// Frames as differences: each gives the state that was written, and bytes that are none change
/// nothing of a world.
#include "test_group.h"
#include "world_fixture.h"

#include "memory/byte_stream.h"

#include <stdlib.h>
#include <string.h>

static const double STEP = 1.0 / 60.0;

// --- a world in which things come and go ------------------------------------------------------

// Layers of 4 x 3.
static mo_body_def place_of(int i) {
  int x = i % 4, y = i / 4 % 3, z = i / 12;
  return body_at(0.6 * x, 0.55 * y, 0.4 + 0.6 * z, 0.0);
}

static mo_world *make_pile(void) {
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, -9.81);
  mo_world *world = make_world(settings);
  mo_body_def ground = body_at(0, 0, -0.5, 0.0);
  ground.type = MO_BODY_STATIC;
  add_body(world, ground, box(20, 20, 0.5));
  for (int i = 0; i < 40; i++) {
    mo_body_def def = place_of(i);
    add_body(world, def, i % 2 ? box(0.25, 0.25, 0.25) : sphere(0.25));
  }
  return world;
}

typedef struct bodies {
  mo_body_id ids[64];
  int count;
} bodies;

// Every seventh step a body comes, every ninth one goes, and now and then there is a joint.
static void change(mo_world *world, int i, bodies *own) {
  if (i % 7 == 2) {
    own->ids[own->count++] = add_body(world, body_at(0.1 * (i % 5), 0.3, 4.0, 1.0), sphere(0.3));
  }
  if (i % 9 == 8) {
    assert_int_equal(mo_body_destroy(world, own->ids[--own->count]), MO_OK);
  }
  if (i % 11 == 10) {
    mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_ROPE);
    def.body_b = own->ids[0];
    def.length = 3.0;
    assert_false(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
  }
}

#define FRAMES 150

typedef struct frame {
  uint8_t *bytes;
  size_t count;
  uint64_t hash; // of the world
} frame;

static frame write(mo_delta_coder *coder, mo_world *world, bool is_key) {
  mo_bytes bytes;
  assert_int_equal(mo_delta_coder_write(coder, world, is_key, &bytes), MO_OK);
  frame copy = {malloc(bytes.count), bytes.count, mo_world_hash(world)};
  memcpy(copy.bytes, bytes.bytes, bytes.count);
  return copy;
}

static void write_all(mo_world *world, frame frames[FRAMES], int key_spacing) {
  mo_delta_coder *coder = mo_delta_coder_create();
  bodies own = {0};
  for (int i = 0; i < FRAMES; i++) {
    change(world, i, &own);
    step_many(world, STEP, 1);
    frames[i] = write(coder, world, i % key_spacing == 0);
  }
  mo_delta_coder_destroy(coder);
}

static void free_all(frame frames[FRAMES]) {
  for (int i = 0; i < FRAMES; i++) {
    free(frames[i].bytes);
  }
}

static mo_result read(mo_delta_coder *coder, const frame *from) {
  return mo_delta_coder_read(coder, from->bytes, from->count);
}

// --- what comes back --------------------------------------------------------------------------

static void each_frame_gives_the_state_that_was_written(void **state) {
  (void)state;
  frame frames[FRAMES];
  mo_world *world = make_pile();
  write_all(world, frames, 40);
  mo_delta_coder *coder = mo_delta_coder_create();
  for (int i = 0; i < FRAMES; i++) {
    assert_int_equal(read(coder, &frames[i]), MO_OK);
    assert_int_equal(mo_delta_coder_restore(coder, world, NULL), MO_OK);
    assert_true(mo_world_hash(world) == frames[i].hash);
  }
  assert_int_equal(read(coder, &frames[40]), MO_OK); // back to a key
  assert_int_equal(read(coder, &frames[41]), MO_OK);
  assert_int_equal(mo_delta_coder_restore(coder, world, NULL), MO_OK);
  assert_true(mo_world_hash(world) == frames[41].hash);
  mo_delta_coder_destroy(coder);
  mo_world_destroy(world);
  free_all(frames);
}

static void what_lies_still_takes_next_to_nothing(void **state) {
  (void)state;
  mo_world *world = make_pile();
  step_many(world, STEP, 900);
  assert_int_equal(mo_world_awake_count(world), 0);
  mo_delta_coder *coder = mo_delta_coder_create();
  frame key = write(coder, world, true);
  step_many(world, STEP, 1);
  frame next = write(coder, world, false);
  assert_true(next.count < 200 && key.count > 10000);
  free(key.bytes);
  free(next.bytes);
  mo_delta_coder_destroy(coder);
  mo_world_destroy(world);
}

// --- what is refused --------------------------------------------------------------------------

static void a_difference_follows_its_own_frame_alone(void **state) {
  (void)state;
  frame frames[FRAMES];
  mo_world *world = make_pile();
  write_all(world, frames, 50);
  uint64_t now = mo_world_hash(world);
  mo_delta_coder *coder = mo_delta_coder_create();
  assert_int_equal(mo_delta_coder_restore(coder, world, NULL), MO_ERROR_BAD_SNAPSHOT);
  assert_int_equal(read(coder, &frames[1]), MO_ERROR_BAD_SNAPSHOT);
  assert_int_equal(read(coder, &frames[0]), MO_OK);
  assert_int_equal(read(coder, &frames[2]), MO_ERROR_BAD_SNAPSHOT);
  assert_true(mo_world_hash(world) == now);
  assert_int_equal(read(coder, &frames[1]), MO_OK); // the coder was left as it was
  assert_int_equal(mo_delta_coder_restore(coder, world, NULL), MO_OK);
  assert_true(mo_world_hash(world) == frames[1].hash);
  mo_delta_coder_destroy(coder);
  mo_world_destroy(world);
  free_all(frames);
}

static void damaged_bytes_are_refused(void **state) {
  (void)state;
  mo_world *world = make_pile();
  mo_delta_coder *coder = mo_delta_coder_create(), *other = mo_delta_coder_create();
  step_many(world, STEP, 30);
  frame key = write(coder, world, true);
  for (size_t i = 0; i < 500; i++) {
    size_t at = i * (key.count - 1) / 499;
    key.bytes[at] ^= (uint8_t)(1u << (i % 8));
    assert_int_equal(read(other, &key), MO_ERROR_BAD_SNAPSHOT);
    key.bytes[at] ^= (uint8_t)(1u << (i % 8));
    assert_int_equal(mo_delta_coder_read(other, key.bytes, at), MO_ERROR_BAD_SNAPSHOT);
  }
  assert_int_equal(read(other, &key), MO_OK);
  free(key.bytes);
  mo_delta_coder_destroy(coder);
  mo_delta_coder_destroy(other);
  mo_world_destroy(world);
}

// Makes bytes that begin and end as those of a frame should.
static void sign(frame *bytes) {
  uint64_t sum = mo_checksum(bytes->bytes, bytes->count - sizeof sum);
  memcpy(bytes->bytes + bytes->count - sizeof sum, &sum, sizeof sum);
}

// Damage under a good checksum: whatever becomes of it, nothing is touched that should not be. The
// sanitizers watch.
static void hostile_bytes_do_no_harm(void **state) {
  (void)state;
  mo_world *world = make_pile(), *twin = make_pile();
  step_many(world, STEP, 20);
  mo_delta_coder *coder = mo_delta_coder_create();
  frame key = write(coder, world, true);
  uint32_t random = 1;
  for (int i = 0; i < 2000; i++) {
    random = random * 1664525u + 1013904223u;
    size_t at = 8 + (random >> 8) % (i % 2 ? 400 : key.count - 16);
    uint8_t kept = key.bytes[at];
    key.bytes[at] = (uint8_t)random;
    sign(&key);
    if (read(coder, &key) == MO_OK && mo_delta_coder_restore(coder, twin, NULL) == MO_OK) {
      mo_world_step(twin, STEP);
    }
    key.bytes[at] = kept;
  }
  free(key.bytes);
  mo_delta_coder_destroy(coder);
  mo_world_destroy(world);
  mo_world_destroy(twin);
}

TEST_GROUP(delta_coder) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_frame_gives_the_state_that_was_written),
      cmocka_unit_test(what_lies_still_takes_next_to_nothing),
      cmocka_unit_test(a_difference_follows_its_own_frame_alone),
      cmocka_unit_test(damaged_bytes_are_refused),
      cmocka_unit_test(hostile_bytes_do_no_harm),
  };
  return run_group(tests, NULL, NULL);
}
