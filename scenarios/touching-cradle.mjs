import { HEIGHT, QUARTER, RADIUS, hangBalls, heightOf, stretchOf } from './cradle.mjs'
import { GRAVITY } from './parts.mjs'
import { defineScene } from './scene.mjs'

const LIFTED = 2
/** m, from ball to ball */
const SPACING = 2 * RADIUS
/** m/s, of the lifted balls at their lowest point */
const SPEED = Math.sqrt(2 * GRAVITY * HEIGHT)
/** By then they have met, and by then the last ones have come as high as they do, s. */
const MET = QUARTER + 0.03
const HIGHEST = 2 * QUARTER + 0.1
/** The balls at rest swing by so much, m/s: an impact does not happen at the very lowest point. */
const THRESHOLD = 0.05

export default defineScene({
  name: 'touching-cradle',
  title: 'Newton’s cradle of balls that touch',
  description:
    'Five steel balls on strings of 1 m, elastic, that touch. Two are lifted by 30° and let go; by the law of generalized reflections the last two leave with their speed, and the other three rest.',
  options: { impactLaw: 'generalized-reflections', restitutionThreshold: THRESHOLD },
  solvers: ['soft-step', 'exact', 'block-pgs'],
  timeStep: 1 / 240,
  duration: 2,
  camera: { position: [0.4, -0.4, 3], target: [0.4, -0.6, 0] },
  setup: (world) => ({ balls: hangBalls(world, { spacing: SPACING, lifted: LIFTED }) }),
  checks: [
    {
      name: 'energy-kept',
      description: 'Strings and elastic impacts take no energy: kinetic plus potential',
      unit: '(part of m g h of the lifted balls)',
      tolerance: 0.02,
      error: ({ world, start }) =>
        Math.abs(world.energy().total - start.energy.total) / (GRAVITY * HEIGHT * LIFTED),
    },
    {
      name: 'strings-keep-their-length',
      description: 'Distance of each ball from its anchor',
      unit: 'm',
      tolerance: 1e-3,
      error: ({ things }) => stretchOf(things.balls, SPACING),
    },
    {
      name: 'others-rest',
      description: 'As many balls as were lifted leave; the others rest meanwhile',
      unit: '(part of the speed)',
      tolerance: 0.03,
      from: MET,
      to: HIGHEST,
      error: ({ things }) =>
        Math.max(...things.balls.slice(0, -LIFTED).map((ball) => ball.speed / SPEED)),
    },
    {
      name: 'last-come-as-high',
      description: 'Highest point of the last balls: that of the first',
      unit: '(part of the height)',
      tolerance: 0.02,
      from: 0,
      to: HIGHEST,
      error({ things, time, timeStep, previous }) {
        const lowest = Math.min(...things.balls.slice(-LIFTED).map(heightOf))
        previous.highest = Math.max(previous.highest ?? 0, lowest)
        if (time < HIGHEST - timeStep) return 0
        return Math.abs(previous.highest / HEIGHT - 1)
      },
    },
  ],
})
