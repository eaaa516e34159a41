import { addFloor, GRAVITY, normalImpulse } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { ANGLES, distance } from './vector.mjs'

/** @typedef {import('./vector.mjs').Vector} Vector */
/** @typedef {import('./scene.mjs').World} World */
/** @typedef {import('./scene.mjs').Body} Body */

const FRICTION = 0.5
/** kg/m³ */
const DENSITY = 800
/** m: cards a metre high, leaning by 20 degrees */
const HEIGHT = 1
const THICKNESS = 0.02
const HALF_DEPTH = 0.35
const { cosine, sine } = ANGLES[20]
/** m along the floor */
const SECTION = THICKNESS / cosine
/** Half of the flat top of a pair, m: what the board above lies on. */
const FLAT = 0.015
/** From the middle of a pair to the outside of its foot, m. */
const REACH = FLAT + (HEIGHT * sine) / cosine
/** Height of the upright faces by which a pair leans on each other, m. */
const LEANING = ((SECTION - FLAT) * cosine) / sine
/** From pair to pair, m. */
const SPACING = 2 * REACH + 0.05

/**
 * Section of the left card of a pair, cut level at foot and top and upright where it leans on the other one.
 *
 * @type {[number, number][]}
 */
const SECTION_CORNERS = [
  [-REACH, 0],
  [SECTION - REACH, 0],
  [0, HEIGHT - LEANING],
  [0, HEIGHT],
  [-FLAT, HEIGHT],
]

/**
 * Corners of a card.
 *
 * @param {1 | -1} side
 * @returns {Vector[]}
 */
const cardPoints = (side) =>
  SECTION_CORNERS.flatMap(([x, y]) =>
    [-HALF_DEPTH, HALF_DEPTH].map((z) => /** @type {Vector} */ ([side * x, y, z])),
  )

/**
 * Two cards that lean on each other.
 *
 * @param {World} world
 * @param {number} x m, of the middle
 * @param {number} y m, of the feet
 * @returns {[Body, Body]}
 */
function addPair(world, x, y) {
  const card = (/** @type {1 | -1} */ side) =>
    world.createBody({
      shape: { type: 'hull', points: cardPoints(side) },
      position: [x, y, 0],
      density: DENSITY,
      friction: FRICTION,
    })
  return [card(1), card(-1)]
}

/**
 * The board that lies on the pairs of a storey.
 *
 * @param {World} world
 * @param {number} pairs
 * @param {number} y m, of its underside
 */
function addBoard(world, pairs, y) {
  const halfWidth = (SPACING * (pairs - 1)) / 2 + REACH
  return world.createBody({
    shape: { type: 'box', halfExtents: [halfWidth, THICKNESS / 2, HALF_DEPTH] },
    position: [0, y + THICKNESS / 2, 0],
    density: DENSITY,
    friction: FRICTION,
  })
}

/**
 * Bounds of the force by which the cards of the topmost pair lean on each other: the moments of a card's weight about its foot and
 * of that force balance, wherever in foot and leaning face the forces are.
 *
 * @param {Body} card the left one
 * @param {number} middle m, x of the pair
 * @returns {[number, number]} N
 */
function leaningBounds(card, middle) {
  const weight = card.mass * GRAVITY
  const arm = card.worldCenterOfMass[0] - middle + REACH
  return [(weight * (arm - SECTION)) / HEIGHT, (weight * arm) / (HEIGHT - LEANING)]
}

export default defineScene({
  name: 'card-house',
  title: 'House of cards',
  description:
    'Three storeys of cards that lean on each other by 20°, with boards between. Friction 0.5 holds it: each card pushes its foot outwards with about a fifth of its load.',
  options: { solver: 'exact' },
  duration: 5,
  camera: { position: [2, 2.5, 6], target: [0, 1.4, 0] },
  setup(world) {
    const floor = addFloor(world, { halfWidth: 10, friction: FRICTION })
    /** @type {Body[]} */
    const cards = []
    let y = 0
    for (const pairs of [3, 2, 1]) {
      for (let pair = 0; pair < pairs; pair++) {
        cards.push(...addPair(world, SPACING * (pair - (pairs - 1) / 2), y))
      }
      y += HEIGHT
      if (pairs > 1) cards.push(addBoard(world, pairs, y))
      y += THICKNESS
    }
    return { floor, cards, places: cards.map((card) => card.worldCenterOfMass) }
  },
  checks: [
    {
      name: 'stands',
      description: 'No card leaves its place',
      unit: 'm',
      tolerance: 1e-3,
      error: ({ things }) =>
        Math.max(
          ...things.cards.map((card, index) =>
            distance(card.worldCenterOfMass, things.places[index]),
          ),
        ),
    },
    {
      name: 'comes-to-rest',
      description: 'Kinetic energy after the first second',
      unit: 'J',
      tolerance: 1e-8,
      from: 1,
      error: ({ world }) => world.energy().kinetic,
    },
    {
      name: 'floor-carries-the-house',
      description: 'The normal impulses of the floor sum up to the weight of all cards times dt',
      unit: '(part of the weight)',
      tolerance: 1e-6,
      from: 1,
      error({ things, timeStep }) {
        const mass = things.cards.reduce((sum, card) => sum + card.mass, 0)
        return Math.abs(normalImpulse(things.floor) / (mass * GRAVITY * timeStep) - 1)
      },
    },
    {
      name: 'topmost-pair-leans-as-statics-says',
      description:
        'Its cards press on each other with a force that balances the moment of their weight about their feet',
      unit: 'N',
      tolerance: 0,
      from: 1,
      error({ things, timeStep }) {
        const [left, right] = things.cards.slice(-2)
        const [least, most] = leaningBounds(left, 0)
        const force = normalImpulse(left, right) / timeStep
        return Math.max(0, least - force, force - most)
      },
    },
  ],
})
