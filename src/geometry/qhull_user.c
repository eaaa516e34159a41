// The functions that Qhull leaves to its user. With these it never ends the program, and its memory
// comes from the engine's allocator.
//
// This file and the macros of cmake/qhull_quiet.h replace user_r.c, usermem_r.c, userprintf_r.c,
// io_r.c and stat_r.c.
#include "libqhull_r/qhull_ra.h"

#include "geometry/qhull_session.h"
#include "memory/allocator.h"

#include <stdint.h>
#include <string.h>

// The functions of a run get Qhull's part of it.
static mo_qhull_session *run_of(qhT *qh) { return (mo_qhull_session *)(void *)qh; }

// --- memory ----------------------------------------------------------------------------------

// Blocks are linked so that none is lost when an error ends Qhull in the middle of its work.
struct mo_qhull_block {
  mo_qhull_block *previous, *next;
};

#define BLOCK_HEADER_BYTES ((sizeof(mo_qhull_block) + 15u) / 16u * 16u)

void *mo_qhull_malloc(qhT *qh, size_t size);
void *mo_qhull_malloc(qhT *qh, size_t size) {
  mo_qhull_session *run = run_of(qh);
  mo_qhull_block *block =
      size <= SIZE_MAX - BLOCK_HEADER_BYTES ? mo_allocate(size + BLOCK_HEADER_BYTES) : NULL;
  if (!block) {
    // Some callers in Qhull do not test for null.
    run->out_of_memory = true;
    longjmp(run->escape, 1);
  }
  block->next = run->blocks;
  if (block->next) {
    block->next->previous = block;
  }
  run->blocks = block;
  return (unsigned char *)block + BLOCK_HEADER_BYTES;
}

void mo_qhull_free(qhT *qh, void *memory);
void mo_qhull_free(qhT *qh, void *memory) {
  if (!memory) {
    return;
  }
  mo_qhull_block *block = (mo_qhull_block *)(void *)((unsigned char *)memory - BLOCK_HEADER_BYTES);
  if (block->next) {
    block->next->previous = block->previous;
  }
  if (block->previous) {
    block->previous->next = block->next;
  } else {
    run_of(qh)->blocks = block->next;
  }
  mo_release(block);
}

void mo_qhull_release_all(mo_qhull_session *run) {
  while (run->blocks) {
    mo_qhull_block *block = run->blocks;
    run->blocks = block->next;
    mo_release(block);
  }
}

// --- errors ----------------------------------------------------------------------------------

void mo_qhull_note_error(qhT *qh, int code);
void mo_qhull_note_error(qhT *qh, int code) { run_of(qh)->error = code; }

_Noreturn void mo_qhull_give_up(qhT *qh, boolT is_out_of_memory);
_Noreturn void mo_qhull_give_up(qhT *qh, boolT is_out_of_memory) {
  mo_qhull_session *run = run_of(qh);
  run->out_of_memory |= is_out_of_memory != False;
  longjmp(run->escape, 1);
}

// --- statistics ------------------------------------------------------------------------------

void qh_initstatistics(qhT *qh) {
  // Counters start at zero, like all of qhT. This maximum is the only one that the algorithm reads.
  qh->qhstat.stats[Wnewvertexmax].r = -REALmax;
}

// --- in place of the C library, see cmake/qhull_quiet.h --------------------------------------

void mo_qhull_sort(qhT *qh, void *items, size_t count, size_t size,
                   int (*compare)(const void *, const void *));
double mo_qhull_power(double base, double exponent);

// Bottom-up merge sort, from `from` to `to` and back. `compare` always gets the left item first, so
// the order is defined even where it contradicts itself (for items that it does not distinguish).
void mo_qhull_sort(qhT *qh, void *items, size_t count, size_t size,
                   int (*compare)(const void *, const void *)) {
  if (count < 2) {
    return;
  }
  unsigned char *scratch = mo_qhull_malloc(qh, count * size);
  unsigned char *from = items, *to = scratch;
  for (size_t run = 1; run < count; run *= 2) {
    for (size_t start = 0; start < count; start += 2 * run) {
      size_t left = start, left_end = start + run < count ? start + run : count;
      size_t right = left_end, right_end = left_end + run < count ? left_end + run : count;
      for (size_t i = start; i < right_end; i++) {
        bool take_left = right == right_end ||
                         (left < left_end && compare(from + left * size, from + right * size) <= 0);
        size_t taken = take_left ? left++ : right++;
        memcpy(to + i * size, from + taken * size, size);
      }
    }
    unsigned char *swapped = from;
    from = to;
    to = swapped;
  }
  if (from != items) {
    memcpy(items, from, count * size);
  }
  mo_qhull_free(qh, scratch);
}

double mo_qhull_power(double base, double exponent) {
  double power = 1.0;
  for (int i = 0; i < (int)exponent; i++) {
    power *= base;
  }
  return power;
}
