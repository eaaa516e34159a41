/**
 * Whether two motions are one. A pair may differ by what its relation may do at a time, times what the scene itself makes of a difference of
 * that size: this is measured by runs that begin a little beside the first. Where a scene makes too much of it (chaos), nothing is compared.
 */
import { Random } from '../../scenarios/random.mjs'
import { NUMBERS, play } from './scene.mjs'

/** @import { Vector } from '../../scenarios/vector.mjs' */
/** @import { Motion, Scene } from './scene.mjs' */

/** Runs that begin beside the first, and the part of a tolerance by which. */
const [BESIDE, PART] = [3, 0.1]
/** What makes a difference so many times as large is chaos. */
const CHAOS = 50

/** m: of points of a body from its origin, which is about the size of all bodies */
const SIZE = 0.3

/**
 * How far apart two bodies are at a step, m: their origins, and such points.
 * @param {Float64Array} a @param {Float64Array} b @param {number} body
 */
function apart(a, b, body) {
  const at = NUMBERS * body
  const way = Math.hypot(a[at] - b[at], a[at + 1] - b[at + 1], a[at + 2] - b[at + 2])
  let cosine = 0
  for (let k = 3; k < NUMBERS; k++) cosine += a[at + k] * b[at + k]
  // Of half the angle between them; near 1 the sine is the difference of the quaternions.
  const sign = cosine < 0 ? -1 : 1
  let squares = 0
  for (let k = 3; k < NUMBERS; k++) squares += (a[at + k] - sign * b[at + k]) ** 2
  return way + SIZE * 2 * Math.sqrt(squares)
}
/** The largest over all bodies, per step. @param {Motion} a @param {Motion} b @returns {{ most: number, body: number }[]} */
export function differences(a, b) {
  return a.map((state, step) => {
    let [most, body] = [0, 0]
    for (let i = 0; i < state.length / NUMBERS; i++) {
      const here = apart(state, b[step], i)
      // What is no number is apart.
      if (!(here <= most)) [most, body] = [here, i]
    }
    return { most, body }
  })
}

/** @param {Vector} v @param {Random} random @param {number} size @returns {Vector} */
const near = ([x, y, z], random, size) => [
  x + random.between(-size, size),
  y + random.between(-size, size),
  z + random.between(-size, size),
]

/** @param {any} body @param {Random} random @param {number} size m and m/s */
function moved({ position, linearVelocity, angularVelocity, ...rest }, random, size) {
  return {
    ...{ ...rest, position: near(position, random, size) },
    linearVelocity: near(linearVelocity ?? [0, 0, 0], random, size),
    angularVelocity: near(angularVelocity ?? [0, 0, 0], random, size),
  }
}

/** @param {Scene} scene @param {Random} random @param {number} size m and m/s @returns {Scene} */
function besideOf(scene, random, size) {
  const bodies = scene.bodies.map((body) => moved(body, random, size))
  if (!scene.character) return { ...scene, bodies }
  const { position, velocity } = scene.character
  const character = {
    ...scene.character,
    position: near(position, random, size),
    velocity: near(velocity, random, size),
  }
  return { ...scene, bodies, character }
}

/**
 * By what factor a scene enlarges a difference of this size up to each step; at least 1.
 * @param {Scene} scene @param {string} solver @param {Motion} motion of the scene @param {number} tolerance m
 * @returns {number[]}
 */
export function enlargement(scene, solver, motion, tolerance) {
  const size = PART * tolerance
  const random = new Random(scene.seed)
  const factors = new Array(motion.length).fill(1)
  for (let run = 0; run < BESIDE; run++) {
    const beside = play(besideOf(scene, random, size), solver)
    let largest = 1
    differences(motion, beside).forEach(({ most }, step) => {
      largest = Math.max(largest, most / size)
      factors[step] = Math.max(factors[step], largest)
    })
  }
  return factors
}

/**
 * @typedef {object} Difference
 * @property {number} step from which on they are further apart than they may be
 * @property {number} body in the order of names
 * @property {number} distance m
 * @property {number} allowed m
 */

/**
 * @param {Motion} motion
 * @param {Motion} image brought back
 * @param {number} tolerance m
 * @param {number[]} factors
 * @returns {{ worst: number, compared: number, difference: Difference | undefined }} `worst`: the largest distance as a part of what is allowed;
 *   `compared`: steps until chaos
 */
export function compare(motion, image, tolerance, factors) {
  const chaos = factors.findIndex((factor) => factor > CHAOS)
  const compared = chaos < 0 ? motion.length : chaos
  let worst = 0
  /** @type {Difference | undefined} */
  let difference
  differences(motion, image)
    .slice(0, compared)
    .forEach(({ most, body }, step) => {
      const allowed = tolerance * factors[step]
      if (!(most <= allowed)) difference ??= { step, body, distance: most, allowed }
      worst = Math.max(worst, Number.isFinite(most) ? most / allowed : Infinity)
    })
  return { worst, compared, difference }
}
