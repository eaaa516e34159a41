import { GRAVITY, addFloor } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { rotate } from './vector.mjs'

/** @typedef {import('./scene.mjs').Body} Body */

const COUNT = 14
/** m */
const HEIGHT = 1
const HALF_THICKNESS = 0.075
const HALF_WIDTH = 0.25
const SPACING = 0.45
const FRICTION = 0.3
/** The first one turns about its front edge fast enough to get over it. */
const PUSH = {
  angularVelocity: /** @type {const} */ ([0, 0, -1.5]),
  linearVelocity: /** @type {const} */ ([(1.5 * HEIGHT) / 2, 1.5 * HALF_THICKNESS, 0]),
}
/** s */
const DURATION = 2.4
/** Fallen so far that it cannot come back: its upright axis has dropped by more than 30 degrees. */
const FALLEN = Math.sqrt(0.75)
const NATURAL_SPEED = Math.sqrt(GRAVITY * HEIGHT)
/** Of the wave, in sqrt(g h): what dominoes of that shape and spacing have been seen to do, with room (Stronge 1987). */
const SLOWEST = 0.8
const FASTEST = 2

/** Cosine of the tilt. */
const uprightness = (/** @type {Body} */ domino) => rotate(domino.orientation, [0, 1, 0])[1]

/**
 * Moments when each domino had fallen, s.
 *
 * @param {import('./scene.mjs').CheckContext<{ dominoes: Body[] }>} context
 * @returns {(number | undefined)[]}
 */
function fallTimes({ things, time, previous }) {
  previous.times ??= things.dominoes.map(() => undefined)
  for (const [index, domino] of things.dominoes.entries()) {
    if (uprightness(domino) < FALLEN) previous.times[index] ??= time
  }
  return previous.times
}

/**
 * At the end of the scene: times from one domino's fall to the next one's, in the second half of the row without the last one.
 *
 * @param {import('./scene.mjs').CheckContext<{ dominoes: Body[] }>} context
 * @returns {number[]} s; not a number where one stands; before the end nothing
 */
function settledIntervals(context) {
  const times = fallTimes(context)
  if (context.time < DURATION - 1e-6) return []
  const settled = times.slice(COUNT / 2, COUNT - 1).map((time) => time ?? NaN)
  return settled.slice(1).map((time, index) => time - settled[index])
}

export default defineScene({
  name: 'domino-row',
  title: 'Row of dominoes',
  description:
    'Fourteen dominoes of 1 m, 0.45 m apart; the first one is pushed. A wave of constant speed, about sqrt(g h), runs through the row and all of them fall.',
  solvers: ['exact', 'soft-step'],
  timeStep: 1 / 120,
  duration: DURATION,
  camera: { position: [2, 3.5, 9], target: [3.3, 0.3, 0] },
  setup(world) {
    const floor = addFloor(world, { halfWidth: 20, friction: FRICTION })
    /** @type {{ type: 'box', halfExtents: [number, number, number] }} */
    const shape = { type: 'box', halfExtents: [HALF_THICKNESS, HEIGHT / 2, HALF_WIDTH] }
    const dominoes = Array.from({ length: COUNT }, (_, index) =>
      world.createBody({
        shape,
        position: [index * SPACING, HEIGHT / 2, 0],
        density: 600,
        friction: FRICTION,
        ...(index === 0 ? PUSH : {}),
      }),
    )
    return { floor, dominoes }
  },
  checks: [
    {
      name: 'all-fall',
      description: 'At the end all lie: those that still stand',
      unit: 'dominoes',
      tolerance: 0,
      from: DURATION,
      error: ({ things }) =>
        things.dominoes.filter((domino) => uprightness(domino) >= FALLEN).length,
    },
    {
      name: 'one-after-the-other',
      description: 'None falls before the one in front of it',
      unit: 'dominoes',
      tolerance: 0,
      error(context) {
        const times = fallTimes(context)
        return times.filter((time, index) => {
          return time !== undefined && index > 0 && !((times[index - 1] ?? Infinity) <= time)
        }).length
      },
    },
    {
      name: 'wave-of-constant-speed',
      description:
        'In the second half of the row one falls after the other at equal intervals, to a step or so; the last one, which has none to push, is left out',
      unit: 's',
      tolerance: 1.5 / 120,
      softTolerance: 2.5 / 120,
      error(context) {
        const intervals = settledIntervals(context)
        return intervals.length > 0 ? Math.max(...intervals) - Math.min(...intervals) : 0
      },
    },
    {
      name: 'wave-as-fast-as-falling',
      description: 'Its speed there is of the order of sqrt(g h): between 0.8 and 2 times that',
      unit: '(times sqrt(g h), outside of the bounds)',
      tolerance: 0,
      error(context) {
        const intervals = settledIntervals(context)
        const time = intervals.reduce((sum, interval) => sum + interval, 0)
        const speed = (SPACING * intervals.length) / time / NATURAL_SPEED
        return intervals.length > 0 ? Math.max(0, SLOWEST - speed, speed - FASTEST) : 0
      },
    },
    {
      name: 'energy-never-above-start',
      description: 'Kinetic plus potential energy stays below what it was at the start',
      unit: 'J',
      tolerance: 1e-3,
      error: ({ world, start }) => Math.max(0, world.energy().total - start.energy.total),
    },
    {
      name: 'falls-in-its-plane',
      description: 'No domino leaves the upright plane of the row by a hundredth of its height',
      unit: 'm',
      tolerance: 0.01,
      error: ({ things }) =>
        Math.max(...things.dominoes.map(({ position }) => Math.abs(position[2]))),
    },
  ],
})
