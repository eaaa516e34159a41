/**
 * Bodies that are dropped into a square pit: they begin in layers, turned at random and apart from each other.
 */
import { Random } from '../../scenarios/random.mjs'
import { NO_ROTATION, SceneBuilder } from './description.mjs'
import { randomHull } from './random-hull.mjs'

/** @typedef {import('../../scenarios/vector.mjs').Vector} Vector */

const LAYERS = 10
const QUALITY_SECONDS = 10
const LOWEST = 1.5
const JITTER = 0.05

/**
 * Fills a pit that holds `count` bodies in about ten layers, so that a pile of any size is equally deep.
 *
 * @param {SceneBuilder} scene
 * @param {Random} random
 * @param {number} count
 * @param {{ shapes: number[], spacing: number, turned: boolean }} options `spacing` is that at which no two bodies touch, m
 */
function fill(scene, random, count, { shapes, spacing, turned }) {
  const side = Math.ceil(Math.sqrt(count / LAYERS))
  const layers = Math.ceil(count / (side * side))
  scene.pit((side * spacing) / 2, LOWEST + layers * spacing)
  for (let index = 0; index < count; index++) {
    const place = [index % side, Math.floor(index / (side * side)), Math.floor(index / side) % side]
    const along = (/** @type {number} */ cell) =>
      (cell - (side - 1) / 2) * spacing + random.between(-JITTER, JITTER)
    /** @type {Vector} */
    const position = [along(place[0]), LOWEST + place[1] * spacing, along(place[2])]
    const shape = shapes[Math.floor(random.next() * shapes.length)]
    if (turned) scene.body(shape, position, random.orientation())
    else scene.body(shape, position)
  }
}

/**
 * Cubes of 1 m.
 *
 * @param {number} count
 * @param {string} [name]
 */
export function boxes(count, name = 'boxes') {
  const scene = new SceneBuilder(name, `${count} boxes dropped into a pit`, 'pile', QUALITY_SECONDS)
  const shapes = [scene.shape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })]
  fill(scene, new Random(1000 + count), count, { shapes, spacing: 1.85, turned: true })
  return scene.description
}

/** Twenty shapes of 16 random points. */
export function hulls() {
  const scene = new SceneBuilder(
    'hulls',
    '1000 random hulls dropped into a pit',
    'pile',
    QUALITY_SECONDS,
  )
  const random = new Random(20)
  const shapes = Array.from({ length: 20 }, () =>
    scene.shape({ type: 'hull', points: randomHull(random, 16, [0.4, 0.65]) }),
  )
  fill(scene, random, 1000, { shapes, spacing: 1.6, turned: true })
  return scene.description
}

/** Balls of 1 m diameter. */
export function spheres() {
  const scene = new SceneBuilder(
    'spheres',
    '2000 spheres dropped into a pit',
    'pile',
    QUALITY_SECONDS,
  )
  const shapes = [scene.shape({ type: 'sphere', radius: 0.5 })]
  fill(scene, new Random(2000), 2000, { shapes, spacing: 1.15, turned: false })
  return scene.description
}

/** Boxes, balls, capsules, cylinders and hulls. */
export function mixed() {
  const title = '1000 bodies of five shapes dropped into a pit'
  const scene = new SceneBuilder('mixed', title, 'pile', QUALITY_SECONDS)
  const random = new Random(21)
  const shapes = [
    scene.shape({ type: 'box', halfExtents: [0.5, 0.4, 0.3] }),
    scene.shape({ type: 'sphere', radius: 0.45 }),
    scene.shape({ type: 'capsule', radius: 0.3, halfHeight: 0.4 }),
    scene.shape({ type: 'cylinder', radius: 0.4, halfHeight: 0.45 }),
    scene.shape({ type: 'hull', points: randomHull(random, 16, [0.4, 0.65]) }),
  ]
  fill(scene, random, 1000, { shapes, spacing: 1.85, turned: true })
  return scene.description
}

/** Tables, dumb-bells and brackets. */
export function compounds() {
  const title = '500 compounds of two to five shapes dropped into a pit'
  const scene = new SceneBuilder('compounds', title, 'pile', QUALITY_SECONDS)
  const shapes = [table(), dumbBell(), bracket()].map((parts) =>
    scene.shape({ type: 'compound', shapes: parts }),
  )
  fill(scene, new Random(22), 500, { shapes, spacing: 1.85, turned: true })
  return scene.description
}

/** @typedef {import('./description.mjs').PartDescription} PartDescription */

/**
 * @param {Vector} halfExtents
 * @param {Vector} position
 * @returns {PartDescription}
 */
const boxPart = (halfExtents, position) => ({
  type: 'box',
  halfExtents,
  position,
  orientation: NO_ROTATION,
})

function table() {
  const legs = [-0.4, 0.4].flatMap((x) =>
    [-0.4, 0.4].map((z) => boxPart([0.06, 0.25, 0.06], [x, -0.05, z])),
  )
  return [boxPart([0.5, 0.06, 0.5], [0, 0.26, 0]), ...legs]
}

function dumbBell() {
  const balls = [-0.6, 0.6].map((x) => {
    /** @type {PartDescription} */
    const ball = { type: 'sphere', radius: 0.25, position: [x, 0, 0], orientation: NO_ROTATION }
    return ball
  })
  return [boxPart([0.35, 0.08, 0.08], [0, 0, 0]), ...balls]
}

function bracket() {
  return [boxPart([0.5, 0.1, 0.2], [0, -0.3, 0]), boxPart([0.1, 0.4, 0.2], [-0.4, 0.2, 0])]
}

/** The balls of `spheres`, every contact of which is listened to. */
export function listened() {
  const title = '2000 spheres in a pit whose contacts are listened to'
  return { ...spheres(), name: 'listened', title, listens: true }
}
