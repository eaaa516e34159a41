#include "solvers/soft_step/joints/joint_loads.h"
#include "test_group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MOST_BODIES 8

// A tree or loop of joints between bodies of given masses.
typedef struct joined {
  mo_arena arena;
  const mo_joint_load *loads;
} joined;

static joined join(const mo_joint_link *links, uint32_t count, const double *masses,
                   uint32_t body_count) {
  joined j = {0};
  j.loads = mo_joint_loads(links, count, masses, body_count, &j.arena);
  assert_non_null(j.loads);
  return j;
}

static void assert_load(const joined *j, uint32_t body, double heaviest, double second) {
  assert_true(j->loads[body].heaviest == heaviest);
  assert_true(j->loads[body].second == second);
}

/// World - 1 - 2 - 3 with 1000 kg at the end: what is between holds it on both sides.
static void links_of_a_chain_carry_the_weight_at_its_end(void **state) {
  (void)state;
  const double masses[] = {0, 1, 1, 1000};
  const mo_joint_link links[] = {{0, 1, 1000.0}, {1, 2, 0.0}, {2, 3, 0.0}};
  joined j = join(links, 3, masses, 4);
  assert_load(&j, 1, 1000.0, 1000.0);
  assert_load(&j, 2, 1000.0, 1000.0);
  assert_load(&j, 3, 1000.0, 0.0);
  mo_arena_free(&j.arena);
}

/// 2 - 1 - 3 - 4, and 5 at 1: the ends pull from one side only.
static void second_branch_counts_for_a_body_between(void **state) {
  (void)state;
  const double masses[] = {0, 1, 5, 2, 7, 3};
  const mo_joint_link links[] = {{1, 2, 0.0}, {3, 1, 0.0}, {3, 4, 0.0}, {5, 1, 0.0}};
  joined j = join(links, 4, masses, 6);
  assert_load(&j, 1, 7.0, 5.0);
  assert_load(&j, 2, 7.0, 0.0);
  assert_load(&j, 3, 7.0, 5.0);
  assert_load(&j, 4, 5.0, 0.0);
  assert_load(&j, 5, 7.0, 0.0);
  mo_arena_free(&j.arena);
}

/// Bodies 1, 2, 3 in a ring, with 4 hanging at 3.
static void loops_are_left_out(void **state) {
  (void)state;
  const double masses[] = {0, 1, 1, 1, 9};
  const mo_joint_link links[] = {{1, 2, 0.0}, {2, 3, 0.0}, {3, 1, 0.0}, {3, 4, 0.0}};
  joined j = join(links, 4, masses, 5);
  assert_load(&j, 1, 0.0, 0.0);
  assert_load(&j, 3, 9.0, 0.0);
  mo_arena_free(&j.arena);
}

static void without_joints_nothing_pulls(void **state) {
  (void)state;
  const double masses[] = {0, 1};
  joined j = join(NULL, 0, masses, 2);
  assert_load(&j, 1, 0.0, 0.0);
  mo_arena_free(&j.arena);
}

static void without_memory_there_is_no_answer(void **state) {
  (void)state;
  const double masses[MOST_BODIES] = {0};
  mo_arena arena = {.limit_bytes = 1};
  assert_null(mo_joint_loads(NULL, 0, masses, MOST_BODIES, &arena));
  mo_arena_free(&arena);
}

TEST_GROUP(joint_loads) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(links_of_a_chain_carry_the_weight_at_its_end),
      cmocka_unit_test(second_branch_counts_for_a_body_between),
      cmocka_unit_test(loops_are_left_out),
      cmocka_unit_test(without_joints_nothing_pulls),
      cmocka_unit_test(without_memory_there_is_no_answer),
  };
  return run_group(tests, NULL, NULL);
}
