import { energyNeverRises } from './common-checks.mjs'
import { GRAVITY, normalImpulse } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { ANGLES, dot, length, rotate, turn } from './vector.mjs'

/** @typedef {import('./vector.mjs').Vector} Vector */

const SLOPE = ANGLES[30]
const ORIENTATION = turn([0, 0, 1], SLOPE)
const DOWNHILL = rotate(ORIENTATION, [-1, 0, 0])
/** Sine of half of the groove's angle of 90 degrees. */
const WEDGING = Math.sqrt(0.5)
const FRICTION = 0.2
const MASS = 1
/** The walls press with N = m g cos(slope) / (2 sin(half angle)) each, which makes the friction 1/sin(half angle) as strong. */
const WALL_FORCE = (MASS * GRAVITY * SLOPE.cosine) / (2 * WEDGING)
const ACCELERATION = GRAVITY * SLOPE.sine - (2 * FRICTION * WALL_FORCE) / MASS

/**
 * Corners of a prism along x.
 *
 * @param {number} halfLength m
 * @param {[number, number][]} section y and z of its corners, m
 * @returns {Vector[]}
 */
const prism = (halfLength, section) =>
  section.flatMap(([y, z]) =>
    [-halfLength, halfLength].map((x) => /** @type {Vector} */ ([x, y, z])),
  )

export default defineScene({
  name: 'wedge-in-groove',
  title: 'Wedge in a V groove',
  description:
    'A wedge of 1 kg slides down a V groove of 90° on a slope of 30°, friction 0.2. The walls press with 6.01 N each, and it slides with 2.50 m/s² downhill.',
  options: { solver: 'exact', tolerance: 1e-10 },
  duration: 2,
  camera: { position: [-1, 4, 8], target: [-1, -0.5, 0] },
  setup(world) {
    const wall = (/** @type {number} */ side) =>
      world.createBody({
        type: 'static',
        shape: {
          type: 'hull',
          points: prism(8, [
            [0, 0],
            [1, side],
            [-0.3, side],
            [-0.3, 0],
          ]),
        },
        orientation: ORIENTATION,
        friction: FRICTION,
      })
    const walls = [wall(1), wall(-1)]
    // Its edge does not reach the bottom of the groove.
    const wedge = world.createBody({
      shape: {
        type: 'hull',
        points: prism(0.8, [
          [0.1, 0.1],
          [0.1, -0.1],
          [0.6, 0.6],
          [0.6, -0.6],
        ]),
      },
      orientation: ORIENTATION,
      mass: MASS,
      friction: FRICTION,
    })
    return { walls, wedge, glass: [walls[0]] }
  },
  checks: [
    energyNeverRises(),
    {
      name: 'walls-press-as-statics-says',
      description: 'The normal forces of each wall sum up to m g cos 30° / (2 sin 45°)',
      unit: '(part of the force)',
      tolerance: 1e-6,
      error({ things, timeStep }) {
        const errors = things.walls.map(
          (wall) => normalImpulse(things.wedge, wall) / (WALL_FORCE * timeStep) - 1,
        )
        return Math.max(...errors.map(Math.abs))
      },
    },
    {
      name: 'wedging-strengthens-friction',
      description: 'Downhill it gains g (sin 30° - mu cos 30° / sin 45°) t',
      unit: '(part of the speed)',
      tolerance: 1e-6,
      error: ({ things, time }) =>
        Math.abs(dot(things.wedge.linearVelocity, DOWNHILL) / (ACCELERATION * time) - 1),
    },
    {
      name: 'slides-straight',
      description: 'Speed across the groove',
      unit: 'm/s',
      tolerance: 1e-6,
      error({ things }) {
        const velocity = things.wedge.linearVelocity
        const along = dot(velocity, DOWNHILL)
        return length(velocity.map((speed, axis) => speed - along * DOWNHILL[axis]))
      },
    },
    {
      name: 'does-not-turn',
      description: 'Angular speed',
      unit: 'rad/s',
      tolerance: 1e-6,
      error: ({ things }) => things.wedge.angularSpeed,
    },
  ],
})
