/**
 * Energy as the judge of anything: random scenes of all shapes, joints and potentials, in which nothing adds energy from outside and
 * nothing is elastic. Whatever a step gains, the engine has made.
 */
import { Random } from '../../scenarios/random.mjs'
import { randomHull } from '../scenes/random-hull.mjs'
import { Energies } from './energy.mjs'
import { within } from './row.mjs'
import { Experiment, NO_ROTATION, Scene } from './scene.mjs'

/** @typedef {import('./scene.mjs').Engine} Engine */
/** @typedef {import('./scene.mjs').Outcome} Outcome */
/** @typedef {import('./row.mjs').Row} Row */
/** @typedef {import('./scene.mjs').Vector} Vector */
/** @typedef {import('../scenes/description.mjs').BasicShape} ShapeDescription */

/** From body to body at the start, m: more than the greatest of them is wide, so that none overlap. */
const SPACING = 1.6

/**
 * @param {Random} random
 * @returns {ShapeDescription} within 0.75 m of its centre
 */
function anyShape(random) {
  const size = () => random.between(0.05, 0.4)
  const kind = Math.floor(4 * random.next())
  if (kind === 0) return { type: 'sphere', radius: size() }
  if (kind === 1) return { type: 'box', halfExtents: [size(), size(), size()] }
  if (kind === 2) return { type: 'capsule', radius: random.between(0.05, 0.3), halfHeight: size() }
  return { type: 'hull', points: randomHull(random, 12, [0.1, 0.4]) }
}

/**
 * @param {Random} random
 * @param {number} size
 * @returns {Vector}
 */
const anyVector = (random, size) => {
  const each = () => random.between(-size, size)
  return [each(), each(), each()]
}

/**
 * A scene of 4 to 15 bodies that are thrown onto a ground; half of them in chains on joints in every other scene, and in every third
 * one some pulled by springs and fixed masses so slow that a step of their explicit integration is exact to 1e-4.
 *
 * @param {number} seed
 * @param {{ joints: boolean, potentials: boolean }} options whether there may be such
 * @returns {Scene}
 */
export function randomScene(seed, { joints, potentials }) {
  const random = new Random(seed)
  const scene = new Scene()
  const friction = random.between(0, 1)
  scene.ground({ friction })
  const count = 4 + Math.floor(12 * random.next())
  const isJoined = (/** @type {number} */ index) => joints && seed % 2 === 0 && index < count / 2
  const bodies = Array.from({ length: count }, (_, index) => {
    const place = [index % 2, 1 + Math.floor(index / 4), Math.floor(index / 2) % 2]
    const position = /** @type {Vector} */ (place.map((each) => each * SPACING))
    return scene.add(anyShape(random), position, {
      friction,
      mass: random.between(0.5, 5),
      // Rapier takes the axis of a hinge in the frames of both bodies alike.
      orientation: isJoined(index) ? NO_ROTATION : random.orientation(),
      linearVelocity: anyVector(random, 3),
      angularVelocity: anyVector(random, 3),
    })
  })
  joinAll(
    scene,
    bodies.filter((_, index) => isJoined(index)),
    random,
  )
  if (potentials && seed % 3 === 0) pullSome(scene, bodies, random)
  return scene
}

/**
 * @param {Scene} scene
 * @param {number[]} bodies
 * @param {Random} random
 */
function joinAll(scene, bodies, random) {
  for (let index = 1; index < bodies.length; index++) {
    const ends = [bodies[index - 1], bodies[index]]
    const [a, b] = ends.map((slot) => scene.description.bodies[slot].position)
    const middle = /** @type {Vector} */ (a.map((each, i) => (each + b[i]) / 2))
    const kind = Math.floor(3 * random.next())
    if (kind === 2) scene.hinge(ends[0], ends[1], middle, [1, 0, 0], [-1, 1])
    else scene.join(kind === 0 ? 'ball' : 'fixed', ends[0], ends[1], middle)
  }
}

/**
 * @param {Scene} scene
 * @param {number[]} bodies
 * @param {Random} random
 */
function pullSome(scene, bodies, random) {
  for (const body of bodies) {
    if (random.next() < 0.5) continue
    const mass = scene.description.bodies[body].mass ?? 1
    // 0.2 1/s.
    const stiffness = mass * (2 * Math.PI * 0.2) ** 2
    scene.attract({ type: 'spring', body, anchorB: [0, 0, 0], stiffness })
  }
}

/**
 * @param {Engine} engine
 * @param {Scene} scene
 * @param {number} seconds
 * @param {Record<string, unknown>} world
 * @returns {Promise<number>} the most that a step gains, in parts of the greatest kinetic energy until then: what lies still has none
 *   to compare with
 */
async function worstStep(engine, scene, seconds, world) {
  const experiment = await Experiment.start(engine, scene, { world })
  const energies = await Energies.of(experiment)
  let last = energies.now()
  let [greatest, worst] = [last.kinetic, 0]
  experiment.run(seconds, () => {
    const now = energies.now()
    const gain = (now.total - last.total) / greatest
    worst = Number.isNaN(gain) ? Infinity : Math.max(worst, gain)
    greatest = Math.max(greatest, now.kinetic)
    last = now
  })
  experiment.free()
  return worst
}

/** @param {number} count */
const upTo = (count) => Array.from({ length: count }, (_, index) => index + 1)

/**
 * @param {Engine} engine
 * @param {{ scenes?: number, seconds?: number, seeds?: number[], limit?: number, joints?: boolean, world?: Record<string, unknown> }} [options]
 *   `seeds` in place of those from 1 to `scenes`; `limit`: part of the kinetic energy that a step may gain
 * @returns {Promise<Outcome>} in how many scenes a step gains more
 */
export async function randomEnergy(
  engine,
  { scenes = 200, seconds = 4, seeds = upTo(scenes), limit = 1e-3, joints = true, world = {} } = {},
) {
  let [gaining, worst, worstSeed] = [0, 0, 0]
  for (const seed of seeds) {
    const scene = randomScene(seed, { joints, potentials: engine.hasPotentials === true })
    const gain = await worstStep(engine, scene, seconds, world)
    if (!(gain <= limit)) gaining++
    if (!(gain <= worst)) [worst, worstSeed] = [gain, seed]
  }
  return {
    value: gaining,
    note: `of ${seeds.length}, worst ${worst.toPrecision(2)} (seed ${worstSeed})`,
  }
}

/** @type {Row[]} */
export const energyRows = [
  {
    name: 'random-energy',
    title: '200 random scenes: a step gains over 1e-3 of the kinetic energy',
    unit: '',
    goal: within('0', 0, 0),
    measure: (engine, quick) => randomEnergy(engine, { scenes: quick ? 30 : 200 }),
  },
]
