/**
 * Passengers of what is moved: they stay where they are on it as long as friction is enough.
 */
import { below } from './row.mjs'
import { Experiment, NO_ROTATION, Scene, TIME_STEP } from './scene.mjs'

/** @typedef {import('./scene.mjs').Engine} Engine */
/** @typedef {import('./scene.mjs').Outcome} Outcome */
/** @typedef {import('./row.mjs').Row} Row */
/** @typedef {import('./scene.mjs').Vector} Vector */
/** @typedef {import('./scene.mjs').Quaternion} Quaternion */

const FRICTION = 0.5
/** Half the edge of a passenger, m. */
const HALF = 0.1

/**
 * A box on a truck that accelerates by less than the 4.905 m/s² that friction can give.
 *
 * @param {Engine} engine
 * @param {{ acceleration?: number, seconds?: number }} [options]
 * @returns {Promise<Outcome>} m that the box has slipped
 */
export async function truck(engine, { acceleration = 4.7, seconds = 2 } = {}) {
  const scene = new Scene()
  const bed = scene.box([5, 0.5, 2], [0, -0.5, 0], { kinematic: true, friction: FRICTION })
  const box = scene.box([0.5, 0.5, 0.5], [0, 0.5, 0], { friction: FRICTION })
  const experiment = await Experiment.start(engine, scene)
  // It settles first.
  experiment.run(1)
  const start = experiment.state(box).position[0] - experiment.state(bed).position[0]
  const steps = Math.round(seconds / TIME_STEP)
  for (let step = 1; step <= steps; step++) {
    const x = (acceleration * (step * TIME_STEP) ** 2) / 2
    experiment.controls.moveTo(bed, [x, -0.5, 0], NO_ROTATION, TIME_STEP)
    experiment.step()
  }
  const end = experiment.state(box).position[0] - experiment.state(bed).position[0]
  return { value: Math.abs(end - start) }
}

/**
 * Turns a table about the vertical, step by step.
 *
 * @param {Experiment} experiment
 * @param {number} table its slot
 * @param {{ spin: number, seconds: number }} motion rad/s; s
 * @returns {number} rad, by which it has turned
 */
function turnTable(experiment, table, { spin, seconds }) {
  const steps = Math.round(seconds / TIME_STEP)
  for (let step = 1; step <= steps; step++) {
    const half = (spin * step * TIME_STEP) / 2
    const turn = /** @type {Quaternion} */ ([0, Math.sin(half), 0, Math.cos(half)])
    experiment.controls.moveTo(table, [0, -0.5, 0], turn, TIME_STEP)
    experiment.step()
  }
  return spin * steps * TIME_STEP
}

/**
 * Boxes on a turntable, which they turn with from the start: friction is more than enough to keep them on their circles.
 *
 * @param {Engine} engine
 * @param {{ spin?: number, seconds?: number }} [options] rad/s; s
 * @returns {Promise<Outcome>} the most that one has crept outwards, in parts of its radius
 */
export async function turntable(engine, { spin = 1, seconds = 6 } = {}) {
  const radii = [0.5, 1, 1.5, 2]
  const scene = new Scene()
  const table = scene.box([3, 0.5, 3], [0, -0.5, 0], { kinematic: true, friction: FRICTION })
  const boxes = radii.map((radius, index) => {
    const angle = (index * Math.PI) / 2
    const [x, z] = [radius * Math.cos(angle), -radius * Math.sin(angle)]
    const linearVelocity = /** @type {Vector} */ ([spin * z, 0, -spin * x])
    const options = {
      friction: FRICTION,
      linearVelocity,
      angularVelocity: /** @type {Vector} */ ([0, spin, 0]),
    }
    return scene.box([HALF, HALF, HALF], [x, HALF, z], options)
  })
  const experiment = await Experiment.start(engine, scene)
  turnTable(experiment, table, { spin, seconds })
  const creeps = boxes.map((box, index) => {
    const [x, , z] = experiment.state(box).position
    return Math.hypot(x, z) / radii[index] - 1
  })
  const value = creeps.reduce((most, each) => Math.max(most, Math.abs(each)), 0)
  return { value, note: creeps.map((each) => (100 * each).toFixed(2)).join(', ') }
}

/**
 * A box that turns with a turntable from the start, and that needs a part of the friction.
 *
 * @param {Engine} engine
 * @param {{ spin?: number, radius?: number, part?: number, seconds?: number }} [options] rad/s; m; of friction; s
 * @returns {Promise<Outcome>} m that it has moved on the table
 */
export async function orbit(engine, { spin = 2, radius = 1, part = 0.7, seconds = 20 } = {}) {
  const friction = (spin * spin * radius) / (9.81 * part)
  const scene = new Scene()
  const table = scene.box([3, 0.5, 3], [0, -0.5, 0], { kinematic: true, friction })
  const box = scene.box([HALF, HALF, HALF], [radius, HALF, 0], {
    friction,
    linearVelocity: /** @type {Vector} */ ([0, 0, -spin * radius]),
    angularVelocity: /** @type {Vector} */ ([0, spin, 0]),
  })
  const experiment = await Experiment.start(engine, scene)
  const angle = turnTable(experiment, table, { spin, seconds })
  const [x, , z] = experiment.state(box).position
  return { value: Math.hypot(x - radius * Math.cos(angle), z + radius * Math.sin(angle)) }
}

/**
 * A pallet with two boxes of 8 times its mass on a truck that brakes at 3 m/s², of the 3.9 m/s² that friction can give.
 *
 * @param {Engine} engine
 * @returns {Promise<Outcome>} the most that one of them has slipped when all is at rest, m
 */
export async function pallet(engine) {
  const friction = 0.4,
    braking = 3
  const scene = new Scene()
  const speed = 9
  const linearVelocity = /** @type {Vector} */ ([speed, 0, 0])
  const bed = scene.box([5, 0.5, 2], [0, -0.5, 0], { kinematic: true, friction })
  const load = [
    scene.box([0.6, 0.1, 0.4], [0, 0.1, 0], { mass: 25, friction, linearVelocity }),
    scene.box([0.4, 0.4, 0.4], [0, 0.6, 0], { mass: 200, friction, linearVelocity }),
    scene.box([0.4, 0.4, 0.4], [0, 1.4, 0], { mass: 200, friction, linearVelocity }),
  ]
  const experiment = await Experiment.start(engine, scene)
  const places = () =>
    load.map((body) => experiment.state(body).position[0] - experiment.state(bed).position[0])
  /** @type {number[]} */
  let starts = []
  for (let step = 1; step <= Math.round(5.5 / TIME_STEP); step++) {
    if (step === Math.round(1 / TIME_STEP)) starts = places()
    const time = step * TIME_STEP
    const brakes = Math.min(Math.max(time - 1, 0), speed / braking)
    const x = speed * (Math.min(time, 1) + brakes) - (braking * brakes * brakes) / 2
    experiment.controls.moveTo(bed, [x, -0.5, 0], NO_ROTATION, TIME_STEP)
    experiment.step()
  }
  const slips = places().map((place, k) => Math.abs(place - starts[k]))
  return {
    value: Math.max(...slips),
    note: slips.map((slip) => (1000 * slip).toFixed(2)).join(', '),
  }
}

/** @type {Row[]} */
export const kinematicRows = [
  {
    name: 'truck',
    title: 'box on a truck at 4.7 m/s², slip in 2 s',
    unit: 'mm',
    goal: below('< 0.2 mm', 2e-4),
    measure: (engine) => truck(engine),
  },
  {
    name: 'pallet',
    title: 'pallet under boxes of 8 times its mass on a truck that brakes at 3 m/s², slip',
    unit: 'mm',
    goal: below('< 5 mm', 5e-3),
    measure: pallet,
  },
  {
    name: 'turntable',
    title: 'boxes on a turntable at 1 rad/s, creep in 6 s',
    unit: '%',
    goal: below('< 0.1 %', 1e-3),
    measure: (engine) => turntable(engine),
  },
  {
    name: 'orbit',
    title: 'box on a turntable at 2 rad/s and 70 % of friction, slip in 20 s',
    unit: 'mm',
    goal: below('< 1 mm', 1e-3),
    measure: (engine) => orbit(engine),
  },
]
