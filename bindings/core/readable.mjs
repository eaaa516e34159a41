import { isObject } from './arguments.mjs'
import { MoreauError } from './errors.mjs'
import { summaryOf } from './inspect.mjs'
import { isArray } from './lists.mjs'

// What users give may have functions of its own: getters, the traps of a Proxy. Where one of them throws, or an object
// refers to itself, the error says where. It is looked for when the reader has failed: good data cost nothing.

/** Objects within each other: nothing that is read goes half as deep. */
const MOST_NESTED = 128
/** Values that are looked at in the search for a fault: it costs no more than what users give in earnest. */
const MOST_VALUES = 100_000
/** Longest path in a message, characters: of those that are longer the beginning. */
const LONGEST_PATH = 200

/**
 * Has something read that the user gave.
 * @template Result
 * @param {unknown} value
 * @param {string} path of the value: "createBody: definition"
 * @param {() => Result} read
 * @returns {Result}
 * @throws {MoreauError} in place of whatever `read` throws, but for the overflow of the stack
 */
export function reading(value, path, read) {
  return readingAll({ [path]: value }, read)
}

/**
 * Likewise more than one value.
 * @template Result
 * @param {Record<string, unknown>} values by their paths
 * @param {() => Result} read
 * @returns {Result}
 */
export function readingAll(values, read) {
  try {
    return read()
  } catch (error) {
    if (error instanceof MoreauError) throw error
    throw faultOf(values, error)
  }
}

/**
 * @param {Record<string, unknown>} values by their paths
 * @param {unknown} error that reading them has thrown
 * @returns {unknown} what to throw in its place
 */
function faultOf(values, error) {
  try {
    const seen = { finished: new WeakSet(), left: MOST_VALUES }
    for (const path in values) find(values[path], path, [], seen)
  } catch (found) {
    // Near the end of the stack nothing can be found out.
    return found instanceof MoreauError ? found : error
  }
  const [first] = Object.keys(values)
  return isOverflow(error) ? error : unreadable(first, error)
}

/**
 * Goes through everything that the value holds.
 * @param {unknown} value
 * @param {string} path
 * @param {{ object: object, path: string }[]} above what the value is in
 * @param {{ finished: WeakSet<object>, left: number }} seen objects without a fault, and how many values may still be looked at
 * @throws {MoreauError} at the first that cannot be read
 */
function find(value, path, above, seen) {
  const object = attempt(path, () => whatHolds(value))
  if (object === undefined || seen.finished.has(object) || seen.left-- <= 0) return
  const same = above.find((one) => one.object === object)
  if (same) throw fault(path, `an object that does not refer to what it is in: it is ${same.path}`)
  if (above.length === MOST_NESTED) {
    throw fault(path, `less deep: objects are within each other more than ${MOST_NESTED} deep`)
  }
  above.push({ object, path })
  for (const key of attempt(path, () => Object.keys(object))) {
    const place = isArray(object) ? `${path}[${key}]` : `${path}.${key}`
    const held = attempt(place, () => object[key])
    find(held, place, above, seen)
  }
  above.pop()
  seen.finished.add(object)
}

/**
 * The value, if it is an object whose members are looked at: not numbers in typed arrays, nor bodies and the like.
 * @param {unknown} value
 */
function whatHolds(value) {
  const isOne = isObject(value) && !ArrayBuffer.isView(value) && summaryOf(value) === undefined
  return isOne ? value : undefined
}

/**
 * @template Result
 * @param {string} path
 * @param {() => Result} read
 * @returns {Result}
 */
function attempt(path, read) {
  try {
    return read()
  } catch (error) {
    throw isOverflow(error) ? error : unreadable(path, error)
  }
}

/** @param {unknown} error */
function isOverflow(error) {
  return error instanceof Error && /call stack|recursion/i.test(error.message)
}

/** @param {string} path @param {string} allowed */
function fault(path, allowed) {
  return new MoreauError('invalid-argument', `${shortened(path)} must be ${allowed}`)
}

/** @param {string} path @param {unknown} cause */
function unreadable(path, cause) {
  let why = 'it throws'
  try {
    why = String(cause)
  } catch {
    // What was thrown cannot be shown either.
  }
  return new MoreauError('invalid-argument', `${shortened(path)} cannot be read: ${why}`, { cause })
}

/** @param {string} path */
function shortened(path) {
  return path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}...` : path
}
