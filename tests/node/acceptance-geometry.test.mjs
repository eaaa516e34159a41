import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ConvexHull, init } from 'moreau'
import { Random } from '../../scenarios/random.mjs'
import { dot } from '../../scenarios/vector.mjs'
import { near, nearVector, throwsCode } from './support.mjs'

/** @typedef {[number, number, number]} Vector */

before(() => init())

const cubeCorners = box([0, 0, 0], [0.5, 0.5, 0.5])

/**
 * Corners of a box.
 *
 * @param {Vector} middle
 * @param {Vector} half
 * @returns {Vector[]}
 */
function box(middle, half) {
  const signs = [-1, 1]
  return signs.flatMap((x) =>
    signs.flatMap((y) =>
      signs.map(
        (z) =>
          /** @type {Vector} */ ([
            middle[0] + x * half[0],
            middle[1] + y * half[1],
            middle[2] + z * half[2],
          ]),
      ),
    ),
  )
}

/**
 * Every facet's normal is unit and outward, and every vertex lies on or behind its plane.
 *
 * @param {ConvexHull} hull
 * @param {number} tolerance m
 */
function assertOutwardFacets(hull, tolerance = 1e-12) {
  for (const { vertices, normal, offset } of hull.facets) {
    near(Math.hypot(...normal), 1, 1e-12, 'length of a normal')
    near(dot(normal, hull.vertices[vertices[0]]), offset, tolerance, 'offset of a facet')
    assert.ok(dot(normal, hull.centroid) < offset, 'the centroid is behind every facet')
    for (const vertex of hull.vertices) {
      assert.ok(dot(normal, vertex) <= offset + tolerance, 'a vertex in front of a facet')
    }
  }
}

describe('convex hulls', () => {
  test('A01 cube with interior points and duplicates', () => {
    const random = new Random(1)
    /** @type {Vector[]} */
    const interior = Array.from({ length: 20 }, () => [
      random.between(-0.49, 0.49),
      random.between(-0.49, 0.49),
      random.between(-0.49, 0.49),
    ])
    const hull = ConvexHull.fromPoints([...interior, ...cubeCorners, ...cubeCorners])
    near(hull.volume, 1, 1e-12, 'volume')
    near(hull.surfaceArea, 6, 1e-12, 'area')
    nearVector(hull.centroid, [0, 0, 0], 1e-12, 'centroid')
    assert.equal(hull.vertices.length, 8)
    assert.equal(hull.facets.length, 12)
    assert.equal(hull.faces.length, 6)
    assert.ok(hull.faces.every((face) => face.vertices.length === 4))
    assertOutwardFacets(hull)
  })

  test('A02 tetrahedron of the seed: measures, contains, signed distance', () => {
    const hull = ConvexHull.fromPoints([
      [0, 0, 0],
      [1, 0, 0],
      [0.5, 1, 0],
      [0.5, 0.5, 1],
    ])
    near(hull.volume, 1 / 6, 1e-9, 'volume')
    near(hull.surfaceArea, 2.204660918114, 1e-9, 'area')
    nearVector(hull.centroid, [0.5, 0.375, 0.25], 1e-9, 'centroid')
    assert.equal(hull.facets.length, 4)
    assert.equal(hull.contains([0.5, 0.5, 0.25]), true)
    assert.equal(hull.contains([0.5, 0.5, 1.01]), false)
    near(hull.signedDistance([0.5, 0.5, 0.25]), -0.1636634177, 1e-9, 'distance of (.5,.5,.25)')
    near(hull.signedDistance([0.5, 0.375, 0.25]), -0.2182178902, 1e-9, 'distance of the centroid')
  })

  test('A03 octahedron: volume, area, inertia', () => {
    const hull = ConvexHull.fromPoints([
      [1, 0, 0],
      [-1, 0, 0],
      [0, 1, 0],
      [0, -1, 0],
      [0, 0, 1],
      [0, 0, -1],
    ])
    near(hull.volume, 4 / 3, 1e-12, 'volume')
    near(hull.surfaceArea, 4 * Math.sqrt(3), 1e-12, 'area')
    nearVector(hull.inertia(1), [0.2, 0, 0, 0, 0.2, 0, 0, 0, 0.2], 1e-12, 'inertia')
    nearVector(hull.inertia(7), [1.4, 0, 0, 0, 1.4, 0, 0, 0, 1.4], 1e-12, 'inertia of 7 kg')
  })

  test('A04 square pyramid: its centroid is a quarter up', () => {
    const hull = ConvexHull.fromPoints([
      [-0.5, -0.5, 0],
      [0.5, -0.5, 0],
      [0.5, 0.5, 0],
      [-0.5, 0.5, 0],
      [0, 0, 1],
    ])
    near(hull.volume, 1 / 3, 1e-12, 'volume')
    near(hull.surfaceArea, 1 + Math.sqrt(5), 1e-12, 'area')
    nearVector(hull.centroid, [0, 0, 0.25], 1e-12, 'centroid')
    nearVector(hull.inertia(1), [0.0875, 0, 0, 0, 0.0875, 0, 0, 0, 0.1], 1e-12, 'inertia')
  })

  test('A05 points that span no volume are refused, each way with its own code', () => {
    /** @type {Vector[]} */
    const line = Array.from({ length: 10 }, (_, index) => [index, 2 * index, -index])
    /** @type {[string, Vector[]][]} */
    const cases = [
      ['hull-empty', []],
      ['hull-too-few-points', cubeCorners.slice(0, 3)],
      [
        'hull-coplanar',
        [
          [0, 0, 0],
          [1, 0, 0],
          [1, 1, 0],
          [0, 1, 0],
        ],
      ],
      ['hull-collinear', line],
      ['hull-all-equal', Array.from({ length: 8 }, () => [1, 2, 3])],
      ['hull-not-finite', [...cubeCorners, [NaN, 0, 0]]],
      ['hull-not-finite', [...cubeCorners, [0, Infinity, 0]]],
      ['hull-not-finite', [...cubeCorners, [0, 0, -Infinity]]],
    ]
    for (const [code, points] of cases) throwsCode(() => ConvexHull.fromPoints(points), code)
    // A plane and a line that are not along the axes.
    throwsCode(
      () =>
        ConvexHull.fromPoints(
          Array.from({ length: 30 }, (_, i) => [i % 5, i % 7, (i % 5) + 2 * (i % 7)]),
        ),
      'hull-coplanar',
    )
    // The engine is as good as new.
    near(ConvexHull.fromPoints(cubeCorners).volume, 1, 1e-12, 'volume of a cube after errors')
  })

  test('A06 nearly coplanar points make flat faces', () => {
    const random = new Random(6)
    /** @type {Vector[]} */
    const points = []
    for (const z of [-0.5, 0.5]) {
      for (let i = 0; i <= 4; i++) {
        for (let j = 0; j <= 4; j++) {
          points.push([i / 4 - 0.5, j / 4 - 0.5, z + random.between(-1e-13, 1e-13)])
        }
      }
    }
    const hull = ConvexHull.fromPoints(points)
    near(hull.volume, 1, 1e-9, 'volume')
    near(hull.surfaceArea, 6, 1e-9, 'area')
    assert.equal(hull.faces.length, 6, 'faces of a cube')
  })

  test('A06 200 points on a sphere lie inside or on every facet', () => {
    const random = new Random(66)
    const points = Array.from({ length: 200 }, () => {
      const [x, y, z, w] = random.orientation()
      // The first column of the rotation: a point of the unit sphere.
      return /** @type {Vector} */ ([
        1 - 2 * (y * y + z * z),
        2 * (x * y + w * z),
        2 * (x * z - w * y),
      ])
    })
    const hull = ConvexHull.fromPoints(points)
    assert.equal(hull.vertices.length, 200)
    assert.equal(hull.facets.length, 396, 'Euler: 2 n - 4 triangles')
    for (const point of points) {
      for (const { normal, offset } of hull.facets) {
        assert.ok(dot(normal, point) <= offset + 1e-9)
      }
    }
  })
})

describe('mass properties', () => {
  test('A07 boxes: m (b² + c²) / 12', () => {
    /** @type {[Vector, number][]} */
    const cases = [
      [[2, 3, 4], 1],
      [[0.1, 0.2, 5], 12],
      [[1, 1, 1], 0.001],
    ]
    for (const [[a, b, c], mass] of cases) {
      const hull = ConvexHull.fromPoints(box([0, 0, 0], [a / 2, b / 2, c / 2]))
      const moment = (/** @type {number} */ x, /** @type {number} */ y) =>
        (mass * (x * x + y * y)) / 12
      near(hull.volume, a * b * c, 1e-12 * a * b * c, 'volume')
      near(hull.surfaceArea, 2 * (a * b + b * c + c * a), 1e-11, 'area')
      const expected = [moment(b, c), 0, 0, 0, moment(a, c), 0, 0, 0, moment(a, b)]
      nearVector(hull.inertia(mass), expected, 1e-12 * Math.max(1, ...expected), 'inertia')
    }
  })

  test('A09 corner tetrahedron: products of inertia have their sign', () => {
    const hull = ConvexHull.fromPoints([
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ])
    nearVector(hull.centroid, [0.25, 0.25, 0.25], 1e-12, 'centroid')
    // About the centroid: diagonal 3/40, and -integral of xy is +1/80.
    const expected = [0.075, 0.0125, 0.0125, 0.0125, 0.075, 0.0125, 0.0125, 0.0125, 0.075]
    nearVector(hull.inertia(1), expected, 1e-12, 'inertia')
  })

  test('A10 regular tetrahedron', () => {
    const hull = ConvexHull.fromPoints([
      [1, 1, 1],
      [1, -1, -1],
      [-1, 1, -1],
      [-1, -1, 1],
    ])
    near(hull.volume, 8 / 3, 1e-12, 'volume')
    nearVector(hull.inertia(1), [0.4, 0, 0, 0, 0.4, 0, 0, 0, 0.4], 1e-12, 'inertia')
  })

  for (const offset of [1e3, 1e6]) {
    test(`A11 unit cube ${offset} m away from the origin keeps its inertia`, () => {
      const middle = /** @type {Vector} */ ([offset, offset, offset])
      const hull = ConvexHull.fromPoints(box(middle, [0.5, 0.5, 0.5]))
      near(hull.volume, 1, 1e-9, 'volume')
      nearVector(hull.centroid, middle, 1e-15 * offset, 'centroid')
      const sixth = 1 / 6
      nearVector(hull.inertia(1), [sixth, 0, 0, 0, sixth, 0, 0, 0, sixth], 1e-8, 'inertia')
    })
  }

  test('A07 n-gonal prisms: volume and inertia by closed formulas', () => {
    for (const n of [3, 5, 8, 17]) {
      const [radius, height] = [0.7, 1.3]
      /** @type {Vector[]} */
      const points = []
      for (let k = 0; k < n; k++) {
        const angle = (2 * Math.PI * k) / n
        for (const z of [-height / 2, height / 2]) {
          points.push([radius * Math.cos(angle), radius * Math.sin(angle), z])
        }
      }
      const hull = ConvexHull.fromPoints(points)
      const area = 0.5 * n * radius * radius * Math.sin((2 * Math.PI) / n)
      near(hull.volume, area * height, 1e-12, `volume of a prism of ${n}`)
      // Polar moment of a regular polygon: m R² (1 + 2 cos²(pi/n)) / 6.
      const polar = (radius * radius * (1 + 2 * Math.cos(Math.PI / n) ** 2)) / 6
      const side = polar / 2 + (height * height) / 12
      nearVector(hull.inertia(1), [side, 0, 0, 0, side, 0, 0, 0, polar], 1e-12, `prism of ${n}`)
    }
  })
})
