/*
 * Exports of the module's memory and of its result codes.
 */
#include "block.h"

#include <stdlib.h>

/* A temporary block of bytes, for points; 0 without memory. */
EXPORT(void *, allocate, size_t bytes) { return malloc(bytes); }
EXPORT(void, release, void *block) { free(block); }

EXPORT(int, last_result, void) { return (int)last_result; }
EXPORT(const char *, result_name, int result) { return mo_result_name((mo_result)result); }
EXPORT(double, allocated_bytes, void) { return (double)mo_allocated_bytes(); }
EXPORT(double, allocation_count, void) { return (double)mo_allocation_count(); }
