/**
 * Friction of what slides and spins, and of rods that lie crosswise.
 */
import { Random } from '../../scenarios/random.mjs'
import { length, turn } from '../../scenarios/vector.mjs'
import { multiply } from '../engines/engine.mjs'
import { Energies } from './energy.mjs'
import { below, within } from './row.mjs'
import { Experiment, Scene } from './scene.mjs'
import { polygon, slidingDistance } from './sliding.mjs'

/** @typedef {import('./scene.mjs').Engine} Engine */
/** @typedef {import('./scene.mjs').Outcome} Outcome */
/** @typedef {import('./row.mjs').Row} Row */
/** @typedef {import('./scene.mjs').Vector} Vector */

const FRICTION = 0.5

/** Half the height of what slides, m: so flat that its weight does not go to the leading side. */
const FLAT = 0.01

/**
 * A flat body of 1 kg that slides off along x and spins, until it lies still.
 *
 * @param {Engine} engine
 * @param {import('../scenes/description.mjs').ShapeDescription} shape
 * @param {Omit<import('./sliding.mjs').Slide, 'friction'>} slide
 * @param {Record<string, unknown>} [world]
 * @returns {Promise<Outcome>} the way, m, and what theory says
 */
async function slideOff(engine, shape, slide, world) {
  const scene = new Scene()
  scene.ground({ friction: FRICTION })
  const body = scene.add(shape, [0, FLAT, 0], {
    mass: 1,
    friction: FRICTION,
    linearVelocity: [slide.speed, 0, 0],
    angularVelocity: [0, slide.spin, 0],
  })
  const experiment = await Experiment.start(engine, scene, { world })
  experiment.run(3)
  const [x, , z] = experiment.state(body).position
  const theory = slidingDistance({ ...slide, friction: FRICTION })
  return { value: Math.hypot(x, z), note: `theory ${theory.toFixed(3)}` }
}

/**
 * A disc of 1 m that slides off at 3 m/s and spins at 6 rad/s. In theory it lies on its rim, where the manifold of a flat face is; an
 * even pressure would give half a percent more.
 *
 * @param {Engine} engine
 * @param {{ corners?: number, world?: Record<string, unknown> }} [options]
 * @returns {Promise<Outcome>} the way, m
 */
export async function disc(engine, { corners = 32, world } = {}) {
  const rim = polygon(corners, 0.5)
  const points = rim.flatMap(([x, z]) =>
    [-FLAT, FLAT].map((y) => /** @type {Vector} */ ([x, y, z])),
  )
  const slide = { points: rim, gyrationSquared: 0.5 ** 2 / 2, speed: 3, spin: 6 }
  return slideOff(engine, { type: 'hull', points }, slide, world)
}

/**
 * A flat square of 1 m that slides off at 2 m/s along its edges and spins at 6 rad/s. In theory each corner has a quarter of the
 * weight; which part it has is open, hence 0.69 to 0.72 m.
 *
 * @param {Engine} engine
 * @param {{ world?: Record<string, unknown> }} [options]
 * @returns {Promise<Outcome>} the way, m
 */
export async function puck(engine, { world } = {}) {
  const halfExtents = /** @type {Vector} */ ([0.5, FLAT, 0.5])
  const slide = { points: polygon(4, Math.SQRT1_2), gyrationSquared: 1 / 6, speed: 2, spin: 6 }
  return slideOff(engine, { type: 'box', halfExtents }, slide, world)
}

/**
 * Pairs of rods, one dropped askew onto the other: they touch in two points far apart one moment and in one point the next, where what
 * twisted the two has no lever.
 *
 * @param {Engine} engine
 * @param {{ pairs?: number, seconds?: number, world?: Record<string, unknown> }} [options]
 * @returns {Promise<Outcome>} the greatest speed of a rod, m/s: no more than 5.25 if it had all of the energy that any pair had
 */
export async function rods(engine, { pairs = 100, seconds = 2, world } = {}) {
  const random = new Random(22)
  const scene = new Scene()
  scene.ground()
  const rod = scene.shape({ type: 'box', halfExtents: [0.8, 0.05, 0.05] })
  for (let pair = 0; pair < pairs; pair++) {
    const [x, z] = [4 * ((pair % 10) - 4.5), 4 * (Math.floor(pair / 10) - 4.5)]
    const height = random.between(0.1, 0.5)
    scene.add(rod, [x, height, z])
    const place = /** @type {Vector} */ ([
      x + random.between(0, 0.3),
      height + random.between(0.2, 0.5),
      z + random.between(0, 0.3),
    ])
    const across = turnBy([0, 1, 0], random.between(0.3, Math.PI / 2))
    const tilt = turnBy([0, 0, 1], random.between(0, 0.1))
    scene.add(rod, place, { orientation: multiply(across, tilt) })
  }
  const experiment = await Experiment.start(engine, scene, { world })
  let [fastest, at] = [0, 0]
  experiment.run(seconds, () => {
    for (const slot of experiment.moving) {
      const speed = length(experiment.state(slot).velocity)
      if (!(speed <= fastest)) [fastest, at] = [speed, experiment.time]
    }
  })
  return { value: fastest, note: `at ${at.toFixed(2)} s` }
}

/** @type {(axis: Vector, angle: number) => import('../../scenarios/vector.mjs').Quaternion} */
const turnBy = (axis, angle) => turn(axis, { cosine: Math.cos(angle), sine: Math.sin(angle) })

/**
 * Small heaps of rods, plates and cubes that fall on each other at random: in how many the energy is ever more than at the start, by
 * more than `part` of what it was above the ground.
 *
 * @param {Engine} engine
 * @param {{ scenes?: number, seconds?: number, part?: number, world?: Record<string, unknown> }} [options]
 * @returns {Promise<Outcome>}
 */
export async function randomRods(engine, { scenes = 60, seconds = 3, part = 0.01, world } = {}) {
  let gaining = 0
  let worst = 0
  for (let seed = 1; seed <= scenes; seed++) {
    const gain = await worstGain(engine, heap(seed), seconds, world)
    if (!(gain <= part)) gaining++
    worst = Math.max(worst, gain)
  }
  return { value: gaining, note: `of ${scenes}, worst x ${(1 + worst).toFixed(2)}` }
}

/** @param {number} seed */
function heap(seed) {
  const random = new Random(seed)
  const scene = new Scene()
  scene.ground()
  for (let index = 0; index < 6; index++) {
    const halfExtents = /** @type {Vector} */ ([0, 1, 2].map(() => random.between(0.05, 0.8)))
    const place = /** @type {Vector} */ ([
      random.between(-0.5, 0.5),
      1 + 1.2 * index,
      random.between(-0.5, 0.5),
    ])
    scene.box(halfExtents, place, { orientation: random.orientation() })
  }
  return scene
}

/**
 * @param {Engine} engine
 * @param {Scene} scene
 * @param {number} seconds
 * @param {Record<string, unknown>} [world]
 * @returns {Promise<number>} the most that the energy was above its start, in parts of it
 */
async function worstGain(engine, scene, seconds, world) {
  const experiment = await Experiment.start(engine, scene, { world })
  const energies = await Energies.of(experiment)
  const start = energies.now().total
  let most = 0
  experiment.run(seconds, () => {
    const gain = energies.now().total / start - 1
    most = Number.isNaN(gain) ? Infinity : Math.max(most, gain)
  })
  experiment.free()
  return most
}

/** @type {Row[]} */
export const frictionRows = [
  {
    name: 'rods',
    title: '100 pairs of rods dropped crosswise: fastest',
    unit: 'm/s',
    goal: below('< 5.25', 5.25),
    measure: (engine) => rods(engine),
  },
  {
    name: 'random-rods',
    title: '60 random heaps: gain energy',
    unit: '',
    goal: within('0', 0, 0),
    measure: (engine, quick) => randomRods(engine, { scenes: quick ? 15 : 60 }),
  },
  {
    name: 'disc',
    title: 'disc slides and spins, way',
    unit: 'm',
    goal: within('1.16 ± 0.02', 1.14, 1.18),
    measure: (engine) => disc(engine),
  },
  {
    name: 'puck',
    title: 'square puck slides and spins, way',
    unit: 'm',
    goal: within('0.69 to 0.72', 0.69, 0.72),
    measure: (engine) => puck(engine),
  },
]
