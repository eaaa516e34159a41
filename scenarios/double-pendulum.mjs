import { GRAVITY } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { add, distance, rotate } from './vector.mjs'

/** @typedef {import('./scene.mjs').Body} Body */

/** m, of each rod */
const LENGTH = 1
const HALF_WIDTH = 0.04
const MASS = 1
/** rad/s², of two equal rods let go level (Lagrange's equations at rest): 9/7 and -3/7 of g / l. */
const FIRST_ACCELERATION = (-9 / 7) * (GRAVITY / LENGTH)
const SECOND_ACCELERATION = (3 / 7) * (GRAVITY / LENGTH)

/** The rod's end in the world; `side` -1 is where it begins. */
const endOf = (/** @type {Body} */ rod, /** @type {number} */ side) =>
  add(rod.position, rotate(rod.orientation, [(side * LENGTH) / 2, 0, 0]))

export default defineScene({
  name: 'double-pendulum',
  title: 'Double pendulum',
  description:
    'Two rods of 1 m and 1 kg on hinges, let go level. Chaotic, but energy is kept and the hinges stay closed.',
  options: { solver: 'exact', integrator: 'implicit-midpoint' },
  timeStep: 1 / 240,
  duration: 10,
  camera: { position: [0, 0, 5], target: [0, -0.5, 0] },
  setup(world) {
    /** @type {{ type: 'box', halfExtents: [number, number, number] }} */
    const shape = { type: 'box', halfExtents: [LENGTH / 2, HALF_WIDTH, HALF_WIDTH] }
    // Thin rods, as the textbook has them.
    const inertia = (MASS * LENGTH * LENGTH) / 12
    const rods = [0, 1].map((place) =>
      world.createBody({
        shape,
        position: [(place + 0.5) * LENGTH, 0, 0],
        mass: MASS,
        inertia: [inertia * 0.01, inertia, inertia],
      }),
    )
    for (const [index, rod] of rods.entries()) {
      world.createJoint({
        type: 'hinge',
        bodyA: index === 0 ? null : rods[0],
        bodyB: rod,
        anchorA: index === 0 ? [0, 0, 0] : [LENGTH / 2, 0, 0],
        anchorB: [-LENGTH / 2, 0, 0],
        axisA: [0, 0, 1],
        axisB: [0, 0, 1],
      })
    }
    return { rods }
  },
  checks: [
    {
      name: 'starts-as-lagrange-says',
      description: 'Angular velocities after the first step: -9/7 and 3/7 of g / l times dt',
      unit: '(part of g / l dt)',
      tolerance: 1e-3,
      to: 1 / 240,
      error({ things, timeStep }) {
        const unit = (GRAVITY / LENGTH) * timeStep
        const [first, second] = things.rods.map((rod) => rod.angularVelocity[2])
        return Math.max(
          Math.abs(first - FIRST_ACCELERATION * timeStep) / unit,
          Math.abs(second - SECOND_ACCELERATION * timeStep) / unit,
        )
      },
    },
    {
      name: 'energy-kept',
      description: 'Kinetic plus potential energy stays what it was',
      unit: '(part of m g l)',
      tolerance: 1e-3,
      error: ({ world, start }) =>
        Math.abs(world.energy().total - start.energy.total) / (MASS * GRAVITY * LENGTH),
    },
    {
      name: 'hinges-stay-closed',
      description: 'Distance of the ends that belong together',
      unit: 'm',
      tolerance: 1e-6,
      error({ things: { rods } }) {
        const [first, second] = rods
        return Math.max(
          distance(endOf(first, -1), [0, 0, 0]),
          distance(endOf(first, 1), endOf(second, -1)),
        )
      },
    },
    {
      name: 'swings-in-its-plane',
      description: 'No rod leaves the plane of the pendulum',
      unit: 'm',
      tolerance: 1e-6,
      error: ({ things }) => Math.max(...things.rods.map(({ position }) => Math.abs(position[2]))),
    },
  ],
})
