/// Times of the broad phase, for people: build/native-release/time_broad_phase. Boxes of 1.4 m, one
/// per cubic metre, of which a part moves up to 0.08 m per axis and step.
#include "collision/broad/broad_phase.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define STEPS 60
#define MARGIN 0.05

static double random_unit(void) {
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) * 0x1p-53;
}

static double nanoseconds(void) { return (double)clock() * (1e9 / CLOCKS_PER_SEC); }

static mo_bounds box_at(mo_vec3 centre) {
  return mo_bounds_expand((mo_bounds){centre, centre}, 0.7);
}

static void add_boxes(mo_broad_phase *bp, mo_vec3 *centres, uint32_t count) {
  double side = cbrt((double)count);
  for (uint32_t i = 0; i < count; i++) {
    centres[i].x = side * random_unit();
    centres[i].y = side * random_unit();
    centres[i].z = side * random_unit();
    mo_broad_phase_add(bp, MO_TREE_DYNAMIC, box_at(centres[i]), MARGIN, i, 0, mo_filter_default());
  }
}

static void move_boxes(mo_broad_phase *bp, mo_vec3 *centres, uint32_t count, double part) {
  for (uint32_t i = 0; i < count; i++) {
    if (random_unit() < part) {
      centres[i].x += 0.15 * (random_unit() - 0.5);
      centres[i].y += 0.15 * (random_unit() - 0.5);
      centres[i].z += 0.15 * (random_unit() - 0.5);
      mo_broad_phase_move(bp, i, box_at(centres[i]), MARGIN);
    }
  }
}

static void forget_parted(mo_broad_phase *bp, uint32_t count) {
  for (uint32_t a = 0; a < count; a++) {
    uint32_t i;
    mo_broad_phase_partners(bp, a, &i);
    while (i-- > 0) { // from the end, since the last one takes the place of one that is taken out
      uint32_t unused, b = mo_broad_phase_partners(bp, a, &unused)[i].proxy;
      if (!mo_broad_phase_overlaps(bp, a, b)) {
        mo_broad_phase_forget_pair(bp, a, b);
      }
    }
  }
}

static bool count_hit(void *user, uint32_t proxy) {
  (void)proxy;
  ++*(uint64_t *)user;
  return true;
}

static void time_scene(uint32_t count, double part) {
  mo_broad_phase bp = {0};
  mo_vec3 *centres = (mo_vec3 *)calloc(count, sizeof *centres);
  double tree_time = 0.0, pair_time = 0.0;
  uint64_t moved = 0, pairs = 0, hits = 0;
  if (!centres) {
    return;
  }
  add_boxes(&bp, centres, count);
  double start = nanoseconds();
  mo_broad_phase_update_trees(&bp);
  double build_time = nanoseconds() - start;
  bool ok = mo_broad_phase_find_new_pairs(&bp, NULL);
  for (int step = 0; ok && step < STEPS; step++) {
    move_boxes(&bp, centres, count, part);
    moved += bp.moved_count;
    start = nanoseconds();
    mo_broad_phase_update_trees(&bp);
    double middle = nanoseconds();
    ok = mo_broad_phase_find_new_pairs(&bp, NULL);
    tree_time += middle - start;
    pair_time += nanoseconds() - middle;
    pairs += bp.new_pairs_count;
    forget_parted(&bp, count);
  }
  start = nanoseconds();
  for (uint32_t i = 0; i < count; i++) {
    mo_broad_phase_query(&bp, MO_TREES_ALL, &bp.boxes[i], count_hit, &hits);
  }
  double query_time = nanoseconds() - start, n = count, m = (double)moved;
  printf("%6u %5.0f%% %8.0f %8.0f %8.2f %8.0f %8.1f %8.0f\n", count, 100.0 * m / n / STEPS,
         tree_time / m, pair_time / m, (double)pairs / m, query_time / n, (double)hits / n,
         build_time / n);
  mo_broad_phase_free(&bp);
  free(centres);
}

int main(void) {
  const uint32_t counts[] = {1000, 8000, 16000};
  const double parts[] = {1.0, 0.3, 0.1, 0.02};
  puts("         moved    trees     find      new    query     hits    build");
  puts(" boxes per step ns/moved ns/moved   /moved   ns/box     /box   ns/box");
  for (int i = 0; i < 12; i++) {
    time_scene(counts[i / 4], parts[i % 4]);
  }
  return 0;
}
