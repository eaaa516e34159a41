import { defineScene } from './scene.mjs'
import { cosineOf, sineOf } from './vector.mjs'

/** Cells of the floor along each side, and their size in metres. */
const CELLS = 100
const SIZE = 0.5
/** m/s */
const SPEED = 4
/** m: half of the edge of the cube, and the radius of the ball. */
const HALF = 0.5
/** rad: where the bodies head, and how the cubes are turned. */
const HEADINGS = [0.3, 1.4, 2.5, 3.6, 4.7, 5.8]

export default defineScene({
  name: 'mesh-slide',
  title: 'Sliding on triangles',
  description: `Cubes and balls without friction slide ${SPEED} m/s fast in all directions over a flat mesh of ${2 * CELLS * CELLS} triangles and feel none of their edges.`,
  solvers: ['soft-step', 'block-pgs', 'exact'],
  duration: 4,
  camera: { position: [18, 14, 22], target: [0, 0, 0] },
  setup(world) {
    world.createBody({ type: 'static', shape: flatMesh(), friction: 0 })
    const sliders = HEADINGS.map((heading, index) => {
      const [x, z] = [cosineOf(heading), sineOf(heading)]
      const body = world.createBody({
        shape:
          index % 2 === 0
            ? { type: 'box', halfExtents: [HALF, HALF, HALF] }
            : { type: 'sphere', radius: HALF },
        position: [3 * x, HALF, 3 * z],
        orientation: [0, sineOf(0.4 * index), 0, cosineOf(0.4 * index)],
        linearVelocity: [SPEED * x, 0, SPEED * z],
        friction: 0,
      })
      return { body, x, z }
    })
    return { sliders }
  },
  checks: [
    {
      name: 'keeps-its-velocity',
      description: 'Change of the velocity',
      unit: 'm/s',
      tolerance: 1e-6,
      softTolerance: 1e-3,
      error: ({ things }) =>
        Math.max(
          ...things.sliders.map(({ body, x, z }) => {
            const [vx, vy, vz] = body.linearVelocity
            return Math.hypot(vx - SPEED * x, vy, vz - SPEED * z)
          }),
        ),
    },
    {
      name: 'does-not-turn',
      description: 'Angular velocity',
      unit: 'rad/s',
      tolerance: 1e-6,
      softTolerance: 1e-3,
      error: ({ things }) =>
        Math.max(...things.sliders.map(({ body }) => Math.hypot(...body.angularVelocity))),
    },
  ],
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
