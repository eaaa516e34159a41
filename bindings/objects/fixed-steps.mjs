import {
  checkNames,
  readBoolean,
  readFunction,
  readInteger,
  readNonNegative,
  readObject,
  readPositive,
} from '../core/arguments.mjs'
import { MoreauError } from '../core/errors.mjs'
import { reading } from '../core/readable.mjs'
import { blend, STRIDE } from './pose-blend.mjs'
import { coreOf } from './settings-owner.mjs'

/** @import { AdvanceOptions } from '../types/index.mjs' */
/** @import { World } from './world.mjs' */

const DEFAULT_FIXED_DT = 1 / 60
const DEFAULT_MAX_STEPS = 8
/** Of a step: time that falls short of a whole step by round-off counts as one. */
const SLACK = 1e-9

const OPTION_NAMES = [
  ...['fixedDt', 'maxSteps', 'timeBudget', 'beforeStep', 'afterStep', 'interpolate', 'now'],
]
/** @type {AdvanceOptions} */
const NO_OPTIONS = Object.freeze({})

/**
 * @template {Function} F
 * @param {F | undefined} value
 * @param {string} name
 * @returns {F | undefined}
 */
const readOptionalFunction = (value, name) =>
  value === undefined ? undefined : readFunction(value, `advance: ${name}`)

/** @param {AdvanceOptions} options */
function readOptions(options) {
  checkNames(readObject(options, 'advance: options'), OPTION_NAMES, 'advance')
  const { fixedDt = DEFAULT_FIXED_DT, maxSteps = DEFAULT_MAX_STEPS, timeBudget } = options
  return {
    dt: readPositive(fixedDt, 'advance: fixedDt'),
    most: readInteger(maxSteps, 'advance: maxSteps', 1, 1e9),
    budget:
      timeBudget === undefined ? Infinity : readPositive(timeBudget, 'advance: timeBudget') * 1000,
    beforeStep: readOptionalFunction(options.beforeStep, 'beforeStep'),
    afterStep: readOptionalFunction(options.afterStep, 'afterStep'),
    interpolates: readBoolean(options.interpolate ?? false, 'advance: interpolate'),
    now: readOptionalFunction(options.now, 'now') ?? (() => performance.now()),
  }
}

/** @param {AdvanceOptions} options */
const read = (options) => reading(options, 'advance: options', () => readOptions(options))

/** What every call without options has. */
const DEFAULTS = readOptions(NO_OPTIONS)

/** Time that comes in frames of any length, spent in steps of one length (Fiedler 2004, "Fix your timestep!"). */
export class FixedSteps {
  /** The part of a step, 0 to 1, that time is ahead of the world. */
  interpolation = 0
  /** Whether the last call dropped time. */
  isLate = false

  /** Seconds that are not stepped yet. */
  #remainder = 0
  #isRunning = false
  /** Steps that the present call has made. */
  #made = 0
  // The transforms before the last step, and whose they were.
  #previous = new Float32Array(0)
  #previousIds = new Float64Array(0)
  // Those before the step that is being made: it may be refused.
  #next = new Float32Array(0)
  #nextIds = new Float64Array(0)

  /**
   * @param {World} world
   * @param {number} seconds
   * @param {AdvanceOptions} options
   * @returns {number} steps made
   */
  advance(world, seconds, options = NO_OPTIONS) {
    const time = readNonNegative(seconds, 'advance: seconds')
    const how = options === NO_OPTIONS ? DEFAULTS : read(options)
    if (this.#isRunning) {
      throw new MoreauError('world-locked', 'advance: a function of advance must not call advance')
    }
    this.#isRunning = true
    this.#made = 0
    const remainder = this.#remainder
    const { interpolation, isLate } = this
    try {
      return this.#run(world, remainder + time, how)
    } catch (error) {
      // The call gives its seconds back, as far as no step has used them.
      this.#keep(remainder - this.#made * how.dt, how.dt)
      if (this.#made === 0) this.interpolation = interpolation
      this.isLate = isLate
      throw error
    } finally {
      this.#isRunning = false
    }
  }

  /**
   * @param {World} world
   * @param {number} available seconds
   * @param {typeof DEFAULTS} how
   */
  #run(world, available, { dt, most, budget, beforeStep, afterStep, interpolates, now }) {
    const due = Math.floor(available / dt + SLACK)
    const start = budget < Infinity ? now() : 0
    // After each step too, for those who look from within.
    this.#keep(available, dt)
    while (this.#made < Math.min(due, most)) {
      beforeStep?.(dt)
      this.#step(world, dt, interpolates)
      this.#keep(available - this.#made * dt, dt)
      afterStep?.(dt)
      if (budget < Infinity && now() - start > budget) break
    }
    this.isLate = this.#made < due
    // Time beyond the last step that may be made is dropped, except for the part of a step.
    this.#keep(available - due * dt, dt)
    return this.#made
  }

  /**
   * Makes a step. One that throws may be made all the same: listeners hear of it when it is over.
   * @param {World} world
   * @param {number} dt
   * @param {boolean} interpolates
   */
  #step(world, dt, interpolates) {
    if (interpolates) this.#lookAtTransforms(world)
    const count = stepCountOf(world)
    let isMade = true
    try {
      world.step(dt)
    } catch (error) {
      isMade = stepCountOf(world) !== count
      throw error
    } finally {
      if (isMade) this.#made++
      if (isMade && interpolates) this.#keepTransforms()
    }
  }

  /** @param {World} world */
  reset(world) {
    this.#remainder = this.interpolation = 0
    this.isLate = false
    this.#lookAtTransforms(world)
    this.#keepTransforms()
  }

  /**
   * The transforms before the last step. Bodies that are newer have those of now.
   * @param {World} world
   * @returns {Float32Array}
   */
  previousTransforms(world) {
    const { bodyIds } = world
    const transforms = transformsOf(world)
    if (this.#previousIds.length !== bodyIds.length) this.#grow(transforms, bodyIds.length)
    for (let slot = 0; slot < bodyIds.length; slot++) {
      if (this.#previousIds[slot] === bodyIds[slot]) continue
      this.#previousIds[slot] = bodyIds[slot]
      const at = STRIDE * slot
      for (let i = at; i < at + STRIDE; i++) this.#previous[i] = transforms[i]
    }
    return this.#previous
  }

  /**
   * @param {Float32Array} transforms
   * @param {number} slotCount
   */
  #grow(transforms, slotCount) {
    const previous = new Float32Array(transforms)
    const ids = new Float64Array(slotCount)
    previous.set(this.#previous.subarray(0, previous.length))
    ids.set(this.#previousIds.subarray(0, slotCount))
    this.#previous = previous
    this.#previousIds = ids
  }

  /**
   * The poses between the last two steps: positions along a straight line, orientations along the
   * chord, of unit length again.
   * @param {World} world
   * @param {Float32Array} out
   */
  interpolate(world, out) {
    const before = this.previousTransforms(world)
    const transforms = transformsOf(world)
    for (let at = 0; at < transforms.length; at += STRIDE) {
      blend(before, transforms, this.interpolation, out, at)
    }
  }

  /** @param {World} world */
  #lookAtTransforms(world) {
    const { bodyIds } = world
    const transforms = transformsOf(world)
    if (this.#nextIds.length !== bodyIds.length) {
      this.#next = new Float32Array(transforms.length)
      this.#nextIds = new Float64Array(bodyIds.length)
    }
    this.#next.set(transforms)
    this.#nextIds.set(bodyIds)
  }

  /** Those that were looked at are those before the last step. */
  #keepTransforms() {
    const [transforms, ids] = [this.#previous, this.#previousIds]
    this.#previous = this.#next
    this.#previousIds = this.#nextIds
    this.#next = transforms
    this.#nextIds = ids
  }

  /**
   * @param {number} remainder seconds that are left for the next call
   * @param {number} dt
   */
  #keep(remainder, dt) {
    this.#remainder = Math.max(0, remainder)
    this.interpolation = Math.min(1, this.#remainder / dt)
  }
}

/** Of a world that is stepped elsewhere this stays as it is. @param {World} world */
function stepCountOf(world) {
  const core = coreOf(world)
  return core.isFreed ? 0 : core.engine.exports.world_step_count(core.pointer)
}

/**
 * The transforms of now. They are not read for the user: whether the user keeps an array that is stale
 * (advice.mjs) does not depend on it.
 * @param {World} world
 */
function transformsOf(world) {
  const core = coreOf(world)
  const { viewedBuffer } = core
  const { transforms } = world
  core.viewedBuffer = viewedBuffer
  return transforms
}
