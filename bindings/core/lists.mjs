import { invalid, unwritable } from './describe.mjs'
import { MoreauError } from './errors.mjs'

// Lists of the user: arrays and typed arrays, read and written.

/**
 * @param {unknown} value
 * @returns {boolean | undefined} undefined: a Proxy that was revoked
 */
export function isArray(value) {
  try {
    return Array.isArray(value)
  } catch {
    return undefined
  }
}

/**
 * @param {unknown} value
 * @returns {value is ArrayLike<unknown>}
 */
export function isList(value) {
  return isArray(value) || (ArrayBuffer.isView(value) && 'length' in value)
}

/**
 * By tag, not by instanceof: a Proxy is none, and one of another frame is one.
 * @param {unknown} value
 * @param {readonly string[]} names of types of typed arrays
 * @returns {value is ArrayLike<number>}
 */
export function isTypedArray(value, names) {
  return (
    ArrayBuffer.isView(value) && names.includes(value[/** @type {never} */ (Symbol.toStringTag)])
  )
}

const byteLength = /** @type {() => number} */ (
  /** @type {PropertyDescriptor} */ (
    Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength')
  ).get
)

/**
 * Likewise not by instanceof, which asks a Proxy.
 * @param {unknown} value
 * @returns {value is ArrayBuffer}
 */
export function isArrayBuffer(value) {
  try {
    byteLength.call(value)
    return true
  } catch {
    return false
  }
}

/**
 * @param {unknown} value
 * @returns {value is Float64Array}
 */
export function isFloat64Array(value) {
  return isTypedArray(value, FLOAT64)
}

const FLOAT64 = Object.freeze(['Float64Array'])

/**
 * What each item of a list is read as, by its indices: the iterator of a typed array whose memory
 * went elsewhere throws, and `map` leaves out the holes of a sparse array.
 * @template Item, Read
 * @param {ArrayLike<Item>} list
 * @param {(item: Item, index: number) => Read} read
 * @returns {Read[]}
 */
export function readItems(list, read) {
  return Array.from({ length: list.length }, (_, i) => read(list[i], i))
}

/**
 * @param {unknown} value
 * @returns {value is number}
 */
export function isFiniteNumber(value) {
  return typeof value === 'number' && Number.isFinite(value)
}

/** Bytes of an array at the most: the module's addresses have 32 bits, and a size beyond would wrap. */
export const MOST_BYTES = 2 ** 31 - 1

/**
 * Room for numbers of the user, as many as there are said to be.
 * @param {number} count
 * @param {string} path
 * @returns {Float64Array}
 */
export function makeNumbers(count, path) {
  const bytes = 8 * count
  try {
    if (bytes <= MOST_BYTES) return new Float64Array(count)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  throw new MoreauError('out-of-memory', `${path}: there is no room for ${bytes} bytes`)
}

/**
 * Writes numbers to an array of the user.
 * @param {ArrayLike<unknown>} out
 * @param {ArrayLike<number>} numbers
 * @param {number} count the first of them
 * @param {string} path
 */
export function writeList(out, numbers, count, path) {
  const list = checkRoom(out, count, path)
  try {
    for (let i = 0; i < count; i++) list[i] = numbers[i]
  } catch (error) {
    throw unwritable(error, path, 'an array or a typed array', out)
  }
}

/**
 * Typed arrays drop what does not fit without a word; plain arrays grow.
 * @param {ArrayLike<unknown>} list
 * @param {number} count
 * @param {string} path
 * @returns {number[]} the list
 */
export function checkRoom(list, count, path) {
  if (!isArray(list) && list.length < count) {
    throw invalid(path, `an array, or a typed array of ${count} or more`, list)
  }
  return /** @type {number[]} */ (list)
}
