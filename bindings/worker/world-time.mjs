import { checkNames, readNonNegative, readObject, readPositive } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { World as LocalWorld } from '../index.mjs'
import { inside } from './inside.mjs'
import { WorldHistory } from './world-history.mjs'

/** @import { AdvanceOptions, WorldOptions } from '../index.mjs' */

/** Steps that may be under way before `advance` drops time: the worker is slower than the clock. */
const MOST_BEHIND = 8
const DEFAULT_HZ = 60

/** Of steps that nobody waits for. */
const DONE = Promise.resolve()

/** How a world in a worker is stepped, and what of it is drawn when. */
export class WorldTime extends WorldHistory {
  #delay
  /** Whether `advance` is making steps. */
  #isAdvancing = false
  #isLate = false

  /**
   * @param {WorldOptions} options
   * @param {number} delay in steps, of what is drawn
   */
  constructor(options, delay) {
    super(options)
    this.#delay = delay
  }

  /**
   * Has the worker make one step, after all that was called before.
   * @param {number} dt seconds, 0 or more
   * @returns {Promise<void>} settles when the step is made and is seen here; rejects as `step` of `moreau` throws
   * @throws {MoreauError} `invalid-argument`
   */
  step(dt) {
    const { alive, follower, mark, timing, wait } = inside.of(this)
    alive('step')
    const seconds = readNonNegative(dt, 'step: dt')
    timing.ask(seconds)
    if (!this.#isAdvancing) return wait((ticket) => mark('step', seconds, ticket))
    if (seconds > 0) follower().markStep(seconds)
    else mark('step', seconds)
    return DONE
  }

  /**
   * For a render loop: takes the newest frame, and has the worker make the fixed steps that are due. They are made while
   * the page goes on, and are seen by a later call.
   * @param {number} seconds since the last call
   * @param {AdvanceOptions} [options] `beforeStep` and `afterStep` are called here, when steps are asked for
   * @returns {number} steps that were asked for
   * @throws {MoreauError} as `advance` of `moreau`, and what the worker refused (`error` of `WorkerEvents`)
   */
  advance(seconds, options) {
    const { alive, probe, send, take } = inside.of(this)
    alive('advance')
    readNonNegative(seconds, 'advance: seconds')
    take()
    this.#isLate = this.stepsBehind > MOST_BEHIND
    if (this.#isLate) probe()
    try {
      return this.#isLate ? 0 : this.#ask(seconds, options)
    } finally {
      send()
    }
  }

  /**
   * @param {number} seconds
   * @param {AdvanceOptions | undefined} options
   */
  #ask(seconds, options) {
    this.#isAdvancing = true
    try {
      return LocalWorld.prototype.advance.call(/** @type {any} */ (this), seconds, options)
    } finally {
      this.#isAdvancing = false
    }
  }

  /**
   * Has the worker make steps by its own clock from now on. Call `update` once per frame, to see them.
   * @param {object} [how]
   * @param {number} [how.hz] steps per second of the world, above 0; default 60
   * @param {number} [how.rate] seconds of the world per second, above 0; default 1
   * @throws {MoreauError} `invalid-argument`
   */
  start(how = {}) {
    const { alive, mark, send, timing } = inside.of(this)
    alive('start')
    const given = readObject(how, 'start: how')
    checkNames(given, ['hz', 'rate'], 'start')
    const { hz = DEFAULT_HZ, rate = 1 } = /** @type {{ hz?: number, rate?: number }} */ (given)
    const dt = 1 / readPositive(hz, 'start: hz')
    mark('clock', dt, readPositive(rate, 'start: rate'))
    timing.dt = dt
    send()
  }

  /** Stops the worker's clock. */
  pause() {
    const { alive, mark, send } = inside.of(this)
    alive('pause')
    mark('clock', 0, 1)
    send()
  }

  /**
   * Once per frame: sends what was called since the last time, takes the newest frame, and tells the listeners of what
   * happened. `advance` does it too.
   * @returns {boolean} whether there was a new frame
   * @throws {MoreauError} what the worker refused, if nobody listens for `error`
   */
  update() {
    const { alive, send, take } = inside.of(this)
    alive('update')
    send()
    return take()
  }

  /** Whether the last `advance` dropped time: too much was due, or the worker is too far behind. */
  get isLate() {
    return this.#isLate || Reflect.get(LocalWorld.prototype, 'isLate', this)
  }

  /** How many steps are asked for and not seen here yet. */
  get stepsBehind() {
    return inside.of(this).timing.stepsBehind
  }

  /**
   * The poses to draw now: `delay` steps behind the time that is due, between the frames on either side of it.
   * @param {Float32Array} out of `transforms.length` or more
   * @returns {Float32Array} `out`
   */
  interpolate(out) {
    const { alive, poses, timing } = inside.of(this)
    alive('interpolate')
    const least = this.transforms.length
    if (!(out instanceof Float32Array) || out.length < least) {
      throw invalid('interpolate: out', `a Float32Array of ${least} or more`, out)
    }
    const time = timing.due(this.interpolation) - this.#delay * timing.dt
    poses.at(/** @type {any} */ (this), time, out)
    return out
  }

  /** As `resetInterpolation` of `moreau`. */
  resetInterpolation() {
    LocalWorld.prototype.resetInterpolation.call(/** @type {any} */ (this))
    inside.of(this).poses.reset()
  }
}
