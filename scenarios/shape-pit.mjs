import { addFloor } from './parts.mjs'
import { Random } from './random.mjs'
import { defineScene } from './scene.mjs'

/** Bodies in a layer, along an edge, and layers. */
const EDGE = 5
const LAYERS = 6
/** m: between the middles of bodies at the start, and from the middle of the pit to its walls. */
const SPACING = 0.62
const HALF_WIDTH = 1.8
const WALL = 0.25
const WALL_HEIGHT = 2

export default defineScene({
  name: 'shape-pit',
  title: 'Pit of shapes',
  description: `${EDGE * EDGE * LAYERS} cylinders, cones, tapered and rounded shapes, boxes, capsules and balls fall into a pit and come to rest.`,
  solvers: ['soft-step', 'block-pgs'],
  duration: 6,
  camera: { position: [4, 5, 6], target: [0, 0.8, 0] },
  setup(world) {
    const random = new Random(12)
    addFloor(world, { halfWidth: 6 })
    const glass = [0, 1, 2, 3].map((side) => addWall(world, side))
    const shapes = /** @type {const} */ ([
      { type: 'cylinder', radius: 0.2, halfHeight: 0.15 },
      { type: 'cone', radius: 0.25, halfHeight: 0.2 },
      { type: 'cylinder', radius: 0.25, halfHeight: 0.05 },
      { type: 'box', halfExtents: [0.15, 0.1, 0.2], radius: 0.04 },
      { type: 'cylinder', radiusTop: 0.1, radiusBottom: 0.22, halfHeight: 0.18 },
      { type: 'capsule', radiusTop: 0.1, radiusBottom: 0.18, halfHeight: 0.15 },
      { type: 'cylinder', radius: 0.15, halfHeight: 0.15, rounding: 0.05 },
      { type: 'capsule', radius: 0.12, halfHeight: 0.15 },
      { type: 'cone', radius: 0.18, halfHeight: 0.18, rounding: 0.03 },
      { type: 'box', halfExtents: [0.18, 0.15, 0.15] },
      { type: 'sphere', radius: 0.18 },
    ])
    const pieces = []
    for (let index = 0; index < EDGE * EDGE * LAYERS; index++) {
      const place = index % (EDGE * EDGE)
      pieces.push(
        world.createBody({
          shape: shapes[index % shapes.length],
          position: [
            ((place % EDGE) - (EDGE - 1) / 2) * SPACING,
            0.5 + Math.floor(index / (EDGE * EDGE)) * SPACING,
            (Math.floor(place / EDGE) - (EDGE - 1) / 2) * SPACING,
          ],
          orientation: random.orientation(),
          angularDamping: 0.5,
          friction: 0.6,
        }),
      )
    }
    return { pieces, glass }
  },
  checks: [
    {
      name: 'stays-in-the-pit',
      description: 'Way of a body beyond the walls or below the floor',
      unit: 'm',
      tolerance: 0,
      error: ({ things }) =>
        Math.max(
          ...things.pieces.map(({ position: [x, y, z] }) =>
            Math.max(Math.abs(x) - HALF_WIDTH, Math.abs(z) - HALF_WIDTH, -y),
          ),
        ),
    },
    {
      name: 'comes-to-rest',
      description: 'Mean speed at the end',
      unit: 'm/s',
      tolerance: 0.05,
      from: 6,
      error: ({ things }) =>
        things.pieces.reduce((sum, piece) => sum + piece.speed, 0) / things.pieces.length,
    },
    {
      name: 'does-not-sink',
      description: 'The deepest overlap of the pile at the end',
      unit: 'm',
      tolerance: 0.02,
      from: 6,
      error: ({ world }) => world.stats.maxPenetration,
    },
  ],
})

/** @param {import('./scene.mjs').World} world @param {number} side of four */
function addWall(world, side) {
  const along = HALF_WIDTH + 2 * WALL
  const out = side % 2 === 0 ? 1 : -1
  const offset = out * (HALF_WIDTH + WALL)
  return world.createBody({
    type: 'static',
    shape: {
      type: 'box',
      halfExtents: side < 2 ? [WALL, WALL_HEIGHT, along] : [along, WALL_HEIGHT, WALL],
    },
    position: side < 2 ? [offset, WALL_HEIGHT, 0] : [0, WALL_HEIGHT, offset],
  })
}
