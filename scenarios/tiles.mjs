import { defineScene } from './scene.mjs'
import { addSliders, doesNotTurn, keepsItsVelocity } from './sliders.mjs'

/** Tiles along each side, and half of the size of one in metres. */
const TILES = 36
const HALF = 0.65
/** m/s */
const SPEED = 4

/** What tiles are made of, in turn; each has its top at y = 0. */
const KINDS = /** @type {const} */ ([
  { shape: { type: 'box', halfExtents: [HALF, HALF, HALF] }, y: -HALF },
  {
    shape: {
      type: 'mesh',
      vertices: [-HALF, 0, -HALF, -HALF, 0, HALF, HALF, 0, HALF, HALF, 0, -HALF],
      indices: [0, 1, 2, 0, 2, 3],
    },
    y: 0,
  },
  {
    shape: {
      type: 'heightfield',
      heights: [0, 0, 0, 0],
      rows: 2,
      columns: 2,
      scale: [2 * HALF, 1, 2 * HALF],
    },
    y: 0,
  },
])

export default defineScene({
  name: 'tiles',
  title: 'Sliding on tiles',
  description: `Cubes, balls and cylinders without friction slide ${SPEED} m/s fast over ${TILES * TILES} tiles, boxes, meshes and height fields in turn, a body each, and feel none of their seams.`,
  solvers: ['soft-step', 'block-pgs', 'exact'],
  duration: 4,
  camera: { position: [18, 14, 22], target: [0, 0, 0] },
  setup(world) {
    for (let i = 0; i < TILES * TILES; i++) {
      const [row, column] = [Math.floor(i / TILES), i % TILES]
      const { shape, y } = KINDS[(row + 2 * column) % KINDS.length]
      const [x, z] = [row, column].map((k) => (2 * k + 1 - TILES) * HALF)
      world.createBody({ type: 'static', shape, position: [x, y, z], friction: 0 })
    }
    return { sliders: addSliders(world, SPEED, ['cube', 'ball', 'cylinder']) }
  },
  // A cylinder whose end goes over a corner of four tiles has its weight on other points in each step.
  checks: [keepsItsVelocity(SPEED), doesNotTurn(5e-3)],
})
