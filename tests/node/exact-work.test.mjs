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
    // Without a bound: 48 s, over a minute and 144 s for the first step.
    test(`${what} take seconds, and come apart`, async () => {
      const world = await exactWorld({ allowSleep: false })
      for (let i = 0; i < count; i++) world.createBody({ shape, mass: 1, position: [0, 0, 1] })
      const start = performance.now()
      for (let step = 0; step < 2; step++) world.step(dt)
      const seconds = (performance.now() - start) / 1000
      assert.ok(seconds < 15, `${seconds} s for two steps`)
      assert.ok(world.bodies.every(({ position }) => position.every(Number.isFinite)))
      assert.ok(world.bodies.some(({ position }) => Math.hypot(position[0], position[1]) > 1e-3))
      world.free()
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
