import { invalid, invalidLength } from '../core/describe.mjs'
import { MoreauError } from '../core/errors.mjs'
import { adviseLate, adviseScene, adviseStep } from './advice.mjs'
import { tell } from './events.mjs'
import { FixedSteps } from './fixed-steps.mjs'
import { takeBroken } from './joint-events.mjs'
import { coreOf } from './settings-owner.mjs'
import { listenersOf, WorldListening } from './world-events.mjs'

/** @import { AdvanceOptions } from '../types/index.mjs' */

/** @type {(world: WorldTime) => void} a world has come elsewhere without a step: `advance` begins anew from there */
export let restartTime

/** How a world is stepped, and what is drawn between steps. A part of `World`, and nothing by itself. */
export class WorldTime extends WorldListening {
  #fixedSteps = new FixedSteps()
  #steps = 0
  /** Whether `advance` was given a frame that would be no millisecond. */
  #isInSeconds = false

  static {
    restartTime = (world) => world.#fixedSteps.reset(coreOf(world).world)
  }

  /**
   * Advances the world by one step: forces, collision, contact solve, motion. Allocates nothing
   * once the scene has settled.
   * @param {number} dt seconds, 0 or more; keep it the same, 1/60 for instance. 0 does nothing
   * @throws {MoreauError} `invalid-argument`; `not-finite` if a motion overflowed, `out-of-memory`:
   *   with the world as it was before the call
   */
  step(dt) {
    const core = coreOf(this)
    const pointer = core.pointerFor('step')
    if (!(typeof dt === 'number' && dt >= 0 && dt < Infinity)) {
      throw invalid('step: dt', 'a finite number of seconds, 0 or more', dt)
    }
    if (core.isTelling)
      throw new MoreauError('world-locked', 'step: a listener cannot step its world')
    core.checkRecorders()
    adviseStep(core, dt)
    const outer = core.callbacks.enter()
    let result
    try {
      result = core.engine.exports.world_step(pointer, dt)
    } catch (error) {
      throw core.abandon(error, 'step')
    } finally {
      core.callbacks.leave(outer)
    }
    if (result !== 0) throw core.stepFailure(result)
    if (dt === 0) return
    core.lastDt = dt
    takeBroken(core, pointer)
    try {
      adviseScene(core, ++this.#steps)
    } catch {
      // The step was made.
    }
    core.past.turnPage()
    try {
      tell(core, listenersOf(this))
    } finally {
      core.recordStep()
    }
  }

  /**
   * Advances the world in fixed steps by the time that went by, as a render loop has it. What is
   * left below one step is kept for the next call, and read as `interpolation`.
   *
   * Forces last for one step: apply them in `beforeStep`, which is called once per step.
   * @param {number} seconds 0 or more
   * @param {AdvanceOptions} [options]
   * @returns {number} steps made
   * @throws {MoreauError} as `step`; `world-locked` within `beforeStep` and `afterStep`. What these
   *   throw is thrown. A call that throws gives its seconds back: if it has made no step it has changed
   *   nothing, and else there are the steps that it has made, and no time is left for the next call
   */
  advance(seconds, options) {
    coreOf(this).alive('advance')
    const steps = this.#fixedSteps.advance(coreOf(this).world, seconds, options)
    if (this.isLate) adviseLate(coreOf(this), seconds, this.#isInSeconds)
    this.#isInSeconds ||= seconds > 0 && seconds < 1
    return steps
  }

  /**
   * After `advance`: the part of a step, 0 to 1, that time is ahead of the world. Blend the poses of
   * the last two steps by it for smooth pictures.
   * @returns {number}
   */
  get interpolation() {
    return this.#fixedSteps.interpolation
  }

  /**
   * Whether the last `advance` dropped time: more steps were due than `maxSteps` or `timeBudget`
   * allowed.
   * @returns {boolean}
   */
  get isLate() {
    return this.#fixedSteps.isLate
  }

  /**
   * The transforms before the last step that `advance` made with `interpolate: true`, laid out as
   * `transforms`; of bodies that are newer, and before the first such step, those of now. A copy:
   * it stays as it is until the next call.
   * @returns {Float32Array}
   */
  get previousTransforms() {
    coreOf(this).alive('previousTransforms')
    return this.#fixedSteps.previousTransforms(coreOf(this).world)
  }

  /**
   * The poses to draw after `advance` with `interpolate: true`: those between the last two steps that
   * `interpolation` says, laid out as `transforms`.
   * @param {Float32Array} out of `transforms.length` or more
   * @returns {Float32Array} `out`
   *
   * @example
   * world.advance(seconds, { interpolate: true })
   * poses = world.interpolate(poses.length < world.transforms.length ? new Float32Array(world.transforms.length) : poses)
   */
  interpolate(out) {
    coreOf(this).alive('interpolate')
    const least = this.transforms.length
    const allowed = `a Float32Array of ${least} or more`
    if (!(out instanceof Float32Array)) throw invalid('interpolate: out', allowed, out)
    if (out.length < least) throw invalidLength('interpolate: out', allowed, out)
    this.#fixedSteps.interpolate(coreOf(this).world, out)
    return out
  }

  /**
   * Makes `previousTransforms` those of now, and drops the time that is left for the next
   * `advance`: for after a pause or after bodies were put elsewhere.
   */
  resetInterpolation() {
    coreOf(this).alive('resetInterpolation')
    restartTime(this)
  }
}
