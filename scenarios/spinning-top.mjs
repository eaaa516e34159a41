import { defineScene } from './scene.mjs'
import { length, rotateBack } from './vector.mjs'

const ANGULAR_MOMENTUM = length([0.1, 4, 0.3])
const ENERGY = 0.5 * (0.01 + 2 * 4 + 3 * 0.01)

export default defineScene({
  name: 'spinning-top',
  title: 'Spinning top without torque',
  description:
    'A body with inertia (1, 2, 3) kg m² spins about its middle axis without gravity. It flips over and over (the Dzhanibekov effect), first after 4.05 s, and keeps energy and angular momentum.',
  solvers: ['soft-step', 'block-pgs'],
  options: { gravity: [0, 0, 0] },
  duration: 10,
  camera: { position: [2, 2, 4], target: [0, 0, 0] },
  setup(world) {
    // A box with these moments of inertia by its looks: the flat axis is z.
    const top = world.createBody({
      shape: { type: 'box', halfExtents: [1, 0.7, 0.3] },
      mass: 1,
      inertia: [1, 2, 3],
      angularVelocity: [0.1, 2, 0.1],
    })
    return { top }
  },
  checks: [
    {
      name: 'angular-momentum-kept',
      description: '|L| stays 4.0125 kg m²/s',
      unit: 'kg m²/s',
      tolerance: 1e-9,
      error: ({ things }) => Math.abs(length(things.top.angularMomentum) - ANGULAR_MOMENTUM),
    },
    {
      name: 'energy-kept',
      description: 'The kinetic energy stays 4.02 J',
      unit: 'J',
      tolerance: 1e-9,
      error: ({ things }) => Math.abs(things.top.kineticEnergy - ENERGY),
    },
    {
      name: 'flips-in-time',
      description: 'Its own middle axis turns against the spin for the first time at 4.05 s',
      unit: 's',
      tolerance: 0.1,
      error({ things, time, previous }) {
        const spin = rotateBack(things.top.orientation, things.top.angularVelocity)[1]
        if (spin < 0) previous.flip ??= time
        if (previous.flip === undefined) return Math.max(0, time - 4.05)
        return Math.abs(previous.flip - 4.05)
      },
    },
    {
      name: 'stays-in-place',
      description: 'Its centre does not move',
      unit: 'm',
      tolerance: 1e-12,
      error: ({ things }) => length(things.top.position),
    },
  ],
})
