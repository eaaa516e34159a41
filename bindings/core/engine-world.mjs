import { Callbacks, restoreStack } from './callbacks.mjs'
import { engine } from './engine.mjs'
import { MoreauError } from './errors.mjs'

/** @import { World } from '../objects/world.mjs' */
/** @import { Warner } from './warner.mjs' */

/**
 * The engine's world: whether it is there still, how it is called and what it says where it refuses, and where its bulk
 * arrays are. A part of `WorldCore`, and nothing by itself.
 */
export class EngineWorld {
  // The engine's world, 0 once it was freed.
  #pointer

  /** @readonly */
  engine = engine()

  /** @readonly */
  world

  /**
   * Whom advice goes to.
   * @readonly
   */
  warner

  /**
   * The custom constraints and potentials, as the engine calls them.
   * @readonly
   */
  callbacks = new Callbacks()

  /**
   * Of a world that shows another one (Follower): has the engine know what the bulk arrays show already.
   * @type {(() => void) | undefined}
   */
  catchUp

  // Where the bulk arrays start: indices into the engine's doubles, of `transforms` an address. They move
  // only when a body is created.
  slotCount = 0
  transforms = 0
  transforms64 = 0
  velocities = 0

  /**
   * @param {World} world
   * @param {number} pointer
   * @param {Warner} warner
   */
  constructor(world, pointer, warner) {
    this.world = world
    this.#pointer = pointer
    this.warner = warner
  }

  /** Looks again for the bulk arrays. */
  locate() {
    const { exports } = this.engine
    // Not `pointer`: a body was made, and what follows must not find that there is no room.
    const world = this.#pointer
    this.slotCount = exports.world_slot_count(world)
    this.transforms = exports.world_transforms(world) >>> 0
    this.transforms64 = (exports.world_transforms64(world) >>> 0) / 8
    this.velocities = (exports.world_velocities(world) >>> 0) / 8
  }

  /** Whether the world was freed. */
  get isFreed() {
    return this.#pointer === 0
  }

  /**
   * The engine's world. Asked for again in each call, after the arguments were read: a getter of an
   * argument may have freed the world.
   * @returns {number}
   */
  get pointer() {
    return this.pointerFor('World')
  }

  /**
   * The same for a call by name, which finds room on the stack.
   * @param {string} where
   * @returns {number} the engine's world
   */
  pointerFor(where) {
    this.begin(where)
    if (this.catchUp !== undefined) this.catchUp()
    return this.#pointer
  }

  /**
   * To be called first in what makes or destroys something, of which lists are kept here too: from
   * there on the stack has room.
   * @param {string} where
   */
  begin(where) {
    this.alive(where)
    this.engine.needStack()
  }

  /**
   * Throws if the world was freed.
   * @param {string} where
   */
  alive(where) {
    if (this.#pointer !== 0) return
    throw new MoreauError('stale-handle', `${where}: the world was freed`)
  }

  /** The world was freed. */
  forget() {
    this.catchUp = undefined
    this.#pointer = 0
  }

  /**
   * Makes a call of the engine in which functions of the user may run.
   * @param {() => number} call gives a code
   * @param {string} where
   */
  callBack(call, where) {
    const outer = this.callbacks.enter()
    let result
    try {
      result = call()
    } catch (error) {
      throw this.abandon(error, where)
    } finally {
      this.callbacks.leave(outer)
    }
    this.check(result, where)
  }

  /**
   * Asks the engine about the last step. It may have to make its rows anew, and then functions of the
   * user run.
   * @param {'world_momentum' | 'world_residual' | 'world_stats' | 'world_event_counts' | 'world_hash'
   *   | 'world_island_count' | 'world_record_problem'} question
   * @param {string} where
   * @returns {number | void}
   */
  ask(question, where) {
    const pointer = this.pointerFor(where)
    const { exports } = this.engine
    const outer = this.callbacks.enter()
    let answer
    try {
      answer = exports[question](pointer)
    } catch (error) {
      throw this.abandon(error, where)
    } finally {
      this.callbacks.leave(outer)
    }
    if (this.callbacks.hasFailed) this.check(exports.world_last_result(pointer), where)
    return answer
  }

  /**
   * Makes good for a call of the engine that an exception has ended in its middle: the world is as it
   * was before. Nothing of the user's passes through the engine, and there was room on the stack, so
   * this is a trap: a fault of ours, or of the host.
   * @param {unknown} error
   * @param {string} where
   * @returns {unknown} what to throw
   */
  abandon(error, where) {
    restoreStack()
    if (this.#pointer !== 0) this.engine.exports.world_abandon_call(this.#pointer)
    if (!(error instanceof WebAssembly.RuntimeError)) return error
    return new MoreauError('wasm-failed', `${where}: ${error.message}`, { cause: error })
  }

  /**
   * Why a step was refused: what a function for contacts threw, or the engine's error.
   * @param {number} result
   * @returns {unknown}
   */
  stepFailure(result) {
    const { hasFailed } = this.callbacks
    const options = this.callbacks.takeFailure()
    if (hasFailed && this.engine.code(result) === 'callback-failed') return options?.cause
    return this.engine.failure(result, 'step', this.#pointer, options)
  }

  /**
   * Throws if the engine refused a call.
   * @param {number} result
   * @param {string} where
   */
  check(result, where) {
    if (result !== 0) {
      throw this.engine.failure(result, where, this.#pointer, this.callbacks.takeFailure())
    }
  }
}
