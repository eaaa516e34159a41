import { energyNeverRises } from './common-checks.mjs'
import { addFloor } from './parts.mjs'
import { defineScene } from './scene.mjs'

const RADIUS = 0.5
/** m/s */
const SPEED = 2
/** x of the start, m: it rolls as far beyond the middle of the floor. */
const START = -10

export default defineScene({
  name: 'rolling-cylinder',
  title: 'Rolling cylinder',
  description: `A cylinder rolls 20 m over a floor at ${SPEED} m/s. It is round: it keeps its way and its speed, and no edge of a facet is to be felt.`,
  solvers: ['exact', 'block-pgs', 'soft-step'],
  duration: 10,
  camera: { position: [4, 4, 14], target: [0, 0.5, 0] },
  setup(world) {
    const floor = addFloor(world, { halfWidth: 12 })
    // Its axis lies along z.
    const cylinder = world.createBody({
      shape: { type: 'cylinder', radius: RADIUS, halfHeight: 1 },
      position: [START, RADIUS, 0],
      orientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
      linearVelocity: [SPEED, 0, 0],
      angularVelocity: [0, 0, -SPEED / RADIUS],
      mass: 1,
    })
    return { floor, cylinder }
  },
  checks: [
    energyNeverRises({ softTolerance: 1e-3 }),
    {
      name: 'keeps-its-speed',
      description: 'Rolling on the flat costs nothing: difference from the speed at the start',
      unit: 'm/s',
      tolerance: 1e-6,
      softTolerance: 1e-3,
      error: ({ things }) => Math.abs(things.cylinder.linearVelocity[0] - SPEED),
    },
    {
      name: 'rolls-straight',
      description: 'Sideways deviation from its way over 20 m',
      unit: 'm',
      tolerance: 1e-5,
      softTolerance: 1e-3,
      error: ({ things }) => Math.abs(things.cylinder.position[2]),
    },
    {
      name: 'rolls-smoothly',
      description: 'Height of its axis above or below its radius: an edge of a facet would lift it',
      unit: 'm',
      tolerance: 1e-6,
      softTolerance: 1e-3,
      error: ({ things }) => Math.abs(things.cylinder.position[1] - RADIUS),
    },
    {
      name: 'rolls-without-slip',
      description: 'Speed of its lowest line',
      unit: 'm/s',
      tolerance: 1e-6,
      softTolerance: 1e-3,
      error: ({ things: { cylinder } }) =>
        Math.abs(cylinder.linearVelocity[0] + RADIUS * cylinder.angularVelocity[2]),
    },
  ],
})
