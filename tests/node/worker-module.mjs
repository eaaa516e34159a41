// Functions of a user that run in the steps of a world in a worker, and of one here (worker-functions.test.mjs, worker-history.test.mjs).

/** @import { ConstraintBody, ContactPair, PotentialBody } from 'moreau' */

export const constraints = {
  /** A bead on the circle of radius 1 about the origin, in the plane z = 0. */
  circle: {
    /** @param {ConstraintBody} bead @param {unknown} _ @param {number} _time @param {Float64Array} out */
    evaluate(bead, _, _time, out) {
      const [x, y, z] = bead.position
      out[0] = (x * x + y * y - 1) / 2
      out[1] = z
    },
  },
}

export const potentials = {
  wind: {
    /** @param {PotentialBody} body @param {number} time @param {Float64Array} out */
    force(body, time, out) {
      out[0] = strength * body.mass * Math.abs(time % 1)
    },
    /** @param {PotentialBody} body */
    energy: (body) => -strength * body.mass * body.position[0],
  },
}

let strength = 2
/** Ids of bodies that nothing touches. @type {Set<number>} */
const ghosts = new Set()

/** @param {number} value */
export function setStrength(value) {
  strength = value
  return { strength }
}

export function reset() {
  strength = 2
  ghosts.clear()
}

/** @param {number} id */
export const makeGhost = (id) => void ghosts.add(id)

/** @param {ContactPair} pair */
export const unlessGhost = ({ bodyA, bodyB }) => !ghosts.has(bodyA.id) && !ghosts.has(bodyB.id)

/** @param {ContactPair} pair */
export function slippery(pair) {
  pair.friction = 0
}

/** @param {{ id: number }} body */
export const solidOnly = (body) => !ghosts.has(body.id)

export function fail() {
  throw new RangeError('it fails')
}

export const giveFunction = () => () => {}

export const notAFunction = 5
