import { GRAVITY } from './parts.mjs'
import { defineScene } from './scene.mjs'

const RADIUS = 0.25
const DROP = 1
const FALL_TIME = Math.sqrt((2 * DROP) / GRAVITY)
const SECOND_IMPACT = 2 * FALL_TIME
const THIRD_IMPACT = 2.5 * FALL_TIME

export default defineScene({
  name: 'bouncing-ball',
  title: 'Bouncing ball',
  description:
    'A ball falls from 1 m with restitution 0.5 and rebounds to a quarter of the height, again and again: 25 cm, 6.25 cm.',
  solvers: ['block-pgs', 'soft-step'],
  timeStep: 0.001,
  duration: 1.5,
  camera: { position: [0, 1, 4], target: [0, 0.6, 0] },
  setup(world) {
    const floor = world.createBody({
      type: 'static',
      shape: { type: 'plane', normal: [0, 1, 0], offset: 0 },
      restitution: 0.5,
    })
    const ball = world.createBody({
      shape: { type: 'sphere', radius: RADIUS },
      position: [0, RADIUS + DROP, 0],
      mass: 1,
      restitution: 0.5,
    })
    return { floor, ball }
  },
  checks: [
    rebound('first-rebound', 0.25, FALL_TIME, SECOND_IMPACT),
    rebound('second-rebound', 0.0625, SECOND_IMPACT, THIRD_IMPACT),
    {
      name: 'stays-above-the-floor',
      description: 'How far the ball gets into the floor',
      unit: 'm',
      tolerance: 0.005,
      error: ({ things }) => Math.max(0, RADIUS - things.ball.position[1]),
    },
  ],
})

/**
 * @param {string} name
 * @param {number} height m that the ball should rise
 * @param {number} from s, impact before
 * @param {number} to s, impact after
 * @returns {import('./scene.mjs').SceneCheck<{ ball: import('./scene.mjs').Body }>}
 */
function rebound(name, height, from, to) {
  return {
    name,
    description: `It rises to ${height * 100} cm: e² times the height before`,
    unit: '(part of the height)',
    tolerance: 0.01,
    softTolerance: 0.02,
    from: from + 0.02,
    to: to - 0.02,
    error({ things, previous }) {
      const apex = Math.max(previous.apex ?? 0, things.ball.position[1] - RADIUS)
      previous.apex = apex
      // Before the apex the height cannot be judged.
      return things.ball.linearVelocity[1] > 0 ? 0 : Math.abs(apex / height - 1)
    },
  }
}
