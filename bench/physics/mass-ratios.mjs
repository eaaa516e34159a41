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
 * @param {number} light cubes of 1 kg
 * @param {number} ratio kg of the cube on them
 * @returns {number} the heavy one
 */
function stackUp(scene, light, ratio) {
  for (let level = 0; level < light; level++) scene.box(CUBE, [0, level + 0.5, 0], { mass: 1 })
  return scene.box(CUBE, [0, light + 0.5, 0], { mass: ratio })
}

/**
 * Cubes of 1 m, all but the topmost of 1 kg.
 *
 * @param {Engine} engine
 * @param {{ light?: number, ratio?: number, seconds?: number, world?: Record<string, unknown> }} [options]
 * @returns {Promise<Outcome>} m that the heavy one is below its place, at the worst; the fastest that any cube ever is
 */
export async function heavyOnLight(
  engine,
  { light = 4, ratio = 100, seconds = 10, world = {} } = {},
) {
  const scene = new Scene()
  scene.ground()
  const heavy = stackUp(scene, light, ratio)
  const experiment = await Experiment.start(engine, scene, { world })
  let [lowest, fastest] = [Infinity, 0]
  experiment.run(seconds, () => {
    lowest = Math.min(lowest, experiment.state(heavy).position[1])
    for (const slot of experiment.moving) {
      fastest = Math.max(fastest, length(experiment.state(slot).velocity))
    }
  })
  return { value: light + 0.5 - lowest, note: `up to ${fastest.toFixed(2)} m/s` }
}

/**
 * A tower of 1 kg under 10 t in the middle of a pile of boxes.
 *
 * @param {Engine} engine
 * @param {{ boxes?: number, ratio?: number, seconds?: number, world?: Record<string, unknown> }} [options]
 * @returns {Promise<Outcome>} m that the heavy cube is below its place, at the worst
 */
export async function towerInPile(
  engine,
  { boxes = 1000, ratio = 1e4, seconds = 5, world = {} } = {},
) {
  const scene = new Scene()
  scene.ground()
  const heavy = stackUp(scene, 1, ratio)
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
    lowest = Math.min(lowest, experiment.state(heavy).position[1])
    steps++
  })
  const cost = process.cpuUsage(begin).user / 1000 / steps
  return { value: 1.5 - lowest, note: `${cost.toFixed(1)} ms of CPU time per step` }
}

/** @type {Row[]} */
export const massRatioRows = [
  ...[
    { light: 4, ratio: 100, limit: 0.01 },
    { light: 4, ratio: 1000, limit: 0.05 },
    { light: 1, ratio: 1000, limit: 0.05 },
  ].map(({ light, ratio, limit }) => ({
    name: `heavy-${light}-${ratio}`,
    title: `${light} x 1 kg under ${ratio} kg: sinks`,
    unit: /** @type {const} */ ('mm'),
    goal: below(`< ${1000 * limit} mm`, limit),
    measure: (/** @type {Engine} */ engine) => heavyOnLight(engine, { light, ratio }),
  })),
  {
    name: 'tower-in-pile',
    title: '1 kg under 10 t in a pile of 1000: sinks',
    unit: 'mm',
    goal: below('< 1 mm', 1e-3),
    measure: (engine, quick) => towerInPile(engine, { seconds: quick ? 2 : 5 }),
  },
]
