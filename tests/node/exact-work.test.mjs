/** What a step of the exact solvers may cost, whatever the scene: `maxIterations`, weighed by size. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { World } from 'moreau'
import { cube, exactWorld } from './support.mjs'

const dt = 1 / 60
const ball = /** @type {const} */ ({ type: 'sphere', radius: 0.5 })

/** Numbers of a linear congruence, 0 to 1. */
class Random {
  #state
  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0
  }
  next() {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0
    return this.#state / 2 ** 32
  }
  /**
   * @param {number} low
   * @param {number} high
   * @returns {[number, number, number]}
   */
  vector(low, high) {
    const number = () => low + (high - low) * this.next()
    return [number(), number(), number()]
  }
}

describe('bodies that start in one point', () => {
  for (const { what, shape, count } of [
    { what: '50 spheres', shape: ball, count: 50 },
    { what: '100 spheres', shape: ball, count: 100 },
    { what: '200 boxes', shape: cube, count: 200 },
  ]) {
    // Without a bound the first step takes 48 s, over a minute and 144 s: more than 1e10 operations.
    test(`${what} take a bounded number of operations, and come apart`, async () => {
      const world = await exactWorld({ allowSleep: false })
      for (let i = 0; i < count; i++) world.createBody({ shape, mass: 1, position: [0, 0, 1] })
      for (let step = 0; step < 2; step++) {
        world.step(dt)
        const rows = world.islands().reduce((sum, island) => sum + island.rows, 0)
        const { work } = world.stats
        assert.ok(work <= 2e8 + 2000 * rows, `${work} operations, ${rows} rows`)
      }
      assert.ok(world.bodies.every(({ position }) => position.every(Number.isFinite)))
      assert.ok(world.bodies.some(({ position }) => Math.hypot(position[0], position[1]) > 1e-3))
      world.free()
    })
  }
})

/** Operations counted per row of an island that is packed, measured and swept, however small the budget. */
const OPERATIONS_PER_ROW = 20_000

describe('workBudget', () => {
  const floor = /** @type {const} */ ({ type: 'plane', normal: [0, 0, 1] })
  const hostile = [
    {
      what: '50 spheres in one point over a floor',
      runsOut: false, // they approach no faster than they fall
      steps: 20,
      /** @param {World} world */
      build: (world) => {
        for (let i = 0; i < 50; i++) world.createBody({ shape: ball, mass: 1, position: [0, 0, 1] })
      },
    },
    {
      what: 'a pile of 200 boxes that falls',
      runsOut: true,
      steps: 40,
      /** @param {World} world */
      build: (world) => {
        const random = new Random(5)
        for (let i = 0; i < 200; i++) {
          const [x, y] = random.vector(-1, 1)
          world.createBody({
            shape: { type: 'box', halfExtents: [0.25, 0.25, 0.25] },
            mass: 10 ** (3 * random.next()),
            position: [x, y, 0.3 + 0.08 * i],
            angularVelocity: random.vector(-3, 3),
          })
        }
      },
    },
    {
      what: 'six boxes in one another with masses of 1e-4 to 1e4 kg and joints that cannot close',
      runsOut: false, // joints alone are cheap,
      steps: 20,
      /** @param {World} world */
      build: (world) => {
        const random = new Random(11)
        const bodies = Array.from({ length: 6 }, () =>
          world.createBody({
            shape: { type: 'box', halfExtents: [0.1, 0.2, 0.3] },
            mass: 10 ** (8 * random.next() - 4),
            friction: 2 * random.next(),
            restitution: random.next(),
            position: random.vector(0, 0.5),
            linearVelocity: random.vector(-5, 5),
            angularVelocity: random.vector(-10, 10),
          }),
        )
        for (let i = 0; i < 5; i++) {
          const [bodyA, bodyB] = [bodies[i], bodies[i + 1]]
          world.createJoint({ type: 'ball', bodyA, bodyB, anchorA: [1, 0, 0], anchorB: [-2, 0, 0] })
        }
      },
    },
  ]
  for (const { what, runsOut, steps, build } of hostile) {
    for (const workBudget of /** @type {const} */ (['auto', 1e5])) {
      test(`${workBudget} bounds the operations of ${what}`, async () => {
        const world = await exactWorld({ allowSleep: false, workBudget })
        world.createBody({ type: 'static', shape: floor })
        build(world)
        let missed = 0
        for (let step = 0; step < steps; step++) {
          world.step(dt)
          const islands = world.islands()
          const rows = islands.reduce((sum, island) => sum + island.rows, 0)
          const limit = (workBudget === 'auto' ? 2e8 : workBudget) + OPERATIONS_PER_ROW * rows
          assert.ok(world.stats.work <= limit, `${world.stats.work} operations, ${rows} rows`)
          for (const { event, residual } of islands) {
            assert.ok(event !== null || residual <= 1e-8, `${residual} m/s, and nobody is told`)
            missed += event === 'budget' ? 1 : 0
          }
        }
        if (runsOut && workBudget !== 'auto') assert.ok(missed > 0, 'the limit was in reach')
        assert.ok(world.bodies.every(({ position }) => position.every(Number.isFinite)))
        world.free()
      })
    }
  }

  test('a jam takes nothing from the islands beside it', async () => {
    const world = await exactWorld({ allowSleep: false, workBudget: 1e6 })
    world.createBody({ type: 'static', shape: floor })
    hostile[1].build(world)
    const beside = [-30, 30].map((x) =>
      world.createBody({ shape: cube, mass: 1, position: [x, 0, 0.5], linearVelocity: [1, 0, 0] }),
    )
    for (let step = 0; step < 40; step++) {
      world.step(dt)
      const small = world.islands().filter(({ bodies }) => bodies === 1)
      const ours = small.filter(({ firstBody }) => beside.some((body) => body === firstBody))
      assert.equal(ours.length, 2)
      for (const { event, residual } of ours) assert.equal(event, null, `${residual} m/s`)
    }
    world.free()
  })

  test('of a step that runs out the better of two points is used', async () => {
    // Without any work the result is that of sweeps alone, and never worse by certificate.
    const worst = []
    for (const workBudget of [0, 1e7, 1e9]) {
      const world = await exactWorld({ allowSleep: false, workBudget })
      world.createBody({ type: 'static', shape: floor })
      hostile[1].build(world)
      for (let step = 0; step < 12; step++) world.step(dt)
      worst.push(world.residual().worst)
      assert.ok(Math.abs(world.residual().worst - world.stats.residual) <= 1e-9 + 0.01 * worst[0])
      world.free()
    }
    assert.ok(worst[2] <= 1e-8, `${worst}`)
  })

  for (const { workBudget } of [
    { workBudget: -2 },
    { workBudget: Infinity },
    { workBudget: NaN },
  ]) {
    test(`${workBudget} is refused, and named`, async () => {
      await assert.rejects(exactWorld({ workBudget }), (/** @type {any} */ error) => {
        assert.match(error.message, /workBudget/)
        return true
      })
    })
  }
})

describe('maxIterations', () => {
  // Impacts that would gain energy are solved again with less restitution, up to five times.
  test('bounds the factorisations of an island in a step', async () => {
    const maxIterations = 100
    let used = 0
    let missed = 0
    for (let seed = 1; seed <= 40; seed++) {
      const random = new Random(seed)
      const world = await World.create({ solver: 'exact', allowSleep: false, maxIterations })
      const bodies = Array.from({ length: 6 }, () =>
        world.createBody({
          shape: { type: 'box', halfExtents: [0.1, 0.2, 0.3] },
          mass: random.next() < 0.5 ? 1 : 10 ** (4 * random.next() - 2),
          friction: 2 * random.next(),
          restitution: random.next(),
          position: random.vector(0, 0.5),
          linearVelocity: random.vector(-5, 5),
          angularVelocity: random.vector(-10, 10),
        }),
      )
      for (let i = 0; i < 3; i++) {
        world.createJoint({
          type: 'ball',
          bodyA: bodies[i],
          bodyB: bodies[i + 3],
          anchorA: [random.next(), 0, 0.3 * random.next()],
          anchorB: [-random.next(), 0, 0],
        })
      }
      for (let step = 0; step < 4; step++) {
        world.step(dt)
        const islands = world.islands()
        const all = world.stats.factorisations
        assert.ok(all <= maxIterations * islands.length, `${all} factorisations in a step`)
        for (const { solver, status, event, factorisations, residual } of islands) {
          used = Math.max(used, factorisations)
          assert.ok(factorisations <= maxIterations, `${factorisations} factorisations`)
          assert.ok(event !== null || residual <= 1e-8, `${solver} ${status}: ${residual}`)
          missed += event === null ? 0 : 1
        }
        assert.equal(
          world.stats.missedIslands,
          islands.filter(({ event }) => event !== null).length,
        )
      }
      world.free()
    }
    assert.ok(used > maxIterations / 2, 'the limit was in reach')
    assert.ok(missed > 0, 'what was not reached is told')
  })

  test('leaves less work where it is smaller, in the same place every time', async () => {
    const hashes = []
    for (const maxIterations of [5, 5, 400]) {
      const world = await World.create({ solver: 'exact', allowSleep: false, maxIterations })
      for (let i = 0; i < 30; i++) world.createBody({ shape: ball, mass: 1, position: [0, 1, 0] })
      for (let step = 0; step < 5; step++) world.step(dt)
      hashes.push(world.hash())
      world.free()
    }
    assert.equal(hashes[0], hashes[1])
    assert.notEqual(hashes[0], hashes[2])
  })
})
