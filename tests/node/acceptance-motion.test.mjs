import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cross, dot, length, rotateBack } from '../../scenarios/vector.mjs'
import {
  acceptanceWorld,
  addSlab,
  cube,
  describeForSolvers,
  dt,
  g,
  near,
  nearVector,
  stepMany,
  turn,
} from './support.mjs'

/** @typedef {[number, number, number]} Vector */

const noGravity = { gravity: /** @type {Vector} */ ([0, 0, 0]) }
const ball = /** @type {const} */ ({ type: 'sphere', radius: 0.5 })

describeForSolvers('free motion', (solver) => {
  test('A49 free fall for 10 s: the sum of semi-implicit Euler, and its energy, to round-off', async () => {
    const world = await acceptanceWorld({ solver })
    const mass = 3
    const body = world.createBody({
      shape: cube,
      mass,
      position: [1, 2, 1000],
      linearVelocity: [4, -5, 30],
    })
    const discrete = () => world.energy().total - 0.5 * mass * g * body.linearVelocity[2] * dt
    const start = discrete()
    stepMany(world, 625, (n) => {
      near(discrete(), start, 1e-12 * Math.abs(start) * 10, `energy in step ${n}`)
    })
    const time = 625 * dt
    near(body.linearVelocity[2], 30 - g * time, 1e-10, 'velocity')
    nearVector(
      body.position,
      [1 + 4 * time, 2 - 5 * time, 1000 + 30 * time - (g * dt * dt * 625 * 626) / 2],
      1e-9,
      'position',
    )
    world.free()
  })

  test('A49 a torque-free body flips over at 4.05 s and keeps energy and angular momentum', async () => {
    const world = await acceptanceWorld({ ...noGravity, solver })
    const body = world.createBody({
      shape: cube,
      mass: 1,
      inertia: [1, 2, 3],
      angularVelocity: [0.1, 2, 0.1],
    })
    /** @type {number | undefined} */
    let flip
    stepMany(
      world,
      10000,
      (step) => {
        const spin = rotateBack(body.orientation, body.angularVelocity)[1]
        if (spin < 0) flip ??= step * 0.001
        // The page allows 1e-3; the implicit midpoint rule keeps both to round-off.
        near(length(body.angularMomentum), 4.0124805, 1e-7, `|L| in step ${step}`)
        near(body.kineticEnergy, 4.02, 1e-9, `energy in step ${step}`)
      },
      0.001,
    )
    near(flip ?? Infinity, 4.05, 0.1, 'time of the first flip')
    world.free()
  })

  test('A49 the angular momentum keeps its direction, too', async () => {
    const world = await acceptanceWorld({ ...noGravity, solver })
    const body = world.createBody({
      shape: cube,
      mass: 1,
      inertia: [0.5, 0.7, 1.1],
      orientation: turn([0.6, 0, 0.8], 1),
      angularVelocity: [3, -1, 0.5],
    })
    const start = body.angularMomentum
    const energy = body.kineticEnergy
    stepMany(world, 10000, undefined, 0.001)
    near(body.kineticEnergy, energy, 1e-9 * energy, 'energy')
    near(length(body.angularMomentum), length(start), 1e-9, '|L|')
    const sine = length(cross(body.angularMomentum, start)) / dot(start, start)
    // Of first order in dt: the body turns by the angular velocity at the end of the step.
    near(sine, 0, 2e-3, 'turn of L, rad')
    world.free()
  })

  test('A50 a ball turning at constant angular velocity for 10000 steps', async () => {
    for (const spin of /** @type {Vector[]} */ ([
      [1, 2, 3],
      [-7, 0, 0.5],
    ])) {
      const world = await acceptanceWorld({ ...noGravity, solver })
      const body = world.createBody({ shape: ball, mass: 1, angularVelocity: spin })
      stepMany(world, 10000, (step) => {
        const [x, y, z, w] = body.orientation
        near(x * x + y * y + z * z + w * w, 1, 1e-10, `norm in step ${step}`)
      })
      const rate = length(spin)
      const exact = turn(
        spin.map((x) => x / rate),
        rate * 10000 * dt,
      )
      const [x, y, z, w] = body.orientation
      const [ex, ey, ez, ew] = exact
      // The vector part of the turn from one to the other: half of the angle.
      const difference = [
        w * ex - x * ew - (y * ez - z * ey),
        w * ey - y * ew - (z * ex - x * ez),
        w * ez - z * ew - (x * ey - y * ex),
      ]
      near(2 * length(difference), 0, 1e-6, 'attitude, rad')
      world.free()
    }
  })
})

describeForSolvers('potential', (solver) => {
  test('A60 m g z, its force and no torque', async () => {
    const world = await acceptanceWorld({ solver })
    const body = world.createBody({ shape: cube, mass: 10, position: [3, -4, 100] })
    near(world.energy().potential, 9810, 1e-6, 'potential energy')
    const step = 1e-3
    body.position = [3, -4, 100 + step]
    const above = world.energy().potential
    body.position = [3, -4, 100 - step]
    const below = world.energy().potential
    near(-(above - below) / (2 * step), -98.1, 1e-6, '-dV/dz')
    body.position = [3, -4, 100]
    world.step(dt)
    nearVector(
      body.linearAcceleration.map((x) => 10 * x),
      [0, 0, -98.1],
      1e-6,
      'force',
    )
    nearVector(body.angularAcceleration, [0, 0, 0], 1e-9, 'torque')
    world.free()
  })

  test('A60 gravity in any direction and gravityScale', async () => {
    const gravity = /** @type {Vector} */ ([1, -2, 3])
    const world = await acceptanceWorld({ solver, gravity })
    const position = /** @type {Vector} */ ([5, 7, -11])
    const body = world.createBody({ shape: cube, mass: 2, position })
    near(world.energy().potential, -2 * dot(gravity, position), 1e-9, 'potential energy')
    body.gravityScale = -0.5
    world.step(dt)
    nearVector(body.linearAcceleration, [-0.5, 1, -1.5], 1e-9, 'acceleration')
    world.free()
  })

  test('forces and torques at points: Newton and Euler for one step', async () => {
    const world = await acceptanceWorld({ ...noGravity, solver })
    const body = world.createBody({ shape: cube, mass: 2, position: [1, 1, 1] })
    const force = /** @type {Vector} */ ([3, -1, 2])
    body.applyForce(force, [1.5, 1, 0.5])
    world.step(dt)
    const torque = cross([0.5, 0, -0.5], force)
    const inertia = 2 / 6
    nearVector(body.linearAcceleration, [1.5, -0.5, 1], 1e-9, 'acceleration')
    nearVector(
      body.angularVelocity,
      torque.map((x) => (x * dt) / inertia),
      1e-9,
      'angular velocity',
    )
    const kept = body.linearVelocity
    world.step(dt)
    nearVector(body.linearVelocity, kept, 1e-15, 'a force lasts for one step')
    world.free()
  })
})

describeForSolvers('balls', (solver) => {
  for (const [restitution, height] of [
    [0.5, 1],
    [0.8, 2],
    [0.3, 0.5],
  ]) {
    test(`A48 restitution ${restitution}: rebounds from ${height} m to e² and e⁴ of it`, async () => {
      const world = await acceptanceWorld({ solver })
      addSlab(world, { restitution })
      const body = world.createBody({
        shape: ball,
        mass: 1,
        restitution,
        position: [0, 0, 0.5 + height],
      })
      /** @type {number[]} */
      const apexes = []
      let last = body.linearVelocity[2]
      const time = Math.sqrt((2 * height) / g) * (1 + 2 * restitution + 2 * restitution ** 2)
      stepMany(
        world,
        Math.ceil(time / 0.001),
        () => {
          const now = body.linearVelocity[2]
          if (last > 0 && now <= 0) apexes.push(body.position[2] - 0.5)
          last = now
        },
        0.001,
      )
      assert.ok(apexes.length >= 2, `apexes ${apexes}`)
      near(apexes[0] / (height * restitution ** 2), 1, 1e-2, 'first rebound')
      near(apexes[1] / (height * restitution ** 4), 1, 3e-2, 'second rebound')
      world.free()
    })
  }

  test('A48 an elastic ball keeps its apex', async () => {
    const world = await acceptanceWorld({ solver })
    addSlab(world, { restitution: 1 })
    const body = world.createBody({ shape: ball, mass: 1, restitution: 1, position: [0, 0, 1.5] })
    let apex = 0
    stepMany(
      world,
      20000,
      (step) => {
        if (step > 19000) apex = Math.max(apex, body.position[2] - 0.5)
      },
      0.001,
    )
    near(apex, 1, 2e-2, 'apex after 20 s')
    world.free()
  })

  for (const { friction, speed, mass, radius } of [
    { friction: 0.3, speed: 1, mass: 1, radius: 0.5 },
    { friction: 0.1, speed: 4, mass: 20, radius: 0.1 },
  ]) {
    test(`A61 mu ${friction}, ${speed} m/s, ${mass} kg, ${radius} m: rolls at 5/7 of the speed`, async () => {
      const world = await acceptanceWorld({ solver })
      addSlab(world, { friction })
      const body = world.createBody({
        shape: { type: 'sphere', radius },
        mass,
        friction,
        position: [0, 0, radius],
        linearVelocity: [speed, 0, 0],
      })
      const slip = () => body.linearVelocity[0] - radius * body.angularVelocity[1]
      const rollsAt = speed / (3.5 * friction * g)
      /** @type {number | undefined} */
      let rolled
      stepMany(
        world,
        Math.ceil((rollsAt + 0.5) / 0.001),
        (step) => {
          if (slip() < 1e-6) rolled ??= step * 0.001
        },
        0.001,
      )
      near(rolled ?? Infinity, rollsAt, 1e-2 * rollsAt + 0.001, 'time until it rolls')
      near(body.linearVelocity[0] / speed, 5 / 7, 1e-2, 'speed')
      near(slip(), 0, 1e-6, 'slip')
      world.free()
    })
  }
})
