/// <reference lib="esnext.disposable" preserve="true" />
import { checkNames, readObject } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { MoreauError } from '../core/errors.mjs'
import { dropMissingDispose } from '../core/lifetime.mjs'
import { isList } from '../core/lists.mjs'
import { Box } from './box.mjs'
import { Random } from './random.mjs'
import { readMask, readSeeds } from './reset-options.mjs'
import { Rows } from './rows.mjs'

/** @import { WorldBatch } from '../index.mjs' */
/** @import { EnvironmentSpecification, Transition } from './specification.mjs' */

/**
 * When an episode that has ended begins again, as in Gymnasium 1.x. `'next-step'`: at the next `step`, which ignores its action and
 * gives reward 0. `'same-step'`: in the step that ends it, whose last observation is in `infos.finalObservations`. `'disabled'`:
 * when `reset` is called.
 *
 * @typedef {'next-step' | 'same-step' | 'disabled'} AutoresetMode
 */

/** @type {readonly AutoresetMode[]} */
export const AUTORESET_MODES = Object.freeze(['next-step', 'same-step', 'disabled'])

/**
 * What is told beside the observations, a number per environment each: those that the environment names, and these.
 *
 * @typedef {{
 *   episodeSteps: Float64Array,
 *   failed: Uint8Array,
 *   finalObservations?: Float64Array,
 *   isFinal?: Uint8Array,
 * } & Record<string, Float64Array | Uint8Array>} Infos `episodeSteps`: actions since the episode began. `failed`: 1 where the engine
 *   refused the step, which ends the episode. With `'same-step'`: the rows of `finalObservations` that count have 1 in `isFinal`
 */

/**
 * @typedef {object} StepResult
 * @property {Float64Array} observations a row per environment
 * @property {Float64Array} rewards
 * @property {Uint8Array} terminations 1 where the episode came to its end
 * @property {Uint8Array} truncations 1 where its time was over
 * @property {Infos} infos
 */

/** @typedef {Pick<StepResult, 'observations' | 'infos'>} ResetResult */

/**
 * @typedef {object} ResetOptions
 * @property {number | ArrayLike<number>} [seed] environment i gets `seed + i`, or its own of a list; default: random numbers go on
 * @property {ArrayLike<number | boolean>} [mask] which environments begin again; default: all
 */

/**
 * Many environments of one kind, stepped together: Gymnasium's `VectorEnv`. The arrays that `reset` and `step` give are the same ones in every
 * call: take a copy of what is to be kept.
 */
export class VectorEnvironment {
  /** @readonly */
  id
  /** @readonly */
  numEnvs
  /** @readonly @type {AutoresetMode} */
  autoresetMode
  /** Of one environment. @readonly */
  singleActionSpace
  /** @readonly */
  singleObservationSpace
  /** Of all of them: a row each. @readonly */
  actionSpace
  /** @readonly */
  observationSpace

  #specification
  /** @type {WorldBatch | null} */
  #batch
  #usualStart
  #random
  /** @type {Rows} */
  #actions
  /** States after the last step, and before it. @type {Rows} */
  #states
  /** @type {Rows} */
  #before
  /** @type {Rows} */
  #observations
  /** @type {StepResult} */
  #result
  /** Episodes that the next step begins anew. */
  #ended
  /** Actions since each episode began. */
  #steps
  #hasBegun = false
  /** @type {Transition} */
  #transition

  /**
   * @param {string} id
   * @param {Required<EnvironmentSpecification>} specification
   * @param {WorldBatch} batch of its worlds: it is freed by `close`
   * @param {{ autoresetMode: AutoresetMode, seed: number }} options
   */
  constructor(id, specification, batch, { autoresetMode, seed }) {
    const { action, observation } = specification
    const numEnvs = batch.count
    this.id = id
    this.numEnvs = numEnvs
    this.autoresetMode = autoresetMode
    this.singleActionSpace = new Box(action)
    this.singleObservationSpace = new Box(observation)
    this.actionSpace = new Box(action, numEnvs)
    this.observationSpace = new Box(observation, numEnvs)
    this.#specification = specification
    this.#batch = batch
    this.#usualStart = batch.starts.slice(0, batch.startSize)
    this.#random = Array.from({ length: numEnvs }, (_, i) => new Random(seed + i))
    this.#actions = new Rows(numEnvs, action.size)
    this.#states = new Rows(numEnvs, batch.observationSize)
    this.#before = new Rows(numEnvs, batch.observationSize)
    this.#observations = new Rows(numEnvs, observation.size)
    this.#ended = new Uint8Array(numEnvs)
    this.#steps = new Float64Array(numEnvs)
    this.#result = this.#makeResult()
    this.#transition = this.#makeTransition()
  }

  /** @returns {StepResult} */
  #makeResult() {
    const { numEnvs, autoresetMode } = this
    const named = this.#specification.infos.map((name) => [name, new Float64Array(numEnvs)])
    /** @type {Infos} */
    const infos = {
      ...Object.fromEntries(named),
      episodeSteps: new Float64Array(numEnvs),
      failed: new Uint8Array(numEnvs),
    }
    if (autoresetMode === 'same-step') {
      infos.finalObservations = new Float64Array(this.#observations.numbers.length)
      infos.isFinal = new Uint8Array(numEnvs)
    }
    return {
      observations: this.#observations.numbers,
      rewards: new Float64Array(numEnvs),
      terminations: new Uint8Array(numEnvs),
      truncations: new Uint8Array(numEnvs),
      infos,
    }
  }

  /** @returns {Transition} */
  #makeTransition() {
    const { timeStep, frameSkip } = this.#specification
    const none = new Float64Array(0)
    return {
      ...{ action: none, before: none, state: none, seconds: timeStep * frameSkip },
      ...{ reward: 0, isTerminated: false, infos: {} },
    }
  }

  /**
   * Begins new episodes.
   *
   * @param {ResetOptions} [options]
   * @returns {ResetResult}
   * @throws {MoreauError} `invalid-argument`, `stale-handle`
   */
  reset(options = {}) {
    const batch = this.#open('reset')
    const { seed, mask } = readObject(options, 'reset: options')
    checkNames(/** @type {any} */ (options), ['seed', 'mask'], 'reset')
    const chosen = readMask(mask, this.numEnvs)
    const seeds = readSeeds(seed, this.numEnvs)
    const { rewards, terminations, truncations, infos } = this.#result
    chosen.forEach((isChosen, i) => {
      if (!isChosen) return
      if (seeds !== undefined) this.#random[i] = new Random(seeds[i])
      rewards[i] = terminations[i] = truncations[i] = 0
      infos.failed[i] = infos.episodeSteps[i] = 0
    })
    this.#begin(batch, chosen)
    this.#hasBegun ||= chosen.every((isChosen) => isChosen === 1)
    return { observations: this.#result.observations, infos }
  }

  /**
   * Acts in all environments.
   *
   * @param {ArrayLike<number>} actions a row per environment, one after the other; what is beyond the bounds of `actionSpace` acts as they do
   * @returns {StepResult}
   * @throws {MoreauError} `invalid-argument`, `stale-handle`; `not-initialized` before the first `reset`
   */
  step(actions) {
    const batch = this.#open('step')
    if (!this.#hasBegun) {
      throw new MoreauError('not-initialized', 'step: reset() has to come first')
    }
    this.#readActions(actions)
    this.#act(batch)
    const { timeStep, frameSkip } = this.#specification
    batch.step(timeStep, frameSkip)
    ;[this.#before, this.#states] = [this.#states, this.#before]
    this.#states.numbers.set(batch.observations)
    this.#judgeAll(batch.results)
    this.#beginEnded(batch)
    return this.#result
  }

  /** Gives all memory back; everything else throws `stale-handle` from then on. */
  close() {
    this.#batch?.free()
    this.#batch = null
  }

  /** The same as `close()`, for `using`. */
  [Symbol.dispose]() {
    this.close()
  }

  /** @param {string} where */
  #open(where) {
    if (this.#batch) return this.#batch
    throw new MoreauError('stale-handle', `${where}: the environments were closed`)
  }

  // --- actions ------------------------------------------------------------------------------------

  /** @param {ArrayLike<number>} actions all are looked at before anything changes */
  #readActions(actions) {
    const { numbers } = this.#actions
    if (!isList(actions) || actions.length !== numbers.length) {
      throw invalid('step: actions', `${numbers.length} numbers`, actions)
    }
    for (let i = 0; i < numbers.length; i++) {
      if (!Number.isFinite(actions[i])) {
        throw invalid(`step: actions[${i}]`, 'a finite number', actions[i])
      }
    }
    numbers.set(actions)
  }

  /** @param {WorldBatch} batch */
  #act(batch) {
    const { low, high } = this.singleActionSpace
    const bounded = new Float64Array(low.length)
    const { actions, actionSize } = batch
    for (let i = 0; i < this.numEnvs; i++) {
      const row = actions.subarray(i * actionSize, (i + 1) * actionSize)
      // An episode that begins anew in this step is not acted on.
      if (this.#ended[i]) {
        row.fill(0)
        continue
      }
      this.#actions.rows[i].forEach((number, k) => {
        bounded[k] = Math.min(Math.max(number, low[k]), high[k])
      })
      this.#specification.act(bounded, row)
    }
  }

  // --- rewards and ends ---------------------------------------------------------------------------

  /** @param {Uint32Array} results what the engine says of each step */
  #judgeAll(results) {
    for (let i = 0; i < this.numEnvs; i++) {
      if (this.#ended[i]) this.#record(i, 0, false, false)
      else if (results[i] !== 0) this.#record(i, 0, true, true)
      else this.#judge(i)
    }
  }

  /** @param {number} i */
  #judge(i) {
    const transition = this.#transition
    transition.action = this.#actions.rows[i]
    transition.before = this.#before.rows[i]
    transition.state = this.#states.rows[i]
    transition.reward = 0
    transition.isTerminated = false
    for (const name of this.#specification.infos) transition.infos[name] = 0
    this.#specification.judge(transition)
    this.#record(i, transition.reward, transition.isTerminated, false)
    const { infos } = this.#result
    for (const name of this.#specification.infos) infos[name][i] = transition.infos[name]
  }

  /**
   * @param {number} i
   * @param {number} reward
   * @param {boolean} isTerminated
   * @param {boolean} hasFailed
   */
  #record(i, reward, isTerminated, hasFailed) {
    const { rewards, terminations, truncations, infos } = this.#result
    const steps = this.#ended[i] ? 0 : this.#steps[i] + 1
    rewards[i] = reward
    terminations[i] = isTerminated ? 1 : 0
    truncations[i] = steps >= this.#specification.maxEpisodeSteps ? 1 : 0
    infos.failed[i] = hasFailed ? 1 : 0
    infos.episodeSteps[i] = this.#steps[i] = steps
  }

  // --- episodes -----------------------------------------------------------------------------------

  /**
   * Begins what has to begin after a step, and writes all observations.
   * @param {WorldBatch} batch
   */
  #beginEnded(batch) {
    const { terminations, truncations, infos } = this.#result
    const hasEnded = terminations.map((end, i) => end | truncations[i])
    if (this.autoresetMode === 'next-step') {
      this.#begin(batch, this.#ended.slice())
      this.#ended = hasEnded
      return
    }
    this.#observe()
    if (this.autoresetMode === 'disabled') return
    infos.isFinal?.set(hasEnded)
    infos.finalObservations?.set(this.#observations.numbers)
    this.#begin(batch, hasEnded)
  }

  /**
   * Has chosen environments begin a new episode, and writes all observations.
   * @param {WorldBatch} batch
   * @param {Uint8Array} chosen
   */
  #begin(batch, chosen) {
    if (chosen.some((isChosen) => isChosen === 1)) {
      this.#writeStarts(batch, chosen)
      if (batch.reset(chosen) > 0) {
        const [failure] = batch.failures
        throw new MoreauError(failure.code, `${this.id}: ${failure.message}`)
      }
      this.#states.numbers.set(batch.observations)
    }
    this.#observe()
  }

  /**
   * @param {WorldBatch} batch
   * @param {Uint8Array} chosen
   */
  #writeStarts(batch, chosen) {
    const { starts, startSize } = batch
    chosen.forEach((isChosen, i) => {
      if (!isChosen) return
      const row = starts.subarray(i * startSize, (i + 1) * startSize)
      row.set(this.#usualStart)
      this.#specification.begin(row, this.#random[i])
      this.#ended[i] = 0
      this.#steps[i] = 0
    })
  }

  #observe() {
    for (let i = 0; i < this.numEnvs; i++) {
      this.#specification.observe(this.#states.rows[i], this.#observations.rows[i])
    }
  }
}

dropMissingDispose(VectorEnvironment)
