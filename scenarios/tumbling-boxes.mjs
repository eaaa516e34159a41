import { addFloor } from './parts.mjs'
import { Random } from './random.mjs'
import { defineScene } from './scene.mjs'

/** @typedef {import('./scene.mjs').Body} Body */

const COUNT = 30

export default defineScene({
  name: 'tumbling-boxes',
  title: 'Tumbling boxes',
  description:
    'Thirty boxes of different forms fall 2 to 6 m with spin, tumble over each other and come to rest.',
  solvers: ['soft-step', 'block-pgs'],
  duration: 8,
  camera: { position: [7, 5, 9], target: [0, 0.5, 0] },
  setup(world) {
    const random = new Random(7)
    const floor = addFloor(world)
    /** @type {Body[]} */
    const boxes = []
    for (let index = 0; index < COUNT; index++) {
      boxes.push(
        world.createBody({
          shape: {
            type: 'box',
            halfExtents: [
              random.between(0.15, 0.5),
              random.between(0.15, 0.5),
              random.between(0.15, 0.5),
            ],
          },
          position: [
            ((index % 3) - 1) * 1.8,
            2 + Math.floor(index / 9) * 1.8,
            ((Math.floor(index / 3) % 3) - 1) * 1.8,
          ],
          orientation: random.orientation(),
          linearVelocity: [random.between(-1, 1), 0, random.between(-1, 1)],
          angularVelocity: [random.between(-5, 5), random.between(-5, 5), random.between(-5, 5)],
          density: 500,
          restitution: 0.2,
        }),
      )
    }
    return { floor, boxes }
  },
  checks: [
    {
      name: 'stays-above-the-floor',
      description: 'No centre gets below the floor',
      unit: 'm',
      tolerance: 0,
      error: ({ things }) => Math.max(...things.boxes.map((box) => -box.position[1])),
    },
    {
      name: 'overlap',
      description: 'Deepest overlap once they lie',
      unit: 'm',
      tolerance: 0.005,
      from: 5,
      error: ({ world }) => world.stats.maxPenetration,
    },
    {
      name: 'comes-to-rest',
      description: 'At the end nothing moves',
      unit: 'm/s',
      tolerance: 0.05,
      from: 8,
      error: ({ things }) => Math.max(...things.boxes.map((box) => box.speed)),
    },
  ],
})
