/**
 * What the tests of round shapes share: poses written as the acceptance cases write them, and the collision of two shapes.
 */
import assert from 'node:assert/strict'
import { collide } from 'moreau'
import { dot, subtract } from '../../scenarios/vector.mjs'
import { near, turn } from './support.mjs'

/** @typedef {[number, number, number]} Vector */
/** @typedef {[number, number, number, number]} Quaternion */
/** @typedef {{ position: Vector, orientation: Quaternion }} Pose */

/**
 * The product of two quaternions: first b, then a.
 *
 * @param {Quaternion} a
 * @param {Quaternion} b
 * @returns {Quaternion}
 */
export function product([x, y, z, w], [p, q, r, s]) {
  return [
    w * p + x * s + y * r - z * q,
    w * q - x * r + y * s + z * p,
    w * r + x * q - y * p + z * s,
    w * s - x * p - y * q - z * r,
  ]
}

/**
 * Turns about axes, in degrees; the last is made first, as in "Ry30 Rx90".
 *
 * @param {...[Vector, number]} turns
 * @returns {Quaternion}
 */
export function turned(...turns) {
  /** @type {Quaternion} */
  let whole = [0, 0, 0, 1]
  for (const [axis, degrees] of turns) {
    const length = Math.hypot(...axis)
    const unit = /** @type {Vector} */ (axis.map((x) => x / length))
    whole = product(whole, /** @type {Quaternion} */ (turn(unit, (degrees * Math.PI) / 180)))
  }
  return whole
}

/** @type {Vector} */ export const X = [1, 0, 0]
/** @type {Vector} */ export const Y = [0, 1, 0]
/** @type {Vector} */ export const Z = [0, 0, 1]

/** Its axis y up along z; up along -z; along x. */
export const standing = turned([X, 90])
export const onItsHead = turned([X, -90])
export const alongX = turned([Z, -90])

/**
 * @param {Vector} [position]
 * @param {Quaternion} [orientation]
 * @returns {Pose}
 */
export const at = (position = [0, 0, 0], orientation = [0, 0, 0, 1]) => ({ position, orientation })

/**
 * The collision of two shapes that do collide.
 *
 * @param {Parameters<typeof collide>} shapes
 */
export function hit(...shapes) {
  const collision = collide(...shapes)
  assert.ok(collision, 'they overlap')
  near(Math.hypot(...collision.normal), 1, 1e-12, 'length of the normal')
  const between = subtract(collision.contactPointA, collision.contactPointB)
  near(dot(between, collision.normal), collision.penetrationDepth, 1e-8, 'witness points apart')
  assert.ok(collision.manifold.length >= 1 && collision.manifold.length <= 4)
  return collision
}

/** The regular tetrahedron of A10, by a factor. @param {number} [size] */
export const tetrahedron = (size = 1) =>
  /** @type {Vector[]} */ ([
    [size, size, size],
    [size, -size, -size],
    [-size, size, -size],
    [-size, -size, size],
  ])

/** The plane z = 0. */
export const floor = /** @type {const} */ ({ type: 'plane', normal: [0, 0, 1] })
