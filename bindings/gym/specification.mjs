import {
  checkNames,
  readFunction,
  readInteger,
  readObject,
  readPositive,
} from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { MoreauError } from '../core/errors.mjs'
import { similar } from '../core/spelling.mjs'

/** @import { BatchAction, BatchObservation, BatchStart, World } from '../index.mjs' */
/** @import { BoxDefinition } from './box.mjs' */
/** @import { Random } from './random.mjs' */

/**
 * The world that all worlds of an environment begin as, and what of them is acted on, seen and set, as `WorldBatch` has it.
 *
 * @typedef {object} EnvironmentTemplate
 * @property {World} world it is freed once the batch is made
 * @property {readonly BatchAction[]} actions
 * @property {readonly BatchObservation[]} observations what makes a `state`
 * @property {readonly BatchStart[]} [starts] what differs from one episode to the next
 */

/**
 * A step of an environment, for `judge` to look at. The object and its arrays are used again for the next one.
 *
 * @typedef {object} Transition
 * @property {Float64Array} action as it was given
 * @property {Float64Array} before the state before the step
 * @property {Float64Array} state the state after it
 * @property {number} seconds between the two
 * @property {number} reward to be written; 0 before
 * @property {boolean} isTerminated to be written; false before
 * @property {Record<string, number>} infos to be written, by the names that the specification lists
 */

/**
 * What an environment is. All functions must depend on their arguments alone.
 *
 * @typedef {object} EnvironmentSpecification
 * @property {(World: typeof import('../index.mjs').World) => EnvironmentTemplate} build makes a world with `new World(...)`
 * @property {number} timeStep s
 * @property {number} [frameSkip] steps that an action acts for, default 1
 * @property {number} [maxEpisodeSteps] actions after which an episode is truncated; default: never
 * @property {BoxDefinition} action its bounds are where actions are cut off
 * @property {BoxDefinition} observation
 * @property {readonly string[]} [infos] names of the numbers that `judge` tells beside the reward
 * @property {(start: Float64Array, random: Random) => void} [begin] changes what an episode begins with: the row of `starts`, as
 *   the template has it
 * @property {(action: Float64Array, row: Float64Array) => void} [act] writes a row of the batch's actions; default: the action itself
 * @property {(state: Float64Array, observation: Float64Array) => void} [observe] writes an observation; default: the state itself
 * @property {(transition: Transition) => void} judge writes reward and end
 */

const NAMES = [
  ...['build', 'timeStep', 'frameSkip', 'maxEpisodeSteps', 'action', 'observation', 'infos'],
  ...['begin', 'act', 'observe', 'judge'],
]
/** Actions and steps: those of years. */
const MOST = 2 ** 31 - 1

/** @type {Map<string, Required<EnvironmentSpecification>>} */
const registry = new Map()

/** @param {Float64Array} from @param {Float64Array} to */
const copy = (from, to) => to.set(from)

/**
 * Makes an environment known under a name, in the place of one that had it. docs/gym.md has an example.
 *
 * @param {string} id
 * @param {EnvironmentSpecification} specification
 * @throws {MoreauError} `invalid-argument`
 */
export function register(id, specification) {
  if (typeof id !== 'string' || id === '') throw invalid('register: id', 'a name', id)
  const path = `register: ${id}`
  const given = /** @type {EnvironmentSpecification} */ (
    /** @type {unknown} */ (readObject(specification, path))
  )
  checkNames(/** @type {any} */ (given), NAMES, path)
  const { frameSkip = 1, maxEpisodeSteps = Infinity, infos = [] } = given
  const { begin = () => {}, act = copy, observe = copy } = given
  if (maxEpisodeSteps !== Infinity) {
    readInteger(maxEpisodeSteps, `${path}.maxEpisodeSteps`, 1, MOST)
  }
  registry.set(id, {
    build: readFunction(given.build, `${path}.build`),
    judge: readFunction(given.judge, `${path}.judge`),
    begin: readFunction(begin, `${path}.begin`),
    act: readFunction(act, `${path}.act`),
    observe: readFunction(observe, `${path}.observe`),
    timeStep: readPositive(given.timeStep, `${path}.timeStep`),
    frameSkip: readInteger(frameSkip, `${path}.frameSkip`, 1, MOST),
    action: /** @type {any} */ (readObject(given.action, `${path}.action`)),
    observation: /** @type {any} */ (readObject(given.observation, `${path}.observation`)),
    infos: [...infos],
    maxEpisodeSteps,
  })
}

/** @returns {string[]} the names that `makeVec` knows */
export const environmentIds = () => [...registry.keys()]

/**
 * @param {string} id
 * @returns {Required<EnvironmentSpecification>}
 * @throws {MoreauError} `invalid-argument`, with the names that are meant perhaps
 */
export function specificationOf(id) {
  const found = registry.get(id)
  if (found) return found
  const near = similar(String(id), environmentIds())
  const names = (near.length > 0 ? near : environmentIds()).map((name) => `'${name}'`).join(', ')
  const hint = near.length > 0 ? `did you mean ${names}?` : `there are ${names}`
  throw new MoreauError(
    'invalid-argument',
    `makeVec: there is no environment '${String(id)}'; ${hint}`,
  )
}
