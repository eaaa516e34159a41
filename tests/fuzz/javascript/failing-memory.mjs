/**
 * The package over an engine whose memory runs out at random: every allocation may be the one that fails. Needs the module that
 * `cmake --build build/wasm --target moreau_failing` makes (tests/fuzz/wasm/failing_memory.c).
 */
import { readFileSync } from 'node:fs'

const MODULE = new URL('../../../build/wasm/moreau-failing.wasm', import.meta.url)

/** One allocation in so many fails while a line runs; 0: none. */
const PERIODS = [0, 0, 1, 2, 5, 20, 100]

/**
 * Lines that go on after what they could not do, so that they do something else where there is memory; and ragdolls, of which a refused one
 * has used ids for its first bones that no later body gets.
 */
const HAS_TRACES = /\b(attempt|rollback|createRagdoll)\(/

/** @param {string} text FNV-1a (Fowler, Noll and Vo 1991) of 32 bits */
function hashOf(text) {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  }
  return hash >>> 0
}

/** Has allocations fail while lines run. */
export class FailingMemory {
  #exports

  /** @param {any} exports of the module */
  constructor(exports) {
    this.#exports = exports
  }

  /** How many allocations have failed. */
  get failures() {
    return /** @type {number} */ (this.#exports.failed_allocations())
  }

  /**
   * Runs a line. Which allocations fail follows from its text and number alone, so that a shortened sequence fails alike.
   * @template Result
   * @param {string} line
   * @param {() => Result} work
   * @returns {Result}
   */
  during(line, work) {
    const hash = hashOf(line)
    return this.failing(hash, HAS_TRACES.test(line) ? 0 : PERIODS[hash % PERIODS.length], work)
  }

  /**
   * @template Result
   * @param {number} seed
   * @param {number} period one allocation in so many fails; 0: none
   * @param {() => Result} work
   * @returns {Result}
   */
  failing(seed, period, work) {
    this.#exports.fail_allocations(seed, period)
    try {
      return work()
    } finally {
      this.#exports.fail_allocations(0, 0)
    }
  }
}

/**
 * A copy of the package over the module whose memory fails.
 * @param {() => Promise<any>} load gives a copy of the package that is not initialised
 * @returns {Promise<{ moreau: any, memory: FailingMemory }>}
 */
export async function loadFailing(load) {
  const moreau = await load()
  const module = new WebAssembly.Module(readFileSync(MODULE))
  const { instantiate } = WebAssembly
  /** @type {any} */
  let exports
  // The package shows nobody its instance.
  WebAssembly.instantiate = /** @type {any} */ (
    async (/** @type {WebAssembly.Module} */ one, /** @type {any} */ imports) => {
      const instance = await instantiate(one, imports)
      exports = instance.exports
      return instance
    }
  )
  try {
    await moreau.init({ wasm: module })
  } finally {
    WebAssembly.instantiate = instantiate
  }
  return { moreau, memory: new FailingMemory(exports) }
}
