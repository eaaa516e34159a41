import { Random } from './random.mjs'
import { defineScene } from './scene.mjs'

/** @typedef {import('./scene.mjs').World} World */
/** @typedef {import('./scene.mjs').Body} Body */
/** @typedef {import('./vector.mjs').Vector} Vector */

const COUNT = 60
/** m, along x and z. A float has steps of 6 cm there. */
const AWAY = 1e6

/**
 * Boxes over a floor of their own, the same for every origin.
 *
 * @param {World} world
 * @param {Vector} origin
 * @returns {Body[]}
 */
function addPile(world, [x, y, z]) {
  const random = new Random(3)
  world.createBody({
    type: 'static',
    shape: { type: 'box', halfExtents: [10, 0.5, 10] },
    position: [x, y - 0.5, z],
  })
  const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.25, 0.25, 0.25] })
  return Array.from({ length: COUNT }, (_, i) =>
    world.createBody({
      shape,
      position: [
        x + 0.6 * ((i % 4) - 1.5) + random.between(-0.05, 0.05),
        y + 0.4 + 0.6 * Math.floor(i / 16),
        z + 0.6 * ((Math.floor(i / 4) % 4) - 1.5) + random.between(-0.05, 0.05),
      ],
      mass: 1,
    }),
  )
}

/** Height of the middle of the pile above its floor, m. @param {Body[]} boxes */
const meanHeight = (boxes) =>
  boxes.reduce((sum, { position }) => sum + position[1], 0) / boxes.length

/** Greatest difference of two places, each from its own origin, m. @param {Body[]} near @param {Body[]} far */
const apart = (near, far) =>
  Math.max(
    ...near.map((body, i) => {
      const [x, y, z] = body.position
      const [farX, farY, farZ] = far[i].position
      return Math.hypot(farX - AWAY - x, farY - y, farZ - AWAY - z)
    }),
  )

export default defineScene({
  name: 'far-from-origin',
  title: 'Far from the origin',
  description:
    'Two piles of 60 boxes fall in the same way, one at the origin and one 1000 km from it. There a float has steps of 6 cm; the solver works with differences and notices nothing.',
  solvers: ['soft-step', 'block-pgs'],
  duration: 6,
  camera: { position: [3, 3, 5], target: [0, 0.6, 0] },
  setup(world) {
    return { near: addPile(world, [0, 0, 0]), far: addPile(world, [AWAY, 0, AWAY]) }
  },
  checks: [
    {
      name: 'falls-as-at-the-origin',
      description: 'Until the boxes have hit each other both piles are the same',
      unit: 'm',
      tolerance: 1e-6,
      to: 0.2,
      error: ({ things }) => apart(things.near, things.far),
    },
    {
      name: 'lies-as-high',
      description: 'At the end both are of the same height: their mean heights differ by',
      unit: 'm',
      tolerance: 0.02,
      from: 6,
      error: ({ things }) => Math.abs(meanHeight(things.near) - meanHeight(things.far)),
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
      tolerance: 0.02,
      from: 6,
      error: ({ things }) => Math.max(...[...things.near, ...things.far].map(({ speed }) => speed)),
    },
  ],
})
