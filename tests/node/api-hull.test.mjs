import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  BoxGeometry,
  BufferAttribute,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Vector3,
} from 'three'
import { ConvexHull, createShape, init, MoreauError, World } from 'moreau'

before(() => init())

/** Corners of a box, x fastest. */
const corners = [0, 1].flatMap((z) => [0, 2].flatMap((y) => [0, 3].map((x) => [x, y, z])))
const tetrahedron = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]

/**
 * @param {number} actual
 * @param {number} expected
 */
function near(actual, expected) {
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual}, expected ${expected}`)
}

describe('points', () => {
  test('may be vectors, flat numbers, typed arrays or objects', () => {
    const inputs = [
      corners,
      corners.flat(),
      new Float32Array(corners.flat()),
      new Float64Array(corners.flat()),
      corners.map(([x, y, z]) => ({ x, y, z })),
      corners.map(([x, y, z]) => new Vector3(x, y, z)),
      corners.map((corner) => new Float64Array(corner)),
      { array: new Float32Array(corners.flat()), itemSize: 3, count: 8 },
      { array: [...corners.flat(), 99, 99, 99], itemSize: 3, count: 8 },
      new BufferAttribute(new Float32Array(corners.flat()), 3),
    ]
    for (const points of inputs) {
      const hull = ConvexHull.fromPoints(points)
      assert.equal(hull.vertices.length, 8)
      near(hull.volume, 6)
    }
  })

  test('may come straight from three.js geometries, interleaved and normalised ones too', () => {
    const box = ConvexHull.fromPoints(new BoxGeometry(1, 2, 3).attributes.position)
    assert.equal(box.vertices.length, 8)
    near(box.volume, 6)
    const rows = corners.flatMap((corner) => [...corner, 7, 7])
    const interleaved = new InterleavedBuffer(new Float32Array(rows), 5)
    near(ConvexHull.fromPoints(new InterleavedBufferAttribute(interleaved, 3, 0)).volume, 6)
    const bytes = new Int8Array(corners.flatMap((corner) => corner.map((x) => (x ? 127 : 0))))
    near(ConvexHull.fromPoints(new BufferAttribute(bytes, 3, true)).volume, 1)
  })

  test('may repeat and lie inside; vertices come in the order of their first appearance', () => {
    const backwards = [...corners].reverse()
    const points = [[1, 1, 0.5], ...backwards, ...corners, [1, 1, 0.4]]
    const hull = ConvexHull.fromPoints(points)
    assert.deepEqual(hull.vertices, backwards)
  })
})

describe('read-outs', () => {
  test('of a box', () => {
    const hull = ConvexHull.fromPoints(corners)
    assert.deepEqual(hull.vertices, corners)
    near(hull.volume, 6)
    near(hull.surfaceArea, 22)
    hull.centroid.forEach((x, i) => near(x, [1.5, 1, 0.5][i]))
    assert.deepEqual(hull.bounds, { min: [0, 0, 0], max: [3, 2, 1] })
    assert.equal(hull.facets.length, 12)
    assert.equal(hull.faces.length, 6)
    const inertia = hull.inertia(12)
    const expected = [4 + 1, 0, 0, 0, 9 + 1, 0, 0, 0, 9 + 4]
    inertia.forEach((x, i) => assert.ok(Math.abs(x - expected[i]) < 1e-10, String(inertia)))
  })

  test('facets and faces lie on their planes and run counter-clockwise seen from outside', () => {
    const hull = ConvexHull.fromPoints(corners)
    for (const { vertices, normal, offset } of [...hull.facets, ...hull.faces]) {
      const [a, b, c] = vertices.slice(0, 3).map((i) => hull.vertices[i])
      const u = b.map((x, i) => x - a[i])
      const v = c.map((x, i) => x - a[i])
      const cross = [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
      ]
      assert.ok(cross[0] * normal[0] + cross[1] * normal[1] + cross[2] * normal[2] > 0)
      near(Math.hypot(...normal), 1)
      for (const i of vertices) {
        near(
          hull.vertices[i].reduce((sum, x, k) => sum + x * normal[k], 0),
          offset,
        )
      }
      near(hull.signedDistance(hull.centroid) < 0 ? 0 : 1, 0)
    }
    assert.ok(hull.faces.every((face) => face.vertices.length === 4))
    assert.ok(hull.facets.every((facet) => facet.vertices.length === 3))
  })

  test('contains and signedDistance', () => {
    const hull = ConvexHull.fromPoints(corners)
    near(hull.signedDistance([1.5, 1, 0.5]), -0.5)
    near(hull.signedDistance({ x: 5, y: 1, z: 0.5 }), 2)
    assert.equal(hull.contains([1.5, 1, 0.5]), true)
    assert.equal(hull.contains([3 + 5e-7, 1, 0.5]), true)
    assert.equal(hull.contains([3 + 5e-7, 1, 0.5], 0), false)
    assert.equal(hull.contains([3.1, 1, 0.5]), false)
    assert.equal(hull.contains([3.1, 1, 0.5], 0.2), true)
  })

  test('are made once and frozen', () => {
    const hull = ConvexHull.fromPoints(corners)
    for (const name of /** @type {const} */ ([
      'vertices',
      'facets',
      'faces',
      'centroid',
      'bounds',
    ])) {
      assert.equal(hull[name], hull[name], name)
      assert.ok(Object.isFrozen(hull[name]), name)
    }
    assert.ok(Object.isFrozen(hull.vertices[0]))
    assert.ok(Object.isFrozen(hull.faces[0].vertices))
  })

  test('stay right when the memory grows', () => {
    const hull = ConvexHull.fromPoints(corners)
    const world = new World()
    const { wasmBytes } = world.memory()
    /** @type {ConvexHull[]} */
    const hulls = []
    // Each another one: equal hulls are one in the engine.
    while (world.memory().wasmBytes === wasmBytes) {
      const size = 1 + hulls.length / 1e6
      hulls.push(ConvexHull.fromPoints(corners.map((corner) => corner.map((x) => size * x))))
    }
    assert.deepEqual(hull.vertices, corners)
    near(hull.inertia(6)[0], 2.5)
    for (const each of hulls) each.free()
  })
})

describe('points without a volume', () => {
  const line = Array.from({ length: 6 }, (_, i) => [i, 2 * i, 3 * i])
  const plane = Array.from({ length: 9 }, (_, i) => [i % 3, Math.floor(i / 3), 1])
  const scaled = (/** @type {number} */ size) => corners.map((p) => p.map((x) => x * size))
  const far = (/** @type {number} */ offset) => corners.map((p) => p.map((x) => x + offset))
  /** @type {[string, import('moreau').PointsLike, RegExp][]} */
  const cases = [
    ['hull-empty', [], /no points/],
    ['hull-empty', new Float32Array(0), /no points/],
    ['hull-too-few-points', corners.slice(0, 3), /3 points/],
    ['hull-not-finite', [...corners, [0, NaN, 0]], /point 8 .* y is NaN/],
    ['hull-not-finite', [[Infinity, 0, 0], ...corners], /point 0 .* x is Infinity/],
    ['hull-all-equal', Array.from({ length: 5 }, () => [1, 2, 3]), /5 points are equal/],
    [
      'hull-not-finite',
      scaled(1e91),
      /point 1 is too far out: its x is 3\S*e\+91; sizes from 1e-90 to 1e90 m/,
    ],
    ['hull-all-equal', scaled(1e-91), /the points span .*e-91 m only; sizes from 1e-90 to 1e90 m/],
    [
      'hull-all-equal',
      [...far(1e16), [1e16 + 2, 1e16, 1e16]],
      /9 points are equal but for the rounding of their coordinates/,
    ],
    ['hull-collinear', line, /6 points lie on a line/],
    ['hull-coplanar', plane, /9 points lie in a plane/],
  ]
  for (const [code, points, message] of cases) {
    test(`${code}: ${message}`, () => {
      assert.throws(() => ConvexHull.fromPoints(points), { name: 'MoreauError', code, message })
      const world = new World()
      const hash = world.hash()
      const shape = { type: /** @type {const} */ ('hull'), points }
      assert.throws(() => world.createBody({ shape }), { code, message: /^createBody: shape: / })
      assert.equal(world.hash(), hash)
    })
  }

  test('leave nothing behind', () => {
    const world = new World()
    const { bytes } = world.memory()
    for (const [code, points] of cases) {
      assert.throws(() => ConvexHull.fromPoints(points), { code })
    }
    assert.equal(world.memory().bytes, bytes)
  })

  test('nor does a hull whose rounding is refused', () => {
    const world = new World()
    const { bytes } = world.memory()
    const points = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    assert.throws(() => createShape({ type: 'hull', points, radius: 1e127 }), {
      code: 'invalid-argument',
    })
    assert.equal(world.memory().bytes, bytes)
  })
})

describe('what is no list of points', () => {
  const cases = /** @type {[any, RegExp][]} */ ([
    [undefined, /points must be .*, got undefined/],
    [null, /points must be .*, got null/],
    ['points', /got 'points'/],
    [{}, /points must be/],
    [[1, 2, 3, 4], /points must be a multiple of 3 numbers, got 4 numbers/],
    [new Float32Array(4), /multiple of 3/],
    [[[1, 2]], /points\[0\] must be .*, got \[1, 2\]/],
    [[...corners, 5], /points\[8\] must be .*, got 5/],
    [[1, 2, 'x'], /points\[2\] must be a number, got 'x'/],
    [{ array: [1, 2], itemSize: 2, count: 1 }, /points.itemSize must be 3, got 2/],
    [{ array: [1, 2, 3], itemSize: 3, count: 1.5 }, /points.count must be .*, got 1.5/],
    [{ array: 5, itemSize: 3, count: 1 }, /points.array must be .*, got 5/],
  ])
  for (const [points, message] of cases) {
    test(String(message), () => {
      assert.throws(() => ConvexHull.fromPoints(points), { code: 'invalid-argument', message })
    })
  }
})

describe('life', () => {
  test('arguments of the methods are checked', () => {
    const hull = ConvexHull.fromPoints(tetrahedron)
    const bad = /** @type {any} */ ([1, 2])
    assert.throws(() => hull.contains(bad), {
      code: 'invalid-argument',
      message: /point .*\[1, 2\]/,
    })
    assert.throws(() => hull.contains([0, 0, 0], -1), { message: /tolerance .* got -1/ })
    assert.throws(() => hull.signedDistance([0, NaN, 0]), { message: /point .*NaN/ })
    assert.throws(() => hull.inertia(0), { message: /mass must be .* above 0, got 0/ })
  })

  test('free gives the memory back, and may be called twice', () => {
    const world = new World()
    const { bytes } = world.memory()
    // One that no other test has.
    const hull = ConvexHull.fromPoints(tetrahedron.map((x) => 7 * x))
    assert.ok(world.memory().bytes > bytes)
    hull.free()
    hull.free()
    assert.equal(world.memory().bytes, bytes)
    const uses = [
      () => hull.vertices,
      () => hull.facets,
      () => hull.faces,
      () => hull.volume,
      () => hull.surfaceArea,
      () => hull.centroid,
      () => hull.bounds,
      () => hull.contains([0, 0, 0]),
      () => hull.signedDistance([0, 0, 0]),
      () => hull.inertia(1),
      () => world.createBody({ shape: { type: 'hull', hull } }),
    ]
    for (const use of uses) assert.throws(use, { code: 'stale-handle' }, String(use))
  })

  test('a body keeps the hull of its shape', () => {
    const world = new World()
    const hull = ConvexHull.fromPoints(tetrahedron)
    const body = world.createBody({ shape: { type: 'hull', hull }, density: 6 })
    hull.free()
    near(body.mass, 1)
    world.step(1 / 60)
  })

  test('Symbol.dispose frees, where there is such a symbol', () => {
    const hull = ConvexHull.fromPoints(tetrahedron)
    assert.ok(!('undefined' in hull))
    if (Symbol.dispose === undefined) return
    hull[Symbol.dispose]()
    assert.throws(() => hull.volume, { code: 'stale-handle' })
  })

  test('hulls come from fromPoints only', () => {
    const Constructor = /** @type {any} */ (ConvexHull)
    assert.throws(() => new Constructor(), MoreauError)
  })
})
