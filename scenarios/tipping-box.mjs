import { addFloor, GRAVITY, normalImpulse } from './parts.mjs'
import { defineScene } from './scene.mjs'

const FRICTION = 0.6
const SPEED = 2
const MASS = 1
/** Half of the width and the height of the centre, m. */
const HALF_WIDTH = 0.5
const HEIGHT = 1

// One step of a box that slides and starts to tip about its front edge.
const lever = FRICTION * HEIGHT - HALF_WIDTH
const inertia = (MASS * (1 + 4)) / 12
const angularAcceleration = (MASS * GRAVITY * lever) / (inertia - MASS * HALF_WIDTH * lever)
const weightFactor = 1 + (HALF_WIDTH * angularAcceleration) / GRAVITY

export default defineScene({
  name: 'tipping-box',
  title: 'Tipping box',
  description:
    'A box of 1 x 2 x 1 m slides at 2 m/s with friction 0.6. Since mu h > a it tips forward while it slides, rocks and comes to stand again.',
  // The first step is compared with a closed form, cold started: sweeps enough to get there.
  // Where it lands on its edge a step needs hundreds of sweeps; otherwise it is about a hundred.
  solvers: ['block-pgs'],
  options: { iterations: 1000, tolerance: 1e-10 },
  timeStep: 0.016,
  duration: 5,
  camera: { position: [3, 2.5, 6], target: [0.3, 1, 0] },
  setup(world) {
    const floor = addFloor(world, { halfWidth: 10, friction: FRICTION })
    const box = world.createBody({
      shape: { type: 'box', halfExtents: [HALF_WIDTH, HEIGHT, HALF_WIDTH] },
      position: [0, HEIGHT, 0],
      linearVelocity: [SPEED, 0, 0],
      mass: MASS,
      friction: FRICTION,
    })
    return { floor, box }
  },
  checks: [
    {
      name: 'tips-at-once',
      description:
        'Angular velocity after the first step: alpha dt with the box turning about its front edge',
      unit: 'rad/s',
      tolerance: 1e-6,
      to: 0.016,
      error: ({ things, timeStep }) =>
        Math.abs(things.box.angularVelocity[2] + angularAcceleration * timeStep),
    },
    {
      name: 'weighs-more-while-tipping',
      description:
        'Normal impulse of the first step: more than m g dt, because its centre is lifted',
      unit: 'N s',
      tolerance: 1e-6,
      to: 0.016,
      error: ({ things, timeStep }) =>
        Math.abs(normalImpulse(things.box) - weightFactor * MASS * GRAVITY * timeStep),
    },
    {
      name: 'slows-down',
      description: 'Velocity after the first step: v0 - mu times that impulse / m',
      unit: 'm/s',
      tolerance: 1e-6,
      to: 0.016,
      error: ({ things, timeStep }) =>
        Math.abs(
          things.box.linearVelocity[0] - (SPEED - FRICTION * weightFactor * GRAVITY * timeStep),
        ),
    },
    {
      name: 'energy-never-above-start',
      description: 'Kinetic plus potential energy stays below what it was at the start',
      unit: 'J',
      tolerance: 1e-6,
      error: ({ world, start }) => Math.max(0, world.energy().total - start.energy.total),
    },
    {
      name: 'moves-in-its-plane',
      description: 'Distance from the vertical plane that it started in',
      unit: 'm',
      tolerance: 1e-6,
      error: ({ things }) => Math.abs(things.box.position[2]),
    },
    {
      name: 'stands-again',
      description: 'At the end it stands upright: height of its centre',
      unit: 'm',
      tolerance: 2e-3,
      from: 5,
      error: ({ things }) => Math.abs(things.box.position[1] - HEIGHT),
    },
    {
      name: 'comes-to-rest',
      description: 'At the end it does not move',
      unit: 'm/s',
      tolerance: 1e-3,
      from: 5,
      error: ({ things }) => things.box.speed,
    },
  ],
})
