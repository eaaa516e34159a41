/**
 * Reads the words of the command line.
 */
import { parseArgs } from 'node:util'
import { similar } from '../bindings/core/spelling.mjs'

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

/** The engine gave up a run. The message says all. */
export class RunError extends Error {}

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
    refuseRunOptions(values)
    return { name, json: values.json }
  }
  if (name !== 'run') throw new UsageError(`there is no command '${name}'; ${commandHint(name)}`)
  if (rest.length === 0)
    throw new UsageError("run needs the name of a scene ('moreau list' shows them) or of a file")
  refuseRest('run', rest, 1)
  return readRun(rest[0], values)
}

/**
 * @param {string} name what is no command
 * @returns {string}
 */
function commandHint(name) {
  const [near] = similar(name, ['run', 'list', 'help'])
  if (near !== undefined) return `did you mean '${near}'?`
  return `there are run and list: 'moreau run ${name}' runs a scene or a file`
}

/** @param {string[]} words */
function parseWords(words) {
  const args = joinNegatives(words)
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(explainWords(args, /** @type {Error} */ (error).message))
  }
}

/**
 * A number below zero is the value of the option before it, and no option.
 *
 * @param {string[]} words
 */
function joinNegatives(words) {
  /** @type {string[]} */
  const joined = []
  for (const word of words) {
    const before = joined.at(-1)
    if (/^-[\d.]/.test(word) && before?.startsWith('--'))
      joined[joined.length - 1] = `${before}=${word}`
    else joined.push(word)
  }
  return joined
}

/**
 * @param {string[]} words that parseArgs refuses
 * @param {string} message of its error
 * @returns {string}
 */
function explainWords(words, message) {
  const names = Object.keys(options).map((option) => `--${option}`)
  const [firstSentence] = message.split(/\. |\n/)
  const missing =
    /'(?:-\w, )?(--\w+) <value>' argument missing|'(--\w+)' argument is ambiguous/.exec(message)
  if (missing)
    return `${missing[1] ?? missing[2]} needs a value behind it; 'moreau --help' shows which`
  const wrong = words.find((word) => /^-/.test(word) && !names.includes(word.split('=')[0]))
  const [near] = similar(wrong?.split('=')[0] ?? '', names)
  const hint = near === undefined ? `options are ${names.join(', ')}` : `did you mean '${near}'?`
  return `${firstSentence.replace(/\.$/, '')}; ${hint}`
}

/** @param {ReturnType<typeof parseWords>['values']} values */
function refuseRunOptions(values) {
  const given = Object.keys(values).find((name) => !['json', 'help', 'version'].includes(name))
  if (given !== undefined)
    throw new UsageError(`list takes no --${given}, which is an option of run`)
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
