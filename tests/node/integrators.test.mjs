import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { World } from 'moreau'
import { INTEGRATORS } from '../integrators.mjs'
import { near } from './support.mjs'

/** @typedef {import('moreau').IntegratorName} IntegratorName */

const ball = /** @type {const} */ ({ type: 'sphere', radius: 0.1 })

/** Complete elliptic integral K by the arithmetic-geometric mean. @param {number} k */
function completeElliptic(k) {
  let [a, b] = [1, Math.sqrt(1 - k * k)]
  for (let i = 0; i < 8; i++) [a, b] = [(a + b) / 2, Math.sqrt(a * b)]
  return Math.PI / (2 * a)
}

/**
 * A bob at 1 m from the origin, let go at 90 degrees.
 * @param {IntegratorName} integrator
 * @param {number} rate steps per second
 * @param {'distance' | 'ball'} type
 */
async function swing(integrator, rate, type) {
  const world = await World.create({ integrator })
  const bob = world.createBody({ shape: ball, mass: 1, position: [1, 0, 0] })
  const anchorB = type === 'ball' ? [-1, 0, 0] : [0, 0, 0]
  world.createJoint({ type, bodyA: null, bodyB: bob, anchorA: [0, 0, 0], anchorB })
  const inertia = type === 'ball' ? 0.4 * 0.01 : 0
  const exact = 4 * Math.sqrt((1 + inertia) / 9.81) * completeElliptic(Math.SQRT1_2)
  let crossings = 0
  let [first, last, x] = [0, 0, 1]
  while (crossings < 41) {
    world.step(1 / rate)
    const now = bob.position[0]
    if (now * x < 0) {
      last = world.time - now / bob.linearVelocity[0]
      if (crossings++ === 0) first = last
    }
    x = now
    assert.ok(world.time < 100, 'it swings')
  }
  const reach = Math.PI / 2 + Math.asin(world.energy().total / 9.81)
  world.free()
  return { period: (last - first) / 20 / exact - 1, loss: 1 - reach / (Math.PI / 2) }
}

describe('integrators', () => {
  test('the setting is read, set, kept, and refused where it is none', async () => {
    const world = await World.create({ solver: 'block-pgs' })
    assert.equal(world.integrator, 'semi-implicit-euler')
    for (const name of INTEGRATORS) {
      const before = world.hash()
      /** @type {boolean} */
      const changes = world.integrator !== name
      world.integrator = name
      assert.equal(world.integrator, name)
      assert.equal(world.hash() !== before, changes, 'it is part of the state')
    }
    assert.throws(() => (world.integrator = /** @type {never} */ ('rk5')), {
      code: 'invalid-argument',
      message: /integrator must be one of .*got 'rk5'; did you mean 'rk4'\?/,
    })
    assert.equal(world.integrator, 'implicit-midpoint')
    world.free()
  })

  /**
   * @param {string} integrator
   * @param {string} [solver]
   */
  const refusal = (integrator, solver = 'soft-step') => ({
    code: 'invalid-argument',
    message: `World: integrator must be 'semi-implicit-euler' with solver '${solver}', which moves bodies by itself, got '${integrator}'`,
  })

  test('who asks for another one and for no solver gets block-pgs; soft-step refuses it', async () => {
    for (const integrator of INTEGRATORS.slice(1)) {
      const world = await World.create({ integrator })
      assert.equal(world.solver, 'block-pgs')
      assert.throws(() => (world.solver = 'soft-step'), {
        code: 'invalid-argument',
        message: `World: solver must be other than 'soft-step' and 'auto' with integrator '${integrator}', got 'soft-step'`,
      })
      assert.equal(world.solver, 'block-pgs')
      await assert.rejects(World.create({ integrator, solver: 'soft-step' }), refusal(integrator))
      world.free()
    }
    const world = await World.create({ integrator: 'semi-implicit-euler' })
    assert.equal(world.solver, 'auto')
    assert.throws(() => (world.integrator = 'rk4'), refusal('rk4', 'auto'))
    assert.equal(world.integrator, 'semi-implicit-euler')
    world.free()
  })

  for (const integrator of /** @type {const} */ (['implicit-midpoint', 'velocity-verlet'])) {
    for (const type of /** @type {const} */ (['distance', 'ball'])) {
      test(`90-degree pendulum, 20 periods, ${integrator}, ${type} joint`, async () => {
        const coarse = await swing(integrator, 60, type)
        const fine = await swing(integrator, 120, type)
        near(coarse.loss, 0, 1e-3, 'amplitude loss')
        near(coarse.period, 0, 5e-4, 'period')
        near(coarse.period / fine.period, 4, 0.1, 'error of the period, halving dt')
      })
    }
  }

  for (const integrator of INTEGRATORS) {
    test(`torque-free top flips 12 times in a minute, ${integrator}`, async () => {
      const world = await World.create({ gravity: [0, 0, 0], integrator })
      const top = world.createBody({
        mass: 1,
        inertia: [1, 2, 3],
        angularVelocity: [0.01, 5, 0.01],
      })
      const energy = world.energy().total
      const size = Math.hypot(...world.momentum().angular)
      let flips = 0
      let side = 1
      for (let i = 0; i < 3600; i++) {
        world.step(1 / 60)
        const [x, y, z, w] = top.orientation
        const [a, b, c] = top.angularVelocity
        // The body's y axis in the world.
        const along =
          2 * (x * y - w * z) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z + w * x) * c
        if (along * side < 0) flips++
        side = Math.sign(along)
      }
      assert.equal(flips, 12)
      near(world.energy().total / energy, 1, 1e-6, 'energy')
      near(Math.hypot(...world.momentum().angular) / size, 1, 1e-6, '|L|')
      world.free()
    })
  }

  test('angular momentum of a free top as a vector is exact', async () => {
    for (const integrator of INTEGRATORS) {
      const world = await World.create({ gravity: [0, 0, 0], integrator })
      world.createBody({ mass: 1, inertia: [1, 2, 3], angularVelocity: [0.5, 2, -0.7] })
      const before = world.momentum().angular
      for (let i = 0; i < 60; i++) world.step(1 / 60)
      const error = Math.hypot(...world.momentum().angular.map((l, i) => l - before[i]))
      near(error, 0, 1e-12, integrator)
      world.free()
    }
  })

  test('elastic bounce from 1 m keeps its apex for a minute with block-pgs', async () => {
    const world = await World.create({ solver: 'block-pgs' })
    world.createBody({ type: 'static', shape: { type: 'plane' }, restitution: 1 })
    const dropped = world.createBody({ shape: ball, position: [0, 1.1, 0], restitution: 1 })
    let apex = 0
    for (let i = 0; i < 3600; i++) {
      world.step(1 / 60)
      if (i >= 3400) apex = Math.max(apex, dropped.position[1] - 0.1)
    }
    near(apex, 1, 1e-6, 'apex in the last three seconds')
    world.free()
  })

  for (const integrator of INTEGRATORS) {
    test(`an elastic ball from 1 m returns to 1 m for a minute, ${integrator}`, async () => {
      const world = await World.create({ integrator, solver: 'exact' })
      world.createBody({ type: 'static', shape: { type: 'plane' }, restitution: 1 })
      const dropped = world.createBody({ shape: ball, position: [0, 1.1, 0], restitution: 1 })
      let [apex, apexes, rising] = [0, 0, 0]
      for (let i = 0; i < 3600; i++) {
        world.step(1 / 60)
        const speed = dropped.linearVelocity[1]
        if (rising > 0 && speed <= 0) {
          // Steps look at the apex up to dt / 2 off. That of explicit Euler is up to g dt^2 / 8 higher.
          assert.ok(apex < 1 + 3.5e-4 && apex > 1 - 3e-3, `apex ${apex} before step ${i}`)
          apexes++
          apex = 0
        }
        apex = Math.max(apex, dropped.position[1] - 0.1)
        rising = speed
      }
      assert.ok(apexes > 60, `${apexes} apexes`)
      world.free()
    })
  }

  test('a rebound below full restitution has e^2 of the height by the second-order methods', async () => {
    for (const integrator of /** @type {const} */ ([
      'velocity-verlet',
      'rk4',
      'implicit-midpoint',
    ])) {
      const world = await World.create({ integrator, solver: 'exact' })
      world.createBody({ type: 'static', shape: { type: 'plane' }, restitution: 0.8 })
      const dropped = world.createBody({ shape: ball, position: [0, 1.1, 0], restitution: 0.8 })
      while (dropped.linearVelocity[1] <= 0) world.step(1 / 60)
      const height = dropped.position[1] - 0.1 + dropped.linearVelocity[1] ** 2 / (2 * 9.81)
      near(height, 0.64, 1e-9, `${integrator}: height of the parabola after the rebound`)
      world.free()
    }
  })

  test('a box rests and a ball lands in every integrator', async () => {
    for (const integrator of INTEGRATORS) {
      const world = await World.create({ integrator, solver: 'block-pgs' })
      world.createBody({ type: 'static', shape: { type: 'plane' } })
      const box = { type: /** @type {const} */ ('box'), halfExtents: [0.5, 0.5, 0.5] }
      const still = world.createBody({ shape: box, position: [0, 0.5, 0] })
      const falling = world.createBody({ shape: ball, position: [3, 1, 0] })
      for (let i = 0; i < 240; i++) world.step(1 / 60)
      near(still.position[1], 0.5, 1e-9, integrator)
      near(falling.position[1], 0.1, 5e-3, integrator)
      near(falling.speed, 0, 1e-6, integrator)
      world.free()
    }
  })

  test('a custom constraint in JavaScript swings with the midpoint rule', async () => {
    const world = await World.create({ integrator: 'implicit-midpoint' })
    const bob = world.createBody({ shape: ball, mass: 1, position: [1, 0, 0] })
    world.createConstraint({
      type: 'custom',
      bodies: [bob],
      dimension: 1,
      evaluate({ worldCenterOfMass: [x, y, z] }, other, time, out) {
        out[0] = (x * x + y * y + z * z - 1) / 2
      },
    })
    for (let i = 0; i < 600; i++) world.step(1 / 60)
    // Its own alpha and beta damp errors away, which costs a little; the default integrator loses 4 J.
    near(world.energy().total, 0, 5e-2, 'energy, of 9.81 J at play')
    near(Math.hypot(...bob.position), 1, 1e-3, 'length')
    world.free()
  })
})
