import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { collide, createShape, distance, init } from 'moreau'
import { Random } from '../../scenarios/random.mjs'
import { dot } from '../../scenarios/vector.mjs'
import { product } from './shapes-support.mjs'
import { near } from './support.mjs'

// Random pairs of all convex shapes, judged by support functions written here: the depth is what the two overlap by along the
// normal, and along no other direction do they overlap by less; the distance likewise.

/** @typedef {[number, number, number]} Vector */
/** @typedef {[number, number, number, number]} Quaternion */
/** @typedef {import('moreau').ShapeDefinition} ShapeDefinition */

before(() => init())

/** @param {Quaternion} q @param {Vector} v @returns {Vector} */
function rotate(q, [x, y, z]) {
  const [a, b, c] = product(product(q, [x, y, z, 0]), [-q[0], -q[1], -q[2], q[3]])
  return [a, b, c]
}

/**
 * How far a shape reaches along a unit vector, in its own frame.
 *
 * @param {any} shape a definition
 * @param {Vector} n
 * @returns {number}
 */
function reach(shape, [x, y, z]) {
  const { radius = 0, halfHeight = 0, rounding = 0, halfExtents, points } = shape
  const { radiusTop = radius, radiusBottom = radius } = shape
  const across = Math.hypot(x, z)
  switch (shape.type) {
    case 'sphere':
      return radius
    case 'box':
      return (
        Math.abs(x) * halfExtents[0] +
        Math.abs(y) * halfExtents[1] +
        Math.abs(z) * halfExtents[2] +
        radius
      )
    case 'capsule':
      return Math.max(halfHeight * y + radiusTop, -halfHeight * y + radiusBottom)
    case 'cylinder':
      return (
        Math.max(halfHeight * y + across * radiusTop, -halfHeight * y + across * radiusBottom) +
        rounding
      )
    case 'cone':
      return Math.max(halfHeight * y, -halfHeight * y + across * radius) + rounding
    default:
      return Math.max(...points.map((/** @type {Vector} */ p) => dot(p, [x, y, z]))) + radius
  }
}

/** @param {Random} random @returns {ShapeDefinition} */
function randomShape(random) {
  const size = () => 10 ** random.between(-1, 0)
  const rounding = random.next() < 0.5 ? 0 : 0.3 * size()
  const kinds = /** @type {const} */ ([
    () => ({ type: 'sphere', radius: size() }),
    () => ({ type: 'box', halfExtents: [size(), size(), size()], radius: rounding }),
    () => ({ type: 'capsule', radius: size(), halfHeight: size() }),
    () => ({
      type: 'capsule',
      radiusTop: 0.5 * size(),
      radiusBottom: 0.3,
      halfHeight: 0.2 + size(),
    }),
    () => ({ type: 'cylinder', radius: size(), halfHeight: size(), rounding }),
    () => ({
      type: 'cylinder',
      radiusTop: size(),
      radiusBottom: size(),
      halfHeight: size(),
      rounding,
    }),
    () => ({ type: 'cone', radius: size(), halfHeight: size(), rounding }),
    () => ({
      type: 'hull',
      points: Array.from({ length: 12 }, () => randomPoint(random, size())),
      radius: rounding,
    }),
  ])
  return /** @type {ShapeDefinition} */ (kinds[Math.floor(random.next() * kinds.length)]())
}

/** @param {Random} random @param {number} size @returns {Vector} */
const randomPoint = (random, size) => [
  ...[random.between(-size, size), random.between(-size, size)],
  random.between(-size, size),
]

/** Unit vectors all around (a spiral). @type {Vector[]} */
const DIRECTIONS = Array.from({ length: 2000 }, (_, i) => {
  const y = 1 - (2 * i + 1) / 2000
  const across = Math.sqrt(1 - y * y)
  const angle = i * Math.PI * (3 - Math.sqrt(5))
  return [across * Math.cos(angle), y, across * Math.sin(angle)]
})

/** @param {Random} random */
function randomPair(random) {
  const [a, b] = [randomShape(random), randomShape(random)]
  const [p, q] = /** @type {Quaternion[]} */ ([random.orientation(), random.orientation()])
  /** @param {Vector} n along it, from A to B, with both at the origin @returns {number} */
  const overlap = (n) => {
    const back = /** @type {Vector} */ (n.map((x) => -x))
    const [x, y, z, w] = p
    const [r, s, t, u] = q
    return reach(a, rotate([-x, -y, -z, w], n)) + reach(b, rotate([-r, -s, -t, u], back))
  }
  return { a, b, p, q, overlap }
}

describe('random pairs', () => {
  test('overlap by the least of all directions', () => {
    const random = new Random(83)
    let hits = 0
    for (let count = 0; count < 400; count++) {
      const { a, b, p, q, overlap } = randomPair(random)
      const way = DIRECTIONS[Math.floor(random.next() * DIRECTIONS.length)]
      const wanted = 10 ** random.between(-4, -1)
      // Along `way` they part where the first plane between them does.
      const parts = DIRECTIONS.map((n) => (dot(n, way) > 0 ? overlap(n) / dot(n, way) : Infinity))
      const position = /** @type {Vector} */ (way.map((x) => x * (Math.min(...parts) - wanted)))
      const [one, two] = [createShape(a), createShape(b)]
      const found = collide(one, { orientation: p }, two, { position, orientation: q })
      const what = `${count}: ${JSON.stringify([a, b])}`
      const back = collide(two, { position, orientation: q }, one, { orientation: p })
      assert.equal(found === null, back === null, what)
      const apart = distance(one, { orientation: p }, two, { position, orientation: q })
      assert.equal(apart.distance > 0, found === null, what)
      one.free()
      two.free()
      if (!found || !back) continue
      hits++
      const depth = found.penetrationDepth
      const least = Math.min(...DIRECTIONS.map((n) => overlap(n) - dot(position, n)))
      near(back.penetrationDepth, depth, 1e-9, what)
      near(
        overlap(/** @type {Vector} */ (found.normal)) - dot(position, found.normal),
        depth,
        1e-6,
        what,
      )
      assert.ok(depth <= least + 1e-6, `${what}: depth ${depth}, but ${least} along another way`)
    }
    assert.ok(hits > 100, `${hits} hits`)
  })

  test('are apart by the most of all directions', () => {
    const random = new Random(82)
    for (let count = 0; count < 300; count++) {
      const { a, b, p, q, overlap } = randomPair(random)
      const way = DIRECTIONS[Math.floor(random.next() * DIRECTIONS.length)]
      const gap = 10 ** random.between(-6, 0)
      const position = /** @type {Vector} */ (way.map((x) => x * (overlap(way) + gap)))
      const found = distance(a, { orientation: p }, b, { position, orientation: q })
      const what = `${count}: ${JSON.stringify([a, b])}`
      assert.ok(found.distance >= gap - 1e-9, `${what}: ${found.distance} < ${gap}`)
      const normal = /** @type {Vector} */ (found.normal)
      near(dot(position, normal) - overlap(normal), found.distance, 1e-8, what)
      const between = found.pointB.map((x, i) => x - found.pointA[i])
      near(Math.hypot(...between), found.distance, 1e-9, `points of ${what}`)
    }
  })
})
