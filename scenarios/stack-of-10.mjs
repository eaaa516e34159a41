import { addFloor, GRAVITY, normalImpulse, unitCube } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { distance } from './vector.mjs'

/** @typedef {import('./scene.mjs').Body} Body */

const COUNT = 10
const MASS = 1

export default defineScene({
  name: 'stack-of-10',
  title: 'Stack of 10',
  description:
    'Ten cubes of 1 kg and 1 m, one on top of the other. Each interface carries what lies above it.',
  solvers: ['soft-step', 'block-pgs'],
  duration: 10,
  camera: { position: [8, 7, 12], target: [0, 5, 0] },
  setup(world) {
    const floor = addFloor(world, { halfWidth: 10 })
    const shape = unitCube()
    /** @type {Body[]} from the lowest to the highest */
    const cubes = []
    for (let level = 0; level < COUNT; level++) {
      cubes.push(world.createBody({ shape, position: [0, level + 0.5, 0], mass: MASS }))
    }
    return { floor, cubes }
  },
  checks: [
    {
      name: 'interfaces-carry-the-weight-above',
      description: 'The normal impulses under k cubes sum up to k m g dt',
      unit: '(part of k m g dt)',
      tolerance: 1e-2,
      from: 5,
      error({ things, timeStep }) {
        let worst = 0
        for (const [level, cube] of things.cubes.entries()) {
          const below = level === 0 ? things.floor : things.cubes[level - 1]
          const weight = (COUNT - level) * MASS * GRAVITY * timeStep
          worst = Math.max(worst, Math.abs(normalImpulse(cube, below) / weight - 1))
        }
        return worst
      },
    },
    {
      name: 'stays-in-place',
      description: 'No cube leaves its place by more than 1 cm, not even at the top',
      unit: 'm',
      tolerance: 0.01,
      softTolerance: 0.015, // it settles on its springs
      error({ things }) {
        let worst = 0
        for (const [level, cube] of things.cubes.entries()) {
          worst = Math.max(worst, distance(cube.position, [0, level + 0.5, 0]))
        }
        return worst
      },
    },
    {
      name: 'comes-to-rest',
      description: 'The kinetic energy of all ten dies',
      unit: 'J',
      tolerance: 1e-4,
      from: 5,
      error: ({ world }) => world.energy().kinetic,
    },
  ],
})
