// Inertia tensors of files, before there are bodies: 9 numbers by rows.

import { ZERO, add, subtract, scale, dot, rotate, pointIn } from './rigid.mjs'

/** @import { Quaternion, Vector } from '../types/index.mjs' */
/** @import { Frame } from './rigid.mjs' */

/** @typedef {number[]} Matrix 9 numbers by rows */

/**
 * @param {Quaternion} q
 * @returns {Matrix}
 */
export function matrixOf(q) {
  const [x, y, z] = [rotate(q, [1, 0, 0]), rotate(q, [0, 1, 0]), rotate(q, [0, 0, 1])]
  return [x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]]
}

/**
 * @param {Matrix} a
 * @param {Matrix} b
 * @returns {Matrix}
 */
export const sum = (a, b) => a.map((number, i) => number + b[i])

/**
 * @param {Matrix} a
 * @param {number} factor
 * @returns {Matrix}
 */
export const times = (a, factor) => a.map((number) => number * factor)

/**
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @returns {Matrix}
 */
export const diagonal = (x, y, z) => [x, 0, 0, 0, y, 0, 0, 0, z]

/**
 * A tensor of one frame in the frame that it is turned in.
 * @param {Matrix} tensor
 * @param {Quaternion} q
 * @returns {Matrix}
 */
export function turnTensor(tensor, q) {
  const r = matrixOf(q)
  const product = (/** @type {Matrix} */ a, /** @type {Matrix} */ b, /** @type {boolean} */ flip) =>
    Array.from({ length: 9 }, (_, at) => {
      const [i, j] = [Math.floor(at / 3), at % 3]
      return [0, 1, 2].reduce((all, k) => all + a[3 * i + k] * b[flip ? 3 * j + k : 3 * k + j], 0)
    })
  const turned = product(product(r, tensor, false), r, true)
  // Symmetric to the bit, as bodies want it.
  for (const [i, j] of [
    [1, 3],
    [2, 6],
    [5, 7],
  ])
    turned[j] = turned[i]
  return turned
}

/**
 * Inertia of a mass of 1 kg at a point, about the origin: |r|² - r rᵀ. Of a unit vector, what turns across it have.
 * @param {Vector} r
 * @returns {Matrix}
 */
export function pointInertia(r) {
  const square = dot(r, r)
  return [
    ...[square - r[0] * r[0], -r[0] * r[1], -r[0] * r[2]],
    ...[-r[1] * r[0], square - r[1] * r[1], -r[1] * r[2]],
    ...[-r[2] * r[0], -r[2] * r[1], square - r[2] * r[2]],
  ]
}

/**
 * Whether a symmetric tensor is positive definite: whether it has a Cholesky factor.
 * @param {Matrix} a
 */
export function isPositive(a) {
  const first = a[0]
  const second = a[4] - (a[1] * a[1]) / first
  const mixed = a[5] - (a[1] * a[2]) / first
  const third = a[8] - (a[2] * a[2]) / first - (mixed * mixed) / second
  return first > 0 && second > 0 && third > 0
}

/**
 * Mass, centre and inertia about the centre.
 * @typedef {object} Inertial
 * @property {number} mass kg
 * @property {Vector} center metres, in the frame that it is given in
 * @property {Matrix} inertia kg m²
 */

/**
 * The inertial of things together, in the frame that all are given in.
 * @param {readonly Inertial[]} parts
 * @returns {Inertial}
 */
export function together(parts) {
  const mass = parts.reduce((all, part) => all + part.mass, 0)
  const moment = parts.reduce((all, part) => add(all, scale(part.center, part.mass)), ZERO)
  const center = mass > 0 ? scale(moment, 1 / mass) : ZERO
  const inertia = parts.reduce(
    (all, part) => {
      const offset = pointInertia(subtract(part.center, center))
      return sum(all, sum(part.inertia, times(offset, part.mass)))
    },
    diagonal(0, 0, 0),
  )
  return { mass, center, inertia }
}

/**
 * An inertial of one frame in the frame that it is placed in.
 * @param {Inertial} inertial
 * @param {Frame} frame
 * @returns {Inertial}
 */
export const placeInertial = ({ mass, center, inertia }, frame) => ({
  mass,
  center: pointIn(frame, center),
  inertia: turnTensor(inertia, frame.orientation),
})
