import { frozenVector, noVector, putVector, writeVector } from '../core/vectors.mjs'
import { aliveCore, BodyMotion } from './body-motion.mjs'

/** @import { Vector, VectorLike, VectorOut } from '../types/index.mjs' */

// What a call works with; what it gives is written out before the next one begins.
const given = new Float64Array(3)
const turned = new Float64Array(3)
const position = new Float64Array(3)
const orientation = new Float64Array(4)
const velocity = new Float64Array(3)
const spin = new Float64Array(3)

/**
 * Points and directions between the frame of a body and the world. A part of `Body`, and nothing by
 * itself.
 */
export class BodyPoints extends BodyMotion {
  /**
   * Where a point of the body is in the world.
   * @overload
   * @param {VectorLike} point metres, in the body's frame
   * @returns {Readonly<Vector>} metres, world: a new, frozen array
   */
  /**
   * Writes it to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @overload
   * @param {VectorLike} point metres, in the body's frame
   * @param {Out} out
   * @returns {Out} `out`
   */
  /**
   * @param {VectorLike} point
   * @param {VectorOut} [out]
   */
  worldPoint(point, out) {
    this.#begin(point, 'worldPoint: point')
    rotate(orientation, given, 1)
    for (let i = 0; i < 3; i++) turned[i] += position[i]
    return give(out, 'worldPoint: out')
  }

  /**
   * Where a point of the world is in the body's frame.
   * @overload
   * @param {VectorLike} point metres, world
   * @returns {Readonly<Vector>} metres, in the body's frame: a new, frozen array
   */
  /**
   * Writes it to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @overload
   * @param {VectorLike} point metres, world
   * @param {Out} out
   * @returns {Out} `out`
   */
  /**
   * @param {VectorLike} point
   * @param {VectorOut} [out]
   */
  localPoint(point, out) {
    this.#begin(point, 'localPoint: point')
    for (let i = 0; i < 3; i++) given[i] -= position[i]
    rotate(orientation, given, -1)
    return give(out, 'localPoint: out')
  }

  /**
   * A direction of the body as the world has it: turned, and not moved.
   * @overload
   * @param {VectorLike} vector in the body's frame
   * @returns {Readonly<Vector>} world: a new, frozen array
   */
  /**
   * Writes it to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @overload
   * @param {VectorLike} vector in the body's frame
   * @param {Out} out
   * @returns {Out} `out`
   */
  /**
   * @param {VectorLike} vector
   * @param {VectorOut} [out]
   */
  worldVector(vector, out) {
    this.#begin(vector, 'worldVector: vector')
    rotate(orientation, given, 1)
    return give(out, 'worldVector: out')
  }

  /**
   * A direction of the world as the body has it.
   * @overload
   * @param {VectorLike} vector world
   * @returns {Readonly<Vector>} in the body's frame: a new, frozen array
   */
  /**
   * Writes it to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @overload
   * @param {VectorLike} vector world
   * @param {Out} out
   * @returns {Out} `out`
   */
  /**
   * @param {VectorLike} vector
   * @param {VectorOut} [out]
   */
  localVector(vector, out) {
    this.#begin(vector, 'localVector: vector')
    rotate(orientation, given, -1)
    return give(out, 'localVector: out')
  }

  /**
   * The velocity of the point of the body that is at a place of the world: that of the centre of mass,
   * and what the rotation adds, `v + omega x (point - center)`.
   * @overload
   * @param {VectorLike} point metres, world
   * @returns {Readonly<Vector>} m/s, world: a new, frozen array
   */
  /**
   * Writes it to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @overload
   * @param {VectorLike} point metres, world
   * @param {Out} out
   * @returns {Out} `out`
   */
  /**
   * @param {VectorLike} point
   * @param {VectorOut} [out]
   */
  velocityAtPoint(point, out) {
    this.#begin(point, 'velocityAtPoint: point')
    this.readLinearVelocity(velocity)
    this.readAngularVelocity(spin)
    this.readWorldCenterOfMass(position)
    for (let i = 0; i < 3; i++) given[i] -= position[i]
    cross(spin, given, turned)
    for (let i = 0; i < 3; i++) turned[i] += velocity[i]
    return give(out, 'velocityAtPoint: out')
  }

  /**
   * Reads the argument first: getters of the user may change the body.
   * @param {VectorLike} value
   * @param {string} path
   */
  #begin(value, path) {
    aliveCore(this, path.slice(0, path.indexOf(':')))
    if (!putVector(value, given, 0)) throw noVector(value, path)
    this.readPosition(position)
    this.readOrientation(orientation)
  }
}

/**
 * Turns a vector: v + 2 w (u x v) + 2 u x (u x v) of a unit quaternion (u, w).
 * @param {Float64Array} q
 * @param {Float64Array} v
 * @param {1 | -1} sense 1: from body to world, -1: back
 */
function rotate(q, v, sense) {
  const [x, y, z] = [sense * q[0], sense * q[1], sense * q[2]]
  const tx = 2 * (y * v[2] - z * v[1])
  const ty = 2 * (z * v[0] - x * v[2])
  const tz = 2 * (x * v[1] - y * v[0])
  turned[0] = v[0] + q[3] * tx + (y * tz - z * ty)
  turned[1] = v[1] + q[3] * ty + (z * tx - x * tz)
  turned[2] = v[2] + q[3] * tz + (x * ty - y * tx)
}

/**
 * @param {Float64Array} a
 * @param {Float64Array} b
 * @param {Float64Array} out
 */
function cross(a, b, out) {
  out[0] = a[1] * b[2] - a[2] * b[1]
  out[1] = a[2] * b[0] - a[0] * b[2]
  out[2] = a[0] * b[1] - a[1] * b[0]
}

/**
 * @param {VectorOut | undefined} out
 * @param {string} path
 */
function give(out, path) {
  return out === undefined ? frozenVector(turned) : writeVector(out, turned, 0, path)
}
