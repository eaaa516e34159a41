import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { collide, distance, init } from 'moreau'
import { hullArea } from './hull-area.mjs'
import {
  alongX,
  at,
  floor,
  hit,
  onItsHead,
  standing,
  tetrahedron,
  turned,
  X,
  Y,
  Z,
} from './shapes-support.mjs'
import { cube, near, nearVector } from './support.mjs'

/** @typedef {import('moreau').ShapeDefinition} ShapeDefinition */
/** @typedef {import('moreau').Collision} Collision */
/** @typedef {import('./shapes-support.mjs').Vector} Vector */
/** @typedef {import('./shapes-support.mjs').Pose} Pose */

before(() => init())

/** @param {number} radius @param {number} halfHeight @param {number} [rounding] */
const cylinder = (radius, halfHeight, rounding) =>
  /** @type {const} */ ({ type: 'cylinder', radius, halfHeight, rounding })
/** @param {number} radius @param {number} halfHeight @param {number} [rounding] */
const cone = (radius, halfHeight, rounding) =>
  /** @type {const} */ ({ type: 'cone', radius, halfHeight, rounding })
/** @param {number} radius @param {number} halfHeight */
const capsule = (radius, halfHeight) =>
  /** @type {const} */ ({ type: 'capsule', radius, halfHeight })
/** @param {Vector} halfExtents @param {number} [radius] */
const box = (halfExtents, radius) => /** @type {const} */ ({ type: 'box', halfExtents, radius })

/** @param {Collision} collision the points, sorted by their coordinates */
const places = ({ manifold }) =>
  manifold
    .map(({ position }) => position)
    .sort(([a, b, c], [p, q, r]) => (near3(a, p) ? (near3(b, q) ? c - r : b - q) : a - p))
/** @param {number} a @param {number} b */
const near3 = (a, b) => Math.abs(a - b) < 1e-3

/**
 * @param {Collision} collision
 * @param {Vector} normal
 * @param {number} depth
 */
function along(collision, normal, depth) {
  nearVector(collision.normal, normal, 1e-6, 'normal')
  near(collision.penetrationDepth, depth, 1e-6, 'depth')
}

/**
 * The points of a manifold, in the order of their coordinates.
 *
 * @param {Collision} collision
 * @param {Vector[]} expected
 */
function pointsAt(collision, expected) {
  const points = places(collision)
  assert.equal(points.length, expected.length, `${JSON.stringify(points)}`)
  for (const [i, point] of points.entries()) nearVector(point, expected[i], 1e-6, `point ${i}`)
}

/**
 * Three or four points, all within a circle, with an area.
 *
 * @param {Collision} collision
 * @param {{ radius: number, x?: number, area: number, rim?: boolean }} expected circle about x, 0
 */
function patch(collision, { radius, x = 0, area, rim = false }) {
  const points = places(collision)
  assert.ok(points.length >= 3, `${points.length} points`)
  for (const point of points) {
    const reach = Math.hypot(point[0] - x, point[1])
    assert.ok(reach < radius + 1e-6, `${point} is outside`)
    if (rim) near(reach, radius, 1e-6, 'distance from the axis')
  }
  assert.ok(hullArea(points) >= area, `area ${hullArea(points)}`)
}

describe('round shapes and planes', () => {
  test('A74 support points of each shape', () => {
    const plane = /** @type {const} */ ({ type: 'plane', normal: [2, 3, 6], offset: 0.3 })
    const turn = turned([[1, 2, 2], 50])
    const normal = [-0.28571429, -0.42857143, -0.85714286]
    /** @type {[ShapeDefinition, Vector, number, Vector][]} */
    const cases = [
      [
        cylinder(0.5, 0.8),
        [0.328, 0.493, 0.985],
        0.0198979708,
        [0.34674879, -0.1283668, 0.27538617],
      ],
      [cone(0.6, 0.5), [0.302, 0.454, 0.907], 0.0201249815, [0.12609329, 0.07707223, 0.24595364]],
      [
        capsule(0.2, 0.7),
        [0.252, 0.378, 0.757],
        0.019809832,
        [0.49677818, -0.26879836, 0.29569498],
      ],
      [
        box([0.5, 0.3, 0.2], 0.1),
        [0.216, 0.323, 0.647],
        0.0197976618,
        [-0.142431, -0.23604274, 0.4924011],
      ],
      [
        cone(0.4, 0.5, 0.05),
        [0.27, 0.405, 0.81],
        0.0198135531,
        [0.21032911, -0.00130519, 0.25742708],
      ],
    ]
    for (const [shape, position, depth, pointA] of cases) {
      const found = hit(shape, at(position, turn), plane, {})
      nearVector(found.normal, normal, 1e-8, 'normal')
      near(found.penetrationDepth, depth, 1e-8, 'depth')
      nearVector(found.contactPointA, pointA, 2e-8, 'point on A')
    }
  })

  test('A75 a cylinder stands, lies and leans on its rim', () => {
    const shape = cylinder(0.5, 1)
    const stands = hit(shape, at([0, 0, 0.99], standing), floor, {})
    along(stands, [0, 0, -1], 0.01)
    patch(stands, { radius: 0.5, area: 0.3, rim: true })
    const lies = hit(shape, at([0, 0, 0.49], alongX), floor, {})
    along(lies, [0, 0, -1], 0.01)
    pointsAt(lies, [
      [-1, 0, -0.005],
      [1, 0, -0.005],
    ])
    const leans = hit(shape, at([0, 0, 1.1060254038], turned([Y, 30], [X, 90])), floor, {})
    along(leans, [0, 0, -1], 0.01)
    assert.equal(leans.manifold.length, 1)
    nearVector(leans.contactPointA, [-0.066987298, 0, -0.01], 1e-6, 'rim')
  })

  test('A76 cones and capsules', () => {
    const shape = cone(0.3, 0.4)
    const tip = hit(shape, at([0, 0, 0.395], onItsHead), floor, {})
    along(tip, [0, 0, -1], 0.005)
    assert.equal(tip.manifold.length, 1)
    nearVector(tip.contactPointA, [0, 0, -0.005], 1e-6, 'tip')
    const base = hit(shape, at([0, 0, 0.395], standing), floor, {})
    along(base, [0, 0, -1], 0.005)
    patch(base, { radius: 0.3, area: 0.1, rim: true })
    const slope = (Math.atan2(0.3, 0.8) * 180) / Math.PI
    const side = hit(shape, at([0, 0, 0.1354493766], turned([Y, slope], [Z, -90])), floor, {})
    along(side, [0, 0, -1], 0.005)
    pointsAt(side, [
      [-0.4798687035, 0, -0.0025],
      [0.374531671, 0, -0.0025],
    ])
    const long = capsule(0.2, 0.5)
    const lies = hit(long, at([0, 0, 0.195], alongX), floor, {})
    along(lies, [0, 0, -1], 0.005)
    pointsAt(lies, [
      [-0.5, 0, -0.0025],
      [0.5, 0, -0.0025],
    ])
    assert.equal(hit(long, at([0, 0, 0.695], standing), floor, {}).manifold.length, 1)
    const tilted = hit(long, at([0, 0, 0.366010072], turned([Y, 20], [Z, -90])), floor, {})
    along(tilted, [0, 0, -1], 0.005)
    assert.equal(tilted.manifold.length, 1)
    nearVector(tilted.contactPointA, [0.46984631, 0, -0.005], 1e-6, 'tilted capsule')
  })

  test('A81 a rounded box lies, leans on an edge and stands on a corner', () => {
    const shape = box([0.5, 0.3, 0.2], 0.1)
    const flat = hit(shape, at([0, 0, 0.295]), floor, {})
    along(flat, [0, 0, -1], 0.005)
    const corners = /** @type {Vector[]} */ (
      [
        [-0.5, -0.3],
        [-0.5, 0.3],
        [0.5, -0.3],
        [0.5, 0.3],
      ].map(([x, y]) => [x, y, -0.0025])
    )
    pointsAt(flat, corners)
    const edge = hit(shape, at([0, 0, 0.569602693], turned([Y, 40])), floor, {})
    along(edge, [0, 0, -1], 0.005)
    pointsAt(edge, [
      [0.2544646996, -0.3, -0.0025],
      [0.2544646996, 0.3, -0.0025],
    ])
    const corner = turned([[-0.3, 0.5, 0], 108.9318232])
    const point = hit(shape, at([0, 0, 0.7114414], corner), floor, {})
    along(point, [0, 0, -1], 0.005)
    assert.equal(point.manifold.length, 1)
    nearVector(point.contactPointA, [0, 0, -0.005], 1e-6, 'corner')
  })
})

describe('round shapes and others', () => {
  test('A77 a cylinder on a box, and a box edge on a cylinder', () => {
    const overEdge = hit(cylinder(0.5, 0.5), at([0.5, 0, 0.99], standing), cube, {})
    along(overEdge, [0, 0, -1], 0.01)
    patch(overEdge, { radius: 0.5, x: 0.5, area: 0.1963 })
    for (const [x] of places(overEdge)) assert.ok(x > -1e-6 && x < 0.5 + 1e-6, `x ${x}`)
    const lies = hit(cylinder(0.5, 1), at([0.2, 0, 0.99], alongX), cube, {})
    along(lies, [0, 0, -1], 0.01)
    pointsAt(lies, [
      [-0.5, 0, 0.495],
      [0.5, 0, 0.495],
    ])
    const edge = at([1.1871067812, 0, 0], turned([Z, 45]))
    const beside = hit(cylinder(0.5, 0.5), at([0, 0, 0], standing), cube, edge)
    along(beside, [1, 0, 0], 0.02)
    pointsAt(beside, [
      [0.49, 0, -0.5],
      [0.49, 0, 0.5],
    ])
  })

  test('A78 two cylinders: crossed, parallel, one on the other', () => {
    const crossed = hit(
      ...[cylinder(0.3, 1), at([0, 0, 0.78], turned()), cylinder(0.5, 1), at([0, 0, 0], alongX)],
    )
    along(crossed, [0, 0, -1], 0.02)
    pointsAt(crossed, [[0, 0, 0.49]])
    const parallel = hit(
      ...[cylinder(0.3, 1), at([0, 0.78, 0], alongX), cylinder(0.5, 1), at([0.6, 0, 0], alongX)],
    )
    along(parallel, [0, -1, 0], 0.02)
    pointsAt(parallel, [
      [-0.4, 0.49, 0],
      [1, 0.49, 0],
    ])
    const upon = hit(
      ...[
        cylinder(0.3, 0.5),
        at([0.4, 0, 0.98], standing),
        cylinder(0.5, 0.5),
        at([0, 0, 0], standing),
      ],
    )
    along(upon, [0, 0, -1], 0.02)
    patch(upon, { radius: 0.5, area: 0.0729 })
    patch(upon, { radius: 0.3, x: 0.4, area: 0.0729 })
  })

  test('A79 cones: tip in a face, tip beside tip, a ball at the side', () => {
    const shape = cone(0.3, 0.4)
    const tip = hit(shape, at([0.2, 0.1, 0.88], onItsHead), cube, {})
    along(tip, [0, 0, -1], 0.02)
    assert.equal(tip.manifold.length, 1)
    nearVector(tip.contactPointB, [0.2, 0.1, 0.5], 1e-6, 'on the box')
    const tips = hit(shape, at([0, 0, 0.78], onItsHead), shape, at([0, 0, 0], standing))
    near(tips.penetrationDepth, 0.0070224688, 1e-6, 'depth of two tips')
    near(tips.normal[2], -0.3511234416, 1e-6, 'normal of two tips')
    const ball = /** @type {const} */ ({ type: 'sphere', radius: 0.25 })
    const side = hit(shape, at([0, 0, 0], standing), ball, at([0.365355711, 0, 0.080758392]))
    along(side, [0.9363291776, 0, 0.3511234416], 0.02)
    nearVector(side.contactPointA, [0.15, 0, 0], 1e-6, 'on the cone')
  })

  test('A80 capsules, and one along an edge of a box', () => {
    const first = capsule(0.2, 0.6)
    const second = capsule(0.3, 0.5)
    const pose = at([0, 0, 0], alongX)
    const crossed = hit(first, pose, second, at([0, 0, 0.47], turned([Z, -30])))
    along(crossed, [0, 0, 1], 0.03)
    assert.equal(crossed.manifold.length, 1)
    const parallel = hit(first, pose, second, at([0.7, 0.49, 0], alongX))
    along(parallel, [0, 1, 0], 0.01)
    assert.deepEqual(
      places(parallel).map(([x]) => Math.round(x * 1e6) / 1e6),
      [0.2, 0.6],
    )
    const ends = hit(first, pose, second, at([1.35, 0.1, 0], alongX))
    along(ends, [0.928476691, 0.371390676, 0], 0.2307417596)
    assert.equal(ends.manifold.length, 1)
    const edge = hit(first, at([0, 0.631421356, 0.631421356], alongX), cube, {})
    along(edge, [0, -Math.SQRT1_2, -Math.SQRT1_2], 0.0141421356)
    assert.deepEqual(
      places(edge).map(([x]) => Math.round(x * 1e6) / 1e6),
      [-0.5, 0.5],
    )
  })

  test('A81 rounded boxes: edge on edge, face on face', () => {
    const shape = box([0.5, 0.5, 0.5], 0.1)
    const edges = hit(
      shape,
      at([0, 0, 0], turned([Y, 45])),
      shape,
      at([0, 0, 1.5], turned([X, 45])),
    )
    along(edges, [0, 0, 1], 0.1142135624)
    assert.equal(edges.manifold.length, 1)
    const faces = hit(shape, {}, shape, at([1.195, 0.3, 0]))
    along(faces, [1, 0, 0], 0.005)
    pointsAt(faces, [
      [0.5975, -0.2, -0.5],
      [0.5975, -0.2, 0.5],
      [0.5975, 0.5, -0.5],
      [0.5975, 0.5, 0.5],
    ])
  })

  test('A83 generic poses', () => {
    /** @type {[ShapeDefinition, Pose, ShapeDefinition, Pose, number, Vector][]} */
    const cases = [
      [
        ...[cylinder(0.5, 0.4), at([0, 0, 0], turned([[0, 0, 1], 160]))],
        ...[cone(0.4, 0.5), at([0.88, 0.43, -0.52], turned([[-2, -2, 2], 160]))],
        ...[0.03104898, [0.34202, 0.93969, 0]],
      ],
      [
        ...[cylinder(0.5, 0.4), at([0, 0, 0], turned([[-1, 0, 1], 100]))],
        ...[cylinder(0.3, 0.7), at([0.53, -0.72, -0.16], turned([[-2, -2, 2], 130]))],
        ...[0.02720994, [0.32508, -0.93743, 0.12474]],
      ],
      [
        ...[cone(0.6, 0.5), at([0, 0, 0], turned([[-2, -1, -2], 80]))],
        ...[box([0.4, 0.3, 0.5]), at([-1.12, -0.37, 0.01], turned([[2, -2, -1], 80]))],
        ...[0.03394019, [-0.84343, -0.46869, 0.2626]],
      ],
      [
        ...[cylinder(0.5, 0.4), at([0, 0, 0], turned([[-2, -1, 0], 90]))],
        .../** @type {const} */ ([
          { type: 'hull', points: tetrahedron(0.4) },
          at([-0.8, -0.07, -0.18], turned([[-2, 2, 1], 160])),
        ]),
        ...[0.01664215, [-0.8998, -0.09986, -0.42473]],
      ],
      [
        ...[cone(0.4, 0.5), at([0, 0, 0], turned([[1, -2, -1], 160]))],
        ...[capsule(0.2, 0.5), at([-0.29, -0.1, 0.53], turned([[0, 0, -1], 30]))],
        ...[0.02803654, [0.43431, -0.25075, 0.86516]],
      ],
      [
        ...[box([0.4, 0.3, 0.5], 0.1), at([0, 0, 0], turned([[1, 2, 0], 20]))],
        ...[cone(0.4, 0.5), at([0.12, 0.08, -0.86], turned([[1, 0, 2], 80]))],
        ...[0.01778623, [-0.04164, 0.15386, -0.98721]],
      ],
    ]
    for (const [a, poseA, b, poseB, depth, normal] of cases) {
      const there = hit(a, poseA, b, poseB)
      const what = `${a.type} and ${b.type}`
      near(there.penetrationDepth, depth, 1e-6, `depth of ${what}`)
      nearVector(there.normal, normal, 1e-3, `normal of ${what}`)
      const back = hit(b, poseB, a, poseA)
      near(back.penetrationDepth, there.penetrationDepth, 1e-12, 'the other way round')
      nearVector(
        back.normal,
        there.normal.map((x) => -x),
        1e-12,
        'the other way round',
      )
    }
  })
})

describe('distances of round shapes', () => {
  test('A82', () => {
    const ball = /** @type {const} */ ({ type: 'sphere', radius: 0.2 })
    const tall = cylinder(0.5, 0.8)
    const first = distance(tall, {}, ball, at([1.2, 1.5, 0.3]))
    near(first.distance, 0.8163996814, 1e-8, 'cylinder and ball')
    nearVector(first.pointA, [0.48507125, 0.8, 0.12126781], 1e-6, 'rim')
    const other = at([1.9, 0.4, 0.5], turned([[1, 1, 0], 60]))
    const second = distance(tall, {}, cylinder(0.4, 0.6), other)
    near(second.distance, 0.874523875, 1e-8, 'two cylinders')
    nearVector(second.normal, [0.992762, 0, 0.120096], 1e-6, 'normal of two cylinders')
    nearVector(second.pointA, [0.496381, 0.05194, 0.060048], 1e-6, 'on A')
    nearVector(second.pointB, [1.364575, 0.05194, 0.165075], 1e-6, 'on B')
    const tilted = at([0.2, -0.1, 1.6], turned([[1, 0, 1], 100]))
    const third = distance(box([0.5, 0.4, 0.3]), {}, cone(0.5, 0.6), tilted)
    near(third.distance, 0.523337184, 1e-8, 'box and cone')
    nearVector(third.normal, [0, 0, 1], 1e-6, 'normal of box and cone')
    nearVector(third.pointA, [0.279982, -0.080055, 0.3], 1e-6, 'on the box')
    const leaning = at([2, 1, 1.2], turned([[0, 1, 1], 70]))
    const fourth = distance(cone(0.6, 0.7), {}, capsule(0.2, 0.5), leaning)
    near(fourth.distance, 2.030940243, 1e-8, 'cone and capsule')
    nearVector(fourth.normal, [0.711388, 0.393919, 0.582026], 1e-6, 'normal of cone and capsule')
    nearVector(fourth.pointA, [0.080704, 0.456695, 0.066029], 1e-6, 'on the cone')
  })

  test('shapes that do not touch do not collide', () => {
    assert.equal(collide(cylinder(0.5, 0.8), {}, cone(0.4, 0.5), at([0.9001, 0.5, 0])), null)
    assert.equal(collide(cone(0.5, 0.8), {}, cone(0.5, 0.8), at([0, 1.6001, 0])), null)
  })
})
