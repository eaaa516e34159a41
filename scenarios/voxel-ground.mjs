import { integrationStep } from './common-checks.mjs'
import { GRAVITY } from './parts.mjs'
import { Random } from './random.mjs'
import { defineScene } from './scene.mjs'
import { length } from './vector.mjs'

/** Cells along each side of the ground, of which the outermost are a wall of blocks. */
const CELLS = 24
/** Most blocks on each other in the wall. */
const HIGHEST = 3
/** m: half of the edge of a crate, and the radius of a ball. */
const HALF = 0.4
const FRICTION = 0.5
/** m/s: of crates and of balls. */
const [SLIDING, ROLLING] = [5, 3]

export default defineScene({
  name: 'voxel-ground',
  title: 'Ground of blocks',
  description: `Crates slide and balls roll over one mesh of closed cubes of 1 m, whose inner faces are still there. The crates stop where Coulomb's law says, and the balls roll on as on a plane, until they hit the wall of blocks.`,
  solvers: ['soft-step', 'block-pgs', 'exact'],
  duration: 2.5,
  camera: { position: [14, 11, 18], target: [0, 0, 0] },
  setup(world) {
    world.createBody({ type: 'static', shape: blocks(), friction: FRICTION })
    const places = [-7.3, -3.1, 2.2, 6.4]
    const crates = places.map((z, i) =>
      world.createBody({
        shape: { type: 'box', halfExtents: [HALF, HALF, HALF] },
        position: [-6.2 + i / 7, HALF, z],
        linearVelocity: [SLIDING, 0, 0],
        friction: FRICTION,
      }),
    )
    const balls = places.map((z, i) =>
      world.createBody({
        shape: { type: 'sphere', radius: HALF },
        position: [5.5 - i / 7, HALF, z + 1.7],
        linearVelocity: [-ROLLING, 0, 0],
        angularVelocity: [0, 0, ROLLING / HALF],
        friction: FRICTION,
      }),
    )
    return { crates, balls, starts: crates.map((crate) => crate.position[0]) }
  },
  checks: [
    {
      name: 'stops-where-coulomb-says',
      description: 'Distance slid until it stops',
      unit: 'm',
      tolerance: 1e-4,
      softTolerance: 0.01,
      from: 2.5,
      error: ({ things, ...context }) => {
        // Semi-implicit Euler: dt sum (v0 - k mu g dt) over the steps in which it moves.
        const dt = integrationStep(context)
        const loss = FRICTION * GRAVITY * dt
        const steps = Math.floor(SLIDING / loss)
        const way = dt * (steps * SLIDING - (loss * steps * (steps + 1)) / 2)
        const ways = things.crates.map((crate, i) => crate.position[0] - things.starts[i])
        return Math.max(...ways.map((x) => Math.abs(x - way)))
      },
    },
    {
      name: 'rolls-as-on-a-plane',
      description: 'Change of the velocity of a ball',
      unit: 'm/s',
      tolerance: 1e-6,
      softTolerance: 1e-3,
      error: ({ things }) =>
        Math.max(
          ...things.balls.map(({ linearVelocity: [x, y, z] }) => length([x + ROLLING, y, z])),
        ),
    },
    {
      name: 'stays-level',
      description: 'Height over the ground, and the turn of a crate',
      unit: 'm, rad',
      tolerance: 1e-4,
      softTolerance: 1e-3,
      error: ({ things }) =>
        Math.max(
          ...things.crates.map(({ position: [, y], orientation: [x, , z] }) =>
            Math.max(Math.abs(y - HALF), 2 * Math.abs(x), 2 * Math.abs(z)),
          ),
        ),
    },
  ],
})

/** A floor of one layer of cubes with a wall of some more around it, each cube with its own corners and all of its faces. */
function blocks() {
  const random = new Random(11)
  /** @type {number[]} */
  const vertices = []
  /** @type {number[]} */
  const indices = []
  for (let i = 0; i < CELLS * CELLS; i++) {
    const [row, column] = [Math.floor(i / CELLS), i % CELLS]
    const isRim = [row, column].some((k) => k === 0 || k === CELLS - 1)
    const count = 1 + (isRim ? Math.ceil(HIGHEST * random.next()) : 0)
    for (let level = 0; level < count; level++)
      addCube([row - CELLS / 2, level - 1, column - CELLS / 2], vertices, indices)
  }
  return /** @type {const} */ ({ type: 'mesh', vertices, indices })
}

/** Corners of a cube by the bits of their numbers, and of its faces, counter-clockwise seen from outside. */
export const CUBE_FACES = [
  [0, 1, 3, 2],
  [4, 6, 7, 5],
  [0, 4, 5, 1],
  [2, 3, 7, 6],
  [0, 2, 6, 4],
  [1, 5, 7, 3],
]

/**
 * @param {number[]} lowest corner
 * @param {number[]} vertices
 * @param {number[]} indices
 */
function addCube([x, y, z], vertices, indices) {
  const first = vertices.length / 3
  for (let corner = 0; corner < 8; corner++)
    vertices.push(x + (corner >> 2), y + ((corner >> 1) & 1), z + (corner & 1))
  for (const face of CUBE_FACES) {
    const [a, b, c, d] = face.map((corner) => first + corner)
    indices.push(a, b, c, a, c, d)
  }
}
