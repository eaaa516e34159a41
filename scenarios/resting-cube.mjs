import { addFloor, GRAVITY, normalImpulse, unitCube } from './parts.mjs'
import { defineScene } from './scene.mjs'

const MASS = 5

export default defineScene({
  name: 'resting-cube',
  title: 'Resting cube',
  description:
    'A cube of 5 kg and 1 m lies on a floor. It stays, and the floor carries its weight of 49.05 N.',
  solvers: ['soft-step', 'block-pgs'],
  duration: 5,
  camera: { position: [3, 2, 4], target: [0, 0.5, 0] },
  setup(world) {
    const floor = addFloor(world, { halfWidth: 5 })
    const cube = world.createBody({ shape: unitCube(), position: [0, 0.5, 0], mass: MASS })
    return { floor, cube }
  },
  checks: [
    {
      name: 'floor-carries-the-weight',
      description: 'The normal impulses of a step sum up to m g dt',
      unit: '(part of m g dt)',
      tolerance: 1e-3,
      error: ({ things, timeStep }) =>
        Math.abs(normalImpulse(things.cube) / (MASS * GRAVITY * timeStep) - 1),
    },
    {
      name: 'stays-in-place',
      description: 'The centre stays at (0, 0.5, 0)',
      unit: 'm',
      tolerance: 1e-3,
      error({ things }) {
        const [x, y, z] = things.cube.position
        return Math.max(Math.abs(x), Math.abs(y - 0.5), Math.abs(z))
      },
    },
    {
      name: 'stays-at-rest',
      description: 'The speed stays zero',
      unit: 'm/s',
      tolerance: 1e-3,
      error: ({ things }) => things.cube.speed,
    },
  ],
})
