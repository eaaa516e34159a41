import { isObject } from '../core/arguments.mjs'
import { invalid, invalidLength } from '../core/describe.mjs'
import { MoreauError } from '../core/errors.mjs'
import { isList, MOST_BYTES } from '../core/lists.mjs'
import { readPoints } from './points.mjs'

// Vertices and indices of triangle meshes, as users give them.

/** Vertices and heights reach no further, m (MO_MESH_LARGEST). */
const FURTHEST = 1e18

/**
 * @param {unknown} value a PointsLike
 * @param {string} path
 * @returns {Float64Array} three finite numbers per vertex
 */
export function readVertices(value, path) {
  const numbers = readPoints(value, path)
  if (numbers.length === 0) throw invalidLength(path, 'three numbers per vertex', numbers)
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i]
    if (Math.abs(number) <= FURTHEST) continue
    const where = `${path}: the ${'xyz'[i % 3]} of vertex ${Math.floor(i / 3)} is ${number}`
    if (!Number.isFinite(number)) throw new MoreauError('not-finite', `${where}, not finite`)
    throw new MoreauError('invalid-argument', `${where}, further out than 1e18 m`)
  }
  return numbers
}

/**
 * @param {unknown} value
 * @param {number} vertexCount
 * @param {string} path
 * @returns {Uint32Array} three per triangle
 */
export function readIndices(value, vertexCount, path) {
  const given = flatIndices(value, path)
  if (given.length === 0 || given.length % 3 !== 0) {
    throw invalidLength(path, 'three numbers per triangle, one triangle or more', given)
  }
  if (4 * given.length > MOST_BYTES) {
    throw new MoreauError('out-of-memory', `${path}: there is no room for ${given.length} numbers`)
  }
  const indices = new Uint32Array(given.length)
  for (let i = 0; i < indices.length; i++) {
    const index = /** @type {number} */ (given[i])
    if (!(Number.isInteger(index) && index >= 0 && index < vertexCount)) {
      throw invalid(`${path}[${i}]`, `a whole number, 0 to ${vertexCount - 1}`, index)
    }
    indices[i] = index
  }
  return indices
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {ArrayLike<unknown>} three for each triangle
 */
function flatIndices(value, path) {
  const given = isObject(value) && 'itemSize' in value && isList(value.array) ? value.array : value
  if (!isList(given)) throw invalid(path, 'an array of whole numbers, three per triangle', value)
  if (ArrayBuffer.isView(given) || !isList(given[0])) return given
  return Array.from(given, (triangle, i) => {
    if (isList(triangle) && triangle.length === 3) return Array.from(triangle)
    throw invalid(`${path}[${i}]`, 'three whole numbers', triangle)
  }).flat()
}
