import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { collide, createShape, distance, init, World } from 'moreau'
import { flatField, flatMesh, meshBox, ridge, torus, Y_TO_Z } from './mesh-support.mjs'
import { near, nearVector } from './support.mjs'

/** @typedef {import('moreau').ShapeDefinition} ShapeDefinition */
/** @typedef {import('moreau').SolverName} SolverName */
/** @typedef {[number, number, number]} Vector */

before(() => init())

const ALL = /** @type {const} */ (['exact', 'block-pgs', 'soft-step'])

/**
 * A world as the acceptance rows have it.
 *
 * @param {SolverName} solver
 * @param {Vector} [gravity]
 */
function worldOf(solver, gravity = [0, 0, -9.81]) {
  const rows = {
    ...{ linearSlop: 0, restitutionThreshold: 0, iterations: 200, tolerance: 1e-10 },
    stabilization: /** @type {const} */ ('none'),
  }
  return World.create({ gravity, solver, ...(solver === 'soft-step' ? {} : rows) })
}

/** @param {World} world @param {number} steps */
function run(world, steps) {
  for (let i = 0; i < steps; i++) world.step(0.016)
}

/**
 * @param {() => void} call
 * @param {string} code
 * @param {RegExp} text
 */
const refused = (call, code, text) =>
  assert.throws(call, (error) => {
    const { code: got, message } = /** @type {{ code: string, message: string }} */ (error)
    assert.equal(got, code)
    assert.match(message, text)
    return true
  })

describe('A71 to A73: mass of closed meshes', () => {
  const outline = [
    [0, 0],
    [2, 0],
    [2, 1],
    [1, 1],
    [1, 3],
    [0, 3],
  ]
  const caps = [
    [0, 1, 2],
    [0, 2, 3],
    [0, 3, 5],
    [3, 4, 5],
  ]
  const indices = caps.flatMap(([a, b, c]) => [a, c, b, a + 6, b + 6, c + 6])
  for (let i = 0; i < 6; i++) {
    const j = (i + 1) % 6
    indices.push(i, j, j + 6, i, j + 6, i + 6)
  }

  /** @param {Vector} origin */
  const prism = (origin) =>
    [0, 1.5].flatMap((z) =>
      outline.flatMap(([x, y]) => [x + origin[0], y + origin[1], z + origin[2]]),
    )

  test('an L-prism, near, far and without shared vertices', () => {
    for (const origin of /** @type {Vector[]} */ ([
      [0, 0, 0],
      [1e6, -1e6, 1e6],
    ])) {
      const vertices = prism(origin)
      const apart = indices.flatMap((i) => vertices.slice(3 * i, 3 * i + 3))
      const own = indices.map((_, i) => i)
      for (const shape of [
        createShape({ type: 'mesh', vertices, indices }),
        createShape({ type: 'mesh', vertices: apart, indices: own }),
      ]) {
        const tolerance = origin[0] === 0 ? 1e-10 : 1e-7
        near(shape.volume, 6, tolerance)
        near(shape.surfaceArea, 23, tolerance)
        const [x, y, z] = shape.centroid
        nearVector([x - origin[0], y - origin[1], z - origin[2]], [0.75, 1.25, 0.75], tolerance)
        const inertia = shape.inertia(1)
        const expected = [0.9583333333, 0.1875, 0, 0.1875, 0.4583333333, 0, 0, 0, 1.0416666667]
        expected.forEach((value, i) => near(inertia[i], value, 1e-9))
        shape.free()
      }
    }
  })

  test('a torus of 24 times 12 quads', () => {
    const shape = createShape(torus())
    near(shape.volume, 1.6771474123, 1e-9)
    near(shape.surfaceArea, 11.625400607, 1e-9)
    nearVector(shape.centroid, [0, 0, 0], 1e-12)
    const inertia = shape.inertia(1)
    near(inertia[8], 1.0523950828, 1e-9)
    near(inertia[0], 0.5476927319, 1e-9)
    near(inertia[4], 0.5476927319, 1e-9)
  })

  test('bad meshes name the edge or the number', async () => {
    const whole = torus()
    const edge = /\b(0 and 12|12 and 0|12 and 13|13 and 12|13 and 0|0 and 13)\b/
    const open = createShape({ ...whole, indices: whole.indices.slice(3) })
    refused(() => open.volume, 'mesh-open', edge)
    refused(() => open.inertia(1), 'mesh-open', edge)
    const turned = createShape({ ...whole, indices: [0, 13, 12, ...whole.indices.slice(3)] })
    refused(() => turned.centroid, 'mesh-orientation', edge)
    const inside = createShape({
      ...whole,
      indices: whole.indices.toReversed?.() ?? [...whole.indices].reverse(),
    })
    refused(() => inside.volume, 'mesh-inside-out', /inwards/)
    const { vertices } = whole
    refused(
      () => createShape({ type: 'mesh', vertices, indices: [0, 1, 288] }),
      'invalid-argument',
      /indices\[2\].*288/,
    )
    const broken = vertices.with?.(4, NaN) ?? vertices.map((x, i) => (i === 4 ? NaN : x))
    refused(
      () => createShape({ type: 'mesh', vertices: broken, indices: [0, 1, 2] }),
      'not-finite',
      /y of vertex 1 is NaN/,
    )
    refused(
      () => createShape({ type: 'mesh', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [] }),
      'invalid-argument',
      /indices/,
    )
    refused(
      () => createShape({ type: 'mesh', vertices: [], indices: [0, 1, 2] }),
      'invalid-argument',
      /vertices must be three numbers per vertex, got 0 numbers/,
    )
    const world = await World.create()
    world.createBody({ type: 'static', shape: open })
    refused(
      () => world.createBody({ shape: open }),
      'invalid-argument',
      /mesh.*dynamic.*compound of hulls/,
    )
    const moving = world.createBody({ type: 'kinematic', shape: open })
    refused(() => (moving.type = 'dynamic'), 'invalid-argument', /mesh/)
    world.free()
  })
})

describe('triangles of meshes', () => {
  const vertices = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 0, 1],
    [1, 0, 1],
  ]
  /** @param {any} indices */
  const mesh = (indices) => createShape({ type: 'mesh', vertices, indices })

  test('are flat indices or an array each', () => {
    const [flat, nested] = [
      [0, 2, 1, 1, 2, 3],
      [
        [0, 2, 1],
        [1, 2, 3],
      ],
    ].map((indices) => {
      const world = new World()
      world.createBody({ type: 'static', shape: mesh(indices) })
      const written = world.toJSON()
      world.free()
      return written
    })
    assert.deepEqual(nested, flat)
  })

  test('are refused by their place', () => {
    for (const [indices, message] of /** @type {[unknown, RegExp][]} */ ([
      [[0, 1], /indices must be three numbers per triangle, one triangle or more, got 2 numbers$/],
      [
        [
          [0, 2, 1],
          [1, 2],
        ],
        /indices\[1\] must be three whole numbers, got \[1, 2\]$/,
      ],
      [[[0, 2, 1], 3], /indices\[1\] must be three whole numbers, got 3$/],
      [[[0, 2, 4]], /indices\[2\] must be a whole number, 0 to 3, got 4$/],
    ])) {
      assert.throws(() => mesh(indices), { code: 'invalid-argument', message })
    }
  })
})

describe('A84, A85: contacts with meshes and height fields', () => {
  const ball = /** @type {const} */ ({ type: 'sphere', radius: 0.25 })

  /**
   * @param {Vector} position
   * @param {ShapeDefinition} mesh
   */
  function touch(position, mesh) {
    const found = collide(ball, { position }, mesh, {})
    assert.ok(found)
    return found
  }

  test('a ridge, a face and a corner are one contact each', () => {
    const found = touch([0.05, 0, 0.7], ridge(0.5))
    nearVector(found.normal, [-0.24253563, 0, -0.9701425], 1e-8)
    near(found.penetrationDepth, 0.0438447187, 1e-8)
    assert.equal(found.manifold.length, 1)
    const face = touch([0.607331263, 0.2, 0.464662526], ridge(0.5))
    nearVector(face.normal, [-0.4472136, 0, -0.89442719], 1e-8)
    near(face.penetrationDepth, 0.01, 1e-8)
    nearVector(face.contactPointB, [0.5, 0.2, 0.25], 1e-8)
    const corner = touch([1.2021, 1.1011, 0.0808], ridge(0.5))
    nearVector(corner.normal, [-0.84212529, -0.42127099, -0.33668344], 1e-8)
    near(corner.penetrationDepth, 0.0100119586, 1e-8)
  })

  test('a valley has two', async () => {
    for (const solver of ALL) {
      const world = await worldOf(solver, [0, 0, 0])
      world.createBody({ type: 'static', shape: ridge(-0.5) })
      world.createBody({
        position: [0, 0, -0.231671843],
        shape: ball,
        linearVelocity: [0, 0, -0.1],
      })
      world.step(0.001)
      const normals = world.contactPoints().map(({ normal }) => normal)
      normals.sort((a, b) => a[0] - b[0])
      assert.equal(normals.length, 2)
      nearVector(normals[0], [-0.4472136, 0, 0.89442719], 1e-6)
      nearVector(normals[1], [0.4472136, 0, 0.89442719], 1e-6)
      world.free()
    }
  })

  const field = /** @type {const} */ ({
    type: 'heightfield',
    heights: [0, 0.2, 0.1, 0.4, 0.3, 0.5, 0.2, 0.1, 0.1, 0, 0.6, 0.3],
    rows: 3,
    columns: 4,
    scale: [1, 2, 1.5],
    orientation: Y_TO_Z,
  })

  test('a height field lies as its samples say', async () => {
    const world = await World.create()
    const body = world.createBody({ type: 'static', shape: field })
    const down = (/** @type {number} */ x, /** @type {number} */ y) =>
      world.rayCast([x, y, 5], [0, 0, -1])
    for (const [x, y, z, normal] of /** @type {[number, number, number, Vector][]} */ ([
      [-0.2, 0.525, 0.61, [0.48666426, 0.32444284, 0.81110711]],
      [-0.8, -0.45, 0.58, [-0.31578947, -0.52631579, 0.78947368]],
      [1.25, -0.525, 0.39, [0.18973666, 0.25298221, 0.9486833]],
    ])) {
      const hit = down(x, y)
      assert.ok(hit)
      near(hit.position[2], z, 1e-9)
      nearVector(hit.normal, normal, 1e-8)
    }
    assert.equal(down(1.6, 0), null)
    const below = world.rayCast([-0.2, 0.525, -5], [0, 0, 1])
    assert.ok(below)
    nearVector(below.normal, [-0.48666426, -0.32444284, -0.81110711], 1e-8)
    body.destroy()
    world.createBody({ type: 'static', shape: { ...field, oneSided: true } })
    assert.equal(world.rayCast([-0.2, 0.525, -5], [0, 0, 1]), null)
    world.free()
    const found = collide(
      { type: 'sphere', radius: 0.1 },
      { position: [-0.156200216, 0.554199856, 0.68299964] },
      field,
      {},
    )
    assert.ok(found)
    near(found.penetrationDepth, 0.01, 1e-8)
    nearVector(found.normal, [-0.48666426, -0.32444284, -0.81110711], 1e-8)
    refused(
      () => createShape({ ...field, heights: [...field.heights.slice(1), NaN] }),
      'not-finite',
      /heights\[11\]/,
    )
    refused(() => createShape({ ...field, columns: 5 }), 'invalid-argument', /15 numbers/)
  })
})

describe('A86: inner edges are not felt', () => {
  for (const [name, ground] of /** @type {[string, ShapeDefinition][]} */ ([
    ['mesh', flatMesh(100, 0.5)],
    ['height field', flatField(100, 0.5)],
  ])) {
    for (const solver of ALL) {
      const soft = solver === 'soft-step'
      const [speed, place] = soft ? [1e-3, 1e-3] : [1e-6, 1e-6]
      test(`${name}, ${solver}`, async () => {
        for (const shape of /** @type {ShapeDefinition[]} */ ([
          { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
          { type: 'sphere', radius: 0.5 },
        ])) {
          const world = await worldOf(solver)
          world.createBody({ type: 'static', shape: ground })
          const body = world.createBody({
            ...{ shape, position: [-20, -15, 0.5], linearVelocity: [7, 3, 0], friction: 0 },
          })
          run(world, 200)
          nearVector(body.linearVelocity, [7, 3, 0], speed)
          nearVector(body.angularVelocity, [0, 0, 0], speed)
          nearVector(body.position, [2.4, -5.4, 0.5], place)
          world.free()
        }
      })

      test(`${name}, ${solver}, friction and rolling`, async () => {
        const world = await worldOf(solver)
        world.createBody({ type: 'static', shape: ground, friction: 0.5 })
        const [heading, turn] = [(37 * Math.PI) / 180, (10 * Math.PI) / 180]
        const cube = world.createBody({
          shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
          ...{ position: [0.1, 0.2, 0.5], orientation: [0, 0, Math.sin(turn), Math.cos(turn)] },
          linearVelocity: [6 * Math.cos(heading), 6 * Math.sin(heading), 0],
          friction: 0.5,
        })
        const ball = world.createBody({
          shape: { type: 'sphere', radius: 0.5 },
          ...{ position: [-11, -9, 0.5], linearVelocity: [2, 1, 0] },
          ...{ angularVelocity: [-2, 4, 0], friction: 0.5 },
        })
        run(world, 120)
        const [dx, dy] = [cube.position[0] - 0.1, cube.position[1] - 0.2]
        const along = dx * Math.cos(heading) + dy * Math.sin(heading)
        near(along, 3.6218803, soft ? 0.02 * 3.62 : 1e-6)
        near(dy * Math.cos(heading) - dx * Math.sin(heading), 0, place)
        nearVector(cube.linearVelocity, [0, 0, 0], speed)
        run(world, 180)
        nearVector(ball.linearVelocity, [2, 1, 0], speed)
        nearVector(ball.angularVelocity, [-2, 4, 0], speed)
        nearVector(ball.position, [-1.4, -4.2, 0.5], place)
        world.free()
      })
    }
  }
})

describe('seams of large and small cells with vertices of their own, and triangles without area', () => {
  /** @type {number[]} */
  const vertices = []
  /** @type {number[]} */
  const indices = []
  const quad = (/** @type {number[]} */ ...[x, y, far, top]) => {
    const a = vertices.length / 3
    vertices.push(x, y, 0, far, y, 0, far, top, 0, x, top, 0)
    indices.push(a, a + 1, a + 2, a, a + 2, a + 3, a, a, a + 1)
  }
  for (let j = -3; j < 3; j++) quad(-6, 2 * j, 0, 2 * j + 2)
  for (let i = 0; i < 10; i++) {
    for (let j = 0; j < 21; j++) {
      quad(0.61 * i, -6 + (4 * j) / 7, 0.61 * (i + 1), -6 + (4 * (j + 1)) / 7)
    }
  }
  for (const solver of ALL) {
    test(`are not felt, ${solver}`, async () => {
      for (const shape of /** @type {ShapeDefinition[]} */ ([
        { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
        { type: 'sphere', radius: 0.5 },
        { type: 'cylinder', radius: 0.4, halfHeight: 0.5, orientation: Y_TO_Z },
      ])) {
        const world = await worldOf(solver)
        world.createBody({ type: 'static', shape: { type: 'mesh', vertices, indices } })
        const body = world.createBody({
          ...{ shape, position: [-4, -1.3, 0.5], orientation: [0, 0, 0.2, 0.98] },
          ...{ linearVelocity: [4, 1, 0], friction: 0 },
        })
        run(world, 120)
        const tolerance = solver === 'soft-step' ? 1e-3 : 1e-6
        nearVector(body.linearVelocity, [4, 1, 0], tolerance)
        nearVector(body.position, [3.68, 0.62, 0.5], tolerance)
        world.free()
      }
    })
  }
})

describe('A87: true edges stay', () => {
  for (const solver of ALL) {
    test(`a curb stops a cube, ${solver}`, async () => {
      const world = await worldOf(solver)
      world.createBody({ type: 'static', shape: flatMesh(20, 0.5) })
      world.createBody({ type: 'static', position: [2, 0, 0], shape: meshBox([0.5, 2, 0.05]) })
      const cube = world.createBody({
        ...{ position: [0, 0.13, 0.5], linearVelocity: [1, 0, 0], friction: 0, mass: 1000 },
        inertia: [1e9, 0, 0, 0, 1e9, 0, 0, 0, 1e9],
        shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
      })
      run(world, 120)
      nearVector(cube.linearVelocity, [0, 0, 0], 1e-3)
      near(cube.position[0], 1, 6e-3)
      world.free()
    })

    test(`a ball stops in a corner of floor and wall, ${solver}`, async () => {
      const world = await worldOf(solver)
      const vertices = [-5, -5, 0, 2, -5, 0, 2, 5, 0, -5, 5, 0, 2, -5, 3, 2, 5, 3]
      const indices = [0, 1, 2, 0, 2, 3, 1, 4, 2, 2, 4, 5]
      world.createBody({
        type: 'static',
        friction: 0.5,
        shape: { type: 'mesh', vertices, indices },
      })
      const ball = world.createBody({
        ...{ position: [0, 0.3, 0.5], linearVelocity: [1, 0, 0], angularVelocity: [0, 2, 0] },
        ...{ shape: { type: 'sphere', radius: 0.5 }, friction: 0.5 },
      })
      run(world, 200)
      nearVector(ball.linearVelocity, [0, 0, 0], 1e-3)
      nearVector(ball.position, [1.5, 0.3, 0.5], 1e-3)
      const normals = world.contactPoints().map(({ normal }) => normal)
      normals.sort((a, b) => a[0] - b[0])
      assert.equal(normals.length, 2)
      nearVector(normals[0], [-1, 0, 0], 1e-6)
      nearVector(normals[1], [0, 0, 1], 1e-6)
      world.free()
    })

    test(`a cube half over the border tips and never sinks in, ${solver}`, async () => {
      const world = await worldOf(solver)
      world.createBody({ type: 'static', friction: 0.5, shape: flatMesh(4, 0.5) })
      const cube = world.createBody({
        ...{ position: [1.08, 0.1, 0.6], friction: 0.5 },
        shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
      })
      let deepest = 0
      for (let i = 0; i < 200; i++) {
        world.step(0.016)
        for (const { separation } of world.contactPoints()) deepest = Math.min(deepest, separation)
      }
      assert.ok(cube.position[2] < -1, `it is at ${cube.position[2]}`)
      assert.ok(deepest > -0.02, `deepest overlap ${deepest}`)
      world.free()
    })
  }
})

test('A90: rays at the torus', async () => {
  const world = await World.create()
  const body = world.createBody({ type: 'static', shape: torus() })
  const first = world.rayCast([-3, 0.1, 0.05], [1, 0, 0])
  assert.ok(first)
  near(first.distance, 1.7265627094, 1e-9)
  nearVector(first.normal, [-0.9582091, 0.1261506, 0.2567514], 1e-7)
  assert.equal(first.triangle, 264)
  const second = world.rayCast([0.97, 0.13, 3], [0, 0, -2])
  assert.equal(second?.triangle, 6)
  near(second.distance, 2.7034525723, 1e-9)
  assert.equal(world.rayCast([0.05, 0.02, 3], [0, 0, -1]), null)
  const inside = world.rayCast([1, 0, 0], [1, 0.02, 0.01])
  assert.equal(inside?.triangle, 1)
  near(inside.distance, 0.298489254, 1e-9)
  nearVector(inside.normal, [-0.9582091, -0.1261506, -0.2567514], 1e-7)
  const closest = world.closestPoint([1.2, 0.5, 0.6])
  assert.ok(closest)
  near(closest.distance, 0.3758700073, 1e-8)
  nearVector(closest.position, [1.0523312, 0.4388336, 0.2598076], 1e-7)
  assert.equal(world.contains([1, 0, 0]), false)
  body.destroy()
  world.createBody({ type: 'static', shape: { ...torus(), oneSided: true } })
  assert.equal(world.rayCast([1, 0, 0], [1, 0.02, 0.01]), null)
  world.free()
})

describe('A123: continuous collision', () => {
  const sheet = {
    type: /** @type {const} */ ('mesh'),
    vertices: [0, -2, -2, 0, 2, -2, 0, 2, 2, 0, -2, 2],
    indices: [0, 2, 1, 0, 3, 2],
  }
  const walls = /** @type {[string, ShapeDefinition, number][]} */ ([
    ['mesh box', meshBox([0.01, 2, 2]), 3.01],
    ['sheet', sheet, 3],
    ['height field', { ...flatField(4, 1), orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] }, 3],
  ])
  for (const solver of ALL) {
    for (const [name, shape, x] of walls) {
      test(`a ball at 300 m/s against a ${name}, ${solver}`, async () => {
        for (const restitution of [0, 1]) {
          const world = await worldOf(solver, [0, 0, 0])
          const wall = { position: /** @type {Vector} */ ([x, 0, 0]), restitution, friction: 0 }
          world.createBody({ type: 'static', shape, ...wall })
          const ball = world.createBody({
            ...{ position: [0, 0.11, 0.07], linearVelocity: [300, 0, 0], restitution, friction: 0 },
            shape: { type: 'sphere', radius: 0.05 },
          })
          let furthest = 0
          for (let i = 0; i < 6; i++) {
            world.step(0.016)
            furthest = Math.max(furthest, ball.position[0])
          }
          assert.ok(furthest <= 2.951, `it came to ${furthest}`)
          const soft = solver === 'soft-step'
          near(ball.linearVelocity[0], restitution === 1 ? -300 : 0, soft ? 0.3 : 1e-6)
          world.free()
        }
      })
    }
  }
})

describe('compounds', () => {
  const dumbbell = /** @type {const} */ ({
    type: 'compound',
    shapes: [
      { type: 'sphere', radius: 0.2, position: [-0.5, 0, 0], density: 500 },
      { type: 'sphere', radius: 0.2, position: [0.5, 0, 0] },
      {
        type: 'compound',
        position: [0, 0, 0],
        shapes: [{ type: 'box', halfExtents: [0.5, 0.05, 0.05] }],
      },
    ],
  })

  test('are the bodies of their parts', async () => {
    for (const solver of ALL) {
      const poses = []
      for (const shapes of /** @type {ShapeDefinition[][]} */ ([
        [dumbbell],
        [dumbbell.shapes[0], dumbbell.shapes[1], dumbbell.shapes[2].shapes[0]],
      ])) {
        const world = await World.create({ solver, gravity: [0, 0, -9.81] })
        world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 0, 1] } })
        const body = world.createBody({ shapes, position: [0, 0, 1], density: 1000 })
        run(world, 100)
        poses.push([...body.position, ...body.orientation, body.mass])
        world.free()
      }
      assert.deepEqual(poses[0], poses[1])
    }
  })

  test('are hit, collided and measured part by part', async () => {
    const world = await World.create()
    const body = world.createBody({ type: 'static', shape: dumbbell })
    const hit = world.rayCast([0.5, 2, 0], [0, -1, 0])
    assert.equal(hit?.shapeIndex, 1)
    assert.equal(hit.shape, body.shape?.shapes?.[1])
    near(hit.distance, 1.8, 1e-12)
    assert.equal(world.rayCast([0.1, 2, 0], [0, -1, 0])?.shape.type, 'box')
    world.free()
    const far = { position: /** @type {Vector} */ ([2, 0, 0]) }
    near(distance(dumbbell, {}, { type: 'sphere', radius: 0.5 }, far).distance, 0.8, 1e-12)
    const near1 = { position: /** @type {Vector} */ ([1.1, 0, 0]) }
    const found = collide(dumbbell, {}, { type: 'sphere', radius: 0.5 }, near1)
    near(found?.penetrationDepth ?? 0, 0.1, 1e-12)
    const shape = createShape(dumbbell)
    near(shape.volume, 2 * (4 / 3) * Math.PI * 0.008 + 0.01, 1e-12)
    shape.free()
  })

  test('refuse planes, and dynamic bodies those with a mesh', async () => {
    refused(
      () => createShape({ type: 'compound', shapes: [{ type: 'plane' }] }),
      'invalid-argument',
      /shapes\[0\].*plane/,
    )
    refused(() => createShape({ type: 'compound', shapes: [] }), 'invalid-argument', /one or more/)
    const world = await World.create()
    refused(
      () => world.createBody({ shape: { type: 'compound', shapes: [torus()] } }),
      'invalid-argument',
      /mesh/,
    )
    world.free()
  })
})
