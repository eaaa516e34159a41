// Reading events changes nothing and is allowed at any time.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CONTACT_EVENT_LAYOUT, World } from 'moreau'
import { dt } from './support.mjs'

const SOLVERS = /** @type {const} */ (['soft-step', 'block-pgs', 'exact', 'cone'])

/** @param {import('moreau').SolverName} solver */
async function makeScene(solver) {
  const world = await World.create({ solver })
  world.createBody({ type: 'static', shape: { type: 'plane' } })
  const bodies = [0, 1, 2, 3].map((i) =>
    world.createBody({
      shape: { type: 'sphere', radius: 0.5 },
      ...{ position: [1.1 * i, 0.5 + 0.4 * i, 0], linearVelocity: [i === 3 ? 80 : 0, 0, 0] },
    }),
  )
  const sensor = world.createBody({
    ...{ type: 'kinematic', sensor: true, position: [0, 0.5, 0] },
    shape: { type: 'box', halfExtents: [0.6, 0.6, 0.6] },
  })
  return { world, bodies, sensor }
}

/** @param {World} world */
const countEvents = ({ contactEvents, sensorEvents }) =>
  contactEvents.begin.length + sensorEvents.enter.length

for (const solver of SOLVERS) {
  describe(`reading events (${solver})`, () => {
    test('leaves the hash of the world and of all later steps', async () => {
      const read = await makeScene(solver)
      const unread = await makeScene(solver)
      for (let step = 0; step < 30; step++) {
        for (const { world, bodies } of [read, unread]) {
          world.step(dt)
          if (step === 9) bodies[1].destroy()
          if (step === 19) world.createBody({ shape: { type: 'sphere', radius: 0.2 } })
        }
        if (step % 10 === 9) countEvents(read.world)
        assert.equal(read.world.hash(), unread.world.hash(), `step ${step}`)
      }
      read.world.free()
      unread.world.free()
    })

    test('is allowed in functions that the engine calls, which see those of the last step', async () => {
      const { world } = await makeScene(solver)
      for (let step = 0; step < 20; step++) world.step(dt)
      /** @type {number[]} */
      const seen = []
      const out = new Float64Array(20 * CONTACT_EVENT_LAYOUT.stride)
      world.contactFilter = () => {
        seen.push(countEvents(world))
        assert.equal(world.readContactEvents(out), world.contactEvents.begin.length)
        return true
      }
      world.step(dt)
      assert.ok(seen.length > 0 && seen.every((count) => count === 0))
      const began = countEvents(world)
      assert.ok(began > 1, 'all that touches and is inside begins with the end of the step')
      seen.length = 0
      world.step(dt)
      assert.ok(seen.length > 0 && seen.every((count) => count === began))
      assert.equal(countEvents(world), 0)
      world.free()
    })
  })
}

test('a predicate reads events of a world that nothing has read before', async () => {
  const { world, sensor } = await makeScene('soft-step')
  world.step(dt)
  const predicate = () => countEvents(world) === 0
  const hit = world.rayCast([0, 5, 0], [0, -1, 0], { predicate, exclude: sensor })
  assert.ok(hit)
  world.step(dt)
  assert.ok(countEvents(world) > 0)
  world.free()
})

test('a listener ends itself inside of a function, and begins none there', async () => {
  const { world } = await makeScene('soft-step')
  let told = 0
  const stop = world.on('contact', () => told++)
  world.contactFilter = () => {
    stop()
    assert.throws(() => world.on('sensor', () => told++), { code: 'world-locked' })
    return true
  }
  for (let step = 0; step < 20; step++) world.step(dt)
  assert.equal(told, 0)
  world.contactFilter = null
  world.on('sensor', () => told++)
  world.step(dt)
  assert.ok(told > 0)
  assert.equal(told, world.sensorEvents.enter.length, 'each is told once')
  world.free()
})
