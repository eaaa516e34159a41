import { engine } from './engine.mjs'

/** @import { EngineExports } from './engine-exports.mjs' */

/** What nobody has freed may grow by a quarter and this before the host's collector is told, in bytes. */
const SLACK = 8e6
/** More than the bytes outside of its heap after which V8 begins a collection, which are 64 MB. */
const PRESSURE = 100e6

/** What the module had when least was in use since the collector was told, in bytes. */
let least = 0

/**
 * The host sees the small JavaScript objects but not the memory of the engine that they hold, and
 * would let hundreds of megabytes of dropped worlds wait. A buffer that it does see, dropped at once,
 * has it collect. Nobody touches the buffer, so that it takes addresses but no memory.
 * @param {number} bytes that the module has in use
 */
function tellCollector(bytes) {
  least = Math.min(least, bytes)
  if (bytes < 1.25 * least + SLACK) return
  least = bytes
  try {
    // The call: a bundler leaves out a buffer of which nothing is asked.
    new ArrayBuffer(PRESSURE).slice(0, 0)
  } catch {
    // A host without room for it is about to collect anyway.
  }
}

/**
 * Gives memory of the engine back once the JavaScript object that owns it was collected. `free()`
 * is better where it matters when.
 */
export class Collector {
  /** @type {FinalizationRegistry<number> | undefined} */
  #registry

  /** @param {(exports: EngineExports, pointer: number) => void} release */
  constructor(release) {
    // Some edge hosts have none; what is not freed there stays until the module goes.
    if (typeof FinalizationRegistry !== 'undefined') {
      this.#registry = new FinalizationRegistry((pointer) => release(engine().exports, pointer))
    }
  }

  /**
   * @param {object} owner
   * @param {number} pointer
   */
  watch(owner, pointer) {
    this.#registry?.register(owner, pointer, owner)
    tellCollector(engine().exports.allocated_bytes())
  }

  /** @param {object} owner it gave its memory back by itself */
  forget(owner) {
    this.#registry?.unregister(owner)
  }
}

/**
 * Some engines do not know Symbol.dispose. A class body that defines a method of that name has it
 * as 'undefined' there, which this takes away again.
 * @param {{ prototype: object }} type
 */
export function dropMissingDispose(type) {
  if (Symbol.dispose === undefined) Reflect.deleteProperty(type.prototype, 'undefined')
}
