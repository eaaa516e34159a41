import { access } from '../core/access.mjs'
import { checkNames, isObject, readObject } from '../core/arguments.mjs'
import { isArray } from '../core/lists.mjs'
import { noQuaternion, noVector, putQuaternion, putVector } from '../core/vectors.mjs'

// Where a shape is: the pose that the user gives times the shape's own placement. It goes into an array of
// seven numbers, x y z and qx qy qz qw, and makes no garbage.

/** @import { Shape } from './shape.mjs' */

/** Numbers of a placement. */
export const PLACEMENT_NUMBERS = 7

const IDENTITY = Object.freeze([0, 0, 0, 0, 0, 0, 1])

/**
 * @param {unknown} value a Pose
 * @param {Shape} shape whose own placement applies inside of it
 * @param {Float64Array} out
 * @param {number} at where its numbers go; the orientation is unit
 * @param {string} path
 */
export function putPlacement(value, shape, out, at, path) {
  for (let i = 0; i < PLACEMENT_NUMBERS; i++) out[at + i] = IDENTITY[i]
  checkPose(value, path)
  const { position, orientation } = /** @type {import('../types/index.mjs').Pose} */ (value)
  if (position !== undefined && !putVector(position, out, at)) {
    throw noVector(position, `${path}.position`)
  }
  if (orientation !== undefined && !putQuaternion(orientation, out, at + 3)) {
    throw noQuaternion(orientation, `${path}.orientation`)
  }
  normalize(out, at + 3)
  placeInside(shape, out, at)
}

/**
 * The same for a position and an orientation that are in `out` already.
 * @param {Shape} shape
 * @param {Float64Array} out
 * @param {number} at
 */
export function placeInside(shape, out, at) {
  const local = access.shapeDefinition(shape)
  const [a, b, c] = local.position
  const [lx, ly, lz, lw] = local.orientation
  if (a !== 0 || b !== 0 || c !== 0) shift(out, at, a, b, c)
  if (lx !== 0 || ly !== 0 || lz !== 0) turn(out, at + 3, lx, ly, lz, lw)
}

/**
 * As readObject and checkNames do, but makes no list of the names. A body is a pose, too.
 * @param {unknown} value
 * @param {string} path
 */
export function checkPose(value, path) {
  if (access.isBody(value)) return
  if (!isObject(value) || isArray(value)) readObject(value, path)
  for (const name in /** @type {object} */ (value)) {
    if (name !== 'position' && name !== 'orientation') {
      checkNames(readObject(value, path), ['position', 'orientation'], path)
    }
  }
}

/**
 * @param {Float64Array} out
 * @param {number} at of a quaternion that is not zero
 */
export function normalize(out, at) {
  // Scaled first, so that the squares neither overflow nor vanish.
  let scale = 0
  for (let i = 0; i < 4; i++) scale = Math.max(scale, Math.abs(out[at + i]))
  let squares = 0
  for (let i = 0; i < 4; i++) {
    out[at + i] /= scale
    squares += out[at + i] * out[at + i]
  }
  if (squares === 1) return
  const length = Math.sqrt(squares)
  for (let i = 0; i < 4; i++) out[at + i] /= length
}

/**
 * Moves a placement by a vector in its own frame: v + 2 q_v x (q_v x v + w v).
 * @param {Float64Array} out
 * @param {number} at
 * @param {number} a
 * @param {number} b
 * @param {number} c
 */
export function shift(out, at, a, b, c) {
  const x = out[at + 3]
  const y = out[at + 4]
  const z = out[at + 5]
  const w = out[at + 6]
  const tx = 2 * (y * c - z * b)
  const ty = 2 * (z * a - x * c)
  const tz = 2 * (x * b - y * a)
  out[at] += a + w * tx + y * tz - z * ty
  out[at + 1] += b + w * ty + z * tx - x * tz
  out[at + 2] += c + w * tz + x * ty - y * tx
}

/**
 * Multiplies a quaternion by another one from the right, which need not be unit.
 * @param {Float64Array} out
 * @param {number} at
 * @param {number} lx
 * @param {number} ly
 * @param {number} lz
 * @param {number} lw
 */
export function turn(out, at, lx, ly, lz, lw) {
  const x = out[at]
  const y = out[at + 1]
  const z = out[at + 2]
  const w = out[at + 3]
  out[at] = w * lx + x * lw + y * lz - z * ly
  out[at + 1] = w * ly - x * lz + y * lw + z * lx
  out[at + 2] = w * lz + x * ly - y * lx + z * lw
  out[at + 3] = w * lw - x * lx - y * ly - z * lz
  normalize(out, at)
}
