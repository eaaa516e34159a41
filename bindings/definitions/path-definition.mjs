import { readBoolean, readWord } from '../core/arguments.mjs'
import { invalid, invalidLength } from '../core/describe.mjs'
import { PATH_ALIGNMENTS } from '../generated/enums.mjs'
import { PATH_GIVEN_NUMBERS, putPathGiven, takePathState } from '../generated/records.mjs'
import { readPoints } from './points.mjs'

// The curve of a joint of type 'path'.

/** @import { Engine } from '../core/engine.mjs' */
/** @import { JointPath, PathAlignment, Vector } from '../types/index.mjs' */

/**
 * @typedef {object} Path
 * @property {Float64Array} points three numbers each
 * @property {boolean} closed
 * @property {PathAlignment} align
 */

/** Numbers of a path in the shared block, but for its points. */
export const PATH_NUMBERS = PATH_GIVEN_NUMBERS
/** MO_CURVE_MOST_POINTS */
const MOST_POINTS = 65536

/**
 * @param {Record<string, unknown>} definition
 * @param {string} where
 * @returns {Path}
 */
export function readPath({ points, closed = false, align = 'none' }, where) {
  const path = `${where}: points`
  const isClosed = readBoolean(closed, `${where}: closed`)
  const alignment = readWord(align, `${where}: align`, PATH_ALIGNMENTS)
  const numbers = readPoints(points, path)
  const [count, least] = [numbers.length / 3, isClosed ? 3 : 2]
  if (count < least || count > MOST_POINTS) {
    throw invalidLength(path, `${least} to ${MOST_POINTS} points`, /** @type {any} */ (points))
  }
  for (let i = isClosed ? 0 : 1; i < count; i++) checkStep(numbers, i, path)
  return { points: numbers, closed: isClosed, align: alignment }
}

/**
 * Refuses a point that is not finite, or where the one before it is.
 * @param {Float64Array} numbers
 * @param {number} i
 * @param {string} path
 */
function checkStep(numbers, i, path) {
  const before = numbers.length / 3
  const at = (/** @type {number} */ index) => [...numbers.subarray(3 * index, 3 * index + 3)]
  const [from, to] = [at((i + before - 1) % before), at(i)]
  const length = Math.hypot(...to.map((x, k) => x - from[k]))
  if (!Number.isFinite(length)) throw invalid(`${path}[${i}]`, 'finite, like the one before', to)
  if (length === 0) throw invalid(`${path}[${i}]`, 'another point than the one before', to)
}

/**
 * @param {Engine} module
 * @param {Path} path
 */
export function putPath(module, { points, closed, align }) {
  putPathGiven(module, { pointCount: points.length / 3, isClosed: closed, alignment: align })
  module.putAll(points)
}

/**
 * @param {Engine} module which has it in the shared block
 * @returns {JointPath | null} null: the joint has none
 */
export function takePath(module) {
  const { points, pointCount, isClosed, alignment, length } = takePathState(module)
  if (pointCount === 0) return null
  const numbers = module.f64.slice(points / 8, points / 8 + 3 * pointCount)
  return {
    points: Array.from({ length: pointCount }, (_, i) =>
      Object.freeze(/** @type {Vector} */ ([...numbers.subarray(3 * i, 3 * i + 3)])),
    ),
    ...{ closed: isClosed, align: alignment, length },
  }
}
