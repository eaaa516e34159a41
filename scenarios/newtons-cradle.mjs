import { GRAVITY } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { ANGLES, subtract, length } from './vector.mjs'

/** @typedef {import('./scene.mjs').Body} Body */

const COUNT = 5
/** m */
const RADIUS = 0.1
const STRING = 1
/**
 * Wider than the way of a step, so that the balls are hit one after the other: balls that touch would share a simultaneous impact.
 */
const GAP = 0.01
const LIFT = ANGLES[30]
/** m/s, when the lifted ball meets the row, a gap past its lowest point */
const SPEED = Math.sqrt(2 * GRAVITY * STRING * (Math.sqrt(1 - (GAP / STRING) ** 2) - LIFT.cosine))
/** Quarter of a pendulum's period at 30 degrees (the series of the elliptic integral), s. */
const QUARTER =
  (Math.PI / 2) * Math.sqrt(STRING / GRAVITY) * (1 + (2 - Math.sqrt(3)) / 16 + 0.00085)
/** Times of the impacts of the first swing are over by then, s; the last ball is at its highest at about two quarters. */
const MET = QUARTER + 0.06
const HIGHEST = 2 * QUARTER + 0.1

/** @param {number} index */
const anchorOf = (index) =>
  /** @type {[number, number, number]} */ ([index * (2 * RADIUS + GAP), 0, 0])

/** Height of a ball above its lowest point, m. */
const heightOf = (/** @type {Body} */ ball) => ball.position[1] + STRING

export default defineScene({
  name: 'newtons-cradle',
  title: 'Newton’s cradle',
  description:
    'Five steel balls on strings of 1 m, elastic, 1 cm apart. The first one is lifted by 30° and let go; the last one leaves with its speed and comes as high.',
  options: { solver: 'exact', integrator: 'velocity-verlet', restitutionThreshold: 0 },
  timeStep: 1 / 480,
  duration: 2,
  camera: { position: [0.4, -0.4, 3], target: [0.4, -0.6, 0] },
  setup(world) {
    /** @type {{ type: 'sphere', radius: number }} */
    const shape = { type: 'sphere', radius: RADIUS }
    const balls = Array.from({ length: COUNT }, (_, index) => {
      const [x] = anchorOf(index)
      const [sine, cosine] = index === 0 ? [LIFT.sine, LIFT.cosine] : [0, 1]
      const ball = world.createBody({
        shape,
        position: [x - STRING * sine, -STRING * cosine, 0],
        mass: 1,
        friction: 0,
        restitution: 1,
      })
      world.createJoint({
        type: 'distance',
        bodyA: null,
        bodyB: ball,
        anchorA: anchorOf(index),
        anchorB: [0, 0, 0],
      })
      return ball
    })
    return { balls }
  },
  checks: [
    {
      name: 'energy-kept',
      description: 'Strings and elastic impacts take no energy: kinetic plus potential',
      unit: '(part of m g h of the lifted ball)',
      tolerance: 2e-3,
      error: ({ world, start }) =>
        Math.abs(world.energy().total - start.energy.total) /
        (GRAVITY * STRING * (1 - LIFT.cosine)),
    },
    {
      name: 'strings-keep-their-length',
      description: 'Distance of each ball from its anchor',
      unit: 'm',
      tolerance: 1e-9,
      error: ({ things }) =>
        Math.max(
          ...things.balls.map((ball, index) =>
            Math.abs(length(subtract(ball.position, anchorOf(index))) - STRING),
          ),
        ),
    },
    {
      name: 'speed-goes-to-the-last',
      description:
        'When all have met, the last ball has the speed of the first and the others rest',
      unit: '(part of the speed)',
      tolerance: 0.06,
      from: MET,
      to: MET,
      error: ({ things }) => {
        const speeds = things.balls.map((ball) => ball.speed)
        const last = speeds[COUNT - 1]
        return Math.max(Math.abs(last / SPEED - 1), ...speeds.slice(0, -1).map((v) => v / SPEED))
      },
    },
    {
      name: 'last-comes-as-high',
      description: 'Highest point of the last ball: that of the first',
      unit: '(part of the height)',
      tolerance: 0.02,
      from: 0,
      to: HIGHEST,
      error({ things, time, timeStep, previous }) {
        previous.highest = Math.max(previous.highest ?? 0, heightOf(things.balls[COUNT - 1]))
        if (time < HIGHEST - timeStep) return 0
        return Math.abs(previous.highest / (STRING * (1 - LIFT.cosine)) - 1)
      },
    },
    {
      name: 'swings-in-its-plane',
      description: 'No ball leaves the plane of the cradle',
      unit: 'm',
      tolerance: 1e-6,
      error: ({ things }) => Math.max(...things.balls.map(({ position }) => Math.abs(position[2]))),
    },
  ],
})
