import { frozenVector, noVector, putVector, writeVector } from '../core/vectors.mjs'
import { BodyDynamics } from './body-dynamics.mjs'
import { aliveCore } from './body-motion.mjs'
import { PLACEMENT_NUMBERS, shift } from './placement.mjs'

/** @import { Vector, VectorLike, VectorOut } from '../types/index.mjs' */

// What a call works with; what it gives is written out before the next one begins.
const given = new Float64Array(3)
const result = new Float64Array(3)
const pose = new Float64Array(PLACEMENT_NUMBERS)
const position = pose.subarray(0, 3)
const orientation = pose.subarray(3)
const velocity = new Float64Array(3)
const spin = new Float64Array(3)

/**
 * Points and directions between the frame of a body and the world. A part of `Body`, and nothing by
 * itself.
 */
export class BodyPoints extends BodyDynamics {
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
    shift(pose, 0, given[0], given[1], given[2])
    return give(position, out, 'worldPoint: out')
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
    turnBack()
    return give(position, out, 'localPoint: out')
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
    turnOnly()
    return give(position, out, 'worldVector: out')
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
    turnBack()
    return give(position, out, 'localVector: out')
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
    cross(spin, given, result)
    for (let i = 0; i < 3; i++) result[i] += velocity[i]
    return give(result, out, 'velocityAtPoint: out')
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

/** Turns what is given from the body's frame to the world's, into `position`. */
function turnOnly() {
  position.fill(0)
  shift(pose, 0, given[0], given[1], given[2])
}

/** Turns it from the world's frame to the body's. */
function turnBack() {
  for (let i = 0; i < 3; i++) orientation[i] = -orientation[i]
  turnOnly()
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
 * @param {Float64Array} vector
 * @param {VectorOut | undefined} out
 * @param {string} path
 */
function give(vector, out, path) {
  return out === undefined ? frozenVector(vector) : writeVector(out, vector, 0, path)
}
