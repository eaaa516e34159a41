import { defineScene } from './scene.mjs'
import { length } from './vector.mjs'

/** kg and m */
const CHASSIS = 800
const WHEEL = { mass: 25, radius: 0.35, halfHeight: 0.1 }
/** N m on each wheel, and the speed of the wheels at which the motors stop driving, rad/s */
const TORQUE = 200
const FASTEST = 16
/** m/s²: without slip, with the inertia m r²/2 of the four wheels, 4 tau/r = (M + 4 I/r²) a. */
const ACCELERATION = (4 * TORQUE) / WHEEL.radius / (CHASSIS + 4 * WHEEL.mass + (4 * WHEEL.mass) / 2)
/** The axis of a cylinder, y, along z. @type {[number, number, number, number]} */
const ACROSS = [Math.SQRT1_2, 0, 0, Math.SQRT1_2]

/** m: the ground is flat up to x = 12, then has smooth hills 8 m long. */
const FLAT = 12
const HILL = { length: 8, height: 0.35 }
const GROUND = { columns: 121, rows: 3, scale: /** @type {const} */ ([0.5, 1, 8]) }

function heights() {
  const { columns, rows, scale } = GROUND
  const line = Array.from({ length: columns }, (_, j) => {
    const x = (j - (columns - 1) / 2) * scale[0] - FLAT
    const part = Math.max(x, 0) / HILL.length
    const u = part - Math.floor(part)
    return 16 * HILL.height * (u * (1 - u)) ** 2
  })
  return Array.from({ length: rows }, () => line).flat()
}

export default defineScene({
  name: 'wheel-car',
  title: 'Car on wheel joints over hills',
  description: `A car of ${CHASSIS} kg on four wheels with springs and motors drives off, as fast as its torque and its inertia say, and over the hills of a height field.`,
  solvers: ['soft-step', 'block-pgs', 'exact'],
  timeStep: 1 / 120,
  duration: 6,
  camera: { position: [-9, 3, 8], target: [-8, 0.3, 0] },
  setup(world) {
    world.createBody({
      type: 'static',
      shape: { type: 'heightfield', heights: heights(), ...GROUND },
      friction: 0.9,
    })
    const bodyA = world.createBody({
      shape: { type: 'box', halfExtents: [1.6, 0.25, 0.7] },
      ...{ mass: CHASSIS, position: [-12, 0.6, 0] },
    })
    const places = [1.3, -1.3].flatMap((x) => [0.85, -0.85].map((z) => [x, z]))
    const wheels = places.map(([x, z]) => {
      const bodyB = world.createBody({
        shape: { type: 'cylinder', radius: WHEEL.radius, halfHeight: WHEEL.halfHeight },
        ...{ mass: WHEEL.mass, position: [x - 12, 0.35, z], orientation: ACROSS, friction: 0.9 },
      })
      return world.createJoint({
        ...{ type: 'wheel', bodyA, bodyB, anchorA: [x, -0.25, z], anchorB: [0, 0, 0] },
        // Forwards is along x: a turn about -z.
        ...{ axisA: [0, 1, 0], axisB: [0, -1, 0] },
        ...{ spring: { hertz: 5, damping: 0.7 }, limits: [-0.25, 0.25] },
        motor: { targetVelocity: FASTEST, maxForce: TORQUE },
      })
    })
    return { chassis: bodyA, wheels, leader: bodyA }
  },
  checks: [
    {
      name: 'accelerates-by-its-torque',
      description: 'Force over mass, with that of the turning wheels',
      unit: 'm/s',
      tolerance: 0.01,
      from: 0.5,
      to: 2,
      error: ({ things, time }) => Math.abs(things.chassis.linearVelocity[0] - ACCELERATION * time),
    },
    {
      name: 'wheels-stay-on-their-axes',
      description: 'Largest error of a wheel joint, or excess of its travel',
      unit: 'm or rad',
      tolerance: 0.001,
      error: ({ things }) => Math.max(...things.wheels.map(({ error }) => error)),
    },
    {
      name: 'keeps-its-course',
      description: 'The hills do not turn it over, nor off its way',
      unit: 'm',
      tolerance: 0.05,
      error({ things: { chassis } }) {
        const [x, y, z] = chassis.orientation
        const [, , away] = chassis.position
        return Math.max(Math.abs(away), length([x, y, 0]) > 0.3 ? Infinity : Math.abs(z) / 3)
      },
    },
    {
      name: 'reaches-its-speed',
      description: 'At the end it has crossed a hill and rolls with the speed of its motors',
      unit: 'm/s',
      tolerance: 0.6,
      from: 5.5,
      error: ({ things }) =>
        Math.abs(length(things.chassis.linearVelocity) - FASTEST * WHEEL.radius),
    },
  ],
})
