import { isObject } from '../core/arguments.mjs'
import { invalid, invalidLength } from '../core/describe.mjs'
import { checkRoom, isList, makeNumbers } from '../core/lists.mjs'

/**
 * Reads points to flat numbers. Whether they are finite is for the engine to see, which has a code
 * for it.
 * @param {unknown} points a PointsLike
 * @param {string} path
 * @returns {Float64Array}
 */
export function readPoints(points, path) {
  if (isList(points)) {
    const isFlat = ArrayBuffer.isView(points) || typeof points[0] === 'number'
    return isFlat ? readFlat(points, path) : readVectors(points, path)
  }
  if (isObject(points) && 'itemSize' in points) return readAttribute(points, path)
  const kinds = 'an array of vectors, flat numbers x y z x y z ..., or a BufferAttribute'
  throw invalid(path, kinds, points)
}

/**
 * @param {ArrayLike<unknown>} numbers
 * @param {string} path
 */
function readFlat(numbers, path) {
  if (numbers.length % 3 !== 0) throw invalidLength(path, 'a multiple of 3 numbers', numbers)
  const flat = makeNumbers(numbers.length, path)
  for (let i = 0; i < flat.length; i++) {
    const number = numbers[i]
    if (typeof number !== 'number') throw invalid(`${path}[${i}]`, 'a number', number)
    flat[i] = number
  }
  return flat
}

/**
 * @param {ArrayLike<unknown>} vectors
 * @param {string} path
 */
function readVectors(vectors, path) {
  const flat = makeNumbers(3 * vectors.length, path)
  for (let i = 0; i < vectors.length; i++) {
    const vector = vectors[i]
    const place = 3 * i
    if (isList(vector) && vector.length === 3) {
      for (let k = 0; k < 3; k++) flat[place + k] = toNumber(vector[k])
    } else if (isObject(vector) && 'x' in vector) {
      const { x, y, z } = vector
      flat[place] = toNumber(x)
      flat[place + 1] = toNumber(y)
      flat[place + 2] = toNumber(z)
    } else {
      throw invalid(`${path}[${i}]`, 'three numbers or an object with x, y, z', vector)
    }
  }
  return flat
}

/**
 * @param {unknown} value
 * @returns {number} NaN for what is no number, which the engine refuses
 */
function toNumber(value) {
  return typeof value === 'number' ? value : NaN
}

/**
 * @param {Record<string, unknown>} attribute
 * @param {string} path
 */
function readAttribute(attribute, path) {
  const { itemSize, count, array, getX, getY, getZ } = attribute
  if (itemSize !== 3) throw invalid(`${path}.itemSize`, '3', itemSize)
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0) {
    throw invalid(`${path}.count`, 'a whole number, 0 or more', count)
  }
  const flat = makeNumbers(3 * count, path)
  // Three's own accessors know about interleaved and about normalised numbers.
  if (typeof getX === 'function' && typeof getY === 'function' && typeof getZ === 'function') {
    for (let i = 0; i < count; i++) {
      flat[3 * i] = toNumber(getX.call(attribute, i))
      flat[3 * i + 1] = toNumber(getY.call(attribute, i))
      flat[3 * i + 2] = toNumber(getZ.call(attribute, i))
    }
    return flat
  }
  if (!isList(array)) throw invalid(`${path}.array`, 'an array of numbers', array)
  const numbers = checkRoom(array, 3 * count, `${path}.array`)
  for (let i = 0; i < flat.length; i++) flat[i] = toNumber(numbers[i])
  return flat
}
