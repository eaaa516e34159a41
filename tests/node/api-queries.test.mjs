import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createShape, init, World } from 'moreau'

/** @typedef {import('moreau').BodyDefinition} BodyDefinition */

const ball = /** @type {const} */ ({ type: 'sphere', radius: 0.5 })
const cube = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })
const origin = /** @type {const} */ ([0, 0, 0])
const x = /** @type {const} */ ([1, 0, 0])

before(() => init())

/**
 * A world with static balls at these places along x.
 * @param {number[]} places
 */
function row(...places) {
  const world = new World({ gravity: [0, 0, 0] })
  const bodies = places.map((at) =>
    world.createBody({ type: 'static', shape: ball, position: [at, 0, 0] }),
  )
  return { world, bodies }
}

describe('rayCast', () => {
  test('gives the nearest body, and where and how far', () => {
    const { world, bodies } = row(6, 3, 9, -3)
    const hit = world.rayCast([0, 0.3, 0], x)
    assert.ok(hit)
    assert.equal(hit.body, bodies[1])
    assert.equal(hit.shape, bodies[1].shape)
    assert.equal(hit.shapeIndex, 0)
    assert.ok(Math.abs(hit.distance - 2.6) < 1e-14)
    for (const [i, value] of [2.6, 0.3, 0].entries()) {
      assert.ok(Math.abs(hit.position[i] - value) < 1e-14)
    }
    for (const [i, value] of [-0.8, 0.6, 0].entries()) {
      assert.ok(Math.abs(hit.normal[i] - value) < 1e-14)
    }
    assert.deepEqual(Object.keys(hit), [
      'body',
      'shape',
      'shapeIndex',
      'position',
      'normal',
      'distance',
    ])
  })

  test('null where nothing is met', () => {
    const { world } = row(3)
    assert.equal(world.rayCast(origin, [0, 1, 0]), null)
    assert.equal(world.rayCast(origin, [-1, 0, 0]), null)
    assert.equal(world.rayCast([0, 0.51, 0], x), null)
    assert.equal(new World().rayCast(origin, x), null)
  })

  test('takes vectors in any form, and directions of any length', () => {
    const { world, bodies } = row(3)
    const forms = [
      [
        { x: 0, y: 0, z: 0 },
        { x: 7, y: 0, z: 0 },
      ],
      [new Float32Array(3), new Float64Array([1e-300, 0, 0])],
      [
        [0, 0, 0],
        [1e300, 0, 0],
      ],
    ]
    for (const [from, along] of forms) {
      const hit = world.rayCast(from, along)
      assert.equal(hit?.body, bodies[0])
      assert.equal(hit?.distance, 2.5)
    }
  })

  test('maxDistance ends the ray', () => {
    const { world, bodies } = row(3)
    assert.equal(world.rayCast(origin, [9, 0, 0], { maxDistance: 2.49 }), null)
    assert.equal(world.rayCast(origin, [9, 0, 0], { maxDistance: 2.5 })?.body, bodies[0])
    assert.equal(world.rayCast(origin, x, { maxDistance: Infinity })?.body, bodies[0])
  })

  test('filter and exclude leave bodies out', () => {
    const { world, bodies } = row(3, 6)
    const [near, far] = bodies
    near.filter = { category: 2, mask: 4 }
    assert.equal(world.rayCast(origin, x)?.body, near)
    assert.equal(world.rayCast(origin, x, { filter: { mask: ~2 } })?.body, far)
    assert.equal(world.rayCast(origin, x, { filter: { mask: 2 } })?.body, near)
    assert.equal(world.rayCast(origin, x, { filter: { category: 8 } })?.body, far)
    assert.equal(world.rayCast(origin, x, { filter: { mask: 8 } }), null)
    assert.equal(world.rayCast(origin, x, { exclude: near })?.body, far)
    assert.equal(world.rayCast(origin, x, { filter: {}, exclude: undefined })?.body, near)
  })

  test('a body is met where it is at the moment', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.createBody({ shape: cube, position: [3, 0, 0], linearVelocity: [0, 60, 0] })
    assert.equal(world.rayCast(origin, x)?.body, body)
    for (let i = 0; i < 3; i++) world.step(1 / 60)
    assert.equal(world.rayCast(origin, x), null)
    assert.equal(world.rayCast([0, 3, 0], x)?.body, body)
    body.position = [5, 0, 0]
    assert.equal(world.rayCast(origin, x)?.distance, 4.5)
    body.destroy()
    assert.equal(world.rayCast(origin, x), null)
  })

  test('from inside a shape, and onto a plane', () => {
    const { world, bodies } = row(0)
    const hit = world.rayCast([0.1, 0, 0], [0, 0, 2])
    assert.equal(hit?.body, bodies[0])
    assert.equal(hit?.distance, 0)
    assert.deepEqual(hit?.position, [0.1, 0, 0])
    assert.deepEqual(
      hit?.normal.map((value) => value + 0),
      [0, 0, -1],
    )
    world.createBody({ type: 'static', shape: { type: 'plane', offset: -2 } })
    assert.equal(world.rayCast([1e4, 0, 0], [0, -1, 0])?.distance, 2)
  })

  test('meets every type of shape', () => {
    const points = [0.5, 0, 0, -0.5, 0, 0, 0, 0.5, 0, 0, -0.5, 0, 0, 0, 0.5, 0, 0, -0.5]
    const shapes = /** @type {const} */ ([
      ball,
      cube,
      { type: 'capsule', radius: 0.5, halfHeight: 0.3 },
      { type: 'hull', points },
      { type: 'plane', normal: [-1, 0, 0], offset: 0.5 },
    ])
    for (const shape of shapes) {
      const world = new World()
      world.createBody({ type: 'static', shape, position: [3, 0, 0] })
      const hit = world.rayCast(origin, x)
      assert.equal(hit?.shape.type, shape.type)
      assert.ok(Math.abs((hit?.distance ?? NaN) - 2.5) < 1e-15, shape.type)
    }
  })

  test('tells the shapes of a body apart', () => {
    const shape = createShape(cube)
    const world = new World()
    const body = world.createBody({
      type: 'static',
      shapes: [shape, { ...cube, position: [2, 0, 0] }],
    })
    const hit = world.rayCast([9, 0, 0], [-1, 0, 0])
    assert.equal(hit?.shapeIndex, 1)
    assert.equal(hit?.shape, body.shapes[1])
    assert.equal(world.rayCast([-9, 0, 0], x)?.shape, shape)
  })

  test('may be asked inside of a callback', () => {
    const { world, bodies } = row(3)
    const body = world.createBody({ shape: ball, position: [0, 9, 0] })
    /** @type {unknown[]} */
    const met = []
    world.createPotential({
      type: 'custom',
      bodies: body,
      force() {
        met.push(world.rayCast(origin, x)?.body)
      },
    })
    world.step(1 / 60)
    assert.equal(met[0], bodies[0])
  })
})

describe('rayCastAll', () => {
  test('gives all, nearest first', () => {
    const { world, bodies } = row(6, 3, 9, -3)
    const hits = world.rayCastAll(origin, x)
    assert.deepEqual(
      hits.map(({ body }) => body),
      [bodies[1], bodies[0], bodies[2]],
    )
    assert.deepEqual(
      hits.map(({ distance }) => distance),
      [2.5, 5.5, 8.5],
    )
    assert.deepEqual(world.rayCastAll(origin, x, { maxDistance: 5, exclude: bodies[1] }), [])
    assert.deepEqual(world.rayCastAll(origin, [0, 1, 0]), [])
  })

  test('bodies at one distance come in the order of their slots', () => {
    const { world, bodies } = row(...Array.from({ length: 30 }, () => 4))
    assert.deepEqual(
      world.rayCastAll(origin, x).map(({ body }) => body.index),
      bodies.map(({ index }) => index),
    )
  })

  test('a thousand of them', () => {
    const { world } = row(...Array.from({ length: 1000 }, (_, i) => 3 + ((i * 377) % 1000) / 10))
    const hits = world.rayCastAll(origin, x)
    assert.equal(hits.length, 1000)
    for (let i = 1; i < hits.length; i++) assert.ok(hits[i - 1].distance < hits[i].distance)
  })
})

describe('readRayCast', () => {
  test('writes to what is there', () => {
    const { world, bodies } = row(3)
    const position = new Float64Array(3)
    const normal = { x: 7, y: 7, z: 7 }
    const out = { position, normal }
    const hit = world.readRayCast(out, origin, x)
    assert.equal(hit, out)
    assert.equal(hit?.body, bodies[0])
    assert.equal(hit?.distance, 2.5)
    assert.equal(hit?.position, position)
    assert.deepEqual([...position], [2.5, 0, 0])
    assert.deepEqual({ ...normal }, { x: -1, y: 0, z: 0 })
  })

  test('makes what is missing, and leaves all as it is on a miss', () => {
    const { world } = row(3)
    assert.deepEqual(world.readRayCast({}, origin, x)?.position, [2.5, 0, 0])
    const out = {}
    assert.equal(world.readRayCast(out, origin, [0, 1, 0]), null)
    assert.deepEqual(out, {})
  })
})

describe('bad rays', () => {
  /** @type {[(world: World) => unknown, string, string?][]} */
  const cases = [
    [(world) => world.rayCast(/** @type {any} */ (undefined), x), 'rayCast: origin must be three'],
    [(world) => world.rayCast([0, NaN, 0], x), 'rayCast: origin must be three finite numbers'],
    [(world) => world.rayCast(origin, [0, 0, 0]), 'rayCast: direction must be finite and not zero'],
    [
      (world) => world.rayCastAll(origin, [0, 0, 0]),
      'rayCastAll: direction must be finite and not zero, got [0, 0, 0]',
    ],
    [(world) => world.rayCast(origin, [1, 0]), 'rayCast: direction must be three finite numbers'],
    [
      (world) => world.rayCast(origin, x, { maxDistance: -1 }),
      'rayCast: maxDistance must be a number, 0 or more, got -1',
    ],
    [
      (world) => world.rayCast(origin, x, { maxDistance: NaN }),
      'rayCast: maxDistance must be a number, 0 or more, got NaN',
    ],
    [
      (world) => world.rayCast(origin, x, /** @type {any} */ ({ maxDist: 1 })),
      "rayCast: unknown option 'maxDist'; did you mean 'maxDistance'?",
    ],
    [
      (world) => world.rayCast(origin, x, /** @type {any} */ (5)),
      'rayCast: options must be an object',
    ],
    [
      (world) => world.rayCast(origin, x, { filter: /** @type {any} */ ({ group: 1 }) }),
      "rayCast: filter has an unknown option 'group'",
    ],
    [
      (world) => world.rayCast(origin, x, { filter: { mask: 1.5 } }),
      'rayCast: filter.mask must be a whole number from -2147483648 to 4294967295, got 1.5',
    ],
    [
      (world) => world.rayCast(origin, x, { exclude: /** @type {any} */ (3) }),
      'rayCast: exclude must be a body of this world, got 3',
    ],
    [
      (world) => world.rayCast(origin, x, { exclude: new World().createBody({ shape: ball }) }),
      'rayCast: exclude: body 1 is of another world',
    ],
    [
      (world) => {
        const body = world.createBody({ shape: ball })
        body.destroy()
        world.rayCast(origin, x, { exclude: body })
      },
      'rayCast: exclude: body',
      'stale-handle',
    ],
    [
      (world) => world.readRayCast(/** @type {any} */ (null), origin, x),
      'readRayCast: out must be an object, got null',
    ],
    [
      (world) => {
        world.free()
        world.rayCast(origin, x)
      },
      'rayCast: the world was freed',
      'stale-handle',
    ],
  ]
  for (const [call, message, code = 'invalid-argument'] of cases) {
    test(message, () => {
      const { world } = row(3)
      assert.throws(
        () => call(world),
        (/** @type {any} */ error) => {
          assert.equal(error.code, code)
          assert.ok(error.message.startsWith(message), error.message)
          return true
        },
      )
    })
  }
})

describe('a filter of bodies', () => {
  /**
   * Whether a ball that falls on another one rests on it.
   * @param {BodyDefinition['filter']} upper
   * @param {BodyDefinition['filter']} lower
   */
  function rests(upper, lower) {
    const world = new World()
    world.createBody({ type: 'static', shape: cube, filter: lower })
    const falling = world.createBody({ shape: cube, position: [0, 1.05, 0], filter: upper })
    for (let i = 0; i < 60; i++) world.step(1 / 60)
    return falling.position[1] > 0.9
  }

  test('needs a bit of either in the mask of the other', () => {
    assert.equal(rests({}, {}), true)
    assert.equal(rests({ category: 2 }, { mask: 2 }), true)
    assert.equal(rests({ category: 2 }, { mask: ~2 }), false)
    assert.equal(rests({ mask: 0 }, {}), false)
    assert.equal(rests({ category: 2, mask: 4 }, { category: 4, mask: 2 }), true)
  })

  test('is overruled by a group in common', () => {
    assert.equal(rests({ group: -1 }, { group: -1 }), false)
    assert.equal(rests({ group: -1 }, { group: -2 }), true)
    assert.equal(rests({ group: 3, mask: 0 }, { group: 3, mask: 0 }), true)
  })

  test('may be changed at any time', () => {
    const world = new World()
    const floor = world.createBody({ type: 'static', shape: cube })
    const body = world.createBody({ shape: cube, position: [0, 1, 0] })
    assert.deepEqual(body.filter, { category: 1, mask: 0xffffffff, group: 0 })
    for (let i = 0; i < 120; i++) world.step(1 / 60)
    assert.ok(body.position[1] > 0.98)
    body.filter = { category: -1, mask: ~1, group: -7 }
    assert.deepEqual(body.filter, { category: 0xffffffff, mask: 0xfffffffe, group: -7 })
    for (let i = 0; i < 30; i++) world.step(1 / 60)
    assert.ok(body.position[1] < 0.5)
    body.filter = {}
    assert.deepEqual(body.filter, floor.filter)
  })
})
