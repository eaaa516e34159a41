import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConeAudit } from './cone-audit.mjs'
import {
  acceptanceWorld,
  addSlab,
  cube,
  describeForSolvers,
  dt,
  g,
  impulseBetween,
  near,
  stepMany,
  totalNormalImpulse,
} from './support.mjs'

/** @typedef {import('moreau').Body} Body */

describeForSolvers('a cube at rest', (solver) => {
  for (const { mass, friction } of [
    { mass: 5, friction: 0.5 },
    { mass: 0.01, friction: 0 },
    { mass: 1e4, friction: 1 },
  ]) {
    test(`A34, A31 ${mass} kg, mu ${friction}: the floor carries m g dt in each of 1000 steps`, async () => {
      const world = await acceptanceWorld({ solver })
      addSlab(world, { friction })
      const body = world.createBody({ shape: cube, mass, friction, position: [0, 0, 0.5] })
      const audit = new ConeAudit(world, friction, mass)
      stepMany(world, 1000, (step) => {
        audit.afterStep()
        near(totalNormalImpulse(world) / (mass * g * dt), 1, 1e-9, `weight in step ${step}`)
        near(body.position[2], 0.5, 1e-3, `height in step ${step}`)
        assert.ok(body.speed < 1e-3, `speed in step ${step}`)
      })
      assert.equal(audit.contacts, 4000)
      world.free()
    })
  }

  test('A34 with 3 sweeps: warm starting gets there within 20 steps', async () => {
    const world = await acceptanceWorld({ solver, iterations: 3 })
    addSlab(world)
    const body = world.createBody({ shape: cube, mass: 5, position: [0, 0, 0.5] })
    stepMany(world, 1000, (step) => {
      near(body.position[2], 0.5, 1e-3, `height in step ${step}`)
      if (step <= 20) return
      near(totalNormalImpulse(world) / (5 * g * dt), 1, 1e-3, `weight in step ${step}`)
      assert.ok(body.speed < 1e-3, `speed in step ${step}`)
    })
    world.free()
  })
})

describeForSolvers('a stack', (solver) => {
  for (const { row, count, masses } of [
    { row: 'A53', count: 10, masses: [1] },
    { row: 'A53', count: 4, masses: [3, 2, 5, 1] },
  ]) {
    test(`${row} ${count} cubes of ${masses} kg for 600 steps`, async () => {
      const world = await acceptanceWorld({ solver })
      const floor = addSlab(world)
      /** @type {Body[]} */
      const cubes = []
      for (let level = 0; level < count; level++) {
        const mass = masses[level % masses.length]
        cubes.push(world.createBody({ shape: cube, mass, position: [0, 0, level + 0.5] }))
      }
      stepMany(world, 600)
      for (const [level, body] of cubes.entries()) {
        const below = level === 0 ? floor : cubes[level - 1]
        const above = cubes.slice(level).reduce((sum, other) => sum + other.mass, 0)
        near(impulseBetween(body, below) / (above * g * dt), 1, 1e-2, `impulse under cube ${level}`)
        const [x, y, z] = body.position
        assert.ok(Math.hypot(x, y, z - level - 0.5) < 0.01, `drift of cube ${level}`)
      }
      assert.ok(world.energy().kinetic < 1e-4, 'kinetic energy')
      world.free()
    })
  }
})

describeForSolvers('a mass ratio of a million', (solver) => {
  const heavy = 1e6

  /**
   * Two cubes on each other and on the floor for 100 steps.
   *
   * @param {[number, number]} masses from below
   * @param {(step: { floor: number, between: number, top: Body, certificate: number },
   *   count: number) => void} check gets the impulses of each step, N s
   */
  async function tower(masses, check) {
    const world = await acceptanceWorld({ solver })
    const floor = addSlab(world)
    const [lower, top] = masses.map((mass, level) =>
      world.createBody({ shape: cube, mass, position: [0, 0, level + 0.5] }),
    )
    stepMany(world, 100, (count) => {
      const between = impulseBetween(top, lower)
      const certificate = world.residual().worst
      check({ floor: impulseBetween(lower, floor), between, top, certificate }, count)
    })
    world.free()
  }

  test('A51 heavy on light: right to a millionth, or the certificate says how wrong', async () => {
    const worst = { error: 0, drift: 0, certificate: 0 }
    await tower([1, heavy], ({ floor, between, top, certificate }) => {
      assert.ok(Number.isFinite(floor) && Number.isFinite(between), 'no NaN')
      const error = Math.max(Math.abs(between / 1.5696e5 - 1), Math.abs(floor / 1.56960157e5 - 1))
      worst.error = Math.max(worst.error, error)
      worst.drift = Math.max(
        worst.drift,
        Math.hypot(top.position[0], top.position[1], top.position[2] - 1.5),
      )
      worst.certificate = Math.max(worst.certificate, certificate)
    })
    if (solver === 'exact') {
      assert.ok(worst.error < 1e-6, `relative error ${worst.error}`)
      assert.ok(worst.drift < 1e-3, `drift ${worst.drift}`)
    } else if (worst.error > 1e-6) {
      assert.ok(worst.certificate > 1e-8, 'the certificate shows the error')
    }
  })

  test('A51 light on heavy: within a hundredth in each step', async () => {
    await tower([heavy, 1], ({ floor, between, top }, step) => {
      near(between / (g * dt), 1, 1e-2, `impulse between the cubes in step ${step}`)
      near(floor / ((heavy + 1) * g * dt), 1, 1e-2, `impulse of the floor in step ${step}`)
      near(top.position[2], 1.5, 1e-3, `height in step ${step}`)
    })
  })
})

describeForSolvers('removal of overlap', (solver) => {
  /**
   * A cube at rest without gravity that is in the floor by `depth`.
   *
   * @param {import('./support.mjs').WorldOptions} options
   * @param {number} depth m
   */
  async function sunken(options, depth) {
    const world = await acceptanceWorld({
      solver,
      gravity: [0, 0, 0],
      errorReduction: 0.2,
      ...options,
    })
    addSlab(world)
    const body = world.createBody({ shape: cube, mass: 1, position: [0, 0, 0.5 - depth] })
    world.step(dt)
    return { world, body, moved: body.position[2] - (0.5 - depth) }
  }

  test('A58 Baumgarte: the overlap goes through the velocity, errorReduction depth / dt', async () => {
    for (const [errorReduction, depth] of [
      [0.2, 0.01],
      [0.5, 0.004],
    ]) {
      const { world, body } = await sunken({ stabilization: 'baumgarte', errorReduction }, depth)
      near(body.linearVelocity[2], (errorReduction * depth) / dt, 1e-9, 'velocity')
      world.free()
    }
  })

  test('A58 Baumgarte is capped by maxCorrectionSpeed', async () => {
    const { world, body } = await sunken(
      { stabilization: 'baumgarte', errorReduction: 1, maxCorrectionSpeed: 0.25 },
      0.02,
    )
    near(body.linearVelocity[2], 0.25, 1e-9, 'velocity')
    world.free()
  })

  test('A59 split: the same way, and no velocity', async () => {
    const { world, body, moved } = await sunken({ stabilization: 'split' }, 0.01)
    near(moved, 0.002, 1e-9, 'way')
    assert.equal(body.speed < 1e-12 && body.angularSpeed < 1e-12, true, 'velocity')
    near(world.energy().kinetic, 0, 1e-12, 'kinetic energy')
    world.free()
  })

  test('A59 split leaves the slop alone', async () => {
    const { world, moved } = await sunken({ stabilization: 'split', linearSlop: 0.005 }, 0.01)
    near(moved, 0.001, 1e-9, 'way')
    world.free()
    const within = await sunken({ stabilization: 'split', linearSlop: 0.005 }, 0.004)
    near(within.moved, 0, 1e-12, 'way within the slop')
    within.world.free()
  })

  test('A58 without stabilization the overlap stays', async () => {
    const { world, body, moved } = await sunken({ stabilization: 'none' }, 0.01)
    near(moved, 0, 1e-12, 'way')
    near(body.speed, 0, 1e-12, 'speed')
    world.free()
  })
})
