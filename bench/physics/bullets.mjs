/**
 * A ball so fast that it is before a wall in one step and behind it in the next.
 */
import { within } from './row.mjs'
import { Experiment, Scene, TIME_STEP } from './scene.mjs'

/** @typedef {import('./scene.mjs').Engine} Engine */
/** @typedef {import('./scene.mjs').Outcome} Outcome */
/** @typedef {import('./row.mjs').Row} Row */

/**
 * Balls shot at walls that can move, each from another distance, so that steps end in another place. Nothing asks for continuous
 * collision.
 *
 * @param {Engine} engine
 * @param {{ speed?: number, shots?: number }} [options] m/s
 * @returns {Promise<Outcome>} the part of the balls that pass
 */
export async function bullets(engine, { speed = 100, shots = 10 } = {}) {
  const [radius, half] = [0.1, 0.1]
  const scene = new Scene()
  scene.ground()
  const wall = scene.shape({ type: 'box', halfExtents: [half, 1, 1] })
  const ball = scene.shape({ type: 'sphere', radius })
  const pairs = Array.from({ length: shots }, (_, index) => {
    const z = 4 * index
    const start = 5 + (index / shots) * speed * TIME_STEP
    const shot = { linearVelocity: /** @type {[number, number, number]} */ ([speed, 0, 0]) }
    return [scene.add(wall, [0, 1, z]), scene.add(ball, [-start, 1, z], shot)]
  })
  const experiment = await Experiment.start(engine, scene)
  experiment.run(0.5)
  // A wall that is hit moves on; a ball that is behind it went through it.
  const passed = pairs.filter(
    ([target, shot]) =>
      !(experiment.state(shot).position[0] < experiment.state(target).position[0]),
  )
  return { value: passed.length / shots, note: `${passed.length} of ${shots}` }
}

/** @type {Row[]} */
export const bulletRows = [
  {
    name: 'bullets',
    title: 'balls of 100 m/s against walls that can move: pass',
    unit: '%',
    goal: within('0 %', 0, 0),
    measure: (engine) => bullets(engine),
  },
]
