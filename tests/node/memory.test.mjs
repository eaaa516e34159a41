import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { collide, createShape, distance, World } from 'moreau'
import { sceneByName } from 'moreau/scenarios'

/** @typedef {import('moreau').SolverName} SolverName */

describe('memory', () => {
  // Counts of the C allocator are exact, so a busy machine does not matter. JavaScript's heap is watched by the benchmark.
  for (const [
    name,
    warmUp,
    steps,
    solver,
  ] of /** @type {[string, number, number, SolverName][]} */ ([
    ['pyramid-210', 100, 500, 'block-pgs'],
    ['stack-of-10', 60, 2000, 'block-pgs'],
    ['sliding-45', 20, 2000, 'block-pgs'],
    ['tumbling-boxes', 420, 2000, 'block-pgs'],
    ['pyramid-210', 100, 500, 'soft-step'],
    ['stack-of-10', 60, 2000, 'soft-step'],
    ['tumbling-boxes', 420, 2000, 'soft-step'],
  ])) {
    test(`${name}, ${solver}: no allocation in the steady state, in ${steps} steps`, async () => {
      const scene = sceneByName(name)
      const world = await World.create({ ...scene.options, solver, allowSleep: false })
      scene.setup(world)
      for (let step = 0; step < warmUp; step++) world.step(scene.timeStep)
      const { allocations, bytes } = world.memory()
      for (let step = 0; step < steps; step++) world.step(scene.timeStep)
      assert.equal(world.memory().allocations, allocations, 'calls of the allocator')
      assert.equal(world.memory().bytes, bytes, 'bytes held')
      world.free()
    })
  }

  for (const solver of /** @type {const} */ (['soft-step', 'block-pgs'])) {
    test(`${solver}: falling asleep and waking allocate nothing once they have happened`, async () => {
      const world = await World.create({ solver, timeToSleep: 0.1, sleepThreshold: 0.05 })
      world.createBody({ type: 'static', shape: { type: 'plane' } })
      const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })
      const cubes = Array.from({ length: 8 }, (_, i) =>
        world.createBody({ shape, position: [2 * (i % 4), 0.5 + (i >> 2), 0], mass: 1 }),
      )
      let sleeps = 0
      const round = () => {
        for (let step = 0; step < 60; step++) world.step(1 / 60)
        sleeps += Number(world.awakeCount === 0)
        for (const cube of cubes) cube.applyImpulse([0, 0.5, 0])
        world.step(1 / 60)
        assert.equal(world.awakeCount, cubes.length)
      }
      for (let i = 0; i < 3; i++) round()
      const { allocations, bytes } = world.memory()
      for (let i = 0; i < 20; i++) round()
      assert.equal(sleeps, 23)
      assert.equal(world.memory().allocations, allocations, 'calls of the allocator')
      assert.equal(world.memory().bytes, bytes, 'bytes held')
      world.free()
    })
  }

  test('a world gives all of its memory back', async () => {
    const scene = sceneByName('tumbling-boxes')
    const probe = await World.create()
    const before = probe.memory().bytes
    for (let count = 0; count < 5; count++) {
      const world = await World.create(scene.options)
      scene.setup(world)
      for (let step = 0; step < 60; step++) world.step(scene.timeStep)
      assert.ok(probe.memory().bytes > before)
      world.free()
      assert.equal(probe.memory().bytes, before, 'bytes held')
    }
    probe.free()
  })
})

describe('shapes that createBody makes from definitions', () => {
  const box = () => /** @type {const} */ ({ type: 'box', halfExtents: [1, 1, 1] })
  const points = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
  const hull = () => ({ type: /** @type {const} */ ('hull'), points: [...points] })

  test('go with their last body', async () => {
    const world = await World.create()
    // The lists of the world grow to their place for a body of two shapes.
    world.createBody({ shape: box() }).destroy()
    world.createBody({ shapes: [box(), hull()] }).destroy()
    const before = world.memory().bytes
    for (let i = 0; i < 1000; i++) {
      world.createBody({ shape: box() }).destroy()
      world.createBody({ shapes: [box(), hull()] }).destroy()
      assert.equal(world.memory().bytes, before, `bytes held after ${i + 1} bodies`)
    }
    world.free()
  })

  test('stay while a body of any world uses them, and are built anew after that', async () => {
    const [a, b] = [await World.create(), await World.create()]
    const definition = hull()
    const first = a.createBody({ shape: definition })
    const second = b.createBody({ shape: definition })
    const third = b.createBody({ shape: first.shape })
    const { shape } = first
    assert.equal(second.shape, shape)
    a.free()
    second.destroy()
    assert.equal(shape?.hull?.vertices.length, 4, 'the third body still has it')
    third.destroy()
    assert.throws(() => b.createBody({ shape }), {
      code: 'stale-handle',
      message: 'createBody: shape: the shape was freed with the last body that used it',
    })
    const fourth = b.createBody({ shape: definition })
    assert.notEqual(fourth.shape, shape)
    assert.equal(fourth.shape?.hull?.vertices.length, 4)
    b.free()
  })

  test('are not left behind by a refused body', async () => {
    const world = await World.create()
    const before = world.memory().bytes
    for (const wrong of [
      { shape: box(), mass: -1 },
      { shapes: [hull(), { type: 'sphere', radius: -1 }] },
      { shape: hull(), inertia: [1, -1, 1] },
    ]) {
      assert.throws(() => world.createBody(/** @type {any} */ (wrong)), { name: 'MoreauError' })
      assert.equal(world.memory().bytes, before, 'bytes held')
    }
    world.free()
  })

  test('unlike those of createShape, which belong to who called it', async () => {
    const probe = await World.create()
    const before = probe.memory().bytes
    const shape = createShape(hull())
    const held = probe.memory().bytes
    const world = await World.create()
    world.createBody({ shape }).destroy()
    assert.equal(world.createBody({ shape }).shape, shape)
    world.free()
    assert.equal(probe.memory().bytes, held)
    shape.free()
    assert.equal(probe.memory().bytes, before)
    probe.free()
  })

  test('collide and distance keep a few, and no more', async () => {
    const world = await World.create()
    const pair = () => {
      collide(hull(), {}, box(), {})
      distance(hull(), { position: [9, 0, 0] }, box(), {})
    }
    for (let i = 0; i < 10; i++) pair()
    const before = world.memory().bytes
    for (let i = 0; i < 100; i++) pair()
    assert.equal(world.memory().bytes, before, 'bytes held')
    const definition = hull()
    collide(definition, {}, definition, {})
    const { allocations } = world.memory()
    for (let i = 0; i < 10; i++) collide(definition, {}, definition, {})
    assert.equal(world.memory().allocations, allocations, 'a definition used again is built once')
    world.free()
  })
})
