// Acceptance cases by soft-step: within 2 % or 1 cm, whichever is larger. In formulas of distances its step is dt / substeps.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { World } from 'moreau'
import {
  addSlab,
  cube,
  dt,
  g,
  impulseBetween,
  near,
  slideUntilStop,
  stepMany,
  throwsCode,
  totalNormalImpulse,
} from './support.mjs'

/** @typedef {import('moreau').WorldOptions} WorldOptions */
/** @typedef {[number, number, number]} Vector */

const SUBSTEPS = 4
/** m, and part of what is expected. */
const LENGTH = 0.01
const PART = 0.02

/**
 * @param {WorldOptions} [options]
 * @returns {Promise<World>}
 */
const softWorld = (options = {}) =>
  World.create({
    gravity: [0, 0, -g],
    solver: 'soft-step',
    substeps: SUBSTEPS,
    linearSlop: 0,
    restitutionThreshold: 0,
    ...options,
  })

/**
 * Fails unless a length is right within 1 cm or 2 %.
 *
 * @param {number} actual m
 * @param {number} expected m
 * @param {string} what
 */
const nearLength = (actual, expected, what) =>
  near(actual, expected, Math.max(LENGTH, PART * Math.abs(expected)), what)

/** Kinetic energy and that of the weights above z = 0. @param {World} world */
const energyOf = (world) => world.energy().total

describe('A34 rest', () => {
  for (const allowSleep of [true, false]) {
    test(`a cube of 5 kg for 1000 steps, ${allowSleep ? 'asleep' : 'awake'}`, async () => {
      const world = await softWorld({ allowSleep })
      addSlab(world)
      const body = world.createBody({ shape: cube, mass: 5, position: [0, 0, 0.5] })
      stepMany(world, 1000, () => {
        near(totalNormalImpulse(world) / (5 * g * dt), 1, 1e-3, 'weight')
        near(body.position[2], 0.5, 1e-3, 'height')
        assert.ok(body.speed < 1e-3, `speed ${body.speed}`)
      })
      assert.equal(body.isAwake, !allowSleep)
      world.free()
    })
  }
})

describe('A35-A37 slide', () => {
  for (const { angle, speed } of [
    { angle: 0, speed: 2 },
    { angle: 20, speed: 2 },
    { angle: 45, speed: 0.85 },
    { angle: 45, speed: 1.5 },
    { angle: 45, speed: 3 },
    { angle: 45, speed: 6 },
  ]) {
    test(`${speed} m/s at ${angle} degrees from its edges stops where Coulomb says`, async () => {
      const world = await softWorld()
      addSlab(world, { friction: 0.5 })
      const [c, s] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)]
      const body = world.createBody({
        shape: cube,
        mass: 1,
        friction: 0.5,
        position: [0, 0, 0.5],
        linearVelocity: [speed * c, speed * s, 0],
      })
      const start = energyOf(world)
      stepMany(world, 150, () => {
        const [x, y, z] = body.position
        near(y * c - x * s, 0, 1e-3, 'way to the side')
        near(z, 0.5, 1e-3, 'height')
        assert.ok(energyOf(world) <= start, 'energy')
      })
      const { distance } = slideUntilStop(speed, 0.5, dt / SUBSTEPS)
      nearLength(Math.hypot(body.position[0], body.position[1]), distance, 'distance')
      near(body.speed, 0, 1e-9, 'it has stopped')
      world.free()
    })
  }
})

describe('A42 incline of 30 degrees, dt = 0.001', () => {
  for (const friction of [0.6, 0.5]) {
    test(`friction ${friction}`, async () => {
      const [sine, cosine] = [0.5, Math.sqrt(0.75)]
      const world = await softWorld({ gravity: [g * sine, 0, -g * cosine] })
      addSlab(world, { friction })
      const body = world.createBody({ shape: cube, mass: 1, friction, position: [0, 0, 0.5] })
      if (friction === 0.6) {
        stepMany(world, 5000, undefined, 0.001)
        near(body.position[0], 0, 1e-3, 'drift')
        near(body.speed, 0, 1e-6, 'it stands')
      } else {
        stepMany(world, 1000, undefined, 0.001)
        const acceleration = g * (sine - friction * cosine)
        near(body.linearVelocity[0] / acceleration, 1, PART, 'speed after 1 s')
        nearLength(body.position[0], (acceleration * (1 + 0.001 / SUBSTEPS)) / 2, 'way')
      }
      world.free()
    })
  }
})

test('A48 restitution 0.5 from 1 m, dt = 0.001: a quarter of the height, twice', async () => {
  const world = await softWorld()
  world.createBody({
    type: 'static',
    shape: { type: 'plane', normal: [0, 0, 1] },
    restitution: 0.5,
  })
  const ball = world.createBody({
    ...{ shape: { type: 'sphere', radius: 0.25 }, mass: 1, restitution: 0.5 },
    position: [0, 0, 1.25],
  })
  /** @type {number[]} */
  const apexes = []
  let [rising, impact] = [-1, 0]
  stepMany(
    world,
    1100,
    () => {
      const speed = ball.linearVelocity[2]
      if (rising > 0 && speed <= 0) apexes.push(ball.position[2] - 0.25)
      if (rising <= 0 && speed > 0 && impact === 0) impact = speed
      rising = speed
    },
    0.001,
  )
  near(impact / (0.5 * 4.429447), 1, 1e-2, 'speed after the first impact')
  near(apexes[0] / 0.25, 1, PART, 'first rebound')
  near(apexes[1] / 0.0625, 1, PART, 'second rebound')
  world.free()
})

describe('A49 free motion', () => {
  test('a fall of 10 s', async () => {
    const world = await softWorld()
    const body = world.createBody({ shape: cube, mass: 2, linearVelocity: [3, 0, 0] })
    stepMany(world, 625)
    near(body.linearVelocity[2], -98.1, 1e-9, 'speed')
    nearLength(body.position[2], (-g * 10 * (10 + dt / SUBSTEPS)) / 2, 'way')
    near(body.position[0], 30, 1e-9, 'way to the side')
    world.free()
  })

  test('a body of inertia (1, 2, 3) without torque flips after 4.05 s', async () => {
    const world = await softWorld({ gravity: [0, 0, 0] })
    const top = world.createBody({ mass: 1, inertia: [1, 2, 3], angularVelocity: [0.1, 2, 0.1] })
    let flip = 0
    stepMany(
      world,
      10000,
      () => {
        const [x, y, z, w] = top.orientation
        const [a, b, c] = top.angularVelocity
        const spin =
          2 * (x * y - w * z) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z + w * x) * c
        if (spin < 0 && flip === 0) flip = world.time
      },
      0.001,
    )
    near(flip, 4.05, 0.1, 'first flip')
    near(Math.hypot(...top.angularMomentum) / 4.0124805, 1, 1e-6, '|L|')
    near(top.kineticEnergy / 4.02, 1, 1e-6, 'energy')
    world.free()
  })
})

test('A50 a ball turns by omega t, and its quaternion stays unit', async () => {
  const world = await softWorld({ gravity: [0, 0, 0] })
  const ball = world.createBody({
    ...{ shape: { type: 'sphere', radius: 0.5 }, mass: 1 },
    angularVelocity: [1, 2, 3],
  })
  stepMany(world, 10000, () => near(Math.hypot(...ball.orientation), 1, 1e-10, 'norm'))
  const size = Math.hypot(1, 2, 3)
  const half = (size * 10000 * dt) / 2
  const exact = [1, 2, 3].map((w) => (w / size) * Math.sin(half)).concat(Math.cos(half))
  const cosine = Math.abs(exact.reduce((sum, q, i) => sum + q * ball.orientation[i], 0))
  near(2 * Math.acos(Math.min(1, cosine)), 0, 1e-6, 'angle of the error')
  world.free()
})

describe('A53 stack of 10 unit cubes, 600 steps', () => {
  for (const allowSleep of [true, false]) {
    test(allowSleep ? 'as it is' : 'kept awake', async () => {
      const world = await softWorld({ allowSleep })
      const floor = addSlab(world)
      const cubes = Array.from({ length: 10 }, (_, level) =>
        world.createBody({ shape: cube, mass: 1, position: [0, 0, level + 0.5] }),
      )
      stepMany(world, 600)
      for (const [level, body] of cubes.entries()) {
        const below = level === 0 ? floor : cubes[level - 1]
        const load = impulseBetween(body, below) / ((10 - level) * g * dt)
        near(load, 1, 1e-2, `load under cube ${level}`)
        const [x, y, z] = body.position
        near(Math.hypot(x, y), 0, LENGTH, `way of cube ${level} to the side`)
        near(z, level + 0.5, LENGTH, `height of cube ${level}`)
      }
      assert.ok(world.energy().kinetic < 1e-4, `${world.energy().kinetic} J`)
      world.free()
    })
  }
})

describe('A54 pendulum: distance 1 m to the world, dt = 0.001', () => {
  for (const { angle, period } of [
    { angle: 10, period: 2.00989 },
    { angle: 90, period: 2.36784 },
  ]) {
    test(`${angle} degrees`, async () => {
      const world = await softWorld()
      const start = (angle / 180) * Math.PI
      const position = /** @type {Vector} */ ([Math.sin(start), 0, -Math.cos(start)])
      const bob = world.createBody({ shape: { type: 'sphere', radius: 0.1 }, mass: 1, position })
      const rod = world.createJoint({
        ...{ type: 'distance', bodyB: bob, anchorA: [0, 0, 0], length: 1 },
      })
      /** @type {number[]} */
      const crossings = []
      let [drift, tension, last] = [0, 0, bob.position[0]]
      stepMany(
        world,
        2500,
        () => {
          const x = bob.position[0]
          if (last * x < 0) {
            crossings.push(world.time - (0.001 * x) / (x - last))
            tension = Math.max(tension, Math.abs(rod.impulse()[0]) / 0.001)
          }
          last = x
          drift = Math.max(drift, Math.abs(Math.hypot(...bob.position) - 1))
        },
        0.001,
      )
      near((2 * (crossings[1] - crossings[0])) / period, 1, PART, 'period')
      near(drift, 0, 1e-3, 'error of the length')
      if (angle === 90) near(tension / (3 * g), 1, PART, 'tension at the bottom')
      world.free()
    })
  }
})

test('A61 a ball that slides off at 1 m/s rolls at 5/7', async () => {
  const world = await softWorld()
  addSlab(world, { friction: 0.3 })
  const ball = world.createBody({
    ...{ shape: { type: 'sphere', radius: 0.5 }, mass: 1, friction: 0.3 },
    ...{ position: [0, 0, 0.5], linearVelocity: [1, 0, 0] },
  })
  let rolls = 0
  stepMany(world, 120, () => {
    const slip = ball.linearVelocity[0] - 0.5 * ball.angularVelocity[1]
    if (rolls === 0 && Math.abs(slip) < 1e-3) rolls = world.time
  })
  near(ball.linearVelocity[0], 5 / 7, (PART * 5) / 7, 'speed at the end')
  near(rolls, 0.09708, dt, 'rolls from then on')
  world.free()
})

test('A64 two static bodies that overlap never move', async () => {
  const world = await softWorld()
  const bodies = [0, 0.3].map((x) =>
    world.createBody({ type: 'static', shape: cube, position: [x, 0, 0] }),
  )
  stepMany(world, 10)
  assert.deepEqual(
    bodies.map((body) => body.position),
    [
      [0, 0, 0],
      [0.3, 0, 0],
    ],
  )
  assert.equal(totalNormalImpulse(world), 0)
  world.free()
})

describe('A65 odd steps', () => {
  test('an empty world', async () => {
    const world = await softWorld()
    stepMany(world, 10)
    assert.equal(world.stepCount, 10)
    world.free()
  })

  test('dt = 0 does nothing; below zero or not finite is refused', async () => {
    const world = await softWorld()
    addSlab(world)
    const body = world.createBody({ shape: cube, mass: 1, position: [0, 0, 0.5] })
    stepMany(world, 5)
    const before = world.hash()
    world.step(0)
    for (const wrong of [-0.016, NaN, Infinity]) {
      throwsCode(() => world.step(wrong), 'invalid-argument', /dt/)
    }
    throwsCode(() => body.applyForce([NaN, 0, 0]), 'invalid-argument', /force/)
    assert.equal(world.hash(), before)
    world.free()
  })
})
