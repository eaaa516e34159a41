/**
 * Where two goals of soft-step fight: stiff contacts overlap less, soft ones never gain energy. A point of the frontier is a set of
 * options; what it comes to is measured over a minute of a heap, a tower and random scenes.
 */
import { Random } from '../../scenarios/random.mjs'
import { Referee } from '../comparison/referee.mjs'
import { POSE } from '../engines/engine.mjs'
import { Energies } from '../physics/energy.mjs'
import { randomEnergy } from '../physics/random-energy.mjs'
import { Experiment, Scene } from '../physics/scene.mjs'

/** @typedef {import('../engines/engine.mjs').Engine} Engine */
/** @typedef {Record<string, number>} Options of Moreau's world */

/**
 * @typedef {object} Point
 * @property {Options} options
 * @property {number} meanOverlap m, of the heap after a minute
 * @property {number} deepestOverlap m
 * @property {number} gained of the energy that the heap has lost in its fall: the sum of what its steps gained
 * @property {number} speed m/s, mean of the heap after a minute
 * @property {number} sinking m, of the top of the tower after a minute; NaN where it fell
 * @property {number} gaining random scenes in which a step gains over 1e-3 of the kinetic energy
 * @property {number} milliseconds CPU time per step of the heap
 */

/** The defaults first; then each option alone, and what makes contacts as stiff as they go. @type {Options[]} */
export const FRONTIER = [
  {},
  ...[2, 5, 10, 20].map((contactHertz) => ({ contactHertz })),
  ...[0.5, 1, 3, 30].map((contactDamping) => ({ contactDamping })),
  ...[1, 2, 3, 6, 8, 16].map((substeps) => ({ substeps })),
  ...[8, 16].map((substeps) => ({ substeps, contactHertz: 30 * (substeps / 4) })),
  ...[0.3, 1, 10].map((maxCorrectionSpeed) => ({ maxCorrectionSpeed })),
]

/** In a tower that has fallen, the top is lower by at least this, m. */
const FALLEN = 1
const TOWER = 20

/** 150 boxes and balls that fall into a pit. */
export function heap() {
  const random = new Random(1)
  const scene = new Scene()
  scene.ground()
  for (const side of [-3, 3]) {
    scene.box([0.5, 10, 4], [side, 10, 0], { fixed: true })
    scene.box([4, 10, 0.5], [0, 10, side], { fixed: true })
  }
  for (let i = 0; i < 150; i++) {
    const [x, z] = [(i % 4) - 1.5, (Math.floor(i / 4) % 4) - 1.5]
    const size = () => random.between(0.2, 0.45)
    const position = /** @type {const} */ ([1.1 * x, 1 + 1.1 * Math.floor(i / 16), 1.1 * z])
    const options = { orientation: random.orientation() }
    if (i % 3 === 0) scene.sphere(size(), [...position], options)
    else scene.box([size(), size(), size()], [...position], options)
  }
  return scene
}

/**
 * @param {Engine} engine
 * @param {Options} world
 * @param {number} seconds
 */
async function measureHeap(engine, world, seconds) {
  const scene = heap()
  const experiment = await Experiment.start(engine, scene, { world })
  const energies = await Energies.of(experiment)
  const first = energies.now().total
  let [last, gained] = [first, 0]
  let [spent, steps] = [0, 0]
  for (; experiment.time < seconds; steps++) {
    const start = process.cpuUsage().user
    experiment.step()
    spent += process.cpuUsage().user - start
    const { total } = energies.now()
    gained += Math.max(0, total - last)
    last = total
  }
  const speeds = experiment.moving.map((slot) => Math.hypot(...experiment.state(slot).velocity))
  const poses = new Float32Array(POSE * scene.description.bodies.length)
  experiment.controls.readPoses(poses)
  const { meanPenetration, maxPenetration } = new Referee(scene.description).judge(poses)
  experiment.free()
  return {
    meanOverlap: meanPenetration,
    deepestOverlap: maxPenetration,
    gained: gained / (first - last),
    speed: speeds.reduce((sum, each) => sum + each) / speeds.length,
    milliseconds: spent / steps / 1000,
  }
}

/**
 * @param {Engine} engine
 * @param {Options} world
 * @param {number} seconds
 * @returns {Promise<number>} m
 */
async function sinkingOfTower(engine, world, seconds) {
  const scene = new Scene()
  scene.ground()
  for (let level = 0; level < TOWER; level++) scene.box([0.5, 0.5, 0.5], [0, level + 0.5, 0])
  const experiment = await Experiment.start(engine, scene, { world })
  experiment.run(seconds)
  const sinking = TOWER - 0.5 - experiment.state(experiment.moving[TOWER - 1]).position[1]
  experiment.free()
  return sinking < FALLEN ? sinking : NaN
}

/**
 * @param {Engine} engine
 * @param {Options} options
 * @param {{ seconds?: number, scenes?: number }} [size]
 * @returns {Promise<Point>}
 */
export async function measurePoint(engine, options, { seconds = 60, scenes = 200 } = {}) {
  return {
    options,
    ...(await measureHeap(engine, options, seconds)),
    sinking: await sinkingOfTower(engine, options, seconds),
    gaining: (await randomEnergy(engine, { scenes, world: options })).value,
  }
}
