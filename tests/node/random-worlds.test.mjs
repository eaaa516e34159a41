/**
 * Random scenes of all shapes and joints, disturbed at random: what must hold in each of them.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { World } from 'moreau'
import { Random } from '../../scenarios/random.mjs'
import { randomScene } from './random-scene.mjs'

/** @typedef {import('moreau').Body} Body */
/** @typedef {import('moreau').SolverName} SolverName */
/** @typedef {import('moreau').WorldOptions} WorldOptions */

const STEP = 1 / 60
const cube = /** @type {const} */ ({ type: 'box', halfExtents: [0.2, 0.2, 0.2] })

/** @param {number} seed @param {WorldOptions} [options] */
async function randomWorld(seed, options) {
  const world = await World.create(options)
  randomScene(seed).setup(world)
  return world
}

/** @param {World} world */
const dynamicBodies = (world) => world.bodies.filter((body) => body.type === 'dynamic')

/**
 * @template T
 * @param {Random} random
 * @param {readonly T[]} list
 */
const pick = (random, list) => list[Math.floor(random.next() * list.length)]

/** Something that users do between steps. @param {World} world @param {Random} random */
function disturb(world, random) {
  const body = pick(random, dynamicBodies(world))
  const what = Math.floor(random.next() * 6)
  if (what === 0) body.applyImpulse([0, 0.2 * body.mass, 0])
  if (what === 1) body.wake()
  if (what === 2) body.sleep()
  if (what === 3 && world.bodies.length > 20) body.destroy()
  if (what === 4) world.createBody({ shape: cube, position: [0, 5, random.between(-1, 1)] })
  if (what === 5) {
    body.wake()
    body.sleep()
  }
}

describe('sleep events', () => {
  for (const solver of /** @type {const} */ (['soft-step', 'block-pgs'])) {
    test(`${solver}: each change is told once, for as long as bodies come, go and are pushed`, async () => {
      const world = await randomWorld(3, { solver, timeToSleep: 0.2, sleepThreshold: 0.1 })
      const random = new Random(7)
      /** Who is awake, by the events alone. @type {Set<Body>} */
      const awake = new Set(dynamicBodies(world))
      /** @type {import('moreau').SleepEvents[]} */
      const told = []
      world.on('sleep', (events) => told.push(events))
      let changes = 0
      for (let step = 0; step < 2400; step++) {
        const before = new Set(world.bodies)
        if (random.next() < 0.03) disturb(world, random)
        for (const body of world.bodies) if (!before.has(body)) awake.add(body)
        for (const body of before) if (!body.isAlive) awake.delete(body)
        told.length = 0
        world.step(STEP)
        const events = world.sleepEvents
        assert.deepEqual(told, events.asleep.length + events.awake.length > 0 ? [events] : [])
        for (const body of events.asleep) assert.ok(awake.delete(body), 'it was awake')
        for (const body of events.awake) {
          assert.ok(!awake.has(body), 'it was asleep')
          awake.add(body)
        }
        changes += events.asleep.length + events.awake.length
        const really = dynamicBodies(world).filter((body) => body.isAwake)
        assert.deepEqual(new Set(really), awake, `after step ${step}`)
      }
      assert.ok(changes > 100, `${changes} changes`)
      world.free()
    })
  }
})

describe('a function of the user that throws in the middle of a step of soft-step', () => {
  const cause = new Error('mine')

  for (const { what, code, add } of [
    {
      what: 'potential',
      code: 'potential-failed',
      add: (/** @type {World} */ world, /** @type {() => void} */ call) =>
        world.createPotential({ type: 'custom', energy: () => 0, force: call }),
    },
    {
      what: 'constraint',
      code: 'constraint-failed',
      add: (/** @type {World} */ world, /** @type {() => void} */ call) => {
        const [body] = dynamicBodies(world)
        const { position } = body
        const evaluate = (
          /** @type {any} */ at,
          /** @type {any} */ b,
          /** @type {number} */ t,
          /** @type {any} */ out,
        ) => {
          call()
          out[0] = at.position[1] - position[1]
        }
        return world.createConstraint({ type: 'custom', bodies: [body], dimension: 1, evaluate })
      },
    },
  ]) {
    test(`${what}: the world is as it was, and goes on as if nothing had been`, async () => {
      for (const seed of [1, 2, 3, 4]) {
        let calls = Infinity
        const call = () => {
          if (calls-- <= 0) throw cause
        }
        const options = { allowSleep: false }
        const [world, twin] = [await randomWorld(seed, options), await randomWorld(seed, options)]
        add(world, call)
        add(twin, () => {})
        for (let round = 0; round < 12; round++) {
          for (let i = 0; i < 10; i++) for (const each of [world, twin]) each.step(STEP)
          const seen = [
            world.hash(),
            world.energy(),
            world.residual(),
            world.stats,
            world.contactPoints(),
          ]
          for (let last = 0; last < 4; last++) {
            calls = last * Math.min(round, 3)
            assert.throws(() => world.step(STEP), { code, cause })
          }
          calls = Infinity
          assert.deepEqual(
            [world.hash(), world.energy(), world.residual(), world.stats, world.contactPoints()],
            seen,
          )
        }
        assert.equal(world.hash(), twin.hash())
        world.free()
        twin.free()
      }
    })
  }

  test('listener: the step is made, and the next ones are', async () => {
    const options = { timeToSleep: 0.1, sleepThreshold: 0.2 }
    const [world, twin] = [await randomWorld(5, options), await randomWorld(5, options)]
    let thrown = 0
    world.on('sleep', () => {
      thrown++
      throw cause
    })
    for (let i = 0; i < 600; i++) {
      const before = thrown
      try {
        world.step(STEP)
      } catch (error) {
        assert.equal(error, cause)
        assert.equal(thrown, before + 1)
      }
      twin.step(STEP)
      assert.equal(world.stepCount, i + 1)
    }
    assert.ok(thrown > 3, `${thrown} times`)
    assert.equal(world.hash(), twin.hash())
    world.free()
    twin.free()
  })
})

describe('solvers side by side in one world', () => {
  const solvers = /** @type {const} */ (['soft-step', 'block-pgs', 'exact'])

  /** @param {World} world */
  function check(world) {
    const { kinetic, potential, total } = world.energy()
    const { worst, rms } = world.residual()
    for (const number of [kinetic, potential, total, worst, rms]) {
      assert.ok(Number.isFinite(number), `${number}`)
    }
    for (const point of world.contactPoints()) {
      assert.ok([...point.position, ...point.normal, point.normalImpulse].every(Number.isFinite))
    }
    for (const { solver, residual } of world.islands()) {
      assert.ok(solver !== undefined && Number.isFinite(residual))
    }
    const living = new Set(world.bodies)
    for (const body of world.bodies) {
      assert.ok(body.position.every(Number.isFinite))
      assert.ok(body.type !== 'dynamic' || body.position[1] > -0.1, 'it is above the floor')
      for (const { other } of body.contacts()) assert.ok(living.has(other))
    }
    assert.match(world.hash(), /^[0-9a-f]{16}$/)
    assert.equal(world.stats.bodies, world.bodies.length)
  }

  for (const worldSolver of solvers) {
    test(`${worldSolver} with bodies of the others: all can be looked at, also after bodies went`, async () => {
      for (let seed = 1; seed <= 3; seed++) {
        const world = await randomWorld(seed, { solver: worldSolver, exactMemoryLimit: 2 ** 24 })
        const random = new Random(seed)
        for (const body of dynamicBodies(world)) {
          if (random.next() < 0.5) body.solver = pick(random, solvers)
        }
        for (let round = 0; round < 8; round++) {
          for (let i = 0; i < 20; i++) world.step(STEP)
          check(world)
          for (let i = 0; i < 3; i++) pick(random, dynamicBodies(world)).destroy()
          check(world)
          pick(random, dynamicBodies(world)).solver = pick(random, solvers)
          check(world)
        }
        world.free()
      }
    })
  }
})
