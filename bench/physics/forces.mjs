/**
 * Forces of the user's own: springs, orbits, a compass needle. A sound integrator keeps their energy for ever (Hairer, Lubich and
 * Wanner, "Geometric Numerical Integration", 2006, chapter IX): the amplitude is the same after any time.
 */
import { cross, dot, length, rotate, scale } from '../../scenarios/vector.mjs'
import { below, within, WAYS } from './row.mjs'
import { Experiment, Scene, TIME_STEP } from './scene.mjs'

/** @typedef {import('./scene.mjs').Engine} Engine */
/** @typedef {import('./scene.mjs').Outcome} Outcome */
/** @typedef {import('./row.mjs').Row} Row */
/** @typedef {import('./scene.mjs').Vector} Vector */

/** @type {Vector} */
const WEIGHTLESS = [0, 0, 0]

/**
 * The amplitude of what swings about 0, by its mean square over a period, which no step of the clock can miss.
 *
 * @param {Experiment} experiment
 * @param {number} period s
 * @param {() => void} push before each step
 * @param {() => number} read
 */
function amplitude(experiment, period, push, read) {
  const steps = Math.round(period / TIME_STEP)
  let sum = 0
  for (let step = 0; step < steps; step++) {
    push()
    experiment.step()
    sum += read() ** 2
  }
  return Math.sqrt((2 * sum) / steps)
}

/**
 * A ball of 1 kg on a spring, let go 1 m from its place: its amplitude in the period about the end of `seconds`, in parts of the
 * first one. Theory: 1.
 *
 * @param {Engine} engine
 * @param {{ hertz?: number, seconds?: number, by?: 'force' | 'potential' }} [options]
 * @returns {Promise<Outcome>}
 */
export async function spring(engine, { hertz = 1, seconds = 10, by = 'force' } = {}) {
  const stiffness = (2 * Math.PI * hertz) ** 2
  const scene = new Scene(WEIGHTLESS)
  const ball = scene.sphere(0.1, [1, 0, 0], { mass: 1 })
  if (by === 'potential')
    scene.attract({ type: 'spring', body: ball, anchorB: [0, 0, 0], stiffness })
  const experiment = await Experiment.start(engine, scene)
  const place = () => experiment.state(ball).position
  const push = () => {
    if (by === 'force') experiment.controls.applyForce(ball, scale(place(), -stiffness))
  }
  const period = 1 / hertz
  while (experiment.time < seconds - period / 2 - TIME_STEP / 2) {
    push()
    experiment.step()
  }
  return { value: amplitude(experiment, period, push, () => place()[0]) }
}

/**
 * A small body that circles a fixed mass: by how much its energy is off after some turns, in parts of it. Theory: 0.
 *
 * @param {Engine} engine
 * @param {{ turns?: number, by?: 'force' | 'potential' }} [options]
 * @returns {Promise<Outcome>}
 */
export async function orbit(engine, { turns = 20, by = 'force' } = {}) {
  const [radius, mu] = [1, 1]
  // Kepler's third law.
  const period = 2 * Math.PI * Math.sqrt(radius ** 3 / mu)
  const scene = new Scene(WEIGHTLESS)
  const linearVelocity = /** @type {Vector} */ ([0, Math.sqrt(mu / radius), 0])
  const moon = scene.sphere(0.05, [radius, 0, 0], { mass: 1, linearVelocity })
  if (by === 'potential') scene.attract({ type: 'pointGravity', body: moon, mu })
  const experiment = await Experiment.start(engine, scene)
  const energy = () => {
    const { position, velocity } = experiment.state(moon)
    return dot(velocity, velocity) / 2 - mu / length(position)
  }
  const start = energy()
  while (experiment.time < turns * period) {
    const { position } = experiment.state(moon)
    if (by === 'force') {
      experiment.controls.applyForce(moon, scale(position, -mu / length(position) ** 3))
    }
    experiment.step()
  }
  return { value: Math.abs(energy() / start - 1) }
}

/**
 * A compass needle in a uniform field, let go 0.1 rad from it: its amplitude after `seconds`, in parts of the first one. Theory: 1.
 *
 * @param {Engine} engine
 * @param {{ hertz?: number, seconds?: number, by?: 'force' | 'potential' }} [options]
 * @returns {Promise<Outcome>}
 */
export async function compass(engine, { hertz = 1, seconds = 10, by = 'force' } = {}) {
  const release = 0.1
  const side = 0.5
  // I = m (2 side)² / 6 of a cube of 1 kg; I w² = moment times field.
  const strength = ((2 * side) ** 2 / 6) * (2 * Math.PI * hertz) ** 2
  /** @type {Vector} */
  const moment = [1, 0, 0]
  /** @type {Vector} */
  const field = [strength, 0, 0]
  const scene = new Scene(WEIGHTLESS)
  const orientation = /** @type {[number, number, number, number]} */ ([
    0,
    0,
    Math.sin(release / 2),
    Math.cos(release / 2),
  ])
  const needle = scene.box([side, side, side], [0, 0, 0], { mass: 1, orientation })
  if (by === 'potential') scene.attract({ type: 'magnetic', body: needle, moment, field })
  const experiment = await Experiment.start(engine, scene)
  const direction = () => rotate(experiment.state(needle).orientation, moment)
  const push = () => {
    if (by === 'force') experiment.controls.applyTorque(needle, cross(direction(), field))
  }
  const period = 1 / hertz
  while (experiment.time < seconds - period / 2 - TIME_STEP / 2) {
    push()
    experiment.step()
  }
  const angle = () => {
    const [x, y] = direction()
    return Math.atan2(y, x)
  }
  return { value: amplitude(experiment, period, push, angle) / release }
}

/** An amplitude, in parts of that at the start. */
const KEPT = within('1.00 ± 0.01', 0.99, 1.01)

/** @type {Row[]} */
export const forceRows = [
  ...[1, 2].flatMap((hertz) =>
    WAYS.map((by) => ({
      name: `spring-${hertz}-${by}`,
      title: `${hertz} Hz spring by ${by}, amplitude after 10 s`,
      unit: /** @type {const} */ (''),
      goal: KEPT,
      measure: (/** @type {Engine} */ engine) => spring(engine, { hertz, by }),
    })),
  ),
  ...WAYS.map((by) => ({
    name: `orbit-${by}`,
    title: `orbit by ${by}, energy off after 20 turns`,
    unit: /** @type {const} */ ('%'),
    goal: below('< 1 %', 0.01),
    measure: (/** @type {Engine} */ engine) => orbit(engine, { by }),
  })),
  ...WAYS.map((by) => ({
    name: `compass-${by}`,
    title: `1 Hz compass by ${by === 'force' ? 'torque' : by}, amplitude after 10 s`,
    unit: /** @type {const} */ (''),
    goal: KEPT,
    measure: (/** @type {Engine} */ engine) => compass(engine, { by }),
  })),
]
