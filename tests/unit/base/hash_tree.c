// The tree of records by hash: whatever comes and goes, each record that is in is found, and no
// other one.
#include "test_group.h"

#include "memory/hash_tree.h"

#include <string.h>

enum { RECORDS = 600 };

typedef struct record {
  mo_hash_node node;
  uint32_t number;
  bool is_in;
} record;

static record records[RECORDS];
static mo_hash_node *root;

static bool has_number(const mo_hash_node *node, const void *number) {
  return ((const record *)(const void *)node)->number == *(const uint32_t *)number;
}

static bool is_found(uint32_t number, uint64_t hash) {
  mo_hash_node *node = mo_hash_tree_find(root, hash, has_number, &number);
  assert_true(!node || node == &records[number].node);
  return node != NULL;
}

static uint32_t draw(uint64_t *random, uint32_t below) {
  *random = *random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*random >> 33) % below;
}

// `hashes` different hashes: few of them make long lines of equal ones.
static void come_and_go(uint32_t hashes, uint64_t step) {
  uint64_t random = hashes;
  memset(records, 0, sizeof records);
  root = NULL;
  for (uint32_t i = 0; i < RECORDS; i++) {
    records[i].number = i;
  }
  for (int turn = 0; turn < 6 * RECORDS; turn++) {
    uint32_t i = draw(&random, RECORDS);
    if (records[i].is_in) {
      mo_hash_tree_remove(&root, &records[i].node);
    } else {
      mo_hash_tree_add(&root, &records[i].node, i % hashes * step);
    }
    records[i].is_in = !records[i].is_in;
    if (turn % 64 == 0) {
      for (uint32_t k = 0; k < RECORDS; k++) {
        assert_int_equal(is_found(k, k % hashes * step), records[k].is_in);
        assert_false(is_found(k, k % hashes * step + 1));
      }
    }
  }
  for (uint32_t i = 0; i < RECORDS; i++) {
    if (records[i].is_in) {
      mo_hash_tree_remove(&root, &records[i].node);
    }
  }
  assert_null(root);
}

static void records_come_and_go(void **state) {
  (void)state;
  come_and_go(RECORDS, 0x9e3779b97f4a7c15u);
  come_and_go(RECORDS, (uint64_t)1 << 54); // that differ in their upper bits alone
  come_and_go(7, 2);
  come_and_go(1, 0); // all the same
}

static uint32_t depth_below(const mo_hash_node *node) {
  if (!node) {
    return 0;
  }
  uint32_t left = depth_below(node->below[0]), right = depth_below(node->below[1]);
  return 1 + (left > right ? left : right);
}

static void hashes_that_are_alike_make_no_deep_tree(void **state) {
  (void)state;
  const uint64_t steps[] = {1, 256, (uint64_t)1 << 32, (uint64_t)1 << 54};
  for (int s = 0; s < 4; s++) {
    root = NULL;
    for (uint32_t i = 0; i < RECORDS; i++) {
      mo_hash_tree_add(&root, &records[i].node, i * steps[s]);
    }
    assert_true(depth_below(root) <= 30); // 10 at best; of random bits about 20
  }
}

TEST_GROUP(hash_tree) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(records_come_and_go),
      cmocka_unit_test(hashes_that_are_alike_make_no_deep_tree),
  };
  return run_group(tests, NULL, NULL);
}
