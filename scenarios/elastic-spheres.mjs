import { energyKept, linearMomentumKept } from './common-checks.mjs'
import { defineScene } from './scene.mjs'

const COLLISION_TIME = 1 / 3

export default defineScene({
  name: 'elastic-spheres',
  title: 'Elastic spheres',
  description:
    'Two spheres of 1 kg meet head-on at 2 and -1 m/s without gravity and swap their velocities.',
  solvers: ['block-pgs', 'soft-step'],
  options: { gravity: [0, 0, 0], restitutionThreshold: 0 },
  duration: 2,
  camera: { position: [0, 2, 6], target: [0, 0, 0] },
  setup(world) {
    /** @type {{ type: 'sphere', radius: number }} */
    const shape = { type: 'sphere', radius: 0.5 }
    const elastic = { shape, mass: 1, restitution: 1 }
    const left = world.createBody({ ...elastic, position: [-1, 0, 0], linearVelocity: [2, 0, 0] })
    const right = world.createBody({ ...elastic, position: [1, 0, 0], linearVelocity: [-1, 0, 0] })
    return { left, right }
  },
  checks: [
    linearMomentumKept(1e-12),
    energyKept(1e-12, 1e-6), // velocities of soft-step are floats
    {
      name: 'velocities-swap',
      description: 'After they met, the left one moves at -1 m/s and the right one at 2 m/s',
      unit: 'm/s',
      tolerance: 1e-12,
      softTolerance: 1e-6,
      from: COLLISION_TIME + 0.05,
      error: ({ things }) =>
        Math.max(
          Math.abs(things.left.linearVelocity[0] + 1),
          Math.abs(things.right.linearVelocity[0] - 2),
        ),
    },
    {
      name: 'meet-in-time',
      description: 'They meet after 1/3 s: until then nothing changes',
      unit: 'm/s',
      tolerance: 1e-12,
      to: COLLISION_TIME - 0.02,
      error: ({ things }) =>
        Math.max(
          Math.abs(things.left.linearVelocity[0] - 2),
          Math.abs(things.right.linearVelocity[0] + 1),
        ),
    },
  ],
})
