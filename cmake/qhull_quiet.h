/* Included before every source of Qhull (cmake/qhull.cmake): a message keeps its number, which is
   what the engine reports (QHnnnn), and loses its text and arguments, which nobody would read and
   which are a quarter of the wasm module. */
#include "libqhull_r/qhull_ra.h"

/* Not a recursion: a macro is not expanded again inside its own replacement, so this calls the
 * function. */
#define qh_fprintf(qh, file, code, ...) qh_fprintf(qh, file, code, "")

/* Qhull only tests this for null and hands it on to qh_fprintf, so any address serves; naming the
   real one would link the C library's files into the module. */
#undef stderr
#define stderr ((FILE *)qh)

/* Two tables are taken past qh_malloc; ours hands out zeroed memory. */
#define calloc(count, size) qh_malloc((count) * (size))

/* Qhull's comparisons call neither of two equal items the smaller, so their order is up to the C
   library; with ours (src/geometry/qhull_user.c) native and wasm builds merge facets in the same
   order. */
#define qsort mo_qhull_sort
void mo_qhull_sort(void *items, size_t count, size_t size,
                   int (*compare)(const void *, const void *));

/* The power of a small whole number, where C libraries differ in the last bit. */
#define pow mo_qhull_power
double mo_qhull_power(double base, double exponent);

/* Writes the text of qh.qhull_options, which nobody reads. */
#define sprintf(text, ...) ((text)[0] = '\0')
