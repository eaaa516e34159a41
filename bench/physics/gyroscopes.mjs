/**
 * Fast spin: a gyroscope on a pivot that must not fall, and a free top whose angular momentum stays.
 */
import { distance, length, scale } from '../../scenarios/vector.mjs'
import { GRAVITY } from '../scenes/description.mjs'
import { Energies } from './energy.mjs'
import { below } from './row.mjs'
import { Experiment, Scene } from './scene.mjs'

/** @typedef {import('./scene.mjs').Engine} Engine */
/** @typedef {import('./scene.mjs').Outcome} Outcome */
/** @typedef {import('./row.mjs').Row} Row */
/** @typedef {import('./scene.mjs').Vector} Vector */

/** The wheel, a square plate about the x axis, m. @type {Vector} */
const WHEEL = [0.05, 0.2, 0.2]
/** m, from the pivot to the middle of the wheel. */
const ARM = 0.3

/**
 * A wheel of 1 kg on a level axle that is held at its end, begun in its steady precession: then it stays level (Goldstein,
 * "Classical Mechanics", 5.7). The rate is m g arm / (I spin).
 *
 * @param {Engine} engine
 * @param {{ spin?: number, seconds?: number }} [options] rad/s; s
 * @returns {Promise<Outcome>} m that the wheel is below the pivot, at the worst
 */
export async function gyroscope(engine, { spin = 100, seconds = 10 } = {}) {
  const mass = 1
  const inertia = (mass * (WHEEL[1] ** 2 + WHEEL[2] ** 2)) / 3
  const precession = (mass * GRAVITY * ARM) / (inertia * spin)
  const scene = new Scene()
  const pivot = scene.anchor([0, 0, 0])
  const wheel = scene.box(WHEEL, [ARM, 0, 0], {
    mass,
    linearVelocity: [0, 0, -precession * ARM],
    angularVelocity: [spin, precession, 0],
  })
  scene.join('ball', pivot, wheel, [0, 0, 0])
  const experiment = await Experiment.start(engine, scene)
  let lowest = 0
  experiment.run(seconds, () => {
    lowest = Math.min(lowest, experiment.state(wheel).position[1])
  })
  return { value: -lowest }
}

/**
 * A brick that tumbles freely: its angular momentum keeps direction and size.
 *
 * @param {Engine} engine
 * @param {{ seconds?: number }} [options]
 * @returns {Promise<Outcome>} degrees by which its direction is off, at the worst
 */
export async function freeTop(engine, { seconds = 10 } = {}) {
  const scene = new Scene([0, 0, 0])
  const top = scene.box([0.5, 0.3, 0.1], [0, 0, 0], { mass: 1, angularVelocity: [1, 6, 2] })
  const experiment = await Experiment.start(engine, scene)
  const energies = await Energies.of(experiment)
  const unit = () => {
    const momentum = energies.angularMomentum(top)
    return scale(momentum, 1 / length(momentum))
  }
  const [start, size] = [unit(), length(energies.angularMomentum(top))]
  let worst = 0
  experiment.run(seconds, () => {
    // The chord of a small angle is the angle; its sine would round it to nothing.
    worst = Math.max(worst, 2 * Math.asin(distance(unit(), start) / 2))
  })
  const lost = length(energies.angularMomentum(top)) / size - 1
  return { value: (worst * 180) / Math.PI, note: `size ${(100 * lost).toFixed(2)} %` }
}

/** @type {Row[]} */
export const gyroscopeRows = [
  {
    name: 'gyroscope',
    title: 'gyroscope of 100 rad/s on an arm of 0.3 m, dip in 10 s',
    unit: 'm',
    goal: below('< 0.01 m', 0.01),
    measure: (engine) => gyroscope(engine),
  },
  {
    name: 'free-top',
    title: 'free top, direction of L off in 10 s',
    unit: '°',
    goal: below('< 1e-9°', 1e-9),
    measure: (engine) => freeTop(engine),
  },
]
