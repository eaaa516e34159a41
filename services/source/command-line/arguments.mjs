import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'

/** The user asked for something that does not exist. The message says what does. */
export class UsageError extends Error {}

/**
 * @template {import('node:util').ParseArgsOptionsConfig} Options
 * @param {string} command
 * @param {string[]} words after the command
 * @param {Options} options
 * @param {string | undefined} [noun] what the command needs a name of: `a scene`
 */
export function readWords(command, words, options, noun) {
  const parsed = parse(command, words, options)
  const { positionals } = parsed
  if (noun && positionals.length === 0) throw new UsageError(`${command} needs the name of ${noun}`)
  const strange = positionals[noun ? 1 : 0]
  if (strange !== undefined)
    throw new UsageError(
      `${command}: what is '${strange}'? Beside options there can be ${noun ?? 'nothing'}`,
    )
  return { values: parsed.values, name: positionals[0] ?? '' }
}

/**
 * @template {import('node:util').ParseArgsOptionsConfig} Options
 * @param {string} command @param {string[]} args @param {Options} options
 */
function parse(command, args, options) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    const [sentence] = /** @type {Error} */ (error).message.split(/\. |\.?\n/)
    const names = Object.keys(options).map((name) => `--${name}`)
    throw new UsageError(
      `${command}: ${sentence.replace(/\.$/, '')}; options are ${names.join(', ')}`,
      { cause: error },
    )
  }
}

/**
 * @param {string} option as `--workers`
 * @param {string} text
 * @param {number} least
 * @returns {number}
 */
export function readWhole(option, text, least) {
  const value = Number(text)
  if (Number.isInteger(value) && value >= least) return value
  throw new UsageError(`${option} ${text}: must be a whole number, ${least} or more`)
}

/** The last port that there is. */
const LAST_PORT = 65_535

/** @param {string} option as `--port` @param {string} text @param {number} least 0 where any free one will do @returns {number} */
export function readPort(option, text, least) {
  const port = readWhole(option, text, least)
  if (port <= LAST_PORT) return port
  throw new UsageError(`${option} ${text}: must be at most ${LAST_PORT}`)
}

/** @param {string} option @param {string} path @returns {string} it */
export function readFolder(option, path) {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path
  throw new UsageError(`${option} ${path}: there is no such folder`)
}

/** @param {string} option @param {string} text @returns {number} s, above 0 */
export function readSeconds(option, text) {
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new UsageError(`${option} ${text}: must be a number of seconds above 0`)
}
