import { integrationStep } from './common-checks.mjs'
import { GRAVITY, unitCube } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { add, ANGLES, dot, rotate, scale, subtract, turn } from './vector.mjs'

/** @typedef {import('./vector.mjs').Vector} Vector */

const ANGLE = ANGLES[30]
const ORIENTATION = turn([0, 0, 1], ANGLE)
const UP = rotate(ORIENTATION, [0, 1, 0])
const DOWNHILL = rotate(ORIENTATION, [-1, 0, 0])
/** s, when the solver, which starts each step from the last, has caught up with the first ones. */
const SOLVED = 1 / 6
/** Where the middle of the slope is, m. */
const MIDDLE = /** @type {Vector} */ ([0, 4, 0])
const START = add(MIDDLE, scale(UP, 0.5))

/**
 * A cube on a slope of 30 degrees, whose friction angle has tan 30° = 0.577 as its friction coefficient.
 *
 * @param {string} name
 * @param {string} title
 * @param {string} description
 * @param {number} friction
 * @param {number} duration s
 * @returns {import('./scene.mjs').Scene}
 */
function incline(name, title, description, friction, duration) {
  const acceleration = Math.max(0, GRAVITY * (ANGLE.sine - friction * ANGLE.cosine))
  return defineScene({
    name,
    title,
    description,
    solvers: ['block-pgs', 'soft-step'],
    duration,
    camera: { position: [2, 6, 10], target: [-1, 3.5, 0] },
    setup(world) {
      const slope = world.createBody({
        type: 'static',
        shape: { type: 'box', halfExtents: [8, 0.5, 3] },
        position: subtract(MIDDLE, scale(UP, 0.5)),
        orientation: ORIENTATION,
        friction,
      })
      const cube = world.createBody({
        shape: unitCube(),
        position: START,
        orientation: ORIENTATION,
        mass: 1,
        friction,
      })
      return { slope, cube }
    },
    checks: [
      coldStart(acceleration),
      speed(acceleration),
      way(acceleration),
      staysOnTheSlope,
      doesNotTurn,
    ],
  })
}

/** @typedef {import('./scene.mjs').SceneCheck<{ cube: import('./scene.mjs').Body }>} Check */

/**
 * Downhill speed less what it should be, m/s.
 *
 * @param {number} acceleration m/s² downhill
 * @param {import('./scene.mjs').CheckContext<{ cube: import('./scene.mjs').Body }>} context
 */
const excessSpeed = (acceleration, { things, time }) =>
  dot(things.cube.linearVelocity, DOWNHILL) - acceleration * time

/**
 * @param {number} acceleration m/s² downhill
 * @returns {Check}
 */
const coldStart = (acceleration) => ({
  name: 'cold-start',
  description:
    'Downhill speed is g (sin 30° - mu cos 30°) t, or zero below the friction angle; 20 sweeps do not solve the first steps, which start cold, to the end',
  unit: 'm/s',
  tolerance: 2e-3,
  softTolerance: 0.02,
  to: SOLVED,
  error: (context) => Math.abs(excessSpeed(acceleration, context)),
})

/**
 * @param {number} acceleration m/s² downhill
 * @returns {Check}
 */
const speed = (acceleration) => ({
  name: 'speed',
  description:
    'From then on it gains g (sin 30° - mu cos 30°) t, or stays at zero below the friction angle',
  unit: 'm/s',
  tolerance: 1e-6,
  softTolerance: 1e-4,
  from: SOLVED,
  error(context) {
    const excess = excessSpeed(acceleration, context)
    // What the first steps left over stays with a cube that slides; one that sticks has lost it.
    const { previous } = context
    previous.excess ??= acceleration > 0 ? excess : 0
    return Math.abs(excess - previous.excess)
  },
})

/**
 * @param {number} acceleration m/s² downhill
 * @returns {Check}
 */
const way = (acceleration) => ({
  name: 'way',
  description: 'Way downhill, by the sum that semi-implicit Euler makes of the acceleration',
  unit: 'm',
  tolerance: 1e-4,
  softTolerance: 0.025, // with what the cold start was short of for two seconds
  error({ things, time, ...context }) {
    const expected = (acceleration * time * (time + integrationStep(context))) / 2
    return Math.abs(dot(subtract(things.cube.position, START), DOWNHILL) - expected)
  },
})

/** @type {Check} */
const staysOnTheSlope = {
  name: 'stays-on-the-slope',
  description: 'Distance of its bottom from the slope',
  unit: 'm',
  tolerance: 1e-3,
  error: ({ things }) => Math.abs(dot(subtract(things.cube.position, START), UP)),
}

/** @type {Check} */
const doesNotTurn = {
  name: 'does-not-turn',
  description: 'Angular speed',
  unit: 'rad/s',
  tolerance: 1e-6,
  softTolerance: 1e-3,
  from: SOLVED,
  error: ({ things }) => things.cube.angularSpeed,
}

export const inclineSticks = incline(
  'incline-sticks',
  'Incline below the friction angle',
  'A cube on a slope of 30° with friction 0.6, which is more than tan 30° = 0.577: it stays where it is.',
  0.6,
  5,
)

export const inclineSlides = incline(
  'incline-slides',
  'Incline above the friction angle',
  'A cube on a slope of 30° with friction 0.5: it slides with 0.657 m/s² downhill.',
  0.5,
  2,
)
