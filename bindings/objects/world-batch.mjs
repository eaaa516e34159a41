/// <reference lib="esnext.disposable" preserve="true" />
import { isObject, readInteger, readNonNegative } from '../core/arguments.mjs'
import { BulkView } from '../core/bulk-view.mjs'
import { restoreStack } from '../core/callbacks.mjs'
import { invalid } from '../core/describe.mjs'
import { engine, outOfMemory } from '../core/engine.mjs'
import { MoreauError } from '../core/errors.mjs'
import { close, guard } from '../core/guard.mjs'
import { inspectable } from '../core/inspect.mjs'
import { Collector, dropMissingDispose } from '../core/lifetime.mjs'
import { isArrayBuffer, isList } from '../core/lists.mjs'
import { init } from '../core/loader.mjs'
import { putBatchDefinition, readBatch } from '../definitions/batch-definition.mjs'
import { HASH_NUMBERS } from '../generated/records.mjs'
import { partsOf, takeAfter } from '../state/snapshot.mjs'
import { coreOf } from './settings-owner.mjs'
import { hashText } from './world-reports.mjs'
import { World } from './world.mjs'

/** @import { BatchFailure, BatchOptions } from '../types/index.mjs' */

/** The lists, by mo_batch_list. */
const [ACTIONS, OBSERVATIONS, STARTS] = [0, 1, 2]
/** Steps of a call: those of some days. */
const MOST_STEPS = 1e9

const collector = new Collector((exports, pointer) => exports.batch_destroy(pointer))

/**
 * Many worlds that begin alike, stepped in one call. What acts on them and what is seen of them are flat
 * arrays over the engine's memory, with a row for each world. Worlds of a batch come to the same bits as
 * worlds by themselves, and in `moreau/threads` they are spread over the threads.
 *
 * @example
 * const batch = new WorldBatch(world, {
 *   count: 64,
 *   actions: [{ type: 'effort', joint: motor }],
 *   observations: [{ type: 'coordinate', joint: motor }, { type: 'linearVelocity', body: cart }],
 * })
 * batch.actions.fill(0.5)
 * batch.step(1 / 60)
 * batch.observations // 64 rows of 4 numbers
 * batch.reset([true]) // the first world begins again
 */
export class WorldBatch {
  #engine = engine()
  #pointer
  #count
  #slotCount
  #sizes
  #offsets
  #parts
  #views = [0, 1, 2].map(() => new BulkView(Float64Array))
  #results = new BulkView(Uint32Array)
  #transforms = new BulkView(Float32Array)

  /**
   * Loads the engine if that was not done yet, then makes a batch.
   * @param {World | Uint8Array} template
   * @param {BatchOptions} options
   * @returns {Promise<WorldBatch>}
   * @throws {MoreauError} as `new WorldBatch`, `wasm-failed`
   */
  static async create(template, options) {
    await init()
    return makeBatch(template, options)
  }

  /**
   * Makes worlds that are what the template is now; the engine must be loaded (`init`). The template is
   * not needed any more afterwards. It must have no functions of yours: no custom constraint or
   * potential, no `contactFilter` and no `contactModifier`.
   * @param {World | Uint8Array} template a world, or a snapshot of one
   * @param {BatchOptions} options
   * @throws {MoreauError} `invalid-argument`, `not-supported`, `stale-handle`, `bad-snapshot`,
   *   `out-of-memory`, `not-initialized`
   */
  constructor(template, options) {
    const isWorld = isObject(template) && template instanceof World
    const world = isWorld ? template : worldOf(template)
    try {
      const core = coreOf(world)
      core.alive('WorldBatch')
      const read = readBatch(core, options)
      core.begin('WorldBatch')
      this.#parts = partsOf(core, 'WorldBatch')
      putBatchDefinition(core, read)
      const { exports } = core.engine
      const pointer = exports.batch_create(core.pointer) >>> 0
      if (pointer === 0) core.check(exports.last_result(), 'WorldBatch')
      this.#pointer = pointer
      this.#count = read.count
      this.#slotCount = exports.world_slot_count(exports.batch_world(pointer, 0))
      this.#sizes = [ACTIONS, OBSERVATIONS, STARTS].map((i) => exports.batch_row_size(pointer, i))
      this.#offsets = [read.actions.offsets, read.observations.offsets, read.starts.offsets]
      collector.watch(this, pointer)
      close(this)
    } finally {
      if (!isWorld) world.free()
    }
  }

  // --- arrays -----------------------------------------------------------------------------------

  /** @returns {number} of worlds */
  get count() {
    return this.#count
  }

  /**
   * What acts on the worlds from the next `step` on: a row of `actionSize` numbers for each. They stay
   * until they are written again. As all arrays of a batch it is a view: read it again after the engine's
   * memory may have grown.
   * @returns {Float64Array}
   */
  get actions() {
    return this.#array(ACTIONS, 'actions')
  }

  /**
   * What is seen of the worlds after the last `step` or `reset`: a row of `observationSize` numbers for
   * each. What has broken is seen as NaN.
   * @returns {Float64Array}
   */
  get observations() {
    return this.#array(OBSERVATIONS, 'observations')
  }

  /**
   * What worlds begin with at their next `reset`: a row of `startSize` numbers for each, at first those of
   * the template. An entry that is equal to the template's changes nothing.
   * @returns {Float64Array}
   */
  get starts() {
    return this.#array(STARTS, 'starts')
  }

  /** @returns {number} numbers of a row of `actions` */
  get actionSize() {
    return this.#sizes[ACTIONS]
  }

  /** @returns {number} numbers of a row of `observations` */
  get observationSize() {
    return this.#sizes[OBSERVATIONS]
  }

  /** @returns {number} numbers of a row of `starts` */
  get startSize() {
    return this.#sizes[STARTS]
  }

  /** @returns {readonly number[]} where in a row each of the given actions begins */
  get actionOffsets() {
    return this.#offsets[ACTIONS]
  }

  /** @returns {readonly number[]} likewise of observations */
  get observationOffsets() {
    return this.#offsets[OBSERVATIONS]
  }

  /** @returns {readonly number[]} likewise of starts */
  get startOffsets() {
    return this.#offsets[STARTS]
  }

  // --- time -------------------------------------------------------------------------------------

  /**
   * Steps all worlds with their actions, and looks at them. A world that refuses an action or a step
   * stays as it was before that step, without forces, and the others go on; the next call has it take
   * part again.
   * @param {number} dt seconds, 0 or more
   * @param {number} [steps] made with the same actions, default 1
   * @returns {number} of worlds that refused (`failures`)
   * @throws {MoreauError} `invalid-argument`
   */
  step(dt, steps = 1) {
    const pointer = this.#begin('step')
    readNonNegative(dt, 'step: dt')
    readInteger(steps, 'step: steps', 1, MOST_STEPS)
    return this.#call('step', () => this.#engine.exports.batch_step(pointer, dt, steps))
  }

  /**
   * Has worlds begin again: as the template, but for what `starts` says, which is read here.
   * @param {ArrayLike<number | boolean>} [mask] one entry for each world, true for those that begin
   *   again; default: all
   * @returns {number} of worlds, among these, that refused their start: they are as the template
   * @throws {MoreauError} `invalid-argument`, `out-of-memory`
   */
  reset(mask) {
    const { exports } = this.#engine
    const bytes = mask === undefined ? undefined : this.#readMask(mask)
    const pointer = this.#begin('reset')
    if (bytes === undefined) return this.#call('reset', () => exports.batch_reset(pointer, 0))
    const block = exports.allocate(bytes.length) >>> 0
    if (block === 0) throw outOfMemory('reset', bytes.length)
    try {
      new Uint8Array(this.#engine.buffer, block, bytes.length).set(bytes)
      return this.#call('reset', () => exports.batch_reset(pointer, block))
    } finally {
      exports.release(block)
    }
  }

  // --- what became of them ----------------------------------------------------------------------

  /**
   * Of each world what its last step or reset came to: 0 if all is well, else a number that `failures`
   * gives a name.
   * @returns {Uint32Array}
   */
  get results() {
    const address = this.#engine.exports.batch_results(this.#begin('results'))
    return this.#results.at(this.#engine.buffer, address, this.#count)
  }

  /** @returns {BatchFailure[]} the worlds that refused their last step or reset */
  get failures() {
    /** @type {BatchFailure[]} */
    const failures = []
    const { results } = this
    for (let world = 0; world < results.length; world++) {
      if (results[world] === 0) continue
      const { code, message } = this.#engine.failure(
        results[world],
        `world ${world}`,
        this.#world(world),
      )
      failures.push({ world, code, message })
    }
    return failures
  }

  /**
   * @param {number} world its index
   * @returns {string} as `world.hash()`
   * @throws {MoreauError} `invalid-argument`
   */
  hash(world) {
    this.#begin('hash')
    readInteger(world, 'hash: world', 0, this.#count - 1)
    this.#engine.exports.world_hash(this.#world(world))
    this.#engine.begin(HASH_NUMBERS)
    return hashText(this.#engine)
  }

  /**
   * A new world that is what one of the batch is now: to look at, to draw, to go on with. It goes its own
   * way from there, and is yours to free. Its bodies, joints and potentials have the ids of the template's.
   * @param {number} index of the world in the batch
   * @returns {World}
   * @throws {MoreauError} `invalid-argument`, `out-of-memory`
   */
  world(index) {
    this.#begin('world')
    readInteger(index, 'world: index', 0, this.#count - 1)
    const world = new World()
    try {
      takeAfter(coreOf(world), this.#world(index), this.#parts, 'world')
      return world
    } catch (error) {
      world.free()
      throw error
    }
  }

  /**
   * The poses of all bodies of all worlds as they are now: for each world as `world.transforms` has them,
   * 8 numbers for each of `slotCount` slots. Gathered by this call.
   * @returns {Float32Array}
   * @throws {MoreauError} `out-of-memory`
   */
  get transforms() {
    const address = this.#engine.exports.batch_transforms(this.#begin('transforms')) >>> 0
    const length = 8 * this.#slotCount * this.#count
    if (address === 0) throw outOfMemory('transforms', 4 * length)
    return this.#transforms.at(this.#engine.buffer, address, length)
  }

  /** @returns {number} of slots of bodies that each world has: `body.index` of the template is below it */
  get slotCount() {
    return this.#slotCount
  }

  // --- life -------------------------------------------------------------------------------------

  /** Gives the memory back; everything else throws `stale-handle` from then on. */
  free() {
    if (this.#pointer === 0) return
    this.#engine.exports.batch_destroy(this.#begin('free'))
    this.#pointer = 0
    collector.forget(this)
  }

  /** The same as `free()`, for `using`. */
  [Symbol.dispose]() {
    this.free()
  }

  /**
   * To be called first in what enters the engine.
   * @param {string} where
   * @returns {number} the engine's batch
   */
  #begin(where) {
    if (this.#pointer === 0) {
      throw new MoreauError('stale-handle', `${where}: the batch was freed`)
    }
    this.#engine.needStack()
    return this.#pointer
  }

  /**
   * @param {string} where
   * @param {() => number} call
   */
  #call(where, call) {
    try {
      return call()
    } catch (error) {
      restoreStack()
      if (!(error instanceof WebAssembly.RuntimeError)) throw error
      throw new MoreauError('wasm-failed', `${where}: ${error.message}`, { cause: error })
    }
  }

  /** @param {number} index */
  #world(index) {
    return this.#engine.exports.batch_world(this.#pointer, index) >>> 0
  }

  /**
   * @param {number} list
   * @param {string} name
   */
  #array(list, name) {
    const address = this.#engine.exports.batch_array(this.#begin(name), list)
    return this.#views[list].at(this.#engine.buffer, address, this.#sizes[list] * this.#count)
  }

  /** @param {unknown} mask */
  #readMask(mask) {
    if (!isList(mask) || mask.length !== this.#count) {
      throw invalid('reset: mask', `an array of ${this.#count} entries`, mask)
    }
    return Uint8Array.from(mask, (entry) => (entry ? 1 : 0))
  }
}

dropMissingDispose(WorldBatch)
guard(WorldBatch, 'WorldBatch')
inspectable(WorldBatch, 'WorldBatch', (batch) => {
  const { count, actionSize, observationSize, startSize } = batch
  return { count, actionSize, observationSize, startSize }
})

/**
 * Outside of the class, as bundlers rename a class that names itself.
 * @param {World | Uint8Array} template
 * @param {BatchOptions} options
 */
function makeBatch(template, options) {
  return new WorldBatch(template, options)
}

/**
 * A world for the time of a constructor.
 * @param {unknown} snapshot
 */
function worldOf(snapshot) {
  if (!(isArrayBuffer(snapshot) || ArrayBuffer.isView(snapshot))) {
    throw invalid('WorldBatch: template', 'a World, or the bytes of a snapshot', snapshot)
  }
  const world = new World()
  try {
    world.restore(/** @type {Uint8Array} */ (snapshot))
    return world
  } catch (error) {
    world.free()
    throw error
  }
}
