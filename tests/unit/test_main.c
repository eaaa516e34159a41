/// Runs the tests of a layer, or some of them:
///
///   build/native-debug/test-solvers                 all
///   build/native-debug/test-solvers --list          the names of groups and tests
///   build/native-debug/test-solvers --group cone
///   build/native-debug/test-solvers --test mixed_blocks_obey_their_laws
#include "test_group.h"

#include "moreau.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// groups.h has a line GROUP(name) for each file of the layer; cmake/native.cmake writes it.
#define GROUP(name) int test_group_##name(void);
#include "groups.h"
#undef GROUP

static const struct {
  const char *name;
  int (*run)(void);
} groups[] = {
#define GROUP(name) {#name, test_group_##name},
#include "groups.h"
#undef GROUP
};

static const char *asked_group, *asked_test; // NULL: all
static bool is_listing;
static const char *running; // the name of a group
static size_t run_count;

static size_t count_asked(const struct CMUnitTest *tests, size_t count) {
  size_t asked = 0;
  for (size_t i = 0; i < count; i++) {
    asked += asked_test == NULL || strcmp(tests[i].name, asked_test) == 0;
  }
  return asked;
}

static int list_group(const struct CMUnitTest *tests, size_t count) {
  for (size_t i = 0; i < count; i++) {
    printf("%s %s\n", running, tests[i].name);
  }
  return 0;
}

int run_test_group(const struct CMUnitTest *tests, size_t count, CMFixtureFunction setup,
                   CMFixtureFunction teardown) {
  size_t asked = count_asked(tests, count);
  run_count += asked;
  if (is_listing) {
    return list_group(tests, count);
  }
  if (asked == 0) {
    return 0;
  }
  int failed = _cmocka_run_group_tests(running, tests, count, setup, teardown);
  if (mo_allocated_bytes() != 0) {
    fprintf(stderr, "%s: %zu bytes of the engine are left over\n", running, mo_allocated_bytes());
    failed++;
  }
  return failed;
}

static int run_groups(void) {
  int failed = 0;
  for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
    if (asked_group == NULL || strcmp(groups[i].name, asked_group) == 0) {
      running = groups[i].name;
      failed += groups[i].run();
    }
  }
  return failed;
}

static bool read_arguments(int count, char **arguments) {
  for (int i = 1; i < count; i++) {
    bool has_value = i + 1 < count;
    if (strcmp(arguments[i], "--list") == 0) {
      is_listing = true;
    } else if (has_value && strcmp(arguments[i], "--group") == 0) {
      asked_group = arguments[++i];
    } else if (has_value && strcmp(arguments[i], "--test") == 0) {
      asked_test = arguments[++i];
    } else {
      fprintf(stderr, "%s: unknown; there are --list, --group NAME, --test NAME\n", arguments[i]);
      return false;
    }
  }
  return true;
}

int main(int count, char **arguments) {
  if (!read_arguments(count, arguments)) {
    return 2;
  }
  cmocka_set_test_filter(asked_test);
  int failed = run_groups();
  if (run_count == 0) {
    fprintf(stderr, "there is no such group or test; --list names them\n");
    return 2;
  }
  return failed != 0;
}
