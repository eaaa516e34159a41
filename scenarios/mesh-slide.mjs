import { defineScene } from './scene.mjs'
import { addSliders, doesNotTurn, keepsItsVelocity } from './sliders.mjs'

/** Cells of the floor along each side, and their size in metres. */
const CELLS = 100
const SIZE = 0.5
/** m/s */
const SPEED = 4
export default defineScene({
  name: 'mesh-slide',
  title: 'Sliding on triangles',
  description: `Cubes and balls without friction slide ${SPEED} m/s fast in all directions over a flat mesh of ${2 * CELLS * CELLS} triangles and feel none of their edges.`,
  solvers: ['soft-step', 'block-pgs', 'exact'],
  duration: 4,
  camera: { position: [18, 14, 22], target: [0, 0, 0] },
  setup(world) {
    world.createBody({ type: 'static', shape: flatMesh(), friction: 0 })
    return { sliders: addSliders(world, SPEED, ['cube', 'ball']) }
  },
  checks: [keepsItsVelocity(SPEED), doesNotTurn(1e-3)],
})

/** A flat floor whose cells are divided along alternating diagonals. */
function flatMesh() {
  const vertices = []
  const indices = []
  for (let i = 0; i <= CELLS; i++) {
    for (let j = 0; j <= CELLS; j++) {
      vertices.push((j - CELLS / 2) * SIZE, 0, (i - CELLS / 2) * SIZE)
    }
  }
  for (let i = 0; i < CELLS; i++) {
    for (let j = 0; j < CELLS; j++) {
      const a = i * (CELLS + 1) + j
      const [b, c, d] = [a + 1, a + CELLS + 2, a + CELLS + 1]
      indices.push(...((i + j) % 2 ? [a, c, b, a, d, c] : [a, d, b, b, d, c]))
    }
  }
  return /** @type {const} */ ({ type: 'mesh', vertices, indices })
}
