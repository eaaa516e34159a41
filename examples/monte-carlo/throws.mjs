/**
 * Throws of a die: what a worker does. A throw depends on its number and the seed alone, whoever makes it and with which others.
 */
import { init, World, WorldBatch } from 'moreau'
import { Random } from 'moreau/gym'

/**
 * @typedef {object} Throws
 * @property {number} first number of the first of them
 * @property {number} count
 * @property {number} seed 0 to 2^20
 * @property {number} [bias] how far the centre of mass is from the middle, towards the six, as a part of half of the edge
 */

/** m, kg and the like: a die of 16 mm on a table */
const HALF_EDGE = 0.008
const MASS = 0.005
const RESTITUTION = 0.4
const FRICTION = 0.3
/** s: of a step, and after which a die is looked at */
const TIME_STEP = 1 / 120
const SECONDS = 1.5
/** m, m/s and rad/s: from where and how fast it is thrown, at most */
const HEIGHT = [0.1, 0.2]
const SPEED = 1
const SPIN = 30
/** A face is up if its normal is so near to the vertical: within 2.5 degrees. */
const UPRIGHT = 0.999

/** What lies askew is in the first place, the faces in the others. */
export const OUTCOMES = 7

/**
 * A die above a table; the six looks along y, the one against it, and so on: opposite faces have the sum 7.
 *
 * @param {number} bias
 */
function makeWorld(bias) {
  // The usual slop is for bodies of a metre: to a die of 16 mm it would be a cushion.
  const world = new World({ restitutionThreshold: 0.05, linearSlop: 1e-4 })
  const material = { restitution: RESTITUTION, friction: FRICTION }
  world.createBody({ type: 'static', shape: { type: 'plane' }, ...material })
  const die = world.createBody({
    shape: { type: 'box', halfExtents: [HALF_EDGE, HALF_EDGE, HALF_EDGE] },
    ...{ position: [0, HEIGHT[0], 0], mass: MASS, centerOfMass: [0, bias * HALF_EDGE, 0] },
    ...material,
  })
  return { world, die }
}

/**
 * Makes throws.
 *
 * @param {Throws} throws
 * @returns {Promise<Uint8Array>} of each the face that is up, 1 to 6, or 0 where none is
 */
export default async function makeThrows({ first, count, seed, bias = 0 }) {
  await init()
  const { world, die } = makeWorld(bias)
  const start = /** @type {const} */ ([
    { type: 'position', body: die },
    { type: 'orientation', body: die },
    { type: 'linearVelocity', body: die },
    { type: 'angularVelocity', body: die },
  ])
  const batch = new WorldBatch(world, { count, starts: start, observations: [start[1]] })
  world.free()
  const { starts, startSize } = batch
  for (let i = 0; i < count; i++) {
    starts.set(randomStart(new Random(seed * 2 ** 32 + first + i)), i * startSize)
  }
  batch.reset()
  batch.step(TIME_STEP, Math.round(SECONDS / TIME_STEP))
  const { observations } = batch
  const faces = Uint8Array.from({ length: count }, (_, i) =>
    faceUp(observations.subarray(4 * i, 4 * i + 4)),
  )
  batch.free()
  return faces
}

/**
 * Position, orientation and velocities.
 *
 * @param {Random} random
 * @returns {number[]}
 */
function randomStart(random) {
  const between = (/** @type {number} */ most) => random.uniform(-most, most)
  return [
    ...[0, random.uniform(HEIGHT[0], HEIGHT[1]), 0],
    ...randomOrientation(random),
    ...[between(SPEED), 0, between(SPEED)],
    ...[between(SPIN), between(SPIN), between(SPIN)],
  ]
}

/**
 * All orientations are equally likely: a point of the unit ball of quaternions, by rejection.
 *
 * @param {Random} random
 * @returns {number[]} x y z w
 */
function randomOrientation(random) {
  for (;;) {
    const quaternion = [0, 0, 0, 0].map(() => random.uniform(-1, 1))
    const square = quaternion.reduce((sum, part) => sum + part * part, 0)
    if (square > 0.01 && square <= 1) return quaternion.map((part) => part / Math.sqrt(square))
  }
}

/**
 * @param {Float64Array} orientation x y z w
 * @returns {number}
 */
function faceUp([x, y, z, w]) {
  // How far up the axes of the die look: the second row of its matrix.
  const heights = [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)]
  const faces = [3, 6, 5]
  const axis = heights.findIndex((height) => Math.abs(height) > UPRIGHT)
  if (axis < 0) return 0
  return heights[axis] > 0 ? faces[axis] : 7 - faces[axis]
}
