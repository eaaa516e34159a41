#include "broad_phase_fixture.h"
#include "test_group.h"

#include "geometry/bvh_search.h"

// --- trees -----------------------------------------------------------------------------------

// Counts the items below a node; boxes hold what is below them, links go both ways.
static uint32_t check_node(const model *m, const mo_bvh *bvh, uint32_t index, int depth) {
  assert_true(depth <= MO_BVH_MAX_DEPTH);
  const mo_bvh_node *node = &bvh->nodes[index];
  uint32_t count = 0;
  for (uint32_t lane = 0; lane < 4; lane++) {
    mo_aabb box = {{node->lower[0][lane], node->lower[1][lane], node->lower[2][lane]},
                   {node->upper[0][lane], node->upper[1][lane], node->upper[2][lane]}};
    uint32_t child = node->child[lane];
    if (child == MO_BVH_EMPTY) {
      assert_true(box.lower[0] > box.upper[0]);
    } else if ((child & MO_BVH_ITEM) != 0) {
      uint32_t item = child & ~MO_BVH_ITEM;
      assert_int_equal(m->bp.leaves[item], 4 * index + lane);
      assert_memory_equal(&box, &m->proxies[item].fat, sizeof box);
      count++;
    } else {
      mo_aabb below = mo_bvh_node_box(&bvh->nodes[child]);
      assert_memory_equal(&box, &below, sizeof box);
      assert_int_equal(bvh->nodes[child].parent, 4 * index + lane);
      count += check_node(m, bvh, child, depth + 1);
    }
  }
  return count;
}

static void check_trees(model *m) {
  mo_broad_phase_update_trees(&m->bp);
  uint32_t items = 0;
  for (int kind = 0; kind < MO_TREE_COUNT; kind++) {
    const mo_proxy_tree *tree = &m->bp.trees[kind];
    uint32_t count = tree->bvh.item_count == 0 ? 0 : check_node(m, &tree->bvh, tree->bvh.root, 1);
    assert_int_equal(count, tree->bvh.item_count);
    items += count + tree->unbounded_count;
  }
  assert_int_equal(items, m->alive_count);
}

// --- pairs -----------------------------------------------------------------------------------

static void check_life(model *m, uint64_t seed, int steps, double activity) {
  random_seed(seed);
  for (int step = 0; step < steps; step++) {
    uint32_t wanted = step % 40 < 20 ? 120 : 60;
    model_step(m, wanted, step % 11 == 10 ? 0.0 : activity);
    assert_true(mo_broad_phase_find_new_pairs(&m->bp, &model_rules));
    model_check_new_pairs(m);
    check_trees(m);
    if (step % 3 == 0) {
      model_forget_parted(m);
    }
  }
  model_free(m);
}

static model world = {.room = 5.0};

static void pairs_are_those_of_all_against_all(void **state) {
  (void)state;
  world.room = 5.0;
  world.centre = 0.0;
  check_life(&world, 1, 400, 0.5);
  check_life(&world, 2, 400, 0.02);
  check_life(&world, 3, 200, 1.0);
}

static void far_from_the_origin_and_huge(void **state) {
  (void)state;
  const double rooms[] = {1.0, 1e5, 1e30, 3e38, 1e-30, 1e100};
  const double centres[] = {1e6, -1e9, 0.0, 0.0, 0.0, 0.0};
  for (int i = 0; i < 6; i++) {
    world.room = rooms[i];
    world.centre = centres[i];
    check_life(&world, 10 + (uint64_t)i, 60, 0.2);
  }
}

static void all_boxes_equal(void **state) {
  (void)state;
  mo_broad_phase bp = {0};
  mo_bounds box = {{1, 1, 1}, {2, 2, 2}};
  // As many as have all pairs: what happens beyond is tested in pair_limit.c.
  for (uint32_t i = 0; i < 257; i++) {
    assert_int_equal(mo_broad_phase_add(&bp, MO_TREE_DYNAMIC, box, 0.0, i, 0, mo_filter_default()),
                     i);
    assert_true(mo_broad_phase_find_new_pairs(&bp, NULL));
    assert_int_equal(bp.new_pairs_count, i);
  }
  mo_broad_phase_free(&bp);
}

enum { POINTS = 190 };

static int depth_below(const mo_bvh *bvh, uint32_t index) {
  int deepest = 0;
  for (int lane = 0; lane < 4; lane++) {
    uint32_t child = bvh->nodes[index].child[lane];
    if ((child & MO_BVH_ITEM) == 0) {
      int depth = depth_below(bvh, child);
      deepest = depth > deepest ? depth : deepest;
    }
  }
  return deepest + 1;
}

// Points that close in on the origin, put in one by one: each goes below the one before, until the
// tree refuses, and a build mends it.
static void a_deep_tree(void **state) {
  (void)state;
  static mo_aabb boxes[POINTS];
  static mo_bvh_point points[POINTS], spare[POINTS];
  static mo_aabb level[POINTS];
  static uint32_t leaves[POINTS];
  mo_bvh bvh = {0};
  assert_true(mo_bvh_reserve(&bvh, 10 * POINTS));
  uint32_t count = 0;
  do {
    assert_true(count < POINTS);
    float x = (float)pow(1.5, -(double)count);
    boxes[count] = (mo_aabb){{x, x, x, 0}, {x, x, x, 0}};
    leaves[count] = MO_BVH_NOWHERE;
  } while (mo_bvh_insert(&bvh, count, boxes, leaves) && ++count > 0);
  assert_int_equal(leaves[count], MO_BVH_NOWHERE);
  assert_int_equal(bvh.item_count, count);
  int depth = depth_below(&bvh, bvh.root);
  assert_true(depth > MO_BVH_MAX_DEPTH / 2 && depth <= MO_BVH_MAX_DEPTH);
  for (uint32_t built = 0; built < 2; built++) {
    mo_bvh_search search;
    mo_aabb all = {{0, 0, 0, 0}, {1, 1, 1, 0}};
    uint32_t places[MO_BVH_BATCH], found = 0, batch;
    mo_bvh_search_begin(&search, &bvh, &all, MO_BVH_ALL);
    while ((batch = mo_bvh_search_next(&search, places)) > 0) {
      found += batch;
    }
    assert_int_equal(found, count + built);
    for (uint32_t i = 0; i <= count; i++) {
      points[i].item = i;
    }
    mo_bvh_workspace workspace = {.points = points, .spare = spare, .level = level};
    mo_bvh_build(&bvh, &workspace, count + 1, boxes, leaves);
    assert_true(depth_below(&bvh, bvh.root) <= 4);
  }
  mo_bvh_free(&bvh);
}

static void touching_counts_and_margins_are_outside(void **state) {
  (void)state;
  mo_broad_phase bp = {0};
  mo_filter filter = mo_filter_default();
  mo_bounds left = {{0, 0, 0}, {1, 1, 1}}, right = {{1, 0, 0}, {2, 1, 1}};
  mo_bounds apart = {{2.25, 0, 0}, {3, 1, 1}};
  uint32_t a = mo_broad_phase_add(&bp, MO_TREE_DYNAMIC, left, 0.0, 0, 0, filter);
  uint32_t b = mo_broad_phase_add(&bp, MO_TREE_STATIC, right, 0.0, 1, 0, filter);
  uint32_t c = mo_broad_phase_add(&bp, MO_TREE_DYNAMIC, apart, 0.125, 2, 0, filter);
  assert_true(mo_broad_phase_find_new_pairs(&bp, NULL));
  assert_int_equal(bp.new_pairs_count, 1);
  assert_true(mo_broad_phase_overlaps(&bp, a, b));
  assert_false(mo_broad_phase_overlaps(&bp, b, c));
  mo_bounds nearer = {{2.15, 0, 0}, {2.9, 1, 1}};
  assert_false(mo_broad_phase_move(&bp, c, nearer, 0.25)); // still inside
  assert_true(mo_broad_phase_move(&bp, c, mo_bounds_expand(nearer, 0.05), 0.125));
  assert_true(mo_broad_phase_find_new_pairs(&bp, NULL));
  assert_int_equal(bp.new_pairs_count, 1);
  assert_int_equal(bp.new_pairs[0].a, b);
  assert_int_equal(bp.new_pairs[0].b, c);
  mo_broad_phase_free(&bp);
}

static void filters(void **state) {
  (void)state;
  mo_filter all = mo_filter_default(), same_never = {1, 1, -3}, same_always = {2, 0, 3};
  assert_true(mo_filters_meet(all, all));
  assert_false(mo_filters_meet(same_never, same_never));
  assert_true(mo_filters_meet(same_always, same_always));
  assert_true(mo_filters_meet(same_never, all)); // not of one group
  assert_false(mo_filters_meet(same_always, all));
  assert_false(mo_filters_meet((mo_filter){1, 2, 0}, (mo_filter){2, 2, 0})); // both have to agree
  assert_true(mo_filters_meet((mo_filter){1, 2, 0}, (mo_filter){2, 1, 0}));
}

// --- changes ---------------------------------------------------------------------------------

#define BOXES 40

static void move_all(mo_broad_phase *bp, double room) {
  for (uint32_t i = 0; i < BOXES; i++) {
    mo_vec3 middle = random_in_cube(room);
    mo_bounds box = mo_bounds_expand((mo_bounds){middle, middle}, 0.4);
    mo_broad_phase_move(bp, i, box, 0.1);
  }
}

// Which pairs there are, as one number that does not depend on their order.
static uint64_t pairs_and_boxes(const mo_broad_phase *bp) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < BOXES; i++) {
    for (uint32_t k = i + 1; k < BOXES; k++) {
      sum += mo_pair_set_has(&bp->pairs, i, k) ? (uint64_t)(i * BOXES + k) * 2654435761u : 0;
    }
    uint32_t bits;
    memcpy(&bits, &bp->boxes[i].lower[0], sizeof bits);
    sum = 31 * sum + bits;
  }
  return sum;
}

static void forget_far_pairs(mo_broad_phase *bp) {
  for (uint32_t i = 0; i < BOXES; i++) {
    for (uint32_t k = i + 1; k < BOXES; k++) {
      if (mo_pair_set_has(&bp->pairs, i, k) && !mo_broad_phase_overlaps(bp, i, k)) {
        mo_broad_phase_forget_pair(bp, i, k);
      }
    }
  }
}

// Changes that are taken back leave pairs, boxes and what is still to be searched as they were.
static void changes_can_be_taken_back(void **state) {
  (void)state;
  random_seed(5);
  mo_broad_phase bp = {0};
  mo_bounds origin = {{0, 0, 0}, {1, 1, 1}};
  for (uint32_t i = 0; i < BOXES; i++) {
    mo_broad_phase_add(&bp, MO_TREE_DYNAMIC, origin, 0.1, i, 0, mo_filter_default());
  }
  for (int round = 0; round < 100; round++) {
    move_all(&bp, 1.0 + 0.05 * round);
    uint64_t before = pairs_and_boxes(&bp);
    uint32_t moved = bp.moved_count;
    mo_broad_phase_begin_changes(&bp);
    for (int twice = 0; twice < 2; twice++) {
      assert_true(mo_broad_phase_find_new_pairs(&bp, NULL));
      assert_true(mo_broad_phase_reserve_changes(&bp, BOXES * BOXES));
      forget_far_pairs(&bp);
      move_all(&bp, 2.0);
    }
    mo_broad_phase_end_changes(&bp, true);
    assert_true(pairs_and_boxes(&bp) == before);
    assert_true(bp.moved_count >= moved);
    assert_true(mo_broad_phase_find_new_pairs(&bp, NULL));
    forget_far_pairs(&bp);
    for (uint32_t i = 0; i < BOXES; i++) {
      for (uint32_t k = i + 1; k < BOXES; k++) {
        assert_true(mo_pair_set_has(&bp.pairs, i, k) == mo_broad_phase_overlaps(&bp, i, k));
      }
    }
  }
  mo_broad_phase_free(&bp);
}

// --- memory ----------------------------------------------------------------------------------

// Boxes that swing to and fro, and one that comes and goes.
static void steady_state_allocates_nothing(void **state) {
  (void)state;
  random_seed(21);
  mo_broad_phase bp = {0};
  mo_vec3 middles[150], swings[150];
  mo_bounds box_at_origin = {{0, 0, 0}, {0, 0, 0}};
  mo_filter filter = mo_filter_default();
  uint64_t calls = 0, pairs = 0;
  size_t bytes = mo_allocated_bytes();
  for (uint32_t i = 0; i < 150; i++) {
    middles[i] = random_in_cube(3.0);
    swings[i] = random_in_cube(i % 3 == 0 ? 0.0 : 1.0);
    mo_broad_phase_add(&bp, MO_TREE_DYNAMIC, (mo_bounds){middles[i], middles[i]}, 0.4, i, 0,
                       filter);
  }
  for (int step = 0; step < 300; step++) {
    calls = step == 200 ? mo_allocation_count() : calls;
    for (uint32_t i = 0; i < 150; i++) {
      mo_vec3 middle = mo_add_scaled(middles[i], abs(step % 20 - 10) / 10.0, swings[i]);
      mo_broad_phase_move(&bp, i, (mo_bounds){middle, middle}, 0.4);
    }
    uint32_t guest = mo_broad_phase_add(&bp, MO_TREE_DYNAMIC, box_at_origin, 1.0, 150, 0, filter);
    assert_int_equal(guest, 150);
    assert_true(mo_broad_phase_find_new_pairs(&bp, NULL));
    pairs += step >= 200 ? bp.new_pairs_count : 0;
    for (uint32_t a = 0; a <= guest; a++) {
      for (uint32_t b = a + 1; b <= guest; b++) {
        if (!mo_broad_phase_overlaps(&bp, a, b)) {
          mo_broad_phase_forget_pair(&bp, a, b);
        }
      }
    }
    mo_broad_phase_remove(&bp, guest);
  }
  assert_true(pairs > 1000);
  assert_int_equal(mo_allocation_count(), calls);
  mo_broad_phase_free(&bp);
  assert_int_equal(mo_allocated_bytes(), bytes);
}

static int calls_left;

static void *allocate_some(size_t bytes, void *user) {
  (void)user;
  return calls_left-- > 0 ? malloc(bytes) : NULL;
}
static void release_all(void *memory, void *user) {
  (void)user;
  free(memory);
}

// The n-th call to the allocator and all after it fail, for every n: what was refused changed
// nothing and goes well later, with the same answer.
static void out_of_memory_changes_nothing(void **state) {
  (void)state;
  world.room = 5.0;
  world.centre = 0.0;
  bool was_refused = true;
  for (int limit = 0; was_refused; limit++) {
    was_refused = false;
    random_seed(22);
    mo_set_allocator(allocate_some, release_all, NULL);
    for (int step = 0; step < 4; step++) {
      calls_left = limit;
      mo_bounds bounds = {{0, 0, 0}, {1, 1, 1}};
      uint32_t id =
          mo_broad_phase_add(&world.bp, MO_TREE_STATIC, bounds, 0.1, 0, 0, mo_filter_default());
      was_refused |= id == MO_NO_PROXY;
      if (id != MO_NO_PROXY) {
        mo_broad_phase_remove(&world.bp, id);
      }
      calls_left = 1000000;
      model_step(&world, 40 + 30 * (uint32_t)step, 0.2);
      calls_left = limit;
      if (!mo_broad_phase_find_new_pairs(&world.bp, &model_rules)) {
        was_refused = true;
        assert_int_equal(world.bp.new_pairs_count, 0);
        for (uint32_t a = 0; a < world.bp.proxies_count; a++) {
          for (uint32_t b = a + 1; b < world.bp.proxies_count; b++) {
            assert_int_equal(mo_pair_set_has(&world.bp.pairs, a, b), world.pairs[a][b]);
          }
        }
        calls_left = 1000000;
        assert_true(mo_broad_phase_find_new_pairs(&world.bp, &model_rules));
      }
      calls_left = 1000000;
      model_check_new_pairs(&world);
    }
    model_free(&world);
    mo_set_allocator(NULL, NULL, NULL);
  }
}

// The numbers of searches come round.
static void after_very_many_searches(void **state) {
  (void)state;
  world.room = 5.0;
  world.centre = 0.0;
  random_seed(23);
  for (int step = 0; step < 100; step++) {
    if (step == 20) {
      world.bp.search = (1u << 28) - 200;
    }
    model_step(&world, 100, 0.3);
    assert_true(mo_broad_phase_find_new_pairs(&world.bp, &model_rules));
    model_check_new_pairs(&world);
  }
  assert_true(world.bp.search < 100000);
  model_free(&world);
}

// --- boxes -----------------------------------------------------------------------------------

static void boxes_round_outward(void **state) {
  (void)state;
  random_seed(24);
  for (int i = 0; i < 20000; i++) {
    double x = random_between(-1.0, 1.0) * pow(10.0, floor(random_between(-50.0, 50.0)));
    float down = mo_round_down(x), up = mo_round_up(x);
    assert_true((double)down <= x && x <= (double)up);
    assert_true((double)nextafterf(down, INFINITY) > x && (double)nextafterf(up, -INFINITY) < x);
  }
  assert_true(mo_round_down(0.5) == 0.5f && mo_round_up(0.5) == 0.5f);
  assert_true(mo_round_down(INFINITY) == INFINITY && mo_round_down(-INFINITY) == -INFINITY);
  assert_true(mo_round_down(1e300) == FLT_MAX && mo_round_up(1e300) == INFINITY);
  assert_true(mo_round_down(-1e-300) < 0.0f && mo_round_up(1e-300) > 0.0f);
  assert_true(mo_round_down(0.0) == 0.0f && mo_round_down(1e-300) == 0.0f);
}

// The numbers of a box are rounded four at a time.
static void a_box_has_the_bits_of_its_numbers_rounded_one_by_one(void **state) {
  (void)state;
  random_seed(25);
  const double special[] = {0.0, -0.0, 1e-300, -1e-300, 1e300, -1e300, INFINITY, -INFINITY};
  double v[6];
  for (int i = 0; i < 20000; i++) {
    for (int k = 0; k < 6; k++) {
      v[k] = random_between(-1.0, 1.0) * pow(10.0, floor(random_between(-50.0, 50.0)));
    }
    v[i % 6] = i < 2000 ? special[i / 6 % 8] : v[i % 6];
    mo_aabb box = mo_aabb_from_bounds((mo_bounds){{v[0], v[1], v[2]}, {v[3], v[4], v[5]}});
    mo_aabb expected = {{mo_round_down(v[0]), mo_round_down(v[1]), mo_round_down(v[2]), 0.0f},
                        {mo_round_up(v[3]), mo_round_up(v[4]), mo_round_up(v[5]), 0.0f}};
    assert_memory_equal(&box, &expected, sizeof box);
  }
}

TEST_GROUP(broad_phase) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_are_those_of_all_against_all),
      cmocka_unit_test(far_from_the_origin_and_huge),
      cmocka_unit_test(all_boxes_equal),
      cmocka_unit_test(a_deep_tree),
      cmocka_unit_test(touching_counts_and_margins_are_outside),
      cmocka_unit_test(filters),
      cmocka_unit_test(changes_can_be_taken_back),
      cmocka_unit_test(steady_state_allocates_nothing),
      cmocka_unit_test(out_of_memory_changes_nothing),
      cmocka_unit_test(after_very_many_searches),
      cmocka_unit_test(boxes_round_outward),
      cmocka_unit_test(a_box_has_the_bits_of_its_numbers_rounded_one_by_one),
  };
  return run_group(tests, NULL, NULL);
}
