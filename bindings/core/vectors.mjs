import { isObject } from './arguments.mjs'
import { invalid, unwritable } from './describe.mjs'
import { checkRoom, isFiniteNumber, isList, readItems } from './lists.mjs'

// Vectors, quaternions and inertias of the user, read and written.
//
// They go straight from where they are into doubles: a number that is passed from function to
// function, or may come from either of two branches, may be put into an object on the way. Paths are
// made where something is wrong.

/** @import { InertiaLike, Quaternion, QuaternionLike, QuaternionOut, Vector, VectorLike, VectorOut } from '../types/index.mjs' */

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
 * @param {unknown} value a VectorLike of any length but 0
 * @param {string} path
 * @returns {Vector}
 */
export function readDirection(value, path) {
  const direction = toVector(value, path)
  if (direction.some((x) => x !== 0)) return direction
  throw invalid(path, 'a vector that is not 0', value)
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

/**
 * A vector as getters give it. It is frozen, since writing to it would change a copy and nothing else.
 * @param {ArrayLike<number>} numbers
 * @returns {Readonly<Vector>}
 */
export const frozenVector = (numbers) => Object.freeze([numbers[0], numbers[1], numbers[2]])

/**
 * Likewise.
 * @param {ArrayLike<number>} numbers
 * @returns {Readonly<Quaternion>}
 */
export const frozenQuaternion = (numbers) =>
  Object.freeze([numbers[0], numbers[1], numbers[2], numbers[3]])

const OUT_VECTOR = 'an array, a typed array of 3 or more, or an object with x, y, z'

const OUT_QUATERNION = 'an array, a typed array of 4 or more, or an object with x, y, z, w'
