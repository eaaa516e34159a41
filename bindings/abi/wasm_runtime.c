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

#define PAGE ((size_t)65536)
// Memory grows by this part of itself at least. A host takes every growth for so much memory as
// there is in all, and looks for what it can free: by growths of what was just needed V8 collected
// garbage five to ten times for a world of 2000 bodies, for longer than making it takes. Pages that
// nobody has written to cost no memory of the machine.
#define GROWTH_PART 4

int __wrap_emscripten_resize_heap(size_t size);

static int grow(size_t pages) { return __builtin_wasm_memory_grow(0, pages) != (size_t)-1; }

/** What sbrk calls for more than there is: `size` is what it needs in all. The linker leads it here
 * (cmake/wasm.cmake), as the C library's function is in an object that is needed otherwise. The
 * loader sees growth by itself: the buffer that it knew is detached. */
int __wrap_emscripten_resize_heap(size_t size) {
  size_t pages = __builtin_wasm_memory_size(0);
  size_t needed = size / PAGE + (size % PAGE != 0) - pages;
  size_t usual = pages / GROWTH_PART;
  return (usual > needed && grow(usual)) || grow(needed);
}
