/**
 * What may not fall asleep, however slow it is: it moves on. Sleep is on in all of these.
 */
import { dot, length, scale } from '../../scenarios/vector.mjs'
import { GRAVITY } from '../scenes/description.mjs'
import { within, WAYS } from './row.mjs'
import { Experiment, Scene } from './scene.mjs'

/** @typedef {import('./scene.mjs').Engine} Engine */
/** @typedef {import('./scene.mjs').Outcome} Outcome */
/** @typedef {import('./row.mjs').Row} Row */
/** @typedef {import('./scene.mjs').Vector} Vector */

/** @type {Vector} */
const WEIGHTLESS = [0, 0, 0]
/** m/s: slower than what may fall asleep in most engines. */
const SLOW = 0.04

/**
 * A ball that flies freely and slowly.
 *
 * @param {Engine} engine
 * @param {{ seconds?: number }} [options]
 * @returns {Promise<Outcome>} its way in parts of what it is in theory
 */
export async function slowFlight(engine, { seconds = 10 } = {}) {
  const scene = new Scene(WEIGHTLESS)
  const ball = scene.sphere(0.5, [0, 0, 0], { linearVelocity: [SLOW, 0, 0] })
  const experiment = await Experiment.start(engine, scene, { sleep: true })
  experiment.run(seconds)
  return { value: experiment.state(ball).position[0] / (SLOW * seconds) }
}

/**
 * A ball that circles a fixed mass slowly: as force of the user, and as potential for engines that have one.
 *
 * @param {Engine} engine
 * @param {{ seconds?: number, by?: 'force' | 'potential' }} [options]
 * @returns {Promise<Outcome>} the angle that it went in parts of what it is in theory
 */
export async function slowOrbit(engine, { seconds = 10, by = 'force' } = {}) {
  const radius = 1
  const mu = SLOW ** 2 * radius
  const scene = new Scene(WEIGHTLESS)
  const ball = scene.sphere(0.1, [radius, 0, 0], { mass: 1, linearVelocity: [0, SLOW, 0] })
  if (by === 'potential') scene.attract({ type: 'pointGravity', body: ball, mu })
  const experiment = await Experiment.start(engine, scene, { sleep: true })
  const place = () => experiment.state(ball).position
  while (experiment.time < seconds - 1e-9) {
    // Some engines wake a body that gets a force; then it is awake all the time.
    if (by === 'force') {
      experiment.controls.applyForce(ball, scale(place(), -mu / length(place()) ** 3))
    }
    experiment.step()
  }
  const [x, y] = place()
  return { value: Math.atan2(y, x) / ((SLOW * seconds) / radius) }
}

/**
 * A box on a slope of 3 degrees with hardly less friction than holds it: it slides off slowly.
 *
 * @param {Engine} engine
 * @param {{ seconds?: number, friction?: number }} [options]
 * @returns {Promise<Outcome>} its way in parts of what it is in theory
 */
export async function slowSlide(engine, { seconds = 5, friction = 0.05 } = {}) {
  const angle = (3 * Math.PI) / 180
  const gravity = /** @type {Vector} */ ([GRAVITY * Math.sin(angle), -GRAVITY * Math.cos(angle), 0])
  const scene = new Scene(gravity)
  scene.ground({ friction })
  const box = scene.box([0.5, 0.5, 0.5], [0, 0.5, 0], { friction })
  const experiment = await Experiment.start(engine, scene, { sleep: true })
  experiment.run(seconds)
  const theory = (dot(gravity, [1, friction, 0]) * seconds ** 2) / 2
  return { value: experiment.state(box).position[0] / theory }
}

/** A way, in parts of what it is in theory: what is slow is not exact, but it moves. */
const MOVES = within('1.00 ± 0.05', 0.95, 1.05)

/** @type {Row[]} */
export const sleepRows = [
  {
    name: 'slow-flight',
    title: 'sleep on: free flight at 0.04 m/s goes on',
    unit: '',
    goal: MOVES,
    measure: (engine) => slowFlight(engine),
  },
  ...WAYS.map((by) => ({
    name: `slow-orbit-${by}`,
    title: `sleep on: orbit at 0.04 m/s by ${by} goes on`,
    unit: /** @type {const} */ (''),
    goal: MOVES,
    measure: (/** @type {Engine} */ engine) => slowOrbit(engine, { by }),
  })),
  {
    name: 'slow-slide',
    title: 'sleep on: box that slides off a slope of 3° goes on',
    unit: '',
    goal: MOVES,
    measure: (engine) => slowSlide(engine),
  },
]
