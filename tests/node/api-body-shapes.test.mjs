import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createShape, World } from 'moreau'
import { dt, g } from './support.mjs'

/** @type {readonly import('moreau').SolverName[]} */
const SOLVERS = ['exact', 'block-pgs', 'soft-step']

/** @param {import('moreau').WorldOptions} [options] */
const makeWorld = (options = {}) => World.create({ gravity: [0, 0, -g], ...options })

const floor = /** @type {const} */ ({
  type: 'static',
  position: [0, 0, -0.5],
  shape: { type: 'box', halfExtents: [50, 50, 0.5] },
})
const cube = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })

/**
 * @param {readonly number[]} got
 * @param {readonly number[]} wanted
 */
function assertNear(got, wanted, tolerance = 1e-12) {
  wanted.forEach((x, i) => assert.ok(Math.abs(got[i] - x) <= tolerance, `${got} is not ${wanted}`))
}

describe('shapes of a living body', () => {
  test('that come and go move mass, inertia and centre of mass', async () => {
    const world = await makeWorld()
    const body = world.createBody({ shape: cube, density: 6, linearVelocity: [1, 0, 0] })
    const added = body.addShape({ ...cube, position: [2, 0, 0] })
    assert.deepEqual(body.shapes, [body.shape, added])
    assert.equal(body.mass, 12)
    assertNear(body.centerOfMass, [1, 0, 0])
    assertNear(body.inertia, [2, 0, 0, 0, 14, 0, 0, 0, 14])
    assertNear(body.position, [0, 0, 0])
    body.angularVelocity = [0, 0, 1]
    body.removeShape(added)
    assert.equal(body.mass, 6)
    assertNear(body.centerOfMass, [0, 0, 0])
    // The velocity is that of the other point now.
    assertNear(body.linearVelocity, [1, -1, 0])
    body.shapes = [
      { ...cube, density: 1 },
      { type: 'sphere', radius: 1, sensor: true, density: 0 },
    ]
    assertNear([body.mass], [1])
  })

  test('do not move what was given', async () => {
    const world = await makeWorld()
    const body = world.createBody({ shape: cube, mass: 5, centerOfMass: [0.1, 0, 0] })
    body.addShape({ ...cube, position: [0, 3, 0] })
    assert.equal(body.mass, 5)
    assert.deepEqual(body.centerOfMass, [0.1, 0, 0])
    body.density = 3
    assertNear([body.mass], [6])
    body.removeShape(1)
    assertNear([body.mass], [3])
  })

  test('are refused without a trace', async () => {
    const world = await makeWorld()
    const body = world.createBody({ shape: cube })
    const shapes = body.shapes
    const before = world.hash()
    const refused = /** @type {[() => unknown, string][]} */ ([
      [() => body.removeShape(0), 'invalid-argument'],
      [() => body.removeShape(7), 'invalid-argument'],
      [() => body.removeShape(createShape(cube)), 'invalid-argument'],
      [() => body.addShape({ type: 'plane' }), 'invalid-argument'],
      [() => body.addShape({ ...cube, density: 0 }), 'invalid-argument'],
      [() => body.addShape({ ...cube, position: [1e308, 0, 0] }), 'invalid-argument'],
      [() => body.addShape({ ...cube, density: 1e300 }), 'invalid-argument'],
      // @ts-expect-error: no shape
      [() => body.addShape({}), 'invalid-argument'],
      // @ts-expect-error: no list
      [() => (body.shapes = cube), 'invalid-argument'],
      [() => body.setShapes([]), 'invalid-argument'],
      [() => body.replaceShape(1, cube), 'invalid-argument'],
      // @ts-expect-error: no flag
      [() => (body.sensor = 'yes'), 'invalid-argument'],
    ])
    for (const [call, code] of refused) assert.throws(call, { code }, `${call}`)
    assert.equal(body.shapes, shapes)
    assert.equal(world.hash(), before)
    body.destroy()
    assert.throws(() => body.addShape(cube), { code: 'stale-handle' })
  })

  for (const solver of SOLVERS) {
    test(`begin and end contacts, and wake (${solver})`, async () => {
      const world = await makeWorld({ solver })
      world.createBody(floor)
      const body = world.createBody({ shape: cube, position: [0, 0, 0.5] })
      for (let step = 0; step < 100; step++) world.step(dt)
      assert.equal(body.isAwake, false)
      assert.equal(world.contactEvents.begin.length, 1)
      const leg = body.addShape({ type: 'box', halfExtents: [0.1, 0.1, 0.5], position: [1, 0, 0] })
      assert.equal(body.isAwake, true)
      world.step(dt)
      assert.deepEqual(
        world.contactEvents.begin.map(({ shapeB }) => shapeB),
        [leg],
      )
      assert.deepEqual(world.contactEvents.end, [], 'the other contact goes on')
      body.removeShape(leg)
      world.step(dt)
      assert.deepEqual(
        world.contactEvents.end.map(({ shapeB }) => shapeB),
        [leg],
      )
      body.sensor = true
      assert.equal(body.sensor, true)
      world.step(dt)
      assert.equal(world.contactEvents.end.length, 1)
      for (let step = 0; step < 10; step++) world.step(dt)
      assert.ok(body.position[2] < 0.4, 'it falls through the floor')
    })

    test(`have filters of their own (${solver})`, async () => {
      const world = await makeWorld({ solver })
      world.createBody({ ...floor, filter: { category: 2 } })
      // A ball that meets the floor, below a box that does not.
      const body = world.createBody({
        position: [0, 0, 0.3],
        shapes: [
          { ...cube, filter: { mask: 1 } },
          { type: 'sphere', radius: 0.2, position: [0, 0, -0.1] },
        ],
      })
      for (let step = 0; step < 20; step++) world.step(dt)
      assert.ok(Math.abs(body.position[2] - 0.3) < 0.01, `${body.position}`)
      assert.equal(body.shapes[0].filter?.mask, 1)
      body.removeShape(1)
      for (let step = 0; step < 20; step++) world.step(dt)
      assert.ok(body.position[2] < 0.1)
    })
  }

  test('of a stack that stands: one is replaced', async () => {
    const world = await makeWorld()
    world.createBody(floor)
    const bodies = [0.5, 1.5, 2.5].map((z) =>
      world.createBody({ shape: cube, position: [0, 0, z] }),
    )
    for (let step = 0; step < 60; step++) world.step(dt)
    assert.equal(world.contactEvents.begin.length, 3)
    world.step(dt)
    bodies[1].replaceShape(0, { ...cube, friction: 0.9, density: 500 })
    world.step(dt)
    assert.deepEqual(world.contactEvents, { begin: [], end: [], hit: [], force: [] })
    assert.equal(bodies[1].shape?.friction, 0.9)
    for (let step = 0; step < 60; step++) world.step(dt)
    assert.ok(Math.abs(bodies[2].position[2] - 2.5) < 0.02)
  })

  test('of a body: one that is replaced is placed as in a new body, to the bit', async () => {
    const world = await makeWorld()
    // Of another length than 1, which is to be made 1 in the same way.
    const shape = /** @type {const} */ ({
      type: 'box',
      halfExtents: [0.1, 0.7, 0.4],
      orientation: [0.72, 0.1, 0.3, 0.2],
    })
    const fresh = world.createBody({ shape })
    const body = world.createBody({ shape: cube, position: [5, 0, 0] })
    body.replaceShape(0, shape)
    assert.deepEqual(body.inertia, fresh.inertia)
  })
})
