/**
 * Impacts: what falls flat lands flat, and what is elastic comes back.
 */
import { length } from '../../scenarios/vector.mjs'
import { GRAVITY } from '../scenes/description.mjs'
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
