/**
 * What rolls with its weight off its middle: gravity and a floor on which it does not slide keep its energy.
 */
import { turn } from '../../scenarios/vector.mjs'
import { NO_ROTATION } from '../scenes/description.mjs'
import { within } from './row.mjs'
import { Experiment, Scene } from './scene.mjs'

/** @typedef {import('./scene.mjs').Engine} Engine */
/** @typedef {import('./scene.mjs').Outcome} Outcome */
/** @typedef {import('./row.mjs').Row} Row */

const RADIUS = 0.5
/** rad, from which it is let go. */
const START = 0.5
/** s at the end of the run in which the greatest swing counts: more than a period. */
const LAST = 4
const QUARTER = { cosine: 0, sine: 1 }

/**
 * @param {Experiment} experiment
 * @param {number} body that turns about the z axis
 * @param {number} seconds
 * @returns {number} rad, the greatest angle at the end of the run
 */
export function swingOf(experiment, body, seconds) {
  let widest = 0
  experiment.run(seconds, ({ time }) => {
    const [, , z, w] = experiment.state(body).orientation
    if (time > seconds - LAST) widest = Math.max(widest, Math.abs(2 * Math.atan(z / w)))
  })
  return widest
}

/**
 * A ball with a smaller one in its lower half, which swings to and fro.
 *
 * @param {Engine} engine
 * @param {{ seconds?: number, world?: Record<string, unknown> }} [options]
 * @returns {Promise<Outcome>} the swing at the end, in parts of that at the start
 */
export async function loadedBall(engine, { seconds = 20, world } = {}) {
  const scene = new Scene()
  scene.ground()
  const parts = [
    { radius: RADIUS, height: 0 },
    { radius: RADIUS / 2, height: -0.2 },
  ]
  const shapes = parts.map(({ radius, height }) => {
    /** @type {import('../scenes/description.mjs').PartDescription} */
    const part = { type: 'sphere', radius, position: [0, height, 0], orientation: NO_ROTATION }
    return part
  })
  const orientation = turn([0, 0, 1], { cosine: Math.cos(START), sine: Math.sin(START) })
  const ball = scene.add({ type: 'compound', shapes }, [0, RADIUS, 0], { orientation })
  const experiment = await Experiment.start(engine, scene, { world })
  return { value: swingOf(experiment, ball, seconds) / START }
}

/**
 * A plank that rocks on a log whose radius is ten times half its thickness.
 *
 * @param {Engine} engine
 * @param {{ seconds?: number, world?: Record<string, unknown> }} [options]
 * @returns {Promise<Outcome>} the swing at the end, in parts of that at the start
 */
export async function plankOnLog(engine, { seconds = 20, world } = {}) {
  const [thickness, tilt, arc] = [RADIUS / 10, 0.15, RADIUS * 0.15]
  const [sine, cosine] = [Math.sin(tilt), Math.cos(tilt)]
  const scene = new Scene()
  const log = { fixed: true, friction: 1, orientation: turn([1, 0, 0], QUARTER) }
  scene.add({ type: 'cylinder', radius: RADIUS, halfHeight: 0.5 }, [0, 0, 0], log)
  // It touches where the radius is off the vertical by its tilt, and as far from its middle as it has rolled.
  const place = /** @type {import('./scene.mjs').Vector} */ ([
    (RADIUS + thickness) * sine - arc * cosine,
    (RADIUS + thickness) * cosine + arc * sine,
    0,
  ])
  const orientation = turn([0, 0, -1], { cosine, sine })
  const plank = scene.box([1, thickness, 0.3], place, { friction: 1, orientation })
  const experiment = await Experiment.start(engine, scene, { world })
  return { value: swingOf(experiment, plank, seconds) / tilt }
}

/**
 * A coin of 1 m that spins on its rim at 20 degrees while its middle stands still (Euler's disc): it touches at the arm `r` from its
 * middle, turns about this arm, and what turns its spin round is its weight at that arm.
 *
 * @param {Engine} engine
 * @param {{ seconds?: number, rate?: number, world?: Record<string, unknown> }} [options] `rate`: steps per second
 * @returns {Promise<Outcome>} its angle at the end, degrees
 */
export async function coin(engine, { seconds = 4, rate = 240, world } = {}) {
  const [halfHeight, tilt, gravity] = [RADIUS / 25, (20 * Math.PI) / 180, 9.81]
  const [sine, cosine] = [Math.sin(tilt), Math.cos(tilt)]
  const arm = [halfHeight * sine - RADIUS * cosine, -RADIUS * sine - halfHeight * cosine]
  const length = Math.hypot(...arm)
  // Of the unit vector along the arm: across the coin's axis and along it.
  const [across, along] = [RADIUS / length, halfHeight / length]
  const about = (3 * RADIUS ** 2 + 4 * halfHeight ** 2) / 12 // kg m2 per kg
  const level = about * across * cosine - (RADIUS ** 2 / 2) * along * sine
  const round = Math.sqrt((-arm[0] * gravity * across) / (sine * level))
  const spin = (round * sine) / across / length
  const scene = new Scene()
  scene.ground()
  const shape = /** @type {const} */ ({ type: 'cylinder', radius: RADIUS, halfHeight })
  const slot = scene.add(shape, [0, -arm[1], 0], {
    orientation: turn([0, 0, 1], { cosine, sine }),
    angularVelocity: [spin * arm[0], spin * arm[1], 0],
  })
  const experiment = await Experiment.start(engine, scene, { world })
  experiment.run(seconds, undefined, 1 / rate)
  const [x, , z] = experiment.state(slot).orientation
  return { value: (Math.acos(Math.min(1, Math.abs(1 - 2 * (x * x + z * z)))) * 180) / Math.PI }
}

/** @type {Row[]} */
export const rollingRows = [
  {
    name: 'loaded-ball',
    title: 'ball with its weight off its middle, swing after 20 s',
    unit: '',
    goal: within('1.00 ± 0.02', 0.98, 1.02),
    measure: (engine, quick) => loadedBall(engine, quick ? { seconds: 5 } : {}),
  },
  {
    name: 'plank-on-log',
    title: 'plank that rocks on a log, swing after 20 s',
    unit: '',
    goal: within('1.00 ± 0.02', 0.98, 1.02),
    measure: (engine, quick) => plankOnLog(engine, quick ? { seconds: 5 } : {}),
  },
  {
    name: 'coin',
    title: 'coin that spins on its rim at 20° (240 Hz), angle after 4 s',
    unit: '°',
    goal: within('20 ± 1', 19, 21),
    measure: (engine, quick) => coin(engine, quick ? { seconds: 1 } : {}),
  },
]
