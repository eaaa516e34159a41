// What the module of `moreau/threads` is and needs: memory that threads share, and the threads.

import { invalid } from '../core/describe.mjs'
import { imports } from '../core/callbacks.mjs'
import { outOfMemory } from '../core/engine.mjs'
import { DEFAULT_TIMEOUT, readTimeout, within } from '../core/patience.mjs'
import { Helper, processorCount, unavailable } from './helper.mjs'

/** @import { EngineExports, ThreadExports } from '../core/engine-exports.mjs' */
/** @import { Host } from '../core/host.mjs' */

/** @type {readonly string[]} */
export const OPTION_NAMES = ['wasm', 'threads', 'timeout']

const DEFAULT_MOST = 8
const MOST_THREADS = 64

// Of 64 KB: those of cmake/wasm.cmake.
const INITIAL_PAGES = 32
const MOST_PAGES = 32768
/** Less than that is no use. */
const LEAST_MOST_PAGES = 1024

/** As much as the first thread has. */
const STACK_BYTES = 256 * 1024

/**
 * @param {Record<string, unknown>} options
 * @param {string} where
 * @returns {Host}
 */
export function createHost(options, where) {
  const threads = threadsOf(options.threads, where)
  const { timeout: given = DEFAULT_TIMEOUT } = options
  const timeout = readTimeout(given, `${where}: timeout`)
  const memory = createMemory(where)
  /** @type {Helper[]} */
  const helpers = []
  return {
    imports: { ...imports, env: { memory } },
    memory,
    async start(exports, module) {
      try {
        for (let number = 1; number < threads; number++) {
          const stackTop = allocateStack(exports, where)
          helpers.push(new Helper({ module, memory, stackTop, number }))
        }
        // They take part from when they are there on, so steps need not wait for them.
        threadExports(exports).threads_expect(helpers.length, mayWait() ? 1 : 0)
        const areReady = Promise.all(helpers.map((helper) => helper.isReady))
        await within(timeout, areReady, 'they did not start')
      } catch (error) {
        this.stop()
        threadExports(exports).threads_expect(0, 0)
        throw unavailable(where, { cause: error })
      }
    },
    stop: () => helpers.forEach((helper) => helper.stop()),
  }
}

/**
 * @param {unknown} given
 * @param {string} where
 * @returns {number}
 */
function threadsOf(given, where) {
  const threads = given === undefined ? Math.min(processorCount(), DEFAULT_MOST) : given
  if (!(Number.isInteger(threads) && Number(threads) >= 1 && Number(threads) <= MOST_THREADS)) {
    throw invalid(`${where}: threads`, `a whole number from 1 to ${MOST_THREADS}`, given)
  }
  if (Number(threads) > 1 && typeof SharedArrayBuffer === 'undefined') throw unavailable(where)
  return Number(threads)
}

/**
 * Shared memory says beforehand how far it may grow, and hosts differ in what they reserve.
 * @param {string} where
 */
function createMemory(where) {
  for (let maximum = MOST_PAGES; maximum >= LEAST_MOST_PAGES; maximum /= 2) {
    try {
      return new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum, shared: true })
    } catch (error) {
      if (!(error instanceof RangeError)) throw unavailable(where, { cause: error })
    }
  }
  throw outOfMemory(where, LEAST_MOST_PAGES * 65536)
}

/** @param {EngineExports} exports */
const threadExports = (exports) => /** @type {EngineExports & ThreadExports} */ (exports)

/**
 * @param {EngineExports} exports
 * @param {string} where
 * @returns {number} its end, where it begins to grow
 */
function allocateStack(exports, where) {
  const stack = exports.allocate(STACK_BYTES) >>> 0
  if (stack === 0) throw outOfMemory(where, STACK_BYTES)
  return ((stack + STACK_BYTES) & ~15) >>> 0
}

/** Whether this thread may sleep: a window may not. */
function mayWait() {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0)
    return true
  } catch {
    return false
  }
}
