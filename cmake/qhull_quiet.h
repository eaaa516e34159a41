/* Included before every source of Qhull (cmake/qhull.cmake): a message keeps its number, which is
   what the engine reports (QHnnnn), and loses its text and arguments, which nobody would read and
   which are a quarter of the wasm module. */
#include "libqhull_r/qhull_ra.h"

/* Only errors are noted, so that the compiler drops the code of warnings and reports. */
void mo_qhull_note_error(qhT *qh, int code);
#define qh_fprintf(qh, file, code, ...)                                                            \
  ((code) >= MSG_ERROR && (code) < MSG_WARNING ? mo_qhull_note_error(qh, code) : (void)0)
#define qh_fprintf_stderr(code, ...) mo_qhull_note_error(qh, code)

/* qh_lib_check, which nobody calls, is the one function that has no qh to go by. */
static qhT *const qh = 0;

/* Qhull only tests this for null, so any address serves; naming the real one would link the C
   library's files into the module. */
#undef stderr
#define stderr ((FILE *)qh)

/* Nothing is printed. Nor is anything that follows an error compiled. */
#define qh_omit(...) ((void)0)
#define qh_trust(...) True
#define qh_errprint(...) qh_omit()
#define qh_printfacet(...) qh_omit()
#define qh_printfacetlist(...) qh_omit()
#define qh_printhelp_narrowhull(...) qh_omit()
#define qh_printallstatistics(...) qh_omit()
#define qh_printpoint(...) qh_omit()
#define qh_printridge(...) qh_omit()
#define qh_printvertexlist(...) qh_omit()
#define qh_newstats(...) False

#define fflush(file) qh_omit()

/* Measured times and random numbers are for reports and for options that are off. */
#undef qh_CPUclock
#define qh_CPUclock 0
#define time(now) 0
#define localtime(now) NULL
#undef qh_RANDOMseed_
#define qh_RANDOMseed_(qh, seed) qh_omit()
#undef qh_RANDOMint
#define qh_RANDOMint 1

/* File names occur in a command line only, sizes of memory blocks beyond Qhull's own nowhere. */
#define qh_copyfilename(...) qh_omit()
#define qh_skipfilename(qh, name) (name)
#define qh_user_memsizes(qh) qh_omit()

_Noreturn void mo_qhull_give_up(qhT *qh, boolT is_out_of_memory);
#define qh_errexit(qh, code, facet, ridge) mo_qhull_give_up(qh, (code) == qh_ERRmem)
#define qh_exit(code) mo_qhull_give_up(qh, (code) == qh_ERRmem)

/* Memory belongs to the run. */
void *mo_qhull_malloc(qhT *qh, size_t size);
void mo_qhull_free(qhT *qh, void *memory);
#define qh_malloc(size) mo_qhull_malloc(qh, size)
#define qh_free(memory) mo_qhull_free(qh, memory)

/* Of the statistics the algorithm reads this counter alone, and the largest Wnewvertexmax. */
#undef zzinc_
#define zzinc_(id) zzadd_(id, 1)
#undef zzadd_
#define zzadd_(id, value)                                                                          \
  {                                                                                                \
    if ((id) == Ztotmerge)                                                                         \
      qh->qhstat.stats[id].i += (value);                                                           \
  }

/* Two tables are taken past qh_malloc; ours hands out zeroed memory. */
#define calloc(count, size) qh_malloc((count) * (size))

/* Qhull's comparisons call neither of two equal items the smaller, so their order is up to the C
   library; with ours (src/geometry/qhull_user.c) native and wasm builds merge facets in the same
   order. */
#define qsort(...) mo_qhull_sort(qh, __VA_ARGS__)
void mo_qhull_sort(qhT *qh, void *items, size_t count, size_t size,
                   int (*compare)(const void *, const void *));

/* The power of a small whole number, where C libraries differ in the last bit. */
#define pow mo_qhull_power
double mo_qhull_power(double base, double exponent);

/* Writes the text of qh.qhull_options, which nobody reads. */
#define sprintf(text, ...) ((text)[0] = '\0')
