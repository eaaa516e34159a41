#include "collision_oracle.h"
#include "test_group.h"

#include "collision/broad/pair_set.h"
#include "memory/radix_sort.h"

#include <string.h>

enum { PROXIES = 60 };

static void check_partners(const mo_pair_set *set, bool pairs[PROXIES][PROXIES]) {
  uint32_t total = 0;
  for (uint32_t a = 0; a < PROXIES; a++) {
    uint32_t count, expected = 0;
    const mo_partner *partners = mo_pair_set_partners(set, a, &count);
    for (uint32_t b = 0; b < PROXIES; b++) {
      expected += pairs[a][b];
      assert_int_equal(mo_pair_set_has(set, a, b), pairs[a][b]);
    }
    assert_int_equal(count, expected);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t other_count;
      const mo_partner *mirrored = mo_pair_set_partners(set, partners[i].proxy, &other_count);
      assert_true(pairs[a][partners[i].proxy]);
      assert_true(partners[i].mirror < other_count);
      assert_int_equal(mirrored[partners[i].mirror].proxy, a);
      assert_int_equal(mirrored[partners[i].mirror].mirror, i);
    }
    total += count;
  }
  assert_int_equal(total, 2 * set->count);
}

static void pairs_come_and_go(void **state) {
  (void)state;
  static bool pairs[PROXIES][PROXIES];
  random_seed(70);
  mo_pair_set set = {0};
  size_t bytes = mo_allocated_bytes();
  assert_true(mo_pair_set_reserve_proxies(&set, PROXIES));
  for (int i = 0; i < 30000; i++) {
    double first = random_between(0.0, PROXIES), second = random_between(0.0, PROXIES);
    // Proxy 0 has many partners, most have few.
    uint32_t a = i % 5 == 0 ? 0 : (uint32_t)first, b = (uint32_t)second;
    if (a == b) {
      continue;
    }
    if (i % 500 == 499) {
      mo_pair_set_remove_all(&set, a);
      for (uint32_t c = 0; c < PROXIES; c++) {
        pairs[a][c] = pairs[c][a] = false;
      }
    } else if (pairs[a][b] || random_unit() < 0.5) {
      assert_int_equal(mo_pair_set_remove(&set, a, b), pairs[a][b]);
      pairs[a][b] = pairs[b][a] = false;
    } else {
      assert_true(mo_pair_set_add(&set, a, b));
      pairs[a][b] = pairs[b][a] = true;
    }
    if (i % 100 == 0) {
      check_partners(&set, pairs);
    }
  }
  check_partners(&set, pairs);
  mo_pair_set_free(&set);
  assert_int_equal(mo_allocated_bytes(), bytes);
}

// Blocks given back are used again.
static void memory_stays_flat(void **state) {
  (void)state;
  mo_pair_set set = {0};
  assert_true(mo_pair_set_reserve_proxies(&set, PROXIES));
  uint64_t calls = 0;
  for (uint32_t round = 0; round < 1000; round++) {
    calls = round == PROXIES ? mo_allocation_count() : calls;
    uint32_t centre = round % PROXIES;
    for (uint32_t i = 1; i < PROXIES; i++) {
      assert_true(mo_pair_set_add(&set, centre, (centre + i) % PROXIES));
    }
    mo_pair_set_remove_all(&set, centre);
    assert_int_equal(set.count, 0);
  }
  assert_int_equal(mo_allocation_count(), calls);
  mo_pair_set_free(&set);
}

static void radix_sort_is_stable(void **state) {
  (void)state;
  static uint64_t items[5000], spare[5000];
  const uint32_t counts[] = {0, 1, 2, 39, 40, 500, 2047, 2048, 5000};
  const int firsts[] = {0, 32, 32, 7}, bits[] = {1, 30, 32, 57};
  random_seed(71);
  for (int i = 0; i < 36; i++) {
    uint32_t count = counts[i / 4];
    for (uint32_t k = 0; k < count; k++) {
      random_unit();
      items[k] = random_state;
    }
    static uint64_t before[5000];
    memcpy(before, items, sizeof before);
    const uint64_t *sorted = mo_radix_sort(items, spare, count, firsts[i % 4], bits[i % 4]);
    uint64_t mask = UINT64_MAX >> (64 - bits[i % 4]);
    uint32_t from = 0;
    for (uint32_t k = 0; k < count; k++) {
      uint64_t key = sorted[k] >> firsts[i % 4] & mask;
      bool continues = k > 0 && (sorted[k - 1] >> firsts[i % 4] & mask) == key;
      assert_true(k == 0 || (sorted[k - 1] >> firsts[i % 4] & mask) <= key);
      // Equal ones are found one after the other; so what comes out is what came in.
      for (from = continues ? from + 1 : 0; from < count && before[from] != sorted[k];) {
        from++;
      }
      assert_true(from < count);
    }
  }
}

TEST_GROUP(pair_set) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_come_and_go),
      cmocka_unit_test(memory_stays_flat),
      cmocka_unit_test(radix_sort_is_stable),
  };
  return run_group(tests, NULL, NULL);
}
