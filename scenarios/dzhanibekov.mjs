import { defineScene } from './scene.mjs'
import { length, rotateBack } from './vector.mjs'

/** @typedef {import('./vector.mjs').Vector} Vector */

/** kg m², about its own axes */
const INERTIA = /** @type {Vector} */ ([1, 2, 3])
/** rad/s */
const SPIN = /** @type {Vector} */ ([0.01, 5, 0.01])
const ENERGY = INERTIA.reduce((sum, inertia, axis) => sum + 0.5 * inertia * SPIN[axis] ** 2, 0)
const ANGULAR_MOMENTUM = length(INERTIA.map((inertia, axis) => inertia * SPIN[axis]))
const HALF_PERIOD = halfPeriod()

/**
 * Time from one flip to the next: Euler's equations have w2 ~ sn(rate t, k), which is zero every 2 K(k) / rate (Landau and
 * Lifshitz, Mechanics, section 37; here L² > 2 E I2). K by the arithmetic-geometric mean.
 *
 * @returns {number} s
 */
function halfPeriod() {
  const [i1, i2, i3] = INERTIA
  const squared = ANGULAR_MOMENTUM ** 2
  const rate = Math.sqrt(((i3 - i2) * (squared - 2 * ENERGY * i1)) / (i1 * i2 * i3))
  const modulus =
    ((i2 - i1) * (2 * ENERGY * i3 - squared)) / ((i3 - i2) * (squared - 2 * ENERGY * i1))
  let [a, b] = [1, Math.sqrt(1 - modulus)]
  while (Math.abs(a - b) > 1e-12) [a, b] = [(a + b) / 2, Math.sqrt(a * b)]
  const quarterPeriod = Math.PI / (2 * a)
  return (2 * quarterPeriod) / rate
}

/**
 * Angular velocity about its own middle axis, rad/s.
 *
 * @param {import('./scene.mjs').Body} body
 */
const middleSpin = (body) => rotateBack(body.orientation, body.angularVelocity)[1]

export default defineScene({
  name: 'dzhanibekov-flip',
  title: 'Dzhanibekov flip',
  description:
    'A body with inertia (1, 2, 3) kg m² spins at 5 rad/s about its middle axis, disturbed by 0.01 rad/s, without gravity. It turns over every 5 s, 12 times in a minute, and keeps energy and angular momentum.',
  solvers: ['soft-step', 'block-pgs'],
  options: { gravity: [0, 0, 0] },
  duration: 60,
  camera: { position: [2, 2, 4], target: [0, 0, 0] },
  setup(world) {
    // A wing nut by its looks: a bar with a stem. Its inertia is given.
    const nut = world.createBody({
      shapes: [
        { type: 'box', halfExtents: [1, 0.15, 0.1] },
        { type: 'box', halfExtents: [0.15, 0.4, 0.15], position: [0, 0.5, 0] },
      ],
      centerOfMass: [0, 0, 0],
      mass: 1,
      inertia: INERTIA,
      angularVelocity: SPIN,
    })
    return { nut }
  },
  checks: [
    {
      name: 'angular-momentum-kept',
      description: '|L| stays what it was',
      unit: '(part of |L|)',
      tolerance: 1e-6,
      error: ({ things }) => Math.abs(length(things.nut.angularMomentum) / ANGULAR_MOMENTUM - 1),
    },
    {
      name: 'energy-kept',
      description: 'The kinetic energy stays what it was',
      unit: '(part of the energy)',
      tolerance: 1e-6,
      error: ({ things }) => Math.abs(things.nut.kineticEnergy / ENERGY - 1),
    },
    {
      name: 'flips-12-times',
      description: 'In 60 s its own middle axis turns against the spin and back 12 times in all',
      unit: 'flips',
      tolerance: 0,
      error({ things, time, previous }) {
        const spin = middleSpin(things.nut)
        previous.flips = (previous.flips ?? 0) + Number(spin * (previous.spin ?? SPIN[1]) < 0)
        previous.spin = spin
        return time < 60 - 1e-6 ? Math.max(0, previous.flips - 12) : Math.abs(previous.flips - 12)
      },
    },
    {
      name: 'flips-in-time',
      description: 'Time from one flip to the next: 2 K(k) / rate by Euler’s equations, 5.02 s',
      unit: 's',
      tolerance: 0.02,
      error({ things, time, timeStep, previous }) {
        const spin = middleSpin(things.nut)
        const before = previous.spin ?? SPIN[1]
        previous.spin = spin
        if (spin * before > 0) return 0
        const now = time - (timeStep * spin) / (spin - before)
        const last = previous.flip
        previous.flip = now
        return last === undefined ? 0 : Math.abs(now - last - HALF_PERIOD)
      },
    },
    {
      name: 'stays-in-place',
      description: 'Its centre does not move',
      unit: 'm',
      tolerance: 1e-12,
      error: ({ things }) => length(things.nut.position),
    },
  ],
})
