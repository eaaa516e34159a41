/**
 * Reads the words of the command line.
 */
import { parseArgs } from 'node:util'

/** @typedef {import('../bindings/index.mjs').WorldOptions} WorldOptions */

/**
 * @typedef {object} RunCommand
 * @property {'run'} name
 * @property {string} scene
 * @property {number} [seconds]
 * @property {number} [timeStep]
 * @property {WorldOptions} worldOptions
 * @property {boolean} json
 */

/** @typedef {RunCommand | { name: 'list', json: boolean } | { name: 'help' } | { name: 'version' }} Command */

/** The user asked for something that does not exist. The message says what does. */
export class UsageError extends Error {}

/** More steps than anybody waits for: surely a slip of the finger. */
const MAX_STEPS = 1e8

const options = /** @type {const} */ ({
  seconds: { type: 'string' },
  dt: { type: 'string' },
  solver: { type: 'string' },
  iterations: { type: 'string' },
  tolerance: { type: 'string' },
  stabilization: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', short: 'v', default: false },
})

/**
 * @param {string[]} words after the program's name
 * @returns {Command}
 * @throws {UsageError}
 */
export function parseCommand(words) {
  const { values, positionals } = parseWords(words)
  if (values.help) return { name: 'help' }
  if (values.version) return { name: 'version' }
  const [name, ...rest] = positionals
  if (name === undefined || name === 'help') return { name: 'help' }
  if (name === 'list') {
    refuseRest('list', rest, 0)
    return { name, json: values.json }
  }
  if (name !== 'run') throw new UsageError(`there is no command '${name}'; there are run, list`)
  if (rest.length === 0)
    throw new UsageError("run needs the name of a scene; 'moreau list' shows them")
  refuseRest('run', rest, 1)
  return readRun(rest[0], values)
}

/** @param {string[]} words */
function parseWords(words) {
  try {
    return parseArgs({ args: words, options, allowPositionals: true, strict: true })
  } catch (error) {
    const [firstSentence] = /** @type {Error} */ (error).message.split('. ')
    const names = Object.keys(options).map((option) => `--${option}`)
    throw new UsageError(`${firstSentence.replace(/\.$/, '')}; options are ${names.join(', ')}`)
  }
}

/**
 * @param {string} command
 * @param {string[]} rest
 * @param {number} allowed
 */
function refuseRest(command, rest, allowed) {
  if (rest.length <= allowed) return
  throw new UsageError(
    `${command} takes ${allowed || 'no'} name${allowed === 1 ? '' : 's'}, '${rest[allowed]}' is one too many`,
  )
}

/**
 * @param {string} scene
 * @param {ReturnType<typeof parseWords>['values']} values
 * @returns {RunCommand}
 */
function readRun(scene, values) {
  const seconds = readPositive('--seconds', values.seconds)
  const timeStep = readPositive('--dt', values.dt)
  if ((seconds ?? 1) / (timeStep ?? 1 / 60) > MAX_STEPS) {
    throw new UsageError(`--seconds and --dt ask for more than ${MAX_STEPS} steps`)
  }
  /** @type {Record<string, unknown>} */
  const worldOptions = {}
  // The engine knows which names and numbers it takes, and says so.
  if (values.solver !== undefined) worldOptions.solver = values.solver
  if (values.stabilization !== undefined) worldOptions.stabilization = values.stabilization
  const iterations = readPositive('--iterations', values.iterations)
  if (iterations !== undefined) worldOptions.iterations = iterations
  const tolerance = readNumber('--tolerance', values.tolerance, 'zero or more', (x) => x >= 0)
  if (tolerance !== undefined) worldOptions.tolerance = tolerance
  return {
    name: 'run',
    scene,
    ...(seconds === undefined ? {} : { seconds }),
    ...(timeStep === undefined ? {} : { timeStep }),
    worldOptions,
    json: values.json,
  }
}

/**
 * @param {string} option
 * @param {string | undefined} word
 */
const readPositive = (option, word) => readNumber(option, word, 'above zero', (x) => x > 0)

/**
 * @param {string} option
 * @param {string | undefined} word
 * @param {string} allowed
 * @param {(number: number) => boolean} isAllowed
 * @returns {number | undefined} undefined if it is not given
 */
function readNumber(option, word, allowed, isAllowed) {
  if (word === undefined) return undefined
  const number = word.trim() === '' ? NaN : Number(word)
  if (!Number.isFinite(number) || !isAllowed(number)) {
    throw new UsageError(`${option} is '${word}', but it must be a number ${allowed}`)
  }
  return number
}
