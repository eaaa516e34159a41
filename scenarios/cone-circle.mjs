import { energyNeverRises } from './common-checks.mjs'
import { addFloor } from './parts.mjs'
import { defineScene } from './scene.mjs'

const RADIUS = 0.3
const HALF_HEIGHT = 0.4
/** Length of the line on which it lies, and the angle between that line and its axis. */
const SLANT = Math.sqrt((2 * HALF_HEIGHT) ** 2 + RADIUS ** 2)
const SINE = RADIUS / SLANT
const COSINE = (2 * HALF_HEIGHT) / SLANT
/** Of the centre of mass from the tip, along the axis, m. */
const TO_CENTRE = 1.5 * HALF_HEIGHT
/** How fast it goes round, rad/s. */
const ROUND = 1
/** A turn about the line on which it lies, rad/s: the line is at rest. */
const SPIN = (ROUND * COSINE) / SINE

/** From the half angle of the turn that lays it down: its axis y points from the base to the tip, which lies at the origin. */
const HALF_COSINE = Math.sqrt((1 - SINE) / 2)
const HALF_SINE = Math.sqrt((1 + SINE) / 2)

export default defineScene({
  name: 'cone-circle',
  title: 'Rolling cone',
  description: `A cone lies on its side and rolls: its tip stays where it is, and its base runs round it once in ${(2 * Math.PI).toFixed(2)} s.`,
  solvers: ['exact', 'block-pgs', 'soft-step'],
  timeStep: 1 / 240,
  duration: 6,
  camera: { position: [1.2, 1.2, 1.8], target: [0, 0.1, 0] },
  setup(world) {
    const floor = addFloor(world, { halfWidth: 5, friction: 0.8 })
    // The tip at the origin, the base towards x: the axis y of the shape points along (-cos, -sin, 0).
    const cone = world.createBody({
      shape: { type: 'cone', radius: RADIUS, halfHeight: HALF_HEIGHT },
      position: [HALF_HEIGHT * COSINE, HALF_HEIGHT * SINE, 0],
      orientation: [0, 0, HALF_SINE, HALF_COSINE],
      linearVelocity: [0, 0, -ROUND * TO_CENTRE * COSINE],
      angularVelocity: [-SPIN, 0, 0],
      mass: 1,
      friction: 0.8,
    })
    return { floor, cone }
  },
  checks: [
    energyNeverRises({ tolerance: 1e-3, softTolerance: 1e-3 }),
    {
      name: 'tip-stays',
      description: 'The tip rests while the cone goes round it: way of the tip',
      unit: 'm',
      tolerance: 0.01,
      softTolerance: 0.02,
      error: ({ things: { cone } }) => Math.hypot(...tipOf(cone)),
    },
    {
      name: 'goes-round-evenly',
      description: 'Speed of the centre of mass against that of the start',
      unit: 'm/s',
      tolerance: 0.01,
      softTolerance: 0.02,
      error: ({ things: { cone } }) => Math.abs(cone.speed - ROUND * TO_CENTRE * COSINE),
    },
    {
      name: 'lies-on-its-side',
      description: 'Height of the centre of mass against that of a cone that lies',
      unit: 'm',
      tolerance: 1e-3,
      error: ({ things: { cone } }) => Math.abs(cone.worldCenterOfMass[1] - TO_CENTRE * SINE),
    },
  ],
})

/** @param {import('./scene.mjs').Body} cone @returns {[number, number, number]} */
function tipOf({ position: [x, y, z], orientation: [a, b, c, d] }) {
  // Its axis y in the world.
  const axis = [2 * (a * b - c * d), 1 - 2 * (a * a + c * c), 2 * (b * c + a * d)]
  return [x + HALF_HEIGHT * axis[0], y + HALF_HEIGHT * axis[1], z + HALF_HEIGHT * axis[2]]
}
