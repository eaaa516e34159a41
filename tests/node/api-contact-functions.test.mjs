import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { describe, test } from 'node:test'
import { World } from 'moreau'
import { dt, g } from './support.mjs'

/** @typedef {import('moreau').ContactPair} ContactPair */

/** @type {readonly import('moreau').SolverName[]} */
const SOLVERS = ['exact', 'block-pgs', 'soft-step']

/** @param {import('moreau').WorldOptions} options */
const makeWorld = (options) =>
  World.create({ gravity: [0, 0, -g], iterations: 200, tolerance: 1e-10, ...options })

const ball = /** @type {const} */ ({ type: 'sphere', radius: 0.2 })

for (const solver of SOLVERS) {
  describe(`contact functions (${solver})`, () => {
    test('A117: a platform that is solid from above', async () => {
      const world = await makeWorld({ solver })
      const platform = world.createBody({
        ...{ type: 'static', position: [0, 0, -0.05] },
        shape: { type: 'box', halfExtents: [2, 2, 0.05] },
      })
      const body = world.createBody({ shape: ball, position: [0, 0, -1], mass: 2 })
      body.linearVelocity = [0, 0, 6]
      let calls = 0
      world.contactFilter = ({ bodyA, bodyB, normal }) => {
        calls++
        assert.deepEqual([bodyA, bodyB], [platform, body])
        return normal[2] > 0.5 && body.linearVelocity[2] <= 0 && body.position[2] >= 0.19
      }
      let [apex, mostCalls] = [-1, 0]
      for (let step = 1; step <= 3000; step++) {
        const before = body.linearVelocity[2]
        calls = 0
        world.step(0.001)
        mostCalls = Math.max(mostCalls, calls)
        apex = Math.max(apex, body.position[2])
        if (before > 0.1) {
          assert.ok(Math.abs(body.linearVelocity[2] - before + 0.001 * g) < 1e-6, 'free flight')
          assert.deepEqual(world.contactEvents.begin, [])
        }
      }
      assert.equal(mostCalls, 1)
      assert.ok(Math.abs(apex - 0.834862) < 1e-2, `${apex}`)
      assert.ok(Math.abs(body.position[2] - 0.2) < 1e-2, `${body.position}`)
      const [{ points }] = body.contacts()
      const force = points.reduce((sum, { normalImpulse }) => sum + normalImpulse, 0) / 0.001
      assert.ok(Math.abs(force - 2 * g) < 0.02 * 2 * g, `${force}`)
    })

    test('read a pair without an object per contact', async () => {
      const world = await makeWorld({ solver })
      world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 0, 1] } })
      for (const x of [-1, 1]) world.createBody({ shape: ball, position: [x, 0, 0.2 - 1e-3] })
      /** @type {Set<ContactPair>} */
      const pairs = new Set()
      const [normal, velocity] = [new Float64Array(3), { x: NaN, y: NaN, z: NaN }]
      let seen = 0
      world.contactModifier = (pair) => {
        pairs.add(pair)
        seen++
        assert.equal(pair.readNormal(normal), normal)
        assert.deepEqual([...normal], pair.normal)
        pair.surfaceVelocity = [seen, 2, 3]
        assert.deepEqual(pair.readSurfaceVelocity(velocity), { x: seen, y: 2, z: 3 })
        assert.equal(pair.pointCount, pair.points.length)
        assert.equal(pair.pointCount, 1)
        assert.match(inspect(pair), /^ContactPair \{[^]*normal: /)
        const [{ position, separation }] = pair.points
        assert.deepEqual(pair.readPosition(0, [0, 0, 0]), position)
        assert.equal(pair.separation(0), separation)
        assert.ok(Math.abs(Math.abs(position[0]) - 1) < 1e-9, `${position}`)
        for (const index of [-1, 1, 0.5]) {
          const wrong = { code: 'invalid-argument' }
          assert.throws(() => pair.separation(index), wrong)
          assert.throws(() => pair.readPosition(index, [0, 0, 0]), wrong)
          assert.throws(() => pair.removePoint(index), wrong)
        }
      }
      world.step(dt)
      assert.equal(seen, 2)
      assert.equal(pairs.size, 1, 'one object for all contacts')
    })

    test('are called once per pair and step, in the order of the bodies', async () => {
      const world = await makeWorld({ solver, allowSleep: false })
      const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })
      world.createBody({
        ...{ type: 'static', position: [0, 0, -0.5] },
        shape: { type: 'box', halfExtents: [50, 50, 0.5] },
      })
      for (const x of [3, 0, 6]) {
        for (const z of [1.5, 0.5]) world.createBody({ shape, position: [x, 0, z] })
      }
      /** @type {[number, number][]} */
      let calls = []
      world.contactFilter = ({ bodyA, bodyB }) => {
        calls.push([bodyA.index, bodyB.index])
        return true
      }
      for (let step = 0; step < 30; step++) {
        calls = []
        world.step(dt)
        const keys = calls.map(([a, b]) => 1000 * Math.min(a, b) + Math.max(a, b))
        assert.deepEqual(
          keys,
          [...new Set(keys)].sort((a, b) => a - b),
        )
        assert.equal(keys.length, 6)
      }
    })

    test('change friction for as long as they are there', async () => {
      const world = await makeWorld({ solver, allowSleep: false })
      world.createBody({
        ...{ type: 'static', position: [0, 0, -0.5], friction: 0.4 },
        shape: { type: 'box', halfExtents: [50, 50, 0.5] },
      })
      const box = world.createBody({
        ...{ position: [0, 0, 0.5], friction: 0.4 },
        shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
      })
      for (let step = 0; step < 5; step++) world.step(dt)
      box.linearVelocity = [2, 0, 0]
      world.contactModifier = (contact) => void (contact.friction = 0)
      for (let step = 0; step < 10; step++) world.step(dt)
      assert.ok(Math.abs(box.linearVelocity[0] - 2) < 1e-6, `${box.linearVelocity}`)
      world.contactModifier = null
      for (let step = 0; step < 60; step++) world.step(dt)
      assert.ok(Math.abs(box.linearVelocity[0]) < 1e-3, `${box.linearVelocity}`)
    })

    test('drive surfaces as those of bodies do: a belt that only one box feels', async () => {
      const run = async (/** @type {boolean} */ byModifier) => {
        const world = await makeWorld({ solver, certify: true })
        const belt = world.createBody({
          ...{ type: 'static', position: [0, 0, -0.5], friction: 0.4 },
          shape: { type: 'box', halfExtents: [50, 50, 0.5] },
          surfaceVelocity: byModifier ? [0, 0, 0] : [1.5, 0.5, 0],
        })
        const [box, other] = [0, 5].map((y) =>
          world.createBody({
            ...{ position: [0, y, 0.5], friction: 0.4 },
            shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
          }),
        )
        world.contactModifier = (contact) => {
          assert.deepEqual([contact.bodyA, contact.normal.map(Math.round)], [belt, [0, 0, 1]])
          assert.equal(contact.bodyB.position[2] > 0.4, true, 'the world can be read')
          if (contact.bodyB === other) contact.surfaceVelocity = { x: 0, y: 0, z: 0 }
          else if (byModifier) contact.surfaceVelocity = [-1.5, -0.5, 0]
          else contact.surfaceVelocity.forEach((v, i) => assert.equal(v, [-1.5, -0.5, 0][i]))
        }
        for (let step = 0; step < 120; step++) world.step(dt)
        return { world, box, other }
      }
      const [{ box, other, world }, asBody] = [await run(true), await run(false)]
      for (const [axis, speed] of [1.5, 0.5, 0].entries()) {
        assert.ok(Math.abs(box.linearVelocity[axis] - speed) < 1e-3, `${box.linearVelocity}`)
        assert.ok(Math.abs(other.linearVelocity[axis]) < 1e-3, `${other.linearVelocity}`)
        assert.ok(Math.abs(box.position[axis] - asBody.box.position[axis]) < 1e-6)
      }
      // The certificate knows of the belt: without it the slip of 1.5 m/s would be its error.
      assert.ok(world.residual().worst < 0.05, `${world.residual().worst}`)
      world.contactModifier = null
      for (let step = 0; step < 120; step++) world.step(dt)
      assert.ok(Math.abs(box.linearVelocity[0]) < 1e-3, `${box.linearVelocity}`)
    })

    test('remove points: a box without support on one side tips over', async () => {
      const world = await makeWorld({ solver })
      world.createBody({
        ...{ type: 'static', position: [0, 0, -0.5] },
        shape: { type: 'box', halfExtents: [50, 50, 0.5] },
      })
      const box = world.createBody({
        ...{ position: [0, 0, 0.5] },
        shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
      })
      world.contactModifier = (contact) =>
        contact.points.forEach(({ position }, i) => {
          if (position[0] > 0) contact.removePoint(i)
        })
      for (let step = 0; step < 10; step++) world.step(dt)
      assert.ok(box.angularVelocity[1] > 0.5, `${box.angularVelocity}`)
    })

    test('that throw: the step is taken back, to the bit', async () => {
      const world = await makeWorld({ solver })
      world.createBody({
        ...{ type: 'static', position: [0, 0, -0.5] },
        shape: { type: 'box', halfExtents: [50, 50, 0.5] },
      })
      const body = world.createBody({ shape: ball, position: [0, 0, 0.2] })
      world.step(dt)
      const thrown = new Error('of a filter')
      world.contactFilter = () => {
        assert.throws(() => (body.linearVelocity = [1, 0, 0]), { code: 'world-locked' })
        assert.throws(() => body.destroy(), { code: 'world-locked' })
        assert.throws(() => world.step(dt), { code: 'world-locked' })
        assert.equal(body.position[0], 0)
        throw thrown
      }
      const before = world.hash()
      assert.throws(
        () => world.step(dt),
        (error) => error === thrown,
      )
      assert.equal(world.hash(), before)
      // @ts-expect-error: no answer
      world.contactFilter = () => {}
      assert.throws(() => world.step(dt), { code: 'invalid-argument' })
      world.contactFilter = null
      world.contactModifier = (contact) => void (contact.friction = NaN)
      assert.throws(() => world.step(dt), { code: 'invalid-argument' })
      assert.equal(world.stepCount, 1)
      for (const bad of [[NaN, 0, 0], [1, 2], 'x', undefined]) {
        world.contactModifier = (contact) => {
          assert.throws(() => (contact.surfaceVelocity = /** @type {any} */ (bad)), {
            ...{ code: 'invalid-argument', message: /contact: surfaceVelocity/ },
          })
          assert.deepEqual(contact.surfaceVelocity, [0, 0, 0])
          throw thrown
        }
        assert.throws(
          () => world.step(dt),
          (error) => error === thrown,
        )
      }
      world.contactModifier = null
      world.step(dt)
      // @ts-expect-error: no function
      assert.throws(() => (world.contactFilter = 1), { code: 'invalid-argument' })
    })

    test('that refuse a sleeping body let it sleep', async () => {
      const world = await makeWorld({ solver })
      world.createBody({
        ...{ type: 'static', position: [0, 0, -0.5] },
        shape: { type: 'box', halfExtents: [50, 50, 0.5] },
      })
      const sleeper = world.createBody({ shape: ball, position: [0, 0, 0.2] })
      sleeper.sleep()
      const ghost = world.createBody({ shape: ball, position: [-0.5, 0, 0.2], friction: 0 })
      ghost.linearVelocity = [2, 0, 0]
      world.contactFilter = ({ bodyA, bodyB }) => ![bodyA, bodyB].includes(sleeper)
      for (let step = 0; step < 30; step++) {
        world.step(dt)
        assert.equal(sleeper.isAwake, false)
      }
      assert.ok(ghost.position[0] > 0.2)
    })
  })
}
