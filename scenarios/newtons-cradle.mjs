import { HEIGHT, LIFT, QUARTER, RADIUS, STRING, hangBalls, heightOf, stretchOf } from './cradle.mjs'
import { GRAVITY } from './parts.mjs'
import { defineScene } from './scene.mjs'

/**
 * Wider than the way of a step, so that the balls are hit one after the other: balls that touch would share a simultaneous impact.
 */
const GAP = 0.01
/** m, from ball to ball */
const SPACING = 2 * RADIUS + GAP
/** m/s, when the lifted ball meets the row, a gap past its lowest point */
const SPEED = Math.sqrt(2 * GRAVITY * STRING * (Math.sqrt(1 - (GAP / STRING) ** 2) - LIFT.cosine))
/** Times of the impacts of the first swing are over by then, s; the last ball is at its highest at about two quarters. */
const MET = QUARTER + 0.06
const HIGHEST = 2 * QUARTER + 0.1

export default defineScene({
  name: 'newtons-cradle',
  title: 'Newton’s cradle',
  description:
    'Five steel balls on strings of 1 m, elastic, 1 cm apart. The first one is lifted by 30° and let go; the last one leaves with its speed and comes as high.',
  options: { solver: 'exact', integrator: 'velocity-verlet', restitutionThreshold: 0 },
  timeStep: 1 / 480,
  duration: 2,
  camera: { position: [0.4, -0.4, 3], target: [0.4, -0.6, 0] },
  setup: (world) => ({ balls: hangBalls(world, { spacing: SPACING, lifted: 1 }) }),
  checks: [
    {
      name: 'energy-kept',
      description: 'Strings and elastic impacts take no energy: kinetic plus potential',
      unit: '(part of m g h of the lifted ball)',
      tolerance: 2e-3,
      error: ({ world, start }) =>
        Math.abs(world.energy().total - start.energy.total) / (GRAVITY * HEIGHT),
    },
    {
      name: 'strings-keep-their-length',
      description: 'Distance of each ball from its anchor',
      unit: 'm',
      tolerance: 1e-9,
      error: ({ things }) => stretchOf(things.balls, SPACING),
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
        const last = speeds[speeds.length - 1]
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
        previous.highest = Math.max(
          previous.highest ?? 0,
          heightOf(things.balls[things.balls.length - 1]),
        )
        if (time < HIGHEST - timeStep) return 0
        return Math.abs(previous.highest / HEIGHT - 1)
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
