/*
 * What the module of moreau/threads has besides the default one: helper threads, each an
 * instance of the same module on the same memory.
 */
#include "export.h"
#include "parallel/pool.h"

EXPORT(void, threads_expect, uint32_t helpers, int may_sleep) {
  mo_pool_expect(helpers, may_sleep != 0);
}

/* Of a helper's instance only, and before all else: its stack grows down from `top`, a multiple of
 * 16. */
EXPORT(void, threads_set_stack, void *top) {
  __asm__ volatile(".globaltype __stack_pointer, i32\n"
                   "local.get %0\n"
                   "global.set __stack_pointer"
                   :
                   : "r"(top));
}

/* Of a helper's instance only, with a number from 1 on: does not return. */
EXPORT(void, threads_help, uint32_t number) { mo_pool_help(number); }

/* Of a helper's instance only: when it trapped. */
EXPORT(void, threads_break, void) { mo_pool_break(); }
