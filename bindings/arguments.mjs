import { MoreauError } from './errors.mjs'
import { similar } from './spelling.mjs'

// Readers of what users pass. Each takes the value and its path ("createBody: shapes[1].radius"),
// and either gives a good value or throws an invalid-argument that names path, demand and value.

/** @import { InertiaLike, Quaternion, QuaternionLike, QuaternionOut } from './types.mjs' */
/** @import { Vector, VectorLike, VectorOut } from './types.mjs' */

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

/**
 * The error for a value that a later version may take.
 * @param {string} path
 * @param {unknown} value
 * @param {string} allowed what works now
 * @returns {MoreauError}
 */
export function notSupported(path, value, allowed) {
  const message = `${path} ${describe(value)} is not supported by this version; allowed: ${allowed}`
  return new MoreauError('not-supported', message)
}

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
 * One of a few words. A word of `later` throws not-supported.
 * @template {string} Word
 * @param {unknown} value
 * @param {string} path
 * @param {readonly Word[]} words
 * @param {readonly string[]} [later]
 * @returns {Word}
 */
export function readWord(value, path, words, later = []) {
  const good = words.find((word) => word === value)
  if (good !== undefined) return good
  const names = words.map((word) => `'${word}'`).join(', ')
  const allowed = words.length > 1 ? `one of ${names}` : names
  if (typeof value === 'string') {
    if (later.includes(value)) throw notSupported(path, value, names)
    const [near] = similar(value, [...words, ...later])
    if (near !== undefined) {
      const message = `${path} must be ${allowed}, got '${value}'; did you mean '${near}'?`
      throw new MoreauError('invalid-argument', message)
    }
  }
  throw invalid(path, allowed, value)
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
 * @param {unknown} value
 * @returns {boolean | undefined} undefined: a Proxy that was revoked
 */
function isArray(value) {
  try {
    return Array.isArray(value)
  } catch {
    return undefined
  }
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
    const [near] = similar(name, known)
    const hint = near === undefined ? `known are ${known.join(', ')}` : `did you mean '${near}'?`
    const separator = path.includes(':') ? ' has an' : ':'
    throw new MoreauError(
      'invalid-argument',
      `${path}${separator} unknown option ${describe(name)}; ${hint}`,
    )
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
 * @returns {value is Float64Array}
 */
export function isFloat64Array(value) {
  return (
    ArrayBuffer.isView(value) && value[/** @type {never} */ (Symbol.toStringTag)] === 'Float64Array'
  )
}

// Vectors and quaternions go straight from where they are into doubles: a number that is passed from
// function to function, or may come from either of two branches, may be put into an object on the
// way. Paths are made where something is wrong.

/**
 * @param {unknown} value a VectorLike
 * @param {Float64Array} out
 * @param {number} at where its three numbers go
 * @returns {boolean} whether it is one; if not, what is in `out` there means nothing
 */
export function putVector(value, out, at) {
  if (isList(value)) {
    if (value.length !== 3) return false
    const x = value[0]
    const y = value[1]
    const z = value[2]
    if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number') return false
    out[at] = x
    out[at + 1] = y
    out[at + 2] = z
  } else if (isObject(value)) {
    const { x, y, z } = value
    if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number') return false
    out[at] = x
    out[at + 1] = y
    out[at + 2] = z
  } else {
    return false
  }
  // Of what is not finite this is NaN.
  return 0 * out[at] + 0 * out[at + 1] + 0 * out[at + 2] === 0
}

/**
 * @param {unknown} value a VectorLike
 * @param {string} path
 * @param {Float64Array} out where its numbers go, from the first place on
 */
export function readVector(value, path, out) {
  if (!putVector(value, out, 0)) throw noVector(value, path)
}

/**
 * For what is read once in a while: putVector is quick as long as it meets few kinds of arrays.
 * @param {unknown} value a VectorLike
 * @param {string} path
 * @returns {Vector}
 */
export function toVector(value, path) {
  const numbers = componentsOf(value, 'xyz')
  if (numbers.length === 3 && numbers.every(isFiniteNumber)) {
    return /** @type {Vector} */ (numbers)
  }
  throw noVector(value, path)
}

/**
 * @param {unknown} value
 * @param {string} names of its components, if it is an object
 * @returns {unknown[]}
 */
function componentsOf(value, names) {
  // Not a copy of a list of any length.
  if (isList(value)) return value.length === names.length ? Array.from(value) : []
  return isObject(value) ? Array.from(names, (name) => value[name]) : []
}

/**
 * @param {unknown} value
 * @param {string} path
 */
export function noVector(value, path) {
  return invalid(path, 'three finite numbers or an object with x, y, z', value)
}

/**
 * @param {unknown} value a QuaternionLike
 * @param {Float64Array} out
 * @param {number} at where its four numbers go
 * @returns {boolean} whether it is one and not zero; if not, what is in `out` there means nothing
 */
export function putQuaternion(value, out, at) {
  if (isList(value)) {
    if (value.length !== 4) return false
    const x = value[0]
    const y = value[1]
    const z = value[2]
    const w = value[3]
    if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number') return false
    if (typeof w !== 'number') return false
    out[at] = x
    out[at + 1] = y
    out[at + 2] = z
    out[at + 3] = w
  } else if (isObject(value)) {
    const { x, y, z, w } = value
    if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number') return false
    if (typeof w !== 'number') return false
    out[at] = x
    out[at + 1] = y
    out[at + 2] = z
    out[at + 3] = w
  } else {
    return false
  }
  const isZero = out[at] === 0 && out[at + 1] === 0 && out[at + 2] === 0 && out[at + 3] === 0
  return !isZero && 0 * out[at] + 0 * out[at + 1] + 0 * out[at + 2] + 0 * out[at + 3] === 0
}

/**
 * @param {unknown} value a QuaternionLike
 * @param {string} path
 * @param {Float64Array} out where its numbers go, from the first place on
 */
export function readQuaternion(value, path, out) {
  if (!putQuaternion(value, out, 0)) throw noQuaternion(value, path)
}

/**
 * As toVector.
 * @param {unknown} value a QuaternionLike
 * @param {string} path
 * @returns {Quaternion}
 */
export function toQuaternion(value, path) {
  const numbers = componentsOf(value, 'xyzw')
  const isZero = numbers.every((number) => number === 0)
  if (numbers.length === 4 && numbers.every(isFiniteNumber) && !isZero) {
    return /** @type {Quaternion} */ (numbers)
  }
  throw noQuaternion(value, path)
}

/**
 * @param {unknown} value
 * @param {string} path
 */
export function noQuaternion(value, path) {
  const allowed = 'four finite numbers x y z w, not all 0, or an object with x, y, z, w'
  return invalid(path, allowed, value)
}

/**
 * Reads `[Ixx, Iyy, Izz]` or 9 numbers by rows to nine numbers by rows. Whether they are symmetric
 * and positive definite is for the engine to see.
 * @param {unknown} value an InertiaLike
 * @param {string} path
 * @returns {number[]}
 */
export function readInertia(value, path) {
  const numbers = isList(value) && value.length <= 9 ? readItems(value, (number) => number) : []
  const good = numbers.length === 3 || numbers.length === 9
  if (!good || !numbers.every(isFiniteNumber)) {
    throw invalid(path, '[Ixx, Iyy, Izz] or 9 finite numbers by rows', value)
  }
  if (numbers.length === 9) return numbers
  const [xx, yy, zz] = numbers
  return [xx, 0, 0, 0, yy, 0, 0, 0, zz]
}

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
function isFiniteNumber(value) {
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
 * Writes a vector to what the user gave for it. It comes as a place in an array: numbers that are
 * passed from function to function may be put into objects on the way.
 * @template {VectorOut} Out
 * @param {Out} out
 * @param {Float64Array} from
 * @param {number} at
 * @param {string} path
 * @returns {Out} `out`
 */
export function writeVector(out, from, at, path) {
  // All is read before anything is written: setters of the user may move what `from` is on.
  const x = from[at]
  const y = from[at + 1]
  const z = from[at + 2]
  try {
    if (isList(out)) {
      const list = checkRoom(out, 3, path)
      list[0] = x
      list[1] = y
      list[2] = z
      return out
    }
    if (isObject(out)) {
      const object = /** @type {{ x: number, y: number, z: number }} */ (out)
      object.x = x
      object.y = y
      object.z = z
      return out
    }
  } catch (error) {
    throw unwritable(error, path, OUT_VECTOR, out)
  }
  throw invalid(path, OUT_VECTOR, out)
}

/**
 * Writes a quaternion to what the user gave for it.
 * @template {QuaternionOut} Out
 * @param {Out} out
 * @param {Float64Array} from
 * @param {number} at
 * @param {string} path
 * @returns {Out} `out`
 */
export function writeQuaternion(out, from, at, path) {
  const x = from[at]
  const y = from[at + 1]
  const z = from[at + 2]
  const w = from[at + 3]
  try {
    if (isList(out)) {
      const list = checkRoom(out, 4, path)
      list[0] = x
      list[1] = y
      list[2] = z
      list[3] = w
      return out
    }
    if (isObject(out)) {
      const object = /** @type {{ x: number, y: number, z: number, w: number }} */ (out)
      object.x = x
      object.y = y
      object.z = z
      object.w = w
      return out
    }
  } catch (error) {
    throw unwritable(error, path, OUT_QUATERNION, out)
  }
  throw invalid(path, OUT_QUATERNION, out)
}

const OUT_VECTOR = 'an array, a typed array of 3 or more, or an object with x, y, z'
const OUT_QUATERNION = 'an array, a typed array of 4 or more, or an object with x, y, z, w'

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
