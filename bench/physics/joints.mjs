/**
 * Joints under load: how far they open, and how far what is rigid sags.
 */
import { init } from 'moreau'
import { turn } from '../../scenarios/vector.mjs'
import { POSE, slotCount } from '../engines/engine.mjs'
import { ragdolls as describeRagdolls } from '../scenes/joints.mjs'
import { swingOf } from './rolling.mjs'
import { below, within } from './row.mjs'
import { Experiment, Scene } from './scene.mjs'

/** @typedef {import('./scene.mjs').Engine} Engine */
/** @typedef {import('./scene.mjs').Outcome} Outcome */
/** @typedef {import('./row.mjs').Row} Row */

/**
 * Runs a scene and looks at its joints after each step.
 *
 * @param {Engine} engine
 * @param {{ description: import('../scenes/description.mjs').Description }} scene
 * @param {number} seconds
 * @param {Record<string, unknown>} [world] options of Moreau
 * @returns {Promise<Outcome>} the widest gap between the anchors of a joint, m
 */
async function opening(engine, scene, seconds, world = {}) {
  const experiment = await Experiment.start(engine, scene, { world })
  await init()
  const { Referee } = await import('../comparison/referee.mjs')
  const referee = new Referee(scene.description)
  const poses = new Float32Array(POSE * slotCount(scene.description))
  let [worst, at] = [0, 0]
  experiment.run(seconds, () => {
    experiment.controls.readPoses(poses)
    const gap = referee.jointErrors(poses).maxJointError ?? 0
    if (gap > worst) [worst, at] = [gap, experiment.time]
  })
  return { value: worst, note: `at ${at.toFixed(1)} s` }
}

/**
 * A level chain of ten links of 1 m and 1 kg that is let go, with a link of 1000 kg at its end.
 *
 * @param {Engine} engine
 * @param {{ links?: number, ratio?: number, seconds?: number, world?: Record<string, unknown> }} [options]
 * @returns {Promise<Outcome>} m
 */
export async function heavyChain(
  engine,
  { links = 10, ratio = 1000, seconds = 5, world = {} } = {},
) {
  const scene = new Scene()
  let last = scene.anchor([0, 0, 0])
  const link = scene.shape({ type: 'box', halfExtents: [0.4, 0.05, 0.05] })
  for (let index = 0; index <= links; index++) {
    const mass = index === links ? ratio : 1
    const next = scene.add(link, [index + 0.5, 0, 0], { mass })
    scene.join('ball', last, next, [index, 0, 0])
    last = next
  }
  return opening(engine, scene, seconds, world)
}

/**
 * A whip: a level chain of thin boxes of 0.1 m and 1 kg that is let go, folds and hits itself.
 *
 * @param {Engine} engine
 * @param {{ links?: number, size?: number, seconds?: number }} [options]
 * @returns {Promise<Outcome>} m
 */
export async function whip(engine, { links = 20, size = 0.1, seconds = 8 } = {}) {
  const scene = new Scene()
  let last = scene.anchor([0, 0, 0])
  const link = scene.shape({ type: 'box', halfExtents: [0.4 * size, 0.05 * size, 0.05 * size] })
  for (let index = 0; index < links; index++) {
    const next = scene.add(link, [(index + 0.5) * size, 0, 0], { mass: 1 })
    scene.join('ball', last, next, [index * size, 0, 0])
    last = next
  }
  return opening(engine, scene, seconds)
}

/** m/s²: slightly different falls. The widest gap of all joints is that of one limb, and chance. */
const FALLS = [9.81, 9.75, 9.87, 9.7, 9.9]

/**
 * The ragdolls of `npm run bench` as they fall and land, several times.
 *
 * @param {Engine} engine
 * @param {{ count?: number, seconds?: number }} [options]
 * @returns {Promise<Outcome & { worst: number }>} m, the median over the falls of the widest gap, and the widest of all
 */
export async function ragdolls(engine, { count = 75, seconds = 3 } = {}) {
  /** @type {number[]} */
  const gaps = []
  for (const fall of FALLS) {
    const description = { ...describeRagdolls(count), gravity: [0, -fall, 0] }
    gaps.push(
      (await opening(engine, { description: /** @type {any} */ (description) }, seconds)).value,
    )
  }
  gaps.sort((a, b) => a - b)
  const all = gaps.map((gap) => (1000 * gap).toFixed(1)).join(', ')
  return {
    value: gaps[Math.floor(gaps.length / 2)],
    note: `of ${all} mm`,
    worst: gaps[gaps.length - 1],
  }
}

/**
 * A bar that is let go level, on a ball joint at its end: the simplest pendulum.
 *
 * @param {Engine} engine
 * @param {{ seconds?: number }} [options]
 * @returns {Promise<Outcome>} m
 */
export async function pivot(engine, { seconds = 10 } = {}) {
  const scene = new Scene()
  const holder = scene.anchor([0, 0, 0])
  const bar = scene.box([0.5, 0.05, 0.05], [0.5, 0, 0])
  scene.join('ball', holder, bar, [0, 0, 0])
  return opening(engine, scene, seconds)
}

/** rad, from which the pendulum is let go. */
const SWING = 0.05

/**
 * A rod that swings on a hinge at its end.
 *
 * @param {Engine} engine
 * @param {{ seconds?: number }} [options]
 * @returns {Promise<Outcome>} the swing at the end, in parts of that at the start
 */
export async function pendulum(engine, { seconds = 20 } = {}) {
  const scene = new Scene()
  const [sine, cosine] = [Math.sin(SWING), Math.cos(SWING)]
  const orientation = turn([0, 0, 1], { sine, cosine })
  const rod = scene.box([0.05, 0.5, 0.05], [sine / 2, -cosine / 2, 0], { orientation })
  scene.join('hinge', scene.anchor([0, 0, 0]), rod, [0, 0, 0], [0, 0, 1])
  const experiment = await Experiment.start(engine, scene)
  return { value: swingOf(experiment, rod, seconds) / SWING }
}

/**
 * A row of cubes that is fixed to a wall at one end and to each other.
 *
 * @param {Engine} engine
 * @param {{ boxes?: number, half?: number, seconds?: number }} [options] m, half the edge of a cube
 * @returns {Promise<Outcome>} m by which its end is lower, at the worst
 */
export async function cantilever(engine, { boxes = 8, half = 0.5, seconds = 10 } = {}) {
  const scene = new Scene()
  let last = scene.anchor([0, 0, 0])
  const cube = scene.shape({ type: 'box', halfExtents: [half, half, half] })
  for (let index = 0; index < boxes; index++) {
    const next = scene.add(cube, [(2 * index + 1) * half, 0, 0])
    scene.join('fixed', last, next, [2 * index * half, 0, 0])
    last = next
  }
  const experiment = await Experiment.start(engine, scene)
  let lowest = 0
  experiment.run(seconds, () => {
    lowest = Math.min(lowest, experiment.state(last).position[1])
  })
  const end = -experiment.state(last).position[1]
  return { value: -lowest, note: `ends at ${(1000 * end).toFixed(0)} mm` }
}

/** rad/s, of the motor that presses on a limit. */
const PRESSING = 2

/**
 * The angle by which a hinge is turned about z, without whole turns.
 *
 * @param {Experiment} experiment
 * @param {number} slot
 */
function angleOf(experiment, slot) {
  const [, , sine, cosine] = experiment.state(slot).orientation
  return 2 * Math.atan2(sine, cosine)
}

/**
 * A bar on a hinge between limits of one radian, which a motor turns on and on.
 *
 * @param {Engine} engine
 * @param {number} maxForce N m
 * @param {number} [seconds]
 * @returns {Promise<Outcome>} degrees between the limit and where the bar rests
 */
export async function limitAndMotor(engine, maxForce, seconds = 5) {
  const scene = new Scene([0, 0, 0])
  const bar = scene.box([0.5, 0.05, 0.05], [0.5, 0, 0], { mass: 1 })
  scene.join('hinge', scene.anchor([0, 0, 0]), bar, [0, 0, 0], [0, 0, 1])
  const motor = { targetVelocity: PRESSING, maxForce }
  Object.assign(scene.description.joints[0], { limits: [-1, 1], motor })
  const experiment = await Experiment.start(engine, scene)
  let most = 0
  experiment.run(seconds, () => {
    most = Math.max(most, Math.abs(angleOf(experiment, bar)))
  })
  const degrees = (/** @type {number} */ angle) => (angle * 180) / Math.PI
  return {
    value: degrees(Math.abs(angleOf(experiment, bar) - 1)),
    note: `at most ${degrees(most - 1).toPrecision(2)}° beyond`,
  }
}

/**
 * A disc on a hinge, which a motor without gains brings to an angle of some turns.
 *
 * @param {Engine} engine
 * @param {{ target?: number, maxForce?: number, seconds?: number }} [options] rad, N m
 * @returns {Promise<Outcome>} degrees from where it should be, or 180 where it turns on
 */
export async function motorArrives(
  engine,
  { target = 7 * Math.PI, maxForce = 1000, seconds = 5 } = {},
) {
  const scene = new Scene([0, 0, 0])
  // 0.01125 kg m^2 about the axis.
  const disc = scene.box([0.15, 0.106, 0.05], [0, 0, 0], { mass: 1 })
  scene.join('hinge', scene.anchor([0, 0, 0]), disc, [0, 0, 0], [0, 0, 1])
  Object.assign(scene.description.joints[0], { motor: { targetPosition: target, maxForce } })
  const experiment = await Experiment.start(engine, scene)
  experiment.run(seconds)
  const turns = Math.hypot(...experiment.state(disc).spin) > 1e-3
  const apart = Math.abs(Math.sin((angleOf(experiment, disc) - target) / 2))
  return { value: turns ? 180 : (2 * Math.asin(Math.min(apart, 1)) * 180) / Math.PI }
}

/** @type {Row[]} */
export const jointRows = [
  ...[10, 1e6].map((maxForce) => ({
    name: `limit-and-motor-${maxForce}`,
    title: `motor of ${maxForce} N m presses on a limit: rests beside it by`,
    unit: /** @type {const} */ ('°'),
    // 1e-3 rad
    goal: below('< 0.057°', 0.057),
    measure: (/** @type {Engine} */ engine) => limitAndMotor(engine, maxForce),
  })),
  {
    name: 'motor-arrives',
    title: 'motor of 1000 N m brings 1 kg by 3.5 turns, without gains: off by',
    unit: '°',
    goal: below('< 0.057°', 0.057),
    ownOption: true,
    measure: (engine) => motorArrives(engine),
  },
  {
    name: 'heavy-chain',
    title: '1000:1 chain let go level, opening',
    unit: 'm',
    goal: below('< 0.2 m', 0.2),
    measure: (engine) => heavyChain(engine),
  },
  {
    name: 'heavy-chain-soft',
    title: 'the same in soft-step',
    unit: 'mm',
    goal: below('< 0.2 mm', 2e-4),
    ownOption: true,
    measure: (engine) => heavyChain(engine, { world: { solver: 'soft-step' } }),
  },
  {
    name: 'whip',
    title: 'whip of twenty thin boxes, opening',
    unit: 'mm',
    goal: below('< 12 mm', 0.012),
    measure: (engine, quick) => whip(engine, quick ? { seconds: 3 } : {}),
  },
  {
    name: 'ragdolls',
    title: 'ragdolls land, opening of joints',
    unit: 'mm',
    goal: below('< 5 mm', 0.005),
    measure: (engine, quick) => ragdolls(engine, quick ? { seconds: 1 } : {}),
  },
  {
    name: 'pivot',
    title: 'bar let go level on a pivot, opening',
    unit: 'mm',
    goal: null,
    measure: (engine) => pivot(engine),
  },
  {
    name: 'pendulum',
    title: 'rod on a hinge, swing after 20 s',
    unit: '',
    goal: within('1.00 ± 0.01', 0.99, 1.01),
    measure: (engine, quick) => pendulum(engine, quick ? { seconds: 5 } : {}),
  },
  {
    name: 'cantilever',
    title: 'cantilever of 8 fixed boxes, sag',
    unit: 'm',
    goal: below('< 0.1 m', 0.1),
    measure: (engine) => cantilever(engine),
  },
]
