/// Loops on several threads: every item once, and steps of the same bits for any number of threads.
#include "helper_fixture.h"
#include "test_group.h"
#include "world_fixture.h"

#include "parallel/parallel.h"

#include <stdatomic.h>

// --- loops -----------------------------------------------------------------------------------

#define ITEMS 10000u

typedef struct visits {
  uint32_t times[ITEMS];
  uint32_t grain;
} visits;

static void visit(void *context, uint32_t first, uint32_t last) {
  visits *v = context;
  for (uint32_t i = first; i < last; i++) {
    v->times[i]++;
  }
}

static void check_visits(const visits *v, uint32_t count) {
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < ITEMS; i++) {
    wrong += v->times[i] != (i < count);
  }
  assert_int_equal(wrong, 0);
}

static void every_item_is_done_once(void **state) {
  (void)state;
  static const uint32_t counts[] = {0, 1, 7, 8, 9, 1000, ITEMS}, grains[] = {1, 8, 64, ITEMS};
  static visits v;
  for (uint32_t threads = 1; threads <= 5; threads++) {
    start_threads(threads);
    for (int repetition = 0; repetition < 20; repetition++) {
      for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        for (size_t k = 0; k < sizeof(grains) / sizeof(grains[0]); k++) {
          v = (visits){.grain = grains[k]};
          mo_parallel_for(counts[i], grains[k], visit, &v);
          check_visits(&v, counts[i]);
        }
      }
    }
    stop_threads();
  }
}

typedef struct table {
  visits rows[16];
} table;

static void visit_rows(void *context, uint32_t first, uint32_t last) {
  table *t = context;
  for (uint32_t i = first; i < last; i++) {
    mo_parallel_for(ITEMS, 100, visit, &t->rows[i]);
  }
}

static void loops_within_loops_are_done(void **state) {
  (void)state;
  static table t;
  t = (table){0};
  start_threads(3);
  mo_parallel_for(16, 1, visit_rows, &t);
  stop_threads();
  for (int i = 0; i < 16; i++) {
    check_visits(&t.rows[i], ITEMS);
  }
}

// Most loops of a step are shorter than what it takes to wake somebody.
static void many_short_loops_are_done(void **state) {
  (void)state;
  static visits v;
  v = (visits){0};
  start_threads(4);
  for (uint32_t i = 0; i < 20000; i++) {
    mo_parallel_for(64, 4, visit, &v);
  }
  stop_threads();
  for (uint32_t i = 0; i < 64; i++) {
    assert_int_equal(v.times[i], 20000);
  }
}

#ifdef MO_THREADS

static void meet(void *context, uint32_t first, uint32_t last) {
  _Atomic uint32_t *arrived = context;
  assert_int_equal(last, first + 1);
  atomic_fetch_add(arrived, 1);
  while (atomic_load(arrived) < 4) {
  }
}

// Ranges that wait for each other end only if each has a thread of its own.
static void all_threads_take_part(void **state) {
  (void)state;
  start_threads(4);
  for (int i = 0; i < 50; i++) {
    _Atomic uint32_t arrived = 0;
    mo_parallel_for(4, 1, meet, &arrived);
    assert_int_equal(arrived, 4);
  }
  stop_threads();
}

#endif

// --- steps -----------------------------------------------------------------------------------

static void add_box(mo_world *world, mo_vec3 at, double turn) {
  mo_body_def def = mo_body_def_default();
  def.position = at;
  def.orientation = (mo_quat){0.1 * turn, 0.3, turn, 1.0};
  def.restitution = turn > 0.5 ? 0.4 : 0.0;
  add_body(world, def, turn > 0.8 ? sphere(0.4) : box(0.5, 0.3, 0.4));
}

// Boxes and spheres that fall onto a floor in which a slab turns.
static void add_pile(mo_world *world) {
  uint32_t seed = 1;
  add_floor(world);
  for (int i = 0; i < 1600; i++) {
    seed = seed * 1664525u + 1013904223u;
    add_box(world, vec(i % 20 * 0.9 - 9.0, i / 20 % 20 * 0.9 - 9.0, 1.0 + i / 400 * 0.9),
            (seed >> 8) * 0x1p-24);
  }
  mo_body_def def = mo_body_def_default();
  def.type = MO_BODY_KINEMATIC;
  def.position = vec(0, 0, 0.2);
  def.linear_velocity = vec(-0.0, 1e-60, -1e-60);
  def.angular_velocity = vec(-0.0, 0.0, 0.5);
  add_body(world, def, box(1.5, 1.5, 0.3));
}

// Chains beside the pile.
static void add_chains(mo_world *world) {
  for (int chain = 0; chain < 60; chain++) {
    mo_body_id last = MO_NULL_BODY_ID;
    for (int i = 0; i < 10; i++) {
      mo_body_def def = mo_body_def_default();
      def.position = vec(12.0 + i, chain * 0.3, 14.0);
      mo_body_id body = add_body(world, def, box(0.5, 0.1, 0.1));
      mo_constraint_def joint =
          mo_constraint_def_default(i % 3 == 1 ? MO_CONSTRAINT_HINGE : MO_CONSTRAINT_BALL);
      joint.body_a = last;
      joint.body_b = body;
      joint.anchor_a = mo_body_id_is_null(last) ? vec(11.5 + i, chain * 0.3, 14.0) : vec(0.5, 0, 0);
      joint.anchor_b = vec(-0.5, 0, 0);
      joint.axis_a = joint.axis_b = vec(0, 1, 0);
      assert_false(mo_constraint_id_is_null(mo_constraint_create(world, &joint)));
      last = body;
    }
  }
}

// All has fallen onto the floor, and the slab has turned among it. A thousand steps are in
// tests/node/threads.test.mjs.
#define STEPS 60

static uint64_t hash_after(uint32_t threads, int steps) {
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, -9.81);
  mo_world *world = make_world(settings);
  add_pile(world);
  add_chains(world);
  start_threads(threads);
  step_many(world, 1.0 / 60.0, steps);
  stop_threads();
  uint64_t hash = mo_world_hash(world);
  mo_world_destroy(world);
  return hash;
}

static void any_number_of_threads_gives_the_same_bits(void **state) {
  (void)state;
  uint64_t hash = hash_after(1, STEPS);
  for (uint32_t threads = 2; threads <= 4; threads++) {
    assert_true(hash_after(threads, STEPS) == hash);
  }
}

TEST_GROUP(parallel) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_item_is_done_once),
      cmocka_unit_test(loops_within_loops_are_done),
      cmocka_unit_test(many_short_loops_are_done),
#ifdef MO_THREADS
      cmocka_unit_test(all_threads_take_part),
#endif
      cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
  };
  return run_group(tests, NULL, NULL);
}
