#include "parallel/pool.h"

#include "parallel/parallel.h"
#include "parallel/sleep.h"

// How often a thread checks for work before it sleeps: some twenty microseconds, which is longer
// than the gaps between the loops of a step and shorter than waking takes.
#define CHECKS_BEFORE_SLEEP 20000u

#define CACHE_LINE 64

// The ranges of a loop, divided beforehand. In every loop of the same length a thread starts with
// the same ranges, whose data are in its cache, and then takes ranges that others have not begun.
typedef struct share {
  _Alignas(CACHE_LINE) _Atomic uint32_t unclaimed;
} share;

// The starting thread writes what is not atomic while no range is unfinished; the threads that have
// claimed a range read it.
static struct {
  share shares[MO_POOL_THREADS];

  _Alignas(CACHE_LINE) _Atomic uint32_t loops; // number of started loops, which wraps around
  mo_sleepers without_work;                    // sleep on `loops`
  _Atomic uint32_t idle;                       // number of helpers that do
  _Atomic bool is_closed;

  _Alignas(CACHE_LINE) _Atomic uint32_t unfinished; // number of ranges that are not done
  mo_sleepers starter;                              // sleeps on `unfinished`
  _Atomic bool starter_sleeps, is_broken;

  _Alignas(CACHE_LINE) atomic_flag is_taken; // by the thread that starts a loop
  bool may_sleep;
  uint32_t threads;
  mo_range_function *function;
  void *context;
  uint32_t count, grain, ranges;
} pool = {
    .without_work = MO_SLEEPERS_INIT, .starter = MO_SLEEPERS_INIT, .is_taken = ATOMIC_FLAG_INIT};

// --- ranges ----------------------------------------------------------------------------------

// The first range of a thread.
static uint32_t share_begin(uint32_t thread) {
  return (uint32_t)((uint64_t)pool.ranges * thread / pool.threads);
}

// Works on a range of a thread's share that nobody has begun. Returns false if there is none.
static bool do_range(uint32_t thread) {
  _Atomic uint32_t *unclaimed = &pool.shares[thread].unclaimed;
  uint32_t left = atomic_load(unclaimed);
  do {
    if (left == 0) {
      return false;
    }
  } while (!atomic_compare_exchange_weak(unclaimed, &left, left - 1));
  uint32_t first = (share_begin(thread + 1) - left) * pool.grain, rest = pool.count - first;
  pool.function(pool.context, first, first + (rest < pool.grain ? rest : pool.grain));
  return true;
}

static void do_ranges(uint32_t own) {
  uint32_t done = 0;
  for (uint32_t i = 0; i < pool.threads; i++) {
    while (do_range((own + i) % pool.threads)) {
      done++;
    }
  }
  if (done > 0 && atomic_fetch_sub(&pool.unfinished, done) == done &&
      atomic_load(&pool.starter_sleeps)) {
    mo_wake_all(&pool.starter, &pool.unfinished);
  }
}

// --- helpers ---------------------------------------------------------------------------------

static bool finds_work(uint32_t last_loop) {
  for (uint32_t i = 0; i < CHECKS_BEFORE_SLEEP; i++) {
    if (atomic_load_explicit(&pool.loops, memory_order_relaxed) != last_loop) {
      return true;
    }
  }
  return false;
}

void mo_pool_help(uint32_t number) {
  while (!atomic_load(&pool.is_closed)) {
    uint32_t loop = atomic_load(&pool.loops);
    do_ranges(number);
    if (!finds_work(loop)) {
      atomic_fetch_add(&pool.idle, 1);
      if (!atomic_load(&pool.is_closed)) {
        mo_sleep_while(&pool.without_work, &pool.loops, loop);
      }
      atomic_fetch_sub(&pool.idle, 1);
    }
  }
}

// Either this function sees that a helper is idle, or the helper sees the change before it sleeps.
static void call_helpers(void) {
  atomic_fetch_add(&pool.loops, 1);
  if (atomic_load(&pool.idle) > 0) {
    mo_wake_all(&pool.without_work, &pool.loops);
  }
}

void mo_pool_expect(uint32_t helpers, bool may_sleep) {
  pool.threads = helpers + 1;
  pool.may_sleep = may_sleep;
  atomic_store(&pool.is_closed, false);
}

void mo_pool_break(void) {
  atomic_store(&pool.is_broken, true);
  mo_wake_all(&pool.starter, &pool.unfinished);
}

void mo_pool_close(void) {
  atomic_store(&pool.is_closed, true);
  call_helpers();
}

// --- loops -----------------------------------------------------------------------------------

// Waits until helpers have finished the ranges that they began.
static void await_helpers(void) {
  for (uint32_t i = 0; atomic_load(&pool.unfinished) != 0; i++) {
    if (atomic_load_explicit(&pool.is_broken, memory_order_relaxed)) {
      __builtin_trap();
    }
    if (i < CHECKS_BEFORE_SLEEP || !pool.may_sleep) {
      continue;
    }
    atomic_store(&pool.starter_sleeps, true);
    uint32_t left = atomic_load(&pool.unfinished);
    if (left != 0) {
      mo_sleep_while(&pool.starter, &pool.unfinished, left);
    }
    atomic_store(&pool.starter_sleeps, false);
  }
}

static void share_out(void) {
  atomic_store(&pool.unfinished, pool.ranges);
  for (uint32_t i = 0; i < pool.threads; i++) {
    atomic_store(&pool.shares[i].unclaimed, share_begin(i + 1) - share_begin(i));
  }
  call_helpers();
}

void mo_parallel_for(uint32_t count, uint32_t grain, mo_range_function *function, void *context) {
  uint32_t ranges = count / grain + (count % grain != 0);
  if (ranges < 2 || pool.threads < 2 || atomic_load(&pool.is_closed) ||
      atomic_flag_test_and_set(&pool.is_taken)) {
    function(context, 0, count);
    return;
  }
  pool.function = function;
  pool.context = context;
  pool.count = count;
  pool.grain = grain;
  pool.ranges = ranges;
  share_out();
  do_ranges(0);
  await_helpers();
  atomic_flag_clear(&pool.is_taken);
}
