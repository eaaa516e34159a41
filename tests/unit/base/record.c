/// Records as bytes: packed, as differences, and back.
#include "memory/allocator.h"
#include "memory/byte_stream.h"
#include "test_group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

// Of 4 bytes each, so that the last field ends where the record does, with gaps that are no fields.
typedef struct sample {
  float first;
  bool is_set, is_other;
  uint32_t gap;
  uint32_t words[9];
  uint8_t more_gap[5], small[3];
  uint16_t halves[4];
  uint32_t last[3];
} sample;

static const mo_field sample_fields[] = {
    MO_FIELD(sample, first, float),   MO_FLAG(sample, is_set),
    MO_FLAG(sample, is_other),        MO_FIELD(sample, words, uint32_t),
    MO_FIELD(sample, small, uint8_t), MO_FIELD(sample, last, uint32_t),
};
static const mo_record_type sample_type = MO_STREAM_RECORD(sample, sample_fields, 30);
static const mo_record_type varied_type = MO_VARIED_RECORD(sample, sample_fields, 29);

#define COUNT 200
#define GAP 0xa5

static uint32_t next(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

// Some words differ from the record before, others do not.
static void fill(sample *samples) {
  uint32_t state = 1;
  memset(samples, 0, COUNT * sizeof *samples);
  for (uint32_t i = 0; i < COUNT; i++) {
    sample *s = &samples[i];
    *s = i > 0 ? samples[i - 1] : *s;
    for (uint32_t change = next(&state) % 12; change > 0; change--) {
      s->words[next(&state) % 9] = next(&state);
      s->last[next(&state) % 3] = next(&state);
      s->small[next(&state) % 3] = (uint8_t)next(&state);
    }
    s->first = (float)(next(&state) % 3);
    s->is_set = next(&state) % 2;
    s->gap = next(&state);
    memset(s->more_gap, (int)i, sizeof s->more_gap);
    s->halves[3] = (uint16_t)i;
  }
}

static void check_fields(const sample *written, const sample *read) {
  for (uint32_t i = 0; i < COUNT; i++) {
    assert_true(mo_record_equal(&sample_type, &written[i], &read[i]));
  }
}

// What is no field stays.
static void check_gaps(const sample *read) {
  for (uint32_t i = 0; i < COUNT; i++) {
    assert_int_equal(read[i].gap, GAP * 0x01010101u);
    assert_int_equal(read[i].more_gap[0], GAP);
    assert_int_equal(read[i].halves[0], GAP << 8 | GAP);
    assert_int_equal(read[i].halves[3], GAP << 8 | GAP);
  }
}

// In memory of their own, so that a byte read or written beyond it is seen by the sanitizers.
static void write_and_read(const mo_record_type *type, mo_record_streams *streams) {
  sample *samples = mo_allocate(COUNT * sizeof *samples);
  sample *back = mo_allocate(COUNT * sizeof *back);
  static mo_record_memory memory;
  mo_record_memory_begin(&memory);
  fill(samples);
  mo_byte_writer w = {.memory = &memory, .streams = streams};
  mo_write_word(&w, 7);
  mo_write_records(&w, type, samples, COUNT);
  assert_false(w.has_failed);

  unsigned char *bytes = mo_allocate(w.bytes_count);
  memcpy(bytes, w.bytes, w.bytes_count);
  mo_record_memory_begin(&memory);
  mo_byte_reader r = {
      .bytes = bytes, .count = w.bytes_count, .memory = &memory, .streams = streams};
  memset(back, GAP, COUNT * sizeof *back);
  assert_int_equal(mo_read_word(&r), 7);
  mo_read_records(&r, type, back, COUNT);
  assert_null(r.problem);
  assert_int_equal(mo_reader_rest(&r), 0);
  check_fields(samples, back);
  check_gaps(back);
  mo_release(bytes);
  mo_release(w.bytes);
  mo_release(samples);
  mo_release(back);
}

static void records_come_back_from_their_differences(void **state) {
  (void)state;
  write_and_read(&sample_type, NULL);
}

static void records_come_back_whole(void **state) {
  (void)state;
  write_and_read(&varied_type, NULL);
}

static void records_come_back_from_streams(void **state) {
  (void)state;
  mo_record_streams streams = {0};
  write_and_read(&sample_type, &streams);
  mo_record_streams_free(&streams);
}

static void a_record_that_is_cut_off_is_refused(void **state) {
  (void)state;
  sample written = {.words = {1, 2, 3, 4, 5}, .last = {6, 7, 8}}, read = {0};
  static mo_record_memory memory;
  mo_record_memory_begin(&memory);
  mo_byte_writer w = {.memory = &memory};
  mo_write_records(&w, &sample_type, &written, 1);
  for (uint32_t count = 0; count < w.bytes_count; count++) {
    unsigned char *bytes = mo_allocate(count);
    memcpy(bytes, w.bytes, count);
    mo_record_memory_begin(&memory);
    mo_byte_reader r = {.bytes = bytes, .count = count, .memory = &memory};
    mo_read_records(&r, &sample_type, &read, 1);
    assert_non_null(r.problem);
    mo_release(bytes);
  }
  mo_release(w.bytes);
}

static void a_flag_of_two_is_refused(void **state) {
  (void)state;
  sample written = {0}, read = {0};
  *(unsigned char *)&written.is_other = 2;
  static mo_record_memory memory;
  mo_record_memory_begin(&memory);
  mo_byte_writer w = {.memory = &memory};
  mo_write_records(&w, &sample_type, &written, 1);
  mo_record_memory_begin(&memory);
  mo_byte_reader r = {.bytes = w.bytes, .count = w.bytes_count, .memory = &memory};
  mo_read_records(&r, &sample_type, &read, 1);
  assert_non_null(r.problem);
  mo_release(w.bytes);
}

TEST_GROUP(record) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(records_come_back_from_their_differences),
      cmocka_unit_test(records_come_back_whole),
      cmocka_unit_test(records_come_back_from_streams),
      cmocka_unit_test(a_record_that_is_cut_off_is_refused),
      cmocka_unit_test(a_flag_of_two_is_refused),
  };
  return run_group(tests, NULL, NULL);
}
