import { energyNeverRises } from './common-checks.mjs'
import { addFloor, GRAVITY } from './parts.mjs'
import { defineScene } from './scene.mjs'

const RADIUS = 0.5
const FRICTION = 0.3
/** When a solid sphere that slides off at 1 m/s rolls: v0 / (3.5 mu g). */
const ROLLS_AT = 1 / (3.5 * FRICTION * GRAVITY)

export default defineScene({
  name: 'rolling-ball',
  title: 'Rolling ball',
  description:
    'A solid ball slides off at 1 m/s without spin, friction 0.3. After 0.097 s it rolls, at 5/7 of its speed, and goes on.',
  solvers: ['block-pgs', 'soft-step'],
  duration: 3,
  camera: { position: [1.5, 1.5, 5], target: [1, 0.4, 0] },
  setup(world) {
    const floor = addFloor(world, { halfWidth: 10, friction: FRICTION })
    const ball = world.createBody({
      shape: { type: 'sphere', radius: RADIUS },
      position: [0, RADIUS, 0],
      linearVelocity: [1, 0, 0],
      mass: 1,
      friction: FRICTION,
    })
    return { floor, ball }
  },
  checks: [
    energyNeverRises(),
    {
      name: 'slides-at-first',
      description: 'Until it rolls it loses mu g per second',
      unit: 'm/s',
      tolerance: 1e-6,
      to: ROLLS_AT - 1 / 60,
      error: ({ things, time }) =>
        Math.abs(things.ball.linearVelocity[0] - (1 - FRICTION * GRAVITY * time)),
    },
    {
      name: 'rolls-at-5/7',
      description: 'Once it rolls its speed is 5/7 m/s and does not change',
      unit: 'm/s',
      tolerance: 1e-6,
      from: ROLLS_AT + 1 / 60,
      error: ({ things }) => Math.abs(things.ball.linearVelocity[0] - 5 / 7),
    },
    {
      name: 'rolls-without-slip',
      description: 'Speed of its lowest point',
      unit: 'm/s',
      tolerance: 1e-6,
      from: ROLLS_AT + 1 / 60,
      error: ({ things }) =>
        Math.abs(things.ball.linearVelocity[0] + RADIUS * things.ball.angularVelocity[2]),
    },
  ],
})
