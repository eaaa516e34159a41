import { addFloor } from './parts.mjs'
import { Random } from './random.mjs'
import { defineScene } from './scene.mjs'

/** @typedef {import('./scene.mjs').Body} Body */

const ROWS = 20
const COUNT = ROWS * ROWS
const SPACING = 1.2
const HALF = ((ROWS - 1) * SPACING) / 2
/** The stone is thrown so high that all else sleeps when it lands, s. */
const LANDS_AT = 5
/** m/s and m: up and down again in that time, from far outside to the middle. */
const UP = (9.81 * LANDS_AT) / 2
const FORWARD = 6
const STONE_RADIUS = 0.5
/** Debris farther from where it lands than this is not to notice, m. */
const FAR = 8

/**
 * The middle of the field, where the stone comes down, is one place of debris.
 *
 * @param {Body} piece
 */
const distanceToImpact = ({ position: [x, , z] }) => Math.hypot(x, z)

export default defineScene({
  name: 'sleeping-field',
  title: 'Sleeping field',
  description: `${COUNT} pieces of debris, boxes, balls and rods, fall on a floor and sleep: steps then cost next to nothing. After ${LANDS_AT} s a stone comes down in their middle, wakes those it touches, and those they touch, and no others.`,
  solvers: ['soft-step', 'block-pgs'],
  options: { sleepThreshold: 0.05 },
  duration: 14,
  camera: { position: [10, 9, 16], target: [0, 0, 0] },
  setup(world) {
    const random = new Random(11)
    const floor = addFloor(world, { halfWidth: 60 })
    const shapes = /** @type {const} */ ([
      { type: 'box', halfExtents: [0.2, 0.15, 0.25] },
      { type: 'box', halfExtents: [0.35, 0.1, 0.15] },
      { type: 'capsule', radius: 0.12, halfHeight: 0.2 },
      {
        type: 'hull',
        points: [
          [0.25, 0, 0],
          [-0.25, 0, 0],
          [0, 0.25, 0],
          [0, -0.25, 0],
          [0, 0, 0.25],
          [0, 0, -0.25],
        ],
      },
    ])
    /** @type {Body[]} */
    const pieces = []
    for (let index = 0; index < COUNT; index++) {
      pieces.push(
        world.createBody({
          shape: shapes[index % shapes.length],
          position: [
            (index % ROWS) * SPACING - HALF,
            0.45,
            Math.floor(index / ROWS) * SPACING - HALF,
          ],
          orientation: random.orientation(),
          // Rods on an even floor would roll on and on.
          angularDamping: 4,
          linearDamping: 0.2,
          friction: 0.6,
        }),
      )
    }
    const stone = world.createBody({
      shape: { type: 'sphere', radius: STONE_RADIUS },
      position: [-FORWARD * LANDS_AT, STONE_RADIUS, 0],
      linearVelocity: [FORWARD, UP, 0],
      angularDamping: 4,
      density: 2500,
      friction: 0.6,
    })
    return { floor, pieces, stone }
  },
  checks: [
    {
      name: 'falls-asleep',
      description: 'While the stone flies all debris sleeps: pieces awake',
      unit: 'pieces',
      tolerance: 0,
      from: LANDS_AT - 0.5,
      to: LANDS_AT - 0.2,
      error: ({ things }) => things.pieces.filter((piece) => piece.isAwake).length,
    },
    {
      name: 'wakes-what-it-hits',
      description: 'The stone wakes at least three pieces: those that are missing from that',
      unit: 'pieces',
      tolerance: 0,
      from: LANDS_AT - 0.2,
      error({ things, time, previous }) {
        for (const [index, piece] of things.pieces.entries()) {
          if (piece.isAwake) previous[`woken ${index}`] = 1
        }
        return time > LANDS_AT + 1 ? Math.max(0, 3 - Object.keys(previous).length) : 0
      },
    },
    {
      name: 'lets-the-others-sleep',
      description: `Debris more than ${FAR} m from where it lands and off its way does not move from then on`,
      unit: 'm',
      tolerance: 0,
      from: LANDS_AT - 0.5,
      error({ things, previous }) {
        const far = things.pieces.filter(
          (piece) => distanceToImpact(piece) > FAR && Math.abs(piece.position[2]) > FAR / 2,
        )
        const sum = far.reduce((total, { position: [x, y, z] }) => total + x + 2 * y + 3 * z, 0)
        previous.sum ??= sum
        return Math.abs(sum - previous.sum)
      },
    },
    {
      name: 'sleeps-again',
      description: 'At the end all of it lies still: bodies awake',
      unit: 'bodies',
      tolerance: 0,
      from: 14,
      error: ({ world }) => world.awakeCount,
    },
    {
      name: 'stays-above-the-floor',
      description: 'No centre gets below the floor',
      unit: 'm',
      tolerance: 0,
      error: ({ things }) => Math.max(...things.pieces.map(({ position }) => -position[1])),
    },
  ],
})
