import { GRAVITY } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { ANGLES, length } from './vector.mjs'

const { cosine, sine } = ANGLES[30]
/** m/s², along x: the whole world is tilted by 30 degrees. */
const DOWNHILL = GRAVITY * sine
/** rad/s: of the bead about x, which alone is not locked. */
const SPIN = 2
/** m: how far the slide may go, and when it is there, s. */
const WAY = 1
const ARRIVES = Math.sqrt((2 * WAY) / DOWNHILL)
/** rad: how far the flap may turn either way. */
const OPEN = 0.5
/** kg m² and N m, of the plate and its motor. */
const INERTIA = 0.2
const TORQUE = 0.8
/** The pose that the motor turns to: a right angle about z. */
const RIGHT_ANGLE = Math.PI / 2
const TARGET = /** @type {const} */ ([0, 0, Math.SQRT1_2, Math.SQRT1_2])
/** s: the motor speeds up for the first half of the angle and brakes for the second. */
const HALF_TURN = Math.sqrt((RIGHT_ANGLE * INERTIA) / TORQUE)

export default defineScene({
  name: 'locks-and-drives',
  title: 'Locked axes, limits and a motor to a pose',
  description:
    'Gravity is tilted by 30°. A bead whose other axes are locked slides along x with g sin 30°, a slide stops after 1 m, a flap at 0.5 rad, and a motor turns a plate by 90° and holds it.',
  solvers: ['soft-step', 'block-pgs', 'exact'],
  options: { gravity: [DOWNHILL, -GRAVITY * cosine, 0], allowSleep: false },
  duration: 2.5,
  camera: { position: [1, 3, 12], target: [0, 2.5, 0] },
  setup(world) {
    const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.2, 0.2, 0.2] })
    const bead = world.createBody({
      ...{ shape, position: [-2, 2, 0], mass: 1, angularVelocity: [SPIN, 0, 0] },
      ...{ lockTranslation: [false, true, true], lockRotation: [false, true, true] },
    })
    const sled = world.createBody({ shape, position: [-2, 1, 0], mass: 1 })
    const slide = world.createJoint({
      ...{ type: 'sixDof', bodyB: sled, anchorA: [-2, 1, 0], anchorB: [0, 0, 0] },
      linear: { x: [0, WAY] },
    })
    const leaf = world.createBody({
      shape: { type: 'box', halfExtents: [0.05, 0.5, 0.3] },
      ...{ position: [-2, -0.5, 0], mass: 1 },
    })
    const flap = world.createJoint({
      ...{ type: 'sixDof', bodyB: leaf, anchorA: [-2, 0, 0], anchorB: [0, 0.5, 0] },
      angular: { z: [-OPEN, OPEN] },
    })
    const plate = world.createBody({
      shape: { type: 'box', halfExtents: [0.6, 0.1, 0.3] },
      ...{ position: [1, -0.5, 0], mass: 2, inertia: [INERTIA, INERTIA, INERTIA] },
    })
    world.createJoint({
      ...{ type: 'motor', bodyB: plate, anchorA: [0, 0, 0], anchorB: [0, 0, 0] },
      ...{ targetPosition: [1, -0.5, 0], targetOrientation: TARGET, maxTorque: TORQUE },
    })
    return { bead, sled, slide, leaf, flap, plate }
  },
  checks: [
    {
      name: 'bead-slides-along-one-axis',
      description: 'Its speed along x is g sin 30° t, and along the locked axes 0',
      unit: 'm/s',
      tolerance: 1e-9,
      error({ things, time }) {
        const [x, y, z] = things.bead.linearVelocity
        return Math.max(Math.abs(x - DOWNHILL * time), Math.abs(y), Math.abs(z))
      },
    },
    {
      name: 'bead-turns-about-one-axis',
      description: 'It keeps its spin about x',
      unit: 'rad/s',
      tolerance: 1e-9,
      error({ things }) {
        const [x, y, z] = things.bead.angularVelocity
        return Math.max(Math.abs(x - SPIN), Math.abs(y), Math.abs(z))
      },
    },
    {
      name: 'slide-is-free-within-its-limits',
      description: 'Until it has gone 1 m its speed is g sin 30° t',
      unit: 'm/s',
      tolerance: 1e-6,
      softTolerance: 1e-4, // its velocities have single precision
      to: ARRIVES - 0.04,
      error: ({ things, time }) => Math.abs(things.sled.linearVelocity[0] - DOWNHILL * time),
    },
    {
      name: 'limits-stop',
      description: 'The slide comes to rest at 1 m and the flap at 0.5 rad',
      unit: 'm and rad',
      tolerance: 1e-6,
      softTolerance: 1e-4,
      from: 1.5,
      error: ({ things: { sled, leaf } }) =>
        Math.max(
          Math.abs(sled.position[0] + 2 - WAY),
          Math.abs(2 * Math.asin(leaf.orientation[2]) - OPEN),
        ),
    },
    {
      name: 'motor-speeds-up',
      description:
        'A torque of 0.8 N m turns 0.2 kg m² with 4 rad/s² for the first half of the way',
      unit: 'rad/s',
      tolerance: 1e-6,
      softTolerance: 1e-4,
      to: HALF_TURN - 0.04,
      error: ({ things, time }) =>
        Math.abs(things.plate.angularVelocity[2] - (TORQUE / INERTIA) * time),
    },
    {
      name: 'motor-holds-its-pose',
      description: 'In the end the plate stands in the pose, against gravity',
      unit: 'm and rad',
      tolerance: 1e-6,
      from: 2,
      error({ things: { plate } }) {
        const [x, y, z] = plate.position
        const [qx, qy, qz, qw] = plate.orientation
        // Of small angles: about x and y twice the parts of the quaternion, about z from its two others.
        const about = 2 * Math.atan2(qz, qw) - RIGHT_ANGLE
        return Math.max(length([x - 1, y + 0.5, z]), length([2 * qx, 2 * qy, about]))
      },
    },
  ],
})
