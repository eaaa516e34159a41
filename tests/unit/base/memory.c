#include "memory/allocator.h"
#include "memory/arena.h"
#include "memory/array.h"
#include "memory/copy.h"
#include "memory/id_pool.h"
#include "memory/journal.h"
#include "memory/scratch.h"
#include "memory/sort.h"
#include "test_group.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct owner {
  uint32_t *items;
  uint32_t items_capacity;
} owner;

static void array_keeps_its_content_when_it_grows(void **state) {
  (void)state;
  owner o = {0};
  for (uint32_t i = 0; i < 1000; i++) {
    assert_true(MO_RESERVE(&o, items, i + 1));
    assert_int_equal(o.items[i], 0);
    o.items[i] = i;
  }
  for (uint32_t i = 0; i < 1000; i++) {
    assert_int_equal(o.items[i], i);
  }
  mo_release(o.items);
}

static void arena_in_a_steady_state_allocates_nothing(void **state) {
  (void)state;
  mo_arena arena = {0};
  uint64_t calls = 0;
  for (int round = 0; round < 5; round++) {
    mo_arena_reset(&arena);
    if (round == 2) {
      calls = mo_allocation_count();
    }
    for (int i = 0; i < 50; i++) {
      double *x = MO_ARENA_TAKE(&arena, double, 777);
      assert_non_null(x);
      assert_true(((uintptr_t)x & 15) == 0);
      assert_true(x[0] == 0.0 && x[776] == 0.0);
      x[0] = x[776] = 1.0;
    }
  }
  assert_int_equal(mo_allocation_count(), calls);
  assert_true(arena.used_bytes >= (size_t)50 * 777 * 8);
  mo_arena_free(&arena);
}

static void arena_refuses_what_cannot_be_counted(void **state) {
  (void)state;
  mo_arena arena = {0};
  assert_null(mo_arena_take(&arena, SIZE_MAX / 4, 8));
  assert_non_null(mo_arena_take(&arena, 0, 8));
  mo_arena_free(&arena);
}

// Random writes to an array that grows and to a field, taken back.
static void few_items_grow_by_a_quarter(void **state) {
  (void)state;
  struct {
    double *items;
    uint32_t items_capacity;
  } o = {0};
  const uint32_t needed[] = {1, 9, 11, 14, 18, 23}, capacities[] = {8, 10, 12, 15, 18, 27};
  for (int i = 0; i < 6; i++) {
    assert_true(mo_array_reserve((void **)&o.items, &o.items_capacity, needed[i], sizeof *o.items));
    assert_int_equal(o.items_capacity, capacities[i]);
  }
  mo_release(o.items);
}

static void an_array_in_an_arena_keeps_its_content(void **state) {
  (void)state;
  mo_arena arena = {0};
  owner o = {0};
  for (uint32_t i = 0; i < 1000; i++) {
    assert_true(MO_ARENA_RESERVE(&arena, &o, items, i + 1));
    o.items[i] = i;
    *MO_ARENA_TAKE(&arena, uint32_t, 1) = 7; // what lies behind is not the array's
  }
  for (uint32_t i = 0; i < 1000; i++) {
    assert_int_equal(o.items[i], i);
  }
  mo_arena_free(&arena);
}

// Memory that holds `bytes`, given back.
static void give_like(size_t bytes) {
  mo_arena arena = {0};
  mo_arena_prepare(&arena, bytes);
  mo_scratch_give_like(&arena);
  assert_null(arena.block);
}

static size_t capacity_of_next(const mo_arena *last) {
  mo_arena next = {0};
  mo_scratch_take_like(&next, last);
  size_t capacity = mo_arena_capacity(&next);
  mo_arena_free(&next);
  return capacity;
}

static void no_small_world_keeps_what_a_large_one_gave_back(void **state) {
  (void)state;
  mo_scratch_free();
  size_t held = mo_allocated_bytes();
  mo_arena last = {0}, nothing = {0};
  assert_non_null(mo_arena_take(&last, 2000, 1));
  give_like(100);
  give_like(1950);
  give_like(2300);
  give_like(1000000);
  assert_int_equal(capacity_of_next(&nothing), 0);
  assert_int_equal(capacity_of_next(&last), 1950);
  // Now those that are smaller make room for new ones, and those that are larger stay.
  size_t waiting = mo_allocated_bytes();
  assert_int_equal(capacity_of_next(&last), 2048);
  assert_true(mo_allocated_bytes() < waiting);
  assert_int_equal(capacity_of_next(&last), 2048);
  assert_true(mo_allocated_bytes() > 1000000 + 2300);
  mo_scratch_free();
  mo_arena_free(&last);
  assert_int_equal(mo_allocated_bytes(), held);
}

// A step that takes so many bytes.
static void use(mo_arena *arena, size_t bytes) {
  assert_non_null(mo_arena_take_raw(arena, bytes, 1));
  mo_arena_settle(arena);
}

static void after_a_peak_an_arena_shrinks(void **state) {
  (void)state;
  const size_t large = 8000000, little = 300000;
  mo_arena arena = {0};
  use(&arena, large);
  for (uint32_t step = 1; step < MO_QUIET_STEPS; step++) {
    use(&arena, little);
  }
  assert_true(mo_arena_capacity(&arena) >= large); // it may come back
  use(&arena, large / 2);
  for (uint32_t step = 1; step < MO_QUIET_STEPS; step++) {
    use(&arena, little);
  }
  assert_true(mo_arena_capacity(&arena) >= large);
  use(&arena, little);
  assert_true(mo_arena_capacity(&arena) < 3 * little);
  uint64_t calls = mo_allocation_count();
  for (uint32_t step = 0; step < 3 * MO_QUIET_STEPS; step++) {
    use(&arena, step % 2 == 0 ? little : 0);
  }
  assert_int_equal(mo_allocation_count(), calls);
  mo_arena_free(&arena);
}

static void two_arenas_that_take_turns_shrink_too(void **state) {
  (void)state;
  mo_scratch_free();
  size_t held = mo_allocated_bytes();
  mo_arena last = {0}, next = {0};
  for (uint32_t step = 0; step < 3 * MO_QUIET_STEPS; step++) {
    mo_scratch_take_like(&next, &last);
    mo_arena_reset(&next);
    assert_non_null(mo_arena_take_raw(&next, step < 3 ? 8000000 : 300000, 1));
    mo_arena swap = last;
    last = next;
    next = swap;
    mo_scratch_give_like(&next);
  }
  assert_true(mo_arena_capacity(&last) < 1000000);
  assert_true(mo_allocated_bytes() - held < 2000000);
  mo_arena_free(&last);
  mo_scratch_free();
  assert_int_equal(mo_allocated_bytes(), held);
}

static void a_journal_takes_back_what_it_noted(void **state) {
  (void)state;
  struct {
    uint32_t *items;
    uint32_t items_capacity;
  } list = {0};
  mo_journal journal = {0};
  double field = 1.5;
  uint32_t random = 7;
  assert_true(MO_RESERVE(&list, items, 8));
  for (uint32_t i = 0; i < 8; i++) {
    list.items[i] = i;
  }
  assert_true(mo_journal_reserve(&journal, SIZE_MAX)); // closed, it has room for all
  mo_journal_open(&journal);
  for (uint32_t i = 0; i < 1000; i++) {
    assert_true(mo_journal_reserve(&journal, MO_NOTE_BYTES(4) + MO_NOTE_BYTES(8)));
    random = random * 1664525u + 1013904223u;
    MO_NOTE_ITEM(&journal, list.items, random >> 29);
    MO_NOTE(&journal, field);
    list.items[random >> 29] = random;
    field += 1.0;
    assert_true(i != 500 || MO_RESERVE(&list, items, 1000)); // it moves in memory
  }
  assert_false(mo_journal_reserve(&journal, SIZE_MAX));
  mo_journal_close(&journal, true);
  assert_true(field == 1.5);
  for (uint32_t i = 0; i < 8; i++) {
    assert_int_equal(list.items[i], i);
  }
  MO_NOTE(&journal, field); // closed, it takes no notes
  assert_int_equal(journal.bytes_count, 0);
  mo_release(list.items);
  mo_journal_free(&journal);
}

static void a_slot_has_every_generation_once(void **state) {
  (void)state;
  mo_id_pool pool = {0};
  mo_result result = MO_OK;
  for (uint32_t generation = 0; generation <= MO_ID_MAX_GENERATION; generation++) {
    assert_int_equal(mo_id_pool_take(&pool, &result), 0);
    assert_int_equal(pool.generation[0], generation);
    assert_true(mo_id_pool_is_alive(&pool, 0, (uint16_t)generation));
    assert_false(mo_id_pool_is_alive(&pool, 0, (uint16_t)(generation - 1)));
    mo_id_pool_give_back(&pool, 0);
    assert_false(mo_id_pool_is_alive(&pool, 0, (uint16_t)generation));
  }
  // All generations of the slot are used up: it is retired.
  assert_int_equal(mo_id_pool_take(&pool, &result), 1);
  assert_true(mo_id_pool_is_alive(&pool, 1, 0));
  assert_false(mo_id_pool_is_alive(&pool, 0, 0));
  assert_false(mo_id_pool_is_alive(&pool, 0, MO_ID_MAX_GENERATION));
  assert_false(mo_id_pool_is_alive(&pool, 2, 0));
  assert_false(mo_id_pool_is_alive(&pool, MO_NO_SLOT, 0));
  assert_int_equal(pool.alive_count, 1);
  mo_id_pool_free(&pool);
}

static void every_slot_can_be_taken_and_no_more(void **state) {
  (void)state;
  mo_id_pool pool = {0};
  mo_result result = MO_OK;
  for (uint32_t i = 0; i < MO_ID_MAX_SLOTS; i++) {
    if (mo_id_pool_take(&pool, &result) != i) {
      fail_msg("slot %u", i);
    }
  }
  assert_int_equal(mo_id_pool_take(&pool, &result), MO_NO_SLOT);
  assert_int_equal(result, MO_ERROR_CAPACITY);
  mo_id_pool_free(&pool);
}

static void keys_of_numbers_order_as_the_numbers(void **state) {
  (void)state;
  static const double numbers[] = {-INFINITY, -1e300, -2.0, -1.0,  -5e-324, 0.0,
                                   5e-324,    1.0,    2.0,  1e300, INFINITY};
  enum { COUNT = sizeof numbers / sizeof *numbers };
  mo_sort_entry entries[COUNT + 1];
  for (uint32_t i = 0; i < COUNT; i++) {
    entries[i] = (mo_sort_entry){mo_sort_key_of_double(numbers[i]), i};
    assert_true(i == 0 || entries[i].key > entries[i - 1].key);
  }
  // The zeros are equal, so the value decides.
  entries[COUNT] = (mo_sort_entry){mo_sort_key_of_double(-0.0), 4};
  for (uint32_t i = 0; i < COUNT / 2; i++) {
    mo_sort_entry swapped = entries[i];
    entries[i] = entries[COUNT - i];
    entries[COUNT - i] = swapped;
  }
  mo_sort(entries, COUNT + 1);
  for (uint32_t i = 0; i <= COUNT; i++) {
    assert_int_equal(entries[i].value, i < 5 ? i : i == 5 ? 4 : i - 1);
  }
}

static void *no_memory(size_t bytes, void *user) {
  (void)bytes;
  (void)user;
  return NULL;
}

static void release_nothing(void *memory, void *user) {
  (void)memory;
  (void)user;
}

static void a_copy_has_all_bytes_and_no_more(void **state) {
  (void)state;
  unsigned char from[400], to[400];
  for (size_t i = 0; i < sizeof from; i++) {
    from[i] = (unsigned char)(i % 251 + 1);
  }
  for (size_t size = 0; size + 8 <= sizeof to; size++) {
    memset(to, 0, sizeof to);
    size_t shift = size % 7; // places need no alignment
    mo_copy_record(to + shift, from + 1, size);
    assert_memory_equal(to + shift, from + 1, size);
    for (size_t i = 0; i < sizeof to; i++) {
      assert_true(to[i] == 0 || (i >= shift && i < shift + size));
    }
  }
}

// A release that does not belong to the allocate would free what it does not know.
static void half_an_allocator_is_none(void **state) {
  (void)state;
  mo_set_allocator(no_memory, NULL, NULL);
  void *memory = mo_allocate(8);
  assert_non_null(memory);
  mo_release(memory);
  mo_set_allocator(NULL, NULL, NULL);
}

static void without_memory_everything_says_so(void **state) {
  (void)state;
  mo_set_allocator(no_memory, release_nothing, NULL);
  owner o = {0};
  mo_arena arena = {0};
  mo_id_pool pool = {0};
  mo_result result = MO_OK;
  assert_false(MO_RESERVE(&o, items, 1));
  assert_null(mo_arena_take(&arena, 1, 1));
  assert_int_equal(mo_id_pool_take(&pool, &result), MO_NO_SLOT);
  assert_int_equal(result, MO_ERROR_OUT_OF_MEMORY);
  mo_set_allocator(NULL, NULL, NULL);
}

TEST_GROUP(memory) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(array_keeps_its_content_when_it_grows),
      cmocka_unit_test(arena_in_a_steady_state_allocates_nothing),
      cmocka_unit_test(arena_refuses_what_cannot_be_counted),
      cmocka_unit_test(few_items_grow_by_a_quarter),
      cmocka_unit_test(an_array_in_an_arena_keeps_its_content),
      cmocka_unit_test(no_small_world_keeps_what_a_large_one_gave_back),
      cmocka_unit_test(after_a_peak_an_arena_shrinks),
      cmocka_unit_test(two_arenas_that_take_turns_shrink_too),
      cmocka_unit_test(a_journal_takes_back_what_it_noted),
      cmocka_unit_test(a_slot_has_every_generation_once),
      cmocka_unit_test(every_slot_can_be_taken_and_no_more),
      cmocka_unit_test(keys_of_numbers_order_as_the_numbers),
      cmocka_unit_test(a_copy_has_all_bytes_and_no_more),
      cmocka_unit_test(half_an_allocator_is_none),
      cmocka_unit_test(without_memory_everything_says_so),
  };
  return run_group(tests, NULL, NULL);
}
