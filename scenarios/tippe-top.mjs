import { energyNeverRises } from './common-checks.mjs'
import { addFloor } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { add, dot, rotate, scale } from './vector.mjs'

/** @typedef {import('./vector.mjs').Vector} Vector */
/** @typedef {import('./scene.mjs').Body} Body */

const RADIUS = 0.5
/** The centre of mass is so far below the middle of the ball, m. */
const DEPTH = 0.1
const MASS = 1
const FRICTION = 0.3
/** kg m², of a solid ball; about the axis the same: 1 - a/R < I/I3 < 1 + a/R, so that it turns over (Cohen 1977). */
const INERTIA = 0.4 * MASS * RADIUS * RADIUS
/** rad/s, far above what the upside-down top needs to stand. */
const SPIN = 40
/** Its axis leans by 17 degrees at first; it spins about the vertical. */
const LEAN = /** @type {const} */ ([0.15, 0, 0, Math.sqrt(1 - 0.15 * 0.15)])

/** The axis, from the centre of mass to the middle of the ball. */
const axisOf = (/** @type {Body} */ top) => rotate(top.orientation, [0, 1, 0])

/**
 * Jellett's integral L . r, with r from the centre of mass to the point of contact: whatever force acts there, it stays.
 *
 * @param {Body} top
 */
function jellett(top) {
  const toContact = add(scale(axisOf(top), DEPTH), [0, -RADIUS, 0])
  return dot(top.angularMomentum, toContact)
}

export default defineScene({
  name: 'tippe-top',
  title: 'Tippe top',
  description:
    'A ball whose centre of mass is 0.1 m below its middle spins at 40 rad/s. Friction, which can only take energy, turns it upside down within 7 s: its centre of mass rises, paid for by the spin, while L · r stays (Jellett).',
  options: { solver: 'exact' },
  timeStep: 1 / 600,
  duration: 8,
  camera: { position: [1.5, 1.5, 3], target: [0, 0.5, 0] },
  setup(world) {
    const floor = addFloor(world, { halfWidth: 30, friction: FRICTION })
    const top = world.createBody({
      shape: { type: 'sphere', radius: RADIUS },
      position: [0, RADIUS, 0],
      orientation: LEAN,
      centerOfMass: [0, -DEPTH, 0],
      mass: MASS,
      inertia: [INERTIA, INERTIA, INERTIA],
      angularVelocity: [0, SPIN, 0],
      friction: FRICTION,
    })
    return { floor, top, jellett: jellett(top) }
  },
  checks: [
    energyNeverRises(),
    {
      name: 'turns-over',
      description: 'At the end its axis points down: cosine of the angle to that',
      unit: '(1 + cosine)',
      tolerance: 0.05,
      from: 8,
      error: ({ things }) => 1 + axisOf(things.top)[1],
    },
    {
      name: 'centre-of-mass-rises',
      description: 'At the end the centre of mass is at R + a',
      unit: 'm',
      tolerance: 0.05 * DEPTH,
      from: 8,
      error: ({ things }) => Math.abs(things.top.worldCenterOfMass[1] - RADIUS - DEPTH),
    },
    {
      name: 'jellett-kept',
      description: 'L . r stays what it was',
      unit: '(part of it)',
      tolerance: 0.02,
      error: ({ things }) => Math.abs(jellett(things.top) / things.jellett - 1),
    },
    {
      name: 'spins-as-jellett-says',
      description: 'At the end it spins at L . r / (I (R + a)) about the vertical',
      unit: '(part of the spin)',
      tolerance: 0.02,
      from: 8,
      error: ({ things }) =>
        Math.abs(
          (-things.top.angularVelocity[1] * INERTIA * (RADIUS + DEPTH)) / things.jellett - 1,
        ),
    },
    {
      name: 'stays-on-the-floor',
      description:
        'Height of the middle of the ball, beyond the millimetre of overlap that is left alone',
      unit: 'm',
      tolerance: 2e-3,
      error: ({ things }) => Math.abs(things.top.position[1] - RADIUS),
    },
  ],
})
