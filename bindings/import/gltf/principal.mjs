import { turnOfColumns, unit, cross } from '../rigid.mjs'

/** @import { Quaternion, Vector } from '../../types/index.mjs' */
/** @import { Matrix } from '../inertia.mjs' */

/** Sweeps of Jacobi's method: it converges quadratically, and 3 by 3 matrices are done after five or six. */
const SWEEPS = 16

/**
 * Principal moments and axes of a symmetric tensor, by Jacobi's rotations (Golub and Van Loan 2013, section 8.5.2).
 * @param {readonly number[]} tensor 9 numbers by rows
 * @returns {{ moments: Vector, turn: Quaternion }} the turn from the principal axes to those of the tensor
 */
export function principalAxes(tensor) {
  const a = [...tensor]
  const v = [1, 0, 0, 0, 1, 0, 0, 0, 1]
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    if (a[1] === 0 && a[2] === 0 && a[5] === 0) break
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ])
      annihilate(a, v, p, q)
  }
  const column = (/** @type {number} */ i) => unit([v[i], v[3 + i], v[6 + i]])
  const [x, y] = [column(0), column(1)]
  return { moments: [a[0], a[4], a[8]], turn: turnOfColumns(x, y, cross(x, y)) }
}

/**
 * Turns in the plane of two axes so that their product of inertia vanishes.
 * @param {Matrix} a symmetric
 * @param {Matrix} v columns are the axes so far
 * @param {number} p
 * @param {number} q
 */
function annihilate(a, v, p, q) {
  const product = a[3 * p + q]
  if (product === 0) return
  const theta = (a[4 * q] - a[4 * p]) / (2 * product)
  const tangent = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const cosine = 1 / Math.sqrt(tangent * tangent + 1)
  const sine = tangent * cosine
  for (let k = 0; k < 3; k++) turnPair(a, 3 * k + p, 3 * k + q, cosine, sine)
  for (let k = 0; k < 3; k++) turnPair(a, 3 * p + k, 3 * q + k, cosine, sine)
  for (let k = 0; k < 3; k++) turnPair(v, 3 * k + p, 3 * k + q, cosine, sine)
  a[3 * p + q] = 0
  a[3 * q + p] = 0
}

/**
 * @param {Matrix} m
 * @param {number} i
 * @param {number} j
 * @param {number} cosine
 * @param {number} sine
 */
function turnPair(m, i, j, cosine, sine) {
  const [first, second] = [m[i], m[j]]
  m[i] = cosine * first - sine * second
  m[j] = sine * first + cosine * second
}
