import { concavePieces } from './concave-pieces.mjs'
import { addFloor } from './parts.mjs'
import { Random } from './random.mjs'
import { defineScene } from './scene.mjs'

/** m: where pegs, bowls and the rail are, and how high. */
const PEGS = [-1.6, -0.4]
const PEG = { halfWidth: 0.12, height: 1.4 }
const BOWLS = [0.7, 1.9]
const RAIL = { z: -1.6, halfWidth: 0.1, top: 1.4 }
/** On each peg, in each bowl, and on the rail. */
const RINGS = 3
const BALLS = 2
const BRACKETS = 5
/** m: of a ring from its middle to its inside, and of a bowl to its outside. */
const RING_INSIDE = 0.27
const BOWL_OUTSIDE = 0.5
const BALL = 0.1

/** @typedef {import('./scene.mjs').World} World */
/** @typedef {import('./scene.mjs').Body} Body */
/** @typedef {import('./vector.mjs').Vector} Vector */

export default defineScene({
  name: 'concave',
  title: 'Rings, bowls and brackets',
  description: `Concave bodies, each of 8 to 32 convex hulls: ${RINGS * PEGS.length} rings fall over pegs, ${BOWLS.length} bowls catch balls, ${BRACKETS} brackets hang on a rail.`,
  solvers: ['soft-step', 'block-pgs'],
  duration: 6,
  camera: { position: [1.5, 3.2, 6], target: [0.2, 0.7, 0] },
  setup(world) {
    const random = new Random(8)
    addFloor(world, { halfWidth: 6 })
    const make = pieceMaker(world, random)
    const rings = PEGS.flatMap((x) => {
      addPeg(world, x)
      return range(RINGS, (i) => ({ x, ring: make('ring', [x + 0.05, 1.6 + 0.4 * i, 0.03]) }))
    })
    const bowls = BOWLS.map((x) => ({
      bowl: make('bowl', [x, 0.52, 0]),
      balls: addBalls(world, x),
    }))
    addRail(world)
    // Along the rail, on which they straddle it.
    const brackets = range(BRACKETS, (i) =>
      make('bracket', [0.5 * (i - (BRACKETS - 1) / 2), RAIL.top + 0.3, RAIL.z], QUARTER),
    )
    return { rings, bowls, brackets }
  },
  checks: [
    {
      name: 'rings-lie-around-their-pegs',
      description:
        'Way of the middle of a ring from the axis of its peg, beyond what its inside allows',
      unit: 'm',
      tolerance: 0,
      from: 2,
      error: ({ things }) =>
        Math.max(
          ...things.rings.map(({ x, ring }) => {
            const [px, py, pz] = ring.position
            return Math.max(Math.hypot(px - x, pz) - RING_INSIDE, py - PEG.height)
          }),
        ),
    },
    {
      name: 'bowls-hold-their-balls',
      description: 'Way of the middle of a ball from that of its bowl, beyond its outside',
      unit: 'm',
      tolerance: -BALL,
      from: 2,
      error: ({ things }) =>
        Math.max(
          ...things.bowls.flatMap(({ bowl, balls }) =>
            balls.map((ball) => distance(ball.position, bowl.position) - BOWL_OUTSIDE),
          ),
        ),
    },
    {
      name: 'brackets-hang',
      description: 'Way of a bracket below where it hangs on the rail',
      unit: 'm',
      tolerance: 0.05,
      error: ({ things }) =>
        Math.max(...things.brackets.map((bracket) => RAIL.top - 0.2 - bracket.position[1])),
    },
    {
      name: 'comes-to-rest',
      description: 'Mean speed of the pieces at the end',
      unit: 'm/s',
      tolerance: 0.05,
      from: 6,
      error: ({ things: { rings, bowls, brackets } }) => {
        const all = [
          ...rings.map(({ ring }) => ring),
          ...bowls.map(({ bowl }) => bowl),
          ...brackets,
        ]
        return all.reduce((sum, piece) => sum + piece.speed, 0) / all.length
      },
    },
  ],
})

/**
 * @template T
 * @param {number} count
 * @param {(index: number) => T} make
 */
const range = (count, make) => Array.from({ length: count }, (_, index) => make(index))

/**
 * @param {readonly number[]} numbers
 * @returns {Vector[]}
 */
const pointsOf = (numbers) =>
  range(numbers.length / 3, (i) => [numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]])

/** @param {Readonly<Vector>} a @param {Readonly<Vector>} b */
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])

/** A quarter of a turn about y. */
const QUARTER = [0, Math.SQRT1_2, 0, Math.SQRT1_2]

/**
 * Makes pieces, slightly tilted.
 *
 * @param {World} world
 * @param {Random} random
 */
function pieceMaker(world, random) {
  const tilt = () => random.between(-0.05, 0.05)
  return (
    /** @type {keyof typeof concavePieces} */ name,
    /** @type {Vector} */ position,
    orientation = [0, 0, 0, 1],
  ) => {
    const { hulls, ...mass } = concavePieces[name]
    const [x, y, z, w] = orientation
    return world.createBody({
      ...mass,
      shapes: hulls.map((hull) => ({
        type: /** @type {const} */ ('hull'),
        points: pointsOf(hull),
      })),
      position,
      orientation: [x + tilt(), y, z + tilt(), w],
      angularDamping: 0.5,
      friction: 0.6,
    })
  }
}

/** @param {World} world @param {number} x */
function addPeg(world, x) {
  const { halfWidth, height } = PEG
  const shape = {
    type: /** @type {const} */ ('cylinder'),
    radius: halfWidth,
    halfHeight: height / 2,
  }
  world.createBody({ type: 'static', shape, position: [x, height / 2, 0] })
}

/** Along x, behind the rest. @param {World} world */
function addRail(world) {
  const { z, halfWidth, top } = RAIL
  const shape = { type: /** @type {const} */ ('box'), halfExtents: [1.6, halfWidth, halfWidth] }
  world.createBody({ type: 'static', shape, position: [0, top - halfWidth, z] })
}

/** @param {World} world @param {number} x @returns {Body[]} above a bowl */
function addBalls(world, x) {
  const shape = { type: /** @type {const} */ ('sphere'), radius: BALL }
  return range(BALLS, (i) =>
    world.createBody({
      ...{ shape, position: [x + 0.04 * i, 0.6 + 0.3 * i, 0.02], density: 300 },
      rollingFriction: 0.01,
    }),
  )
}
