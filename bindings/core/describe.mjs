import { MoreauError } from './errors.mjs'
import { summaryOf } from './inspect.mjs'

// Values as messages show them, and the errors for values that are not allowed.

/** Longest text of a value in a message, characters. */
const MAX_DESCRIPTION = 80

/**
 * A value as a message shows it. Never throws, whatever the value's own functions do.
 * @param {unknown} value
 * @returns {string}
 */
export function describe(value) {
  const text = describeOrGiveUp(value)
  return text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION - 3)}...` : text
}

/** @param {unknown} value */
function describeOrGiveUp(value) {
  try {
    return describeWhole(value, 2)
  } catch {
    return `${typeof value === 'object' ? 'an' : 'a'} ${typeof value} that cannot be shown`
  }
}

/**
 * @param {unknown} value
 * @param {number} depth how deep to look into objects
 * @returns {string}
 */
function describeWhole(value, depth) {
  if (typeof value === 'string') return `'${value}'`
  if (typeof value === 'bigint') return `${value}n`
  if (Object.is(value, -0)) return '-0'
  if (typeof value === 'function') return `function ${value.name}`.trimEnd()
  if (typeof value !== 'object' || value === null) return String(value)
  const kind = value.constructor?.name ?? 'Object'
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && 'length' in value)) {
    const list = /** @type {ArrayLike<unknown>} */ (value)
    const name = Array.isArray(value) ? '' : `${kind} `
    if (depth === 0) return `${name}[...]`
    const shown = Array.from({ length: Math.min(list.length, 10) }, (_, i) => list[i])
    const items = shown.map((item) => describeWhole(item, depth - 1))
    if (list.length > shown.length) items.push('...')
    return `${name}[${items.join(', ')}]`
  }
  const summary = summaryOf(value)
  if (summary !== undefined) return summary
  const name = kind === 'Object' ? '' : `${kind} `
  if (depth === 0) return `${name}{...}`
  const entries = Object.keys(value)
    .slice(0, 5)
    .map((key) => {
      const entry = /** @type {Record<string, unknown>} */ (value)[key]
      return `${key}: ${describeWhole(entry, depth - 1)}`
    })
  return entries.length > 0 ? `${name}{ ${entries.join(', ')} }` : `${name}{}`
}

/**
 * The error for a value that is not allowed.
 * @param {string} path
 * @param {string} allowed what the value must be
 * @param {unknown} value
 * @param {ErrorOptions} [options] `cause`
 * @returns {MoreauError}
 */
export function invalid(path, allowed, value, options) {
  const message = `${path} must be ${allowed}, got ${describe(value)}`
  return new MoreauError('invalid-argument', message, options)
}

/**
 * The error for a list of a length that is not allowed.
 * @param {string} path
 * @param {string} allowed what the list must be
 * @param {ArrayLike<unknown>} list
 * @returns {MoreauError}
 */
export function invalidLength(path, allowed, { length }) {
  const message = `${path} must be ${allowed}, got ${length} numbers`
  return new MoreauError('invalid-argument', message)
}

/**
 * What to throw where writing to something of the user threw: it may be frozen, or take other
 * numbers. What its own setters throw is left as it is.
 * @param {unknown} error
 * @param {string} path
 * @param {string} allowed
 * @param {unknown} out
 * @returns {unknown}
 */
export function unwritable(error, path, allowed, out) {
  if (!(error instanceof TypeError)) return error
  return invalid(path, `${allowed}, that takes numbers`, out, { cause: error })
}
