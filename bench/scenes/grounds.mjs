/**
 * Scenes on uneven ground: boxes on a terrain of triangles, cars on it, and characters that walk over steps.
 */
import { Random } from '../../scenarios/random.mjs'
import { SceneBuilder } from './description.mjs'

/** @typedef {import('../../scenarios/vector.mjs').Vector} Vector */

const QUALITY_SECONDS = 5
/** Cells along each side of the terrain, of two triangles each: 100,352 triangles. */
const CELLS = 224

/** 1000 boxes that fall on 100,352 triangles. */
export function terrain() {
  const title = '1000 boxes on a terrain of 100,352 triangles'
  const scene = new SceneBuilder('terrain', title, 'pile', QUALITY_SECONDS)
  const random = new Random(31)
  layGround(scene, random, { width: 0.5, hill: 24, height: 4 })
  const box = scene.shape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })
  const side = 32
  for (let index = 0; index < 1000; index++) {
    const x = ((index % side) - side / 2) * 3 + random.between(-0.5, 0.5)
    const z = (Math.floor(index / side) - side / 2) * 3 + random.between(-0.5, 0.5)
    scene.body(box, [x, 5.5, z], random.orientation())
  }
  return scene.description
}

/** 1000 boxes that fall on 4096 flush boxes, a body each. */
export function tiles() {
  const title = '1000 boxes on a floor of 4096 tiles'
  const scene = new SceneBuilder('tiles', title, 'pile', QUALITY_SECONDS)
  const random = new Random(34)
  const tile = scene.shape({ type: 'box', halfExtents: [0.75, 0.5, 0.75] })
  const side = 64
  for (let index = 0; index < side * side; index++) {
    const [row, column] = [Math.floor(index / side), index % side]
    const at = scene.body(tile, [(row - side / 2) * 1.5, -0.5, (column - side / 2) * 1.5])
    scene.description.bodies[at].fixed = true
  }
  const box = scene.shape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })
  for (let index = 0; index < 1000; index++) {
    const x = ((index % 32) - 16) * 2.5 + random.between(-0.35, 0.35)
    const z = (Math.floor(index / 32) - 16) * 2.5 + random.between(-0.35, 0.35)
    const velocity = /** @type {Vector} */ ([random.between(-2, 2), 0, random.between(-2, 2)])
    const body = scene.body(box, [x, 1.5, z], random.orientation())
    scene.description.bodies[body].linearVelocity = velocity
  }
  return scene.description
}

/** 50 cars that drive in circles on as many triangles. */
export function cars() {
  const scene = new SceneBuilder('cars', '50 cars on a terrain', 'movers', QUALITY_SECONDS)
  layGround(scene, new Random(32), { width: 1, hill: 28, height: 1.5 })
  const box = scene.shape({ type: 'box', halfExtents: [2, 0.4, 0.9] })
  const wheels = [1.4, -1.4].flatMap((x) =>
    [0.8, -0.8].map((z) => /** @type {Vector} */ ([x, -0.2, z])),
  )
  scene.description.cars = Array.from({ length: 50 }, (_, index) => {
    const chassis = scene.body(box, [
      ((index % 10) - 4.5) * 14,
      3,
      (Math.floor(index / 10) - 2) * 20,
    ])
    scene.description.bodies[chassis].mass = 1200
    const power = { engineForce: 500, steering: 0.1 }
    return { chassis, wheels, radius: 0.35, restLength: 0.4, ...power }
  })
  return scene.description
}

/** 100 capsules that walk over a floor with steps and walls on it. */
export function characters() {
  const title = '100 characters among steps and walls'
  const scene = new SceneBuilder('characters', title, 'movers', QUALITY_SECONDS)
  scene.floor(60)
  const random = new Random(33)
  const capsule = scene.shape({ type: 'capsule', radius: 0.3, halfHeight: 0.6 })
  for (let index = 0; index < 900; index++) {
    // One obstacle in five is a wall.
    const height = index % 5 === 0 ? 0.75 : random.between(0.05, 0.12)
    const x = ((index % 30) - 14.5) * 2.5
    const z = (Math.floor(index / 30) - 14.5) * 2.5
    scene.fixedBox([random.between(0.3, 0.7), height, random.between(0.3, 0.7)], [x, height, z])
  }
  scene.description.characters = Array.from({ length: 100 }, (_, index) => {
    const [x, z] = [random.between(-1, 1), random.between(-1, 1)]
    const speed = 3 / Math.sqrt(x * x + z * z)
    // Between four obstacles.
    const place = [(index % 10) - 5, Math.floor(index / 10) - 5]
    return {
      shape: capsule,
      position: /** @type {Vector} */ ([place[0] * 5, 0.95, place[1] * 5]),
      velocity: /** @type {Vector} */ ([x * speed, 0, z * speed]),
      stepHeight: 0.3,
    }
  })
  return scene.description
}

/**
 * Hills of triangles around the origin, from y = 0 to `height`.
 *
 * @param {SceneBuilder} scene
 * @param {Random} random
 * @param {{ width: number, hill: number, height: number }} sizes m of a cell, cells between the points of which each has a
 *   height of its own, m
 */
function layGround(scene, random, { width, hill, height }) {
  const points = Math.ceil(CELLS / hill) + 2
  const heights = Array.from({ length: points * points }, () => height * random.next())
  /** @type {number[]} */
  const vertices = []
  for (let row = 0; row <= CELLS; row++) {
    for (let column = 0; column <= CELLS; column++) {
      const y = between(heights, points, row / hill, column / hill)
      vertices.push((column - CELLS / 2) * width, y, (row - CELLS / 2) * width)
    }
  }
  const ground = scene.body(scene.shape({ type: 'mesh', vertices, indices: grid() }), [0, 0, 0])
  scene.description.bodies[ground].fixed = true
}

/** Triangles of all cells, counter-clockwise seen from above. */
function grid() {
  /** @type {number[]} */
  const indices = []
  for (let row = 0; row < CELLS; row++) {
    for (let column = 0; column < CELLS; column++) {
      const a = row * (CELLS + 1) + column
      const below = a + CELLS + 1
      indices.push(a, below, a + 1, a + 1, below, below + 1)
    }
  }
  return indices
}

/**
 * A smooth height between four points, level at each.
 *
 * @param {number[]} heights
 * @param {number} points along each side
 * @param {number} row
 * @param {number} column
 */
function between(heights, points, row, column) {
  const [i, j] = [Math.floor(row), Math.floor(column)]
  const [s, t] = [ease(row - i), ease(column - j)]
  const at = (/** @type {number} */ k, /** @type {number} */ l) => heights[k * points + l]
  const near = at(i, j) + t * (at(i, j + 1) - at(i, j))
  const far = at(i + 1, j) + t * (at(i + 1, j + 1) - at(i + 1, j))
  return near + s * (far - near)
}

/** 0 to 1 without a slope at either end. */
const ease = (/** @type {number} */ t) => t * t * (3 - 2 * t)
