import { energyNeverRises } from './common-checks.mjs'
import { Random } from './random.mjs'
import { defineScene } from './scene.mjs'
import { rotate } from './vector.mjs'

/** @typedef {import('./scene.mjs').World} World */
/** @typedef {import('./scene.mjs').Body} Body */
/** @typedef {import('./vector.mjs').Vector} Vector */
/** @typedef {import('./vector.mjs').Quaternion} Quaternion */

/** Cells along x and along z */
const SIDE = 8
/** m: of a cell, from wall to wall, and the heights and half thickness of the walls */
const CELL = 1
const WALL = { height: 0.3, half: 0.02 }
/** m and kg */
const EDGE = 0.16
const MASS = 2
const MATERIAL = { friction: 0.4, restitution: 0.3 }
/** Of 64 dice that are fair chi squared is above in one experiment of a thousand (5 degrees of freedom). */
const CHI_SQUARED = 20.52

/**
 * How a die is thrown, from the middle of its cell.
 *
 * @typedef {{ position: Vector, orientation: Quaternion, linearVelocity: Vector, angularVelocity: Vector }} Throw
 */

/**
 * The throws, one per cell: the same here, in a batch, and in a world of its own each.
 *
 * @returns {Throw[]}
 */
export function diceThrows() {
  const random = new Random(6)
  return Array.from({ length: SIDE * SIDE }, () => {
    const orientation = random.orientation()
    const within = (/** @type {number} */ most) => random.between(-most, most)
    return {
      ...{ position: [0, random.between(0.5, 1), 0], orientation },
      linearVelocity: [within(0.5), 0, within(0.5)],
      angularVelocity: [within(15), within(15), within(15)],
    }
  })
}

/**
 * A cell around the origin with a die in it: what a batch of dice is made of.
 *
 * @param {World} world
 * @returns {Body} the die
 */
export function addDieInCell(world) {
  addTray(world, 1)
  return addDie(world, { position: [0, 0.5, 0] })
}

/** A floor with walls around a square of cells, its middle at the origin. @param {World} world @param {number} side cells */
function addTray(world, side) {
  const half = (side * CELL) / 2
  const { height, half: thickness } = WALL
  world.createBody({
    type: 'static',
    shape: { type: 'box', halfExtents: [half + 1, 0.5, half + 1], position: [0, -0.5, 0] },
    ...MATERIAL,
  })
  /** @param {Vector} halfExtents @param {Vector} position @returns {import('../bindings/index.mjs').ShapeDefinition} */
  const wall = (halfExtents, position) => ({ type: 'box', halfExtents, position })
  const shapes = Array.from({ length: side + 1 }, (_, i) => i * CELL - half).flatMap((at) => [
    wall([thickness, height / 2, half], [at, height / 2, 0]),
    wall([half, height / 2, thickness], [0, height / 2, at]),
  ])
  return world.createBody({ type: 'static', shapes, ...MATERIAL })
}

/** @type {{ type: 'box', halfExtents: [number, number, number] }} */
const SHAPE = { type: 'box', halfExtents: [EDGE / 2, EDGE / 2, EDGE / 2] }

/** @param {World} world @param {Partial<Throw>} thrown */
const addDie = (world, thrown) =>
  world.createBody({ shape: SHAPE, mass: MASS, ...MATERIAL, ...thrown })

/**
 * The face that is up: the six looks along y, the five along z, the three along x; opposite ones have the sum 7.
 *
 * @param {ArrayLike<number>} orientation
 * @returns {{ face: number, lean: number }} `lean`: 1 minus the cosine of the angle that it is off the vertical
 */
export function faceUp(orientation) {
  const faces = /** @type {const} */ ([
    { axis: [1, 0, 0], face: 3 },
    { axis: [0, 1, 0], face: 6 },
    { axis: [0, 0, 1], face: 5 },
  ])
  const heights = faces.map(({ axis }) => rotate(orientation, axis)[1])
  const best = heights.reduce(
    (a, height, i) => (Math.abs(height) > Math.abs(heights[a]) ? i : a),
    0,
  )
  const { face } = faces[best]
  return { face: heights[best] > 0 ? face : 7 - face, lean: 1 - Math.abs(heights[best]) }
}

/** The middle of a cell, m. @param {number} index */
const cellAt = (index) => [
  ((index % SIDE) - (SIDE - 1) / 2) * CELL,
  (Math.floor(index / SIDE) - (SIDE - 1) / 2) * CELL,
]

export default defineScene({
  name: 'batch-of-dice',
  title: 'A batch of dice',
  description:
    'Sixty-four throws side by side, each in a cell of its own. A WorldBatch has the same throws in as many worlds, without a picture: a test compares their faces.',
  solvers: ['soft-step', 'exact'],
  timeStep: 1 / 120,
  duration: 4,
  camera: { position: [0, 10, 6], target: [0, 0, -0.9] },
  setup(world) {
    const walls = addTray(world, SIDE)
    const dice = diceThrows().map((thrown, i) => {
      const [x, z] = cellAt(i)
      return addDie(world, { ...thrown, position: [x, thrown.position[1], z] })
    })
    return { glass: [walls], dice }
  },
  checks: [
    energyNeverRises(),
    {
      name: 'dice-stay-in-their-cells',
      description: 'How far the middle of a die is beyond the walls of its cell',
      unit: 'm',
      tolerance: 0,
      error: ({ things }) =>
        Math.max(
          0,
          ...things.dice.flatMap(({ position: [x, , z] }, i) => {
            const [cellX, cellZ] = cellAt(i)
            return [Math.abs(x - cellX) - CELL / 2, Math.abs(z - cellZ) - CELL / 2]
          }),
        ),
    },
    {
      name: 'dice-lie-on-faces',
      description: '1 minus the cosine of the angle between the upper face and the vertical',
      unit: '1',
      tolerance: 1e-6,
      from: 4,
      error: ({ things }) => Math.max(...things.dice.map((die) => faceUp(die.orientation).lean)),
    },
    {
      name: 'dice-are-fair',
      description: 'Chi squared of the faces, which a fair die exceeds once in a thousand times',
      unit: '1',
      tolerance: CHI_SQUARED,
      from: 4,
      error({ things: { dice } }) {
        const expected = dice.length / 6
        const counts = [0, 0, 0, 0, 0, 0]
        for (const { orientation } of dice) counts[faceUp(orientation).face - 1]++
        return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
      },
    },
  ],
})
