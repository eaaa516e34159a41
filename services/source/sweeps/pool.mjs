/**
 * Threads that make chunks. A run that hangs, ends its thread or eats its memory costs no other run of its chunk.
 */
import { Piscina } from 'piscina'
import { LateSignal } from './late-signal.mjs'
import { decodeRows, joinRows, rowsOf } from './rows.mjs'

/** @typedef {import('./spec.mjs').SweepSpec} SweepSpec */
/** @typedef {import('./rows.mjs').Rows} Rows */
/** @typedef {{ first: number, count: number }} Piece */

/** The scene cannot be had here: no run is to blame. */
export class SceneError extends Error {}

/** How often a run by itself is tried before it is given up: what disturbed it may have been another program. */
const TRIES = 2

/** MB of JavaScript that a thread may hold, so that a scene without bounds ends its thread and not the machine. Worlds are not in it. */
const THREAD_MEMORY = 512

/** A number that threads share. */
export const sharedNumber = () => new Int32Array(new SharedArrayBuffer(4))

export class ChunkPool {
  #pool
  #scenes
  #deadline

  /**
   * @param {object} options
   * @param {number} options.threads
   * @param {string} options.scenes folder of scenes on this machine
   * @param {number} options.deadline s that a chunk may take once its scene is loaded
   * @param {number} [options.memory] MB of JavaScript that a thread may hold
   */
  constructor({ threads, scenes, deadline, memory = THREAD_MEMORY }) {
    this.#scenes = scenes
    this.#deadline = deadline
    this.#pool = new Piscina({
      filename: new URL('./thread.cjs', import.meta.url).href,
      ...{ minThreads: threads, maxThreads: threads },
      resourceLimits: { maxOldGenerationSizeMb: memory },
    })
    // Of a thread that ended: its task is told too.
    this.#pool.on('error', () => {})
  }

  /**
   * Makes a chunk. At most as many at once as there are threads.
   *
   * @param {SweepSpec} spec
   * @param {Piece} chunk
   * @param {AbortSignal} [signal] ends it
   * @param {Int32Array} [made] in shared memory: its number goes up by the runs that are made
   * @returns {Promise<Rows>}
   */
  async run(spec, chunk, signal, made = sharedNumber()) {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#attempt(spec, chunk, signal, made)
      } catch (error) {
        signal?.throwIfAborted()
        if (error instanceof SceneError) throw error
        if (chunk.count > 1) return this.#halves(spec, chunk, signal, made)
        if (tries === TRIES) return rowsOf(chunk.first, [/** @type {Error} */ (error)])
      }
    }
  }

  /** @param {SweepSpec} spec @param {Piece} piece @param {AbortSignal | undefined} signal @param {Int32Array} made */
  async #halves(spec, { first, count }, signal, made) {
    const half = Math.ceil(count / 2)
    const left = await this.run(spec, { first, count: half }, signal, made)
    const rest = { first: first + half, count: count - half }
    const right = await this.run(spec, rest, signal, made)
    return joinRows([left, right])
  }

  /** @param {SweepSpec} spec @param {Piece} piece @param {AbortSignal | undefined} signal @param {Int32Array} made */
  async #attempt(spec, piece, signal, made) {
    const before = Atomics.load(made, 0)
    const late = new LateSignal(this.#deadline)
    const task = { spec, scenes: this.#scenes, piece, began: late.began, made }
    try {
      const result = await this.#pool.run(task, {
        signal: AbortSignal.any(signal ? [late.signal, signal] : [late.signal]),
      })
      if (result.sceneError !== undefined) throw new SceneError(result.sceneError)
      return decodeRows(result.rows)
    } catch (error) {
      Atomics.store(made, 0, before)
      if (late.signal.aborted) throw new Error(late.message, { cause: error })
      throw error
    } finally {
      late.clear()
    }
  }

  /** Ends the threads, whatever they do. */
  close = () => this.#pool.destroy()
}
