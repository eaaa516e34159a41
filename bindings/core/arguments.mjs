import { describe, invalid } from './describe.mjs'
import { MoreauError } from './errors.mjs'
import { isArray } from './lists.mjs'
import { insteadOfOption, ownName, ownWord } from './other-names.mjs'
import { similar } from './spelling.mjs'

// Readers of what users pass. Each takes the value and its path ("createBody: shapes[1].radius"),
// and either gives a good value or throws an invalid-argument that names path, demand and value.

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {number}
 */
export function readNumber(value, path) {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw invalid(path, 'a finite number', value)
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {number}
 */
export function readPositive(value, path) {
  if (typeof value === 'number' && value > 0 && value < Infinity) return value
  throw invalid(path, 'a finite number above 0', value)
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {number}
 */
export function readNonNegative(value, path) {
  if (typeof value === 'number' && value >= 0 && value < Infinity) return value
  throw invalid(path, 'a finite number, 0 or more', value)
}

/**
 * A number that bounds something: Infinity for no bound.
 * @param {unknown} value
 * @param {string} path
 * @returns {number}
 */
export function readBound(value, path) {
  return value === Infinity ? Infinity : readNonNegative(value, path)
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {number} below 0: 'auto', which the engine chooses
 */
export function readOrAuto(value, path) {
  if (value === 'auto') return -1
  if (typeof value === 'number' && value >= 0 && value < Infinity) return value
  throw invalid(path, "a finite number, 0 or more, or 'auto'", value)
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {number} 0 to 1
 */
export function readFraction(value, path) {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value
  throw invalid(path, 'a number from 0 to 1', value)
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {boolean}
 */
export function readBoolean(value, path) {
  if (typeof value === 'boolean') return value
  throw invalid(path, 'true or false', value)
}

/**
 * @param {unknown} value
 * @param {string} path
 * @param {number} lowest
 * @param {number} highest
 * @returns {number}
 */
export function readInteger(value, path, lowest, highest) {
  const good = typeof value === 'number' && Number.isInteger(value)
  if (good && value >= lowest && value <= highest) return value
  throw invalid(path, `a whole number from ${lowest} to ${highest}`, value)
}

/**
 * One of a few words.
 * @template {string} Word
 * @param {unknown} value
 * @param {string} path
 * @param {readonly Word[]} words
 * @returns {Word}
 */
export function readWord(value, path, words) {
  const good = words.find((word) => word === value)
  if (good !== undefined) return good
  const names = words.map((word) => `'${word}'`).join(', ')
  const allowed = words.length > 1 ? `one of ${names}` : names
  if (typeof value === 'string') {
    const near = ownWord(value, words) ?? similar(value, words)[0]
    if (near !== undefined) {
      const message = `${path} must be ${allowed}, got '${value}'; did you mean '${near}'?`
      throw new MoreauError('invalid-argument', message)
    }
  }
  throw invalid(path, allowed, value)
}

/**
 * The place of a word among a few.
 * @param {unknown} value
 * @param {string} path
 * @param {readonly string[]} words
 * @returns {number}
 */
export function readWordNumber(value, path, words) {
  return words.indexOf(readWord(value, path, words))
}

/**
 * @template {Function} F
 * @param {F} value
 * @param {string} path
 * @returns {F}
 */
export function readFunction(value, path) {
  if (typeof value !== 'function') throw invalid(path, 'a function', value)
  return value
}

/**
 * Who is told something: the console, nobody or a function.
 * @param {unknown} value
 * @param {string} path
 * @returns {boolean | Function}
 */
export function readTeller(value, path) {
  if (typeof value === 'boolean' || typeof value === 'function') return value
  throw invalid(path, 'true, false or a function', value)
}

/**
 * An object, not an array and not null.
 * @param {unknown} value
 * @param {string} path
 * @returns {Record<string, unknown>}
 */
export function readObject(value, path) {
  if (isObject(value) && !isArray(value)) return value
  throw invalid(path, 'an object', value)
}

/**
 * Whether a value is an object, arrays included, that can be asked for something: a Proxy that was
 * revoked cannot, and is not.
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export function isObject(value) {
  return typeof value === 'object' && value !== null && isArray(value) !== undefined
}

/**
 * Refuses names that are not known, with the nearest one that is.
 * @param {Record<string, unknown>} options
 * @param {readonly string[]} known
 * @param {string} path what the options belong to: "World", "createBody: shape"
 */
export function checkNames(options, known, path) {
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue
    const near = ownName(name, known) ?? similar(name, known)[0]
    // Who comes from an engine of whole sizes has to halve them.
    const half = near?.startsWith('half') && !name.startsWith('half') ? ', half of the size' : ''
    const list = insteadOfOption(name) ?? `known are ${known.join(', ')}`
    const hint = near === undefined ? list : `did you mean '${near}'${half}?`
    const separator = path.includes(':') ? ' has an' : ':'
    throw new MoreauError(
      'invalid-argument',
      `${path}${separator} unknown option ${describe(name)}; ${hint}`,
    )
  }
}
