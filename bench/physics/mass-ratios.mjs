/**
 * Heavy on light: what a stack of cubes of 1 kg does under a heavy one. In theory it stands.
 */
import { NO_ROTATION } from '../scenes/description.mjs'
import { length } from '../../scenarios/vector.mjs'
import { below } from './row.mjs'
import { Experiment, Scene } from './scene.mjs'

/** @typedef {import('./scene.mjs').Engine} Engine */
/** @typedef {import('./scene.mjs').Outcome} Outcome */
/** @typedef {import('./row.mjs').Row} Row */
/** @typedef {import('./scene.mjs').Vector} Vector */

/** @type {Vector} */
const CUBE = [0.5, 0.5, 0.5]

/**
 * @param {Scene} scene
 * @param {number[]} masses kg of cubes of 1 m, from the lowest on
 * @returns {number} the topmost
 */
function stackUp(scene, masses) {
  const slots = masses.map((mass, level) => scene.box(CUBE, [0, level + 0.5, 0], { mass }))
  return slots[slots.length - 1]
}

/**
 * @param {number} count
 * @param {number} factor
 * @returns {number[]} 1, factor, its square ...
 */
const gradual = (count, factor) => Array.from({ length: count }, (_, level) => factor ** level)

/**
 * A tower of cubes of 1 m.
 *
 * @param {Engine} engine
 * @param {{ masses?: number[], seconds?: number, world?: Record<string, unknown> }} [options] kg, from the lowest on
 * @returns {Promise<Outcome>} m that the topmost is below its place, at the worst; the fastest that any cube ever is
 */
export async function tower(engine, { masses = [1, 1, 1, 1, 100], seconds = 10, world = {} } = {}) {
  const scene = new Scene()
  scene.ground()
  const top = stackUp(scene, masses)
  const experiment = await Experiment.start(engine, scene, { world })
  let [lowest, fastest] = [Infinity, 0]
  experiment.run(seconds, () => {
    lowest = Math.min(lowest, experiment.state(top).position[1])
    for (const slot of experiment.moving) {
      fastest = Math.max(fastest, length(experiment.state(slot).velocity))
    }
  })
  return { value: masses.length - 0.5 - lowest, note: `up to ${fastest.toFixed(2)} m/s` }
}

/**
 * A tower in the middle of a pile of boxes.
 *
 * @param {Engine} engine
 * @param {{ boxes?: number, masses?: number[], seconds?: number, world?: Record<string, unknown> }} [options] kg, from the lowest on
 * @returns {Promise<Outcome>} m that the topmost is below its place, at the worst
 */
export async function towerInPile(
  engine,
  { boxes = 1000, masses = [1, 1e4], seconds = 5, world = {} } = {},
) {
  const scene = new Scene()
  scene.ground()
  const top = stackUp(scene, masses)
  const half = 0.25
  const box = scene.shape({ type: 'box', halfExtents: [half, half, half] })
  const side = 10
  for (let index = 0; index < boxes; index++) {
    // A ring of columns round the tower, far enough that nothing leans on it.
    const column = index % (4 * side)
    const along = (column % side) * 1.1 - 0.55 * side
    const turned = Math.floor(column / side)
    const level = half + 0.01 + Math.floor(index / (4 * side)) * 0.55
    const [x, z] = [
      [along, -0.55 * side],
      [0.55 * side, along],
      [-along, 0.55 * side],
      [-0.55 * side, -along],
    ][turned]
    scene.add(box, [x, level, z], { orientation: NO_ROTATION })
  }
  const experiment = await Experiment.start(engine, scene, { world })
  let [lowest, steps] = [Infinity, 0]
  const begin = process.cpuUsage()
  experiment.run(seconds, () => {
    lowest = Math.min(lowest, experiment.state(top).position[1])
    steps++
  })
  const cost = process.cpuUsage(begin).user / 1000 / steps
  return { value: masses.length - 0.5 - lowest, note: `${cost.toFixed(1)} ms of CPU time per step` }
}

/** @type {{ name: string, title: string, masses: number[], limit: number }[]} */
const TOWERS = [
  { name: 'heavy-4-100', title: '4 x 1 kg under 100 kg', masses: [1, 1, 1, 1, 100], limit: 0.01 },
  { name: 'heavy-4-1000', title: '4 x 1 kg under 1000 kg', masses: [1, 1, 1, 1, 1e3], limit: 0.05 },
  { name: 'heavy-1-1000', title: '1 x 1 kg under 1000 kg', masses: [1, 1e3], limit: 0.05 },
  { name: 'gradual-2', title: '1, 2, 4 ... 512 kg upwards', masses: gradual(10, 2), limit: 1e-3 },
  { name: 'gradual-3', title: '1, 3, 9 ... 243 kg upwards', masses: gradual(6, 3), limit: 1e-3 },
]

/** @type {Row[]} */
export const massRatioRows = [
  ...TOWERS.map(({ name, title, masses, limit }) => ({
    name,
    title: `${title}: sinks`,
    unit: /** @type {const} */ ('mm'),
    goal: below(`< ${1000 * limit} mm`, limit),
    measure: (/** @type {Engine} */ engine) => tower(engine, { masses }),
  })),
  ...[
    { name: 'tower-in-pile', title: '1 kg under 10 t', masses: [1, 1e4] },
    { name: 'gradual-in-pile', title: '1, 2, 4 ... 512 kg upwards', masses: gradual(10, 2) },
  ].map(({ name, title, masses }) => ({
    name,
    title: `${title} in a pile of 1000: sinks`,
    unit: /** @type {const} */ ('mm'),
    goal: below('< 1 mm', 1e-3),
    measure: (/** @type {Engine} */ engine, /** @type {boolean} */ quick) =>
      towerInPile(engine, { masses, seconds: quick ? 2 : 5 }),
  })),
]
