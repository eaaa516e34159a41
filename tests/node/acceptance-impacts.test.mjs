import assert from 'node:assert/strict'
import { test } from 'node:test'
import { World } from 'moreau'
import {
  acceptanceWorld,
  addSlab,
  cube,
  describeForSolvers,
  dt,
  g,
  near,
  nearVector,
  totalNormalImpulse,
} from './support.mjs'

/** @typedef {[number, number, number]} Vector */

const noGravity = { gravity: /** @type {Vector} */ ([0, 0, 0]) }

/**
 * One step of two touching spheres on a line.
 *
 * @param {import('./support.mjs').SolverName} solver
 * @param {{ masses: [number, number], velocities: [number, number], restitution: number }} setting
 */
async function headOn(solver, { masses, velocities, restitution }) {
  const world = await acceptanceWorld({ ...noGravity, solver })
  const common = { shape: /** @type {const} */ ({ type: 'sphere', radius: 1 }), restitution }
  const [a, b] = masses.map((mass, index) =>
    world.createBody({
      ...common,
      mass,
      position: [2 * index, 0, 0],
      linearVelocity: [velocities[index], 0, 0],
    }),
  )
  world.step(dt)
  const result = {
    impulse: totalNormalImpulse(world),
    velocities: [a.linearVelocity[0], b.linearVelocity[0]],
    kinetic: world.energy().kinetic,
    momentum: world.momentum().linear[0],
    spin: Math.max(a.angularSpeed, b.angularSpeed),
  }
  world.free()
  return result
}

describeForSolvers('head-on spheres', (solver) => {
  test('A24 elastic: impulse 3 N s, velocities swap', async () => {
    const result = await headOn(solver, { masses: [1, 1], velocities: [2, -1], restitution: 1 })
    near(result.impulse, 3, 1e-12, 'impulse')
    nearVector(result.velocities, [-1, 2], 1e-12, 'velocities')
  })

  test('A24 inelastic: impulse 1.5 N s, 0.25 J are left', async () => {
    const result = await headOn(solver, { masses: [1, 1], velocities: [2, -1], restitution: 0 })
    near(result.impulse, 1.5, 1e-12, 'impulse')
    nearVector(result.velocities, [0.5, 0.5], 1e-12, 'velocities')
    near(result.kinetic, 0.25, 1e-12, 'kinetic energy')
  })

  test('A24 other masses, speeds and restitutions: reduced mass times (1 + e) approach', async () => {
    /** @type {{ masses: [number, number], velocities: [number, number], restitution: number }[]} */
    const settings = [
      { masses: [2, 5], velocities: [3, 1], restitution: 0.7 },
      { masses: [0.01, 100], velocities: [10, -4], restitution: 0.25 },
      { masses: [1000, 1], velocities: [0, -7], restitution: 1 },
      { masses: [3, 3], velocities: [-1, -1.5], restitution: 0 },
    ]
    for (const setting of settings) {
      const { masses, velocities, restitution } = setting
      const [m1, m2] = masses
      const approach = velocities[0] - velocities[1]
      const impulse = ((1 + restitution) * approach * m1 * m2) / (m1 + m2)
      const result = await headOn(solver, setting)
      const what = JSON.stringify(setting)
      near(result.impulse, impulse, 1e-12 * Math.max(1, impulse), `impulse of ${what}`)
      near(result.velocities[0], velocities[0] - impulse / m1, 1e-11, `first velocity of ${what}`)
      near(result.velocities[1], velocities[1] + impulse / m2, 1e-11, `second velocity of ${what}`)
      const momentum = m1 * velocities[0] + m2 * velocities[1]
      near(
        result.momentum,
        momentum,
        1e-12 * Math.max(1, Math.abs(momentum)) * 10,
        `momentum of ${what}`,
      )
      const before = 0.5 * (m1 * velocities[0] ** 2 + m2 * velocities[1] ** 2)
      const loss = (0.5 * (1 - restitution ** 2) * approach ** 2 * m1 * m2) / (m1 + m2)
      near(result.kinetic, before - loss, 1e-10 * before, `energy of ${what}`)
      near(result.spin, 0, 1e-12, `spin of ${what}`)
    }
  })

  test('A24 the restitution of a pair is the geometric mean', async () => {
    const world = await acceptanceWorld({ ...noGravity, solver })
    const shape = /** @type {const} */ ({ type: 'sphere', radius: 1 })
    world.createBody({ shape, mass: 1, restitution: 0.9, linearVelocity: [1, 0, 0] })
    const b = world.createBody({ shape, mass: 1, restitution: 0.4, position: [2, 0, 0] })
    world.step(dt)
    near(b.linearVelocity[0], (1 + 0.6) / 2, 1e-12, 'velocity of B')
    world.free()
  })
})

describeForSolvers('flat impact of a cube', (solver) => {
  for (const [restitution, impulse] of [
    [1, 2],
    [0.5, 1.5],
    [0, 1],
    [0.3, 1.3],
  ]) {
    test(`A27 restitution ${restitution}: all four corners at once, no spin`, async () => {
      const world = await acceptanceWorld({ ...noGravity, solver })
      addSlab(world, { friction: 0, restitution })
      const body = world.createBody({
        shape: cube,
        mass: 1,
        friction: 0,
        restitution,
        position: [0, 0, 0.5],
        linearVelocity: [0, 0, -1],
      })
      world.step(dt)
      assert.equal(world.contactPoints().length, 4)
      near(body.linearVelocity[2], restitution, 1e-8, 'vertical velocity')
      nearVector(body.angularVelocity, [0, 0, 0], 1e-8, 'angular velocity')
      near(totalNormalImpulse(world), impulse, 1e-8, 'sum of impulses')
      world.free()
    })
  }

  test('A27 impact together with friction and gravity: the bounce is that of the speed before the step', async () => {
    const world = await acceptanceWorld({ solver })
    addSlab(world, { friction: 0.1, restitution: 0.5 })
    const body = world.createBody({
      shape: cube,
      mass: 3,
      friction: 0.1,
      restitution: 0.5,
      position: [0, 0, 0.5],
      linearVelocity: [2, 0, -1],
    })
    world.step(dt)
    near(body.linearVelocity[2], 0.5, 1e-8, 'vertical velocity')
    const impulse = 3 * (1.5 + g * dt)
    near(totalNormalImpulse(world), impulse, 1e-7, 'sum of impulses')
    near(body.linearVelocity[0], 2 - (0.1 * impulse) / 3, 1e-7, 'velocity along the floor')
    world.free()
  })
})

describeForSolvers('impact of a spinning or sliding sphere', (solver) => {
  // A solid sphere, v = (vx, 0, vz), no spin: friction mu slips to the end if mu (1 + e) |vz| < 2/7 vx, else it rolls off.
  /** @type {{ friction: number, vx: number, vz: number, restitution: number, mass: number, radius: number }[]} */
  const settings = [
    { friction: 0.1, vx: 1, vz: -2, restitution: 0, mass: 1, radius: 0.5 },
    { friction: 0.5, vx: 1, vz: -2, restitution: 0, mass: 1, radius: 0.5 },
    { friction: 0.2, vx: 5, vz: -1, restitution: 0.6, mass: 7, radius: 0.2 },
    { friction: 1, vx: -3, vz: -4, restitution: 0.25, mass: 0.1, radius: 2 },
  ]
  for (const setting of settings) {
    test(`A45 ${JSON.stringify(setting)}`, async () => {
      const { friction, vx, vz, restitution, mass, radius } = setting
      const world = await acceptanceWorld({ ...noGravity, solver })
      addSlab(world, { friction, restitution })
      const ball = world.createBody({
        shape: { type: 'sphere', radius },
        mass,
        friction,
        restitution,
        position: [0, 0, radius],
        linearVelocity: [vx, 0, vz],
      })
      near(ball.inertia[0], 0.4 * mass * radius * radius, 1e-12, 'inertia')
      world.step(dt)
      const normal = -(1 + restitution) * vz
      const change = Math.sign(vx) * Math.min(friction * normal, (2 / 7) * Math.abs(vx))
      near(ball.linearVelocity[0], vx - change, 1e-9, 'velocity along the floor')
      near(ball.linearVelocity[2], -restitution * vz, 1e-9, 'vertical velocity')
      near(ball.angularVelocity[1], (2.5 * change) / radius, 1e-9, 'spin')
      world.free()
    })
  }
})

describeForSolvers('static partners and empty worlds', (solver) => {
  test('A64 static bodies in each other: no impulse, no NaN, nothing moves', async () => {
    const world = await acceptanceWorld({ solver })
    const floor = addSlab(world)
    const second = world.createBody({ type: 'static', shape: cube, position: [0, 0, 0.2] })
    const body = world.createBody({ shape: cube, mass: 1, position: [5, 0, 0.5] })
    for (let count = 0; count < 100; count++) world.step(dt)
    near(totalNormalImpulse(world), g * dt, 1e-9, 'only the dynamic cube is carried')
    assert.deepEqual(floor.position, [0, 0, -0.5])
    assert.deepEqual(second.position, [0, 0, 0.2])
    assert.deepEqual(second.linearVelocity, [0, 0, 0])
    assert.ok(body.position.every(Number.isFinite))
    assert.ok(
      second.contacts().every(({ points }) => points.every((point) => point.normalImpulse === 0)),
    )
    world.free()
  })

  test('A64 forces and impulses do not move a static body', async () => {
    const world = await acceptanceWorld({ solver })
    const floor = addSlab(world)
    const alone = await acceptanceWorld({ solver })
    addSlab(alone)
    floor.applyImpulse([1, 2, 3], [4, 5, 6])
    floor.applyForce([1e9, 0, 0])
    world.step(dt)
    alone.step(dt)
    assert.equal(world.hash(), alone.hash(), 'as in a world where nobody pushes')
    assert.deepEqual(floor.position, [0, 0, -0.5])
    assert.deepEqual(floor.linearVelocity, [0, 0, 0])
    assert.deepEqual(floor.angularVelocity, [0, 0, 0])
    world.free()
    alone.free()
  })

  test('A65 empty world, dt = 0, negative or NaN dt, NaN force', async () => {
    const world = await World.create()
    world.step(dt)
    assert.equal(world.stepCount, 1)
    const body = world.createBody({ shape: cube, mass: 1 })
    const before = world.hash()
    const time = world.time
    world.step(0)
    assert.equal(world.hash(), before, 'dt = 0 changes nothing')
    assert.equal(world.time, time)
    for (const bad of [-0.01, NaN, Infinity]) {
      assert.throws(() => world.step(bad), { name: 'MoreauError', code: 'invalid-argument' })
    }
    const refused = { name: 'MoreauError', code: 'invalid-argument' }
    assert.throws(() => body.applyForce([NaN, 0, 0]), refused)
    assert.throws(() => body.applyForce([0, 0, 0], [0, Infinity, 0]), refused)
    assert.throws(() => body.applyTorque([0, NaN, 0]), refused)
    assert.throws(() => body.applyImpulse([0, 0, NaN]), refused)
    assert.equal(world.hash(), before, 'a refused call changes nothing')
    world.step(dt)
    near(body.linearVelocity[1], -g * dt, 1e-12, 'the world goes on')
    world.free()
  })

  test('A65 a force so large that the step overflows is an error, and the world is as before', async () => {
    const world = await World.create()
    const body = world.createBody({ shape: cube, mass: 1e-3 })
    body.linearVelocity = [1e308, 0, 0]
    body.applyForce([1.7e308, 0, 0])
    const before = world.hash()
    assert.throws(() => world.step(1e3), { name: 'MoreauError', code: 'not-finite' })
    assert.equal(world.hash(), before)
    world.free()
  })
})
