import { MoreauError } from '../core/errors.mjs'
import { isArray, isList } from '../core/lists.mjs'

// Values as JSON can hold them. Doubles survive its text, but for three kinds: infinities are not in the
// format, and JSON.stringify writes -0 as 0. These are strings in the file.

/** The version of the format that is written and read. */
export const VERSION = 1

/** @type {ReadonlyMap<unknown, number>} */
const NUMBERS = new Map([
  ['-0', -0],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
])

/** Names of what is no number, whatever it looks like. */
const VERBATIM = new Set(['userData', 'name', 'typeName', 'asset'])

/** Objects within each other: those that refer to themselves have no end. */
const MOST_NESTED = 64

/**
 * A value of a scene as JSON can hold it. Names whose value is undefined are left out.
 * @param {unknown} value
 * @returns {unknown}
 */
export function toPlain(value) {
  if (Object.is(value, -0)) return '-0'
  if (value === Infinity || value === -Infinity) return String(value)
  if (isList(value)) return Array.from(value, toPlain)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, one]) => one !== undefined)
  return Object.fromEntries(
    entries.map(([name, one]) => [name, VERBATIM.has(name) ? one : toPlain(one)]),
  )
}

/**
 * The value that was made plain.
 * @param {unknown} value
 * @param {string} path
 * @param {number} [depth]
 * @returns {unknown}
 */
export function fromPlain(value, path, depth = 0) {
  if (depth > MOST_NESTED) {
    const message = `${path}: objects are within each other more than ${MOST_NESTED} deep`
    throw new MoreauError('invalid-argument', message)
  }
  if (typeof value === 'string') return NUMBERS.get(value) ?? value
  if (isArray(value)) {
    return Array.from(/** @type {unknown[]} */ (value), (one) => fromPlain(one, path, depth + 1))
  }
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      VERBATIM.has(name) ? one : fromPlain(one, path, depth + 1),
    ]),
  )
}

/**
 * Gives the errors of a reader the place in the file: its messages begin with the call that the reader
 * is of.
 * @template Result
 * @param {string} path in the file: `bodies[3]`
 * @param {string} where the call: `createBody`
 * @param {() => Result} read
 * @returns {Result}
 */
export function within(path, where, read) {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof MoreauError) || !error.message.startsWith(`${where}: `)) throw error
    const rest = error.message.slice(where.length + 2)
    // "radius must be ..." is about a member, "mass and density exclude each other" about the whole.
    const isOfMember = /^[a-z][\w.[\]]*(:| must | of type )/.test(rest)
    throw new MoreauError(error.code, `${path}${isOfMember ? '.' : ': '}${rest}`, { cause: error })
  }
}
