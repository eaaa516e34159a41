// Laws of impact: what becomes of impacts that happen at once.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { World } from 'moreau'
import { length } from '../../scenarios/vector.mjs'
import { near } from './support.mjs'

const RADIUS = 0.1
const SPEED = 0.71
const SOLVERS = /** @type {const} */ (['exact', 'block-pgs', 'soft-step'])
/** Of velocities, in parts of the speed: soft-step has single precision, and block-pgs makes 20 sweeps. */
const ERRORS = { exact: 1e-9, 'block-pgs': 1e-4, 'soft-step': 1e-5 }

/** @typedef {import('moreau').WorldOptions} WorldOptions */
/** @typedef {import('moreau').Body} Body */

/**
 * Five balls in a row along x that touch, but that the first ones come flying, 0.1 m before the others.
 *
 * @param {WorldOptions} options
 * @param {{ drawn?: number, restitution?: number, masses?: number[] }} [row]
 */
async function rowOfBalls(options, { drawn = 1, restitution = 1, masses = [1, 1, 1, 1, 1] } = {}) {
  const world = await World.create({
    gravity: [0, 0, 0],
    allowSleep: false,
    impactLaw: 'generalized-reflections',
    ...options,
  })
  const balls = masses.map((mass, index) =>
    world.createBody({
      shape: { type: 'sphere', radius: RADIUS },
      mass,
      restitution,
      friction: 0,
      position: [2 * RADIUS * index - (index < drawn ? 0.1 : 0), 0, 0],
      linearVelocity: [index < drawn ? SPEED : 0, 0, 0],
    }),
  )
  return { world, balls }
}

/** @param {World} world */
const run = (world, steps = 30) => {
  for (let i = 0; i < steps; i++) world.step(1 / 60)
}

/** @param {Body[]} balls */
const speedsOf = (balls) => balls.map((ball) => ball.linearVelocity[0] / SPEED)

for (const solver of SOLVERS) {
  describe(`generalized reflections, ${solver}`, () => {
    for (const drawn of [1, 2, 3, 4]) {
      test(`of five balls that touch, ${drawn} leave when ${drawn} come`, async () => {
        const { world, balls } = await rowOfBalls({ solver }, { drawn })
        const [energy, momentum] = [world.energy().total, world.momentum().linear[0]]
        run(world)
        const error = ERRORS[solver]
        speedsOf(balls).forEach((speed, index) => {
          near(speed, index >= 5 - drawn ? 1 : 0, error, `ball ${index}`)
        })
        near(world.energy().total / energy, 1, error, 'energy')
        near(world.momentum().linear[0] / momentum, 1, error, 'momentum')
        world.free()
      })
    }

    test('unequal masses keep momentum and energy', async () => {
      const { world } = await rowOfBalls({ solver }, { masses: [1, 3, 0.5, 2, 7] })
      const [energy, momentum] = [world.energy().total, world.momentum().linear[0]]
      run(world)
      near(world.energy().total / energy, 1, ERRORS[solver], 'energy')
      near(world.momentum().linear[0] / momentum, 1, ERRORS[solver], 'momentum')
      world.free()
    })

    // The mean of (0, 0, 0, 0, 1) and, where all go on together, five times 1/5.
    test('restitution 0.5 is half way to the plastic impact', async () => {
      const { world, balls } = await rowOfBalls({ solver }, { restitution: 0.5 })
      run(world)
      const wanted = [0.1, 0.1, 0.1, 0.1, 0.6]
      speedsOf(balls).forEach((speed, index) => {
        near(speed, wanted[index], ERRORS[solver], `ball ${index}`)
      })
      world.free()
    })

    // In soft-step springs stop them, one after the other.
    if (solver !== 'soft-step') {
      test('without restitution all go on together', async () => {
        const { world, balls } = await rowOfBalls({ solver }, { restitution: 0 })
        run(world)
        for (const speed of speedsOf(balls)) near(speed, 0.2, ERRORS[solver], 'speed')
        world.free()
      })
    }

    // The break shot: a ball comes between two that touch each other and stand side by side.
    test('what is symmetric stays symmetric', async () => {
      const { world, balls } = await rowOfBalls({ solver }, { masses: [1] })
      const side = [-RADIUS, RADIUS].map((z) =>
        world.createBody({
          shape: { type: 'sphere', radius: RADIUS },
          mass: 1,
          restitution: 1,
          friction: 0,
          position: [2 * RADIUS * Math.cos(Math.PI / 6), 0, z],
        }),
      )
      const energy = world.energy().total
      run(world)
      const [left, right] = side.map((ball) => ball.linearVelocity)
      near(left[0], right[0], ERRORS[solver] * SPEED, 'along')
      near(left[2], -right[2], ERRORS[solver] * SPEED, 'across')
      // It meets them half a step's way before they touch, where the normals are a little closer to its path.
      near(balls[0].linearVelocity[0] / SPEED, -0.2, 0.01, 'the first comes back')
      near(world.energy().total / energy, 1, ERRORS[solver], 'energy')
      world.free()
    })

    test('an elastic ball keeps its height, as by the law of Newton', async () => {
      const world = await World.create({
        solver,
        allowSleep: false,
        impactLaw: 'generalized-reflections',
      })
      const definition = /** @type {const} */ ({ restitution: 1, friction: 0 })
      world.createBody({
        type: 'static',
        shape: { type: 'plane', normal: [0, 1, 0] },
        ...definition,
      })
      const ball = world.createBody({
        shape: { type: 'sphere', radius: 0.5 },
        position: [0, 1.5, 0],
        ...definition,
      })
      let highest = 0
      for (let i = 0; i < 600; i++) {
        world.step(1 / 60)
        if (i > 540) highest = Math.max(highest, ball.position[1] - 0.5)
      }
      near(highest, 1, 0.01, 'height')
      world.free()
    })

    test('the impulses that are read are those of the impact', async () => {
      const { world, balls } = await rowOfBalls({ solver })
      let most = 0
      for (let i = 0; i < 30; i++) {
        world.step(1 / 60)
        for (const point of world.contactPoints()) most = Math.max(most, point.normalImpulse)
      }
      near(most / (balls[0].mass * SPEED), 1, 1e-4, 'impulse')
      world.free()
    })

    test('a pile with restitution comes to rest and never has more energy than at the start', async () => {
      const world = await World.create({ solver, impactLaw: 'generalized-reflections' })
      world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } })
      const boxes = Array.from({ length: 12 }, (_, index) =>
        world.createBody({
          shape: { type: 'box', halfExtents: [0.25, 0.25, 0.25] },
          position: [0.1 * (index % 3), 0.4 + 0.6 * index, 0.07 * (index % 4)],
          restitution: 0.6,
          friction: 0.5,
        }),
      )
      const start = world.energy().total
      for (let i = 0; i < 600; i++) {
        world.step(1 / 60)
        const { total } = world.energy()
        assert.ok(total < start, `${total} J after step ${i}, ${start} J at the start`)
      }
      for (const box of boxes) near(length(box.linearVelocity), 0, 0.02, 'speed at the end')
      world.free()
    })
  })
}

test('a step that ends before all is reflected stops the rest, and keeps momentum', async () => {
  // A light ball between a wall and one that is 1e8 times as heavy would bounce 15,000 times.
  const world = await World.create({
    gravity: [0, 0, 0],
    solver: 'exact',
    impactLaw: 'generalized-reflections',
  })
  const elastic = { friction: 0, restitution: 1 }
  world.createBody({
    type: 'static',
    shape: { type: 'box', halfExtents: [1, 1, 1] },
    position: [1.1, 0, 0],
    ...elastic,
  })
  const shape = /** @type {const} */ ({ type: 'sphere', radius: RADIUS })
  world.createBody({ shape, mass: 1e-8, position: [0, 0, 0], ...elastic })
  const heavy = world.createBody({
    shape,
    mass: 1,
    position: [-2 * RADIUS, 0, 0],
    linearVelocity: [1, 0, 0],
    ...elastic,
  })
  world.step(1 / 60)
  assert.ok(Math.abs(heavy.linearVelocity[0]) <= 1, 'no energy comes from nothing')
  assert.ok(world.energy().total <= 0.5 * (1 + 1e-9))
  assert.ok(heavy.position[0] < -2 * RADIUS + 1 / 60, 'it does not go through')
  world.free()
})

test('the law is part of the state, and bad words are refused', async () => {
  const world = await World.create({})
  const hash = world.hash()
  world.impactLaw = 'generalized-reflections'
  assert.notEqual(world.hash(), hash)
  assert.throws(() => {
    // @ts-expect-error it is no law
    world.impactLaw = 'poisson'
  }, /impactLaw must be one of 'newton', 'generalized-reflections', got 'poisson'/)
  assert.equal(world.impactLaw, 'generalized-reflections')
  world.free()
})
