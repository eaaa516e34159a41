/// Many boxes at one place.
#include "test_group.h"

#include "broad_phase_fixture.h"

enum { CROWD = 600 };

static uint32_t add_box(mo_broad_phase *bp, mo_tree_kind kind, uint32_t slot, mo_vec3 at,
                        double half) {
  mo_vec3 extent = mo_v3(half, half, half);
  return mo_broad_phase_add(bp, kind, (mo_bounds){mo_sub(at, extent), mo_add(at, extent)}, 0.0,
                            slot, 0, mo_filter_default());
}

static void add_crowd(mo_broad_phase *bp, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    assert_int_equal(add_box(bp, MO_TREE_DYNAMIC, i, random_in_cube(0.01), 1.0), i);
  }
}

static uint32_t partner_count(const mo_broad_phase *bp, uint32_t proxy) {
  uint32_t count;
  mo_broad_phase_partners(bp, proxy, &count);
  return count;
}

static bool always_within(void *user, const mo_proxy *a, const mo_proxy *b) {
  (void)user, (void)a, (void)b;
  return true;
}

static const mo_pair_rules within = {.are_within = always_within};

static void up_to_the_limit_all_pairs_are_taken(void **state) {
  (void)state;
  const uint32_t counts[2] = {257, 33}; // with 256 others 128 pairs for each, with 32 16
  for (int i = 0; i < 2; i++) {
    for (uint32_t more = 0; more < 2; more++) {
      mo_broad_phase bp = {0};
      uint32_t count = counts[i] + more;
      add_crowd(&bp, count);
      assert_true(mo_broad_phase_find_new_pairs(&bp, i == 0 ? NULL : &within));
      assert_int_equal(bp.refused_count > 0, more > 0);
      assert_int_equal(bp.moved_count > 0, more > 0);
      assert_int_equal(bp.new_pairs_count + bp.refused_count, count * (count - 1) / 2);
      mo_broad_phase_free(&bp);
    }
  }
}

static void a_crowd_has_pairs_in_proportion_to_its_number(void **state) {
  (void)state;
  for (int round = 0; round < 2; round++) {
    uint32_t each = round == 0 ? 128 : 16, in_all = CROWD * (CROWD - 1) / 2, likely = 0;
    mo_broad_phase bp = {0};
    add_crowd(&bp, CROWD);
    assert_true(mo_broad_phase_find_new_pairs(&bp, round == 0 ? NULL : &within));
    assert_true(bp.new_pairs_count <= each * CROWD);
    assert_int_equal(bp.new_pairs_count + bp.refused_count, in_all);
    for (uint32_t i = 0; i < CROWD; i++) {
      likely += partner_count(&bp, i) >= each;
    }
    assert_true(likely > CROWD / 2); // nobody's pairs are all taken by others
    mo_broad_phase_free(&bp);
  }
}

static void a_crowd_lies_on_its_floor(void **state) {
  (void)state;
  mo_broad_phase bp = {0};
  add_crowd(&bp, CROWD);
  uint32_t floor = add_box(&bp, MO_TREE_STATIC, CROWD, mo_v3(0, -50, 0), 50.0);
  assert_true(mo_broad_phase_find_new_pairs(&bp, &within));
  assert_true(bp.refused_count > 0);
  assert_int_equal(partner_count(&bp, floor), CROWD);
  mo_broad_phase_free(&bp);
}

static void what_is_far_from_a_crowd_keeps_all_of_its_pairs(void **state) {
  (void)state;
  mo_broad_phase bp = {0};
  add_crowd(&bp, CROWD);
  for (uint32_t i = 0; i < 12; i++) {
    add_box(&bp, MO_TREE_DYNAMIC, CROWD + i, mo_v3(100.0 + 0.1 * i, 0, 0), 1.0);
  }
  assert_true(mo_broad_phase_find_new_pairs(&bp, &within));
  for (uint32_t i = 0; i < 12; i++) {
    assert_int_equal(partner_count(&bp, CROWD + i), 11);
  }
  mo_broad_phase_free(&bp);
}

// Two broad phases with the same boxes, whose trees have other histories, search in other orders.
static void which_pairs_are_refused_depends_on_no_order(void **state) {
  (void)state;
  mo_broad_phase one = {0}, two = {0};
  add_crowd(&one, CROWD);
  for (uint32_t i = 0; i < CROWD; i++) {
    add_box(&two, MO_TREE_DYNAMIC, i, random_in_cube(30.0), 0.2);
  }
  for (uint32_t round = 0; round < 3; round++) {
    for (uint32_t i = 0; i < CROWD; i += 1 + round) {
      mo_vec3 at = random_in_cube(30.0);
      mo_broad_phase_move(&two, i, (mo_bounds){at, at}, 0.0);
    }
    mo_broad_phase_update_trees(&two);
  }
  for (uint32_t i = CROWD; i-- > 0;) {
    mo_broad_phase_set_box(&two, i, &one.boxes[i]);
  }
  assert_true(mo_broad_phase_find_new_pairs(&one, &within));
  assert_true(mo_broad_phase_find_new_pairs(&two, &within));
  assert_true(one.refused_count > 0);
  assert_int_equal(one.new_pairs_count, two.new_pairs_count);
  for (uint32_t i = 0; i < one.new_pairs_count; i++) {
    assert_int_equal(one.new_pairs[i].a, two.new_pairs[i].a);
    assert_int_equal(one.new_pairs[i].b, two.new_pairs[i].b);
  }
  mo_broad_phase_free(&one);
  mo_broad_phase_free(&two);
}

static void refused_pairs_are_found_as_soon_as_there_is_room(void **state) {
  (void)state;
  mo_broad_phase bp = {0};
  add_crowd(&bp, CROWD);
  assert_true(mo_broad_phase_find_new_pairs(&bp, &within));
  assert_true(bp.refused_count > 0);
  for (uint32_t i = 0; i < CROWD; i++) {
    if (i % 20 != 0) {
      mo_broad_phase_remove(&bp, i);
    }
  }
  assert_true(mo_broad_phase_find_new_pairs(&bp, &within));
  assert_int_equal(bp.refused_count, 0);
  assert_int_equal(bp.moved_count, 0);
  for (uint32_t i = 0; i < CROWD; i += 20) {
    assert_int_equal(partner_count(&bp, i), CROWD / 20 - 1);
  }
  mo_broad_phase_free(&bp);
}

TEST_GROUP(pair_limit) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(up_to_the_limit_all_pairs_are_taken),
      cmocka_unit_test(a_crowd_has_pairs_in_proportion_to_its_number),
      cmocka_unit_test(a_crowd_lies_on_its_floor),
      cmocka_unit_test(what_is_far_from_a_crowd_keeps_all_of_its_pairs),
      cmocka_unit_test(which_pairs_are_refused_depends_on_no_order),
      cmocka_unit_test(refused_pairs_are_found_as_soon_as_there_is_room),
  };
  random_seed(71);
  return run_group(tests, NULL, NULL);
}
