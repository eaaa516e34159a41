import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { collide, createShape, distance, init, World } from 'moreau'

/** @typedef {import('moreau').ShapeDefinition} ShapeDefinition */

const ball = /** @type {const} */ ({ type: 'sphere', radius: 1 })
const cube = /** @type {const} */ ({ type: 'box', halfExtents: [1, 1, 1] })
const floor = /** @type {const} */ ({ type: 'plane', normal: [0, 2, 0], offset: 0 })
const tetrahedron = /** @type {const} */ ({
  type: 'hull',
  points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
})
const capsule = /** @type {const} */ ({ type: 'capsule', radius: 0.5, halfHeight: 1 })
const half = Math.SQRT1_2

before(() => init())

/**
 * @param {readonly number[]} actual
 * @param {readonly number[]} expected
 * @param {number} [tolerance]
 */
function nearAll(actual, expected, tolerance = 1e-9) {
  assert.equal(actual.length, expected.length)
  actual.forEach((x, i) => {
    assert.ok(Math.abs(x - expected[i]) <= tolerance, `${actual}, expected ${expected}`)
  })
}

describe('collide', () => {
  test('two balls', () => {
    const hit = collide(ball, {}, ball, { position: [1.5, 0, 0] })
    assert.ok(hit)
    nearAll(hit.normal, [1, 0, 0])
    nearAll([hit.penetrationDepth], [0.5])
    nearAll(hit.contactPointA, [1, 0, 0])
    nearAll(hit.contactPointB, [0.5, 0, 0])
    assert.equal(hit.manifold.length, 1)
    nearAll(hit.manifold[0].position, [0.75, 0, 0])
    nearAll([hit.manifold[0].penetrationDepth], [0.5])
    assert.deepEqual(Object.keys(hit), [
      'normal',
      'penetrationDepth',
      'contactPointA',
      'contactPointB',
      'manifold',
    ])
  })

  test('null where they do not touch', () => {
    for (const shape of [ball, cube, tetrahedron]) {
      assert.equal(collide(shape, {}, ball, { position: [5, 0, 0] }), null)
      assert.equal(collide(floor, {}, shape, { position: [0, 5, 0] }), null)
    }
  })

  test('a cube on a cube has four points', () => {
    const hit = collide(cube, {}, cube, { position: [0.5, 1.9, 0.5] })
    assert.ok(hit)
    nearAll(hit.normal, [0, 1, 0])
    nearAll([hit.penetrationDepth], [0.1])
    assert.equal(hit.manifold.length, 4)
    for (const point of hit.manifold) {
      nearAll([point.position[1], point.penetrationDepth], [0.95, 0.1])
    }
  })

  test('a capsule that lies on a cube or a floor has two points', () => {
    const shape = createShape(capsule)
    assert.deepEqual([shape.type, shape.radius, shape.halfHeight], ['capsule', 0.5, 1])
    const lying = { position: [0, 1.4, 0], orientation: [0, 0, half, half] }
    const wide = /** @type {const} */ ({ type: 'box', halfExtents: [3, 1, 3] })
    const raised = /** @type {const} */ ({ type: 'plane', offset: 1 })
    for (const below of [wide, raised]) {
      const hit = collide(below, {}, shape, lying)
      assert.ok(hit)
      nearAll(hit.normal, [0, 1, 0])
      nearAll([hit.penetrationDepth], [0.1])
      assert.equal(hit.manifold.length, 2)
      nearAll(
        hit.manifold.map(({ position }) => Math.abs(position[0])),
        [1, 1],
      )
    }
    nearAll([distance(wide, {}, shape, { position: [0, 3, 0] }).distance], [0.5])
    shape.free()
  })

  test('the normal points from A to B, in either order', () => {
    const above = { position: [0, 0.9, 0] }
    const first = collide(floor, {}, ball, above)
    const second = collide(ball, above, floor, {})
    assert.ok(first && second)
    nearAll(first.normal, [0, 1, 0])
    nearAll(second.normal, [0, -1, 0])
    nearAll([first.penetrationDepth, second.penetrationDepth], [0.1, 0.1])
  })

  test('every pair of shapes that may touch does', () => {
    const shapes = [ball, cube, tetrahedron, capsule]
    for (const a of shapes) {
      assert.ok(collide(a, { position: [0, -0.1, 0] }, floor, {}), `${a.type} on plane`)
      for (const b of shapes) {
        const hit = collide(a, {}, b, { position: [0.1, 0.2, 0.15] })
        assert.ok(hit && hit.penetrationDepth > 0, `${a.type} in ${b.type}`)
        assert.ok(hit.manifold.length >= 1 && hit.manifold.length <= 4)
      }
    }
  })

  test("a shape's own placement applies inside its pose", () => {
    const shifted = createShape({ ...ball, position: [2, 0, 0] })
    const pose = { position: [0, 0, 5], orientation: [0, 0, half, half] }
    const hit = collide(shifted, pose, ball, { position: [0, 3.5, 5] })
    assert.ok(hit)
    nearAll(hit.normal, [0, 1, 0])
    nearAll([hit.penetrationDepth], [0.5])
    const turned = { ...cube, orientation: [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)] }
    const tip = distance(turned, {}, ball, { position: [4, 0, 0] })
    nearAll([tip.distance], [3 - Math.SQRT2])
  })

  test('orientations need not be of unit length', () => {
    const pose = { position: [0, 3.5, 0], orientation: { x: 0, y: 0, z: 1e-200, w: 1e-200 } }
    nearAll([distance(ball, {}, cube, pose).distance], [1.5])
  })
})

describe('distance', () => {
  test('of shapes that are apart', () => {
    const apart = distance(ball, {}, cube, { position: [5, 0, 0] })
    nearAll([apart.distance], [3])
    nearAll(apart.pointA, [1, 0, 0])
    nearAll(apart.pointB, [4, 0, 0])
    nearAll(apart.normal, [1, 0, 0])
    nearAll([distance(floor, {}, ball, { position: [3, 4, 0] }).distance], [3])
    nearAll([distance(tetrahedron, {}, ball, { position: [0, 0, 3] }).distance], [1])
  })

  test('of shapes that overlap is 0', () => {
    const overlapping = distance(ball, {}, cube, { position: [1, 0, 0] })
    assert.equal(overlapping.distance, 0)
    nearAll(overlapping.normal, [0, 0, 0], 0)
  })
})

describe('bad arguments', () => {
  for (const [name, check] of /** @type {const} */ ([
    ['collide', collide],
    ['distance', distance],
  ])) {
    test(`of ${name} are named`, () => {
      const call = /** @type {(...args: any[]) => unknown} */ (check)
      const cases = /** @type {[any[], string, RegExp][]} */ ([
        [[null, {}, ball, {}], 'invalid-argument', /shapeA must be an object, got null/],
        [[ball, {}, { type: 'ball' }, {}], 'invalid-argument', /shapeB.type must be .*'ball'/],
        [[ball, {}, { type: 'compound' }, {}], 'invalid-argument', /shapeB.shapes must be/],
        [[ball, undefined, ball, {}], 'invalid-argument', /poseA must be an object/],
        [[ball, {}, ball, { position: [0, NaN, 0] }], 'invalid-argument', /poseB.position .*NaN/],
        [[ball, {}, ball, { orientation: [0, 0, 0, 0] }], 'invalid-argument', /poseB.orientation/],
        [[ball, { posision: [0, 0, 0] }, ball, {}], 'invalid-argument', /did you mean 'position'/],
      ])
      for (const [args, code, message] of cases) {
        assert.throws(() => call(...args), { code, message })
        assert.throws(() => call(...args), { message: new RegExp(`^${name}: `) })
      }
      const freed = createShape(ball)
      freed.free()
      assert.throws(() => call(freed, {}, ball, {}), { code: 'stale-handle' })
    })
  }

  test('leave nothing behind', () => {
    const world = new World()
    collide(ball, {}, tetrahedron, {})
    const { bytes } = world.memory()
    for (let i = 0; i < 10; i++) {
      collide(ball, {}, tetrahedron, {})
      distance(tetrahedron, {}, ball, {})
    }
    assert.equal(world.memory().bytes, bytes)
  })
})
