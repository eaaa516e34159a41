import { GRAVITY } from './parts.mjs'
import { defineScene } from './scene.mjs'

/** @typedef {import('./scene.mjs').World} World */

/** m: of the points that everything hangs from. */
const TOP = 3
/** m: of the rope, and how far below its upper end the load is let go. */
const ROPE = 1.5
const SLACK = 0.5
/** s: the load falls freely until then. */
const TAUT = Math.sqrt((2 * (ROPE - SLACK)) / GRAVITY)
/** kg, of every load */
const MASS = 2
/** N/m and N s/m: the spring is damped a little less than critically. */
const SPRING = { stiffness: 100, dampingCoefficient: 20 }
const SAG = (MASS * GRAVITY) / SPRING.stiffness
/** N: what the third joint bears, and how fast a pull on its load grows, N/s. */
const STRENGTH = 50
const GROWTH = 20

/** @param {World} world @param {number} x m @param {number} below m, below the point that it hangs from */
const addLoad = (world, x, below) =>
  world.createBody({
    shape: { type: 'box', halfExtents: [0.2, 0.2, 0.2] },
    ...{ position: [x, TOP - below, 0], mass: MASS },
  })

export default defineScene({
  name: 'ropes-and-springs',
  title: 'Ropes, springs and a joint that breaks',
  description:
    'A load falls until its rope of 1.5 m is taut. A spring of 100 N/m sinks by m g / k = 19.6 cm. A rod bears 50 N; the pull on its load grows by 20 N/s until it breaks.',
  solvers: ['soft-step', 'block-pgs', 'exact'],
  options: { allowSleep: false },
  duration: 3,
  camera: { position: [1, 3, 8], target: [0, 2.3, 0] },
  setup(world) {
    const centre = /** @type {const} */ ([0, 0, 0])
    const onRope = addLoad(world, -1.5, SLACK)
    const rope = world.createJoint({
      ...{ type: 'rope', bodyB: onRope, length: ROPE },
      ...{ anchorA: [-1.5, TOP, 0], anchorB: centre },
    })
    const onSpring = addLoad(world, 0, 1)
    world.createJoint({
      ...{ type: 'spring', bodyB: onSpring, length: 1, spring: SPRING },
      ...{ anchorA: [0, TOP, 0], anchorB: centre },
    })
    const onRod = addLoad(world, 1.5, 1)
    const rod = world.createJoint({
      ...{ type: 'distance', bodyB: onRod, breakForce: STRENGTH },
      ...{ anchorA: [1.5, TOP, 0], anchorB: centre },
    })
    /** When joints broke, s, and under which load, N. @type {{ time: number, force: number }[]} */
    const breaks = []
    world.on('joint', ({ force }) => breaks.push({ time: world.time, force }))
    return { onRope, rope, onSpring, onRod, rod, breaks }
  },
  beforeStep(world, { rod, onRod }) {
    if (rod.isAlive) onRod.applyForce([0, -GROWTH * world.time, 0])
  },
  checks: [
    {
      name: 'falls-until-the-rope-is-taut',
      description: 'The speed of the load is g t while the rope is slack',
      unit: 'm/s',
      tolerance: 1e-9,
      softTolerance: 1e-4, // its velocities have single precision
      to: TAUT - 0.03,
      error: ({ things, time }) => Math.abs(things.onRope.linearVelocity[1] + GRAVITY * time),
    },
    {
      name: 'hangs-on-the-rope',
      description: 'The load then hangs at the length of the rope',
      unit: 'm',
      tolerance: 1e-6,
      softTolerance: 1e-4,
      from: TAUT + 0.5,
      error: ({ things }) => Math.abs(things.onRope.position[1] - (TOP - ROPE)),
    },
    {
      name: 'rope-bears-the-weight',
      description: 'The rope pulls with m g',
      unit: 'N',
      tolerance: 1e-6,
      softTolerance: 1e-4,
      from: TAUT + 0.5,
      error: ({ things }) => Math.abs(things.rope.reaction().force[1] - MASS * GRAVITY),
    },
    {
      name: 'spring-sinks-by-the-weight',
      description: 'The load on the spring comes to rest m g / k below its start',
      unit: 'm',
      tolerance: 1e-5,
      from: 2.5,
      error: ({ things }) => Math.abs(things.onSpring.position[1] - (TOP - 1 - SAG)),
    },
    {
      name: 'breaks-under-its-load',
      description:
        'The event tells of one joint, and of a load that is above 50 N by no more than it grows in a step',
      unit: 'N',
      tolerance: GROWTH / 60 + 1e-3,
      from: 2,
      error: ({ things: { breaks } }) =>
        breaks.length === 1 && breaks[0].force > STRENGTH ? breaks[0].force - STRENGTH : NaN,
    },
    {
      name: 'falls-when-it-broke',
      description: 'Before the rod breaks its load hangs still, then its speed is g t',
      unit: 'm/s',
      tolerance: 1e-9,
      error({ things: { onRod, breaks }, time }) {
        const since = breaks.length === 0 ? 0 : time - breaks[0].time
        return Math.abs(onRod.linearVelocity[1] + GRAVITY * since)
      },
    },
  ],
})
