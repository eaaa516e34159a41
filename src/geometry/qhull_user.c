// The functions that Qhull leaves to its user, so that it prints nothing, ends no program and takes
// its memory from us.
//
// Sources of libqhull_r that the engine compiles: geom_r.c geom2_r.c global_r.c libqhull_r.c
// mem_r.c merge_r.c poly_r.c poly2_r.c qset_r.c random_r.c. This file takes the place of user_r.c,
// usermem_r.c, userprintf_r.c, and of those functions of io_r.c and stat_r.c that the others name:
// they print, so ours do nothing.
#include "libqhull_r/qhull_ra.h"

#include "geometry/qhull_session.h"
#include "memory/allocator.h"

#include <stdint.h>
#include <string.h>

mo_qhull_session mo_qhull_current;

// --- memory ----------------------------------------------------------------------------------

// Blocks are chained so that none is lost when an error leaves Qhull in the middle of its work.
struct mo_qhull_block {
  mo_qhull_block *previous, *next;
};

#define BLOCK_HEADER_BYTES ((sizeof(mo_qhull_block) + 15u) / 16u * 16u)

void *qh_malloc(size_t size) {
  mo_qhull_block *block =
      size <= SIZE_MAX - BLOCK_HEADER_BYTES ? mo_allocate(size + BLOCK_HEADER_BYTES) : NULL;
  if (!block) {
    // Not every caller in Qhull tests for null.
    mo_qhull_current.out_of_memory = true;
    longjmp(mo_qhull_current.escape, 1);
  }
  block->next = mo_qhull_current.blocks;
  if (block->next) {
    block->next->previous = block;
  }
  mo_qhull_current.blocks = block;
  return (unsigned char *)block + BLOCK_HEADER_BYTES;
}

void qh_free(void *memory) {
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
    mo_qhull_current.blocks = block->next;
  }
  mo_release(block);
}

void mo_qhull_release_all(void) {
  while (mo_qhull_current.blocks) {
    mo_qhull_block *block = mo_qhull_current.blocks;
    mo_qhull_current.blocks = block->next;
    mo_release(block);
  }
}

void qh_user_memsizes(qhT *qh) { (void)qh; }

// --- errors ----------------------------------------------------------------------------------

static void note_message(int code) {
  if (code >= MSG_ERROR && code < MSG_WARNING) {
    mo_qhull_current.error = code;
  }
}

void qh_fprintf(qhT *qh, FILE *file, int code, const char *format, ...) {
  (void)qh, (void)file, (void)format;
  note_message(code);
}

void qh_fprintf_stderr(int code, const char *format, ...) {
  (void)format;
  note_message(code);
}

void qh_errexit(qhT *qh, int exit_code, facetT *facet, ridgeT *ridge) {
  (void)qh, (void)facet, (void)ridge;
  mo_qhull_current.out_of_memory |= exit_code == qh_ERRmem;
  longjmp(mo_qhull_current.escape, 1);
}

void qh_exit(int exit_code) {
  mo_qhull_current.out_of_memory |= exit_code == qh_ERRmem;
  longjmp(mo_qhull_current.escape, 1);
}

// --- statistics ------------------------------------------------------------------------------

void qh_initstatistics(qhT *qh) {
  // Counters begin at zero, as the whole of qhT does. This maximum is the only one that the
  // algorithm reads.
  qh->qhstat.stats[Wnewvertexmax].r = -REALmax;
}

boolT qh_newstats(qhT *qh, int index, int *next) {
  (void)qh;
  *next = index + 1;
  return False;
}

void qh_printallstatistics(qhT *qh, FILE *file, const char *title) {
  (void)qh, (void)file, (void)title;
}

// --- output ----------------------------------------------------------------------------------

void qh_errprint(qhT *qh, const char *title, facetT *facet, facetT *other_facet, ridgeT *ridge,
                 vertexT *vertex) {
  (void)qh, (void)title, (void)facet, (void)other_facet, (void)ridge, (void)vertex;
}
void qh_printfacet(qhT *qh, FILE *file, facetT *facet) { (void)qh, (void)file, (void)facet; }
void qh_printfacetlist(qhT *qh, facetT *list, setT *facets, boolT all) {
  (void)qh, (void)list, (void)facets, (void)all;
}
void qh_printhelp_narrowhull(qhT *qh, FILE *file, realT angle) {
  (void)qh, (void)file, (void)angle;
}
// NOLINTNEXTLINE(readability-non-const-parameter): the signature is Qhull's
void qh_printpoint(qhT *qh, FILE *file, const char *title, pointT *point) {
  (void)qh, (void)file, (void)title, (void)point;
}
void qh_printridge(qhT *qh, FILE *file, ridgeT *ridge) { (void)qh, (void)file, (void)ridge; }
void qh_printvertexlist(qhT *qh, FILE *file, const char *title, facetT *list, setT *facets,
                        boolT all) {
  (void)qh, (void)file, (void)title, (void)list, (void)facets, (void)all;
}

// File names occur in Qhull's command line only, which we do not use.
void qh_copyfilename(qhT *qh, char *name, int size, const char *source, int length) {
  (void)qh, (void)size, (void)source, (void)length;
  name[0] = '\0';
}
char *qh_skipfilename(qhT *qh, char *name) {
  (void)qh;
  return name + strlen(name);
}

// --- in place of the C library, see cmake/qhull_quiet.h --------------------------------------

void mo_qhull_sort(void *items, size_t count, size_t size,
                   int (*compare)(const void *, const void *));
double mo_qhull_power(double base, double exponent);

// Merge sort, bottom up, from `from` to `to` and back. `compare` is always asked about the left
// item first, so that even where it contradicts itself (items that are equal in what it looks at)
// the order is defined.
void mo_qhull_sort(void *items, size_t count, size_t size,
                   int (*compare)(const void *, const void *)) {
  if (count < 2) {
    return;
  }
  unsigned char *scratch = qh_malloc(count * size);
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
  qh_free(scratch);
}

double mo_qhull_power(double base, double exponent) {
  double power = 1.0;
  for (int i = 0; i < (int)exponent; i++) {
    power *= base;
  }
  return power;
}
