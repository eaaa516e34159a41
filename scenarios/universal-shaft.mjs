import { defineScene } from './scene.mjs'
import { cosineOf, sineOf } from './vector.mjs'

/** rad/s */
const SPEED = 2
/** Cosine and sine of the angle between the shafts, 30 degrees. */
const [C, S] = [Math.sqrt(3) / 2, 0.5]
/** Of the driven shaft, m from its middle to the joint. */
const HALF = 0.5

/** The axis of a cylinder, y, along x. @type {[number, number, number, number]} */
const ALONG_X = [0, 0, -Math.SQRT1_2, Math.SQRT1_2]
/** The same, 30 degrees up: a turn by -60 degrees about z. @type {[number, number, number, number]} */
const ALONG_SHAFT = [0, 0, -0.5, Math.sqrt(3) / 2]

/** Angle of the driven shaft by that of the driving one: tan B = cos b tan A, turn by turn. @param {number} angle */
const angleOf = (angle) => {
  const turns = 2 * Math.PI * Math.round(angle / (2 * Math.PI))
  return turns + Math.atan2(C * sineOf(angle), cosineOf(angle))
}

export default defineScene({
  name: 'universal-shaft',
  title: 'Universal joint',
  description:
    'A motor turns a shaft with 2 rad/s; another one, 30 degrees askew, is driven by it through a universal joint, and is now faster and now slower by 15 %.',
  solvers: ['exact', 'block-pgs', 'soft-step'],
  timeStep: 1 / 240,
  duration: 7,
  camera: { position: [0, 0.8, 2.5], target: [0, 0.1, 0] },
  setup(world) {
    const shape = /** @type {const} */ ({ type: 'cylinder', radius: 0.1, halfHeight: HALF - 0.1 })
    const shaft = {
      ...{ shape, mass: 1, gravityScale: 0, filter: { mask: 0 } },
    }
    const bodyA = world.createBody({
      ...{ ...shaft, position: [-HALF, 0, 0], orientation: ALONG_X },
      angularVelocity: [SPEED, 0, 0],
    })
    const bodyB = world.createBody({
      ...{ ...shaft, position: [HALF * C, HALF * S, 0], orientation: ALONG_SHAFT },
      angularVelocity: [SPEED * C * C, SPEED * C * S, 0],
    })
    const drive = world.createJoint({
      ...{ type: 'hinge', bodyA: null, bodyB: bodyA, anchorA: [-HALF, 0, 0], anchorB: [0, 0, 0] },
      ...{ axisA: [1, 0, 0], axisB: [0, 1, 0], motor: { targetVelocity: SPEED } },
    })
    const driven = world.createJoint({
      ...{ type: 'hinge', bodyA: null, bodyB, anchorA: [HALF * C, HALF * S, 0] },
      ...{ anchorB: [0, 0, 0], axisA: [C, S, 0], axisB: [0, 1, 0] },
    })
    // The arms of the cross: along z, and perpendicular to z and the driven shaft.
    world.createJoint({
      ...{ type: 'universal', bodyA, bodyB, anchorA: [0, HALF, 0], anchorB: [0, -HALF, 0] },
      ...{ axisA: [0, 0, 1], axisB: [-1, 0, 0] },
    })
    return { drive, driven }
  },
  checks: [
    {
      name: 'turns-as-cardan-says',
      description: 'Angle of the driven shaft: tan B = cos 30° tan A',
      unit: 'rad',
      tolerance: 1e-4,
      error: ({ things: { drive, driven } }) => Math.abs(driven.angle - angleOf(drive.angle)),
    },
    {
      name: 'speed-swings',
      description: 'Its speed is that of the driving one times cos b / (1 - sin² b sin² A)',
      unit: 'rad/s',
      // The angle is that of the end of the step, the speed that of the step.
      tolerance: 0.01,
      from: 0.1,
      error({ things: { drive, driven } }) {
        const sine = S * sineOf(drive.angle)
        return Math.abs(driven.speed - (drive.speed * C) / (1 - sine * sine))
      },
    },
  ],
})
