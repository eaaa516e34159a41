/**
 * Scenes about what happens around the solver: sleep, rays, and bodies that come and go.
 */
import { GRAVITY } from '../../scenarios/parts.mjs'
import { Random } from '../../scenarios/random.mjs'
import { NO_ROTATION, SceneBuilder } from './description.mjs'
import { direction } from './random-hull.mjs'

/** @typedef {import('../../scenarios/vector.mjs').Vector} Vector */

const QUALITY_SECONDS = 5
/** From piece to piece of a field, m. */
const SPACING = 2

/**
 * Small boxes that lie on a floor, each alone. Nothing moves, unless balls are thrown among them.
 *
 * @param {SceneBuilder} scene
 * @param {number} side boxes along each side of the square
 */
function layField(scene, side) {
  const halfWidth = (side * SPACING) / 2
  // So thick that nothing thrown passes through.
  scene.fixedBox([halfWidth + 20, 5, halfWidth + 20], [0, -5, 0])
  const box = scene.shape({ type: 'box', halfExtents: [0.3, 0.2, 0.4] })
  for (let index = 0; index < side * side; index++) {
    const x = ((index % side) - (side - 1) / 2) * SPACING
    const z = (Math.floor(index / side) - (side - 1) / 2) * SPACING
    scene.body(box, [x, 0.2, z])
  }
}

/** 10,000 boxes of which none moves. */
export function sleeping() {
  const scene = new SceneBuilder(
    'sleeping',
    '10,000 boxes that lie still',
    'field',
    QUALITY_SECONDS,
  )
  layField(scene, 100)
  return scene.description
}

/** The same with balls thrown up between the boxes, which come down one after the other all the time. */
export function debris() {
  const scene = new SceneBuilder(
    'debris',
    '10,000 bodies of which few move',
    'field',
    QUALITY_SECONDS,
  )
  layField(scene, 99)
  const random = new Random(10000)
  const ball = scene.shape({ type: 'sphere', radius: 0.25 })
  const count = 199
  /** @type {Set<number>} */
  const taken = new Set()
  while (taken.size < count) taken.add(Math.floor(random.next() * 98 * 98))
  for (const [index, cell] of [...taken].entries()) {
    // Back on the floor after 0.5 to 6 s.
    const flight = 0.5 + (5.5 * index) / count
    /** @type {Vector} */
    const velocity = [random.between(-2, 2), (GRAVITY * flight) / 2, random.between(-2, 2)]
    // Between four boxes.
    const x = ((cell % 98) - 48.5) * SPACING
    const z = (Math.floor(cell / 98) - 48.5) * SPACING
    scene.body(ball, [x, 0.5, z], NO_ROTATION, velocity)
  }
  return scene.description
}

/** 10,000 rays into a field of boxes and balls that lie on the floor. */
export function rays() {
  return rayField('rays', '10,000 ray casts into a field')
}

/** The same with a ball instead of each ray. */
export function casts() {
  const description = rayField('casts', '10,000 casts of a ball into a field')
  const castShape = description.shapes.push({ type: 'sphere', radius: 0.2 }) - 1
  return { ...description, castShape }
}

/**
 * @param {string} name
 * @param {string} title
 */
function rayField(name, title) {
  const scene = new SceneBuilder(name, title, 'rays', QUALITY_SECONDS)
  const side = 50
  scene.floor(2 * side)
  const random = new Random(5)
  const shapes = [
    scene.shape({ type: 'box', halfExtents: [0.4, 0.5, 0.6] }),
    scene.shape({ type: 'sphere', radius: 0.5 }),
  ]
  for (let index = 0; index < side * side; index++) {
    const x = ((index % side) - (side - 1) / 2) * SPACING
    const z = (Math.floor(index / side) - (side - 1) / 2) * SPACING
    scene.body(shapes[Math.floor(random.next() * 2)], [x, 0.5, z])
  }
  scene.description.settle = 60
  scene.description.timed = 30
  scene.description.rays = randomRays(random, 10000, side)
  return scene.description
}

/**
 * Rays that start a few metres above the field; one in four goes up and hits nothing.
 *
 * @param {Random} random
 * @param {number} count
 * @param {number} halfWidth
 */
function randomRays(random, count, halfWidth) {
  const list = new Float64Array(7 * count)
  for (let ray = 0; ray < count; ray++) {
    const [x, y, z] = direction(random)
    const down = ray % 4 === 0 ? Math.abs(y) : -Math.abs(y)
    const origin = [
      random.between(-halfWidth, halfWidth),
      random.between(2, 10),
      random.between(-halfWidth, halfWidth),
    ]
    list.set([...origin, x, down, z, 100], 7 * ray)
  }
  return list
}

/** 1000 boxes and balls a second that fall into a pit and are destroyed two seconds later. */
export function churn() {
  const scene = new SceneBuilder(
    'churn',
    '1000 bodies created and destroyed per second',
    'churn',
    QUALITY_SECONDS,
  )
  const random = new Random(60)
  const halfWidth = 10
  scene.pit(halfWidth, 20)
  const shapes = [
    scene.shape({ type: 'box', halfExtents: [0.25, 0.25, 0.25] }),
    scene.shape({ type: 'sphere', radius: 0.25 }),
  ]
  const life = 120
  const perSecond = 1000
  // A grid above the pit, walked through in an order that gives each place time to clear.
  const side = 18
  const spacing = (2 * halfWidth - 1) / (side - 1)
  const bodies = Array.from({ length: side * side * 8 }, (_, index) => {
    const place = (index * 89) % (side * side)
    return {
      fixed: false,
      shape: shapes[index % 2],
      position: /** @type {Vector} */ ([
        ((place % side) - (side - 1) / 2) * spacing,
        6,
        (Math.floor(place / side) - (side - 1) / 2) * spacing,
      ]),
      orientation: random.orientation(),
      linearVelocity: /** @type {Vector} */ ([0, -5, 0]),
    }
  })
  scene.description.churn = { perSecond, life, bodies }
  return scene.description
}
