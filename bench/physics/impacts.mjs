/**
 * Impacts: what falls flat lands flat, and what is elastic comes back.
 */
import { Random } from '../../scenarios/random.mjs'
import { length } from '../../scenarios/vector.mjs'
import { GRAVITY } from '../scenes/description.mjs'
import { Energies } from './energy.mjs'
import { below, within } from './row.mjs'
import { Experiment, Scene } from './scene.mjs'

/** @typedef {import('./scene.mjs').Engine} Engine */
/** @typedef {import('./scene.mjs').Outcome} Outcome */
/** @typedef {import('./row.mjs').Row} Row */

/**
 * A cube of 1 m that falls flat on its face.
 *
 * @param {Engine} engine
 * @param {{ height?: number, seconds?: number }} [options] m, of its fall
 * @returns {Promise<Outcome>} the fastest that it ever turns, rad/s; in theory it does not
 */
export async function flatLanding(engine, { height = 4.5, seconds = 4 } = {}) {
  const scene = new Scene()
  scene.ground()
  const cube = scene.box([0.5, 0.5, 0.5], [0, height + 0.5, 0])
  const experiment = await Experiment.start(engine, scene)
  let fastest = 0
  experiment.run(seconds, () => {
    fastest = Math.max(fastest, length(experiment.state(cube).spin))
  })
  const [x, , z] = experiment.state(cube).position
  return { value: fastest, note: `ends ${(1000 * Math.hypot(x, z)).toFixed(1)} mm aside` }
}

/**
 * A ball that bounces, and the heights of its apices. Between the steps before and after an apex its height follows from its speed.
 *
 * @param {Engine} engine
 * @param {number} restitution
 * @param {number} height m, of the first fall
 * @param {(apices: number[], time: number) => boolean} isDone
 * @returns {Promise<number[]>} apices, m above where it touches
 */
async function bounce(engine, restitution, height, isDone) {
  const radius = 0.5
  const scene = new Scene()
  scene.ground({ restitution, friction: 0 })
  const ball = scene.sphere(radius, [0, radius + height, 0], { restitution, friction: 0, mass: 1 })
  const experiment = await Experiment.start(engine, scene)
  /** @type {number[]} */
  const apices = []
  let speed = 0
  while (!isDone(apices, experiment.time)) {
    experiment.step()
    const { position, velocity } = experiment.state(ball)
    if (speed > 0 && velocity[1] <= 0) {
      apices.push(position[1] - radius + velocity[1] ** 2 / (2 * GRAVITY))
    }
    speed = velocity[1]
  }
  return apices
}

/**
 * A ball with e = 1 let go 1 m above the ground.
 *
 * @param {Engine} engine
 * @param {{ seconds?: number, height?: number }} [options]
 * @returns {Promise<Outcome>} by what part of its height its last apex is off; 1 where it stops to bounce
 */
export async function elasticBall(engine, { seconds = 60, height = 1 } = {}) {
  const apices = await bounce(engine, 1, height, (_, time) => time >= seconds)
  // A fall and a rise take 0.9 s from 1 m.
  const expected = seconds / (2 * Math.sqrt((2 * height) / GRAVITY))
  if (apices.length < expected / 2) return { value: 1, note: 'stops' }
  const off = apices[apices.length - 1] / height - 1
  return { value: Math.abs(off), note: `${(100 * off).toFixed(3)} %` }
}

/**
 * A ball with e = 0.8 after some bounces: its height is e² of the last one's each time.
 *
 * @param {Engine} engine
 * @param {{ bounces?: number, height?: number }} [options]
 * @returns {Promise<Outcome>} by what part of the height in theory it is off
 */
export async function bouncingBall(engine, { bounces = 5, height = 2 } = {}) {
  const restitution = 0.8
  const isDone = (/** @type {number[]} */ { length: count }, /** @type {number} */ time) =>
    count >= bounces || time > 20
  const apices = await bounce(engine, restitution, height, isDone)
  if (apices.length < bounces) return { value: 1, note: 'stops' }
  const off = apices[bounces - 1] / (height * restitution ** (2 * bounces)) - 1
  return { value: Math.abs(off), note: `${(100 * off).toFixed(2)} %` }
}

/**
 * Newton's cradle without strings: four elastic balls in a row that touch, weightless, and a fifth that flies into them. Which of the
 * many outcomes that keep momentum and energy is right is a law of impact (Smith, Kaufman, Vouga, Tamstorf and Grinspun,
 * "Reflections on simultaneous impact", 2012); steel balls hand all to the last one.
 *
 * @param {Engine} engine
 * @param {{ speed?: number, world?: Record<string, unknown> }} [options] m/s of the first
 * @returns {Promise<Outcome>} the speed of the last ball in parts of it
 */
export async function cradle(engine, { speed = 0.71, world } = {}) {
  const radius = 0.1
  const scene = new Scene([0, 0, 0])
  const options = { mass: 1, restitution: 1, friction: 0 }
  const shape = scene.shape({ type: 'sphere', radius })
  const runUp = 0.1
  scene.add(shape, [-runUp - 2 * radius, 0, 0], { ...options, linearVelocity: [speed, 0, 0] })
  for (let index = 0; index < 4; index++) scene.add(shape, [2 * radius * index, 0, 0], options)
  const experiment = await Experiment.start(engine, scene, { world })
  experiment.run(0.5)
  const speeds = experiment.moving.map((slot) => experiment.state(slot).velocity[0])
  return { value: speeds[4] / speed, note: speeds.map((each) => each.toFixed(2)).join(', ') }
}

/** No friction, and nothing lost. */
const ELASTIC = { restitution: 1, friction: 0 }

/**
 * A closed room of 4 m whose walls are elastic.
 *
 * @param {Scene} scene
 */
function addRoom(scene) {
  for (const axis of [0, 1, 2]) {
    for (const side of [-1, 1]) {
      const at = /** @type {import('./scene.mjs').Vector} */ ([0, 0, 0])
      const half = /** @type {import('./scene.mjs').Vector} */ ([4, 4, 4])
      at[axis] = 3 * side
      half[axis] = 1
      scene.box(half, at, { fixed: true, ...ELASTIC })
    }
  }
}

/**
 * Weightless bodies with e = 1 that fly through a room without friction.
 *
 * @param {Engine} engine
 * @param {(scene: Scene, random: Random) => void} fill
 * @param {number} seconds
 * @returns {Promise<Outcome>} of the greatest and the least energy that which is further off, in parts of that at the start
 */
async function flyAbout(engine, fill, seconds) {
  const scene = new Scene([0, 0, 0])
  addRoom(scene)
  fill(scene, new Random(7))
  const experiment = await Experiment.start(engine, scene)
  const energies = await Energies.of(experiment)
  const start = energies.now().kinetic
  let [most, least] = [1, 1]
  experiment.run(seconds, () => {
    const part = energies.now().kinetic / start
    most = Math.max(most, part)
    least = Math.min(least, part)
  })
  return { value: most - 1 > 1 - least ? most : least }
}

/**
 * @param {Random} random
 * @param {number} size
 * @returns {import('./scene.mjs').Vector}
 */
const anyVector = (random, size) => {
  const each = () => random.between(-size, size)
  return [each(), each(), each()]
}

/**
 * Twelve boxes, plates and capsules that tumble.
 *
 * @param {Engine} engine
 * @param {{ seconds?: number }} [options]
 * @returns {Promise<Outcome>}
 */
export const elasticShapes = (engine, { seconds = 20 } = {}) =>
  flyAbout(
    engine,
    (scene, random) => {
      for (let index = 0; index < 12; index++) {
        const shape = [
          scene.shape({ type: 'box', halfExtents: [0.3, 0.15, 0.2] }),
          scene.shape({ type: 'box', halfExtents: [0.3, 0.05, 0.25] }),
          scene.shape({ type: 'capsule', radius: 0.12, halfHeight: 0.2 }),
        ][index % 3]
        const place = [index % 3, Math.floor(index / 3) % 2, Math.floor(index / 6)]
        const position = /** @type {import('./scene.mjs').Vector} */ (place.map((x) => x - 1))
        scene.add(shape, position, {
          ...{ ...ELASTIC, mass: 1, orientation: random.orientation() },
          linearVelocity: anyVector(random, 2),
          angularVelocity: anyVector(random, 3),
        })
      }
    },
    seconds,
  )

/**
 * 27 balls.
 *
 * @param {Engine} engine
 * @param {{ seconds?: number }} [options]
 * @returns {Promise<Outcome>}
 */
export const elasticBalls = (engine, { seconds = 60 } = {}) =>
  flyAbout(
    engine,
    (scene, random) => {
      for (let index = 0; index < 27; index++) {
        const place = [index % 3, Math.floor(index / 3) % 3, Math.floor(index / 9)]
        const position = /** @type {import('./scene.mjs').Vector} */ (place.map((x) => x - 1))
        const linearVelocity = anyVector(random, 2)
        scene.sphere(random.between(0.2, 0.4), position, { ...ELASTIC, mass: 1, linearVelocity })
      }
    },
    seconds,
  )

/**
 * A billiard ball that strikes another at 30 degrees off its middle throws it by the angle whose tangent is the friction (.06), 3.43
 * degrees: friction counts the impulse of the rebound too.
 *
 * @param {Engine} engine
 * @returns {Promise<Outcome>} degrees
 */
export async function billiardThrow(engine) {
  const [radius, friction, cut] = [0.5, 0.06, Math.PI / 6]
  const scene = new Scene([0, 0, 0])
  const options = { mass: 0.17, restitution: 1, friction }
  const away = 2 * radius + 0.005
  scene.sphere(radius, [-away * Math.cos(cut), 0, -away * Math.sin(cut)], {
    ...options,
    linearVelocity: [1, 0, 0],
  })
  const struck = scene.sphere(radius, [0, 0, 0], options)
  const experiment = await Experiment.start(engine, scene)
  experiment.run(0.5)
  const [x, , z] = experiment.state(struck).velocity
  return { value: ((cut - Math.atan2(z, x)) * 180) / Math.PI }
}

/**
 * A ball that slides at 3 m/s and falls at 2 m/s onto the ground, weightless, with friction .1 and e = 1.
 *
 * @param {Engine} engine
 * @returns {Promise<Outcome>} m/s that friction takes: .1 of the change of 4 m/s
 */
export async function reboundFriction(engine) {
  const scene = new Scene([0, 0, 0])
  const options = { restitution: 1, friction: 0.1 }
  scene.ground(options)
  const ball = scene.sphere(0.5, [0, 0.55, 0], { ...options, mass: 1, linearVelocity: [3, -2, 0] })
  const experiment = await Experiment.start(engine, scene)
  experiment.run(0.2)
  return { value: 3 - experiment.state(ball).velocity[0] }
}

/** Moreau's law of impact that one of the rows is about; the others take its default. */
const REFLECTIONS = { impactLaw: 'generalized-reflections' }

/** @type {Row[]} */
export const impactRows = [
  {
    name: 'flat-landing',
    title: 'cube falls flat from 4.5 m: spin',
    unit: 'rad/s',
    goal: below('< 0.01', 0.01),
    measure: (engine) => flatLanding(engine),
  },
  {
    name: 'elastic-ball',
    title: 'ball with e = 1, apex off after 60 s',
    unit: '%',
    goal: below('< 0.1 %', 1e-3),
    measure: (engine) => elasticBall(engine),
  },
  {
    name: 'bouncing-ball',
    title: 'ball with e = 0.8, height off after 5 bounces',
    unit: '%',
    goal: below('< 1 %', 0.01),
    measure: (engine) => bouncingBall(engine),
  },
  {
    name: 'rebound-friction',
    title: 'ball with e = 1 and friction .1 bounces at 2 m/s: speed that it loses',
    unit: 'm/s',
    goal: within('0.400 ± 0.004', 0.396, 0.404),
    measure: (engine) => reboundFriction(engine),
  },
  {
    name: 'billiard-throw',
    title: 'billiard ball with friction .06: throw',
    unit: '°',
    goal: within('3.43 ± 0.2', 3.23, 3.63),
    measure: (engine) => billiardThrow(engine),
  },
  {
    name: 'elastic-balls',
    title: '27 balls with e = 1 in a room for 60 s: energy furthest off',
    unit: '',
    goal: within('1.00 ± 0.01', 0.99, 1.01),
    measure: (engine, quick) => elasticBalls(engine, quick ? { seconds: 10 } : {}),
  },
  {
    name: 'elastic-shapes',
    title: 'boxes, plates and capsules with e = 1 in a room for 20 s: energy furthest off',
    unit: '',
    goal: within('1.00 ± 0.01', 0.99, 1.01),
    measure: (engine, quick) => elasticShapes(engine, quick ? { seconds: 5 } : {}),
  },
  {
    name: 'cradle',
    title: 'cradle of five touching balls: speed handed to the last',
    unit: '%',
    goal: null,
    measure: (engine) => cradle(engine),
  },
  {
    name: 'cradle-reflections',
    title: 'the same with `impactLaw: generalized-reflections`',
    unit: '%',
    goal: within('100 ± 1', 0.99, 1.01),
    ownOption: true,
    measure: (engine) => cradle(engine, { world: REFLECTIONS }),
  },
]
