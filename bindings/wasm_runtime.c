/*
 * What the C library would ask of its host, answered here, so that the module imports nothing
 * but the user's callbacks: the loader then needs no glue, and no clock, environment or file can
 * reach a result. Part of the wasm module only.
 *
 * An object file of the program is taken before the C library's own, so these definitions replace
 * the library's.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// --- longjmp ---------------------------------------------------------------------------------

// Emscripten's setjmp keeps a second return value here (a compiler's convention from before wasm
// had 64-bit results). Left undefined, the two become imports and an error of Qhull surfaces as an
// uncaught exception.

void setTempRet0(uint32_t value);
uint32_t getTempRet0(void);

static uint32_t temp_ret0;

void setTempRet0(uint32_t value) { temp_ret0 = value; }

uint32_t getTempRet0(void) { return temp_ret0; }

// --- memory ----------------------------------------------------------------------------------

void emscripten_notify_memory_growth(size_t memory_index);

/** The loader sees growth by itself: the buffer that it knew is detached. */
void emscripten_notify_memory_growth(size_t memory_index) { (void)memory_index; }

// --- clock, environment, streams -------------------------------------------------------------

// Qhull reads the clock for seeds and for times that it would print, and parses a command line that
// is empty here.

time_t time(time_t *out) {
  if (out) {
    *out = 0;
  }
  return 0;
}

clock_t clock(void) { return 0; }

/** The C library's own would look for the time zone in the environment and in files. */
struct tm *localtime(const time_t *seconds) {
  static struct tm epoch;
  (void)seconds;
  return &epoch;
}

/** Nothing in the module parses a number; the real one carries software arithmetic for 128-bit
 * floats. */
double strtod(const char *restrict text, char **restrict end) {
  if (end) {
    *end = (char *)(uintptr_t)text;
  }
  return 0;
}

/** Nothing is ever written to a stream. */
int fflush(FILE *stream) {
  (void)stream;
  return 0;
}
