/// <reference lib="esnext.disposable" preserve="true" />
import { checkNames, readInteger, readObject, readPositive } from '../core/arguments.mjs'
import { close, guard } from '../core/guard.mjs'
import { inspectable } from '../core/inspect.mjs'
import { outOfMemory } from '../core/engine.mjs'
import { MoreauError } from '../core/errors.mjs'
import { Collector, dropMissingDispose } from '../core/lifetime.mjs'
import { checkControls, writeControls } from './controls.mjs'
import { FrameStore } from './frame-store.mjs'
import { rostersOf } from './roster.mjs'
import { bringBack, checkMayRestore, loadHeld } from './snapshot.mjs'

/** @import { HistoryOptions } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */
import { reading } from '../core/readable.mjs'
/** @import { Limits, StoredFrame } from './frame-store.mjs' */

// Known to this file alone, so that nobody else makes histories.
const maker = Symbol('History')

const collector = new Collector((exports, coder) => exports.delta_coder_destroy(coder))

/** @type {(core: WorldCore, options: unknown, settle: () => void) => History} */
export let makeHistory

/**
 * The last steps of a world, to which it can go back. Made by `world.history`.
 *
 * @example
 * const history = world.history({ seconds: 10 })
 * for (let i = 0; i < 120; i++) world.step(1 / 60)
 * history.rewind(60) // as it was a second ago; `history.seek(120)` goes forth again
 * world.step(1 / 60) // from here on it is another future: what came later is gone
 */
export class History {
  #core
  #settle
  #store
  /** The engine's mo_delta_coder, 0 once it was freed. */
  #coder
  /** The number of the frame that the coder holds; -1: none. */
  #held = -1

  static {
    // By `this`: bundlers rename a class that names itself.
    const Type = this
    makeHistory = (core, options, settle) => close(new Type(core, options, settle, maker))
  }

  /**
   * Private: histories come from `world.history`.
   * @private
   * @param {WorldCore} core
   * @param {unknown} options a HistoryOptions
   * @param {() => void} settle called when the world has gone elsewhere
   * @param {symbol} key
   */
  constructor(core, options, settle, key) {
    if (key !== maker) {
      throw new MoreauError('invalid-argument', 'History: histories come from world.history')
    }
    this.#core = core
    this.#settle = settle
    this.#store = new FrameStore(reading(options, 'history: options', () => readLimits(options)))
    core.begin('history')
    core.callbacks.checkUnlocked('history')
    this.#coder = core.engine.exports.delta_coder_create() >>> 0
    if (this.#coder === 0) throw outOfMemory('history', 0)
    try {
      this.#record('history')
    } catch (error) {
      core.engine.exports.delta_coder_destroy(this.#coder)
      throw error
    }
    collector.watch(this, this.#coder)
    core.recorders.set(this, {
      check: () => checkControls(core, 'step: history'),
      record: () => this.#recordStep(),
      end: () => this.free(),
    })
  }

  /**
   * The first and the last frame that can be sought. A frame is the state after a step, and its name is
   * the `stepCount` of the world.
   * @returns {Readonly<{ first: number, last: number }>}
   */
  get frames() {
    this.#alive('frames')
    return Object.freeze({ first: this.#store.first, last: this.#store.last })
  }

  /**
   * What the frames take.
   * @returns {number} bytes
   */
  get bytes() {
    this.#alive('bytes')
    return this.#store.bytes
  }

  /**
   * Makes the world what it was after a step. Later frames can be sought until the next step, with which
   * another future begins.
   * @param {number} frame from `frames.first` to `frames.last`
   * @throws {MoreauError} `invalid-argument`, `out-of-memory`, `world-locked` in functions that the
   *   engine calls and in listeners; with the world as it was
   */
  seek(frame) {
    this.#alive('seek')
    const { first, last } = this.#store
    this.#goTo(readInteger(frame, 'seek: frame', first, last), 'seek')
  }

  /**
   * Goes back by a number of steps.
   * @param {number} steps 0 or more, and no more than lead to `frames.first`
   * @throws {MoreauError} as `seek`
   */
  rewind(steps) {
    this.#alive('rewind')
    const { first, last } = this.#store
    const now = this.#core.world.stepCount
    const count = readInteger(steps, 'rewind: steps', Math.max(0, now - last), now - first)
    this.#goTo(now - count, 'rewind')
  }

  /** Ends it and gives its memory back. A second call does nothing. */
  free() {
    if (this.#coder === 0) return
    collector.forget(this)
    this.#core.recorders.delete(this)
    this.#core.engine.exports.delta_coder_destroy(this.#coder)
    this.#coder = 0
    this.#store = new FrameStore({ seconds: 0, frames: 0, memory: 0 })
  }

  /** The same as `free()`, for `using`. */
  [Symbol.dispose]() {
    this.free()
  }

  /** Whether it goes on: neither it nor its world was freed. */
  get isAlive() {
    return this.#coder !== 0
  }

  /** @param {string} where */
  #alive(where) {
    if (!this.isAlive) {
      throw new MoreauError('stale-handle', `${where}: the history was freed, or its world`)
    }
  }

  /** The step is made, so that it cannot be refused any more where there is no memory for its state. */
  #recordStep() {
    try {
      this.#record('step: history')
    } catch (error) {
      if (!(error instanceof MoreauError) || error.code !== 'out-of-memory') throw error
      const text =
        'history: there is no memory for the state after this step, and the earlier ones are forgotten'
      this.#core.warner.tell('history-lost', `${text}. Give it a smaller limit of memory`)
    }
  }

  /** @param {string} where the call in which a frame is added: the world as it is now */
  #record(where) {
    const core = this.#core
    const store = this.#store
    const { stepCount: number, time } = core.world
    store.dropFrom(number)
    const isKey = this.#held !== store.last || store.needsKey
    this.#held = -1
    try {
      const parts = { roster: rostersOf(core).encoded().bare, controls: writeControls(core, where) }
      const { exports } = core.engine
      core.check(exports.delta_coder_write(this.#coder, core.pointer, isKey ? 1 : 0), where)
      const [address, length] = [core.engine.at(0), core.engine.at(1)]
      const bytes = new Uint8Array(core.engine.buffer, address, length)
      store.add({ number, time, parts, isKey }, bytes)
      this.#held = number
    } catch (error) {
      store.clear() // a frame is missing
      throw error
    }
  }

  /**
   * @param {number} number of a frame
   * @param {string} where
   */
  #goTo(number, where) {
    const core = this.#core
    checkMayRestore(core, where)
    const frame = this.#store.frame(number)
    this.#hold(frame, where)
    const load = (/** @type {readonly number[]} */ functions) =>
      loadHeld(core, this.#coder, functions, where)
    bringBack(core, frame.parts, {}, load, where)
    this.#settle()
  }

  /**
   * Has the coder hold a frame.
   * @param {StoredFrame} frame
   * @param {string} where
   */
  #hold(frame, where) {
    const { number } = frame.key ?? frame
    const isOnTheWay = this.#held >= number && this.#held <= frame.number
    const frames = this.#store.between(isOnTheWay ? this.#held + 1 : number, frame)
    if (frames.length === 0) return
    const { exports } = this.#core.engine
    const room = Math.max(...frames.map(({ length }) => length))
    const block = exports.allocate(room) >>> 0
    if (block === 0) throw outOfMemory(where, room)
    this.#held = -1
    try {
      for (const one of frames) {
        this.#store.read(one, new Uint8Array(this.#core.engine.buffer, block, one.length))
        const result = exports.delta_coder_read(this.#coder, block, one.length)
        if (result !== 0) throw this.#core.engine.failure(result, where, 0)
      }
    } finally {
      exports.release(block)
    }
    this.#held = frame.number
  }
}

dropMissingDispose(History)
guard(History, 'History')
inspectable(History, 'History', (history) =>
  history.isAlive ? { ...history.frames, bytes: history.bytes } : { isAlive: false },
)

/**
 * @param {unknown} value
 * @returns {Limits}
 */
function readLimits(value) {
  const path = 'history: options'
  const options = /** @type {HistoryOptions} */ (readObject(value, path))
  checkNames(options, ['seconds', 'frames', 'memory'], path)
  const { seconds, frames, memory } = options
  if (seconds === undefined && frames === undefined && memory === undefined) {
    throw new MoreauError('invalid-argument', `${path} must have seconds, frames or memory`)
  }
  return {
    seconds: seconds === undefined ? Infinity : readPositive(seconds, `${path}.seconds`),
    frames: frames === undefined ? Infinity : readInteger(frames, `${path}.frames`, 1, 2 ** 32),
    memory: memory === undefined ? Infinity : readPositive(memory, `${path}.memory`),
  }
}
