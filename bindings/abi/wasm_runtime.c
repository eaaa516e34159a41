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
