import { defineScene } from './scene.mjs'

/** N m, on the first wheel */
const TORQUE = 2
/** m and kg of the wheels, the last of which drives a rack */
const WHEELS = [
  { radius: 0.2, mass: 1 },
  { radius: 0.4, mass: 4 },
  { radius: 0.1, mass: 0.5 },
]
/** kg */
const RACK = 6
/** m, of the teeth that mesh, which every wheel and the rack move with the same speed */
const PITCH = WHEELS[0].radius

/** kg: of all at the teeth, where a wheel weighs I/r² = m/2 and the rack its mass */
const INERTIA = WHEELS.reduce((sum, { mass }) => sum + mass / 2, RACK)
/** m/s², of the teeth */
const ACCELERATION = TORQUE / PITCH / INERTIA

/** The axis of a cylinder along z. @type {[number, number, number, number]} */
const ACROSS = [Math.SQRT1_2, 0, 0, Math.SQRT1_2]

/**
 * @param {import('./scene.mjs').World} world
 * @param {number} index
 * @param {number} x
 */
function addWheel(world, index, x) {
  const { radius, mass } = WHEELS[index]
  const wheel = world.createBody({
    shape: { type: 'cylinder', radius, halfHeight: 0.05 },
    ...{ position: [x, 0, 0], orientation: ACROSS, mass, filter: { mask: 0 } },
  })
  return world.createJoint({
    ...{ type: 'hinge', bodyA: null, bodyB: wheel, anchorA: [x, 0, 0], anchorB: [0, 0, 0] },
    ...{ axisA: [0, 0, 1], axisB: [0, 1, 0] },
    // The target is out of reach: a torque, always the same.
    ...(index === 0 && { motor: { targetVelocity: 1000, maxForce: TORQUE } }),
  })
}

export default defineScene({
  name: 'gear-train',
  title: 'Gear train with a rack',
  description: `Three geared wheels and a rack: a torque of ${TORQUE} N m on the first one accelerates all of them by the sum of their inertias, as the teeth feel them.`,
  solvers: ['exact', 'block-pgs', 'soft-step'],
  duration: 2,
  camera: { position: [0.6, 0.6, 3], target: [0.6, 0, 0] },
  setup(world) {
    const wheels = [0, 0.6, 1.1].map((x, i) => addWheel(world, i, x))
    const rack = world.createBody({
      shape: { type: 'box', halfExtents: [1.5, 0.03, 0.05] },
      ...{ position: [1.1, -0.13, 0], mass: RACK, filter: { mask: 0 } },
    })
    const guide = world.createJoint({
      ...{ type: 'slider', bodyA: null, bodyB: rack, anchorA: [1.1, -0.13, 0] },
      ...{ anchorB: [0, 0, 0], axisA: [1, 0, 0], axisB: [1, 0, 0] },
    })
    const [first, second, third] = wheels
    const gear = (/** @type {number} */ i) => WHEELS[i + 1].radius / WHEELS[i].radius
    world.createJoint({ type: 'gear', jointA: first, jointB: second, ratio: gear(0) })
    world.createJoint({ type: 'gear', jointA: second, jointB: third, ratio: gear(1) })
    const ratio = WHEELS[2].radius
    world.createJoint({ type: 'rackAndPinion', jointA: third, jointB: guide, ratio })
    return { wheels, guide }
  },
  checks: [
    {
      name: 'accelerates-by-all-inertias',
      description: 'Speed of the rack: F t / m of the force at the teeth and of all that they move',
      unit: 'm/s',
      // What iterations leave in the first step, before they can start warm.
      tolerance: 1e-4,
      softTolerance: 0.01,
      error: ({ things, time }) => Math.abs(things.guide.speed - ACCELERATION * time),
    },
    {
      name: 'teeth-mesh',
      description: 'Way of the teeth of the wheels, and of the rack',
      unit: 'm',
      tolerance: 1e-6,
      softTolerance: 1e-3,
      error({ things: { wheels, guide } }) {
        const ways = wheels.map(({ angle }, i) => (-1) ** i * WHEELS[i].radius * angle)
        ways.push(guide.translation)
        return Math.max(...ways) - Math.min(...ways)
      },
    },
  ],
})
