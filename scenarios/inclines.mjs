import { GRAVITY, unitCube } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { add, dot, rotate, scale, subtract, turn } from './vector.mjs'

/** @typedef {import('./vector.mjs').Vector} Vector */

const ANGLE = Math.PI / 6
const ORIENTATION = turn([0, 0, 1], ANGLE)
const UP = rotate(ORIENTATION, [0, 1, 0])
const DOWNHILL = rotate(ORIENTATION, [-1, 0, 0])
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
  const acceleration = Math.max(0, GRAVITY * (Math.sin(ANGLE) - friction * Math.cos(ANGLE)))
  return defineScene({
    name,
    title,
    description,
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
      {
        name: 'speed',
        description:
          'Downhill speed is g (sin 30° - mu cos 30°) t, or zero below the friction angle',
        unit: 'm/s',
        // Of the first steps, which start cold: 20 sweeps do not solve them to the end.
        tolerance: 1e-3,
        error: ({ things, time }) =>
          Math.abs(dot(things.cube.linearVelocity, DOWNHILL) - acceleration * time),
      },
      {
        name: 'way',
        description: 'Way downhill, by the sum that semi-implicit Euler makes of the acceleration',
        unit: 'm',
        tolerance: 1e-4,
        error: ({ things, timeStep, stepIndex }) =>
          Math.abs(
            dot(subtract(things.cube.position, START), DOWNHILL) -
              (acceleration * timeStep * timeStep * stepIndex * (stepIndex + 1)) / 2,
          ),
      },
      {
        name: 'stays-on-the-slope',
        description: 'Distance of its bottom from the slope',
        unit: 'm',
        tolerance: 1e-3,
        error: ({ things }) => Math.abs(dot(subtract(things.cube.position, START), UP)),
      },
      {
        name: 'does-not-turn',
        description: 'Angular speed',
        unit: 'rad/s',
        // The same.
        tolerance: 1e-3,
        error: ({ things }) => things.cube.angularSpeed,
      },
    ],
  })
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
