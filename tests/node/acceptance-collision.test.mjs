import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { collide, distance, init } from 'moreau'
import { Random } from '../../scenarios/random.mjs'
import { dot, subtract } from '../../scenarios/vector.mjs'
import { hullArea } from './hull-area.mjs'
import { cube, near, nearVector, turn } from './support.mjs'

/** @typedef {import('moreau').Collision} Collision */
/** @typedef {[number, number, number]} Vector */

before(() => init())

const atOrigin = { position: [0, 0, 0] }

/**
 * The collision of two shapes that do collide.
 *
 * @param {Parameters<typeof collide>} shapes
 * @returns {Collision}
 */
function hit(...shapes) {
  const collision = collide(...shapes)
  assert.ok(collision, 'they overlap')
  // However they collide: the witness points are apart by the depth along the normal.
  near(Math.hypot(...collision.normal), 1, 1e-12, 'length of the normal')
  const between = subtract(collision.contactPointA, collision.contactPointB)
  near(dot(between, collision.normal), collision.penetrationDepth, 1e-8, 'witness points apart')
  assert.ok(collision.manifold.length >= 1 && collision.manifold.length <= 4)
  return collision
}

describe('two cubes', () => {
  test('A13 hit at 0.9 m, miss by 0.1 m at 1.1 m', () => {
    near(hit(cube, atOrigin, cube, { position: [0.9, 0, 0] }).penetrationDepth, 0.1, 1e-9, 'depth')
    assert.equal(collide(cube, atOrigin, cube, { position: [1.1, 0, 0] }), null)
    const apart = distance(cube, atOrigin, cube, { position: [1.1, 0, 0] })
    near(apart.distance, 0.1, 1e-9, 'distance')
    near(apart.pointA[0], 0.5, 1e-9, 'closest point of A')
    near(apart.pointB[0], 0.6, 1e-9, 'closest point of B')
  })

  test('A13 just touching is either, and ends', () => {
    const touching = collide(cube, atOrigin, cube, { position: [1, 0, 0] })
    if (touching) near(touching.penetrationDepth, 0, 1e-6, 'depth')
    near(distance(cube, atOrigin, cube, { position: [1, 0, 0] }).distance, 0, 1e-6, 'distance')
  })

  test('A13 distances along edges, diagonals and over corners', () => {
    for (const [x, y, z] of [
      [1.3, 0.2, 0],
      [1.5, 1.4, 0.3],
      [1.2, 1.3, 1.4],
      [-3, 2, 5],
      [100, 0.5, -0.5],
    ]) {
      const gap = (/** @type {number} */ c) => Math.max(0, Math.abs(c) - 1)
      const expected = Math.hypot(gap(x), gap(y), gap(z))
      const apart = distance(cube, atOrigin, cube, { position: [x, y, z] })
      near(apart.distance, expected, 1e-9, `distance at ${[x, y, z]}`)
    }
  })

  test('A14 B yawed by 45 degrees', () => {
    const orientation = turn([0, 0, 1], Math.PI / 4)
    const reach = 0.5 + Math.SQRT1_2
    for (const x of [1.1, 1.2]) {
      const { penetrationDepth, normal } = hit(cube, atOrigin, cube, {
        position: [x, 0, 0],
        orientation,
      })
      near(penetrationDepth, reach - x, 1e-7, `depth at ${x}`)
      nearVector(normal, [1, 0, 0], 1e-7, `normal at ${x}`)
    }
    const far = { position: [1.21, 0, 0], orientation }
    assert.equal(collide(cube, atOrigin, cube, far), null)
    near(distance(cube, atOrigin, cube, far).distance, 0.0028932188, 1e-7, 'distance')
  })

  test('A16 swapping A and B negates the normal and swaps the witness points', () => {
    const random = new Random(16)
    let hits = 0
    for (let count = 0; count < 200; count++) {
      const a = { position: [0, 0, 0], orientation: random.orientation() }
      const b = {
        position: [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)],
        orientation: random.orientation(),
      }
      const there = collide(cube, a, cube, b)
      const back = collide(cube, b, cube, a)
      assert.equal(there === null, back === null, 'the same verdict')
      if (!there || !back) continue
      hits++
      near(back.penetrationDepth, there.penetrationDepth, 1e-9, 'depth')
      nearVector(
        back.normal,
        there.normal.map((x) => -x),
        1e-9,
        'normal',
      )
      nearVector(back.contactPointA, there.contactPointB, 1e-9, 'witness of A')
      nearVector(back.contactPointB, there.contactPointA, 1e-9, 'witness of B')
    }
    assert.ok(hits > 50)
  })

  test('A17 edge on edge is one contact between both edges', () => {
    const a = { position: [0, 0, 0], orientation: turn([0, 1, 0], Math.PI / 4) }
    const b = { position: [0, 0, 1.3], orientation: turn([1, 0, 0], Math.PI / 4) }
    const { penetrationDepth, normal, manifold, contactPointA, contactPointB } = hit(
      cube,
      a,
      cube,
      b,
    )
    near(penetrationDepth, Math.SQRT2 - 1.3, 1e-6, 'depth')
    nearVector(normal, [0, 0, 1], 1e-6, 'normal')
    assert.equal(manifold.length, 1)
    nearVector(manifold[0].position, [0, 0, 0.65], 1e-6, 'contact')
    nearVector(contactPointA, [0, 0, Math.SQRT1_2], 1e-6, 'witness of A')
    nearVector(contactPointB, [0, 0, 1.3 - Math.SQRT1_2], 1e-6, 'witness of B')
  })

  test('A19 witness points and manifold of two faces', () => {
    const { penetrationDepth, normal, manifold, contactPointA, contactPointB } = hit(
      cube,
      atOrigin,
      cube,
      { position: [0.9, 0.3, 0] },
    )
    near(penetrationDepth, 0.1, 1e-6, 'depth')
    nearVector(normal, [1, 0, 0], 1e-6, 'normal')
    near(contactPointA[0], 0.5, 1e-6, 'x of the witness of A')
    near(contactPointB[0], 0.4, 1e-6, 'x of the witness of B')
    assert.equal(manifold.length, 4)
    const corners = manifold.map(({ position }) =>
      position.slice(1).map((x) => Math.round(x * 1e6) / 1e6),
    )
    assert.deepEqual(
      corners.map(String).sort(),
      ['-0.2,-0.5', '-0.2,0.5', '0.5,-0.5', '0.5,0.5'],
      'corners of the overlap',
    )
    const meanY = manifold.reduce((sum, { position }) => sum + position[1], 0) / 4
    near(meanY, 0.15, 1e-6, 'centre of the manifold')
  })

  test('A21 a cube yawed by 45 degrees on another: four points of the octagon that hold it', () => {
    const { manifold } = hit(cube, atOrigin, cube, {
      position: [0, 0, 0.99],
      orientation: turn([0, 0, 1], Math.PI / 4),
    })
    const points = manifold.map(({ position }) => position)
    for (const [x, y] of points) {
      assert.ok(Math.max(Math.abs(x), Math.abs(y)) <= 0.5 + 1e-6, 'inside of the lower face')
      assert.ok(
        (Math.abs(x) + Math.abs(y)) * Math.SQRT1_2 <= 0.5 + 1e-6,
        'inside of the upper face',
      )
    }
    assert.ok(hullArea(points) >= 0.5, `area ${hullArea(points)}`)
    for (const axis of [0, 1]) {
      const mean = points.reduce((sum, point) => sum + point[axis], 0) / points.length
      near(mean, 0, 0.1, 'centre of the points')
    }
  })
})

describe('a cube on a floor', () => {
  const slab = /** @type {const} */ ({ type: 'box', halfExtents: [50, 50, 0.5] })

  test('A20 1 cm deep: its four lower corners, each 1 cm deep', () => {
    const { manifold, penetrationDepth, normal } = hit(slab, { position: [0, 0, -0.5] }, cube, {
      position: [0, 0, 0.49],
    })
    near(penetrationDepth, 0.01, 1e-6, 'depth')
    nearVector(normal, [0, 0, 1], 1e-9, 'normal')
    assert.equal(manifold.length, 4)
    for (const point of manifold) {
      near(Math.abs(point.position[0]), 0.5, 1e-6, 'x of a corner')
      near(Math.abs(point.position[1]), 0.5, 1e-6, 'y of a corner')
      near(point.penetrationDepth, 0.01, 1e-6, 'depth of a corner')
    }
  })

  test('A20 far from the middle of the slab and turned, and on a plane', () => {
    const plane = /** @type {const} */ ({ type: 'plane', normal: [0, 0, 1], offset: 0 })
    const pose = { position: [31, -42, 0.495], orientation: turn([0, 0, 1], 0.3) }
    for (const [floor, position] of /** @type {[any, number[]][]} */ ([
      [slab, [0, 0, -0.5]],
      [plane, [0, 0, 0]],
    ])) {
      const { manifold } = hit(floor, { position }, cube, pose)
      assert.equal(manifold.length, 4)
      for (const point of manifold) {
        const [x, y] = subtract(point.position, pose.position)
        near(Math.hypot(x, y), Math.SQRT1_2, 1e-6, 'a corner')
        near(point.penetrationDepth, 0.005, 1e-6, 'depth')
      }
    }
  })
})

describe('a cube that barely touches a floor', () => {
  const slab = /** @type {const} */ ({ type: 'box', halfExtents: [50, 50, 0.5] })

  /** @type {{ position: Vector, orientation: [number, number, number, number] }[]} poses that came up while cubes slid */
  const poses = [
    {
      position: [0.6318289879220358, 0.631828985326987, 0.4999999986165077],
      orientation: [-7.203099736661216e-10, 6.615887918775948e-10, -7.111379320722664e-10, 1],
    },
    {
      position: [2.561056137604156, 2.561056135077725, 0.4999999985943882],
      orientation: [-7.510260412862993e-10, 6.544961529104393e-10, -7.185833326694938e-10, 1],
    },
  ]
  for (const pose of poses) {
    test(`A20 nanometres deep near ${pose.position.map((x) => x.toFixed(3))}: no corner is lost`, () => {
      // All four are in: by 1.4, 1.3 and 2.8 nm, and the last by a thousandth of that.
      const { manifold } = hit(slab, { position: [0, 0, -0.5] }, cube, pose)
      assert.ok(manifold.length >= 3, `${manifold.length} points`)
    })
  }

  test('A20 thousands of depths, tilts and places: always four corners', () => {
    const random = new Random(20)
    for (const tilt of [0, 1e-12, 1e-10, 1e-9, 1e-8, 1e-6, 1e-4]) {
      for (let count = 0; count < 500; count++) {
        const depth = 3 * tilt + 10 ** random.between(-10, -3)
        const x = random.between(-5, 5)
        const pose = {
          position: [x, count % 2 ? x : random.between(-5, 5), 0.5 - depth],
          orientation: [tilt, tilt, tilt, 1].map((size, i) =>
            i < 3 ? size * random.between(-1, 1) : size,
          ),
        }
        const { manifold } = hit(slab, { position: [0, 0, -0.5] }, cube, pose)
        assert.equal(manifold.length, 4, JSON.stringify(pose))
      }
    }
  })
})

describe('spheres', () => {
  test('A13 sphere on sphere and sphere on cube: depth and distance by Pythagoras', () => {
    const ball = /** @type {const} */ ({ type: 'sphere', radius: 0.7 })
    const { penetrationDepth, normal } = hit(ball, atOrigin, ball, { position: [0.6, 0.8, 0] })
    near(penetrationDepth, 0.4, 1e-9, 'depth')
    nearVector(normal, [0.6, 0.8, 0], 1e-9, 'normal')
    // Over an edge of the cube, and over a corner.
    near(
      distance(cube, atOrigin, ball, { position: [1.5, 1.5, 0] }).distance,
      Math.SQRT2 - 0.7,
      1e-9,
    )
    near(
      distance(cube, atOrigin, ball, { position: [1.5, 1.5, 1.5] }).distance,
      Math.sqrt(3) - 0.7,
      1e-9,
    )
    near(hit(cube, atOrigin, ball, { position: [0, 0, 1.1] }).penetrationDepth, 0.1, 1e-9, 'depth')
  })
})
