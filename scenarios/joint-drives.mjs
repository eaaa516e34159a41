import { GRAVITY } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { cosineOf, sineOf } from './vector.mjs'

/** @typedef {import('./scene.mjs').Body} Body */

/** kg m² about its axis, of each wheel */
const INERTIA = 0.2
/** N m and rad/s */
const MOTOR = { maxForce: 0.5, targetVelocity: 5 }
/** N m, and rad/s at the start */
const FRICTION = 0.25
const SPIN = 5
/** Hz, of the spring that carries a weight with critical damping */
const HERTZ = 1.5
const SAG = GRAVITY / (2 * Math.PI * HERTZ) ** 2
/** kg, m: an arm that a motor holds as a spring of STIFFNESS N m/rad */
const ARM = { mass: 2, length: 0.5 }
const STIFFNESS = 200
/** rad: the limit of a rod on a ball joint, which starts at the angle START */
const CONE = 0.4
const START = 0.35

/**
 * The angle at which the arm rests: STIFFNESS q = m g l cos q, by Newton's method.
 */
function restOfArm() {
  const moment = ARM.mass * GRAVITY * ARM.length
  let q = 0
  for (let i = 0; i < 20; i++) {
    q -= (STIFFNESS * q - moment * cosineOf(q)) / (STIFFNESS + moment * sineOf(q))
  }
  return q
}
const REST = restOfArm()

export default defineScene({
  name: 'joint-drives',
  title: 'Motors, springs and limits',
  description:
    'A wheel with a motor, one with a brake, a weight on a spring, an arm that a motor holds, a rod in a cone: all come to rest, or to speed, when and where the formulas say.',
  solvers: ['exact', 'block-pgs', 'soft-step'],
  duration: 6,
  camera: { position: [0, 1, 7], target: [0, 0, 0] },
  setup(world) {
    /** @type {{ type: 'box', halfExtents: [number, number, number] }} */
    const plate = { type: 'box', halfExtents: [0.3, 0.3, 0.05] }
    const wheel = (/** @type {number} */ x, /** @type {number} */ spin) =>
      world.createBody({
        ...{ shape: plate, position: [x, 0, 0], mass: 2, inertia: [INERTIA, INERTIA, INERTIA] },
        angularVelocity: [0, 0, spin],
      })
    const hinge = (/** @type {Body} */ bodyB, /** @type {number} */ x) => ({
      type: /** @type {const} */ ('hinge'),
      ...{ bodyA: null, bodyB, anchorA: [x, 0, 0], anchorB: [0, 0, 0] },
      ...{ axisA: [0, 0, 1], axisB: [0, 0, 1] },
    })
    const driven = wheel(-2.4, 0)
    world.createJoint({ ...hinge(driven, -2.4), motor: MOTOR })
    const braked = wheel(-1.2, SPIN)
    world.createJoint({ ...hinge(braked, -1.2), friction: FRICTION })
    const weight = world.createBody({ shape: plate, position: [0, 0.5, 0], mass: 3 })
    world.createJoint({
      type: 'slider',
      ...{ bodyA: null, bodyB: weight, anchorA: [0, 0.5, 0], anchorB: [0, 0, 0] },
      ...{ axisA: [0, 1, 0], axisB: [0, 1, 0], spring: { hertz: HERTZ, damping: 1 } },
    })
    const arm = world.createBody({
      shape: { type: 'box', halfExtents: [ARM.length, 0.05, 0.05] },
      ...{ position: [0.7 + ARM.length, 0, 0], mass: ARM.mass, angularDamping: 5 },
    })
    const held = world.createJoint({
      type: 'hinge',
      ...{ bodyA: null, bodyB: arm, anchorA: [0.7, 0, 0] },
      ...{ anchorB: [-ARM.length, 0, 0], axisA: [0, 0, -1], axisB: [0, 0, -1] },
      motor: { targetPosition: 0, stiffness: STIFFNESS, damping: 1, maxForce: 100 },
    })
    const rod = world.createBody({
      shape: { type: 'box', halfExtents: [0.04, 0.4, 0.04] },
      position: [2.4 + 0.4 * sineOf(START), 0.8 + 0.4 * cosineOf(START), 0],
      orientation: [0, 0, -sineOf(START / 2), cosineOf(START / 2)],
      mass: 1,
    })
    const ball = world.createJoint({
      type: 'ball',
      ...{ bodyA: null, bodyB: rod, anchorA: [2.4, 0.8, 0], anchorB: [0, -0.4, 0] },
      ...{ axisA: [0, 1, 0], axisB: [0, 1, 0], limits: { cone: CONE, twist: [-0.1, 0.1] } },
    })
    return { driven, braked, weight, held, ball }
  },
  checks: [
    {
      name: 'motor-comes-to-speed',
      description: 'A torque of 0.5 N m on 0.2 kg m²: 2.5 rad/s², up to 5 rad/s after 2 s',
      unit: 'rad/s',
      tolerance: 1e-6,
      softTolerance: 0.02,
      error: ({ things, time }) => {
        const speed = Math.min((MOTOR.maxForce / INERTIA) * time, MOTOR.targetVelocity)
        return Math.abs(things.driven.angularVelocity[2] - speed)
      },
    },
    {
      name: 'friction-stops-a-wheel',
      description: 'A torque of 0.25 N m stops 5 rad/s of 0.2 kg m² in 4 s',
      unit: 'rad/s',
      tolerance: 1e-6,
      softTolerance: 0.02,
      error: ({ things, time }) => {
        const speed = Math.max(SPIN - (FRICTION / INERTIA) * time, 0)
        return Math.abs(things.braked.angularVelocity[2] - speed)
      },
    },
    {
      name: 'spring-sinks-by-the-weight',
      description: 'A spring of 1.5 Hz sinks by g / (2 pi f)², whatever the mass',
      unit: 'm',
      tolerance: 1e-5,
      from: 5,
      error: ({ things }) => Math.abs(things.weight.position[1] - 0.5 + SAG),
    },
    {
      name: 'motor-holds-the-arm',
      description:
        'A motor to a position with gains holds it where its torque is that of the weight',
      unit: 'rad',
      tolerance: 1e-4,
      softTolerance: 1e-3,
      from: 5,
      error: ({ things }) => Math.abs(things.held.angle - REST),
    },
    {
      name: 'rod-stays-in-its-cone',
      description: 'The rod falls to its cone, does not bounce, and does not twist',
      unit: 'rad',
      tolerance: 1e-6,
      softTolerance: 0.01,
      error: ({ things }) => {
        const [swing, twist] = things.ball.coordinates
        return Math.max(swing - CONE, Math.abs(twist))
      },
    },
  ],
})
