#include "collision_oracle.h"

#include "collision/broad_phase.h"

static mo_proxy box_proxy(mo_vec3 centre, mo_vec3 half, bool movable) {
  return (mo_proxy){.bounds = {mo_sub(centre, half), mo_add(centre, half)}, .movable = movable};
}

// The pairs are those of all against all, in the same order.
static void check_against_all(mo_broad_phase *bp) {
  assert_true(mo_broad_phase_find_pairs(bp));
  uint32_t k = 0;
  for (uint32_t i = 0; i < bp->proxies_count; i++) {
    for (uint32_t j = i + 1; j < bp->proxies_count; j++) {
      const mo_proxy *p = &bp->proxies[i], *q = &bp->proxies[j];
      if ((p->movable || q->movable) && mo_bounds_overlap(p->bounds, q->bounds)) {
        assert_true(k < bp->pairs_count);
        assert_int_equal(bp->pairs[k].a, i);
        assert_int_equal(bp->pairs[k].b, j);
        k++;
      }
    }
  }
  assert_int_equal(k, bp->pairs_count);
}

static void random_sets(void **state) {
  (void)state;
  random_seed(10);
  mo_broad_phase bp = {0};
  for (int round = 0; round < 200; round++) {
    mo_broad_phase_reset(&bp);
    int count = round % 7 == 0 ? round % 3 : (int)random_between(2, 150);
    mo_vec3 room = random_vector(0, 10);
    for (int i = 0; i < count; i++) {
      mo_vec3 c = random_in_cube(1.0), half = random_in_cube(0.5);
      c = mo_v3(c.x * room.x, c.y * room.y, c.z * room.z);
      half = mo_scale(i % 20 == 0 ? 30.0 : 1.0, mo_v3_abs(half));
      assert_true(mo_broad_phase_insert(&bp, box_proxy(c, half, i % 3 != 0)));
    }
    check_against_all(&bp);
  }
  mo_broad_phase_free(&bp);
}

// Bodies that move from step to step, some of which come, go and jump.
static void moving_sets(void **state) {
  (void)state;
  random_seed(11);
  mo_broad_phase bp = {0};
  mo_vec3 centres[120];
  for (int i = 0; i < 120; i++) {
    centres[i] = random_in_cube(5.0);
  }
  for (int step = 0; step < 200; step++) {
    mo_broad_phase_reset(&bp);
    int count = step % 50 < 25 ? 120 : 100;
    for (int i = 0; i < count; i++) {
      centres[i] = step % 40 == 39 ? random_in_cube(5.0) : mo_add(centres[i], random_in_cube(0.05));
      assert_true(mo_broad_phase_insert(&bp, box_proxy(centres[i], mo_v3(0.5, 0.6, 0.7), i > 5)));
    }
    check_against_all(&bp);
  }
  mo_broad_phase_free(&bp);
}

// A plane, a half-bounded plane and a floor among boxes; equal bounds; touching bounds.
static void infinite_and_equal_bounds(void **state) {
  (void)state;
  mo_broad_phase bp = {0};
  mo_vec3 infinite = mo_v3(INFINITY, INFINITY, INFINITY);
  mo_broad_phase_insert(&bp, (mo_proxy){.bounds = {mo_neg(infinite), infinite}});
  mo_broad_phase_insert(&bp,
                        (mo_proxy){.bounds = {mo_neg(infinite), mo_v3(INFINITY, 0, INFINITY)}});
  mo_broad_phase_insert(&bp, box_proxy(mo_v3(0, -1, 0), mo_v3(100, 1, 100), false));
  for (int i = 0; i < 40; i++) {
    mo_broad_phase_insert(&bp, box_proxy(mo_v3(i / 2, 0.5, 0), mo_v3(0.5, 0.5, 0.5), true));
  }
  check_against_all(&bp);
  assert_true(bp.pairs_count >= 3 * 40 + 20);
  mo_broad_phase_free(&bp);

  // Nothing but infinite ones, movable too; and none at all.
  mo_broad_phase_insert(&bp, (mo_proxy){.bounds = {mo_neg(infinite), infinite}, .movable = true});
  mo_broad_phase_insert(&bp, (mo_proxy){.bounds = {mo_neg(infinite), infinite}});
  mo_broad_phase_insert(&bp, (mo_proxy){.bounds = {mo_neg(infinite), infinite}});
  check_against_all(&bp);
  assert_int_equal(bp.pairs_count, 2);
  mo_broad_phase_reset(&bp);
  check_against_all(&bp);
  assert_int_equal(bp.pairs_count, 0);
  mo_broad_phase_free(&bp);
}

// What came before does not reach the result.
static void no_memory_of_the_past(void **state) {
  (void)state;
  random_seed(12);
  mo_broad_phase used = {0}, fresh = {0};
  for (int step = 0; step < 20; step++) {
    mo_broad_phase_reset(&used);
    mo_broad_phase_free(&fresh);
    for (int i = 0; i < 60; i++) {
      mo_proxy proxy = box_proxy(random_in_cube(3.0), mo_v3(0.5, 0.5, 0.5), i % 4 != 0);
      mo_broad_phase_insert(&used, proxy);
      mo_broad_phase_insert(&fresh, proxy);
    }
    assert_true(mo_broad_phase_find_pairs(&used) && mo_broad_phase_find_pairs(&fresh));
    assert_int_equal(used.pairs_count, fresh.pairs_count);
    if (used.pairs_count > 0) {
      assert_memory_equal(used.pairs, fresh.pairs, used.pairs_count * sizeof *used.pairs);
    }
  }
  mo_broad_phase_free(&used);
  mo_broad_phase_free(&fresh);
}

static void steady_state_allocates_nothing(void **state) {
  (void)state;
  random_seed(13);
  mo_broad_phase bp = {0};
  mo_vec3 centres[200];
  uint64_t calls = 0;
  size_t bytes = mo_allocated_bytes();
  for (int step = 0; step < 50; step++) {
    mo_broad_phase_reset(&bp);
    for (int i = 0; i < 200; i++) {
      centres[i] = step == 0 ? random_in_cube(3.0) : centres[i];
      mo_broad_phase_insert(&bp, box_proxy(centres[i], mo_v3(0.3, 0.3, 0.3), true));
    }
    assert_true(mo_broad_phase_find_pairs(&bp));
    if (step == 0) {
      calls = mo_allocation_count();
    }
  }
  assert_int_equal(mo_allocation_count(), calls);
  mo_broad_phase_free(&bp);
  assert_int_equal(mo_allocated_bytes(), bytes);
}

static void *refuse(size_t bytes, void *user) {
  (void)bytes;
  (void)user;
  return NULL;
}
static void refuse_release(void *memory, void *user) {
  (void)memory;
  (void)user;
}

static void no_memory_is_an_answer(void **state) {
  (void)state;
  mo_broad_phase bp = {0};
  mo_set_allocator(refuse, refuse_release, NULL);
  assert_false(mo_broad_phase_insert(&bp, box_proxy(mo_v3(0, 0, 0), mo_v3(1, 1, 1), true)));
  mo_set_allocator(NULL, NULL, NULL);
  assert_true(mo_broad_phase_insert(&bp, box_proxy(mo_v3(0, 0, 0), mo_v3(1, 1, 1), true)));
  mo_broad_phase_free(&bp);
}

static void bounds_arithmetic(void **state) {
  (void)state;
  mo_bounds a = {{0, 0, 0}, {1, 1, 1}}, b = {{2, -1, 0.5}, {3, 0.5, 4}};
  assert_false(mo_bounds_overlap(a, b));
  assert_true(mo_bounds_overlap(mo_bounds_expand(a, 0.5), mo_bounds_expand(b, 0.5)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_sets),
      cmocka_unit_test(moving_sets),
      cmocka_unit_test(infinite_and_equal_bounds),
      cmocka_unit_test(no_memory_of_the_past),
      cmocka_unit_test(steady_state_allocates_nothing),
      cmocka_unit_test(no_memory_is_an_answer),
      cmocka_unit_test(bounds_arithmetic),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
