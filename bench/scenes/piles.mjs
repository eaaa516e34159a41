/**
 * Bodies that are dropped into a square pit: they begin in layers, turned at random and apart from each other.
 */
import { Random } from '../../scenarios/random.mjs'
import { SceneBuilder } from './description.mjs'
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
